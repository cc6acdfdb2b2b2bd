//! A stack with operations to push, to pop, to ask whether it is empty, to process its elements
//! from top to bottom, and to freeze it.
//!
//! \[STV05\] section 4.1 has push, pop, empty and top-down processing, observed by calls and
//! returns; \[DDMR08\] section 6 has push, pop, empty and freeze. The model has all of them, and
//! the observations of both papers. What the papers leave open was decided so:
//!
//! - Elements are 1, 2 and 3: the properties of \[DDMR08\] B.4 have `push3` and `call3`, though
//!   section 6 says {1,2}. In \[STV05\] `d1` and `d2` are the elements 1 and 2. An element may be
//!   in the stack several times.
//! - One event per state. A push takes one state, because \[DDMR08\] has pushes in consecutive
//!   states. The calls of pop and empty are followed by a state of their return, the call of
//!   top-down processing by one state per element. Then comes any call, or an idle state.
//! - A full stack is not pushed, and an empty one is not popped: the caller asks before.
//! - After a freeze the elements are called from top to bottom, again and again.
//!
//! Property 5 of \[STV05\] says `!returnPopd2` where its English means `returnPopd2`. As printed it
//! is true at once. As meant it fails: another copy of `d1` may be above `d2`.

use kermode_ltl::families::{Parameter, ParameterKind};

use super::layout::{comment, lines};
use super::{FamilyModel, FamilyProperty, ModelFamily};

/// `stack CELLS [PUSHES]`.
pub const FAMILY: ModelFamily = ModelFamily {
    name: "stack",
    suffixes: &[],
    summary: "a stack that is pushed, popped, processed and frozen",
    parameters: &[
        Parameter {
            name: "CELLS",
            kind: ParameterKind::Number { least: 1, most: 1_000 },
            default: None,
            help: "how many elements fit in",
        },
        Parameter {
            name: "PUSHES",
            kind: ParameterKind::Number { least: 0, most: 100 },
            default: Some("0"),
            help: "the pushes of DDMR08's property, also by `--pushes`; 0 stands for 2, 3, 4 and 5",
        },
    ],
    paper: "STV05, DDMR08",
    build: |instance| match instance.size(1) {
        0 => stack(instance.size(0), &[2, 3, 4, 5]),
        pushes => stack(instance.size(0), &[pushes]),
    },
};

/// The stack, with one property of \[DDMR08\] for each of these numbers of pushes.
///
/// # Panics
/// Without cells.
pub fn stack(cells: usize, pushes: &[usize]) -> FamilyModel {
    assert!(cells > 0, "a stack has cells");
    let system = [
        comment(&HEADER.replace("@N", &cells.to_string())),
        CELL.to_owned(),
        main(cells),
        OBSERVATIONS.to_owned(),
    ];
    let mut properties = properties_of_stv05(cells);
    properties.extend(pushes.iter().map(|&count| frozen_order(count)));
    properties.push(without_condition(cells));
    FamilyModel::new(system.join("\n"), properties)
}

const HEADER: &str = "\
A stack of at most @N elements, each of them 1, 2 or 3 [STV05, DDMR08].

Each state has one event. A push and an idle state take one state. The call of pop is followed by \
its return, and so is the call of empty. Top-down processing and freezing are followed by visits \
of the elements from top to bottom: once after the former, again and again after the latter.
A full stack is not pushed, and an empty stack is not popped.";

const CELL: &str = "\
MODULE cell(height, event, data, size)
VAR
  content : 0..3;  -- 0: none
ASSIGN
  init(content) := 0;
  next(content) := case
    event = pushing & size = height - 1 : data;
    event = popping & size = height : 0;
    TRUE : content;
  esac;
";

const MAIN: &str = "\
MODULE main
VAR
  event : {idle, pushing, popping, popped, asking, answered, top_down, visiting, freezing};
  data : 0..3;  -- the element that is pushed, or that was popped
  frozen : boolean;
  size : 0..@N;
  pointer : 0..@N;  -- the height of the element that is visited
