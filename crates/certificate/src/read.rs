//! The reader of certificates.
//!
//! The text is read line by line. Blank lines and lines that begin with `#` are skipped. A reader
//! checks the form only: that every set exists and comes after the sets it is built from. What the
//! bits and constraints mean is up to the [judge](crate::judge).

use std::ops::Range;
use std::str::FromStr;

use kermode_base::Diagnostic;
use kermode_base::quoting::unescaped;
use kermode_ltl::Dialect;

use crate::certificate::{
    Argument, BitName, Certificate, Claim, ClaimKind, JusticeName, Node, Place, Proof, Round,
    SetId, Subject,
};

/// The first words of a certificate.
const MAGIC: &str = "kermode certificate 1 ";

/// Reads a certificate. `interrupt` is called once per line.
///
/// # Errors
/// The first error of the text, with its place, or that of `interrupt`.
pub fn read<E>(
    text: &str,
    interrupt: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Certificate, Diagnostic>, E> {
    let mut lines = Lines { text, next: 0, stopped: None, interrupt };
    let read = certificate(&mut lines);
    match lines.stopped {
        Some(stop) => Err(stop),
        None => Ok(read),
    }
}

/// The lines of a text that are neither blank nor comments.
struct Lines<'t, 'i, E> {
    text: &'t str,
    /// Where the next line begins.
    next: usize,
    /// What ended the work; the lines then end, too.
    stopped: Option<E>,
    interrupt: &'i mut dyn FnMut() -> Result<(), E>,
}

/// The rest of a line, and where it begins.
#[derive(Clone, Copy)]
struct Rest<'t> {
    text: &'t str,
    start: usize,
}

impl<'t, E> Lines<'t, '_, E> {
    /// The next line, if there is one.
    fn next(&mut self) -> Option<Rest<'t>> {
        while self.next < self.text.len() && self.stopped.is_none() {
            self.stopped = (self.interrupt)().err();
            let start = self.next;
            let rest = &self.text[start..];
            let length = rest.find('\n').unwrap_or(rest.len());
            self.next = start + length + 1;
            let indented = rest[..length].trim_end();
            let line = indented.trim_start();
            if !line.is_empty() && !line.starts_with('#') {
                return Some(Rest { text: line, start: start + indented.len() - line.len() });
            }
        }
        None
    }

    /// The next line, where one must be.
    fn expect(&mut self, what: &str) -> Result<Rest<'t>, Diagnostic> {
        let end = self.text.len();
        self.next().ok_or_else(|| wrong(end..end, format!("expected {what}, found the end")))
    }
}

fn wrong(span: Range<usize>, message: String) -> Diagnostic {
    Diagnostic::error(span, message)
}

impl<'t> Rest<'t> {
    fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn expected(self, what: &str) -> Diagnostic {
        let found = if self.text.is_empty() { "the end of the line" } else { "something else" };
        wrong(self.span(), format!("expected {what}, found {found}")).label(format!("{what} here"))
    }

    /// The rest behind a word, if the line goes on with it.
    fn after(self, word: &str) -> Option<Rest<'t>> {
        let text = self.text.strip_prefix(word)?;
        let trimmed = text.trim_start();
        let start = self.start + self.text.len() - trimmed.len();
        (text.len() != trimmed.len() || text.is_empty()).then_some(Rest { text: trimmed, start })
    }

    /// The next word.
    fn word(self) -> &'t str {
        self.text.split_whitespace().next().unwrap_or_default()
    }

    /// A number, and the rest behind it.
    fn number<N: FromStr>(self, what: &str) -> Result<(N, Rest<'t>), Diagnostic> {
        let word = self.word();
        let is_decimal = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let number = word.parse().ok().filter(|_| is_decimal);
        let place = Rest { text: word, start: self.start };
        let number = number.ok_or_else(|| place.expected(what))?;
        Ok((number, self.after(word).expect("a line goes on behind its first word")))
    }

    /// A text between quotation marks, at the end of the line.
    fn quoted(self) -> Result<String, Diagnostic> {
        let inside = self.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let inside = inside.filter(|inside| {
            let mut escaped = false;
            let free = |c: char| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                !ends
            };
            inside.chars().all(free) && !escaped
        });
        inside.map(unescaped).ok_or_else(|| self.expected("a text between quotation marks"))
    }

    /// The value, if the line ends here.
    fn end<T>(self, value: T) -> Result<T, Diagnostic> {
        if self.text.is_empty() { Ok(value) } else { Err(self.expected("the end of the line")) }
    }

    /// The only number of a line.
    fn only<N: FromStr>(self, what: &str) -> Result<N, Diagnostic> {
        let (number, rest) = self.number(what)?;
        rest.end(number)
    }
}

