//! Curves over a parameter: the CPU time of each tool, or what an engine counted, for the members
//! of a family.
//!
//! The members of a generated family carry their parameter. Where the names of others end in a
//! number that grows (`lift_b_7.pltl`), `--growing` says so by a pattern: what stands before the
//! number then is the family, and the number is the parameter. Several inputs with the same
//! parameter are represented by their median, where what is not solved is longer than anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use super::growth::{FEWEST_POINTS, Fit, Growth, growth};
use super::results::{Cell, Input, Results, Tool};
use super::score::median;

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Cpu,
    Statistic(String),
}

/// What one tool did.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    pub(crate) tool: usize,
    /// Parameters and values, by ascending parameters.
    pub(crate) points: Vec<(f64, f64)>,
    /// The parameters of what was not solved, and why.
    pub(crate) unsolved: Vec<(f64, &'static str)>,
    /// The parameters of the points above the noise, which growth is fitted to.
    pub(crate) fitted: Vec<f64>,
    pub(crate) growth: Option<Growth>,
}

/// What all tools did with the members of a family.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chart {
    pub(crate) family: String,
    /// The property of the models.
    pub(crate) property: Option<String>,
    pub(crate) measure: Measure,
    pub(crate) curves: Vec<Curve>,
    /// The longest CPU limit.
    pub(crate) limit: f64,
}

/// What a chart is about: a family and, of models, a property.
type Subject = (String, Option<String>);

/// What charts are wanted.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) measures: Vec<Measure>,
    pub(crate) growing: Vec<glob::Pattern>,
    /// The plots of each chart; without any, one with all curves.
    pub(crate) plots: Vec<Curves>,
    /// CPU times below this say nothing about growth; by default it depends on the tool.
    pub(crate) noise: Option<f64>,
}

/// Tools whose curves are plotted together: those whose names match one of several patterns.
#[derive(Clone, Debug)]
pub struct Curves {
    written: String,
    patterns: Vec<glob::Pattern>,
}