@CELLS
DEFINE
  top := case
@TOP
    TRUE : 0;
  esac;
  visited := case
@VISITED
    TRUE : 0;
  esac;
  begins_walk := (event = top_down | event = freezing) & size > 0;
  continues_walk := event = visiting & (frozen | pointer > 1);
ASSIGN
  init(event) := idle;
  next(event) := case
    event = popping : popped;
    event = asking : answered;
    begins_walk | continues_walk : visiting;
    frozen | event = freezing : idle;
    TRUE : {idle, pushing, popping, asking, top_down, freezing};
  esac;
  init(data) := 0;
  next(data) := case
    event = popping : top;
    next(event) = pushing : 1..3;
    TRUE : 0;
  esac;
  init(frozen) := FALSE;
  next(frozen) := frozen | event = freezing;
  init(size) := 0;
  next(size) := case
    event = pushing & size < @N : size + 1;
    event = popping & size > 0 : size - 1;
    TRUE : size;
  esac;
  init(pointer) := 0;
  next(pointer) := case
    begins_walk : size;
    event = visiting & pointer > 1 : pointer - 1;
    event = visiting & frozen : size;
    TRUE : 0;
  esac;
INVAR
  event = pushing -> size < @N;
INVAR
  event = popping -> size > 0;
";

const OBSERVATIONS: &str = "\
-- The observations of [STV05]; d1 and d2 are the elements 1 and 2.
DEFINE
  callPush := event = pushing;
  callPushd1 := event = pushing & data = 1;
  callPushd2 := event = pushing & data = 2;
  returnPop := event = popped;
  returnPopd1 := event = popped & data = 1;
  returnPopd2 := event = popped & data = 2;
  callTop_Down := event = top_down;
  callProcessd1 := event = visiting & visited = 1;
  callProcessd2 := event = visiting & visited = 2;
  callEmpty := event = asking;
  returnEmptyTrue := event = answered & size = 0;
  returnEmptyFalse := event = answered & size > 0;

-- The observations of [DDMR08].
DEFINE
  pop := event = popping;
  freeze := event = freezing;
  push1 := event = pushing & data = 1;
  push2 := event = pushing & data = 2;
  push3 := event = pushing & data = 3;
  call1 := frozen & visited = 1;
  call2 := frozen & visited = 2;
  call3 := frozen & visited = 3;
";

fn main(cells: usize) -> String {
    let cell = |i: usize| format!("  cell{i} : cell({i}, event, data, size);");
    let content = |name: &str| lines(cells, |i| format!("    {name} = {i} : cell{i}.content;"));
    MAIN.replace("@N", &cells.to_string())
        .replace("@CELLS\n", &lines(cells, cell))
        .replace("@TOP\n", &content("size"))
        .replace("@VISITED\n", &content("pointer"))
}

/// The properties of Table 1, and the fifth as it is meant.
fn properties_of_stv05(cells: usize) -> Vec<FamilyProperty> {
    let mut properties = vec![
        FamilyProperty::new(
            "stv05_prop1",
            "G ((callPushd1 & (!returnPopd1 U callTop_Down))
    -> F (callTop_Down & F callProcessd1))",
            "If d1 is pushed and not popped before the call of top-down processing, then it is \
             processed.",
        )
        .holds("d1 is in the stack when processing begins, and processing visits all elements."),
        FamilyProperty::new(
            "stv05_prop2",
            "G ((callPush & (!returnPop U callEmpty)) -> F (callEmpty & F returnEmptyFalse))",
            "If something is pushed and nothing popped before the call of empty, then that call \
             says that the stack is not empty.",
        )
        .holds("only pop removes elements."),
        FamilyProperty::new(
            "stv05_prop3",
            "G ((callPushd1 & F returnEmptyTrue) -> (!returnEmptyTrue U returnPopd1))",
            "Between a push of d1 and a call of empty that says that the stack is empty, d1 is \
             popped.",
        )
        .holds("only pop removes d1."),
        FamilyProperty::new(
            "stv05_prop4",
            "G ((callPushd1
      & (!returnPopd1 U (callPushd2 & ((!returnPopd1 & !returnPopd2) U callTop_Down))))
    -> F (callTop_Down & F (callProcessd2 & F callProcessd1)))",
            "If d1 and then d2 are pushed and neither is popped before the call of top-down \
             processing, then d2 is processed and d1 later.",
        )
        .holds("both are in the stack, d2 above d1."),
    ];
    properties.extend(fifth_of_stv05(cells));
    properties
}

