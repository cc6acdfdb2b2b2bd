//! A full manager takes no more memory than its capacity allows. The test is alone in its process
//! because it measures the memory of the process.

#![allow(clippy::unwrap_used)]

mod common;

use common::Random;
use kermode_bdd::{Bdd, Capacity, Manager, OutOfNodes, Variable};

const MEMORY: u64 = 96 << 20;

#[test]
#[cfg(target_os = "linux")]
fn a_full_manager_stays_within_its_memory() {
    let before = resident();
    let capacity = Capacity::within(64, MEMORY);
    assert!(capacity.memory() as u64 <= MEMORY);
    let manager = Manager::new(capacity).unwrap();
    let mut random = Random(17);
    let kept = fill(&manager, &mut random);
    let used = resident() - before;
    // Pages are large, and the allocator keeps some of the tables that grew.
    assert!(used <= MEMORY + (24 << 20), "{used} bytes for {} functions", kept.len());
    assert!(used >= MEMORY / 3, "the table is not full: {used} bytes");
}

/// Builds random functions until the table is full.
fn fill(manager: &Manager, random: &mut Random) -> Vec<Bdd> {
    let mut kept = Vec::new();
    let mut literal = || {
        let variable = Variable(random.below(64) as u32);
        manager.literal(variable, random.below(2) == 0)
    };
    loop {
        let function = (0..24).try_fold(manager.bottom(), |sum, _| {
            let product = literal()?.and(&literal()?)?.and(&literal()?)?;
            sum.xor(&product)
        });
        match function {
            Ok(function) => kept.push(function),
            Err(OutOfNodes) => return kept,
        }
    }
}

fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4_096
}
