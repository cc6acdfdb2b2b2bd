//! What a path shows of a formula of CTL: the rules against the semantics of LTL on random paths,
//! and evidence that is refused.

use kermode_base::Rng;
use kermode_ltl::dialect::parse;
use kermode_ltl::semantics::naive;
use kermode_ltl::{Dialect, Letter, Proposition, Store, Word};
use kermode_system::ctl::evidence::{Claim, Evidence, Positions};
use kermode_system::ctl::{CtlNode, PathFormula, Quantifier, StepBounds, Subformula};
use kermode_system::{Ctl, Model, Trace};

/// A model with free variables `a` and `b`.
struct Free {
    model: Model,
    formula: Ctl,
    a: Subformula,
    b: Subformula,
}

impl Free {
    fn new() -> Self {
        let (mut model, mut formula) = (Model::new(), Ctl::new());
        let [a, b] = ["a", "b"].map(|name| {
            let variable = model.auxiliary(name);
            let atom = model.graph.current(variable);
            formula.add(CtlNode::Atom(atom))
        });
        Free { model, formula, a, b }
    }

    fn random_path(&self, rng: &mut Rng) -> (PathFormula, String) {
        let bounds = rng.coin().then(|| {
            let low = rng.below(4) as u32;
            StepBounds { low, high: low + rng.below(4) as u32 }
        });
        let text = bounds.map_or(String::new(), |b| format!("[{},{}]", b.low, b.high));
        match rng.below(4) {
            0 => (PathFormula::Next(self.a), "X a".to_owned()),
            1 => (PathFormula::Eventually(self.a, bounds), format!("F{text} a")),
            2 => (PathFormula::Globally(self.a, bounds), format!("G{text} a")),
            _ => (PathFormula::Until(self.a, self.b, bounds), format!("a U{text} b")),
        }
    }
}

type Row = [bool; 2];

fn rows(rng: &mut Rng, length: usize) -> Vec<Row> {
    // Mostly true, so that `G` and long `U` occur.
    (0..length)
        .map(|_| [rng.below(4) > 0, rng.below(4) > 0].map(|x| x ^ (rng.below(9) == 0)))
        .collect()
}

fn satisfies(text: &str, rows: &[Row], loop_start: usize, time: usize) -> bool {
    let mut store = Store::new();
    let names: Vec<Proposition> = ["a", "b"].iter().map(|name| store.proposition(name)).collect();
    let letter = |row: &Row| -> Letter {
        let held = names.iter().zip(row).filter(|(_, holds)| **holds);
        held.map(|(&proposition, _)| proposition).collect()
    };
    let word = Word::from_letters(rows.iter().map(letter).collect(), Some(loop_start));
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    naive::evaluate(&store, formula, &word).holds(formula, time)
}

/// On an infinite path, claims that a path exists follow exactly where the path is one. On a finite
/// one they follow only if each continuation is one.
#[test]
fn a_path_shows_what_it_satisfies() {
    let mut rng = Rng::new(7);
    let [mut infinite, mut finite] = [[0; 2]; 2];
    for _ in 0..6_000 {
        let mut free = Free::new();
        let (path, text) = free.random_path(&mut rng);
        let is_existential = rng.coin();
        let quantifier = if is_existential { Quantifier::Exists } else { Quantifier::All };
        let root = free.formula.add(CtlNode::Path(quantifier, path));
        let length = rng.between(1, 7);
        let rows = rows(&mut rng, length);
        let (loop_start, time) = (rng.below(length), rng.below(length));
        let claim = Claim { time, formula: root, holds: is_existential };
        let is_true =
            |claim: Claim| rows[claim.time][usize::from(claim.formula == free.b)] == claim.holds;
        let lasso = Positions { len: length, loop_start: Some(loop_start) };
        let shown = lasso.support(&free.formula, claim, is_true).is_some();
        let expected = satisfies(&text, &rows, loop_start, time) == is_existential;
        assert_eq!(shown, expected, "{text}, {claim:?}, {rows:?}, loop at {loop_start}");
        infinite[usize::from(shown)] += 1;
        let ending = Positions { len: length, loop_start: None };
        let shown = ending.support(&free.formula, claim, is_true).is_some();
        if shown {
            let more: Vec<Row> = (0..4).map(|_| [rng.coin(), rng.coin()]).collect();
            let longer = [rows, more].concat();
            let start = longer.len() - 1 - rng.below(4);
            assert_eq!(satisfies(&text, &longer, start, time), is_existential, "{text}");
        }
        finite[usize::from(shown)] += 1;
    }
    assert!([infinite, finite].as_flattened().iter().all(|&count| count > 500));
}

