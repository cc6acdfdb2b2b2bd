//! Messages as snapshots have them.

/// A text without the escape sequences of its styles.
pub(crate) fn without_styles(shown: &str) -> String {
    let mut plain = String::new();
    let mut rest = shown;
    while let Some(escape) = rest.find('\u{1b}') {
        plain.push_str(&rest[..escape]);
        let end = rest[escape..].find('m').expect("a style ends in m");
        rest = &rest[escape + end + 1..];
    }
    plain + rest
}
