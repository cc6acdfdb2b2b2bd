//! Nodes and steps on demand.
//!
//! A node has a number. Its function is built when it is first needed: for its steps or, with
//! merged nodes, when the node is first reached, because nodes with the same function are one node.
//! The function of a subformula is built when a node first has it.
//!
//! For products the propositions of a function can be bound to a letter before its prime implicants
//! are computed, so that steps on other letters are never built. `G F p_1 & .. & G F p_n` has one
//! node with `2^n` steps, and one step per letter.

use kermode_base::BitSet;
use kermode_bdd::{
    Bdd, Cube, IrredundantCover, Literal, Manager, OutOfNodes, PrimeImplicants, Variable,
    VariableSet,
};
use kermode_ltl::{Letter, Proposition};
use rustc_hash::FxHashMap;

use super::StepSelection;
use super::functions::Functions;
use super::implied::Implications;
use super::tableau::Tableau;
use super::variables::Meaning;
use crate::on_letter::{LetterKnowledge, Letters, Literals, OnLetter, letter_of, literals_of};
use crate::space::{NextStep, Space, Step};

/// A node of the construction, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

impl Node {
    /// Its number, from 0 in the order of discovery.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node of a number.
    pub(super) fn from_index(index: usize) -> Self {
        Node(u32::try_from(index).expect("there are at most 2^32 nodes"))
    }
}

/// A discovered node.
struct Met {
    /// The formulas that the rest must satisfy. Merged nodes have those of the first one.
    demands: BitSet,
    function: Option<Bdd>,
}

/// The part of the construction that was requested so far.
pub struct Couvreur<'i, E> {
    tableau: Tableau,
    manager: Manager,
    functions: Functions,
    nodes: Vec<Met>,
    by_demands: FxHashMap<BitSet, Node>,
    by_function: FxHashMap<Bdd, Node>,
    /// Which demands imply which, computed on demand.
    implications: Option<Implications>,
    /// The labels of functions of propositions.
    labels: FxHashMap<Bdd, Bdd>,
    /// The set of propositions to quantify, built on demand.
    letters: Option<VariableSet>,
    interrupt: &'i mut dyn FnMut() -> Result<(), E>,
}

/// The remaining steps of a node.
#[derive(Clone, Debug)]
pub struct Implicants {
    rest: Rest,
    /// The known literals of the letter, which every implicant has.
    known: Vec<Literal>,
}

