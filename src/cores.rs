//! `--core` and `--all-cores`: why there is no word.
//!
//! The members are the requirements of files, by name, or the conjuncts of a formula. For
//! `implies` the negated conclusion has members, too. `equiv` has two directions, with members of
//! their own.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kermode::base::quoting::escape_controls;
use kermode::ltl::dialect::{Document, write};
use kermode::ltl::timeline::{Extent, Timeline};
use kermode::ltl::word::word_to_json;
use kermode::ltl::{Formula, Node, Store, Syntax, UnaryOp, Word};
use kermode::solve::cores::{Core, CoreQuestion, Cores, CoresVerdict, outer_conjuncts};
use kermode::solve::portfolio::SharedTally;
use kermode::solve::question::unknown;
use kermode::solve::{Budget, InternalError, Problem, Question, Stop};
use serde_json::{Map, Value, json};

use crate::args::{Coring, Output, Reading, ShowWitness};
use crate::case::{Case, Subject};
use crate::deadline::{Before, in_time};
use crate::input::Text;
use crate::progress::Progress;
use crate::report::{case_json, complain, labelled, print_line, print_text, screen};
use crate::session::Session;
use crate::solver::Answerer;
use crate::status::Status;

/// A member with its place in the input.
#[derive(Clone)]
pub(crate) struct Member {
    name: Option<String>,
    line: Option<usize>,
    formula: Formula,
}

/// A case with its members: one question, or two for the directions of `equiv`.
pub(crate) struct CoreCase {
    pub(crate) case: Case,
    pub(crate) questions: Vec<Vec<Member>>,
}

/// The requirements of some texts; the conjuncts of a formula if there is only one.
pub(crate) fn members_of(store: &mut Store, inputs: &[(&Text, &Document)]) -> Vec<Member> {
    let entries = inputs.iter().flat_map(|(_, document)| &document.entries);
    let found: Vec<Member> = entries
        .filter_map(|entry| {
            let formula = entry.formula.ok()?;
            Some(Member { name: entry.name.clone(), line: Some(entry.line), formula })
        })
        .collect();
    match &found[..] {
        [Member { name: None, formula, .. }] => conjuncts_of(store, *formula, None),
        _ => found,
    }
}

/// The conjuncts of a formula, all with the same name.
pub(crate) fn conjuncts_of(store: &mut Store, formula: Formula, name: Option<&str>) -> Vec<Member> {
    let conjuncts = outer_conjuncts(store, formula).into_iter();
    let name = name.map(str::to_owned);
    conjuncts.map(|formula| Member { name: name.clone(), line: None, formula }).collect()
}

/// The conjuncts of the negation of a conclusion.
pub(crate) fn refuted(store: &mut Store, conclusion: Formula) -> Vec<Member> {
    let negation = store.intern(Node::Unary(UnaryOp::Not, conclusion));
    conjuncts_of(store, negation, Some("not the conclusion"))
}

/// What the command shows.
pub(crate) struct Explainer<'e> {
    pub(crate) session: &'e Session,
    pub(crate) answerer: &'e Answerer,
    pub(crate) question: Question,
    pub(crate) coring: &'e Coring,
    pub(crate) output: Output,
    pub(crate) show: ShowWitness,
    pub(crate) reading: Reading,
}

/// The outcomes of the questions of a case, or an error of an engine.
type Explained = Result<Vec<Cores>, InternalError>;

