//! Kermode decides linear temporal logic: satisfiability, validity, equivalence and implication of
//! formulas over infinite and finite words, properties of SMV models, and emptiness of automata.
//!
//! ```
//! use kermode::{Decision, implies};
//!
//! let Decision::No(Some(word)) = implies("F a", "G a")? else { panic!("they differ") };
//! println!("{word}"); // a; cycle{!a}
//! # Ok::<(), kermode::Error>(())
//! ```
//!
//! The functions of this crate take texts and return owned values. The command `kermode` is a thin
//! layer over them and over the crates below:
//!
//! | what a caller wants | where it is |
//! |---|---|
//! | a question about texts | [`satisfiable`], [`valid`], [`equivalent`], [`implies`], [`empty`] |
//! | automata compared | [`contains`], [`same_language`]; [`automata::Difference`] |
//! | operations on automata | [`operate`]; [`Operation`], [`automata::tgba`] |
//! | the same with all options | [`Query`], [`ask`], [`Budget`], [`Observer`] |
//! | why requirements contradict each other | [`core()`]; [`solve::cores`] |
//! | one engine, or several on threads | [`Solver`], [`solve::ENGINES`], [`solve::portfolio`] |
//! | a custom engine | [`solve::Engine`], [`solve::EngineInfo`] |
//! | a formula, requirements, an automaton | [`parse`], [`requirements`], [`automaton`] |
//! | all errors of a file | [`ltl::dialect::read_document`], [`automata::read_automata`] |
//! | truth on a word | [`holds`], [`accepts`]; [`ltl::semantics`], [`ltl::Timeline`] |
//! | another dialect, a normal form | [`convert`]; [`Conversion`], [`ltl::rewrite`] |
//! | an automaton, a model for NuSMV | [`translate`]; [`Translation`], [`automata::of_formula`] |
//! | families of formulas and models | [`generate`]; [`ltl::families`], [`smv::families`] |
//! | random formulas | [`generate`]; [`ltl::random`] |
//! | the properties of a model in SMV | [`check()`]; [`solve::check`], [`smv::trace`] |
//! | proofs of what holds, and their judge | [`certify`], [`verify`]; [`certificate`],
//! [`solve::certify`] |
//! | a model in SMV, its states and texts | [`model`]; [`solve::model_report`] |
//! | campaigns, and searches for wrong engines | [`bench`](mod@bench) |
//!
//! A question with options is a [`Query`]. [`ask`] answers it, and [`Solver::decide`] also returns
//! the engine and its statistics:
//!
//! ```
//! use std::time::Duration;
//!
//! use kermode::ltl::{Store, Syntax, WordKind};
//! use kermode::solve::{Budget, Query, Silent, Solver};
//! use kermode::{Decision, ask, parse};
//!
//! let mut store = Store::new();
//! let syntax = Syntax { words: WordKind::Finite, ..Syntax::default() };
//! let formula = parse(&mut store, "G(request -> X grant)", syntax)?;
//! let query = Query::valid(&store, formula, syntax.words);
//! let budget = Budget::within(Duration::from_secs(10));
//! let decision = ask(&query, &Solver::default(), &budget, &mut Silent::default())?;
//! assert!(matches!(decision, Decision::No(Some(_))));
//! # Ok::<(), kermode::Error>(())
//! ```
//!
//! Nothing here prints, exits or panics on any input. Errors in a text are values with places
//! ([`Unreadable`]), the end of a budget is [`Decision::Unknown`], and an engine that contradicts
//! the semantics is an [`Error`], never a decision.

use std::convert::Infallible;
use std::fmt;

pub use kermode_automata as automata;
pub use kermode_base as base;
pub use kermode_bench as bench;
pub use kermode_certificate as certificate;
pub use kermode_ltl as ltl;
pub use kermode_smv as smv;
pub use kermode_solve as solve;
pub use kermode_system as system;

