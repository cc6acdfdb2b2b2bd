//! The antichain engines against the oracles: on all small formulas, on random ones with everything
//! in them, and on random automata. Every answer "satisfiable" comes with a word, which `decide`
//! has replayed.

mod common;

use kermode_automata::alaska;
use kermode_automata::random::RandomAutomaton;
use kermode_automata::{AlternatingStatistics, Difference, from_ltl};
use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::families::Request;
use kermode_ltl::random::all_formulas;
use kermode_ltl::{BinaryOp, Formula, Node, Proposition, Store, UnaryOp, WordKind};
use kermode_solve::{EngineSpec, Problem};

use common::{
    Drawn, KINDS, compare, compare_on_automata, is_nonempty, random_formula, share_out,
    verdict_stands_without_word,
};

/// Both directions, both ways to find successors, pairs and sets, without rewriting: what all small
/// formulas are decided by.
const MAIN_VARIANTS: &[&str] = &[
    "antichain:forward:order=inclusion:rules=none",
    "antichain:forward:post=algorithm1:order=inclusion:rules=none",
    "antichain:forward:order=direct+delayed+incompatible:rules=none",
    "antichain:forward:order=very-weak+direct+delayed+incompatible:rules=none",
    "antichain:backward:order=inclusion:rules=none",
    "antichain:backward:order=very-weak:rules=none",
];

/// Each order alone, and the defaults with all rewriting: what random formulas are decided by, too.
const MORE_VARIANTS: &[&str] = &[
    "antichain:forward:order=direct:rules=none",
    "antichain:forward:order=delayed:rules=none",
    "antichain:forward:order=incompatible:rules=none",
    "antichain:forward:order=very-weak:rules=none",
    "antichain:forward:order=very-weak+direct:rules=none",
    "antichain:forward:order=very-weak+delayed:rules=none",
    "antichain:forward",
    "antichain:backward",
    "antichain:hybrid",
    "antichain:hybrid:patience=0:rules=none",
    "antichain:hybrid:patience=1:nodes=40:rules=none",
];

/// Successors by a SAT solver, for finite words and very weak automata.
const SAT_VARIANTS: &[&str] = &[
    "antichain:forward:post=sat:order=inclusion:rules=none",
    "antichain:forward:post=sat:order=direct+incompatible:rules=none",
    "antichain:forward:post=sat:order=delayed:rules=none",
    "antichain:forward:post=sat",
];

/// What is slow to start: only a long run decides all small formulas with it.
const DIAGRAM_VARIANTS: &[&str] = &[
    "antichain:symbolic:rules=none",
    "antichain:symbolic:direction=forward:rules=none",
    "antichain:hybrid:patience=0:rules=none",
];

fn variants() -> Vec<EngineSpec> {
    specs(MAIN_VARIANTS).into_iter().chain(specs(MORE_VARIANTS)).collect()
}

fn specs(names: &[&str]) -> Vec<EngineSpec> {
    names.iter().map(|name| name.parse().expect("an engine")).collect()
}

/// Whether the first proposition of a formula is this one. Of two formulas that differ in the names
/// of the propositions only, one does, and no engine looks at names.
fn begins_with(store: &Store, mut formula: Formula, proposition: Proposition) -> bool {
    while let Some(first) = store.node(formula).operands().next() {
        formula = first;
    }
    store.node(formula) == Node::Proposition(proposition)
}

fn compare_all(engines: &[&str], unary: &[UnaryOp], binary: &[BinaryOp], size: usize) {
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let by_size = all_formulas(&mut store, &propositions, unary, binary, size);
    let engines = specs(engines);
    let first = propositions[0];
    for formula in by_size.into_iter().flatten().filter(|&f| begins_with(&store, f, first)) {
        KINDS.into_iter().for_each(|words| compare(&store, formula, words, &engines));
    }
}

fn compare_next_and_until(engines: &[&str]) {
    compare_all(engines, &[UnaryOp::Not, UnaryOp::Next], &[BinaryOp::And, BinaryOp::Until], 7);
}

fn compare_all_operators(engines: &[&str]) {
    let unary = [UnaryOp::Not, UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally];
    let binary = [BinaryOp::And, BinaryOp::Or, BinaryOp::Until, BinaryOp::Release];
    compare_all(engines, &unary, &binary, 6);
}

#[test]
fn all_small_formulas_of_next_and_until() {
    compare_next_and_until(MAIN_VARIANTS);
}

#[test]
fn all_small_formulas_of_all_operators() {
    compare_all_operators(MAIN_VARIANTS);
}

#[test]
fn all_small_formulas_by_a_sat_solver() {
    compare_next_and_until(&SAT_VARIANTS[..2]);
    compare_all_operators(&SAT_VARIANTS[..2]);
}

#[test]
#[ignore = "takes minutes: each of 48,000 problems makes three managers"]
fn all_small_formulas_with_diagrams() {
    compare_next_and_until(DIAGRAM_VARIANTS);
    compare_all_operators(DIAGRAM_VARIANTS);
}

#[test]
fn random_formulas() {
    let (engines, by_sat) = (variants(), specs(SAT_VARIANTS));
    let done = share_out(|is_mine| {
        let mut rng = Rng::new(2008);
        for round in 0..20_000 {
            let mut store = Store::new();
            let (formula, words) = random_formula(&mut store, &mut rng, round);
            if !is_mine() {
                continue;
            }
            // Every formula with the main variants, one of the others in turn.
            let one_more = MAIN_VARIANTS.len() + round % MORE_VARIANTS.len();
            let chosen = engines
                .iter()
                .enumerate()
                .filter(|(i, _)| *i < MAIN_VARIANTS.len() || *i == one_more);
            let mut chosen: Vec<EngineSpec> = chosen.map(|(_, engine)| engine.clone()).collect();
            chosen.push(by_sat[round % by_sat.len()].clone());
            compare(&store, formula, words, &chosen);
        }
    });
    assert_eq!(done, 20_000);
}

