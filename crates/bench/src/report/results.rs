//! Runs arranged by input and tool, each judged.
//!
//! The median represents the repetitions of a run: the middle run when they are ordered by their
//! score, and of an even number the worse of the two in the middle, so that every figure of a
//! report is that of an actual run. One wrong answer makes the whole run wrong.
//!
//! An answer is wrong if it contradicts the known verdict. If no verdict is known and answers
//! differ, it is unknown which of them is wrong: such an input is *disputed*, and excluded from all
//! tables and plots.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::Selection;
use crate::record::{Outcome, Record};

/// A run, and whether it was made elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) record: Record,
    pub(crate) published: bool,
}

/// Who ran. A tool whose runs were published is another one than the tool of the same name that we
/// ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) published: bool,
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.name, if self.published { " †" } else { "" })
    }
}

/// What a run is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grade {
    Right,
    Wrong,
    Unsolved,
}

/// What one tool did with one input.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The repetitions, from the best to the worst.
    pub(crate) runs: Vec<Record>,
    pub(crate) grade: Grade,
    /// Which of the runs stands for all.
    median: usize,
}

/// What all tools did with one input.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) family: String,
    /// The property of the model.
    pub(crate) property: Option<String>,
    pub(crate) parameter: Option<f64>,
    /// The verdicts that are said to be known: one at most, unless the records contradict each
    /// other.
    pub(crate) expected: Vec<Outcome>,
    /// The longest CPU limit that a tool had.
    pub(crate) limit: f64,
    /// By tool; none where it did not run.
    pub(crate) cells: Vec<Option<Cell>>,
}

/// All of a report's runs.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    /// The tools, the one with the least PAR-2 first.
    pub(crate) tools: Vec<Tool>,
    /// The inputs that count, by family and name.
    pub(crate) inputs: Vec<Input>,
    /// The inputs whose verdict is disputed.
    pub(crate) disputed: Vec<Input>,
    /// The inputs that are left out because some tool did not run them.
    pub(crate) left_out: Vec<Input>,
    /// The most repetitions of a run.
    pub(crate) repetitions: usize,
    /// The CPU limits.
    pub(crate) limits: Vec<f64>,
}

/// The answer that is known, unless there is none or there are two.
fn known_answer(expected: &[Outcome]) -> Option<bool> {
    let answers: BTreeSet<bool> = expected.iter().filter_map(|known| known.answer()).collect();
    answers.first().copied().filter(|_| answers.len() == 1)
}

fn grade(record: &Record, expected: &[Outcome]) -> Grade {
    match (record.outcome.answer(), known_answer(expected)) {
        (None, _) => Grade::Unsolved,
        (Some(said), Some(known)) if said != known => Grade::Wrong,
        (Some(_), _) => Grade::Right,
    }
}

/// What a run counts: its CPU time if it is right, else twice its limit.
fn seconds(record: &Record, grade: Grade) -> f64 {
    match grade {
        Grade::Right => record.cpu_seconds,
        Grade::Wrong | Grade::Unsolved => 2.0 * record.cpu_limit_seconds,
    }
}

impl Cell {
    fn new(mut runs: Vec<Record>, expected: &[Outcome]) -> Self {
        let count = |run: &Record| seconds(run, grade(run, expected));
        runs.sort_by(|a, b| {
            let by_cpu = a.cpu_seconds.total_cmp(&b.cpu_seconds);
            count(a).total_cmp(&count(b)).then(by_cpu).then(a.repetition.cmp(&b.repetition))
        });
        let wrong = runs.iter().position(|run| grade(run, expected) == Grade::Wrong);
        let median = wrong.unwrap_or(runs.len() / 2);
        Cell { grade: grade(&runs[median], expected), runs, median }
    }

    /// The run that stands for all.
    pub(crate) fn run(&self) -> &Record {
        &self.runs[self.median]
    }

    pub(crate) fn is_right(&self) -> bool {
        self.grade == Grade::Right
    }

