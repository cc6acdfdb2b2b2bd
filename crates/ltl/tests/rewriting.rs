//! Rewriting keeps the language: judged by the semantics on random words, and by the tableau on all
//! small formulas; no rule adds distinct subformulas; every rule fires.

use kermode_base::Rng;
use kermode_ltl::dialect::{Dialect, parse, write};
use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::random::{Operators, RandomFormula, all_formulas, random_word};
use kermode_ltl::reference::tableau;
use kermode_ltl::rewrite::{
    Keeps, RULES, Rule, RuleSet, SPREADING, Soundness, simplify, spread, suspend,
};
use kermode_ltl::{
    BinaryOp, Formula, Measure, Node, Proposition, Store, UnaryOp, WordKind, semantics,
};

const KINDS: [WordKind; 2] = [WordKind::Infinite, WordKind::Finite];

fn read(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Dialect::Kermode.into()).expect("a formula").formula
}

fn show(store: &Store, formula: Formula) -> String {
    write(store, formula, Dialect::Kermode.into()).expect("Kermode writes all")
}

fn propositions(store: &mut Store) -> Vec<Proposition> {
    ["a", "b"].iter().map(|name| store.proposition(name)).collect()
}

/// A word on which two formulas differ, among random ones.
#[track_caller]
fn agree_on_random_words(
    store: &Store,
    [before, after]: [Formula; 2],
    words: WordKind,
    rng: &mut Rng,
    count: usize,
) {
    let mut propositions = store.propositions(before);
    propositions.extend(store.propositions(after));
    for _ in 0..count {
        let word = random_word(rng, &propositions, words, 4, 4);
        let [first, second] = [before, after].map(|f| semantics::holds(store, f, &word));
        let (before, after) = (show(store, before), show(store, after));
        assert_eq!(first, second, "{before} became {after}: {words:?}, {word:?}");
    }
}

#[track_caller]
fn never_grows(store: &Store, before: Formula, after: Formula) {
    let [from, to] = [before, after].map(|f| Measure::of(store, f).distinct);
    assert!(to <= from, "{} ({from}) became {} ({to})", show(store, before), show(store, after));
}

#[test]
fn examples_are_true() {
    for rule in RULES.iter().filter(|rule| rule.keeps == Keeps::Language) {
        let mut store = Store::new();
        let (before, after) = rule.example;
        let before = read(&mut store, before);
        let after = read(&mut store, after);
        let helpers = ["constants", "chain-constants"];
        let rules = RuleSet::named(helpers.into_iter().chain([rule.name])).expect("known rules");
        let simplified = simplify(&mut store, before, WordKind::Infinite, &rules);
        assert_eq!(show(&store, simplified.formula), show(&store, after), "{}", rule.name);
        let position = RULES.iter().position(|r| r.name == rule.name).expect("in the table");
        assert!(simplified.fired[position] > 0, "{} does not fire in its example", rule.name);
        let without = simplify(&mut store, before, WordKind::Infinite, &RuleSet::none());
        assert_eq!(without.formula, before);
    }
}

/// Each rule alone, and all together, on random formulas and words of each kind it claims.
#[test]
fn every_rule_keeps_the_language_on_random_words() {
    let mut rng = Rng::new(1995);
    let sets = RULES.iter().map(|rule| vec![rule.name]);
    let all = RULES.iter().map(|rule| rule.name).collect();
    for names in sets.chain([all]) {
        let rules = RuleSet::named(names.iter().copied()).expect("known rules");
        for words in KINDS {
            for round in 0..1500 {
                let mut store = Store::new();
                let propositions = propositions(&mut store);
                let operators = Operators::future().with_weak_next().with_constants();
                let operators = if round % 2 == 0 { operators } else { operators.with_past() };
                let operators = if round % 3 == 0 { operators } else { operators.with_bounds(5) };
                let random = RandomFormula { size: 2 + round % 14, propositions, operators };
                let before = random.draw(&mut store, &mut rng);
                let after = simplify(&mut store, before, words, &rules).formula;
                never_grows(&store, before, after);
                if before != after {
                    agree_on_random_words(&store, [before, after], words, &mut rng, 12);
                }
            }
        }
    }
}

