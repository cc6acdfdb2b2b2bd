//! Sections and their elements, definitions, line directives, and how reading goes on after errors.

use kermode_base::{Severity, Source};
use kermode_smv::syntax::{
    AssignmentKind, BaseType, ConstraintKind, DefinitionError, EnumerationValue, ExpressionKind,
    Item, Module, Parsed, PropertyKind, ReadOptions, Syntax, VariableKind, line_map, parse,
    parse_expression,
};

fn read(text: &str) -> Parsed {
    let parsed = parse(text, &ReadOptions::default());
    let source = Source { name: "model.smv", text };
    assert!(!parsed.has_errors(), "{}", source.render_all(&parsed.diagnostics).concat());
    parsed
}

fn module(parsed: &Parsed, index: usize) -> &Module {
    &parsed.file.modules[index]
}

/// The lines of the errors of a text.
fn error_lines(text: &str) -> Vec<usize> {
    let parsed = parse(text, &ReadOptions::default());
    let source = Source { name: "model.smv", text };
    let errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    errors.map(|d| source.line_and_column(d.span.start).0).collect()
}

#[test]
fn all_sections_are_read() {
    let text = "MODULE m(p, q)\n\
        VAR a : boolean; b : {x, -3, +4, \"y z\"}; c : 0 .. N - 1; d : unsigned word[8];\n\
            e : signed word[n]; f : Word[2]; g : array -1..1 of array 0..p.k of boolean;\n\
            h : m2; i : m2(); j : process m2(a & b, self, {1, 2}, next(c));\n\
        IVAR a.b : boolean; FROZENVAR k[3].l[-2] : boolean;\n\
        DEFINE t := a; u := [1, [2, 3]]; MDEFINE v := [1];\n\
        CONSTANTS; CONSTANTS r, s.t;\n\
        ASSIGN a := TRUE; init(h.x) := 1; next(g[0][p + 1]) := FALSE; self.b := x;\n\
        INIT a INVAR a; TRANS next(a) FAIRNESS a; JUSTICE a COMPASSION (a, b);\n\
        SPEC a CTLSPEC NAME n1 := AG a; LTLSPEC NAME n.2[3] := G a IN h.i[0]\n\
        INVARSPEC next(a); COMPUTE MIN [a, b] COMPUTE NAME n4 := MAX [a, EF b];\n\
        PSLSPEC NAME n5 := always {a; b} |-> c; -- no; end\n\
        ISA m2\nMODULE m2 VAR\nMODULE m3() VAR x : boolean;";
    let parsed = read(text);
    let text_of = |name| parsed.file.names.text(name);
    let (mut variables, mut properties, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for item in &module(&parsed, 0).items {
        match item {
            Item::Variable { kind, declaration, ty } => {
                variables.push((*kind, text_of(declaration.name), ty));
            }
            Item::Property { kind, name, context, operands, span, .. } => {
                let shown = &text[span.range()];
                let name = name.map(|(name, _)| text_of(name));
                properties.push((*kind, name, context.is_some(), operands.len(), shown));
            }
            other => rest.push(other),
        }
    }
    let names: Vec<&str> = variables.iter().map(|&(_, name, _)| name).collect();
    let expected = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a.b", "k[3].l[-2]"];
    assert_eq!(names, expected);
    let BaseType::Enumeration(values) = &variables[1].2.base else { panic!("an enumeration") };
    let values: Vec<String> = values
        .iter()
        .map(|(value, _)| match value {
            EnumerationValue::Symbol(name) => text_of(*name).to_owned(),
            EnumerationValue::Integer(value) => value.to_string(),
        })
        .collect();
    assert_eq!(values, ["x", "-3", "4", "\"y z\""]);
    assert!(matches!(variables[2].2.base, BaseType::Range(..)));
    assert!(matches!(variables[3].2.base, BaseType::Word { signed: false, .. }));
    assert!(matches!(variables[4].2.base, BaseType::Word { signed: true, .. }));
    assert_eq!(variables[6].2.dimensions.len(), 2);
    assert_eq!(variables[6].2.base, BaseType::Boolean);
    let BaseType::Instance { actuals, process: true, .. } = &variables[9].2.base else {
        panic!("a process")
    };
    assert_eq!(actuals.len(), 4);
    assert_eq!(variables[10].0, VariableKind::Input);
    assert_eq!(variables[11].0, VariableKind::Frozen);
    assert_eq!(
        properties,
        [
            (PropertyKind::Ctl, None, false, 1, "a"),
            (PropertyKind::Ctl, Some("n1"), false, 1, "AG a"),
            (PropertyKind::Ltl, Some("n.2[3]"), true, 1, "G a"),
            (PropertyKind::Invariant, None, false, 1, "next(a)"),
            (PropertyKind::ComputeMin, None, false, 2, "MIN [a, b]"),
            (PropertyKind::ComputeMax, Some("n4"), false, 2, "MAX [a, EF b]"),
            (PropertyKind::Psl, Some("n5"), false, 0, "always {a; b} |-> c"),
        ]
    );
    let assignments: Vec<_> = rest
        .iter()
        .filter_map(|item| match item {
            Item::Assignment { kind, .. } => Some(*kind),
            _ => None,
        })
        .collect();
    let (current, init) = (AssignmentKind::Current, AssignmentKind::Init);
    assert_eq!(assignments, [current, init, AssignmentKind::Next, current]);
    let constraints: Vec<_> = rest
        .iter()
        .filter_map(|item| match item {
            Item::Constraint { kind, .. } => Some(*kind),
            _ => None,
        })
        .collect();
    use ConstraintKind::{Init, Invar, Justice, Trans};
    assert_eq!(constraints, [Init, Invar, Trans, Justice, Justice]);
    let constants: Vec<&str> = rest
        .iter()
        .filter_map(|item| match item {
            Item::Constants(names) => Some(names),
            _ => None,
        })
        .flatten()
        .map(|&(name, _)| text_of(name))
        .collect();
    assert_eq!(constants, ["r", "s.t"]);
    assert!(rest.iter().any(|item| matches!(item, Item::Compassion(..))));
    assert!(rest.iter().any(|item| matches!(item, Item::Isa(name, _) if text_of(*name) == "m2")));
    let parameters = &module(&parsed, 0).parameters;
    assert_eq!(parameters.iter().map(|&(name, _)| text_of(name)).collect::<Vec<_>>(), ["p", "q"]);
    assert_eq!(parsed.file.modules.len(), 3);
}

#[test]
fn comments_and_blanks_separate_tokens() {
    for text in [
        "MODULE main -- a comment that ends the text",
        "MODULE main\r\nVAR\tx\x0c: /-- inside -- é\n --/ boolean;--x",
        "/-- /-- --/ MODULE main",
        "MODULE main VAR x--note : boolean;",
        "MODULE main VAR \"a\nb\" : boolean;",
    ] {
        read(text);
    }
    let parsed = read("MODULE main VAR x--note : boolean;");
    assert!(parsed.file.names.find("x--note").is_some());
}

#[test]
fn definitions_replace_names_by_constants() {
    let mut options = ReadOptions::default();
    for definition in ["N=3", "LOW=-2", "FLAG=TRUE", "COLOUR=red", "BITS=0ud4_9"] {
        options.define(definition).expect("a definition");
    }
    let text = "MODULE main VAR x : LOW..N; INIT x in LOW..N | FLAG & y = COLOUR | w = BITS";
    let parsed = parse(text, &options);
    assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
    let nodes = &parsed.file.nodes;
    assert!(nodes.contains(&Syntax::Range(-2, 3)));
    assert!(nodes.contains(&Syntax::Boolean(true)));
    let red = parsed.file.names.find("red").expect("the symbol is known");
    assert!(nodes.contains(&Syntax::Name(red)));
    assert_eq!(parsed.file.words[0].bits, 9);
    assert!(parsed.file.names.find("N").is_none());
    let place = nodes.iter().position(|node| *node == Syntax::Boolean(true)).expect("it is there");
    assert_eq!(&text[parsed.file.spans[place].range()], "FLAG");

    for (definition, error) in [
        ("N", DefinitionError::NoValue("N".into())),
        ("3=4", DefinitionError::NotAName("3".into())),
        ("=4", DefinitionError::NotAName("".into())),
        ("VAR=4", DefinitionError::ReservedWord("VAR".into())),
        ("N=", DefinitionError::NotAConstant("N".into(), "".into())),
        ("N=1 + 2", DefinitionError::NotAConstant("N".into(), "1 + 2".into())),
        ("N=-x", DefinitionError::NotAConstant("N".into(), "-x".into())),
        ("N=9999999999", DefinitionError::NotAConstant("N".into(), "9999999999".into())),
    ] {
        assert_eq!(options.define(definition), Err(error), "{definition}");
    }
    let wrong =
        ReadOptions { definitions: vec![("N".into(), "VAR".into())], ..ReadOptions::default() };
    assert!(parse("MODULE main", &wrong).has_errors());
}

#[test]
fn line_directives_give_file_and_line() {
    let text = "# 1 \"part.h\" 1\nMODULE main\n# 40 \"model.smv\"\nVAR x : ;\n# 7\n\nINIT &\n";
    let parsed = parse(text, &ReadOptions::default());
    let source = Source { name: "<stdin>", text };
    let shown = source.render_mapped(&parsed.diagnostics, &line_map(text));
    assert_eq!(parsed.file.lines, line_map(text));
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown[0].contains("model.smv:40:9"), "{}", shown[0]);
    assert!(shown[1].contains("model.smv:8:6"), "{}", shown[1]);
    for text in ["#12\nMODULE main", "#\nMODULE main", "#line 1\nMODULE main", " # 1\nMODULE main"]
    {
        assert_eq!(error_lines(text), [1], "{text}");
    }
}