use automata::{Automaton, Difference, read_automata};
use base::{Diagnostic, Source};
use certificate::{Certificate, Claim, Proof, Subject};
use ltl::dialect::{self, ReadMode, Unconvertible, read_document};
use ltl::families::{FAMILIES, Family, Request, RequestError};
use ltl::semantics::{self, Unevaluable, checked_length};
use ltl::word::read_word;
use ltl::{Conversion, Dialect, Formula, Store, Syntax, WordKind};
use smv::encoding::Limits as EncodingLimits;
use smv::families::{MODEL_FAMILIES, ModelRequest};
use smv::{ReadOptions, SmvModel, Unusable};
use solve::certify::{certify_model, model_claim, verify_model};
use solve::check::{CheckSettings, CheckVerdict, CheckWorker, Checker, Property, PropertyRequest};
use solve::cores::CoreQuestion;
use solve::{
    Budget, InternalError, Observer, Problem, Query, Silent, Solver, Stop, TranslationError,
};
pub use solve::{Operation, OperationError, Translation};

/// The answer to a question. The word, in Spot's notation, proves the answer; it is absent if no
/// word proves the answer, or if it is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Yes; to [`satisfiable`] with a word that satisfies the formula.
    Yes(Option<String>),
    /// No; to the other questions with a counterexample.
    No(Option<String>),
    /// Unknown, with the reason.
    Unknown(Stop),
}

