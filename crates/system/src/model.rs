//! Models: a symbolic system with everything that a search and its user need.
//!
//! A [`Model`] has the graph of its expressions, the constraints (a [`System`]), the variable order
//! for decision diagrams, the declared *symbols*, and the *atoms*: the Boolean expressions that
//! propositions of a formula store stand for. An atom is an expression over a step: it may mention
//! current and next values. So every step of a run has a letter, and the letters form a word that
//! formulas describe ([`Model::word`]).
//!
//! [`Model::constrain`] adds a formula to a model: the remaining runs are those whose words satisfy
//! it. Satisfiability is that question about the empty model, in which all propositions are free.
//!
//! Invariant: the order has each variable of the system once.

use std::fmt;

use kermode_ltl::{BinaryOp, Formula, Letter, Node, Store, UnaryOp, Untranslatable, Word};

use crate::encoding::{Atoms, Encoded, Encoding, encode, encode_finite};
use crate::graph::{Expression, Graph, Variable};
use crate::system::System;
use crate::trace::{Trace, columns};

/// A system with its graph, variable order, symbols and atoms.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The owner of all expressions and variables.
    pub graph: Graph,
    /// The constraints.
    pub system: System,
    /// The variables of the system, the topmost level of a decision diagram first.
    pub order: Vec<Variable>,
    /// The declared symbols. A variable that is no bit of a symbol is auxiliary: traces hide it.
    pub symbols: Vec<Symbol>,
    /// The expressions of propositions.
    pub atoms: Atoms,
}

/// A declaration: a name, and the bits that encode its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The declared name.
    pub name: String,
    /// When its value may change.
    pub kind: SymbolKind,
    /// Its values.
    pub domain: Domain,
    /// The variables of its bits, the least significant first.
    pub bits: Vec<Variable>,
}

/// When the value of a symbol may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// Part of the state.
    State,
    /// Belongs to a step and not to a state. The system treats it as a variable whose value at a
    /// state is that of the step that leaves the state; no constraint mentions its next value.
    Input,
    /// Chosen in the first state and constant: the system has a constraint for that.
    Frozen,
}

/// The values of a symbol. The bits encode the index of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `FALSE` and `TRUE`, in one bit.
    Boolean,
    /// A list of values.
    Values(Vec<String>),
    /// The integers from the first to the second, which is not smaller.
    Range(i32, i32),
    /// Words of this many bits, from 1 to 64: the bits of the word are those of the symbol.
    Word {
        /// Whether they are signed.
        signed: bool,
        /// The number of bits.
        width: u8,
    },
}

impl fmt::Display for Domain {
    /// The type, as SMV has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Boolean => write!(f, "boolean"),
            Domain::Values(values) => write!(f, "{{{}}}", values.join(", ")),
            Domain::Range(low, high) => write!(f, "{low}..{high}"),
            Domain::Word { signed, width } => {
                write!(f, "{} word[{width}]", if *signed { "signed" } else { "unsigned" })
            }
        }
    }
}

impl Domain {
    /// The largest code of a value.
    ///
    /// # Panics
    /// When there is no value.
    pub fn last_code(&self) -> u64 {
        match self {
            Domain::Boolean => 1,
            Domain::Values(values) => values.len().checked_sub(1).expect("some value") as u64,
            &Domain::Range(low, high) => {
                u64::try_from(i64::from(high) - i64::from(low)).expect("some value")
            }
            Domain::Word { width, .. } => u64::MAX >> (64 - width),
        }
    }

    /// The number of bits of a value.
    pub fn bits(&self) -> usize {
        (u64::BITS - self.last_code().leading_zeros()) as usize
    }

    /// The value with this code, if it has one. Words are written as in SMV: `0ud4_3`, `-0sd4_3`.
    pub fn value(&self, code: u64) -> Option<String> {
        if code > self.last_code() {
            return None;
        }
        Some(match self {
            Domain::Boolean => ["FALSE", "TRUE"][code as usize].to_owned(),
            Domain::Values(values) => values[code as usize].clone(),
            Domain::Range(low, _) => (i64::from(*low) + code as i64).to_string(),
            &Domain::Word { signed: false, width } => format!("0ud{width}_{code}"),
            &Domain::Word { signed: true, width } => {
                let negative = code >> (width - 1) & 1 == 1;
                let size =
                    if negative { (1_u128 << width) - u128::from(code) } else { code.into() };
                format!("{}0sd{width}_{size}", if negative { "-" } else { "" })
            }
        })
    }
}

