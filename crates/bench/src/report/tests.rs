//! The statistics, by examples small enough to be computed by hand. All limits are 10 s.

use serde_json::Map;

use super::conflicts::{conflicts, crashes};
use super::results::{Results, Run};
use super::scaling::{Measure, Wanted, charts};
use super::score::{Score, median};
use super::{Selection, figures};
use crate::record::{Outcome, Record};

use Outcome::{CpuLimit, Crash, MemoryLimit, Satisfiable, Unknown, Unsatisfiable, WallLimit};

/// A run: input, tool, outcome, CPU seconds; nothing is expected.
pub(crate) fn run(input: &str, tool: &str, outcome: Outcome, cpu: f64) -> Run {
    let record = Record {
        input: input.to_owned(),
        family: input.chars().take(1).collect(),
        property: None,
        parameter: None,
        tool: tool.to_owned(),
        repetition: 0,
        expected: None,
        outcome,
        cpu_seconds: cpu,
        wall_seconds: cpu,
        peak_bytes: 1 << 20,
        cpu_limit_seconds: 10.0,
        wall_limit_seconds: None,
        memory_limit_bytes: None,
        address_space_limit_bytes: None,
        fingerprint: None,
        witness_letters: None,
        replayed: None,
        detail: None,
        statistics: Map::new(),
    };
    Run { record, published: false }
}

fn expected(mut run: Run, outcome: Outcome) -> Run {
    run.record.expected = Some(outcome);
    run
}

pub(super) fn with_parameter(mut run: Run, parameter: f64) -> Run {
    run.record.parameter = Some(parameter);
    run
}

pub(super) fn results(runs: Vec<Run>) -> Results {
    Results::new(runs, Selection::default())
}

fn score(results: &Results, tool: &str) -> Score {
    let place = results.tools.iter().position(|known| known.name == tool).expect("a tool");
    Score::of_tool(&results.inputs, place)
}

#[test]
fn par_2_counts_failures_twice() {
    let yes = |run| expected(run, Satisfiable);
    let results = results(vec![
        yes(run("a", "t", Satisfiable, 1.5)),
        yes(run("b", "t", Unsatisfiable, 0.1)),
        yes(run("c", "t", Crash, 0.2)),
        yes(run("d", "t", CpuLimit, 10.0)),
        yes(run("e", "t", WallLimit, 3.0)),
        yes(run("f", "t", MemoryLimit, 4.0)),
        yes(run("g", "t", Unknown, 0.3)),
        yes(run("h", "t", Satisfiable, 2.5)),
        yes(run("i", "other", Satisfiable, 1.0)),
    ]);
    let score = score(&results, "t");
    // Two right answers, six failures and one run that was not made.
    assert_eq!(score.par2, 1.5 + 2.5 + 7.0 * 20.0);
    assert_eq!((score.solved(), score.yes, score.no), (2, 2, 0));
    assert_eq!((score.wrong, score.crashed, score.gave_up), (1, 1, 1));
    assert_eq!((score.out_of_time, score.out_of_memory, score.not_run), (2, 1, 1));
    assert_eq!(score.seconds, [1.5, 2.5]);
}

#[test]
fn each_run_counts_by_its_own_limit() {
    let mut long = run("a", "t", Unknown, 1.0);
    long.record.cpu_limit_seconds = 60.0;
    let runs = vec![long, run("a", "u", Unknown, 1.0), run("b", "t", Satisfiable, 30.0)];
    let own = results(runs.clone());
    assert_eq!((score(&own, "t").par2, score(&own, "u").par2), (120.0 + 30.0, 20.0 + 20.0));
    assert_eq!(own.limits, [10.0, 60.0]);
    let cut = Results::new(runs, Selection { cpu_limit: Some(5.0), common: false });
    assert_eq!((score(&cut, "t").par2, score(&cut, "u").par2), (20.0, 20.0));
    assert_eq!(cut.limits, [5.0]);
}

#[test]
fn missing_runs_count_unless_only_common_inputs_do() {
    let runs = vec![
        run("a", "t", Satisfiable, 1.0),
        run("a", "u", Satisfiable, 2.0),
        run("b", "t", Satisfiable, 3.0),
    ];
    assert_eq!(score(&results(runs.clone()), "u").par2, 2.0 + 20.0);
    let common = Results::new(runs, Selection { cpu_limit: None, common: true });
    assert_eq!((score(&common, "t").par2, score(&common, "u").par2), (1.0, 2.0));
    assert_eq!((common.inputs.len(), common.left_out.len()), (1, 1));
}

