//! Traces in NuSMV's format: the reader does not panic, findings point into the text, and what was
//! read is written as a text that reads back as the same path.

#![no_main]

mod trace;

use std::sync::LazyLock;

use kermode_smv::FlatModel;
use kermode_smv::trace::nusmv::{Heading, Marks, read, write};
use libfuzzer_sys::fuzz_target;

static MODEL: LazyLock<FlatModel> = LazyLock::new(trace::model);

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for found in trace::inspect(text, &MODEL, read(text, &MODEL)) {
        for path in found.paths() {
            let heading = Heading { number: 1, description: "Simulation".to_owned() };
            let written = write(&MODEL, &path, &heading, Marks::Equal);
            let again = read(&written, &MODEL).expect("a text of the writer");
            assert!(again[0].paths().contains(&path), "{written}");
        }
    }
});