#[derive(Clone, Debug)]
enum Rest {
    /// All prime implicants.
    Primes(PrimeImplicants),
    /// The cubes of a cover.
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
            functions: Functions::new(manager.clone(), &tableau),
            tableau,
            manager,
            nodes: Vec::new(),
            by_demands: FxHashMap::default(),
            by_function: FxHashMap::default(),
            implications: None,
            labels: FxHashMap::default(),
            letters: None,
            interrupt,
        }
    }

    /// The manager of the functions and of labels.
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The propositions of labels: the one with index `i` is variable `i`.
    pub fn propositions(&self) -> &[Proposition] {
        &self.tableau.propositions
    }

    /// Which steps nodes have.
    pub(super) fn which_steps(&self) -> StepSelection {
        self.tableau.construction.steps
    }

    /// The number of discovered nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn node(&mut self, demands: BitSet) -> Result<Node, E> {
        if let Some(&node) = self.by_demands.get(&demands) {
            return Ok(node);
        }
        if let Some(reduced) = self.without_implied(&demands) {
            let node = self.node_of(reduced)?;
            self.by_demands.insert(demands, node);
            return Ok(node);
        }
        self.node_of(demands)
    }

    /// The demands without those that others imply, if there are any that the construction drops.
    fn without_implied(&mut self, demands: &BitSet) -> Option<BitSet> {
        if !self.tableau.construction.implied || demands.len() < 2 {
            return None;
        }
        let tableau = &self.tableau;
        self.implications.get_or_insert_with(|| Implications::of(tableau)).reduced(demands)
    }

    /// The node of demands none of which is left out.
    fn node_of(&mut self, demands: BitSet) -> Result<Node, E> {
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
        self.nodes.push(Met { demands, function });
        Ok(new)
    }

    /// The conjunction of the functions of a node's formulas.
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
            function = function.and(&self.functions.of(&self.tableau, formula)?)?;
        }
        Ok(function)
    }

    fn implicants(&mut self, function: &Bdd, known: Cube) -> Result<Implicants, E> {
        let rest = match self.tableau.construction.steps {
            StepSelection::Primes => Rest::Primes(function.each_prime_implicant()),
            StepSelection::Cover => Rest::Cover(function.each_cube_of_a_cover()),
            StepSelection::Least => {
                let least = function.exists(self.letters()?)?;
                Rest::Primes(least.each_prime_implicant())
            }
        };
        Ok(Implicants { rest, known: known.literals().to_vec() })
    }

    fn letters(&mut self) -> Result<&VariableSet, E> {
        Ok(match &mut self.letters {
            Some(letters) => letters,
            none => {
                let propositions = self.tableau.variables.propositions();
                none.insert(self.manager.variable_set(propositions)?)
            }
        })
    }

    /// The literals of an implicant over propositions, as a label.
    pub fn label(&self, implicant: &Cube) -> Cube {
        let literals = implicant.literals().iter();
        let literal = |literal: &Literal| match self.tableau.variables.meaning(literal.variable) {
            Meaning::Proposition(number) => {
                Some(Literal { variable: Variable(number as u32), ..*literal })
            }
            _ => None,
        };
        literals.filter_map(literal).collect()
    }

    /// An implicant extended by literals of a letter on which the node has this step.
    fn with_letters(&mut self, node: Node, implicant: &Cube) -> Result<Cube, E> {
        let demanded = self.tableau.variables.demands_and_promises();
        let absent = demanded.filter(|&variable| implicant.value(variable).is_none());
        let absent = absent.map(|variable| Literal { variable, positive: false });
        let values: Cube = implicant.literals().iter().copied().chain(absent).collect();
        let open = self.function_of(node)?.cofactor(&values)?;
        let picked = open.pick_cube().expect("a letter leads from a node to the next");
        Ok(implicant.literals().iter().chain(picked.literals()).copied().collect())
    }

    /// The steps of a node by what they demand and postpone, each with a label for all letters that
    /// allow it. Each step is minimal for some letter. A label whose cover would have thousands of
    /// products is one step here.
    pub(super) fn choices(&mut self, node: Node) -> Result<Vec<(Step<Node>, Bdd)>, E> {
        let function = self.function_of(node)?;
        let support = function.support();
        let others: Vec<Variable> = support.into_iter().filter(|&v| !self.is_letter(v)).collect();
        let mut choices = Vec::new();
        let mut rest = function.clone();
        while let Some(model) = rest.pick_cube() {
            // Its operations take time in the number of variables.
            for _ in 0..=others.len() {
                (self.interrupt)()?;
            }
            // Variables are false where possible, so no other choice is smaller for these letters.
            let chosen = model.literals().iter().copied();
            let chosen: Cube =
                chosen.filter(|l| l.positive && !self.is_letter(l.variable)).collect();
            let is_chosen = |&variable: &Variable| Literal {
                variable,
                positive: chosen.value(variable).is_some(),
            };
            let enough = function.cofactor(&others.iter().map(is_chosen).collect())?;
            rest = rest.and_not(&enough.and(&self.manager.cube(&chosen)?)?)?;
            let label = self.label_of(&enough)?;
            choices.push((self.step(&chosen)?, label));
        }
        Ok(choices)
    }

    fn is_letter(&self, variable: Variable) -> bool {
        matches!(self.tableau.variables.meaning(variable), Meaning::Proposition(_))
    }

    /// The label for a function of propositions.
    fn label_of(&mut self, function: &Bdd) -> Result<Bdd, OutOfNodes> {
        if let Some(label) = self.labels.get(function) {
            return Ok(label.clone());
        }
        let label = function.copy_renamed(&self.manager, |v| self.label_variable(v))?;
        self.labels.insert(function.clone(), label.clone());
        Ok(label)
    }

    /// The variable of labels for a proposition's variable.
    fn label_variable(&self, variable: Variable) -> Variable {
        match self.tableau.variables.meaning(variable) {
            Meaning::Proposition(number) => Variable(number as u32),
            _ => unreachable!("labels are about propositions"),
        }
    }

    /// The step of an implicant.
    fn step(&mut self, implicant: &Cube) -> Result<Step<Node>, E> {
        let variables = &self.tableau.variables;
        let mut marks: BitSet = (0..variables.mark_count()).collect();
        let mut demands = BitSet::new();
        for literal in implicant.literals() {
            match variables.meaning(literal.variable) {
                Meaning::Proposition(_) => {}
                Meaning::Demand(number) => drop(demands.insert(number)),
                Meaning::Promise(mark) => drop(marks.remove(mark)),
            }
        }
        let to = self.node(demands)?;
        Ok(Step { to, marks })
    }
}

