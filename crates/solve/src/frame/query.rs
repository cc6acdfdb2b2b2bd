//! A question together with its formulas or automata.
//!
//! A [`Problem`] borrows a store and asks for a word. A [`Query`] owns its store and knows the
//! original question. So it can be kept, sent to another thread and asked again, and it translates
//! the word of a verdict for the given formulas.

use kermode_automata::{Automaton, Difference};
use kermode_ltl::word::to_spot;
use kermode_ltl::{BinaryOp, Formula, Node, Store, Timeline, Word, WordKind, semantics};

use crate::frame::answer::Verdict;
use crate::frame::budget::Budget;
use crate::frame::problem::{Problem, WitnessPolicy};
use crate::frame::question::Question;

/// A question about formulas or automata.
#[derive(Clone, Debug)]
pub struct Query {
    question: Question,
    store: Store,
    subject: Subject,
    witness: WitnessPolicy,
}

#[derive(Clone, Debug)]
enum Subject {
    Formulas {
        /// One or two formulas.
        given: Vec<Formula>,
        /// The formula whose words decide the question.
        formula: Formula,
        words: WordKind,
    },
    Automata(Difference),
}

impl Query {
    /// Is there a word of this kind that satisfies the formula?
    pub fn satisfiable(store: &Store, formula: Formula, words: WordKind) -> Query {
        Query::of_formulas(Question::Sat, store, [formula; 2], words)
    }

    /// Does every word of this kind satisfy the formula?
    pub fn valid(store: &Store, formula: Formula, words: WordKind) -> Query {
        Query::of_formulas(Question::Valid, store, [formula; 2], words)
    }

    /// Do the formulas have the same words of this kind?
    pub fn equivalent(store: &Store, formulas: [Formula; 2], words: WordKind) -> Query {
        Query::of_formulas(Question::Equiv, store, formulas, words)
    }

    /// Does every word of this kind that satisfies the first formula satisfy the second?
    pub fn implies(store: &Store, formulas: [Formula; 2], words: WordKind) -> Query {
        Query::of_formulas(Question::Implies, store, formulas, words)
    }

    /// Is there no word that the automata accept and reject as the difference says? The
    /// propositions of the automata are those of the store.
    pub fn empty(store: Store, automata: Difference) -> Query {
        Query::of_automata(Question::Empty, store, automata)
    }

    /// Does the first automaton accept every word of the second? The propositions of the automata
    /// are those of the store.
    ///
    /// # Panics
    /// When the automata have different kinds of words.
    pub fn contains(store: Store, automaton: Automaton, other: Automaton) -> Query {
        Query::of_automata(Question::Contains, store, Difference::of(other).not(automaton))
    }

    /// Do the automata accept the same words? They do if both queries say so: the first is about
    /// words of the first automaton only, the second about words of the second only.
    ///
    /// # Panics
    /// When the automata have different kinds of words.
    pub fn same_language(store: &Store, automata: [Automaton; 2]) -> [Query; 2] {
        let [a, b] = automata;
        let differences = [Difference::of(a.clone()).not(b.clone()), Difference::of(b).not(a)];
        differences.map(|d| Query::of_automata(Question::SameLanguage, store.clone(), d))
    }

    /// A question about automata that a word of a difference answers with no.
    pub fn of_automata(question: Question, store: Store, automata: Difference) -> Query {
        let subject = Subject::Automata(automata);
        Query { question, store, subject, witness: WitnessPolicy::default() }
    }

    /// A question about formulas of a store. Questions about one formula use the first one.
    ///
    /// # Panics
    /// When the question is about automata.
    pub fn of_formulas(
        question: Question,
        store: &Store,
        formulas: [Formula; 2],
        words: WordKind,
    ) -> Query {
        Query::assuming(question, store, formulas, &[], words)
    }

    /// The same question, restricted to words that satisfy all assumptions.
    ///
    /// # Panics
    /// When the question is about automata.
    pub fn assuming(
        question: Question,
        store: &Store,
        formulas: [Formula; 2],
        assumptions: &[Formula],
        words: WordKind,
    ) -> Query {
        assert!(!question.is_about_automata(), "this question is about automata");
        let asked = if question.is_about_two() { &formulas[..] } else { &formulas[..1] };
        // The query gets a store of its own, so that one of many formulas does not pay for the
        // others.
        let (mut store, mut given) = store.extract(&[asked, assumptions].concat());
        let assumptions = given.split_off(asked.len());
        let decisive = question.formula(&mut store, given[0], given[given.len() - 1]);
        let both = |all, next| store.intern(Node::Binary(BinaryOp::And, all, next));
        let formula = assumptions.into_iter().fold(decisive, both);
        let subject = Subject::Formulas { given, formula, words };
        Query { question, store, subject, witness: WitnessPolicy::default() }
    }

