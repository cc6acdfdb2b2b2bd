//! A static order of the bits, from the structure of the constraints.
//!
//! Each constraint is an edge between all bits that it mentions. A good order for decision diagrams
//! has short edges: bits that one constraint relates are close together. The order starts as a
//! depth-first traversal of the assignments, or as the order of declarations, which keeps instances
//! together. Then each bit moves to the centre of its edges again and again, and the order with the
//! shortest edges is kept (the method FORCE of \[AMS03\]). So the bits of variables that are
//! compared, added or copied are interleaved without special rules.
//!
//! Bits of inputs come first: they choose what happens in a step.
//!
//! The lengths of edges do not depend on what is above and what is below, but diagrams do. If the
//! value of a word says which of many bits a constraint is about, a diagram with these bits above
//! the word has to represent all their values together. So such bits move below the word. In models
//! with such a word, the reversed orders are candidates as well, and the order is kept in which the
//! fewest bits are *live* in the mean: above some place, and in one edge with bits below it. The
//! number of live bits bounds the width of a diagram there.
//!
//! [`StaticOrder`] has the other orders, for comparison and for models that the default does not
//! suit.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use kermode_base::BitSet;
use kermode_system::{Expression, Graph, Model, Symbol, SymbolKind, Variable};

/// At most so many rounds from one start.
const ROUNDS: usize = 100;
/// The search ends after so many rounds without an improvement.
const PATIENCE: usize = 12;
/// The search ends after about so many steps, so that it takes linear time for large models.
const MOST_STEPS: usize = 1 << 23;

/// A hypergraph: the bits, by their number, of each edge.
struct Edges {
    edges: Vec<Vec<u32>>,
    /// For each bit, the edges with it.
    of_bit: Vec<Vec<u32>>,
    size: usize,
}

impl Edges {
    fn of(graph: &Graph, constraints: &[Expression]) -> Self {
        let mut edges: Vec<Vec<u32>> = Vec::new();
        for &constraint in constraints {
            let bits = graph.variables(&[constraint]);
            if bits.len() > 1 {
                edges.push(bits.into_iter().map(|bit| bit.index() as u32).collect());
            }
        }
        let mut of_bit = vec![Vec::new(); graph.variable_count()];
        for (number, edge) in (0..).zip(&edges) {
            edge.iter().for_each(|&bit| of_bit[bit as usize].push(number));
        }
        let size = edges.iter().map(Vec::len).sum();
        Edges { edges, of_bit, size }
    }

    /// The sum of the lengths of all edges in an order, given by the place of each bit.
    fn length(&self, places: &[u32]) -> u64 {
        let length = |edge: &Vec<u32>| {
            let places = edge.iter().map(|&bit| places[bit as usize]);
            let (first, last) = places.fold((u32::MAX, 0), |(a, b), p| (a.min(p), b.max(p)));
            u64::from(last - first)
        };
        self.edges.iter().map(length).sum()
    }

    /// For each bit, the bits of the words that select it. A word selects a bit if all edges of the
    /// bit mention the whole word, which has more edges, and if that is so for more bits than the
    /// word has.
    fn selecting(&self, words: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let mut selecting = vec![Vec::new(); self.of_bit.len()];
        let squares = self.edges.iter().map(|edge| edge.len() * edge.len()).sum::<usize>();
        if squares > MOST_STEPS {
            return selecting;
        }
        for word in words {
            let [first, others @ ..] = &word[..] else { continue };
            let is_common = |edge: &&u32| {
                others.iter().all(|&bit| self.of_bit[bit as usize].binary_search(edge).is_ok())
            };
            let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
            for &edge in self.of_bit[*first as usize].iter().filter(is_common) {
                self.edges[edge as usize]
                    .iter()
                    .for_each(|&bit| *counts.entry(bit).or_default() += 1);
            }
            let least = word.iter().map(|&bit| self.of_bit[bit as usize].len()).min();
            counts.retain(|&bit, &mut count| {
                count == self.of_bit[bit as usize].len() && Some(count) < least
            });
            if counts.len() > word.len() {
                counts.keys().for_each(|&bit| selecting[bit as usize].extend(word));
            }
        }
        selecting
    }

