//! A trace as a table: time across, one row per variable.
//!
//! The variables of the property come first, then those that change, states before inputs. Boolean
//! values are marks as in the tables of words. Other values are shown in the first column, where
//! the loop begins, and where they change. Inputs belong to steps: their rows have an arrow, and
//! the value in a column is that of the step that leaves its state.

use kermode_ltl::Timeline;
use kermode_ltl::timeline::{Cell, Extent, Row, Screen};

use crate::flat::{FlatModel, Value, VariableId};
use crate::interpreter::{Layout, Trace};
use crate::syntax::VariableKind;

/// What a table shows, and where.
#[derive(Clone, Copy, Debug)]
pub struct TableOptions<'o> {
    /// The variables that come first, in this order: those of the property.
    pub first: &'o [VariableId],
    /// Whether variables are shown that are not among them and never change.
    pub all_variables: bool,
    /// The name of the option that shows all variables.
    pub show_all: &'static str,
    /// How much of a long trace is shown.
    pub extent: Extent,
    /// The screen.
    pub screen: Screen,
}

impl Default for TableOptions<'_> {
    fn default() -> Self {
        TableOptions {
            first: &[],
            all_variables: false,
            show_all: "--all-variables",
            extent: Extent::All,
            screen: Screen::default(),
        }
    }
}

/// The table of a trace, each line indented by two blanks.
pub fn write_table(model: &FlatModel, trace: &Trace, options: &TableOptions<'_>) -> String {
    let columns = Columns {
        model,
        trace,
        states: Layout::of_states(model),
        inputs: Layout::of_inputs(model),
    };
    let (shown, hidden) = columns.choose(options);
    let rows: Vec<Row<'_>> = shown.iter().map(|&id| columns.row(id)).collect();
    let timeline = Timeline {
        length: trace.states.len(),
        loop_start: trace.loop_start,
        rows,
        outermost_last: false,
        unit: "states",
    };
    let mut text = timeline.render(options.extent, options.screen);
    if shown.iter().any(|&id| columns.is_input(id)) {
        text.push_str("  → inputs of the step that leaves the state\n");
    }
    if hidden > 0 {
        let (what, them) = match hidden {
            1 => ("variable that never changes", "it"),
            _ => ("variables that never change", "them"),
        };
        text.push_str(&format!("  … and {hidden} {what}; {} shows {them}\n", options.show_all));
    }
    text
}

struct Columns<'t> {
    model: &'t FlatModel,
    trace: &'t Trace,
    states: Layout<'t>,
    inputs: Layout<'t>,
}

impl Columns<'_> {
    fn is_input(&self, id: VariableId) -> bool {
        self.model.variable(id).kind == VariableKind::Input
    }

    /// The value of a variable in a state, or of an input in the step that leaves it.
    fn value(&self, id: VariableId, time: usize) -> Option<Value> {
        match self.is_input(id) {
            true => self.inputs.value(self.trace.inputs.get(time)?, id),
            false => self.states.value(self.trace.states.get(time)?, id),
        }
    }

    fn changes(&self, id: VariableId) -> bool {
        let values = if self.is_input(id) { &self.trace.inputs } else { &self.trace.states };
        (1..values.len()).any(|time| self.value(id, time) != self.value(id, 0))
    }

    /// The variables that are shown, in their order, and the number of the others.
    fn choose(&self, options: &TableOptions<'_>) -> (Vec<VariableId>, usize) {
        let mut is_shown = vec![false; self.model.variables.len()];
        let mut shown = Vec::new();
        let mut add = |id: VariableId| {
            if !std::mem::replace(&mut is_shown[id.index()], true) {
                shown.push(id);
            }
        };
        let all = || self.states.variables().iter().chain(self.inputs.variables()).copied();
        options.first.iter().copied().for_each(&mut add);
        all().filter(|&id| self.changes(id)).for_each(&mut add);
        if options.all_variables {
            all().for_each(&mut add);
        }
        let hidden = self.model.variables.len() - shown.len();
        (shown, hidden)
    }

    fn row(&self, id: VariableId) -> Row<'_> {
        let name = &self.model.variable(id).name;
        let is_input = self.is_input(id);
        let label = if is_input { format!("{name} →") } else { name.clone() };
        let cell = move |time: usize| match self.value(id, time) {
            None => Cell::Text(String::new()),
            Some(Value::Boolean(value)) => Cell::Mark(value),
            // Without a value in the last column, a blank could mean the same value or none.
            Some(value) if is_input => Cell::Text(self.model.show(value)),
            Some(value) => Cell::Value(self.model.show(value)),
        };
        Row { label, cell: Box::new(cell) }
    }
}
