//! Certificates that are wrong.
//!
//! A *semantic* mutation leaves a certificate that can be read, and a proof that is invalid or
//! about something else: a node or a set is changed, a round is dropped, the property, the model or
//! a justice constraint is exchanged. That it is wrong is established without the judge: the
//! conditions are checked state by state, or the property does not hold in the changed model.

use std::convert::Infallible;

use kermode_base::{Rng, Source};
use kermode_certificate::{
    Argument, Certificate, ClaimKind, JusticeName, Proof, Round, Subject, product_of_formula,
    product_of_model, read as read_certificate,
};
use kermode_ltl::{Store, WordKind};
use kermode_smv::SmvModel;
use kermode_smv::judge::cases::case;
use kermode_smv::syntax::PropertyKind;
use kermode_solve::certify::{certify_formula, formula_claim, verify_formula};
use kermode_solve::{Budget, Silent};

use crate::checking::read;
use crate::common::expected;
use crate::explicit::is_proof;
use crate::{ARBITER, claim, formula_of, is_verified, proof};

fn never() -> Result<(), Infallible> {
    Ok(())
}

/// At most this many bits are checked state by state.
const MOST_BITS: usize = 7;

/// Parts of a model, and the texts that replace them.
type Exchanges = &'static [(&'static str, &'static str)];

/// A model, and texts that replace parts of it, after each of which its first property does not
/// hold.
const MODELS: [(&str, ClaimKind, Exchanges); 5] = [
    (
        "MODULE main
VAR x : boolean; y : 0..2;
ASSIGN init(x) := FALSE; init(y) := 0; next(y) := case x : (y + 1) mod 3; TRUE : y; esac;
JUSTICE x;
JUSTICE !x;
LTLSPEC G F y = 2
",
        ClaimKind::Ltl,
        &[
            ("JUSTICE x;", ""),
            ("JUSTICE x;", "JUSTICE !x;"),
            ("JUSTICE x;", "JUSTICE y = 0;"),
            ("JUSTICE x;", "JUSTICE x | !x;"),
            ("case x :", "case x & y = 0 :"),
            ("(y + 1) mod 3", "(y + 1) mod 2"),
            ("TRUE : y;", "TRUE : 0;"),
        ],
    ),
    (
        "MODULE main
VAR request : boolean; grant : boolean; busy : boolean;
ASSIGN init(busy) := TRUE; next(busy) := busy & !grant;
INVAR grant -> request
JUSTICE request
COMPASSION(request, grant)
LTLSPEC F G !busy
",
        ClaimKind::Ltl,
        &[
            ("COMPASSION(request, grant)", ""),
            ("COMPASSION(request, grant)", "COMPASSION(grant, request)"),
            ("COMPASSION(request, grant)", "COMPASSION(busy & grant, grant)"),
            ("JUSTICE request", ""),
            ("JUSTICE request", "JUSTICE !request"),
            ("busy & !grant", "busy | grant"),
            ("next(busy) := busy & !grant", "next(busy) := TRUE"),
        ],
    ),
    (
        "MODULE main
VAR x : 0..7; up : boolean;
ASSIGN init(x) := 0; next(x) := case x < 4 & up : x + 1; TRUE : 0; esac;
INIT up
TRANS next(up) <-> !up
INVARSPEC x < 2
",
        ClaimKind::Invariant,
        &[
            ("init(x) := 0", "init(x) := 2"),
            ("init(x) := 0", "init(x) := {0, 6}"),
            ("TRUE : 0;", "TRUE : x;"),
            ("TRANS next(up) <-> !up", ""),
            ("next(up) <-> !up", "next(up) <-> up"),
            ("x + 1", "x + 2"),
        ],
    ),
    (
        "MODULE main
VAR a : {idle, wait, inside}; b : {idle, wait, inside}; turn : boolean;
IVAR who : boolean;
ASSIGN
  init(a) := idle; init(b) := idle;
  next(a) := case !who : a; a = idle : wait; a = wait & turn & b != inside : inside; a = inside : idle; TRUE : a; esac;
  next(b) := case who : b; b = idle : wait; b = wait & !turn & a != inside : inside; b = inside : idle; TRUE : b; esac;
INVARSPEC !(a = inside & b = inside)
",
        ClaimKind::Invariant,
        &[
            (" & b != inside", ""),
            (" & a != inside", ""),
            ("init(a) := idle; init(b) := idle", "init(a) := inside; init(b) := {idle, inside}"),
            (
                "init(a) := idle; init(b) := idle",
                "init(a) := {idle, inside}; init(b) := {idle, inside}",
            ),
            ("a = inside : idle; TRUE : a", "TRUE : inside"),
        ],
    ),
    (
        "MODULE main
VAR p : boolean; q : boolean;
ASSIGN init(p) := FALSE; next(p) := q | p;
LTLSPEC G (p -> O q)
",
        ClaimKind::Ltl,
        &[
            ("init(p) := FALSE;", ""),
            ("next(p) := q | p", "next(p) := TRUE"),
            ("init(p) := FALSE", "init(p) := TRUE"),
        ],
    ),
];

