//! Automata with `Fin`, against a judge that knows nothing but the definition: a word is accepted
//! if the product with it has a strongly connected part that visits exactly the sets of some
//! solution of the condition.

use std::collections::BTreeSet;
use std::convert::Infallible;

use kermode_automata::emerson_lei::{TooManyRegions, to_generalised};
use kermode_automata::hoa::{read, write};
use kermode_automata::tgba::{Tgba, Uncomplemented};
use kermode_automata::{Automaton, tgba};
use kermode_base::Rng;
use kermode_ltl::{Letter, Store, Word, WordKind};

mod lassos;
use lassos::all_words;

/// A condition as the test understands it.
#[derive(Clone, Debug)]
enum Rule {
    Constant(bool),
    Inf(usize, bool),
    Fin(usize, bool),
    And(Box<Rule>, Box<Rule>),
    Or(Box<Rule>, Box<Rule>),
}

impl Rule {
    fn holds(&self, visited: &BTreeSet<usize>, missed: &BTreeSet<usize>) -> bool {
        let infinitely = |set: usize, complement: bool| match complement {
            true => missed.contains(&set),
            false => visited.contains(&set),
        };
        match self {
            Rule::Constant(value) => *value,
            Rule::Inf(set, complement) => infinitely(*set, *complement),
            Rule::Fin(set, complement) => !infinitely(*set, *complement),
            Rule::And(a, b) => a.holds(visited, missed) && b.holds(visited, missed),
            Rule::Or(a, b) => a.holds(visited, missed) || b.holds(visited, missed),
        }
    }

    fn text(&self) -> String {
        let sign = |complement: &bool| if *complement { "!" } else { "" };
        match self {
            Rule::Constant(value) => (if *value { "t" } else { "f" }).to_owned(),
            Rule::Inf(set, complement) => format!("Inf({}{set})", sign(complement)),
            Rule::Fin(set, complement) => format!("Fin({}{set})", sign(complement)),
            Rule::And(a, b) => format!("({} & {})", a.text(), b.text()),
            Rule::Or(a, b) => format!("({} | {})", a.text(), b.text()),
        }
    }

    fn draw(rng: &mut Rng, sets: usize, leaves: usize) -> Rule {
        if leaves == 1 {
            let (set, complement) = (rng.below(sets), rng.below(6) == 0);
            return match rng.below(12) {
                0 => Rule::Constant(rng.coin()),
                1..=5 => Rule::Inf(set, complement),
                _ => Rule::Fin(set, complement),
            };
        }
        let left = rng.between(1, leaves - 1);
        let (a, b) = (Rule::draw(rng, sets, left), Rule::draw(rng, sets, leaves - left));
        match rng.coin() {
            true => Rule::And(Box::new(a), Box::new(b)),
            false => Rule::Or(Box::new(a), Box::new(b)),
        }
    }
}

fn inf(set: usize) -> Rule {
    Rule::Inf(set, false)
}

fn fin(set: usize) -> Rule {
    Rule::Fin(set, false)
}

fn and(a: Rule, b: Rule) -> Rule {
    Rule::And(Box::new(a), Box::new(b))
}

fn or(a: Rule, b: Rule) -> Rule {
    Rule::Or(Box::new(a), Box::new(b))
}

/// The named conditions, written as the description of the format has them.
fn named() -> Vec<(&'static str, usize, Rule)> {
    let rabin = |pair: usize| and(fin(2 * pair), inf(2 * pair + 1));
    let streett = |pair: usize| or(fin(2 * pair), inf(2 * pair + 1));
    vec![
        ("none", 0, Rule::Constant(false)),
        ("all", 0, Rule::Constant(true)),
        ("Buchi", 1, inf(0)),
        ("co-Buchi", 1, fin(0)),
        ("generalized-Buchi 2", 2, and(inf(0), inf(1))),
        ("generalized-co-Buchi 2", 2, or(fin(0), fin(1))),
        ("Rabin 1", 2, rabin(0)),
        ("Rabin 2", 4, or(rabin(0), rabin(1))),
        ("Rabin 3", 6, or(or(rabin(0), rabin(1)), rabin(2))),
        ("Streett 1", 2, streett(0)),
        ("Streett 2", 4, and(streett(0), streett(1))),
        ("Streett 3", 6, and(and(streett(0), streett(1)), streett(2))),
        (
            "generalized-Rabin 2 3 2",
            7,
            or(and(and(fin(0), inf(1)), and(inf(2), inf(3))), and(fin(4), and(inf(5), inf(6)))),
        ),
        ("parity min odd 4", 4, and(fin(0), or(inf(1), and(fin(2), inf(3))))),
        ("parity min even 4", 4, or(inf(0), and(fin(1), or(inf(2), fin(3))))),
        ("parity max odd 4", 4, or(inf(3), and(fin(2), or(inf(1), fin(0))))),
        ("parity max even 4", 4, and(fin(3), or(inf(2), and(fin(1), inf(0))))),
        ("parity max even 3", 3, or(inf(2), and(fin(1), inf(0)))),
        ("parity max odd 3", 3, and(fin(2), or(inf(1), fin(0)))),
        ("parity min even 3", 3, or(inf(0), and(fin(1), inf(2)))),
        ("parity min odd 3", 3, and(fin(0), or(inf(1), fin(2)))),
    ]
}