#[test]
fn reading_goes_on_after_errors() {
    let text = "MODULE main\n\
        VAR a : ;\n\
            b : boolean\n\
        ASSIGN\n\
          init(a) := case b : 1 + ; TRUE : 2; esac;\n\
          next(a) := 3;\n\
          next(b) := ];\n\
        INIT a &\n\
        TRANS next(b) = b\n\
        LTLSPEC G (a ->\n\
        MODULE other\n\
        VAR : boolean;\n";
    assert_eq!(error_lines(text), [2, 4, 5, 7, 9, 11, 12]);
    let parsed = parse(text, &ReadOptions::default());
    assert_eq!(parsed.file.modules.len(), 2);
}

#[test]
fn reading_gives_up_after_many_errors() {
    let text = format!("MODULE main VAR {}", "x : ; ".repeat(1000));
    let parsed = parse(&text, &ReadOptions::default());
    assert_eq!(parsed.diagnostics.len(), 21);
    assert!(parsed.diagnostics[20].message.contains("more than"));
}

#[test]
fn arrows_after_names_get_a_warning() {
    let text = "MODULE main INVARSPEC a->b & c -> d & (e)->f & g<->h";
    let parsed = read(text);
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.diagnostics[0].severity, Severity::Warning);
    assert_eq!(&text[parsed.diagnostics[0].span.clone()], "a->");
}

