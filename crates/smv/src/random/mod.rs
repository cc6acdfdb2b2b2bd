//! Random models that are well typed, for fuzzing and for comparing parts of this crate.
//!
//! A model is drawn declaration by declaration, and its expressions by type, so that it is
//! accepted: each assignment stays in the range of its variable, failure values are masked, no
//! variable is assigned twice, and nothing is circular. [`Construct`] lists what occurs in the
//! models.
//!
//! [`random_case`] draws small models with a property, for comparing verdicts.
//!
//! A drawn model is a list of modules with items. Items can be left out one by one, which shrinks a
//! model that shows a mistake: [`RandomModel::without`].

mod boolean;
mod case;
mod construct;
mod declarations;
mod generator;
mod instances;
mod integer;
mod parameters;
mod properties;
mod scope;
mod sections;
mod values;
mod word;

use std::collections::BTreeSet;

use kermode_base::Rng;

pub use case::{LeftOut, RandomCase, RandomProperty, random_case};
pub use construct::Construct;

/// The size of random models.
#[derive(Clone, Debug)]
pub struct ModelShape {
    /// The most bits of state variables, about: the last declaration may exceed it.
    pub bits: usize,
    /// The most input variables of `main`.
    pub inputs: usize,
    /// The depth of expressions.
    pub depth: usize,
    /// The most specifications of `main`.
    pub properties: usize,
}

impl Default for ModelShape {
    fn default() -> Self {
        ModelShape { bits: 14, inputs: 2, depth: 3, properties: 5 }
    }
}

/// An element of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomItem {
    /// The keyword of the section, such as `VAR`; empty for comments and line directives.
    pub section: &'static str,
    /// The element, with its semicolon.
    pub text: String,
    /// What it uses.
    pub constructs: BTreeSet<Construct>,
}

/// A module of a random model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomModule {
    /// The line `MODULE name(parameters)`.
    pub header: String,
    /// Its items, in their order.
    pub items: Vec<RandomItem>,
}

/// A random model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomModel {
    /// The modules, in their order.
    pub modules: Vec<RandomModule>,
    /// Whether lines end with carriage return and line feed.
    pub carriage_returns: bool,
}

/// Draws a model. It depends on the state of the random numbers and on the shape alone.
pub fn random_model(rng: &mut Rng, shape: &ModelShape) -> RandomModel {
    generator::Generator::new(rng, shape).model()
}

/// Sections whose elements share one keyword.
const LISTS: [&str; 6] = ["VAR", "IVAR", "FROZENVAR", "DEFINE", "MDEFINE", "ASSIGN"];

impl RandomModel {
    /// The text of the model.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for module in &self.modules {
            text += &module.header;
            text.push('\n');
            let mut section = "";
            for item in &module.items {
                if item.section.is_empty() {
                    text += &item.text;
                } else if !LISTS.contains(&item.section) {
                    text += item.section;
                    text.push(' ');
                    text += &item.text;
                } else {
                    if item.section != section {
                        text += item.section;
                        text.push('\n');
                    }
                    text += "  ";
                    text += &item.text;
                }
                section = item.section;
                text.push('\n');
            }
            text.push('\n');
        }
        if self.carriage_returns { text.replace('\n', "\r\n") } else { text }
    }

    /// The constructs of all items.
    pub fn constructs(&self) -> BTreeSet<Construct> {
        let mut constructs = BTreeSet::new();
        for item in self.modules.iter().flat_map(|module| &module.items) {
            constructs.extend(&item.constructs);
        }
        if self.carriage_returns {
            constructs.insert(Construct::CarriageReturn);
        }
        constructs
    }

    /// The model with only these items.
    pub fn retain(&self, keep: impl Fn(&RandomItem) -> bool) -> RandomModel {
        let mut model = self.clone();
        model.modules.iter_mut().for_each(|module| module.items.retain(&keep));
        model
    }

    /// The number of parts that [`RandomModel::without`] can leave out.
    pub fn parts(&self) -> usize {
        self.modules.iter().map(|module| module.items.len() + 1).sum()
    }

    /// The model without one part: a module with all its items, or a single item. Parts are
    /// numbered in the order of the text, each module before its items. The result may be refused
    /// by readers.
    ///
    /// # Panics
    /// When there is no part with this number.
    pub fn without(&self, part: usize) -> RandomModel {
        let mut rest = part;
        for (place, module) in self.modules.iter().enumerate() {
            let mut model = self.clone();
            if rest == 0 {
                model.modules.remove(place);
                return model;
            }
            rest -= 1;
            if rest < module.items.len() {
                model.modules[place].items.remove(rest);
                return model;
            }
            rest -= module.items.len();
        }
        panic!("no part has the number {part}");
    }
}
