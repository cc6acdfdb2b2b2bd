//! Models, targets, formulas of CTL and traces as JSON, for other processes.
//!
//! Expressions are written as a list, operands first, and named by their place in it. Only those
//! below the constraints, the atoms and the question are written. The reader builds them again, so
//! handles of the two processes differ, but the variables of the system have the same places: a
//! trace is a list of bits per state. The reader checks every number, because a worker may write
//! anything.

use kermode_ltl::Store;
use kermode_system::ctl::evidence::{Claim, Evidence};
use kermode_system::ctl::{
    CtlConnective, CtlNode, PathFormula, Quantifier, StepBounds, Subformula,
};
use kermode_system::{
    Below, Ctl, Domain, Expression, Graph, Model, Symbol, SymbolKind, Target, Term, Trace, Variable,
};
use serde::{Deserialize, Serialize};

use super::wire::WireError;

/// A model, without the names of its expressions, which constrain nothing.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WrittenModel {
    names: Vec<String>,
    terms: Vec<WrittenTerm>,
    variables: Vec<usize>,
    initial: Vec<usize>,
    transition: Vec<usize>,
    invariants: Vec<usize>,
    justice: Vec<usize>,
    order: Vec<usize>,
    symbols: Vec<WrittenSymbol>,
    atoms: Vec<(String, usize)>,
}

/// The outermost operator of an expression; operands are places in the list.
#[derive(Debug, Serialize, Deserialize)]
enum WrittenTerm {
    Constant(bool),
    Current(usize),
    Next(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Implies(usize, usize),
    Iff(usize, usize),
}

#[derive(Debug, Serialize, Deserialize)]
struct WrittenSymbol {
    name: String,
    kind: WrittenKind,
    domain: WrittenDomain,
    bits: Vec<usize>,
}

#[derive(Debug, Serialize, Deserialize)]
enum WrittenKind {
    State,
    Input,
    Frozen,
}

#[derive(Debug, Serialize, Deserialize)]
enum WrittenDomain {
    Boolean,
    Values(Vec<String>),
    Range(i32, i32),
    Word { signed: bool, width: u8 },
}

/// The end of a path.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum WrittenTarget {
    State(usize),
    Step(usize),
    DeadEnd,
}

/// A formula of CTL: its nodes, operands first.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WrittenCtl(Vec<WrittenCtlNode>);

#[derive(Debug, Serialize, Deserialize)]
enum WrittenCtlNode {
    Atom(usize),
    Not(usize),
    Binary(WrittenConnective, usize, usize),
    Path { all: bool, operator: WrittenOperator, operands: Vec<usize>, bounds: Option<(u32, u32)> },
}

#[derive(Debug, Serialize, Deserialize)]
enum WrittenConnective {
    And,
    Or,
    Implies,
    Iff,
    Xor,
}

#[derive(Debug, Serialize, Deserialize)]
enum WrittenOperator {
    Next,
    Eventually,
    Globally,
    Until,
}

/// The places of expressions in the list.
pub(super) struct Places<'m> {
    model: &'m Model,
    below: Below,
}

impl<'m> Places<'m> {
    /// The expressions of a model, and others of its graph.
    pub(super) fn new(model: &'m Model, others: &[Expression]) -> Self {
        let mut roots = model.system.constraints();
        roots.extend(model.atoms.values());
        roots.extend(others);
        Places { model, below: Below::of(&model.graph, &roots) }
    }

    fn of(&self, expression: Expression) -> usize {
        self.below.position(expression)
    }

    fn all(&self, expressions: &[Expression]) -> Vec<usize> {
        expressions.iter().map(|&expression| self.of(expression)).collect()
    }

