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

/// Arranges the order of a model.
pub(crate) fn arrange(model: &mut Model) {
    let constraints: Vec<Expression> = model.system.constraints();
    let edges = Edges::of(&model.graph, &constraints);
    let declared: Vec<u32> = model.order.iter().map(|bit| bit.index() as u32).collect();
    let traversed = traverse(&edges, &declared);
    let (_, best) = [declared, traversed]
        .map(|start| edges.improve(start))
        .into_iter()
        .min_by_key(|(length, _)| *length)
        .expect("two candidates");
    let mut rank = vec![0; model.graph.variable_count()];
    (0_usize..).zip(&best).for_each(|(place, &bit)| rank[bit as usize] = place);
    let inputs = model.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Input);
    let inputs: BitSet = inputs.flat_map(|input| &input.bits).map(|bit| bit.index()).collect();
    model.order.sort_by_key(|bit: &Variable| (!inputs.contains(bit.index()), rank[bit.index()]));
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
        arrange(&mut model);
        assert_eq!((model.order[0], model.undeclared()), (input, None));
        for pair in model.order[1..].chunks(2) {
            let place =
                |bits: &[Variable]| pair.iter().find_map(|v| bits.iter().position(|b| b == v));
            assert_eq!(place(&a), place(&b), "{:?}", model.order);
        }
        assert_eq!(groups(&model).len(), 17);
    }
}
