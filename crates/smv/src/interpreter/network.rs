//! Constraints over variables as a network of instructions that is evaluated step by step.
//!
//! Each instruction has a value or none yet. The value of a root is `TRUE`. Values spread in both
//! directions until nothing changes: upwards, the value of an instruction follows from those of its
//! operands; downwards, if `a & b` is `TRUE`, so are both operands, and if `next(x) = e` is `TRUE`
//! and `e` has a value, `next(x)` has the same one. A value is never changed, only taken back with
//! all later ones, so that a search can try the values of a variable one after the other.
//!
//! A value that was set downwards is *open* until the operands confirm it. If no value is open, all
//! roots hold whatever values the remaining variables take.
//!
//! A root that fails does not hold.

use std::collections::VecDeque;

use super::evaluate::{Instruction, Operation, Program, Time};
use super::operations::{Slot, apply, scalar_binary, unary};
use super::sets::{SetId, Sets};
use crate::flat::{Domain, FlatBinary, FlatModel, FlatTerm, FlatUnary, Value, VariableId};

/// The roots cannot all be `TRUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conflict;

/// How the value of an instruction was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// From its operands, or there is none yet, or it is a variable.
    Operands,
    /// From a user of it; the operands are not all known.
    Open,
    /// From a user of it, and the operands confirm it.
    Confirmed,
}

/// What [`Network::undo`] takes back.
#[derive(Clone, Copy, Debug)]
enum Change {
    Value(u32),
    Confirmed(u32),
    Candidates(u32, Option<SetId>),
}

/// A variable of the network.
#[derive(Clone, Debug)]
pub(super) struct Leaf<'m> {
    /// Its instruction.
    pub(super) place: u32,
    pub(super) variable: VariableId,
    pub(super) time: Time,
    pub(super) domain: &'m Domain,
    /// Whether an assignment or equation determines it once other variables have values.
    pub(super) is_defined: bool,
    /// A set that contains all values that are still possible.
    pub(super) candidates: Option<SetId>,
}

/// Instructions with their values.
#[derive(Clone, Debug)]
pub(super) struct Network<'m> {
    instructions: Vec<Instruction>,
    /// The users of instruction `n` are `users[first_user[n]..first_user[n + 1]]`.
    first_user: Vec<u32>,
    users: Vec<u32>,
    values: Vec<Slot>,
    origins: Vec<Origin>,
    open: usize,
    trail: Vec<Change>,
    agenda: VecDeque<u32>,
    on_agenda: Vec<bool>,
    leaves: Vec<Leaf<'m>>,
    /// The leaf of an instruction, or `u32::MAX`.
    leaf_of: Vec<u32>,
    sets: Sets,
    /// Whether the roots contradict each other.
    contradictory: bool,
}

impl<'m> Network<'m> {
    /// The network of a program in which these roots are `TRUE`.
    pub(super) fn new(model: &'m FlatModel, program: Program, roots: &[u32]) -> Self {
        let instructions = program.instructions;
        let count = instructions.len();
        let mut first_user = vec![0; count + 1];
        for instruction in &instructions {
            instruction.operands().iter().for_each(|&operand| first_user[operand as usize] += 1);
        }
        let mut sum = 0;
        for first in &mut first_user {
            sum += *first;
            *first = sum;
        }
        let mut users = vec![0; sum as usize];
        let (mut leaves, mut leaf_of) = (Vec::new(), vec![u32::MAX; count]);
        for (place, instruction) in instructions.iter().enumerate() {
            for &operand in instruction.operands() {
                first_user[operand as usize] -= 1;
                users[first_user[operand as usize] as usize] = place as u32;
            }
            if let Operation::Variable(variable, time) = instruction.operation {
                leaf_of[place] = leaves.len() as u32;
                let domain = &model.variable(variable).domain;
                let place = place as u32;
                leaves.push(Leaf {
                    place,
                    variable,
                    time,
                    domain,
                    is_defined: false,
                    candidates: None,
                });
            }
        }
        let mut network = Network {
            first_user,
            users,
            values: vec![Slot::Unknown; count],
            origins: vec![Origin::Operands; count],
            open: 0,
            trail: Vec::new(),
            agenda: VecDeque::new(),
            on_agenda: vec![false; count],
            leaves,
            leaf_of,
            sets: Sets::default(),
            contradictory: false,
            instructions,
        };
        network.start(model, roots);
        network
    }