/// Property 5 as it is printed, and as it is meant.
fn fifth_of_stv05(cells: usize) -> [FamilyProperty; 2] {
    let formula = |popped: &str| {
        format!(
            "G ((callPushd1 & (!returnPopd1 U callPushd2))
    -> (!returnPopd1 U ({popped} | G !returnPopd1)))"
        )
    };
    let printed = FamilyProperty::new(
        "stv05_prop5",
        formula("!returnPopd2"),
        "As printed: after pushes of d1 and d2, d1 is not popped until d2 is not being popped.",
    );
    let meant = FamilyProperty::new(
        "stv05_prop5_meant",
        formula("returnPopd2"),
        "As meant: if d1 and then d2 are pushed and d1 is not popped between, then d2 is popped \
         before d1.",
    );
    let meant = if cells > 2 {
        meant.fails("d1, d2 and d1 again may be pushed; then d1 is popped before d2.")
    } else {
        meant.holds("d1 and d2 fill the stack, so that nothing else is popped before d2.")
    };
    [printed.holds("d2 is not being popped in the state where d1 is pushed."), meant]
}

/// The element of a push: 1, 2, 3, 1, 2, ..
fn element(push: usize) -> usize {
    (push - 1) % 3 + 1
}

/// The property of \[DDMR08\] B.4: after this many pushes and no pop until the stack is frozen, the
/// elements are called in reverse order infinitely often.
fn frozen_order(pushes: usize) -> FamilyProperty {
    let after = |steps: usize, what: String| "X ".repeat(steps) + &what;
    let mut pushed: Vec<String> =
        (1..pushes).map(|i| after(i - 1, format!("push{}", element(i)))).collect();
    let last = format!("push{} & X (!pop U freeze)", element(pushes));
    let last = if pushes == 1 { last } else { after(pushes - 1, format!("({last})")) };
    pushed.push(last);
    let called = (1..=pushes).rev().enumerate();
    let called: Vec<String> =
        called.map(|(steps, i)| after(steps, format!("call{}", element(i)))).collect();
    let formula = format!("F ({})\n  -> G F ({})", pushed.join(" & "), called.join(" & "));
    let meaning = format!(
        "If {pushes} elements 1, 2, 3, 1, .. are pushed one after the other and nothing is popped \
         until the stack is frozen, then they are called in reverse order infinitely often."
    );
    FamilyProperty::new(&format!("ddmr08_pushes{pushes}"), formula, &meaning).holds(
        "the elements stay next to each other. If they do not fit in, they are never pushed.",
    )
}

/// The property for two pushes without its condition on pop.
fn without_condition(cells: usize) -> FamilyProperty {
    let formula = "F (push1 & X (push2 & X F freeze)) -> G F (call2 & X call1)";
    let property = FamilyProperty::new(
        "order_without_condition",
        formula,
        "If 1 and 2 are pushed one after the other and the stack is frozen later, then they are \
         called in reverse order infinitely often.",
    );
    match cells {
        1 => property.holds("two elements do not fit in."),
        _ => property.fails("they may be popped before the stack is frozen."),
    }
}
