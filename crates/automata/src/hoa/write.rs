//! From an automaton to its text. Marks are on states where all edges of every state agree on them.
//!
//! An edge of an alternating automaton without a target accepts every rest of the word. It leads to
//! an additional state that accepts everything: the format has no other way to express it.

use kermode_base::quoting::quote;
use kermode_bdd::{Bdd, OutOfNodes};
use kermode_ltl::{Proposition, Store, WordKind};

use super::Hoa;
use super::label_text::LabelTexts;
use crate::alternating::{AlternatingAutomaton, Location};
use crate::automaton::Automaton;
use crate::branches::{Branches, Forms, NoBranches};
use crate::emerson_lei::{Condition, EmersonLei};
use crate::structure;
use crate::tgba::{Marks, Tgba, TgbaStatistics};

/// Why an automaton has no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The format is about infinite words.
    #[error("the HOA format has no automata over finite words")]
    FiniteWords,
    /// Transitions cannot be written as edges.
    #[error(transparent)]
    NoBranches(#[from] NoBranches),
}

impl From<OutOfNodes> for Unwritable {
    fn from(error: OutOfNodes) -> Self {
        Unwritable::NoBranches(error.into())
    }
}

/// Writes an automaton whose propositions are of the store, with a name if it has one.
pub fn write(
    store: &Store,
    automaton: &Automaton,
    name: Option<&str>,
) -> Result<String, Unwritable> {
    compose(store, automaton, name, &[])
}

impl Hoa {
    /// Writes the automaton again, with its name and the header items that were kept.
    pub fn write(&self, store: &Store) -> Result<String, Unwritable> {
        compose(store, &self.automaton, self.name.as_deref(), &self.items)
    }
}

fn compose(
    store: &Store,
    automaton: &Automaton,
    name: Option<&str>,
    items: &[(String, String)],
) -> Result<String, Unwritable> {
    let mut page = match automaton {
        Automaton::Tgba(automaton) => of_tgba(automaton)?,
        Automaton::EmersonLei(automaton) => of_emerson_lei(automaton)?,
        Automaton::Alternating(automaton) => of_alternating(automaton)?,
    };
    page.items.extend(name.map(|name| format!("name: {}", quote(name))));
    page.items.extend(items.iter().map(|(name, content)| format!("{name}: {content}")));
    Ok(page.render(store, automaton.propositions()))
}

/// An automaton in the form of the text.
#[derive(Default)]
struct Page {
    items: Vec<String>,
    starts: Vec<String>,
    mark_count: usize,
    /// The condition over the marks, if not all of them are required.
    condition: Option<Condition>,
    properties: Vec<&'static str>,
    states: Vec<Lines>,
}

/// A state and its edges: label, targets and marks.
struct Lines {
    name: Option<String>,
    edges: Vec<(Bdd, String, Marks)>,
}

fn of_tgba(automaton: &Tgba) -> Result<Page, OutOfNodes> {
    let lines = |state| Lines {
        name: automaton.name(state).map(str::to_owned),
        edges: automaton
            .successors(state)
            .iter()
            .map(|t| (t.label.clone(), t.target.index().to_string(), t.marks.clone()))
            .collect(),
    };
    let shape = TgbaStatistics::of(automaton)?;
    let claims = [
        (shape.deterministic, "deterministic"),
        (shape.complete, "complete"),
        (shape.weak, "weak"),
        (shape.inherently_weak && !shape.weak, "inherently-weak"),
        (shape.very_weak, "very-weak"),
        (shape.terminal, "terminal"),
    ];
    Ok(Page {
        starts: automaton.initial().iter().map(|state| state.index().to_string()).collect(),
        mark_count: automaton.mark_count(),
        properties: claims.iter().filter(|claim| claim.0).map(|claim| claim.1).collect(),
        states: automaton.states().map(lines).collect(),
        ..Page::default()
    })
}

/// The graph with its condition. Claims about cycles depend on the condition, and are left out.
fn of_emerson_lei(automaton: &EmersonLei) -> Result<Page, OutOfNodes> {
    let mut page = of_tgba(automaton.graph())?;
    page.properties.retain(|claim| matches!(*claim, "deterministic" | "complete"));
    page.condition = Some(automaton.condition().clone());
    Ok(page)
}

