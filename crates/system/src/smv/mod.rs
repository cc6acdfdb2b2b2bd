//! SMV texts: encodings and other systems as models for NuSMV, and formulas over the universal
//! model.
//!
//! An encoding is printed as in \[RV11\]: initial states are unconstrained, and both specifications
//! say that no fair path begins in a state that satisfies the formula. `SPEC !(S_f & EG TRUE)` is
//! the paper's. `LTLSPEC !S_f` is equivalent, since paths are fair there. The formula is
//! satisfiable if and only if a specification is *false*, and the counterexample is a model of the
//! formula. There is always a `FAIRNESS`, so that states without an infinite path do not count.
//!
//! In transition-based form definitions contain `next`, which NuSMV accepts although its manual
//! once said otherwise. Specifications and fairness do not use these definitions.

mod expressions;
mod identifiers;

use kermode_ltl::dialect::{
    Inexpressible, Unwritable, express, write, write_abbreviated, write_name,
};
use kermode_ltl::{Dialect, Formula, Measure, Node, Store, replace};
use rustc_hash::FxHashMap;

use crate::encoding::{Encoded, Encoding};
use crate::graph::{Expression, Graph, Term, Variable};
use crate::model::{Model, SymbolKind};
use crate::system::System;
use expressions::Writer;
use identifiers::identifiers;

/// Longer formulas in comments, in bytes, are cut off.
const COMMENT: usize = 100;
/// The largest number of nodes, as a tree, of a formula that is written.
const MOST_NODES: u64 = 10_000_000;

/// The text of a model and the order of its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmvText {
    /// What NuSMV reads.
    pub text: String,
    /// The order file for NuSMV's `-i`: one variable per line, the topmost first.
    pub order: String,
}

/// The model of a formula's encoding.
pub fn encoded(
    graph: &mut Graph,
    store: &Store,
    formula: Formula,
    encoding: Encoding,
    encoded: &Encoded,
) -> SmvText {
    let system = &encoded.system;
    let comments = comments(graph, store, encoded);
    let writer = Writer::new(graph, system);
    let mut text = String::from("MODULE main\n");
    text += &format!("-- formula: {}\n", write_abbreviated(store, formula, COMMENT));
    text += &format!("-- encoding: {encoding}\n");
    text += "-- the formula is satisfiable iff the specifications are false\n";
    text += &variables(system, &writer, &comments);
    text += &definitions(&writer);
    text += &conjunction("TRANS", system.transition(), &writer);
    text += &fairness(system.justice(), &writer);
    let root = writer.text(encoded.root);
    text += &format!("SPEC !({root} & EG TRUE)\nLTLSPEC !({root})\n");
    let order = order(system, &encoded.order, &writer.variables);
    SmvText { text, order }
}

/// A model over its bits, without specifications, with definitions for some expressions. Returns
/// the names of these expressions, too. Bits of inputs and of frozen symbols keep their kinds.
pub fn model(model: &Model, named: &[Expression]) -> (String, Vec<String>) {
    let Model { mut graph, mut system, symbols, .. } = model.clone();
    for (number, &expression) in named.iter().enumerate() {
        system.add_definition(format!("C_{}", number + 1), expression);
    }
    let mut kinds: FxHashMap<Variable, SymbolKind> = FxHashMap::default();
    for symbol in &symbols {
        kinds.extend(symbol.bits.iter().map(|&bit| (bit, symbol.kind)));
    }
    let kind = |variable: &Variable| kinds.get(variable).copied().unwrap_or(SymbolKind::State);
    let writer = Writer::new(&mut graph, &system);
    let mut text = String::from("MODULE main\n");
    let sections = [
        ("VAR", SymbolKind::State),
        ("FROZENVAR", SymbolKind::Frozen),
        ("IVAR", SymbolKind::Input),
    ];
    for (keyword, wanted) in sections {
        let variables = system.variables().iter().zip(&writer.variables);
        let variables = variables.filter(|(variable, _)| kind(variable) == wanted);
        let lines = variables.map(|(_, name)| format!("  {name} : boolean;\n"));
        text += &section(keyword, lines.collect());
    }
    text += &definitions(&writer);
    // Inputs belong to steps, and NuSMV wants them in no invariant.
    let has_input = |&&constraint: &&Expression| {
        let variables = model.graph.variables(&[constraint]);
        variables.iter().any(|variable| kind(variable) == SymbolKind::Input)
    };
    let (of_inputs, invariants): (Vec<Expression>, Vec<Expression>) =
        system.invariants().iter().partition(has_input);
    let steps: Vec<Expression> = system.transition().iter().copied().chain(of_inputs).collect();
    text += &conjunction("INIT", system.initial(), &writer);
    text += &conjunction("INVAR", &invariants, &writer);
    text += &conjunction("TRANS", &steps, &writer);
    let justice = system.justice().iter();
    text.extend(justice.map(|&constraint| format!("JUSTICE ({})\n", writer.body(constraint))));
    (text, named.iter().map(|&expression| writer.text(expression)).collect())
}

