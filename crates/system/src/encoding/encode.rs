//! Symbolic automata of formulas \[CGH97\], \[RV11\]: characteristic functions, elementary
//! variables, promises.
//!
//! Let `S_h` be the *characteristic function* of a subformula `h`: its demand on the variables. A
//! Boolean connective combines those of its operands. `X g` and the unfolding of a fixpoint, `a U b
//! = b | a & X(a U b)`, refer to the next step, where a variable represents the subformula.
//!
//! - *State-based* (`gba`): the variable `EL_X_g` says now that `g` holds next, so `S_h` is about
//!   one state, and the constraint is `EL_X_g = next(S_g)`. The initial state satisfies `S_f`. For
//!   each eventuality `h` with goal `g`, justice is `!S_h | S_g`. The paper prints it for `U`; `F`
//!   and `M` need it as well.
//! - *Transition-based* (`tgba`): the variable `EL_g` says that `g` holds at its own step, and
//!   `next(EL_g)` that it holds at the next step, so `S_h` is about a step, and the constraint is
//!   `EL_g = S_g`. The initial state satisfies `EL_f`, since `S_f` cannot be demanded of one state.
//!   An eventuality may be postponed only while its *promise* `P_h` holds, and justice is `!P_h`.
//!   Literals have no variable: `next` of a literal has the same meaning.
//!
//! *Sloppy* constraints have `->` in place of `=`: a variable may be false although its subformula
//! holds, which is sound if nothing is negated. `a W b` and `a M b`, which the paper does not have,
//! are unfolded like `R` and `U`.
//!
//! **Finite words.** The automaton reads one letter per state and accepts in a last state. The
//! variable `MORE` says that there is a next state: it holds on every step, and not in the last
//! state. There `EL_X_g` means that `g` holds next if there is a next state, so a strong next, and
//! the unfolding of an eventuality, demand `MORE` as well. There is no justice, so the forms with
//! acceptance on transitions are those with acceptance on states.
//!
//! **Atoms.** A proposition is a variable of its own, unless the caller gives the expression over a
//! step that it stands for. An expression about one state replaces the variable. An expression with
//! next values is about a step, and can neither be demanded of the first state nor be shifted to
//! the next step: it gets a variable, and the constraint that both are equal, in sloppy forms too,
//! since propositions are negated there.
//!
//! Invariants: `S_h` is built after those of its operands, in one loop over the closure. On a word
//! that satisfies the formula, the run whose variables are true exactly when their subformulas hold
//! is fair. On any fair run, all demands hold.

use std::collections::BTreeMap;

use kermode_ltl::normal::{boolean_normal_form, negation_normal_form};
use kermode_ltl::{
    Formula, Node, Proposition, Store, UnaryOp, Untranslatable, WordKind, check_translatable,
};

use rustc_hash::FxHashSet;

use super::closure::{Closure, Shape};
use super::variable_graph::VariableGraph;
use super::{Encoding, Form, names};
use crate::graph::{Expression, Graph, Term, Variable};
use crate::system::System;

/// The Boolean expressions that propositions stand for, each over a step: it may mention next
/// values.
pub type Atoms = BTreeMap<Proposition, Expression>;

/// A formula as a symbolic system. The words of its fair runs, by the atoms, are those that satisfy
/// the formula.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The symbolic automaton. Its constraints also mention the variables of the given atoms, which
    /// are not among its variables.
    pub system: System,
    /// Its variables in the order of the encoding, the topmost level of a decision diagram first.
    pub order: Vec<Variable>,
    /// The propositions without a given atom, with their own variables.
    pub atoms: Atoms,
    /// The meanings of the other variables: `EL_X_g` means `X g`, `EL_g` means `g`, `P_g` postpones
    /// `g`, and the variable of an atom with next values means its proposition.
    pub meanings: Vec<(Variable, Formula)>,
    /// The condition on initial states, which the system already includes.
    pub root: Expression,
    /// For finite words: the condition on the last state.
    pub last: Option<Expression>,
}