/// An automaton over one proposition `a`.
#[derive(Debug)]
struct Sample {
    states: usize,
    starts: Vec<usize>,
    sets: usize,
    rule: Rule,
    name: Option<&'static str>,
    /// Whether sets are on states.
    on_states: bool,
    /// Source, letters (bit 0 without `a`, bit 1 with it), target, sets.
    edges: Vec<(usize, u8, usize, BTreeSet<usize>)>,
}

impl Sample {
    fn draw(rng: &mut Rng, sets: usize, rule: Rule, name: Option<&'static str>) -> Sample {
        let (states, on_states) = (rng.between(1, 4), rng.coin());
        let draw_sets =
            |rng: &mut Rng| (0..sets).filter(|_| rng.below(3) == 0).collect::<BTreeSet<usize>>();
        let of_states: Vec<BTreeSet<usize>> = (0..states).map(|_| draw_sets(rng)).collect();
        let mut edges = Vec::new();
        for (source, marks) in of_states.iter().enumerate() {
            for _ in 0..rng.between(0, 3) {
                let marks = if on_states { marks.clone() } else { draw_sets(rng) };
                edges.push((source, rng.between(1, 3) as u8, rng.below(states), marks));
            }
        }
        let starts = if rng.below(4) == 0 { vec![0, states - 1] } else { vec![0] };
        Sample { states, starts, sets, rule, name, on_states, edges }
    }

    fn text(&self) -> String {
        let mut text = format!("HOA: v1\nStates: {}\n", self.states);
        self.starts.iter().for_each(|start| text.push_str(&format!("Start: {start}\n")));
        self.name.iter().for_each(|name| text.push_str(&format!("acc-name: {name}\n")));
        let (sets, rule) = (self.sets, self.rule.text());
        text.push_str(&format!("AP: 1 \"a\"\nAcceptance: {sets} {rule}\n--BODY--\n"));
        let braces = |marks: &BTreeSet<usize>| {
            let marks: Vec<String> = marks.iter().map(usize::to_string).collect();
            format!("{{{}}}", marks.join(" "))
        };
        for state in 0..self.states {
            let leaving = self.edges.iter().filter(|edge| edge.0 == state);
            let marks = leaving.clone().next().filter(|_| self.on_states);
            let marks = marks.map_or(String::new(), |edge| braces(&edge.3));
            text.push_str(&format!("State: {state} {marks}\n"));
            for (_, letters, target, sets) in leaving {
                let label = ["f", "!0", "0", "t"][usize::from(*letters)];
                let marks = if self.on_states { String::new() } else { braces(sets) };
                text.push_str(&format!("[{label}] {target} {marks}\n"));
            }
        }
        text + "--END--\n"
    }

    /// The definition: for every set of edges of the automaton that could be those visited for
    /// ever, is there a strongly connected part of the product that visits exactly these?
    fn accepts(&self, word: &Word) -> bool {
        let letters: Vec<u8> =
            word.letters().iter().map(|l| if l.iter().next().is_some() { 2 } else { 1 }).collect();
        let start = letters.len() - word.cycle().len();
        let positions = letters.len();
        let next = |position: usize| if position + 1 < positions { position + 1 } else { start };
        let nodes = self.states * positions;
        let mut steps: Vec<(usize, usize, usize)> = Vec::new();
        for (number, (source, label, target, _)) in self.edges.iter().enumerate() {
            for (position, letter) in letters.iter().enumerate() {
                if label & letter != 0 {
                    let node = source * positions + position;
                    steps.push((node, target * positions + next(position), number));
                }
            }
        }
        let mut reached: BTreeSet<usize> = self.starts.iter().map(|s| s * positions).collect();
        for _ in 0..nodes {
            let more: Vec<usize> =
                steps.iter().filter(|s| reached.contains(&s.0)).map(|s| s.1).collect();
            reached.extend(more);
        }
        steps.retain(|step| reached.contains(&step.0));
        (1..1usize << self.edges.len()).any(|edges| self.visits_exactly(edges, &steps, nodes))
    }

