//! Traces as tables.

mod trace_support;

use kermode_base::Rng;
use kermode_ltl::timeline::{Extent, Screen};
use kermode_smv::FlatModel;
use kermode_smv::flat::VariableId;
use kermode_smv::interpreter::{Trace, WalkEnd};
use kermode_smv::trace::nusmv;
use kermode_smv::trace::table::{TableOptions, write_table};
use trace_support::{model, walk};

const LIFT: &str = "MODULE main
IVAR call : 0..3; stop : boolean;
FROZENVAR top : 2..3;
VAR floor : 0..3; door : {open, closed}; moving : boolean; lamp : boolean; load : word[8];
ASSIGN
  init(floor) := 0; init(door) := closed; init(moving) := FALSE; init(lamp) := TRUE;
  init(load) := 0ud8_0;
  next(floor) := moving & floor < 3 ? floor + 1 : floor;
  next(moving) := call > floor & !stop;
  next(door) := moving ? closed : {open, closed};
  next(lamp) := lamp;
  next(load) := door = open ? 0ud8_200 : load;
";

fn variables(flat: &FlatModel, names: &[&str]) -> Vec<VariableId> {
    let place = |name: &&str| flat.variables.iter().position(|variable| variable.name == **name);
    names.iter().map(|name| VariableId(place(name).expect("a variable") as u32)).collect()
}

/// A trace of the lift with a loop, from NuSMV's notation.
fn lasso(flat: &FlatModel) -> Trace {
    let text = "-> State: 1.1 <-
        floor = 0
        door = closed
        moving = FALSE
        lamp = TRUE
        load = 0ud8_0
        top = 3
      -> Input: 1.2 <-
        call = 2
        stop = FALSE
      -> State: 1.2 <-
        moving = TRUE
        door = open
      -> Input: 1.3 <-
        call = 0
      -- Loop starts here
      -> State: 1.3 <-
        floor = 1
        door = closed
        moving = FALSE
        load = 0ud8_200
      -> Input: 1.4 <-
        call = 3
        stop = TRUE
      -> State: 1.4 <-
        door = open
      -> Input: 1.5 <-
      -> State: 1.5 <-
        door = closed
    ";
    nusmv::read(text, flat).expect("a trace").remove(0).paths().remove(0)
}

#[test]
fn the_variables_of_the_property_come_first() {
    let flat = model(LIFT);
    let trace = lasso(&flat);
    let first = variables(&flat, &["moving", "door"]);
    let options = TableOptions { first: &first, ..TableOptions::default() };
    let expected = "  time           0        1        2        3
  loop                             ╭────────╮
  moving         ·        1        ·        ·
  door      closed     open   closed     open
  floor          0                 1
  load      0ud8_0          0ud8_200
  call →         2        0        3        3
  stop →         ·        ·        1        1
  → inputs of the step that leaves the state
  … and 2 variables that never change; --all-variables shows them
";
    assert_eq!(write_table(&flat, &trace, &options), expected);
}

#[test]
fn constant_variables_are_shown_if_they_are_wanted() {
    let flat = model(LIFT);
    let trace = lasso(&flat);
    let all = TableOptions { all_variables: true, ..TableOptions::default() };
    let shown = write_table(&flat, &trace, &all);
    assert!(shown.contains("lamp") && shown.contains("top") && !shown.contains('…'), "{shown}");
}

#[test]
fn a_long_trace_is_cut() {
    let flat = model(LIFT);
    let trace = walk(&flat, &mut Rng::new(5), 60, WalkEnd::Finite).expect("an initial state");
    let screen = Screen { columns: 60, styled: false };
    let options =
        TableOptions { extent: Extent::Screen("--full"), screen, ..TableOptions::default() };
    let shown = write_table(&flat, &trace, &options);
    let mut table = shown.lines().take_while(|line| !line.contains('…'));
    assert!(table.all(|line| line.chars().count() <= 60), "{shown}");
    assert!(shown.contains("more states; --full shows them"), "{shown}");
}