/// Formulas without words, and others that have words.
const FORMULAS: [(&str, &[&str]); 6] = [
    ("G a & F !a", &["G a & F a", "F a & F !a", "G a | F !a"]),
    ("(a U b) & G !b", &["(a W b) & G !b", "(a U b) & G !a", "(a U b) & F !b"]),
    (
        "G(a -> X !a) & G(!a -> X a) & G(b <-> X X !b) & F G b",
        &["G(a -> X !a) & G(!a -> X a) & G(b <-> X X !b)"],
    ),
    ("Y true", &["X Y true", "Z true"]),
    ("F[0,3] a & G[0,3] !a", &["F[0,4] a & G[0,3] !a", "F[0,3] a & G[1,3] !a"]),
    ("(a S b) & H !b & F c", &["(a S b) & F H !b | F c"]),
];

/// The wrong variants of a proof that differ in one place of its sets, by the check state by state.
fn wrong_variants(proof: &Proof, is_right: impl Fn(&Proof) -> bool) -> Vec<(&'static str, Proof)> {
    let mut variants: Vec<(&'static str, Proof)> = Vec::new();
    let mut add = |what, change: &dyn Fn(&mut Proof)| {
        let mut changed = proof.clone();
        change(&mut changed);
        if changed != *proof && !is_right(&changed) {
            variants.push((what, changed));
        }
    };
    for place in 0..proof.nodes.len() {
        add("the branches of a node are exchanged", &|proof| {
            let node = &mut proof.nodes[place];
            (node.low, node.high) = (node.high, node.low);
        });
        add("a branch of a node is everything", &|proof| proof.nodes[place].high = 1);
        add("a branch of a node is nothing", &|proof| proof.nodes[place].low = 0);
        add("the bit of a node is another", &|proof| {
            let bits = proof.bits.len() as u32;
            proof.nodes[place].bit = (proof.nodes[place].bit + 1) % bits;
        });
    }
    if let Argument::NoFairPath { rounds, .. } = &proof.argument {
        for round in 0..rounds.len() {
            let change = |proof: &mut Proof, change: &dyn Fn(&mut Vec<Round>)| {
                if let Argument::NoFairPath { rounds, .. } = &mut proof.argument {
                    change(rounds);
                }
            };
            add("a round is dropped", &|proof| {
                change(proof, &|rounds| {
                    rounds.remove(round);
                })
            });
            add("the constraint of a round is another", &|proof| {
                change(proof, &|rounds| rounds[round].justice = JusticeName::Model(1));
            });
            add("the constraint of a round is always true", &|proof| {
                change(proof, &|rounds| rounds[round].justice = JusticeName::Always);
            });
            add("a set is empty", &|proof| change(proof, &|rounds| rounds[round].left = 0));
            add("a set is empty", &|proof| change(proof, &|rounds| rounds[round].reach = 0));
        }
        add("the first set is empty", &|proof| {
            if let Argument::NoFairPath { start, .. } = &mut proof.argument {
                *start = 0;
            }
        });
    }
    if let Argument::Inductive(_) = proof.argument {
        add("the set is everything", &|proof| proof.argument = Argument::Inductive(1));
        add("the set is nothing", &|proof| proof.argument = Argument::Inductive(0));
    }
    variants
}

/// Judges the wrong variants of a proof about a model. Returns how many were refused.
fn judge_variants(model: &SmvModel, proof: &Proof, place: &str) -> usize {
    if proof.bits.len() > MOST_BITS {
        return 0;
    }
    let Ok(product) = product_of_model(model, &proof.claim, &mut never);
    let product = product.expect("a product");
    assert!(is_proof(&product, proof), "{place}");
    let variants = wrong_variants(proof, |changed| is_proof(&product, changed));
    for (what, changed) in &variants {
        assert!(is_verified(model, changed).is_err(), "{what}\n{place}");
    }
    variants.len()
}

/// The proof of the first property of a model.
fn first(model: &SmvModel, kind: ClaimKind) -> Proof {
    proof(model, claim(model, 1, kind)).expect("the property holds")
}

#[test]
fn wrong_sets_are_refused() {
    let mut refused = 0;
    for (text, kind, _) in MODELS {
        let model = read(text);
        refused += judge_variants(&model, &first(&model, kind), text);
    }
    for (kind, claim_kind) in
        [(PropertyKind::Ltl, ClaimKind::Ltl), (PropertyKind::Invariant, ClaimKind::Invariant)]
    {
        for case in (0..30).map(|seed| case(kind, seed)).filter(|case| case.holds) {
            let model = read(&case.text);
            refused += judge_variants(&model, &first(&model, claim_kind), &case.text);
        }
    }
    assert!(refused >= 100, "{refused} mutations");
}

#[test]
fn proofs_about_changed_models_are_refused() {
    let mut refused = 0;
    for (text, kind, changes) in MODELS {
        let model = read(text);
        let right = first(&model, kind);
        assert_eq!(is_verified(&model, &right), Ok(()));
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            let changed = read(&text.replacen(from, to, 1));
            let holds = proof(&changed, claim(&changed, 1, kind)).is_ok();
            assert!(!holds, "{from} -> {to}");
            let refusal = is_verified(&changed, &right);
            assert!(refusal.is_err(), "{from} -> {to}");
            refused += 1;
        }
    }
    assert!(refused >= 25, "{refused} mutations");
}

