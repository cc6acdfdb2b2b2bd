//! The judge of proofs.
//!
//! For a claim about fair paths \[EL86\], a proof has sets Z_0..Z_n and R_0..R_(n-1) and for each
//! `i < n` a justice constraint F_i, with
//!
//! 1. Init ⊆ Z_0 and Post(Z_0) ⊆ Z_0,
//! 2. F_i ∩ Z_i ⊆ R_i,
//! 3. Z_i ∩ Pre(R_i) ⊆ R_i ∩ Z_(i+1),
//! 4. Init ∩ Z_n = ∅.
//!
//! All states of a fair path are in Z_0. If they are in Z_i, infinitely many of them are in R_i by
//! 2, all of them by 3, and so all of them are in Z_(i+1). So no fair path begins in Init, by 4.
//! For a claim about states or steps, a set includes Init, includes its successors, and has no
//! state or step as in the goal.
//!
//! A constraint that mentions a bit that the proof does not list is not used. That is sound: fewer
//! constraints allow more paths. Only dead ends need all constraints of the model.

use kermode_bdd::{Bdd, Clustering, Manager, OutOfNodes, Relation, Variable as Level};
use kermode_system::{Below, Expression, SymbolKind, System, Term, Variable};
use rustc_hash::FxHashMap;

use crate::certificate::{Argument, BitName, JusticeName, Proof, Round};
use crate::product::{Goal, Product};
use crate::refusal::Refusal;

/// The largest number of nodes of a joined part of the transition relation.
const CLUSTER: usize = 500;

/// A verdict on a proof, or what ended the work.
pub type Judged<E> = Result<Result<(), Refusal>, E>;

/// Judges a proof about a system. The manager has two variables for each bit of the proof.
///
/// # Errors
/// When the manager is full, or if the caller interrupts.
pub fn judge<E: From<OutOfNodes>>(
    product: &Product,
    proof: &Proof,
    manager: &Manager,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Judged<E> {
    let mut places: FxHashMap<Variable, u32> = FxHashMap::default();
    let known: FxHashMap<&BitName, Variable> =
        product.bits.iter().map(|(name, variable)| (name, *variable)).collect();
    for (place, name) in (0..).zip(&proof.bits) {
        let Some(&variable) = known.get(name) else {
            return Ok(Err(Refusal::UnknownBit(name.clone())));
        };
        if places.insert(variable, place).is_some() {
            return Ok(Err(Refusal::RepeatedBit(name.clone())));
        }
    }
    let mut judge = Judge { product, proof, places, manager, interrupt, sets: Vec::new() };
    judge.build_sets()?;
    match &proof.argument {
        Argument::NoFairPath { start, rounds } if product.goal == Goal::FairPath => {
            judge.no_fair_path(*start, rounds)
        }
        Argument::Inductive(set) if product.goal != Goal::FairPath => judge.inductive(*set),
        _ => Ok(Err(Refusal::WrongArgument)),
    }
}

struct Judge<'j, E> {
    product: &'j Product,
    proof: &'j Proof,
    /// The places of the listed bits. The bit at a place has the variables twice the place, for
    /// its current value, and one more, for its next value.
    places: FxHashMap<Variable, u32>,
    manager: &'j Manager,
    interrupt: &'j mut dyn FnMut() -> Result<(), E>,
    /// The sets of the proof.
    sets: Vec<Bdd>,
}

/// Leaves the function with the refusal, if the condition does not hold.
macro_rules! demand {
    ($judged:expr) => {
        if let Err(refusal) = $judged {
            return Ok(Err(refusal));
        }
    };
}

