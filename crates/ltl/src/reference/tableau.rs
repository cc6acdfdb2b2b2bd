//! The textbook decision procedure: the graph of all atoms (\[MP95\], \[CGH97\]), on explicit sets.
//!
//! An *atom* guesses the truth of each proposition and, for each temporal subformula, of its
//! *promise*: its demand on the next position (`X a` promises `a`, `a U b` promises `a U b`) or,
//! for past operators, on the previous one. The expansion laws then determine the truth of all
//! subformulas, bottom up. Atom `t` may follow `s` if the future promises of `s` hold in `t`, and
//! the past promises of `t` hold in `s`. Both conditions are one equality of bit rows, one bit per
//! temporal subformula: `s.to == t.from`. So atoms are the edges of a graph whose nodes are such
//! rows, and its size is linear in the number of atoms.
//!
//! A finite word is a path to an atom that promises what holds at the end. An infinite path must be
//! *fair*: infinitely often each least fixpoint (`F U M`) is false or reaches its goal, and each
//! greatest fixpoint (`G R W`) is true or is refuted. Such a path exists iff a reachable component
//! of the graph has an atom for each of them.

use super::TableauStop;
use crate::normal::without_bounded;
use crate::operator::{BinaryOp, UnaryOp};
use crate::store::{Formula, Node, Proposition, Store, Subformulas};
use crate::word::{Letter, Word, WordKind};
use kermode_base::components;

/// The largest number of elementary formulas: there are 2^n atoms of 20 bytes.
const LIMIT: usize = 22;
/// The largest number of subformulas after expansion of bounded operators.
pub(super) const EXPANSION_LIMIT: u64 = 1 << 16;

