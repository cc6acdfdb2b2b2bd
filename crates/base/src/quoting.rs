//! Quoted names as Kermode writes them: `"a b"`, where `\\n`, `\\r` and `\\t` are line breaks and a
//! tab, and `\\c` is `c` for every other character.

/// The character that a backslash and `c` stand for.
pub fn unescape(c: char) -> char {
    match c {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        c => c,
    }
}

/// The contents of a quoted string, with backslashes resolved.
pub fn unescaped(inside: &str) -> String {
    let mut name = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(c) = characters.next() {
        match (c, characters.clone().next()) {
            ('\\', Some(escaped)) => {
                name.push(unescape(escaped));
                characters.next();
            }
            _ => name.push(c),
        }
    }
    name
}

/// The name between quotation marks.
pub fn quote(name: &str) -> String {
    let quoted = enclose(name, '"', '"');
    quoted.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}

/// A text that may have any characters on one line of a terminal: control characters are written as
/// `\\n` or `\\u{1b}`.
pub fn escape_controls(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// The name between two delimiters. A backslash escapes the closing delimiter and the backslash.
pub fn enclose(name: &str, open: char, close: char) -> String {
    let mut text = String::from(open);
    for c in name.chars() {
        if c == close || c == '\\' {
            text.push('\\');
        }
        text.push(c);
    }
    text.push(close);
    text
}
