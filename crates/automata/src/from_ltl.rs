//! The linear translation from LTL to alternating automata: \[Var95\], \[GO01\], on finite words
//! \[DGV13\].
//!
//! The formula is in negation normal form. One pass over its subformulas, operands first, computes
//! for each the expression `now(f)`: the demands of `f` on the current letter and on the rest. `F U
//! M` and `G R W` are unfolded: `now(a U b) = now(b) | now(a) & l`, where `l` is the location of `a
//! U b`, and `delta(l)` is that same expression. The demand of a next on the rest is a positive
//! combination of such locations. If its operand is not such a combination, because it has literals
//! or nexts outside of them, it gets a location of its own. The same happens once for the parts of
//! the whole formula that the initial condition cannot express.
//!
//! Invariants: `delta` of the location of `f` is `now(f)`. A location leads only to itself and to
//! locations of proper subformulas, so the automaton is very weak. There is at most one location
//! per `F G U R W M`, one per operand of a next, one for the beginning, and on finite words two
//! more.
//!
//! **Finite words.** After the last letter `a U b` is false and `a R b` is true, so locations of
//! the first kind are not final and those of the second are. But `X G a` demands a letter and `N F
//! a` does not, so the location alone would be wrong. Two locations correct that: `more` is not
//! final and accepts every word but the empty one, `end` is final and accepts the empty word only.
//! If the demand of a strong next is true after the last letter, `& more` is added; if that of a
//! weak next is false, `| end` is added. The whole formula is demanded strongly: formulas describe
//! non-empty words.

use kermode_base::terms::Handle;
pub use kermode_ltl::Untranslatable;
use kermode_ltl::dialect::write_abbreviated;
use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::{
    BinaryOp, Formula, Node, Proposition, Store, Subformulas, UnaryOp, WordKind, check_translatable,
};

use crate::alternating::{AlternatingAutomaton, Location};
use crate::expression::{Expression, Term};

/// Longer labels, in bytes, are cut off.
pub(crate) const LABEL_LENGTH: usize = 60;

/// The automaton of a formula over words of a kind. It accepts the words that satisfy the formula;
/// on finite words, not the empty one.
///
/// The caller eliminates past operators ([`kermode_ltl::eliminate`]) and expands bounded ones
/// ([`kermode_ltl::normal::expand_bounded`]) first.
pub fn from_ltl(
    store: &mut Store,
    formula: Formula,
    words: WordKind,
) -> Result<AlternatingAutomaton, Untranslatable> {
    let normal = negation_normal_form(store, formula, words);
    let subformulas = store.subformulas(normal);
    check_translatable(store, &subformulas)?;
    let propositions = store.propositions(formula);
    let mut translation = LtlTranslation::new(store, &subformulas, words, propositions);
    for (position, subformula) in subformulas.iter().enumerate() {
        translation.step(position, subformula);
    }
    let initial = translation.demand(normal, true);
    let mut automaton = translation.automaton;
    automaton.set_initial(initial);
    Ok(automaton)
}

struct LtlTranslation<'s> {
    store: &'s Store,
    subformulas: &'s Subformulas,
    automaton: AlternatingAutomaton,
    /// The demands of each subformula on the current letter and on the rest.
    now: Vec<Expression>,
    /// Each subformula as a demand on the rest, if a combination of locations expresses it.
    later: Vec<Option<Expression>>,
    /// The values of expressions over locations after the last letter.
    at_end: Vec<bool>,
    more: Option<Expression>,
    end: Option<Expression>,
}

impl<'s> LtlTranslation<'s> {
    fn new(
        store: &'s Store,
        subformulas: &'s Subformulas,
        words: WordKind,
        propositions: Vec<Proposition>,
    ) -> Self {
        LtlTranslation {
            store,
            subformulas,
            automaton: AlternatingAutomaton::new(words, propositions),
            now: Vec::with_capacity(subformulas.len()),
            later: Vec::with_capacity(subformulas.len()),
            at_end: Vec::new(),
            more: None,
            end: None,
        }
    }

    /// Translates one subformula whose operands are done.
    fn step(&mut self, position: usize, formula: Formula) {
        debug_assert_eq!(position, self.now.len());
        let (now, later) = match self.store.node(formula) {
            Node::Constant(value) => {
                let constant = self.automaton.expressions_mut().constant(value);
                (constant, Some(constant))
            }
            Node::Proposition(p) => (self.automaton.expressions_mut().literal(p, true), None),
            Node::Unary(UnaryOp::Not, a) => (self.negated(a), None),
            Node::Unary(UnaryOp::Next, a) => (self.demand(a, true), None),
            Node::Unary(UnaryOp::WeakNext, a) => (self.demand(a, false), None),
            Node::Binary(BinaryOp::And, a, b) => self.connective(a, b, true),
            Node::Binary(BinaryOp::Or, a, b) => self.connective(a, b, false),
            node => self.unfold(formula, node),
        };
        self.now.push(now);
        self.later.push(later);
    }

    fn now(&self, formula: Formula) -> Expression {
        self.now[self.subformulas.position(formula)]
    }

    fn later(&self, formula: Formula) -> Option<Expression> {
        self.later[self.subformulas.position(formula)]
    }

    fn negated(&mut self, a: Formula) -> Expression {
        match self.store.node(a) {
            Node::Proposition(p) => self.automaton.expressions_mut().literal(p, false),
            _ => unreachable!("in negation normal form only propositions are negated"),
        }
    }

