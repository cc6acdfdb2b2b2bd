//! A formula as a graph of few kinds of nodes: what holds now, what is requested of the next
//! position, and what is remembered of the previous one.
//!
//! Temporal operators of the negation normal form are unfolded: `a U b` is `b | a & X(a U b)`, and
//! `a S b` is `b | a & Y(a S b)`. The requests make cycles, and all other edges lead to smaller
//! numbers. An operator such as until also promises something, which must be fulfilled and not be
//! put off for ever.
//!
//! Invariant: all nodes are read with positive polarity. A set of nodes per position that is closed
//! under these edges, and fulfils its promises, belongs to a word that satisfies the formula.

use kermode_ltl::normal::negation_normal_form;
use kermode_ltl::{BinaryOp, Formula, Node, Proposition, Store, UnaryOp, WordKind};
use rustc_hash::FxHashMap;

/// The number of a node.
pub(super) type NodeId = u32;

/// What a node demands if it holds.
#[derive(Clone, Debug)]
pub(super) enum Demand {
    /// A constant.
    Constant(bool),
    /// A proposition, by its index in [`Closure::propositions`], with this value.
    Literal(u32, bool),
    /// All of these.
    And(Vec<NodeId>),
    /// One of these.
    Or(Vec<NodeId>),
    /// The node at the next position. A strong request demands that there is one.
    Next {
        /// The node.
        target: NodeId,
        /// Whether there must be a next position.
        strong: bool,
    },
    /// The node at the previous position. A strong memory demands that there is one.
    Previous {
        /// The node.
        target: NodeId,
        /// Whether there must be a previous position.
        strong: bool,
    },
}

/// What an operator such as until promises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    /// The request that keeps the promise pending.
    pub(super) request: NodeId,
    /// The node that fulfils it.
    pub(super) fulfilled: NodeId,
}

/// The nodes that may demand a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Supporters {
    /// At the same position.
    pub(super) here: Vec<NodeId>,
    /// Requests of the position before.
    pub(super) before: Vec<NodeId>,
}

/// The graph of a formula.
pub(super) struct Closure {
    pub(super) nodes: Vec<Demand>,
    pub(super) root: NodeId,
    pub(super) propositions: Vec<Proposition>,
    pub(super) promises: Vec<Promise>,
    /// The nodes that are requests.
    pub(super) requests: Vec<NodeId>,
    /// The nodes that are memories.
    pub(super) memories: Vec<NodeId>,
}

impl Closure {
    /// The graph of a formula without bounded operators.
    pub(super) fn of(store: &mut Store, formula: Formula, words: WordKind) -> Closure {
        let formula = negation_normal_form(store, formula, words);
        Builder::new(store, formula).build()
    }

    /// The target of a request or memory.
    pub(super) fn target(&self, node: NodeId) -> NodeId {
        match self.nodes[node as usize] {
            Demand::Next { target, .. } | Demand::Previous { target, .. } => target,
            _ => unreachable!("only requests and memories have targets"),
        }
    }

    /// Whether a request or memory demands that its position exists.
    pub(super) fn is_strong(&self, node: NodeId) -> bool {
        matches!(
            self.nodes[node as usize],
            Demand::Next { strong: true, .. } | Demand::Previous { strong: true, .. }
        )
    }

    /// For each node, the nodes that may demand it: at the same position, and by requests of the
    /// position before. Nodes that memories refer to, and literals, have no list.
    pub(super) fn supporters(&self) -> Vec<Option<Supporters>> {
        let mut supporters: Vec<Option<Supporters>> =
            vec![Some(Supporters::default()); self.nodes.len()];
        let mut add = |node: NodeId, place: fn(&mut Supporters) -> &mut Vec<NodeId>, by: NodeId| {
            if let Some(supporters) = &mut supporters[node as usize] {
                place(supporters).push(by);
            }
        };
        for (by, demand) in self.nodes.iter().enumerate() {
            let by = by as NodeId;
            match demand {
                Demand::And(parts) | Demand::Or(parts) => {
                    parts.iter().for_each(|&part| add(part, |all| &mut all.here, by));
                }
                Demand::Next { target, .. } => add(*target, |all| &mut all.before, by),
                Demand::Constant(_) | Demand::Literal(..) | Demand::Previous { .. } => {}
            }
        }
        self.memories.iter().for_each(|&memory| supporters[self.target(memory) as usize] = None);
        for (demand, supporters) in self.nodes.iter().zip(&mut supporters) {
            if matches!(demand, Demand::Constant(_) | Demand::Literal(..)) {
                *supporters = None;
            }
        }
        supporters
    }

