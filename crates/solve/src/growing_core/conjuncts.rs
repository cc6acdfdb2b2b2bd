//! The conjuncts of a formula, and those of them that are in the core.

use kermode_ltl::conjuncts::conjuncts;
use kermode_ltl::{Formula, Proposition, Store};
use rustc_hash::FxHashSet;

struct Conjunct {
    formula: Formula,
    propositions: Vec<Proposition>,
    size: usize,
    is_in_core: bool,
}

pub(super) struct Core {
    conjuncts: Vec<Conjunct>,
    /// How many conjuncts are in the core.
    len: usize,
    /// The propositions of the core.
    known: FxHashSet<Proposition>,
}

impl Core {
    /// The conjuncts of a formula, none of them in the core.
    pub(super) fn new(store: &mut Store, formula: Formula) -> Self {
        let formulas = conjuncts(store, formula);
        let conjunct = |formula| Conjunct {
            formula,
            propositions: store.propositions(formula),
            size: store.subformulas(formula).len(),
            is_in_core: false,
        };
        let conjuncts = formulas.into_iter().map(conjunct).collect();
        Core { conjuncts, len: 0, known: FxHashSet::default() }
    }

    /// All conjuncts.
    pub(super) fn conjuncts(&self) -> impl Iterator<Item = Formula> {
        self.conjuncts.iter().map(|conjunct| conjunct.formula)
    }

    /// How many conjuncts are in the core.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether the conjunct of this place is in the core.
    pub(super) fn has(&self, place: usize) -> bool {
        self.conjuncts[place].is_in_core
    }

    pub(super) fn is_all(&self) -> bool {
        self.len == self.conjuncts.len()
    }

    /// Whether there is nothing to choose from.
    pub(super) fn is_single(&self) -> bool {
        self.conjuncts.len() <= 1
    }

    pub(super) fn conjunction(&self, store: &mut Store) -> Formula {
        let core = self.conjuncts.iter().filter(|conjunct| conjunct.is_in_core);
        store.all(core.map(|conjunct| conjunct.formula))
    }

    /// Takes the first of these conjuncts: those that speak of little that the core does not, and among them small ones.
    pub(super) fn grow(&mut self, mut places: Vec<usize>, count: usize) {
        places.retain(|&place| !self.has(place));
        places.sort_by_cached_key(|&place| {
            let conjunct = &self.conjuncts[place];
            let is_new = |p: &&Proposition| !self.known.contains(*p);
            (conjunct.propositions.iter().filter(is_new).count(), conjunct.size)
        });
        for place in places.into_iter().take(count) {
            let conjunct = &mut self.conjuncts[place];
            conjunct.is_in_core = true;
            self.known.extend(&conjunct.propositions);
            self.len += 1;
        }
    }

    /// Takes half of the conjuncts that are left.
    pub(super) fn grow_by_half(&mut self) {
        let left = self.conjuncts.len() - self.len;
        self.grow((0..self.conjuncts.len()).collect(), left.div_ceil(2));
    }

    pub(super) fn describe(&self) -> String {
        format!("{} of {} conjuncts", self.len, self.conjuncts.len())
    }
}
