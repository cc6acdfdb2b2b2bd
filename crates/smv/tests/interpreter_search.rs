//! The interpreter finds the same initial states and steps as trying all valuations, on random
//! models; and the replay of traces agrees.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::ControlFlow;

use kermode_base::Rng;
use kermode_smv::flat::{
    Assigned, Assignment, Constraint, Domain, FlatBinary, FlatExpression, FlatModel, FlatTerm,
    FlatUnary, FlatVariable, Symbol, Type, Value, VariableId, Word,
};
use kermode_smv::interpreter::{
    Evaluation, Exploration, Fairness, Interpreter, Layout, Outcome, Replay, State, Time, Totality,
    Trace, totality,
};
use kermode_smv::syntax::{AssignmentKind, ConstraintKind, Span, VariableKind};

const WORD: Type = Type::Word { signed: false, width: 2 };

fn domain(rng: &mut Rng) -> Domain {
    let symbols = |numbers: &[u32]| numbers.iter().map(|&n| Value::Symbol(Symbol(n))).collect();
    match rng.below(6) {
        0 | 1 => Domain::Boolean,
        2 => Domain::Range(-1, 1),
        3 => Domain::Enumeration(symbols(&[2, 0, 1])),
        4 => Domain::Enumeration(vec![Value::Integer(4), Value::Integer(1)]),
        _ => Domain::Word { signed: false, width: 2 },
    }
}

/// Draws well-typed expressions.
struct Draw<'a> {
    model: &'a mut FlatModel,
    rng: &'a mut Rng,
}

impl Draw<'_> {
    fn leaf(&mut self, ty: Type, steps: bool) -> FlatExpression {
        let of_type = |model: &FlatModel| -> Vec<VariableId> {
            let ids = (0..model.variables.len() as u32).map(VariableId);
            ids.filter(|&id| {
                let variable = model.variable(id);
                variable.domain.ty() == ty && (steps || variable.kind != VariableKind::Input)
            })
            .collect()
        };
        let variables = of_type(self.model);
        if !variables.is_empty() && self.rng.below(4) > 0 {
            let id = self.rng.choose(&variables);
            let is_input = self.model.variable(id).kind == VariableKind::Input;
            let variable = self.model.expressions.variable(id, ty, is_input);
            if steps && !is_input && self.rng.below(2) == 0 {
                return self.model.expressions.intern(FlatTerm::Next(variable), ty);
            }
            return variable;
        }
        let number = self.rng.below(4);
        let value = match ty {
            Type::Boolean => Value::Boolean(number < 2),
            Type::Integer => Value::Integer(number as i32 - 1),
            Type::Symbolic => Value::Symbol(Symbol(number as u32 % 3)),
            _ => Value::Word(Word { bits: number as u64, width: 2, signed: false }),
        };
        self.model.expressions.constant(value)
    }

    fn binary(
        &mut self,
        operators: &[FlatBinary],
        operand: Type,
        ty: Type,
        depth: usize,
        steps: bool,
    ) -> FlatExpression {
        let operator = self.rng.choose(operators);
        let a = self.expression(operand, depth, steps);
        let b = self.expression(operand, depth, steps);
        self.model.expressions.intern(FlatTerm::Binary(operator, a, b), ty)
    }

    fn expression(&mut self, ty: Type, depth: usize, steps: bool) -> FlatExpression {
        use FlatBinary as Op;
        if depth == 0 {
            return self.leaf(ty, steps);
        }
        let depth = depth - 1;
        let choice = self.rng.below(8);
        if choice == 0 {
            let c = self.expression(Type::Boolean, depth, steps);
            let (a, b) = (self.expression(ty, depth, steps), self.expression(ty, depth, steps));
            return self.model.expressions.intern(FlatTerm::IfThenElse(c, a, b), ty);
        }
        let scalar = self.rng.choose(&[Type::Boolean, Type::Integer, Type::Symbolic, WORD]);
        let number = self.rng.choose(&[Type::Integer, WORD]);
        match (ty, choice) {
            (Type::Boolean, 1) => {
                let a = self.expression(Type::Boolean, depth, steps);
                self.model.expressions.intern(FlatTerm::Unary(FlatUnary::Not, a), ty)
            }
            (Type::Boolean, 2) => self.binary(
                &[Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual],
                number,
                ty,
                depth,
                steps,
            ),
            (Type::Boolean, 3 | 4) => {
                self.binary(&[Op::Equal, Op::NotEqual], scalar, ty, depth, steps)
            }
            (Type::Boolean, 5) if scalar != WORD => {
                let a = self.leaf(scalar, steps);
                let b = self.set(scalar, depth, steps);
                self.model.expressions.intern(FlatTerm::Binary(Op::In, a, b), ty)
            }
            (Type::Boolean, _) => self.binary(
                &[Op::And, Op::Or, Op::Xor, Op::Xnor, Op::Implies, Op::Iff],
                ty,
                ty,
                depth,
                steps,
            ),
            (Type::Integer | Type::Word { .. }, 1) => {
                let a = self.expression(ty, depth, steps);
                self.model.expressions.intern(FlatTerm::Unary(FlatUnary::Minus, a), ty)
            }
            (Type::Integer | Type::Word { .. }, 2..) => {
                let operators = [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Modulo];
                self.binary(&operators, ty, ty, depth, steps)
            }
            _ => self.leaf(ty, steps),
        }
    }

    fn set(&mut self, element: Type, depth: usize, steps: bool) -> FlatExpression {
        let Some(ty) = element.set().filter(|_| self.rng.below(3) > 0) else {
            return self.expression(element, depth, steps);
        };
        let a = self.expression(element, depth, steps);
        let b = self.expression(element, depth, steps);
        match self.rng.below(3) {
            0 => {
                let c = self.expression(Type::Boolean, depth, steps);
                let b =
                    self.model.expressions.intern(FlatTerm::Binary(FlatBinary::Union, a, b), ty);
                self.model.expressions.intern(FlatTerm::IfThenElse(c, a, b), ty)
            }
            1 if element == Type::Integer => {
                self.model.expressions.intern(FlatTerm::Interval(0, 2), ty)
            }
            _ => self.model.expressions.intern(FlatTerm::Binary(FlatBinary::Union, a, b), ty),
        }
    }
}

