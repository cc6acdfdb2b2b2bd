//! Simpler formulas: one step away and smaller, or of the same size with plainer operators.
//!
//! A step replaces one subformula, everywhere, by a part of it, a constant, a proposition, or the
//! same operands under a plainer operator or tighter bounds. A subformula that occurs several times
//! is also replaced in one place. Steps decrease the [`Weight`], which is well founded, so there is
//! no infinite sequence of steps.

use kermode_ltl::{
    BinaryOp, BoundedBinaryOp, BoundedUnaryOp, Formula, Interval, IntervalId, Measure, Node, Store,
    UnaryOp, replace,
};

use super::sample::Sample;

/// The complexity of a sample: nodes as written, distinct subformulas, complexity of the operators,
/// size of bounds, and number of propositions not called `a`, `b`, ...
type Weight = [u64; 5];

/// All samples that are one step simpler, the simplest first.
pub(crate) fn simpler(sample: &Sample) -> Vec<Sample> {
    let heaviest = weight(sample);
    let mut store = sample.store.clone();
    let mut formulas = steps(&mut store, sample.formula);
    formulas.sort_unstable();
    formulas.dedup();
    let samples = formulas.into_iter().map(|f| Sample::new(&store, f, sample.words));
    let mut weighed: Vec<(Weight, Sample)> = samples
        .chain([renamed(sample)])
        .map(|sample| (weight(&sample), sample))
        .filter(|(weight, _)| *weight < heaviest)
        .collect();
    weighed.sort_by_key(|(weight, _)| *weight);
    weighed.into_iter().map(|(_, sample)| sample).collect()
}

fn weight(sample: &Sample) -> Weight {
    let Sample { store, formula, .. } = sample;
    let measure = Measure::of(store, *formula);
    let nodes = || store.subformulas(*formula).iter().map(|f| store.node(f)).collect::<Vec<_>>();
    let reach = |node: &Node| {
        bounds(*node).map_or(0, |id| {
            let Interval { low, high } = store.interval(id);
            u64::from(low) + u64::from(high)
        })
    };
    let strange = names(sample).into_iter().filter(|(old, new)| old != new).count();
    let intricacy = nodes().into_iter().map(intricacy).sum();
    [measure.size, measure.distinct, intricacy, nodes().iter().map(reach).sum(), strange as u64]
}

fn bounds(node: Node) -> Option<IntervalId> {
    match node {
        Node::BoundedUnary(_, id, _) | Node::BoundedBinary(_, id, ..) => Some(id),
        _ => None,
    }
}

/// The complexity of an operator.
fn intricacy(node: Node) -> u64 {
    use {BinaryOp::*, UnaryOp::*};
    match node {
        Node::Constant(_) => 0,
        Node::Proposition(_) => 1,
        Node::Unary(op, _) => match op {
            Not => 1,
            Next | Finally | Globally => 2,
            WeakNext | Yesterday => 3,
            WeakYesterday | Once | Historically => 4,
        },
        Node::Binary(op, ..) => match op {
            And | Or => 1,
            Implies => 2,
            Xor | Iff => 3,
            Until => 4,
            Release => 5,
            WeakUntil => 6,
            StrongRelease => 7,
            Since => 8,
            Triggered => 9,
        },
        Node::BoundedUnary(..) | Node::BoundedBinary(..) => 10,
    }
}

/// The formulas that are one step away.
fn steps(store: &mut Store, root: Formula) -> Vec<Formula> {
    let order = store.subformulas(root);
    let mut made = Vec::new();
    for target in order.iter().rev() {
        let mut smaller = parts(store, root, target);
        smaller.extend(plainer(store, target));
        smaller.extend(in_one_place(store, root, target));
        made.extend(
            smaller
                .into_iter()
                .map(|put| replace(store, root, |formula| (formula == target).then_some(put))),
        );
    }
    made
}

/// What is smaller than a subformula: all below it, constants and the propositions of the whole.
fn parts(store: &mut Store, root: Formula, target: Formula) -> Vec<Formula> {
    let mut parts: Vec<Formula> =
        store.subformulas(target).iter().filter(|&f| f != target).collect();
    parts.extend([true, false].map(|value| store.constant(value)));
    let propositions = store.propositions(root);
    parts.extend(propositions.into_iter().map(|p| store.atom(p)));
    parts
}

/// The same operands, or one of them, under another operator, or within other bounds.
fn plainer(store: &mut Store, target: Formula) -> Vec<Formula> {
    let node = store.node(target);
    let unary = |a: Formula| UnaryOp::ALL.map(|op| Node::Unary(op, a));
    let binary = |a: Formula, b: Formula| BinaryOp::ALL.map(|op| Node::Binary(op, a, b));
    let mut nodes: Vec<Node> = node.operands().flat_map(unary).collect();
    if let Node::Binary(_, a, b) | Node::BoundedBinary(_, _, a, b) = node {
        nodes.extend(binary(a, b));
    }
    if let Some(id) = bounds(node) {
        let nearer = nearer(store.interval(id)).map(|bounds| store.interval_id(bounds));
        nodes.extend(nearer.into_iter().flat_map(|bounds| within(node, bounds)));
    }
    nodes.retain(|&other| intricacy(other) <= intricacy(node) && other != node);
    nodes.into_iter().map(|node| store.intern(node)).collect()
}

