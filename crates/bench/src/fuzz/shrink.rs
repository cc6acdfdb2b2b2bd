//! Greedy shrinking, as \[ZH02\] does for texts: the simplest of the simpler samples that shows the
//! same fault is shrunk in turn, until none does. The result is a local minimum: no single step
//! makes it simpler.

use super::sample::Sample;
use super::simpler::simpler;

/// Candidates that are tried for one fault.
const MOST_TRIES: usize = 50_000;

/// What is left of a sample.
#[derive(Debug)]
pub(crate) struct Shrunk<E> {
    pub(crate) sample: Sample,
    /// How the fault showed itself.
    pub(crate) evidence: E,
    /// Whether no simpler sample shows it.
    pub(crate) minimal: bool,
}

/// Shrinks a sample. `still` returns the evidence if a candidate shows the fault; `may_go_on` says
/// whether there is time.
pub(crate) fn shrink<E>(
    sample: &Sample,
    evidence: E,
    still: impl Fn(&Sample) -> Option<E>,
    may_go_on: impl Fn() -> bool,
) -> Shrunk<E> {
    let mut best = Shrunk { sample: sample.clone(), evidence, minimal: false };
    let mut tries = 0;
    'simpler: loop {
        for sample in simpler(&best.sample) {
            if tries == MOST_TRIES || !may_go_on() {
                return best;
            }
            tries += 1;
            if let Some(evidence) = still(&sample) {
                best = Shrunk { sample, evidence, minimal: false };
                continue 'simpler;
            }
        }
        return Shrunk { minimal: true, ..best };
    }
}
