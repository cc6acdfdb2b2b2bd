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
//! [`StaticOrder`] has the other orders, for comparison and for models that the default does not
//! suit.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use kermode_base::BitSet;
use kermode_system::{Expression, Graph, Model, SymbolKind, Variable};

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
        let mut places = vec![0; self.of_bit.len()];
        let place = |order: &[u32], places: &mut [u32]| {
            (0..).zip(order).for_each(|(place, &bit)| places[bit as usize] = place);
        };
        place(&start, &mut places);
        let mut best = (self.length(&places), start.clone());
        let mut order = start;
        let rounds = (MOST_STEPS / self.size.max(1)).min(ROUNDS);
        let mut waited = 0;
        for _ in 0..rounds {
            order = self.centred(&order, &places);
            place(&order, &mut places);
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
    let short = || {
        let starts = [declared.clone(), traverse(&edges, &declared)];
        let improved = starts.map(|start| edges.improve(start)).into_iter();
        improved.min_by_key(|(length, _)| *length).expect("two candidates").1
    };
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
