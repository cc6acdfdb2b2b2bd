//! Certificates: files that prove "holds" or "unsatisfiable", and the judge that accepts or refuses
//! them.
//!
//! A certificate speaks about a model as it is read, or about a formula as it is read, never about
//! something that an engine has made of them. [`read`] reads its text, [`product_of_model`] and
//! [`product_of_formula`] build the system that a claim is about, and [`judge`] checks that the
//! sets of the proof fulfil the conditions under which the claim holds.
//!
//! **Trust.** This crate shares no code with the engines. Whoever believes a verified claim trusts
//! the reader, the flattening and the encoding of `kermode-smv`, the parser of `kermode-ltl`, the
//! decision diagrams of `kermode-bdd`, and three files here: `tableau` (the tableau of a formula),
//! `product` (fairness), and `judge` (the conditions). Who writes a certificate need not be
//! trusted.
//!
//! ```
//! use std::convert::Infallible;
//!
//! use kermode_bdd::{Capacity, Manager, OutOfNodes};
//! use kermode_certificate::{judge, product_of_formula, read};
//! use kermode_ltl::{Store, Syntax, WordKind, dialect};
//!
//! let mut store = Store::new();
//! let parsed = dialect::parse(&mut store, "a & !a", Syntax::default()).expect("a formula");
//! let text = "kermode certificate 1 formula\nproof formula\ntext \"a & !a\"\n\
//!             bits 1\nvariable 0 \"a\"\nnodes 0\nstart 1\nend\n";
//! let Ok(read) = read(text, &mut || Ok::<(), Infallible>(()));
//! let certificate = read.expect("a certificate");
//!
//! let product = product_of_formula(&store, parsed.formula, WordKind::Infinite)?;
//! let manager = Manager::new(Capacity::small(2))?;
//! let never = &mut || Ok::<(), OutOfNodes>(());
//! assert_eq!(judge(&product, &certificate.proofs[0], &manager, never)?, Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certificate;
mod claim;
mod judge;
mod product;
mod read;
mod refusal;
mod tableau;

pub use certificate::{
    Argument, BitName, Certificate, Claim, ClaimKind, JusticeName, Node, Place, Proof, Round,
    SetId, Subject,
};
pub use claim::{NoProduct, product_of_formula, product_of_model};
pub use judge::{Judged, judge};
pub use product::{Goal, Product};
pub use read::read;
pub use refusal::{Refusal, TooLarge};
pub use tableau::numbered;
