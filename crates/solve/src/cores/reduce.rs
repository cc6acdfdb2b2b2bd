//! What a core needs of its members: subformulas that can be replaced by a constant.
//!
//! An occurrence of a subformula below an even number of negations is replaced by `true`, one below
//! an odd number by `false`. Each replacement makes the member weaker, so the replacements that
//! keep the core unsatisfiable are explored greedily \[Sch12\]: an occurrence that is needed once
//! remains needed. Larger subformulas are tried first. Occurrences below `<->` and `^` have both
//! polarities and stay.
//!
//! Invariant: after each step the members are unsatisfiable together, and each is implied by the
//! original one.

use std::rc::Rc;

use kermode_ltl::{BinaryOp, Formula, Node, Store, UnaryOp, Word};

use super::oracle::{Interruption, Oracle};
use crate::frame::answer::InternalError;
use crate::frame::budget::Stop;

/// Members with more occurrences of subformulas are not reduced.
const MOST_OCCURRENCES: usize = 5_000;

/// An occurrence of a subformula.
struct Occurrence {
    formula: Formula,
    /// Its operands, as places in the tree.
    operands: Vec<usize>,
    /// Its polarity, unless it has both.
    polarity: Option<bool>,
    /// Whether it is worth trying: a constant below a negation is the negation's own constant.
    is_candidate: bool,
    replaced: bool,
}

/// The occurrences of subformulas in a formula. Operands come after their operators, and shallow
/// occurrences before deep ones.
struct Tree(Vec<Occurrence>);

impl Tree {
    /// `None` if it would be too large.
    fn of(store: &Store, root: Formula) -> Option<Tree> {
        let occurrence = |formula, polarity, is_candidate| Occurrence {
            formula,
            operands: Vec::new(),
            polarity,
            is_candidate,
            replaced: false,
        };
        let mut all = vec![occurrence(root, Some(true), false)];
        let mut place = 0;
        while place < all.len() {
            let node = store.node(all[place].formula);
            let polarity = all[place].polarity;
            for (side, operand) in node.operands().enumerate() {
                let polarity = match node {
                    Node::Unary(UnaryOp::Not, _) => polarity.map(|positive| !positive),
                    Node::Binary(BinaryOp::Implies, _, _) if side == 0 => {
                        polarity.map(|positive| !positive)
                    }
                    Node::Binary(BinaryOp::Iff | BinaryOp::Xor, _, _) => None,
                    _ => polarity,
                };
                let is_constant = matches!(store.node(operand), Node::Constant(_));
                let is_negated = matches!(node, Node::Unary(UnaryOp::Not, _)) && place > 0;
                let is_candidate = polarity.is_some() && !is_constant && !is_negated;
                let operand_place = all.len();
                all[place].operands.push(operand_place);
                all.push(occurrence(operand, polarity, is_candidate));
            }
            place += 1;
            if all.len() > MOST_OCCURRENCES {
                return None;
            }
        }
        Some(Tree(all))
    }

    /// The formula after the replacements. Constants are simplified.
    fn formula(&self, store: &mut Store) -> Formula {
        let mut built: Vec<Option<Formula>> = vec![None; self.0.len()];
        for (place, occurrence) in self.0.iter().enumerate().rev() {
            let formula = match (occurrence.replaced, occurrence.polarity) {
                (true, Some(positive)) => store.constant(positive),
                _ => {
                    let operand = |side: usize| {
                        let place = occurrence.operands[side];
                        built[place].expect("operands are built first")
                    };
                    match store.node(occurrence.formula) {
                        Node::Unary(op, _) => store.unary(op, operand(0)),
                        Node::Binary(op, _, _) => store.binary(op, operand(0), operand(1)),
                        node => {
                            let mut side = 0;
                            let changed = node.map(|_| {
                                side += 1;
                                operand(side - 1)
                            });
                            store.intern(changed)
                        }
                    }
                }
            };
            built[place] = Some(formula);
        }
        built[0].expect("the root is built")
    }

    /// Marks the occurrences below a replaced one, which are gone.
    fn forget_below(&mut self, place: usize) {
        let mut todo = self.0[place].operands.clone();
        while let Some(place) = todo.pop() {
            self.0[place].is_candidate = false;
            todo.extend(&self.0[place].operands);
        }
    }
}

/// The weakest members that are found to contradict each other, and the reason if the search ended
/// early.
pub(super) fn reduce(
    oracle: &mut Oracle,
    core: &[usize],
) -> Result<(Vec<Formula>, Option<Stop>), InternalError> {
    let mut formulas: Vec<Formula> = core.iter().map(|&member| oracle.members[member]).collect();
    let trees = formulas.iter().map(|&formula| Tree::of(&oracle.store, formula)).collect();
    match reduce_all(oracle, &mut formulas, trees) {
        Ok(()) => Ok((formulas, None)),
        Err(Interruption::Stop(stop)) => Ok((formulas, Some(stop))),
        Err(Interruption::Bug(error)) => Err(error),
    }
}

fn reduce_all(
    oracle: &mut Oracle,
    formulas: &mut [Formula],
    trees: Vec<Option<Tree>>,
) -> Result<(), Interruption> {
    let mut words: Vec<_> = oracle.models.iter().filter_map(|model| model.word.clone()).collect();
    for (member, tree) in trees.into_iter().enumerate() {
        let Some(mut tree) = tree else { continue };
        for place in 0..tree.0.len() {
            if !tree.0[place].is_candidate {
                continue;
            }
            tree.0[place].replaced = true;
            let weaker = tree.formula(&mut oracle.store);
            let others = formulas.iter().enumerate().filter(|&(other, _)| other != member);
            let mut all: Vec<Formula> = others.map(|(_, &formula)| formula).collect();
            all.push(weaker);
            all.extend(&oracle.assumptions);
            if holds_on_some(oracle, &all, &mut words)? {
                tree.0[place].replaced = false;
            } else {
                formulas[member] = weaker;
                tree.forget_below(place);
            }
        }
    }
    Ok(())
}

/// Whether the formulas hold together on a word: a known one, or one that an engine finds.
fn holds_on_some(
    oracle: &mut Oracle,
    formulas: &[Formula],
    words: &mut Vec<Rc<Word>>,
) -> Result<bool, Interruption> {
    for word in words.iter().rev() {
        if oracle.all_hold(formulas, word)? {
            return Ok(true);
        }
    }
    let (satisfiable, word) = oracle.ask(formulas, None)?;
    words.extend(word.map(Rc::new));
    Ok(satisfiable)
}
