//! A lift and its users take turns \[Har05\], \[DDMR08\] B.2.
//!
//! At positions with `u` the users press buttons and the lift rests; at others it may move by one
//! floor. `b<i>` is the button of floor `i`, `sb` says that some button is lit, `up` is the
//! direction. A button stays lit until its floor is reached, and is served; an idle lift returns to
//! floor 0.
//!
//! The suffixes are the variants of the collection \[SD11\]:
//! - `b`: the floor is a number in binary, with `bf0` as its least bit, instead of one proposition
//!   `f<i>` per floor. No constraint against two floors at once is needed then.
//! - `f`, fixed: a move up or down determines the direction after it, `X up`, instead of the
//!   direction before it. As \[DDMR08\] prints it, the lift never leaves floor 0: the direction is
//!   down initially, stays so while the lift rests, and would have to be up for a move up.
//! - `l`, live: every button is lit infinitely often. So without `f` there is no model.
//!
//! The files of the collection differ in two ways, which do not concern the system: they have `Xu`,
//! one proposition, where \[DDMR08\] has `X u`, and `!(!a U !b)` for `a R b`.

use super::pen::{Pen, Term, all, any, write};
use super::{Family, Instance, Parameter, ParameterKind, Suffix};
use crate::store::{Formula, Store};

/// `lift[-b][-f][-l] FLOORS`.
pub const FAMILY: Family = Family {
    name: "lift",
    suffixes: &[
        Suffix { name: "b", help: "the floor is a number in binary" },
        Suffix {
            name: "f",
            help: "a move sets the direction after it, so that the lift can leave floor 0",
        },
        Suffix { name: "l", help: "every button is lit again and again; satisfiable only with -f" },
    ],
    summary: "a lift that serves the buttons of its floors",
    parameters: &[Parameter {
        name: "FLOORS",
        kind: ParameterKind::Number { least: 2, most: 2_000 },
        default: None,
        help: "how many floors",
    }],
    paper: "DDMR08",
    build: |store, instance| lift(store, instance.size(0), Variant::of(instance)),
};

/// Which lift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// The position is a number in binary.
    pub binary: bool,
    /// A move sets the direction after it.
    pub fixed: bool,
    /// Every button is lit again and again.
    pub live: bool,
}

impl Variant {
    fn of(instance: &Instance) -> Self {
        Variant { binary: instance.has(0), fixed: instance.has(1), live: instance.has(2) }
    }
}

/// The specification of a lift.
///
/// # Panics
/// With fewer than two floors.
pub fn lift(store: &mut Store, floors: usize, variant: Variant) -> Formula {
    assert!(floors >= 2, "a lift has two floors");
    write(store, |pen| all(Lift::new(pen, floors, variant).parts(variant)))
}

/// How many bits the number of a floor has.
fn bits(floors: usize) -> usize {
    (floors - 1).ilog2() as usize + 1
}

/// The propositions of a lift.
struct Lift<'p> {
    /// The encoding of the floor: one proposition per floor, or one per bit.
    position: Vec<Term<'p>>,
    /// `f_i`: the lift is at floor `i`.
    at: Vec<Term<'p>>,
    /// What holds initially of the position.
    ground: Vec<Term<'p>>,
    buttons: Vec<Term<'p>>,
    user: Term<'p>,
    up: Term<'p>,
    some_button: Term<'p>,
}

impl<'p> Lift<'p> {
    fn new(pen: &'p Pen, floors: usize, variant: Variant) -> Self {
        let (position, at, ground);
        if variant.binary {
            position = pen.numbered("bf", 0..bits(floors));
            at = (0..floors).map(|floor| cube(&position, floor)).collect();
            ground = position.iter().map(|&bit| !bit).collect();
        } else {
            position = pen.numbered("f", 0..floors);
            at = position.clone();
            ground = vec![position[0]];
        }
        let buttons = pen.numbered("b", 0..floors);
        let [user, up, some_button] = ["u", "up", "sb"].map(|name| pen.named(name));
        Lift { position, at, ground, buttons, user, up, some_button }
    }