impl Explainer<'_> {
    /// Decides and explains all cases. Returns their status together with the given one.
    pub(crate) fn run(
        &self,
        store: &Store,
        cases: &[CoreCase],
        before: Status,
    ) -> anyhow::Result<Status> {
        let mut status = before;
        for (index, case) in cases.iter().enumerate() {
            let before = Before { status, is_last: index + 1 == cases.len() };
            status = Status::of_all([status, self.explain(store, case, before)?]);
        }
        Ok(status)
    }

    fn explain(&self, store: &Store, case: &CoreCase, before: Before) -> anyhow::Result<Status> {
        if let Subject::Unreadable(error) = &case.case.subject {
            return self.session.unreadable(&case.case, error);
        }
        let budget = self.session.budget_of(&case.case);
        let interrupts = self.session.interrupts();
        let known = Mutex::new(Vec::new());
        let late = |stop: Stop| {
            let status = self.give_up(store, case, &known, stop)?;
            before.end_if_due(interrupts, status);
            Ok(status)
        };
        let work = || self.search(store, case, &budget, &known);
        match in_time(work, &budget, interrupts, late) {
            Ok(found) => self.show(store, case, &found),
            Err(shown) => shown,
        }
    }

    /// Searches until one of the questions has a word.
    fn search(
        &self,
        store: &Store,
        case: &CoreCase,
        budget: &Budget,
        known: &Mutex<Vec<Core>>,
    ) -> Explained {
        let mut found = Vec::new();
        let mut progress = Progress::new();
        for members in &case.questions {
            lock(known).clear();
            let question = CoreQuestion {
                store: store.clone(),
                members: members.iter().map(|member| member.formula).collect(),
                assumptions: case.case.assumptions.clone(),
                words: self.reading.words(),
            };
            let decide = &mut |problem: &Problem, budget: &Budget| {
                self.answerer.decide(problem, budget, &mut progress, &SharedTally::default())
            };
            let cores = match self.coring.all_cores {
                None => question.one(budget, decide)?,
                Some(most) => {
                    let most = Some(most).filter(|&most| most > 0);
                    question
                        .all(most, budget, decide, &mut |core| lock(known).push(core.clone()))?
                }
            };
            let is_explained = cores.verdict == CoresVerdict::Unsatisfiable;
            found.push(cores);
            if !is_explained {
                break;
            }
        }
        Ok(found)
    }

    /// The last verdict decides: the others are that there is no word.
    fn verdict(&self, found: &[Cores]) -> (String, Status) {
        let yes = self.question.word_means_yes();
        let answer = |yes: bool| {
            let status = if yes { Status::Yes } else { Status::No };
            (self.question.answer(yes).to_owned(), status)
        };
        match found.last().map(|cores| &cores.verdict) {
            Some(CoresVerdict::Satisfiable(_)) => answer(yes),
            Some(CoresVerdict::Unsatisfiable) | None => answer(!yes),
            Some(CoresVerdict::Unknown(stop)) => (unknown(stop), Status::Unknown),
        }
    }

    /// Shows the cores that are known when an engine does not stop in time. The directions of a
    /// pair need both answers.
    fn give_up(
        &self,
        store: &Store,
        case: &CoreCase,
        known: &Mutex<Vec<Core>>,
        stop: Stop,
    ) -> anyhow::Result<Status> {
        let mut cores = std::mem::take(&mut *lock(known));
        cores.sort_by_key(|core| core.members.len());
        let verdict = match cores.is_empty() || case.questions.len() > 1 {
            true => CoresVerdict::Unknown(stop.clone()),
            false => CoresVerdict::Unsatisfiable,
        };
        let partial = Cores {
            store: store.clone(),
            verdict,
            cores,
            corrections: Vec::new(),
            complete: false,
            smallest_open: 0,
            stop: Some(stop),
            calls: 0,
            engines: Vec::new(),
        };
        self.show(store, case, &Ok(vec![partial]))
    }

    fn show(&self, store: &Store, case: &CoreCase, found: &Explained) -> anyhow::Result<Status> {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let again = case.case.arguments(store);
                complain(&format!(
                    "internal error: {error}\nthis is a bug in Kermode; reproduce it with\n  \
                     kermode {} --core {again}\n",
                    self.question.command()
                ));
                return Ok(Status::Internal);
            }
        };
        let (verdict, status) = self.verdict(found);
        if self.output.json {
            print_line(&self.json(case, found, &verdict).to_string())?;
            return Ok(status);
        }
        print_line(&labelled(&case.case, &verdict, self.output.quiet))?;
        if !self.output.quiet {
            let mut order = case.case.order.iter();
            order.try_for_each(|assumed| print_line(&format!("  assuming {assumed}")))?;
            for (direction, (cores, members)) in found.iter().zip(&case.questions).enumerate() {
                if case.questions.len() > 1 && cores.verdict == CoresVerdict::Unsatisfiable {
                    let says = ["first implies the second:", "second implies the first:"];
                    print_line(&format!("  the {}", says[direction]))?;
                }
                self.table(cores, members)?;
            }
        }
        Ok(status)
    }

    /// The cores and corrections of a question, or the word that answers it.
    fn table(&self, cores: &Cores, members: &[Member]) -> io::Result<()> {
        if let CoresVerdict::Satisfiable(Some(word)) = &cores.verdict
            && self.show != ShowWitness::None
        {
            return self.word(cores, word);
        }
        for (place, core) in cores.cores.iter().enumerate() {
            let number = match self.coring.all_cores {
                Some(_) => format!(" {}", place + 1),
                None => String::new(),
            };
            print_line(&format!("  core{number}: {}", described(core, members.len())))?;
            print_text(&self.rows(cores, core, members))?;
        }
        let repairs = cores.corrections.iter().filter(|correction| !correction.members.is_empty());
        for (place, correction) in repairs.enumerate() {
            let left_out: Vec<String> =
                correction.members.iter().map(|&m| self.short(&cores.store, &members[m])).collect();
            let left_out = left_out.join(", ");
            print_line(&format!("  correction {}: without {left_out}", place + 1))?;
        }
        if self.coring.all_cores.is_some() && cores.verdict == CoresVerdict::Unsatisfiable {
            print_line(&format!("  {}", completeness(cores)))?;
        } else if let Some(stop) = &cores.stop
            && cores.verdict == CoresVerdict::Unsatisfiable
        {
            print_line(&format!("  the search ended early: {stop}"))?;
        }
        if self.output.stats {
            print_line(&format!("  decided problems: {}", cores.calls))?;
            print_line(&format!("  engines: {}", cores.engines.join(", ")))?;
        }
        Ok(())
    }

    fn word(&self, cores: &Cores, word: &Word) -> io::Result<()> {
        let mut propositions: Vec<_> =
            word.letters().iter().flat_map(|letter| letter.iter()).collect();
        propositions.sort_unstable();
        propositions.dedup();
        let extent = match self.show {
            ShowWitness::Full => Extent::All,
            ShowWitness::Short | ShowWitness::None => Extent::Screen("--witness full"),
        };
        let timeline = Timeline::of_word(&cores.store, word, &propositions);
        print_text(&timeline.render(extent, screen()))
    }

    /// The members of a core in columns: name, formula, and the part that is needed.
    fn rows(&self, cores: &Cores, core: &Core, members: &[Member]) -> String {
        let rows: Vec<[String; 3]> = (0..core.members.len())
            .map(|place| {
                let member = &members[core.members[place]];
                let needed = self.needed(cores, core, place, member);
                let needed = needed.map(|text| format!("needed: {text}")).unwrap_or_default();
                let name = member.name.as_deref().map(escape_controls).unwrap_or_default();
                [name.to_string(), self.text(&cores.store, member.formula), needed]
            })
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let (names, texts) = (width(0).unwrap_or(0), width(1).unwrap_or(0));
        let gap = if names > 0 { "  " } else { "" };
        let line = |[name, text, needed]: &[String; 3]| {
            let line = format!("    {name:names$}{gap}{text:texts$}  {needed}");
            line.trim_end().to_owned() + "\n"
        };
        rows.iter().map(line).collect()
    }

    /// The needed part of a member, if it is smaller.
    fn needed(&self, cores: &Cores, core: &Core, place: usize, member: &Member) -> Option<String> {
        let reduced = core.reduced.as_ref()?.formulas.get(place)?;
        (*reduced != member.formula).then(|| self.text(&cores.store, *reduced))
    }

    fn text(&self, store: &Store, formula: Formula) -> String {
        let syntax = Syntax { words: self.reading.words(), ..Syntax::default() };
        write(store, formula, syntax).unwrap_or_default()
    }

    /// The name of a member, or its formula.
    fn short(&self, store: &Store, member: &Member) -> String {
        match &member.name {
            Some(name) => escape_controls(name).to_string(),
            None => self.text(store, member.formula),
        }
    }

    fn json(&self, case: &CoreCase, found: &[Cores], verdict: &str) -> Value {
        let mut object = case_json(self.question.command(), &case.case);
        let last = found.last().map(|cores| &cores.verdict);
        object.insert("words".to_owned(), json!(self.reading.words().name()));
        match last {
            Some(CoresVerdict::Unknown(stop)) => {
                object.insert("verdict".to_owned(), json!("unknown"));
                object.insert("reason".to_owned(), json!(stop.to_string()));
            }
            _ => drop(object.insert("verdict".to_owned(), json!(verdict))),
        }
        if let (Some(CoresVerdict::Satisfiable(word)), Some(cores)) = (last, found.last()) {
            object.insert("replayed".to_owned(), json!(word.is_some()));
            if let Some(word) = word {
                object.insert("witness".to_owned(), json!(word_to_json(&cores.store, word)));
            }
        }
        let pairs = found.iter().zip(&case.questions);
        let mut explanations: Vec<Map<String, Value>> =
            pairs.map(|(cores, members)| self.cores_json(cores, members)).collect();
        match case.questions.len() {
            1 => object.extend(explanations.pop().unwrap_or_default()),
            _ => drop(object.insert("directions".to_owned(), json!(explanations))),
        }
        Value::Object(object)
    }

    fn cores_json(&self, cores: &Cores, members: &[Member]) -> Map<String, Value> {
        let store = &cores.store;
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
        let member_json = |core: &Core, place: usize| {
            let index = core.members[place];
            let mut object = self.member_json(store, &members[index], index);
            if let Some(needed) = self.needed(cores, core, place, &members[index]) {
                object.insert("needed".to_owned(), json!(needed));
            }
            if let Some(word) = core.words[place].as_ref().filter(|_| self.shows_words()) {
                object.insert("without".to_owned(), json!(word_to_json(store, word)));
            }
            Value::Object(object)
        };
        let shown = cores.cores.iter().map(|core| {
            let rows = (0..core.members.len()).map(|place| member_json(core, place));
            json!({
                "members": rows.collect::<Vec<_>>(),
                "minimal": if core.is_minimal() { json!(true) } else { json!("unknown") },
                "confirmed_by": core.confirmed_by,
            })
        });
        set("conjuncts", json!(members.len()));
        set("cores", shown.collect());
        if self.coring.all_cores.is_some() {
            let corrections = cores.corrections.iter().map(|correction| {
                let left_out = correction.members.iter();
                let left_out =
                    left_out.map(|&m| Value::Object(self.member_json(store, &members[m], m)));
                let mut object = json!({ "members": left_out.collect::<Vec<_>>() });
                if let Some(word) = correction.word.as_ref().filter(|_| self.shows_words()) {
                    object["word"] = json!(word_to_json(store, word));
                }
                object
            });
            set("corrections", corrections.collect());
            set("complete", json!(cores.complete));
            if !cores.complete {
                set("smallest_open", json!(cores.smallest_open));
            }
        }
        if let Some(stop) = &cores.stop {
            set("reason", json!(stop.to_string()));
        }
        if self.output.stats {
            set("calls", json!(cores.calls));
            set("engines", json!(cores.engines));
        }
        object
    }

    fn shows_words(&self) -> bool {
        self.show != ShowWitness::None
    }

    fn member_json(&self, store: &Store, member: &Member, index: usize) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("index".to_owned(), json!(index));
        if let Some(name) = &member.name {
            object.insert("name".to_owned(), json!(name));
        }
        if let Some(line) = member.line {
            object.insert("line".to_owned(), json!(line));
        }
        object.insert("formula".to_owned(), json!(self.text(store, member.formula)));
        object
    }
}

fn lock(known: &Mutex<Vec<Core>>) -> MutexGuard<'_, Vec<Core>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The size of a core, and what is shown of it.
fn described(core: &Core, members: usize) -> String {
    let minimal = if core.is_minimal() { "minimal" } else { "minimality unknown" };
    let confirmed = match &core.confirmed_by {
        Some(engine) => format!("confirmed by {engine}"),
        None => "not confirmed by another engine".to_owned(),
    };
    format!("{} of {members} conjuncts, {minimal}, {confirmed}", core.members.len())
}

/// Whether the lists are complete.
fn completeness(cores: &Cores) -> String {
    if cores.complete {
        return "these are all cores and corrections".to_owned();
    }
    let why = match &cores.stop {
        Some(stop) => format!(" ({stop})"),
        None => String::new(),
    };
    match cores.smallest_open {
        0 | 1 => format!("there may be others{why}"),
        size => format!(
            "there may be others{why}; every core with fewer than {size} conjuncts is listed"
        ),
    }
}