    /// The sum of the numbers of live bits over all places.
    fn live(&self, order: &[u32]) -> u64 {
        let places = self.places(order);
        let last = |edge: &Vec<u32>| edge.iter().map(|&bit| places[bit as usize]).max();
        let lasts: Vec<u32> = self.edges.iter().map(|edge| last(edge).unwrap_or(0)).collect();
        let live = |&bit: &u32| {
            let edges = self.of_bit[bit as usize].iter();
            let last = edges.map(|&edge| lasts[edge as usize]).max();
            u64::from(last.map_or(0, |last| last - places[bit as usize]))
        };
        order.iter().map(live).sum()
    }

    /// The place of each bit in an order.
    fn places(&self, order: &[u32]) -> Vec<u32> {
        let mut places = vec![0; self.of_bit.len()];
        (0..).zip(order).for_each(|(place, &bit)| places[bit as usize] = place);
        places
    }

    /// The same order with each bit below the bits that select it.
    fn below_selecting(&self, mut order: Vec<u32>, selecting: &[Vec<u32>]) -> Vec<u32> {
        let places = self.places(&order);
        // Words that select a word select the bits of the latter as well, so these come last.
        order.sort_by_key(|&bit| {
            let above = &selecting[bit as usize];
            let last = above.iter().chain([&bit]).map(|&bit| places[bit as usize]).max();
            (last, above.len())
        });
        order
    }

    /// The order with short edges.
    fn short(&self, declared: &[u32], words: &[Vec<u32>]) -> Vec<u32> {
        let starts = [declared.to_vec(), traverse(self, declared)];
        let improved = starts.map(|start| self.improve(start)).into_iter();
        let selecting = self.selecting(words);
        if selecting.iter().all(Vec::is_empty) {
            return improved.min_by_key(|(length, _)| *length).expect("two candidates").1;
        }
        let both = |order: Vec<u32>| [order.iter().rev().copied().collect(), order];
        let candidates = improved.flat_map(|(_, order)| both(order));
        let moved = candidates.map(|order| self.below_selecting(order, &selecting));
        moved.min_by_key(|order| self.live(order)).expect("four candidates")
    }

    /// The order after each bit has moved to the centre of its edges.
    fn centred(&self, order: &[u32], places: &[u32]) -> Vec<u32> {
        let centre = |edge: &Vec<u32>| {
            let sum: u64 = edge.iter().map(|&bit| u64::from(places[bit as usize])).sum();
            sum as f64 / edge.len() as f64
        };
        let centres: Vec<f64> = self.edges.iter().map(centre).collect();
        let goal = |bit: u32| match &self.of_bit[bit as usize][..] {
            [] => f64::from(places[bit as usize]),
            edges => {
                let sum: f64 = edges.iter().map(|&edge| centres[edge as usize]).sum();
                sum / edges.len() as f64
            }
        };
        let mut goals: Vec<(f64, u32)> = order.iter().map(|&bit| (goal(bit), bit)).collect();
        goals.sort_by(|a, b| a.0.total_cmp(&b.0));
        goals.into_iter().map(|(_, bit)| bit).collect()
    }

    /// The best order that is found from this one, and its length.
    fn improve(&self, start: Vec<u32>) -> (u64, Vec<u32>) {
        let mut places = self.places(&start);
        let mut best = (self.length(&places), start.clone());
        let mut order = start;
        let rounds = (MOST_STEPS / self.size.max(1)).min(ROUNDS);
        let mut waited = 0;
        for _ in 0..rounds {
            order = self.centred(&order, &places);
            places = self.places(&order);
            let length = self.length(&places);
            waited += 1;
            if length < best.0 {
                best = (length, order.clone());
                waited = 0;
            }
            if waited > PATIENCE {
                break;
            }
        }
        best
    }
}

/// An order of the bits in decision diagrams that follows from the structure of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaticOrder {
    /// Short edges: the default.
    #[default]
    Force,
    /// As the variables are declared.
    Declared,
    /// A depth-first traversal of what depends on what.
    Dependency,
    /// Short edges, and the bits of each instance of a module side by side.
    Modules,
}

impl StaticOrder {
    /// All orders.
    pub const ALL: [StaticOrder; 4] =
        [StaticOrder::Force, StaticOrder::Declared, StaticOrder::Dependency, StaticOrder::Modules];

