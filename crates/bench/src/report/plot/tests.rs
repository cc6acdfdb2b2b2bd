//! Plots of what is degenerate: nothing may panic, leave the picture or break its text.

use super::{cactus, scaling, scatter, shortened};
use crate::record::Outcome;
use crate::report::results::{Results, Run};
use crate::report::scaling::{Measure, Wanted, charts};
use crate::report::tests::{results, run, with_parameter};

/// All plots of runs.
fn plots(results: &Results) -> Vec<String> {
    let wanted = Wanted {
        measures: vec![Measure::Cpu],
        growing: Vec::new(),
        plots: Vec::new(),
        noise: None,
    };
    let mut plots = vec![cactus(&results.tools, &results.inputs).expect("a cactus")];
    if results.tools.len() > 1 {
        plots.push(scatter(results, [0, 1]).expect("a scatter").svg);
    }
    let charts = charts(results, &wanted);
    plots.extend(charts.iter().map(|chart| scaling(&results.tools, chart, None).expect("a chart")));
    plots
}

/// Runs of two tools on the members 1 to `count` of a family.
fn members(count: i32, outcome: Outcome, cpu: impl Fn(i32) -> f64) -> Vec<Run> {
    let both = |n: i32| {
        let one = |tool| with_parameter(run(&format!("f {n}"), tool, outcome, cpu(n)), n.into());
        [one("t"), one("u")]
    };
    (1..=count).flat_map(both).collect()
}

#[track_caller]
fn sound(runs: Vec<Run>, count: usize) {
    let plots = plots(&results(runs));
    assert_eq!(plots.len(), count);
    for svg in plots {
        assert!(svg.starts_with("<svg width=") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(!svg.contains("2147483"), "a place overflowed: {svg}");
        assert_eq!(svg.matches("http").count(), 1, "the name of SVG alone: {svg}");
    }
}

#[test]
fn degenerate_runs_are_plotted() {
    sound(Vec::new(), 1);
    sound(members(1, Outcome::Satisfiable, |_| 0.5), 2);
    sound(members(9, Outcome::Satisfiable, |_| 0.5), 3);
    sound(members(9, Outcome::Satisfiable, |_| 0.0), 3);
    sound(members(9, Outcome::Satisfiable, |_| 1e-9), 3);
    sound(members(9, Outcome::Satisfiable, |n| 10.0_f64.powi(n)), 3);
    sound(members(9, Outcome::CpuLimit, |_| 10.0), 2);
    sound(vec![run("a", "t", Outcome::Satisfiable, 1.0), run("b", "u", Outcome::Unknown, 1.0)], 2);
}

#[test]
fn names_are_text() {
    let hostile = "<b>&\"'\u{7}";
    let runs = ["t", hostile].map(|tool| run("a", tool, Outcome::Satisfiable, 1.0));
    for svg in plots(&results(runs.to_vec())) {
        assert!(!svg.contains("<b>") && !svg.contains('\u{7}'), "{svg}");
        assert!(svg.contains("&lt;b&gt;&amp;"), "{svg}");
    }
}

#[test]
fn many_tools_and_long_names_fit() {
    let tools = (0..12).map(|tool| "long:".repeat(tool * 10) + &tool.to_string());
    let runs: Vec<Run> = tools.map(|tool| run("a", &tool, Outcome::Satisfiable, 1.0)).collect();
    let svg = cactus(&results(runs.clone()).tools, &results(runs).inputs).expect("a cactus");
    let (_, rest) = svg.split_once("height=\"").expect("a height");
    let height: u32 = rest.split('"').next().unwrap_or_default().parse().expect("a number");
    assert!(height < 1200, "{height}");
    assert_eq!(shortened(&"long:".repeat(50)).chars().count(), 51);
}