    /// Writes the model. The propositions belong to the store.
    pub(super) fn model(&self, store: &Store) -> WrittenModel {
        let Model { graph, system, order, symbols, atoms } = self.model;
        let indices = |all: &[Variable]| all.iter().map(|v| v.index()).collect::<Vec<_>>();
        let symbol = |symbol: &Symbol| WrittenSymbol {
            name: symbol.name.clone(),
            kind: match symbol.kind {
                SymbolKind::State => WrittenKind::State,
                SymbolKind::Input => WrittenKind::Input,
                SymbolKind::Frozen => WrittenKind::Frozen,
            },
            domain: match &symbol.domain {
                Domain::Boolean => WrittenDomain::Boolean,
                Domain::Values(values) => WrittenDomain::Values(values.clone()),
                &Domain::Range(low, high) => WrittenDomain::Range(low, high),
                &Domain::Word { signed, width } => WrittenDomain::Word { signed, width },
            },
            bits: indices(&symbol.bits),
        };
        let used = graph.variables(&self.below.iter().collect::<Vec<_>>());
        let declared = system.variables().iter().chain(order);
        let bits = symbols.iter().flat_map(|symbol| &symbol.bits);
        let known: Vec<Variable> = declared.chain(bits).chain(&used).copied().collect();
        let count = known.iter().map(|variable| variable.index() + 1).max().unwrap_or(0);
        let mut names = vec![String::new(); count];
        known.iter().for_each(|&v| names[v.index()] = graph.name(v).to_owned());
        let atom = |(&p, &atom)| (store.name(p).to_owned(), self.of(atom));
        WrittenModel {
            names,
            terms: self.below.iter().map(|expression| self.term(expression)).collect(),
            variables: indices(system.variables()),
            initial: self.all(system.initial()),
            transition: self.all(system.transition()),
            invariants: self.all(system.invariants()),
            justice: self.all(system.justice()),
            order: indices(order),
            symbols: symbols.iter().map(symbol).collect(),
            atoms: atoms.iter().map(atom).collect(),
        }
    }

    fn term(&self, expression: Expression) -> WrittenTerm {
        let of = |operand| self.of(operand);
        match self.model.graph.term(expression) {
            Term::Constant(value) => WrittenTerm::Constant(value),
            Term::Current(variable) => WrittenTerm::Current(variable.index()),
            Term::Next(variable) => WrittenTerm::Next(variable.index()),
            Term::Not(a) => WrittenTerm::Not(of(a)),
            Term::And(a, b) => WrittenTerm::And(of(a), of(b)),
            Term::Or(a, b) => WrittenTerm::Or(of(a), of(b)),
            Term::Implies(a, b) => WrittenTerm::Implies(of(a), of(b)),
            Term::Iff(a, b) => WrittenTerm::Iff(of(a), of(b)),
        }
    }

    /// Writes a target.
    pub(super) fn target(&self, target: Target) -> WrittenTarget {
        match target {
            Target::State(expression) => WrittenTarget::State(self.of(expression)),
            Target::Step(expression) => WrittenTarget::Step(self.of(expression)),
            Target::DeadEnd => WrittenTarget::DeadEnd,
        }
    }

    /// Writes a formula of CTL.
    pub(super) fn ctl(&self, formula: &Ctl) -> WrittenCtl {
        let node = |subformula: Subformula| match formula.node(subformula) {
            CtlNode::Atom(expression) => WrittenCtlNode::Atom(self.of(expression)),
            CtlNode::Not(a) => WrittenCtlNode::Not(a.index()),
            CtlNode::Binary(connective, a, b) => {
                let connective = match connective {
                    CtlConnective::And => WrittenConnective::And,
                    CtlConnective::Or => WrittenConnective::Or,
                    CtlConnective::Implies => WrittenConnective::Implies,
                    CtlConnective::Iff => WrittenConnective::Iff,
                    CtlConnective::Xor => WrittenConnective::Xor,
                };
                WrittenCtlNode::Binary(connective, a.index(), b.index())
            }
            CtlNode::Path(quantifier, path) => {
                let (operator, bounds) = match path {
                    PathFormula::Next(_) => (WrittenOperator::Next, None),
                    PathFormula::Eventually(_, bounds) => (WrittenOperator::Eventually, bounds),
                    PathFormula::Globally(_, bounds) => (WrittenOperator::Globally, bounds),
                    PathFormula::Until(_, _, bounds) => (WrittenOperator::Until, bounds),
                };
                let operands = CtlNode::Path(quantifier, path).operands();
                WrittenCtlNode::Path {
                    all: quantifier == Quantifier::All,
                    operator,
                    operands: operands.map(Subformula::index).collect(),
                    bounds: bounds.map(|bounds| (bounds.low, bounds.high)),
                }
            }
        };
        WrittenCtl(formula.subformulas().map(node).collect())
    }
}

/// A model that was read, and its expressions by place.
pub(super) struct ReadModel {
    pub(super) model: Model,
    expressions: Vec<Expression>,
}