    fn visits_exactly(&self, edges: usize, steps: &[(usize, usize, usize)], nodes: usize) -> bool {
        let chosen = || (0..self.edges.len()).filter(move |edge| edges >> edge & 1 == 1);
        let visited = chosen().flat_map(|edge| self.edges[edge].3.iter().copied()).collect();
        let misses = |set: &usize| chosen().any(|edge| !self.edges[edge].3.contains(set));
        let missed = (0..self.sets).filter(misses).collect();
        if !self.rule.holds(&visited, &missed) {
            return false;
        }
        let inside: Vec<_> = steps.iter().filter(|step| edges >> step.2 & 1 == 1).collect();
        // Which node reaches which, by paths through more and more nodes.
        let mut reach = vec![vec![false; nodes]; nodes];
        inside.iter().for_each(|step| reach[step.0][step.1] = true);
        for middle in 0..nodes {
            for from in 0..nodes {
                if reach[from][middle] {
                    let through = reach[middle].clone();
                    reach[from].iter_mut().zip(through).for_each(|(to, more)| *to |= more);
                }
            }
        }
        (0..nodes).filter(|&node| reach[node][node]).any(|node| {
            let together = |other: usize| reach[node][other] && reach[other][node];
            let taken: BTreeSet<usize> = inside
                .iter()
                .filter(|step| together(step.0) && together(step.1))
                .map(|step| step.2)
                .collect();
            chosen().all(|edge| taken.contains(&edge))
        })
    }
}

fn go_on() -> Result<(), Infallible> {
    Ok(())
}

fn copying() -> Result<(), TooManyRegions> {
    Ok(())
}

/// Compares what is read from the text with the judge; returns the numbers of accepted words and of
/// states.
fn compare(sample: &Sample, most: u32) -> (usize, usize) {
    let text = sample.text();
    let mut store = Store::new();
    let a = store.proposition("a");
    let mut automata = read(&mut store, &text);
    let hoa = automata.remove(0).unwrap_or_else(|errors| panic!("{errors:?} in {text}"));
    assert_eq!(hoa.warnings, [], "{text}");
    let written = write(&store, &hoa.automaton, None).expect("it is small");
    let again = read(&mut store, &written).remove(0).expect("what is written is read");
    assert_eq!(again.warnings, [], "{written}");
    let generalised = hoa.automaton.generalised(&mut copying).expect("few copies");
    let generalised = generalised.expect("no alternation");
    let mut accepted = 0;
    for word in all_words(&[a], WordKind::Infinite, most) {
        let expected = sample.accepts(&word);
        accepted += usize::from(expected);
        let Ok(found) = hoa.automaton.accepts(&word, &mut go_on);
        assert_eq!(found, expected, "membership: {word:?} {text}");
        let Ok(found) = again.automaton.accepts(&word, &mut go_on);
        assert_eq!(found, expected, "written: {word:?} {text} {written}");
        let Ok(found) = tgba::accepts(generalised, &word, &mut go_on);
        assert_eq!(found, expected, "converted: {word:?} {text}");
    }
    (accepted, generalised.state_count())
}

fn campaign(seed: u64, rounds: usize, most: u32) {
    let mut rng = Rng::new(seed);
    let (mut accepting, mut copied) = (0, 0);
    let names = named();
    for round in 0..rounds {
        let (sets, rule, name) = match round % 2 {
            0 => {
                let (name, sets, rule) = names[round / 2 % names.len()].clone();
                (sets, rule, Some(name))
            }
            _ => {
                let (sets, leaves) = (rng.between(1, 4), rng.between(1, 7));
                (sets, Rule::draw(&mut rng, sets, leaves), None)
            }
        };
        let sample = Sample::draw(&mut rng, sets, rule, name);
        if sample.edges.len() > 7 {
            continue;
        }
        let (accepted, states) = compare(&sample, most);
        accepting += usize::from(accepted > 0);
        copied += usize::from(states > sample.states);
    }
    // The comparison means something: many automata accept words, and copies are needed.
    assert!(accepting > rounds / 6 && copied > rounds / 100, "{accepting} {copied} of {rounds}");
}

#[test]
fn every_condition_against_the_definition() {
    campaign(1987, 240, 4);
}

#[test]
#[ignore = "takes minutes"]
fn every_condition_against_the_definition_at_length() {
    campaign(1988, 2_000, 6);
}

