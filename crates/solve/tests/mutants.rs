//! Mistakes of LTL model checking, planted into the problem that the engine gets. Each must give a
//! verdict that differs from the judge's on one of the cases, so that the comparison with the judge
//! (`judged.rs`) finds it. Mistakes of CTL are planted into its engine.

mod checking;

use checking::read;
use kermode_ltl::{BinaryOp, BoundedUnaryOp, Formula, Interval, Node, Proposition, Store, UnaryOp};
use kermode_smv::flat::Features;
use kermode_smv::judge::cases::case;
use kermode_smv::property::{FlatAtoms, ltl_formula};
use kermode_smv::syntax::PropertyKind;
use kermode_solve::{Budget, EngineSpec, Problem, Silent, Verdict, WitnessPolicy, decide};
use kermode_system::{Expression, Model, System};

/// What the engine decides: the model, its compassion, and the negated property.
struct Parts {
    store: Store,
    model: Model,
    compassion: Vec<(Expression, Expression)>,
    negated: Formula,
    /// The atoms that read inputs, and those that read next values.
    of_inputs: Vec<Proposition>,
    of_next: Vec<Proposition>,
    /// Whether the bits of compassion stay true, and whether they forbid the first condition.
    bits: [bool; 2],
}

impl Parts {
    fn of(text: &str) -> Parts {
        let mut smv = read(text);
        let (mut store, mut atoms) = (Store::new(), FlatAtoms::default());
        let specification = smv.flat.properties[0].operands[0];
        let formula = ltl_formula(&smv.flat, specification, &mut store, &mut atoms);
        let listed = atoms.of(&store, formula);
        let has = |features: Features| {
            let features_of = |expression| smv.flat.expressions.features(expression);
            let has = listed.iter().filter(|&&(_, atom)| features_of(atom).has(features));
            has.map(|&(proposition, _)| proposition).collect()
        };
        let (of_inputs, of_next) = (has(Features::INPUT), has(Features::NEXT));
        let encoded = listed
            .iter()
            .map(|&(p, atom)| (p, smv.encoded.boolean(&smv.flat, atom)))
            .collect::<Vec<_>>();
        let mut model = smv.encoded.model.clone();
        model.atoms.extend(encoded);
        let compassion = smv.encoded.compassion.clone();
        let negated = store.unary(UnaryOp::Not, formula);
        let bits = [true; 2];
        Parts { store, model, compassion, negated, of_inputs, of_next, bits }
    }

    /// Whether the property holds.
    fn holds(mut self) -> bool {
        for &(p, q) in &self.compassion {
            let bit = self.model.auxiliary("ended");
            let graph = &mut self.model.graph;
            let (now, next) = (graph.current(bit), graph.next(bit));
            let stays = graph.implies(now, next);
            let both = graph.and(now, p);
            let forbidden = graph.not(both);
            let justice = graph.or(now, q);
            if self.bits[0] {
                self.model.system.add_transition(&self.model.graph, stays);
            }
            if self.bits[1] {
                self.model.system.add_invariant(&self.model.graph, forbidden);
            }
            self.model.system.add_justice(justice);
        }
        let engine: EngineSpec = "product:syntactic/el".parse().expect("an engine");
        let policy = WitnessPolicy { wanted: false, ..WitnessPolicy::default() };
        let problem = Problem::runs(&self.store, &self.model, self.negated).with_witness(policy);
        match decide(&problem, &engine, &Budget::unlimited(), &mut Silent::default()) {
            Ok(Verdict::Empty(_)) => true,
            Ok(Verdict::Nonempty(_)) => false,
            other => panic!("{other:?}"),
        }
    }

    /// Replaces nodes of the formula, operands first.
    fn rebuild(&mut self, change: impl Fn(&mut Store, Node) -> Formula) {
        let parts = self.store.subformulas(self.negated);
        let mut built: Vec<Formula> = Vec::with_capacity(parts.len());
        for part in parts.iter() {
            let node = self.store.node(part).map(|operand| built[parts.position(operand)]);
            built.push(change(&mut self.store, node));
        }
        self.negated = *built.last().expect("a formula");
    }

    /// Keeps some of the constraints: initial, transition, invariant and justice ones.
    fn keep(&mut self, keeps: [fn(usize) -> bool; 4]) {
        let old = std::mem::take(&mut self.model.system);
        let mut system = System::new();
        old.variables().iter().for_each(|&variable| system.add_variable(variable));
        let graph = &self.model.graph;
        let kept = |constraints: &[Expression], keep: fn(usize) -> bool| -> Vec<Expression> {
            let kept = constraints.iter().enumerate().filter(|&(place, _)| keep(place));
            kept.map(|(_, &constraint)| constraint).collect()
        };
        kept(old.initial(), keeps[0]).into_iter().for_each(|c| system.add_initial(graph, c));
        kept(old.transition(), keeps[1]).into_iter().for_each(|c| system.add_transition(graph, c));
        kept(old.invariants(), keeps[2]).into_iter().for_each(|c| system.add_invariant(graph, c));
        kept(old.justice(), keeps[3]).into_iter().for_each(|c| system.add_justice(c));
        self.model.system = system;
    }

