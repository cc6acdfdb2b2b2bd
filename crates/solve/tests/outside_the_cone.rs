//! Models of 2,000 bits in which a property depends on 30. The other 1,970 read these, and an
//! engine may forget them only if no constraint and no fairness condition among them matters.
//!
//! Each variant adds something about the other bits that changes the verdict of a property: paths
//! end, no path is fair, or a fairness condition reaches back to the 30.

mod checking;

use std::time::Duration;

use checking::read;
use kermode_certificate::ClaimKind;
use kermode_ltl::dialect::plain_text;
use kermode_solve::certify::{certify_model, verify_model};
use kermode_solve::check::{CheckSettings, CheckVerdict, CheckWorker, Checker, PropertyRequest};
use kermode_solve::{Budget, Cancellation, Limits, Silent};

/// The bits on which properties depend: a token that moves, or stays if `c0` has it.
const INSIDE: usize = 30;
const OUTSIDE: usize = 1_970;

/// The properties, without the variants. The token may stay at `c0` for ever.
const PROPERTIES: [(&str, bool); 6] = [
    ("LTLSPEC G F c29", false),
    ("LTLSPEC G (c3 -> X c4)", true),
    ("LTLSPEC F c7", false),
    ("INVARSPEC !c20", false),
    ("INVARSPEC !(c1 & c2)", true),
    ("CTLSPEC AF c5", false),
];

/// What a variant adds, and the properties whose verdicts change, by their places.
const VARIANTS: [(&str, &[usize]); 12] = [
    // No path is fair: `r0` is false for ever.
    ("JUSTICE r0", &[0, 2, 5]),
    ("JUSTICE r40 | r0", &[0, 2, 5]),
    // CTL does not take compassion into account.
    ("COMPASSION(!r0, r0)", &[0, 2]),
    // There is no initial state.
    ("INIT r0", &[0, 2, 3, 5]),
    ("INVAR r0 | r1", &[0, 2, 3, 5]),
    // All paths end after ten steps, when `w9` becomes true.
    ("INVAR !w9", &[0, 2, 3, 5]),
    ("TRANS w9 -> next(r0)", &[0, 2, 3, 5]),
    ("TRANS w9 -> FALSE", &[0, 2, 3, 5]),
    // `seen` says that the token was at `c0`'s successor; fairness moves the token on.
    ("JUSTICE seen", &[0, 2, 5]),
    ("COMPASSION(TRUE, seen)", &[0, 2]),
    ("JUSTICE w9; JUSTICE !w9", &[0, 2, 5]),
    // Every step moves the token.
    ("TRANS c0 -> next(seen)", &[0, 2, 5]),
];

fn model(extra: &str) -> String {
    let mut text = "MODULE main\nVAR\n  seen : boolean;\n".to_owned();
    (0..INSIDE).for_each(|i| text += &format!("  c{i} : boolean;\n"));
    (0..20).for_each(|i| text += &format!("  w{i} : boolean;\n"));
    (0..OUTSIDE - 21).for_each(|i| text += &format!("  r{i} : boolean;\n"));
    text += "IVAR go : boolean;\nASSIGN\n  init(seen) := FALSE; next(seen) := c0 & go;\n";
    for i in 0..INSIDE {
        text += &format!("  init(c{i}) := {};\n", if i == 0 { "TRUE" } else { "FALSE" });
    }
    text += &format!("  next(c0) := c{} | c0 & !go;\n  next(c1) := c0 & go;\n", INSIDE - 1);
    (2..INSIDE).for_each(|i| text += &format!("  next(c{i}) := c{};\n", i - 1));
    text += "  init(w0) := FALSE; next(w0) := TRUE;\n";
    (1..20).for_each(|i| {
        text += &format!("  init(w{i}) := FALSE; next(w{i}) := w{};\n", i - 1);
    });
    text += "  init(r0) := FALSE; next(r0) := r0;\n  init(r1) := FALSE; next(r1) := r0;\n";
    (2..OUTSIDE - 21).for_each(|i| {
        let (a, b) = (i % INSIDE, (7 * i + 3) % INSIDE);
        text += &format!("  init(r{i}) := FALSE; next(r{i}) := r{} & c{a} & c{b} & r0;\n", i - 1);
    });
    let extra = extra.replace("; ", "\n");
    let properties: Vec<&str> = PROPERTIES.iter().map(|(property, _)| *property).collect();
    format!("{text}{extra}\n{}\n", properties.join("\n"))
}

/// Whether each property holds. What holds, except CTL, has a proof that is verified.
fn verdicts(extra: &str) -> Vec<bool> {
    // The examination of dead ends and fair paths has a hundredth of the limit.
    let limits = Limits { cpu: Some(Duration::from_secs(10)), ..Limits::default() };
    let budget = Budget::new(limits, Cancellation::new());
    let settings = CheckSettings::default();
    let requests = [PropertyRequest::Declared];
    let checker = Checker::new(read(&model(extra)), &requests, &[], None, &budget);
    let checker = checker.expect("a model");
    let worker = CheckWorker::new(&checker, &settings);
    let verdict = |(place, property)| {
        let budget = Budget::new(limits, Cancellation::new());
        let outcome = worker.check(property, &budget, &mut Silent::default());
        let holds = matches!(outcome.result, Ok(CheckVerdict::Holds));
        assert!(holds || matches!(outcome.result, Ok(CheckVerdict::Violated(Ok(_)))), "{extra}");
        if holds {
            certify(&checker, place, extra);
        }
        holds
    };
    checker.properties().iter().enumerate().map(verdict).collect()
}

fn certify(checker: &Checker, place: usize, extra: &str) {
    let kind = match PROPERTIES[place].0.split_once(' ') {
        Some(("LTLSPEC", _)) => ClaimKind::Ltl,
        Some(("INVARSPEC", _)) => ClaimKind::Invariant,
        _ => return,
    };
    let model = checker.model();
    let property = &model.flat.properties[place];
    let text = plain_text(&model.text()[property.span.range()]);
    let number = Some(place + 1);
    let claim =
        kermode_certificate::Claim { kind, number, syntax: None, text, assumptions: Vec::new() };
    let budget = Budget::unlimited();
    let proof = certify_model(model, claim, &budget, &mut Silent::default()).expect("no limits");
    let proof = proof.unwrap_or_else(|why| panic!("{extra}, property {place}: {why:?}"));
    assert!(proof.bits.len() < 130, "{extra}, property {place}: {} bits", proof.bits.len());
    assert_eq!(verify_model(model, &proof, &budget).expect("no limits"), Ok(()), "{extra}");
}

#[test]
fn what_is_outside_the_cone_counts_if_it_must() {
    let plain: Vec<bool> = PROPERTIES.iter().map(|(_, holds)| *holds).collect();
    assert_eq!(verdicts(""), plain);
    for (extra, changed) in VARIANTS {
        let expected: Vec<bool> = plain
            .iter()
            .enumerate()
            .map(|(place, holds)| holds ^ changed.contains(&place))
            .collect();
        assert_eq!(verdicts(extra), expected, "{extra}");
    }
}
