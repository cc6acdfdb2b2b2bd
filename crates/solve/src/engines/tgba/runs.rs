//! Runs of models on the fly: the product of the model's explicit states with the automaton of the
//! formula is searched while it is built, and the first accepting component ends the search
//! \[Cou99\].
//!
//! The model is prepared as for the other products: past operators become variables that observe
//! the run, and only the part on which the formula depends is searched. Justice constraints of the
//! model are marks of its steps beside those of the automaton.

use kermode_automata::couvreur::{Couvreur, Tableau};
use kermode_automata::on_letter::OnLetter;
use kermode_automata::{Difference, Tgba};
use kermode_base::BitSet;
use kermode_ltl::{Formula, Proposition, Store, WordKind};
use kermode_system::{Batch, ExplicitModel, Expression, Model, Variable};
use rustc_hash::FxHashMap;

use super::mistakes::Mistake;
use super::numbered::NumberedProduct;
use super::product::Product;
use super::property::Property;
use super::supertrace::{Supertrace, VectorLasso};
use super::{OnTheFly, PropertyAutomatonKind, SearchAlgorithm, StateTable};
use crate::compiled::traces::ModelMoment;
use crate::engines::product::{Observed, combined, translated};
use crate::frame::answer::{Answer, Witness};
use crate::frame::bdd_manager::manager;
use crate::frame::budget::{Budget, Stop};
use crate::frame::observer::Observer;
use crate::frame::problem::{Problem, RunProperty};
use crate::frame::witness::nonempty;
use crate::search::{FairLasso, Leaving, couvreur, fair_lasso, magic};

/// A model and a property: does the word of some fair run have it?
pub(super) struct RunSearch<'a> {
    pub(super) engine: &'a OnTheFly,
    pub(super) problem: &'a Problem<'a>,
    pub(super) budget: &'a Budget,
    pub(super) observer: &'a mut dyn Observer,
}

/// What is searched, and what is read of its steps.
struct Question<'m> {
    observed: Observed<'m>,
    atoms: Vec<Proposition>,
    /// The atoms and the justice constraints.
    expressions: Vec<Expression>,
}

impl RunSearch<'_> {
    /// Whether a model has a fair run whose word has a property. Automata are combined before the
    /// search.
    pub(super) fn answer(&mut self, model: &Model, property: RunProperty) -> Result<Answer, Stop> {
        let (store, property) = (self.problem.store, (property, WordKind::Infinite));
        let (rules, level) = (&self.engine.rules, self.engine.level);
        let observed = Observed::new(store, model, property, false, rules, self.budget)?;
        let mut store = observed.store.clone();
        let question = Question::new(observed);
        match (question.observed.property, self.engine.automaton) {
            (RunProperty::Automata(automata), _) => {
                let wrong = (self.engine.mistake == Some(Mistake::RejectingAccepts))
                    .then(|| automata.rejecting().first().cloned().map(Difference::of))
                    .flatten();
                let automata = wrong.as_ref().unwrap_or(automata);
                let automaton = combined(automata, level, self.budget)?;
                self.reduced(&question, &automaton)
            }
            (RunProperty::Formula(formula), PropertyAutomatonKind::Lazy) => {
                self.lazy(&question, &mut store, formula)
            }
            (RunProperty::Formula(formula), PropertyAutomatonKind::Reduced) => {
                let atoms = &question.observed.model.atoms;
                let automaton = translated(&mut store, formula, atoms, level, self.budget)?;
                self.reduced(&question, &automaton)
            }
        }
    }

    fn lazy(
        &mut self,
        question: &Question,
        store: &mut Store,
        formula: Formula,
    ) -> Result<Answer, Stop> {
        let tableau = Tableau::new(store, formula, self.engine.construction)?;
        let budget = self.budget;
        let manager = manager(tableau.variable_count(), budget)?;
        self.in_layouts(|search, is_wide| {
            let mut interrupt = || budget.check();
            let space = Couvreur::new(tableau.clone(), manager.clone(), &mut interrupt);
            search.product(question, space, is_wide)
        })
    }

    fn reduced(&mut self, question: &Question, automaton: &Tgba) -> Result<Answer, Stop> {
        self.in_layouts(|search, is_wide| search.product(question, automaton, is_wide))
    }

    /// Searches, and again with wide vectors if the property has too many nodes for narrow ones.
    fn in_layouts(
        &mut self,
        mut search: impl FnMut(&mut Self, bool) -> Result<Option<Answer>, Stop>,
    ) -> Result<Answer, Stop> {
        match search(self, false)? {
            Some(answer) => Ok(answer),
            None => match search(self, true)? {
                Some(answer) => Ok(answer),
                None => Err(Stop::Limit("the property has too many nodes".to_owned())),
            },
        }
    }

    /// Searches the product with a property; nothing if vectors are too narrow for its nodes.
    fn product<P: OnLetter>(
        &mut self,
        question: &Question,
        space: P,
        is_wide: bool,
    ) -> Result<Option<Answer>, Stop>
    where
        Stop: From<P::Stop>,
    {
        let Question { observed, atoms, expressions } = question;
        let model = ExplicitModel::new(&observed.model, expressions);
        let (gates, choices) = model.size();
        self.observer.statistic("gates", gates as u64);
        self.observer.statistic("choices", choices as u64);
        let justice = observed.model.system.justice().len();
        let property = Property::new(space, atoms.clone(), justice, self.engine.mistake);
        let with_levels = self.engine.check == SearchAlgorithm::Magic;
        let product = Product::new(model, property, with_levels, is_wide, self.budget);
        match self.engine.table {
            StateTable::Exact => self.exact(question, product),
            StateTable::Bits(logarithm) => self.supertrace(question, product, logarithm),
        }
    }

    fn exact<P: OnLetter>(
        &mut self,
        question: &Question,
        product: Product<P>,
    ) -> Result<Option<Answer>, Stop>
    where
        Stop: From<P::Stop>,
    {
        let mut graph = NumberedProduct::new(product, self.budget, &mut *self.observer);
        let found = match self.engine.check {
            SearchAlgorithm::Couvreur => couvreur(&mut graph),
            SearchAlgorithm::Magic => magic(&mut graph),
        };
        if graph.product.has_overflown {
            return Ok(None);
        }
        graph.tell();
        let Some(component) = found? else { return Ok(Some(Answer::Empty(None))) };
        let budget = self.budget;
        Ok(Some(nonempty(self.problem.witness, budget, |longest| {
            let initial = graph.initial.clone();
            let FairLasso { prefix, cycle } = fair_lasso(&mut graph, &initial, &component)?;
            let loop_start = prefix.len();
            let moment =
                |leaving: Leaving<u32>| (graph.states.get(leaving.from).to_vec(), leaving.edge);
            let moments = prefix.into_iter().chain(cycle).map(moment).collect();
            let lasso = VectorLasso { moments, loop_start };
            question.trace(&graph.product, lasso, longest, budget)
        })))
    }

    fn supertrace<P: OnLetter>(
        &mut self,
        question: &Question,
        product: Product<P>,
        logarithm: u32,
    ) -> Result<Option<Answer>, Stop>
    where
        Stop: From<P::Stop>,
    {
        let mut search = Supertrace::new(product, logarithm, self.budget, &mut *self.observer);
        let found = search.search();
        if search.product.has_overflown {
            return Ok(None);
        }
        search.tell();
        let Some(lasso) = found? else {
            return match self.engine.mistake {
                Some(Mistake::BitsAreTrusted) => Ok(Some(Answer::Empty(None))),
                _ => Err(Stop::Limit(search.coverage())),
            };
        };
        let budget = self.budget;
        Ok(Some(nonempty(self.problem.witness, budget, |longest| {
            question.trace(&search.product, lasso, longest, budget)
        })))
    }
}

