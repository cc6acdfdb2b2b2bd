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
    /// Where its propositions are declared, in their order.
    pub proposition_places: Vec<Range<usize>>,
    /// The automaton, or the errors in its text.
    pub automaton: Result<Automaton, Vec<Diagnostic>>,
    /// Warnings about a text that could be read.
    pub warnings: Vec<Diagnostic>,
}

impl ReadAutomaton {
    fn refused(errors: Vec<Diagnostic>) -> ReadAutomaton {
        let span = errors.first().map_or(0..0, |error| error.span.clone());
        ReadAutomaton {
            name: None,
            span,
            proposition_places: Vec::new(),
            automaton: Err(errors),
            warnings: Vec::new(),
        }
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
        if let Some(error) = neither_format(text) {
            return Ok(vec![ReadAutomaton::refused(vec![error])]);
        }
        return Ok(vec![match alaska::read_with_places(store, text) {
            Ok((automaton, proposition_places)) => ReadAutomaton {
                name: None,
                span: 0..text.len(),
                proposition_places,
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
                proposition_places: hoa.proposition_places,
                automaton: Ok(hoa.automaton),
                warnings: hoa.warnings,
            },
            Err(errors) => ReadAutomaton::refused(errors),
        })
        .collect())
}

/// The error of a text that begins like no automaton: an empty one, a never claim, a table of LBTT.
fn neither_format(text: &str) -> Option<Diagnostic> {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix('#') {
        rest = comment.find('\n').map_or("", |end| comment[end..].trim_start());
    }
    if rest.starts_with('(') {
        return None;
    }
    let start = text.len() - rest.len();
    let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let error = "expected an automaton in HOA or ALASKA format";
    let error = Diagnostic::error(start..start + word, error)
        .label("an automaton begins with `HOA:` or with `(automaton_type=`");
    Some(match rest.starts_with("never") || rest.starts_with(|c: char| c.is_ascii_digit()) {
        true => error.help("Spot's `autfilt` writes never claims and LBTT's format as HOA"),
        false => error,
    })
}
