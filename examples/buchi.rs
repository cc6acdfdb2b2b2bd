//! A formula as a Büchi automaton in the HOA format, which is read back and asked.
#![expect(clippy::print_stdout, reason = "the automaton is to be seen")]

use kermode::automata::Automaton;
use kermode::automata::translation::Level;
use kermode::ltl::Store;
use kermode::solve::Translation;
use kermode::solve::translate::Target;
use kermode::{Decision, accepts, automaton, empty, translate};

pub(crate) fn main() -> Result<(), kermode::Error> {
    let to_buchi = Translation::to(Target::Buchi(Level::High));
    let hoa = translate("G(request -> F grant)", &to_buchi)?;
    print!("{hoa}");

    let mut store = Store::new();
    let read = automaton(&mut store, &hoa)?;
    let Automaton::Tgba(tgba) = read else { panic!("no `Fin` and no alternation in it") };
    assert!(tgba.is_state_based());
    let names: Vec<&str> = tgba.propositions().iter().map(|&p| store.name(p)).collect();
    assert_eq!(names, ["request", "grant"]);

    assert!(accepts(&hoa, "request; cycle{!request & grant}")?);
    assert!(!accepts(&hoa, "cycle{request & !grant}")?);
    assert!(matches!(empty(&hoa)?, Decision::No(Some(_))));
    Ok(())
}
