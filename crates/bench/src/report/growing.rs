//! The sections about families that grow: how far each tool gets, and how its values grow.
//!
//! *Reach* is a matrix: a row for each tool, a column for each family or, of models, for each
//! property. *Growth* has for each of these the values by parameter, the fitted laws, and plots.

use super::document::{Align, Block, Field, Figure, Line, Section, Table, name, plain};
use super::growth::{FEWEST_POINTS, Fit};
use super::plot;
use super::results::Results;
use super::scaling::{Chart, Curve, Curves, Measure, NOISE, START_UP, Wanted, charts};
use super::sections::{left, right, tool_field};
use super::tables::number;

/// The largest number of parameters that have columns of their own.
const MOST_PARAMETERS: usize = 12;

/// The sections, if there is a family that grows.
pub(crate) fn growth_sections(results: &Results, wanted: &Wanted) -> anyhow::Result<Vec<Section>> {
    let charts = charts(results, wanted);
    if charts.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![reach_section(results, &charts), growth_section(results, wanted, &charts)?])
}

/// How far each tool gets. The properties of a family of models share a table, and so do all
/// families of formulas.
fn reach_section(results: &Results, charts: &[Chart]) -> Section {
    let text = plain(
        "The largest n up to which a tool solved everything that it ran, and in brackets its CPU seconds there; the \
         largest n of a column, and of equal ones the least time, are bold.",
    );
    let mut blocks = vec![Block::Paragraph(vec![text])];
    let cpu: Vec<&Chart> = charts.iter().filter(|chart| chart.measure == Measure::Cpu).collect();
    let together = |a: &&Chart, b: &&Chart| match (&a.property, &b.property) {
        (Some(_), Some(_)) => a.family == b.family,
        (a, b) => a.is_none() && b.is_none(),
    };
    for group in cpu.chunk_by(together) {
        if group[0].property.is_some() {
            blocks.push(Block::Subtitle(group[0].family.clone()));
        }
        blocks.push(reach_table(results, group));
    }
    Section { title: "Reach", blocks }
}

fn reach_table(results: &Results, charts: &[&Chart]) -> Block {
    let title = |chart: &&Chart| chart.property.clone().unwrap_or_else(|| chart.family.clone());
    let columns = charts.iter().map(|chart| (vec![name(title(chart))], Align::Right));
    let ran = |tool: usize| charts.iter().any(|chart| chart.curve(tool).is_some());
    let mut tools: Vec<usize> = (0..results.tools.len()).filter(|&tool| ran(tool)).collect();
    tools.sort_by(|&a, &b| results.tools[a].cmp(&results.tools[b]));
    let row = |&tool: &usize| {
        let fields = charts.iter().map(|chart| chart.reach_field(tool));
        [tool_field(&results.tools[tool])].into_iter().chain(fields).collect()
    };
    let rows = tools.iter().map(row).collect();
    Block::Table(Table {
        columns: [left("tool")].into_iter().chain(columns).collect(),
        rows,
        has_total: false,
    })
}

fn growth_section(results: &Results, wanted: &Wanted, charts: &[Chart]) -> anyhow::Result<Section> {
    let ignored = match wanted.noise {
        Some(noise) => format!("CPU times below {noise} s"),
        None => format!(
            "CPU times below {NOISE} s, or below twice the least time of the tool on any input (its \
             start-up, if that is at most {START_UP} s),"
        ),
    };
    let text = plain(format!(
        "Laws c·b^n and c·n^k, fitted by least squares to the logarithms of at least {FEWEST_POINTS} \
         values of solved members; the number of these values is in the column fitted. {ignored} \
         say nothing about growth and are left out. The law with the larger R² is given first. Of \
         several members with the same n the median counts. What was not run has a dash."
    ));
    let mut blocks = vec![Block::Paragraph(vec![text])];
    let mut files: Vec<String> = Vec::new();
    for chart in charts {
        blocks.push(Block::Subtitle(format!("{}: {}", chart.title(), chart.measure.in_words())));
        blocks.push(growth_table(results, chart));
        let figures = chart.figures(results, wanted, &mut files)?;
        blocks.push(Block::Figures(figures));
    }
    Ok(Section { title: "Growth", blocks })
}

/// A row for each tool: values by parameter, and the fitted laws.
fn growth_table(results: &Results, chart: &Chart) -> Block {
    let parameters = some_of(chart.parameters());
    let values = parameters.iter().map(|n| right(&format!("n = {n}")));
    let laws = ["fitted", "growth", "R²", "other law", "its R²"].map(right);
    let columns = [left("tool")].into_iter().chain(values).chain(laws).collect();
    let mut curves: Vec<&Curve> = chart.curves.iter().collect();
    curves.sort_by(|a, b| results.tools[a.tool].cmp(&results.tools[b.tool]));
    let row = |curve: &&Curve| {
        let values = parameters.iter().map(|&n| curve.field(n, &chart.measure));
        let tool = tool_field(&results.tools[curve.tool]);
        [tool].into_iter().chain(values).chain(curve.laws()).collect()
    };
    let rows = curves.iter().map(row).collect();
    Block::Table(Table { columns, rows, has_total: false })
}