fn model(rng: &mut Rng) -> FlatModel {
    use VariableKind::{Frozen, Input, State};
    let mut model = FlatModel {
        symbols: ["red", "green", "blue"].map(str::to_owned).to_vec(),
        ..FlatModel::default()
    };
    for number in 0..rng.between(1, 4) {
        let kind = rng.choose(&[State, State, State, Input, Frozen]);
        let (name, domain) = (format!("x{number}"), domain(rng));
        model.variables.push(FlatVariable { name, kind, domain, span: Span::default() });
    }
    let mut draw = Draw { model: &mut model, rng };
    for _ in 0..draw.rng.below(4) {
        let kind = draw.rng.choose(&[
            ConstraintKind::Init,
            ConstraintKind::Invar,
            ConstraintKind::Trans,
            ConstraintKind::Trans,
        ]);
        let depth = draw.rng.between(1, 4);
        let condition = draw.expression(Type::Boolean, depth, kind == ConstraintKind::Trans);
        draw.model.constraints.push(Constraint { kind, condition, span: Span::default() });
    }
    for index in 0..draw.model.variables.len() {
        if draw.model.variables[index].kind != State || draw.rng.below(3) == 0 {
            continue;
        }
        let kind = draw.rng.choose(&[
            AssignmentKind::Init,
            AssignmentKind::Next,
            AssignmentKind::Next,
            AssignmentKind::Current,
        ]);
        let ty = draw.model.variables[index].domain.ty();
        let value = draw.set(ty, 2, kind == AssignmentKind::Next);
        let assigned = vec![Assigned { value, span: Span::default(), process: 0 }];
        let variable = VariableId(index as u32);
        draw.model.assignments.push(Assignment { kind, variable, value, assigned });
    }
    model
}