    /// Why it is not right.
    pub(crate) fn failure(&self) -> &'static str {
        match (self.grade, self.run().outcome) {
            (Grade::Wrong, _) => "wrong",
            (_, Outcome::CpuLimit | Outcome::WallLimit) => "time",
            (_, Outcome::MemoryLimit) => "memory",
            (_, Outcome::Crash) => "crash",
            _ => "gave up",
        }
    }

    /// The CPU time of a right answer.
    pub(crate) fn right_seconds(&self) -> Option<f64> {
        self.is_right().then(|| self.run().cpu_seconds)
    }
}

impl Input {
    fn new(name: String, runs: &[Run], tools: &[Tool]) -> Self {
        let records = || runs.iter().map(|run| &run.record);
        let is_known = |answer: &Outcome| records().any(|record| record.expected == Some(*answer));
        let expected: Vec<Outcome> = Outcome::VERDICTS.into_iter().filter(is_known).collect();
        let cell = |tool: &Tool| {
            let own = runs.iter().filter(|run| run.tool() == *tool);
            let own: Vec<Record> = own.map(|run| run.record.clone()).collect();
            (!own.is_empty()).then(|| Cell::new(own, &expected))
        };
        Input {
            name,
            family: records().map(|record| record.family.clone()).min().unwrap_or_default(),
            property: records().find_map(|record| record.property.clone()),
            parameter: records().find_map(|record| record.parameter),
            limit: records().map(|record| record.cpu_limit_seconds).fold(0.0, f64::max),
            cells: tools.iter().map(cell).collect(),
            expected,
        }
    }

    /// All runs, with the places of their tools.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (usize, &Record)> {
        let cells = self.cells.iter().enumerate();
        let cells = cells.filter_map(|(tool, cell)| Some((tool, cell.as_ref()?)));
        cells.flat_map(|(tool, cell)| cell.runs.iter().map(move |run| (tool, run)))
    }

    /// The tools that gave an answer, in any of their repetitions.
    pub(crate) fn who_said(&self, answer: bool) -> Vec<usize> {
        let said = self.runs().filter(|(_, run)| run.outcome.answer() == Some(answer));
        let tools: BTreeSet<usize> = said.map(|(tool, _)| tool).collect();
        tools.into_iter().collect()
    }

    /// Whether answers differ, or what is known does, and nothing decides between them.
    pub(crate) fn is_disputed(&self) -> bool {
        let said = |answer| !self.who_said(answer).is_empty();
        let differ = said(true) && said(false);
        match self.expected.is_empty() {
            true => differ,
            false => known_answer(&self.expected).is_none(),
        }
    }

    /// What the run of a tool counts; one that was not made counts as unsolved.
    pub(crate) fn par2(&self, tool: usize) -> f64 {
        match &self.cells[tool] {
            Some(cell) => seconds(cell.run(), cell.grade),
            None => 2.0 * self.limit,
        }
    }

    pub(crate) fn is_solved_by(&self, tool: usize) -> bool {
        self.cells[tool].as_ref().is_some_and(Cell::is_right)
    }

    /// The least CPU time of a right answer.
    pub(crate) fn best_seconds(&self) -> Option<f64> {
        let right = self.cells.iter().flatten().filter_map(Cell::right_seconds);
        right.min_by(f64::total_cmp)
    }

    /// The only tool that is right, if others tried.
    pub(crate) fn only_solver(&self) -> Option<usize> {
        let mut solvers = (0..self.cells.len()).filter(|&tool| self.is_solved_by(tool));
        let first = solvers.next().filter(|_| self.cells.iter().flatten().count() > 1)?;
        solvers.next().is_none().then_some(first)
    }
}

impl Run {
    fn tool(&self) -> Tool {
        Tool { name: self.record.tool.clone(), published: self.published }
    }

    /// A run under a longer limit, as it would have been under this one.
    fn cut(&mut self, limit: f64) {
        let record = &mut self.record;
        record.cpu_limit_seconds = record.cpu_limit_seconds.min(limit);
        if record.outcome.answer().is_some() && record.cpu_seconds > record.cpu_limit_seconds {
            record.outcome = Outcome::CpuLimit;
        }
    }
}