    /// Gives the constants and the roots their values.
    fn start(&mut self, model: &FlatModel, roots: &[u32]) {
        for place in 0..self.instructions.len() {
            match self.instructions[place].operation {
                Operation::Term(FlatTerm::Constant(constant), _) => {
                    self.values[place] = Slot::Scalar(model.expressions.value(constant));
                }
                Operation::Term(term, _) => {
                    self.enqueue(place as u32);
                    self.mark_defined(place, term);
                }
                Operation::Variable(..) => {}
            }
        }
        let forced = roots.iter().try_for_each(|&root| self.force(root, Slot::TRUE));
        self.contradictory = forced.and_then(|()| self.propagate()).is_err();
        self.trail.clear();
    }

    /// Marks a variable that is compared with something other than a constant.
    fn mark_defined(&mut self, place: usize, term: FlatTerm) {
        use FlatBinary::{Equal, Iff, In, Xnor};
        let FlatTerm::Binary(Equal | Iff | In | Xnor, ..) = term else { return };
        let [a, b, _] = self.instructions[place].operands;
        for (variable, other) in [(a, b), (b, a)] {
            let is_leaf = |place: u32| self.leaf_of[place as usize] != u32::MAX;
            let is_constant = self.instructions[other as usize].arity == 0 && !is_leaf(other);
            if is_leaf(variable) && !is_constant {
                let leaf = self.leaf_of[variable as usize];
                self.leaves[leaf as usize].is_defined = true;
            }
        }
    }

    /// Whether the roots contradict each other, whatever the variables.
    pub(super) fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// The variables of the network.
    pub(super) fn leaves(&self) -> &[Leaf<'m>] {
        &self.leaves
    }

    /// The owner of the sets of candidates.
    pub(super) fn sets(&self) -> &Sets {
        &self.sets
    }

    /// The number of operators that read an instruction.
    pub(super) fn fan_out(&self, place: u32) -> u32 {
        self.first_user[place as usize + 1] - self.first_user[place as usize]
    }

    /// The value of an instruction.
    pub(super) fn value(&self, place: u32) -> Slot {
        self.values[place as usize]
    }

    /// Whether all roots hold, whatever values the remaining variables take.
    pub(super) fn is_satisfied(&self) -> bool {
        self.open == 0
    }

    /// The place to which [`Network::undo`] returns.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all changes since a mark.
    pub(super) fn undo(&mut self, mark: usize) {
        for change in self.trail.drain(mark..).rev() {
            match change {
                Change::Value(place) => {
                    self.values[place as usize] = Slot::Unknown;
                    if self.origins[place as usize] == Origin::Open {
                        self.open -= 1;
                    }
                    self.origins[place as usize] = Origin::Operands;
                }
                Change::Confirmed(place) => {
                    self.origins[place as usize] = Origin::Open;
                    self.open += 1;
                }
                Change::Candidates(leaf, before) => {
                    self.leaves[leaf as usize].candidates = before;
                }
            }
        }
    }

    /// Gives an instruction a value without computing it. The consequences come with
    /// [`Network::propagate`].
    pub(super) fn force(&mut self, place: u32, value: Slot) -> Result<(), Conflict> {
        let index = place as usize;
        if self.values[index].is_known() {
            return if self.values[index] == value { Ok(()) } else { Err(Conflict) };
        }
        if let Some(leaf) = self.leaves.get(self.leaf_of[index] as usize) {
            let Slot::Scalar(value) = value else { return Err(Conflict) };
            leaf.domain.code(value).ok_or(Conflict)?;
        } else {
            self.origins[index] = Origin::Open;
            self.open += 1;
            self.enqueue(place);
        }
        self.set(place, value);
        Ok(())
    }

