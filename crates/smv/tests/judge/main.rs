//! The explicit judge: verdicts of NuSMV, and small models with derived answers.

mod branching;
mod cases;
mod golden;
mod graphs;
mod linear;
mod reachable;
mod support;
mod words;