/// All formulas of some exhaustive sets: simplified ones are equivalent at every position, judged
/// by the tableau on the difference, never larger, and every rule fires somewhere or in its
/// example.
#[test]
fn all_small_formulas_keep_their_language() {
    use BinaryOp::{And, Or, Release, Since, Triggered, Until};
    use UnaryOp::{
        Finally, Globally, Historically, Next, Not, Once, WeakNext, WeakYesterday, Yesterday,
    };
    let mut fired = vec![0; RULES.len()];
    for words in KINDS {
        for (unary, binary, size) in [
            (&[Not, Next][..], &[And, Until][..], 7),
            (&[Not, Next, Finally, Globally], &[And, Or, Until, Release], 6),
            (&[Next, WeakNext, Yesterday, WeakYesterday, Once], &[Or, Since], 5),
            (&[Not, Finally, Globally, Once, Historically], &[And, Since, Triggered], 5),
        ] {
            let mut store = Store::new();
            let propositions = propositions(&mut store);
            let formulas = all_formulas(&mut store, &propositions, unary, binary, size);
            for (index, before) in formulas.into_iter().flatten().enumerate() {
                let simplified = simplify(&mut store, before, words, &RuleSet::all());
                let after = simplified.formula;
                never_grows(&store, before, after);
                fired.iter_mut().zip(&simplified.fired).for_each(|(sum, more)| *sum += more);
                if before == after {
                    continue;
                }
                let difference = store.intern(Node::Binary(BinaryOp::Xor, before, after));
                let anywhere = store.intern(Node::Unary(Finally, difference));
                let mut never = || Ok::<(), ()>(());
                let word = tableau(&store, anywhere, words, &mut never).expect("small enough");
                assert!(
                    word.is_none(),
                    "{}: {} became {}",
                    index,
                    show(&store, before),
                    show(&store, after)
                );
            }
        }
    }
    // What needs more operators or propositions than these sets have fires in its example.
    // Rules for bounded operators have tests of their own.
    let silent =
        RULES.iter().zip(fired).filter(|(_, fired)| *fired == 0).map(|(rule, _)| rule.name);
    let silent = silent.filter(|name| !name.starts_with("bounded-"));
    let expected = [
        "merge-suspendable",
        "merge-binary",
        "beginning",
        "pure-literals",
        "definitions",
        "split",
        "segments",
    ];
    assert_eq!(silent.collect::<Vec<_>>(), expected);
}

#[test]
fn a_rule_for_infinite_words_is_left_out_on_finite_ones() {
    let mut store = Store::new();
    let infinite = |rule: &&Rule| rule.soundness == Soundness::Infinite;
    for rule in RULES.iter().filter(infinite) {
        let before = read(&mut store, rule.example.0);
        let rules = RuleSet::named([rule.name]).expect("a known rule");
        let simplified = simplify(&mut store, before, WordKind::Finite, &rules);
        assert_eq!(simplified.formula, before, "{}", rule.name);
    }
}

/// Simplifying what was simplified changes at most the grouping of chains, and that rarely.
#[test]
fn simplifying_twice_changes_little() {
    let mut rng = Rng::new(77);
    let mut changed = 0;
    for round in 0..4000 {
        let words = KINDS[round % 2];
        let mut store = Store::new();
        let propositions = propositions(&mut store);
        let operators = Operators::future().with_weak_next().with_past().with_constants();
        let random = RandomFormula { size: 2 + round % 30, propositions, operators };
        let before = random.draw(&mut store, &mut rng);
        let once = simplify(&mut store, before, words, &RuleSet::all()).formula;
        let twice = simplify(&mut store, once, words, &RuleSet::all()).formula;
        changed += usize::from(once != twice);
    }
    assert!(changed < 80, "{changed} of 4000 changed again");
}

