//! Certificates: the reader does not panic, errors point into the text, and what was read is read
//! again from its own text.

#![no_main]

use std::convert::Infallible;

use kermode_base::Source;
use kermode_certificate::read;
use libfuzzer_sys::fuzz_target;

fn never() -> Result<(), Infallible> {
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(certificate) = read(text, &mut never);
    match certificate {
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some() && !error.message.is_empty());
            Source { name: "fuzz", text }.render_all(&[error]);
        }
        Ok(certificate) => {
            let Ok(again) = read(&certificate.to_string(), &mut never);
            assert_eq!(again, Ok(certificate));
        }
    }
});
