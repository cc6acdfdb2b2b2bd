//! What tools are worth over a set of inputs.
//!
//! PAR-2 sums CPU seconds; a run that is unsolved, wrong or crashed, or that was not made, counts
//! twice the CPU limit. The virtual best is the tool that always picks the right tool: on each
//! input the least CPU time of a right answer. An input is unique to a tool that alone solves it,
//! where others tried.

use super::results::{Cell, Grade, Input};
use crate::record::Outcome;

/// The figures of one tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Score {
    pub(crate) par2: f64,
    pub(crate) yes: usize,
    pub(crate) no: usize,
    pub(crate) unique: usize,
    pub(crate) wrong: usize,
    pub(crate) crashed: usize,
    pub(crate) out_of_time: usize,
    pub(crate) out_of_memory: usize,
    pub(crate) gave_up: usize,
    pub(crate) not_run: usize,
    /// CPU seconds of right answers, ascending.
    pub(crate) seconds: Vec<f64>,
    /// Peak bytes of right answers, ascending.
    pub(crate) peaks: Vec<f64>,
}

impl Score {
    /// The figures of a tool.
    pub(crate) fn of_tool(inputs: &[Input], tool: usize) -> Self {
        let mut score = Score::default();
        for input in inputs {
            score.par2 += input.par2(tool);
            score.unique += usize::from(input.only_solver() == Some(tool));
            match &input.cells[tool] {
                Some(cell) => score.add(cell),
                None => score.not_run += 1,
            }
        }
        score.seconds.sort_by(f64::total_cmp);
        score.peaks.sort_by(f64::total_cmp);
        score
    }

    fn add(&mut self, cell: &Cell) {
        let run = cell.run();
        let count = match (cell.grade, run.outcome) {
            (Grade::Wrong, _) => &mut self.wrong,
            (_, Outcome::Satisfiable | Outcome::Holds) => &mut self.yes,
            (_, Outcome::Unsatisfiable | Outcome::Violated) => &mut self.no,
            (_, Outcome::Unknown) => &mut self.gave_up,
            (_, Outcome::CpuLimit | Outcome::WallLimit) => &mut self.out_of_time,
            (_, Outcome::MemoryLimit) => &mut self.out_of_memory,
            (_, Outcome::Crash) => &mut self.crashed,
        };
        *count += 1;
        if cell.is_right() {
            self.seconds.push(run.cpu_seconds);
            self.peaks.push(run.peak_bytes as f64);
        }
    }

    /// The figures of the virtual best.
    pub(crate) fn of_virtual_best(inputs: &[Input]) -> Self {
        let mut seconds: Vec<f64> = inputs.iter().filter_map(Input::best_seconds).collect();
        seconds.sort_by(f64::total_cmp);
        let count = |input: &Input| input.best_seconds().unwrap_or(2.0 * input.limit);
        Score { par2: inputs.iter().map(count).sum(), seconds, ..Score::default() }
    }

    pub(crate) fn solved(&self) -> usize {
        self.seconds.len()
    }
}

/// The value in the middle; of an even number, the larger of the two.
pub(crate) fn median(ascending: &[f64]) -> Option<f64> {
    ascending.get(ascending.len() / 2).copied()
}
