//! The sections with pictures: cactus and scatter plots, and growth.

use super::document::{Align, Block, Field, Figure, Line, Section, Table, name, plain};
use super::growth::{FEWEST_POINTS, Fit};
use super::plot;
use super::results::Results;
use super::scaling::{Chart, Curve, Measure, START_UP, Wanted, charts};
use super::sections::{right, tool_field, tool_line};
use super::tables::number;

/// The largest number of pairs of tools that are plotted by default.
const MOST_PAIRS: usize = 6;

/// The most important pairs: the best tool that we ran, or otherwise the best of all, against the
/// next best ones that solved anything.
pub(crate) fn pairs(results: &Results) -> Vec<[usize; 2]> {
    let first = results.tools.iter().position(|tool| !tool.published).unwrap_or(0);
    let solved = |tool: usize| results.inputs.iter().any(|input| input.is_solved_by(tool));
    let others = (0..results.tools.len()).filter(|&tool| tool != first && solved(tool));
    others.map(|tool| [first, tool]).take(MOST_PAIRS).collect()
}

pub(crate) fn plots_section(results: &Results, pairs: &[[usize; 2]]) -> anyhow::Result<Section> {
    let svg = plot::cactus(&results.tools, &results.inputs)?;
    let caption = plain(
        "Inputs solved if each may take so much CPU time; further right and lower is better. Times below 1 ms are \
         drawn as 1 ms.",
    );
    let cactus = Figure { file: "cactus.svg".to_owned(), svg, caption: vec![caption] };
    let mut blocks = vec![Block::Figures(vec![cactus])];
    let scatters = pairs.iter().zip(1..).map(|(&pair, index)| scatter(results, pair, index));
    let scatters = scatters.collect::<anyhow::Result<Vec<Figure>>>()?;
    if !scatters.is_empty() {
        blocks.push(Block::Figures(scatters));
    }
    Ok(Section { title: "Plots", blocks })
}

fn scatter(results: &Results, pair: [usize; 2], index: usize) -> anyhow::Result<Figure> {
    let plot::Scatter { svg, inputs, better } = plot::scatter(results, pair)?;
    let [first, second] = pair.map(|tool| tool_line(&results.tools[tool]));
    let mut caption: Line = first;
    caption.push(plain(" against "));
    caption.extend(second);
    caption.push(plain(format!(
        " on the {inputs} inputs that both ran: {} are faster or solved only by the first (above the diagonal), {} \
         by the second. Unsolved inputs stand on the border; fine lines are a factor of ten.",
        better[0], better[1]
    )));
    Ok(Figure { file: format!("scatter-{index}.svg"), svg, caption })
}

/// Growth, if there is a family that grows.
pub(crate) fn growth_section(
    results: &Results,
    wanted: &Wanted,
) -> anyhow::Result<Option<Section>> {
    let charts = charts(results, wanted);
    if charts.is_empty() {
        return Ok(None);
    }
    let text = plain(format!(
        "Laws c·b^n and c·n^k, fitted by least squares to the logarithms of at least {FEWEST_POINTS} \
         values of solved members. CPU times below {} s, or below twice the least time of the tool on \
         any input (its start-up, if that is at most {START_UP} s), say nothing about growth and are \
         left out. The law with the larger R² is given first. Of several members with the same n the \
         median counts.",
        wanted.noise
    ));
    let mut figures: Vec<Figure> = Vec::new();
    for chart in &charts {
        let named = |file: &str| figures.iter().any(|figure| figure.file == file);
        let numbers = [String::new()].into_iter().chain((2..).map(|number| format!("-{number}")));
        let mut files = numbers.map(|number| format!("scaling-{}{number}.svg", chart.slug()));
        let file = files.find(|file| !named(file)).unwrap_or_default();
        figures.push(chart.figure(results, file)?);
    }
    let table = growth_table(results, &charts);
    let blocks = vec![Block::Paragraph(vec![text]), table, Block::Figures(figures)];
    Ok(Some(Section { title: "Growth", blocks }))
}

impl Chart {
    fn figure(&self, results: &Results, file: String) -> anyhow::Result<Figure> {
        let svg = plot::scaling(&results.tools, self)?;
        let what = match &self.measure {
            Measure::Cpu => plain("CPU seconds"),
            Measure::Statistic(statistic) => name(statistic),
        };
        let end = "; thick lines are the fitted growth, hollow marks on the limit are unsolved.";
        let caption = vec![name(&self.family), plain(": "), what, plain(end)];
        Ok(Figure { file, svg, caption })
    }

    /// A name that files can have.
    fn slug(&self) -> String {
        let name = match &self.measure {
            Measure::Cpu => self.family.clone(),
            Measure::Statistic(statistic) => format!("{} {statistic}", self.family),
        };
        let parts =
            name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        let slug = parts.collect::<Vec<_>>().join("-").to_lowercase();
        slug.chars().take(80).collect()
    }
}

fn growth_table(results: &Results, charts: &[Chart]) -> Block {
    let titles =
        ["points", "fitted", "largest n", "value there", "growth", "R²", "other law", "its R²"];
    let texts = ["family", "measure", "tool"].map(|title| (vec![plain(title)], Align::Left));
    let columns = texts.into_iter().chain(titles.map(right)).collect();
    let rows = charts
        .iter()
        .flat_map(|chart| chart.curves.iter().map(|curve| growth_row(results, chart, curve)));
    Block::Table(Table { columns, rows: rows.collect(), has_total: false })
}

fn growth_row(results: &Results, chart: &Chart, curve: &Curve) -> Vec<Field> {
    let measure = match &chart.measure {
        Measure::Cpu => Field::text("CPU s"),
        Measure::Statistic(statistic) => Field::name(statistic),
    };
    let value = match chart.measure {
        Measure::Cpu => number,
        Measure::Statistic(_) => |counted: f64| counted.to_string(),
    };
    let last = curve.points.last();
    let r2 = |fit: Option<Fit>| fit.and_then(|fit| fit.r2).map(|r2| format!("{r2:.3}"));
    let best = curve.growth.map(|growth| growth.best);
    let other = curve.growth.and_then(|growth| growth.other).filter(|other| other.r2.is_some());
    let texts = [
        Some(curve.points.len().to_string()),
        Some(curve.fitted.len().to_string()),
        last.map(|point| point.0.to_string()),
        last.map(|point| value(point.1)),
        Some(curve.growth_text()),
        r2(best),
        other.map(|other| other.to_string()),
        r2(other),
    ];
    let texts = texts.map(|text| Field::text(text.unwrap_or_default()));
    let names = [Field::name(&chart.family), measure, tool_field(&results.tools[curve.tool])];
    names.into_iter().chain(texts).collect()
}
