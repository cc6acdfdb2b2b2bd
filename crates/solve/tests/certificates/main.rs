//! Certificates: what holds has a proof, and the judge verifies it; what does not hold has none; a
//! proof that was changed, or that is about something else, is refused.
//!
//! The oracles are the explicit judge of properties (`kermode_smv::judge`), the reference tableau
//! for formulas, the verdicts of NuSMV, and for the conditions of proofs a check state by state
//! (`explicit.rs`).

#[path = "../checking/mod.rs"]
mod checking;
#[path = "../common/mod.rs"]
mod common;
mod explicit;
mod mutations;

use std::convert::Infallible;
use std::ops::Range;

use checking::{golden, read};
use common::{expected, random_formula};
use kermode_base::Rng;
use kermode_certificate::{
    Certificate, Claim, ClaimKind, NoProduct, Proof, read as read_certificate,
};
use kermode_ltl::dialect::{Syntax, parse, plain_text};
use kermode_ltl::{Dialect, Formula, Store, UnaryOp, WordKind};
use kermode_smv::SmvModel;
use kermode_smv::families::{MODEL_FAMILIES, ModelRequest, build};
use kermode_smv::judge::cases::{case, flat_model};
use kermode_smv::judge::{Ending, Graph, Limits, Unjudged, finite_path, verdict};
use kermode_smv::property::{FlatAtoms, ltl_formula};
use kermode_smv::random::{ModelShape, random_model};
use kermode_smv::syntax::PropertyKind;
use kermode_solve::certify::{
    NotProved, certify_formula, certify_model, formula_claim, verify_formula, verify_model,
};
use kermode_solve::{Budget, Silent};

fn never() -> Result<(), Infallible> {
    Ok(())
}

/// The claim that a specification of a model holds.
pub(crate) fn claim(model: &SmvModel, number: usize, kind: ClaimKind) -> Claim {
    let property = &model.flat.properties[number - 1];
    let text = plain_text(&model.text()[property.span.range()]);
    Claim { kind, number: Some(number), syntax: None, text, assumptions: Vec::new() }
}

/// The claim that a typed property holds.
fn typed(kind: ClaimKind, text: &str) -> Claim {
    let text = text.to_owned();
    Claim { kind, number: None, syntax: None, text, assumptions: Vec::new() }
}

/// The proof of a claim about a model, if it is true.
pub(crate) fn proof(model: &SmvModel, claim: Claim) -> Result<Proof, NotProved> {
    let (budget, silent) = (Budget::unlimited(), &mut Silent::default());
    certify_model(model, claim, &budget, silent).expect("no limits")
}

/// The proof after its text was read again.
fn read_again(proof: Proof) -> Proof {
    let subject = proof.claim.kind.subject();
    let certificate = Certificate { subject, proofs: vec![proof] };
    let Ok(again) = read_certificate(&certificate.to_string(), &mut never);
    let again = again.expect("what was written can be read");
    assert_eq!(again, certificate);
    again.proofs.into_iter().next().expect("the proof")
}

pub(crate) fn is_verified(model: &SmvModel, proof: &Proof) -> Result<(), String> {
    verify_model(model, proof, &Budget::unlimited()).expect("no limits")
}

/// A claim has a proof exactly if it is true, and the proof is verified. Returns it.
fn check(model: &SmvModel, claim: Claim, holds: bool, place: &str) -> Option<Proof> {
    let proof = match proof(model, claim) {
        Ok(proof) => read_again(proof),
        Err(why) => {
            assert!(!holds, "{place}: {why:?}");
            assert_eq!(why, NotProved::Refuted, "{place}");
            return None;
        }
    };
    assert!(holds, "{place}: a proof of what does not hold");
    assert_eq!(is_verified(model, &proof), Ok(()), "{place}");
    Some(proof)
}

fn compare_cases(kind: PropertyKind, seeds: Range<u64>) {
    let claim_kind = match kind {
        PropertyKind::Ltl => ClaimKind::Ltl,
        _ => ClaimKind::Invariant,
    };
    for seed in seeds {
        let case = case(kind, seed);
        let model = read(&case.text);
        let place = format!("seed {seed}\n{}", case.text);
        check(&model, claim(&model, 1, claim_kind), case.holds, &place);
    }
}