/// Why a question could not be answered.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// A text cannot be read.
    #[error(transparent)]
    Syntax(#[from] Unreadable),
    /// The text holds no automaton, or several.
    #[error("expected one automaton, and there are {count}")]
    Automata {
        /// The number of automata.
        count: usize,
    },
    /// A formula cannot be evaluated on a word.
    #[error(transparent)]
    Evaluation(#[from] Unevaluable),
    /// A formula cannot be written in a dialect.
    #[error(transparent)]
    Conversion(#[from] Unconvertible),
    /// A formula has no such automaton or model.
    #[error(transparent)]
    Translation(#[from] TranslationError),
    /// An operation on automata has no result.
    #[error(transparent)]
    Operation(#[from] OperationError),
    /// Two automata have different kinds of words.
    #[error("one automaton is about {0} words and the other about {1} words")]
    Words(&'static str, &'static str),
    /// There is no such family, or no such member of it.
    #[error(transparent)]
    Family(#[from] RequestError),
    /// An engine contradicted the semantics: a bug.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

/// A text that cannot be read, with all its errors. `Display` shows each with line, column and
/// caret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Unreadable {
    /// The name of the text in messages.
    pub name: &'static str,
    /// The text.
    pub text: String,
    /// The errors and warnings with their places.
    pub diagnostics: Vec<Diagnostic>,
}

impl Unreadable {
    fn new(name: &'static str, text: &str, diagnostics: Vec<Diagnostic>) -> Self {
        Unreadable { name, text: text.to_owned(), diagnostics }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let source = Source { name: self.name, text: &self.text };
        let shown = source.render_all(&self.diagnostics).join("\n");
        write!(f, "{}", anstream::adapter::strip_str(&shown))
    }
}

/// Is there an infinite word that satisfies the formula? Here and below a formula is in Kermode's
/// own syntax, and the standard portfolio answers without limits.
///
/// ```
/// # use kermode::{Decision, satisfiable};
/// assert!(matches!(satisfiable("G(request -> F grant) & G F request")?, Decision::Yes(Some(_))));
/// assert_eq!(satisfiable("!(a W b) & G a")?, Decision::No(None));
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn satisfiable(formula: &str) -> Result<Decision, Error> {
    of_one(formula, Query::satisfiable)
}

/// Does every infinite word satisfy the formula?
pub fn valid(formula: &str) -> Result<Decision, Error> {
    of_one(formula, Query::valid)
}

/// Do the formulas have the same infinite words?
pub fn equivalent(first: &str, second: &str) -> Result<Decision, Error> {
    of_two([first, second], Query::equivalent)
}

/// Does every infinite word that satisfies the first formula satisfy the second?
pub fn implies(first: &str, second: &str) -> Result<Decision, Error> {
    of_two([first, second], Query::implies)
}

/// Is the language of an automaton empty? Its text is in the HOA format or in ALASKA's syntax.
pub fn empty(text: &str) -> Result<Decision, Error> {
    let mut store = Store::new();
    let automaton = automaton(&mut store, text)?;
    simply(&Query::empty(store, Difference::of(automaton)))
}

/// Does the first automaton accept every word of the second? If not, there is a word that only the
/// second one accepts.
///
/// ```
/// use kermode::solve::translate::Target;
/// use kermode::{Decision, Translation, contains, translate};
/// # use kermode::automata::translation::Level;
///
/// let automaton = Translation::to(Target::Generalised(Level::High));
/// let [often, always] = ["G F a", "G a"].map(|formula| translate(formula, &automaton));
/// let (often, always) = (often?, always?);
/// assert_eq!(contains(&often, &always)?, Decision::Yes(None));
/// assert!(matches!(contains(&always, &often)?, Decision::No(Some(_))));
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn contains(first: &str, second: &str) -> Result<Decision, Error> {
    let (store, [first, second]) = two_automata(first, second)?;
    simply(&Query::contains(store, first, second))
}

/// Do two automata accept the same words? If not, there is a word that only one of them accepts.
pub fn same_language(first: &str, second: &str) -> Result<Decision, Error> {
    let (store, automata) = two_automata(first, second)?;
    let [forth, back] = Query::same_language(&store, automata);
    match simply(&forth)? {
        Decision::Yes(_) => simply(&back),
        other => Ok(other),
    }
}

/// Applies operations to the only automaton of a text and returns the text of the result.
///
/// ```
/// use kermode::{Operation, accepts, operate};
///
/// let rabin = "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 2 Fin(0) & Inf(1) --BODY--
///     State: 0 [0] 0 {0} [!0] 0 {1} --END--";
/// let complement = Operation { complement: true, ..Operation::default() };
/// assert!(accepts(rabin, "a; cycle{!a}")?);
/// assert!(!accepts(&operate(rabin, &complement)?, "a; cycle{!a}")?);
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn operate(text: &str, operation: &Operation) -> Result<String, Error> {
    let mut store = Store::new();
    let automaton = automaton(&mut store, text)?;
    Ok(operation.apply(&mut store, &automaton, None, &Budget::unlimited())?.text)
}

/// Answers a question.
pub fn ask(
    query: &Query,
    solver: &Solver,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Decision, Error> {
    let verdict = solver.decide(&query.problem(), budget, observer).verdict?;
    let word = verdict.word().map(|word| query.spot(word));
    Ok(match (query.question().is_yes(&verdict), verdict) {
        (_, solve::Verdict::Unknown(stop)) => Decision::Unknown(stop),
        (Some(true), _) => Decision::Yes(word),
        (_, _) => Decision::No(word),
    })
}

/// Reads a formula.
pub fn parse(store: &mut Store, text: &str, syntax: Syntax) -> Result<Formula, Error> {
    match dialect::parse(store, text, syntax) {
        Ok(parsed) => Ok(parsed.formula),
        Err(error) => Err(Unreadable::new("<formula>", text, vec![error]).into()),
    }
}

/// Reads requirements, `name: formula` or one formula per line, and returns their conjunction. A
/// text without any is an error.
pub fn requirements(store: &mut Store, text: &str, syntax: Syntax) -> Result<Formula, Error> {
    let mut document = read_document(store, text, syntax, ReadMode::Lines);
    document.conjunction(store).ok_or_else(|| {
        if document.entries.is_empty() && document.is_sound() {
            document.diagnostics.push(Diagnostic::error(0..0, "there is no formula in this text"));
        }
        Unreadable::new("<requirements>", text, document.diagnostics).into()
    })
}

/// The names of requirements that contradict each other, none of which can be left out; nothing if
/// all requirements hold on a word. Requirements are `name: formula`, or one formula per line,
/// which is its own name. [`solve::cores`] has all options.
///
/// ```
/// let text = "often: G F a\nresponse: G(b -> F c)\nnever: F G !a";
/// assert_eq!(kermode::core(text)?, Some(vec!["often".to_owned(), "never".to_owned()]));
/// assert_eq!(kermode::core("F a\nF !a")?, None);
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn core(text: &str) -> Result<Option<Vec<String>>, Error> {
    let mut store = Store::new();
    requirements(&mut store, text, Syntax::default())?;
    let document = read_document(&mut store, text, Syntax::default(), ReadMode::Lines);
    let entries = document.entries.iter();
    let members = entries.filter_map(|entry| entry.formula.ok()).collect();
    let (assumptions, words) = (Vec::new(), WordKind::Infinite);
    let question = CoreQuestion { store, members, assumptions, words };
    let (solver, budget) = (Solver::default(), Budget::unlimited());
    let decide = &mut |problem: &Problem, budget: &Budget| {
        solver.decide(problem, budget, &mut Silent::default())
    };
    let found = question.one(&budget, decide)?;
    let name = |&member: &usize| {
        let entry = &document.entries[member];
        let written = || text[entry.span.clone()].trim().to_owned();
        entry.name.clone().unwrap_or_else(written)
    };
    Ok(found.cores.first().map(|core| core.members.iter().map(name).collect()))
}

/// Reads the only automaton of a text in the HOA format or in ALASKA's syntax.
pub fn automaton(store: &mut Store, text: &str) -> Result<Automaton, Error> {
    let Ok(mut read) = read_automata(store, text, &mut go_on);
    match (read.pop(), read.len()) {
        (Some(only), 0) => {
            only.automaton.map_err(|errors| Unreadable::new("<automaton>", text, errors).into())
        }
        (last, others) => Err(Error::Automata { count: others + usize::from(last.is_some()) }),
    }
}

/// Reads a model in the language of NuSMV. Warnings are in the model.
///
/// ```
/// use kermode::model;
/// use kermode::solve::state_space::state_space;
/// use kermode::solve::{Budget, Silent};
///
/// let model = model("MODULE main VAR x : 0..5; INIT x = 0 TRANS next(x) = (x + 1) mod 6")?;
/// let (budget, observer) = (Budget::unlimited(), &mut Silent::default());
/// let space = state_space(&model.encoded.model, &budget, observer, &mut |_| ());
/// assert_eq!(space.reachable.map(|count| count.to_string()).as_deref(), Some("6"));
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn model(text: &str) -> Result<SmvModel, Error> {
    let (options, limits) = (ReadOptions::default(), EncodingLimits::default());
    SmvModel::read(text, &options, &limits, &mut go_on).map_err(|error| match error {
        Unusable::Wrong(diagnostics) => Unreadable::new("<model>", text, diagnostics).into(),
        Unusable::Stopped(never) => match never {},
    })
}

/// A specification of a model, and whether it holds.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The specification.
    pub property: Property,
    /// Whether it holds, with a replayed trace if not.
    pub verdict: CheckVerdict,
}

/// Decides every specification of a model in the language of NuSMV: LTLSPEC, INVARSPEC, CTLSPEC and
/// COMPUTE, by line and then by instance. [`solve::check`] has all options.
///
/// ```
/// use kermode::check;
/// use kermode::solve::check::CheckVerdict;
///
/// let text = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := (x + 1) mod 3;
///     LTLSPEC G F x = 2
///     INVARSPEC x < 2";
/// let checked = check(text)?;
/// assert!(matches!(checked[0].verdict, CheckVerdict::Holds));
/// let CheckVerdict::Violated(Ok(found)) = &checked[1].verdict else { panic!("a trace") };
/// assert_eq!(found.trace.states.len(), 3);
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn check(text: &str) -> Result<Vec<Checked>, Error> {
    let (budget, settings) = (Budget::unlimited(), CheckSettings::default());
    let requests = [PropertyRequest::Declared];
    let checker = Checker::new(model(text)?, &requests, &[], None, &budget);
    let checker = checker.expect("declared properties were read with the model, without limits");
    let worker = CheckWorker::new(&checker, &settings);
    let decided = checker.properties().iter().map(|property| {
        let outcome = worker.check(property, &budget, &mut Silent::default());
        Ok(Checked { property: property.clone(), verdict: outcome.result? })
    });
    decided.collect()
}

/// Proves what holds: the text of a certificate with a proof of each LTLSPEC and INVARSPEC of a
/// model that holds.
///
/// ```
/// use kermode::{certify, verify};
///
/// let text = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := (x + 1) mod 3;
///     LTLSPEC G F x = 2
///     INVARSPEC x < 2";
/// let certificate = certify(text)?;
/// let verified = verify(text, &certificate)?;
/// assert_eq!(verified.len(), 1);
/// assert_eq!(verified[0].claim.text, "G F x = 2");
/// assert_eq!(verified[0].refusal, None);
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn certify(text: &str) -> Result<String, Error> {
    let (model, budget) = (model(text)?, Budget::unlimited());
    let checker = Checker::new(model, &[PropertyRequest::Declared], &[], None, &budget);
    let checker = checker.expect("declared properties were read with the model, without limits");
    let claims = checker.properties().iter();
    let claims = claims.filter_map(|property| model_claim(property, None, &[], None).ok());
    let prove = |claim| certify_model(checker.model(), claim, &budget, &mut Silent::default());
    let proofs = claims.filter_map(|claim| prove(claim).ok()?.ok()).collect();
    Ok(Certificate { subject: Subject::Model, proofs }.to_string())
}

/// The verdict on a proof.
#[derive(Clone, Debug)]
pub struct Verified {
    /// What is claimed.
    pub claim: Claim,
    /// Why the proof is refused, if it is.
    pub refusal: Option<String>,
}

/// Judges the proofs of a certificate about a model. [`solve::certify`] does so under a budget, and
/// judges proofs about formulas, too.
pub fn verify(text: &str, certificate: &str) -> Result<Vec<Verified>, Error> {
    let unreadable = |wrong| Unreadable::new("certificate", certificate, vec![wrong]);
    let Ok(read) = certificate::read(certificate, &mut go_on);
    let (model, budget) = (model(text)?, Budget::unlimited());
    let judge = |proof: Proof| {
        let refusal = match verify_model(&model, &proof, &budget) {
            Ok(judged) => judged.err(),
            Err(stop) => Some(stop.to_string()),
        };
        Verified { claim: proof.claim, refusal }
    };
    Ok(read.map_err(unreadable)?.proofs.into_iter().map(judge).collect())
}

/// Does a word satisfy a formula? The word, in the notation of Spot or ALASKA or as JSON, is finite
/// or infinite by its form.
///
/// ```
/// # use kermode::holds;
/// assert!(holds("G(a -> X b)", "a & !b; cycle{b & !a}")?);
/// assert!(!holds("X true", "a")?);
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn holds(formula: &str, word: &str) -> Result<bool, Error> {
    let mut store = Store::new();
    let word = read(&mut store, word)?;
    let syntax = Syntax { words: word.kind(), ..Syntax::default() };
    let formula = parse(&mut store, formula, syntax)?;
    checked_length(&store, formula, &word)?;
    Ok(semantics::holds(&store, formula, &word))
}

/// Does an automaton accept a word?
pub fn accepts(text: &str, word: &str) -> Result<bool, Error> {
    let mut store = Store::new();
    let word = read(&mut store, word)?;
    let Ok(accepted) = automaton(&mut store, text)?.accepts(&word, &mut go_on);
    Ok(accepted)
}

/// Applies a conversion to a formula and writes it in another dialect.
///
/// ```
/// use kermode::convert;
/// use kermode::ltl::{Conversion, Dialect};
///
/// let nnf = Conversion { negation_normal_form: true, ..Conversion::default() };
/// assert_eq!(convert("!GFa", Dialect::Spot.into(), &nnf, Dialect::Spin)?, "<> [] !a");
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn convert(
    formula: &str,
    from: Syntax,
    conversion: &Conversion,
    to: Dialect,
) -> Result<String, Error> {
    let mut store = Store::new();
    let formula = parse(&mut store, formula, from)?;
    let to = Syntax { dialect: to, words: from.words };
    Ok(conversion.apply(&mut store, formula, to)?.text)
}

/// Writes a formula as an automaton or as a model for NuSMV.
pub fn translate(formula: &str, translation: &Translation) -> Result<String, Error> {
    let mut store = Store::new();
    let syntax = Syntax { words: translation.target.words(), ..Syntax::default() };
    let read = parse(&mut store, formula, syntax)?;
    Ok(translation.apply(&store, read, Some(formula), &Budget::unlimited())?.text)
}

/// The members of a family, or random formulas, one text each: a formula, or a model in the
/// language of NuSMV. [`ltl::families::FAMILIES`] and [`smv::families::MODEL_FAMILIES`] list the
/// families, and arguments may be ranges.
///
/// ```
/// # use kermode::generate;
/// assert_eq!(generate("C1", &["1..2"])?, ["G F p1", "G F p1 | G F p2"]);
/// assert!(generate("gas", &["3"])?[0].contains("MODULE main"));
/// # Ok::<(), kermode::Error>(())
/// ```
pub fn generate(family: &str, arguments: &[&str]) -> Result<Vec<String>, Error> {
    let formulas = match FamilyRequest::parse(family, arguments)? {
        FamilyRequest::Formulas(request) => request,
        FamilyRequest::Models(request) => {
            let models = request.instances().map(|instance| smv::families::build(&instance));
            return Ok(models.map(|model| model.text).collect());
        }
    };
    let written = formulas.instances().map(|instance| {
        let mut store = Store::new();
        let formula = instance.build(&mut store);
        Ok(dialect::convert(&mut store, formula, Syntax::default())?.1)
    });
    written.collect()
}

/// Members of a family of formulas or of models. [`ltl::families`] and [`smv::families`] build
/// them.
#[derive(Clone, Debug)]
pub enum FamilyRequest {
    /// Formulas.
    Formulas(Request),
    /// Models, with the properties and verdicts that are expected.
    Models(ModelRequest),
}

impl FamilyRequest {
    /// Reads a name with its suffixes, and arguments.
    pub fn parse<S: AsRef<str>>(family: &str, arguments: &[S]) -> Result<Self, RequestError> {
        if let Some(found) = Request::find(FAMILIES, family, arguments) {
            return found.map(FamilyRequest::Formulas);
        }
        if let Some(found) = ModelRequest::find(MODEL_FAMILIES, family, arguments) {
            return found.map(FamilyRequest::Models);
        }
        let names = FAMILIES.iter().map(Family::name_with_suffixes);
        let names = names.chain(MODEL_FAMILIES.iter().map(Family::name_with_suffixes));
        let known = names.collect::<Vec<_>>().join(", ");
        Err(RequestError::Name { name: family.to_owned(), known })
    }
}

fn of_one(text: &str, query: fn(&Store, Formula, WordKind) -> Query) -> Result<Decision, Error> {
    let mut store = Store::new();
    let formula = parse(&mut store, text, Syntax::default())?;
    simply(&query(&store, formula, WordKind::Infinite))
}

fn of_two(
    texts: [&str; 2],
    query: fn(&Store, [Formula; 2], WordKind) -> Query,
) -> Result<Decision, Error> {
    let mut store = Store::new();
    let [first, second] = texts.map(|text| parse(&mut store, text, Syntax::default()));
    simply(&query(&store, [first?, second?], WordKind::Infinite))
}

/// Two automata over the same kind of words, with propositions of one store.
fn two_automata(first: &str, second: &str) -> Result<(Store, [Automaton; 2]), Error> {
    let mut store = Store::new();
    let [first, second] = [automaton(&mut store, first)?, automaton(&mut store, second)?];
    match first.words() == second.words() {
        true => Ok((store, [first, second])),
        false => Err(Error::Words(first.words().name(), second.words().name())),
    }
}

fn simply(query: &Query) -> Result<Decision, Error> {
    ask(query, &Solver::default(), &Budget::unlimited(), &mut Silent::default())
}

fn read(store: &mut Store, text: &str) -> Result<ltl::Word, Error> {
    read_word(store, text).map_err(|error| Unreadable::new("<word>", text, vec![error]).into())
}

fn go_on() -> Result<(), Infallible> {
    Ok(())
}

/// The blocks of the documentation that are Rust.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;

    #[doc = include_str!("../docs/library.md")]
    struct Library;

    #[doc = include_str!("../docs/cores.md")]
    struct Cores;
}
