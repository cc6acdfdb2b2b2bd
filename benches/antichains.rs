//! The campaigns behind `docs/antichains.md`: `cargo bench --bench antichains` runs `campaigns/antichains.toml` and reports;
//! `cargo bench --bench antichains -- antichain-variants` does so with all engines and orders, and `-- atva11` with the collection of Schuppan and Darmawan, which stands in a folder
//! `shared` beside the repository. Records and the report are put into `target/campaigns`; what is recorded there is not
//! run again.

#![expect(clippy::print_stdout, reason = "a benchmark tells where its report is")]

use std::path::Path;
use std::process::Command;

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let name = wanted.as_deref().unwrap_or("antichains");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("target/campaigns");
    std::fs::create_dir_all(&folder).expect("a folder for records");
    let (records, report) = (folder.join(format!("{name}.jsonl")), folder.join(name));
    run(&root.join("campaigns").join(format!("{name}.toml")), &records);
    let mut command = kermode(&["report"]);
    command.arg(&records).arg("--output").arg(&report);
    command.args(["--statistic", "post_calls", "--statistic", "largest_antichain"]);
    assert!(command.status().expect("kermode runs").success());
    println!("{}", report.join("report.html").display());
}

fn run(manifest: &Path, records: &Path) {
    let status = kermode(&["run"]).arg(manifest).arg("--records").arg(records).status();
    assert!(status.expect("kermode runs").success());
}

fn kermode(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
    command.arg("bench").args(args);
    command
}