fn wrong(what: &str) -> WireError {
    WireError::new(format!("the model has a wrong {what}"))
}

impl WrittenModel {
    /// Builds the model, with its propositions in the store.
    pub(super) fn read(&self, store: &mut Store) -> Result<ReadModel, WireError> {
        let mut model = Model::new();
        let variables: Vec<Variable> =
            self.names.iter().map(|name| model.graph.variable(name)).collect();
        let variable =
            |index: &usize| variables.get(*index).copied().ok_or_else(|| wrong("variable"));
        let list = |indices: &[usize]| indices.iter().map(variable).collect::<Result<Vec<_>, _>>();
        let mut expressions: Vec<Expression> = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let of = |place: &usize| expressions.get(*place).copied().ok_or_else(|| wrong("term"));
            let graph = &mut model.graph;
            expressions.push(match term {
                WrittenTerm::Constant(value) => graph.constant(*value),
                WrittenTerm::Current(index) => graph.current(variable(index)?),
                WrittenTerm::Next(index) => graph.next(variable(index)?),
                WrittenTerm::Not(a) => graph.not(of(a)?),
                WrittenTerm::And(a, b) => graph.and(of(a)?, of(b)?),
                WrittenTerm::Or(a, b) => graph.or(of(a)?, of(b)?),
                WrittenTerm::Implies(a, b) => graph.implies(of(a)?, of(b)?),
                WrittenTerm::Iff(a, b) => graph.iff(of(a)?, of(b)?),
            });
        }
        let read = ReadModel { model: Model::new(), expressions };
        let about_states = |graph: &Graph, place: &usize| {
            let expression = read.expression(*place)?;
            if graph.looks_ahead(expression) { Err(wrong("constraint")) } else { Ok(expression) }
        };
        let Model { graph, system, .. } = &mut model;
        list(&self.variables)?.into_iter().for_each(|variable| system.add_variable(variable));
        for place in &self.initial {
            system.add_initial(graph, about_states(graph, place)?);
        }
        for place in &self.transition {
            system.add_transition(graph, read.expression(*place)?);
        }
        for place in &self.invariants {
            system.add_invariant(graph, about_states(graph, place)?);
        }
        for place in &self.justice {
            system.add_justice(read.expression(*place)?);
        }
        model.order = list(&self.order)?;
        for symbol in &self.symbols {
            model.symbols.push(symbol.read(list(&symbol.bits)?));
        }
        for (name, place) in &self.atoms {
            model.atoms.insert(store.proposition(name), read.expression(*place)?);
        }
        Ok(ReadModel { model, ..read })
    }
}

impl WrittenSymbol {
    fn read(&self, bits: Vec<Variable>) -> Symbol {
        Symbol {
            name: self.name.clone(),
            kind: match self.kind {
                WrittenKind::State => SymbolKind::State,
                WrittenKind::Input => SymbolKind::Input,
                WrittenKind::Frozen => SymbolKind::Frozen,
            },
            domain: match &self.domain {
                WrittenDomain::Boolean => Domain::Boolean,
                WrittenDomain::Values(values) => Domain::Values(values.clone()),
                &WrittenDomain::Range(low, high) => Domain::Range(low, high),
                &WrittenDomain::Word { signed, width } => Domain::Word { signed, width },
            },
            bits,
        }
    }
}

impl ReadModel {
    fn expression(&self, place: usize) -> Result<Expression, WireError> {
        self.expressions.get(place).copied().ok_or_else(|| wrong("expression"))
    }

    /// The target that was written with the model.
    pub(super) fn target(&self, written: &WrittenTarget) -> Result<Target, WireError> {
        Ok(match *written {
            WrittenTarget::State(place) => Target::State(self.expression(place)?),
            WrittenTarget::Step(place) => Target::Step(self.expression(place)?),
            WrittenTarget::DeadEnd => Target::DeadEnd,
        })
    }

