//! Models, and formulas over their atoms: judged by the tableau, which is asked about one formula
//! that says what the model is and that its atoms satisfy the formula in question.

mod oracle;

use std::collections::BTreeMap;

use kermode_base::Rng;
use kermode_ltl::random::{Operators, RandomFormula};
use kermode_ltl::reference::tableau;
use kermode_ltl::semantics::naive;
use kermode_ltl::{
    BinaryOp, Formula, Proposition, Store, UnaryOp, Untranslatable, WordKind, replace,
};
use kermode_system::{
    Below, Domain, Encoding, Expression, Form, Model, SymbolKind, Term, Trace, Variable,
    VariableOrder, replay,
};
use oracle::random::{expression, holds, system};
use oracle::{Explicit, MOST_VARIABLES};

/// Expressions as formulas: variables are propositions, and next values stand below `X`.
struct Meaning<'m> {
    model: &'m Model,
    variables: BTreeMap<Variable, Proposition>,
}

impl<'m> Meaning<'m> {
    fn new(store: &mut Store, model: &'m Model) -> Self {
        let variables = model.system.variables().iter();
        let variables = variables.map(|&v| (v, store.proposition(model.graph.name(v)))).collect();
        Meaning { model, variables }
    }

    fn formula(&self, store: &mut Store, expression: Expression) -> Formula {
        let below = Below::of(&self.model.graph, &[expression]);
        let mut formulas: Vec<Formula> = Vec::new();
        for expression in below.iter() {
            let of = |operand| formulas[below.position(operand)];
            let formula = match self.model.graph.term(expression) {
                Term::Constant(value) => store.constant(value),
                Term::Current(variable) => store.atom(self.variables[&variable]),
                Term::Next(variable) => {
                    let later = store.atom(self.variables[&variable]);
                    store.unary(UnaryOp::Next, later)
                }
                Term::Not(a) => store.not(of(a)),
                Term::And(a, b) => store.and(of(a), of(b)),
                Term::Or(a, b) => store.or(of(a), of(b)),
                Term::Implies(a, b) => store.binary(BinaryOp::Implies, of(a), of(b)),
                Term::Iff(a, b) => store.binary(BinaryOp::Iff, of(a), of(b)),
            };
            formulas.push(formula);
        }
        formulas[below.position(expression)]
    }

    fn all(&self, store: &mut Store, constraints: &[Expression]) -> Formula {
        constraints.iter().fold(store.constant(true), |all, &constraint| {
            let constraint = self.formula(store, constraint);
            store.and(all, constraint)
        })
    }

    /// That a word is a fair run of the model.
    fn run(&self, store: &mut Store) -> Formula {
        let system = &self.model.system;
        let initial = self.all(store, system.initial());
        let everywhere = [system.transition(), system.invariants()].concat();
        let everywhere = self.all(store, &everywhere);
        let always = store.unary(UnaryOp::Globally, everywhere);
        let run = store.and(initial, always);
        system.justice().iter().fold(run, |run, &constraint| {
            let just = self.formula(store, constraint);
            let eventually = store.unary(UnaryOp::Finally, just);
            let again = store.unary(UnaryOp::Globally, eventually);
            store.and(run, again)
        })
    }

    /// A formula with the atoms in the place of propositions.
    fn of_atoms(&self, store: &mut Store, formula: Formula) -> Formula {
        let mut atoms = BTreeMap::new();
        for (&proposition, &atom) in &self.model.atoms {
            let formula = self.formula(store, atom);
            atoms.insert(store.atom(proposition), formula);
        }
        replace(store, formula, |subformula| atoms.get(&subformula).copied())
    }
}

/// What the rounds of a random test were about.
#[derive(Default)]
struct Rounds {
    judged: usize,
    large: usize,
    fair: usize,
    /// With an atom that looks ahead.
    ahead: usize,
}

