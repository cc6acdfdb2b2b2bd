//! Traces as JSON and as value change dumps, and back.

mod trace_support;

use std::path::Path;

use kermode_base::Rng;
use kermode_smv::flat::{Value, VariableId};
use kermode_smv::interpreter::{Fairness, Layout, Replay, Trace, WalkEnd};
use kermode_smv::trace::{self, Ending, Format, json, nusmv, vcd};
use serde_json::{Value as Json, json};
use trace_support::{model, random_traces, walk};

/// A validator for the part of JSON Schema that `docs/schema/trace.json` uses. Other keywords are
/// mistakes of the schema.
struct Validator {
    schema: Json,
}

impl Validator {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/trace.json");
        let text = std::fs::read_to_string(path).expect("the schema");
        Validator { schema: serde_json::from_str(&text).expect("JSON") }
    }

    fn check(&self, value: &Json) -> Result<(), String> {
        self.check_with(&self.schema, value, "")
    }

    fn check_with(&self, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
        let schema = schema.as_object().expect("a schema is an object");
        for (keyword, rule) in schema {
            let holds = match keyword.as_str() {
                "$schema" | "title" | "description" | "$defs" => true,
                "$ref" => {
                    let pointer = rule.as_str().expect("a reference").trim_start_matches('#');
                    let target = self.schema.pointer(pointer).expect("a definition");
                    self.check_with(target, value, at)?;
                    true
                }
                "type" => match rule {
                    Json::Array(types) => types.iter().any(|ty| is_of_type(value, ty)),
                    ty => is_of_type(value, ty),
                },
                "required" => {
                    let mut names = rule.as_array().expect("names").iter();
                    names.all(|name| value.get(name.as_str().expect("a name")).is_some())
                }
                "minimum" => value.as_i64().is_none_or(|v| v >= rule.as_i64().expect("a bound")),
                "maximum" => value.as_i64().is_none_or(|v| v <= rule.as_i64().expect("a bound")),
                "minLength" => {
                    let least = rule.as_u64().expect("a length") as usize;
                    value.as_str().is_none_or(|text| text.chars().count() >= least)
                }
                "minItems" => {
                    let least = rule.as_u64().expect("a length") as usize;
                    value.as_array().is_none_or(|items| items.len() >= least)
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check_with(rule, item, &format!("{at}/{index}"))?;
                    }
                    true
                }
                "properties" => {
                    for (name, rule) in rule.as_object().expect("properties") {
                        if let Some(member) = value.get(name) {
                            self.check_with(rule, member, &format!("{at}/{name}"))?;
                        }
                    }
                    true
                }
                "additionalProperties" => {
                    let known = schema.get("properties").and_then(Json::as_object);
                    for (name, member) in value.as_object().into_iter().flatten() {
                        if known.is_some_and(|known| known.contains_key(name)) {
                            continue;
                        }
                        match rule {
                            Json::Bool(false) => return Err(format!("{at}/{name} is unknown")),
                            rule => self.check_with(rule, member, &format!("{at}/{name}"))?,
                        }
                    }
                    true
                }
                other => panic!("the schema has the keyword {other}"),
            };
            if !holds {
                return Err(format!("{at}: {value} violates {keyword}: {rule}"));
            }
        }
        Ok(())
    }
}

fn is_of_type(value: &Json, ty: &Json) -> bool {
    match ty.as_str().expect("the name of a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "null" => value.is_null(),
        other => panic!("the schema has the type {other}"),
    }
}

#[test]
fn the_validator_refuses_what_is_wrong() {
    let validator = Validator::new();
    let right = json!({ "states": [{ "x": 1 }], "inputs": [], "loop_start": null });
    assert_eq!(validator.check(&right), Ok(()));
    let change = |pointer: &str, new: Json| {
        let mut wrong = right.clone();
        *wrong.pointer_mut(pointer).expect("a place") = new;
        wrong
    };
    let wrong = [
        change("/states", json!([])),
        change("/states/0/x", json!(1.5)),
        change("/states/0/x", json!(null)),
        change("/states/0/x", json!("")),
        change("/states/0/x", json!(3_000_000_000_u32)),
        change("/states/0", json!([1])),
        change("/inputs", json!(null)),
        change("/loop_start", json!(-1)),
        change("/loop_start", json!("0")),
        json!({ "states": [{ "x": 1 }], "inputs": [] }),
        json!({ "states": [{}], "inputs": [], "loop_start": null, "verdict": "holds" }),
        json!([]),
    ];
    for wrong in wrong {
        assert!(validator.check(&wrong).is_err(), "{wrong}");
    }
}

