//! The values of definitions along a trace, as texts.

use kermode_base::terms::Handle;

use super::literals::{Origin, Origins};
use super::set_values::SetValues;
use super::strict::Scalars;
use crate::flat::{FlatExpression, FlatModel, FlatTerm, Value, VariableId};
use crate::interpreter::Time;
use crate::syntax::VariableKind;

/// What a definition reads, and so where its value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group(u8);

impl Group {
    /// Nothing but the state: shown with the state.
    pub(super) const STATE: Group = Group(STATE);
    /// Nothing but inputs: shown with the inputs.
    pub(super) const INPUT: Group = Group(INPUT);
    /// The others, in the order in which they are shown after those of the state that a step
    /// leaves.
    pub(super) const STEP: [Group; 5] = [
        Group(STATE | INPUT),
        Group(NEXT),
        Group(STATE | NEXT),
        Group(INPUT | NEXT),
        Group(STATE | INPUT | NEXT),
    ];
}

const STATE: u8 = 1;
const INPUT: u8 = 2;
const NEXT: u8 = 4;

/// A definition whose value can be shown.
#[derive(Clone, Copy)]
enum Shown {
    /// A scalar, by its number and that of its origin.
    Scalar(usize, usize),
    /// A set, by its number.
    Set(usize),
}

/// Evaluates all listed definitions of a model.
pub(super) struct Definitions<'m> {
    model: &'m FlatModel,
    groups: Vec<Group>,
    shown: Vec<Shown>,
    scalars: Scalars<'m>,
    origins: Origins,
    sets: SetValues,
}

impl<'m> Definitions<'m> {
    pub(super) fn new(model: &'m FlatModel) -> Self {
        let listed = &model.listing.definitions;
        let bodies: Vec<FlatExpression> = listed.iter().map(|definition| definition.body).collect();
        let mut scalars = Scalars::new(&model.expressions);
        let (mut origins, mut sets) = (Origins::default(), SetValues::default());
        let shown = |&body: &FlatExpression| match model.expressions.ty(body).is_set() {
            true => Shown::Set(sets.add(&mut scalars, body)),
            false => {
                let origin = origins.add(&mut scalars, body);
                Shown::Scalar(scalars.add(body, Time::Current), origin)
            }
        };
        let shown = bodies.iter().map(shown).collect();
        scalars.compile();
        Definitions { model, groups: groups(model, &bodies), shown, scalars, origins, sets }
    }

    /// The indices of the definitions in a group.
    pub(super) fn in_group(&self, group: Group) -> impl Iterator<Item = usize> {
        (0..self.groups.len()).filter(move |&index| self.groups[index] == group)
    }

    /// Evaluates all definitions.
    pub(super) fn run(&mut self, value: impl FnMut(VariableId, Time) -> Option<Value>) {
        self.scalars.run(value);
        self.origins.run(&self.scalars);
        self.sets.run(&self.scalars);
    }

    /// The text of a definition's value by the last run, and where the value comes from. `None` if
    /// it has no value.
    pub(super) fn text(&self, index: usize) -> Option<(String, Origin)> {
        Some(match self.shown[index] {
            Shown::Scalar(scalar, origin) => {
                (self.model.show(self.scalars.value(scalar)?), self.origins.origin(origin))
            }
            Shown::Set(set) => (self.sets.text(set, self.model)?, Origin::Computed),
        })
    }
}

/// The groups of some expressions: what they read, by their text and not by their meaning.
fn groups(model: &FlatModel, bodies: &[FlatExpression]) -> Vec<Group> {
    let last = bodies.iter().map(|body| body.index() + 1).max().unwrap_or(0);
    // Operands have smaller handles.
    let mut reads = vec![0; last];
    for index in 0..last {
        let term = model.expressions.term(FlatExpression::from_index(index));
        reads[index] = match term {
            FlatTerm::Variable(id) if model.variable(id).kind == VariableKind::Input => INPUT,
            FlatTerm::Variable(_) => STATE,
            FlatTerm::Next(_) => NEXT,
            _ => term.operands().fold(0, |all, operand| all | reads[operand.index()]),
        };
    }
    // Constants are shown with the state.
    let group = |body: &FlatExpression| match reads[body.index()] {
        0 => Group::STATE,
        reads => Group(reads),
    };
    bodies.iter().map(group).collect()
}
