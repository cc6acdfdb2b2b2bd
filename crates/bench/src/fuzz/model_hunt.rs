//! The search for mistakes in the meaning of SMV models: workers draw models and compare.
//!
//! The model with number `n` of seed `s` has the seed `s + n`, so one seed reproduces a finding. As
//! in the search over formulas, the findings do not depend on the number of workers: of all models
//! with faults the one with the smallest number counts.

use std::fmt::Write;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kermode_base::Rng;
use kermode_smv::random::{ModelShape, RandomModel, random_model};
use kermode_solve::{Budget, Cancellation, EngineSpec, Limits};
use serde_json::{Value, json};

use super::model_engines::engine_fault;
use super::models::{Change, MOST_STATES, ModelFault, ShrunkModel, changed_fault, shrink_model};
use crate::progress::Progress;
use crate::workers::{locked, together, watched};

/// How much longer than the time that is left shrinking may take.
const GRACE: Duration = Duration::from_secs(30);
const TICK: Duration = Duration::from_millis(100);

/// A search for models whose meanings differ.
#[derive(Clone, Debug)]
pub struct ModelHunt {
    /// How long to search; no limit if absent.
    pub time: Option<Duration>,
    /// How many models to try; no limit if absent.
    pub models: Option<u64>,
    /// The seed of the first model.
    pub seed: u64,
    /// The size of the models.
    pub shape: ModelShape,
    /// The engines that decide the properties of each model; if there are none, its meanings are
    /// compared.
    pub engines: Vec<EngineSpec>,
    /// The limits for one model, or for one engine on one property.
    pub limits: Limits,
    /// How many models are tried at a time.
    pub jobs: usize,
    /// Whether to go on after a finding.
    pub keep_going: bool,
}

/// Follows a search over models.
pub trait ModelListener: Progress {
    /// A fault was found. An error ends the search.
    fn found(&self, finding: &ModelFinding) -> io::Result<()>;
}

/// A fault and the model that shows it.
#[derive(Clone, Debug)]
pub struct ModelFinding {
    /// The seed that draws the model.
    pub seed: u64,
    /// What is wrong.
    pub fault: ModelFault,
    /// The text of the small model.
    pub text: String,
    /// The number of parts of the model, and of the model that was drawn.
    pub parts: (usize, usize),
    /// Whether no single part can be left out.
    pub minimal: bool,
    /// The options of the search, as they are typed.
    pub options: String,
}

impl ModelFinding {
    /// The command that shows the finding again.
    fn command(&self) -> String {
        format!("kermode bench fuzz --models 1{} --seed {}", self.options, self.seed)
    }

    /// For people.
    pub fn text(&self) -> String {
        let (now, drawn) = self.parts;
        let so_far = if self.minimal { "" } else { " as far as time allowed" };
        let mut text = format!("finding: {}\n  model:\n", self.fault);
        let lines = self.text.lines().filter(|line| !line.trim().is_empty());
        lines.for_each(|line| text.push_str(&format!("    {line}\n")));
        let _ = writeln!(text, "  size: {now} parts, shrunk from {drawn}{so_far}");
        let _ = writeln!(text, "shown again by\n  {}", self.command());
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json!({
            "command": "bench fuzz",
            "finding": self.fault.kind(),
            "message": self.fault.to_string(),
            "model": self.text,
            "size": self.parts.0,
            "reproduce": [self.command()],
            "seed": self.seed,
            "minimal": self.minimal,
        })
    }
}

/// How a search over models went.
#[derive(Debug)]
pub struct ModelSummary {
    seed: u64,
    models: usize,
    gave_up: usize,
    seconds: f64,
    /// How many findings there are.
    pub findings: usize,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

impl ModelSummary {
    /// For people.
    pub fn text(&self) -> String {
        let ModelSummary { seed, models, seconds, .. } = self;
        let found = match self.findings {
            0 => "nothing found".to_owned(),
            1 => "1 finding".to_owned(),
            more => format!("{more} findings"),
        };
        let rate = *models as f64 / seconds.max(1e-9);
        let mut text = format!(
            "{found}, {models} models tried, {seconds:.1} s, {rate:.0} models/s, seed {seed}"
        );
        if self.gave_up > 0 {
            let _ = write!(text, ", {} beyond the limits", self.gave_up);
        }
        if self.interrupted {
            text.push_str(", interrupted");
        }
        text + "\n"
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json!({
            "command": "bench fuzz",
            "findings": self.findings,
            "models": self.models,
            "gave_up": self.gave_up,
            "wall_seconds": self.seconds,
            "seed": self.seed,
            "interrupted": self.interrupted,
        })
    }
}

impl ModelHunt {
    /// Searches until a fault is found, a limit is reached, or the flag is raised.
    ///
    /// # Errors
    /// The error of the listener.
    pub fn run(
        &self,
        cancellation: &Cancellation,
        listener: &dyn ModelListener,
    ) -> anyhow::Result<ModelSummary> {
        self.run_changed(|_| (), cancellation, listener)
    }

