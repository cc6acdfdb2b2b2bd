//! From a formula to its text in another dialect or in a normal form.
//!
//! A [`Conversion`] is data: which operators are written out, which normal form is wanted, which
//! rules simplify. Its steps are always taken in the order of its fields, since each keeps what the
//! ones before it have reached.

use crate::dialect::{EXPANSION_LIMIT, Syntax, Unconvertible, convert};
use crate::eliminate::eliminate_past;
use crate::normal::{boolean_normal_form, expand_bounded, negation_normal_form};
use crate::rewrite::{RULES, RuleSet, simplify};
use crate::store::{Formula, Store};

/// What is done to a formula before it is written; by default nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// Bounded operators are written out by next and yesterday.
    pub expand_bounded: bool,
    /// Past operators are replaced by propositions that remember, which the store must not have
    /// yet. The result is satisfiable just when the formula is; its words have more propositions.
    pub expand_past: bool,
    /// Negations stand before propositions alone.
    pub negation_normal_form: bool,
    /// The formula is simplified by these rules, all of which keep its language.
    pub simplify: Option<RuleSet>,
    /// The operators are `!`, `|`, `X`, `U` and `F` alone.
    pub boolean_normal_form: bool,
}

/// What became of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The formula that is written.
    pub formula: Formula,
    /// Its text.
    pub text: String,
    /// The names of the rules that fired, and how often each did.
    pub fired: Vec<(&'static str, u64)>,
}

impl Conversion {
    /// Converts a formula over the words of a syntax, and writes it in the dialect of that.
    pub fn apply(
        &self,
        store: &mut Store,
        formula: Formula,
        to: Syntax,
    ) -> Result<Converted, Unconvertible> {
        let (mut formula, words) = (formula, to.words);
        let mut fired = Vec::new();
        if self.expand_bounded {
            formula = expand_bounded(store, formula, words, EXPANSION_LIMIT)?;
        }
        if self.expand_past {
            formula = eliminate_past(store, formula, words, EXPANSION_LIMIT)?.formula;
        }
        if self.negation_normal_form {
            formula = negation_normal_form(store, formula, words);
        }
        if let Some(rules) = &self.simplify {
            let simplified = simplify(store, formula, words, rules);
            formula = simplified.formula;
            let counts = RULES.iter().zip(simplified.fired).filter(|(_, count)| *count > 0);
            fired = counts.map(|(rule, count)| (rule.name, count)).collect();
        }
        if self.boolean_normal_form {
            formula = boolean_normal_form(store, formula, words);
        }
        let (formula, text) = convert(store, formula, to)?;
        Ok(Converted { formula, text, fired })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Dialect, parse};

    fn converted(conversion: &Conversion, text: &str, to: Dialect) -> Converted {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
        conversion.apply(&mut store, formula, to.into()).expect("a conversion")
    }

    #[test]
    fn each_step_does_what_it_says() {
        let plain = Conversion::default();
        let written =
            |conversion: Conversion, text| converted(&conversion, text, Dialect::Kermode).text;
        assert_eq!(converted(&plain, "G(a W b)", Dialect::Spin).text, "[](b V (a || b))");
        let nnf = Conversion { negation_normal_form: true, ..plain.clone() };
        assert_eq!(written(nnf, "!(a U X b)"), "!a R X !b");
        let bnf = Conversion { boolean_normal_form: true, ..plain.clone() };
        assert_eq!(written(bnf, "G a"), "!F !a");
        let unbounded = Conversion { expand_bounded: true, ..plain.clone() };
        assert_eq!(written(unbounded, "F[0,1] a"), "a | X a");
        let future = Conversion { expand_past: true, ..plain.clone() };
        assert!(!written(future, "O a").contains("O"));
        let simplify = Conversion { simplify: Some(RuleSet::all()), ..plain };
        let simplified = converted(&simplify, "F F a", Dialect::Kermode);
        assert_eq!(simplified.text, "F a");
        assert!(
            simplified.fired.iter().all(|(_, count)| *count > 0) && !simplified.fired.is_empty()
        );
    }

    #[test]
    fn limits_are_told_from_what_cannot_be_said() {
        let mut store = Store::new();
        let mut refused = |text: &str, conversion: &Conversion| {
            let parsed = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula");
            let to = Dialect::Spin.into();
            conversion.apply(&mut store, parsed.formula, to).expect_err(text).is_limit()
        };
        let unbounded = Conversion { expand_bounded: true, ..Conversion::default() };
        assert!(refused("F[0,4000000000] a", &unbounded));
        assert!(refused("F[0,4000000000] a", &Conversion::default()));
        assert!(!refused("O a", &Conversion::default()));
    }
}
