//! The meaning of names and types, by the number of states of small models and by messages.

use kermode_base::{Severity, Source};
use kermode_smv::interpreter::{Interpreter, explore};
use kermode_smv::syntax::ExpressionKind;
use kermode_smv::{ReadOptions, SmvModel, Unusable};

fn read(text: &str) -> Result<SmvModel, Vec<String>> {
    let options = ReadOptions::default();
    match SmvModel::read::<()>(text, &options, &Default::default(), &mut || Ok(())) {
        Ok(model) => Ok(model),
        Err(Unusable::Stopped(())) => unreachable!("nothing interrupts"),
        Err(Unusable::Wrong(found)) => {
            let source = Source { name: "model", text };
            let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
            let show = |diagnostic: &kermode_base::Diagnostic| {
                let (line, column) = source.line_and_column(diagnostic.span.start);
                format!("{line}:{column} {}", diagnostic.message)
            };
            Err(errors.map(show).collect())
        }
    }
}

/// The numbers of initial and reachable states.
fn states(text: &str) -> (usize, usize) {
    let model = read(text).expect("a correct model");
    let mut interpreter = Interpreter::new(&model.flat);
    let Ok(found) = explore::<()>(&mut interpreter, 100_000, &mut || Ok(())) else {
        unreachable!("nothing interrupts")
    };
    (found.initial, found.states.len())
}

fn errors(text: &str) -> Vec<String> {
    read(text).err().unwrap_or_default()
}

/// A definition may belong to an instance that a parameter stands for and that is declared later.
#[test]
fn definitions_are_declared_in_instances_of_parameters() {
    let text = "
MODULE cell(left)
VAR x : boolean;
ASSIGN init(x) := FALSE; next(x) := ack;
DEFINE left.ack := !x;
MODULE main
VAR a : cell(b); b : cell(a);
";
    assert_eq!(states(text), (1, 2));
}

/// Names are known in the whole module, also before their declarations, but types are not.
#[test]
fn types_need_instances_that_are_declared_before() {
    let later = "MODULE m\nDEFINE K := 3;\nMODULE main\nVAR x : 0..i.K; i : m;\n";
    assert_eq!(errors(later), ["4:12 `i` is declared later"]);
    let before = "MODULE m\nDEFINE K := 3;\nMODULE main\nVAR i : m; x : 0..i.K;\n";
    assert_eq!(states(before), (4, 4));
    let parent = "MODULE m(p)\nVAR x : 0..p.K;\nMODULE main\nVAR i : m(self);\nDEFINE K := 2;\n";
    assert_eq!(states(parent), (3, 3));
}

#[test]
fn errors_of_several_sections_are_reported_together() {
    let text = "MODULE main\nVAR x : 0..3;\nINIT x\nTRANS y\nASSIGN next(x) := TRUE;\n";
    let found = errors(text);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[1].starts_with("4:7 there is no name `y`"), "{found:?}");
}

/// An error in a module is reported once, however many instances the module has.
#[test]
fn an_error_is_reported_once_for_all_instances() {
    let text = "MODULE m\nINIT y\nMODULE main\nVAR a : m; b : m; c : m;\n";
    assert_eq!(errors(text), ["2:6 there is no name `y`"]);
}

/// A long chain of definitions, deeply nested instances and expressions need no stack.
#[test]
fn depth_needs_no_stack() {
    let mut chain = String::from("MODULE main\nVAR x : boolean;\nDEFINE d0 := x;\n");
    for i in 1..50_000 {
        chain += &format!("d{i} := !d{};\n", i - 1);
    }
    // The last definition comes first in the next one.
    chain += "INIT d49999\n";
    assert_eq!(states(&chain), (1, 2));
    let mut nested = String::new();
    for i in 0..2_000 {
        nested += &format!("MODULE m{i}\nVAR c : m{};\n", i + 1);
    }
    nested += "MODULE m2000\nVAR x : boolean;\nMODULE main\nVAR c : m0;\n";
    assert_eq!(states(&nested), (2, 2));
    let deep = format!("MODULE main\nVAR x : boolean;\nINIT {}x\n", "!".repeat(100_000));
    assert_eq!(states(&deep), (1, 2));
}

/// A hierarchy that doubles at each level is refused instead of exhausting the memory.
#[test]
fn exponential_hierarchies_are_refused() {
    let mut text = String::new();
    for i in 0..30 {
        text += &format!("MODULE m{i}\nVAR a : m{0}; b : m{0};\n", i + 1);
    }
    text += "MODULE m30\nVAR x : boolean;\nMODULE main\nVAR c : m0;\n";
    let found = errors(&text);
    assert!(found[0].contains("more than 1000000 instances"), "{found:?}");
}

