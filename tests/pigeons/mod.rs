//! The pigeons of Schuppan and Darmawan \[SD11\], for which one operation on decision diagrams is
//! too much.

/// This many pigeons come repeatedly, each after as many positions as there are holes, and no two
/// at once; there is one hole less than pigeons.
pub(crate) fn pigeons(count: usize) -> String {
    let alone = |i: usize| (1..i).map(move |j| format!("G(!p{i} | !p{j})"));
    let comes = |i: usize| format!("G F p{i} & G(p{i} -> {}p{i})", "X ".repeat(count - 1));
    let parts: Vec<String> = (1..=count).flat_map(alone).chain((1..=count).map(comes)).collect();
    parts.join(" & ")
}
