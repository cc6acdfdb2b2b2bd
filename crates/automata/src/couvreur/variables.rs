//! The variables of the decision diagrams, their meaning and their order.
//!
//! The first variables are those of labels, in the order of the propositions, as a
//! [`Tgba`](crate::Tgba) requires. The functions of nodes have variables of their own for the
//! propositions: the variables of a subformula stand side by side, in the order of a traversal of
//! the formula, and a proposition stands beside the demands on its next value. With all
//! propositions in front, the functions of `F p_1 & .. & F p_n` and of `(p_1 <-> X p_1) & .. & (p_n
//! <-> X p_n)` would have `2^n` nodes.
//!
//! Promises and demands stand before propositions, so that steps that postpone least and lead to
//! small nodes are found first.

use kermode_bdd::Variable;

use super::tableau::Identity;

/// The meaning of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A proposition of the letter, by its number.
    Proposition(usize),
    /// A formula that is demanded of the rest, by its number.
    Demand(usize),
    /// A formula whose goal is postponed, by its mark.
    Promise(usize),
}

/// The variables of a formula.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    propositions: Vec<Option<Variable>>,
    /// For each subformula that may be demanded, its number among these and its variable.
    demands: Vec<Option<(usize, Variable)>>,
    promises: Vec<Option<Variable>>,
    /// The subformulas that may be demanded of the rest; the whole formula is among them.
    demanded: Vec<usize>,
    root: usize,
    mark_count: usize,
    /// The meanings of the variables after those of labels.
    meanings: Vec<Meaning>,
}

impl Variables {
    pub(super) fn new(identities: &[Identity], root: usize, propositions: usize) -> Self {
        let mut variables = Variables {
            propositions: vec![None; propositions],
            demands: vec![None; identities.len()],
            promises: vec![None; identities.len()],
            demanded: Vec::new(),
            root,
            mark_count: 0,
            meanings: Vec::new(),
        };
        let nexts = next_literals(identities, propositions);
        let mut seen = vec![false; identities.len()];
        let mut stack = vec![root];
        while let Some(position) = stack.pop() {
            if !std::mem::replace(&mut seen[position], true) {
                variables.meet(position, identities[position], &nexts, &mut stack);
            }
        }
        variables.demand(root);
        variables
    }

    /// Assigns variables to the identity of a subformula; the operands follow.
    fn meet(
        &mut self,
        position: usize,
        identity: Identity,
        nexts: &[Vec<usize>],
        stack: &mut Vec<usize>,
    ) {
        let (unfolds, promised) = identity.unfolds();
        if promised {
            self.promises[position] = Some(self.add(Meaning::Promise(self.mark_count)));
            self.mark_count += 1;
        }
        if unfolds {
            self.demand(position);
        }
        match identity {
            Identity::Literal(proposition, _) if self.propositions[proposition].is_none() => {
                nexts[proposition].iter().for_each(|&next| self.demand(next));
                self.propositions[proposition] = Some(self.add(Meaning::Proposition(proposition)));
            }
            Identity::Next(a) => {
                self.demand(a);
                stack.push(a);
            }
            _ => {}
        }
        let operands: Vec<usize> = identity.operands().collect();
        stack.extend(operands.into_iter().rev());
    }

    fn demand(&mut self, position: usize) {
        if self.demands[position].is_none() {
            let number = self.demanded.len();
            self.demanded.push(position);
            self.demands[position] = Some((number, self.add(Meaning::Demand(number))));
        }
    }

    fn add(&mut self, meaning: Meaning) -> Variable {
        self.meanings.push(meaning);
        Variable((self.propositions.len() + self.meanings.len() - 1) as u32)
    }

    /// The number of variables, those of labels included.
    pub(super) fn len(&self) -> usize {
        self.propositions.len() + self.meanings.len()
    }

    /// The meaning of a variable that is not one of labels.
    pub(super) fn meaning(&self, variable: Variable) -> Meaning {
        self.meanings[variable.index() - self.propositions.len()]
    }

    /// The variable of a proposition in functions of nodes, if it occurs.
    pub(super) fn proposition(&self, proposition: usize) -> Option<Variable> {
        self.propositions[proposition]
    }

    /// All variables of propositions, in functions of nodes.
    pub(super) fn propositions(&self) -> impl Iterator<Item = Variable> + '_ {
        self.propositions.iter().copied().flatten()
    }

    /// All variables of demands and promises.
    pub(super) fn demands_and_promises(&self) -> impl Iterator<Item = Variable> + '_ {
        let demands = self.demands.iter().flatten().map(|&(_, variable)| variable);
        demands.chain(self.promises.iter().copied().flatten())
    }

    /// The variable that demands a subformula of the rest.
    pub(super) fn demand_of(&self, position: usize) -> Variable {
        self.demands[position].expect("what is demanded has a variable").1
    }

    /// The variable that says that the goal of a subformula is postponed, if it has a mark.
    pub(super) fn promise_of(&self, position: usize) -> Option<Variable> {
        self.promises[position]
    }

    /// The subformulas that may be demanded of the rest.
    pub(super) fn demanded(&self) -> &[usize] {
        &self.demanded
    }

    /// The number of the whole formula among the demanded ones.
    pub(super) fn whole(&self) -> usize {
        self.demands[self.root].expect("the whole formula is demanded at first").0
    }

    /// The number of formulas that can be postponed.
    pub(super) fn mark_count(&self) -> usize {
        self.mark_count
    }
}

/// For each proposition, the literals of it that stand behind a next.
fn next_literals(identities: &[Identity], propositions: usize) -> Vec<Vec<usize>> {
    let mut nexts = vec![Vec::new(); propositions];
    for &identity in identities {
        if let Identity::Next(a) = identity
            && let Identity::Literal(proposition, _) = identities[a]
        {
            nexts[proposition].push(a);
        }
    }
    nexts
}
