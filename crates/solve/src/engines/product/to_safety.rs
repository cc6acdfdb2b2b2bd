//! `l2s`: liveness as safety \[BAS02\]. A model whose finite paths to a *looped* state are the
//! lassos of another model.
//!
//! Every variable has a copy. At some step, which an input chooses, the present state is saved in
//! the copies. From then on one bit per justice constraint says whether a step has satisfied it. A
//! state is looped if a state was saved, all bits are true, and all variables are equal to their
//! copies. So the fair lassos are the paths from initial states to looped states, and a search
//! forward finds a shortest one.
//!
//! Departs from the paper: the printed rule `v_c' <-> (save & !saved & v) | v_c` for copies,
//! without initial value, invents loops, since a copy that is true stays true. Here it is `v_c'
//! <-> (save & !saved ? v : v_c)`, and the first value of a copy does not matter. The choice to
//! save is an input of steps, and `looped` is the target of the search, so states have neither.
//! Frozen variables need no copy. A loop can begin with any of its steps, so it may begin with one
//! that satisfies the last justice constraint, as \[STV05\] has it for the states of the property:
//! fewer states are saved.

use kermode_base::BitSet;
use kermode_system::{Domain, Expression, Model, SymbolKind, Variable};
use rustc_hash::FxHashSet;

use super::mistakes::Mistake;
use crate::fixpoint::trace::{Lasso, Moment};

/// A model for a search for lassos.
pub(super) struct SafetyModel {
    pub(super) model: Model,
    /// The choice to save the state, and whether a state was saved.
    save: Variable,
    saved: Variable,
    /// The number of variables before those of the other model in the order.
    pub(super) added: usize,
    /// The condition that a step saves.
    pub(super) saves: Expression,
    /// The condition that the path is a fair lasso.
    pub(super) looped: Expression,
}

/// The model whose paths to looped states are the fair lassos of a model. Variables next to each
/// other in the order stay close, and the copy of a variable is right below it. If `is_anchored`,
/// only steps that satisfy the last justice constraint save, which then needs no bit.
pub(super) fn to_safety(live: &Model, is_anchored: bool, mistake: Option<Mistake>) -> SafetyModel {
    let mut model = Model { system: live.system.without_justice(), ..live.clone() };
    let save = model.declare("save", SymbolKind::Input, Domain::Boolean).bits[0];
    let saved = model.auxiliary("saved");
    let (saves, looped) = (model.graph.current(save), model.graph.current(saved));
    let mut safety = SafetyModel { model, save, saved, added: 0, saves, looped };
    safety.remember_saving();
    let mut justice = live.system.justice();
    if mistake == Some(Mistake::JusticeBitIsMissing) {
        justice = &justice[..justice.len().saturating_sub(1)];
    }
    if let Some((&last, others)) = justice.split_last().filter(|_| is_anchored) {
        safety.save_only(last);
        justice = others;
    }
    justice.iter().for_each(|&constraint| safety.observe_justice(constraint));
    let above = safety.model.order[live.order.len()..].to_vec();
    safety.added = above.len();
    safety.model.order = above;
    let copied: FxHashSet<Variable> = copied(live).into_iter().collect();
    for &variable in &live.order {
        safety.model.order.push(variable);
        if copied.contains(&variable) {
            safety.copy(variable, mistake);
        }
    }
    safety
}

/// The variables that can change, without inputs.
pub(super) fn copied(model: &Model) -> Vec<Variable> {
    let is_copied = |kind: SymbolKind| kind == SymbolKind::State;
    let others = model.symbols.iter().filter(|symbol| !is_copied(symbol.kind));
    let others: FxHashSet<Variable> = others.flat_map(|symbol| symbol.bits.clone()).collect();
    model.system.variables().iter().copied().filter(|v| !others.contains(v)).collect()
}

impl SafetyModel {
    fn remember_saving(&mut self) {
        let graph = &mut self.model.graph;
        let (saves, saved) = (self.saves, graph.current(self.saved));
        let value = graph.or(saves, saved);
        self.model.observe(self.saved, false, value);
    }

    /// Demands that the step that saves satisfies a constraint.
    fn save_only(&mut self, constraint: Expression) {
        let graph = &mut self.model.graph;
        let saved = graph.current(self.saved);
        let not_now = graph.not(self.saves);
        let rest = graph.or(saved, constraint);
        let permitted = graph.or(not_now, rest);
        self.model.system.add_transition(&self.model.graph, permitted);
    }

    /// Adds the bit of a justice constraint.
    fn observe_justice(&mut self, constraint: Expression) {
        let bit = self.model.auxiliary("just");
        let graph = &mut self.model.graph;
        let (saves, saved) = (self.saves, graph.current(self.saved));
        let begun = graph.or(saves, saved);
        let just = graph.and(begun, constraint);
        let before = graph.current(bit);
        let value = graph.or(before, just);
        self.looped = graph.and(self.looped, before);
        self.model.observe(bit, false, value);
    }

    /// Adds the copy of a variable.
    fn copy(&mut self, variable: Variable, mistake: Option<Mistake>) {
        let copy = self.model.auxiliary("copy");
        let graph = &mut self.model.graph;
        let (saves, saved) = (self.saves, graph.current(self.saved));
        let not_yet = graph.not(saved);
        let now = graph.and(saves, not_yet);
        let (original, old) = (graph.current(variable), graph.current(copy));
        let value = match mistake {
            Some(Mistake::CopiesStayTrue) => {
                let stored = graph.and(now, original);
                graph.or(stored, old)
            }
            _ => graph.if_then_else(now, original, old),
        };
        let next = graph.next(copy);
        let constraint = graph.iff(next, value);
        let equal = graph.iff(original, old);
        self.looped = graph.and(self.looped, equal);
        self.model.system.add_transition(&self.model.graph, constraint);
    }

    /// The place of a variable in states.
    fn place(&self, variable: Variable) -> usize {
        let place = self.model.order.iter().position(|&other| other == variable);
        place.expect("a variable of the model")
    }

    /// The lasso of a path to a looped state. Its loop begins with the step that saves.
    pub(super) fn lasso<S>(
        &self,
        mut path: Vec<Moment<S, BitSet>>,
        state: impl Fn(&S) -> &BitSet,
    ) -> Lasso<S, BitSet> {
        let (save, saved) = (self.place(self.save), self.place(self.saved));
        let saves =
            |m: &Moment<S, BitSet>| m.label.contains(save) && !state(&m.state).contains(saved);
        let begin = path.iter().position(saves).expect("a looped state was saved");
        let cycle = path.split_off(begin);
        Lasso { prefix: path, cycle }
    }
}
