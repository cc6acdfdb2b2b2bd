//! Each planted mistake in reading specifications gives a wrong verdict on a small case. The same
//! cases have the right verdicts without it.

use kermode_smv::{ReadOptions, SmvModel};

use super::mistakes::{Mistake, plant};
use super::{CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest};
use crate::frame::budget::Budget;
use crate::frame::observer::Silent;
use crate::frame::problem::PathEnd;

/// Counts 0, 1, 2, 2, ..., and may wait before each step.
const MODEL: &str = "MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = x | next(x) = x + 1";
const ATOMS: &str = "one := x = 1\ntwo := x = 2\n";

/// `G F two`.
const OFTEN_TWO: &str = "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"one\" \"two\"\n\
    Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[1] 0 {0}\n[!1] 0\n--END--\n";
/// All words, and `G !one`.
const TWO_AUTOMATA: &str = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"one\"\n\
    Acceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n\
    HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"one\"\n\
    Acceptance: 0 t\n--BODY--\nState: 0\n[!0] 0\n--END--\n";

/// All nonempty words.
const NONEMPTY: &str = "(automaton_type = \"sAFW\", locations = [0, 1], propositions = [\"one\"], \
    initial_constraint = \"0\", accepting_locations = [1], \
    transition_function = {0: \"1\", 1: \"1\"})";

/// A question with its verdicts, one per automaton.
struct Case {
    automata: &'static str,
    none: bool,
    assumed: Option<&'static str>,
    finite: Option<PathEnd>,
    verdicts: &'static [bool],
}

impl Case {
    fn infinite(automata: &'static str, verdicts: &'static [bool]) -> Self {
        Case { automata, none: false, assumed: None, finite: None, verdicts }
    }

    /// The verdicts of the reader, with or without a mistake.
    fn found(&self, mistake: Option<Mistake>) -> Vec<bool> {
        let (options, limits, budget) =
            (ReadOptions::default(), Default::default(), Budget::unlimited());
        let model = SmvModel::read::<()>(MODEL, &options, &limits, &mut || Ok(()));
        let request = PropertyRequest::Automata {
            source: "automata".to_owned(),
            text: self.automata.to_owned(),
            none: self.none,
        };
        let assumed: Vec<_> = self.assumed.iter().map(|&text| (text.to_owned(), None)).collect();
        let model = model.expect("a model");
        plant(mistake);
        let checker =
            Checker::with_definitions(model, ATOMS, &[request], &assumed, self.finite, &budget);
        plant(None);
        let checker = checker.expect("right texts");
        let engines = vec!["product:syntactic/el".parse().expect("an engine")];
        let settings = CheckSettings { engines, ..CheckSettings::default() };
        let worker = CheckWorker::new(&checker, &settings);
        let holds = |property| {
            let outcome = worker.check(property, &budget, &mut Silent::default());
            matches!(outcome.result.expect("no internal error"), CheckVerdict::Holds)
        };
        checker.properties().iter().map(holds).collect()
    }
}

#[test]
fn each_mistake_is_found() {
    let often = Case::infinite(OFTEN_TWO, &[false]);
    let never = Case { none: true, ..Case::infinite(OFTEN_TWO, &[false]) };
    let counts = Case { assumed: Some("F x = 2"), ..Case::infinite(OFTEN_TWO, &[true]) };
    let both = Case::infinite(TWO_AUTOMATA, &[true, false]);
    let ends = Case { finite: Some(PathEnd::Anywhere), ..Case::infinite(NONEMPTY, &[true]) };
    let cases = [&often, &never, &counts, &both, &ends];
    let mistakes = [
        (Mistake::PolarityIsSwapped, &counts),
        (Mistake::AcceptanceIsDropped, &often),
        (Mistake::LastLetterIsLost, &ends),
        (Mistake::AtomsAreMixedUp, &counts),
        (Mistake::OnlyTheFirst, &both),
    ];
    for (number, case) in cases.into_iter().enumerate() {
        assert_eq!(case.found(None), case.verdicts, "case {number}");
    }
    for (mistake, case) in mistakes {
        assert_ne!(case.found(Some(mistake)), case.verdicts, "{mistake:?}");
    }
}
