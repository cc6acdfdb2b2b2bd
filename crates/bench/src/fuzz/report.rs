//! Findings and how to reproduce them, for display and as JSON.

use std::fmt::Write;

use kermode_ltl::word::to_spot;
use kermode_ltl::{Dialect, Syntax};
use kermode_solve::question::formula_arguments;
use kermode_solve::{InternalError, Question, Verdict};
use serde_json::{Map, Value, json};

use super::check::{Answer, EngineAnswer, Fault, Panel, Tally};
use super::sample::Sample;

/// A fault and the sample that shows it.
#[derive(Debug)]
pub struct Finding<'p> {
    pub(crate) panel: &'p Panel,
    pub(crate) seed: u64,
    pub(crate) number: u64,
    pub(crate) fault: Fault,
    pub(crate) sample: Sample,
    /// The answer of each engine.
    pub(crate) said: Vec<EngineAnswer>,
    pub(crate) drawn: Sample,
    /// Whether the fault was seen more than once.
    pub(crate) steady: bool,
    /// Whether no simpler sample shows it.
    pub(crate) minimal: bool,
}

impl Finding<'_> {
    /// A text that is the same for findings that need not be shown twice.
    pub(crate) fn essence(&self) -> String {
        format!("{:?} {:?} {}", self.fault, self.sample.words, self.sample.text())
    }

    fn name(&self, engine: usize) -> String {
        self.panel.engines[engine].to_string()
    }

    /// What is wrong, in a line.
    fn headline(&self) -> String {
        match self.fault {
            Fault::Disagreement { yes, no } => {
                format!("{} and {} disagree", self.name(yes), self.name(no))
            }
            Fault::Witness(engine) => {
                format!("{} gives a word that does not satisfy the formula", self.name(engine))
            }
            Fault::Panic(engine) => format!("{} panics", self.name(engine)),
            Fault::Overrun(engine) => {
                format!("{} continues after its time limit", self.name(engine))
            }
        }
    }

    /// The certain conclusion, if there is one.
    fn conclusion(&self) -> Option<String> {
        let Fault::Disagreement { .. } = self.fault else { return None };
        Some(match self.fault.culprit(&self.said) {
            Some(wrong) => format!("{} is wrong: the word was replayed", self.name(wrong)),
            None => "one of them is wrong; no word tells which".to_owned(),
        })
    }

    fn how_small(&self) -> String {
        let (now, drawn) = (self.sample.size(), self.drawn.size());
        match (self.steady, self.minimal) {
            (false, _) => format!("{now} nodes; it was not seen again, and not shrunk"),
            (true, true) => format!("{now} nodes, shrunk from {drawn}"),
            (true, false) => format!("{now} nodes, shrunk from {drawn} as far as time allowed"),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let (words, seed, number) = (self.sample.words.name(), self.seed, self.number);
        let mut text = format!("finding: {}\n", self.headline());
        let _ = writeln!(text, "  formula: {}", self.sample.text());
        let _ = writeln!(text, "  words: {words}");
        let _ = writeln!(text, "  size: {}", self.how_small());
        let _ = writeln!(text, "  drawn: number {number} of seed {seed}");
        for engine in 0..self.said.len() {
            let _ = writeln!(text, "  {}: {}", self.name(engine), self.says(engine));
        }
        if let Some(conclusion) = self.conclusion() {
            let _ = writeln!(text, "  {conclusion}");
        }
        text.push_str("shown again by\n");
        let commands = self.commands();
        commands.iter().for_each(|command| text.push_str(&format!("  {command}\n")));
        text
    }

    /// What an engine said, with its word.
    fn says(&self, engine: usize) -> String {
        let Some(answer) = &self.said[engine] else { return self.no_answer(engine).to_owned() };
        let said = match &answer.result {
            Err(InternalError::WitnessFails { .. }) => {
                "a word that does not satisfy the formula".to_owned()
            }
            Err(InternalError::Panic { message, .. }) => format!("panicked: {message}"),
            Err(error @ InternalError::Disagreement { .. }) => error.to_string(),
            result @ Ok(_) => Question::Sat.line(result),
        };
        let word = match &answer.result {
            Ok(Verdict::Nonempty(Ok(witness))) => Some(witness.word()),
            Err(InternalError::WitnessFails { witness, .. }) => Some(witness.word()),
            _ => None,
        };
        let propositions = self.sample.store.propositions(self.sample.formula);
        let word = word.map(|word| to_spot(&self.sample.store, word, &propositions));
        let word = word.map(|word| format!(": {word}")).unwrap_or_default();
        let late = match self.fault == Fault::Overrun(engine) {
            true => format!(" after {:.1} s", answer.wall.as_secs_f64()),
            false => String::new(),
        };
        said + &word + &late
    }

    fn no_answer(&self, engine: usize) -> &'static str {
        match self.fault == Fault::Overrun(engine) {
            true => "does not come back",
            false => "was not asked",
        }
    }

    /// The command that asks an engine about the sample.
    fn command(&self, engine: usize) -> String {
        let syntax = Syntax { dialect: Dialect::Kermode, words: self.sample.words };
        let arguments = formula_arguments(syntax, &[self.sample.text()]);
        Question::Sat.command_line(&self.name(engine), &arguments)
    }

    /// The commands that show the fault, one for each engine that it concerns.
    fn commands(&self) -> Vec<String> {
        let timeout = match (self.fault, self.panel.limits.wall) {
            (Fault::Overrun(_), Some(limit)) => format!(" --timeout {}", limit.as_secs_f64()),
            _ => String::new(),
        };
        self.fault.engines().into_iter().map(|engine| self.command(engine) + &timeout).collect()
    }

    /// An answer as `sat` gives it.
    fn answer_json(&self, engine: usize, answer: &Answer) -> Value {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
        set("command", json!(Question::Sat.command()));
        set("formula", json!(self.sample.text()));
        set("words", json!(self.sample.words.name()));
        set("engine", json!(self.name(engine)));
        match &answer.result {
            Err(error) => {
                set("error", json!({ "message": error.to_string() }));
                set("reproduce", json!(self.command(engine)));
            }
            Ok(verdict) => object.extend(Question::Sat.verdict_json(&self.sample.store, verdict)),
        }
        Value::Object(object)
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let said = self.said.iter().enumerate();
        let answers =
            said.filter_map(|(engine, said)| Some(self.answer_json(engine, said.as_ref()?)));
        let engines = self.fault.engines();
        json!({
            "command": "bench fuzz",
            "finding": self.kind(),
            "engines": engines.iter().map(|&engine| self.name(engine)).collect::<Vec<_>>(),
            "formula": self.sample.text(),
            "words": self.sample.words.name(),
            "size": self.sample.size(),
            "conclusion": self.conclusion(),
            "answers": answers.collect::<Vec<_>>(),
            "reproduce": self.commands(),
            "seed": self.seed,
            "number": self.number,
            "drawn": self.drawn.text(),
            "seen_again": self.steady,
            "minimal": self.minimal,
        })
    }

    fn kind(&self) -> &'static str {
        match self.fault {
            Fault::Disagreement { .. } => "disagreement",
            Fault::Witness(_) => "witness",
            Fault::Panic(_) => "panic",
            Fault::Overrun(_) => "overrun",
        }
    }
}

