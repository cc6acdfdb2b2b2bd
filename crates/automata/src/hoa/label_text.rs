//! The texts of labels: sums of products. One that would have many products is written node by
//! node, with an alias for each node of its diagram.

use kermode_bdd::{Bdd, Cube};
use rustc_hash::FxHashMap;

use crate::dot::small_cover;

/// How many products a label may have.
const MOST_PRODUCTS: usize = 32;

/// The texts of labels, and the aliases that they need.
#[derive(Default)]
pub(super) struct LabelTexts {
    texts: FxHashMap<Bdd, String>,
    /// Header items, each of which needs only those before.
    pub(super) aliases: Vec<String>,
    /// The nodes that have an alias, or are constants.
    nodes: FxHashMap<Bdd, String>,
}

impl LabelTexts {
    /// Finds a text for a label.
    pub(super) fn add(&mut self, label: &Bdd) {
        if !self.texts.contains_key(label) {
            let text = match small_cover(label, MOST_PRODUCTS) {
                Some(cover) => sum(&cover),
                None => self.alias(label),
            };
            self.texts.insert(label.clone(), text);
        }
    }

    /// The text of a label that was added.
    pub(super) fn get(&self, label: &Bdd) -> &str {
        &self.texts[label]
    }

    /// The alias of a function, whose nodes get theirs before.
    fn alias(&mut self, label: &Bdd) -> String {
        let mut todo = vec![label.clone()];
        while let Some(node) = todo.pop() {
            if self.nodes.contains_key(&node) {
                continue;
            }
            let Some((variable, [low, high])) = node.decision() else {
                let constant = if node.is_top() { "t" } else { "f" };
                self.nodes.insert(node, constant.to_owned());
                continue;
            };
            let (Some(no), Some(yes)) = (self.nodes.get(&low), self.nodes.get(&high)) else {
                todo.extend([node, low, high]);
                continue;
            };
            let name = format!("@n{}", self.aliases.len());
            let number = variable.index();
            self.aliases.push(format!("Alias: {name} {number} & {yes} | !{number} & {no}"));
            self.nodes.insert(node, name);
        }
        self.nodes[label].clone()
    }
}

/// A sum of products.
fn sum(cover: &[Cube]) -> String {
    let product = |cube: &Cube| {
        let sign = |positive| if positive { "" } else { "!" };
        let literals = cube.literals().iter();
        let literals: Vec<String> =
            literals.map(|l| format!("{}{}", sign(l.positive), l.variable.index())).collect();
        if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
    };
    let products: Vec<String> = cover.iter().map(product).collect();
    if products.is_empty() { "f".to_owned() } else { products.join(" | ") }
}
