//! An engine of one's own, by itself and in a portfolio together with a built-in one.
use kermode::ltl::{Letter, Store, Syntax, Word, WordKind};
use kermode::solve::portfolio::{Schedule, on_threads};
use kermode::solve::{self, Answer, Budget, EngineInfo, EngineSpec, Problem, Silent, Stop, decide};

/// Tries the word in which no proposition ever holds.
struct Nothing;
impl solve::Engine for Nothing {
    fn solve(&self, p: &Problem, b: &Budget, _: &mut dyn solve::Observer) -> Result<Answer, Stop> {
        let word = Word::lasso(Vec::new(), vec![Letter::default()]);
        match p.contains(&word, b)? {
            true => Ok(Answer::word(word)),
            false => Err(Stop::Limit("some proposition has to hold".to_owned())),
        }
    }
}
static NOTHING: EngineInfo = EngineInfo::new("own:nothing", |_| Ok(Box::new(Nothing)));

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut store, budget, silent) = (Store::new(), Budget::unlimited(), &mut Silent::default());
    let mut parse = |text| kermode::parse(&mut store, text, Syntax::default());
    let [easy, hard] = [parse("G(a -> F b)")?, parse("a & G(a -> F b)")?];
    let (own, built_in) = (EngineSpec::of(&NOTHING), "tgba:couvreur".parse()?);
    let easy = Problem::satisfiability(&store, easy, WordKind::Infinite);
    assert!(decide(&easy, &own, &budget, silent)?.is_nonempty());
    let hard = Problem::satisfiability(&store, hard, WordKind::Infinite);
    let decided = on_threads(&hard, &Schedule::of([own, built_in]), 2, &budget, silent);
    assert_eq!(decided.engine.ok_or("no answer")?.to_string(), "tgba:couvreur");
    Ok(())
}