#[test]
fn the_virtual_best_takes_the_fastest_right_answer() {
    let results = results(vec![
        expected(run("a", "t", Unsatisfiable, 0.1), Satisfiable),
        run("a", "u", Satisfiable, 4.0),
        run("a", "v", Satisfiable, 3.0),
        run("b", "t", Satisfiable, 1.0),
        run("b", "u", Satisfiable, 2.0),
        run("c", "t", Crash, 0.5),
        run("c", "u", CpuLimit, 10.0),
    ]);
    let best = Score::of_virtual_best(&results.inputs);
    assert_eq!((best.par2, best.solved()), (3.0 + 1.0 + 20.0, 2));
    assert_eq!(best.seconds, [1.0, 3.0]);
}

#[test]
fn unique_is_what_a_tool_alone_solved_while_others_tried() {
    let results = results(vec![
        run("a", "t", Satisfiable, 1.0),
        run("a", "u", CpuLimit, 10.0),
        run("b", "t", Satisfiable, 1.0),
        run("b", "u", Satisfiable, 1.0),
        run("c", "t", Satisfiable, 1.0),
        expected(run("d", "t", Unsatisfiable, 1.0), Satisfiable),
        run("d", "u", Satisfiable, 1.0),
    ]);
    assert_eq!((score(&results, "t").unique, score(&results, "u").unique), (1, 1));
}

#[test]
fn the_median_run_stands_for_all() {
    let of = |runs: &[(Outcome, f64)]| {
        let known = |&(outcome, cpu)| expected(run("a", "t", outcome, cpu), Satisfiable);
        score(&results(runs.iter().map(known).collect()), "t")
    };
    assert_eq!(of(&[(Satisfiable, 3.0), (Satisfiable, 1.0), (Satisfiable, 2.0)]).par2, 2.0);
    assert_eq!(of(&[(Satisfiable, 3.0), (Satisfiable, 1.0)]).par2, 3.0);
    assert_eq!(of(&[(Satisfiable, 3.0), (Crash, 0.1), (Satisfiable, 1.0)]).par2, 3.0);
    assert_eq!(of(&[(Crash, 0.2), (Crash, 0.1), (Satisfiable, 1.0)]).crashed, 1);
    let wrong = of(&[(Unsatisfiable, 0.2), (Satisfiable, 0.1), (Satisfiable, 1.0)]);
    assert_eq!((wrong.par2, wrong.wrong, wrong.solved()), (20.0, 1, 0));
    assert_eq!((median(&[]), median(&[1.0, 2.0, 3.0, 4.0])), (None, Some(3.0)));
}

#[test]
fn conflicts_name_the_tools_that_disagree() {
    let results = results(vec![
        // Nothing is known: a dispute.
        run("a", "t", Satisfiable, 1.0),
        run("a", "u", Unsatisfiable, 1.0),
        run("a", "v", Crash, 1.0),
        // One contradicts what is known.
        expected(run("b", "t", Unsatisfiable, 1.0), Satisfiable),
        run("b", "u", CpuLimit, 10.0),
        // A tool contradicts itself.
        run("c", "t", Satisfiable, 1.0),
        run("c", "t", Unsatisfiable, 1.0),
        // What is known contradicts itself.
        expected(run("d", "t", Satisfiable, 1.0), Satisfiable),
        expected(run("d", "u", Satisfiable, 1.0), Unsatisfiable),
        run("e", "t", Satisfiable, 1.0),
        run("e", "u", Satisfiable, 1.0),
    ]);
    let conflicts = conflicts(&results);
    let names = |places: &[usize]| -> Vec<String> {
        let mut names: Vec<_> =
            places.iter().map(|&place| results.tools[place].name.clone()).collect();
        names.sort();
        names
    };
    let inputs: Vec<&str> = conflicts.iter().map(|conflict| conflict.input).collect();
    assert_eq!(inputs, ["a", "b", "c", "d"]);
    assert_eq!(names(&conflicts[0].said_yes), ["t"]);
    assert_eq!(names(&conflicts[0].said_no), ["u"]);
    assert_eq!(conflicts[1].expected, [Satisfiable]);
    assert_eq!(names(&conflicts[2].said_yes), ["t"]);
    assert_eq!(names(&conflicts[2].said_no), ["t"]);
    assert_eq!(conflicts[3].expected.len(), 2);
    // Nobody is wrong about what is disputed; it is set aside.
    assert_eq!((results.inputs.len(), results.disputed.len()), (2, 3));
    assert_eq!((score(&results, "t").wrong, score(&results, "u").wrong), (1, 0));
    assert_eq!(crashes(&results).len(), 1, "crashes on disputed inputs are listed all the same");
    // So is a wrong answer about an input that is left out.
    let runs = vec![
        expected(run("a", "t", Unsatisfiable, 1.0), Satisfiable),
        run("b", "t", Satisfiable, 1.0),
        run("b", "u", Satisfiable, 1.0),
    ];
    let common = Results::new(runs, Selection { cpu_limit: None, common: true });
    assert_eq!(super::conflicts::conflicts(&common).len(), 1);
}