#[test]
fn proofs_about_changed_properties_are_refused() {
    let mut refused = 0;
    for (text, kind, _) in MODELS {
        let model = read(text);
        let right = first(&model, kind);
        let wrong = match kind {
            ClaimKind::Ltl => ["G FALSE", "F G FALSE", "X X FALSE", "G F FALSE"],
            _ => ["FALSE", "TRUE = FALSE", "1 = 2", "next(TRUE) = FALSE"],
        };
        for property in wrong {
            let mut changed = right.clone();
            (changed.claim.number, changed.claim.text) = (None, property.to_owned());
            assert!(is_verified(&model, &changed).is_err(), "{property}\n{text}");
            refused += 1;
        }
        let mut changed = right.clone();
        changed.claim.kind = match kind {
            ClaimKind::Ltl => ClaimKind::Invariant,
            _ => ClaimKind::Ltl,
        };
        assert!(is_verified(&model, &changed).is_err(), "{text}");
        refused += 1;
    }
    assert_eq!(refused, 25);
}

#[test]
fn proofs_about_changed_formulas_are_refused() {
    let budget = Budget::unlimited();
    let mut refused = 0;
    for words in [WordKind::Infinite, WordKind::Finite] {
        for (text, others) in FORMULAS {
            let mut store = Store::new();
            let formula = formula_of(&mut store, text);
            assert_eq!(expected(&store, formula, words), Some(false), "{text}");
            let claim = formula_claim(&store, formula, words).expect("a text");
            let silent = &mut Silent::default();
            let right = certify_formula((&store, formula), claim, &budget, silent);
            let right = right.expect("no limits").expect("unsatisfiable");
            let product = product_of_formula(&store, formula, words).expect("small");
            assert!(right.bits.len() > MOST_BITS || is_proof(&product, &right), "{text}");
            for text in others {
                let other = formula_of(&mut store, text);
                if expected(&store, other, words) != Some(true) {
                    continue;
                }
                let judged = verify_formula((&store, other), &right, &budget).expect("no limits");
                assert!(judged.is_err(), "{text}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 15, "{refused} mutations");
}

/// Texts with random changes are refused or have an error with a place; nothing panics, and none
/// becomes a proof that the check state by state does not accept.
#[test]
fn damaged_texts_are_refused_or_errors() {
    let model = read(ARBITER);
    let proofs = vec![
        proof(&model, claim(&model, 2, ClaimKind::Ltl)).expect("a proof"),
        proof(&model, claim(&model, 5, ClaimKind::Invariant)).expect("a proof"),
    ];
    let text = Certificate { subject: Subject::Model, proofs }.to_string();
    let mut rng = Rng::new(7);
    let (mut unreadable, mut refused) = (0, 0);
    for _ in 0..1_500 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + rng.below(3) {
            let place = rng.below(bytes.len());
            let byte = rng.choose(b"0123456789 \n\"\\#abn");
            match rng.below(4) {
                0 => drop(bytes.remove(place)),
                1 => bytes.insert(place, byte),
                2 => bytes.truncate(place.max(1)),
                _ => bytes[place] = byte,
            }
        }
        let damaged = String::from_utf8(bytes).expect("ASCII");
        let Ok(read) = read_certificate(&damaged, &mut never);
        match read {
            Err(diagnostic) => {
                assert!(damaged.get(diagnostic.span.clone()).is_some(), "{diagnostic:?}");
                Source { name: "damaged", text: &damaged }.render_all(&[diagnostic]);
                unreadable += 1;
            }
            Ok(certificate) => {
                for proof in &certificate.proofs {
                    if is_verified(&model, proof).is_err() {
                        refused += 1;
                        continue;
                    }
                    let Ok(product) = product_of_model(&model, &proof.claim, &mut never);
                    let product = product.expect("a product");
                    assert!(proof.bits.len() > MOST_BITS || is_proof(&product, proof), "{damaged}");
                }
            }
        }
    }
    assert!(unreadable > 100 && refused > 50, "{unreadable} unreadable, {refused} refused");
}
