//! The section with cactus and scatter plots.

use super::document::{Block, Figure, Line, Section, plain};
use super::plot;
use super::results::Results;
use super::sections::tool_line;

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