/// All valuations of the variables of a layout.
fn all(model: &FlatModel, layout: &Layout<'_>) -> Vec<State> {
    let mut valuations: Vec<Vec<Option<Value>>> = vec![vec![None; model.variables.len()]];
    for variable in layout.variables() {
        let domain = &model.variable(*variable).domain;
        let values: Vec<_> = (0..domain.size() as u64).map(|code| domain.value(code)).collect();
        valuations = valuations
            .iter()
            .flat_map(|valuation| {
                values.iter().map(|&value| {
                    let mut valuation = valuation.clone();
                    valuation[variable.index()] = value;
                    valuation
                })
            })
            .collect();
    }
    let state = |valuation: Vec<Option<Value>>| {
        layout.state(|variable| valuation[variable.index()]).expect("all values are given")
    };
    valuations.into_iter().map(state).collect()
}

/// Tries all constraints and assignments of these kinds.
struct Check<'m> {
    model: &'m FlatModel,
    evaluation: Evaluation<'m>,
    targets: Vec<Option<(VariableId, Time)>>,
}

impl<'m> Check<'m> {
    fn new(model: &'m FlatModel, constraint: ConstraintKind, assignment: AssignmentKind) -> Self {
        let (mut roots, mut targets) = (Vec::new(), Vec::new());
        for c in model.constraints.iter().filter(|c| c.kind == constraint) {
            roots.push(c.condition);
            targets.push(None);
        }
        for a in model.assignments.iter().filter(|a| a.kind == assignment) {
            roots.push(a.value);
            let is_next = assignment == AssignmentKind::Next;
            let time = if is_next { Time::Next } else { Time::Current };
            targets.push(Some((a.variable, time)));
        }
        Check { model, evaluation: Evaluation::new(&model.expressions, &roots), targets }
    }

    fn holds(&mut self, value: &dyn Fn(VariableId, Time) -> Option<Value>) -> bool {
        self.evaluation.run(value);
        let frozen = (0..self.model.variables.len() as u32).map(VariableId).all(|id| {
            self.model.variable(id).kind != VariableKind::Frozen
                || value(id, Time::Next).is_none_or(|next| Some(next) == value(id, Time::Current))
        });
        frozen
            && self.targets.iter().enumerate().all(|(number, target)| {
                match (self.evaluation.outcome(number), target) {
                    (outcome, None) => outcome.is_true(),
                    (Outcome::Scalar(right), &Some((id, time))) => value(id, time) == Some(right),
                    (Outcome::Set(set), &Some((id, time))) => {
                        value(id, time).is_some_and(|value| set.contains(value))
                    }
                    _ => false,
                }
            })
    }
}

/// Whether all right sides of assignments are in the domains of their variables, for all
/// valuations.
fn assigned_values_are_legal(model: &FlatModel, states: &[State], inputs: &[State]) -> bool {
    let (state_layout, input_layout) = (Layout::of_states(model), Layout::of_inputs(model));
    let roots: Vec<_> = model.assignments.iter().map(|assignment| assignment.value).collect();
    let mut evaluation = Evaluation::new(&model.expressions, &roots);
    let mut all = true;
    for (state, input) in states.iter().flat_map(|s| inputs.iter().map(move |i| (s, i))) {
        for next in states {
            evaluation.run(|id, time| match time {
                Time::Current => state_layout.value(state, id).or(input_layout.value(input, id)),
                Time::Next => state_layout.value(next, id),
            });
            all &= model.assignments.iter().enumerate().all(|(number, assignment)| {
                let domain = &model.variable(assignment.variable).domain;
                match evaluation.outcome(number) {
                    Outcome::Scalar(value) => domain.code(value).is_some(),
                    Outcome::Set(set) => set.iter().all(|value| domain.code(value).is_some()),
                    Outcome::Failure(_) | Outcome::Unknown => false,
                }
            });
        }
    }
    all
}

