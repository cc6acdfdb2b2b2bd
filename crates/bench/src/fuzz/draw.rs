//! Draws formulas, swarm style \[GZECR12\]: each formula is drawn with its own operators, size and
//! shape, so that rare combinations occur.
//!
//! Plain random formulas are almost all satisfiable. Formulas that detect wrong engines are near
//! the border of unsatisfiability: a formula against a mutant of itself, shared subformulas, and
//! members of families with some parts replaced.
//!
//! Invariant: a seed and a number always give the same formula, whatever else is drawn.

use kermode_base::Rng;
use kermode_ltl::families::Request;
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::{BinaryOp, Formula, Node, Proposition, Store, UnaryOp, WordKind, replace};

use super::sample::Sample;

/// Parameters of drawing.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    pub(crate) seed: u64,
    /// The largest number of nodes, except for members of families.
    pub(crate) size: usize,
    /// Which words formulas speak about.
    pub(crate) kinds: Vec<WordKind>,
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Members of families that are small enough for slow engines, and a few that are not.
const MEMBERS: &[(&str, &[&str])] = &[
    ("S", &["2..4"]),
    ("E", &["2..4"]),
    ("Q", &["2..3"]),
    ("U", &["3..5"]),
    ("U2", &["3..5"]),
    ("C1", &["2..4"]),
    ("C2", &["2..4"]),
    ("R", &["2..3"]),
    ("R2", &["3..5"]),
    ("random", &["12", "3", "0.7", "1..50"]),
    ("random-until", &["16", "3", "0.7", "1..50"]),
    ("counter-linear", &["1"]),
];

impl Drawing {
    /// The sample of a number.
    pub(crate) fn sample(&self, number: u64) -> Sample {
        let stream = Rng::new(self.seed).next_u64();
        let rng = Rng::new(Rng::new(stream.wrapping_add(number)).next_u64());
        let mut store = Store::new();
        let mut hand = Hand::new(rng, &mut store, self);
        let words = hand.words;
        let formula = hand.draw(&mut store, self.size);
        Sample::new(&store, formula, words)
    }
}

/// The parameters of one formula.
struct Hand {
    rng: Rng,
    words: WordKind,
    operators: Operators,
    propositions: Vec<Proposition>,
}

impl Hand {
    fn new(mut rng: Rng, store: &mut Store, drawing: &Drawing) -> Self {
        let words = rng.choose(&drawing.kinds);
        let operators = swarm(&mut rng, words);
        let count = rng.between(1, NAMES.len());
        let propositions = NAMES[..count].iter().map(|name| store.proposition(name)).collect();
        Hand { rng, words, operators, propositions }
    }

    /// A formula of some shape; small ones are more likely than large ones.
    fn draw(&mut self, store: &mut Store, most: usize) -> Formula {
        let size = self.rng.between(1, most);
        let size = self.rng.between(1, size);
        match self.rng.below(8) {
            0 | 1 => self.against_itself(store, size.div_ceil(2)),
            2 => self.shared(store, size),
            3 => self.member(store),
            _ => self.plain(store, size),
        }
    }

    fn plain(&mut self, store: &mut Store, size: usize) -> Formula {
        self.over(store, size, self.propositions.clone())
    }

    fn over(&mut self, store: &mut Store, size: usize, propositions: Vec<Proposition>) -> Formula {
        let operators = self.operators.clone();
        RandomFormula { size, propositions, operators }.draw(store, &mut self.rng)
    }

    /// `f & !g` or `f ^ g`, where `g` is almost `f`.
    fn against_itself(&mut self, store: &mut Store, size: usize) -> Formula {
        let first = self.plain(store, size);
        let second = self.mutated(store, first);
        if self.rng.coin() {
            return store.intern(Node::Binary(BinaryOp::Xor, first, second));
        }
        let not = store.intern(Node::Unary(UnaryOp::Not, second));
        store.intern(Node::Binary(BinaryOp::And, first, not))
    }

    /// A formula whose leaves are a few formulas.
    fn shared(&mut self, store: &mut Store, size: usize) -> Formula {
        let count = self.rng.between(1, 3);
        let places: Vec<Proposition> =
            (0..count).map(|i| store.proposition(&format!("place{i}"))).collect();
        let half = size.div_ceil(2);
        let frame = self.over(store, half, places.clone());
        let parts: Vec<(Formula, Formula)> = places
            .into_iter()
            .map(|place| (store.atom(place), self.plain(store, half.div_ceil(2))))
            .collect();
        replace(store, frame, |f| parts.iter().find(|(place, _)| *place == f).map(|part| part.1))
    }

