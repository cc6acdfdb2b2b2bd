//! The terms below given roots, in topological order: every pass over terms is a loop over them.
//!
//! A pass keeps one value per term in a vector and fills it from the front (operands first) or from
//! the back (contexts first). It needs no recursion, whatever the nesting.

/// A term of some [`Dag`], by its index. It has no meaning for any other `Dag`.
pub trait Handle: Copy + Ord {
    /// The index of the term, in order of construction.
    fn index(self) -> usize;

    /// The term with this index.
    fn from_index(index: usize) -> Self;
}

/// An owner of terms in which **a term has a larger handle than its operands**, so that the order
/// of handles is topological.
pub trait Dag {
    /// The handles of its terms.
    type Handle: Handle;

    /// The operands of a term, from left to right.
    fn operands(&self, term: Self::Handle) -> impl Iterator<Item = Self::Handle>;
}

/// The terms below some roots, the roots included, in increasing order of their handles: operands
/// come first.
#[derive(Clone, Debug)]
pub struct Below<H> {
    order: Vec<H>,
}

impl<H: Handle> Below<H> {
    /// The terms below these roots.
    pub fn of(dag: &impl Dag<Handle = H>, roots: &[H]) -> Self {
        let end = roots.iter().map(|term| term.index() + 1).max().unwrap_or(0);
        let mut marks = MarkPages::up_to(end);
        let mut order: Vec<H> = Vec::new();
        order.extend(roots.iter().copied().filter(|term| marks.mark(term.index())));
        let mut next = 0;
        while next < order.len() {
            let operands = dag.operands(order[next]);
            order.extend(operands.filter(|term| marks.mark(term.index())));
            next += 1;
        }
        if order.len() == end {
            // All terms up to the roots are below them. This is the usual case of a formula that
            // was just read.
            order = (0..end).map(H::from_index).collect();
        } else {
            order.sort_unstable();
        }
        Below { order }
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no terms, which means that there are no roots.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The terms, operands first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = H> + ExactSizeIterator + '_ {
        self.order.iter().copied()
    }

    /// The term at a position.
    pub fn at(&self, position: usize) -> H {
        self.order[position]
    }

    /// The position of a term in this order.
    ///
    /// # Panics
    /// When it is not below the roots.
    pub fn position(&self, term: H) -> usize {
        // Handles are dense if the owner has few other terms: try the index first.
        let guess = term.index();
        if self.order.get(guess) == Some(&term) {
            return guess;
        }
        self.order.binary_search(&term).expect("a term below the roots")
    }
}

/// One bit per term, in pages that are allocated on demand: a few terms of a large owner take
/// little memory.
struct MarkPages {
    pages: Vec<Option<Box<[u64; WORDS]>>>,
}

/// Words per page.
const WORDS: usize = 64;

impl MarkPages {
    fn up_to(end: usize) -> Self {
        MarkPages { pages: vec![None; end.div_ceil(64 * WORDS)] }
    }

    /// Marks a term and returns whether it was unmarked before.
    fn mark(&mut self, index: usize) -> bool {
        let page = self.pages[index / (64 * WORDS)].get_or_insert_with(|| Box::new([0; WORDS]));
        let (word, bit) = (&mut page[index / 64 % WORDS], 1 << (index % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    impl Handle for usize {
        fn index(self) -> usize {
            self
        }

        fn from_index(index: usize) -> Self {
            index
        }
    }

    /// The operands of each term.
    struct Terms(Vec<Vec<usize>>);

    impl Dag for Terms {
        type Handle = usize;

        fn operands(&self, term: usize) -> impl Iterator<Item = usize> {
            self.0[term].iter().copied()
        }
    }

    #[test]
    fn what_is_below_is_what_is_reached() {
        let mut rng = Rng::new(1);
        for round in 0..300 {
            // Some rounds need several pages of marks.
            let terms = if round % 100 == 0 { 20_000 } else { rng.between(1, 30) };
            let dag = Terms((0..terms).map(|t| draw(&mut rng, t)).collect());
            let roots: Vec<usize> = (0..rng.below(3)).map(|_| rng.below(terms)).collect();
            let below = Below::of(&dag, &roots);
            let mut expected = vec![false; terms];
            roots.iter().for_each(|&root| expected[root] = true);
            for term in (0..terms).rev().filter(|&t| roots.iter().any(|&root| t <= root)) {
                if expected[term] {
                    dag.0[term].iter().for_each(|&operand| expected[operand] = true);
                }
            }
            let expected: Vec<usize> = (0..terms).filter(|&term| expected[term]).collect();
            assert_eq!(below.iter().collect::<Vec<_>>(), expected);
            assert_eq!((below.len(), below.is_empty()), (expected.len(), roots.is_empty()));
            for (position, &term) in expected.iter().enumerate() {
                assert_eq!((below.at(position), below.position(term)), (term, position));
            }
        }
    }

    /// At most two terms before this one.
    fn draw(rng: &mut Rng, term: usize) -> Vec<usize> {
        (0..rng.below(3).min(term)).map(|_| rng.below(term)).collect()
    }
}
