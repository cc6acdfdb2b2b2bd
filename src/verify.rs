//! `verify`: judges the proofs of a certificate about a model or about formulas.

use std::path::{Path, PathBuf};

use anyhow::bail;
use kermode::base::quoting::escape_controls;
use kermode::certificate::{self, Certificate, Claim, ClaimKind, Proof, Subject as About};
use kermode::ltl::{BinaryOp, Formula, Node, Store};
use kermode::smv::SmvModel;
use kermode::smv::encoding::StaticOrder;
use kermode::solve::certify::{formula_claim, verify_formula, verify_model};
use kermode::solve::question::unknown;
use kermode::solve::{Budget, Limits, Stop};
use serde_json::{Map, Value, json};

use crate::args::{ModelSource, Verify};
use crate::case::{Case, Subject};
use crate::deadline::{Before, Interrupts, in_time, or_end};
use crate::decide::{FormulaInput, read_cases};
use crate::input::Text;
use crate::model_source;
use crate::report::{self as printed, case_json, print_line, print_refusal};
use crate::status::Status;

pub(crate) fn run(args: &Verify) -> anyhow::Result<Status> {
    let interrupts = Interrupts::new()?;
    let budget = interrupts.budget(args.budgeting.limits());
    let say = |stop: &Stop| printed::stopped("verify", args.output.json, stop);
    let input = or_end(&budget, &interrupts, say, || read(args, &budget))?;
    let Some(input) = input else { return Ok(Status::Bad) };
    let session = VerifySession { args, interrupts: &interrupts, first: budget.left() };
    match input {
        Input::Model(model, certificate) => session.model(&model, &certificate),
        Input::Formulas(store, cases, certificate) => session.formulas(store, &cases, &certificate),
    }
}

/// What is judged.
enum Input {
    Model(Box<SmvModel>, Certificate),
    Formulas(Store, Vec<Case>, Certificate),
}

/// Reads the certificate, and the model or the formulas. Errors are reported here.
fn read(args: &Verify, budget: &Budget) -> anyhow::Result<Option<Input>> {
    let (subject, file) = match &args.certificate {
        Some(file) => (Some(args.subject.as_str()), file.clone()),
        None => (None, PathBuf::from(&args.subject)),
    };
    let Some(certificate) = read_certificate(args, &file, budget)? else { return Ok(None) };
    match (certificate.subject, subject) {
        (About::Model, Some(model)) if args.file.is_empty() => {
            let (model, definitions) = (PathBuf::from(model), args.definitions.clone());
            let order = StaticOrder::default();
            let source = ModelSource { model, definitions, order, order_file: None };
            let read = model_source::read(&source, ("verify", args.output.json), budget)?;
            Ok(read.map(|(_, model)| Input::Model(Box::new(model), certificate)))
        }
        (About::Model, _) => bail!("`{}` is about a model: give its file", file.display()),
        (About::Formula, formula) => {
            if !args.definitions.is_empty() {
                bail!("`{}` is about formulas, and `-D` about a model", file.display());
            }
            let mut store = Store::new();
            let input = FormulaInput {
                formula,
                files: &args.file,
                whole: args.whole,
                each: args.each,
                conjoin: args.conjoin,
                reading: args.reading,
                assuming: &args.assuming,
            };
            match read_cases(&mut store, &input, budget)? {
                Ok(read) => Ok(Some(Input::Formulas(store, read.cases, certificate))),
                Err(error) => {
                    if args.output.json {
                        print_refusal("verify", error.as_ref())?;
                    }
                    Ok(None)
                }
            }
        }
    }
}

fn read_certificate(
    args: &Verify,
    file: &Path,
    budget: &Budget,
) -> anyhow::Result<Option<Certificate>> {
    let text = Text::load(None, Some(file), budget)?;
    match certificate::read(&text.text, &mut || budget.check())? {
        Ok(certificate) => Ok(Some(certificate)),
        Err(diagnostic) => {
            let all = [diagnostic];
            printed::diagnostics(text.source(), &all);
            if args.output.json {
                print_refusal("verify", text.first_error(&all).as_ref())?;
            }
            Ok(None)
        }
    }
}

/// A verdict, or the stop of its budget.
type Judged = Result<Result<(), String>, Stop>;

struct VerifySession<'v> {
    args: &'v Verify,
    interrupts: &'v Interrupts,
    /// What reading has left for the first proof. Each further one has the whole budget.
    first: Limits,
}