    /// The conjuncts, in the order of the paper.
    fn parts(&self, variant: Variant) -> Vec<Term<'p>> {
        let mut parts = Vec::new();
        if !variant.binary {
            parts.push(self.one_floor().globally());
        }
        parts.push(!self.user);
        parts.extend(&self.ground);
        parts.extend(self.buttons.iter().map(|&button| !button));
        parts.push(!self.up);
        parts.push(self.user.iff(!self.user.next()).globally());
        parts.push(self.moves().globally());
        parts.push(self.presses().globally());
        parts.push(self.directions(variant.fixed).globally());
        parts.push(self.some_button.iff(any(self.buttons.iter().copied())).globally());
        parts.push(self.returns().globally());
        parts.push(self.serves().globally());
        if variant.live {
            parts.extend(self.buttons.iter().map(|button| button.recurs()));
        }
        parts
    }

    /// Each floor with its button.
    fn floors(&self) -> impl Iterator<Item = (Term<'p>, Term<'p>)> + '_ {
        self.at.iter().copied().zip(self.buttons.iter().copied())
    }

    /// Each floor with the one above it.
    fn stairs(&self) -> impl Iterator<Item = (Term<'p>, Term<'p>)> + '_ {
        self.at.windows(2).map(|pair| (pair[0], pair[1]))
    }

    /// At most one floor at a time.
    fn one_floor(&self) -> Term<'p> {
        let others = |i: usize| all(self.at[i + 1..].iter().map(|&other| !other));
        all((0..self.at.len() - 1).map(|i| self.at[i].implies(others(i))))
    }

    /// The lift rests in the users' turn, and moves by one floor at most.
    fn moves(&self) -> Term<'p> {
        let rests = self.user.implies(all(self.position.iter().map(|&bit| kept(bit))));
        let near = |i: usize| i.saturating_sub(1)..(i + 2).min(self.at.len());
        let step = |i: usize| self.at[i].implies(any(self.at[near(i)].iter().copied()).next());
        all([rests].into_iter().chain((0..self.at.len()).map(step)))
    }

    /// Buttons are pressed in the users' turn, and stay lit until their floor is reached.
    fn presses(&self) -> Term<'p> {
        let untouched = (!self.user).implies(all(self.buttons.iter().map(|&b| kept(b))));
        let lit = self.floors().map(|(at, button)| (button & !at).implies(button.next()));
        all([untouched].into_iter().chain(lit))
    }

    /// What moves say about the direction.
    fn directions(&self, fixed: bool) -> Term<'p> {
        let up = if fixed { self.up.next() } else { self.up };
        let stay = self.at.iter().map(|&at| (at & at.next()).implies(kept(self.up)));
        let rise = self.stairs().map(|(low, high)| (low & high.next()).implies(up));
        let fall = self.stairs().map(|(low, high)| (high & low.next()).implies(!up));
        all(stay.chain(rise).chain(fall))
    }

    /// With no button lit the lift goes down to floor 0.
    fn returns(&self) -> Term<'p> {
        let (ground, idle) = (self.at[0], !self.some_button);
        let homeward = self.some_button.release(ground.finally() & !self.up);
        all(self.at.iter().map(|&at| (at & idle).implies(at.until(homeward))))
    }

    /// The lift comes to every floor whose button is lit.
    fn serves(&self) -> Term<'p> {
        all(self.floors().map(|(at, button)| button.implies(at.finally())))
    }
}

/// The value does not change now.
fn kept(term: Term<'_>) -> Term<'_> {
    term.iff(term.next())
}

/// The bits of a number.
fn cube<'p>(bits: &[Term<'p>], number: usize) -> Term<'p> {
    let literal = |(i, &bit): (usize, &Term<'p>)| if number >> i & 1 == 1 { bit } else { !bit };
    all(bits.iter().enumerate().map(literal))
}
