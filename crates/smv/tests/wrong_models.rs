//! The models in `wrong/`, each with one mistake: they are refused at the line that their first line
//! names. NuSMV 2.6 refuses all of them.

use std::convert::Infallible;
use std::fs;
use std::path::Path;

use kermode_base::{Severity, Source};
use kermode_smv::{ReadOptions, SmvModel, Unusable};

#[test]
fn each_mistake_is_refused_in_its_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut models = 0;
    let mut problems = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        let text = fs::read_to_string(&path).expect("the model is there");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let expected = expected_line(&text).expect("the first line names the line of the error");
        match first_error(&text) {
            Some((line, _)) if line == expected => {}
            Some((line, message)) => {
                problems.push(format!("{name}: line {line} instead of {expected}: {message}"));
            }
            None => problems.push(format!("{name}: accepted")),
        }
        models += 1;
    }
    assert!(models >= 80, "only {models} models");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The number in the first line, which ends with `Error in line 3.`
fn expected_line(text: &str) -> Option<usize> {
    let first = text.lines().next()?;
    first.rsplit("Error in line ").next()?.trim_end_matches('.').parse().ok()
}

/// The line and the message of the first error.
fn first_error(text: &str) -> Option<(usize, String)> {
    let (options, limits) = (ReadOptions::default(), Default::default());
    match SmvModel::read::<Infallible>(text, &options, &limits, &mut || Ok(())) {
        Ok(_) => None,
        Err(Unusable::Stopped(never)) => match never {},
        Err(Unusable::Wrong(diagnostics)) => {
            let error = diagnostics.into_iter().find(|found| found.severity == Severity::Error)?;
            let source = Source { name: "", text };
            Some((source.line_and_column(error.span.start).0, error.message))
        }
    }
}