    /// Puts an operator before some propositions.
    fn before(&mut self, operator: UnaryOp, propositions: &[Proposition]) {
        self.rebuild(|store, node| {
            let formula = store.intern(node);
            match node {
                Node::Proposition(p) if propositions.contains(&p) => {
                    store.intern(Node::Unary(operator, formula))
                }
                _ => formula,
            }
        });
    }

    fn rename(&mut self, from: UnaryOp, to: UnaryOp) {
        self.rebuild(|store, node| match node {
            Node::Unary(operator, a) if operator == from => store.intern(Node::Unary(to, a)),
            node => store.intern(node),
        });
    }

    fn rename_binary(
        &mut self,
        from: BinaryOp,
        change: fn(&mut Store, Formula, Formula) -> Formula,
    ) {
        self.rebuild(|store, node| match node {
            Node::Binary(operator, a, b) if operator == from => change(store, a, b),
            node => store.intern(node),
        });
    }

    /// Changes the bounds of operators.
    fn bounds(&mut self, change: fn(Interval) -> Interval) {
        self.rebuild(|store, node| match node {
            Node::BoundedUnary(operator, bounds, a) => {
                let bounds = change(store.interval(bounds));
                store.bounded_unary(operator, bounds, a)
            }
            node => store.intern(node),
        });
    }
}

const ALL: fn(usize) -> bool = |_| true;
const NONE: fn(usize) -> bool = |_| false;
const NOT_FIRST: fn(usize) -> bool = |place| place != 0;

/// A mistake, by name.
type Mutant = (&'static str, fn(&mut Parts));

const MUTANTS: [Mutant; 18] = [
    ("the first justice constraint is forgotten", |p| p.keep([ALL, ALL, ALL, NOT_FIRST])),
    ("justice is forgotten", |p| p.keep([ALL, ALL, ALL, NONE])),
    ("initial constraints are forgotten", |p| p.keep([NONE, ALL, ALL, ALL])),
    ("a transition constraint is forgotten", |p| p.keep([ALL, NOT_FIRST, ALL, ALL])),
    ("invariants are forgotten", |p| p.keep([ALL, ALL, NONE, ALL])),
    ("compassion is forgotten", |p| p.compassion.clear()),
    ("the conditions of compassion are swapped", |p| {
        p.compassion.iter_mut().for_each(|pair| *pair = (pair.1, pair.0));
    }),
    ("the bit of compassion may fall", |p| p.bits[0] = false),
    ("the bit of compassion forbids nothing", |p| p.bits[1] = false),
    ("a monitor has the wrong initial value", |p| {
        p.rename(UnaryOp::Yesterday, UnaryOp::WeakYesterday)
    }),
    ("once is read as always before", |p| p.rename(UnaryOp::Once, UnaryOp::Historically)),
    ("since forgets its first operand", |p| {
        p.rename_binary(BinaryOp::Since, |store, _, b| store.unary(UnaryOp::Once, b));
    }),
    ("inputs are those of the step before", |p| {
        let inputs = p.of_inputs.clone();
        p.before(UnaryOp::Yesterday, &inputs);
    }),
    ("next values are those of the step after", |p| {
        let next = p.of_next.clone();
        p.before(UnaryOp::Next, &next);
    }),
    ("the mark of an until is forgotten", |p| {
        p.rename_binary(BinaryOp::Until, |store, a, b| store.binary(BinaryOp::WeakUntil, a, b));
    }),
    ("bounds end one step too late", |p| {
        p.bounds(|bounds| Interval { high: bounds.high + 1, ..bounds });
    }),
    ("bounds begin too late", |p| p.bounds(|bounds| Interval { low: bounds.high, ..bounds })),
    ("bounded H is true before its time", |p| {
        p.rebuild(|store, node| match node {
            Node::BoundedUnary(BoundedUnaryOp::Once, _, a)
                if store.node(a) == Node::Constant(true) =>
            {
                a
            }
            node => store.intern(node),
        });
    }),
];

/// Cases about bounds, with the verdicts of the definitions: the random ones have few.
const BOUNDED: [(&str, bool); 2] = [("F [0,2] x = 3", false), ("G (x = 3 -> O [2,3] x = 1)", true)];

const COUNTER: &str =
    "MODULE main VAR x : 0..5; ASSIGN init(x) := 0; next(x) := (x + 1) mod 6; LTLSPEC ";

#[test]
fn every_mutant_is_caught_and_the_engine_is_not() {
    let mut alive: Vec<Mutant> = MUTANTS.to_vec();
    let bounded = BOUNDED.into_iter().map(|(text, holds)| (format!("{COUNTER}{text}"), holds));
    let random = (0..600).map(|seed| case(PropertyKind::Ltl, seed));
    for (text, holds) in bounded.chain(random.map(|case| (case.text, case.holds))) {
        assert_eq!(Parts::of(&text).holds(), holds, "{text}");
        alive.retain(|(_, mutate)| {
            let mut parts = Parts::of(&text);
            mutate(&mut parts);
            parts.holds() == holds
        });
        if alive.is_empty() {
            return;
        }
    }
    let names: Vec<&str> = alive.iter().map(|(name, _)| *name).collect();
    panic!("not caught: {names:?}");
}
