//! Traces in JSON: the reader does not panic, findings point into the text, and what was read is
//! written as JSON and as a value change dump that read back as the same path.

#![no_main]

mod trace;

use std::sync::LazyLock;

use kermode_smv::FlatModel;
use kermode_smv::trace::{json, vcd};
use libfuzzer_sys::fuzz_target;

static MODEL: LazyLock<FlatModel> = LazyLock::new(trace::model);

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for found in trace::inspect(text, &MODEL, json::read(text, &MODEL)) {
        for path in found.paths() {
            let again = json::read(&json::write(&MODEL, &path), &MODEL);
            assert_eq!(again.expect("a text of the writer")[0].paths(), [path.clone()]);
            assert_eq!(vcd::read(&vcd::write(&MODEL, &path), &MODEL).as_ref(), Ok(&path));
        }
    }
    if let Err(error) = vcd::read(text, &MODEL) {
        assert!(text.get(error.span.clone()).is_some());
    }
});
