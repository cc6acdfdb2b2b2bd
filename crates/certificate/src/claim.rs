//! From a claim to the system that it is about.
//!
//! A property of the model is found by its number and must have the text of the claim; a typed one
//! is read again. Nothing is rewritten or simplified.

use kermode_base::Diagnostic;
use kermode_ltl::dialect::{self, Syntax, plain_text};
use kermode_ltl::{BinaryOp, Dialect, Formula, Node, Proposition, Store, UnaryOp, WordKind};
use kermode_smv::SmvModel;
use kermode_smv::encoding::Limits;
use kermode_smv::flat::FlatExpression;
use kermode_smv::property::{FlatAtoms, ltl_formula, violation};
use kermode_smv::syntax::{ExpressionKind, PropertyKind};
use kermode_system::{Expression, Target};
use rustc_hash::FxHashMap;

use crate::certificate::{Claim, ClaimKind};
use crate::product::{Goal, Product};
use crate::refusal::TooLarge;
use crate::tableau::constrain;

/// Why there is no system for a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProduct {
    /// The model has no such specification.
    #[error("it is about specification {0}, which the model lacks")]
    NoSuchProperty(usize),
    /// The specification is of another kind.
    #[error("it is about specification {0}, which is of another kind in the model")]
    AnotherKind(usize),
    /// The specification has another text.
    #[error("specification {number} of the model is `{found}`, and the proof is about `{claimed}`")]
    AnotherText {
        /// The number.
        number: usize,
        /// The text in the model.
        found: String,
        /// The text of the claim.
        claimed: String,
    },
    /// A typed text is wrong.
    #[error("`{text}` is no property of the model: {}", .diagnostic.message)]
    Wrong {
        /// The text.
        text: String,
        /// What is wrong.
        diagnostic: Diagnostic,
    },
    /// A property over finite paths is about steps.
    #[error("`{0}` reads inputs or `next`, and the last state of a finite path has no step")]
    AboutSteps(String),
    /// The claim is about a formula, not about a model.
    #[error("it is about a formula")]
    NoModel,
    /// The tableau is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// The system of a claim about a model. The caller may interrupt.
///
/// # Errors
/// If the model has no such property.
pub fn product_of_model<E>(
    model: &SmvModel,
    claim: &Claim,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Product, NoProduct>, E> {
    let mut reader = Reader { model: model.clone(), interrupt };
    match reader.product(claim) {
        Ok(product) => Ok(Ok(product)),
        Err(Failed::NoProduct(why)) => Ok(Err(why)),
        Err(Failed::Stopped(stop)) => Err(stop),
    }
}

/// The free system with the tableau of a formula, over infinite or finite words.
///
/// # Errors
/// If the tableau is too large.
pub fn product_of_formula(
    store: &Store,
    formula: Formula,
    words: WordKind,
) -> Result<Product, TooLarge> {
    let propositions = store.propositions(formula);
    let mut product = Product::free(propositions.iter().map(|&p| store.name(p)));
    let bits = product.bits.iter().map(|(_, variable)| *variable);
    let graph = &mut product.model.graph;
    let atoms = propositions.iter().copied().zip(bits.map(|bit| graph.current(bit))).collect();
    let last = constrain(&mut product, (store, formula), &atoms, words)?;
    if words == WordKind::Finite {
        product.goal = Goal::State(last);
    }
    Ok(product)
}

enum Failed<E> {
    NoProduct(NoProduct),
    Stopped(E),
}

impl<E> From<NoProduct> for Failed<E> {
    fn from(why: NoProduct) -> Self {
        Failed::NoProduct(why)
    }
}

struct Reader<'i, E> {
    model: SmvModel,
    interrupt: &'i mut dyn FnMut() -> Result<(), E>,
}

