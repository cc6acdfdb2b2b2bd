//! From an alternating automaton over finite words to a deterministic one.
//!
//! A state is a Boolean function `f` of locations: the rest of the word is accepted if the
//! locations that accept it satisfy `f`. A letter replaces each location by its transition on that
//! letter. All letters are treated at once: in a decision diagram with the propositions above the
//! locations, the locations are replaced by their transitions, and each function below the
//! propositions is a next state. The initial state is the initial condition, and a state accepts if
//! the accepting locations satisfy it. This is formula progression \[BK98\], with formulas compared
//! as Boolean functions.
//!
//! Functions that agree on all sets of locations that accept a common word mean the same. So each
//! function is conjoined with known implications between locations (`implications.rs`), and states
//! that agree under these implications are identified: the demands `F[0,2] a` and `F[0,3] a`
//! together are the demand `F[0,2] a`.

use indexmap::IndexSet;
use kermode_bdd::{Bdd, CannotStart, Manager, OutOfNodes, Substitution, Variable};
use kermode_ltl::{Proposition, WordKind};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::diagram::{Diagram, Diagrams};
use super::graph::{Dfa, DfaState};
use super::implications::implications;
use crate::alternating::AlternatingAutomaton;
use crate::couvreur::new_manager;
use crate::expression::Term;

impl Dfa {
    /// The automaton of an alternating one over finite words. Its propositions are a list that
    /// includes those of the alternating automaton.
    ///
    /// # Panics
    /// When the alternating automaton accepts infinite words, or has a proposition that is not in
    /// the list.
    pub fn of_alternating<E>(
        automaton: &AlternatingAutomaton,
        propositions: &[Proposition],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Dfa, E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        assert_eq!(automaton.words(), WordKind::Finite, "the words are finite");
        let mut progression = Progression::new(automaton, propositions, interrupt)?;
        let mut states = Vec::new();
        while let Some(state) = progression.found.get_index(states.len()).cloned() {
            interrupt()?;
            states.push(progression.expanded(&state)?);
        }
        Ok(Dfa::new(propositions.to_vec(), progression.diagrams, states))
    }
}

/// The functions of an alternating automaton: first the variables of its propositions, then those
/// of its locations.
pub(super) struct Functions {
    pub(super) manager: Manager,
    /// How many propositions there are.
    letters: usize,
    /// The transition of each location.
    pub(super) transitions: Vec<Bdd>,
    initial: Bdd,
}

impl Functions {
    fn new<E>(
        automaton: &AlternatingAutomaton,
        letters: &[Proposition],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let manager = new_manager(letters.len() + automaton.location_count())?;
        let variable = |p: Proposition| {
            let place = letters.iter().position(|&q| q == p).expect("the letters have it");
            Variable(place as u32)
        };
        let mut functions = vec![manager.bottom(); automaton.expressions().len()];
        for expression in automaton.used_expressions() {
            interrupt()?;
            functions[expression.index()] = match automaton.expressions().term(expression) {
                Term::Constant(true) => manager.top(),
                Term::Constant(false) => manager.bottom(),
                Term::Literal { proposition, positive } => {
                    manager.literal(variable(proposition), positive)?
                }
                Term::Location(l) => manager.variable(location(letters.len(), l.index()))?,
                Term::And(a, b) => functions[a.index()].and(&functions[b.index()])?,
                Term::Or(a, b) => functions[a.index()].or(&functions[b.index()])?,
            };
        }
        let transition = |l| functions[automaton.transition(l).index()].clone();
        let transitions = automaton.locations().map(transition).collect();
        let initial = functions[automaton.initial().index()].clone();
        Ok(Functions { manager, letters: letters.len(), transitions, initial })
    }

    /// The function that is true if a location accepts.
    pub(super) fn location(&self, index: usize) -> Result<Bdd, OutOfNodes> {
        self.manager.variable(location(self.letters, index))
    }
}

fn location(letters: usize, index: usize) -> Variable {
    Variable((letters + index) as u32)
}

struct Progression<'a> {
    automaton: &'a AlternatingAutomaton,
    letters: usize,
    /// The place of each proposition of the automaton in the list of all propositions.
    places: Vec<u32>,
    step: Substitution,
    /// Implications between locations.
    known: Bdd,
    found: IndexSet<Bdd, FxBuildHasher>,
    diagrams: Diagrams,
    /// The diagrams of functions of propositions and locations.
    cut: FxHashMap<Bdd, Diagram>,
}

impl<'a> Progression<'a> {
    fn new<E>(
        automaton: &'a AlternatingAutomaton,
        propositions: &[Proposition],
        interrupt: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Self, E>
    where
        E: From<OutOfNodes> + From<CannotStart>,
    {
        let has = |p: &Proposition| automaton.propositions().contains(p);
        let places = (0..propositions.len()).filter(|&place| has(&propositions[place]));
        let places: Vec<u32> = places.map(|place| place as u32).collect();
        let letters: Vec<Proposition> =
            places.iter().map(|&place| propositions[place as usize]).collect();
        let functions = Functions::new(automaton, &letters, interrupt)?;
        let known = implications(automaton, &functions, interrupt)?;
        let pairs = functions.transitions.iter().enumerate();
        let pairs: Vec<(Variable, Bdd)> =
            pairs.map(|(l, delta)| (location(letters.len(), l), delta.clone())).collect();
        let initial = functions.initial.and(&known)?;
        Ok(Progression {
            automaton,
            letters: letters.len(),
            places,
            step: functions.manager.substitution(&pairs),
            known,
            found: [initial].into_iter().collect(),
            diagrams: Diagrams::default(),
            cut: FxHashMap::default(),
        })
    }

    fn expanded(&mut self, state: &Bdd) -> Result<DfaState, OutOfNodes> {
        let next = state.substitute(&self.step)?.and(&self.known)?;
        let letters = self.letters;
        let accepting = state.eval(|v| {
            let location = crate::Location::from_index(v.index() - letters);
            self.automaton.is_accepting(location)
        });
        Ok(DfaState { accepting, successors: self.cut_below_letters(next) })
    }

    /// The diagram whose leaves are the functions below the propositions.
    fn cut_below_letters(&mut self, function: Bdd) -> Diagram {
        let mut todo = vec![function.clone()];
        while let Some(part) = todo.last().cloned() {
            let decision = part.decision().filter(|(v, _)| v.index() < self.letters);
            let diagram = match decision {
                None => {
                    let number = self.found.insert_full(part.clone()).0;
                    self.diagrams.leaf(number as u32)
                }
                Some((variable, parts)) => {
                    let waiting = todo.len();
                    todo.extend(parts.iter().filter(|&p| !self.cut.contains_key(p)).cloned());
                    if todo.len() > waiting {
                        continue;
                    }
                    let parts = parts.map(|part| self.cut[&part]);
                    self.diagrams.decision(self.places[variable.index()], parts)
                }
            };
            self.cut.insert(part, diagram);
            todo.pop();
        }
        self.cut[&function]
    }
}
