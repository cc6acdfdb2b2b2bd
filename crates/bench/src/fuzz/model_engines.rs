//! What engines can be wrong about: the verdicts and traces of the properties of a random model.
//!
//! Every engine decides every property that it supports, on the same model. Their verdicts must
//! agree with each other and, if the model is small, with the explicit judge, which shares no code
//! with the encoding. Traces are replayed by the interpreter and by the semantics before they leave
//! the check layer, so a wrong trace is an error of its engine.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kermode_smv::judge::{Limits as JudgeLimits, verdict};
use kermode_solve::check::{
    CheckSettings, CheckVerdict, CheckWorker, Checker, Property, PropertyRequest,
};
use kermode_solve::{
    Accepts, Budget, Cancellation, ENGINES, EngineSpec, Limits, Silent, Stop, panic_message,
};

use super::models::{ModelFault, read};

/// The judge does not explore models with more states or steps.
const JUDGED: JudgeLimits = JudgeLimits { states: 2_000, steps: 100_000 };
/// The name of the judge among the engines.
const JUDGE: &str = "the judge";

/// All engines that decide properties of models.
pub fn checking_engines() -> Vec<EngineSpec> {
    let decides = |accepts: Accepts| accepts.models || accepts.targets || accepts.ctl;
    let engines = ENGINES.iter().filter(|engine| decides(engine.accepts));
    engines.map(|engine| engine.name.parse().expect("a name of the table")).collect()
}

/// What the engines are wrong about, if anything.
///
/// # Errors
/// If the work is cancelled.
pub(crate) fn engine_fault(
    text: &str,
    engines: &[EngineSpec],
    limits: Limits,
    cancellation: &Cancellation,
) -> Result<Option<ModelFault>, Stop> {
    let find = || unguarded_fault(text, engines, limits, cancellation);
    catch_unwind(AssertUnwindSafe(find))
        .unwrap_or_else(|panic| Ok(Some(ModelFault::Panic(panic_message(&*panic)))))
}

fn unguarded_fault(
    text: &str,
    engines: &[EngineSpec],
    limits: Limits,
    cancellation: &Cancellation,
) -> Result<Option<ModelFault>, Stop> {
    let budget = || Budget::new(limits, cancellation.clone());
    let model = match read(text, &budget())? {
        Ok(model) => model,
        Err(message) => return Ok(Some(ModelFault::Refused(message))),
    };
    let flat = model.flat.clone();
    let requests = [PropertyRequest::Declared, PropertyRequest::Deadlock];
    let Ok(checker) = Checker::new(model, &requests, &[], None, &budget()) else {
        return Err(Stop::Timeout);
    };
    for property in checker.properties() {
        let mut said: Vec<(String, bool)> = Vec::new();
        let mut judge = || budget().check();
        let declared = property.number.map(|number| &flat.properties[number - 1]);
        if let Some(Ok(judged)) = declared.map(|p| verdict(&flat, p, JUDGED, &mut judge))
            && let Some(holds) = judged.holds()
        {
            said.push((JUDGE.to_owned(), holds));
        }
        for engine in engines {
            cancellation.is_cancelled().then_some(Stop::Cancelled).map_or(Ok(()), Err)?;
            match decided(&checker, property, engine, &budget()) {
                Ok(Some(holds)) => said.push((engine.to_string(), holds)),
                Ok(None) => {}
                Err(message) => {
                    let (engine, label) = (engine.to_string(), property.label());
                    let message = format!("{label}: {message}");
                    return Ok(Some(ModelFault::Engine { engine, message }));
                }
            }
        }
        if let Some(fault) = disagreement(property, &said) {
            return Ok(Some(fault));
        }
    }
    Ok(None)
}

/// Whether an engine says that a property holds; nothing if it says nothing.
fn decided(
    checker: &Checker,
    property: &Property,
    engine: &EngineSpec,
    budget: &Budget,
) -> Result<Option<bool>, String> {
    let settings = CheckSettings { engines: vec![engine.clone()], ..CheckSettings::default() };
    let worker = CheckWorker::new(checker, &settings);
    let outcome = worker.check(property, budget, &mut Silent::default());
    match outcome.result {
        Ok(CheckVerdict::Holds) => Ok(Some(true)),
        Ok(CheckVerdict::Violated(_)) => Ok(Some(false)),
        Ok(CheckVerdict::Computed(_) | CheckVerdict::Unknown(_)) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The first two that contradict each other.
fn disagreement(property: &Property, said: &[(String, bool)]) -> Option<ModelFault> {
    let first = |wanted: bool| said.iter().find(|(_, holds)| *holds == wanted);
    let ((holds, _), (violated, _)) = (first(true)?, first(false)?);
    Some(ModelFault::Verdicts {
        property: property.label(),
        holds: holds.clone(),
        violated: violated.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_of_all_kinds_of_properties_are_there() {
        let names: Vec<String> = checking_engines().iter().map(ToString::to_string).collect();
        for name in ["product:syntactic/el", "tgba:couvreur", "invariant:both", "ctl:fixpoint"] {
            assert!(names.iter().any(|known| known == name), "{names:?}");
        }
        assert!(!names.iter().any(|name| name.starts_with("reference:")), "{names:?}");
    }

    #[test]
    fn verdicts_that_differ_are_a_fault() {
        let text = "MODULE main VAR x : boolean; INVARSPEC x";
        let limits = Limits::default();
        let fault = engine_fault(text, &checking_engines(), limits, &Cancellation::new());
        assert_eq!(fault, Ok(None));
        let budget = Budget::unlimited();
        let model = read(text, &budget).expect("no limit").expect("a model");
        let checker = Checker::new(model, &[PropertyRequest::Declared], &[], None, &budget);
        let checker = checker.expect("a property");
        let property = &checker.properties()[0];
        let said = |holds: &[bool]| -> Vec<(String, bool)> {
            holds.iter().enumerate().map(|(place, &holds)| (place.to_string(), holds)).collect()
        };
        assert_eq!(disagreement(property, &said(&[true, true])), None);
        let Some(ModelFault::Verdicts { holds, violated, .. }) =
            disagreement(property, &said(&[false, false, true]))
        else {
            panic!("a fault");
        };
        assert_eq!((holds.as_str(), violated.as_str()), ("2", "0"));
    }
}
