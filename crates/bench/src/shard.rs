//! Parts of a campaign for several machines: an input belongs to a part by a hash of its name, the
//! same on every machine and in every version.

use std::str::FromStr;

/// Part `index` of `count`, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Whether an input belongs to the part.
    pub(crate) fn has(self, name: &str) -> bool {
        hash(name) % self.count == self.index
    }
}

/// `1/4`, the first of four.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.parse::<u64>().ok()?, count.parse::<u64>().ok()?))
        });
        match numbers {
            Some((index, count)) if 1 <= index && index <= count => {
                Ok(Shard { index: index - 1, count })
            }
            _ => Err(format!("`{text}` is not a part such as 1/4 or 4/4")),
        }
    }
}

/// FNV-1a with a final mix, because its low bits alone are not uniform enough.
pub(crate) fn hash(name: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_in_one_part() {
        let parts: Vec<Shard> = (1..=3).map(|i| format!("{i}/3").parse().unwrap()).collect();
        let names: Vec<String> = (0..300).map(|i| format!("lift {i}")).collect();
        let sizes = parts.iter().map(|part| names.iter().filter(|name| part.has(name)).count());
        assert!(sizes.clone().all(|size| size > 60), "{:?}", sizes.collect::<Vec<_>>());
        assert_eq!(sizes.sum::<usize>(), 300);
    }

    #[test]
    fn wrong_parts_are_refused() {
        for text in ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
