//! The labels of edges as texts for people: the shorter of a sum of products and a product of sums,
//! broken into lines.

use kermode_bdd::{Bdd, Cube, OutOfNodes};
use kermode_ltl::dialect::write_name;
use kermode_ltl::{Proposition, Store};

/// The largest number of products or sums of a label that is drawn.
const MOST_PARTS: usize = 24;
/// The length of lines, unless a proposition is longer.
const LINE: usize = 22;

/// A proposition or its negation, for display. Names that are not plain are quoted, so that no
/// label can be read in two ways.
pub(super) fn literal(store: &Store, proposition: Proposition, positive: bool) -> String {
    format!("{}{}", if positive { "" } else { "!" }, write_name(store, proposition))
}

/// Writes labels as texts.
pub(crate) struct LabelLines<'a> {
    pub(crate) store: &'a Store,
    /// The propositions of the variables.
    pub(crate) propositions: &'a [Proposition],
}

impl LabelLines<'_> {
    /// The lines of a label.
    pub(crate) fn of(&self, label: &Bdd) -> Vec<String> {
        if label.is_top() {
            return vec!["true".to_owned()];
        }
        let sum = small_cover(label, MOST_PARTS);
        let complement = label.not().ok().and_then(|label| small_cover(&label, MOST_PARTS));
        match (sum, complement) {
            (Some(sum), Some(complement)) if literal_count(&complement) < literal_count(&sum) => {
                self.product_of_sums(&complement)
            }
            (Some(sum), _) => self.sum_of_products(&sum),
            (None, Some(complement)) => self.product_of_sums(&complement),
            (None, None) => vec![format!("a function with {} nodes", label.node_count())],
        }
    }

    fn sum_of_products(&self, cover: &[Cube]) -> Vec<String> {
        let products = cover.iter().map(|cube| self.literals(cube, true));
        broken(&products.collect::<Vec<_>>(), "&", "|")
    }

    /// The negation of a sum of products.
    fn product_of_sums(&self, cover: &[Cube]) -> Vec<String> {
        let mut sums: Vec<Vec<String>> =
            cover.iter().map(|cube| self.literals(cube, false)).collect();
        if let [_, _, ..] = &sums[..] {
            sums.iter_mut().filter(|sum| sum.len() > 1).for_each(|sum| enclose(sum));
        }
        broken(&sums, "|", "&")
    }

    /// The literals of a cube, or their negations.
    fn literals(&self, cube: &Cube, positive: bool) -> Vec<String> {
        let literals = cube.literals().iter().map(|l| {
            literal(self.store, self.propositions[l.variable.index()], l.positive == positive)
        });
        literals.collect()
    }
}

/// Puts words into parentheses.
fn enclose(words: &mut [String]) {
    if let Some(first) = words.first_mut() {
        first.insert(0, '(');
    }
    if let Some(last) = words.last_mut() {
        last.push(')');
    }
}

fn literal_count(cover: &[Cube]) -> usize {
    cover.iter().map(|cube| cube.literals().len()).sum()
}

/// Writes parts, whose literals are joined by one operator and which are joined by another. Lines
/// are broken after operators, and where possible between parts.
pub(super) fn broken(parts: &[Vec<String>], inner: &str, outer: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for (number, part) in parts.iter().enumerate() {
        let end = if number + 1 < parts.len() { format!(" {outer}") } else { String::new() };
        let whole = part.join(&format!(" {inner} ")) + &end;
        let last = part.len().saturating_sub(1);
        let mut words = part.iter().enumerate().map(|(place, word)| match place == last {
            true => format!("{word}{end}"),
            false => format!("{word} {inner}"),
        });
        match fits(&lines, &whole) {
            true => add(&mut lines, &whole),
            false => {
                lines.extend(words.next());
                words.for_each(|word| add(&mut lines, &word));
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

fn fits(lines: &[String], words: &str) -> bool {
    lines.last().is_some_and(|line| line.chars().count() + words.chars().count() < LINE)
}

/// Adds words to the last line, or to a new one if they do not fit.
fn add(lines: &mut Vec<String>, words: &str) {
    match lines.last_mut() {
        Some(line) if line.is_empty() => line.push_str(words),
        Some(line) if line.chars().count() + words.chars().count() < LINE => {
            line.push(' ');
            line.push_str(words);
        }
        _ => lines.push(words.to_owned()),
    }
}

/// The products of an irredundant cover, if there are few and they are found soon.
pub(crate) fn small_cover(label: &Bdd, most: usize) -> Option<Vec<Cube>> {
    /// Each product takes some steps for each variable above it.
    const STEPS: usize = 200;
    let mut left = most.saturating_mul(STEPS);
    let mut patience = || {
        left = left.checked_sub(1).ok_or(OutOfNodes)?;
        Ok(())
    };
    let cover = label.irredundant_cover::<OutOfNodes>(&mut patience).ok()?;
    (cover.len() <= most).then_some(cover)
}
