//! Demands that others imply, which leave a node.
//!
//! A node that demands both `X b` and `b | X b` accepts the same words without the second one. A
//! syntactic test finds such pairs: it compares all pairs of subformulas, operands first, so each
//! pair takes a few lookups. It is sound but not complete, as in \[SB00\].
//!
//! That the words stay the same is not enough: the marks must still say which goals are postponed
//! for ever. With `X F b` in place of `F b` in every node of `G X X F b`, nothing would ever
//! postpone `F b`. Suppose that an accepted run has a false demand. By the identities it demands
//! something false of the next node, and so on for ever. There are two reasons why this chain must
//! end although implied demands are replaced by those that imply them:
//! - if a demand without a goal to postpone is false, finitely many letters show it. The rules of
//!   the test hold as well if everything is true after the last of these letters, so along the
//!   chain these letters become fewer;
//! - any other demand is replaced only if that adds no cycle to the relation of subformulas and
//!   replacements. Then the chain repeats one formula from some point on, which postpones its goal
//!   for ever and lacks its mark.

use kermode_base::BitSet;

use super::tableau::{Identity, Tableau};

/// Formulas with more subformulas keep all demands: there are too many pairs.
const MOST_SUBFORMULAS: usize = 1 << 10;

/// Which demands imply which.
pub(super) struct Implications {
    /// For each demand those that can replace it, by number.
    replaced_by: Vec<BitSet>,
    /// The demands that something can replace.
    replaceable: BitSet,
}

impl Implications {
    /// The implications between the demands of a formula.
    pub(super) fn of(tableau: &Tableau) -> Self {
        let demanded = tableau.variables.demanded();
        if tableau.identities.len() > MOST_SUBFORMULAS {
            return Implications { replaced_by: Vec::new(), replaceable: BitSet::new() };
        }
        let implied = Implied::of(&tableau.identities);
        let mut order: Option<ReplacementOrder> = None;
        let mut replaced_by = vec![BitSet::new(); demanded.len()];
        let mut replaceable = BitSet::new();
        for (weak, &g) in demanded.iter().enumerate() {
            for (strong, &h) in demanded.iter().enumerate() {
                if g == h || !implied.holds(h, g) {
                    continue;
                }
                let order = order.get_or_insert_with(|| ReplacementOrder::new(&tableau.identities));
                if order.admits(g, h) {
                    replaced_by[weak].insert(strong);
                    replaceable.insert(weak);
                }
            }
        }
        Implications { replaced_by, replaceable }
    }

    /// The demands without those that others imply, unless all stay.
    pub(super) fn reduced(&self, demands: &BitSet) -> Option<BitSet> {
        if demands.is_disjoint(&self.replaceable) {
            return None;
        }
        let mut kept = demands.clone();
        let mut candidates = demands.clone();
        candidates.intersect_with(&self.replaceable);
        for demand in candidates.iter() {
            // One after the other: of demands that imply each other one must stay.
            if !self.replaced_by[demand].is_disjoint(&kept) {
                kept.remove(demand);
            }
        }
        (kept != *demands).then_some(kept)
    }
}

/// Decides which demands may be replaced, so that marks still work.
struct ReplacementOrder {
    /// For each subformula, what it contains and what that is replaced by.
    below: Vec<BitSet>,
    /// Whether a subformula contains a goal that can be postponed.
    postpones: Vec<bool>,
}

impl ReplacementOrder {
    fn new(identities: &[Identity]) -> Self {
        let mut below: Vec<BitSet> = Vec::with_capacity(identities.len());
        let mut postpones: Vec<bool> = Vec::with_capacity(identities.len());
        for identity in identities {
            let mut contained = BitSet::new();
            let mut has_goal = identity.unfolds().1;
            for operand in identity.subformulas() {
                contained.union_with(&below[operand]);
                contained.insert(operand);
                has_goal |= postpones[operand];
            }
            below.push(contained);
            postpones.push(has_goal);
        }
        ReplacementOrder { below, postpones }
    }

