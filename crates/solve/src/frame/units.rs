//! Times and sizes as users write them.

use std::time::Duration;

/// A time: `10`, `0.5`, `500ms`, `10s`, `5m`, `1h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not a time"))?;
    let seconds = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; there are ms, s, m and h")),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| format!("`{text}` is too long"))
}

/// A size in bytes: `1000000`, `512K`, `512M`, `4G`, `4GiB`.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let unit = unit.trim_end_matches(['B', 'b']).trim_end_matches('i').to_ascii_uppercase();
    let shift = match unit.as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(format!("`{text}` is not a size; units are K, M, G and T")),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` is not a size"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is too large"))
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}