    /// The conjuncts of the root.
    pub(super) fn conjuncts(&self) -> Vec<NodeId> {
        match &self.nodes[self.root as usize] {
            Demand::And(parts) if !self.repeats(self.root) => parts.clone(),
            _ => vec![self.root],
        }
    }

    /// Whether a node requests itself at the next position in any case, as `G a` does.
    pub(super) fn repeats(&self, node: NodeId) -> bool {
        let Demand::And(parts) = &self.nodes[node as usize] else { return false };
        parts.iter().any(|&part| {
            let demand = &self.nodes[part as usize];
            matches!(*demand, Demand::Next { target, strong: false } if target == node)
        })
    }
}

impl Closure {
    /// The same graph without nodes that the root does not lead to: operands that have become part
    /// of larger conjunctions and disjunctions.
    fn without_unreachable(mut self) -> Closure {
        let mut is_reachable = vec![false; self.nodes.len()];
        let mut todo = vec![self.root];
        while let Some(node) = todo.pop() {
            if std::mem::replace(&mut is_reachable[node as usize], true) {
                continue;
            }
            match &self.nodes[node as usize] {
                Demand::And(parts) | Demand::Or(parts) => todo.extend(parts),
                Demand::Next { target, .. } | Demand::Previous { target, .. } => todo.push(*target),
                Demand::Constant(_) | Demand::Literal(..) => {}
            }
        }
        let mut numbers = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for &is_reachable in &is_reachable {
            numbers.push(count);
            count += NodeId::from(is_reachable);
        }
        let renumber = |node: &mut NodeId| *node = numbers[*node as usize];
        let keep = |node: &NodeId| is_reachable[*node as usize];
        let mut old = 0;
        self.nodes.retain(|_| {
            old += 1;
            is_reachable[old - 1]
        });
        for demand in &mut self.nodes {
            match demand {
                Demand::And(parts) | Demand::Or(parts) => parts.iter_mut().for_each(renumber),
                Demand::Next { target, .. } | Demand::Previous { target, .. } => renumber(target),
                Demand::Constant(_) | Demand::Literal(..) => {}
            }
        }
        self.requests.retain(keep);
        self.memories.retain(keep);
        self.promises.retain(|promise| keep(&promise.request));
        self.requests.iter_mut().chain(&mut self.memories).for_each(renumber);
        for promise in &mut self.promises {
            renumber(&mut promise.request);
            renumber(&mut promise.fulfilled);
        }
        renumber(&mut self.root);
        self
    }
}

struct Builder<'s> {
    store: &'s Store,
    root: Formula,
    closure: Closure,
    /// The node of each formula.
    built: FxHashMap<Formula, NodeId>,
    indices: FxHashMap<Proposition, u32>,
    steps: FxHashMap<(NodeId, bool, bool), NodeId>,
    /// How often each formula is an operand.
    uses: FxHashMap<Formula, u32>,
}

impl<'s> Builder<'s> {
    fn new(store: &'s Store, root: Formula) -> Self {
        let closure = Closure {
            nodes: Vec::new(),
            root: 0,
            propositions: Vec::new(),
            promises: Vec::new(),
            requests: Vec::new(),
            memories: Vec::new(),
        };
        let (built, indices) = (FxHashMap::default(), FxHashMap::default());
        let (steps, uses) = (FxHashMap::default(), FxHashMap::default());
        Builder { store, root, closure, built, indices, steps, uses }
    }

    fn build(mut self) -> Closure {
        let subformulas = self.store.subformulas(self.root);
        for formula in subformulas.iter() {
            for operand in self.store.node(formula).operands() {
                *self.uses.entry(operand).or_default() += 1;
            }
        }
        for formula in subformulas.iter() {
            let node = self.node(formula);
            self.built.insert(formula, node);
        }
        self.closure.root = self.built[&self.root];
        self.closure.without_unreachable()
    }

    fn push(&mut self, demand: Demand) -> NodeId {
        let id = self.closure.nodes.len() as NodeId;
        self.closure.nodes.push(demand);
        id
    }

    /// The request for a node at the next position, or its memory; each exists once.
    fn step(&mut self, target: NodeId, is_next: bool, strong: bool) -> NodeId {
        if let Some(&node) = self.steps.get(&(target, is_next, strong)) {
            return node;
        }
        let node = if is_next {
            let node = self.push(Demand::Next { target, strong });
            self.closure.requests.push(node);
            node
        } else {
            let node = self.push(Demand::Previous { target, strong });
            self.closure.memories.push(node);
            node
        };
        self.steps.insert((target, is_next, strong), node);
        node
    }

