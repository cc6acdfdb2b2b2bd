//! What decision diagrams cost where Kermode uses them most: managers that start, successors of
//! location sets, and orders that get better. Run with `cargo bench -p kermode-bdd`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::{Duration, Instant};

use kermode_bdd::{Bdd, Capacity, Manager, OutOfNodes, Sifting, Variable, VariableSet};

fn main() -> Result<(), OutOfNodes> {
    println!("| manager | nodes | results | start |\n|---|---|---|---|");
    let capacities =
        [(12, 10), (16, 12), (16, 16), (20, 12), (20, 18), (24, 12), (24, 20), (26, 22)];
    for (nodes, cache) in capacities {
        start(Capacity { variables: 50, nodes: 1 << nodes, cache: 1 << cache })?;
    }
    println!(
        "\n| locations | propositions | chosen | conjoin | quantify | minimal | sets | a set |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (locations, propositions, chosen) in [(20, 6, 4), (40, 12, 4), (40, 12, 8), (100, 20, 5)] {
        successors(locations, propositions, chosen)?;
    }
    sifting()
}

fn start(capacity: Capacity) -> Result<(), OutOfNodes> {
    let begin = Instant::now();
    let rounds = 200;
    for _ in 0..rounds {
        let Ok(manager) = Manager::new(capacity) else { return Ok(()) };
        let all = manager
            .variables()
            .try_fold(manager.top(), |all, variable| all.and(&manager.variable(variable)?))?;
        assert!(!all.is_bottom());
    }
    let time = begin.elapsed() / rounds;
    println!("| 50 variables | {} | {} | {time:.1?} |", capacity.nodes, capacity.cache);
    Ok(())
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % u64::from(bound)) as u32
    }
}

/// Transitions as of formulas: sums of a few products of a literal and one or two locations.
fn transition(
    manager: &Manager,
    random: &mut Random,
    locations: u32,
    propositions: u32,
) -> Result<Bdd, OutOfNodes> {
    (0..1 + random.below(3)).try_fold(manager.bottom(), |sum, _| {
        let letter = Variable(random.below(propositions));
        let mut product = manager.literal(letter, random.below(2) == 0)?;
        for _ in 0..1 + random.below(2) {
            product = product
                .and(&manager.variable(Variable(propositions + random.below(locations)))?)?;
        }
        sum.or(&product)
    })
}

/// Minimal successors of random sets of locations.
fn successors(locations: u32, propositions: u32, chosen: u32) -> Result<(), OutOfNodes> {
    let variables = (locations + propositions) as usize;
    let capacity = Capacity { variables, nodes: 1 << 22, cache: 1 << 18 };
    let Ok(manager) = Manager::new(capacity) else { return Ok(()) };
    let mut random = Random(88_172_645_463_325_252);
    let transitions: Vec<Bdd> = (0..locations)
        .map(|_| transition(&manager, &mut random, locations, propositions))
        .collect::<Result<_, _>>()?;
    let letters: VariableSet =
        manager.variable_set(manager.variables().take(propositions as usize))?;
    let rounds = 5_000;
    let (mut times, mut sets) = ([Duration::ZERO; 4], 0);
    for _ in 0..rounds {
        let chosen: Vec<usize> = (0..chosen).map(|_| random.below(locations) as usize).collect();
        let mut clock = Instant::now();
        let mut lap =
            |time: &mut Duration| *time += std::mem::replace(&mut clock, Instant::now()).elapsed();
        let conjunction =
            chosen.iter().try_fold(manager.top(), |all, &place| all.and(&transitions[place]))?;
        lap(&mut times[0]);
        let successors = conjunction.exists(&letters)?;
        lap(&mut times[1]);
        let family = successors.minimal_models::<OutOfNodes>(&mut || Ok(()))?;
        lap(&mut times[2]);
        sets += family.sets().count();
        lap(&mut times[3]);
    }
    let [conjoin, quantify, minimal, _] = times.map(|time| time / rounds);
    println!(
        "| {locations} | {propositions} | {} | {conjoin:.1?} | {quantify:.1?} | {minimal:.1?} | {:.1} | {:.1?} |",
        chosen,
        sets as f64 / f64::from(rounds),
        times[3] / sets.max(1) as u32
    );
    Ok(())
}

/// Products of variables far apart.
fn sifting() -> Result<(), OutOfNodes> {
    let capacity = Capacity { variables: 32, nodes: 1 << 20, cache: 1 << 16 };
    let Ok(manager) = Manager::new(capacity) else { return Ok(()) };
    let variable = |number| manager.variable(Variable(number));
    let sum = (0..16).try_fold(manager.bottom(), |sum, number| {
        sum.or(&variable(number)?.and(&variable(number + 16)?)?)
    })?;
    let begin = Instant::now();
    let sifted = manager.sift::<OutOfNodes>(&[], &Sifting::default(), &mut || Ok(()))?;
    println!(
        "\n16 products of variables far apart: {} nodes, {} after sifting for {:.1?}",
        sifted.before,
        sum.node_count(),
        begin.elapsed()
    );
    Ok(())
}