#[test]
fn random_ltl_properties_have_proofs_exactly_if_they_hold() {
    compare_cases(PropertyKind::Ltl, 0..150);
}

#[test]
fn random_invariants_have_proofs_exactly_if_they_hold() {
    compare_cases(PropertyKind::Invariant, 0..150);
}

fn compare_finite(seeds: Range<u64>) {
    let mut count = 0;
    for seed in seeds {
        let case = case(PropertyKind::Ltl, seed);
        let (flat, model) = (flat_model(&case.text), read(&case.text));
        let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
        let formula = ltl_formula(&flat, flat.properties[0].operands[0], &mut store, &mut atoms);
        let negation = store.unary(UnaryOp::Not, formula);
        let observed: Vec<_> = atoms.of(&store, formula).into_iter().map(|(_, e)| e).collect();
        if observed.iter().any(|&atom| flat.expressions.is_about_steps(atom)) {
            let why = proof(&model, claim(&model, 1, ClaimKind::FiniteLtl));
            assert!(matches!(why, Err(NotProved::NoProduct(NoProduct::AboutSteps(_)))));
            continue;
        }
        let graph = Graph::new(&flat, observed, Limits::default(), &mut never).expect("small");
        let readings =
            [(ClaimKind::FiniteLtl, Ending::Anywhere), (ClaimKind::MaximalLtl, Ending::DeadEnd)];
        for (kind, ending) in readings {
            let path = finite_path(&graph, &store, negation, &atoms, ending, &mut never);
            let holds = path.expect("small").is_none();
            let place = format!("seed {seed}, {kind:?}\n{}", case.text);
            count += usize::from(check(&model, claim(&model, 1, kind), holds, &place).is_some());
        }
    }
    assert!(count > 10, "{count} proofs");
}

#[test]
fn finite_readings_have_proofs_exactly_if_they_hold() {
    compare_finite(0..80);
}

/// Models with every construct of the language.
fn compare_models(seeds: Range<u64>) {
    let shape = ModelShape { bits: 7, depth: 2, properties: 8, ..ModelShape::default() };
    let limits = Limits { states: 2_000, steps: 100_000 };
    for seed in seeds {
        let text = random_model(&mut Rng::new(seed), &shape).text();
        let (flat, model) = (flat_model(&text), read(&text));
        for (number, property) in (1..).zip(&flat.properties) {
            let kind = match property.kind {
                PropertyKind::Ltl => ClaimKind::Ltl,
                PropertyKind::Invariant => ClaimKind::Invariant,
                _ => continue,
            };
            let judged = match verdict(&flat, property, limits, &mut never) {
                Ok(judged) => judged,
                Err(Unjudged::TooLarge { .. }) => continue,
                Err(other) => panic!("{other}"),
            };
            let place = format!("seed {seed}, property {number}\n{text}");
            if let Some(holds) = judged.holds() {
                check(&model, claim(&model, number, kind), holds, &place);
            }
        }
    }
}

#[test]
fn models_with_all_constructs_have_proofs_exactly_if_properties_hold() {
    compare_models(0..40);
}

#[test]
fn verdicts_of_nusmv_have_proofs_exactly_if_properties_hold() {
    for answer in golden(&["LTLSPEC", "INVARSPEC"]) {
        let model = read(&answer.text);
        let kind = if answer.kind == "LTLSPEC" { ClaimKind::Ltl } else { ClaimKind::Invariant };
        let claim = claim(&model, answer.number, kind);
        check(&model, claim, answer.verdict == "true", &answer.place());
    }
}

fn families(sizes: &[(&str, &[u64])]) {
    for (name, sizes) in sizes {
        for size in *sizes {
            let arguments = [size.to_string()];
            let request = ModelRequest::find(MODEL_FAMILIES, name, &arguments);
            let request = request.expect("a family").expect("a member");
            let member = build(&request.instances().next().expect("one member"));
            let model = read(&member.text);
            for (number, property) in (1..).zip(&member.properties) {
                let place = format!("{name} {size}, {}", property.name);
                check(&model, claim(&model, number, ClaimKind::Ltl), property.holds, &place);
            }
        }
    }
}