    /// The name, as users type it.
    pub fn name(self) -> &'static str {
        match self {
            StaticOrder::Force => "force",
            StaticOrder::Declared => "declared",
            StaticOrder::Dependency => "dependency",
            StaticOrder::Modules => "modules",
        }
    }
}

impl fmt::Display for StaticOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for StaticOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = StaticOrder::ALL.map(StaticOrder::name).join(", ");
        let found = StaticOrder::ALL.into_iter().find(|order| order.name() == text);
        found.ok_or_else(|| format!("there is no order `{text}`; there are: {known}"))
    }
}

/// Arranges the order of a model.
pub(crate) fn arrange(model: &mut Model, order: StaticOrder) {
    let constraints: Vec<Expression> = model.system.constraints();
    let edges = Edges::of(&model.graph, &constraints);
    let declared: Vec<u32> =
        model.system.variables().iter().map(|bit| bit.index() as u32).collect();
    let is_word = |symbol: &&Symbol| symbol.kind != SymbolKind::Input && symbol.bits.len() > 1;
    let bits = |symbol: &Symbol| symbol.bits.iter().map(|bit| bit.index() as u32).collect();
    let words: Vec<Vec<u32>> = model.symbols.iter().filter(is_word).map(bits).collect();
    let short = || edges.short(&declared, &words);
    let best = match order {
        StaticOrder::Force => short(),
        StaticOrder::Declared => declared.clone(),
        StaticOrder::Dependency => traverse(&edges, &declared),
        StaticOrder::Modules => by_instance(model, short()),
    };
    let mut rank = vec![0; model.graph.variable_count()];
    (0_usize..).zip(&best).for_each(|(place, &bit)| rank[bit as usize] = place);
    let inputs = model.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
    let inputs: BitSet = inputs.flat_map(|input| &input.bits).map(|bit| bit.index()).collect();
    model.order.sort_by_key(|bit: &Variable| (!inputs.contains(bit.index()), rank[bit.index()]));
}

/// The same order with the bits of each instance side by side, at the mean of their places.
fn by_instance(model: &Model, order: Vec<u32>) -> Vec<u32> {
    let mut instance_of = vec![""; model.graph.variable_count()];
    for symbol in &model.symbols {
        let instance = symbol.name.rsplit_once('.').map_or("", |(instance, _)| instance);
        symbol.bits.iter().for_each(|bit| instance_of[bit.index()] = instance);
    }
    let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (place, &bit) in order.iter().enumerate() {
        let (sum, count) = places.entry(instance_of[bit as usize]).or_default();
        (*sum, *count) = (*sum + place, *count + 1);
    }
    let mean = |bit: u32| {
        let (sum, count) = places[instance_of[bit as usize]];
        sum as f64 / count as f64
    };
    let mut ordered = order;
    // The sort is stable: an instance keeps the order of its own bits. Two instances with the same
    // mean are separated by their names.
    ordered.sort_by(|&a, &b| {
        let names = instance_of[a as usize].cmp(instance_of[b as usize]);
        mean(a).total_cmp(&mean(b)).then(names)
    });
    ordered
}

/// The bits in depth-first order over the edges.
fn traverse(edges: &Edges, declared: &[u32]) -> Vec<u32> {
    let mut seen = vec![false; edges.of_bit.len()];
    let mut used = vec![false; edges.edges.len()];
    let mut order = Vec::with_capacity(declared.len());
    for &root in declared {
        let mut todo = vec![root];
        while let Some(bit) = todo.pop() {
            if std::mem::replace(&mut seen[bit as usize], true) {
                continue;
            }
            order.push(bit);
            for &edge in edges.of_bit[bit as usize].iter().rev() {
                if !std::mem::replace(&mut used[edge as usize], true) {
                    todo.extend(edges.edges[edge as usize].iter().rev());
                }
            }
        }
    }
    order
}