fn certificate<E>(lines: &mut Lines<E>) -> Result<Certificate, Diagnostic> {
    let first = lines.expect("`kermode certificate 1`")?;
    let subject = match first.text.strip_prefix(MAGIC) {
        Some("model") => Subject::Model,
        Some("formula") => Subject::Formula,
        _ => {
            return Err(
                first.expected("`kermode certificate 1 model` or `kermode certificate 1 formula`")
            );
        }
    };
    let mut proofs = Vec::new();
    while let Some(line) = lines.next() {
        proofs.push(proof(lines, line, subject)?);
    }
    Ok(Certificate { subject, proofs })
}

fn proof<E>(lines: &mut Lines<E>, first: Rest, subject: Subject) -> Result<Proof, Diagnostic> {
    let name = first.after("proof").ok_or_else(|| first.expected("`proof`"))?;
    let mut kinds = ClaimKind::ALL.into_iter().filter(|kind| kind.subject() == subject);
    let kind = kinds.find(|kind| kind.name() == name.text);
    let kind = kind.ok_or_else(|| name.expected("a kind of claim about the subject"))?;
    let (claim, line) = claim(lines, kind)?;
    let count = line.after("bits").ok_or_else(|| line.expected("`bits`"))?;
    let bits = bits(lines, count.only("the number of bits")?)?;
    let line = lines.expect("`nodes`")?;
    let count = line.after("nodes").ok_or_else(|| line.expected("`nodes`"))?;
    let nodes = nodes(lines, count.only("the number of nodes")?, bits.len())?;
    let argument = argument(lines, nodes.len() + 2)?;
    Ok(Proof { claim, bits, nodes, argument })
}

/// The claim, and the line behind it.
fn claim<'t, E>(
    lines: &mut Lines<'t, '_, E>,
    kind: ClaimKind,
) -> Result<(Claim, Rest<'t>), Diagnostic> {
    let mut claim =
        Claim { kind, number: None, syntax: None, text: String::new(), assumptions: Vec::new() };
    let mut line = lines.expect("`text`")?;
    if let Some(rest) = line.after("property") {
        claim.number = Some(rest.only("the number of a specification")?);
        line = lines.expect("`text`")?;
    }
    if let Some(rest) = line.after("syntax") {
        let dialect = Dialect::ALL.into_iter().find(|dialect| dialect.name() == rest.text);
        claim.syntax = Some(dialect.ok_or_else(|| rest.expected("a dialect"))?);
        line = lines.expect("`text`")?;
    }
    claim.text = line.after("text").ok_or_else(|| line.expected("`text`"))?.quoted()?;
    line = lines.expect("`bits`")?;
    while let Some(rest) = line.after("assume") {
        claim.assumptions.push(rest.quoted()?);
        line = lines.expect("`bits`")?;
    }
    Ok((claim, line))
}