/// Compares a form with the tableau.
fn judge(store: &mut Store, model: &Model, formula: Formula, form: Form, rounds: &mut Rounds) {
    let meaning = Meaning::new(store, model);
    let run = meaning.run(store);
    let property = meaning.of_atoms(store, formula);
    let both = store.and(run, property);
    let expected = tableau::<()>(store, both, WordKind::Infinite, &mut || Ok(()));
    let expected = expected.expect("a small formula").is_some();

    let mut constrained = model.clone();
    let encoding = Encoding { form, order: VariableOrder::Default };
    let interrupt = &mut || Ok::<(), Untranslatable>(());
    constrained.constrain(store, formula, encoding, interrupt).expect("no past, no bounds");
    assert_eq!(constrained.order.len(), constrained.system.variables().len());
    if constrained.system.variables().len() > MOST_VARIABLES {
        rounds.large += 1;
        return;
    }
    let (graph, system) = (&constrained.graph, &constrained.system);
    let found = Explicit::new(graph, system).fair_run();
    assert_eq!(found.is_some(), expected, "{} {model:?} {formula:?}", form.name());
    rounds.judged += 1;
    rounds.fair += usize::from(expected);
    rounds.ahead += usize::from(model.atoms.values().any(|&atom| graph.looks_ahead(atom)));
    if let Some(trace) = found {
        assert_eq!(replay::<()>(graph, system, &trace, &mut || Ok(())), Ok(Ok(())));
        let word = constrained.word(&trace);
        assert!(naive::satisfies(store, formula, &word), "{} {word:?}", form.name());
        for (&proposition, &atom) in &constrained.atoms {
            for (step, letter) in word.letters().iter().enumerate() {
                let truth = holds(graph, system, &trace, step, atom);
                assert_eq!(letter.contains(proposition), truth);
            }
        }
    }
}

/// A random model over three variables: two propositions have atoms, and a third has none.
fn random_model(store: &mut Store, rng: &mut Rng) -> (Model, Vec<Proposition>) {
    let mut model = Model::new();
    let names = ["x", "y", "z"];
    for name in &names[..rng.between(1, 3)] {
        model.auxiliary(name);
    }
    let variables = model.order.clone();
    model.system = system(&mut model.graph, rng, &variables);
    let propositions: Vec<Proposition> = ["p", "q", "r"].map(|p| store.proposition(p)).to_vec();
    for &proposition in &propositions[..2] {
        let depth = rng.below(3);
        let ahead = rng.coin();
        let atom = expression(&mut model.graph, rng, &variables, ahead, depth);
        model.atoms.insert(proposition, atom);
    }
    (model, propositions)
}

#[test]
fn formulas_over_atoms_of_random_models() {
    let mut rng = Rng::new(2026);
    let mut rounds = Rounds::default();
    for _ in 0..1_500 {
        let mut store = Store::new();
        let (model, propositions) = random_model(&mut store, &mut rng);
        let operators = Operators::future().with_constants();
        let size = rng.between(1, 5);
        let formula = RandomFormula { size, propositions, operators }.draw(&mut store, &mut rng);
        for form in Form::ALL {
            judge(&mut store, &model, formula, form, &mut rounds);
        }
    }
    let Rounds { judged, large, fair, ahead } = rounds;
    assert!(judged > 20 * large && fair > 500 && judged - fair > 500 && ahead > 500);
}

/// The atom belongs to the step, in whichever place of a formula it stands.
#[test]
fn atoms_look_at_the_next_state() {
    for form in Form::ALL {
        let mut store = Store::new();
        let rises = store.proposition("rises");
        let mut model = Model::new();
        let x = model.declare("x", SymbolKind::State, Domain::Boolean).bits[0];
        let (now, next) = (model.graph.current(x), model.graph.next(x));
        let was_false = model.graph.not(now);
        let atom = model.graph.and(was_false, next);
        model.atoms.insert(rises, atom);
        let atom = store.atom(rises);
        let later = store.unary(UnaryOp::Next, atom);
        let eventually = store.unary(UnaryOp::Finally, atom);
        let [again, twice] = [store.unary(UnaryOp::Globally, eventually), store.and(atom, later)];
        let mut rounds = Rounds::default();
        for formula in [atom, later, eventually, again, twice] {
            for formula in [formula, store.not(formula)] {
                judge(&mut store, &model, formula, form, &mut rounds);
            }
        }
        // It cannot rise twice in a row.
        assert_eq!((rounds.judged, rounds.fair), (10, 9), "{}", form.name());
    }
}

