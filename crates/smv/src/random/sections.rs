//! The bodies of `main` and of modules: which declarations, assignments and constraints they have.

use super::Construct;
use super::generator::{Generator, Uses};
use super::instances::TARGET;
use super::scope::{Entry, Expression, Place, Role, Type};

impl Generator<'_> {
    /// Draws the body of `main`.
    pub(super) fn main(&mut self) {
        if self.processes {
            let running = Entry {
                role: Role::Value,
                input: true,
                ..Entry::state("running".to_string(), Type::Boolean, 0)
            };
            self.scope().entries.push(running);
        }
        let budget = 3 + self.rng.below(self.shape.bits - 2);
        if self.chance(12) {
            self.constants();
        }
        for _ in 0..self.rng.below(self.shape.inputs + 1) {
            self.input();
        }
        if self.chance(8) {
            self.isa();
        }
        self.variable();
        let modules = self.chance(60);
        if self.processes {
            self.instance();
            self.instance();
        }
        while self.scope().bits < budget {
            match self.rng.below(12) {
                0..=2 if modules => self.instance(),
                3..=4 => self.define(),
                5 if self.rng.coin() => self.odd_variable(),
                _ => self.variable(),
            }
        }
        for _ in 0..self.rng.below(3) {
            self.define();
        }
        if self.chance(4) {
            self.bound_of_instance();
        }
        self.assignments();
        if self.chance(75) {
            self.constraints(2);
        }
        self.fairness(10);
        let count = 1 + self.rng.below(self.shape.properties);
        for _ in 0..count {
            self.property();
        }
        if self.chance(8) {
            self.unused_module();
        }
        self.decorate();
        if !self.scope().ordered && self.chance(25) {
            self.shuffle();
        }
    }

    /// Draws the body of a module. True if its instances must be given a DEFINE `ack`.
    pub(super) fn module_body(&mut self) -> bool {
        let budget = 1 + self.rng.below(4);
        let wants = self.scope().depth < 3 && self.chance(12);
        if wants {
            let entry = Entry::state("ack".to_string(), Type::Boolean, TARGET);
            self.scope().entries.push(Entry { role: Role::Value, ..entry });
        }
        self.variable();
        if self.chance(10) {
            self.input();
        }
        while self.scope().bits < budget {
            if self.scope().depth < 2 && self.chance(25) {
                self.instance();
            } else {
                self.variable();
            }
        }
        for _ in 0..self.rng.below(3) {
            self.define();
        }
        self.assignments();
        let before = self.scope().items.len();
        if self.chance(25) {
            self.constraints(1);
        }
        for item in &mut self.scope().items[before..] {
            item.constructs.insert(Construct::ModuleConstraint);
        }
        let before = self.scope().items.len();
        self.fairness(6);
        for item in &mut self.scope().items[before..] {
            item.constructs.insert(Construct::ModuleFairness);
        }
        if self.chance(25) {
            self.mark(Construct::ModuleProperty);
            self.property();
        }
        wants
    }

    /// An instance with a constant, and a variable whose range it bounds.
    fn bound_of_instance(&mut self) {
        let bound = self.number(1, 3);
        let name = self.constant_module(bound);
        self.mark(Construct::Instance);
        self.item("VAR", format!("c : {name};"));
        self.mark(Construct::RangeOfInstance);
        self.mark(Construct::RangeVariable);
        self.item("VAR", "x0 : 0..c.K;");
        let scope = self.scope();
        scope.ordered = true;
        scope.rank += 1;
        scope.bits += 2;
        let entry = Entry::state("x0".to_string(), Type::Range(0, bound), scope.rank);
        scope.entries.push(Entry { own: true, ..entry });
    }

    /// Assigns the variables of the module, and some free ones of its instances.
    fn assignments(&mut self) {
        let entries = self.scope().entries.clone();
        for target in entries.iter().filter(|entry| entry.role == Role::Target) {
            self.uses = Uses::default();
            let at = Place { inputs: true, ..Place::STATE };
            let value = self.assigned(&target.ty, at, target);
            self.assign("next", &target.text, &value, Construct::NextAssignment);
        }
        for (index, entry) in entries.iter().enumerate() {
            let inherited = entry.free && !entry.own;
            if inherited && entry.role == Role::State && self.chance(60) {
                self.mark(Construct::AssignmentIntoInstance);
                self.assign_next(entry, &entry.text, &entry.ty);
                self.scope().entries[index].free = false;
            }
            if entry.own && matches!(entry.role, Role::State | Role::Frozen) {
                let free = !self.assign_variable(entry);
                self.scope().entries[index].free = free;
            }
        }
    }

    /// Assigns a variable or the elements of an array. False if it leaves it free.
    fn assign_variable(&mut self, entry: &Entry) -> bool {
        if let Type::Array(low, high, element) = &entry.ty {
            if self.assign_array(entry) {
                return true;
            }
            for index in *low..=*high {
                let text = format!("{}[{index}]", entry.text);
                match &**element {
                    Type::Array(low, high, element) => {
                        for inner in *low..=*high {
                            self.assign_scalar(entry, &format!("{text}[{inner}]"), element);
                        }
                    }
                    element => {
                        self.assign_scalar(entry, &text, element);
                    }
                }
            }
            return true;
        }
        self.assign_scalar(entry, &entry.text, &entry.ty)
    }

    /// Assigns a scalar. False if it leaves it free.
    fn assign_scalar(&mut self, entry: &Entry, text: &str, ty: &Type) -> bool {
        let kind = self.rng.below(100);
        if entry.role == Role::Frozen || entry.next_assigned {
            if kind < 70 {
                self.assign_init(entry, text, ty);
            }
            return true;
        }
        match kind {
            0..=7 => {
                self.uses = Uses::default();
                let at = Place { limit: entry.rank, ..Place::STATE };
                let value = self.assigned(ty, at, entry);
                self.assign("", text, &value, Construct::CurrentAssignment);
            }
            72..=81 => self.assign_next(entry, text, ty),
            82..=89 if self.may_choose(ty.bits()) => self.assign_init(entry, text, ty),
            90.. if self.may_choose(ty.bits()) => return false,
            _ => {
                self.assign_init(entry, text, ty);
                self.assign_next(entry, text, ty);
            }
        }
        true
    }

    fn assign_init(&mut self, entry: &Entry, text: &str, ty: &Type) {
        self.uses = Uses::default();
        let at = Place { limit: entry.rank, ..Place::STATE };
        let value = match self.rng.below(10) {
            0..=4 => self.constant(ty),
            5..=7 if !matches!(ty, Type::Word(_)) => self.set(ty, at, 1),
            _ => self.value(ty, at, 1),
        };
        self.assign("init", text, &value, Construct::InitAssignment);
    }

    fn assign_next(&mut self, entry: &Entry, text: &str, ty: &Type) {
        self.uses = Uses::default();
        let at = Place { next_limit: entry.rank, ..Place::STEP };
        let value = self.assigned(ty, at, entry);
        if self.uses.next {
            self.mark(Construct::NextInNextAssignment);
        }
        if self.uses.input {
            self.mark(Construct::InputInAssignment);
        }
        self.assign("next", text, &value, Construct::NextAssignment);
    }

    /// The right side of an assignment: mostly something that makes the variable move.
    fn assigned(&mut self, ty: &Type, at: Place, target: &Entry) -> Expression {
        let depth = 1 + self.rng.below(self.shape.depth);
        let word = matches!(ty, Type::Word(_));
        if !word && self.chance(25) && self.may_choose(1) {
            return self.set(ty, at, depth.min(2));
        }
        if target.rank < at.limit && target.ty == *ty && self.chance(45) {
            return self.step(ty, at, target, depth);
        }
        self.value(ty, at, depth)
    }

    /// A step of a counter or a change of a flag, under a condition.
    fn step(&mut self, ty: &Type, at: Place, target: &Entry, depth: usize) -> Expression {
        self.note(target);
        let old = Expression::new(target.text.clone(), 1);
        let moved = match ty {
            Type::Boolean => {
                self.mark(Construct::Not);
                Expression::new(format!("!{}", old.text), 2)
            }
            Type::Range(low, high) => {
                self.mark(Construct::Add);
                let by = self.number(1, 2);
                let sum =
                    Expression::integer(format!("{} + {by}", old.text), 5, low + by, high + by);
                self.fit(sum, *low, *high)
            }
            Type::Word(word) => {
                self.mark(if word.signed { Construct::SignedAdd } else { Construct::UnsignedAdd });
                let one = self.word_constant(*word, 1);
                Expression::binary(&old, "+", &one, 5)
            }
            _ => self.value(ty, at, depth.min(2)),
        };
        if self.rng.coin() {
            return moved;
        }
        let condition = self.boolean(at, depth.min(2));
        let construct = match ty {
            Type::Boolean => Construct::BooleanConditional,
            Type::Word(_) => Construct::WordConditional,
            Type::Symbols(_) | Type::Mixed(..) => Construct::SymbolConditional,
            _ => Construct::IntegerConditional,
        };
        self.mark(construct);
        let text = format!("{} ? {} : {}", condition.at(15), moved.text, old.text);
        Expression::new(text, 16)
    }

    /// Ends an assignment.
    fn assign(&mut self, kind: &str, target: &str, value: &Expression, construct: Construct) {
        self.mark(construct);
        let left = if kind.is_empty() { target.to_string() } else { format!("{kind}({target})") };
        self.item("ASSIGN", format!("{left} := {};", value.text));
    }

    /// Assigns a whole array, if there is another one with the same type.
    fn assign_array(&mut self, entry: &Entry) -> bool {
        let twins = self.visible(Place::STATE, &|other| {
            other.ty == entry.ty && other.text != entry.text && !other.input
        });
        if twins.is_empty() || entry.role == Role::Frozen || self.chance(30) {
            return false;
        }
        let twin = &twins[self.rng.below(twins.len())];
        let init = twin.rank < entry.rank && self.rng.coin();
        if init {
            self.mark(Construct::WholeArrayInit);
            let value = Expression::new(twin.text.clone(), 1);
            self.assign("init", &entry.text, &value, Construct::InitAssignment);
        }
        if !init || self.rng.coin() || !self.may_choose(entry.ty.bits()) {
            self.mark(Construct::WholeArrayNext);
            let value = Expression::new(twin.text.clone(), 1);
            self.assign("next", &entry.text, &value, Construct::NextAssignment);
        }
        true
    }

    /// Draws INIT, INVAR and TRANS sections.
    fn constraints(&mut self, most: usize) {
        for _ in 0..self.rng.below(most + 1) {
            self.uses = Uses::default();
            match self.rng.below(4) {
                0 => {
                    self.mark(Construct::InitSection);
                    let condition = self.constraint(Place::STATE);
                    self.condition("INIT", condition);
                }
                1 => {
                    self.mark(Construct::InvarSection);
                    let condition = self.constraint(Place::STATE);
                    self.condition("INVAR", condition);
                }
                _ => {
                    self.mark(Construct::TransSection);
                    let condition = self.transition();
                    self.condition("TRANS", condition);
                }
            }
        }
    }

    /// A condition on states that many states satisfy.
    fn constraint(&mut self, at: Place) -> Expression {
        if let Some(equality) = self.array_equality() {
            let other = self.boolean(at, 1);
            return Expression::new(format!("{} | {}", equality, other.at(14)), 15);
        }
        if self.chance(15) {
            self.mark(Construct::BoolOfBoolean);
            self.mark(Construct::Or);
            let left = self.boolean(at, 1);
            let right = self.boolean(at, 1);
            let other = self.boolean(at, 0);
            let text = format!("bool({}) | {} | {}", left.text, right.at(14), other.at(14));
            return Expression::new(text, 15);
        }
        self.mark(Construct::Or);
        let left = self.boolean(at, 2);
        let middle = self.boolean(at, 1);
        let right = self.boolean(at, 0);
        let left = Expression::binary(&left, "|", &middle, 15);
        Expression::binary(&left, "|", &right, 15)
    }

    /// A comparison of two arrays.
    fn array_equality(&mut self) -> Option<String> {
        let arrays = self.visible(Place::STATE, &|entry| {
            matches!(entry.ty, Type::Array(..)) && entry.role == Role::State
        });
        for (place, first) in arrays.iter().enumerate() {
            for second in &arrays[place + 1..] {
                if first.ty == second.ty && self.chance(60) {
                    let (operator, construct) = self
                        .rng
                        .choose(&[("=", Construct::ArrayEqual), ("!=", Construct::ArrayNotEqual)]);
                    self.mark(construct);
                    return Some(format!("{} {operator} {}", first.text, second.text));
                }
            }
        }
        None
    }

    /// A condition on steps that most states have a step for.
    fn transition(&mut self) -> Expression {
        let at = Place::STEP;
        let variables = self.visible(Place::STATE, &|entry| {
            entry.role == Role::State && !matches!(entry.ty, Type::Array(..))
        });
        let guard = self.boolean(at, 2);
        let effect = if variables.is_empty() || self.chance(30) {
            self.boolean(at, 2)
        } else {
            let free = variables.iter().position(|entry| entry.free);
            let index = free.unwrap_or_else(|| self.rng.below(variables.len()));
            let variable = &variables[index];
            self.mark(Construct::NextOfVariable);
            let left = Expression::new(format!("next({})", variable.text), 1);
            if matches!(variable.ty, Type::Word(_)) || self.rng.coin() {
                let right = self.value(&variable.ty, at, 1);
                Expression::binary(&left, "=", &right, 10)
            } else {
                self.mark(Construct::In);
                let right = self.set(&variable.ty, at, 1);
                Expression::binary(&left, "in", &right, 9)
            }
        };
        self.mark(Construct::Implies);
        Expression::new(format!("{} -> {}", guard.at(17), effect.at(18)), 18)
    }

    /// Ends a condition, mostly with its semicolon.
    fn condition(&mut self, section: &'static str, condition: Expression) {
        let end = self.semicolon();
        self.item(section, format!("{}{end}", condition.text));
    }

    /// The semicolon of a section that does not need it.
    pub(super) fn semicolon(&mut self) -> &'static str {
        if self.chance(60) {
            return ";";
        }
        self.mark(Construct::NoSemicolon);
        ""
    }

    /// Draws fairness constraints, with a probability in percent each.
    fn fairness(&mut self, percent: usize) {
        for (section, construct) in
            [("FAIRNESS", Construct::FairnessSection), ("JUSTICE", Construct::JusticeSection)]
        {
            if self.chance(percent) {
                self.uses = Uses::default();
                self.mark(construct);
                let condition = if self.scope().process && self.rng.coin() {
                    self.mark(Construct::Running);
                    Expression::new("running", 1)
                } else {
                    let at = if self.rng.coin() { Place::INPUT } else { Place::STATE };
                    self.constraint(at)
                };
                if self.uses.input {
                    self.mark(Construct::InputFairness);
                }
                self.condition(section, condition);
            }
        }
        if self.chance(percent) {
            self.mark(Construct::CompassionSection);
            let left = self.boolean(Place::STATE, 1);
            let right = self.boolean(Place::STATE, 1);
            let end = self.semicolon();
            self.item("COMPASSION", format!("({}, {}){end}", left.text, right.text));
        }
    }

    /// Adds comments, line directives and empty sections.
    fn decorate(&mut self) {
        if self.chance(15) {
            self.mark(Construct::LineComment);
            self.item("", "-- A comment; MODULE x, ; and \"quotes\" mean nothing here.");
        }
        if self.chance(10) {
            self.mark(Construct::BlockComment);
            self.item("", "/-- A comment -- over\n  VAR two /-- lines. --/");
        }
        if self.chance(5) {
            self.mark(Construct::LineDirective);
            let line = self.rng.below(500);
            self.item("", format!("# {line} \"model.smv\""));
        }
        if self.chance(6) {
            self.mark(Construct::EmptySection);
            let section =
                self.rng.choose(&["VAR", "IVAR", "FROZENVAR", "DEFINE", "ASSIGN", "CONSTANTS ;"]);
            self.item("", section);
        }
        // Each of them may stand at the beginning as well as at the end.
        if self.rng.coin() {
            self.scope().items.reverse();
            let scope = self.scope();
            let count = scope.items.iter().take_while(|item| item.section.is_empty()).count();
            scope.items[count..].reverse();
        }
    }

    /// Puts the items into a random order.
    fn shuffle(&mut self) {
        let mut items = std::mem::take(&mut self.scope().items);
        for place in (1..items.len()).rev() {
            let other = self.rng.below(place + 1);
            items.swap(place, other);
        }
        if let Some(first) = items.first_mut() {
            first.constructs.insert(Construct::UseBeforeDeclaration);
        }
        self.scope().items = items;
    }
}