#[test]
fn properties_of_families_have_proofs_exactly_if_they_hold() {
    families(&[("gas", &[2]), ("stack", &[2]), ("bakery", &[2]), ("lcr", &[3])]);
}

/// A formula has a proof exactly if it has no word, and the proof is verified.
fn check_formula(store: &Store, formula: Formula, words: WordKind) -> Option<Proof> {
    let holds = !expected(store, formula, words)?;
    let claim = formula_claim(store, formula, words).expect("a text");
    let (budget, silent) = (Budget::unlimited(), &mut Silent::default());
    let found = certify_formula((store, formula), claim.clone(), &budget, silent);
    match found.expect("no limits") {
        Ok(proof) => {
            assert!(holds, "{}: a proof of what does not hold", claim.text);
            let proof = read_again(proof);
            let verified = verify_formula((store, formula), &proof, &budget).expect("no limits");
            assert_eq!(verified, Ok(()), "{}", claim.text);
            Some(proof)
        }
        Err(why) => {
            assert!(!holds && why == NotProved::Refuted, "{}: {why:?}", claim.text);
            None
        }
    }
}

fn compare_formulas(rounds: usize) {
    let (mut rng, mut proofs) = (Rng::new(22), [0, 0]);
    for round in 0..rounds {
        let mut store = Store::new();
        let (formula, words) = random_formula(&mut store, &mut rng, round);
        // The negation is drawn as well: random formulas are rarely unsatisfiable.
        let negation = store.unary(UnaryOp::Not, formula);
        let (both, negation_only) = (store.and(formula, negation), negation);
        for formula in [formula, negation_only, both] {
            let found = check_formula(&store, formula, words).is_some();
            proofs[usize::from(words == WordKind::Finite)] += usize::from(found);
        }
    }
    assert!(proofs.iter().all(|&count| count * 12 > rounds), "{proofs:?}");
}

#[test]
fn random_formulas_have_proofs_exactly_if_they_are_unsatisfiable() {
    compare_formulas(600);
}

#[test]
#[ignore = "a campaign of some minutes"]
fn a_campaign_of_proofs_is_verified() {
    compare_cases(PropertyKind::Ltl, 0..3_000);
    compare_cases(PropertyKind::Invariant, 0..3_000);
    compare_finite(0..1_000);
    compare_models(0..1_000);
    compare_formulas(20_000);
    families(&[("gas", &[2, 3]), ("stack", &[2, 3]), ("bakery", &[2, 3]), ("lcr", &[3, 4])]);
}

/// A request that is granted only if compassion holds, with an input and a dead end.
pub(crate) const ARBITER: &str = "MODULE main
VAR request : boolean; grant : boolean; left : 0..2;
IVAR tick : boolean;
ASSIGN
  init(request) := FALSE; init(grant) := FALSE; init(left) := 2;
  next(grant) := tick & request;
TRANS request -> (next(request) | grant);
TRANS next(left) = left;
COMPASSION(request & tick, tick & next_to_go)
DEFINE next_to_go := left > 0;
JUSTICE request
JUSTICE tick
LTLSPEC G F (request & O !request)
LTLSPEC G (grant -> Y request)
LTLSPEC G (tick & request -> X grant)
LTLSPEC G (next(grant) -> request)
INVARSPEC grant -> left > 0
INVARSPEC tick & request -> next(grant)
";