/// How a hunt went.
#[derive(Debug)]
pub struct Summary {
    pub(crate) seed: u64,
    pub(crate) formulas: usize,
    pub(crate) seconds: f64,
    /// How many findings there are.
    pub findings: usize,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// The answers of each engine, counted.
    pub(crate) tallies: Vec<(String, Tally)>,
}

impl Summary {
    /// For people.
    pub fn text(&self) -> String {
        let Summary { seed, formulas, seconds, .. } = self;
        let found = match self.findings {
            0 => "nothing found".to_owned(),
            1 => "1 finding".to_owned(),
            more => format!("{more} findings"),
        };
        let interrupted = if self.interrupted { ", interrupted" } else { "" };
        let rate = *formulas as f64 / seconds.max(1e-9);
        let mut text = format!(
            "{found}, {formulas} formulas tried, {seconds:.1} s, {rate:.0} formulas/s, seed {seed}{interrupted}\n"
        );
        for (engine, tally) in &self.tallies {
            let told = tally.columns().filter(|(_, count)| *count > 0);
            let told: Vec<String> = told.map(|(name, count)| format!("{count} {name}")).collect();
            let _ = writeln!(text, "  {engine}: {}", told.join(", "));
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let engines = self.tallies.iter().map(|(engine, tally)| {
            let mut object = Map::new();
            object.insert("engine".to_owned(), json!(engine));
            object.extend(tally.columns().map(|(name, count)| (name.to_owned(), json!(count))));
            Value::Object(object)
        });
        json!({
            "command": "bench fuzz",
            "findings": self.findings,
            "formulas": self.formulas,
            "wall_seconds": self.seconds,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "engines": engines.collect::<Vec<_>>(),
        })
    }
}
