//! Normal forms: the first four bytes make a small word, the rest is a formula in Kermode's syntax.
//! Both evaluators agree on it, and so they do on its normal forms and on what rewriting makes of
//! it.

#![no_main]

use std::convert::Infallible;

use kermode_ltl::dialect::parse;
use kermode_ltl::normal::{boolean_normal_form, expand_bounded, negation_normal_form};
use kermode_ltl::rewrite::{RuleSet, simplify};
use kermode_ltl::semantics::{self, naive, unrolled_length};
use kermode_ltl::{Dialect, Formula, Letter, Proposition, Store, Syntax, Word, WordKind};
use libfuzzer_sys::fuzz_target;

/// How many subformulas times positions the naive evaluator is asked for.
const LARGEST: usize = 2_000;

/// The word of four bytes: how long, where the loop begins if there is one, and what holds.
fn word(bytes: [u8; 4], propositions: &[Proposition]) -> Word {
    let length = 1 + usize::from(bytes[0] % 6);
    let bits = u32::from_le_bytes([bytes[2], bytes[3], bytes[2] ^ bytes[3], bytes[0]]);
    let holds = |at: usize, p: usize| bits >> ((5 * at + p) % 32) & 1 == 1;
    let letter = |at: usize| -> Letter {
        let held = propositions.iter().enumerate().filter(|&(p, _)| holds(at, p));
        held.map(|(_, &proposition)| proposition).collect()
    };
    let mut letters: Vec<Letter> = (0..length).map(letter).collect();
    match bytes[1] {
        0..=127 => Word::finite(letters),
        start => {
            let cycle = letters.split_off(usize::from(start) % length);
            Word::lasso(letters, cycle)
        }
    }
}

fn evaluate(store: &Store, formula: Formula, word: &Word) -> Option<bool> {
    let positions = unrolled_length(store, formula, word);
    if store.subformulas(formula).len().saturating_mul(positions) > LARGEST {
        return None;
    }
    let mut never = || Ok::<(), Infallible>(());
    let Ok(fast) = semantics::satisfies(store, formula, word, &mut never);
    assert_eq!(fast, naive::satisfies(store, formula, word));
    Some(fast)
}

fuzz_target!(|data: &[u8]| {
    let Some((&bytes, rest)) = data.split_first_chunk::<4>() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let mut store = Store::new();
    let words = if bytes[1] < 128 { WordKind::Finite } else { WordKind::Infinite };
    let syntax = Syntax { dialect: Dialect::Kermode, words };
    let Ok(parsed) = parse(&mut store, text, syntax) else { return };
    let formula = parsed.formula;
    let word = word(bytes, &store.propositions(formula));
    let Some(value) = evaluate(&store, formula, &word) else { return };

    let nnf = negation_normal_form(&mut store, formula, words);
    let bnf = boolean_normal_form(&mut store, formula, words);
    let expanded = expand_bounded(&mut store, formula, words, 10_000).unwrap_or(formula);
    let simplified = simplify(&mut store, formula, words, &RuleSet::all()).formula;
    let both = simplify(&mut store, nnf, words, &RuleSet::all()).formula;
    for form in [nnf, bnf, expanded, simplified, both] {
        if let Some(same) = evaluate(&store, form, &word) {
            assert_eq!(same, value);
        }
    }
});
