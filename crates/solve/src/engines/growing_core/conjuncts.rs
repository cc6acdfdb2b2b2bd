//! The conjuncts of a formula, and the subset that is the core.

use std::rc::Rc;

use kermode_ltl::conjuncts::conjuncts;
use kermode_ltl::{Formula, Proposition, Store};
use rustc_hash::FxHashSet;

struct Conjunct {
    formula: Formula,
    propositions: Vec<Proposition>,
    size: usize,
}

#[derive(Clone)]
pub(super) struct Core {
    conjuncts: Rc<[Conjunct]>,
    /// Which conjuncts are in the core, and their number.
    is_in_core: Vec<bool>,
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
        };
        let conjuncts: Rc<[Conjunct]> = formulas.into_iter().map(conjunct).collect();
        let is_in_core = vec![false; conjuncts.len()];
        Core { conjuncts, is_in_core, len: 0, known: FxHashSet::default() }
    }

    /// All conjuncts.
    pub(super) fn conjuncts(&self) -> impl Iterator<Item = Formula> {
        self.conjuncts.iter().map(|conjunct| conjunct.formula)
    }

    /// The number of conjuncts in the core.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether the conjunct with this index is in the core.
    pub(super) fn has(&self, place: usize) -> bool {
        self.is_in_core[place]
    }

    pub(super) fn is_all(&self) -> bool {
        self.len == self.conjuncts.len()
    }

    /// Whether there is only one conjunct.
    pub(super) fn is_single(&self) -> bool {
        self.conjuncts.len() <= 1
    }

    /// The conjunction of the core, unless it is the whole formula.
    pub(super) fn conjunction(&self, store: &mut Store) -> Option<Formula> {
        if self.is_all() {
            return None;
        }
        let places = self.conjuncts().enumerate().filter(|&(place, _)| self.has(place));
        Some(store.all(places.map(|(_, conjunct)| conjunct)))
    }

    /// Adds the first of these conjuncts: those with few propositions outside of the core, and
    /// among them the small ones.
    pub(super) fn grow(&mut self, mut places: Vec<usize>, count: usize) {
        places.retain(|&place| !self.has(place));
        places.sort_by_cached_key(|&place| {
            let conjunct = &self.conjuncts[place];
            let is_new = |p: &&Proposition| !self.known.contains(*p);
            (conjunct.propositions.iter().filter(is_new).count(), conjunct.size)
        });
        for place in places.into_iter().take(count) {
            self.is_in_core[place] = true;
            self.known.extend(&self.conjuncts[place].propositions);
            self.len += 1;
        }
    }

    /// The core with half of the remaining conjuncts added.
    pub(super) fn with_half_more(&self) -> Core {
        let (mut more, left) = (self.clone(), self.conjuncts.len() - self.len);
        more.grow((0..self.conjuncts.len()).collect(), left.div_ceil(2));
        more
    }

    pub(super) fn describe(&self) -> String {
        format!("{} of {} conjuncts", self.len, self.conjuncts.len())
    }
}
