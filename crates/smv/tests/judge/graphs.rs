//! The explicit graph: states, edges by letters, limits.

use kermode_smv::judge::{Graph, Limits, Unjudged};

use crate::support::{model, never};

#[test]
fn edges_between_the_same_states_differ_in_their_letters() {
    // From 0, the steps to 1 have the inputs 0, 1 and 2.
    let model = model(
        "MODULE main VAR x : 0..1; IVAR i : 0..2; INIT x = 0 TRANS next(x) = 1 \
         JUSTICE i = 2 LTLSPEC F (i > 0 & x = 0)",
    );
    let edges = |observed: &[_]| {
        let graph = Graph::new(&model, observed.to_vec(), Limits::default(), &mut never);
        let graph = graph.expect("small");
        assert_eq!((graph.states.len(), graph.initial), (2, 1));
        (graph.leaving(0).len(), graph.leaving(1).len())
    };
    // Justice tells 2 from the others, and the atom 1 and 2 from 0 in state 0.
    assert_eq!(edges(&[]), (2, 2));
    let mut operands = model.expressions.term(model.properties[0].operands[0]).operands();
    let atom = operands.next().expect("the operand of F");
    assert_eq!(edges(&[atom]), (3, 2));
    let graph = Graph::new(&model, [atom], Limits::default(), &mut never).expect("small");
    assert_eq!(graph.edges_with(atom).len(), 2);
    // At a state, an expression about steps is false.
    let place = graph.place(atom).expect("observed");
    assert!(!graph.letter(graph.state_letters[0])[place]);
}

#[test]
fn large_models_are_refused_and_explorations_can_be_stopped() {
    let model = model(
        "MODULE main VAR x : 0..99; IVAR i : 0..9; INIT x = 0 TRANS next(x) = (x + 1) mod 100",
    );
    let built = |limits| Graph::new(&model, [], limits, &mut never).map(|graph| graph.states.len());
    assert_eq!(built(Limits { states: 100, steps: 1000 }), Ok(100));
    let too_large = |what, limit| Err(Unjudged::TooLarge { what, limit });
    assert_eq!(built(Limits { states: 99, steps: 1000 }), too_large("states", 99));
    assert_eq!(built(Limits { states: 100, steps: 999 }), too_large("steps", 999));
    let stopped = Graph::new(&model, [], Limits::default(), &mut || Err("stop"));
    assert_eq!(stopped.err(), Some(Unjudged::Interrupted("stop")));
    let refused = Unjudged::<&str>::TooLarge { what: "states", limit: 99 };
    assert_eq!(refused.to_string(), "too large for the explicit judge: more than 99 states");
}
