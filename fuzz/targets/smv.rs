//! Models in the SMV language: the reader does not panic, findings point into the text and can be
//! rendered, a text without errors gives a tree whose operands come first, and expressions read
//! alone are read in a model too. Flattening, checks and encoding do not panic either, and the
//! printed flat model is accepted.

#![no_main]

use kermode_base::{Diagnostic, Severity, Source};
use kermode_smv::syntax::{
    Expression, ExpressionKind, File, Item, ReadOptions, parse, parse_expression,
};
use kermode_smv::encoding::Limits;
use kermode_smv::print::flat_text;
use kermode_smv::{SmvModel, Unusable};
use libfuzzer_sys::fuzz_target;

fn inspect(text: &str, findings: &[Diagnostic], file: &File) {
    for finding in findings {
        assert!(text.get(finding.span.clone()).is_some() && !finding.message.is_empty());
        let is_error = finding.severity == Severity::Error;
        let explained = !finding.label.is_empty() || finding.help.is_some();
        assert!(!is_error || explained, "{finding:?}");
    }
    Source { name: "fuzz", text }.render_mapped(findings, &file.lines);
}

fn check(file: &File, expression: Expression) {
    assert!(expression.first <= expression.root && expression.root.index() < file.nodes.len());
}

/// The whole way to the bits, with a limit on the work.
fn flatten_and_encode(text: &str, options: &ReadOptions) {
    let mut left = 20_000;
    let mut interrupt = || {
        left -= 1;
        if left > 0 { Ok(()) } else { Err(()) }
    };
    let limits = Limits { memory: 1 << 22 };
    match SmvModel::read(text, options, &limits, &mut interrupt) {
        Err(Unusable::Stopped(())) => {}
        Err(Unusable::Wrong(findings)) => inspect(text, &findings, &File::default()),
        Ok(model) => {
            inspect(text, &model.warnings, model.file());
            let printed = flat_text(&model.flat);
            let again = SmvModel::read(&printed, &ReadOptions::default(), &limits, &mut interrupt);
            if let Err(Unusable::Wrong(findings)) = again {
                panic!("{findings:?}\n{printed}");
            }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut options = ReadOptions::default();
    options.define("N=-3").expect("a definition");
    let parsed = parse(text, &options);
    inspect(text, &parsed.diagnostics, &parsed.file);
    assert_eq!(parsed.file.nodes.len(), parsed.file.spans.len());
    if !parsed.has_errors() {
        assert!(!parsed.file.modules.is_empty());
        for item in parsed.file.modules.iter().flat_map(|module| &module.items) {
            match item {
                Item::Define { body, .. } => check(&parsed.file, *body),
                Item::Assignment { target, value, .. } => {
                    check(&parsed.file, *target);
                    check(&parsed.file, *value);
                }
                Item::Constraint { condition, .. } => check(&parsed.file, *condition),
                _ => {}
            }
        }
    }
    if !parsed.has_errors() {
        flatten_and_encode(text, &options);
    }
    let mut file = parsed.file;
    let kinds = [ExpressionKind::Simple, ExpressionKind::Next, ExpressionKind::Ctl, ExpressionKind::Ltl];
    for (kind, section) in kinds.into_iter().zip(["INIT", "TRANS", "SPEC", "LTLSPEC"]) {
        match parse_expression(text, kind, &ReadOptions::default(), &mut file) {
            Ok(expression) => {
                check(&file, expression);
                let model = format!("MODULE main\n{section}\n{text}\n");
                let again = parse(&model, &ReadOptions::default());
                assert!(!again.has_errors(), "{:?}", again.diagnostics);
            }
            Err(errors) => {
                assert!(errors.iter().any(|error| error.severity == Severity::Error));
                inspect(text, &errors, &File::default());
            }
        }
    }
});
