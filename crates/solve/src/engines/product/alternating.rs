//! `syntactic` for automata: an alternating automaton written into the model, one variable per
//! location, without a translation to a nondeterministic automaton.
//!
//! The locations whose variables are true are a *level* of a run: the automaton accepts the rest of
//! the word from all of them. In a step the letter and the next level satisfy `delta(l)` for each
//! location `l` of the level. A level may have more locations than needed, which only adds demands.
//!
//! **Finite words.** A path is accepted if it ends in a state whose letter, together with `alpha`
//! as the next level, satisfies `delta(l)` for each `l` of the level.
//!
//! **Infinite words.** A path of the run that visits `alpha` finitely often stays in a component of
//! locations on cycles outside of `alpha`. If each such component is a single location `l`, as in
//! automata of formulas, one justice constraint per location is enough: infinitely often `l` is not
//! in the level, or the step satisfies `delta(l)` without `l` in the next level. Otherwise it is
//! the breakpoint construction \[MH84\]: each location `l` of such components has a second
//! variable, true if some path of the run has stayed in these components since the last breakpoint
//! and is in `l` now. The step satisfies the transitions of these *obligations* with the next
//! obligations and the locations of the next level that need none. If there is no obligation, this
//! is a breakpoint, and the locations of the next level become obligations. There are infinitely
//! many breakpoints, by one justice constraint.

use kermode_automata::{AlternatingAutomaton, Location, Term, rejecting_components};
use kermode_system::{Expression, Model, Variable};

use crate::frame::budget::Stop;

/// Ends the work with an error.
type Interrupt<'i> = dyn FnMut() -> Result<(), Stop> + 'i;

/// The variables of an alternating automaton in a model.
pub(super) struct AlternatingEncoding<'a> {
    model: &'a mut Model,
    automaton: &'a AlternatingAutomaton,
    /// The variable of each location.
    level: Vec<Variable>,
}

impl<'a> AlternatingEncoding<'a> {
    /// Restricts the runs of a model to those whose words an automaton over infinite words accepts.
    /// Its propositions are atoms of the model.
    pub(super) fn add(
        model: &'a mut Model,
        automaton: &'a AlternatingAutomaton,
        interrupt: &mut Interrupt,
    ) -> Result<(), Stop> {
        let mut encoding = AlternatingEncoding::with_levels(model, automaton, interrupt)?;
        let components = rejecting_components(automaton);
        match components.iter().all(|component| component.len() == 1) {
            true => encoding.leave_each(components.concat(), interrupt),
            false => encoding.add_breakpoints(&components.concat(), interrupt),
        }
    }

    /// Restricts the finite paths of a model to those whose words an automaton accepts, if they end
    /// in a state with the returned condition.
    pub(super) fn add_finite(
        model: &'a mut Model,
        automaton: &'a AlternatingAutomaton,
        interrupt: &mut Interrupt,
    ) -> Result<Expression, Stop> {
        let mut encoding = AlternatingEncoding::with_levels(model, automaton, interrupt)?;
        let values = automaton.locations().map(|l| automaton.is_accepting(l));
        let alpha: Vec<Expression> =
            values.map(|value| encoding.model.graph.constant(value)).collect();
        let mut ends = Vec::with_capacity(alpha.len());
        for location in automaton.locations() {
            interrupt()?;
            let (now, delta) = (encoding.now(location), encoding.delta(location, &alpha));
            ends.push(encoding.model.graph.implies(now, delta));
        }
        Ok(encoding.model.graph.all(ends))
    }

    /// Adds the levels of runs.
    fn with_levels(
        model: &'a mut Model,
        automaton: &'a AlternatingAutomaton,
        interrupt: &mut Interrupt,
    ) -> Result<Self, Stop> {
        let name = |l: Location| format!("property.{}", l.index());
        let level: Vec<Variable> =
            automaton.locations().map(|l| model.auxiliary(&name(l))).collect();
        let mut encoding = AlternatingEncoding { model, automaton, level };
        let now: Vec<Expression> = automaton.locations().map(|l| encoding.now(l)).collect();
        let initial = encoding.value(automaton.initial(), &now);
        encoding.model.system.add_initial(&encoding.model.graph, initial);
        let next = encoding.next_level();
        for location in automaton.locations() {
            interrupt()?;
            let delta = encoding.delta(location, &next);
            encoding.add_step(now[location.index()], delta);
        }
        Ok(encoding)
    }

