//! Minimal successors by Algorithm 1 of \[DDMR08\].
//!
//! Each location has four variables: `x` says that it is in `s'`, `y` that it is in `o'` without
//! accepting locations; `x'` and `y'` first represent the whole `o'` and later a smaller pair. The
//! relations `theta` (lines 3 and 6) and `omega` (line 7) are built once. For finite words, sets of
//! locations use `x` and `x'` alone.
//!
//! Not in the paper: the conjunctions of transitions are shared between calls and quantified early,
//! as for minimal models (`conjunctions`), and each quantification is combined with the conjunction
//! before it.

use kermode_automata::{AlternatingAutomaton, Location};
use kermode_base::BitSet;
use kermode_bdd::{Bdd, Literal, Manager, OutOfNodes, Renaming, Variable, VariableSet};

use super::conjunctions::{Conjunctions, DemandRules, Demands};
use super::layout::{Layout, Meaning};
use super::miyano_hayashi::Pair;
use super::transitions::{Transitions, X, by_x};
use crate::frame::budget::{Budget, Stop};

/// The other copies of a location's variable.
const Y: usize = 1;
const X_PRIME: usize = 2;
const Y_PRIME: usize = 3;

/// How the locations of a transition are interpreted.
const BY_X: usize = 0;
const BY_Y_PRIME: usize = 1;

/// The relations, which are built once.
pub(crate) struct AlgorithmOne<'a> {
    pub(crate) transitions: Transitions<'a>,
    conjunctions: Conjunctions<Demands>,
    /// `o'` is a subset of `s'`, and `y` is `o'` without accepting locations (lines 2 and 3).
    obligations: Bdd,
    /// `y` is `s'` without accepting locations (line 6).
    after_breakpoint: Bdd,
    /// A strictly smaller pair in `x'` and `y'` (line 7).
    omega: Bdd,
    /// The targets of each location's transition.
    targets: Vec<BitSet>,
    reachable: Vec<Location>,
    y_prime: VariableSet,
    primed: VariableSet,
    prime: Renaming,
    unprimed: VariableSet,
}

impl<'a> AlgorithmOne<'a> {
    /// For pairs `<s, o>`.
    pub(crate) fn for_pairs(
        automaton: &'a AlternatingAutomaton,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        AlgorithmOne::new(automaton, &[(X, X_PRIME), (Y, Y_PRIME)], budget)
    }

    /// For sets of locations.
    pub(crate) fn for_sets(
        automaton: &'a AlternatingAutomaton,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        AlgorithmOne::new(automaton, &[(X, X_PRIME)], budget)
    }

    fn new(
        automaton: &'a AlternatingAutomaton,
        pairs: &[(usize, usize)],
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let layout = Layout::new(automaton, |_| 4);
        let reachable: Vec<Location> = layout.reachable().collect();
        let of = |copy| {
            let layout = &layout;
            reachable.iter().map(move |&location| layout.location(location, copy))
        };
        let primes: Vec<(Variable, Variable)> =
            pairs.iter().flat_map(|&(copy, prime)| of(copy).zip(of(prime))).collect();
        let (unprimed, primed): (Vec<_>, Vec<_>) = primes.iter().copied().unzip();
        let y_prime: Vec<Variable> = of(Y_PRIME).collect();
        let transitions = Transitions::new(automaton, layout.clone(), 2, budget)?;
        let manager = &transitions.manager;
        let relations =
            CopyRelations { automaton, manager, layout: &layout, locations: &reachable };
        Ok(AlgorithmOne {
            targets: automaton.locations().map(|l| transitions.targets_of(l)).collect(),
            obligations: relations.obligations()?,
            after_breakpoint: relations.after_breakpoint()?,
            omega: relations.omega(pairs)?,
            y_prime: manager.variable_set(y_prime)?,
            primed: manager.variable_set(primed)?,
            prime: manager.renaming(&primes)?,
            unprimed: manager.variable_set(unprimed)?,
            reachable,
            conjunctions: Conjunctions::new(&transitions)?,
            transitions,
        })
    }

    /// `exists P` of the transitions of `s` over `x` and those of `o` over `y'`.
    fn quantified(&mut self, s: &BitSet, o: &BitSet) -> Result<Bdd, OutOfNodes> {
        let demands = Demands { all: s.clone(), special: o.clone(), reading: false };
        let manager = self.transitions.manager.clone();
        let transitions = &mut self.transitions;
        let mut leaf = |location: Location, demands: &Demands| {
            let by_x = transitions.of(location, BY_X, &by_x)?;
            match demands.special.contains(location.index()) {
                true => by_x.and(&transitions.of(location, BY_Y_PRIME, &by_y_prime)?),
                false => Ok(by_x),
            }
        };
        let mut rules = DemandRules { of_part: &Demands::of, of_location: &mut leaf };
        self.conjunctions.quantified(&manager, &demands, &mut rules)
    }

    /// The minimal successors of a pair.
    pub(crate) fn successors(&mut self, pair: &Pair, budget: &Budget) -> Result<Vec<Pair>, Stop> {
        let steps = self.quantified(&pair.s, &pair.o)?;
        budget.check()?;
        let found = match pair.o.is_empty() {
            true => steps.and(&self.after_breakpoint)?,
            false => steps.and_exists(&self.obligations, &self.y_prime)?,
        };
        let mut pairs = Vec::new();
        for model in self.least(&found, &pair.s, budget)? {
            budget.check()?;
            let [s, o] = [X, Y].map(|copy| self.set_of(&model, copy));
            pairs.push(Pair { s, o });
        }
        Ok(pairs)
    }