    /// The same with a change of each model after it was read.
    pub(crate) fn run_changed(
        &self,
        change: Change,
        cancellation: &Cancellation,
        listener: &dyn ModelListener,
    ) -> anyhow::Result<ModelSummary> {
        let started = Instant::now();
        let shared = Shared {
            hunt: self,
            listener,
            change,
            cancellation,
            deadline: self.time.and_then(|time| started.checked_add(time)),
            next: AtomicU64::new(0),
            tried: AtomicUsize::new(0),
            gave_up: AtomicUsize::new(0),
            enough: AtomicBool::new(false),
            catches: Mutex::default(),
            shown: Mutex::default(),
        };
        shared.work()?;
        let findings = locked(&shared.shown).len();
        Ok(ModelSummary {
            seed: self.seed,
            models: shared.tried.into_inner(),
            gave_up: shared.gave_up.into_inner(),
            seconds: started.elapsed().as_secs_f64(),
            findings,
            interrupted: cancellation.is_cancelled(),
        })
    }
}

/// What the workers share.
struct Shared<'h> {
    hunt: &'h ModelHunt,
    listener: &'h dyn ModelListener,
    change: Change,
    cancellation: &'h Cancellation,
    deadline: Option<Instant>,
    /// The number of the next model.
    next: AtomicU64,
    tried: AtomicUsize,
    gave_up: AtomicUsize,
    /// Set when the search can end.
    enough: AtomicBool,
    /// Numbers of models with their faults.
    catches: Mutex<Vec<(u64, ModelFault)>>,
    /// The texts of the findings shown so far.
    shown: Mutex<Vec<String>>,
}

impl Shared<'_> {
    fn work(&self) -> anyhow::Result<()> {
        let workers = (0..self.hunt.jobs).map(|_| || self.worker());
        let search = || together(workers).and_then(|()| self.show_first());
        let watch = |ended: &AtomicBool| {
            while !ended.load(Ordering::Relaxed) {
                self.listener.tick();
                thread::park_timeout(TICK);
            }
        };
        watched(watch, search)
    }

    fn worker(&self) -> anyhow::Result<()> {
        while let Some(number) = self.next_number() {
            let fault = self.fault(&self.draw(number), MOST_STATES);
            if self.cancellation.is_cancelled() {
                return Ok(());
            }
            self.tried.fetch_add(1, Ordering::Relaxed);
            self.listener.advance();
            match fault {
                Err(Beyond) => drop(self.gave_up.fetch_add(1, Ordering::Relaxed)),
                Ok(None) => {}
                Ok(Some(fault)) if self.hunt.keep_going => self.show(number, fault)?,
                Ok(Some(fault)) => {
                    self.enough.store(true, Ordering::Relaxed);
                    locked(&self.catches).push((number, fault));
                }
            }
        }
        Ok(())
    }

    fn next_number(&self) -> Option<u64> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.enough.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.hunt.models.is_none_or(|models| number < models).then_some(number)
    }

    fn seed(&self, number: u64) -> u64 {
        self.hunt.seed.wrapping_add(number)
    }

    fn draw(&self, number: u64) -> RandomModel {
        random_model(&mut Rng::new(self.seed(number)), &self.hunt.shape)
    }

    fn fault(&self, model: &RandomModel, limit: usize) -> Result<Option<ModelFault>, Beyond> {
        let ModelHunt { engines, limits, .. } = self.hunt;
        if !engines.is_empty() {
            let fault = engine_fault(&model.text(), engines, *limits, self.cancellation);
            return fault.map_err(|_| Beyond);
        }
        let budget = Budget::new(*limits, self.cancellation.clone());
        changed_fault(&model.text(), self.change, limit, &budget).map_err(|_| Beyond)
    }

    /// Shows the catch with the smallest number; all models with smaller numbers are done.
    fn show_first(&self) -> anyhow::Result<()> {
        let catches = std::mem::take(&mut *locked(&self.catches));
        match catches.into_iter().min_by_key(|(number, _)| *number) {
            Some((number, fault)) => self.show(number, fault),
            None => Ok(()),
        }
    }

    /// Shrinks the model and shows it.
    fn show(&self, number: u64, fault: ModelFault) -> anyhow::Result<()> {
        let now = Instant::now();
        let until = self.deadline.map_or(now, |deadline| deadline.max(now)) + GRACE;
        let goes_on = || Instant::now() < until && !self.cancellation.is_cancelled();
        let fault_of = |model: &RandomModel, limit| self.fault(model, limit).ok().flatten();
        let drawn = self.draw(number);
        let parts = drawn.parts();
        let ShrunkModel { model, fault, minimal } = shrink_model(drawn, fault, fault_of, goes_on);
        let (seed, text, parts) = (self.seed(number), model.text(), (model.parts(), parts));
        let names: Vec<String> = self.hunt.engines.iter().map(ToString::to_string).collect();
        let options = match names.is_empty() {
            true => String::new(),
            false => format!(" --engines {}", names.join(",")),
        };
        let finding = ModelFinding { seed, fault, text, parts, minimal, options };
        let mut shown = locked(&self.shown);
        if !shown.contains(&finding.text) {
            shown.push(finding.text.clone());
            self.listener.found(&finding)?;
        }
        Ok(())
    }
}

