//! Merges states that no word of the complement can tell apart.
//!
//! To merge two states is to let runs continue from either of them as from the other. No run is
//! lost, so the merged automaton has the same language exactly if it still has no word in common
//! with the complement, and an automaton of the complement is at hand: that of the negated formula.
//! Simulation finds pairs by their steps; this finds all pairs that may be merged, one after the
//! other.
//!
//! The product of both automata filters pairs: a state of the complement that is *reachable* with
//! one of the two must not have a word in common with the other.

use kermode_base::components;
use kermode_bdd::{Bdd, OutOfNodes};

use crate::tgba::graph::{State, Tgba, Transition};

/// The largest number of propositions: letters are bits of a label.
const MOST_PROPOSITIONS: usize = 8;
const WORDS: usize = 1 << (MOST_PROPOSITIONS - 6);
/// The largest number of pairs of states.
const MOST_PAIRS: usize = 1 << 12;

type Letters = [u64; WORDS];

/// An edge between states by number.
#[derive(Clone)]
struct Edge {
    target: usize,
    letters: Letters,
    marks: u64,
}

/// An automaton with its letters as bits.
#[derive(Clone)]
struct Graph {
    initial: Vec<usize>,
    edges: Vec<Vec<Edge>>,
    all_marks: u64,
}

/// The truth table of a label.
fn letters(label: &Bdd) -> Letters {
    const PATTERNS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    label.eval_bits(|variable| match PATTERNS.get(variable.index()) {
        Some(&pattern) => [pattern; WORDS],
        None => std::array::from_fn(|word| {
            if word >> (variable.index() - 6) & 1 == 1 { u64::MAX } else { 0 }
        }),
    })
}

impl Graph {
    fn of(automaton: &Tgba, first_mark: usize) -> Graph {
        let edge = |t: &Transition| Edge {
            target: t.target.index(),
            letters: letters(&t.label),
            marks: t.marks.iter().fold(0, |marks, mark| marks | 1 << (first_mark + mark)),
        };
        let edges = |state| automaton.successors(state).iter().map(edge).collect();
        Graph {
            initial: automaton.initial().iter().map(|state| state.index()).collect(),
            edges: automaton.states().map(edges).collect(),
            all_marks: (0..automaton.mark_count()).fold(0, |m, mark| m | 1 << (first_mark + mark)),
        }
    }

    /// Lets runs continue from one state as from another, and the other way round.
    fn merged(&self, kept: usize, gone: usize) -> Graph {
        let mut merged = self.clone();
        let edges = std::mem::take(&mut merged.edges[gone]);
        merged.edges[kept].extend(edges);
        let place = |state: &mut usize| {
            if *state == gone {
                *state = kept;
            }
        };
        merged.edges.iter_mut().flatten().for_each(|edge| place(&mut edge.target));
        merged.initial.iter_mut().for_each(place);
        merged
    }
}

/// The product with the complement.
struct Product {
    /// For each state the states of the complement that are reachable with it.
    reachable: Vec<Vec<bool>>,
    /// For each state the states of the complement that share a word with it.
    nonempty: Vec<Vec<bool>>,
}

impl Product {
    fn of(a: &Graph, c: &Graph) -> Product {
        let width = c.edges.len();
        let count = a.edges.len() * width;
        let (mut start, mut targets, mut marks) = (vec![0], Vec::new(), Vec::new());
        for from in &a.edges {
            for other in &c.edges {
                for edge in from {
                    for against in other {
                        if meet(&edge.letters, &against.letters) {
                            targets.push(edge.target * width + against.target);
                            marks.push(edge.marks | against.marks);
                        }
                    }
                }
                start.push(targets.len());
            }
        }
        let never = &mut || Ok::<(), std::convert::Infallible>(());
        let Ok(component) = components(&start, |edge| targets[edge], never);
        let all = a.all_marks | c.all_marks;
        let parts = component.iter().max().map_or(0, |last| last + 1);
        let mut seen = vec![None; parts];
        for node in 0..count {
            for edge in start[node]..start[node + 1] {
                if component[targets[edge]] == component[node] {
                    *seen[component[node]].get_or_insert(0) |= marks[edge];
                }
            }
        }
        let mut productive: Vec<bool> = seen.iter().map(|&marks| marks == Some(all)).collect();
        // Successors have smaller numbers.
        let mut nodes: Vec<usize> = (0..count).collect();
        nodes.sort_by_key(|&node| component[node]);
        for node in nodes {
            let goes = |edge: usize| productive[component[targets[edge]]];
            if (start[node]..start[node + 1]).any(goes) {
                productive[component[node]] = true;
            }
        }
        let mut reached = vec![false; count];
        let mut todo: Vec<usize> = Vec::new();
        for &q in &a.initial {
            todo.extend(c.initial.iter().map(|d| q * width + d));
        }
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                todo.extend(&targets[start[node]..start[node + 1]]);
            }
        }
        let table = |flag: &dyn Fn(usize) -> bool| -> Vec<Vec<bool>> {
            (0..a.edges.len()).map(|q| (0..width).map(|d| flag(q * width + d)).collect()).collect()
        };
        Product {
            reachable: table(&|node| reached[node]),
            nonempty: table(&|node| productive[component[node]]),
        }
    }

    fn is_empty(&self) -> bool {
        let clash = |(r, n): (&Vec<bool>, &Vec<bool>)| r.iter().zip(n).any(|(r, n)| *r && *n);
        !self.reachable.iter().zip(&self.nonempty).any(clash)
    }

    fn may_merge(&self, one: usize, other: usize) -> bool {
        let clash = |a: usize, b: usize| {
            self.reachable[a].iter().zip(&self.nonempty[b]).any(|(r, n)| *r && *n)
        };
        !clash(one, other) && !clash(other, one)
    }
}

fn meet(a: &Letters, b: &Letters) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// The automaton with states merged, if some can be.
pub(crate) fn merged_by_language(
    automaton: &Tgba,
    complement: &Tgba,
) -> Result<Option<Tgba>, OutOfNodes> {
    let marks = automaton.mark_count() + complement.mark_count();
    if !automaton.has_letters_of(complement)
        || automaton.propositions().len() > MOST_PROPOSITIONS
        || marks > 64
        || automaton.state_count() * complement.state_count() > MOST_PAIRS
    {
        return Ok(None);
    }
    let mut graph = Graph::of(automaton, 0);
    let against = Graph::of(complement, automaton.mark_count());
    let mut product = Product::of(&graph, &against);
    if !product.is_empty() { panic!("complement is wrong"); }
    let mut place: Vec<usize> = (0..automaton.state_count()).collect();
    for gone in 1..automaton.state_count() {
        for kept in (0..gone).rev() {
            if place[kept] != kept || !product.may_merge(kept, gone) {
                continue;
            }
            let merged = graph.merged(kept, gone);
            let after = Product::of(&merged, &against);
            if after.is_empty() {
                (graph, product) = (merged, after);
                place[gone] = kept;
                break;
            }
        }
    }
    if place.iter().enumerate().all(|(state, &kept)| state == kept) {
        return Ok(None);
    }
    let kept = |state: State| State::from_index(place[state.index()]);
    let mut merged = automaton.sibling_with_states(automaton.mark_count());
    for (source, t) in automaton.transitions() {
        merged.add_transition(kept(source), kept(t.target), t.label.clone(), t.marks.clone());
    }
    automaton.initial().iter().for_each(|&state| merged.add_initial(kept(state)));
    merged.merge_transitions()?;
    Ok(Some(merged.restricted(|state| kept(state) == state)))
}
