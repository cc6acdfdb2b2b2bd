//! Identifiers of SMV for arbitrary names: letters, digits and a few signs, no reserved words, no
//! duplicates.
//!
//! A name that is an identifier is kept, and such names choose first. In other names each foreign
//! character becomes an underscore, and a number at the end makes duplicates different.

use kermode_ltl::Dialect;
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest length of a generated identifier.
const LENGTH: usize = 60;

/// The identifiers of names, in their order.
pub(super) fn identifiers(names: &[&str]) -> Vec<String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut found: Vec<Option<String>> = Vec::with_capacity(names.len());
    for &name in names {
        let is_kept = is_identifier(name) && taken.insert(name.to_owned());
        found.push(is_kept.then(|| name.to_owned()));
    }
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let names = names.iter().zip(found);
    names
        .map(|(name, kept)| kept.unwrap_or_else(|| fresh(name, &mut taken, &mut numbers)))
        .collect()
}

/// Whether a name is an identifier without the signs for modules and arrays, which formulas may
/// have and declarations may not.
fn is_identifier(name: &str) -> bool {
    !name.contains(['.', '[']) && Dialect::Nusmv.is_plain_name(name)
}

/// An unused identifier. `numbers` has the last number that was tried after a stem.
fn fresh(
    name: &str,
    taken: &mut FxHashSet<String>,
    numbers: &mut FxHashMap<String, usize>,
) -> String {
    let stem = stem(name);
    if is_identifier(&stem) && taken.insert(stem.clone()) {
        return stem;
    }
    let number = numbers.entry(stem.clone()).or_insert(1);
    loop {
        *number += 1;
        let identifier = format!("{stem}_{number}");
        if taken.insert(identifier.clone()) {
            return identifier;
        }
    }
}

/// The name without foreign characters.
fn stem(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let stem: String = name.chars().take(LENGTH).map(plain).collect();
    match stem.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        true => stem,
        false => format!("_{stem}"),
    }
}

#[cfg(test)]
mod tests {
    use super::identifiers;

    #[test]
    fn names_become_different_identifiers() {
        let names = ["a b", "a_b", "a.b", "a_b_2", "next", "X", "1", "", "é", "a_b"];
        let found = identifiers(&names);
        let expected =
            ["a_b_3", "a_b", "a_b_4", "a_b_2", "next_2", "X_2", "_1", "_", "__2", "a_b_5"];
        assert_eq!(found, expected);
    }
}
