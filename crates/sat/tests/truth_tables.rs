//! Solvers against truth tables: all small sets of clauses over three variables under all
//! assumptions, random larger ones, interruption, and the DIMACS text of queries.

use std::cell::Cell;

use kermode_base::Rng;
use kermode_sat::{Assuming, Batsat, Cadical, Literal, Outcome, Recorder, Solver};

/// A clause or a set of assumptions over the first variables; of each variable it has the positive
/// literal, the negative one, or none.
fn literals(mut code: usize, variables: usize) -> Vec<Literal> {
    let mut found = Vec::new();
    for variable in 0..variables {
        let positive = Literal::positive(variable);
        match code % 3 {
            1 => found.push(positive),
            2 => found.push(!positive),
            _ => {}
        }
        code /= 3;
    }
    found
}

fn holds(literal: Literal, assignment: usize) -> bool {
    (assignment >> literal.variable() & 1 == 1) != literal.is_negative()
}

/// Whether some assignment satisfies the clauses and all of the literals.
fn by_table(clauses: &[Vec<Literal>], all: &[Literal], variables: usize) -> bool {
    (0..1 << variables).any(|assignment| {
        let is_true = |&literal: &Literal| holds(literal, assignment);
        clauses.iter().all(|clause| clause.iter().any(is_true)) && all.iter().all(is_true)
    })
}

/// Compares a query with the table: outcome, assignment and core.
fn compare(solver: &mut impl Assuming, clauses: &[Vec<Literal>], all: &[Literal], n: usize) {
    match solver.solve_assuming(all) {
        Outcome::Satisfiable => {
            assert!(all.iter().all(|&literal| solver.value(literal)));
            let is_true = |&literal: &Literal| solver.value(literal);
            assert!(clauses.iter().all(|clause| clause.iter().any(is_true)), "{clauses:?} {all:?}");
        }
        Outcome::Unsatisfiable => {
            let core = solver.core();
            assert!(core.iter().all(|literal| all.contains(literal)), "{core:?} {all:?}");
            assert!(!by_table(clauses, core, n), "{clauses:?} {core:?}");
        }
        Outcome::Interrupted => panic!("nothing interrupts it"),
    }
}

#[test]
fn small_sets_of_clauses() {
    small_sets(|| Batsat::new(|| false));
    small_sets(|| Cadical::new(|| false));
}

fn small_sets<S: Assuming>(new: impl Fn() -> S) {
    let codes = 27;
    for (first, second, third) in
        (1..codes).flat_map(|a| (a..codes).flat_map(move |b| (b..codes).map(move |c| (a, b, c))))
    {
        let clauses = [first, second, third].map(|code| literals(code, 3)).to_vec();
        let mut solver = new();
        for _ in 0..3 {
            solver.new_literal();
        }
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        for all in 0..codes {
            compare(&mut solver, &clauses, &literals(all, 3), 3);
        }
    }
}

/// Clauses join between queries, and variables of both kinds too.
#[test]
fn growing_random_sets_of_clauses() {
    growing_sets(|| Batsat::new(|| false));
    growing_sets(|| Cadical::new(|| false));
}

fn growing_sets<S: Assuming>(new: impl Fn() -> S) {
    let mut rng = Rng::new(2303);
    for _ in 0..60 {
        let (n, mut clauses) = (9, Vec::new());
        let mut solver = new();
        for variable in 0..n {
            let literal =
                if rng.below(2) == 0 { solver.new_literal() } else { solver.new_reluctant() };
            assert_eq!(literal, Literal::positive(variable));
        }
        let literal = |rng: &mut Rng| {
            let positive = Literal::positive(rng.below(n));
            if rng.below(2) == 0 { positive } else { !positive }
        };
        for _ in 0..45 {
            let length = 1 + rng.below(4);
            let clause: Vec<Literal> = (0..length).map(|_| literal(&mut rng)).collect();
            solver.add_clause(&clause);
            clauses.push(clause);
            let all: Vec<Literal> = (0..rng.below(4)).map(|_| literal(&mut rng)).collect();
            compare(&mut solver, &clauses, &all, n);
        }
    }
}

