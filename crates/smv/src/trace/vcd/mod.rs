//! Traces as value change dumps, which viewers of waves such as GTKWave show.
//!
//! The state with index `t` is at time `t`, together with the inputs of the step that leaves it.
//! Instances are scopes. Boolean variables have one bit, words their bits, and integers 32 bits in
//! two's complement; enumerations are strings, an extension of GTKWave. Characters that cannot
//! stand in the file are written `\xHH`.
//!
//! A dump ends one time unit after the last state. If the trace has a loop, the state where it
//! begins comes again there, and the event `kermode.loop` happens at both times; a comment says the
//! same. Otherwise the inputs at the last state are unknown.

mod read;
mod write;

pub use read::read;
pub use write::write;

/// The scope of the variables of `main`, and that of the event.
const MAIN: &str = "main";
const OWN_SCOPE: &str = "kermode";
const LOOP: &str = "loop";

/// A text without white space and other characters that a dump cannot have.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'!'..=b'~' if byte != b'\\' => escaped.push(byte as char),
            _ => escaped.push_str(&format!("\\x{byte:02x}")),
        }
    }
    escaped
}

/// The text that [`escape`] wrote; `None` if it wrote no such text.
fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        let byte = match first {
            b'\\' => {
                let (digits, after) = rest.strip_prefix(b"x")?.split_at_checked(2)?;
                rest = after;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            _ => first,
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok()
}
