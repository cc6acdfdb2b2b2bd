//! Table 2 of \[STV05\]: the Büchi automata of the negated properties of the gas station and the
//! stack are no larger than those of the paper, and of the classes of its Table 1.

use kermode_automata::of_formula;
use kermode_automata::tgba::AcceptanceClass::{self, Terminal, Weak};
use kermode_automata::tgba::{Tgba, TgbaStatistics};
use kermode_automata::translation::Level;
use kermode_ltl::Store;
use kermode_ltl::dialect::{Dialect, parse};
use kermode_ltl::rewrite::Rewriting;
use kermode_smv::families::FamilyModel;
use kermode_smv::families::gas::gas;
use kermode_smv::families::stack::stack;

type Failed = Box<dyn std::error::Error>;

fn go_on() -> Result<(), Failed> {
    Ok(())
}

/// A property, the number of states of the paper, ours, and the class.
type Row = (&'static str, usize, usize, AcceptanceClass);

const GAS: [Row; 4] = [
    ("stv05_prop1", 6, 5, Terminal),
    // "Neither" in the paper, whose automaton is not weak; this one is.
    ("stv05_prop2", 32, 10, Weak),
    ("stv05_prop3", 4, 4, Terminal),
    ("stv05_prop4", 6, 3, Terminal),
];

const STACK: [Row; 6] = [
    ("stv05_prop1", 4, 3, Weak),
    ("stv05_prop2", 4, 3, Weak),
    ("stv05_prop3", 6, 3, Terminal),
    ("stv05_prop4", 9, 9, Weak),
    ("stv05_prop5", 5, 4, Terminal),
    ("stv05_prop5_meant", 5, 4, Terminal),
];

fn automaton_of_negation(model: &FamilyModel, name: &str) -> Result<Tgba, Failed> {
    let property = model.properties.iter().find(|property| property.name == name);
    let text = &property.expect("the family has the property").formula;
    let mut store = Store::new();
    let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
    let negation = store.not(formula);
    of_formula::buchi(&mut store, negation, Level::High, &Rewriting::Standard, &mut go_on)
}

fn check(model: &FamilyModel, rows: &[Row]) -> Result<(), Failed> {
    for &(name, states_of_paper, states, class) in rows {
        let automaton = automaton_of_negation(model, name)?;
        let statistics = TgbaStatistics::of(&automaton)?;
        assert_eq!((statistics.states, statistics.class()), (states, class), "{name}");
        assert!(statistics.states <= states_of_paper && statistics.marks <= 1, "{name}");
        assert!(automaton.is_state_based(), "{name}");
    }
    Ok(())
}

#[test]
fn gas_station() -> Result<(), Failed> {
    check(&gas(2), &GAS)
}

#[test]
fn stack_of_elements() -> Result<(), Failed> {
    check(&stack(3, &[]), &STACK)
}
