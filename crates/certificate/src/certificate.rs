//! Certificates as data, and their text.
//!
//! A certificate has proofs, and a proof has a claim, named bits, and sets of states: the nodes of
//! decision diagrams over the bits, which all sets share. `docs/certificates.md` describes the
//! text. [`read`](crate::read) reads it again.

use std::fmt;

use kermode_base::quoting::quote;
use kermode_ltl::Dialect;

/// What a certificate is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Properties of a model.
    Model,
    /// Formulas without words.
    Formula,
}

/// Proofs about a model, or about formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Which of the two.
    pub subject: Subject,
    /// The proofs.
    pub proofs: Vec<Proof>,
}

/// A claim, and sets of states that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What is proved.
    pub claim: Claim,
    /// The bits of states, the topmost in the order of the diagrams first.
    pub bits: Vec<BitName>,
    /// The nodes of the diagrams, operands first.
    pub nodes: Vec<Node>,
    /// The sets.
    pub argument: Argument,
}

/// The kind of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// Every fair path of the model satisfies an LTL formula.
    Ltl,
    /// Every finite path of the model satisfies an LTL formula.
    FiniteLtl,
    /// Every finite path of the model that ends in a dead end satisfies an LTL formula.
    MaximalLtl,
    /// An expression holds in all reachable states or steps of the model.
    Invariant,
    /// The model has no reachable dead end.
    Deadlock,
    /// No infinite word satisfies a formula.
    Formula,
    /// No finite word satisfies a formula.
    FiniteFormula,
}

impl ClaimKind {
    /// All kinds.
    pub const ALL: [ClaimKind; 7] = [
        ClaimKind::Ltl,
        ClaimKind::FiniteLtl,
        ClaimKind::MaximalLtl,
        ClaimKind::Invariant,
        ClaimKind::Deadlock,
        ClaimKind::Formula,
        ClaimKind::FiniteFormula,
    ];

    /// The name in certificates.
    pub fn name(self) -> &'static str {
        match self {
            ClaimKind::Ltl => "ltl",
            ClaimKind::FiniteLtl => "ltl-finite",
            ClaimKind::MaximalLtl => "ltl-maximal",
            ClaimKind::Invariant => "invariant",
            ClaimKind::Deadlock => "deadlock",
            ClaimKind::Formula => "formula",
            ClaimKind::FiniteFormula => "formula-finite",
        }
    }

    /// What certificates with such claims are about.
    pub fn subject(self) -> Subject {
        match self {
            ClaimKind::Formula | ClaimKind::FiniteFormula => Subject::Formula,
            _ => Subject::Model,
        }
    }
}

/// What is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The kind.
    pub kind: ClaimKind,
    /// The number of the specification in the model, from 1; typed properties have none.
    pub number: Option<usize>,
    /// The dialect of a typed LTL formula, unless that is an LTL expression of SMV.
    pub syntax: Option<Dialect>,
    /// The property on one line, as it is written in the model or was typed, or the formula.
    pub text: String,
    /// The paths in question satisfy these formulas, which are in the same dialect.
    pub assumptions: Vec<String>,
}

/// The name of a bit of states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BitName {
    /// A bit of a variable of the model, or a proposition of the formula.
    Variable {
        /// The name of the variable.
        name: String,
        /// Which bit, the least significant first.
        bit: u32,
    },
    /// The bit of the tableau that says what holds at the next position.
    Next(Place),
    /// The bit of the tableau that says what held at the previous position.
    Past(Place),
    /// The bit that has the value of an expression about a step.
    Step {
        /// The number of the subformula that is the expression.
        subformula: u32,
    },
    /// The bit that says that the first condition of a compassion constraint holds no more.
    Ended {
        /// The number of the constraint, from 1.
        compassion: u32,
    },
}

/// A place in the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The number of the subformula.
    pub subformula: u32,
    /// Which bit of the subformula, from 0. Operators with bounds have several.
    pub bit: u32,
}

/// The name of a justice constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JusticeName {
    /// The constraint `TRUE`.
    Always,
    /// A constraint of the model, by its number from 1.
    Model(u32),
    /// The constraint of a compassion constraint, by its number from 1.
    Compassion(u32),
    /// The constraint of the tableau for a subformula, by its number.
    Formula(u32),
}

/// A set of states: the index of a node. 0 is the empty set, 1 the set of all states, and 2 the
/// first node.
pub type SetId = u32;

/// A node: `high` where its bit is true, else `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The index of the bit.
    pub bit: u32,
    /// The set where the bit is false. Its index is smaller than that of the node.
    pub low: SetId,
    /// The set where the bit is true. Its index is smaller than that of the node.
    pub high: SetId,
}

/// The sets of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// No path from an initial state is fair.
    NoFairPath {
        /// The set Z_0, which no path leaves.
        start: SetId,
        /// The sets that follow.
        rounds: Vec<Round>,
    },
    /// No path from an initial state meets the goal: a set that no path leaves.
    Inductive(SetId),
}

/// The sets R_i and Z_(i+1), and the justice constraint F_i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The constraint.
    pub justice: JusticeName,
    /// The states of Z_i with a path in Z_i to the constraint, or more.
    pub reach: SetId,
    /// What is left of Z_i, or more.
    pub left: SetId,
}

impl fmt::Display for BitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BitName::Variable { name, bit } => write!(f, "variable {bit} {}", quote(name)),
            BitName::Next(Place { subformula, bit }) => write!(f, "next {subformula} {bit}"),
            BitName::Past(Place { subformula, bit }) => write!(f, "past {subformula} {bit}"),
            BitName::Step { subformula } => write!(f, "step {subformula}"),
            BitName::Ended { compassion } => write!(f, "ended {compassion}"),
        }
    }
}

impl fmt::Display for JusticeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JusticeName::Always => write!(f, "always"),
            JusticeName::Model(number) => write!(f, "model {number}"),
            JusticeName::Compassion(number) => write!(f, "compassion {number}"),
            JusticeName::Formula(number) => write!(f, "formula {number}"),
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = match self.subject {
            Subject::Model => "model",
            Subject::Formula => "formula",
        };
        writeln!(f, "kermode certificate 1 {subject}")?;
        self.proofs.iter().try_for_each(|proof| write!(f, "{proof}"))
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "proof {}", self.kind.name())?;
        if let Some(number) = self.number {
            writeln!(f, "property {number}")?;
        }
        if let Some(dialect) = self.syntax {
            writeln!(f, "syntax {}", dialect.name())?;
        }
        writeln!(f, "text {}", quote(&self.text))?;
        self.assumptions.iter().try_for_each(|text| writeln!(f, "assume {}", quote(text)))
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.claim)?;
        writeln!(f, "bits {}", self.bits.len())?;
        self.bits.iter().try_for_each(|name| writeln!(f, "{name}"))?;
        writeln!(f, "nodes {}", self.nodes.len())?;
        let mut nodes = self.nodes.iter();
        nodes.try_for_each(|Node { bit, low, high }| writeln!(f, "{bit} {low} {high}"))?;
        match &self.argument {
            Argument::Inductive(set) => writeln!(f, "set {set}")?,
            Argument::NoFairPath { start, rounds } => {
                writeln!(f, "start {start}")?;
                for Round { justice, reach, left } in rounds {
                    writeln!(f, "by {justice} reach {reach} left {left}")?;
                }
            }
        }
        writeln!(f, "end")
    }
}
