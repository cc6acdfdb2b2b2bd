//! Conflicts: requirements that contradict each other, every proper subset of which is satisfiable.
//!
//! The proof is part of a conflict. Its members are unsatisfiable by their form; for each member
//! there are signals on which all other members hold. Signals have [`PREFIX`] positions and then a
//! loop of [`LOOP`] positions.

use kermode_base::Rng;

/// The positions of all signals before their loop.
pub(super) const PREFIX: usize = 12;
/// The positions in the loop of all signals.
pub(super) const LOOP: usize = 12;

/// The values of a proposition by position.
pub(super) type Signal = [bool; PREFIX + LOOP];

/// The proposition is never true.
pub(super) const NEVER: Signal = [false; PREFIX + LOOP];

/// A conflict with its proof.
pub(super) struct Plant {
    /// The members, as texts.
    pub(super) members: Vec<String>,
    /// For each member: the signals of the propositions on which all other members hold.
    pub(super) without: Vec<Vec<Signal>>,
}

/// The number of propositions that any conflict with so many members needs.
pub(super) fn propositions_needed(members: usize) -> usize {
    members - 1
}

/// A conflict with `2 <= members <= 12` over the given propositions. Not all of them need occur.
pub(super) fn draw(members: usize, names: &[String], rng: &mut Rng) -> Plant {
    match (members, rng.below(6)) {
        (3.., 0) => cycle(members, names, rng),
        (3.., 1) => deadline(members, names, rng),
        (4..=6, 2) => slots(members, names),
        _ => chain(members, names, rng),
    }
}

/// The first proposition occurs, each causes the next, and the last one never occurs.
fn chain(members: usize, names: &[String], rng: &mut Rng) -> Plant {
    let links: Vec<Link> = (2..members).map(|_| Link::draw(rng, true)).collect();
    let (first, last) = (&names[0], &names[links.len()]);
    let (start, end, first_time, period) = match rng.below(5) {
        0 => (first.clone(), format!("G !{last}"), 0, None),
        1 | 2 => (format!("F {first}"), format!("G !{last}"), rng.below(2), None),
        3 => (format!("G F {first}"), format!("G !{last}"), 0, Some(LOOP)),
        _ => (format!("G F {first}"), format!("F G !{last}"), 0, Some(LOOP)),
    };
    linked(names, &links, [start, end], first_time, period)
}

/// Each proposition causes the next within some time, and the last one must not occur as soon as
/// that.
fn deadline(members: usize, names: &[String], rng: &mut Rng) -> Plant {
    let links: Vec<Link> = (2..members).map(|_| Link::draw(rng, false)).collect();
    let (first, last) = (&names[0], &names[links.len()]);
    let latest: usize = links.iter().map(Link::latest).sum();
    let ends = [format!("F {first}"), format!("G({first} -> G[0,{latest}] !{last})")];
    linked(names, &links, ends, rng.below(2), None)
}

/// The members `start`, the links, and `end`. Without `start` nothing occurs, without a link
/// nothing behind it, without `end` everything.
fn linked(
    names: &[String],
    links: &[Link],
    [start, end]: [String; 2],
    first_time: usize,
    period: Option<usize>,
) -> Plant {
    let between = links.iter().zip(names.windows(2)).map(|(link, pair)| link.text(pair));
    let members = std::iter::once(start).chain(between).chain([end]).collect();
    let delays = links.iter().map(|link| link.delay);
    let times = std::iter::once(0).chain(delays).scan(first_time, |time, delay| {
        *time += delay;
        Some(*time)
    });
    let signals: Vec<Signal> = times.map(|time| occurring(time, period)).collect();
    let without = (0..links.len() + 2).map(|missing| {
        let occurs = |(place, &signal)| if place < missing { signal } else { NEVER };
        signals.iter().enumerate().map(occurs).collect()
    });
    Plant { members, without: without.collect() }
}

/// One proposition causes another.
#[derive(Clone, Copy)]
struct Link {
    kind: LinkKind,
    /// How long after the first the second occurs in the signals.
    delay: usize,
}

#[derive(Clone, Copy)]
enum LinkKind {
    Now,
    Next,
    Until,
    Finally,
    Within(usize),
}

impl Link {
    fn draw(rng: &mut Rng, unbounded: bool) -> Link {
        let (kind, delay) = match rng.below(if unbounded { 6 } else { 3 }) {
            0 => (LinkKind::Now, 0),
            1 => (LinkKind::Next, 1),
            2 => (LinkKind::Within(rng.between(1, 4)), rng.below(2)),
            3 => (LinkKind::Until, rng.below(2)),
            _ => (LinkKind::Finally, rng.below(2)),
        };
        Link { kind, delay }
    }

    fn text(&self, pair: &[String]) -> String {
        let (a, b) = (&pair[0], &pair[1]);
        match self.kind {
            LinkKind::Now => format!("G({a} -> {b})"),
            LinkKind::Next => format!("G({a} -> X {b})"),
            LinkKind::Until => format!("G({a} -> {a} U {b})"),
            LinkKind::Finally => format!("G({a} -> F {b})"),
            LinkKind::Within(time) => format!("G({a} -> F[0,{time}] {b})"),
        }
    }

    /// How long after the first the second occurs at the latest.
    fn latest(&self) -> usize {
        match self.kind {
            LinkKind::Now => 0,
            LinkKind::Within(time) => time,
            LinkKind::Next | LinkKind::Until | LinkKind::Finally => 1,
        }
    }
}

/// A proposition occurs, and each occurs only after the one before it, in a circle.
fn cycle(members: usize, names: &[String], rng: &mut Rng) -> Plant {
    let count = members - 1;
    let after = |place: usize, past: bool| {
        let (x, y) = (&names[place], &names[(place + count - 1) % count]);
        if past { format!("G({x} -> Y O {y})") } else { format!("!{x} W ({y} & !{x})") }
    };
    let first = format!("F {}", names[0]);
    let others = (0..count).map(|place| after(place, rng.below(3) == 0));
    let members = std::iter::once(first).chain(others).collect();
    let beginning = |place| {
        let later = |other| occurring((other + count - place) % count, None);
        (0..count).map(later).collect()
    };
    let mut without = vec![vec![NEVER; count]];
    without.extend((0..count).map(beginning));
    Plant { members, without }
}

/// Each proposition occurs in the first positions, no two at once, with one position too few.
fn slots(members: usize, names: &[String]) -> Plant {
    let count = members - 1;
    let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
    let apart: Vec<String> =
        pairs.map(|(i, j)| format!("!({} & {})", names[j], names[i])).collect();
    let occurs = names[..count].iter().map(|name| format!("F[0,{}] {name}", count - 2));
    let members = occurs.chain([format!("G({})", apart.join(" & "))]).collect();
    let one_missing = |missing: usize| {
        let signal = |place: usize| match place.cmp(&missing) {
            std::cmp::Ordering::Less => occurring(place, None),
            std::cmp::Ordering::Equal => NEVER,
            std::cmp::Ordering::Greater => occurring(place - 1, None),
        };
        (0..count).map(signal).collect()
    };
    let mut without: Vec<Vec<Signal>> = (0..count).map(one_missing).collect();
    without.push(vec![occurring(0, None); count]);
    Plant { members, without }
}

/// True at one position, or periodically.
fn occurring(time: usize, period: Option<usize>) -> Signal {
    let holds = |position: usize| match period {
        Some(period) => position % period == time,
        None => position == time,
    };
    std::array::from_fn(holds)
}