impl Symbol {
    /// The code of its value, given the values of its bits.
    pub fn code(&self, holds: impl Fn(Variable) -> bool) -> u64 {
        let bits = self.bits.iter().enumerate();
        bits.map(|(place, &bit)| u64::from(holds(bit)) << place).sum()
    }

    /// The value, given those of its bits, if they encode one.
    pub fn value(&self, holds: impl Fn(Variable) -> bool) -> Option<String> {
        self.domain.value(self.code(holds))
    }
}

impl Model {
    /// The model without variables and constraints.
    pub fn new() -> Self {
        Model::default()
    }

    /// Declares a symbol with new variables for its bits, last in the order. Codes that encode no
    /// value are excluded by an invariant, and changes of a frozen symbol by transition
    /// constraints.
    ///
    /// # Panics
    /// When there is no value.
    pub fn declare(&mut self, name: &str, kind: SymbolKind, domain: Domain) -> &Symbol {
        let bits: Vec<Variable> = match domain {
            Domain::Boolean => vec![self.auxiliary(name)],
            _ => (0..domain.bits()).map(|bit| self.auxiliary(&format!("{name}.{bit}"))).collect(),
        };
        let current: Vec<Expression> = bits.iter().map(|&bit| self.graph.current(bit)).collect();
        let constraint = self.graph.at_most(&current, domain.last_code());
        self.system.add_invariant(&self.graph, constraint);
        if kind == SymbolKind::Frozen {
            for &bit in &bits {
                let (now, next) = (self.graph.current(bit), self.graph.next(bit));
                let constraint = self.graph.iff(next, now);
                self.system.add_transition(&self.graph, constraint);
            }
        }
        self.symbols.push(Symbol { name: name.to_owned(), kind, domain, bits });
        self.symbols.last().expect("the symbol just declared")
    }

    /// A new variable of the system that is no bit of a symbol, last in the order.
    pub fn auxiliary(&mut self, name: &str) -> Variable {
        let variable = self.graph.variable(name);
        self.system.add_variable(variable);
        self.order.push(variable);
        variable
    }

    /// Makes a variable observe runs: it has this value in the first state, and its next value is
    /// that of an expression over the step.
    pub fn observe(&mut self, variable: Variable, initial: bool, value: Expression) {
        let graph = &mut self.graph;
        let (now, next) = (graph.current(variable), graph.next(variable));
        let first = if initial { now } else { graph.not(now) };
        let step = graph.iff(next, value);
        self.system.add_initial(&self.graph, first);
        self.system.add_transition(&self.graph, step);
    }

    /// The expression of a formula without temporal operators.
    ///
    /// # Panics
    /// When it has a temporal operator or a proposition without an atom.
    pub fn expression(&mut self, store: &Store, formula: Formula) -> Expression {
        let parts = store.subformulas(formula);
        let mut built: Vec<Expression> = Vec::with_capacity(parts.len());
        for part in parts.iter() {
            let of = |operand| built[parts.position(operand)];
            let graph = &mut self.graph;
            built.push(match store.node(part) {
                Node::Constant(value) => graph.constant(value),
                Node::Proposition(proposition) => self.atoms[&proposition],
                Node::Unary(UnaryOp::Not, a) => graph.not(of(a)),
                Node::Binary(BinaryOp::And, a, b) => graph.and(of(a), of(b)),
                Node::Binary(BinaryOp::Or, a, b) => graph.or(of(a), of(b)),
                Node::Binary(BinaryOp::Xor, a, b) => graph.xor(of(a), of(b)),
                Node::Binary(BinaryOp::Implies, a, b) => graph.implies(of(a), of(b)),
                Node::Binary(BinaryOp::Iff, a, b) => graph.iff(of(a), of(b)),
                _ => panic!("a formula without temporal operators"),
            });
        }
        built[parts.position(formula)]
    }

