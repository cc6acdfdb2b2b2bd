//! Alternating automata over infinite and finite words, and generalised Büchi automata: data
//! structures, translation from LTL, membership, reductions, and file formats.

pub mod alaska;
pub mod alternating;
pub mod automaton;
pub mod combine;
pub mod complement;
pub mod couvreur;
pub mod dealternate;
pub mod dfa;
pub mod difference;
pub mod dot;
pub mod emerson_lei;
pub mod explicit;
pub mod expression;
pub mod from_ltl;
pub mod hoa;
pub mod liveness_to_safety;
pub mod membership;
pub mod of_formula;
pub mod on_letter;
pub mod product;
pub mod random;
pub mod read;
pub mod relabel;
pub mod space;
pub mod structure;
pub mod tgba;
pub mod translation;
pub mod trim;

mod branches;
mod game;
mod name;

pub use alternating::{AlternatingAutomaton, Location};
pub use automaton::Automaton;
pub use branches::NoBranches;
pub use combine::{intersection, intersection_of, union};
pub use complement::{ComplementTooLarge, complement};
pub use dealternate::{NotDealternated, dealternate};
pub use dfa::Dfa;
pub use difference::Difference;
pub use emerson_lei::EmersonLei;
pub use expression::{Expression, Expressions, Term};
pub use from_ltl::{Untranslatable, from_ltl};
pub use membership::accepts;
pub use read::{ReadAutomaton, read_automata};
pub use structure::{AlternatingStatistics, Structure, rejecting_components};
pub use tgba::Tgba;
pub use trim::trim;