    /// The formula of CTL that was written with the model.
    pub(super) fn ctl(&self, written: &WrittenCtl) -> Result<Ctl, WireError> {
        let mut formula = Ctl::new();
        let mut added: Vec<Subformula> = Vec::with_capacity(written.0.len());
        for node in &written.0 {
            let of = |place: &usize| added.get(*place).copied().ok_or_else(|| wrong("formula"));
            let node = match node {
                WrittenCtlNode::Atom(place) => CtlNode::Atom(self.expression(*place)?),
                WrittenCtlNode::Not(a) => CtlNode::Not(of(a)?),
                WrittenCtlNode::Binary(connective, a, b) => {
                    let connective = match connective {
                        WrittenConnective::And => CtlConnective::And,
                        WrittenConnective::Or => CtlConnective::Or,
                        WrittenConnective::Implies => CtlConnective::Implies,
                        WrittenConnective::Iff => CtlConnective::Iff,
                        WrittenConnective::Xor => CtlConnective::Xor,
                    };
                    CtlNode::Binary(connective, of(a)?, of(b)?)
                }
                WrittenCtlNode::Path { all, operator, operands, bounds } => {
                    let quantifier = if *all { Quantifier::All } else { Quantifier::Exists };
                    let bounds = match *bounds {
                        Some((low, high)) if low > high => return Err(wrong("bound")),
                        bounds => bounds.map(|(low, high)| StepBounds { low, high }),
                    };
                    let path = match (operator, &operands[..]) {
                        (WrittenOperator::Next, [a]) => PathFormula::Next(of(a)?),
                        (WrittenOperator::Eventually, [a]) => {
                            PathFormula::Eventually(of(a)?, bounds)
                        }
                        (WrittenOperator::Globally, [a]) => PathFormula::Globally(of(a)?, bounds),
                        (WrittenOperator::Until, [a, b]) => {
                            PathFormula::Until(of(a)?, of(b)?, bounds)
                        }
                        _ => return Err(wrong("formula")),
                    };
                    CtlNode::Path(quantifier, path)
                }
            };
            added.push(formula.add(node));
        }
        if formula.is_empty() { Err(wrong("formula")) } else { Ok(formula) }
    }
}

/// A trace: for each state the places of the true variables.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WrittenTrace {
    variables: usize,
    states: Vec<Vec<usize>>,
    loop_start: Option<usize>,
}

impl WrittenTrace {
    pub(super) fn of(trace: &Trace) -> WrittenTrace {
        let variables = trace.variable_count();
        let state =
            |step| (0..variables).filter(|&place| trace.value(step, place)).collect::<Vec<_>>();
        let states = (0..trace.len()).map(state).collect();
        WrittenTrace { variables, states, loop_start: trace.loop_start() }
    }

    /// The trace, if it has the right number of variables.
    pub(super) fn read(&self, variables: usize) -> Result<Trace, WireError> {
        let is_loop = self.loop_start.is_none_or(|start| start < self.states.len());
        if self.variables != variables || self.states.is_empty() || !is_loop {
            return Err(WireError::new("the trace is not one of the model"));
        }
        let state = |held: &Vec<usize>| {
            let mut values = vec![false; variables];
            for &place in held {
                *values.get_mut(place).ok_or_else(|| wrong("trace"))? = true;
            }
            Ok(values)
        };
        let states = self.states.iter().map(state).collect::<Result<Vec<_>, WireError>>()?;
        Ok(Trace::new(variables, states, self.loop_start))
    }
}

/// What a path shows of a formula of CTL: times, subformulas and their truth values.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WrittenEvidence {
    shown: Vec<(usize, usize, bool)>,
    not_shown: Vec<(usize, usize, bool)>,
}

impl WrittenEvidence {
    pub(super) fn of(evidence: &Evidence) -> WrittenEvidence {
        let written = |claims: &[Claim]| {
            claims.iter().map(|c| (c.time, c.formula.index(), c.holds)).collect::<Vec<_>>()
        };
        WrittenEvidence { shown: written(&evidence.shown), not_shown: written(&evidence.not_shown) }
    }

    pub(super) fn read(&self, formula: &Ctl) -> Result<Evidence, WireError> {
        let subformulas: Vec<Subformula> = formula.subformulas().collect();
        let claims = |written: &[(usize, usize, bool)]| {
            let claim = |&(time, place, holds): &(usize, usize, bool)| {
                let formula = subformulas.get(place).copied().ok_or_else(|| wrong("claim"))?;
                Ok(Claim { time, formula, holds })
            };
            written.iter().map(claim).collect::<Result<Vec<Claim>, WireError>>()
        };
        Ok(Evidence { shown: claims(&self.shown)?, not_shown: claims(&self.not_shown)? })
    }
}
