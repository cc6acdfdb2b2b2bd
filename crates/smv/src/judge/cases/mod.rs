//! Cases worth checking: random models with a property whose verdict depends on something.
//!
//! Most random properties hold or are violated whatever the fairness conditions are. A case is
//! drawn again and again until its verdict is the wanted one and depends on the wanted part. So a
//! range of seeds has a fixed share of each. For the first seeds it is known which draw that is.

mod known;

use std::convert::Infallible;

use kermode_base::Rng;

use super::{Limits, Unjudged, verdict};
use crate::flat::FlatModel;
use crate::meaning::flatten;
use crate::random::{LeftOut, RandomCase, random_case};
use crate::syntax::{PropertyKind, ReadOptions, parse};

/// A part of a case that decides about its verdict: without it, the verdict is the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Decider {
    /// The justice conditions.
    Justice,
    /// The compassion conditions.
    Compassion,
    /// A past operator: without it means with a constant in its place.
    Past,
    /// The constraints that make dead ends.
    DeadEnds,
}

/// A case with its verdict.
#[derive(Clone, Debug)]
pub struct Case {
    /// The model and its property.
    pub random: RandomCase,
    /// Their text.
    pub text: String,
    /// Whether the property holds. It does not hold vacuously: each Boolean expression in it
    /// matters, that is, with a constant in its place the property is violated.
    pub holds: bool,
    /// A part that decides about the verdict, if it was chosen for that.
    pub decider: Option<Decider>,
    /// Which draw of the seed it is.
    pub draw: u32,
}

/// At most this many states and steps are explored.
const LIMITS: Limits = Limits { states: 2_000, steps: 100_000 };

/// A wanted verdict and decider.
type Wanted = (bool, Option<Decider>);

/// What is wanted of LTL, one seed after the other. Fair paths are removed by fairness conditions
/// and by dead ends, so that these decide about properties that hold.
const OF_LTL: [Wanted; 10] = [
    (false, None),
    (true, None),
    (true, Some(Decider::Justice)),
    (true, Some(Decider::Compassion)),
    (true, Some(Decider::Past)),
    (true, Some(Decider::DeadEnds)),
    (false, None),
    (true, None),
    (false, Some(Decider::Past)),
    (false, None),
];

/// What is wanted of CTL, which ignores compassion and has no past.
const OF_CTL: [Wanted; 8] = [
    (false, None),
    (true, None),
    (true, Some(Decider::Justice)),
    (false, Some(Decider::Justice)),
    (true, Some(Decider::DeadEnds)),
    (false, Some(Decider::DeadEnds)),
    (false, None),
    (true, None),
];

/// What is wanted of invariants, which ignore fairness.
const OF_INVARIANTS: [Wanted; 5] =
    [(false, None), (true, None), (true, Some(Decider::DeadEnds)), (false, None), (true, None)];

/// Draws a case of this kind: LTL, CTL or an invariant. It depends on the seed alone.
pub fn case(kind: PropertyKind, seed: u64) -> Case {
    let (wanted, known): (&[Wanted], &[u16]) = match kind {
        PropertyKind::Ctl => (&OF_CTL, &known::OF_CTL),
        PropertyKind::Invariant => (&OF_INVARIANTS, &known::OF_INVARIANTS),
        _ => (&OF_LTL, &known::OF_LTL),
    };
    let (holds, decider) = wanted[(seed % wanted.len() as u64) as usize];
    let known = usize::try_from(seed).ok().and_then(|seed| known.get(seed));
    let first = known.map_or(0, |&draw| draw.into());
    for draw in first.. {
        let random = random_case(&mut Rng::new(seed << 32 | u64::from(draw)), kind);
        if is_wanted(&random, holds, decider) {
            let text = random.text();
            return Case { random, text, holds, decider, draw };
        }
    }
    unreachable!("cases of each sort are found")
}

/// Whether a case has a verdict that depends on a part.
fn is_wanted(case: &RandomCase, holds: bool, decider: Option<Decider>) -> bool {
    let part = match decider {
        Some(Decider::Justice) => LeftOut::Justice,
        Some(Decider::Compassion) => LeftOut::Compassion,
        Some(Decider::DeadEnds) => LeftOut::DeadEnds,
        Some(Decider::Past) | None => LeftOut::Nothing,
    };
    let is_past = decider == Some(Decider::Past);
    if !case.has(part) || is_past && case.property.past().next().is_none() {
        return false;
    }
    if judge(&case.text()) != Some(holds) {
        return false;
    }
    let is_decided = match decider {
        None => true,
        Some(Decider::Past) => case.property.past().any(|place| matters(case, place, holds)),
        Some(_) => judge(&case.text_with(part, &case.property)) == Some(!holds),
    };
    is_decided && (!holds || is_not_vacuous(case))
}

/// Whether each Boolean expression of a property that holds matters.
fn is_not_vacuous(case: &RandomCase) -> bool {
    case.property.leaves().all(|place| matters(case, place, true))
}

/// Whether the verdict is the other one with a constant in place of a part of the property.
fn matters(case: &RandomCase, place: usize, holds: bool) -> bool {
    [false, true].into_iter().any(|value| {
        let property = case.property.replaced(place, value);
        judge(&case.text_with(LeftOut::Nothing, &property)) == Some(!holds)
    })
}

/// The flat model of a case.
///
/// # Panics
/// When the text is no correct model.
pub fn flat_model(text: &str) -> FlatModel {
    let parsed = parse(text, &ReadOptions::default());
    let flattened = flatten::<Infallible>(text, &parsed.file, &mut || Ok(()));
    flattened.unwrap_or_else(|errors| panic!("random cases are correct: {errors:?}\n{text}")).0
}

/// The verdict on the only property of a text, unless it is too large.
fn judge(text: &str) -> Option<bool> {
    let model = flat_model(text);
    match verdict::<Infallible>(&model, &model.properties[0], LIMITS, &mut || Ok(())) {
        Ok(verdict) => verdict.holds(),
        Err(Unjudged::TooLarge { .. } | Unjudged::Unsupported) => None,
        Err(Unjudged::Interrupted(never)) => match never {},
    }
}
