//! Texts of flat models: parentheses, names, sharing.

use kermode_smv::flat::{
    Assigned, Assignment, Bounds, Constraint, Definition, Domain, FailureKind, FlatBinary,
    FlatExpression, FlatModel, FlatTerm, FlatUnary, FlatVariable, PathBinary, PathUnary, Property,
    Symbol, Type, Value, VariableId, Word,
};
use kermode_smv::print::flat_text;
use kermode_smv::syntax::{AssignmentKind, ConstraintKind, PropertyKind, Span, VariableKind};

/// A model with variables `a`, `b` and `c` of type Boolean, `x` and `y` of type integer, and `w`.
struct Builder {
    model: FlatModel,
}

impl Builder {
    fn new() -> Self {
        let mut model = FlatModel::default();
        let mut add = |name: &str, domain| {
            model.variables.push(FlatVariable {
                name: name.to_owned(),
                kind: VariableKind::State,
                domain,
                span: Span::default(),
            });
        };
        ["a", "b", "c"].into_iter().for_each(|name| add(name, Domain::Boolean));
        ["x", "y"].into_iter().for_each(|name| add(name, Domain::Range(0, 3)));
        add("w", Domain::Word { signed: true, width: 4 });
        Builder { model }
    }

    fn var(&mut self, name: &str) -> FlatExpression {
        let found = self.model.variables.iter().position(|variable| variable.name == name);
        let index = found.expect("a variable of the model");
        let ty = self.model.variables[index].domain.ty();
        self.model.expressions.variable(VariableId(index as u32), ty, false)
    }

    fn term(&mut self, term: FlatTerm, ty: Type) -> FlatExpression {
        self.model.expressions.intern(term, ty)
    }

    fn constant(&mut self, value: Value) -> FlatExpression {
        self.model.expressions.constant(value)
    }

    fn integer(&mut self, value: i32) -> FlatExpression {
        self.constant(Value::Integer(value))
    }

    fn not(&mut self, a: FlatExpression) -> FlatExpression {
        let ty = self.model.expressions.ty(a);
        self.term(FlatTerm::Unary(FlatUnary::Not, a), ty)
    }

    fn minus(&mut self, a: FlatExpression) -> FlatExpression {
        self.term(FlatTerm::Unary(FlatUnary::Minus, a), Type::Integer)
    }

    /// An operator with Boolean operands or Boolean result.
    fn boolean(
        &mut self,
        operator: FlatBinary,
        a: FlatExpression,
        b: FlatExpression,
    ) -> FlatExpression {
        self.term(FlatTerm::Binary(operator, a, b), Type::Boolean)
    }

    fn number(
        &mut self,
        operator: FlatBinary,
        a: FlatExpression,
        b: FlatExpression,
    ) -> FlatExpression {
        self.term(FlatTerm::Binary(operator, a, b), Type::Integer)
    }

    fn choice(
        &mut self,
        c: FlatExpression,
        a: FlatExpression,
        b: FlatExpression,
    ) -> FlatExpression {
        let ty = self.model.expressions.ty(a);
        self.term(FlatTerm::IfThenElse(c, a, b), ty)
    }

    fn path(&mut self, operator: PathUnary, a: FlatExpression) -> FlatExpression {
        let none = kermode_smv::flat::expression::BoundsId::NONE;
        self.term(FlatTerm::PathUnary(operator, a, none), Type::Boolean)
    }

    fn paths(
        &mut self,
        operator: PathBinary,
        a: FlatExpression,
        b: FlatExpression,
    ) -> FlatExpression {
        let none = kermode_smv::flat::expression::BoundsId::NONE;
        self.term(FlatTerm::PathBinary(operator, a, b, none), Type::Boolean)
    }

    fn define(&mut self, name: &str, body: FlatExpression) {
        let (name, span) = (name.to_owned(), Span::default());
        self.model.definitions.push(Definition { name, body, span });
    }

    fn constrain(&mut self, kind: ConstraintKind, condition: FlatExpression) {
        self.model.constraints.push(Constraint { kind, condition, span: Span::default() });
    }

    /// The text of an expression: it is the body of the only definition.
    fn text(mut self, body: FlatExpression) -> String {
        self.define("d", body);
        let text = flat_text(&self.model);
        let line =
            text.lines().find_map(|line| line.strip_prefix("  d := ")).expect("a definition");
        line.strip_suffix(';').expect("an end").to_owned()
    }

