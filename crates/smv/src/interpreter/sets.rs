//! Sets of values, and an owner that keeps each set once.
//!
//! Integers are kept as intervals: `0..1000000000` takes as little room as one value.

use rustc_hash::FxHashMap;

use crate::flat::Value;

/// A finite set of values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValueSet {
    /// The integers, as intervals in increasing order. There are gaps between them.
    intervals: Vec<(i32, i32)>,
    /// The other values, in increasing order.
    others: Vec<Value>,
}

impl ValueSet {
    /// The set of one value.
    pub fn singleton(value: Value) -> Self {
        match value {
            Value::Integer(value) => ValueSet::interval(value, value),
            other => ValueSet { intervals: Vec::new(), others: vec![other] },
        }
    }

    /// The integers from the first to the second; none if the first is larger.
    pub fn interval(low: i32, high: i32) -> Self {
        let intervals = if low <= high { vec![(low, high)] } else { Vec::new() };
        ValueSet { intervals, others: Vec::new() }
    }

    /// The values of both sets.
    pub fn union(&self, other: &ValueSet) -> Self {
        let mut parts = [self.intervals.as_slice(), &other.intervals].concat();
        parts.sort_unstable();
        let mut intervals: Vec<(i32, i32)> = Vec::with_capacity(parts.len());
        for (low, high) in parts {
            match intervals.last_mut() {
                Some(last) if i64::from(low) <= i64::from(last.1) + 1 => last.1 = last.1.max(high),
                _ => intervals.push((low, high)),
            }
        }
        let mut others = [self.others.as_slice(), &other.others].concat();
        others.sort_unstable();
        others.dedup();
        ValueSet { intervals, others }
    }

    /// Whether the value is an element.
    pub fn contains(&self, value: Value) -> bool {
        match value {
            Value::Integer(value) => {
                let after = self.intervals.partition_point(|&(low, _)| low <= value);
                after > 0 && value <= self.intervals[after - 1].1
            }
            other => self.others.binary_search(&other).is_ok(),
        }
    }

    /// Whether all elements are elements of the other set.
    pub fn is_subset(&self, other: &ValueSet) -> bool {
        self.others.iter().all(|&value| other.contains(value))
            && self.intervals.iter().all(|&(low, high)| {
                let after = other.intervals.partition_point(|&(start, _)| start <= low);
                after > 0 && high <= other.intervals[after - 1].1
            })
    }

    /// The number of elements.
    pub fn len(&self) -> u64 {
        let width = |&(low, high): &(i32, i32)| (i64::from(high) - i64::from(low) + 1) as u64;
        self.intervals.iter().map(width).sum::<u64>() + self.others.len() as u64
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty() && self.others.is_empty()
    }

    /// The element with this number: integers come first, each kind in increasing order.
    pub fn get(&self, mut number: u64) -> Option<Value> {
        for &(low, high) in &self.intervals {
            let width = (i64::from(high) - i64::from(low) + 1) as u64;
            if number < width {
                return Some(Value::Integer((i64::from(low) + number as i64) as i32));
            }
            number -= width;
        }
        self.others.get(usize::try_from(number).ok()?).copied()
    }

    /// The elements: integers first, each kind in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        let integers = self.intervals.iter().flat_map(|&(low, high)| low..=high);
        integers.map(Value::Integer).chain(self.others.iter().copied())
    }
}

/// A set of some [`Sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SetId(u32);

/// The owner of sets. Equal sets have one number.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    sets: Vec<ValueSet>,
    ids: FxHashMap<ValueSet, SetId>,
    /// The results of [`Sets::union`].
    unions: FxHashMap<(u32, u32), SetId>,
    /// The sets of one element.
    singletons: FxHashMap<Value, SetId>,
}

impl Sets {
    /// The number of a set.
    pub(super) fn intern(&mut self, set: ValueSet) -> SetId {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = SetId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }

    /// The set of one value.
    pub(super) fn singleton(&mut self, value: Value) -> SetId {
        if let Some(&id) = self.singletons.get(&value) {
            return id;
        }
        let id = self.intern(ValueSet::singleton(value));
        self.singletons.insert(value, id);
        id
    }

    /// The union of two sets.
    pub(super) fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if let Some(&id) = self.unions.get(&(a.0, b.0)) {
            return id;
        }
        let id = self.intern(self.get(a).union(self.get(b)));
        self.unions.insert((a.0, b.0), id);
        id
    }

    /// A set.
    pub(super) fn get(&self, id: SetId) -> &ValueSet {
        &self.sets[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kermode_base::Rng;

    use super::*;
    use crate::flat::Symbol;

    fn draw(rng: &mut Rng) -> (ValueSet, BTreeSet<Value>) {
        let mut set = ValueSet::default();
        for _ in 0..rng.below(4) {
            let low = rng.below(8) as i32 - 4;
            let part = match rng.below(3) {
                0 => ValueSet::interval(low, low + rng.below(4) as i32 - 1),
                1 => ValueSet::singleton(Value::Integer(low)),
                _ => ValueSet::singleton(Value::Symbol(Symbol(rng.below(3) as u32))),
            };
            set = set.union(&part);
        }
        let values = set.iter().collect();
        (set, values)
    }

    #[test]
    fn operations_agree_with_plain_sets() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let ((a, plain_a), (b, plain_b)) = (draw(&mut rng), draw(&mut rng));
            assert_eq!(a.union(&b).iter().collect::<BTreeSet<_>>(), &plain_a | &plain_b);
            assert_eq!(a.is_subset(&b), plain_a.is_subset(&plain_b));
            assert_eq!(a == b, plain_a == plain_b);
            assert_eq!(a.len(), plain_a.len() as u64);
            assert_eq!(a.is_empty(), plain_a.is_empty());
            assert!(plain_a.iter().all(|&value| a.contains(value)));
            assert_eq!(
                (0..).map_while(|n| a.get(n)).collect::<Vec<_>>(),
                a.iter().collect::<Vec<_>>()
            );
            assert_eq!(a.contains(Value::Integer(0)), plain_a.contains(&Value::Integer(0)));
        }
    }

    #[test]
    fn wide_intervals_take_no_room() {
        let all = ValueSet::interval(i32::MIN, i32::MAX);
        assert_eq!(all.len(), 1 << 32);
        assert_eq!(all.get(u64::from(u32::MAX)), Some(Value::Integer(i32::MAX)));
        assert!(ValueSet::interval(5, 2_000_000_000).is_subset(&all));
        assert_eq!(all.union(&ValueSet::singleton(Value::Integer(3))), all);
    }
}
