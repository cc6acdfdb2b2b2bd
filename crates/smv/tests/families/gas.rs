//! The gas station, from its description.
//!
//! "There are N customers who want to use one pump. They have to prepay an operator who then
//! activates the pump. When the pump has charged, the operator gives the change." The operator
//! manages a queue.

use super::enumerate::{System, choices};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Station {
    /// Who is in the queue, the first one first.
    queue: Vec<usize>,
    operator: Operator,
    pump: Pump,
    /// Who holds out money.
    paying: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operator {
    Idle,
    /// Takes the money of a customer, who then joins the queue.
    Prepaid(usize),
    /// Activates the pump for the first in the queue, who then leaves it.
    Activates,
    /// Gives the change to the customer at the pump.
    Changes,
}

/// The pump with its customer, and what she is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pump {
    Off,
    /// Activated.
    Ready(usize),
    /// She takes the nozzle.
    Lifting(usize),
    Started(usize),
    /// She hangs up the nozzle.
    HangingUp(usize),
    Charged(usize),
}

impl Station {
    pub(crate) fn new(customers: usize) -> Self {
        let paying = vec![false; customers];
        Station { queue: Vec::new(), operator: Operator::Idle, pump: Pump::Off, paying }
    }

    /// The operator ends a task in one step, and begins a task only when idle.
    fn tasks(&self) -> Vec<Operator> {
        let mut tasks = vec![Operator::Idle];
        if self.operator != Operator::Idle {
            return tasks;
        }
        if self.queue.len() < self.paying.len() {
            let paying = (0..self.paying.len()).filter(|&c| self.paying[c]);
            tasks.extend(paying.map(Operator::Prepaid));
        }
        if self.pump == Pump::Off && !self.queue.is_empty() {
            tasks.push(Operator::Activates);
        }
        if matches!(self.pump, Pump::Charged(_)) {
            tasks.push(Operator::Changes);
        }
        tasks
    }

    fn next_queue(&self) -> Vec<usize> {
        let mut queue = self.queue.clone();
        match self.operator {
            Operator::Prepaid(customer) => queue.push(customer),
            Operator::Activates => {
                queue.remove(0);
            }
            Operator::Idle | Operator::Changes => {}
        }
        queue
    }

    /// The customer decides when to start and when to stop.
    fn next_pumps(&self) -> Vec<Pump> {
        match (self.pump, self.operator) {
            (Pump::Off, Operator::Activates) => vec![Pump::Ready(self.queue[0])],
            (Pump::Ready(c), _) => vec![Pump::Ready(c), Pump::Lifting(c)],
            (Pump::Lifting(c), _) => vec![Pump::Started(c)],
            (Pump::Started(c), _) => vec![Pump::Started(c), Pump::HangingUp(c)],
            (Pump::HangingUp(c), _) => vec![Pump::Charged(c)],
            (Pump::Charged(_), Operator::Changes) => vec![Pump::Off],
            (pump, _) => vec![pump],
        }
    }

    /// Who holds out money does so until it is taken.
    fn next_paying(&self) -> Vec<Vec<bool>> {
        let each = self.paying.iter().enumerate().map(|(customer, &paying)| {
            let taken = self.operator == Operator::Prepaid(customer);
            if paying && !taken { vec![true] } else { vec![false, true] }
        });
        choices(&each.collect::<Vec<_>>())
    }
}

impl System for Station {
    fn successors(&self) -> Vec<Self> {
        let (queue, paying, pumps) = (self.next_queue(), self.next_paying(), self.next_pumps());
        let mut successors = Vec::new();
        for operator in self.tasks() {
            for &pump in &pumps {
                let (queue, paying) = (&queue, paying.iter().cloned());
                let with = |paying| Station { queue: queue.clone(), operator, pump, paying };
                successors.extend(paying.map(with));
            }
        }
        successors
    }
}
