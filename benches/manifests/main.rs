//! The campaigns behind the documentation, from the manifests in `campaigns`.
//!
//! `cargo bench --bench manifests -- antichains` runs `campaigns/antichains.toml` and reports; `--
//! encodings`, of which there are several parts, runs all of `campaigns/encodings-*.toml`, reports
//! on them together and writes the tables of `docs/results/encodings.md`; `-- hybrid` runs
//! `campaigns/hybrid.toml` and `campaigns/hybrid-encodings.toml` and writes the tables and plots of
//! `docs/results/hybrid.md` into that page; `-- antichain-checking` likewise writes the tables of
//! `docs/results/antichain-checking.md`, with NuSMV if it is on the PATH. Without a name the
//! manifests are listed. `atva11` needs the collection of Schuppan and Darmawan, in a folder
//! `shared` beside the repository. Records and reports are put into `target/campaigns`; what is
//! recorded there is not run again.

#![expect(clippy::print_stdout, reason = "a benchmark tells where its report is")]

mod checking;
mod encodings;
mod hybrid;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The campaign that has tables of its own.
const ENCODINGS: &str = "encodings";

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known = manifests(&root.join("campaigns"));
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if wanted.is_empty() {
        println!("campaigns: {}", known.join(", "));
    }
    let folder = root.join("target/campaigns");
    std::fs::create_dir_all(&folder).expect("a folder for records");
    for name in &wanted {
        let parts: Vec<&String> = known.iter().filter(|known| is_part(known, name)).collect();
        assert!(!parts.is_empty(), "no campaign `{name}`, but {}", known.join(", "));
        let records: Vec<PathBuf> = parts.iter().map(|part| run(root, &folder, part)).collect();
        if name == hybrid::CAMPAIGN {
            hybrid::write_page(root, &folder, &records);
            continue;
        }
        if name == checking::CAMPAIGN {
            checking::write_page(root, &records);
            continue;
        }
        let statistics = statistics(name).into_iter().flat_map(|name| ["--statistic", name]);
        report(&records, &folder.join(name), statistics);
        if name == ENCODINGS {
            let tables = folder.join(name).join("tables.md");
            std::fs::write(&tables, encodings::tables(&records)).expect("tables");
            println!("{}", tables.display());
        }
    }
}

/// The names of all manifests, in order.
fn manifests(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("manifests");
    let paths = files.map(|file| file.expect("a manifest").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let stems = paths.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned());
    let mut names: Vec<String> = stems.collect();
    names.sort();
    names
}

/// Whether a manifest is that of a campaign, or one of several: `encodings-random` is a part of
/// `encodings`.
fn is_part(manifest: &str, campaign: &str) -> bool {
    manifest.strip_prefix(campaign).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Makes the runs of a manifest that are not recorded yet.
fn run(root: &Path, folder: &Path, name: &str) -> PathBuf {
    let manifest = root.join("campaigns").join(format!("{name}.toml"));
    let records = folder.join(format!("{name}.jsonl"));
    let status = kermode("run").arg(manifest).arg("--records").arg(&records).status();
    assert!(status.expect("kermode runs").success());
    records
}

/// What its engines count and reports plot: of decision diagrams, or of antichains.
fn statistics(campaign: &str) -> [&'static str; 2] {
    if is_part(campaign, ENCODINGS) {
        ["steps", "peak_nodes"]
    } else {
        ["post_calls", "largest_antichain"]
    }
}

fn report<'o>(records: &[PathBuf], output: &Path, options: impl IntoIterator<Item = &'o str>) {
    let mut command = kermode("report");
    command.args(records).arg("--output").arg(output).args(options);
    assert!(command.status().expect("kermode runs").success());
    println!("{}", output.join("report.html").display());
}

fn kermode(command: &str) -> Command {
    let mut kermode = Command::new(env!("CARGO_BIN_EXE_kermode"));
    kermode.args(["bench", command]).env("KERMODE", env!("CARGO_BIN_EXE_kermode"));
    kermode
}