/// The left side of each rule's example with random formulas for its propositions: there the rule
/// fires.
#[test]
fn every_rule_keeps_the_language_where_it_fires() {
    let mut rng = Rng::new(2000);
    for (position, rule) in RULES.iter().enumerate().filter(|(_, r)| r.keeps == Keeps::Language) {
        for words in KINDS {
            let mut fired = 0;
            for round in 0..400 {
                let mut store = Store::new();
                let propositions = propositions(&mut store);
                let operators = Operators::future().with_weak_next();
                let random = RandomFormula { size: 1 + round % 4, propositions, operators };
                let mut text = rule.example.0.to_owned();
                for name in ["a", "b", "c"] {
                    let part = random.draw(&mut store, &mut rng);
                    let part =
                        format!("({})", show(&store, part).replace('a', "A").replace('b', "B"));
                    text = text.replace(name, &part);
                }
                let before = read(&mut store, &text.replace('A', "a").replace('B', "b"));
                let rules = RuleSet::named([rule.name]).expect("a known rule");
                let simplified = simplify(&mut store, before, words, &rules);
                fired += simplified.fired[position];
                agree_on_random_words(&store, [before, simplified.formula], words, &mut rng, 8);
            }
            let sound = words == WordKind::Infinite || rule.soundness == Soundness::Both;
            assert_eq!(fired > 20, sound, "{} fired {fired} times on {words:?} words", rule.name);
        }
    }
}

/// A rule that lost its sharing must not cost the others their effect.
#[test]
fn a_rule_that_would_add_is_left_out_alone() {
    let mut store = Store::new();
    let text = "(X(a W b) ^ G(a W b)) U ((X(b W a) ^ G(b W a)) U X(c U c))";
    let before = read(&mut store, text);
    let after = simplify(&mut store, before, WordKind::Infinite, &RuleSet::all()).formula;
    never_grows(&store, before, after);
    assert!(show(&store, after).ends_with("X c"), "{}", show(&store, after));
}

#[test]
fn suspendable_parts_of_deep_towers_are_moved_in_linear_time() {
    let mut store = Store::new();
    let depth = 5_000;
    let open: String = (0..depth).map(|i| format!("F(a{i} & G F p{i} & ")).collect();
    let tower = read(&mut store, &format!("{open} z{}", ")".repeat(depth)));
    let size = store.len();
    simplify(&mut store, tower, WordKind::Infinite, &RuleSet::all());
    assert!(store.len() < 20 * size, "{} became {}", size, store.len());
}

#[test]
fn unknown_rules_are_named() {
    let error = RuleSet::named(["duplicates", "no-such"]).expect_err("no such rule");
    assert!(error.to_string().contains("no-such") && error.to_string().contains("eventual"));
}

#[test]
fn a_million_nodes_and_a_million_levels_are_simplified() {
    let mut store = Store::new();
    let mut deep = store.named("a");
    let mut wide = store.constant(true);
    for i in 0..300_000 {
        deep = store.intern(Node::Unary(UnaryOp::Next, deep));
        let name = store.named(&format!("p{}", i % 1000));
        let part = store.intern(Node::Unary(UnaryOp::Globally, name));
        wide = store.intern(Node::Binary(BinaryOp::And, wide, part));
    }
    let b = store.named("b");
    let mut other = b;
    for _ in 0..300_000 {
        other = store.intern(Node::Unary(UnaryOp::Next, other));
    }
    let both = store.intern(Node::Binary(BinaryOp::And, deep, other));
    let root = store.intern(Node::Binary(BinaryOp::Until, wide, both));
    let simplified = simplify(&mut store, root, WordKind::Infinite, &RuleSet::all());
    assert!(Measure::of(&store, simplified.formula).distinct < 305_000);
}

/// Rules for automata take their examples apart as they say.
#[test]
fn spreading_examples_are_true() {
    for rule in SPREADING {
        let mut store = Store::new();
        let (before, after) = rule.example;
        let [before, after] = [before, after].map(|text| read(&mut store, text));
        let became = spread(&mut store, before, &mut || Ok::<(), ()>(())).expect("no interrupt");
        let simplified = simplify(&mut store, after, WordKind::Infinite, &RuleSet::all()).formula;
        let again = spread(&mut store, simplified, &mut || Ok::<(), ()>(())).expect("no interrupt");
        assert_eq!(show(&store, became), show(&store, again), "{}", rule.name);
        assert_ne!(became, before, "{} does not fire in its example", rule.name);
    }
}