    /// A member of a family with some parts replaced.
    fn member(&mut self, store: &mut Store) -> Formula {
        let (name, arguments) = self.rng.choose(MEMBERS);
        let Ok(request) = Request::parse(name, arguments) else { return self.plain(store, 1) };
        let members: Vec<_> = request.instances().collect();
        let chosen = self.rng.below(members.len());
        let mut formula = members[chosen].build(store);
        self.propositions = store.propositions(formula);
        for _ in 0..self.rng.between(0, 3) {
            formula = self.mutated(store, formula);
        }
        formula
    }

    /// The formula with one subformula replaced: by a small one, by another of its subformulas, or
    /// by its own operands under another operator.
    fn mutated(&mut self, store: &mut Store, formula: Formula) -> Formula {
        let order = store.subformulas(formula);
        let target = order.at(self.rng.below(order.len()));
        let put = match self.rng.below(4) {
            0 | 1 => self.under_another_operator(store, target),
            2 => order.at(self.rng.below(order.len())),
            _ => {
                let size = self.rng.between(1, 4);
                self.plain(store, size)
            }
        };
        replace(store, formula, |f| (f == target).then_some(put))
    }

    fn under_another_operator(&mut self, store: &mut Store, formula: Formula) -> Formula {
        let node = match store.node(formula) {
            Node::Unary(_, a) => Node::Unary(self.rng.choose(&self.operators.unary), a),
            Node::Binary(_, a, b) => Node::Binary(self.rng.choose(&self.operators.binary), a, b),
            node => node,
        };
        store.intern(node)
    }
}

/// About half of the operators, past and bounded ones now and then.
fn swarm(rng: &mut Rng, words: WordKind) -> Operators {
    let mut operators = Operators::future();
    if words == WordKind::Finite || rng.below(4) == 0 {
        operators = operators.with_weak_next();
    }
    if rng.below(3) == 0 {
        operators = operators.with_past();
    }
    if rng.below(4) == 0 {
        operators = operators.with_bounds(rng.between(1, 3) as u32);
    }
    operators.constants = rng.below(3) == 0;
    operators.unary.retain(|_| rng.coin());
    operators.binary.retain(|_| rng.coin());
    operators.bounded_unary.retain(|_| rng.coin());
    operators.bounded_binary.retain(|_| rng.coin());
    // With a negation every size is possible, and with a conjunction not only chains.
    if operators.unary.is_empty() {
        operators.unary.push(UnaryOp::Not);
    }
    if operators.binary.is_empty() {
        operators.binary.push(BinaryOp::And);
    }
    operators
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn drawing(seed: u64) -> Drawing {
        Drawing { seed, size: 20, kinds: vec![WordKind::Infinite, WordKind::Finite] }
    }

    #[test]
    fn a_seed_and_a_number_give_the_same_formula() {
        let texts = |seed| (0..100).map(|n| drawing(seed).sample(n).text()).collect::<Vec<_>>();
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
        // Neighbouring seeds do not give the same formulas shifted by one.
        assert_ne!(texts(1)[1..], texts(2)[..99]);
    }

    #[test]
    fn every_member_is_one() {
        for (name, arguments) in MEMBERS {
            assert!(Request::parse(name, arguments).is_ok(), "{name}");
        }
    }

    #[test]
    fn every_operator_is_drawn_on_both_kinds_of_words() {
        let mut seen: [HashSet<String>; 2] = Default::default();
        for number in 0..2000 {
            let sample = drawing(3).sample(number);
            let seen = &mut seen[usize::from(sample.words == WordKind::Finite)];
            for formula in sample.store.subformulas(sample.formula).iter() {
                match sample.store.node(formula) {
                    Node::Unary(op, _) => drop(seen.insert(format!("{op:?}"))),
                    Node::Binary(op, ..) => drop(seen.insert(format!("{op:?}"))),
                    Node::BoundedUnary(op, ..) => drop(seen.insert(format!("bounded {op:?}"))),
                    Node::BoundedBinary(op, ..) => drop(seen.insert(format!("bounded {op:?}"))),
                    Node::Constant(_) | Node::Proposition(_) => {}
                }
            }
        }
        assert_eq!(seen.map(|seen| seen.len()), [9 + 11 + 4 + 2; 2]);
    }
}
