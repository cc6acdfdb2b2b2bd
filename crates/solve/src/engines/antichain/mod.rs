//! The antichain engines (\[DDMR08\], \[DDMR08b\]), and a toolkit to build one's own.
//!
//! Many questions about automata ask whether an exponentially large state space accepts a word, and
//! in many of these spaces some states make others unnecessary. What is needed to answer such a
//! question by antichains:
//!
//! 1. A [`Space`](kermode_automata::space::Space): where words begin, what follows a state, where
//!    words may end or which steps serve which acceptance condition, and a letter of a step, so
//!    that a word can be shown. States are made when they are asked for, and only the least ones
//!    need be.
//! 2. Its order, [`Ordered`](kermode_automata::space::Ordered): which state can do whatever another
//!    can. The sharper it is, the less is searched.
//! 3. [`decide_forward`] does the rest. A space that is
//!    [`Reversible`](kermode_automata::space::Reversible) can be decided from the end by
//!    [`decide_backward`] as well.
//!
//! Universality of a nondeterministic automaton over finite words is the example of \[DDHR06\]. A
//! word is rejected iff no state that it leads to is final; so sets of states are explored, and a
//! set that is included in another rejects whatever that one rejects.
//!
//! ```
//! use kermode_automata::space::{AllSteps, NextStep, Ordered, Space, Step};
//! use kermode_base::BitSet;
//! use kermode_ltl::{Letter, Store, WordKind};
//! use kermode_solve::{Answer, Budget, Silent, Stop, Witness, antichain::decide_forward};
//!
//! /// The sets of states that words of an automaton lead to. Letter `i` is the proposition `i`.
//! struct Subsets {
//!     initial: BitSet,
//!     finals: BitSet,
//!     transitions: Vec<Vec<BitSet>>,
//!     letters: Vec<Letter>,
//! }
//!
//! impl Subsets {
//!     fn after(&self, set: &BitSet, letter: usize) -> BitSet {
//!         set.iter().flat_map(|state| self.transitions[state][letter].iter()).collect()
//!     }
//! }
//!
//! impl Space for Subsets {
//!     type State = BitSet;
//!     type Label = ();
//!     type Cursor = AllSteps<BitSet>;
//!     type Stop = Stop;
//!     fn initial(&mut self) -> Result<Vec<BitSet>, Stop> { Ok(vec![self.initial.clone()]) }
//!     fn mark_count(&self) -> usize { 0 }
//!     fn steps(&mut self, set: &BitSet) -> Result<AllSteps<BitSet>, Stop> {
//!         let step = |letter| Step { to: self.after(set, letter), marks: BitSet::new() };
//!         Ok((0..self.letters.len()).map(step).collect::<Vec<_>>().into_iter())
//!     }
//!     fn next_step(&mut self, cursor: &mut AllSteps<BitSet>) -> NextStep<Self> {
//!         Ok(cursor.next().map(|step| (step, ())))
//!     }
//!     fn is_final(&self, set: &BitSet) -> bool { set.is_disjoint(&self.finals) }
//!     fn letter(&mut self, from: &BitSet, step: &Step<BitSet>, _: &()) -> Result<Letter, Stop> {
//!         let leads = |&letter: &usize| self.after(from, letter) == step.to;
//!         let letter = (0..self.letters.len()).find(leads);
//!         Ok(self.letters[letter.expect("a step has a letter")].clone())
//!     }
//!     fn describe(&self, set: &BitSet) -> String { format!("{set:?}") }
//! }
//!
//! impl Ordered for Subsets {
//!     fn simulates(&self, small: &BitSet, large: &BitSet) -> bool { small.is_subset(large) }
//!     fn size(&self, set: &BitSet) -> usize { set.len() }
//!     fn largest_size(&self) -> usize { self.transitions.len() }
//!     fn signature(&self, set: &BitSet) -> u64 {
//!         set.words().iter().fold(0, |all, word| all | word)
//!     }
//! }
//!
//! // Words without two letters `a` in a row: two in a row are rejected.
//! let mut store = Store::new();
//! let letters = ["a", "b"].map(|name| [store.proposition(name)].into_iter().collect()).to_vec();
//! let set = |states: &[usize]| states.iter().copied().collect::<BitSet>();
//! let transitions = vec![vec![set(&[1]), set(&[0])], vec![set(&[]), set(&[0])]];
//! let space = Subsets { initial: set(&[0]), finals: set(&[0, 1]), transitions, letters };
//! let budget = Budget::unlimited();
//! let answer = decide_forward(space, WordKind::Finite, &budget, &mut Silent::default());
//! let Ok(Answer::Nonempty(Ok(Witness::Word(word)))) = answer else { panic!("one is rejected") };
//! assert_eq!(word.prefix().len(), 2);
//! ```
//!
//! Solvers of another shape are built from the parts below. [`Regions`](crate::fixpoint::Regions)
//! is the algebra of sets of states that the [`fixpoints`](crate::fixpoint::fixpoints) are written
//! over, [`Antichain`](crate::fixpoint::antichain::Antichain) the data structure behind it, for
//! [`Elements`](crate::fixpoint::antichain::Elements) of any kind.

mod backward;
mod by_sat;
mod counts;
mod forward;
mod hybrid;
mod model;
mod reverse_search;
mod search;
mod states;
mod symbolic;

pub use backward::decide_backward;
pub use forward::decide_forward;

pub(crate) use backward::BACKWARD;
pub(crate) use forward::FORWARD;
pub(crate) use hybrid::HYBRID;
pub(crate) use symbolic::{DIRECTION, SIFTING, SYMBOLIC};
