//! Texts that are kept in files.

/// Compares a text with the file of that name in `tests/snapshots`, which `UPDATE_SNAPSHOTS=1`
/// writes anew.
#[track_caller]
pub(crate) fn matches_snapshot(name: &str, text: &str) {
    let path = format!("{}/tests/snapshots/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, text).expect("a snapshot that can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("a snapshot");
    assert_eq!(text, expected, "{name}");
}
