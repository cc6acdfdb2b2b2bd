//! Each planted mistake is found by comparison with the explicit judge on random cases.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use kermode_ltl::{Store, UnaryOp};
use kermode_smv::judge::cases::case;
use kermode_smv::property::{FlatAtoms, ltl_formula};
use kermode_smv::syntax::PropertyKind;
use kermode_smv::{ReadOptions, SmvModel};

use super::*;
use crate::frame::decide::judge;
use crate::frame::observer::Silent;

/// The mistakes, each with a cell that it concerns. Those of `l2s` concern the search with copies
/// of all variables.
const MISTAKES: [(Mistake, Representation, Algorithm); 15] = [
    (Mistake::CopiesStayTrue, Representation::Syntactic, Algorithm::ToSafety),
    (Mistake::CopiesStayTrue, Representation::Partitioned, Algorithm::ToSafety),
    (Mistake::JusticeBitIsMissing, Representation::Logarithmic, Algorithm::ToSafety),
    (Mistake::ClosingComparesTarget, Representation::Partitioned, Algorithm::ToSafety),
    (Mistake::TerminalIsReachability, Representation::Logarithmic, Algorithm::Weak),
    (Mistake::TerminalIsReachability, Representation::Partitioned, Algorithm::Weak),
    (Mistake::WeakIgnoresDeadEnds, Representation::Partitioned, Algorithm::Weak),
    (Mistake::WeakIgnoresJustice, Representation::Logarithmic, Algorithm::Weak),
    (Mistake::WeakIgnoresJustice, Representation::Partitioned, Algorithm::Weak),
    (Mistake::AllAutomataAreWeak, Representation::Partitioned, Algorithm::Weak),
    (Mistake::MarkIsDropped, Representation::Logarithmic, Algorithm::EmersonLei),
    (Mistake::MarkIsDropped, Representation::Partitioned, Algorithm::EmersonLei),
    (Mistake::UntilStopsEarly, Representation::Partitioned, Algorithm::EmersonLei),
    (Mistake::StalePreimage, Representation::Partitioned, Algorithm::EmersonLei),
    (Mistake::LabelsAreForgotten, Representation::Partitioned, Algorithm::EmersonLei),
];

/// Mistakes of the search with copies of few variables, with the representation of the formula.
const FEW_COPIES: [(Mistake, Representation); 4] = [
    (Mistake::SpuriousLoopsCount, Representation::Logarithmic),
    (Mistake::SpuriousLoopsCount, Representation::Partitioned),
    (Mistake::JusticeBitIsMissing, Representation::Syntactic),
    (Mistake::JusticeBitIsMissing, Representation::Partitioned),
];

/// A model with a formula that its counterexamples satisfy.
pub(crate) struct Case {
    pub(crate) store: Store,
    pub(crate) model: Model,
    pub(crate) negated: Formula,
    pub(crate) holds: bool,
}

impl Case {
    pub(crate) fn new(seed: u64) -> Case {
        let case = case(PropertyKind::Ltl, seed);
        let (options, limits) = (ReadOptions::default(), Default::default());
        let read = SmvModel::read::<()>(&case.text, &options, &limits, &mut || Ok(()));
        let mut smv = read.expect("a model");
        let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
        let formula =
            ltl_formula(&smv.flat, smv.flat.properties[0].operands[0], &mut store, &mut atoms);
        let mut encoded = Vec::new();
        for (proposition, atom) in atoms.of(&store, formula) {
            encoded.push((proposition, smv.encoded.boolean(&smv.flat, atom)));
        }
        let mut model = smv.encoded.model.clone();
        model.atoms.extend(encoded);
        for &(p, q) in &smv.encoded.compassion {
            model.demand_compassion(p, q);
        }
        let negated = store.unary(UnaryOp::Not, formula);
        Case { store, model, negated, holds: case.holds }
    }

    /// Whether an engine answers rightly, with a run that the judge accepts.
    pub(crate) fn is_right(&self, engine: &dyn Engine) -> bool {
        let problem = Problem::runs(&self.store, &self.model, self.negated);
        // A mistake may keep a fixpoint from ending.
        let budget = Budget::within(Duration::from_secs(1)).in_steps();
        let solve = || engine.solve(&problem, &budget, &mut Silent::default());
        // A wrong region may break an invariant of the search for a run.
        let Ok(answer) = catch_unwind(AssertUnwindSafe(solve)) else { return false };
        let answer = match answer {
            Ok(answer) => answer,
            Err(Stop::Unsupported(_)) => return true,
            Err(_) => return false,
        };
        matches!(answer, Answer::Empty(_)) == self.holds
            && judge(&problem, answer, &budget, "mutant").is_ok()
    }
}

fn engine(
    representation: Representation,
    algorithm: Algorithm,
    mistake: Option<Mistake>,
) -> ProductEngine {
    let engine = ProductEngine::new(&Options::default(), representation, algorithm);
    ProductEngine { mistake, ..engine.expect("the defaults are right") }
}

#[test]
fn each_mistake_is_found() {
    let cells = MISTAKES.map(|(mistake, representation, algorithm)| {
        let with = |mistake| engine(representation, algorithm, mistake);
        let with = |mistake| ProductEngine { copies: Copied::All, ..with(mistake) };
        (format!("{mistake:?}, {representation:?}"), with(None), with(Some(mistake)))
    });
    let few = FEW_COPIES.map(|(mistake, representation)| {
        let with = |mistake| engine(representation, Algorithm::ToSafety, mistake);
        let with = |mistake| ProductEngine { copies: Copied::Few, ..with(mistake) };
        (format!("{mistake:?}, {representation:?}, few"), with(None), with(Some(mistake)))
    });
    let mut missed: Vec<_> = cells.into_iter().chain(few).collect();
    for seed in 0..150 {
        let case = Case::new(seed);
        missed.retain(|(_, right, wrong)| {
            assert!(case.is_right(right), "seed {seed}");
            case.is_right(wrong)
        });
        if missed.is_empty() {
            return;
        }
    }
    let names: Vec<String> = missed.into_iter().map(|(name, ..)| name).collect();
    panic!("not found: {names:?}");
}