    /// Demands compassion: if `p` holds in infinitely many steps, so does `q`. Neither has next
    /// values.
    ///
    /// An auxiliary variable may become true at any time, and then stays true and forbids `p`.
    /// Justice is that it is true or `q` holds. So a run has a fair extension by the variable
    /// exactly if `p` holds only finitely often, or `q` infinitely often.
    pub fn demand_compassion(&mut self, p: Expression, q: Expression) {
        let variable = self.auxiliary("p_has_ended");
        let graph = &mut self.graph;
        let (ended, next) = (graph.current(variable), graph.next(variable));
        let stays = graph.implies(ended, next);
        let both = graph.and(ended, p);
        let forbidden = graph.not(both);
        let justice = graph.or(ended, q);
        self.system.add_transition(&self.graph, stays);
        self.system.add_invariant(&self.graph, forbidden);
        self.system.add_justice(justice);
    }

    /// A variable that violates the invariant of models: a variable of the system that is not
    /// exactly once in the order, or a variable of an atom or constraint that the system lacks.
    pub fn undeclared(&self) -> Option<Variable> {
        let mut declared: Vec<Variable> = self.system.variables().to_vec();
        let mut ordered = self.order.clone();
        declared.sort_unstable();
        ordered.sort_unstable();
        if declared != ordered {
            let differs = declared.iter().zip(&ordered).find(|(one, other)| one != other);
            let longer = declared.get(ordered.len()).or_else(|| ordered.get(declared.len()));
            return differs.map(|(&one, &other)| one.min(other)).or(longer.copied());
        }
        let mut roots = self.system.constraints();
        roots.extend(self.atoms.values());
        let mentioned = self.graph.variables(&roots);
        mentioned.into_iter().find(|variable| declared.binary_search(variable).is_err())
    }

    /// Whether one of some expressions has inputs or next values: it is then about steps, not about
    /// states.
    pub fn is_about_steps(&self, expressions: &[Expression]) -> bool {
        let mentioned = self.graph.variables(expressions);
        let inputs = self.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
        let mut bits = inputs.flat_map(|symbol| &symbol.bits);
        expressions.iter().any(|&expression| self.graph.looks_ahead(expression))
            || bits.any(|bit| mentioned.binary_search(bit).is_ok())
    }

    /// Keeps the runs whose words satisfy a formula. Propositions without an atom become atoms with
    /// variables of their own. The variables of the formula are last in the order, in the order of
    /// the encoding.
    pub fn constrain<E: From<Untranslatable>>(
        &mut self,
        store: &mut Store,
        formula: Formula,
        encoding: Encoding,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let graph = &mut self.graph;
        let encoded = encode(graph, store, formula, encoding, &self.atoms, interrupt)?;
        self.add(encoded);
        Ok(())
    }

    /// Keeps the finite paths whose words satisfy a formula: those that end in a state with the
    /// returned condition. As [`Model::constrain`] otherwise.
    pub fn constrain_finite<E: From<Untranslatable>>(
        &mut self,
        store: &mut Store,
        formula: Formula,
        encoding: Encoding,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Expression, E> {
        let graph = &mut self.graph;
        let encoded = encode_finite(graph, store, formula, encoding, &self.atoms, interrupt)?;
        let last = encoded.last.expect("the encoding over finite words has a last state");
        self.add(encoded);
        Ok(last)
    }

    fn add(&mut self, encoded: Encoded) {
        let Encoded { system, order, atoms, .. } = encoded;
        system.variables().iter().for_each(|&variable| self.system.add_variable(variable));
        self.system.extend(system);
        self.order.extend(order);
        self.atoms.extend(atoms);
    }

    /// The letters of a trace of the system: at each step the propositions whose atoms hold. A
    /// finite trace has a finite word. Its last letter reads the inputs of the last state, which
    /// mean nothing, and next values as false.
    ///
    /// # Panics
    /// When the trace has another number of variables, or when an atom has a variable that the
    /// system lacks.
    pub fn word(&self, trace: &Trace) -> Word {
        let atoms: Vec<Expression> = self.atoms.values().copied().collect();
        let columns = columns(&self.graph, &self.system, trace, &atoms);
        let letter = |step: usize| -> Letter {
            let held = self.atoms.keys().zip(&columns);
            let held = held.filter(|(_, column)| column[step / 64] >> (step % 64) & 1 == 1);
            held.map(|(&proposition, _)| proposition).collect()
        };
        Word::from_letters((0..trace.len()).map(letter).collect(), trace.loop_start())
    }
}