impl VerifySession<'_> {
    /// Judges all proofs about a model.
    fn model(&self, model: &SmvModel, certificate: &Certificate) -> anyhow::Result<Status> {
        let mut status = Status::Yes;
        let count = certificate.proofs.len();
        for (place, proof) in certificate.proofs.iter().enumerate() {
            let label = claim_label(&proof.claim, model);
            let fields = claim_json(&proof.claim);
            let before = Before { status, is_last: place + 1 == count };
            let one = self.judged(place, before, (Some(label), fields), |budget| {
                verify_model(model, proof, budget)
            })?;
            status = Status::of_all([status, one]);
        }
        let is_declared = |number: usize| {
            certificate.proofs.iter().any(|proof| proof.claim.number == Some(number))
        };
        let missing = (1..=model.flat.properties.len()).filter(|&n| !is_declared(n)).count();
        if missing > 0 && count > 0 {
            let many = if missing == 1 { "specification has" } else { "specifications have" };
            printed::complain(&format!("note: {missing} {many} no proof in the certificate\n"));
        }
        match count {
            0 => self.without_proof((None, Map::new()), "the certificate has no proof"),
            _ => Ok(status),
        }
    }

    /// Judges the proofs about formulas, one after the other.
    fn formulas(
        &self,
        mut store: Store,
        cases: &[Case],
        certificate: &Certificate,
    ) -> anyhow::Result<Status> {
        let mut status = Status::Yes;
        for (place, case) in cases.iter().enumerate() {
            let before = Before { status, is_last: place + 1 == cases.len() };
            let one = match &case.subject {
                Subject::Formulas { reading, .. } => {
                    let formula = asked(&mut store, case);
                    let claim = formula.and_then(|f| formula_claim(&store, f, reading.words()));
                    let shown = (case.label.clone(), case_json("verify", case));
                    self.formula((&store, formula), claim, certificate, (place, before), shown)?
                }
                _ => Status::Bad,
            };
            status = Status::of_all([status, one]);
        }
        Ok(status)
    }

    fn formula(
        &self,
        (store, formula): (&Store, Option<Formula>),
        claim: Option<Claim>,
        certificate: &Certificate,
        (place, before): (usize, Before),
        shown: (Option<String>, Map<String, Value>),
    ) -> anyhow::Result<Status> {
        let proof = claim.and_then(|claim| {
            certificate.proofs.iter().find(|proof: &&Proof| proof.claim == claim)
        });
        match (proof, formula) {
            (Some(proof), Some(formula)) => self.judged(place, before, shown, |budget| {
                verify_formula((store, formula), proof, budget)
            }),
            _ => self.without_proof(shown, "the certificate has no proof about this formula"),
        }
    }

    fn without_proof(
        &self,
        (label, fields): (Option<String>, Map<String, Value>),
        why: &str,
    ) -> anyhow::Result<Status> {
        self.show(label.as_deref(), fields, &Ok(Err(why.to_owned())))
    }

    /// Judges a proof and shows the verdict.
    fn judged(
        &self,
        place: usize,
        before: Before,
        (label, fields): (Option<String>, Map<String, Value>),
        judge: impl FnOnce(&Budget) -> Judged,
    ) -> anyhow::Result<Status> {
        let limits = if place == 0 { self.first } else { self.args.budgeting.limits() };
        let budget = self.interrupts.budget(limits);
        let late = |stop| {
            let status = self.show(label.as_deref(), fields.clone(), &Err(stop))?;
            before.end_if_due(self.interrupts, status);
            Ok(status)
        };
        match in_time(|| judge(&budget), &budget, self.interrupts, late) {
            Ok(judged) => self.show(label.as_deref(), fields.clone(), &judged),
            Err(shown) => shown,
        }
    }

    fn show(
        &self,
        label: Option<&str>,
        mut fields: Map<String, Value>,
        judged: &Judged,
    ) -> anyhow::Result<Status> {
        let (status, verdict, why) = match judged {
            Ok(Ok(())) => (Status::Yes, "verified", None),
            Ok(Err(why)) => (Status::No, "refused", Some(why.clone())),
            Err(stop) => (Status::Unknown, "unknown", Some(stop.to_string())),
        };
        let output = self.args.output;
        if output.json {
            fields.entry("command").or_insert_with(|| json!("verify"));
            fields.insert("verdict".to_owned(), json!(verdict));
            if let Some(why) = why {
                fields.insert("reason".to_owned(), json!(why));
            }
            print_line(&Value::Object(fields).to_string())?;
            return Ok(status);
        }
        let line = match judged {
            Err(stop) => unknown(stop),
            _ => verdict.to_owned(),
        };
        match label {
            Some(label) if !output.quiet => {
                print_line(&format!("{}: {line}", escape_controls(label)))?;
            }
            _ => print_line(&line)?,
        }
        if let (Ok(Err(why)), false) = (judged, output.quiet) {
            print_line(&format!("  {}", escape_controls(why)))?;
        }
        Ok(status)
    }
}

/// The formula of a case with its assumptions.
pub(crate) fn asked(store: &mut Store, case: &Case) -> Option<Formula> {
    let formula = case.formula()?;
    let both = |all, one: &Formula| store.intern(Node::Binary(BinaryOp::And, all, *one));
    Some(case.assumptions.iter().fold(formula, both))
}

/// How verdict lines call a claim about a model.
fn claim_label(claim: &Claim, model: &SmvModel) -> String {
    let place = claim.number.and_then(|number| number.checked_sub(1));
    let property = place.and_then(|place| model.flat.properties.get(place));
    let text = match property.map(|property| property.instance.as_str()) {
        None | Some("") => claim.text.clone(),
        Some(instance) => format!("{} IN {instance}", claim.text),
    };
    let what = match claim.kind {
        ClaimKind::Ltl => format!("LTLSPEC {text}"),
        ClaimKind::FiniteLtl => format!("LTLSPEC {text} over finite paths"),
        ClaimKind::MaximalLtl => format!("LTLSPEC {text} over maximal finite paths"),
        ClaimKind::Invariant => format!("INVARSPEC {text}"),
        ClaimKind::Deadlock => "no dead end is reachable".to_owned(),
        ClaimKind::Formula | ClaimKind::FiniteFormula => claim.text.clone(),
    };
    match claim.assumptions.as_slice() {
        [] => what,
        assumed => format!("{what}, assuming {}", assumed.join(" and ")),
    }
}

fn claim_json(claim: &Claim) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("command".to_owned(), json!("verify"));
    object.insert("claim".to_owned(), json!(claim.kind.name()));
    if let Some(number) = claim.number {
        object.insert("number".to_owned(), json!(number));
    }
    object.insert("formula".to_owned(), json!(claim.text));
    if !claim.assumptions.is_empty() {
        object.insert("assume".to_owned(), json!(claim.assumptions));
    }
    object
}
