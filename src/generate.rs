//! `gen`: members of the families of the literature, formulas or models, and random formulas.

use std::fmt::Write;

use anyhow::bail;
use kermode::FamilyRequest;
use kermode::ltl::dialect::convert;
use kermode::ltl::families::conflict::RequirementSet;
use kermode::ltl::families::{FAMILIES, Family, Instance, MemberKind, Request};
use kermode::ltl::{BinaryOp, Formula, Measure, Node, Store};
use kermode::smv::families::{MODEL_FAMILIES, ModelInstance, ModelRequest, build};
use kermode::system::SymbolKind;
use serde_json::{Map, Value, json};

use crate::args::Gen;
use crate::convert::{print_sizes, sizes_json};
use crate::report::{print_line, print_text};
use crate::status::Status;

pub(crate) fn run(args: &Gen) -> anyhow::Result<Status> {
    match &args.family {
        Some(family) => match FamilyRequest::parse(family, &arguments(args, family)?)? {
            FamilyRequest::Formulas(request) => show_formulas(&request, args)?,
            FamilyRequest::Models(request) => show_models(&request, args)?,
        },
        None => list(args)?,
    }
    Ok(Status::Yes)
}

/// The arguments of the family. The option `--pushes` is the second one of `stack`.
fn arguments(args: &Gen, family: &str) -> anyhow::Result<Vec<String>> {
    let mut arguments = args.arguments.clone();
    if let Some(pushes) = &args.pushes {
        if family != "stack" || arguments.len() > 1 {
            bail!("`--pushes` is the second argument of `stack`, and of no other family");
        }
        arguments.push(pushes.clone());
    }
    Ok(arguments)
}

fn show_formulas(request: &Request, args: &Gen) -> anyhow::Result<()> {
    request.instances().try_for_each(|instance| show_formula(&instance, args))
}

fn show_formula(instance: &Instance, args: &Gen) -> anyhow::Result<()> {
    let mut store = Store::new();
    if args.requirements {
        return show_requirements(&mut store, instance, args);
    }
    let formula = instance.build(&mut store);
    let (formula, written) = convert(&mut store, formula, args.to.unwrap_or_default().into())?;
    if args.json {
        let mut object = member_json(instance);
        object.insert("formula".to_owned(), json!(written));
        if args.stats {
            let sizes = sizes_json(Measure::of(&store, formula));
            object.insert("sizes".to_owned(), sizes);
        }
        return Ok(print_line(&Value::Object(object).to_string())?);
    }
    print_line(&written)?;
    if args.stats {
        print_sizes(Measure::of(&store, formula))?;
    }
    Ok(())
}

/// Writes a formula as a requirement file.
fn show_requirements(store: &mut Store, instance: &Instance, args: &Gen) -> anyhow::Result<()> {
    let (conjuncts, conflicts) = match instance.name().as_str() {
        "conflict" => {
            let set = RequirementSet::of(store, instance);
            (set.requirements, set.conflicts)
        }
        _ => (top_conjuncts(store, instance), Vec::new()),
    };
    print_line(&format!("# {instance}"))?;
    let width = conjuncts.len().to_string().len();
    let name = |place: usize| format!("R{:0width$}", place + 1);
    for mut conflict in conflicts {
        conflict.sort_unstable();
        let names: Vec<String> = conflict.into_iter().map(name).collect();
        print_line(&format!("# conflict: {}", names.join(", ")))?;
    }
    for (place, conjunct) in conjuncts.into_iter().enumerate() {
        let (_, written) = convert(store, conjunct, args.to.unwrap_or_default().into())?;
        print_line(&format!("{}: {written}", name(place)))?;
    }
    Ok(())
}

/// The operands of the outermost conjunctions.
fn top_conjuncts(store: &mut Store, instance: &Instance) -> Vec<Formula> {
    let (mut conjuncts, mut todo) = (Vec::new(), vec![instance.build(store)]);
    while let Some(formula) = todo.pop() {
        match store.node(formula) {
            Node::Binary(BinaryOp::And, a, b) => todo.extend([b, a]),
            _ => conjuncts.push(formula),
        }
    }
    conjuncts
}

fn show_models(request: &ModelRequest, args: &Gen) -> anyhow::Result<()> {
    if args.to.is_some() || args.requirements {
        bail!(
            "`--to` and `--requirements` are for families of formulas; models are in the language of NuSMV"
        );
    }
    if !args.json && request.instances().nth(1).is_some() {
        bail!("a text has room for one model: give one number instead of a range, or `--json`");
    }
    request.instances().try_for_each(|instance| show_model(&instance, args))
}