/// Claims about all paths that one state settles hold on each path from there.
#[test]
fn a_state_settles_only_what_holds_on_every_path() {
    let mut rng = Rng::new(8);
    let mut settled = 0;
    for _ in 0..6_000 {
        let mut free = Free::new();
        let (path, text) = free.random_path(&mut rng);
        let is_universal = rng.coin();
        let quantifier = if is_universal { Quantifier::All } else { Quantifier::Exists };
        let root = free.formula.add(CtlNode::Path(quantifier, path));
        let claim = Claim { time: 0, formula: root, holds: is_universal };
        let rows = rows(&mut rng, 5);
        let is_true =
            |claim: Claim| rows[claim.time][usize::from(claim.formula == free.b)] == claim.holds;
        let alone = Positions { len: 1, loop_start: None };
        if alone.support(&free.formula, claim, is_true).is_some() {
            assert_eq!(satisfies(&text, &rows, rng.below(5), 0), is_universal, "{text}");
            settled += 1;
        }
    }
    assert!(settled > 300, "{settled}");
}

#[test]
fn evidence_with_a_gap_is_refused() {
    let mut free = Free::new();
    let both = free.formula.add(CtlNode::Path(Quantifier::All, PathFormula::Next(free.a)));
    let root = free.formula.add(CtlNode::Path(Quantifier::All, PathFormula::Globally(both, None)));
    let trace = Trace::new(2, [[true, false], [true, true], [false, true]], None);
    let claim = |time, formula, holds| Claim { time, formula, holds };
    let right = Evidence {
        shown: vec![claim(0, root, false), claim(1, both, false), claim(2, free.a, false)],
        not_shown: Vec::new(),
    };
    let judge = |evidence: &Evidence| {
        let judged = evidence.judge::<()>(&free.model, &free.formula, &trace, &mut || Ok(()));
        judged.expect("no interrupt")
    };
    assert!(judge(&right));
    for missing in 0..3 {
        let mut gap = right.clone();
        gap.shown.remove(missing);
        assert!(!judge(&gap), "without claim {missing}");
    }
    // A claim that is not shown closes the gap, as far as the path is concerned.
    let mut named = right.clone();
    named.not_shown.push(named.shown.remove(2));
    assert!(judge(&named));
    // The atom is true there, the time is not on the path, and the root is about another time.
    let wrong = [claim(1, free.a, false), claim(3, free.a, false), claim(2, free.b, false)];
    for claim in wrong {
        let mut evidence = right.clone();
        evidence.shown.push(claim);
        assert!(!judge(&evidence), "{claim:?}");
    }
    let late = Evidence { shown: vec![claim(1, root, false)], ..right.clone() };
    assert!(!judge(&late));
}

#[test]
fn evidence_of_a_longer_loop_repeats_the_claims() {
    let free = Free::new();
    let claim = |time, formula, holds| Claim { time, formula, holds };
    let evidence = Evidence {
        shown: vec![claim(0, free.a, true), claim(1, free.a, false), claim(2, free.b, true)],
        not_shown: vec![claim(2, free.a, true)],
    };
    let shorter = Positions { len: 3, loop_start: Some(1) };
    let longer = evidence.unrolled(shorter, 6);
    let times = |claims: &[Claim]| claims.iter().map(|claim| claim.time).collect::<Vec<_>>();
    assert_eq!(times(&longer.shown), [0, 1, 2, 3, 4, 5]);
    assert_eq!(times(&longer.not_shown), [2, 4]);
}
