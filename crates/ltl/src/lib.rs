//! Linear temporal logic: formulas, dialects, normal forms, rewriting, words, and the semantics
//! that every witness is checked with.

pub mod classes;
pub mod conjuncts;
pub mod conversion;
pub mod dialect;
pub mod eliminate;
pub mod families;
pub mod measure;
pub mod normal;
pub mod operator;
pub mod preprocess;
pub mod random;
pub mod reference;
pub mod rewrite;
pub mod semantics;
pub mod store;
pub mod text;
pub mod timeline;
pub mod translatable;
pub mod word;

mod build;
mod polarity;
mod substitution;

pub use classes::{Class, Classes};
pub use conversion::{Conversion, Converted};
pub use dialect::{Dialect, Syntax};
pub use kermode_base::{Diagnostic, Severity, Source};
pub use measure::Measure;
pub use operator::{BinaryOp, BoundedBinaryOp, BoundedUnaryOp, UnaryOp};
pub use store::{Formula, Interval, IntervalId, Node, Proposition, Store, Subformulas};
pub use substitution::replace;
pub use timeline::Timeline;
pub use translatable::{Untranslatable, check_translatable};
pub use word::{Letter, Word, WordKind};
