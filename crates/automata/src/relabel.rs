//! Fewer propositions: those on which no label depends are left out, and two propositions that
//! occur together only are replaced by one.
//!
//! A pair of propositions has four values. If the labels distinguish only two groups of them, as in
//! an automaton whose labels are functions of `a & b`, a fresh proposition that says which group it
//! is takes the place of the pair. This is repeated, so that blocks of several propositions become
//! one: every block that is built from operators with two operands is found. The definitions lead
//! back: a word satisfies the new automaton exactly if its letters are those of an accepted word,
//! with each fresh proposition true where its definition is.

use indexmap::IndexSet;
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Cube, Literal, OutOfNodes, Variable};
use kermode_ltl::{BinaryOp, Formula, Node, Proposition, Store, UnaryOp};

use rustc_hash::FxBuildHasher;

use crate::tgba::{Tgba, Transition};

/// An automaton with fewer propositions.
#[derive(Clone, Debug)]
pub struct Relabelled {
    /// The automaton.
    pub automaton: Tgba,
    /// The fresh propositions with their definitions over the old ones.
    pub definitions: Vec<(Proposition, Formula)>,
    /// The old propositions on which no label depends.
    pub unused: Vec<Proposition>,
}

/// The automaton with fewer propositions. Fresh ones become propositions of the store. If there are
/// any, states have no names, because names may mention old propositions.
pub fn relabel<E: From<OutOfNodes>>(
    store: &mut Store,
    automaton: &Tgba,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Relabelled, E> {
    let mut labels: IndexSet<Bdd, FxBuildHasher> = IndexSet::default();
    let label_numbers: Vec<usize> =
        automaton.transitions().map(|(_, t)| labels.insert_full(t.label.clone()).0).collect();
    let mut labels: Vec<Bdd> = labels.into_iter().collect();
    let all = automaton.propositions();
    let used = support(&labels, interrupt)?;
    let (mut places, unused): (Vec<usize>, Vec<usize>) =
        (0..all.len()).partition(|&place| used.contains(place));
    let unused = unused.into_iter().map(|place| all[place]).collect();
    let atom = |&p: &Proposition| store.intern(Node::Proposition(p));
    let mut meanings: Vec<Formula> = all.iter().map(atom).collect();
    while let Some(pair) = find_pair(&places, &labels, interrupt)? {
        let [first, second] = pair.places;
        for label in &mut labels {
            interrupt()?;
            *label = pair.joined(label)?;
        }
        places.retain(|&place| place != second);
        meanings[first] = pair.meaning(store, [meanings[first], meanings[second]]);
    }
    let (list, definitions) = fresh_propositions(store, automaton, &places, &meanings);
    let mut replaced = automaton.clone();
    let mut numbers = label_numbers.into_iter();
    for state in automaton.states() {
        for Transition { target, marks, .. } in replaced.take_transitions(state) {
            let number = numbers.next().expect("one label per transition");
            replaced.add_transition(state, target, labels[number].clone(), marks);
        }
    }
    let number = |place: usize| places.iter().position(|&other| other == place);
    let moved = |v: Variable| Variable(number(v.index()).expect("labels depend on it") as u32);
    let mut automaton = replaced.with_propositions(list, moved)?;
    if !definitions.is_empty() {
        automaton.forget_names();
    }
    Ok(Relabelled { automaton, definitions, unused })
}

/// The places of the propositions on which some label depends.
fn support<E>(labels: &[Bdd], interrupt: &mut dyn FnMut() -> Result<(), E>) -> Result<BitSet, E> {
    let mut places = BitSet::new();
    for label in labels {
        interrupt()?;
        places.extend(label.support().into_iter().map(Variable::index));
    }
    Ok(places)
}

/// Two propositions, by place, of which labels distinguish only two groups of values.
struct Pair {
    places: [usize; 2],
    /// The values of the first group, to which both true belongs; bit 0 is the first proposition.
    first_group: Vec<usize>,
    /// A value of each group.
    representatives: [Cube; 2],
}

fn find_pair<E: From<OutOfNodes>>(
    places: &[usize],
    labels: &[Bdd],
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Option<Pair>, E> {
    for (index, &first) in places.iter().enumerate() {
        for &second in &places[index + 1..] {
            if let Some(pair) = Pair::of([first, second], labels, interrupt)? {
                return Ok(Some(pair));
            }
        }
    }
    Ok(None)
}

impl Pair {
    fn of<E: From<OutOfNodes>>(
        places: [usize; 2],
        labels: &[Bdd],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Option<Pair>, E> {
        let cubes = [0, 1, 2, 3].map(|value| {
            let literal = |(bit, place): (usize, usize)| Literal {
                variable: Variable(place as u32),
                positive: value >> bit & 1 == 1,
            };
            places.into_iter().enumerate().map(literal).collect::<Cube>()
        });
        // The groups of values with the same cofactors, the one with both true first.
        let mut groups: Vec<Vec<usize>> = vec![vec![3]];
        for value in [0, 1, 2] {
            let mut known = None;
            for (index, group) in groups.iter().enumerate() {
                if are_equal(labels, [&cubes[value], &cubes[group[0]]], interrupt)? {
                    known = Some(index);
                }
            }
            match known {
                Some(index) => groups[index].push(value),
                None => groups.push(vec![value]),
            }
        }
        let [first, second] = groups.as_slice() else { return Ok(None) };
        let representatives = [&cubes[first[0]], &cubes[second[0]]].map(Cube::clone);
        Ok(Some(Pair { places, first_group: first.clone(), representatives }))
    }

    /// The label over the first proposition alone, which now says whether the value is in the first
    /// group.
    fn joined(&self, label: &Bdd) -> Result<Bdd, OutOfNodes> {
        let chosen = label.manager().variable(Variable(self.places[0] as u32))?;
        let [yes, no] = &self.representatives;
        chosen.ite(&label.cofactor(yes)?, &label.cofactor(no)?)
    }

    /// The first group as a formula over the meanings of both propositions.
    fn meaning(&self, store: &mut Store, meanings: [Formula; 2]) -> Formula {
        let mut literal = |place: usize, positive: bool| match positive {
            true => meanings[place],
            false => store.intern(Node::Unary(UnaryOp::Not, meanings[place])),
        };
        let mut literals =
            |value: usize| [0, 1].map(|place| literal(place, value >> place & 1 == 1));
        let outside: Vec<usize> =
            (0..4).filter(|value| !self.first_group.contains(value)).collect();
        let (operator, [a, b]) = match (self.first_group.as_slice(), outside.as_slice()) {
            (&[only], _) => (BinaryOp::And, literals(only)),
            (_, &[only]) => (BinaryOp::Or, literals(3 - only)),
            _ => (BinaryOp::Iff, meanings),
        };
        store.intern(Node::Binary(operator, a, b))
    }
}

/// Whether all labels have the same value for two values of a pair.
fn are_equal<E: From<OutOfNodes>>(
    labels: &[Bdd],
    [one, other]: [&Cube; 2],
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    for label in labels {
        interrupt()?;
        if label.cofactor(one)? != label.cofactor(other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The new list of propositions, and the definitions of those that are fresh. Names of propositions
/// that the automaton has are not used again.
fn fresh_propositions(
    store: &mut Store,
    automaton: &Tgba,
    places: &[usize],
    meanings: &[Formula],
) -> (Vec<Proposition>, Vec<(Proposition, Formula)>) {
    let (mut list, mut definitions, mut number) = (Vec::new(), Vec::new(), 0);
    for &place in places {
        let old = automaton.propositions()[place];
        if store.node(meanings[place]) == Node::Proposition(old) {
            list.push(old);
            continue;
        }
        let fresh = loop {
            let name = format!("p{number}");
            number += 1;
            let known = store.find_proposition(&name);
            if known.is_none_or(|known| !automaton.propositions().contains(&known)) {
                break store.proposition(&name);
            }
        };
        list.push(fresh);
        definitions.push((fresh, meanings[place]));
    }
    (list, definitions)
}
