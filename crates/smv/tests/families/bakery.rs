//! The black-white bakery, from its pseudocode; the others are looked at one by one.
//!
//! ```text
//! choosing[i] := true;  mycolor[i] := color
//! number[i] := 1 + max of the numbers of mycolor[i];  choosing[i] := false
//! for each j:
//!     await not choosing[j]
//!     if mycolor[j] = mycolor[i]
//!     then await number[j] = 0 or (number[i], i) <= (number[j], j) or mycolor[j] != mycolor[i]
//!     else await number[j] = 0 or mycolor[i] != color or mycolor[j] = mycolor[i]
//! critical section
//! color := the opposite of mycolor[i];  number[i] := 0
//! ```
//!
//! Where one of the `await`s ends because the colour of `j` changed, the comparison is repeated.

use std::convert::Infallible;

use kermode_base::components;

use super::enumerate::{System, reachable};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shop {
    white: bool,
    customers: Vec<Customer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Customer {
    place: Place,
    white: bool,
    number: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Outside,
    /// Has set `choosing`.
    Doorway,
    /// Is about to read the number of a customer; the maximum so far.
    Reads(usize, usize),
    /// Has read all.
    Takes(usize),
    /// Waits until a customer does not choose.
    Awaits(usize),
    /// Waits for its turn before a customer.
    Compares(usize),
    Critical,
    /// Has changed the colour of the shop.
    Exit,
}

impl Shop {
    pub(crate) fn new(customers: usize) -> Self {
        let outside = Customer { place: Place::Outside, white: false, number: 0 };
        Shop { white: false, customers: vec![outside; customers] }
    }

    fn is_choosing(&self, j: usize) -> bool {
        matches!(self.customers[j].place, Place::Doorway | Place::Reads(..) | Place::Takes(_))
    }

    fn goes_before(&self, i: usize, j: usize) -> bool {
        let (me, other) = (&self.customers[i], &self.customers[j]);
        if other.number == 0 {
            true
        } else if me.white == other.white {
            (me.number, i) <= (other.number, j)
        } else {
            me.white != self.white
        }
    }

    /// The shop after a step of a customer.
    fn step(&self, i: usize) -> Self {
        let mut shop = self.clone();
        let (last, colour) = (self.customers.len() - 1, self.white);
        let me = &mut shop.customers[i];
        match me.place {
            Place::Outside => me.place = Place::Doorway,
            Place::Doorway => {
                me.white = colour;
                me.place = Place::Reads(0, 0);
            }
            Place::Reads(j, most) => {
                let other = &self.customers[j];
                let read = if other.white == me.white { other.number } else { 0 };
                let most = most.max(read);
                me.place = if j == last { Place::Takes(most) } else { Place::Reads(j + 1, most) };
            }
            Place::Takes(most) => {
                me.number = most + 1;
                me.place = Place::Awaits(0);
            }
            Place::Awaits(j) if !self.is_choosing(j) => me.place = Place::Compares(j),
            Place::Compares(j) if self.goes_before(i, j) => {
                me.place = if j == last { Place::Critical } else { Place::Awaits(j + 1) };
            }
            Place::Awaits(_) | Place::Compares(_) => {}
            Place::Critical => {
                me.place = Place::Exit;
                shop.white = !me.white;
            }
            Place::Exit => {
                me.number = 0;
                me.place = Place::Outside;
            }
        }
        shop
    }
}

impl System for Shop {
    fn successors(&self) -> Vec<Self> {
        (0..self.customers.len()).map(|i| self.step(i)).collect()
    }
}

/// Whether a process is in the critical section again and again if all processes run again and
/// again: among the states where it is not, no component has a step of each process.
pub(crate) fn is_fair(processes: usize, process: usize) -> bool {
    let numbers = reachable(vec![Shop::new(processes)]);
    let outside = |shop: &Shop| shop.customers[process - 1].place != Place::Critical;
    let mut steps = vec![Vec::new(); numbers.len()];
    for (shop, &number) in numbers.iter().filter(|(shop, _)| outside(shop)) {
        let next = (0..processes).map(|i| (i, shop.step(i)));
        let next = next.filter(|(_, shop)| outside(shop));
        steps[number] = next.map(|(i, shop)| (i, numbers[&shop])).collect();
    }
    let edges: Vec<(usize, usize)> = steps.iter().flatten().copied().collect();
    let start: Vec<usize> = std::iter::once(0)
        .chain(steps.iter().scan(0, |sum, steps| {
            *sum += steps.len();
            Some(*sum)
        }))
        .collect();
    let component = components(&start, |edge| edges[edge].1, &mut || Ok::<_, Infallible>(()));
    let Ok(component) = component;
    let mut moved = vec![vec![false; processes]; numbers.len()];
    for (source, steps) in steps.iter().enumerate() {
        let inside = steps.iter().filter(|(_, target)| component[*target] == component[source]);
        inside.for_each(|&(i, _)| moved[component[source]][i] = true);
    }
    !moved.iter().any(|moved| moved.iter().all(|&process| process))
}