/// What is taken apart means the same, on all small formulas and random ones, with weak until and
/// strong release.
#[test]
fn spreading_keeps_the_language() {
    use BinaryOp::{And, Or, Release, StrongRelease, Until, WeakUntil};
    use UnaryOp::{Finally, Globally, Next, Not};
    let mut store = Store::new();
    let propositions = propositions(&mut store);
    let binary = [And, Or, Until, Release, WeakUntil, StrongRelease];
    let unary = [Not, Next, Finally, Globally];
    let mut rng = Rng::new(2000);
    let small = all_formulas(&mut store, &propositions, &unary, &binary, 5);
    let mut formulas: Vec<Formula> = small.into_iter().flatten().collect();
    for round in 0..20_000 {
        let operators = Operators::future().with_constants();
        let propositions = propositions.to_vec();
        let random = RandomFormula { size: 5 + round % 12, propositions, operators };
        formulas.push(random.draw(&mut store, &mut rng));
    }
    let mut changed = 0;
    for before in formulas {
        let after = spread(&mut store, before, &mut || Ok::<(), ()>(())).expect("no interrupt");
        if before != after {
            changed += 1;
            agree_on_random_words(&store, [before, after], WordKind::Infinite, &mut rng, 12);
        }
    }
    assert!(changed > 10_000, "{changed}");
}

/// Of several parts that come again and again, each alone is not enough.
#[test]
fn parts_that_need_not_come_together_are_kept() {
    for text in [
        "F(b & (a U d) & G(c & F d))",
        "F((a U d) & (b U e) & G(c & F d & F e))",
        "G((a R d) | (b R e) | F(c | G d | G e))",
        "G(b | (a R d) | F(c | G d))",
        "F(a & b & G F a)",
    ] {
        let mut store = Store::new();
        let before = read(&mut store, text);
        let after = spread(&mut store, before, &mut || Ok::<(), ()>(())).expect("no interrupt");
        let difference = store.intern(Node::Binary(BinaryOp::Xor, before, after));
        let word = tableau(&store, difference, WordKind::Infinite, &mut || Ok::<(), ()>(()));
        let word = word.expect("small enough");
        assert!(word.is_none(), "{text} became {}: {word:?}", show(&store, after));
    }
}

/// Chains of a few parts below `F` and `G`, of which some say that others come again: where rules
/// for automata fire most.
#[test]
fn spreading_keeps_the_language_of_conjunctions_that_repeat_themselves() {
    use BinaryOp::{And, Or, Release, Until};
    use UnaryOp::{Finally, Globally, Next, Not};
    let mut rng = Rng::new(77);
    for round in 0..20_000 {
        let mut store = Store::new();
        let names = ["a", "b", "c"].map(|name| store.proposition(name));
        let (chain, outer, inner, until) = match round % 2 {
            0 => (And, Finally, Globally, Until),
            _ => (Or, Globally, Finally, Release),
        };
        let literal = |store: &mut Store, rng: &mut Rng| {
            let atom = store.intern(Node::Proposition(names[rng.below(3)]));
            if rng.below(2) == 0 { atom } else { store.intern(Node::Unary(Not, atom)) }
        };
        let mut parts: Vec<Formula> = Vec::new();
        for _ in 0..rng.between(1, 3) {
            let [a, b] = [literal(&mut store, &mut rng), literal(&mut store, &mut rng)];
            parts.push(match rng.below(4) {
                0 => a,
                1 => store.intern(Node::Binary(until, a, b)),
                2 => store.intern(Node::Unary(Next, a)),
                _ => store.intern(Node::Binary(if chain == And { Or } else { And }, a, b)),
            });
        }
        let again = parts[rng.below(parts.len())];
        let again = store.intern(Node::Unary(outer, again));
        let other = literal(&mut store, &mut rng);
        let body = store.intern(Node::Binary(chain, other, again));
        parts.push(store.intern(Node::Unary(inner, body)));
        let whole = parts.into_iter().reduce(|a, b| store.intern(Node::Binary(chain, a, b)));
        let before = store.intern(Node::Unary(outer, whole.expect("there is a part")));
        let after = spread(&mut store, before, &mut || Ok::<(), ()>(())).expect("no interrupt");
        agree_on_random_words(&store, [before, after], WordKind::Infinite, &mut rng, 12);
    }
}