impl Results {
    pub(crate) fn new(mut runs: Vec<Run>, selection: Selection) -> Self {
        if let Some(limit) = selection.cpu_limit {
            runs.iter_mut().for_each(|run| run.cut(limit));
        }
        let mut limits: Vec<f64> = runs.iter().map(|run| run.record.cpu_limit_seconds).collect();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        let tools: BTreeSet<Tool> = runs.iter().map(Run::tool).collect();
        let tools: Vec<Tool> = tools.into_iter().collect();
        let all = inputs(runs, &tools);
        let cells = all.iter().flat_map(|input| input.cells.iter().flatten());
        let repetitions = cells.map(|cell| cell.runs.len()).max().unwrap_or(0);
        let (disputed, rest): (Vec<Input>, _) = all.into_iter().partition(Input::is_disputed);
        let counts = |input: &Input| !selection.common || input.cells.iter().all(Option::is_some);
        let (inputs, left_out) = rest.into_iter().partition(counts);
        let mut results = Results { tools, inputs, disputed, left_out, repetitions, limits };
        results.rank();
        results
    }

    /// Puts the tool with the least PAR-2 first.
    fn rank(&mut self) {
        let total = |tool| self.inputs.iter().map(|input| input.par2(tool)).sum();
        let totals: Vec<f64> = (0..self.tools.len()).map(total).collect();
        let mut order: Vec<usize> = (0..self.tools.len()).collect();
        order.sort_by(|&a, &b| totals[a].total_cmp(&totals[b]));
        self.tools = order.iter().map(|&tool| self.tools[tool].clone()).collect();
        for input in self.inputs.iter_mut().chain(&mut self.disputed).chain(&mut self.left_out) {
            input.cells = order.iter().map(|&tool| input.cells[tool].take()).collect();
        }
    }

    /// All inputs, those that do not count included.
    pub(crate) fn all_inputs(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().chain(&self.disputed).chain(&self.left_out)
    }

    /// The families, each with its inputs.
    pub(crate) fn families(&self) -> impl Iterator<Item = (&str, &[Input])> {
        let groups = self.inputs.chunk_by(|a, b| a.family == b.family);
        groups.map(|group| (group[0].family.as_str(), group))
    }

    /// What yes and no are called: by the verdicts on formulas, on properties, or neither if there
    /// are both.
    pub(crate) fn answer_words(&self) -> [&'static str; 2] {
        let verdicts = self.all_inputs().flat_map(|input| {
            let said = input.runs().map(|(_, run)| run.outcome);
            said.chain(input.expected.iter().copied()).filter(|verdict| verdict.answer().is_some())
        });
        let of_model = |verdict| matches!(verdict, Outcome::Holds | Outcome::Violated);
        let kinds: BTreeSet<bool> = verdicts.map(of_model).collect();
        match (kinds.contains(&true), kinds.contains(&false)) {
            (true, true) => ["yes", "no"],
            (true, false) => ["holds", "violated"],
            (false, _) => ["satisfiable", "unsatisfiable"],
        }
    }

    /// Whether a tool was run elsewhere.
    pub(crate) fn has_published(&self) -> bool {
        self.tools.iter().any(|tool| tool.published)
    }
}

/// The inputs of runs, by family and name.
fn inputs(runs: Vec<Run>, tools: &[Tool]) -> Vec<Input> {
    let mut by_name: BTreeMap<String, Vec<Run>> = BTreeMap::new();
    for run in runs {
        by_name.entry(run.record.input.clone()).or_default().push(run);
    }
    let input = |(name, runs): (String, Vec<Run>)| Input::new(name, &runs, tools);
    let mut inputs: Vec<Input> = by_name.into_iter().map(input).collect();
    inputs.sort_by(|a, b| (&a.family, &a.name).cmp(&(&b.family, &b.name)));
    inputs
}