    fn set(&mut self, place: u32, value: Slot) {
        self.values[place as usize] = value;
        self.trail.push(Change::Value(place));
        let users = self.first_user[place as usize]..self.first_user[place as usize + 1];
        for user in users {
            self.enqueue(self.users[user as usize]);
        }
    }

    fn enqueue(&mut self, place: u32) {
        if !self.on_agenda[place as usize] {
            self.on_agenda[place as usize] = true;
            self.agenda.push_back(place);
        }
    }

    /// Computes all consequences.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(place) = self.agenda.pop_front() {
            self.on_agenda[place as usize] = false;
            if self.examine(place).is_err() {
                self.clear_agenda();
                return Err(Conflict);
            }
        }
        Ok(())
    }

    /// Forgets what waits for [`Network::propagate`].
    pub(super) fn clear_agenda(&mut self) {
        for place in self.agenda.drain(..) {
            self.on_agenda[place as usize] = false;
        }
    }

    /// Compares an instruction with its operands.
    fn examine(&mut self, place: u32) -> Result<(), Conflict> {
        let index = place as usize;
        let value = self.values[index];
        if value.is_known() && self.origins[index] != Origin::Open {
            return Ok(());
        }
        let Instruction { operation, operands, .. } = self.instructions[index];
        let Operation::Term(term, at) = operation else { return Ok(()) };
        let [a, b, c] = operands;
        let operand_values =
            [self.values[a as usize], self.values[b as usize], self.values[c as usize]];
        let computed = apply(term, at, operand_values, &mut self.sets);
        match (value, computed) {
            (Slot::Unknown, Slot::Unknown) => Ok(()),
            (Slot::Unknown, computed) => {
                self.set(place, computed);
                Ok(())
            }
            (Slot::Scalar(value), Slot::Unknown) => {
                self.deduce(term, value, operands, operand_values)
            }
            (value, computed) if value == computed => {
                self.origins[index] = Origin::Confirmed;
                self.open -= 1;
                self.trail.push(Change::Confirmed(place));
                Ok(())
            }
            _ => Err(Conflict),
        }
    }

    /// The consequences of the value of a term for its operands.
    fn deduce(
        &mut self,
        term: FlatTerm,
        value: Value,
        [a, b, c]: [u32; 3],
        [first, second, third]: [Slot; 3],
    ) -> Result<(), Conflict> {
        match (term, value) {
            (FlatTerm::Unary(FlatUnary::Not, _), value) => {
                self.force(a, Slot::Scalar(unary(FlatUnary::Not, value)))
            }
            (FlatTerm::Unary(FlatUnary::Minus, _), value) => {
                self.force(a, Slot::Scalar(unary(FlatUnary::Minus, value)))
            }
            (FlatTerm::Unary(FlatUnary::Signed, _), value) => {
                self.force(a, Slot::Scalar(unary(FlatUnary::Unsigned, value)))
            }
            (FlatTerm::Unary(FlatUnary::Unsigned, _), value) => {
                self.force(a, Slot::Scalar(unary(FlatUnary::Signed, value)))
            }
            (FlatTerm::Unary(FlatUnary::Word1, _), value) => {
                self.force(a, Slot::Scalar(unary(FlatUnary::Bool, value)))
            }
            (FlatTerm::Binary(operator, ..), Value::Boolean(value)) => {
                self.deduce_boolean(operator, value, [a, b], [first, second])
            }
            (FlatTerm::Binary(FlatBinary::Add, ..), sum) => match (first, second) {
                (Slot::Scalar(first), _) => self.force_difference(b, sum, first),
                (_, Slot::Scalar(second)) => self.force_difference(a, sum, second),
                _ => Ok(()),
            },
            (FlatTerm::Binary(FlatBinary::Subtract, ..), difference) => match (first, second) {
                (Slot::Scalar(first), _) => self.force_difference(b, first, difference),
                (_, Slot::Scalar(second)) => {
                    match scalar_binary(FlatBinary::Add, difference, second) {
                        Ok(sum) => self.force(a, Slot::Scalar(sum)),
                        Err(_) => Ok(()),
                    }
                }
                _ => Ok(()),
            },
            (FlatTerm::IfThenElse(..), value) => {
                let differs = |slot: Slot| slot.is_known() && slot != Slot::Scalar(value);
                match first {
                    Slot::TRUE => self.force(b, Slot::Scalar(value)),
                    Slot::FALSE => self.force(c, Slot::Scalar(value)),
                    _ if differs(second) => self.force(a, Slot::FALSE),
                    _ if differs(third) => self.force(a, Slot::TRUE),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn force_difference(&mut self, place: u32, a: Value, b: Value) -> Result<(), Conflict> {
        match scalar_binary(FlatBinary::Subtract, a, b) {
            Ok(difference) => self.force(place, Slot::Scalar(difference)),
            Err(_) => Ok(()),
        }
    }

    fn deduce_boolean(
        &mut self,
        operator: FlatBinary,
        value: bool,
        [a, b]: [u32; 2],
        [first, second]: [Slot; 2],
    ) -> Result<(), Conflict> {
        use FlatBinary as Op;
        // A known operand that does not decide leaves the decision to the other one.
        let decide = |network: &mut Self, decisive_a: Slot, decisive_b: Slot| {
            if first.is_known() {
                network.force(b, decisive_b)
            } else if second.is_known() {
                network.force(a, decisive_a)
            } else {
                Ok(())
            }
        };
        match (operator, value) {
            (Op::And, true) => self.force_both([a, b], [Slot::TRUE, Slot::TRUE]),
            (Op::Or, false) => self.force_both([a, b], [Slot::FALSE, Slot::FALSE]),
            (Op::Implies, false) => self.force_both([a, b], [Slot::TRUE, Slot::FALSE]),
            (Op::And, false) => decide(self, Slot::FALSE, Slot::FALSE),
            (Op::Or, true) => decide(self, Slot::TRUE, Slot::TRUE),
            (Op::Implies, true) => decide(self, Slot::FALSE, Slot::TRUE),
            (Op::Equal | Op::Iff | Op::Xnor, true) | (Op::NotEqual | Op::Xor, false) => {
                match (first, second) {
                    (Slot::Scalar(_), _) => self.force(b, first),
                    (_, Slot::Scalar(_)) => self.force(a, second),
                    _ => Ok(()),
                }
            }
            (Op::Equal | Op::Iff | Op::Xnor, false) | (Op::NotEqual | Op::Xor, true) => {
                match (first, second) {
                    (Slot::Scalar(Value::Boolean(first)), _) => {
                        self.force(b, Slot::boolean(!first))
                    }
                    (_, Slot::Scalar(Value::Boolean(second))) => {
                        self.force(a, Slot::boolean(!second))
                    }
                    _ => Ok(()),
                }
            }
            // The left operand may be a set, unless it is a variable.
            (Op::In, true) if self.leaf_of[a as usize] != u32::MAX => match second {
                Slot::Scalar(_) => self.force(a, second),
                Slot::Set(set) => self.restrict(a, set),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn force_both(&mut self, places: [u32; 2], values: [Slot; 2]) -> Result<(), Conflict> {
        self.force(places[0], values[0])?;
        self.force(places[1], values[1])
    }

    /// The value of an instruction is an element of the set.
    fn restrict(&mut self, place: u32, set: SetId) -> Result<(), Conflict> {
        let elements = self.sets.get(set);
        match (elements.len(), elements.get(0)) {
            (0, _) | (_, None) => return Err(Conflict),
            (1, Some(value)) => return self.force(place, Slot::Scalar(value)),
            _ => {}
        }
        let leaf = self.leaf_of[place as usize];
        let Some(known) = self.leaves.get(leaf as usize) else { return Ok(()) };
        let size = known.candidates.map_or(u64::MAX, |before| self.sets.get(before).len());
        if elements.len() < size {
            self.trail.push(Change::Candidates(leaf, known.candidates));
            self.leaves[leaf as usize].candidates = Some(set);
        }
        Ok(())
    }
}