    fn now(&mut self, location: Location) -> Expression {
        self.model.graph.current(self.level[location.index()])
    }

    fn next_level(&mut self) -> Vec<Expression> {
        let graph = &mut self.model.graph;
        self.level.iter().map(|&variable| graph.next(variable)).collect()
    }

    /// The transition of a location, if the next locations are given by expressions.
    fn delta(&mut self, location: Location, next: &[Expression]) -> Expression {
        self.value(self.automaton.transition(location), next)
    }

    /// An expression of the automaton as one of the model.
    fn value(
        &mut self,
        root: kermode_automata::Expression,
        locations: &[Expression],
    ) -> Expression {
        let Model { graph, atoms, .. } = &mut *self.model;
        let below = self.automaton.expressions().below(&[root]);
        let mut values = rustc_hash::FxHashMap::default();
        for expression in below {
            let value = match self.automaton.expressions().term(expression) {
                Term::Constant(value) => graph.constant(value),
                Term::Literal { proposition, positive: true } => atoms[&proposition],
                Term::Literal { proposition, .. } => graph.not(atoms[&proposition]),
                Term::Location(location) => locations[location.index()],
                Term::And(a, b) => graph.and(values[&a], values[&b]),
                Term::Or(a, b) => graph.or(values[&a], values[&b]),
            };
            values.insert(expression, value);
        }
        values[&root]
    }

    /// Demands of each step: if the first condition holds, then the second does.
    fn add_step(&mut self, condition: Expression, then: Expression) {
        let step = self.model.graph.implies(condition, then);
        self.model.system.add_transition(&self.model.graph, step);
    }

    /// Demands that no path stays in one of these locations.
    fn leave_each(
        &mut self,
        locations: Vec<Location>,
        interrupt: &mut Interrupt,
    ) -> Result<(), Stop> {
        let mut next = self.next_level();
        for location in locations {
            interrupt()?;
            let elsewhere = self.model.graph.constant(false);
            let kept = std::mem::replace(&mut next[location.index()], elsewhere);
            let (now, left) = (self.now(location), self.delta(location, &next));
            let justice = self.model.graph.implies(now, left);
            self.model.system.add_justice(justice);
            next[location.index()] = kept;
        }
        Ok(())
    }

    /// Demands that no path stays in some of these locations for ever.
    fn add_breakpoints(
        &mut self,
        locations: &[Location],
        interrupt: &mut Interrupt,
    ) -> Result<(), Stop> {
        let name = |l: &Location| format!("property.{}.obligation", l.index());
        let variables: Vec<Variable> =
            locations.iter().map(|l| self.model.auxiliary(&name(l))).collect();
        let graph = &mut self.model.graph;
        let obligations: Vec<Expression> = variables.iter().map(|&v| graph.current(v)).collect();
        let is_waiting = graph.any(obligations.iter().copied());
        let is_breakpoint = graph.not(is_waiting);
        // The next obligations, and the locations of the next level that are none.
        let level = self.next_level();
        let mut next = level.clone();
        for (&variable, location) in variables.iter().zip(locations) {
            next[location.index()] = self.model.graph.next(variable);
        }
        for (&location, &obligation) in locations.iter().zip(&obligations) {
            interrupt()?;
            let delta = self.delta(location, &next);
            self.add_step(obligation, delta);
            let (later, in_level) = (next[location.index()], level[location.index()]);
            // Obligations are locations of the level; after a breakpoint all of these are.
            self.add_step(later, in_level);
            let becomes = self.model.graph.implies(in_level, later);
            self.add_step(is_breakpoint, becomes);
        }
        // The first state is a breakpoint, so that each path has its obligations afterwards.
        self.model.system.add_initial(&self.model.graph, is_breakpoint);
        self.model.system.add_justice(is_breakpoint);
        Ok(())
    }
}