#[test]
fn the_order_of_records_does_not_matter() {
    let tools = ["t", "u", "v"];
    let runs = |input: &'static str| tools.map(|tool| run(input, tool, Satisfiable, 1.0));
    let mut runs: Vec<Run> = ["a2", "b1", "a1"].into_iter().flat_map(runs).collect();
    let forward = results(runs.clone());
    runs.reverse();
    let backward = results(runs);
    assert_eq!(forward.tools, backward.tools);
    let names = |results: &Results| -> Vec<String> {
        results.inputs.iter().map(|input| input.name.clone()).collect()
    };
    assert_eq!(names(&forward), ["a1", "a2", "b1"]);
    assert_eq!(names(&forward), names(&backward));
}

#[test]
fn published_runs_are_of_other_tools() {
    let mut published = run("a", "t", Satisfiable, 0.5);
    published.published = true;
    let others = (0..9).map(|index| run("a", &format!("o{index}"), Satisfiable, 2.0));
    let runs = vec![run("a", "t", Satisfiable, 1.0), published];
    let results = results(runs.into_iter().chain(others).collect());
    assert_eq!(results.tools.len(), 11);
    assert_eq!(results.tools[0].to_string(), "t †");
    let pairs = figures::pairs(&results);
    assert_eq!(pairs.len(), 6);
    assert_eq!(pairs[0], [1, 0], "the best of ours comes first");
}

#[test]
fn curves_are_medians_over_a_parameter() {
    let mut runs = Vec::new();
    for n in 1..=6 {
        let parameter = f64::from(n);
        for (seed, factor) in [1.0, 2.0, 30.0].into_iter().enumerate() {
            let mut member =
                run(&format!("f {n} {seed}"), "t", Satisfiable, factor * 0.5_f64.powi(7 - n));
            member.record.statistics.insert("posts".to_owned(), (n * n).into());
            runs.push(with_parameter(member, parameter));
        }
    }
    runs.push(with_parameter(run("f 7", "t", CpuLimit, 10.0), 7.0));
    let measures = vec![Measure::Cpu, Measure::Statistic("posts".to_owned())];
    let wanted = Wanted { measures, growing: Vec::new(), plots: Vec::new(), noise: Some(0.1) };
    let charts = charts(&results(runs), &wanted);
    let [cpu, posts] = &charts[..] else { panic!("{charts:?}") };
    let points: Vec<(f64, f64)> =
        (1..=6).map(|n| (f64::from(n), 2.0 * 0.5_f64.powi(7 - n))).collect();
    assert_eq!(cpu.curves[0].points, points);
    assert_eq!(cpu.curves[0].unsolved, [(7.0, "time")]);
    assert_eq!(cpu.curves[0].fitted, [3.0, 4.0, 5.0, 6.0], "what is below the noise is left out");
    assert_eq!(cpu.curves[0].in_words(), "2.0^n, R² 1.00");
    assert_eq!(posts.curves[0].in_words(), "n^2.0, R² 1.00");
}

#[test]
fn reach_ends_at_the_first_failure() {
    let outcomes = [(1, Satisfiable), (2, Satisfiable), (3, CpuLimit), (4, Satisfiable)];
    let member = |(n, outcome): (i32, Outcome)| {
        with_parameter(run(&format!("f {n}"), "t", outcome, 0.5), f64::from(n))
    };
    let wanted = Wanted {
        measures: vec![Measure::Cpu],
        growing: Vec::new(),
        plots: Vec::new(),
        noise: None,
    };
    let charts = charts(&results(outcomes.into_iter().map(member).collect()), &wanted);
    assert_eq!(charts[0].curves[0].reach(), Some((2.0, 0.5)));
    assert_eq!(charts[0].curves[0].unsolved, [(3.0, "time")]);
    assert_eq!(charts[0].parameters(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn names_may_tell_the_parameter() {
    let name = |n: i32| format!("x/lift/lift_b_{n}.pltl");
    let runs = (2..9).map(|n| run(&name(n), "t", Satisfiable, 3.0_f64.powi(n))).collect();
    let wanted = |pattern| Wanted {
        measures: vec![Measure::Cpu],
        growing: vec![glob::Pattern::new(pattern).expect("a pattern")],
        plots: Vec::new(),
        noise: None,
    };
    let results = results(runs);
    assert!(charts(&results, &wanted("*/counter/*")).is_empty());
    let charts = charts(&results, &wanted("*/lift/*"));
    assert_eq!(charts[0].family, "x: lift_b");
    assert_eq!(charts[0].curves[0].growth_text(), "3.0^n");
}
