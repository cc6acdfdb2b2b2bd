//! The checks of a model that need its encoded expressions.
//!
//! **Ranges.** The right side of an assignment must be a value of the variable, and so must each
//! element of a set, for all values of the variables in it: current, next and input values are
//! independent, and other constraints do not matter.
//!
//! **Failures.** No expression may fail for any values of its variables: neither a division by
//! zero, nor a `case` without a true condition, nor an array index out of bounds, nor an impossible
//! shift. A condition of `TRANS` is checked conjunct by conjunct, and a formula with temporal
//! operators at its largest parts without.
//!
//! The bounds of encoded integers decide most of these questions, because formulas about them
//! become constants. The remaining ones are searches for a witness (`witness`). Where a search
//! exceeds its limits, a warning says so, and the expression counts as false where it fails.

use kermode_base::Diagnostic;
use kermode_base::terms::Dag;
use kermode_system::{Expression, Model, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

use super::EncodedModel;
use super::encoder::{Encoder, Place, normal, operands};
use super::scalar::Scalar;
use super::sets::{conjuncts, outside};
use super::witness::{Limits, Search, Searches, Valuation, bits};
use crate::flat::{
    Domain, FailureKind, FlatBinary, FlatExpression, FlatModel, FlatTerm, Type, Value, VariableId,
    Word,
};
use crate::syntax::{ConstraintKind, Span};

/// The expressions for which a check was not completed.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    failing: FxHashSet<FlatExpression>,
    leaving: FxHashSet<FlatExpression>,
}

impl Findings {
    /// Whether the evaluation of an expression may fail.
    pub fn may_fail(&self, expression: FlatExpression) -> bool {
        self.failing.contains(&expression)
    }

    /// Whether the value of an assignment may be outside of the domain of the variable.
    pub fn may_leave(&self, expression: FlatExpression) -> bool {
        self.leaving.contains(&expression)
    }
}

