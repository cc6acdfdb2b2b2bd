//! The minimal deterministic automaton of a formula over finite words.
//!
//! The Boolean structure of the formula is translated to products of automata, smallest first, each
//! of them minimised, as in \[HJJ95\] and \[DF21\]: requirements have many conjuncts, and the
//! automata of most conjunctions of some of them are small. Conjunctions below `G` and next count
//! too. A part without Boolean structure becomes an alternating automaton, and that becomes a
//! deterministic one (`progression.rs`).
//!
//! A part with past operators gets propositions that store their values (see
//! [`kermode_ltl::eliminate`]). The automata of their laws and of the part are multiplied, and the
//! additional propositions are projected away. If the past operators have no future operators
//! below, projection leaves the automaton deterministic.
//!
//! The automata of parts may differ from their formulas on the empty word, about which formulas say
//! nothing. The last step rejects it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use kermode_bdd::{CannotStart, OutOfNodes};
use kermode_ltl::conjuncts::conjuncts;
use kermode_ltl::eliminate::{Defined, define_past};
use kermode_ltl::normal::{ExpansionTooLarge, expand_bounded};
use kermode_ltl::rewrite::Rewriting;
use kermode_ltl::{BinaryOp, Formula, Node, Proposition, Store, UnaryOp, WordKind};
use rustc_hash::FxHashMap;

use super::combine::{Connective, combine};
use super::graph::Dfa;
use crate::from_ltl::{Untranslatable, from_ltl};
use crate::of_formula::EXPANSION_LIMIT;
use crate::trim::trim;

/// The minimal deterministic automaton of the non-empty finite words that satisfy a formula, over
/// the propositions of the formula.
pub fn deterministic<E>(
    store: &mut Store,
    formula: Formula,
    rewriting: &Rewriting,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Dfa, E>
where
    E: From<Untranslatable> + From<ExpansionTooLarge> + From<OutOfNodes> + From<CannotStart>,
{
    let words = WordKind::Finite;
    let propositions = store.propositions(formula);
    let simplified = rewriting.simplified(store, formula, words, interrupt)?;
    let unbounded = expand_bounded(store, simplified, words, EXPANSION_LIMIT)?;
    let automaton = Composition { store, propositions, done: FxHashMap::default(), interrupt }
        .automaton(unbounded)?;
    Rc::unwrap_or_clone(automaton).without_empty_word().minimised(interrupt)
}

/// How the automaton of a formula is composed.
enum Plan {
    /// The conjunction of several formulas.
    All(Vec<Formula>),
    /// The negation of that.
    NotAll(Vec<Formula>),
    /// Both formulas have the same value.
    Same(Formula, Formula),
    /// The negation of a formula.
    Not(Formula),
    /// By progression.
    Direct,
}

impl Plan {
    fn of(store: &mut Store, formula: Formula) -> Plan {
        if !store.subformulas(formula).iter().any(|part| store.node(part).is_temporal()) {
            return Plan::Direct;
        }
        match store.node(formula) {
            Node::Binary(BinaryOp::Iff, a, b) => return Plan::Same(a, b),
            Node::Binary(BinaryOp::Xor, a, b) => {
                let other = store.not(b);
                return Plan::Same(a, other);
            }
            _ => {}
        }
        let parts = conjuncts(store, formula);
        if parts.len() > 1 {
            return Plan::All(parts);
        }
        let negation = store.unary(UnaryOp::Not, formula);
        let parts = conjuncts(store, negation);
        match store.node(formula) {
            _ if parts.len() > 1 => Plan::NotAll(parts),
            Node::Unary(UnaryOp::Not, operand) => Plan::Not(operand),
            _ => Plan::Direct,
        }
    }

    fn parts(&self) -> Vec<Formula> {
        match self {
            Plan::All(parts) | Plan::NotAll(parts) => parts.clone(),
            Plan::Same(a, b) => vec![*a, *b],
            Plan::Not(a) => vec![*a],
            Plan::Direct => Vec::new(),
        }
    }
}

struct Composition<'s, E> {
    store: &'s mut Store,
    propositions: Vec<Proposition>,
    /// The minimal automata of parts.
    done: FxHashMap<Formula, Rc<Dfa>>,
    interrupt: &'s mut dyn FnMut() -> Result<(), E>,
}

