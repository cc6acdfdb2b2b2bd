//! Nodes and steps on demand.
//!
//! A node is known by its number. Its function is made when it is needed first: when a step is to be found, or, with
//! merged nodes, when the node is met, because nodes with one function are one node. The function of a subformula is
//! made when a node has it, so nothing that no run meets is ever looked at.
//!
//! For products the propositions of a function can be bound to a letter before its prime implicants are found: what
//! another letter would lead to is not found and thrown away, it is not there. `G F p_1 & .. & G F p_n` has one
//! node with `2^n` steps, and one step on each letter.

use indexmap::IndexMap;
use kermode_bdd::{
    Bdd, BitSet, Cube, IrredundantCover, Literal, Manager, OutOfNodes, PrimeImplicants, Variable,
};
use kermode_ltl::{Letter, Proposition};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::tableau::{Identity, Tableau};
use super::variables::Meaning;
use crate::lazy::{Lazy, NextStep, OnLetter};
use crate::space::Step;

/// A node of the construction, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

impl Node {
    /// Its number, from 0 in the order in which nodes are met.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node of a number.
    pub(super) fn from_index(index: usize) -> Self {
        Node(u32::try_from(index).expect("there are at most 2^32 nodes"))
    }
}

/// What is known of a node.
struct Known {
    /// The formulas that the rest has to satisfy; of merged nodes those of the first.
    demands: BitSet,
    function: Option<Bdd>,
}

/// The construction of a formula, as far as somebody asked for it.
pub struct Couvreur<'i, E> {
    tableau: Tableau,
    manager: Manager,
    /// The functions of subformulas.
    functions: Vec<Option<Bdd>>,
    nodes: Vec<Known>,
    by_demands: IndexMap<BitSet, Node, FxBuildHasher>,
    by_function: FxHashMap<Bdd, Node>,
    interrupt: &'i mut dyn FnMut() -> Result<(), E>,
}

/// The steps of a node that are still to be found.
#[derive(Clone, Debug)]
pub enum Implicants {
    /// All prime implicants.
    Primes(PrimeImplicants),
    /// Those of a cover.
    Cover(IrredundantCover),
}

impl<'i, E: From<OutOfNodes>> Couvreur<'i, E> {
    /// The construction in a manager, which others may use as well.
    ///
    /// # Panics
    /// When the manager has fewer variables than the tableau needs.
    pub fn new(
        tableau: Tableau,
        manager: Manager,
        interrupt: &'i mut dyn FnMut() -> Result<(), E>,
    ) -> Self {
        assert!(tableau.variable_count() <= manager.capacity().variables, "variables are missing");
        Couvreur {
            functions: vec![None; tableau.identities.len()],
            tableau,
            manager,
            nodes: Vec::new(),
            by_demands: IndexMap::default(),
            by_function: FxHashMap::default(),
            interrupt,
        }
    }

    /// The owner of the functions, and of labels made of cubes.
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The propositions of which labels speak: that of index `i` is variable `i`.
    pub fn propositions(&self) -> &[Proposition] {
        &self.tableau.propositions
    }