/// Patterns with commas between them.
impl FromStr for Curves {
    type Err = glob::PatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let patterns = text.split(',').map(|pattern| glob::Pattern::new(pattern.trim()));
        Ok(Curves { written: text.to_owned(), patterns: patterns.collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Curves {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl Curves {
    /// Whether a tool is one of them.
    pub(crate) fn matches(&self, tool: &Tool) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches(&tool.name))
    }

    pub(crate) fn match_any(&self, tools: &[Tool]) -> bool {
        tools.iter().any(|tool| self.matches(tool))
    }
}

/// CPU seconds below this say nothing about growth, by default.
pub(crate) const NOISE: f64 = 0.01;

/// The longest that the start of a tool is taken to last.
pub(crate) const START_UP: f64 = 0.1;

/// The charts of all families that grow.
pub(crate) fn charts(results: &Results, wanted: &Wanted) -> Vec<Chart> {
    let mut families: BTreeMap<Subject, Vec<(f64, &Input)>> = BTreeMap::new();
    for input in &results.inputs {
        if let Some((family, parameter)) = place(input, &wanted.growing) {
            let members = families.entry((family, input.property.clone())).or_default();
            members.push((parameter, input));
        }
    }
    let floors: Vec<f64> =
        (0..results.tools.len()).map(|tool| floor(results, tool, wanted.noise)).collect();
    let mut charts = Vec::new();
    for (family, members) in &families {
        for measure in &wanted.measures {
            charts.extend(Chart::new(family, members, measure, &floors));
        }
    }
    charts
}

/// The CPU time below which a tool shows its start-up rather than its growth: as given, or twice
/// its least time on any input, unless that is too long for a start.
fn floor(results: &Results, tool: usize, noise: Option<f64>) -> f64 {
    if let Some(noise) = noise {
        return noise;
    }
    let cells = results.inputs.iter().filter_map(|input| input.cells[tool].as_ref());
    let least = cells.filter_map(Cell::right_seconds).min_by(f64::total_cmp);
    NOISE.max(least.filter(|&least| least <= START_UP).map_or(0.0, |least| 2.0 * least))
}

/// The curve to which an input belongs, and where on it.
fn place(input: &Input, growing: &[glob::Pattern]) -> Option<(String, f64)> {
    if let Some(parameter) = input.parameter {
        return Some((input.family.clone(), parameter));
    }
    growing.iter().any(|pattern| pattern.matches(&input.name)).then(|| by_number(input))?
}

/// The family and the last number of a name.
fn by_number(input: &Input) -> Option<(String, f64)> {
    let file = input.name.rsplit('/').next().unwrap_or(&input.name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let to_number = stem.trim_end_matches(|c: char| !c.is_ascii_digit());
    let before = to_number.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = to_number[before.len()..].parse().ok()?;
    let (before, after) = (before.trim_end_matches(['_', '-', '.', ' ']), &stem[to_number.len()..]);
    Some((format!("{}: {before}{after}", input.family), number))
}

impl Chart {
    /// A chart, if anything is to be seen on it.
    fn new(
        (family, property): &Subject,
        members: &[(f64, &Input)],
        measure: &Measure,
        floors: &[f64],
    ) -> Option<Self> {
        let curves = (0..floors.len()).map(|tool| {
            let floor = if *measure == Measure::Cpu { floors[tool] } else { 0.0 };
            Curve::new(members, tool, measure, floor)
        });
        let curves: Vec<Curve> = curves.filter(|curve| !curve.is_empty()).collect();
        let points = curves.iter().flat_map(|curve| &curve.points);
        let parameters: BTreeSet<u64> = points.map(|point| point.0.to_bits()).collect();
        let limit = members.iter().map(|(_, input)| input.limit).fold(0.0, f64::max);
        let (family, property, measure) = (family.clone(), property.clone(), measure.clone());
        (parameters.len() > 1).then_some(Chart { family, property, measure, curves, limit })
    }

    /// The family and, of models, the property.
    pub(crate) fn title(&self) -> String {
        match &self.property {
            Some(property) => format!("{} {property}", self.family),
            None => self.family.clone(),
        }
    }

    /// The parameters at which any curve has a point or an unsolved member, ascending.
    pub(crate) fn parameters(&self) -> Vec<f64> {
        let of_curve = |curve: &Curve| {
            let unsolved = curve.unsolved.iter().map(|unsolved| unsolved.0);
            curve.points.iter().map(|point| point.0).chain(unsolved).collect::<Vec<f64>>()
        };
        let mut parameters: Vec<f64> = self.curves.iter().flat_map(of_curve).collect();
        parameters.sort_by(f64::total_cmp);
        parameters.dedup();
        parameters
    }
}

impl Curve {
    fn new(members: &[(f64, &Input)], tool: usize, measure: &Measure, floor: f64) -> Self {
        let mut curve = Curve {
            tool,
            points: Vec::new(),
            unsolved: Vec::new(),
            fitted: Vec::new(),
            growth: None,
        };
        let cells = members.iter().filter_map(|(n, input)| Some((*n, input.cells[tool].as_ref()?)));
        let mut values: Vec<(f64, f64, &Cell)> =
            cells.filter_map(|(n, cell)| Some((n, measure.value(cell)?, cell))).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for group in values.chunk_by(|a, b| a.0 == b.0) {
            let ascending: Vec<f64> = group.iter().map(|value| value.1).collect();
            let (n, _, worst) = group[group.len() - 1];
            match median(&ascending).filter(|value| value.is_finite()) {
                Some(value) => curve.points.push((n, value)),
                None => curve.unsolved.push((n, worst.failure())),
            }
        }
        curve.fit(floor);
        curve
    }

    fn fit(&mut self, floor: f64) {
        let above = self.points.iter().filter(|point| point.1 > 0.0 && point.1 >= floor);
        let above: Vec<(f64, f64)> = above.copied().collect();
        self.fitted = above.iter().map(|point| point.0).collect();
        self.growth = growth(&above);
    }

    fn is_empty(&self) -> bool {
        self.points.is_empty() && self.unsolved.is_empty()
    }

    /// The last point before which everything is solved.
    pub(crate) fn reach(&self) -> Option<(f64, f64)> {
        let first = self.unsolved.first().map_or(f64::INFINITY, |unsolved| unsolved.0);
        self.points.iter().copied().take_while(|point| point.0 < first).last()
    }

    /// Where the points are that growth is fitted to.
    pub(crate) fn fitted_range(&self) -> Option<(f64, f64)> {
        self.fitted.first().copied().zip(self.fitted.last().copied())
    }

    /// The fitted growth in words.
    pub(crate) fn in_words(&self) -> String {
        match self.growth.map(|growth| growth.best) {
            Some(Fit { r2: Some(r2), .. }) => format!("{}, R² {r2:.2}", self.growth_text()),
            _ => self.growth_text(),
        }
    }

    /// The law that fits best, or that nothing was fitted.
    pub(crate) fn growth_text(&self) -> String {
        let missing = match self.points.len() {
            0 => "nothing solved",
            1..FEWEST_POINTS => "too few points",
            _ => "too few above the noise",
        };
        self.growth.map_or(missing.to_owned(), |growth| growth.best.to_string())
    }
}

impl Measure {
    /// What a run counts; infinite if it was not solved.
    fn value(&self, cell: &Cell) -> Option<f64> {
        match self {
            Measure::Cpu => Some(cell.right_seconds().unwrap_or(f64::INFINITY)),
            Measure::Statistic(name) if cell.is_right() => {
                cell.run().statistics.get(name)?.as_f64()
            }
            Measure::Statistic(_) => None,
        }
    }
}

/// All that engines counted in any run, by name.
pub(crate) fn statistics(results: &Results) -> BTreeSet<&str> {
    let runs = results.inputs.iter().flat_map(Input::runs);
    runs.flat_map(|(_, run)| run.statistics.keys()).map(String::as_str).collect()
}