fn of_alternating(automaton: &AlternatingAutomaton) -> Result<Page, Unwritable> {
    if automaton.words() == WordKind::Finite {
        return Err(Unwritable::FiniteWords);
    }
    let forms = Forms::of(automaton)?;
    let everything = automaton.location_count();
    let (marked, unmarked) = (Marks::from_iter([0]), Marks::new());
    let mut page = Page { mark_count: 1, ..Page::default() };
    page.starts = forms.get(automaton.initial()).keys().map(|s| targets(s, everything)).collect();
    for location in automaton.locations() {
        let marks = if automaton.is_accepting(location) { &marked } else { &unmarked };
        let branches: &Branches = forms.get(automaton.transition(location));
        let edge =
            |(set, label): (_, &Bdd)| (label.clone(), targets(set, everything), marks.clone());
        let name = Some(automaton.label(location).to_owned());
        page.states.push(Lines { name, edges: branches.iter().map(edge).collect() });
    }
    let universal = page.targets().any(|target| target.contains('&'));
    let everything = everything.to_string();
    if page.targets().any(|target| *target == everything) {
        let edges = vec![(forms.top(), everything, marked)];
        page.states.push(Lines { name: Some("true".to_owned()), edges });
    }
    let shape = structure::AlternatingStatistics::of(automaton);
    let claims = [(universal, "univ-branch"), (shape.weak, "weak"), (shape.very_weak, "very-weak")];
    page.properties = claims.iter().filter(|claim| claim.0).map(|claim| claim.1).collect();
    Ok(page)
}

/// A conjunction of states; of none, the state from which everything is accepted.
fn targets<'s>(set: impl IntoIterator<Item = &'s Location>, everything: usize) -> String {
    let numbers: Vec<String> = set.into_iter().map(|l| l.index().to_string()).collect();
    if numbers.is_empty() { everything.to_string() } else { numbers.join("&") }
}

impl Page {
    /// Where initial conditions and edges lead.
    fn targets(&self) -> impl Iterator<Item = &String> {
        let edges = self.states.iter().flat_map(|lines| &lines.edges);
        edges.map(|(_, target, _)| target).chain(&self.starts)
    }

    fn render(&self, store: &Store, propositions: &[Proposition]) -> String {
        let mut labels = LabelTexts::default();
        let edges = self.states.iter().flat_map(|lines| &lines.edges);
        edges.for_each(|(label, _, _)| labels.add(label));
        let agree = |lines: &Lines| lines.edges.windows(2).all(|edges| edges[0].2 == edges[1].2);
        let on_states = self.states.iter().all(agree);
        let mut text = self.header(store, propositions, on_states);
        text.append(&mut labels.aliases);
        text.push("--BODY--".to_owned());
        for (number, lines) in self.states.iter().enumerate() {
            lines.render(number, on_states, &labels, &mut text);
        }
        text.push("--END--\n".to_owned());
        text.join("\n")
    }

    fn header(&self, store: &Store, propositions: &[Proposition], on_states: bool) -> Vec<String> {
        let mut text = vec!["HOA: v1".to_owned()];
        text.extend(self.items.iter().cloned());
        text.push(format!("States: {}", self.states.len()));
        text.extend(self.starts.iter().map(|start| format!("Start: {start}")));
        let names = propositions.iter().map(|&p| format!(" {}", quote(store.name(p))));
        text.push(format!("AP: {}{}", propositions.len(), names.collect::<String>()));
        match &self.condition {
            Some(condition) => text.push(format!("Acceptance: {} {condition}", self.mark_count)),
            None => text.extend(acceptance(self.mark_count)),
        }
        let place = if on_states { "state-acc" } else { "trans-acc" };
        let written = ["trans-labels", "explicit-labels", place].into_iter();
        let properties: Vec<&str> = written.chain(self.properties.iter().copied()).collect();
        text.push(format!("properties: {}", properties.join(" ")));
        text
    }
}

impl Lines {
    fn render(&self, number: usize, on_states: bool, labels: &LabelTexts, text: &mut Vec<String>) {
        let name = self.name.as_ref().map_or(String::new(), |name| format!(" {}", quote(name)));
        let state_marks = self.edges.first().map(|(_, _, marks)| marks).filter(|_| on_states);
        let state_marks = state_marks.map_or(String::new(), sets);
        text.push(format!("State: {number}{name}{state_marks}"));
        for (label, target, marks) in &self.edges {
            let marks = if on_states { String::new() } else { sets(marks) };
            text.push(format!("[{}] {target}{marks}", labels.get(label)));
        }
    }
}

/// The acceptance sets of a state or an edge, with a blank before.
fn sets(marks: &Marks) -> String {
    let numbers: Vec<String> = marks.iter().map(|mark| mark.to_string()).collect();
    if numbers.is_empty() { String::new() } else { format!(" {{{}}}", numbers.join(" ")) }
}

fn acceptance(mark_count: usize) -> [String; 2] {
    let name = match mark_count {
        0 => "all".to_owned(),
        1 => "Buchi".to_owned(),
        _ => format!("generalized-Buchi {mark_count}"),
    };
    let sets: Vec<String> = (0..mark_count).map(|mark| format!("Inf({mark})")).collect();
    let condition = if sets.is_empty() { "t".to_owned() } else { sets.join("&") };
    [format!("acc-name: {name}"), format!("Acceptance: {mark_count} {condition}")]
}
