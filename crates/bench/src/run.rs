//! The runs of a campaign that are not recorded yet.
//!
//! A worker takes an input and runs all tools on it, one right after the other, so that noise hits
//! all alike; then it takes the next input. Each record is written as soon as its run has ended.
//! What a run is called, `(input, tool, repetition)`, is all that resuming needs.
//!
//! A campaign may leave out runs on large members of families, once limits ended runs of the same
//! tool on smaller ones (`stop-after-limits`). What is left out follows from the records and is not
//! recorded, so a resumed campaign leaves out the same runs. With several workers a larger member
//! may be run before a smaller one has ended; then fewer runs are left out.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, bail};
use kermode_solve::Cancellation;
use rustix::process::getpid;

use crate::inputs::Input;
use crate::limit::Limited;
use crate::manifest::Campaign;
use crate::process::{Ended, Limits, Watch};
use crate::progress::Progress;
use crate::record::{Key, Record};
use crate::records::{self, Records};
use crate::tool::{Prepared, Tool, ToolOutput};
use crate::workers::{locked, together, watched};

/// What to do about records of another campaign.
const OTHERWISE: &str = "expected other records or the same manifest";

/// The runs of a campaign that are still to be made, and the file where they are recorded.
#[derive(Debug)]
pub struct Runs<'c> {
    campaign: &'c Campaign,
    /// The inputs that have runs to make.
    inputs: Vec<&'c Input>,
    done: HashSet<Key>,
    limits_met: Mutex<LimitsMet>,
    records: Mutex<Records>,
}

/// The members of families on which limits ended runs: their parameters, by family, property, tool
/// and repetition.
#[derive(Debug, Default)]
struct LimitsMet(HashMap<(String, Option<String>, String, u32), Vec<f64>>);

impl LimitsMet {
    fn add(&mut self, record: &Record) {
        if let (true, Some(parameter)) = (record.outcome.is_limit(), record.parameter) {
            let Record { family, property, tool, repetition, .. } = record.clone();
            self.0.entry((family, property, tool, repetition)).or_default().push(parameter);
        }
    }

    /// How many runs like this one, but on smaller members, were ended by limits.
    fn below(&self, job: &Job) -> usize {
        let Some(parameter) = job.input.parameter else { return 0 };
        let property = job.input.property().map(|property| property.label.clone());
        let tool = job.tool.name().to_owned();
        let ended = self.0.get(&(job.input.family.clone(), property, tool, job.repetition));
        ended.into_iter().flatten().filter(|&&smaller| smaller < parameter).count()
    }
}

/// What the workers share.
struct Runner<'r> {
    runs: &'r Runs<'r>,
    next: AtomicUsize,
    made: AtomicUsize,
    watch: Watch,
    progress: &'r dyn Progress,
}

/// One run to make.
#[derive(Clone, Copy)]
struct Job<'c> {
    input: &'c Input,
    tool: &'c Tool,
    repetition: u32,
}

/// Records of other runs that go by the same names do not belong together with ours.
fn same_campaign(campaign: &Campaign, known: &[Record]) -> anyhow::Result<()> {
    let Limits { cpu, wall, memory, address_space } = campaign.limits;
    let ours = (cpu.as_secs_f64(), Some(wall.as_secs_f64()), Some(memory), Some(address_space));
    let limits = |record: &Record| {
        let (cpu, wall) = (record.cpu_limit_seconds, record.wall_limit_seconds);
        (cpu, wall, record.memory_limit_bytes, record.address_space_limit_bytes)
    };
    if let Some(record) = known.iter().find(|record| limits(record) != ours) {
        let (input, tool) = (&record.input, &record.tool);
        bail!("the run of `{tool}` on `{input}` was recorded under other limits; {OTHERWISE}");
    }
    let known: HashMap<Key, Option<&str>> =
        known.iter().map(|record| (record.key(), record.fingerprint.as_deref())).collect();
    let jobs = campaign.inputs.iter().flat_map(|input| campaign.jobs(input));
    let changed =
        |job: &Job| known.get(&job.key()).is_some_and(|&old| old != Some(&job.fingerprint()));
    if let Some(job) = jobs.into_iter().find(changed) {
        let (tool, input) = (job.tool.name(), &job.input.name);
        bail!(
            "the input, the command or the program of `{tool}` on `{input}` has changed since; {OTHERWISE}"
        );
    }
    Ok(())
}

impl<'c> Runs<'c> {
    /// Opens or makes the file of records, and finds out which runs it does not have. Records of
    /// other runs under the same names are an error.
    pub fn open(campaign: &'c Campaign, records: &Path) -> anyhow::Result<Self> {
        let (records, known) = Records::open(records)?;
        same_campaign(campaign, &known)?;
        let done = records::keys(&known);
        let mut limits_met = LimitsMet::default();
        known.iter().for_each(|record| limits_met.add(record));
        let (limits_met, records) = (Mutex::new(limits_met), Mutex::new(records));
        let mut runs = Runs { campaign, inputs: Vec::new(), done, limits_met, records };
        let jobs = campaign.inputs.iter().flat_map(|input| campaign.jobs(input));
        let left_out: Vec<Key> =
            jobs.filter(|job| runs.leaves_out(job)).map(|job| job.key()).collect();
        runs.done.extend(left_out);
        let left = |input: &&Input| runs.jobs(input).next().is_some();
        runs.inputs = campaign.inputs.iter().filter(left).collect();
        Ok(runs)
    }