/// The parameters at equal distances, if there are many; the last one always.
fn some_of(parameters: Vec<f64>) -> Vec<f64> {
    let step = parameters.len().div_ceil(MOST_PARAMETERS).max(1);
    let mut chosen: Vec<f64> = parameters.into_iter().rev().step_by(step).collect();
    chosen.reverse();
    chosen
}

impl Curve {
    /// The value at a parameter, or why there is none.
    fn field(&self, n: f64, measure: &Measure) -> Field {
        if let Some((_, why)) = self.unsolved.iter().find(|unsolved| unsolved.0 == n) {
            return Field::text(*why);
        }
        match self.points.iter().find(|point| point.0 == n) {
            Some((_, value)) => Field::text(measure.show(*value)),
            None => Field::text("–"),
        }
    }

    /// How many points the laws were fitted to, and the laws.
    fn laws(&self) -> [Field; 5] {
        let r2 = |fit: Option<Fit>| fit.and_then(|fit| fit.r2).map(|r2| format!("{r2:.3}"));
        let best = self.growth.map(|growth| growth.best);
        let other = self.growth.and_then(|growth| growth.other).filter(|other| other.r2.is_some());
        let texts = [
            Some(self.fitted.len().to_string()),
            Some(self.growth_text()),
            r2(best),
            other.map(|other| other.to_string()),
            r2(other),
        ];
        texts.map(|text| Field::text(text.unwrap_or_default()))
    }
}

impl Measure {
    fn in_words(&self) -> &str {
        match self {
            Measure::Cpu => "CPU seconds",
            Measure::Statistic(statistic) => statistic,
        }
    }

    fn show(&self, value: f64) -> String {
        match self {
            Measure::Cpu => number(value),
            Measure::Statistic(_) => value.to_string(),
        }
    }
}

impl Chart {
    /// What one tool did.
    fn curve(&self, tool: usize) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.tool == tool)
    }

    /// How far a tool gets.
    fn reach_field(&self, tool: usize) -> Field {
        let Some(curve) = self.curve(tool) else { return Field::text("–") };
        let Some((n, seconds)) = curve.reach() else {
            return Field::text(curve.unsolved.first().map_or("–", |unsolved| unsolved.1));
        };
        let reaches = self.curves.iter().filter_map(Curve::reach);
        let is_beaten =
            reaches.into_iter().any(|(other, less)| other > n || (other == n && less < seconds));
        Field::text(format!("{n} ({})", number(seconds))).best_if(!is_beaten)
    }

    /// The plots of this chart; `files` are the names that are taken.
    fn figures(
        &self,
        results: &Results,
        wanted: &Wanted,
        files: &mut Vec<String>,
    ) -> anyhow::Result<Vec<Figure>> {
        let plots: Vec<Option<&Curves>> = match wanted.plots.is_empty() {
            true => vec![None],
            false => wanted.plots.iter().filter(|plot| self.has(results, plot)).map(Some).collect(),
        };
        plots.into_iter().map(|curves| self.figure(results, curves, self.file(files))).collect()
    }

    /// Whether it has a curve of these.
    fn has(&self, results: &Results, curves: &Curves) -> bool {
        self.curves.iter().any(|curve| curves.matches(&results.tools[curve.tool]))
    }

    fn figure(
        &self,
        results: &Results,
        curves: Option<&Curves>,
        file: String,
    ) -> anyhow::Result<Figure> {
        let svg = plot::scaling(&results.tools, self, curves)?;
        let what = match &self.measure {
            Measure::Cpu => plain("CPU seconds"),
            Measure::Statistic(statistic) => name(statistic),
        };
        let mut caption: Line = vec![name(self.title()), plain(": "), what];
        if let Some(curves) = curves {
            caption.extend([plain(" of "), name(curves.to_string())]);
        }
        caption.push(plain(
            "; thick lines are the fitted growth, hollow marks on the limit are unsolved.",
        ));
        Ok(Figure { file, svg, caption })
    }

    /// A name for a file that is not taken.
    fn file(&self, files: &mut Vec<String>) -> String {
        let numbers = [String::new()].into_iter().chain((2..).map(|number| format!("-{number}")));
        let mut names = numbers.map(|number| format!("scaling-{}{number}.svg", self.slug()));
        let free = names.find(|name| !files.contains(name)).unwrap_or_default();
        files.push(free.clone());
        free
    }

    /// A name that files can have.
    fn slug(&self) -> String {
        let name = match &self.measure {
            Measure::Cpu => self.title(),
            Measure::Statistic(statistic) => format!("{} {statistic}", self.title()),
        };
        let parts =
            name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        let slug = parts.collect::<Vec<_>>().join("-").to_lowercase();
        slug.chars().take(80).collect()
    }
}