#[test]
fn symbols_have_values() {
    let mut model = Model::new();
    let domain = Domain::Values(["red", "green", "blue"].map(String::from).to_vec());
    model.declare("colour", SymbolKind::State, domain);
    model.declare("sure", SymbolKind::Frozen, Domain::Boolean);
    model.declare("one", SymbolKind::Input, Domain::Values(vec![String::from("1")]));
    assert_eq!(model.order.len(), 3);
    let names: Vec<&str> = model.order.iter().map(|&v| model.graph.name(v)).collect();
    assert_eq!(names, ["colour.0", "colour.1", "sure"]);

    let rows = |sure: [bool; 2]| [[false, true, sure[0]], [true, false, sure[1]]];
    let trace = |rows: [[bool; 3]; 2]| Trace::new(3, rows, Some(0));
    let judge = |trace| replay::<()>(&model.graph, &model.system, &trace, &mut || Ok(()));
    assert_eq!(judge(trace(rows([true, true]))), Ok(Ok(())));
    // Frozen symbols do not change, and there is no fourth colour.
    assert!(judge(trace(rows([true, false]))).expect("no interrupt").is_err());
    assert!(judge(trace([[true; 3], [true; 3]])).expect("no interrupt").is_err());

    let values = |row: [bool; 3]| {
        let place = |bit| model.order.iter().position(|&v| v == bit).expect("a variable");
        let value = |symbol: usize| model.symbols[symbol].value(|bit| row[place(bit)]);
        [0, 1, 2].map(value)
    };
    let expect = |values: [Option<&str>; 3]| values.map(|value| value.map(String::from));
    assert_eq!(values([false, true, true]), expect([Some("blue"), Some("TRUE"), Some("1")]));
    assert_eq!(values([true, true, false]), expect([None, Some("FALSE"), Some("1")]));
}

#[test]
fn only_codes_of_values_are_states() {
    for count in 1..=9_usize {
        let mut model = Model::new();
        let domain = Domain::Values((0..count).map(|value| value.to_string()).collect());
        let bits = domain.bits();
        model.declare("n", SymbolKind::State, domain);
        assert_eq!((1 << bits >= count, model.order.len()), (true, bits));
        for code in 0..1 << bits {
            let row = (0..bits).map(|bit| code >> bit & 1 == 1);
            let trace = Trace::new(bits, [row], Some(0));
            let judged = replay::<()>(&model.graph, &model.system, &trace, &mut || Ok(()));
            assert_eq!(judged.expect("no interrupt").is_ok(), code < count);
            let value = model.symbols[0].value(|bit| trace.value(0, bit.index()));
            assert_eq!(value, (code < count).then_some(code.to_string()));
        }
    }
}

#[test]
fn ranges_and_words_have_values() {
    let range = Domain::Range(-2, 3);
    assert_eq!((range.bits(), range.last_code()), (3, 5));
    assert_eq!(range.value(0).as_deref(), Some("-2"));
    assert_eq!(range.value(5).as_deref(), Some("3"));
    assert_eq!(range.value(6), None);
    assert_eq!((Domain::Range(i32::MIN, i32::MAX).bits(), Domain::Range(4, 4).bits()), (32, 0));
    let [unsigned, signed] = [false, true].map(|signed| Domain::Word { signed, width: 64 });
    assert_eq!((unsigned.bits(), unsigned.last_code()), (64, u64::MAX));
    assert_eq!(unsigned.value(7).as_deref(), Some("0ud64_7"));
    assert_eq!(signed.value(u64::MAX).as_deref(), Some("-0sd64_1"));
    assert_eq!(signed.value(1 << 63).as_deref(), Some("-0sd64_9223372036854775808"));
    assert_eq!(Domain::Word { signed: true, width: 1 }.value(1).as_deref(), Some("-0sd1_1"));
    assert_eq!(Domain::Word { signed: false, width: 4 }.value(16), None);
}
