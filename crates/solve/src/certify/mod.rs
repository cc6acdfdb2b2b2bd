//! Certificates: proofs that a property holds or that a formula has no word, and their verification
//! under a budget.
//!
//! A proof is about the system that the judge builds from the text (`kermode-certificate`), not
//! about what an engine has made of it. So every proof is searched for in a pass of its own,
//! whoever has decided the question: the fixpoints of Emerson and Lei over the model with the plain
//! tableau of the negated property, as in `product:syntactic/el`, or the reachable states
//! (`sets.rs`). The only reduction is the cone of influence (`reduction.rs`): its sets prove the
//! claim about the whole model, because a step of the model is a step of the cone.

mod claim;
mod reduction;
mod sets;

pub use claim::model_claim;

use kermode_bdd::{DiagramNode, DiagramNodes, Manager};
use kermode_certificate::{
    Argument, BitName, Claim, ClaimKind, NoProduct, Node, Product, Proof, Round, judge,
    product_of_formula, product_of_model,
};
use kermode_ltl::dialect::{Syntax, write};
use kermode_ltl::{Dialect, Formula, Store, WordKind};
use kermode_smv::SmvModel;
use kermode_system::Model;
use rustc_hash::FxHashMap;

use crate::compiled::Compilation;
use crate::compiled::states::SystemStates;
use crate::fixpoint::Direction;
use crate::fixpoint::bdd_context::WorkCounters;
use crate::frame::bdd_manager::manager_with;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::shared_diagrams::model_capacity;
use reduction::Reduction;
use sets::{ProofSets, prove};

/// The largest number of nodes of a joined part of the transition relation.
const CLUSTER: usize = 500;

/// Why a claim has no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotProved {
    /// There is no system for the claim.
    NoProduct(NoProduct),
    /// The claim is false. If an engine has said that it holds, one of the two is wrong.
    Refuted,
}

/// The claim that a formula has no word of some kind. There is none if the formula cannot be
/// written as a text.
pub fn formula_claim(store: &Store, formula: Formula, words: WordKind) -> Option<Claim> {
    let kind = match words {
        WordKind::Infinite => ClaimKind::Formula,
        WordKind::Finite => ClaimKind::FiniteFormula,
    };
    let text = write(store, formula, Syntax { dialect: Dialect::Kermode, words }).ok()?;
    Some(Claim { kind, number: None, syntax: None, text, assumptions: Vec::new() })
}

/// Proves a claim about a model.
///
/// # Errors
/// If the budget ends.
pub fn certify_model(
    model: &SmvModel,
    claim: Claim,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Result<Proof, NotProved>, Stop> {
    match product_of_model(model, &claim, &mut || budget.check())? {
        Ok(product) => certify(&product, claim, budget, observer),
        Err(why) => Ok(Err(NotProved::NoProduct(why))),
    }
}

/// Proves that a formula has no word of some kind.
///
/// # Errors
/// If the budget ends.
pub fn certify_formula(
    (store, formula): (&Store, Formula),
    claim: Claim,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Result<Proof, NotProved>, Stop> {
    match product_of_formula(store, formula, words_of(claim.kind)) {
        Ok(product) => certify(&product, claim, budget, observer),
        Err(why) => Ok(Err(NotProved::NoProduct(why.into()))),
    }
}

/// Judges a proof about a model. The reason, if it is refused.
///
/// # Errors
/// If the budget ends.
pub fn verify_model(
    model: &SmvModel,
    proof: &Proof,
    budget: &Budget,
) -> Result<Result<(), String>, Stop> {
    match product_of_model(model, &proof.claim, &mut || budget.check())? {
        Ok(product) => verify(&product, proof, budget),
        Err(why) => Ok(Err(why.to_string())),
    }
}

/// Judges a proof that a formula has no word. The reason, if it is refused.
///
/// # Errors
/// If the budget ends.
pub fn verify_formula(
    (store, formula): (&Store, Formula),
    proof: &Proof,
    budget: &Budget,
) -> Result<Result<(), String>, Stop> {
    match product_of_formula(store, formula, words_of(proof.claim.kind)) {
        Ok(product) => verify(&product, proof, budget),
        Err(why) => Ok(Err(why.to_string())),
    }
}

fn words_of(kind: ClaimKind) -> WordKind {
    if kind == ClaimKind::FiniteFormula { WordKind::Finite } else { WordKind::Infinite }
}

fn verify(product: &Product, proof: &Proof, budget: &Budget) -> Result<Result<(), String>, Stop> {
    let manager = manager_with(model_capacity(2 * proof.bits.len()), budget)?;
    let judged = judge(product, proof, &manager, &mut || budget.check())?;
    Ok(judged.map_err(|refusal| refusal.to_string()))
}

fn certify(
    product: &Product,
    claim: Claim,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Result<Proof, NotProved>, Stop> {
    let reduction = Reduction::of(product);
    let model = &reduction.model;
    let mut work = WorkCounters::default();
    let compilation = Compilation { sifting: true, top: 0, shared: None };
    let (compiled, context) = compilation.of(model, budget, observer, &mut work)?;
    let mut states = SystemStates::new(compiled, Direction::Backward, CLUSTER, context)?;
    match prove(&mut states, product, &reduction)? {
        Some(sets) => {
            let manager = states.manager().clone();
            Ok(Ok(written(product, model, claim, &sets, &manager, budget)?))
        }
        None => Ok(Err(NotProved::Refuted)),
    }
}

/// The sets as a proof, with the bits in the present order of the diagrams.
fn written(
    product: &Product,
    model: &Model,
    claim: Claim,
    sets: &ProofSets,
    manager: &Manager,
    budget: &Budget,
) -> Result<Proof, Stop> {
    let names: FxHashMap<_, _> =
        product.bits.iter().map(|(name, variable)| (*variable, name)).collect();
    let mut places: FxHashMap<usize, u32> = FxHashMap::default();
    let mut bits: Vec<BitName> = Vec::with_capacity(model.order.len());
    // Current variables have even numbers.
    for variable in manager.order().into_iter().filter(|v| v.index().is_multiple_of(2)) {
        if let Some(bit) = model.order.get(variable.index() / 2) {
            places.insert(variable.index(), bits.len() as u32);
            bits.push(names[bit].clone());
        }
    }
    let node = |&DiagramNode { variable, low, high }: &DiagramNode| Node {
        bit: places[&variable.index()],
        low,
        high,
    };
    let interrupt = &mut || budget.check();
    let (DiagramNodes { nodes, functions }, justice) = match sets {
        ProofSets::Inductive(set) => (DiagramNodes::of([set], interrupt)?, None),
        ProofSets::NoFairPath { start, rounds } => {
            let all = rounds.iter().flat_map(|round| [&round.reach, &round.left]);
            let nodes = DiagramNodes::of([start].into_iter().chain(all), interrupt)?;
            (nodes, Some(rounds.iter().map(|round| round.justice)))
        }
    };
    let argument = match justice {
        None => Argument::Inductive(functions[0]),
        Some(justice) => Argument::NoFairPath {
            start: functions[0],
            rounds: justice
                .zip(functions[1..].chunks(2))
                .map(|(justice, sets)| Round { justice, reach: sets[0], left: sets[1] })
                .collect(),
        },
    };
    Ok(Proof { claim, bits, nodes: nodes.iter().map(node).collect(), argument })
}