#[test]
fn huge_arrays_are_refused() {
    let text = "MODULE main\nVAR a : array 0..2000000000 of boolean;\n";
    let found = errors(text);
    assert!(found[0].contains("elements"), "{found:?}");
}

#[test]
fn wrong_hierarchies_are_refused() {
    let itself = "MODULE m\nVAR a : m;\nMODULE main\nVAR c : m;\n";
    assert_eq!(errors(itself), ["2:9 the module `m` contains an instance of itself"]);
    let isa = "MODULE m\nISA n\nMODULE n\nISA m\nMODULE main\nISA m\n";
    assert_eq!(errors(isa), ["4:5 the module `m` includes itself by `ISA`"]);
}

/// Expressions that are typed later know the names of `main`.
#[test]
fn expressions_are_added_to_a_model() {
    let text = "MODULE m\nVAR x : 0..3;\nMODULE main\nVAR i : m;\nIVAR j : boolean;\n";
    let mut model = read(text).expect("a correct model");
    let before = model.flat.expressions.len();
    let never = &mut || Ok::<(), ()>(());
    let added = model.expression("i.x = 2", ExpressionKind::Simple, never).expect("an expression");
    assert!(model.flat.expressions.len() > before);
    let kermode_smv::flat::FlatTerm::Binary(..) = model.flat.expressions.term(added) else {
        panic!("a comparison")
    };
    let wrong = [("i.y = 2", "there is no name"), ("i.x", "must be Boolean"), ("j", "not allowed")];
    for (text, message) in wrong {
        let found = model.expression(text, ExpressionKind::Simple, never);
        let Err(Unusable::Wrong(found)) = found else { panic!("{text} is refused") };
        assert!(found[0].message.contains(message), "{text}: {found:?}");
    }
}

/// Only one process runs in a step, so its assignments alone must not be circular.
#[test]
fn cycles_are_cycles_of_one_process() {
    let model = |first: &str, second: &str| {
        format!(
            "MODULE p(x, y)\nASSIGN next(x) := next(y);\nMODULE q(x, y)\nASSIGN next(y) := next(x);\n\
             MODULE main\nVAR x : boolean; y : boolean; a : {first} p(x, y); b : {second} q(x, y);\n"
        )
    };
    assert_eq!(states(&model("process", "process")), (4, 4));
    assert_eq!(errors(&model("", "")), ["2:19 the next value of `x` depends on itself"]);
}

/// A name with suffixes may be declared beside a variable that has its first part as a name.
#[test]
fn names_with_suffixes_stand_beside_variables() {
    let text = "
MODULE m
VAR x : boolean; x.y : boolean; x[1] : 0..2;
INIT x & x.y & x[1] = 2
MODULE main
VAR i : m;
TRANS next(i.x.y) = i.x.y & next(i.x[1]) = i.x[1] & next(i.x) = i.x
";
    assert_eq!(states(text), (1, 1));
    let wrong = "MODULE main\nVAR x : boolean; x.y : boolean;\nINIT x.z\n";
    assert_eq!(errors(wrong), ["3:6 there is no name `z` here"]);
}

#[test]
fn empty_ranges_are_refused_in_expressions_too() {
    let text = "MODULE main\nVAR x : 0..3;\nINVARSPEC x in 3..2\n";
    assert_eq!(errors(text), ["3:16 the range 3..2 is empty"]);
}

/// In a model with processes `main` is a symbolic constant: it selects the main process.
#[test]
fn the_main_process_has_a_symbolic_constant() {
    let text = "
MODULE p(x)
ASSIGN next(x) := other;
MODULE main
VAR x : {main, other}; i : process p(x);
INIT x = main
";
    assert_eq!(states(text), (1, 2));
    let other =
        "MODULE p\nVAR y : boolean;\nMODULE main\nVAR x : {a, b}; i : process p;\nINIT x = main\n";
    assert_eq!(states(other), (0, 0));
    assert_eq!(errors(&other.replace("process ", "")), ["5:10 there is no name `main`"]);
}

#[test]
fn definitions_are_not_assigned() {
    for name in ["d", "q.r", "i.d"] {
        let text = format!(
            "MODULE m\nVAR y : boolean;\nMODULE main\nVAR x : boolean; i : m;\nDEFINE {name} := x;\nASSIGN next({name}) := TRUE;\n"
        );
        assert_eq!(errors(&text), [format!("6:13 `{name}` cannot be assigned")]);
    }
}
