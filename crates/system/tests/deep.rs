//! Formulas nested deeper than any stack, and formulas with much sharing.

use kermode_ltl::dialect::parse;
use kermode_ltl::{BinaryOp, Dialect, Formula, Node, Store, UnaryOp, Untranslatable};
use kermode_system::{Atoms, Encoded, Encoding, Graph, VariableOrder, encode, smv};

fn encoded(store: &mut Store, formula: Formula, encoding: Encoding) -> (Graph, Encoded) {
    let mut graph = Graph::new();
    let (atoms, interrupt) = (Atoms::new(), &mut || Ok::<(), Untranslatable>(()));
    let encoded = encode(&mut graph, store, formula, encoding, &atoms, interrupt);
    (graph, encoded.expect("a formula without past and bounds"))
}

/// A tower of operators.
fn tower(store: &mut Store, height: usize) -> Formula {
    let (a, b) = (store.proposition("a"), store.proposition("b"));
    let (a, b) = (store.atom(a), store.atom(b));
    (0..height).fold(a, |formula, level| {
        let node = match level % 5 {
            0 => Node::Unary(UnaryOp::Next, formula),
            1 => Node::Binary(BinaryOp::Until, b, formula),
            2 => Node::Unary(UnaryOp::Not, formula),
            3 => Node::Binary(BinaryOp::And, formula, b),
            _ => Node::Unary(UnaryOp::Globally, formula),
        };
        store.intern(node)
    })
}

#[test]
fn deep_formulas() {
    for encoding in Encoding::all() {
        let height = match encoding.order {
            VariableOrder::Default => 50_000,
            // LEX M takes quadratic time.
            VariableOrder::Lexm => 1000,
            _ => 20_000,
        };
        let mut store = Store::new();
        let formula = tower(&mut store, height);
        let (mut graph, encoded) = encoded(&mut store, formula, encoding);
        assert_eq!(encoded.order.len(), encoded.system.variables().len());
        if encoding.order == VariableOrder::Default {
            let model = smv::encoded(&mut graph, &store, formula, encoding, &encoded);
            assert!(model.text.len() < 1000 * height, "{encoding}: {}", model.text.len());
        }
    }
}

/// Equivalences make trees exponential and graphs linear.
#[test]
fn shared_formulas() {
    let mut store = Store::new();
    let text = (0..60).map(|i| format!("X p{i}")).collect::<Vec<_>>().join(" <-> ");
    let formula = parse(&mut store, &text, Dialect::Kermode.into()).expect("a formula").formula;
    for encoding in Encoding::all().filter(|encoding| encoding.order == VariableOrder::Default) {
        let (mut graph, encoded) = encoded(&mut store, formula, encoding);
        let model = smv::encoded(&mut graph, &store, formula, encoding, &encoded);
        assert!(model.text.len() < 60_000, "{encoding}: {}", model.text.len());
    }
}