    /// The text of an LTL or CTL formula.
    fn formula(mut self, kind: PropertyKind, formula: FlatExpression) -> String {
        self.model.properties.push(Property {
            kind,
            name: Some("m.p".to_owned()),
            instance: "m".to_owned(),
            operands: vec![formula],
            span: Span::default(),
            keyword: Span::default(),
        });
        let text = flat_text(&self.model);
        let (_, formula) = text.rsplit_once("SPEC NAME m.p := ").expect("a specification");
        formula.trim_end().strip_suffix(';').expect("an end").to_owned()
    }
}

/// Checks the text of the expression that is built.
macro_rules! text {
    ($expected:expr, |$b:ident $(, $name:ident)*| $build:expr) => {{
        let mut $b = Builder::new();
        $(let $name = $b.var(stringify!($name));)*
        let body = $build;
        assert_eq!($b.text(body), $expected);
    }};
}

#[test]
fn parentheses_follow_the_levels() {
    use FlatBinary::{
        Add, And, Concatenate, Divide, Equal, Iff, Implies, In, Less, Modulo, Multiply, Or,
        ShiftLeft, Subtract, Union, Xor,
    };
    text!("!(x = y)", |m, x, y| {
        let e = m.boolean(Equal, x, y);
        m.not(e)
    });
    text!("!a = b", |m, a, b| {
        let e = m.not(a);
        m.boolean(Equal, e, b)
    });
    text!("a -> b -> c", |m, a, b, c| {
        let e = m.boolean(Implies, b, c);
        m.boolean(Implies, a, e)
    });
    text!("(a -> b) -> c", |m, a, b, c| {
        let e = m.boolean(Implies, a, b);
        m.boolean(Implies, e, c)
    });
    text!("a <-> b -> c", |m, a, b, c| {
        let e = m.boolean(Iff, a, b);
        m.boolean(Implies, e, c)
    });
    text!("a <-> (b -> c)", |m, a, b, c| {
        let e = m.boolean(Implies, b, c);
        m.boolean(Iff, a, e)
    });
    text!("a & b & c", |m, a, b, c| {
        let e = m.boolean(And, a, b);
        m.boolean(And, e, c)
    });
    text!("a & (b & c)", |m, a, b, c| {
        let e = m.boolean(And, b, c);
        m.boolean(And, a, e)
    });
    text!("a & (b | c)", |m, a, b, c| {
        let e = m.boolean(Or, b, c);
        m.boolean(And, a, e)
    });
    text!("a | b xor c", |m, a, b, c| {
        let e = m.boolean(Or, a, b);
        m.boolean(Xor, e, c)
    });
    text!("a | (b xor c)", |m, a, b, c| {
        let e = m.boolean(Xor, b, c);
        m.boolean(Or, a, e)
    });
    text!("x - (y - x)", |m, x, y| {
        let e = m.number(Subtract, y, x);
        m.number(Subtract, x, e)
    });
    text!("x - y + x", |m, x, y| {
        let e = m.number(Subtract, x, y);
        m.number(Add, e, x)
    });
    text!("x mod y * x", |m, x, y| {
        let e = m.number(Modulo, x, y);
        m.number(Multiply, e, x)
    });
    text!("x / (y * x)", |m, x, y| {
        let e = m.number(Multiply, y, x);
        m.number(Divide, x, e)
    });
    text!("(x + y) * x", |m, x, y| {
        let e = m.number(Add, x, y);
        m.number(Multiply, e, x)
    });
    text!("x + y < x = a", |m, x, y, a| {
        let e = m.number(Add, x, y);
        let e = m.boolean(Less, e, x);
        m.boolean(Equal, e, a)
    });
    text!("a = (x < y)", |m, a, x, y| {
        let e = m.boolean(Less, x, y);
        m.boolean(Equal, a, e)
    });
    text!("x in x union 1..2", |m, x| {
        let e = m.term(FlatTerm::Interval(1, 2), Type::IntegerSet);
        let e = m.term(FlatTerm::Binary(Union, x, e), Type::IntegerSet);
        m.boolean(In, x, e)
    });
    text!("(w << x) :: w", |m, w, x| {
        let ty = Type::Word { signed: true, width: 4 };
        let e = m.term(FlatTerm::Binary(ShiftLeft, w, x), ty);
        m.term(FlatTerm::Binary(Concatenate, e, w), Type::Word { signed: false, width: 8 })
    });
    text!("(-w)[2:1]", |m, w| {
        let ty = Type::Word { signed: true, width: 4 };
        let e = m.term(FlatTerm::Unary(FlatUnary::Minus, w), ty);
        let ty = Type::Word { signed: false, width: 2 };
        m.term(FlatTerm::Bits { word: e, high: 2, low: 1 }, ty)
    });
}

