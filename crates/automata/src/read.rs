//! Automata from texts: one in ALASKA's syntax, or a stream in the HOA format, recognised by the
//! beginning of the text.

use std::ops::Range;

use kermode_base::Diagnostic;
use kermode_ltl::Store;

use crate::alaska;
use crate::automaton::Automaton;
use crate::hoa;

/// An automaton of a text, or its errors.
#[derive(Clone, Debug)]
pub struct ReadAutomaton {
    /// The name in the text.
    pub name: Option<String>,
    /// The place of its text, or of the first error.
    pub span: Range<usize>,
    /// The automaton, or the errors in its text.
    pub automaton: Result<Automaton, Vec<Diagnostic>>,
    /// Warnings about a text that could be read.
    pub warnings: Vec<Diagnostic>,
}

impl ReadAutomaton {
    fn refused(errors: Vec<Diagnostic>) -> ReadAutomaton {
        let span = errors.first().map_or(0..0, |error| error.span.clone());
        ReadAutomaton { name: None, span, automaton: Err(errors), warnings: Vec::new() }
    }
}

/// Reads all automata of a text. Their propositions become propositions of the store.
pub fn read_automata<E>(
    store: &mut Store,
    text: &str,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<ReadAutomaton>, E> {
    let begins = |mark: &str| text.trim_start().starts_with(mark);
    if !["HOA:", "/*", "--ABORT--"].into_iter().any(begins) {
        return Ok(vec![match alaska::read(store, text) {
            Ok(automaton) => ReadAutomaton {
                name: None,
                span: 0..text.len(),
                automaton: Ok(automaton.into()),
                warnings: Vec::new(),
            },
            // The whole text is one automaton, which begins where that does.
            Err(errors) => ReadAutomaton { span: 0..text.len(), ..ReadAutomaton::refused(errors) },
        }]);
    }
    let automata = hoa::read_unless(store, text, interrupt)?.into_iter();
    Ok(automata
        .map(|automaton| match automaton {
            Ok(hoa) => ReadAutomaton {
                name: hoa.name,
                span: hoa.span,
                automaton: Ok(hoa.automaton),
                warnings: hoa.warnings,
            },
            Err(errors) => ReadAutomaton::refused(errors),
        })
        .collect())
}
