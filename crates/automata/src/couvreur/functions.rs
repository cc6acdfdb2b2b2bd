//! The functions of subformulas, by the fundamental identities. Each is built once, when a node
//! first has the subformula.

use kermode_bdd::{Bdd, Manager, OutOfNodes};

use super::tableau::{Identity, Tableau};

/// The functions built so far.
pub(super) struct Functions {
    manager: Manager,
    made: Vec<Option<Bdd>>,
}

impl Functions {
    pub(super) fn new(manager: Manager, tableau: &Tableau) -> Self {
        Functions { manager, made: vec![None; tableau.identities.len()] }
    }

    /// The function of a subformula.
    pub(super) fn of(&mut self, tableau: &Tableau, root: usize) -> Result<Bdd, OutOfNodes> {
        let mut stack = vec![root];
        while let Some(&position) = stack.last() {
            if self.made[position].is_some() {
                stack.pop();
                continue;
            }
            let identity = tableau.identities[position];
            let waiting = stack.len();
            stack.extend(identity.operands().filter(|&a| self.made[a].is_none()));
            if stack.len() == waiting {
                self.made[position] = Some(self.unfold(tableau, position)?);
            }
        }
        Ok(self.built(root).clone())
    }

    fn built(&self, position: usize) -> &Bdd {
        self.made[position].as_ref().expect("operands are made first")
    }

    /// The identity of a subformula whose operands are built.
    fn unfold(&self, tableau: &Tableau, position: usize) -> Result<Bdd, OutOfNodes> {
        let variables = &tableau.variables;
        match tableau.identities[position] {
            Identity::Constant(true) => Ok(self.manager.top()),
            Identity::Constant(false) => Ok(self.manager.bottom()),
            Identity::Literal(proposition, positive) => {
                let variable = variables.proposition(proposition).expect("it was met");
                self.manager.literal(variable, positive)
            }
            Identity::And(a, b) => self.built(a).and(self.built(b)),
            Identity::Or(a, b) => self.built(a).or(self.built(b)),
            Identity::Next(a) => self.manager.variable(variables.demand_of(a)),
            Identity::Until { hold, goal, .. } => {
                let mut later = self.postponed(tableau, position)?;
                if let Some(hold) = hold {
                    later = later.and(self.built(hold))?;
                }
                self.built(goal).or(&later)
            }
            Identity::Release { release, hold, .. } => {
                let mut rest = self.postponed(tableau, position)?;
                if let Some(release) = release {
                    rest = rest.or(self.built(release))?;
                }
                self.built(hold).and(&rest)
            }
            Identity::Recurrence(g) => {
                let promise = variables.promise_of(position).expect("recurrence has a mark");
                let now_or_later = self.built(g).or(&self.manager.variable(promise)?)?;
                now_or_later.and(&self.manager.variable(variables.demand_of(position))?)
            }
        }
    }

    /// `a r_X`: the subformula is demanded of the rest and, if it has a goal, postponed.
    fn postponed(&self, tableau: &Tableau, position: usize) -> Result<Bdd, OutOfNodes> {
        let demand = self.manager.variable(tableau.variables.demand_of(position))?;
        match tableau.variables.promise_of(position) {
            Some(promise) => self.manager.variable(promise)?.and(&demand),
            None => Ok(demand),
        }
    }
}
