//! Names that were probably meant: the known name at the smallest edit distance.

/// The known name that is most similar to another one, if one is similar.
pub fn closest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = |known: &str| known.len().min(name.len()) / 3;
    known
        .filter(|known| *known != name && known.len().abs_diff(name.len()) <= most(known))
        .map(|known| (distance(name, known), known))
        .filter(|&(distance, known)| distance <= most(known))
        .min()
        .map(|(_, known)| known)
}

/// The edit distance of two names of up to 40 bytes. A transposition counts as one edit.
fn distance(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() > 40 || other.len() > 40 {
        return usize::MAX;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(a != b);
            let mut least = replaced.min(row[j] + 1).min(rows[i][j + 1] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}