impl<E> Reader<'_, E> {
    fn product(&mut self, claim: &Claim) -> Result<Product, Failed<E>> {
        match claim.kind {
            ClaimKind::Invariant => {
                let invariant = match claim.number {
                    Some(number) => self.declared(claim, number, PropertyKind::Invariant)?,
                    None => self.typed(&[(&claim.text, ExpressionKind::Next)])?[0],
                };
                let SmvModel { flat, encoded, .. } = &mut self.model;
                let goal = match violation(flat, encoded, invariant) {
                    Target::State(violated) => Goal::State(violated),
                    Target::Step(violated) => Goal::Step(violated),
                    Target::DeadEnd => unreachable!("an invariant is about states or steps"),
                };
                Ok(Product { goal, ..Product::of_model(&self.model.encoded.model) })
            }
            ClaimKind::Deadlock => {
                let mut product = Product::of_model(&self.model.encoded.model);
                product.goal = Goal::DeadEnd(product.model.graph.constant(true));
                Ok(product)
            }
            ClaimKind::Ltl | ClaimKind::FiniteLtl | ClaimKind::MaximalLtl => self.paths(claim),
            ClaimKind::Formula | ClaimKind::FiniteFormula => Err(NoProduct::NoModel.into()),
        }
    }

    /// The paths that satisfy the assumptions and not the formula.
    fn paths(&mut self, claim: &Claim) -> Result<Product, Failed<E>> {
        let words = match claim.kind {
            ClaimKind::Ltl => WordKind::Infinite,
            _ => WordKind::Finite,
        };
        let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
        let formula = match claim.number {
            Some(number) => {
                let property = self.declared(claim, number, PropertyKind::Ltl)?;
                ltl_formula(&self.model.flat, property, &mut store, &mut atoms)
            }
            None => self.formula(&claim.text, (claim.syntax, words), &mut store, &mut atoms)?,
        };
        let mut wanted = store.intern(Node::Unary(UnaryOp::Not, formula));
        for text in &claim.assumptions {
            let assumed = self.formula(text, (claim.syntax, words), &mut store, &mut atoms)?;
            wanted = store.intern(Node::Binary(BinaryOp::And, wanted, assumed));
        }
        let SmvModel { flat, encoded, .. } = &mut self.model;
        let mut values: FxHashMap<Proposition, Expression> = FxHashMap::default();
        for (proposition, atom) in atoms.of(&store, wanted) {
            if words == WordKind::Finite && flat.expressions.is_about_steps(atom) {
                let name = store.name(proposition).to_owned();
                return Err(NoProduct::AboutSteps(name).into());
            }
            values.insert(proposition, encoded.boolean(flat, atom));
        }
        let mut product = Product::of_model(&encoded.model);
        if words == WordKind::Infinite {
            product.demand_fairness(encoded);
        }
        let last = constrain(&mut product, (&store, wanted), &values, words);
        let last = last.map_err(NoProduct::TooLarge)?;
        product.goal = match claim.kind {
            ClaimKind::Ltl => Goal::FairPath,
            ClaimKind::MaximalLtl => Goal::DeadEnd(last),
            _ => Goal::State(last),
        };
        Ok(product)
    }

    /// The expression of a specification of the model.
    fn declared(
        &self,
        claim: &Claim,
        number: usize,
        kind: PropertyKind,
    ) -> Result<FlatExpression, NoProduct> {
        let place = number.checked_sub(1).and_then(|place| self.model.flat.properties.get(place));
        let property = place.ok_or(NoProduct::NoSuchProperty(number))?;
        let found = plain_text(&self.model.text()[property.span.range()]);
        if property.kind != kind {
            return Err(NoProduct::AnotherKind(number));
        }
        if found != claim.text {
            let claimed = claim.text.clone();
            return Err(NoProduct::AnotherText { number, found, claimed });
        }
        Ok(property.operands[0])
    }

    /// Typed expressions.
    fn typed(
        &mut self,
        texts: &[(&str, ExpressionKind)],
    ) -> Result<Vec<FlatExpression>, Failed<E>> {
        let read = self.model.expressions(texts, &Limits::default(), self.interrupt);
        let read = read.map_err(Failed::Stopped)?;
        let checked = texts.iter().zip(read).map(|(&(text, _), read)| {
            read.map_err(|mut diagnostics| wrong(text, diagnostics.swap_remove(0)).into())
        });
        checked.collect()
    }

    /// A typed formula.
    fn formula(
        &mut self,
        text: &str,
        (syntax, words): (Option<Dialect>, WordKind),
        store: &mut Store,
        atoms: &mut FlatAtoms,
    ) -> Result<Formula, Failed<E>> {
        let dialect = match syntax {
            None | Some(Dialect::Nusmv) => {
                let expression = self.typed(&[(text, ExpressionKind::Ltl)])?[0];
                return Ok(ltl_formula(&self.model.flat, expression, store, atoms));
            }
            Some(dialect) => dialect,
        };
        let parsed = dialect::parse(store, text, Syntax { dialect, words });
        let formula = parsed.map_err(|diagnostic| wrong(text, diagnostic))?.formula;
        let propositions = store.propositions(formula);
        let names = propositions.iter().map(|&p| (store.name(p), ExpressionKind::Next));
        let expressions = self.typed(&names.collect::<Vec<_>>())?;
        let bound = propositions.into_iter().zip(expressions);
        bound.for_each(|(proposition, expression)| atoms.bind(proposition, expression));
        Ok(formula)
    }
}

fn wrong(text: &str, diagnostic: Diagnostic) -> NoProduct {
    NoProduct::Wrong { text: text.to_owned(), diagnostic }
}