/// Smaller bounds.
fn nearer(Interval { low, high }: Interval) -> [Interval; 4] {
    let before = |n: u32| n.saturating_sub(1);
    [
        Interval { low: 0, high: 0 },
        Interval { low: 0, high },
        Interval { low, high: before(high).max(low) },
        Interval { low: before(low), high: before(high) },
    ]
}

/// All bounded operators with the same operands and these bounds.
fn within(node: Node, id: IntervalId) -> Vec<Node> {
    match node {
        Node::BoundedUnary(_, _, a) => {
            BoundedUnaryOp::ALL.map(|op| Node::BoundedUnary(op, id, a)).to_vec()
        }
        Node::BoundedBinary(_, _, a, b) => {
            BoundedBinaryOp::ALL.map(|op| Node::BoundedBinary(op, id, a, b)).to_vec()
        }
        _ => Vec::new(),
    }
}

/// The target with one operand replaced that also occurs elsewhere.
fn in_one_place(store: &mut Store, root: Formula, target: Formula) -> Vec<Formula> {
    let node = store.node(target);
    let operands: Vec<Formula> = node.operands().collect();
    let mut made = Vec::new();
    for (place, &operand) in operands.iter().enumerate() {
        if places(store, root, operand) < 2 {
            continue;
        }
        for put in parts(store, root, operand) {
            let mut next = 0..;
            let node = node.map(|a| if next.next() == Some(place) { put } else { a });
            made.push(store.intern(node));
        }
    }
    made
}

/// The number of occurrences of a subformula.
fn places(store: &Store, root: Formula, formula: Formula) -> usize {
    let order = store.subformulas(root);
    order.iter().flat_map(|f| store.node(f).operands()).filter(|&a| a == formula).count()
}

/// The sample with its propositions called `a`, `b`, ...
fn renamed(sample: &Sample) -> Sample {
    let mut store = sample.store.clone();
    let names: Vec<(Formula, Formula)> = names(sample)
        .into_iter()
        .map(|(old, new)| (store.named(&old), store.named(&new)))
        .collect();
    let formula = replace(&mut store, sample.formula, |f| {
        names.iter().find(|(old, _)| *old == f).map(|(_, new)| *new)
    });
    Sample::new(&store, formula, sample.words)
}

/// The names of propositions and their new names: the first letters, of which those in use stay.
fn names(sample: &Sample) -> Vec<(String, String)> {
    let propositions = sample.store.propositions(sample.formula);
    let old: Vec<&str> = propositions.iter().map(|&p| sample.store.name(p)).collect();
    let letters: Vec<String> = (0..old.len()).map(letter).collect();
    let mut free = letters.iter().filter(|letter| !old.contains(&letter.as_str()));
    let new = |name: &&str| match letters.iter().any(|letter| letter == name) {
        true => (*name).to_owned(),
        false => free.next().cloned().unwrap_or_default(),
    };
    old.iter().map(|&name| name.to_owned()).zip(old.iter().map(new).collect::<Vec<_>>()).collect()
}

/// `a`, `b`, ..., `z`, `p26`, ...
fn letter(i: usize) -> String {
    match u8::try_from(i) {
        Ok(i @ 0..26) => char::from(b'a' + i).to_string(),
        _ => format!("p{i}"),
    }
}

#[cfg(test)]
mod tests {
    use kermode_ltl::dialect::parse;
    use kermode_ltl::{Dialect, WordKind};

    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let mut store = Store::new();
        let formula = parse(&mut store, text, Dialect::Kermode.into()).expect("a formula").formula;
        let sample = Sample::new(&store, formula, WordKind::Infinite);
        simpler(&sample).iter().map(Sample::text).collect()
    }

    #[test]
    fn steps_are_what_they_are_said_to_be() {
        for (formula, step) in [
            ("F(a & G b)", "G b"),
            ("F(a & G b)", "F a"),
            ("F(a & G b)", "F(a & b)"),
            ("a W b", "a U b"),
            ("a W b", "F b"),
            ("a T b", "a R b"),
            ("a <-> b", "a & b"),
            ("F[2,5] a", "F a"),
            ("F[2,5] a", "F[2,4] a"),
            ("a U[1,3] b", "a U[0,3] b"),
            ("a U b", "a U a"),
            ("p U q", "a U b"),
            ("q & m & a", "b & c & a"),
            ("X a U X a", "a U X a"),
            ("X a U X a", "X a U true"),
        ] {
            assert!(texts(formula).contains(&step.to_owned()), "{formula}: {:?}", texts(formula));
        }
        assert_eq!(texts("true"), Vec::<String>::new());
        assert_eq!(texts("X a")[0], "true");
    }

    #[test]
    fn every_chain_of_steps_ends() {
        // Always the last one, which is the least simple.
        let mut text = "(p W q) T O[2,3] (p W q)".to_owned();
        let mut steps = 0;
        while let Some(next) = texts(&text).pop() {
            text = next;
            steps += 1;
            assert!(steps < 1000, "{text}");
        }
        assert!(steps > 10);
    }
}