fn collect<T: Ord>(
    run: impl FnOnce(
        &mut dyn FnMut(T) -> ControlFlow<()>,
        &mut dyn FnMut() -> Result<(), Infallible>,
    ) -> Result<(), Infallible>,
) -> BTreeSet<T> {
    let mut all = BTreeSet::new();
    let Ok(()) = run(
        &mut |item| {
            assert!(all.insert(item), "an item is visited twice");
            ControlFlow::Continue(())
        },
        &mut || Ok(()),
    );
    all
}

#[test]
fn search_agrees_with_trying_all_valuations() {
    let mut rng = Rng::new(1);
    let (mut steps_seen, mut judged) = (0, [0; 2]);
    for round in 0..1_500 {
        let model = model(&mut rng);
        let mut interpreter = Interpreter::new(&model);
        let (states, inputs) = (interpreter.states().clone(), interpreter.inputs().clone());
        let (all_states, all_inputs) = (all(&model, &states), all(&model, &inputs));
        let mut init = Check::new(&model, ConstraintKind::Init, AssignmentKind::Init);
        let mut invar = Check::new(&model, ConstraintKind::Invar, AssignmentKind::Current);
        let mut trans = Check::new(&model, ConstraintKind::Trans, AssignmentKind::Next);
        let mut replay = Replay::new(&model);
        let legal: BTreeSet<State> = all_states
            .iter()
            .filter(|state| {
                invar.holds(&|id, time| {
                    if time == Time::Current { states.value(state, id) } else { None }
                })
            })
            .cloned()
            .collect();
        let initial: BTreeSet<State> = legal
            .iter()
            .filter(|state| {
                init.holds(&|id, time| {
                    if time == Time::Current { states.value(state, id) } else { None }
                })
            })
            .cloned()
            .collect();
        assert_eq!(collect(|v, i| interpreter.invariant_states(v, i)), legal, "{round}: {model:?}");
        assert_eq!(collect(|v, i| interpreter.initial_states(v, i)), initial, "{round}: {model:?}");
        let mut some_deadlock = false;
        for state in all_states.iter().take(12).chain(&legal) {
            let mut expected = BTreeSet::new();
            for input in &all_inputs {
                for next in &legal {
                    let holds = legal.contains(state)
                        && trans.holds(&|id, time| match time {
                            Time::Current => states.value(state, id).or(inputs.value(input, id)),
                            Time::Next => states.value(next, id),
                        });
                    if holds {
                        expected.insert((input.clone(), next.clone()));
                    }
                    let trace = Trace {
                        states: vec![state.clone(), next.clone()],
                        inputs: vec![input.clone()],
                        loop_start: None,
                    };
                    let replayed = replay.check(&trace, Fairness::Ignored);
                    assert_eq!(replayed.is_ok(), holds && initial.contains(state));
                }
            }
            let mut found = BTreeSet::new();
            let mut visit = |input, next| {
                assert!(found.insert((input, next)), "a step is visited twice");
                ControlFlow::Continue(())
            };
            let Ok(()) = interpreter.steps::<Infallible>(state, &mut visit, &mut || Ok(()));
            assert_eq!(found, expected, "{round}: {} {model:?}", states.show(state));
            let targets: BTreeSet<State> = expected.into_iter().map(|(_, next)| next).collect();
            let Ok(any) = interpreter.has_successor::<Infallible>(state, &mut || Ok(()));
            assert_eq!(any, !targets.is_empty());
            some_deadlock |= !any && legal.contains(state);
            steps_seen += targets.len();
            assert_eq!(collect(|v, i| interpreter.successors(state, v, i)), targets);
        }
        if assigned_values_are_legal(&model, &all_states, &all_inputs) {
            // Without explored states, all deadlocks are unreachable.
            let none = Exploration::default();
            let Ok(total) = totality::<Infallible>(&model, &none, usize::MAX, &mut || Ok(()));
            let deadlock = Totality::UnreachableDeadlock;
            let expected = if some_deadlock { deadlock } else { Totality::Total };
            assert_eq!(total, Some(expected), "{round}: {model:?}");
            judged[usize::from(some_deadlock)] += 1;
        }
    }
    assert!(steps_seen > 10_000 && judged.iter().all(|&n| n > 100), "{steps_seen} {judged:?}");
}
