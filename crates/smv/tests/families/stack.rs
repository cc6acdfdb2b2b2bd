//! The stack, from its descriptions: "the standard pop and push functions, a function to process
//! the elements of the stack in a top-down order, and a function to check if the stack is empty",
//! and "a freeze operation allows to permanently freeze the stack, after which the model runs a
//! pointer along the stack from top to bottom repeatedly".

use super::enumerate::System;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stack {
    capacity: usize,
    elements: Vec<u8>,
    event: Event,
    frozen: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Event {
    Nothing,
    CallPush(u8),
    CallPop,
    ReturnPop(u8),
    CallEmpty,
    ReturnEmpty,
    CallTopDown,
    /// The element at that height is processed, or called.
    Process(usize),
    Freeze,
}

impl Stack {
    pub(crate) fn new(capacity: usize) -> Self {
        Stack { capacity, elements: Vec::new(), event: Event::Nothing, frozen: false }
    }

    /// The events of the next state, given the elements then.
    fn next_events(&self, elements: &[u8]) -> Vec<Event> {
        match self.event {
            Event::CallPop => {
                let popped = self.elements.last().expect("only stacks with elements are popped");
                vec![Event::ReturnPop(*popped)]
            }
            Event::CallEmpty => vec![Event::ReturnEmpty],
            Event::CallTopDown | Event::Freeze if !elements.is_empty() => {
                vec![Event::Process(elements.len())]
            }
            Event::Process(height) if height > 1 => vec![Event::Process(height - 1)],
            Event::Process(_) if self.frozen => vec![Event::Process(elements.len())],
            _ if self.frozen || self.event == Event::Freeze => vec![Event::Nothing],
            _ => {
                let other = [Event::Nothing, Event::CallEmpty, Event::CallTopDown, Event::Freeze];
                let mut events = other.to_vec();
                if elements.len() < self.capacity {
                    events.extend((1..=3).map(Event::CallPush));
                }
                if !elements.is_empty() {
                    events.push(Event::CallPop);
                }
                events
            }
        }
    }
}

impl System for Stack {
    fn successors(&self) -> Vec<Self> {
        let mut elements = self.elements.clone();
        match self.event {
            Event::CallPush(element) => elements.push(element),
            Event::CallPop => {
                elements.pop();
            }
            _ => {}
        }
        let frozen = self.frozen || self.event == Event::Freeze;
        let (capacity, events) = (self.capacity, self.next_events(&elements));
        let with = |event| Stack { capacity, elements: elements.clone(), event, frozen };
        events.into_iter().map(with).collect()
    }
}