/// The bits of each symbol that are side by side in the order: groups that sifting may move as one.
pub(crate) fn groups(model: &Model) -> Vec<Vec<Variable>> {
    let mut symbols = vec![usize::MAX; model.graph.variable_count()];
    for (place, symbol) in model.symbols.iter().enumerate() {
        symbol.bits.iter().for_each(|bit| symbols[bit.index()] = place);
    }
    let is_same = |a: &Variable, b: &Variable| {
        symbols[a.index()] == symbols[b.index()] && symbols[a.index()] != usize::MAX
    };
    model.order.chunk_by(is_same).map(<[Variable]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kermode_system::Domain;

    /// Two words that are copied into each other are interleaved, and inputs are on top.
    #[test]
    fn related_bits_are_neighbours() {
        let mut model = Model::new();
        let word = Domain::Word { signed: false, width: 8 };
        let [a, b] = ["a", "b"]
            .map(|name| model.declare(name, SymbolKind::State, word.clone()).bits.clone());
        let input = model.declare("i", SymbolKind::Input, Domain::Boolean).bits[0];
        for (&a, &b) in a.iter().zip(&b) {
            let (next, now) = (model.graph.next(a), model.graph.current(b));
            let copy = model.graph.iff(next, now);
            model.system.add_transition(&model.graph, copy);
        }
        let declared = groups(&model);
        assert_eq!(declared, [a.clone(), b.clone(), vec![input]]);
        arrange(&mut model, StaticOrder::Force);
        assert_eq!((model.order[0], model.undeclared()), (input, None));
        for pair in model.order[1..].chunks(2) {
            let place =
                |bits: &[Variable]| pair.iter().find_map(|v| bits.iter().position(|b| b == v));
            assert_eq!(place(&a), place(&b), "{:?}", model.order);
        }
        assert_eq!(groups(&model).len(), 17);
        arrange(&mut model, StaticOrder::Declared);
        assert_eq!(groups(&model), [vec![input], a, b]);
    }

    /// A word that says which bit is set is above the bits, also if it is declared below them.
    #[test]
    fn selected_bits_are_below_the_word() {
        let mut model = Model::new();
        let bits: Vec<Variable> = (0..8)
            .map(|i| model.declare(&format!("b{i}"), SymbolKind::State, Domain::Boolean).bits[0])
            .collect();
        let word = Domain::Word { signed: false, width: 3 };
        let word = model.declare("w", SymbolKind::State, word).bits.clone();
        for (code, &bit) in bits.iter().enumerate() {
            let mut is_code = model.graph.constant(true);
            for (place, &w) in word.iter().enumerate() {
                let mut value = model.graph.current(w);
                if code >> place & 1 == 0 {
                    value = model.graph.not(value);
                }
                is_code = model.graph.and(is_code, value);
            }
            let next = model.graph.next(bit);
            let set = model.graph.iff(next, is_code);
            model.system.add_transition(&model.graph, set);
        }
        for pair in word.windows(2) {
            let (next, now) = (model.graph.next(pair[0]), model.graph.current(pair[1]));
            let copy = model.graph.iff(next, now);
            model.system.add_transition(&model.graph, copy);
        }
        arrange(&mut model, StaticOrder::Force);
        assert_eq!(model.undeclared(), None);
        assert!(model.order[..3].iter().all(|bit| word.contains(bit)), "{:?}", model.order);
    }

    /// Instances whose bits depend on each other in turn stay apart only by modules.
    #[test]
    fn bits_of_an_instance_stay_together_by_modules() {
        let mut model = Model::new();
        let bits: Vec<Variable> = ["m.x", "n.x", "m.y", "n.y", "m.z", "n.z"]
            .map(|name| model.declare(name, SymbolKind::State, Domain::Boolean).bits[0])
            .to_vec();
        for pair in bits.windows(2) {
            let (next, now) = (model.graph.next(pair[0]), model.graph.current(pair[1]));
            let copy = model.graph.iff(next, now);
            model.system.add_transition(&model.graph, copy);
        }
        let changes = |model: &Model| {
            let instance = |bit: &Variable| model.graph.name(*bit).as_bytes()[0];
            model.order.windows(2).filter(|two| instance(&two[0]) != instance(&two[1])).count()
        };
        for order in StaticOrder::ALL {
            arrange(&mut model, order);
            assert_eq!(model.undeclared(), None);
            assert_eq!(changes(&model) == 1, order == StaticOrder::Modules, "{order}");
            assert_eq!(order.name().parse(), Ok(order));
        }
        assert!("sideways".parse::<StaticOrder>().is_err());
    }
}
