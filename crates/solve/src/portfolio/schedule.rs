//! Schedules: which engines run, in which order, and for how long.
//!
//! A schedule is a text with one engine per line, after its slice of CPU time:
//! `500ms antichain:symbolic`. Engines on lines that begin with `first` run one after the other
//! before the others start. The others take turns. After each of them had its slice, they start
//! again with slices twice as long. `#` begins a comment.
//!
//! A line may have a second slice, for models whose diagrams are slow:
//! `first 10ms slow 250ms tgba:couvreur`.

use std::ops::Range;
use std::time::Duration;

use kermode_base::Diagnostic;

use crate::frame::budget::{Budget, Limits};
use crate::frame::engine::{Accepts, EngineSpec};
use crate::frame::units::duration;

/// Engines and their slices of time.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The engines that run once, one after the other, before the others.
    pub first: Vec<Turn>,
    /// The engines that take turns.
    pub turns: Vec<Turn>,
}

/// An engine and its slice of CPU time.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The length of its first turn.
    pub slice: Duration,
    /// The same for models whose diagrams are slow, if it differs.
    pub slow: Option<Duration>,
    /// The engine.
    pub engine: EngineSpec,
}

/// The CPU time for which the slices of a schedule are made.
const NOMINAL: Duration = Duration::from_secs(10);
/// The shortest slice: starting a process takes a few milliseconds.
const LEAST_SLICE: Duration = Duration::from_millis(10);

const STANDARD: &str = include_str!("standard.portfolio");
const CHECKING: &str = include_str!("checking.portfolio");

impl Schedule {
    /// The default schedule.
    pub fn standard() -> Schedule {
        Schedule::read(STANDARD).expect("the schedule of this folder can be read")
    }

    /// The default schedule for properties of models. Each property is decided by those engines of
    /// the schedule that support it.
    pub fn checking() -> Schedule {
        Schedule::read(CHECKING).expect("the schedule of this folder can be read")
    }

    /// These engines in turns, with a first slice of one second each.
    pub fn of(engines: impl IntoIterator<Item = EngineSpec>) -> Schedule {
        let turn = |engine| Turn { slice: Duration::from_secs(1), slow: None, engine };
        Schedule { first: Vec::new(), turns: engines.into_iter().map(turn).collect() }
    }

    /// Reads a schedule, or returns all errors in the text.
    pub fn read(text: &str) -> Result<Schedule, Vec<Diagnostic>> {
        let (mut schedule, mut errors) = (Schedule { first: vec![], turns: vec![] }, Vec::new());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let written = line.split('#').next().unwrap_or_default();
            match read_line(written) {
                Ok(None) => {}
                Ok(Some((true, turn))) => schedule.first.push(turn),
                Ok(Some((false, turn))) => schedule.turns.push(turn),
                Err(error) => errors.push(error.shifted(start)),
            }
            start += line.len();
        }
        if errors.is_empty() && schedule.is_empty() {
            let error = Diagnostic::error(0..0, "there is no engine in this schedule");
            errors.push(error.help("a line is a time and an engine: `500ms antichain:forward`"));
        }
        if errors.is_empty() { Ok(schedule) } else { Err(errors) }
    }

    /// Whether it has no engine.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.turns.is_empty()
    }

    /// The same schedule with only the engines whose supported problems satisfy the test.
    pub fn that(mut self, accepts: impl Fn(Accepts) -> bool) -> Schedule {
        let suits = |turn: &Turn| accepts(turn.engine.info().accepts);
        self.first.retain(suits);
        self.turns.retain(suits);
        self
    }

    /// The same schedule with shorter slices if there is less time than 10 s: the given
    /// number of jobs shares the rest of the budget. If steps are counted, the slices do not
    /// change.
    pub fn within(mut self, budget: &Budget, jobs: usize) -> Schedule {
        if budget.counts_steps() {
            return self;
        }
        let Limits { wall, cpu, .. } = budget.left();
        let jobs = u32::try_from(jobs).unwrap_or(u32::MAX);
        let together = wall.map(|wall| wall.saturating_mul(jobs));
        let Some(left) = [together, cpu].into_iter().flatten().min() else { return self };
        if left < NOMINAL {
            let share = left.as_secs_f64() / NOMINAL.as_secs_f64();
            let shorter = |slice: Duration| slice.min(slice.mul_f64(share).max(LEAST_SLICE));
            for turn in self.first.iter_mut().chain(&mut self.turns) {
                turn.slice = shorter(turn.slice);
                turn.slow = turn.slow.map(shorter);
            }
        }
        self
    }

    /// The same schedule with the slices for models whose diagrams are slow.
    #[must_use]
    pub fn for_slow_diagrams(mut self) -> Schedule {
        for turn in self.first.iter_mut().chain(&mut self.turns) {
            turn.slice = turn.slow.unwrap_or(turn.slice);
        }
        self
    }

    /// The same schedule with each engine replaced, or the first error.
    pub fn with<E>(
        mut self,
        mut change: impl FnMut(EngineSpec) -> Result<EngineSpec, E>,
    ) -> Result<Schedule, E> {
        for turn in self.first.iter_mut().chain(&mut self.turns) {
            turn.engine = change(turn.engine.clone())?;
        }
        Ok(self)
    }
}