/// `holes + 1` pigeons do not fit into the holes.
fn pigeons(solver: &mut impl Solver, holes: usize) {
    let nests: Vec<Vec<Literal>> =
        (0..=holes).map(|_| (0..holes).map(|_| solver.new_literal()).collect()).collect();
    nests.iter().for_each(|pigeon| solver.add_clause(pigeon));
    for (i, pigeon) in nests.iter().enumerate() {
        for other in &nests[..i] {
            (0..holes).for_each(|hole| solver.add_clause(&[!pigeon[hole], !other[hole]]));
        }
    }
}

#[test]
fn an_interrupt_ends_a_query_and_no_more() {
    let left = Cell::new(500);
    let stop = || {
        left.set(left.get() - 1);
        left.get() <= 0
    };
    let mut solver = Batsat::new(stop);
    pigeons(&mut solver, 9);
    assert_eq!(solver.solve(), Outcome::Interrupted);
    let calls = 500 - left.get();
    assert!(calls < 520, "{calls} calls");
    left.set(i64::MAX);
    let first = Literal::positive(0);
    assert_eq!(solver.solve_assuming(&[first, !first]), Outcome::Unsatisfiable);
    let before = solver.statistics().conflicts;
    assert_eq!(solver.solve_within(&[], 100), Outcome::Interrupted);
    let statistics = solver.statistics();
    assert!((100..105).contains(&(statistics.conflicts - before)), "{statistics:?}");
    assert_eq!((statistics.queries, statistics.variables), (3, 90));
    assert!(statistics.decisions > 0 && statistics.clauses > 10);
}

#[test]
fn an_interrupt_ends_a_query_of_cadical_and_no_more() {
    let is_over = Cell::new(true);
    let mut solver = Cadical::new(|| is_over.get());
    pigeons(&mut solver, 9);
    assert_eq!(solver.solve(), Outcome::Interrupted);
    is_over.set(false);
    let first = Literal::positive(0);
    assert_eq!(solver.solve_assuming(&[first, !first]), Outcome::Unsatisfiable);
    let before = solver.statistics().conflicts;
    assert_eq!(solver.solve_within(&[], 100), Outcome::Interrupted);
    let statistics = solver.statistics();
    assert!(
        statistics.conflicts > before && statistics.conflicts <= before + 200,
        "{statistics:?}"
    );
    assert_eq!((statistics.queries, statistics.variables), (3, 90));
}

#[test]
fn a_query_is_written_with_its_assumptions() {
    let mut solver = Recorder::new(Batsat::new(|| false));
    let (a, b) = (solver.new_literal(), solver.new_reluctant());
    solver.add_clause(&[a, !b]);
    solver.add_clause(&[b]);
    assert_eq!(solver.solve_assuming(&[!a]), Outcome::Unsatisfiable);
    assert_eq!(solver.core(), [!a]);
    let mut text = Vec::new();
    solver.write(&mut text).expect("a vector takes everything");
    assert_eq!(String::from_utf8(text).expect("text"), "p cnf 2 3\n1 -2 0\n2 0\n-1 0\n");
    assert_eq!(solver.solve(), Outcome::Satisfiable);
    assert!(solver.value(a) && solver.value(b));
    assert_eq!(solver.clauses().count(), 2);
}

/// A budget that measures only from time to time says yes once, and then no for a while.
#[test]
fn one_interrupt_is_enough() {
    let calls = Cell::new(0);
    let once = || {
        calls.set(calls.get() + 1);
        calls.get() == 300
    };
    let mut solver = Batsat::new(once);
    pigeons(&mut solver, 9);
    assert_eq!(solver.solve(), Outcome::Interrupted);
    assert_eq!(calls.get(), 300);
}
