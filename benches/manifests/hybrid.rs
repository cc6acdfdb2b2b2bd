//! The tables and plots of `docs/results/hybrid.md`: representations of properties and algorithms
//! on models that grow, as Figs. 5-41 of [STV05] have them, and the thirty encodings on the same
//! models.
//!
//! The prose of the page is kept: what lies between two marks is replaced, and the plots are put
//! into the folder `docs/results/hybrid`.

use std::fs;
use std::path::{Path, PathBuf};

use super::{encodings, report};

/// The campaign.
pub(crate) const CAMPAIGN: &str = "hybrid";

/// The part about encodings.
const ENCODINGS: &str = "hybrid-encodings";

/// The curves that share a plot: those of each algorithm as in Figs. 5-32, where syntactic products
/// have no algorithm for weak automata, and those of partitioned products as in Figs. 33-41.
const CURVES: [&str; 4] = ["*/el*", "*/l2s*", "*/weak*,*:syntactic/el*", "*:pdp/*"];

/// The CPU time below which growth is not fitted. The start of the command takes 4 ms.
const NOISE: &str = "10ms";

/// Writes the report of each part, and the page.
pub(crate) fn write_page(root: &Path, folder: &Path, records: &[PathBuf]) {
    let curves = CURVES.iter().flat_map(|curves| ["--curves", curves]);
    let options = ["--growth", "--noise", NOISE].into_iter();
    let part = |name: &str| {
        let of_part = records.iter().filter(|path| path.file_stem().is_some_and(|it| it == name));
        of_part.cloned().collect::<Vec<PathBuf>>()
    };
    report(&part(CAMPAIGN), &folder.join(CAMPAIGN), options.clone().chain(curves));
    report(&part(ENCODINGS), &folder.join(ENCODINGS), options);
    let matrix = fs::read_to_string(folder.join(CAMPAIGN).join("report.md")).expect("a report");
    let tables = encodings::tables_of_stopped(&part(ENCODINGS)[0]);
    let page = root.join("docs/results/hybrid.md");
    let text = fs::read_to_string(&page).expect("the page");
    let text = replaced(&text, "matrix", &below(&matrix).replace("![](", "![](hybrid/"));
    let text = replaced(&text, "encodings", &format!("#{}", tables.replace("\n## ", "\n### ")));
    fs::write(&page, text).expect("the page is written");
    copy_plots(&folder.join(CAMPAIGN), &root.join("docs/results/hybrid"));
    println!("{}", page.display());
}

/// The sections of a report, one level deeper.
fn below(report: &str) -> String {
    let (_, sections) = report.split_once("\n## ").expect("sections");
    format!("### {}", sections.replace("\n### ", "\n#### ").replace("\n## ", "\n### "))
}

/// The page with another text between the marks of a name.
pub(crate) fn replaced(page: &str, name: &str, text: &str) -> String {
    let [begin, end] = ["begin", "end"].map(|side| format!("<!-- {name}: {side} -->\n"));
    let (before, rest) = page.split_once(&begin).expect("a mark where the text begins");
    let (_, after) = rest.split_once(&end).expect("a mark where the text ends");
    format!("{before}{begin}\n{}\n\n{end}{after}", text.trim_end())
}

/// Puts the plots of a report in the place of old ones.
fn copy_plots(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).expect("a folder for plots");
    for file in fs::read_dir(from).expect("a report").flatten() {
        if file.path().extension().is_some_and(|ending| ending == "svg") {
            fs::copy(file.path(), to.join(file.file_name())).expect("a plot is copied");
        }
    }
}