    fn node(&mut self, formula: Formula) -> NodeId {
        use BinaryOp::{And, Or, Release, Since, StrongRelease, Triggered, Until, WeakUntil};
        use UnaryOp::{
            Finally, Globally, Historically, Next, Not, Once, WeakNext, WeakYesterday, Yesterday,
        };
        let built = |a: Formula| self.built[&a];
        match self.store.node(formula) {
            Node::Constant(value) => self.push(Demand::Constant(value)),
            Node::Proposition(proposition) => self.literal(proposition, true),
            Node::Unary(Not, a) => match self.store.node(a) {
                Node::Proposition(proposition) => self.literal(proposition, false),
                _ => unreachable!("in negation normal form only propositions are negated"),
            },
            Node::Binary(op @ (And | Or), a, b) => {
                let mut parts = self.parts(op, a);
                parts.extend(self.parts(op, b));
                parts.sort_unstable();
                parts.dedup();
                self.push(if op == And { Demand::And(parts) } else { Demand::Or(parts) })
            }
            Node::Unary(Next, a) => self.step(built(a), true, true),
            Node::Unary(WeakNext, a) => self.step(built(a), true, false),
            Node::Unary(Yesterday, a) => self.step(built(a), false, true),
            Node::Unary(WeakYesterday, a) => self.step(built(a), false, false),
            Node::Unary(op @ (Finally | Once), a) => self.some(built(a), None, op == Finally, true),
            Node::Unary(op @ (Globally | Historically), a) => {
                self.each(built(a), None, op == Globally, false)
            }
            Node::Binary(op @ (Until | Since), a, b) => {
                self.some(built(b), Some(built(a)), op == Until, true)
            }
            Node::Binary(WeakUntil, a, b) => self.some(built(b), Some(built(a)), true, false),
            Node::Binary(op @ (Release | Triggered), a, b) => {
                self.each(built(b), Some(built(a)), op == Release, false)
            }
            Node::Binary(StrongRelease, a, b) => self.each(built(b), Some(built(a)), true, true),
            node => unreachable!("{node:?} is not in negation normal form"),
        }
    }

    fn literal(&mut self, proposition: Proposition, value: bool) -> NodeId {
        let propositions = &mut self.closure.propositions;
        let index = *self.indices.entry(proposition).or_insert_with(|| {
            propositions.push(proposition);
            propositions.len() as u32 - 1
        });
        self.push(Demand::Literal(index, value))
    }

    /// The operands of a nested conjunction or disjunction that is used only once.
    fn parts(&self, op: BinaryOp, formula: Formula) -> Vec<NodeId> {
        let node = self.built[&formula];
        let is_single = self.uses.get(&formula) == Some(&1);
        match (op, &self.closure.nodes[node as usize], self.store.node(formula)) {
            (BinaryOp::And, Demand::And(parts), Node::Binary(BinaryOp::And, ..)) if is_single => {
                parts.clone()
            }
            (BinaryOp::Or, Demand::Or(parts), Node::Binary(BinaryOp::Or, ..)) if is_single => {
                parts.clone()
            }
            _ => vec![node],
        }
    }

    /// `b | a & step`, where the step leads to the node itself.
    fn some(&mut self, b: NodeId, a: Option<NodeId>, is_next: bool, strong: bool) -> NodeId {
        let own = self.closure.nodes.len() as NodeId + if a.is_some() { 2 } else { 1 };
        let step = self.step(own, is_next, strong);
        let stays = match a {
            Some(a) => self.push(Demand::And(vec![a, step])),
            None => step,
        };
        if is_next && strong {
            self.closure.promises.push(Promise { request: step, fulfilled: b });
        }
        self.push(Demand::Or(vec![b, stays]))
    }

    /// `b & (a | step)`, where the step leads to the node itself.
    fn each(&mut self, b: NodeId, a: Option<NodeId>, is_next: bool, strong: bool) -> NodeId {
        let own = self.closure.nodes.len() as NodeId + if a.is_some() { 2 } else { 1 };
        let step = self.step(own, is_next, strong);
        let stays = match a {
            Some(a) => self.push(Demand::Or(vec![a, step])),
            None => step,
        };
        if let (true, true, Some(a)) = (is_next, strong, a) {
            self.closure.promises.push(Promise { request: step, fulfilled: a });
        }
        self.push(Demand::And(vec![b, stays]))
    }
}