    /// How many runs are to be made, at most.
    pub fn left(&self) -> usize {
        self.inputs.iter().map(|input| self.jobs(input).count()).sum()
    }

    /// Makes the runs, so many at a time, until all are made or the flag is raised; gives how many
    /// were made.
    pub fn make(
        self,
        at_a_time: usize,
        cancellation: &Cancellation,
        progress: &dyn Progress,
    ) -> anyhow::Result<usize> {
        let watch = Watch::new(&self.campaign.kermode, cancellation.inner());
        let runner = Runner {
            runs: &self,
            next: AtomicUsize::new(0),
            made: AtomicUsize::new(0),
            watch: watch.context("cannot watch over processes")?,
            progress,
        };
        let watch = |ended: &AtomicBool| runner.watch.watch(ended, || progress.tick());
        let result = watched(watch, || together((0..at_a_time).map(|_| || runner.worker())));
        locked(&self.records).sync()?;
        result.map(|()| runner.made.into_inner())
    }

    /// The runs on an input that were neither recorded nor left out at the beginning.
    fn jobs(&self, input: &'c Input) -> impl Iterator<Item = Job<'c>> {
        self.campaign.jobs(input).filter(|job| !self.done.contains(&job.key()))
    }

    /// Whether limits ended enough runs on smaller members.
    fn leaves_out(&self, job: &Job) -> bool {
        let most = self.campaign.stop_after;
        most.is_some_and(|most| locked(&self.limits_met).below(job) >= most as usize)
    }
}

impl Runner<'_> {
    /// Takes inputs until there is none left. Where one worker fails the others stop too.
    fn worker(&self) -> anyhow::Result<()> {
        while let Some(input) = self.runs.inputs.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            for job in self.runs.jobs(input) {
                if self.watch.stopped() {
                    return Ok(());
                }
                if self.runs.leaves_out(&job) {
                    self.progress.advance();
                    continue;
                }
                self.job(job).inspect_err(|_| self.watch.stop())?;
            }
        }
        Ok(())
    }

    /// Makes one run and records it, unless it was cut short.
    fn job(&self, job: Job) -> anyhow::Result<()> {
        let record = match job.tool.prepare(job.input, self.runs.campaign.limits.cpu) {
            Ok(prepared) => {
                let ended = self.execute(&prepared)?;
                self.record(job, job.tool.read(&ended), Some(&ended))
            }
            Err(error) => self.record(job, ToolOutput::not_run(&error), None),
        };
        if !self.watch.stopped() {
            locked(&self.runs.limits_met).add(&record);
            locked(&self.runs.records).append(&record)?;
            self.made.fetch_add(1, Ordering::Relaxed);
            self.progress.advance();
        }
        Ok(())
    }

    /// Runs a command through `kermode limited`.
    fn execute(&self, prepared: &Prepared) -> anyhow::Result<Ended> {
        let Campaign { limits, kermode, .. } = self.runs.campaign;
        // The watch is exact and sees the group. The kernel counts the ticks of a clock, of each
        // process, and on a busy machine by a third too many: its limit is a net far below.
        let net = limits.cpu.as_secs().saturating_mul(2).saturating_add(5);
        let limited = Limited {
            cpu: net,
            memory: limits.address_space,
            parent: getpid().as_raw_nonzero().get(),
            command: prepared.words.clone(),
        };
        let mut command = Command::new(kermode);
        command.args(limited.arguments());
        self.watch.run(command, &prepared.stdin, *limits).context("cannot run a process")
    }

    fn record(&self, job: Job, said: ToolOutput, ended: Option<&Ended>) -> Record {
        let limits = &self.runs.campaign.limits;
        Record {
            input: job.input.name.clone(),
            family: job.input.family.clone(),
            property: job.input.property().map(|property| property.label.clone()),
            parameter: job.input.parameter,
            tool: job.tool.name().to_owned(),
            repetition: job.repetition,
            expected: job.input.expected,
            outcome: said.outcome,
            cpu_seconds: ended.map_or(0.0, |ended| ended.cpu.as_secs_f64()),
            wall_seconds: ended.map_or(0.0, |ended| ended.wall.as_secs_f64()),
            peak_bytes: ended.map_or(0, |ended| ended.peak),
            cpu_limit_seconds: limits.cpu.as_secs_f64(),
            wall_limit_seconds: Some(limits.wall.as_secs_f64()),
            memory_limit_bytes: Some(limits.memory),
            address_space_limit_bytes: Some(limits.address_space),
            fingerprint: Some(job.fingerprint()),
            witness_letters: said.witness_letters,
            replayed: said.replayed,
            detail: said.detail,
            statistics: said.statistics,
        }
    }
}

impl Campaign {
    /// The runs on an input, in their order.
    fn jobs<'c>(&'c self, input: &'c Input) -> impl Iterator<Item = Job<'c>> {
        (0..self.repetitions).flat_map(move |repetition| {
            self.tools.iter().map(move |tool| Job { input, tool, repetition })
        })
    }
}

impl Job<'_> {
    fn key(&self) -> Key {
        (self.input.name.clone(), self.tool.name().to_owned(), self.repetition)
    }

    fn fingerprint(&self) -> String {
        self.tool.fingerprint(self.input)
    }
}
