//! The layout of generated texts: comments and long expressions are broken into lines.

/// The length of a line.
const WIDTH: usize = 100;

/// A comment: one paragraph per line of the text, broken at blanks.
pub(super) fn comment(text: &str) -> String {
    let lines = text.lines().flat_map(|line| filled(line, WIDTH - 3));
    lines.map(|line| format!("-- {line}").trim_end().to_owned() + "\n").collect()
}

/// An expression that joins others by an operator, broken before operators. Lines that follow the
/// first are indented by four blanks.
pub(super) fn joined(operator: &str, operands: impl IntoIterator<Item = String>) -> String {
    let operands: Vec<String> = operands.into_iter().collect();
    filled_by(&operands, &format!(" {operator} "), WIDTH - 24).join("\n   ")
}

/// One line of text per number from 1 to `count`.
pub(super) fn lines(count: usize, line: impl FnMut(usize) -> String) -> String {
    (1..=count).map(line).map(|line| line + "\n").collect()
}

/// The words of a text in lines of at most that length.
fn filled(text: &str, width: usize) -> Vec<String> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let lines = filled_by(&words, " ", width).into_iter();
    lines.map(|line| line.trim_start().to_owned()).collect()
}

/// The parts in lines of at most that length; separators begin lines. A longer part has its own
/// line.
fn filled_by(parts: &[String], separator: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            None => lines.push(part.clone()),
            Some(line) if line.len() + separator.len() + part.len() <= width => {
                *line = format!("{line}{separator}{part}");
            }
            Some(_) => lines.push(format!("{separator}{part}")),
        }
    }
    lines
}