/// `--` would begin a comment, and the smallest integer has no literal.
#[test]
fn negative_numbers_are_told_from_comments() {
    text!("x - -5", |m, x| {
        let e = m.integer(-5);
        m.number(FlatBinary::Subtract, x, e)
    });
    text!("-(-5)", |m| {
        let e = m.integer(-5);
        m.minus(e)
    });
    text!("-(-x)", |m, x| {
        let e = m.minus(x);
        m.minus(e)
    });
    text!("(-2147483647 - 1)", |m| m.integer(i32::MIN));
    text!("-0sd4_8", |m| m.constant(Value::Word(Word { bits: 8, width: 4, signed: true })));
}

#[test]
fn choices_are_written_with_question_marks_or_case() {
    text!("(a ? x : y) + x", |m, a, x, y| {
        let e = m.choice(a, x, y);
        m.number(FlatBinary::Add, e, x)
    });
    text!("case a : x; b : y; TRUE : x; esac", |m, a, b, x, y| {
        let e = m.choice(b, y, x);
        m.choice(a, x, e)
    });
    text!("case (a ? b : c) : x; esac + x", |m, a, b, c, x| {
        let condition = m.choice(a, b, c);
        let failure = m.term(FlatTerm::Failure(FailureKind::NoCase, Type::Integer), Type::Integer);
        let e = m.choice(condition, x, failure);
        m.number(FlatBinary::Add, e, x)
    });
    text!("!case FALSE : FALSE; esac", |m| {
        let e = FlatTerm::Failure(FailureKind::OutOfBounds, Type::Boolean);
        let e = m.term(e, Type::Boolean);
        m.not(e)
    });
}

#[test]
fn functions_have_their_names() {
    text!("next(x) = x", |m, x| {
        let e = m.term(FlatTerm::Next(x), Type::Integer);
        m.boolean(FlatBinary::Equal, e, x)
    });
    let word = |signed, width| Type::Word { signed, width };
    for (operator, ty, expected) in [
        (FlatUnary::ToInt, Type::Integer, "toint(w)"),
        (FlatUnary::Unsigned, word(false, 4), "unsigned(w)"),
        (FlatUnary::Extend(3), word(true, 7), "extend(w, 3)"),
        (FlatUnary::Resize(3), word(true, 3), "resize(w, 3)"),
    ] {
        text!(expected, |m, w| m.term(FlatTerm::Unary(operator, w), ty));
    }
    text!("signed(word1(a))", |m, a| {
        let e = m.term(FlatTerm::Unary(FlatUnary::Word1, a), word(false, 1));
        m.term(FlatTerm::Unary(FlatUnary::Signed, e), word(true, 1))
    });
    // NuSMV refuses `bool` of a Boolean value in specifications.
    text!("(a) & bool(x)", |m, a, x| {
        let a = m.term(FlatTerm::Unary(FlatUnary::Bool, a), Type::Boolean);
        let x = m.term(FlatTerm::Unary(FlatUnary::Bool, x), Type::Boolean);
        m.boolean(FlatBinary::And, a, x)
    });
}

#[test]
fn formulas_keep_their_structure() {
    let mut m = Builder::new();
    let (a, b, x, y) = (m.var("a"), m.var("b"), m.var("x"), m.var("y"));
    let equal = m.boolean(FlatBinary::Equal, x, y);
    let until = m.paths(PathBinary::Until, equal, b);
    let finally = m.path(PathUnary::Eventually, until);
    let implies = m.boolean(FlatBinary::Implies, a, finally);
    let globally = m.path(PathUnary::Globally, implies);
    let past = m.paths(PathBinary::Since, globally, until);
    let not = m.not(past);
    let formula = m.boolean(FlatBinary::And, not, until);
    let text = m.formula(PropertyKind::Ltl, formula);
    assert_eq!(text, "!(G (a -> F (x = y U b)) S (x = y U b)) & x = y U b");

    let mut m = Builder::new();
    let (a, b) = (m.var("a"), m.var("b"));
    let bounds = m.model.expressions.intern_bounds(Bounds { low: 1, high: 3 });
    let formula = m.term(FlatTerm::PathUnary(PathUnary::Once, a, bounds), Type::Boolean);
    let formula = m.boolean(FlatBinary::Or, formula, b);
    assert_eq!(m.formula(PropertyKind::Ltl, formula), "O [1,3] a | b");

    let mut m = Builder::new();
    let (a, b) = (m.var("a"), m.var("b"));
    let bounds = m.model.expressions.intern_bounds(Bounds { low: 1, high: 3 });
    let both = m.boolean(FlatBinary::Implies, a, b);
    let always = FlatTerm::PathUnary(PathUnary::AllGlobally, both, bounds);
    let always = m.term(always, Type::Boolean);
    let until = FlatTerm::PathBinary(PathBinary::ExistsUntil, always, both, bounds);
    let until = m.term(until, Type::Boolean);
    let until = m.paths(PathBinary::AllUntil, until, a);
    let formula = m.path(PathUnary::ExistsNext, until);
    let text = m.formula(PropertyKind::Ctl, formula);
    assert_eq!(text, "EX A [E [ABG 1..3 (a -> b) BU 1..3 (a -> b)] U a]");
}

