//! The explicit judge: verdicts of NuSMV, and small models with derived answers.

mod golden;
mod support;