impl<E> Composition<'_, E>
where
    E: From<Untranslatable> + From<ExpansionTooLarge> + From<OutOfNodes> + From<CannotStart>,
{
    fn automaton(&mut self, root: Formula) -> Result<Rc<Dfa>, E> {
        let mut todo = vec![root];
        while let Some(&formula) = todo.last() {
            (self.interrupt)()?;
            let plan = Plan::of(self.store, formula);
            let waiting = todo.len();
            todo.extend(plan.parts().into_iter().filter(|part| !self.done.contains_key(part)));
            if todo.len() > waiting {
                continue;
            }
            let automaton = self.composed(formula, &plan)?;
            self.done.insert(formula, automaton);
            todo.pop();
        }
        Ok(Rc::clone(&self.done[&root]))
    }

    fn composed(&mut self, formula: Formula, plan: &Plan) -> Result<Rc<Dfa>, E> {
        let parts: Vec<Rc<Dfa>> =
            plan.parts().iter().map(|part| Rc::clone(&self.done[part])).collect();
        let automaton = match plan {
            Plan::All(_) => return self.conjunction(parts),
            Plan::NotAll(_) => Rc::unwrap_or_clone(self.conjunction(parts)?).complement(),
            Plan::Same(..) => self.combined(Connective::Iff, &parts[0], &parts[1])?,
            Plan::Not(_) => Dfa::clone(&parts[0]).complement(),
            Plan::Direct => self.direct(formula)?,
        };
        Ok(Rc::new(automaton))
    }

    /// The conjunction of automata, smallest first.
    fn conjunction(&mut self, parts: Vec<Rc<Dfa>>) -> Result<Rc<Dfa>, E> {
        let mut heap: BinaryHeap<Reverse<(usize, usize)>> =
            parts.iter().enumerate().map(|(i, part)| Reverse((part.state_count(), i))).collect();
        let mut parts: Vec<Option<Rc<Dfa>>> = parts.into_iter().map(Some).collect();
        let take = |Reverse((_, i)): Reverse<(usize, usize)>, parts: &mut Vec<Option<Rc<Dfa>>>| {
            parts[i].take().expect("each is taken once")
        };
        loop {
            let first = heap.pop().expect("there is a conjunct");
            let Some(second) = heap.pop() else { return Ok(take(first, &mut parts)) };
            let [a, b] = [first, second].map(|entry| take(entry, &mut parts));
            let product = self.combined(Connective::And, &a, &b)?;
            heap.push(Reverse((product.state_count(), parts.len())));
            parts.push(Some(Rc::new(product)));
        }
    }

    fn combined(&mut self, connective: Connective, a: &Dfa, b: &Dfa) -> Result<Dfa, E> {
        combine(connective, a, b, self.interrupt)?.minimised(self.interrupt)
    }

    /// The automaton of a formula whose Boolean structure is ignored.
    fn direct(&mut self, formula: Formula) -> Result<Dfa, E> {
        let Defined { formula, memories } = define_past(self.store, formula, EXPANSION_LIMIT)?;
        let remembers = |p: Proposition| memories.iter().any(|memory| memory.proposition == p);
        let remembered = memories.iter().map(|memory| memory.proposition);
        let letters: Vec<Proposition> =
            self.propositions.iter().copied().chain(remembered).collect();
        let mut automaton = self.progressed(formula, &letters)?;
        if memories.is_empty() {
            return Ok(automaton);
        }
        // Each memory depends on earlier ones, so their automata are multiplied in this order.
        let truth = self.store.constant(true);
        let mut laws: Option<Dfa> = None;
        for memory in &memories {
            let law = Defined { formula: truth, memories: vec![*memory] };
            let law = law.constrained(self.store, WordKind::Finite);
            let law = self.progressed(law, &letters)?;
            laws = Some(match laws {
                Some(laws) => self.combined(Connective::And, &laws, &law)?,
                None => law,
            });
        }
        if let Some(laws) = laws {
            automaton = self.combined(Connective::And, &automaton, &laws)?;
        }
        automaton.projected(remembers, self.interrupt)?.minimised(self.interrupt)
    }

    fn progressed(&mut self, formula: Formula, letters: &[Proposition]) -> Result<Dfa, E> {
        let alternating = trim(&from_ltl(self.store, formula, WordKind::Finite)?);
        Dfa::of_alternating(&alternating, letters, self.interrupt)?.minimised(self.interrupt)
    }
}