#[test]
fn typed_properties_assumptions_inputs_steps_and_dead_ends_are_certified() {
    let model = read(ARBITER);
    for number in 2..=4 {
        check(&model, claim(&model, number, ClaimKind::Ltl), true, "arbiter").expect("a proof");
    }
    for number in 5..=6 {
        let claim = claim(&model, number, ClaimKind::Invariant);
        check(&model, claim, true, "arbiter").expect("a proof");
    }
    let claims = [
        (typed(ClaimKind::Deadlock, "no dead end is reachable"), true),
        (typed(ClaimKind::Invariant, "left = 2"), true),
        (typed(ClaimKind::Invariant, "!grant"), false),
        (typed(ClaimKind::Ltl, "G F tick"), true),
        (typed(ClaimKind::Ltl, "G F grant"), true),
        (typed(ClaimKind::Ltl, "G F !request"), false),
        (
            Claim {
                assumptions: vec!["G (grant -> X !request)".to_owned()],
                ..typed(ClaimKind::Ltl, "G F !request")
            },
            true,
        ),
        (
            Claim {
                syntax: Some(Dialect::Spot),
                assumptions: vec!["G(grant -> X!request)".to_owned()],
                ..typed(ClaimKind::Ltl, "GF\"!request & left = 2\"")
            },
            true,
        ),
        (typed(ClaimKind::FiniteLtl, "G (grant -> left = 2)"), true),
        (typed(ClaimKind::FiniteLtl, "F grant"), false),
        (typed(ClaimKind::MaximalLtl, "F grant"), true),
    ];
    for (claim, holds) in claims {
        let place = claim.text.clone();
        check(&model, claim, holds, &place);
    }
}

#[test]
fn a_dead_end_is_no_dead_end_if_some_input_leads_on() {
    let text = "MODULE main VAR x : boolean; IVAR i : boolean; TRANS i; INIT x";
    check(&read(text), typed(ClaimKind::Deadlock, ""), true, text);
    let text =
        "MODULE main VAR x : boolean; IVAR i : boolean; TRANS x -> next(x) & i & !i; INIT !x";
    check(&read(text), typed(ClaimKind::Deadlock, ""), false, text);
}

/// The other 60 bits read the property's, and are no part of the proof.
#[test]
fn a_proof_needs_the_cone_of_influence_only() {
    let mut text = "MODULE main\nVAR x : 0..3;\n".to_owned();
    (0..60).for_each(|i| text += &format!("  y{i} : boolean;\n"));
    text += "ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\n";
    (0..60).for_each(|i| text += &format!("  next(y{i}) := x = {} xor y{i};\n", i % 4));
    text += "LTLSPEC G F x = 3\n";
    let model = read(&text);
    let proof = check(&model, claim(&model, 1, ClaimKind::Ltl), true, "cone").expect("a proof");
    assert!(proof.bits.len() < 6, "{:?}", proof.bits);
}

#[test]
fn a_claim_about_another_subject_is_refused() {
    let model = read(ARBITER);
    let mut wrong = proof(&model, claim(&model, 2, ClaimKind::Ltl)).expect("a proof");
    let right = wrong.clone();
    for (number, why) in [(3, "the proof is about"), (5, "another kind"), (9, "lacks")] {
        wrong.claim.number = Some(number);
        let refusal = is_verified(&model, &wrong).expect_err("another property");
        assert!(refusal.contains(why), "{refusal}");
    }
    let other = read(
        "MODULE main VAR x : boolean; LTLSPEC G (grant -> Y request)\n\
                      DEFINE grant := x; request := x;",
    );
    wrong = right.clone();
    wrong.claim.number = Some(1);
    let refusal = is_verified(&other, &wrong).expect_err("another model");
    assert!(refusal.contains("does not exist here"), "{refusal}");
    wrong.claim.number = None;
    wrong.claim.text = "G (".to_owned();
    let refusal = is_verified(&model, &wrong).expect_err("no formula");
    assert!(refusal.contains("no property of the model"), "{refusal}");
}

/// The judge and what it relies on here are at most 500 lines of code.
#[test]
fn the_trusted_files_are_small() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../certificate/src/");
    let lines = ["tableau.rs", "product.rs", "judge.rs"].map(|file| {
        let text = std::fs::read_to_string(format!("{source}{file}")).expect("a file of the crate");
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        text.lines().filter(is_code).count()
    });
    assert!(lines.iter().sum::<usize>() <= 500, "{lines:?}");
}

pub(crate) fn formula_of(store: &mut Store, text: &str) -> Formula {
    parse(store, text, Syntax::default()).expect("a formula").formula
}
