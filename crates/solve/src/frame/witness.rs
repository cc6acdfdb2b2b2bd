//! The witness after the verdict. A search that knows that there is a word reports it immediately.
//! From then on only the word is missing, and a separate time limit applies to it.
//!
//! All budgets of one question share one [`Discovery`]. The first search that finds the language
//! nonempty sets the deadline of the witness there, and all budgets of the question obey it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::frame::answer::{Answer, LeftOut, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::problem::WitnessPolicy;
use crate::frame::units::duration;

/// The time limit for a witness after the language is known to be nonempty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WitnessTime {
    /// A fixed time.
    Fixed(Duration),
    /// A percentage of the time of the verdict, at least [`WitnessTime::LEAST`].
    Percent(u32),
}

impl WitnessTime {
    /// The least time that a percentage gives.
    pub const LEAST: Duration = Duration::from_secs(2);

    /// The time limit for the witness of a verdict that took the given time.
    pub fn after(self, verdict: Duration) -> Duration {
        match self {
            WitnessTime::Fixed(time) => time,
            WitnessTime::Percent(percent) => {
                (verdict.saturating_mul(percent) / 100).max(WitnessTime::LEAST)
            }
        }
    }
}

impl Default for WitnessTime {
    /// As long as the verdict took.
    fn default() -> Self {
        WitnessTime::Percent(100)
    }
}

impl FromStr for WitnessTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(percent) = text.trim().strip_suffix('%') else {
            return duration(text).map(WitnessTime::Fixed);
        };
        let percent = percent.trim_end().parse();
        percent.map(WitnessTime::Percent).map_err(|_| format!("`{text}` is not a percentage"))
    }
}

/// The notation of the command line.
impl fmt::Display for WitnessTime {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WitnessTime::Fixed(time) => write!(f, "{}s", time.as_secs_f64()),
            WitnessTime::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// Whether the language of a question is known to be nonempty, and the deadline of its witness: in
/// nanoseconds since the question was asked, or as a number of steps if the budget counts steps.
#[derive(Debug)]
pub(crate) struct Discovery {
    asked: Instant,
    end: AtomicU64,
    last_step: AtomicU64,
}

impl Discovery {
    /// A question that is asked now.
    pub(crate) fn new() -> Arc<Self> {
        let [end, last_step] = [AtomicU64::new(u64::MAX), AtomicU64::new(u64::MAX)];
        Arc::new(Discovery { asked: Instant::now(), end, last_step })
    }

    /// Sets the deadline of the witness if there is none yet; returns whether it was set.
    pub(crate) fn set(&self, time: WitnessTime) -> bool {
        let taken = self.asked.elapsed();
        let end = taken.saturating_add(time.after(taken));
        set_once(&self.end, u64::try_from(end.as_nanos()).unwrap_or(u64::MAX - 1))
    }

    /// Sets the last step for the witness if there is none yet; returns whether it was set.
    pub(crate) fn set_step(&self, step: u64) -> bool {
        set_once(&self.last_step, step)
    }

    /// The remaining time for the witness, if the language is known to be nonempty.
    pub(crate) fn left(&self) -> Option<Duration> {
        let end = self.end.load(Ordering::Relaxed);
        let end = (end != u64::MAX).then(|| Duration::from_nanos(end));
        end.map(|end| end.saturating_sub(self.asked.elapsed()))
    }

    /// Whether the time for the witness has ended. `steps` is the number of steps taken, for a
    /// budget that counts steps.
    pub(crate) fn is_over(&self, steps: Option<u64>) -> bool {
        match steps {
            Some(taken) => taken >= self.last_step.load(Ordering::Relaxed),
            None => self.left() == Some(Duration::ZERO),
        }
    }
}

fn set_once(place: &AtomicU64, value: u64) -> bool {
    let relaxed = Ordering::Relaxed;
    place.compare_exchange(u64::MAX, value, relaxed, relaxed).is_ok()
}

/// The callback for the discovery that the language is nonempty.
#[derive(Clone, Default)]
pub(crate) struct Listener(pub(crate) Option<Arc<dyn Fn() + Send + Sync>>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Listener").field(&self.0.is_some()).finish()
    }
}

/// The answer that the language is nonempty. It is reported immediately; the witness is built only
/// if it is wanted, because a few steps of a fixpoint may find a word of a million letters.
pub(crate) fn nonempty(
    policy: WitnessPolicy,
    budget: &Budget,
    make: impl FnOnce(usize) -> Result<Option<Witness>, Stop>,
) -> Answer {
    budget.known_nonempty(policy.time);
    if !policy.wanted {
        return Answer::Nonempty(Err(LeftOut::NotAsked));
    }
    match make(policy.limit) {
        Ok(Some(witness)) => Answer::Nonempty(Ok(witness)),
        Ok(None) => Answer::Nonempty(Err(LeftOut::NotMade { limit: policy.limit })),
        Err(stop) => Answer::Nonempty(Err(LeftOut::Stopped(stop))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::frame::budget::{Cancellation, Limits};

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_percentage_has_a_least_time_and_a_time_is_exact() {
        let time = |text: &str| text.parse::<WitnessTime>().expect("a time");
        assert_eq!(time("50%").after(100 * SECOND), 50 * SECOND);
        assert_eq!(time("50%").after(SECOND), WitnessTime::LEAST);
        assert_eq!(time("500ms").after(100 * SECOND), SECOND / 2);
        for wrong in ["%", "-1%", "1.5%", "soon", "99999999999%"] {
            assert!(wrong.parse::<WitnessTime>().is_err(), "{wrong}");
        }
        for text in ["100%", "2s", "0.25s"] {
            assert_eq!(time(text).to_string(), text);
        }
    }

    /// The deadline of the witness holds for all budgets of the question, and the first one is
    /// kept.
    #[test]
    fn budgets_of_one_question_share_the_deadline_of_the_witness() {
        let told = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&told);
        let whole = Budget::new(Limits::default(), Cancellation::new());
        let slice = whole.slice(SECOND).listened_to(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        let other_question = slice.for_another_question();
        other_question.known_nonempty(WitnessTime::Fixed(Duration::ZERO));
        assert_eq!(other_question.check(), Err(Stop::Timeout));
        assert_eq!((slice.check(), told.load(Ordering::Relaxed)), (Ok(()), 0));
        slice.known_nonempty(WitnessTime::Fixed(Duration::ZERO));
        slice.known_nonempty(WitnessTime::Fixed(SECOND));
        assert_eq!((whole.check(), told.load(Ordering::Relaxed)), (Err(Stop::Timeout), 1));
        let reason = whole.explain(LeftOut::Stopped(Stop::Timeout));
        assert!(matches!(reason, LeftOut::WitnessTime), "{reason:?}");
    }

    #[test]
    fn where_steps_are_counted_the_witness_has_steps() {
        let steps = Budget::unlimited().in_steps();
        steps.known_nonempty(WitnessTime::Fixed(Duration::from_millis(1)));
        let taken = (0..1_000).take_while(|_| steps.check().is_ok()).count();
        assert!(taken.abs_diff(100) <= 1, "{taken}");
    }
}