/// The meanings of the variables of an encoding.
fn comments(graph: &Graph, store: &Store, encoded: &Encoded) -> FxHashMap<Variable, String> {
    let mut comments: FxHashMap<Variable, String> = FxHashMap::default();
    for &(variable, formula) in &encoded.meanings {
        comments.insert(variable, write_abbreviated(store, formula, COMMENT));
    }
    for (&proposition, &atom) in &encoded.atoms {
        if let Term::Current(variable) = graph.term(atom) {
            comments.insert(variable, write_name(store, proposition));
        }
    }
    comments
}

/// The declarations of variables, with a comment where the name does not say the meaning.
fn variables(system: &System, writer: &Writer, comments: &FxHashMap<Variable, String>) -> String {
    let mut text = String::new();
    for (variable, name) in system.variables().iter().zip(&writer.variables) {
        let comment = comments.get(variable).filter(|comment| *comment != name);
        let comment = comment.map(|comment| format!("  -- {comment}")).unwrap_or_default();
        text += &format!("  {name} : boolean;{comment}\n");
    }
    section("VAR", text)
}

fn definitions(writer: &Writer) -> String {
    let lines = writer.definitions().map(|(name, body)| format!("  {name} := {body};\n"));
    section("DEFINE", lines.collect())
}

fn conjunction(keyword: &str, constraints: &[Expression], writer: &Writer) -> String {
    let lines: Vec<String> =
        constraints.iter().map(|&constraint| format!("  ({})", writer.body(constraint))).collect();
    let last = if lines.is_empty() { "" } else { "\n" };
    section(keyword, lines.join(" &\n") + last)
}

fn fairness(justice: &[Expression], writer: &Writer) -> String {
    if justice.is_empty() {
        return String::from("FAIRNESS TRUE\n");
    }
    justice.iter().map(|&constraint| format!("FAIRNESS ({})\n", writer.body(constraint))).collect()
}

fn section(keyword: &str, lines: String) -> String {
    if lines.is_empty() { lines } else { format!("{keyword}\n{lines}") }
}

fn order(system: &System, order: &[Variable], names: &[String]) -> String {
    let places = system.variables().iter().zip(names);
    let names: FxHashMap<Variable, &String> = places.map(|(&v, name)| (v, name)).collect();
    order.iter().map(|variable| format!("{}\n", names[variable])).collect()
}

/// Why a formula is not written as a specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSpecification {
    /// NuSMV lacks an operator.
    #[error(transparent)]
    Inexpressible(#[from] Inexpressible),
    /// NuSMV lacks an operator in this place.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// The text would be too long.
    #[error("the formula is too large to be written out: {size} nodes as a tree")]
    TooLarge {
        /// The nodes of the formula as a tree.
        size: u64,
    },
}

/// The universal model, whose paths are all words, and the specification that the negated formula
/// holds on all of them (\[RV11\], appendix B): it is false iff the formula is satisfiable.
pub fn universal(store: &mut Store, formula: Formula) -> Result<SmvText, NoSpecification> {
    let propositions = store.propositions(formula);
    let names: Vec<String> = propositions.iter().map(|&p| store.name(p).to_owned()).collect();
    let chosen = identifiers(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut text = String::from("MODULE main\n");
    text += &format!("-- formula: {}\n", write_abbreviated(store, formula, COMMENT));
    text += "-- the formula is satisfiable iff the specification is false\n";
    let mut lines = String::new();
    let mut renamed = FxHashMap::default();
    for (&proposition, name) in propositions.iter().zip(&chosen) {
        let own = write_name(store, proposition);
        let comment = if own == *name { String::new() } else { format!("  -- {own}") };
        lines += &format!("  {name} : boolean;{comment}\n");
        let stands_for = store.intern(Node::Proposition(proposition));
        let atom = store.proposition(name);
        renamed.insert(stands_for, store.intern(Node::Proposition(atom)));
    }
    text += &section("VAR", lines);
    let formula = replace(store, formula, |subformula| renamed.get(&subformula).copied());
    text += &format!("FAIRNESS TRUE\nLTLSPEC !({})\n", specification(store, formula)?);
    let order = chosen.iter().map(|name| format!("{name}\n")).collect();
    Ok(SmvText { text, order })
}

fn specification(store: &mut Store, formula: Formula) -> Result<String, NoSpecification> {
    let formula = express(store, formula, Dialect::Nusmv.into())?;
    let size = Measure::of(store, formula).size;
    if size > MOST_NODES {
        return Err(NoSpecification::TooLarge { size });
    }
    Ok(write(store, formula, Dialect::Nusmv.into())?)
}