impl<'m> Question<'m> {
    fn new(observed: Observed<'m>) -> Self {
        let model = &observed.model;
        let mut atoms = observed.property.propositions(&observed.store);
        atoms.retain(|atom| model.atoms.contains_key(atom));
        let mut expressions: Vec<Expression> = atoms.iter().map(|atom| model.atoms[atom]).collect();
        expressions.extend(model.system.justice());
        Question { observed, atoms, expressions }
    }

    /// The trace of a lasso.
    fn trace<P: OnLetter>(
        &self,
        product: &Product<P>,
        lasso: VectorLasso,
        longest: usize,
        budget: &Budget,
    ) -> Result<Option<Witness>, Stop>
    where
        Stop: From<P::Stop>,
    {
        let VectorLasso { moments, loop_start } = lasso;
        if moments.len() > longest {
            return Ok(None);
        }
        let mut tracer = Tracer::new(self, budget);
        let mut traced = Vec::with_capacity(moments.len());
        let state = |place: usize| {
            let mut state = Vec::new();
            product.layout.state(&moments[place].0, &mut state);
            state
        };
        for place in 0..moments.len() {
            let after = if place + 1 < moments.len() { place + 1 } else { loop_start };
            let observed = product.observed(moments[place].1);
            traced.push(tracer.moment(&state(place), &state(after), observed)?);
        }
        let order = &self.observed.model.order;
        self.observed.trace(order, &traced, Some(loop_start), longest, budget)
    }
}

/// Finds the inputs of steps.
struct Tracer<'q> {
    model: ExplicitModel,
    /// The place of each variable in the order.
    places: FxHashMap<Variable, usize>,
    batch: Batch,
    budget: &'q Budget,
}

impl<'q> Tracer<'q> {
    fn new(question: &Question, budget: &'q Budget) -> Self {
        let Question { observed: Observed { model, .. }, expressions, .. } = question;
        let places = model.order.iter().enumerate().map(|(place, &v)| (v, place)).collect();
        let model = ExplicitModel::with_inputs(model, expressions);
        Tracer { model, places, batch: Batch::default(), budget }
    }

    /// A state and the inputs of a step from it to another with this observation.
    fn moment(&mut self, from: &[u32], to: &[u32], seen: &[u64]) -> Result<ModelMoment, Stop> {
        let budget = self.budget;
        let bits = self.model.states.iter().enumerate();
        let bits = bits.filter(|(place, _)| from[place / 32] >> (place % 32) & 1 == 1);
        let state: BitSet = bits.map(|(_, variable)| self.places[variable]).collect();
        let mut position = None;
        loop {
            let interrupt = &mut || budget.check();
            position = self.model.steps(from, position.as_ref(), &mut self.batch, interrupt)?;
            let batch = &self.batch;
            let is_wanted =
                |&lane: &usize| batch.target(lane) == to && batch.observations(lane) == seen;
            if let Some(lane) = batch.each_lane().find(is_wanted) {
                let label = self.model.inputs_of(lane).map(|input| self.places[&input]).collect();
                return Ok(ModelMoment { state, label });
            }
            assert!(position.is_some(), "the search has taken this step");
        }
    }
}
