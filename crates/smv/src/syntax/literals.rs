//! Integer and word literals.

use kermode_base::Diagnostic;

use super::hints;
use super::lexer::continues_identifier;
use super::tree::WordLiteral;

/// The largest integer literal.
const LARGEST_INTEGER: u64 = i32::MAX as u64;
/// The largest width of a word.
const LARGEST_WIDTH: u32 = 64;

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Literal {
    Integer(u32),
    Word(WordLiteral),
}

/// Reads the literal at the beginning of a text that begins with a digit. Gives its length too.
pub(super) fn read(text: &str) -> (usize, Result<Literal, Diagnostic>) {
    let bytes = text.as_bytes();
    if bytes[0] == b'0'
        && let Some(shape) = WordShape::of(bytes)
    {
        return (shape.length, word(&text[..shape.length], &shape).map(Literal::Word));
    }
    let digits = count_digits(bytes);
    let length = real_length(bytes, digits);
    if length > digits {
        return (length, Err(hints::real(&text[..length], 0)));
    }
    let mut value = 0_u64;
    for digit in &bytes[..digits] {
        value = (value * 10 + u64::from(digit - b'0')).min(LARGEST_INTEGER + 1);
    }
    if value > LARGEST_INTEGER {
        let error = Diagnostic::error(0..digits, "this integer is too large")
            .label(format!("the largest integer is {LARGEST_INTEGER}"))
            .help("use a word, such as `0ud40_5000000000`, for larger numbers");
        return (digits, Err(error));
    }
    (digits, Ok(Literal::Integer(value as u32)))
}

fn count_digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The length of a number with a fraction or an exponent that begins with this many digits; the
/// number of digits if there is neither.
fn real_length(bytes: &[u8], digits: usize) -> usize {
    let mut length = digits;
    if bytes.get(length) == Some(&b'.') {
        match count_digits(&bytes[length + 1..]) {
            0 => return digits,
            fraction => length += 1 + fraction,
        }
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        match bytes.get(length + 1 + sign..).map_or(0, count_digits) {
            0 => {}
            exponent => length += 1 + sign + exponent,
        }
    }
    length
}

/// The parts of `0sd8_12`.
struct WordShape {
    signed: bool,
    /// The base letter, in lower case.
    base: u8,
    /// Where the digits of the width begin and end.
    width: (usize, usize),
    length: usize,
}

impl WordShape {
    /// The parts of the word literal with which a text begins, if it begins with one.
    fn of(bytes: &[u8]) -> Option<WordShape> {
        let mut at = 1;
        let signed = bytes.get(at) == Some(&b's');
        if matches!(bytes.get(at), Some(b'u' | b's')) {
            at += 1;
        }
        let base = bytes.get(at)?.to_ascii_lowercase();
        if !matches!(base, b'b' | b'o' | b'd' | b'h') {
            return None;
        }
        let width = (at + 1, at + 1 + count_digits(&bytes[at + 1..]));
        if bytes.get(width.1) != Some(&b'_') || !bytes.get(width.1 + 1)?.is_ascii_hexdigit() {
            return None;
        }
        let digits = bytes[width.1..].iter();
        let length = digits.take_while(|byte| byte.is_ascii_hexdigit() || **byte == b'_').count();
        Some(WordShape { signed, base, width, length: width.1 + length })
    }
}

/// The value of a word literal.
fn word(text: &str, shape: &WordShape) -> Result<WordLiteral, Diagnostic> {
    let (radix, bits_per_digit) = match shape.base {
        b'b' => (2, 1),
        b'o' => (8, 3),
        b'h' => (16, 4),
        _ => (10, 0),
    };
    let all = 0..text.len();
    let (width_start, width_end) = shape.width;
    let mut value = Some(0_u64);
    let mut count = 0_u32;
    for (at, digit) in text.bytes().enumerate().skip(width_end + 1) {
        if digit == b'_' {
            continue;
        }
        let Some(digit) = (digit as char).to_digit(radix) else {
            let message = format!("`{}` is no digit of base {radix}", digit as char);
            return Err(Diagnostic::error(at..at + 1, message)
                .label(format!("in the word `{text}`"))
                .help("the letter before the width is the base: b (2), o (8), d (10), h (16)"));
        };
        count = count.saturating_add(1);
        value = value
            .and_then(|value| value.checked_mul(u64::from(radix)))
            .and_then(|value| value.checked_add(u64::from(digit)));
    }
    let width = match (width_end - width_start, bits_per_digit) {
        (0, 0) => {
            return Err(Diagnostic::error(all, "a decimal word needs a width")
                .label("the number of bits is missing before `_`")
                .help(format!(
                    "write for example `{}8{}`",
                    &text[..width_start],
                    &text[width_end..]
                )));
        }
        (0, bits) => count.saturating_mul(bits),
        _ => text[width_start..width_end].parse().unwrap_or(u32::MAX),
    };
    if width == 0 || width > LARGEST_WIDTH {
        return Err(Diagnostic::error(all, "the width of this word is out of range")
            .label(format!("a word has 1 to {LARGEST_WIDTH} bits")));
    }
    let mask = u64::MAX >> (LARGEST_WIDTH - width);
    let decimal_sign = shape.signed && shape.base == b'd';
    let largest = if decimal_sign { 1 << (width - 1) } else { mask };
    match value {
        Some(bits) if bits <= largest => {
            Ok(WordLiteral { width: width as u8, signed: shape.signed, bits })
        }
        _ => Err(Diagnostic::error(all, "the value of this word does not fit its width")
            .label(format!("the largest value of {width} bits is {largest}"))
            .help("make the width larger")),
    }
}

/// Whether a text looks like a word literal without its underscore, such as `0ud8`.
pub(super) fn resembles_word(name: &str) -> bool {
    let rest = name.strip_prefix(['u', 's']).unwrap_or(name);
    let mut bytes = rest.bytes();
    matches!(bytes.next(), Some(b'b' | b'o' | b'd' | b'h' | b'B' | b'O' | b'D' | b'H' | b'x'))
        && bytes.all(continues_identifier)
}