    /// Whether `h` may replace `g`.
    fn admits(&mut self, g: usize, h: usize) -> bool {
        if !self.postpones[g] || self.below[g].contains(h) {
            return true;
        }
        if self.below[h].contains(g) {
            return false;
        }
        let mut added = self.below[h].clone();
        added.insert(h);
        for (place, below) in self.below.iter_mut().enumerate() {
            if place == g || below.contains(g) {
                below.union_with(&added);
            }
        }
        true
    }
}

/// For each subformula those that it implies.
struct Implied<'a> {
    identities: &'a [Identity],
    rows: Vec<BitSet>,
}

impl<'a> Implied<'a> {
    fn of(identities: &'a [Identity]) -> Self {
        let mut implied = Implied { identities, rows: Vec::with_capacity(identities.len()) };
        for a in 0..identities.len() {
            let mut row = implied.by_left_side(a);
            row.insert(a);
            implied.rows.push(row);
            let unfolds = identities[a].unfolds().0 || matches!(identities[a], Identity::Next(_));
            for b in 0..identities.len() {
                let is_found = implied.holds(a, b)
                    || implied.by_right_side(a, b)
                    || (unfolds && (implied.side_by_side(a, b) || implied.stays(a, b)));
                if is_found {
                    implied.rows[a].insert(b);
                }
            }
        }
        implied
    }

    fn holds(&self, a: usize, b: usize) -> bool {
        self.rows[a].contains(b)
    }

    /// The formulas that the operands of a formula imply.
    fn by_left_side(&self, a: usize) -> BitSet {
        match self.identities[a] {
            Identity::Constant(false) => (0..self.identities.len()).collect(),
            Identity::And(x, y) => {
                let mut either = self.rows[x].clone();
                either.union_with(&self.rows[y]);
                either
            }
            Identity::Or(x, y) | Identity::Until { hold: Some(x), goal: y, .. } => {
                let mut both = self.rows[x].clone();
                both.intersect_with(&self.rows[y]);
                both
            }
            Identity::Release { hold, .. } => self.rows[hold].clone(),
            _ => BitSet::new(),
        }
    }

    /// Formulas that imply the right side.
    fn by_right_side(&self, a: usize, b: usize) -> bool {
        match self.identities[b] {
            Identity::Constant(value) => value,
            Identity::And(x, y) => self.holds(a, x) && self.holds(a, y),
            Identity::Or(x, y) => self.holds(a, x) || self.holds(a, y),
            Identity::Until { goal, .. } => self.holds(a, goal),
            Identity::Release { release: Some(x), hold: y, .. } => {
                self.holds(a, x) && self.holds(a, y)
            }
            _ => false,
        }
    }

    /// Both sides unfold in the same way.
    fn side_by_side(&self, a: usize, b: usize) -> bool {
        use Identity::{Next, Recurrence, Release, Until};
        match (self.identities[a], self.identities[b]) {
            (Next(x), Next(y)) | (Recurrence(x), Recurrence(y)) => self.holds(x, y),
            // If `x` implies `F y`, so do `X x` and `G F x`.
            (Next(x) | Recurrence(x), Until { hold: None, .. }) => self.holds(x, b),
            (Until { hold: x, goal, promised }, Until { hold: z, promised: due, .. }) => {
                let holds = z.is_none_or(|z| x.is_some_and(|x| self.holds(x, z)));
                (promised || !due) && holds && self.holds(goal, b)
            }
            (
                Release { release: x, hold, promised },
                Release { release: z, hold: w, promised: due },
            ) => {
                let released = x.is_none_or(|x| z.is_some_and(|z| self.holds(x, z)));
                (promised || !due) && released && self.holds(hold, w)
            }
            _ => false,
        }
    }

    /// What holds at every position implies that all its consequences do.
    fn stays(&self, a: usize, b: usize) -> bool {
        use Identity::{Next, Recurrence, Release, Until};
        let (Release { release: None, .. } | Recurrence(_)) = self.identities[a] else {
            return false;
        };
        match self.identities[b] {
            Next(x) | Recurrence(x) => self.holds(a, x),
            Release { hold: x, promised: false, .. }
            | Until { hold: Some(x), promised: false, .. } => self.holds(a, x),
            _ => false,
        }
    }
}