fn bits<E>(lines: &mut Lines<E>, count: usize) -> Result<Vec<BitName>, Diagnostic> {
    let mut bits = Vec::new();
    while bits.len() < count {
        let line = lines.expect("the name of a bit")?;
        let place = |rest: Rest| {
            let (subformula, rest) = rest.number("the number of a subformula")?;
            Ok(Place { subformula, bit: rest.only("the number of a bit")? })
        };
        let kind = line.word();
        let rest = line.after(kind).unwrap_or(line);
        bits.push(match kind {
            "variable" => {
                let (bit, rest) = rest.number("the number of a bit")?;
                BitName::Variable { bit, name: rest.quoted()? }
            }
            "next" => BitName::Next(place(rest)?),
            "past" => BitName::Past(place(rest)?),
            "step" => BitName::Step { subformula: rest.only("the number of a subformula")? },
            "ended" => BitName::Ended { compassion: rest.only("the number of a constraint")? },
            _ => return Err(line.expected("the name of a bit")),
        });
    }
    Ok(bits)
}

fn nodes<E>(lines: &mut Lines<E>, count: usize, bits: usize) -> Result<Vec<Node>, Diagnostic> {
    let mut nodes: Vec<Node> = Vec::new();
    while nodes.len() < count {
        let line = lines.expect("a node")?;
        let (bit, rest) = line.number::<u32>("the number of a bit")?;
        if bit as usize >= bits {
            return Err(line.expected("a bit that is listed"));
        }
        let (low, rest) = set(rest, nodes.len() + 2)?;
        let (high, rest) = set(rest, nodes.len() + 2)?;
        nodes.push(rest.end(Node { bit, low, high })?);
    }
    Ok(nodes)
}

/// A set that is known when this many are.
fn set(rest: Rest<'_>, known: usize) -> Result<(SetId, Rest<'_>), Diagnostic> {
    let (set, behind) = rest.number::<SetId>("the number of a set")?;
    match (set as usize) < known {
        true => Ok((set, behind)),
        false => {
            let place = Rest { text: rest.word(), start: rest.start };
            Err(place.expected("a set that is built above"))
        }
    }
}

fn argument<E>(lines: &mut Lines<E>, known: usize) -> Result<Argument, Diagnostic> {
    let line = lines.expect("`start` or `set`")?;
    if let Some(rest) = line.after("set") {
        let (inductive, rest) = set(rest, known)?;
        rest.end(())?;
        let last = lines.expect("`end`")?;
        let last = last.after("end").ok_or_else(|| last.expected("`end`"))?;
        return last.end(Argument::Inductive(inductive));
    }
    let rest = line.after("start").ok_or_else(|| line.expected("`start` or `set`"))?;
    let (start, rest) = set(rest, known)?;
    rest.end(())?;
    let mut rounds = Vec::new();
    loop {
        let line = lines.expect("`by` or `end`")?;
        if let Some(rest) = line.after("end") {
            return rest.end(Argument::NoFairPath { start, rounds });
        }
        rounds.push(round(line.after("by").ok_or_else(|| line.expected("`by` or `end`"))?, known)?);
    }
}

fn round(line: Rest, known: usize) -> Result<Round, Diagnostic> {
    let numbered = |name: fn(u32) -> JusticeName| {
        let (number, rest) =
            line.after(line.word()).unwrap_or(line).number("the number of a constraint")?;
        Ok((name(number), rest))
    };
    let (justice, rest) = match line.word() {
        "always" => (JusticeName::Always, line.after("always").unwrap_or(line)),
        "model" => numbered(JusticeName::Model)?,
        "compassion" => numbered(JusticeName::Compassion)?,
        "formula" => numbered(JusticeName::Formula)?,
        _ => return Err(line.expected("a justice constraint")),
    };
    let rest = rest.after("reach").ok_or_else(|| rest.expected("`reach`"))?;
    let (reach, rest) = set(rest, known)?;
    let rest = rest.after("left").ok_or_else(|| rest.expected("`left`"))?;
    let (left, rest) = set(rest, known)?;
    rest.end(Round { justice, reach, left })
}
