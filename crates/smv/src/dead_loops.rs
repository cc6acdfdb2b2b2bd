//! Loops at dead ends: `check --dead PROP`.
//!
//! A *dead end* is a state without successor. With [`ReadOptions::dead`], each has a loop: a step
//! to itself, with any inputs. A new Boolean variable of `main` is true in the dead ends, and so on
//! their loops, and false in all other states. Properties and fairness conditions may mention it.
//! `INIT`, `INVAR`, `TRANS` and assignments may not, because the steps that they describe decide
//! where it is true.
//!
//! The interpreter finds dead ends by its own search for steps. The encoding declares the variable
//! without a constraint; [`Model::loop_dead_ends`](kermode_system::Model::loop_dead_ends) adds the
//! loops when the set of dead ends is known.
//!
//! [`ReadOptions::dead`]: crate::syntax::ReadOptions

use kermode_base::Diagnostic;

use crate::flat::expression::Below;
use crate::flat::{FlatExpression, FlatModel, FlatTerm, VariableId};
use crate::syntax::{
    BaseType, ConstraintKind, Declaration, EnumerationValue, File, Item, Name, Span, TypeSyntax,
    VariableKind,
};

/// Declares the variable in `main`.
pub(crate) fn declare(file: &mut File, text: &str) -> Result<(), Diagnostic> {
    let name = file.names.intern(text);
    let clash = file.modules.iter().flat_map(|module| &module.items);
    let clash = clash.flat_map(constants).find(|(constant, _)| *constant == name);
    let Some(main) = file.names.find("main") else { return Ok(()) };
    // A file without `main` is refused later.
    let Some(main) = file.modules.iter_mut().find(|module| module.name == main) else {
        return Ok(());
    };
    let clash = clash
        .or_else(|| main.parameters.iter().copied().find(|(parameter, _)| *parameter == name))
        .or_else(|| main.items.iter().filter_map(declared).find(|(other, _)| *other == name));
    if let Some((_, place)) = clash {
        let message = format!("`{text}` is declared here, and `--dead` gives it another meaning");
        return Err(Diagnostic::error(place.range(), message)
            .label("this name has a meaning")
            .help("choose another name for the loops of dead ends"));
    }
    let span = main.span;
    main.items.push(Item::Variable {
        kind: VariableKind::State,
        declaration: Declaration { name, span, path: None },
        ty: TypeSyntax { dimensions: Vec::new(), base: BaseType::Boolean, span },
    });
    Ok(())
}

/// The name that an item declares.
fn declared(item: &Item) -> Option<(Name, Span)> {
    match item {
        Item::Variable { declaration, .. } | Item::Define { declaration, .. } => {
            Some((declaration.name, declaration.span))
        }
        _ => None,
    }
}

/// The symbolic constants that an item declares.
fn constants(item: &Item) -> Vec<(Name, Span)> {
    match item {
        Item::Constants(all) => all.clone(),
        Item::Variable { ty: TypeSyntax { base: BaseType::Enumeration(values), .. }, .. } => {
            let symbol = |(value, span): &(_, Span)| match value {
                EnumerationValue::Symbol(name) => Some((*name, *span)),
                EnumerationValue::Integer(_) => None,
            };
            values.iter().filter_map(symbol).collect()
        }
        _ => Vec::new(),
    }
}

/// Marks the variable in the flat model.
pub(crate) fn mark(flat: &mut FlatModel, name: &str) {
    let place = flat.variables.iter().position(|variable| variable.name == name);
    flat.dead_loop = place.map(|place| VariableId(place as u32));
}

/// Whether a diagnostic is about the declaration of the variable, which no text has: it is at the
/// name of `main`.
pub(crate) fn is_about_flag(flat: &FlatModel, diagnostic: &Diagnostic) -> bool {
    flat.dead_loop.is_some_and(|flag| flat.variable(flag).span.range() == diagnostic.span)
}

/// The errors for constraints that mention the variable.
pub(crate) fn uses(flat: &FlatModel) -> Vec<Diagnostic> {
    let Some(variable) = flat.dead_loop else { return Vec::new() };
    let mentions = |root: FlatExpression| {
        let below = Below::of(&flat.expressions, &[root]);
        below.iter().any(|part| flat.expressions.term(part) == FlatTerm::Variable(variable))
    };
    let constraints = flat.constraints.iter().filter(|c| c.kind != ConstraintKind::Justice);
    let constraints = constraints.map(|constraint| (constraint.condition, constraint.span));
    let assigned = flat.assignments.iter().flat_map(|assignment| &assignment.assigned);
    let assigned = assigned.map(|assigned| (assigned.value, assigned.span));
    let wrong = |span: Span| {
        let name = &flat.variable(variable).name;
        let message = format!("`{name}` is the name of `--dead`, and decides no step");
        Diagnostic::error(span.range(), message)
            .label("only properties and fairness conditions may mention it")
    };
    let mentioned = constraints.chain(assigned).filter(|&(root, _)| mentions(root));
    let mut errors: Vec<Diagnostic> = mentioned.map(|(_, span)| wrong(span)).collect();
    let targets = flat.assignments.iter().filter(|assignment| assignment.variable == variable);
    let spans = targets.filter_map(|assignment| assignment.assigned.first());
    errors.extend(spans.map(|assigned| wrong(assigned.span)));
    errors
}