    /// How many nodes were met.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn node(&mut self, demands: BitSet) -> Result<Node, E> {
        if let Some(&node) = self.by_demands.get(&demands) {
            return Ok(node);
        }
        let new = Node::from_index(self.nodes.len());
        let mut function = None;
        if self.tableau.construction.merged {
            let made = self.conjunction(&demands)?;
            let node = *self.by_function.entry(made.clone()).or_insert(new);
            if node != new {
                self.by_demands.insert(demands, node);
                return Ok(node);
            }
            function = Some(made);
        }
        self.by_demands.insert(demands.clone(), new);
        self.nodes.push(Known { demands, function });
        Ok(new)
    }

    /// What the formulas of a node say together.
    fn function_of(&mut self, node: Node) -> Result<Bdd, E> {
        if let Some(function) = &self.nodes[node.index()].function {
            return Ok(function.clone());
        }
        let demands = self.nodes[node.index()].demands.clone();
        let function = self.conjunction(&demands)?;
        self.nodes[node.index()].function = Some(function.clone());
        Ok(function)
    }

    fn conjunction(&mut self, demands: &BitSet) -> Result<Bdd, E> {
        let mut function = self.manager.top();
        for demand in demands.iter() {
            (self.interrupt)()?;
            let formula = self.tableau.variables.demanded()[demand];
            function = function.and(&self.subformula(formula)?)?;
        }
        Ok(function)
    }

    /// The function of a subformula.
    fn subformula(&mut self, root: usize) -> Result<Bdd, OutOfNodes> {
        let mut stack = vec![root];
        while let Some(&position) = stack.last() {
            if self.functions[position].is_some() {
                stack.pop();
                continue;
            }
            let identity = self.tableau.identities[position];
            let waiting = stack.len();
            stack.extend(identity.operands().filter(|&a| self.functions[a].is_none()));
            if stack.len() == waiting {
                self.functions[position] = Some(self.unfold(position, identity)?);
            }
        }
        Ok(self.made(root).clone())
    }

    fn made(&self, position: usize) -> &Bdd {
        self.functions[position].as_ref().expect("operands are made first")
    }

    /// The identity of a subformula whose operands are made.
    fn unfold(&self, position: usize, identity: Identity) -> Result<Bdd, OutOfNodes> {
        let variables = &self.tableau.variables;
        match identity {
            Identity::Constant(true) => Ok(self.manager.top()),
            Identity::Constant(false) => Ok(self.manager.bottom()),
            Identity::Literal(proposition, positive) => {
                let variable = variables.proposition(proposition).expect("it was met");
                self.manager.literal(variable, positive)
            }
            Identity::And(a, b) => self.made(a).and(self.made(b)),
            Identity::Or(a, b) => self.made(a).or(self.made(b)),
            Identity::Next(a) => self.manager.variable(variables.demand_of(a)),
            Identity::Until { hold, goal, .. } => {
                let mut later = self.put_off(position)?;
                if let Some(hold) = hold {
                    later = later.and(self.made(hold))?;
                }
                self.made(goal).or(&later)
            }
            Identity::Release { release, hold, .. } => {
                let mut rest = self.put_off(position)?;
                if let Some(release) = release {
                    rest = rest.or(self.made(release))?;
                }
                self.made(hold).and(&rest)
            }
            Identity::Recurrence(g) => {
                let promise = variables.promise_of(position).expect("recurrence has a mark");
                let now_or_later = self.made(g).or(&self.manager.variable(promise)?)?;
                now_or_later.and(&self.manager.variable(variables.demand_of(position))?)
            }
        }
    }

    /// `a r_X`: a subformula is demanded of the rest, and if that puts off its end, says so.
    fn put_off(&self, position: usize) -> Result<Bdd, OutOfNodes> {
        let variables = &self.tableau.variables;
        let demand = self.manager.variable(variables.demand_of(position))?;
        match variables.promise_of(position) {
            Some(promise) => self.manager.variable(promise)?.and(&demand),
            None => Ok(demand),
        }
    }

    fn implicants(&self, function: &Bdd) -> Implicants {
        match self.tableau.construction.cover {
            true => Implicants::Cover(function.each_cube_of_a_cover()),
            false => Implicants::Primes(function.each_prime_implicant()),
        }
    }

    /// The step of an implicant.
    fn step(&mut self, implicant: &Cube) -> Result<(Step<Node>, Cube), E> {
        let variables = &self.tableau.variables;
        let mut marks: BitSet = (0..variables.mark_count()).collect();
        let (mut demands, mut label) = (BitSet::new(), Vec::new());
        for literal in implicant.literals() {
            match variables.meaning(literal.variable) {
                Meaning::Proposition(number) => {
                    label.push(Literal { variable: Variable(number as u32), ..*literal });
                }
                Meaning::Demand(number) => drop(demands.insert(number)),
                Meaning::Promise(mark) => drop(marks.remove(mark)),
            }
        }
        let to = self.node(demands)?;
        Ok((Step { to, marks }, label.into_iter().collect()))
    }
}

impl<E: From<OutOfNodes>> Lazy for Couvreur<'_, E> {
    type State = Node;
    /// Literals of label variables.
    type Label = Cube;
    type Cursor = Implicants;
    type Stop = E;

    fn initial(&mut self) -> Result<Vec<Node>, E> {
        let whole = self.tableau.variables.whole();
        Ok(vec![self.node([whole].into_iter().collect())?])
    }

    fn mark_count(&self) -> usize {
        self.tableau.variables.mark_count()
    }

    fn steps(&mut self, &node: &Node) -> Result<Implicants, E> {
        let function = self.function_of(node)?;
        Ok(self.implicants(&function))
    }

    fn next_step(&mut self, cursor: &mut Implicants) -> NextStep<Self> {
        let implicant = match cursor {
            Implicants::Primes(primes) => primes.next_prime(self.interrupt)?,
            Implicants::Cover(cover) => cover.next_cube(self.interrupt)?,
        };
        implicant.map(|implicant| self.step(&implicant)).transpose()
    }

    fn letter(&mut self, _: &Node, _: &Step<Node>, label: &Cube) -> Result<Letter, E> {
        let positive = label.literals().iter().filter(|literal| literal.positive);
        let propositions = self.propositions();
        Ok(positive.map(|literal| propositions[literal.variable.index()]).collect())
    }

    fn describe(&self, node: &Node) -> String {
        let demands = self.nodes[node.index()].demands.iter();
        let names: Vec<&str> = demands.map(|d| self.tableau.names[d].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    }
}

impl<E: From<OutOfNodes>> OnLetter for Couvreur<'_, E> {
    fn steps_on(&mut self, &node: &Node, letter: &Letter) -> Result<Implicants, E> {
        let numbered = self.tableau.propositions.iter().enumerate();
        let value = |(number, &proposition): (usize, &Proposition)| {
            let variable = self.tableau.variables.proposition(number)?;
            Some(Literal { variable, positive: letter.contains(proposition) })
        };
        let values: Cube = numbered.filter_map(value).collect();
        let function = self.function_of(node)?.cofactor(&values)?;
        Ok(self.implicants(&function))
    }
}
