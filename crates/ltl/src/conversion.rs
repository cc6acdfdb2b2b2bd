//! From a formula to its text in another dialect or in a normal form.
//!
//! A [`Conversion`] is data: which operators are expanded, which normal form is wanted, which rules
//! simplify. The steps are always executed in the order of its fields, since each preserves the
//! results of those before it.

use crate::dialect::{EXPANSION_LIMIT, Syntax, Unconvertible, convert};
use crate::eliminate::eliminate_past;
use crate::normal::{boolean_normal_form, expand_bounded, negation_normal_form};
use crate::rewrite::{RULES, RuleSet, simplify};
use crate::store::{Formula, Store};

/// The steps before a formula is written; by default none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// Expands bounded operators with next and yesterday.
    pub expand_bounded: bool,
    /// Replaces past operators by fresh propositions that store their values; the store must not
    /// have them yet. The result is satisfiable iff the formula is; its words have more
    /// propositions.
    pub expand_past: bool,
    /// Puts negations before propositions only.
    pub negation_normal_form: bool,
    /// Simplifies by these rules, all of which preserve the language.
    pub simplify: Option<RuleSet>,
    /// Uses the operators `!`, `|`, `X`, `U` and `F` only.
    pub boolean_normal_form: bool,
}

/// The result of a conversion.
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