/// An automaton with one state and one edge per letter and choice of some sets.
fn free_choice(condition: &str, sets: usize) -> String {
    let mut text = format!(
        "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: {sets} {condition}\n--BODY--\nState: 0\n"
    );
    for set in 0..sets {
        text.push_str(&format!("[t] 0 {{{set}}}\n"));
    }
    text + "--END--\n"
}

fn converted(text: &str) -> Automaton {
    read(&mut Store::new(), text).remove(0).expect("an automaton").automaton
}

#[test]
fn copies_are_few() {
    let pairs = |n: usize, sign: &str, between: &str| {
        let pair = |pair: usize| format!("(Fin({}) {sign} Inf({}))", 2 * pair, 2 * pair + 1);
        (0..n).map(pair).collect::<Vec<_>>().join(between)
    };
    // One copy per Rabin pair, and one state for all of them after the reduction.
    let Automaton::EmersonLei(rabin) = converted(&free_choice(&pairs(8, "&", " | "), 16)) else {
        panic!("it has `Fin`")
    };
    let all = to_generalised(rabin.graph(), rabin.condition(), &mut copying);
    assert_eq!(all.expect("few copies").state_count(), 9);
    // Components in which a Streett pair has one half only need no copies for it.
    let condition = pairs(12, "|", " & ");
    let mut text =
        format!("HOA: v1\nStates: 12\nStart: 0\nAP: 0\nAcceptance: 24 {condition}\n--BODY--\n");
    for state in 0..12 {
        let next = (state + 1).min(11);
        text.push_str(&format!("State: {state}\n[t] {state} {{{}}}\n[t] {next}\n", 2 * state + 1));
    }
    let Automaton::EmersonLei(streett) = converted(&(text + "--END--\n")) else {
        panic!("it has `Fin`")
    };
    let few = streett.generalised(&mut copying).expect("few copies");
    assert!(few.state_count() <= 12);
}

#[test]
fn too_many_copies_are_refused() {
    let pair = |pair: usize| format!("(Fin({}) | Inf({}))", 2 * pair, 2 * pair + 1);
    let condition = (0..18).map(pair).collect::<Vec<_>>().join(" & ");
    let Automaton::EmersonLei(streett) = converted(&free_choice(&condition, 36)) else {
        panic!("it has `Fin`")
    };
    let refused = streett.generalised(&mut copying).map(Tgba::state_count);
    assert_eq!(refused, Err(TooManyRegions));
    // Membership needs no copies: the run takes all edges again and again.
    let word = Word::lasso(Vec::new(), vec![Letter::default()]);
    let Ok(accepted) = streett.accepts(&word, &mut go_on);
    assert!(accepted);
}

/// The complement of a deterministic Streett automaton is a Rabin automaton: few copies.
#[test]
fn a_deterministic_graph_is_complemented_without_copies_for_its_own_condition() {
    let pair = |pair: usize| format!("(Fin({}) | Inf({}))", 2 * pair, 2 * pair + 1);
    let condition = (0..18).map(pair).collect::<Vec<_>>().join(" & ");
    let mut text = format!(
        "HOA: v1\nStates: 1\nStart: 0\nAP: 6 \"a\" \"b\" \"c\" \"d\" \"e\" \"f\"\n\
         Acceptance: 36 {condition}\n--BODY--\nState: 0\n"
    );
    for letter in 0..64 {
        let bit = |bit: usize| format!("{}{bit}", if letter >> bit & 1 == 1 { "" } else { "!" });
        let label = (0..6).map(bit).collect::<Vec<_>>().join("&");
        text.push_str(&format!("[{label}] 0 {{{}}}\n", letter % 36));
    }
    let streett = converted(&(text + "--END--\n"));
    assert_eq!(streett.generalised(&mut copying).map(|_| ()), Err(TooManyRegions));
    let complement = streett.tgba_complement(&mut || Ok::<(), Uncomplemented>(()));
    assert!(complement.expect("few copies").state_count() <= 20);
}

/// The regions of a Rabin condition on one state have almost all of its loops.
#[test]
fn copies_with_too_many_transitions_are_refused() {
    let pair = |pair: usize| format!("(Fin({}) & Inf({}))", 2 * pair, 2 * pair + 1);
    let of_pairs = |pairs: usize| {
        let condition = (0..pairs).map(pair).collect::<Vec<_>>().join(" | ");
        let automaton = converted(&free_choice(&condition, 2 * pairs));
        automaton.generalised(&mut copying).map(|_| ())
    };
    assert_eq!(of_pairs(100), Ok(()));
    assert_eq!(of_pairs(1_000), Err(TooManyRegions), "two million transitions");
}