fn suspended(store: &mut Store, formula: Formula) -> Formula {
    let normal = negation_normal_form(store, formula, WordKind::Infinite);
    suspend(store, normal, &mut || Ok::<(), ()>(())).expect("no interruption")
}

/// Cases share one wait, and each has one `G`. Sums of products are shortened.
#[test]
fn limits_become_cases() {
    for (before, after) in [
        ("G F a -> G F b", "G F b | F G !a"),
        ("(G F a -> G F b) & F G c", "F(G(!a & c) | (G c & G F b))"),
        ("(F G a | G F b) & (G F b | F G c)", "G F b | F G(a & c)"),
        ("(G F a | G F b) & (G F a | G F c)", "G F(a | b) & G F(a | c)"),
        ("G((F a & F b) | F c)", "G F(a | c) & G F(b | c)"),
        ("G F(a & F G b)", "F(G b & G F a)"),
        ("G F a & F G !a", "false"),
        ("a U (G F b & F G c)", "a U F(G c & G F b)"),
        ("a U F b", "a U F b"),
    ] {
        let mut store = Store::new();
        let [before, after] = [before, after].map(|text| read(&mut store, text));
        let result = suspended(&mut store, before);
        let rules = RuleSet::all();
        let [found, expected] = [result, after].map(|formula| {
            let simplified = simplify(&mut store, formula, WordKind::Infinite, &rules);
            show(&store, simplified.formula)
        });
        assert_eq!(found, expected, "{}", show(&store, result));
    }
}

/// A conjunction of two sums of 2^5 products has 2^10 products.
#[test]
fn long_sums_are_interrupted() {
    let mut store = Store::new();
    let half = |side: &str| {
        let pair = |i: usize| format!("(F G {side}{i} | G F {side}{i}0)");
        (1..6).map(pair).collect::<Vec<_>>().join(" & ")
    };
    let formula = read(&mut store, &format!("({}) & ({})", half("a"), half("b")));
    let normal = negation_normal_form(&mut store, formula, WordKind::Infinite);
    let mut left = 250;
    let stopped = suspend(&mut store, normal, &mut || {
        left -= 1;
        if left == 0 { Err("stop") } else { Ok(()) }
    });
    assert_eq!(stopped, Err("stop"));
}

/// A random combination of `G F x`, `F G x` and others.
fn random_limits(store: &mut Store, rng: &mut Rng, propositions: &[Proposition]) -> Formula {
    use BinaryOp::{And, Or, Release, StrongRelease, Until, WeakUntil};
    use UnaryOp::{Finally, Globally, Next, Not};
    let operators = Operators::future();
    let mut parts = Vec::new();
    for _ in 0..rng.between(2, 5) {
        let random = RandomFormula {
            size: rng.between(1, 3),
            propositions: propositions.to_vec(),
            operators: operators.clone(),
        };
        let body = random.draw(store, rng);
        let [first, last] = [[Finally, Globally], [Globally, Finally]][rng.below(2)];
        let inner = store.unary(first, body);
        parts.push(if rng.below(5) == 0 { body } else { store.unary(last, inner) });
    }
    while parts.len() > 1 {
        let [a, b] = [(); 2].map(|()| parts.swap_remove(rng.below(parts.len())));
        let operators = [And, Or, And, Or, And, Or, Until, Release, WeakUntil, StrongRelease];
        let joined = store.binary(operators[rng.below(operators.len())], a, b);
        let around = [Not, Next, Finally, Globally].get(rng.below(8)).copied();
        parts.push(around.map_or(joined, |op| store.unary(op, joined)));
    }
    parts[0]
}

#[test]
fn suspension_keeps_the_language() {
    let mut rng = Rng::new(2013);
    let mut changed = 0;
    for _ in 0..20_000 {
        let mut store = Store::new();
        let propositions = propositions(&mut store);
        let formula = random_limits(&mut store, &mut rng, &propositions);
        let result = suspended(&mut store, formula);
        changed += usize::from(result != formula);
        agree_on_random_words(&store, [formula, result], WordKind::Infinite, &mut rng, 6);
    }
    assert!(changed > 5_000, "{changed}");
}