/// Formulas that only the greatest fixpoint decides: the lasso visits states that were dropped in
/// favour of smaller ones, which were reached by other words.
#[test]
fn lassos_through_states_that_were_dropped() {
    for text in [
        "G(r -> X(g | X g)) & G(g -> X !g) & G F r",
        "G(r -> X(g | X(g | X g))) & G(g -> X !g) & G F r",
    ] {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
        compare(&store, formula, WordKind::Infinite, &variants());
        compare(&store, formula, WordKind::Infinite, &specs(SAT_VARIANTS));
    }
}

/// The same of an automaton: location 8 waits for what runs through seven others in turn.
#[test]
fn an_automaton_whose_lasso_runs_through_states_that_were_dropped() {
    let text =
        "(automaton_type = \"sABW\", locations = [0,1,2,3,4,5,6,7,8,9], propositions = [\"b\"],
        initial_constraint = \"9\", accepting_locations = [0,1,2,3,4,5,6,7,9],
        transition_function = { 0: \"~b\", 1: \"0\", 2: \"0 | 1\", 3: \"2\", 4: \"3\", 5: \"3 & 4\",
        6: \"3 & 4 & 5\", 7: \"3 & 4 & 6\", 8: \"(3 & 4 & 6 & 7) | 8\",
        9: \"((3 & 4 & 6 & 7) | 8) & 9\" })";
    let mut store = Store::new();
    let automaton = alaska::read(&mut store, text).expect("an automaton");
    let automata = Difference::of(automaton);
    let problem = Problem::emptiness(&store, &automata);
    variants().iter().for_each(|engine| assert!(is_nonempty(&problem, engine), "{engine}"));
}

#[test]
fn random_automata() {
    let drawn = compare_on_automata(84, 6_000, &[None, Some(2)], &variants());
    let Drawn { weak, nonempty } = drawn;
    assert!(weak > 1_000 && nonempty > 1_000 && nonempty < 5_000, "{weak}, {nonempty}");
}

/// Automata that are too large for brute force, very weak ones among them: all engines say the
/// same, as far as they support them.
#[test]
fn larger_random_automata() {
    let mut rng = Rng::new(97);
    let (engines, by_sat) = (variants(), specs(SAT_VARIANTS));
    let (mut very_weak, mut nonempty) = (0, 0);
    for round in 0..1_500 {
        let mut store = Store::new();
        let propositions = ["a", "b"].map(|name| store.proposition(name)).to_vec();
        let (locations, words) = (4 + round % 5, KINDS[usize::from(round % 4 == 3)]);
        let group = [None, Some(1), Some(2)][round % 3];
        let automaton =
            RandomAutomaton { words, propositions, locations, leaves: 5, group }.draw(&mut rng);
        let automata = Difference::of(automaton.clone());
        let problem = Problem::emptiness(&store, &automata);
        let expected = is_nonempty(&problem, &engines[0]);
        for engine in &engines[1..] {
            assert_eq!(is_nonempty(&problem, engine), expected, "{engine}, round {round}");
        }
        let is_very_weak = AlternatingStatistics::of(&automaton).very_weak;
        if is_very_weak || words == WordKind::Finite {
            for engine in &by_sat {
                assert_eq!(is_nonempty(&problem, engine), expected, "{engine}, round {round}");
            }
        }
        very_weak += usize::from(is_very_weak);
        nonempty += usize::from(expected);
    }
    assert!(very_weak > 300 && nonempty > 300 && nonempty < 1_400, "{very_weak}, {nonempty}");
}

/// A table of diagrams that is too small for them, or only for the letters of the word, costs no
/// word.
#[test]
fn the_hybrid_falls_back() {
    let mut store = Store::new();
    let request = Request::parse("counter", &["6"]).expect("a family");
    let formula = request.instances().next().expect("a member").build(&mut store);
    let problem = Problem::satisfiability(&store, formula, WordKind::Infinite);
    for nodes in [100, 1_000, 3_000, 3_500, 5_000, 100_000] {
        let name = format!("antichain:hybrid:patience=0:nodes={nodes}:rules=none");
        assert!(is_nonempty(&problem, &name.parse().expect("an engine")), "{nodes}");
    }
}

#[test]
fn what_cannot_be_together_is_refused() {
    for name in [
        "antichain:forward:post=algorithm1:order=very-weak",
        "antichain:forward:order=auto+direct",
        "antichain:forward:order=",
        "antichain:hybrid:patience=-1",
    ] {
        assert!(name.parse::<EngineSpec>().is_err(), "{name}");
    }
    assert!("antichain:forward:post=algorithm1".parse::<EngineSpec>().is_ok());
}

#[test]
fn the_verdict_stands_if_the_budget_ends_before_the_word_is_there() {
    let mut store = Store::new();
    let formula = parse(&mut store, "a U X b", Dialect::Kermode.into()).expect("a formula").formula;
    let engine: EngineSpec = "antichain:forward:rules=none".parse().expect("an engine");
    for words in KINDS {
        let automaton = from_ltl(&mut store.clone(), formula, words).expect("no past");
        let automata = Difference::of(automaton);
        for problem in
            [Problem::satisfiability(&store, formula, words), Problem::emptiness(&store, &automata)]
        {
            verdict_stands_without_word(&problem, &engine, "post_calls");
        }
    }
}