impl<E: From<OutOfNodes>> Space for Couvreur<'_, E> {
    type State = Node;
    /// The implicant; [`Couvreur::label`] gives its literals over propositions.
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
        self.implicants(&function, Cube::default())
    }

    fn next_step(&mut self, cursor: &mut Implicants) -> NextStep<Self> {
        let implicant = match &mut cursor.rest {
            Rest::Primes(primes) => primes.next_prime(self.interrupt)?,
            Rest::Cover(cover) => cover.next_cube(self.interrupt)?,
        };
        let step = |implicant: Cube| {
            let step = self.step(&implicant)?;
            let literals = implicant.literals().iter().chain(&cursor.known);
            Ok((step, literals.copied().collect()))
        };
        implicant.map(step).transpose()
    }

    fn letter(&mut self, &from: &Node, _: &Step<Node>, implicant: &Cube) -> Result<Letter, E> {
        let complete = self.with_letters(from, implicant)?;
        Ok(letter_of(&literals_of(&self.label(&complete), self.propositions())))
    }

    fn describe(&self, node: &Node) -> String {
        let demands = self.nodes[node.index()].demands.iter();
        let names: Vec<&str> = demands.map(|d| self.tableau.names[d].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    }
}

impl<E: From<OutOfNodes>> OnLetter for Couvreur<'_, E> {
    fn steps_on(&mut self, &node: &Node, known: &LetterKnowledge) -> Result<Implicants, E> {
        let numbered = self.tableau.propositions.iter().enumerate();
        let value = |(number, &proposition): (usize, &Proposition)| {
            let variable = self.tableau.variables.proposition(number)?;
            known.value(proposition).map(|positive| Literal { variable, positive })
        };
        let values: Cube = numbered.filter_map(value).collect();
        let function = self.function_of(node)?.cofactor(&values)?;
        self.implicants(&function, values)
    }
}

impl<E: From<OutOfNodes>> Letters for Couvreur<'_, E> {
    /// An implicant is one product.
    type Products = Option<Literals>;

    /// # Panics
    /// With [`StepSelection::Least`]: another space might need one of the words that it loses.
    fn products(
        &mut self,
        _: &Node,
        _: &Step<Node>,
        implicant: &Cube,
    ) -> Result<Self::Products, E> {
        assert_ne!(self.tableau.construction.steps, StepSelection::Least, "no word may be lost");
        Ok(Some(literals_of(&self.label(implicant), self.propositions())))
    }

    fn next_product(&mut self, products: &mut Self::Products) -> Result<Option<Literals>, E> {
        Ok(products.take())
    }
}
