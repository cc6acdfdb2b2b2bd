//! Encodings over finite words, compared with the semantics on all short words.

use kermode_ltl::dialect::write_abbreviated;
use kermode_ltl::random::all_formulas;
use kermode_ltl::semantics::naive;
use kermode_ltl::{BinaryOp, Formula, Letter, Proposition, Store, UnaryOp, Untranslatable, Word};
use kermode_system::{Below, Encoding, Expression, Form, Model, VariableOrder};

/// Whether some path of the model with the letters of the word ends in a last state.
fn accepts(model: &Model, last: Expression, propositions: &[Proposition], word: &Word) -> bool {
    let variables = model.system.variables();
    let atom = |variable: &kermode_system::Variable| {
        propositions.iter().copied().find(|p| {
            let expression = model.atoms.get(p);
            expression.is_some_and(|&e| model.graph.variables(&[e]) == [*variable])
        })
    };
    let owners: Vec<Option<Proposition>> = variables.iter().map(atom).collect();
    let states = |letter: &Letter| -> Vec<u32> {
        let fits = |state: &u32| {
            owners.iter().enumerate().all(|(place, owner)| {
                owner.is_none_or(|p| letter.contains(p) == (state >> place & 1 == 1))
            })
        };
        (0..1_u32 << variables.len()).filter(fits).collect()
    };
    let holds = |constraints: &[Expression], now: u32, next: u32| {
        let below = Below::of(&model.graph, constraints);
        let value = |state: u32, variable: kermode_system::Variable| {
            let place = variables.iter().position(|&known| known == variable).expect("declared");
            u64::from(state >> place & 1)
        };
        let values = model.graph.values(&below, |v| value(now, v), |v| value(next, v));
        constraints.iter().all(|&constraint| values[below.position(constraint)] & 1 == 1)
    };
    let legal = |state: u32| holds(model.system.invariants(), state, state);
    let mut reached: Vec<u32> = states(&word.letters()[0]);
    reached.retain(|&state| legal(state) && holds(model.system.initial(), state, state));
    for letter in &word.letters()[1..] {
        let mut next = states(letter);
        next.retain(|&next| {
            let leads = |&now: &u32| holds(model.system.transition(), now, next);
            legal(next) && reached.iter().any(leads)
        });
        reached = next;
    }
    reached.iter().any(|&state| holds(&[last], state, state))
}

fn all_words(propositions: &[Proposition], longest: usize) -> Vec<Word> {
    let letters: Vec<Letter> = (0..1_usize << propositions.len())
        .map(|bits| (0..propositions.len()).filter(move |i| bits >> i & 1 == 1))
        .map(|held| held.map(|i| propositions[i]).collect())
        .collect();
    let mut words: Vec<Vec<Letter>> = vec![Vec::new()];
    let mut all = Vec::new();
    for _ in 0..longest {
        words = words
            .iter()
            .flat_map(|word| {
                letters
                    .iter()
                    .map(|letter| [word.as_slice(), std::slice::from_ref(letter)].concat())
            })
            .collect();
        all.extend(words.iter().cloned().map(Word::finite));
    }
    all
}

#[test]
fn all_small_formulas_on_all_short_words() {
    use UnaryOp::{Finally, Globally, Next, Not, WeakNext};
    let mut store = Store::new();
    let propositions = ["a", "b"].map(|name| store.proposition(name));
    let unary = [Not, Next, WeakNext, Finally, Globally];
    let binary = [
        BinaryOp::Or,
        BinaryOp::Until,
        BinaryOp::WeakUntil,
        BinaryOp::Release,
        BinaryOp::StrongRelease,
    ];
    let formulas = all_formulas(&mut store, &propositions, &unary, &binary, 4);
    let words = all_words(&propositions, 3);
    let (mut accepted, mut rejected) = (0, 0);
    let formulas: Vec<Formula> = formulas.into_iter().flatten().collect();
    for (number, &formula) in formulas.iter().enumerate() {
        // Two forms for each formula, in turn.
        for form in [Form::ALL[number % 5], Form::ALL[(number + 2) % 5]] {
            let mut model = Model::new();
            let encoding = Encoding { form, order: VariableOrder::Default };
            let interrupt = &mut || Ok::<(), Untranslatable>(());
            let last = model.constrain_finite(&mut store, formula, encoding, interrupt);
            let last = last.expect("no past and no bounds");
            for word in words.iter().step_by(1 + number % 7) {
                let expected = naive::satisfies(&store, formula, word);
                let found = accepts(&model, last, &propositions, word);
                let text = write_abbreviated(&store, formula, 100);
                assert_eq!(found, expected, "{text} by {} on {word:?}", form.name());
                *if found { &mut accepted } else { &mut rejected } += 1;
            }
        }
    }
    assert!(accepted > 10_000 && rejected > 10_000, "{accepted}, {rejected}");
}