/// The symbolic system of a formula over infinite words, without past and bounded operators. The
/// given atoms are expressions of the graph. Other propositions, and everything else that the
/// encoding needs, become new variables.
pub fn encode<E: From<Untranslatable>>(
    graph: &mut Graph,
    store: &mut Store,
    formula: Formula,
    encoding: Encoding,
    atoms: &Atoms,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Encoded, E> {
    encode_over((graph, store), formula, encoding, WordKind::Infinite, atoms, interrupt)
}

/// The same for finite words. A word satisfies the formula if it is the word of a finite path of
/// the system whose last state satisfies [`Encoded::last`]. Atoms have no next values.
pub fn encode_finite<E: From<Untranslatable>>(
    graph: &mut Graph,
    store: &mut Store,
    formula: Formula,
    encoding: Encoding,
    atoms: &Atoms,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Encoded, E> {
    let form = match encoding.form {
        Form::NnfFussyTgba => Form::NnfFussyGba,
        Form::NnfSloppyTgba => Form::NnfSloppyGba,
        form => form,
    };
    let encoding = Encoding { form, ..encoding };
    encode_over((graph, store), formula, encoding, WordKind::Finite, atoms, interrupt)
}

fn encode_over<E: From<Untranslatable>>(
    (graph, store): (&mut Graph, &mut Store),
    formula: Formula,
    encoding: Encoding,
    words: WordKind,
    atoms: &Atoms,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Encoded, E> {
    check_translatable(store, &store.subformulas(formula))?;
    let form = encoding.form;
    let normal = match form {
        Form::BnfFussyGba => boolean_normal_form(store, formula, words),
        _ => negation_normal_form(store, formula, words),
    };
    let closure = Closure::of(store, form, normal);
    let mut encoder = Encoder::new(graph, store, form, &closure);
    encoder.declare(store, &store.propositions(normal), atoms);
    if words == WordKind::Finite {
        encoder.more = Some(encoder.variable("MORE".to_owned()));
    }
    encoder.define();
    encoder.constrain();
    let root = encoder.start();
    let last = encoder.last();
    let vertices = VariableGraph::new(&closure, encoder.labels(), interrupt)?;
    let mut order = vertices.arrange(encoding.order, interrupt)?;
    order.extend(encoder.more);
    let Encoder { system, propositions, elementary, promise, .. } = encoder;
    let mut meanings = meanings(store, &closure, form, &[elementary, promise]);
    let mut fresh = Atoms::new();
    for EncodedAtom { proposition, variable, expression } in propositions {
        match variable {
            Some(variable) if atoms.contains_key(&proposition) => {
                meanings.push((variable, store.atom(proposition)));
            }
            Some(_) => drop(fresh.insert(proposition, expression)),
            None => {}
        }
    }
    Ok(Encoded { system, order, atoms: fresh, meanings, root, last })
}

/// The meanings of variables by position.
fn meanings(
    store: &mut Store,
    closure: &Closure,
    form: Form,
    variables: &[Vec<Option<Variable>>],
) -> Vec<(Variable, Formula)> {
    let mut meanings = Vec::new();
    for position in 0..closure.len() {
        let formula = match form.is_transition_based() {
            true => closure.formula(position),
            false => store.intern(Node::Unary(UnaryOp::Next, closure.formula(position))),
        };
        let here = variables.iter().filter_map(|variables| variables[position]);
        meanings.extend(here.map(|variable| (variable, formula)));
    }
    meanings
}

/// The representation of a proposition: an expression about one state.
struct EncodedAtom {
    proposition: Proposition,
    /// The variable, if it was introduced for the proposition.
    variable: Option<Variable>,
    expression: Expression,
}

struct Encoder<'a> {
    graph: &'a mut Graph,
    closure: &'a Closure,
    form: Form,
    names: Vec<String>,
    system: System,
    /// In increasing order.
    propositions: Vec<EncodedAtom>,
    /// By position: the variable that says that the formula holds next or, in transition-based
    /// form, now.
    elementary: Vec<Option<Variable>>,
    /// By position: the variable that postpones an eventuality.
    promise: Vec<Option<Variable>>,
    /// By position: the characteristic functions.
    characteristic: Vec<Expression>,
    /// For finite words: the variable that says that there is a next state.
    more: Option<Variable>,
}

impl<'a> Encoder<'a> {
    fn new(graph: &'a mut Graph, store: &Store, form: Form, closure: &'a Closure) -> Self {
        Encoder {
            graph,
            closure,
            form,
            names: names::names(store, closure),
            system: System::new(),
            propositions: Vec::new(),
            promise: vec![None; closure.len()],
            elementary: vec![None; closure.len()],
            characteristic: Vec::with_capacity(closure.len()),
            more: None,
        }
    }

    /// Introduces all variables: propositions first, then operators before their operands.
    fn declare(&mut self, store: &Store, propositions: &[Proposition], atoms: &Atoms) {
        for &proposition in propositions {
            let atom = self.atom(store, proposition, atoms.get(&proposition).copied());
            self.propositions.push(atom);
        }
        let needed = self.needed();
        let based = self.form.is_transition_based();
        for position in (0..self.closure.len()).rev().filter(|&position| needed[position]) {
            let name = &self.names[position];
            let names =
                (format!("EL_{}{name}", if based { "" } else { "X_" }), format!("P_{name}"));
            self.elementary[position] = Some(self.variable(names.0));
            if based && self.closure.shape(position).goal().is_some() {
                self.promise[position] = Some(self.variable(names.1));
            }
        }
    }

    fn atom(
        &mut self,
        store: &Store,
        proposition: Proposition,
        given: Option<Expression>,
    ) -> EncodedAtom {
        if let Some(expression) = given.filter(|&given| !self.graph.looks_ahead(given)) {
            return EncodedAtom { proposition, variable: None, expression };
        }
        let variable = self.variable(store.name(proposition).to_owned());
        let expression = self.graph.current(variable);
        if let Some(given) = given {
            let constraint = self.graph.iff(expression, given);
            self.system.add_transition(self.graph, constraint);
        }
        EncodedAtom { proposition, variable: Some(variable), expression }
    }

    fn variable(&mut self, name: String) -> Variable {
        let variable = self.graph.variable(&name);
        self.system.add_variable(variable);
        variable
    }

    /// The formulas that are used at the next step, or initially.
    fn needed(&self) -> Vec<bool> {
        let closure = self.closure;
        let mut needed = vec![false; closure.len()];
        for position in 0..closure.len() {
            match closure.shape(position) {
                Shape::Next(operand) | Shape::WeakNext(operand) => {
                    needed[closure.position(operand)] = true;
                }
                shape => needed[position] |= shape.is_fixpoint(),
            }
        }
        if self.form.is_transition_based() {
            needed[closure.root()] = true;
            (0..closure.len()).for_each(|i| needed[i] &= !closure.is_literal(i));
        }
        needed
    }

    /// Builds the characteristic functions, and names for those that are more than a literal.
    fn define(&mut self) {
        let mut named = FxHashSet::default();
        for position in 0..self.closure.len() {
            let function = self.characteristic_function(position);
            self.characteristic.push(function);
            let plain = match self.graph.term(function) {
                Term::Constant(_) | Term::Current(_) | Term::Not(_) => true,
                _ => matches!(self.closure.shape(position), Shape::Not(_)),
            };
            if !plain && named.insert(function) {
                let name = format!("S_{}", self.names[position]);
                self.system.add_definition(name, function);
            }
        }
    }

    fn characteristic_function(&mut self, position: usize) -> Expression {
        match self.closure.shape(position) {
            Shape::Constant(value) => self.graph.constant(value),
            Shape::Proposition(proposition) => self.proposition(proposition).expression,
            Shape::Not(a) => {
                let a = self.function(a);
                self.graph.not(a)
            }
            Shape::And(a, b) => {
                let (a, b) = (self.function(a), self.function(b));
                self.graph.and(a, b)
            }
            Shape::Or(a, b) => {
                let (a, b) = (self.function(a), self.function(b));
                self.graph.or(a, b)
            }
            Shape::Next(a) => {
                let (there, later) = (self.there_is_more(), self.later(self.closure.position(a)));
                self.graph.and(there, later)
            }
            Shape::WeakNext(a) => self.later(self.closure.position(a)),
            shape => self.unfolded(position, shape),
        }
    }

    /// The unfolding of a fixpoint, with its promise if there is one.
    fn unfolded(&mut self, position: usize, shape: Shape) -> Expression {
        let later = self.later(position);
        // An eventuality may be postponed to an existing step, and while its promise holds.
        let promise = match (self.promise[position], shape.goal()) {
            (Some(promise), _) => self.graph.current(promise),
            (None, Some(_)) => self.there_is_more(),
            (None, None) => self.graph.constant(true),
        };
        match shape {
            Shape::Infinitely(a) => {
                let now = self.function(a);
                let now = self.graph.or(now, promise);
                self.graph.and(later, now)
            }
            Shape::Finally(a) => {
                let (now, later) = (self.function(a), self.graph.and(promise, later));
                self.graph.or(now, later)
            }
            Shape::Globally(a) => {
                let now = self.function(a);
                self.graph.and(now, later)
            }
            Shape::Until(a, b) | Shape::WeakUntil(a, b) => {
                let (a, b) = (self.function(a), self.function(b));
                let put_off = self.graph.all([a, promise, later]);
                self.graph.or(b, put_off)
            }
            Shape::Release(a, b) | Shape::StrongRelease(a, b) => {
                let (a, b) = (self.function(a), self.function(b));
                let put_off = self.graph.and(promise, later);
                let released = self.graph.or(a, put_off);
                self.graph.and(b, released)
            }
            _ => unreachable!("only fixpoints are unfolded"),
        }
    }

    /// Whether there is a next state: always on infinite words.
    fn there_is_more(&mut self) -> Expression {
        match self.more {
            Some(more) => self.graph.current(more),
            None => self.graph.constant(true),
        }
    }

    /// The expression that a formula holds at the next step, if there is one.
    fn later(&mut self, position: usize) -> Expression {
        match self.elementary[position] {
            Some(variable) if self.form.is_transition_based() => self.graph.next(variable),
            Some(variable) => self.graph.current(variable),
            None => self.graph.shift(&[self.characteristic[position]])[0],
        }
    }

    /// The characteristic function of an operand.
    fn function(&self, operand: Formula) -> Expression {
        self.characteristic[self.closure.position(operand)]
    }

    fn proposition(&self, proposition: Proposition) -> &EncodedAtom {
        let found = self.propositions.binary_search_by_key(&proposition, |atom| atom.proposition);
        &self.propositions[found.expect("a proposition of the formula")]
    }

    /// Adds the definitions of elementary variables, and justice.
    fn constrain(&mut self) {
        let functions = match self.form.is_transition_based() {
            true => self.characteristic.clone(),
            false => self.graph.shift(&self.characteristic),
        };
        for position in (0..self.closure.len()).rev() {
            if let Some(variable) = self.elementary[position] {
                let claim = self.graph.current(variable);
                let constraint = match self.form.is_sloppy() {
                    true => self.graph.implies(claim, functions[position]),
                    false => self.graph.iff(claim, functions[position]),
                };
                self.system.add_transition(self.graph, constraint);
            }
            if let (Some(goal), None) = (self.closure.shape(position).goal(), self.more) {
                let justice = self.justice(position, goal);
                self.system.add_justice(justice);
            }
        }
    }

    /// For finite words: demands a next state on every step, and returns the condition on the last
    /// state. What would hold next holds there, unless it need not be said.
    fn last(&mut self) -> Option<Expression> {
        let more = self.graph.current(self.more?);
        self.system.add_transition(self.graph, more);
        let mut last = self.graph.not(more);
        if !self.form.is_sloppy() {
            for variable in self.elementary.iter().flatten() {
                let claim = self.graph.current(*variable);
                last = self.graph.and(last, claim);
            }
        }
        Some(last)
    }

    fn justice(&mut self, position: usize, goal: Formula) -> Expression {
        if let Some(promise) = self.promise[position] {
            let promise = self.graph.current(promise);
            return self.graph.not(promise);
        }
        let failed = self.graph.not(self.characteristic[position]);
        self.graph.or(failed, self.function(goal))
    }

    /// Demands the whole formula in the first state.
    fn start(&mut self) -> Expression {
        let root = self.closure.root();
        let start = match self.elementary[root] {
            Some(variable) if self.form.is_transition_based() => self.graph.current(variable),
            _ => self.characteristic[root],
        };
        self.system.add_initial(self.graph, start);
        start
    }

    /// The variables at each operator of the variable graph.
    fn labels(&self) -> Vec<Vec<Variable>> {
        let based = self.form.is_transition_based();
        let label = |position| match self.closure.shape(position) {
            Shape::Proposition(proposition) => {
                self.proposition(proposition).variable.into_iter().collect()
            }
            Shape::Next(a) | Shape::WeakNext(a) if !based => {
                self.elementary[self.closure.position(a)].into_iter().collect()
            }
            shape if !based && !shape.is_fixpoint() => Vec::new(),
            _ => self.elementary[position].into_iter().chain(self.promise[position]).collect(),
        };
        (0..self.closure.len()).map(label).collect()
    }
}
