//! `bench run`: the runs of a campaign that are not recorded yet.
//!
//! A worker takes an input and runs all tools on it, one right after the other, so that noise hits all alike;
//! then it takes the next input. Each record is written as soon as its run has ended. What a run is called,
//! `(input, tool, repetition)`, is all that resuming needs.

use std::collections::{HashMap, HashSet};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};

use super::inputs::Input;
use super::manifest::{self, Campaign};
use super::process::{Ended, Limits, Watch};
use super::progress::Progress;
use super::record::{Key, Record};
use super::records::{self, Records};
use super::tool::{Prepared, Said, Tool};
use super::{Run, together, watched};
use crate::report::complain;
use crate::status::Status;

/// What to do about records of another campaign.
const OTHERWISE: &str = "expected other records or the same manifest";

/// What the workers share.
struct Runner<'c> {
    campaign: &'c Campaign,
    /// The inputs of this shard that have runs to make.
    inputs: Vec<&'c Input>,
    done: HashSet<Key>,
    records: Mutex<Records>,
    next: AtomicUsize,
    watch: Watch,
    progress: Progress,
}

/// One run to make.
#[derive(Clone, Copy)]
struct Job<'c> {
    input: &'c Input,
    tool: &'c Tool,
    repetition: u32,
}

pub(crate) fn run(args: &Run) -> anyhow::Result<Status> {
    let mut campaign = manifest::load(&args.manifest)?;
    if let Some(shard) = args.shard {
        campaign.inputs.retain(|input| shard.has(&input.name));
    }
    let (records, known) = Records::open(&args.records)?;
    same_campaign(&campaign, &known)?;
    let runner = Runner::new(&campaign, records, records::keys(&known))?;
    runner.work(args.jobs)?;
    Ok(runner.summary(args))
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

impl<'c> Runner<'c> {
    fn new(campaign: &'c Campaign, records: Records, done: HashSet<Key>) -> anyhow::Result<Self> {
        let left = |input: &&Input| campaign.jobs(input).any(|job| !done.contains(&job.key()));
        let inputs: Vec<&Input> = campaign.inputs.iter().filter(left).collect();
        let jobs = inputs.iter().flat_map(|input| campaign.jobs(input));
        let total = jobs.filter(|job| !done.contains(&job.key())).count();
        Ok(Runner {
            campaign,
            inputs,
            done,
            records: Mutex::new(records),
            next: AtomicUsize::new(0),
            watch: Watch::new().context("cannot watch over processes")?,
            progress: Progress::new(Some(total), "runs"),
        })
    }

    /// Makes all runs, so many at a time.
    fn work(&self, jobs: usize) -> anyhow::Result<()> {
        let watch = |ended: &AtomicBool| self.watch.watch(ended, || self.progress.tick());
        let result = watched(watch, || together((0..jobs).map(|_| || self.worker())));
        self.progress.finish();
        self.records.lock().unwrap_or_else(PoisonError::into_inner).sync()?;
        result
    }

    /// Takes inputs until there is none left. Where one worker fails the others stop too.
    fn worker(&self) -> anyhow::Result<()> {
        while let Some(input) = self.inputs.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let jobs = self.campaign.jobs(input).filter(|job| !self.done.contains(&job.key()));
            for job in jobs {
                if self.watch.stopped() {
                    return Ok(());
                }
                self.job(job).inspect_err(|_| self.watch.stop())?;
            }
        }
        Ok(())
    }

    /// Makes one run and records it, unless it was cut short.
    fn job(&self, job: Job) -> anyhow::Result<()> {
        let record = match job.tool.prepare(job.input, self.campaign.limits.cpu) {
            Ok(prepared) => {
                let ended = self.execute(&prepared)?;
                self.record(job, job.tool.read(&ended), Some(&ended))
            }
            Err(error) => self.record(job, Said::not_run(&error), None),
        };
        if !self.watch.stopped() {
            self.records.lock().unwrap_or_else(PoisonError::into_inner).append(&record)?;
            self.progress.advance();
        }
        Ok(())
    }

    /// Runs a command through `kermode limited`.
    fn execute(&self, prepared: &Prepared) -> anyhow::Result<Ended> {
        let limits = self.campaign.limits;
        let own = std::env::current_exe().context("cannot find ourselves")?;
        let mut command = Command::new(own);
        // The watch is exact and sees the group. The kernel counts the ticks of a clock, of each process, and on a busy
        // machine by a third too many: its limit is a net far below.
        let net = limits.cpu.as_secs().saturating_mul(2).saturating_add(5);
        command.args(["limited", "--cpu", &net.to_string()]);
        command.args(["--memory", &limits.address_space.to_string()]);
        command.args(["--parent", &std::process::id().to_string(), "--"]);
        command.args(&prepared.words);
        self.watch.run(command, &prepared.stdin, limits).context("cannot run a process")
    }

    fn record(&self, job: Job, said: Said, ended: Option<&Ended>) -> Record {
        Record {
            input: job.input.name.clone(),
            family: job.input.family.clone(),
            parameter: job.input.parameter,
            tool: job.tool.name().to_owned(),
            repetition: job.repetition,
            expected: job.input.expected,
            outcome: said.outcome,
            cpu_seconds: ended.map_or(0.0, |ended| ended.cpu.as_secs_f64()),
            wall_seconds: ended.map_or(0.0, |ended| ended.wall.as_secs_f64()),
            peak_bytes: ended.map_or(0, |ended| ended.peak),
            cpu_limit_seconds: self.campaign.limits.cpu.as_secs_f64(),
            wall_limit_seconds: Some(self.campaign.limits.wall.as_secs_f64()),
            memory_limit_bytes: Some(self.campaign.limits.memory),
            address_space_limit_bytes: Some(self.campaign.limits.address_space),
            fingerprint: Some(job.fingerprint()),
            witness_letters: said.witness_letters,
            replayed: said.replayed,
            detail: said.detail,
            statistics: said.statistics,
        }
    }

    /// Says how it ended.
    fn summary(&self, args: &Run) -> Status {
        let (done, records) = (self.progress.done(), args.records.display());
        if self.watch.stopped() {
            complain(&format!("stopped after {done} runs; the same command goes on from here\n"));
            return Status::Unknown;
        }
        let runs = if done == 1 { "run" } else { "runs" };
        complain(&format!("{done} {runs} added to `{records}`\n"));
        Status::Yes
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