/// Random models with random paths: JSON fits the schema and reads back, a dump reads back as the
/// same trace, and so does NuSMV's format, up to its way to write loops.
#[test]
fn all_formats_read_back() {
    let validator = Validator::new();
    let (mut infinite, mut finite) = (0, 0);
    for (seed, text, flat, trace) in random_traces(0..300) {
        let context = || format!("seed {seed}\n{text}");
        assert_eq!(Replay::new(&flat).check(&trace, Fairness::Ignored), Ok(()), "{}", context());
        let written = json::write(&flat, &trace);
        let value: Json = serde_json::from_str(&written).expect("JSON");
        assert_eq!(value, json::to_json(&flat, &trace), "{}", context());
        assert_eq!(validator.check(&value), Ok(()), "{}", context());
        let from_json = trace::read(&written, &flat).expect("a trace").remove(0);
        assert_eq!(from_json.paths(), std::slice::from_ref(&trace), "{}", context());
        let dump = vcd::write(&flat, &trace);
        let from_vcd = vcd::read(&dump, &flat).unwrap_or_else(|e| panic!("{e:?}\n{dump}"));
        assert_eq!(json::to_json(&flat, &from_vcd), value, "{}", context());
        let heading = nusmv::Heading { number: 3, description: "Simulation".to_owned() };
        let printed = nusmv::write(&flat, &trace, &heading, nusmv::Marks::Equal);
        let from_nusmv =
            trace::read(&printed, &flat).unwrap_or_else(|e| panic!("{e:?}\n{printed}"));
        let paths = from_nusmv[0].paths();
        assert!(paths.contains(&trace), "{}\n{printed}", context());
        match trace.loop_start {
            Some(_) => infinite += 1,
            None => finite += 1,
        }
    }
    assert!(infinite > 80 && finite > 80, "{infinite} {finite}");
}

/// The value in every form that a file can have: negative integers, wide words, strange names.
#[test]
fn strange_values_and_names_read_back() {
    let flat = model(
        "MODULE cell VAR b.c : boolean; \"x y\" : {on, off}; \
         MODULE main VAR m : cell; n : -2147483647..2147483647; w : word[64]; s : signed word[64]; \
         e : {-3, 3, \"three . four\", red}; a : array -1..0 of array 0..1 of boolean; \
         IVAR go : {yes, no}; k : -1..1; z : word[3]; FROZENVAR f : boolean;",
    );
    let (mut seen, mut rng) = (0, Rng::new(77));
    for _ in 0..50 {
        let mut draw = |layout: &Layout<'_>| {
            layout.state(|id: VariableId| {
                let domain = &flat.variable(id).domain;
                let codes = [0, (domain.size() - 1) as u64, rng.next_u64()];
                let code = rng.choose(&codes);
                domain.value((u128::from(code) % domain.size()) as u64)
            })
        };
        let (states, inputs) = (Layout::of_states(&flat), Layout::of_inputs(&flat));
        let all = |values: Vec<_>| values.into_iter().collect::<Option<Vec<_>>>().expect("values");
        let trace = Trace {
            states: all((0..3).map(|_| draw(&states)).collect()),
            inputs: all((0..3).map(|_| draw(&inputs)).collect()),
            loop_start: Some(1),
        };
        let dump = vcd::write(&flat, &trace);
        assert_eq!(vcd::read(&dump, &flat).expect("a dump"), trace, "{dump}");
        let written = json::write(&flat, &trace);
        let read = json::read(&written, &flat).expect("a trace");
        assert_eq!(read[0].paths(), std::slice::from_ref(&trace));
        assert_eq!(read[0].ending, Ending::Loop(1));
        seen += usize::from(written.contains("three . four") && dump.contains("\\x20.\\x20four"));
    }
    assert!(seen > 10, "{seen}");
}

const DUMP: &str = "$comment a trace with 2 states, the last one is followed by state 1 again $end
$version Kermode $end
$timescale 1 ns $end
$scope module main $end
$var wire 1 ! b $end
$var integer 32 \" x $end
$var string 1 $ mode $end
$var wire 1 % i $end
$scope module m $end
$var wire 2 # w $end
$upscope $end
$upscope $end
$scope module kermode $end
$var event 1 & loop $end
$upscope $end
$enddefinitions $end
#0
0!
b11111111111111111111111111111111 \"
b00 #
sidle $
0%
#1
1&
1!
b10 \"
b01 #
sbusy $
1%
#2
1&
";

