//! The ring, from its description: each node sends its number around. A node passes on numbers that
//! are greater than its own and discards smaller ones; who receives the own number is the leader.

use super::enumerate::System;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ring {
    numbers: Vec<usize>,
    /// The message on the way from a node to the next one.
    channels: Vec<Option<usize>>,
    leaders: Vec<bool>,
}

impl Ring {
    /// The rings with the numbers from 1 in all orders.
    pub(crate) fn all(nodes: usize) -> Vec<Self> {
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..nodes {
            let longer = |order: &Vec<usize>| {
                let order = order.clone();
                let others = (1..=nodes).filter(move |number| !order.contains(number));
                others.collect::<Vec<_>>()
            };
            let extended = orders.iter().flat_map(|order| {
                longer(order).into_iter().map(|number| [order.clone(), vec![number]].concat())
            });
            orders = extended.collect();
        }
        let ring = |numbers: Vec<usize>| Ring {
            channels: numbers.iter().copied().map(Some).collect(),
            leaders: vec![false; nodes],
            numbers,
        };
        orders.into_iter().map(ring).collect()
    }

    /// The ring after a step of a node.
    fn step(&self, node: usize) -> Self {
        let mut ring = self.clone();
        let before = (node + self.numbers.len() - 1) % self.numbers.len();
        let Some(message) = self.channels[before] else { return ring };
        if message > self.numbers[node] && self.channels[node].is_some() {
            return ring; // It must wait until its channel is free.
        }
        ring.channels[before] = None;
        if message > self.numbers[node] {
            ring.channels[node] = Some(message);
        } else if message == self.numbers[node] {
            ring.leaders[node] = true;
        }
        ring
    }
}

impl System for Ring {
    fn successors(&self) -> Vec<Self> {
        (0..self.numbers.len()).map(|node| self.step(node)).collect()
    }
}