#[test]
fn shared_expressions_are_written_once() {
    let mut m = Builder::new();
    let mut sum = m.var("x");
    for _ in 0..200 {
        sum = m.number(FlatBinary::Add, sum, sum);
    }
    let y = m.var("y");
    let equal = m.boolean(FlatBinary::Equal, sum, y);
    m.define("shared_2", equal);
    m.constrain(ConstraintKind::Init, equal);
    let text = flat_text(&m.model);
    assert!(text.len() < 20_000, "{text}");
    // The name of the definition is used, and no new name is equal to it.
    assert!(text.contains("INIT shared_2;"), "{text}");
    assert_eq!(text.matches("  shared_2 := ").count(), 1, "{text}");
    assert!(text.contains("  shared_3 := "), "{text}");
}

#[test]
fn deep_nesting_is_cut_into_definitions() {
    let mut m = Builder::new();
    let a = m.var("a");
    let mut deep = m.var("b");
    for _ in 0..100_000 {
        deep = m.boolean(FlatBinary::Implies, deep, a);
    }
    m.constrain(ConstraintKind::Invar, deep);
    let text = flat_text(&m.model);
    assert!(text.lines().all(|line| line.len() < 1_000));
    let mut m = Builder::new();
    let a = m.var("a");
    let mut long = m.var("b");
    for _ in 0..100_000 {
        long = m.boolean(FlatBinary::Or, long, a);
    }
    m.constrain(ConstraintKind::Invar, long);
    assert!(!flat_text(&m.model).contains("DEFINE"));
}

#[test]
fn symbols_that_are_no_identifiers_are_quoted() {
    let mut m = Builder::new();
    m.model.symbols = ["p.q", "red", "a", "\"q x\"", "free"].map(str::to_owned).to_vec();
    let values = (0..4).map(|number| Value::Symbol(Symbol(number))).collect();
    m.model.variables.push(FlatVariable {
        name: "m.s[2]".to_owned(),
        kind: VariableKind::Input,
        domain: Domain::Enumeration(values),
        span: Span::default(),
    });
    let text = flat_text(&m.model);
    assert!(text.contains("IVAR\n  m.s[2] : {\"p.q\", red, \"a\", \"q x\"};"), "{text}");
    assert!(text.contains("CONSTANTS\n  free;"), "{text}");
}

/// A conjunct of a constraint masks no failure in another one; a conjunction with a name would.
#[test]
fn conjunctions_that_may_fail_stay_at_the_top() {
    let mut m = Builder::new();
    let (a, x, y) = (m.var("a"), m.var("x"), m.var("y"));
    let quotient = m.number(FlatBinary::Divide, x, y);
    let less = m.boolean(FlatBinary::Less, quotient, x);
    let both = m.boolean(FlatBinary::And, a, less);
    m.define("d", both);
    m.constrain(ConstraintKind::Trans, both);
    let text = flat_text(&m.model);
    assert!(text.contains("  d := a & x / y < x;\nTRANS a & x / y < x;"), "{text}");
}

/// Assignments of different processes may use each other's next values; as assignments of one
/// module they would be circular.
#[test]
fn circular_assignments_of_processes_become_conditions() {
    let mut m = Builder::new();
    let (a, b, c) = (m.var("a"), m.var("b"), m.var("c"));
    for (target, other) in [(a, b), (b, a), (c, b)] {
        let next = m.term(FlatTerm::Next(other), Type::Boolean);
        let value = m.choice(c, next, target);
        let FlatTerm::Variable(variable) = m.model.expressions.term(target) else { continue };
        let assigned = vec![Assigned { value, span: Span::default(), process: 0 }];
        let kind = AssignmentKind::Next;
        m.model.assignments.push(Assignment { kind, variable, value, assigned });
    }
    assert!(!flat_text(&m.model).contains("TRANS"));
    m.model.process_selector = Some(VariableId(2));
    let text = flat_text(&m.model);
    assert!(text.contains("ASSIGN\n  next(c) := c ? next(b) : c;\n"), "{text}");
    assert!(text.contains("TRANS next(a) = (c ? next(b) : a);\n"), "{text}");
    assert!(text.contains("TRANS next(b) = (c ? next(a) : b);\n"), "{text}");
}