/// The budget for a model ended.
struct Beyond;

#[cfg(test)]
mod tests {
    use kermode_smv::encoding::{EncodedModel, encode};
    use kermode_smv::syntax::{AssignmentKind, ConstraintKind};
    use kermode_smv::{FlatModel, SmvModel};

    use super::*;
    use crate::fuzz::model_fault;

    /// Keeps the findings.
    #[derive(Default)]
    struct Kept(Mutex<Vec<ModelFinding>>);

    impl Progress for Kept {
        fn advance(&self) {}
        fn tick(&self) {}
    }

    impl ModelListener for Kept {
        fn found(&self, finding: &ModelFinding) -> io::Result<()> {
            locked(&self.0).push(finding.clone());
            Ok(())
        }
    }

    fn hunt(models: u64) -> ModelHunt {
        ModelHunt {
            time: None,
            models: Some(models),
            seed: 1,
            shape: ModelShape::default(),
            engines: Vec::new(),
            limits: Limits::default(),
            jobs: 2,
            keep_going: false,
        }
    }

    fn findings(hunt: &ModelHunt, change: Change) -> Vec<ModelFinding> {
        let kept = Kept::default();
        let summary = hunt.run_changed(change, &Cancellation::new(), &kept).expect("it runs");
        let found = kept.0.into_inner().expect("no panic");
        assert_eq!(summary.findings, found.len());
        found
    }

    #[test]
    fn right_models_show_nothing() {
        let found = findings(&hunt(50), |_| ());
        assert!(found.is_empty(), "{}", found[0].text());
    }

    /// Forgets all assignments of next values.
    fn without_next_values(model: &mut SmvModel) {
        let mut flat = model.flat.clone();
        flat.assignments.retain(|a| a.kind != AssignmentKind::Next);
        model.encoded = encoded(&flat);
    }

    /// Takes the first initial value that is assigned for a free choice.
    fn without_an_initial_value(model: &mut SmvModel) {
        let mut flat = model.flat.clone();
        let mut assignments = flat.assignments.iter();
        if let Some(place) = assignments.position(|a| a.kind == AssignmentKind::Init) {
            flat.assignments.remove(place);
        }
        model.encoded = encoded(&flat);
    }

    /// Forgets justice.
    fn without_justice(model: &mut SmvModel) {
        let mut flat = model.flat.clone();
        flat.constraints.retain(|c| c.kind != ConstraintKind::Justice);
        model.encoded = encoded(&flat);
    }

    fn encoded(flat: &FlatModel) -> EncodedModel {
        encode::<()>(flat, &Default::default(), &mut || Ok(())).expect("no limit").0
    }

    #[test]
    fn wrong_encodings_are_found_in_small_models() {
        let changes: [(Change, &str); 3] = [
            (without_next_values, "next("),
            (without_an_initial_value, "init("),
            (without_justice, "FAIRNESS"),
        ];
        for (change, needed) in changes {
            let found = findings(&hunt(300), change);
            let [finding] = &found[..] else { panic!("{needed}: {} findings", found.len()) };
            assert_eq!(finding.fault.kind(), "disagreement", "{}", finding.text());
            assert!(finding.minimal && finding.parts.0 <= 12, "{}", finding.text());
            assert!(finding.text.contains(needed), "{}", finding.text());
            // The same seed alone finds the same model.
            let again = findings(&ModelHunt { seed: finding.seed, jobs: 1, ..hunt(1) }, change);
            assert_eq!(again[0].text, finding.text);
            assert!(finding.text().contains(&format!("--models 1 --seed {}\n", finding.seed)));
            assert_eq!(finding.json()["finding"], "disagreement");
        }
    }

    #[test]
    fn engines_agree_about_random_models() {
        let engines = ["product:syntactic/el", "tgba:couvreur", "invariant:both", "ctl:fixpoint"];
        let engines = engines.map(|name| name.parse().expect("an engine")).to_vec();
        let shape = ModelShape { bits: 6, depth: 2, properties: 6, ..ModelShape::default() };
        let found = findings(&ModelHunt { engines, shape, ..hunt(30) }, |_| ());
        assert!(found.is_empty(), "{}", found[0].text());
    }

    #[test]
    fn a_panic_and_a_refusal_are_faults() {
        let budget = Budget::unlimited();
        let fault = changed_fault("MODULE main\n", |_| panic!("out of order"), 1, &budget);
        assert_eq!(fault, Ok(Some(ModelFault::Panic("out of order".to_owned()))));
        let fault = model_fault("MODULE main\nINIT x\n", &budget).expect("no limit");
        assert_eq!(fault.expect("an error").kind(), "refused");
    }
}
