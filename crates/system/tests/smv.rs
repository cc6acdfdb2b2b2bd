//! The texts of encodings: the listings of \[RV11\], slips aside and up to naming.

#[path = "../../automata/tests/snapshot/mod.rs"]
mod snapshot;

use kermode_ltl::dialect::parse;
use kermode_ltl::{Dialect, Formula, Store, Untranslatable};
use kermode_system::smv::{self, SmvText};
use kermode_system::{Atoms, Encoding, Graph, Model, System, encode};
use snapshot::matches_snapshot;

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

fn model(text: &str, encoding: &str) -> SmvText {
    let mut store = Store::new();
    let mut graph = Graph::new();
    let formula = read(&mut store, text);
    let encoding: Encoding = encoding.parse().expect("an encoding");
    let (atoms, interrupt) = (Atoms::new(), &mut || Ok::<(), Untranslatable>(()));
    let encoded = encode(&mut graph, &mut store, formula, encoding, &atoms, interrupt);
    smv::encoded(&mut graph, &store, formula, encoding, &encoded.expect("no past, no bounds"))
}

/// The scheme of section 2, on a formula that has every kind of line.
#[test]
fn section_2() {
    matches_snapshot("section2.smv", &model("(a U b) | !X F a", "bnf/fussy/gba/naive").text);
}

#[test]
fn figure_1() {
    matches_snapshot("figure1.smv", &model("X a & (b U !a)", "nnf/sloppy/gba/naive").text);
}

/// The figure writes `EL__b_U_NOT_a` in the definition of the whole formula, where section 3 has
/// `S__b_U_NOT_a`.
#[test]
fn figure_2() {
    matches_snapshot("figure2.smv", &model("X a & (b U !a)", "nnf/sloppy/tgba/naive").text);
}

/// Appendix B.
#[test]
fn universal_model() {
    let mut store = Store::new();
    let formula = read(&mut store, "X(a U b)");
    matches_snapshot("universal.smv", &smv::universal(&mut store, formula).expect("a text").text);
}

/// Names that are no identifiers, reserved words, names that encodings use themselves, long names.
#[test]
fn names() {
    let text = "\"a b\" U next & G F \"EL_X_a_b\" & X(EG | \"a.b\" W \"é\") \
                & (p1 | p2 | p3 | p4 | p5 | p6 | p7 | p8 | p9 | p10 | p11 | p12 | p13) U q";
    matches_snapshot("names.smv", &model(text, "nnf/fussy/gba/naive").text);
    let mut store = Store::new();
    let formula = read(&mut store, text);
    matches_snapshot(
        "names_universal.smv",
        &smv::universal(&mut store, formula).expect("a text").text,
    );
}

#[test]
fn every_operator() {
    let text = "(a W b) & (b M a) & G F a & F G b & (a R X b) & (a <-> X a)";
    matches_snapshot("operators.smv", &model(text, "nnf/fussy/tgba/naive").text);
}

/// What is neither named nor small is shared all the same.
#[test]
fn systems_are_written_in_linear_size() {
    let mut graph = Graph::new();
    let mut system = System::free(&mut graph, ["x", "D_1"]);
    let [x, y] = [0, 1].map(|i| system.variables()[i]).map(|v| graph.current(v));
    let mut sum = graph.xor(x, y);
    for _ in 0..100 {
        let (both, either) = (graph.and(sum, x), graph.or(sum, y));
        sum = graph.iff(both, either);
    }
    system.add_invariant(&graph, sum);
    let step = graph.shift(&[sum])[0];
    system.add_transition(&graph, step);
    let (text, _) = smv::model(&Model { graph, system, ..Model::new() }, &[]);
    assert!(text.len() < 20_000, "{} bytes", text.len());
    assert!(text.contains("  D_1 : boolean;\n") && text.contains("D_1_2 := "));
}

/// The variable graphs of Figure 3 in preorder, and the other orders of the same formula.
#[test]
fn orders() {
    let mut text = String::new();
    for encoding in Encoding::all() {
        let order = model("X a & (b U !a)", &encoding.to_string()).order;
        text += &format!("{encoding}: {}\n", order.trim_end().replace('\n', " "));
    }
    matches_snapshot("orders.txt", &text);
}