/// Checks all assignments, conditions and properties of a model whose bits are declared.
pub fn check<E>(
    encoded: &mut EncodedModel,
    flat: &FlatModel,
    limits: &Limits,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<Diagnostic>, E> {
    let mut checks = Checks::new(encoded, flat, limits, interrupt);
    for assignment in &flat.assignments {
        for assigned in &assignment.assigned {
            checks.failure(assigned.value, assigned.span)?;
            checks.range(assignment.variable, assigned.value, assigned.span)?;
        }
    }
    for constraint in &flat.constraints {
        let parts = match constraint.kind {
            ConstraintKind::Trans => conjuncts(flat, constraint.condition),
            _ => vec![constraint.condition],
        };
        for part in parts {
            checks.failure(part, constraint.span)?;
        }
    }
    for &(p, q, span) in &flat.compassion {
        checks.failure(p, span)?;
        checks.failure(q, span)?;
    }
    for property in &flat.properties {
        for &operand in &property.operands {
            for leaf in leaves(flat, operand) {
                checks.failure(leaf, property.span)?;
            }
        }
    }
    let mut diagnostics = checks.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Ok(diagnostics)
}

/// Checks that an expression without temporal operators does not fail. It was written at a place.
pub fn check_expression<E>(
    encoded: &mut EncodedModel,
    flat: &FlatModel,
    (expression, span): (FlatExpression, Span),
    limits: &Limits,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<Diagnostic>, E> {
    let mut checks = Checks::new(encoded, flat, limits, interrupt);
    checks.failure(expression, span)?;
    Ok(checks.diagnostics)
}

/// The largest parts of a formula without temporal operators, from left to right.
pub(crate) fn leaves(flat: &FlatModel, formula: FlatExpression) -> Vec<FlatExpression> {
    let mut seen = FxHashSet::default();
    let mut leaves = Vec::new();
    let mut todo = vec![formula];
    while let Some(formula) = todo.pop() {
        if !seen.insert(formula) {
            continue;
        }
        if flat.expressions.features(formula).is_temporal() {
            let operands: Vec<FlatExpression> = flat.expressions.operands(formula).collect();
            todo.extend(operands.into_iter().rev());
        } else {
            leaves.push(formula);
        }
    }
    leaves
}

struct Checks<'a, E> {
    model: &'a mut Model,
    encoder: &'a mut Encoder,
    findings: &'a mut Findings,
    flat: &'a FlatModel,
    limits: &'a Limits,
    interrupt: &'a mut dyn FnMut() -> Result<(), E>,
    /// For each variable of the graph, by index, its symbol.
    symbols: Vec<usize>,
    searches: Searches,
    /// The places with an error: all instances of a module have the same one.
    reported: FxHashSet<Span>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a, E> Checks<'a, E> {
    fn new(
        encoded: &'a mut EncodedModel,
        flat: &'a FlatModel,
        limits: &'a Limits,
        interrupt: &'a mut dyn FnMut() -> Result<(), E>,
    ) -> Self {
        let EncodedModel { model, encoder, findings, .. } = encoded;
        let mut symbols = vec![0; model.graph.variable_count()];
        for (place, symbol) in model.symbols.iter().enumerate() {
            symbol.bits.iter().for_each(|bit| symbols[bit.index()] = place);
        }
        Checks {
            model,
            encoder,
            findings,
            flat,
            limits,
            interrupt,
            symbols,
            searches: Searches::default(),
            reported: FxHashSet::default(),
            diagnostics: Vec::new(),
        }
    }

    fn search(&mut self, formula: Expression) -> Result<Search, E> {
        let symbol = |variable: Variable| self.symbols[variable.index()];
        self.searches.search(self.model, symbol, formula, self.limits, self.interrupt)
    }

    fn report(&mut self, span: Span, diagnostic: Diagnostic) {
        if self.reported.insert(span) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that an expression fails for some values.
    fn failure(&mut self, expression: FlatExpression, span: Span) -> Result<(), E> {
        let place = (expression, false);
        let failure = self.encoder.encode(&mut self.model.graph, self.flat, place).failure;
        match self.search(failure)? {
            Search::Impossible => {}
            Search::Found(valuation) => {
                let (term, shifted) = self.cause(place, &valuation);
                let span = self.place_of(term, span);
                let diagnostic = self.describe_failure((term, shifted), &valuation, failure, span);
                self.report(span, diagnostic);
            }
            Search::Unknown => {
                self.findings.failing.insert(expression);
                let text = "it is not known whether this expression always has a value";
                self.report(
                    span,
                    Diagnostic::warning(span.range(), text).label(TOO_LARGE).help(
                        "where it has none, it counts as FALSE; simplify its arithmetic to be sure",
                    ),
                );
            }
        }
        Ok(())
    }

    /// Reports that the right side of an assignment leaves the domain of the variable.
    fn range(&mut self, variable: VariableId, value: FlatExpression, span: Span) -> Result<(), E> {
        let flat = self.flat;
        let FlatModel { variables, .. } = flat;
        let assigned = &variables[variable.index()];
        let place = (value, false);
        let leaves = self.encoder.leaves(&mut self.model.graph, flat, place, &assigned.domain);
        match self.search(leaves)? {
            Search::Impossible => {}
            Search::Found(valuation) => {
                let value = self.stray(place, &valuation, &assigned.domain);
                let value = value.map_or_else(|| "this value".to_owned(), |value| flat.show(value));
                let text = format!(
                    "`{}` cannot be assigned {value}: its values are {}",
                    assigned.name,
                    show_domain(flat, &assigned.domain)
                );
                let label = match self.show(&valuation, leaves) {
                    Some(values) => format!("this is {value} if {values}"),
                    None => format!("this is {value}"),
                };
                self.report(span, Diagnostic::error(span.range(), text).label(label).help(
                    "extend the type of the variable, or exclude the value by a condition: `case`, \
                     `? :`, `min` and `mod` can do that, `INVAR` and `TRANS` cannot",
                ));
            }
            Search::Unknown => {
                self.findings.leaving.insert(value);
                let text = format!(
                    "it is not known whether each value that is assigned to `{}` is one of {}",
                    assigned.name,
                    show_domain(flat, &assigned.domain)
                );
                self.report(
                    span,
                    Diagnostic::warning(span.range(), text).label(TOO_LARGE).help(
                        "there is no step with another value; simplify the arithmetic to be sure",
                    ),
                );
            }
        }
        Ok(())
    }

    /// Where a term that fails is written: inside of the checked expression, if possible.
    fn place_of(&self, term: FlatExpression, root: Span) -> Span {
        let places = self.flat.failure_places.get(&term).map_or(&[][..], Vec::as_slice);
        let inside = places.iter().find(|span| root.start <= span.start && span.end <= root.end);
        *inside.or(places.first()).unwrap_or(&root)
    }

    /// The term whose own operator fails under a valuation, below an expression that fails.
    fn cause(&self, root: Place, valuation: &Valuation) -> Place {
        let flat = self.flat;
        let places = below(flat, root);
        let mut roots: Vec<Expression> = Vec::with_capacity(2 * places.len());
        for &place in &places {
            let encoded = self.encoder.get(flat, place);
            roots.push(encoded.failure);
            roots.push(match encoded.value {
                Scalar::Boolean(value) => value,
                _ => encoded.failure,
            });
        }
        let values = valuation.evaluate(&self.model.graph, &roots);
        let values: FxHashMap<Place, (bool, bool)> =
            places.iter().zip(values.chunks(2)).map(|(&p, v)| (p, (v[0], v[1]))).collect();
        let fails = |place: &Place| values[place].0;
        let mut place = normal(flat, root);
        loop {
            let parts: Vec<Place> = operands(flat, place).collect();
            let failing = match (flat.expressions.term(place.0), &parts[..]) {
                (FlatTerm::IfThenElse(..), &[condition, yes, no]) => {
                    let branch = if values[&condition].1 { yes } else { no };
                    [condition, branch].into_iter().find(fails)
                }
                (_, parts) => parts.iter().copied().find(fails),
            };
            match failing {
                Some(part) => place = part,
                None => return place,
            }
        }
    }

    fn describe_failure(
        &self,
        (term, shifted): Place,
        valuation: &Valuation,
        failure: Expression,
        span: Span,
    ) -> Diagnostic {
        let flat = self.flat;
        let (text, what, help) = match flat.expressions.term(term) {
            FlatTerm::Failure(FailureKind::NoCase, _) => (
                "the conditions of `case` are not exhaustive".to_owned(),
                "no condition is true",
                "add a last branch `TRUE : ..;`; `INVAR` and conditions joined by `&` do not exclude values",
            ),
            FlatTerm::Failure(FailureKind::OutOfBounds, _) => (
                "an array index is out of bounds".to_owned(),
                "there is no such element",
                "limit the index, or guard the access: `i <= last -> a[i] ..`, or `? :`",
            ),
            FlatTerm::Binary(FlatBinary::ShiftLeft | FlatBinary::ShiftRight, word, amount) => {
                let width = match flat.expressions.ty(word) {
                    Type::Word { width, .. } => u32::from(width),
                    _ => 0,
                };
                let ty = flat.expressions.ty(amount);
                let amount = &self.encoder.get(flat, (amount, shifted)).value;
                let amount = self.concrete(amount, ty, valuation);
                let amount = amount.map_or_else(String::new, |v| format!(" by {}", flat.show(v)));
                (
                    format!("a word of {width} bits cannot be shifted{amount}"),
                    "the amount is out of bounds",
                    "the amount is at least 0 and at most the width: limit it, or guard the shift by `? :`",
                )
            }
            _ => (
                "division by zero".to_owned(),
                "the divisor is 0",
                "guard the division: `y != 0 -> x / y ..`, or `y = 0 ? .. : x / y`",
            ),
        };
        let label = match self.show(valuation, failure) {
            Some(values) => format!("{what} if {values}"),
            None => what.to_owned(),
        };
        Diagnostic::error(span.range(), text).label(label).help(help)
    }

    /// The values of the variables of a formula, such as `x = 3, next(y) = TRUE`.
    fn show(&self, valuation: &Valuation, formula: Expression) -> Option<String> {
        /// More values are not shown.
        const MOST: usize = 8;
        let mut mentioned: Vec<(usize, bool)> = bits(&self.model.graph, formula)
            .into_iter()
            .map(|(variable, next)| (self.symbols[variable.index()], next))
            .collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        let shown = mentioned.iter().take(MOST).map(|&(symbol, next)| {
            let symbol = &self.model.symbols[symbol];
            let value = symbol.value(|bit| valuation.holds((bit, next))).unwrap_or_default();
            let name = &symbol.name;
            if next { format!("next({name}) = {value}") } else { format!("{name} = {value}") }
        });
        let mut shown: Vec<String> = shown.collect();
        if mentioned.len() > MOST {
            shown.push("..".to_owned());
        }
        (!shown.is_empty()).then(|| shown.join(", "))
    }

    /// A possible value of an assignment that is outside of a domain, under a valuation.
    fn stray(&self, root: Place, valuation: &Valuation, domain: &Domain) -> Option<Value> {
        let flat = self.flat;
        let mut todo = vec![normal(flat, root)];
        while let Some(place) = todo.pop() {
            let parts = operands(flat, place);
            match flat.expressions.term(place.0) {
                FlatTerm::Interval(low, high) => {
                    if let Some(value) = outside(domain, low, high) {
                        return Some(Value::Integer(value));
                    }
                }
                FlatTerm::IfThenElse(condition, ..) => {
                    let condition = &self.encoder.get(flat, (condition, place.1)).value;
                    let value = self.concrete(condition, Type::Boolean, valuation)?;
                    let branch = if value == Value::Boolean(true) { 1 } else { 2 };
                    todo.extend(parts.skip(branch).take(1));
                }
                FlatTerm::Next(_) | FlatTerm::Binary(FlatBinary::Union, ..) => todo.extend(parts),
                _ => {
                    let ty = flat.expressions.ty(place.0);
                    let value =
                        self.concrete(&self.encoder.get(flat, place).value, ty, valuation)?;
                    if domain.code(value).is_none() {
                        return Some(value);
                    }
                }
            }
        }
        None
    }

    /// The value under a valuation.
    fn concrete(&self, scalar: &Scalar, ty: Type, valuation: &Valuation) -> Option<Value> {
        let number = |bits: &[Expression]| -> u64 {
            let values = valuation.evaluate(&self.model.graph, bits);
            values.iter().enumerate().map(|(place, &bit)| u64::from(bit) << place).sum()
        };
        let integer = |bits: &[Expression]| {
            let unused = 64 - bits.len() as u32;
            Value::Integer(((number(bits) << unused) as i64 >> unused) as i32)
        };
        match scalar {
            Scalar::Boolean(value) => Some(Value::Boolean(number(&[*value]) == 1)),
            Scalar::Integer(value) => Some(integer(&value.bits)),
            Scalar::Word(bits) => {
                let signed = matches!(ty, Type::Word { signed: true, .. });
                let word = Word { bits: number(bits), width: bits.len() as u8, signed };
                Some(Value::Word(word))
            }
            Scalar::Enumerated(value) => {
                let mut symbols = value.symbols.iter();
                match symbols.find(|&&(_, condition)| number(&[condition]) == 1) {
                    Some(&(symbol, _)) => Some(Value::Symbol(symbol)),
                    None => value.integer.as_ref().map(|(_, value)| integer(&value.bits)),
                }
            }
            Scalar::Set => None,
        }
    }
}

/// Why a search has no result.
const TOO_LARGE: &str = "the decision diagrams of this expression are too large";

/// The expressions below an expression, itself included, with `next` applied to them.
fn below(flat: &FlatModel, root: Place) -> Vec<Place> {
    let mut seen = FxHashSet::default();
    let mut places = Vec::new();
    let mut todo = vec![normal(flat, root)];
    while let Some(place) = todo.pop() {
        if seen.insert(place) {
            places.push(place);
            todo.extend(operands(flat, place));
        }
    }
    places
}

/// The values of a domain, as people write its type.
fn show_domain(flat: &FlatModel, domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "TRUE and FALSE".to_owned(),
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::Enumeration(values) => {
            let values: Vec<String> = values.iter().map(|&value| flat.show(value)).collect();
            format!("{{{}}}", values.join(", "))
        }
        Domain::Word { width, .. } => format!("words of {width} bits"),
    }
}