/// The engine of a line, if there is one, and whether the line begins with `first`.
fn read_line(line: &str) -> Result<Option<(bool, Turn)>, Diagnostic> {
    let mut words = words(line).into_iter().peekable();
    let first = words.next_if(|place| &line[place.clone()] == "first").is_some();
    let Some(time) = words.next() else {
        return if first { Err(missing(line)) } else { Ok(None) };
    };
    let read = |place: Range<usize>| {
        duration(&line[place.clone()]).map_err(|error| Diagnostic::error(place, error))
    };
    let slice = read(time)?;
    let slow = match words.next_if(|place| &line[place.clone()] == "slow") {
        Some(_) => Some(read(words.next().ok_or_else(|| missing(line))?)?),
        None => None,
    };
    let engine = words.next().ok_or_else(|| missing(line))?;
    let spec = line[engine.clone()].parse();
    let spec = spec.map_err(|error: crate::frame::engine::SpecError| {
        Diagnostic::error(engine, error.to_string())
    });
    match words.next() {
        Some(more) => Err(Diagnostic::error(more, "expected nothing after the engine")),
        None => Ok(Some((first, Turn { slice, slow, engine: spec? }))),
    }
}

fn missing(line: &str) -> Diagnostic {
    let end = line.trim_end().len();
    let error = Diagnostic::error(end..end, "the line ends too early");
    error.help("a line is a time and an engine: `500ms antichain:forward`")
}

/// The places of the words of a line.
fn words(line: &str) -> Vec<Range<usize>> {
    let place = |word: &str| {
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        start..start + word.len()
    };
    line.split_whitespace().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_a_line_an_engine() {
        let text = "# none\n first 50ms antichain:forward # soon\n\n2 tgba:magic:steps=cover\n";
        let schedule = Schedule::read(text).expect("a schedule");
        let shown = |turns: &[Turn]| -> Vec<String> {
            turns.iter().map(|turn| format!("{:?} {}", turn.slice, turn.engine)).collect()
        };
        assert_eq!(shown(&schedule.first), ["50ms antichain:forward"]);
        assert_eq!(shown(&schedule.turns), ["2s tgba:magic:steps=cover"]);
        let slow = Schedule::read("first 10ms slow 250ms tgba:couvreur").expect("a schedule");
        let [turn] = &slow.first[..] else { panic!("one engine") };
        let slices = (turn.slice.as_millis(), turn.slow.map(|slow| slow.as_millis()));
        assert_eq!(slices, (10, Some(250)));
        let text =
            "first 10ms slow 50ms tgba:couvreur\nfirst 40ms antichain:forward\n1s slow 3s sat:bmc";
        let slow = Schedule::read(text).expect("a schedule").for_slow_diagrams();
        let slices = slow.first.iter().chain(&slow.turns).map(|turn| turn.slice.as_millis());
        assert_eq!(slices.collect::<Vec<_>>(), [50, 40, 3_000]);
        let standard = Schedule::standard();
        assert!(!standard.first.is_empty() && !standard.turns.is_empty());
    }

    #[test]
    fn slices_are_in_proportion_to_the_budget() {
        let text = "first 40ms antichain:forward\n4s tgba:magic\n2s tgba:couvreur\n";
        let slices = |budget: Budget, jobs| {
            let schedule = Schedule::read(text).expect("a schedule").within(&budget, jobs);
            let turns = schedule.first.iter().chain(&schedule.turns);
            turns.map(|turn| turn.slice.as_millis()).collect::<Vec<_>>()
        };
        assert_eq!(slices(Budget::unlimited(), 1), [40, 4_000, 2_000]);
        assert_eq!(slices(Budget::within(Duration::from_secs(60)), 1), [40, 4_000, 2_000]);
        for (seconds, jobs) in [(5, 1), (2, 2)] {
            let [first, magic, couvreur] =
                slices(Budget::within(Duration::from_secs(seconds)), jobs)[..]
            else {
                panic!("three engines");
            };
            let share = u128::from(seconds) * jobs as u128;
            assert!(first <= 40 * share / 10 && first >= 10, "{first}");
            assert!((390 * share..=400 * share).contains(&magic), "{magic}");
            assert!((190 * share..=200 * share).contains(&couvreur), "{couvreur}");
        }
        assert_eq!(slices(Budget::within(Duration::ZERO), 2), [10, 10, 10]);
    }

    #[test]
    fn what_is_wrong_is_shown_where_it_is() {
        for (text, place) in [
            ("", 0..0),
            ("1s no:such", 3..10),
            ("\nsoon tgba:magic", 1..5),
            ("1s", 2..2),
            ("first", 5..5),
            ("1s slow", 7..7),
            ("1s slow tgba:magic", 8..18),
            ("1s tgba:magic now", 14..17),
            ("1s tgba:magic:no=1", 3..18),
        ] {
            let errors = Schedule::read(text).expect_err(text);
            assert_eq!(errors.len(), 1, "{text}");
            assert_eq!(errors[0].span, place, "{text}");
        }
    }
}
