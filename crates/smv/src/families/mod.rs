//! The scalable families of models of the literature.
//!
//! There is one file per family. The papers describe these systems in a few sentences and print
//! their properties, but not their models; the header of each file says what was decided where the
//! description leaves a choice. A member is a text in the language of NuSMV, with comments, and the
//! list of its properties with the expected verdicts ([`FamilyModel`]). [`MODEL_FAMILIES`] is the
//! table:
//!
//! ```
//! use kermode_smv::families::{MODEL_FAMILIES, ModelRequest, build};
//!
//! let request = ModelRequest::find(MODEL_FAMILIES, "gas", &["2..3"]).expect("a family")?;
//! for instance in request.instances() {
//!     let model = build(&instance);
//!     let violated = model.properties.iter().filter(|property| !property.holds);
//!     println!("{instance}: {} properties are violated", violated.count());
//! }
//! # Ok::<(), kermode_ltl::families::RequestError>(())
//! ```

pub mod bakery;
pub mod gas;
pub mod lcr;
pub mod philosophers;
pub mod stack;

mod layout;

use kermode_ltl::families::{Family, Instance, MemberKind, Request};

use layout::comment;

/// Members that are models.
#[derive(Clone, Copy, Debug)]
pub struct Models;

impl MemberKind for Models {
    type Build = fn(&Instance<Models>) -> FamilyModel;
}

/// A family of models.
pub type ModelFamily = Family<Models>;

/// One member of a family of models.
pub type ModelInstance = Instance<Models>;

/// A family of models with arguments.
pub type ModelRequest = Request<Models>;

/// Every family of models. A new one is a file and a line here.
pub static MODEL_FAMILIES: &[ModelFamily] =
    &[gas::FAMILY, stack::FAMILY, bakery::FAMILY, lcr::FAMILY, philosophers::FAMILY];

/// A model with its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyModel {
    /// The text, with the properties as named specifications.
    pub text: String,
    /// The properties, in the order of the text.
    pub properties: Vec<FamilyProperty>,
}

/// A property of a member of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyProperty {
    /// The name of the specification. It begins with the key of a paper if it is from there.
    pub name: String,
    /// The formula in NuSMV's syntax. It may have line breaks.
    pub formula: String,
    /// The expected verdict: whether all paths of this member satisfy the formula.
    pub holds: bool,
    /// What the formula says.
    pub meaning: String,
    /// Why it holds or fails.
    pub reason: String,
}

/// Builds a member.
pub fn build(instance: &ModelInstance) -> FamilyModel {
    (instance.family().build)(instance)
}

impl FamilyModel {
    /// Appends the properties to the text of the system.
    fn new(system: String, properties: Vec<FamilyProperty>) -> Self {
        let mut text = system;
        for property in &properties {
            let FamilyProperty { name, formula, meaning, reason, .. } = property;
            let verdict = if property.holds { "Holds" } else { "Fails" };
            text += &format!("\n{}", comment(&format!("{meaning}\n{verdict}: {reason}")));
            text += &format!("LTLSPEC NAME {name} :=\n  {formula};\n");
        }
        FamilyModel { text, properties }
    }
}

impl FamilyProperty {
    fn new(name: &str, formula: impl Into<String>, meaning: &str) -> Self {
        let [name, meaning] = [name, meaning].map(str::to_owned);
        let (formula, reason) = (formula.into(), String::new());
        FamilyProperty { name, formula, holds: true, meaning, reason }
    }

    /// The expected verdict with its reason.
    fn verdict(self, holds: bool, reason: &str) -> Self {
        FamilyProperty { holds, reason: reason.to_owned(), ..self }
    }

    fn holds(self, reason: &str) -> Self {
        self.verdict(true, reason)
    }

    fn fails(self, reason: &str) -> Self {
        self.verdict(false, reason)
    }
}
