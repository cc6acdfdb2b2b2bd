//! `sat:frames`: frames of conflicts for finite words \[LRPZV19\].
//!
//! Frame `i` is a set of states from which no word ends after at most `i` further steps. It is
//! represented by *cores*: a state that has all demands of a core of the frame is in the frame. The
//! search looks for paths that avoid the frames: from a state that may take `i` steps it goes to a
//! successor outside of frame `i - 1`. If there is none, the demands that the solver needed to show
//! it are a new core of frame `i`.
//!
//! After each round the cores of a frame are tried in the next one, as in \[Bra11\]. If two
//! neighbouring frames are the same, no word ends ever.
//!
//! Invariant: a core is stored at the last frame that it is known to be in, and belongs to all
//! frames before. It cannot be last, and all its successors are in the frame before.

use kermode_ltl::rewrite::RuleSet;
use kermode_ltl::{Letter, Word, WordKind};
use kermode_sat::Literal;

use super::closure::Closure;
use super::context::SatContext;
use super::mistakes::Mistake;
use super::step::{Goal, OneStep, State, joined};
use crate::frame::answer::{Answer, Witness};
use crate::frame::budget::{Budget, Stop};
use crate::frame::engine::{Accepts, Engine, EngineInfo};
use crate::frame::observer::Observer;
use crate::frame::prepare::{RULES, solve_parts};
use crate::frame::problem::Problem;
use crate::frame::witness::nonempty;

pub(crate) const FRAMES: EngineInfo = EngineInfo {
    summary: "frames of conflicts, for finite words",
    paper: "LRPZV19",
    accepts: Accepts { infinite: false, ..Accepts::FORMULAS },
    options: &[&RULES],
    ..EngineInfo::new("sat:frames", |options| Ok(Box::new(Frames { rules: options.get(&RULES)? })))
};

struct Frames {
    rules: RuleSet,
}

impl Engine for Frames {
    fn solve(
        &self,
        problem: &Problem,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Answer, Stop> {
        solve_parts(problem, &self.rules, budget, &mut |store, formula, words, budget| {
            if words == WordKind::Infinite {
                return Err(Stop::Unsupported("infinite words".to_owned()));
            }
            budget.check()?;
            let closure = Closure::of(store, formula, words);
            let step = OneStep::new(&closure, Goal::Word(words), SatContext::new(budget));
            let mut search = FrameSearch::new(step, budget);
            let found = search.run(observer);
            search.tell(observer);
            if !found? {
                return Ok(Answer::Empty(None));
            }
            let word = search.word();
            Ok(nonempty(problem.witness, budget, |_| Ok(Some(Witness::Word(word)))))
        })
    }
}

/// A frame: the cores that are not known to be in a later one.
struct Frame {
    /// The literal that excludes states with these cores.
    active: Literal,
    cores: Vec<State>,
}

/// A state on the path.
struct Visit {
    state: State,
    /// How many steps may follow.
    steps: usize,
    /// The demands for which the state cannot be last.
    unending: State,
    /// The letter of the step to the next state of the path.
    letter: Letter,
}

pub(super) struct FrameSearch<'c, 'b> {
    step: OneStep<'c, 'b>,
    budget: &'b Budget,
    frames: Vec<Frame>,
    path: Vec<Visit>,
}

impl<'c, 'b> FrameSearch<'c, 'b> {
    /// No frame yet.
    pub(super) fn new(step: OneStep<'c, 'b>, budget: &'b Budget) -> Self {
        FrameSearch { step, budget, frames: Vec::new(), path: Vec::new() }
    }

    /// Whether the goal can be reached; then the path leads to it, and the last assignment is its
    /// letter.
    pub(super) fn run(&mut self, observer: &mut dyn Observer) -> Result<bool, Stop> {
        for steps in 0.. {
            observer.progress(&|| format!("words of {} letters", steps + 1));
            while self.frames.len() < steps + 2 {
                self.add_frame();
            }
            if self.search(steps)? {
                return Ok(true);
            }
            if self.push_cores(steps)? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    fn add_frame(&mut self) {
        let active = self.step.context.fresh();
        self.frames.push(Frame { active, cores: Vec::new() });
    }

    /// The literals that exclude states of a frame.
    fn excluding(&self, frame: usize) -> Vec<Literal> {
        self.frames[frame..].iter().map(|frame| frame.active).collect()
    }

    fn add_core(&mut self, frame: usize, core: State) {
        let active = self.frames[frame].active;
        self.step.exclude(&core, &[!active]);
        self.frames[frame].cores.push(core);
    }

    /// Searches for a word with at most so many steps.
    fn search(&mut self, steps: usize) -> Result<bool, Stop> {
        let initial = self.step.initial();
        if self.visit(initial, steps)? {
            return Ok(true);
        }
        while let Some(visit) = self.path.last() {
            self.budget.check()?;
            let (state, steps) = (visit.state.clone(), visit.steps);
            let mut core = visit.unending.clone();
            if steps > 0 {
                let excluding = self.excluding(steps - 1);
                if let Some(found) = self.step.next(&state, &excluding)? {
                    let visit = self.path.last_mut().expect("the state just expanded");
                    visit.letter = found.letter;
                    if self.visit(found.state, steps - 1)? {
                        return Ok(true);
                    }
                    continue;
                }
                core = joined(&core, &self.step.core(&state));
            }
            self.add_core(steps, core);
            self.path.pop();
        }
        Ok(false)
    }

    /// Whether a state can be last. If not, it joins the path.
    fn visit(&mut self, state: State, steps: usize) -> Result<bool, Stop> {
        if self.step.is_last(&state)? {
            return Ok(true);
        }
        let unending = self.step.core(&state);
        self.path.push(Visit { state, steps, unending, letter: Letter::default() });
        Ok(false)
    }

    /// Moves cores to later frames. Returns whether two frames up to this one are the same.
    fn push_cores(&mut self, last: usize) -> Result<bool, Stop> {
        for frame in 0..=last {
            for core in std::mem::take(&mut self.frames[frame].cores) {
                self.budget.check()?;
                let excluding = self.excluding(frame);
                let forgets = self.step.context.has(Mistake::CoresArePushed);
                match self.step.next(&core, &excluding)? {
                    Some(_) if !forgets => self.frames[frame].cores.push(core),
                    _ => self.add_core(frame + 1, core),
                }
            }
            if self.frames[frame].cores.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn word(&self) -> Word {
        let letters = self.path.iter().map(|visit| visit.letter.clone());
        Word::finite(letters.chain([self.step.letter()]).collect())
    }

    pub(super) fn tell(&self, observer: &mut dyn Observer) {
        self.step.context.tell(observer);
        observer.statistic("frames", self.frames.len() as u64);
        let cores = self.frames.iter().map(|frame| frame.cores.len() as u64).sum();
        observer.statistic("cores", cores);
    }
}
