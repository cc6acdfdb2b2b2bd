//! Bounds are numbers: questions whose bounds are far too large to be written out.

#[allow(dead_code, reason = "not every test needs all helpers")]
mod command;

use command::{expect, kermode, stdout};

#[test]
fn bounds_may_be_large() {
    expect(&["sat", "F[0,1000000] a"], "satisfiable", 0);
    expect(&["sat", "F[0,4000000000] a"], "satisfiable", 0);
    expect(&["sat", "F[0,4294967295] a"], "satisfiable", 0);
    expect(&["sat", "G(a -> F[0,100000] b) & G F a"], "satisfiable", 0);
    expect(&["sat", "F[0,10000] p & G[0,10000] !p"], "unsatisfiable", 1);
    expect(&["sat", "F[0,10001] p & G[0,10000] !p"], "satisfiable", 0);
    expect(&["implies", "G a", "G[0,2000000] a"], "implied", 0);
    expect(&["implies", "G[0,2000000] a", "G[0,1999999] a"], "implied", 0);
    expect(&["implies", "G[0,1999999] a", "G[0,2000000] a"], "not implied", 1);
    expect(&["equiv", "F[2,1000000] F[3,1000000] a", "F[5,2000000] a"], "equivalent", 0);
    expect(&["sat", "--syntax", "nusmv", "F [0,2147483647] a"], "satisfiable", 0);
    assert_eq!(kermode(&["sat", "--syntax", "nusmv", "F [0,2147483648] a"]).status.code(), Some(2));
    assert_eq!(kermode(&["sat", "F[0,4294967296] a"]).status.code(), Some(2));
}

#[test]
fn a_word_of_ten_thousand_letters_is_shown() {
    let output = kermode(&["sat", "--json", "F[0,10001] p & G[0,10000] !p"]);
    let object: serde_json::Value = serde_json::from_str(stdout(&output)).expect("an object");
    assert_eq!(object["replayed"], true);
    let letters = |part: &str| object["witness"][part].as_array().expect("letters").len();
    assert!(letters("prefix") + letters("loop") > 10_000);
}

/// Chains of deadlines among requirements that have nothing to do with them: exact to one position.
#[test]
fn chains_of_deadlines_among_requirements_are_exact() {
    let others = "G(d -> F[0,900] a) & G(e -> G[0,400] !d) & G(c -> O[0,800] e) \
                  & G(f -> F[0,77] e) & G(b -> O[0,555] f)";
    let chain = |last: u32| {
        format!("G(a -> F[0,300] b) & G(b -> F[0,600] c) & F(a & G[0,{last}] !c) & {others}")
    };
    expect(&["sat", &chain(900)], "unsatisfiable", 1);
    expect(&["sat", &chain(899)], "satisfiable", 0);
    // Overlapping windows are written out, and counters decide what events leave open.
    let overlap = |distance: u32| format!("G(a <-> X[{distance}] !a) & G F[3,40] (a & b) & G F !b");
    expect(&["sat", &overlap(5)], "satisfiable", 0);
}