/// Decides a formula by the laws of its operators; [`law`] has the right ones.
pub(super) fn tableau_by<E>(
    law: impl Fn(Node, [bool; 2], bool) -> Law,
    store: &Store,
    formula: Formula,
    words: WordKind,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Word>, TableauStop<E>> {
    let (store, formula) = without_bounded(store, formula, words, EXPANSION_LIMIT)?;
    let order = store.subformulas(formula);
    let propositions = store.propositions(formula);
    let temporal = order.iter().filter(|&f| store.node(f).is_temporal()).count();
    let elementary = propositions.len() + temporal;
    if elementary > LIMIT {
        return Err(TableauStop::TooLarge { elementary, limit: LIMIT });
    }
    let steps = steps(&store, &order, &propositions);
    let mut values = Vec::with_capacity(steps.len());
    let atom = |guess| atom(&law, &steps, propositions.len(), guess, &mut values);
    let stopped = TableauStop::Interrupted;
    let graph = AtomGraph::new(atom, elementary, temporal, interrupt).map_err(stopped)?;
    let Some((path, loop_start)) = graph.witness(words, interrupt).map_err(stopped)? else {
        return Ok(None);
    };
    let letter = |&atom: &usize| -> Letter {
        let holds = |i: &usize| graph.atoms[atom].letter >> i & 1 == 1;
        (0..propositions.len()).filter(holds).map(|i| propositions[i]).collect()
    };
    Ok(Some(Word::from_letters(path.iter().map(letter).collect(), loop_start)))
}

/// An edge of the graph.
struct Atom {
    from: u32,
    to: u32,
    /// One bit per proposition.
    letter: u32,
    /// One bit per temporal subformula: whether this atom is fair to it.
    fair: u32,
    initial: bool,
    last: bool,
}

/// The atoms sorted by source; those that leave `n` are `start[n]..start[n + 1]`.
struct AtomGraph {
    atoms: Vec<Atom>,
    start: Vec<usize>,
    all_fair: u32,
}

/// A path of atoms and, on an infinite word, where its loop starts.
type Path = (Vec<usize>, Option<usize>);

impl AtomGraph {
    fn new<E>(
        mut atom: impl FnMut(u32) -> Atom,
        elementary: usize,
        temporal: usize,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut atoms = Vec::with_capacity(1 << elementary);
        for guess in 0..1 << elementary {
            interrupt()?;
            atoms.push(atom(guess));
        }
        atoms.sort_by_key(|atom: &Atom| atom.from);
        let nodes = 1u32 << temporal;
        let start = (0..=nodes).map(|n| atoms.partition_point(|atom| atom.from < n)).collect();
        Ok(AtomGraph { atoms, start, all_fair: nodes - 1 })
    }

    fn leaving(&self, node: u32) -> std::ops::Range<usize> {
        self.start[node as usize]..self.start[node as usize + 1]
    }

    /// A shortest path that begins with one of `first`, stays within `allowed` and ends with a
    /// `goal`.
    fn path<E>(
        &self,
        first: impl Iterator<Item = usize>,
        allowed: impl Fn(&Atom) -> bool,
        goal: impl Fn(&Atom) -> bool,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<usize>>, E> {
        // Atoms in the order of their discovery, each with the place of the one before it.
        let mut found: Vec<(usize, usize)> = first.map(|atom| (atom, usize::MAX)).collect();
        let mut seen = vec![false; self.start.len()];
        let mut next = 0;
        while let Some(&(atom, _)) = found.get(next) {
            interrupt()?;
            if goal(&self.atoms[atom]) {
                let back = |&(_, place): &(usize, usize)| found.get(place).copied();
                let path = std::iter::successors(Some(found[next]), back).map(|(atom, _)| atom);
                let mut path: Vec<usize> = path.collect();
                path.reverse();
                return Ok(Some(path));
            }
            let node = self.atoms[atom].to;
            if !std::mem::replace(&mut seen[node as usize], true) {
                let onward = self.leaving(node).filter(|&a| allowed(&self.atoms[a]));
                found.extend(onward.map(|a| (a, next)));
            }
            next += 1;
        }
        Ok(None)
    }

    /// The path of a word: one that may end, or one that stays in a fair component for ever.
    fn witness<E>(
        &self,
        words: WordKind,
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Path>, E> {
        let initial = (0..self.atoms.len()).filter(|&atom| self.atoms[atom].initial);
        if words == WordKind::Finite {
            let path = self.path(initial, |_| true, |atom| atom.last, interrupt)?;
            return Ok(path.map(|atoms| (atoms, None)));
        }
        let component = components(&self.start, |edge| self.atoms[edge].to as usize, interrupt)?;
        let inside = |atom: &Atom| component[atom.from as usize] == component[atom.to as usize];
        let mut fair: Vec<Option<u32>> = vec![None; self.start.len()];
        for atom in self.atoms.iter().filter(|atom| inside(atom)) {
            *fair[component[atom.from as usize]].get_or_insert(0) |= atom.fair;
        }
        let good = |atom: &Atom| fair[component[atom.to as usize]] == Some(self.all_fair);
        let Some(mut path) = self.path(initial, |_| true, good, interrupt)? else {
            return Ok(None);
        };
        // Around the component until all fixpoints are treated fairly, and back to the start of the
        // loop.
        let loop_start = path.len();
        let home = self.atoms[path[loop_start - 1]].to;
        let (mut node, mut seen) = (home, 0);
        while seen != self.all_fair || node != home || path.len() == loop_start {
            let helps = |atom: &Atom| match seen == self.all_fair {
                true => atom.to == home,
                false => atom.fair & !seen != 0,
            };
            let first = self.leaving(node).filter(|&a| inside(&self.atoms[a]));
            let leg = self.path(first, inside, helps, interrupt)?;
            path.extend(leg.expect("a component is strongly connected"));
            seen = path[loop_start..].iter().fold(0, |seen, &a| seen | self.atoms[a].fair);
            node = self.atoms[path[path.len() - 1]].to;
        }
        Ok(Some((path, Some(loop_start))))
    }
}

/// A subformula in an atom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) node: Node,
    /// The positions of its operands among the subformulas.
    pub(super) operands: [Option<usize>; 2],
    /// The bit of the guess that is its value or its promise, if it has one.
    pub(super) guessed: usize,
}

/// All subformulas, operands first. A guess has one bit per proposition, then one per temporal
/// subformula.
pub(super) fn steps(store: &Store, order: &Subformulas, propositions: &[Proposition]) -> Vec<Step> {
    let mut row = propositions.len();
    let step = |formula| {
        let node = store.node(formula);
        let mut operands = node.operands().map(|operand| order.position(operand));
        let operands = [(); 2].map(|()| operands.next());
        let guessed = match node {
            Node::Proposition(p) => propositions.partition_point(|&other| other < p),
            _ => row,
        };
        row += usize::from(node.is_temporal());
        Step { node, operands, guessed }
    };
    order.iter().map(step).collect()
}

/// The atom of a guess. The values of its subformulas are left in `values`.
fn atom(
    law: &impl Fn(Node, [bool; 2], bool) -> Law,
    steps: &[Step],
    propositions: usize,
    guess: u32,
    values: &mut Vec<bool>,
) -> Atom {
    let letter = guess & ((1 << propositions) - 1);
    let mut atom = Atom { from: 0, to: 0, letter, fair: 0, initial: true, last: true };
    values.clear();
    for &Step { node, operands, guessed } in steps {
        let operands = operands.map(|operand| operand.is_some_and(|place| values[place]));
        let promise = guess >> guessed & 1 == 1;
        let law = law(node, operands, promise);
        if node.is_temporal() {
            let (from, to, border) = match node.is_past() {
                true => (promise, law.promised, &mut atom.initial),
                false => (law.promised, promise, &mut atom.last),
            };
            *border &= promise == law.at_border;
            let bit = guessed - propositions;
            atom.from |= u32::from(from) << bit;
            atom.to |= u32::from(to) << bit;
            atom.fair |= u32::from(law.fair) << bit;
        }
        values.push(law.truth);
    }
    atom.initial &= values.last() == Some(&true);
    atom
}

/// The expansion law of an operator.
pub(super) struct Law {
    pub(super) truth: bool,
    /// The value that a neighbour's promise refers to.
    pub(super) promised: bool,
    /// The promise beyond the border of the word.
    pub(super) at_border: bool,
    pub(super) fair: bool,
}

/// The law of an operator, given the values of its operands and the guess: its promise, or a
/// proposition.
pub(super) fn law(node: Node, [a, b]: [bool; 2], promise: bool) -> Law {
    use {BinaryOp::*, UnaryOp::*};
    let plain = |truth| Law { truth, promised: truth, at_border: false, fair: true };
    let next = |at_border| Law { truth: promise, promised: a, at_border, fair: true };
    let least =
        |truth, goal| Law { truth, promised: truth, at_border: false, fair: !truth || goal };
    let greatest =
        |truth, refuted| Law { truth, promised: truth, at_border: true, fair: truth || refuted };
    match node {
        Node::Constant(constant) => plain(constant),
        Node::Proposition(_) => plain(promise),
        Node::Unary(op, _) => match op {
            Not => plain(!a),
            Next | Yesterday => next(false),
            WeakNext | WeakYesterday => next(true),
            Finally => least(a || promise, a),
            Globally => greatest(a && promise, !a),
            // The past is finite: no goal can be postponed for ever.
            Once => least(a || promise, true),
            Historically => greatest(a && promise, true),
        },
        Node::Binary(op, _, _) => match op {
            And => plain(a && b),
            Or => plain(a || b),
            Xor => plain(a != b),
            Implies => plain(!a || b),
            Iff => plain(a == b),
            Until => least(b || a && promise, b),
            StrongRelease => least(b && (a || promise), a && b),
            WeakUntil => greatest(b || a && promise, !a && !b),
            Release => greatest(b && (a || promise), !b),
            Since => least(b || a && promise, true),
            Triggered => greatest(b && (a || promise), true),
        },
        Node::BoundedUnary(..) | Node::BoundedBinary(..) => unreachable!("written out before"),
    }
}