    fn join(&mut self, a: Expression, b: Expression, conjunction: bool) -> Expression {
        match conjunction {
            true => self.automaton.expressions_mut().and(a, b),
            false => self.automaton.expressions_mut().or(a, b),
        }
    }

    fn connective(
        &mut self,
        a: Formula,
        b: Formula,
        conjunction: bool,
    ) -> (Expression, Option<Expression>) {
        let now = self.join(self.now(a), self.now(b), conjunction);
        let later = match (self.later(a), self.later(b)) {
            (Some(a), Some(b)) => Some(self.join(a, b, conjunction)),
            _ => None,
        };
        (now, later)
    }

    /// Unfolds a fixpoint operator. A greatest fixpoint is accepting.
    fn unfold(&mut self, formula: Formula, node: Node) -> (Expression, Option<Expression>) {
        let greatest = matches!(
            node,
            Node::Unary(UnaryOp::Globally, _)
                | Node::Binary(BinaryOp::Release | BinaryOp::WeakUntil, _, _)
        );
        let location = self.add_location(formula, greatest);
        let again = self.automaton.expressions_mut().location(location);
        let now = match node {
            Node::Unary(UnaryOp::Finally, a) => self.join(self.now(a), again, false),
            Node::Unary(UnaryOp::Globally, a) => self.join(self.now(a), again, true),
            Node::Binary(BinaryOp::Until | BinaryOp::WeakUntil, a, b) => {
                let on = self.join(self.now(a), again, true);
                self.join(self.now(b), on, false)
            }
            Node::Binary(BinaryOp::Release | BinaryOp::StrongRelease, a, b) => {
                let on = self.join(self.now(a), again, false);
                self.join(self.now(b), on, true)
            }
            _ => unreachable!("no other operators are left in negation normal form"),
        };
        self.automaton.set_transition(location, now);
        (now, Some(again))
    }

    fn add_location(&mut self, formula: Formula, accepting: bool) -> Location {
        let label = write_abbreviated(self.store, formula, LABEL_LENGTH);
        self.automaton.add_location(label, accepting)
    }

    /// The demand of a strong or weak next on the rest of the word.
    fn demand(&mut self, formula: Formula, strong: bool) -> Expression {
        let demand = self.obligation(formula, strong);
        if self.automaton.words() == WordKind::Infinite {
            return demand;
        }
        match (strong, self.holds_at_end(demand)) {
            (true, true) => {
                let more = self.more();
                self.join(demand, more, true)
            }
            (false, false) => {
                let end = self.end();
                self.join(demand, end, false)
            }
            _ => demand,
        }
    }

    /// The formula as a combination of locations. The conjuncts that are none get a location of
    /// their own.
    fn obligation(&mut self, formula: Formula, strong: bool) -> Expression {
        let mut rest = formula;
        let mut parts: Vec<(Formula, Expression)> = Vec::new();
        while let Some((part, other)) = self.split(rest) {
            parts.push((rest, part));
            rest = other;
        }
        let mut obligation = match self.later(rest) {
            Some(later) => later,
            None => self.obligation_of_its_own(rest, strong),
        };
        while let Some((whole, part)) = parts.pop() {
            obligation = self.join(part, obligation, true);
            let position = self.subformulas.position(whole);
            self.later[position] = Some(obligation);
        }
        obligation
    }

    /// The side of a conjunction that is a combination of locations, and the other side, which is
    /// none.
    fn split(&self, formula: Formula) -> Option<(Expression, Formula)> {
        let Node::Binary(BinaryOp::And, a, b) = self.store.node(formula) else { return None };
        if self.later(formula).is_some() {
            return None;
        }
        match (self.later(a), self.later(b)) {
            (Some(part), None) => Some((part, b)),
            (None, Some(part)) => Some((part, a)),
            _ => None,
        }
    }

    fn obligation_of_its_own(&mut self, formula: Formula, strong: bool) -> Expression {
        // On infinite words no run stays here, so the location is accepting.
        let accepting = self.automaton.words() == WordKind::Infinite || !strong;
        let location = self.add_location(formula, accepting);
        let now = self.now(formula);
        self.automaton.set_transition(location, now);
        let obligation = self.automaton.expressions_mut().location(location);
        let position = self.subformulas.position(formula);
        self.later[position] = Some(obligation);
        obligation
    }

    /// Whether the expression is true after the last letter.
    fn holds_at_end(&mut self, expression: Expression) -> bool {
        while self.at_end.len() <= expression.index() {
            let next = Expression::from_index(self.at_end.len());
            self.at_end.push(match self.automaton.expressions().term(next) {
                Term::Constant(value) => value,
                // There is no letter to read, and demands on the rest have no literals.
                Term::Literal { .. } => false,
                Term::Location(location) => self.automaton.is_accepting(location),
                Term::And(a, b) => self.at_end[a.index()] && self.at_end[b.index()],
                Term::Or(a, b) => self.at_end[a.index()] || self.at_end[b.index()],
            });
        }
        self.at_end[expression.index()]
    }

    /// Demands at least one more letter.
    fn more(&mut self) -> Expression {
        if let Some(more) = self.more {
            return more;
        }
        let location = self.automaton.add_location("more", false);
        let expressions = self.automaton.expressions_mut();
        let (transition, more) = (expressions.constant(true), expressions.location(location));
        self.automaton.set_transition(location, transition);
        self.more = Some(more);
        more
    }

    /// Demands the end of the word.
    fn end(&mut self) -> Expression {
        if let Some(end) = self.end {
            return end;
        }
        let location = self.automaton.add_location("end", true);
        let end = self.automaton.expressions_mut().location(location);
        self.end = Some(end);
        end
    }
}