fn show_model(instance: &ModelInstance, args: &Gen) -> anyhow::Result<()> {
    let model = build(instance);
    let sizes = if args.stats { model_sizes(&model.text)? } else { Vec::new() };
    if !args.json {
        print_text(&model.text)?;
        let mut sizes = sizes.into_iter();
        return Ok(sizes.try_for_each(|(_, label, n)| print_line(&format!("-- {label}: {n}")))?);
    }
    let properties = model.properties.iter().map(|property| {
        json!({
            "name": property.name,
            "formula": property.formula.split_whitespace().collect::<Vec<_>>().join(" "),
            "holds": property.holds,
        })
    });
    let mut object = member_json(instance);
    object.insert("model".to_owned(), json!(model.text));
    object.insert("properties".to_owned(), properties.collect());
    if args.stats {
        let sizes = sizes.into_iter().map(|(key, _, number)| (key.to_owned(), json!(number)));
        object.insert("sizes".to_owned(), sizes.collect());
    }
    Ok(print_line(&Value::Object(object).to_string())?)
}

/// The sizes of a model, each with its name in JSON and its label.
fn model_sizes(text: &str) -> Result<Vec<(&'static str, &'static str, usize)>, kermode::Error> {
    let model = kermode::model(text)?;
    let bits = |inputs: bool| {
        let symbols = model.encoded.model.symbols.iter();
        let counted = symbols.filter(|symbol| (symbol.kind == SymbolKind::Input) == inputs);
        counted.map(|symbol| symbol.bits.len()).sum()
    };
    Ok(vec![
        ("variables", "variables", model.flat.variables.len()),
        ("state_bits", "state bits", bits(false)),
        ("input_bits", "input bits", bits(true)),
        ("properties", "properties", model.flat.properties.len()),
    ])
}

/// What members of all kinds have in JSON.
fn member_json<K: MemberKind>(instance: &Instance<K>) -> Map<String, Value> {
    let arguments = instance.arguments().map(|(name, value)| (name.to_owned(), json!(value)));
    let mut object = Map::new();
    object.insert("command".to_owned(), json!("gen"));
    object.insert("family".to_owned(), json!(instance.name()));
    object.insert("arguments".to_owned(), arguments.collect());
    object
}

/// All families: those of formulas first.
fn list(args: &Gen) -> anyhow::Result<()> {
    let lines: Vec<String> = if args.json {
        let formulas = FAMILIES.iter().map(|family| family_json(family, "formula"));
        let models = MODEL_FAMILIES.iter().map(|family| family_json(family, "model"));
        formulas.chain(models).map(|family| family.to_string()).collect()
    } else {
        let formulas = FAMILIES.iter().map(Family::usage);
        let usages = formulas.chain(MODEL_FAMILIES.iter().map(Family::usage));
        let width = usages.map(|usage| usage.len()).max().unwrap_or_default();
        let formulas = FAMILIES.iter().map(|family| described(family, width));
        formulas.chain(MODEL_FAMILIES.iter().map(|family| described(family, width))).collect()
    };
    Ok(lines.iter().try_for_each(|line| print_line(line))?)
}

/// The description of a family: usage and summary in columns, arguments, and paper.
fn described<K: MemberKind>(family: &Family<K>, width: usize) -> String {
    let mut text = format!("{:width$}  {}\n", family.usage(), family.summary);
    for suffix in family.suffixes {
        let _ = writeln!(text, "  -{}: {}", suffix.name, suffix.help);
    }
    for parameter in family.parameters {
        let default = parameter.default.map(|value| format!("={value}")).unwrap_or_default();
        let (name, help, kind) = (parameter.name, parameter.help, parameter.kind);
        let _ = writeln!(text, "  {name}{default}: {help}, {kind}");
    }
    text + "  paper: " + family.paper
}

fn family_json<K: MemberKind>(family: &Family<K>, kind: &str) -> Value {
    let suffixes = family.suffixes.iter();
    let suffixes = suffixes.map(|suffix| json!({ "name": suffix.name, "help": suffix.help }));
    let parameters = family.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "takes": parameter.kind.to_string(),
            "default": parameter.default,
            "help": parameter.help,
        })
    });
    json!({
        "name": family.name,
        "kind": kind,
        "summary": family.summary,
        "suffixes": suffixes.collect::<Vec<_>>(),
        "parameters": parameters.collect::<Vec<_>>(),
        "paper": family.paper,
    })
}
