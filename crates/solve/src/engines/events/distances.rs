//! Times that are known by bounds on their differences: a simple temporal network \[DMP91\].
//!
//! Invariant: the matrix is closed under shortest paths and has no negative cycle, so that the
//! least time that each point can have is a solution.

/// No bound at all.
pub(super) const UNBOUNDED: i64 = i64::MAX / 4;

/// Bounds on the differences of the times of points. Point 0 is the beginning.
#[derive(Clone, Debug)]
pub(super) struct Distances {
    /// `most[i][j]` is the most that `t_j - t_i` can be.
    most: Vec<Vec<i64>>,
}

impl Distances {
    pub(super) fn new() -> Self {
        Distances { most: vec![vec![0]] }
    }

    /// A further point, not before the beginning.
    pub(super) fn add_point(&mut self) -> usize {
        let point = self.most.len();
        // Nobody is further from the beginning than from a point that may be the beginning.
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

    /// Requires `t_j - t_i <= most`; false if that is impossible.
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

    /// The least time of a point.
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
        // `a` is 3 to 5 behind the beginning, and `b` 10 to 20 behind `a`.
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