impl<E: From<OutOfNodes>> Judge<'_, E> {
    fn build_sets(&mut self) -> Result<(), E> {
        self.sets.extend([self.manager.bottom(), self.manager.top()]);
        for node in &self.proof.nodes {
            (self.interrupt)()?;
            let bit = self.manager.variable(Level(2 * node.bit))?;
            let [low, high] = [node.low, node.high].map(|set| &self.sets[set as usize]);
            self.sets.push(bit.ite(high, low)?);
        }
        Ok(())
    }

    fn no_fair_path(&mut self, start: u32, rounds: &[Round]) -> Judged<E> {
        let product = self.product;
        demand!(self.includes_paths(start)?);
        let steps = self.relation(&product.model.system, false)?;
        let invariants = self.used(product.model.system.invariants(), false)?;
        let mut before = self.sets[start as usize].clone();
        for (number, &Round { justice, reach, left }) in (1..).zip(rounds) {
            let [reach, left] = [reach, left].map(|set| self.sets[set as usize].clone());
            let Some(just) = self.justice(justice)? else {
                return Ok(Err(Refusal::UnknownJustice(justice)));
            };
            let outside = before.and(&just)?.and_not(&reach)?;
            demand!(self.is_empty(outside, &invariants, || {
                format!("round {number}: a state of the set before satisfies `{justice}` and is not in `reach`")
            })?);
            let leading = before.and(&steps.preimage(&reach, self.interrupt)?)?;
            let outside = leading.and_not(&reach.and(&left)?)?;
            demand!(self.is_empty(outside, &[], || {
                format!("round {number}: a state of the set before has a successor in `reach` and is not in both `reach` and `left`")
            })?);
            before = left;
        }
        let initial = self.initial()?;
        self.is_empty(before, &initial, || "the last set: an initial state is in it".to_owned())
    }

    fn inductive(&mut self, set: u32) -> Judged<E> {
        let product = self.product;
        demand!(self.includes_paths(set)?);
        let set = self.sets[set as usize].clone();
        let invariants = self.used(product.model.system.invariants(), false)?;
        let (goal, condition) = match product.goal {
            Goal::FairPath => return Ok(Err(Refusal::WrongArgument)),
            Goal::State(goal) => (goal, "a state of the set is as it must not be"),
            Goal::Step(goal) => (goal, "a step from the set is as it must not be"),
            Goal::DeadEnd(goal) => (goal, "a state of the set is a dead end"),
        };
        let condition = || condition.to_owned();
        // An unknown goal is as large as possible.
        let goal = self.used(&[goal], false)?.pop().unwrap_or_else(|| self.manager.top());
        match product.goal {
            Goal::Step(_) => {
                let steps = self.relation(&product.model.system, true)?;
                let after = steps.image_where(&set, &goal, self.interrupt)?;
                self.is_empty(after, &[], condition)
            }
            Goal::DeadEnd(_) => {
                let factor = &product.factor;
                let constraints = [factor.transition(), factor.invariants()].concat();
                if self.used(&constraints, false)?.len() < constraints.len() {
                    return Ok(Err(Refusal::MissingBits));
                }
                let steps = self.relation(factor, false)?;
                let leave = steps.preimage(&self.manager.top(), self.interrupt)?;
                let symbols = product.model.symbols.iter();
                let inputs = symbols.filter(|symbol| symbol.kind == SymbolKind::Input);
                let inputs = inputs.flat_map(|symbol| &symbol.bits);
                let inputs = inputs.filter_map(|bit| Some(Level(2 * self.places.get(bit)?)));
                let leave = leave.exists(&self.manager.variable_set(inputs)?)?;
                self.is_empty(set.and(&goal)?.and_not(&leave)?, &invariants, condition)
            }
            _ => self.is_empty(set.and(&goal)?, &invariants, condition),
        }
    }

    /// Whether a set includes the initial states and their successors.
    fn includes_paths(&mut self, set: u32) -> Judged<E> {
        let set = self.sets[set as usize].clone();
        let initial = self.initial()?;
        demand!(self.is_empty(set.not()?, &initial, || {
            "the first set: an initial state is not in it".to_owned()
        })?);
        if set.is_top() {
            return Ok(Ok(()));
        }
        let steps = self.relation(&self.product.model.system, true)?;
        let after = steps.image(&set, self.interrupt)?;
        self.is_empty(after.and_not(&set)?, &[], || {
            "the first set: a successor of one of its states is not in it".to_owned()
        })
    }

    /// Whether no state of a set satisfies the constraints.
    fn is_empty(
        &mut self,
        mut set: Bdd,
        constraints: &[Bdd],
        condition: impl Fn() -> String,
    ) -> Judged<E> {
        for constraint in constraints {
            (self.interrupt)()?;
            if set.is_bottom() {
                break;
            }
            set = set.and(constraint)?;
        }
        let Some(state) = set.pick_cube() else { return Ok(Ok(())) };
        Ok(Err(Refusal::condition(condition(), &state, &self.proof.bits)))
    }

    /// The constraints on the first state.
    fn initial(&mut self) -> Result<Vec<Bdd>, E> {
        let system = &self.product.model.system;
        self.used(&[system.initial(), system.invariants()].concat(), false)
    }

    /// The states of a justice constraint, if it exists. All states if it mentions other bits.
    fn justice(&mut self, name: JusticeName) -> Result<Option<Bdd>, E> {
        if name == JusticeName::Always {
            return Ok(Some(self.manager.top()));
        }
        let Some(place) = self.product.justice.iter().position(|known| *known == name) else {
            return Ok(None);
        };
        let constraint = self.product.model.system.justice()[place];
        let used = self.used(&[constraint], false)?.pop();
        Ok(Some(used.unwrap_or_else(|| self.manager.top())))
    }

    /// The steps of a system, for images or preimages.
    fn relation(&mut self, system: &System, forward: bool) -> Result<Relation, E> {
        let mut parts = self.used(system.transition(), false)?;
        parts.extend(self.used(system.invariants(), false)?);
        parts.extend(self.used(system.invariants(), true)?);
        let bits = 0..self.proof.bits.len() as u32;
        let pairs: Vec<(Level, Level)> =
            bits.map(|bit| (Level(2 * bit), Level(2 * bit + 1))).collect();
        let start: Vec<Level> =
            pairs.iter().map(|&(now, next)| if forward { now } else { next }).collect();
        let clustering = Clustering { start: &start, inputs: &[], most_nodes: CLUSTER };
        let clusters = clustering.of(&parts, self.interrupt)?;
        let joined = clusters.into_iter().map(|cluster| cluster.relation).collect();
        Ok(Relation::new(self.manager, joined, &pairs, &[])?)
    }

    /// The diagrams of those constraints that mention listed bits only; `later`, one step later.
    fn used(&mut self, constraints: &[Expression], later: bool) -> Result<Vec<Bdd>, E> {
        let graph = &self.product.model.graph;
        let is_listed = |variable: &Variable| self.places.contains_key(variable);
        let is_used =
            |constraint: &&Expression| graph.variables(&[**constraint]).iter().all(is_listed);
        let used: Vec<Expression> = constraints.iter().filter(is_used).copied().collect();
        let below = Below::of(graph, &used);
        let mut built: Vec<Bdd> = Vec::with_capacity(below.len());
        for expression in below.iter() {
            (self.interrupt)()?;
            let of = |operand| &built[below.position(operand)];
            let bit = |variable, next| {
                self.manager.variable(Level(2 * self.places[&variable] + u32::from(next)))
            };
            built.push(match graph.term(expression) {
                Term::Constant(true) => self.manager.top(),
                Term::Constant(false) => self.manager.bottom(),
                Term::Current(variable) => bit(variable, later)?,
                Term::Next(variable) => bit(variable, true)?,
                Term::Not(a) => of(a).not()?,
                Term::And(a, b) => of(a).and(of(b))?,
                Term::Or(a, b) => of(a).or(of(b))?,
                Term::Implies(a, b) => of(a).implies(of(b))?,
                Term::Iff(a, b) => of(a).iff(of(b))?,
            });
        }
        Ok(used.iter().map(|&root| built[below.position(root)].clone()).collect())
    }
}