    /// The minimal successors of a set.
    pub(crate) fn successor_sets(
        &mut self,
        set: &BitSet,
        budget: &Budget,
    ) -> Result<Vec<BitSet>, Stop> {
        let found = self.quantified(set, &BitSet::new())?;
        let models = self.least(&found, set, budget)?;
        Ok(models.into_iter().map(|model| self.set_of(&model, X)).collect())
    }

    /// Lines 8 and 9: the models without those that are larger than others. Before that, locations
    /// that no transition of `s` leads to are excluded. As printed, one of them may be in a minimal
    /// successor, but only as the single obligation: `<s' + {l}, {l}>`, where `<s', {}>` is a
    /// successor, too. Such successors are not needed (`miyano_hayashi`).
    fn least(&self, found: &Bdd, s: &BitSet, budget: &Budget) -> Result<Vec<BitSet>, Stop> {
        budget.check()?;
        let found = &found.and(&self.without_absent(s)?)?;
        let larger = self.omega.and_exists(&found.rename(&self.prime)?, &self.primed)?;
        budget.check()?;
        let least = found.and_not(&larger)?;
        Ok(least.models(&self.unprimed).collect())
    }

    fn without_absent(&self, s: &BitSet) -> Result<Bdd, OutOfNodes> {
        let mut targets = BitSet::new();
        s.iter().for_each(|location| targets.union_with(&self.targets[location]));
        let absent = self.reachable.iter().filter(|location| !targets.contains(location.index()));
        let variables = absent.flat_map(|&location| {
            [X, Y].map(|copy| self.transitions.layout.location(location, copy))
        });
        let negative = |variable| Literal { variable, positive: false };
        let unprimed = variables.filter(|&variable| self.unprimed.contains(variable));
        self.transitions.manager.cube(&unprimed.map(negative).collect())
    }

    /// The locations whose variable in a copy is true in a model.
    fn set_of(&self, model: &BitSet, wanted: usize) -> BitSet {
        let location = |index: usize| match self.transitions.layout.meaning(Variable(index as u32))
        {
            Meaning::Location(location, copy) if copy == wanted => Some(location.index()),
            _ => None,
        };
        model.iter().filter_map(location).collect()
    }
}

fn by_y_prime(manager: &Manager, layout: &Layout, location: Location) -> Result<Bdd, OutOfNodes> {
    manager.variable(layout.location(location, Y_PRIME))
}

/// The relations between the copies, conjoined from the last location on, so that each step adds
/// nodes at the top only.
struct CopyRelations<'r> {
    automaton: &'r AlternatingAutomaton,
    manager: &'r Manager,
    layout: &'r Layout,
    locations: &'r [Location],
}

impl CopyRelations<'_> {
    fn variable(&self, location: Location, copy: usize) -> Result<Bdd, OutOfNodes> {
        self.manager.variable(self.layout.location(location, copy))
    }

    fn all(&self, each: impl Fn(Location) -> Result<Bdd, OutOfNodes>) -> Result<Bdd, OutOfNodes> {
        let mut locations = self.locations.to_vec();
        locations.sort_by_key(|&location| self.layout.location(location, X));
        let join = |all: Bdd, &location: &Location| all.and(&each(location)?);
        locations.iter().rev().try_fold(self.manager.top(), join)
    }

    fn obligations(&self) -> Result<Bdd, OutOfNodes> {
        self.all(|location| {
            let [x, y, in_obligations] = [
                self.variable(location, X)?,
                self.variable(location, Y)?,
                self.variable(location, Y_PRIME)?,
            ];
            let obligation = if self.automaton.is_accepting(location) {
                y.not()?
            } else {
                y.iff(&in_obligations)?
            };
            in_obligations.implies(&x)?.and(&obligation)
        })
    }

    fn after_breakpoint(&self) -> Result<Bdd, OutOfNodes> {
        self.all(|location| {
            let y = self.variable(location, Y)?;
            match self.automaton.is_accepting(location) {
                true => y.not(),
                false => y.iff(&self.variable(location, X)?),
            }
        })
    }

    fn omega(&self, pairs: &[(usize, usize)]) -> Result<Bdd, OutOfNodes> {
        let included = self.all(|location| {
            pairs.iter().try_fold(self.manager.top(), |all, &(copy, prime)| {
                let smaller = self.variable(location, prime)?;
                all.and(&smaller.implies(&self.variable(location, copy)?)?)
            })
        })?;
        let equal = self.all(|location| {
            pairs.iter().try_fold(self.manager.top(), |all, &(copy, prime)| {
                let smaller = self.variable(location, prime)?;
                all.and(&smaller.iff(&self.variable(location, copy)?)?)
            })
        })?;
        let strictly = included.and_not(&equal)?;
        match pairs.contains(&(Y, Y_PRIME)) {
            true => strictly.and(&self.none(Y)?.iff(&self.none(Y_PRIME)?)?),
            false => Ok(strictly),
        }
    }

    fn none(&self, copy: usize) -> Result<Bdd, OutOfNodes> {
        self.all(|location| self.variable(location, copy)?.not())
    }
}