#[test]
fn expressions_are_added_to_a_file() {
    let mut parsed = read("MODULE main VAR x : 0..3;");
    let nodes = parsed.file.nodes.len();
    let first = parse_expression(
        "x = 1",
        ExpressionKind::Simple,
        &ReadOptions::default(),
        &mut parsed.file,
    );
    let first = first.expect("an expression");
    assert_eq!((first.first.index(), first.root.index()), (nodes, nodes + 2));
    assert!(
        parse_expression("x = ", ExpressionKind::Simple, &ReadOptions::default(), &mut parsed.file)
            .is_err()
    );
    assert!(
        parse_expression("x; y", ExpressionKind::Simple, &ReadOptions::default(), &mut parsed.file)
            .is_err()
    );
    assert!(
        parse_expression(
            "next(x)",
            ExpressionKind::Simple,
            &ReadOptions::default(),
            &mut parsed.file
        )
        .is_err()
    );
    let lines = parsed.file.lines.clone();
    assert!(
        parse_expression(
            "# 3\nx",
            ExpressionKind::Simple,
            &ReadOptions::default(),
            &mut parsed.file
        )
        .is_ok()
    );
    assert_eq!(parsed.file.lines, lines);
    let x = parsed.file.names.find("x").expect("x is declared");
    let second =
        parse_expression("x", ExpressionKind::Ctl, &ReadOptions::default(), &mut parsed.file);
    let second = second.expect("an expression");
    assert_eq!(parsed.file.node(second.root), Syntax::Name(x));
    assert_eq!(parsed.file.modules.len(), 1);
}
