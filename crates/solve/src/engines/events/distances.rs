//! A simple temporal network \[DMP91\]: points in time with upper bounds on the differences of
//! their times.
//!
//! Invariant: the matrix is closed under shortest paths and has no negative cycle. So the earliest
//! times of all points are a solution.

/// The bound that stands for no bound.
pub(super) const UNBOUNDED: i64 = i64::MAX / 4;

/// Bounds on the differences of times. Point 0 is the first position.
#[derive(Clone, Debug)]
pub(super) struct Distances {
    /// `most[i][j]` is the upper bound of `t_j - t_i`.
    most: Vec<Vec<i64>>,
}

impl Distances {
    pub(super) fn new() -> Self {
        Distances { most: vec![vec![0]] }
    }

    /// Adds a point that is not before the first position.
    pub(super) fn add_point(&mut self) -> usize {
        let point = self.most.len();
        // The new point `p` has `t_0 - t_p <= 0`, so each bound from point 0 holds from `p` too.
        let to_others = self.most[0].clone();
        for row in &mut self.most {
            row.push(UNBOUNDED);
        }
        self.most.push(to_others);
        self.most[point].push(0);
        point
    }

    /// Whether `t_j - t_i <= most` is possible.
    pub(super) fn allows(&self, i: usize, j: usize, most: i64) -> bool {
        most.saturating_add(self.most[j][i]) >= 0
    }

    /// Requires `t_j - t_i <= most`; returns false if that is impossible.
    pub(super) fn require(&mut self, i: usize, j: usize, most: i64) -> bool {
        if !self.allows(i, j, most) {
            return false;
        }
        if most >= self.most[i][j] {
            return true;
        }
        let from_j = self.most[j].clone();
        for row in &mut self.most {
            let through = row[i].saturating_add(most);
            if through >= UNBOUNDED / 2 {
                continue;
            }
            for (known, &further) in row.iter_mut().zip(&from_j) {
                *known = (*known).min(through.saturating_add(further));
            }
        }
        true
    }

    /// The earliest time of a point.
    pub(super) fn earliest(&self, point: usize) -> i64 {
        -self.most[point][0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_add_up() {
        let mut distances = Distances::new();
        let [a, b] = [distances.add_point(), distances.add_point()];
        // `a` is 3 to 5 after the first position, and `b` is 10 to 20 after `a`.
        assert!(distances.require(0, a, 5) && distances.require(a, 0, -3));
        assert!(distances.require(a, b, 20) && distances.require(b, a, -10));
        assert_eq!((distances.earliest(a), distances.earliest(b)), (3, 13));
        assert!(distances.allows(b, 0, -25) && !distances.allows(b, 0, -26));
        assert!(distances.require(b, 0, -25));
        assert_eq!((distances.earliest(a), distances.earliest(b)), (5, 25));
        assert!(!distances.require(0, b, 24));
    }

    #[test]
    fn points_are_not_before_the_beginning() {
        let mut distances = Distances::new();
        let a = distances.add_point();
        assert!(!distances.allows(0, a, -1));
        assert!(distances.require(0, a, 0));
        assert_eq!(distances.earliest(a), 0);
    }
}