    /// The same question with another witness policy.
    pub fn with_witness(self, witness: WitnessPolicy) -> Query {
        Query { witness, ..self }
    }

    /// The question.
    pub fn question(&self) -> Question {
        self.question
    }

    /// The owner of the propositions.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The problem that engines decide.
    pub fn problem(&self) -> Problem<'_> {
        let problem = match &self.subject {
            Subject::Formulas { formula, words, .. } => {
                Problem::satisfiability(&self.store, *formula, *words)
            }
            Subject::Automata(automata) => Problem::emptiness(&self.store, automata),
        };
        problem.with_witness(self.witness)
    }

    /// Which of the two formulas hold on the word that distinguishes them, if there is time to
    /// evaluate them.
    pub fn sides(&self, verdict: &Verdict, budget: &Budget) -> Option<[bool; 2]> {
        let Subject::Formulas { given, .. } = &self.subject else { return None };
        let (&[first, second], Some(word)) = (&given[..], verdict.word()) else { return None };
        let interrupt = &mut || budget.check();
        let mut holds = |formula| semantics::satisfies(&self.store, formula, word, interrupt).ok();
        Some([holds(first)?, holds(second)?])
    }

    /// A word over the propositions of the question in Spot's notation.
    pub fn spot(&self, word: &Word) -> String {
        to_spot(&self.store, word, &self.problem().propositions())
    }

    /// A word over the propositions of the question as a table.
    pub fn timeline<'w>(&self, word: &'w Word) -> Timeline<'w> {
        Timeline::of_word(&self.store, word, &self.problem().propositions())
    }
}

#[cfg(test)]
mod tests {
    use kermode_automata::from_ltl;
    use kermode_ltl::dialect::parse;
    use kermode_ltl::{Dialect, Letter};

    use super::*;
    use crate::frame::answer::Witness;

    fn formulas<const N: usize>(store: &mut Store, texts: [&str; N]) -> [Formula; N] {
        texts.map(|text| parse(store, text, Dialect::Kermode.into()).expect("a formula").formula)
    }

    #[test]
    fn each_question_becomes_a_problem_about_words() {
        let mut store = Store::new();
        let both @ [first, second] = formulas(&mut store, ["F a", "G a"]);
        let kind = WordKind::Infinite;
        let written = |query: Query| {
            let (formula, words) = query.problem().formula().expect("a formula");
            assert_eq!(words, kind);
            kermode_ltl::dialect::write(query.store(), formula, Dialect::Kermode.into())
        };
        assert_eq!(written(Query::satisfiable(&store, first, kind)).as_deref(), Ok("F a"));
        assert_eq!(written(Query::valid(&store, second, kind)).as_deref(), Ok("!G a"));
        assert_eq!(written(Query::implies(&store, both, kind)).as_deref(), Ok("F a & !G a"));
        assert_eq!(written(Query::equivalent(&store, both, kind)).as_deref(), Ok("F a ^ G a"));
        let assuming = Query::assuming(Question::Valid, &store, [first; 2], &[second], kind);
        assert_eq!(written(assuming).as_deref(), Ok("!F a & G a"));
        let automaton = from_ltl(&mut store, first, kind).expect("an automaton");
        let query = Query::empty(store, Difference::of(automaton));
        assert_eq!(query.question(), Question::Empty);
        let unseen = WitnessPolicy { wanted: false, limit: 1, ..WitnessPolicy::default() };
        assert_eq!(query.with_witness(unseen).problem().witness, unseen);
    }

    #[test]
    fn a_word_is_shown_and_tells_which_formula_holds() {
        let mut store = Store::new();
        let both = formulas(&mut store, ["F a", "G a"]);
        let query = Query::implies(&store, both, WordKind::Infinite);
        let a = query.store().find_proposition("a").expect("a proposition");
        let letters = vec![Letter::from_iter([a]), Letter::default()];
        let word = Word::from_letters(letters, Some(1));
        assert_eq!(query.spot(&word), "a; cycle{!a}");
        assert_eq!(query.timeline(&word).to_string(), "  time  0 1\n  loop    ○\n  a     1 ·\n");
        let verdict = Verdict::Nonempty(Ok(Witness::Word(word)));
        assert_eq!(query.sides(&verdict, &Budget::unlimited()), Some([true, false]));
        assert_eq!(query.sides(&Verdict::Empty(None), &Budget::unlimited()), None);
    }
}
