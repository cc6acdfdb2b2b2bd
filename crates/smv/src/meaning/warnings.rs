//! Warnings about models that are legal and perhaps not meant.

use kermode_base::Diagnostic;

use super::Flattener;
use crate::flat::expression::{Below, BoundsId};
use crate::flat::{FlatExpression, FlatTerm};
use crate::syntax::{NodeId, Span, VariableKind};

impl Flattener<'_> {
    pub(super) fn warn(&mut self) {
        self.warn_about_unused_modules();
        self.warn_about_unconstrained_variables();
    }

    fn warn_about_unused_modules(&mut self) {
        for index in 0..self.tables.len() {
            if self.tables[index].is_some() {
                continue;
            }
            let module = &self.file.modules[index];
            let is_included = self.file.modules.iter().flat_map(|module| &module.items).any(
                |item| matches!(item, crate::syntax::Item::Isa(name, _) if *name == module.name),
            );
            if !is_included {
                let name = self.name(module.name);
                let warning = format!("the module `{name}` is never used");
                self.report(
                    Diagnostic::warning(module.span.range(), warning)
                        .label("only its syntax was checked")
                        .help("declare an instance of it, or remove it"),
                );
            }
        }
    }

    /// `H[a,b] p` demands that all of its positions exist.
    pub(super) fn warn_about_bounded_past(&mut self, node: NodeId, bounds: BoundsId) {
        let high = self.model.expressions.bounds(bounds).map_or(0, |bounds| bounds.high);
        if high == 0 {
            return;
        }
        let states = if high == 1 { "state".to_owned() } else { format!("{high} states") };
        let warning = format!("this is false in the first {states} of every path");
        self.report(
            Diagnostic::warning(self.file.span(node).range(), warning)
                .label("`H` demands that all of its positions exist")
                .help("write `!O[a,b] !p` to ignore positions before the first state"),
        );
    }

    /// State variables that nothing assigns and that no constraint mentions: they take any value
    /// in any state.
    fn warn_about_unconstrained_variables(&mut self) {
        let mut mentioned = vec![false; self.model.variables.len()];
        let mut roots: Vec<FlatExpression> = Vec::new();
        for assignment in &self.model.assignments {
            mentioned[assignment.variable.index()] = true;
        }
        roots.extend(self.model.constraints.iter().map(|constraint| constraint.condition));
        let below = Below::of(&self.model.expressions, &roots);
        for expression in below.iter() {
            if let FlatTerm::Variable(variable) = self.model.expressions.term(expression) {
                mentioned[variable.index()] = true;
            }
        }
        let free =
            self.model.variables.iter().zip(&mentioned).filter(|(variable, mentioned)| {
                variable.kind == VariableKind::State && !**mentioned
            });
        let mut places: Vec<(Span, String)> =
            free.map(|(variable, _)| (variable.span, variable.name.clone())).collect();
        places.dedup_by_key(|(span, _)| *span);
        for (span, name) in places {
            let warning = format!("`{name}` is never assigned nor constrained");
            self.report(
                Diagnostic::warning(span.range(), warning)
                    .label("it takes any value in any state")
                    .help("if that is meant, declare it as an input (IVAR) to say so"),
            );
        }
    }
}