#[test]
fn a_dump_is_as_viewers_expect_it() {
    let flat = model(
        "MODULE sub VAR w : word[2]; MODULE main VAR b : boolean; x : -1..2; m : sub; \
         mode : {idle, busy}; IVAR i : boolean;",
    );
    let read = json::read(
        r#"{"states": [{"b": false, "x": -1, "m.w": "0ud2_0", "mode": "idle"},
                       {"b": true, "x": 2, "m.w": "0ud2_1", "mode": "busy"}],
            "inputs": [{"i": false}, {"i": true}], "loop_start": 1}"#,
        &flat,
    );
    let trace = read.expect("a trace").remove(0).paths().remove(0);
    assert_eq!(vcd::write(&flat, &trace), DUMP);
    assert_eq!(vcd::read(DUMP, &flat), Ok(trace));
}

#[test]
fn wrong_dumps_are_refused() {
    let flat = model(
        "MODULE sub VAR w : word[2]; MODULE main VAR b : boolean; x : -1..2; m : sub; \
         mode : {idle, busy}; IVAR i : boolean;",
    );
    let cases = [
        ("", "", "no value change dump"),
        ("$var wire 1 ! b $end", "$var wire 1 ! c $end", "no variable `c`"),
        ("$var wire 1 ! b $end", "$var wire 1 ! $end", "wrong form"),
        ("b10 \"", "b11 \"", "cannot be `11`"),
        ("sbusy $", "slazy $", "cannot be `lazy`"),
        ("#1", "#7", "the times of this dump are wrong"),
        ("1!", "1?", "not declared"),
        ("0!\n", "", "no value for `b`"),
        ("0%\n1%", "x%", "no inputs"),
        ("#2\n1&\n", "", "at least two"),
        ("1!", "?!", "no change of a value"),
        ("#0\n0!", "0!\n#0", "no time"),
    ];
    for (from, to, expected) in cases {
        let text = match from {
            "" => String::new(),
            "0%\n1%" => DUMP.replace("0%\n", "").replace("1%\n", ""),
            "#2\n1&\n" => DUMP.replace("#2\n1&\n", "").replace("#1\n1&\n", "").replace("1!\n", ""),
            from => DUMP.replacen(from, to, 1),
        };
        let error = vcd::read(&text, &flat).expect_err("a wrong dump");
        let shown = format!("{} {}", error.message, error.label);
        assert!(shown.contains(expected), "{from} {to}: {shown}");
    }
}

#[test]
fn formats_have_names() {
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    assert_eq!(names, ["table", "nusmv", "json", "vcd"]);
}

/// A walk follows the steps of the model, ends in dead ends, and finds loops.
#[test]
fn walks_are_paths() {
    let counter = model("MODULE main VAR x : 0..9; INIT x = 0 TRANS next(x) = x + 1");
    let trace = walk(&counter, &mut Rng::new(1), 50, WalkEnd::Finite).expect("a path");
    assert_eq!((trace.states.len(), trace.inputs.len(), trace.loop_start), (10, 9, None));
    let ring = model("MODULE main VAR x : 0..4; ASSIGN init(x) := 3; next(x) := (x + 1) mod 5;");
    let trace = walk(&ring, &mut Rng::new(1), 50, WalkEnd::Loop).expect("a path");
    assert_eq!((trace.states.len(), trace.inputs.len(), trace.loop_start), (5, 5, Some(0)));
    let none = model("MODULE main VAR x : boolean; INIT FALSE");
    assert_eq!(walk(&none, &mut Rng::new(1), 5, WalkEnd::Loop), None);
    // A free word of 64 bits costs no more than a small one.
    let wide = model("MODULE main VAR w : word[64];");
    assert_eq!(walk(&wide, &mut Rng::new(1), 5, WalkEnd::Finite).map(|t| t.states.len()), Some(6));
    let mut interpreter = kermode_smv::interpreter::Interpreter::new(&ring);
    let stopped = kermode_smv::interpreter::random_walk(
        &mut interpreter,
        &mut Rng::new(1),
        5,
        WalkEnd::Finite,
        &mut || Err("stop"),
    );
    assert_eq!(stopped, Err("stop"));
    let values = [false, true].map(Value::Boolean);
    let coin = model("MODULE main VAR b : boolean;");
    let mut heads = 0;
    for seed in 0..200 {
        let trace = walk(&coin, &mut Rng::new(seed), 0, WalkEnd::Finite).expect("a state");
        let value = Layout::of_states(&coin).value(&trace.states[0], VariableId(0));
        heads += usize::from(value == Some(values[1]));
    }
    assert!((70..130).contains(&heads), "{heads}");
}
