//! Reports of campaigns: contents, errors, and exit status.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with files to report about.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file is written");
    }

    fn write_records(&self, name: &str, records: &[Value]) {
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        self.write(name, &lines);
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    fn report(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
        command.current_dir(self.0.path()).args(["bench", "report"]).args(args);
        command.output().expect("kermode runs")
    }

    /// What a report says on standard output.
    #[track_caller]
    fn said(&self, args: &[&str], status: i32) -> String {
        let output = self.report(args);
        assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A run under a limit of 10 s.
fn record(input: &str, tool: &str, outcome: &str, cpu: f64) -> Value {
    json!({
        "input": input,
        "family": input.split(' ').next(),
        "tool": tool,
        "repetition": 0,
        "outcome": outcome,
        "cpu_seconds": cpu,
        "wall_seconds": cpu,
        "peak_bytes": 8 << 20,
        "cpu_limit_seconds": 10.0,
    })
}

fn with(mut record: Value, key: &str, value: Value) -> Value {
    record[key] = value;
    record
}

/// Two tools that agree, on a family that grows and on two inputs of another, with a crash.
fn small() -> Vec<Value> {
    let mut records = Vec::new();
    for n in 1..=6 {
        let member = |tool: &str, cpu: f64| {
            let record = record(&format!("lift {n}"), tool, "satisfiable", cpu);
            with(record, "statistics", json!({ "posts": n * n }))
        };
        let times = [("fast|one", 0.001 * f64::from(n)), ("slow", 0.0625 * 2.0_f64.powi(n))];
        for (tool, cpu) in times {
            records.push(with(member(tool, cpu), "parameter", json!(n)));
        }
    }
    let crash = record("req a", "slow", "crash", 0.5);
    records.push(with(crash, "detail", json!("exit 7: oh | `no`")));
    records.push(record("req a", "fast|one", "unsatisfiable", 0.25));
    records.push(record("req b", "fast|one", "cpu-limit", 10.0));
    records
}

#[test]
fn the_tables_are_as_they_were() {
    let folder = Folder::new();
    folder.write_records("r.jsonl", &small());
    let said = folder.said(&["r.jsonl", "--statistic", "posts"], 0);
    assert_eq!(said, include_str!("data/report.md"), "{said}");
}

#[test]
fn the_order_of_records_does_not_matter() {
    let folder = Folder::new();
    let mut records = small();
    folder.write_records("r.jsonl", &records);
    let whole = folder.said(&["r.jsonl"], 0);
    records.reverse();
    folder.write_records("r.jsonl", &records);
    assert_eq!(folder.said(&["r.jsonl"], 0), whole);
    folder.write_records("r.jsonl", &records[..4]);
    folder.write_records("s.jsonl", &records[3..]);
    let joined = folder.said(&["r.jsonl", "s.jsonl"], 0);
    assert_eq!(joined.replace("`r.jsonl`, `s.jsonl`", "`r.jsonl`"), whole);
}

#[test]
fn conflicts_come_first_and_decide_the_status() {
    let folder = Folder::new();
    let known = |record| with(record, "expected", json!("satisfiable"));
    folder.write_records("wrong", &[known(record("a", "t", "unsatisfiable", 1.0))]);
    let said = folder.said(&["wrong", "-o", "out"], 4);
    assert_eq!(said, "");
    let report = folder.read("out/report.md");
    assert!(report.contains("| `a`   | `a`    | satisfiable |"), "{report}");
    assert!(report.find("## Conflicts") < report.find("## Summary"), "{report}");
    folder.write_records(
        "two",
        &[
            record("a", "t", "unsatisfiable", 1.0),
            record("a", "u", "satisfiable", 1.0),
            record("b", "u", "satisfiable", 1.0),
        ],
    );
    let said = folder.said(&["two"], 4);
    assert!(
        said.contains("| `a`   | `a`    | nothing | `u`              | `t`                |"),
        "{said}"
    );
    assert!(said.contains("2 tools on 1 input of 1 family"), "{said}");
    folder.write_records("right", &[known(record("a", "t", "satisfiable", 1.0))]);
    folder.said(&["right"], 0);
    // A published run may contradict a record, and so may what is known.
    folder.write("peers", "a\told\tSAT\tunsat\t1\t1\n");
    assert!(folder.said(&["right", "--peers", "peers"], 4).contains("`old` †"));
    folder.write("peers", "a\told\tUNSAT\ttimeout\t1\t1\n");
    let said = folder.said(&["right", "--peers", "peers"], 4);
    assert!(said.contains("satisfiable and unsatisfiable"), "{said}");
}

#[test]
fn a_folder_has_it_all() {
    let folder = Folder::new();
    folder.write_records("r.jsonl", &small());
    assert_eq!(folder.said(&["r.jsonl", "-o", "a/b", "--statistic", "posts"], 0), "");
    let (markdown, html) = (folder.read("a/b/report.md"), folder.read("a/b/report.html"));
    for file in ["cactus.svg", "scatter-1.svg", "scaling-lift.svg", "scaling-lift-posts.svg"] {
        let svg = folder.read(&format!("a/b/{file}"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(html.contains(&svg), "{file} is not in the page");
        assert!(markdown.contains(&format!("]({file})")), "{file} is not in the Markdown");
    }
    needs_nothing(&html);
    assert!(html.contains("<code>exit 7:<wbr> oh | `no`</code>"), "{html}");
    assert!(markdown.contains("`` exit 7: oh \\| `no` ``"), "{markdown}");
    assert!(html.contains("2.0^n, R² 1.00"), "growth is in the legend");
}

/// A page without references, except for the name of SVG and places within itself.
#[track_caller]
fn needs_nothing(html: &str) {
    let rest = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for reference in ["http:", "https:", "src=", "url(", "@import", "<script", "<link", "<img"] {
        assert!(!rest.contains(reference), "`{reference}` is in the page");
    }
    let mut links = rest.split("href=\"").skip(1);
    assert!(links.all(|link| link.starts_with('#')), "a link leaves the page");
}

#[test]
fn names_stay_names() {
    let folder = Folder::new();
    let name = "<script src=\"https://x\">|`*_&\u{7}";
    let run = with(record("a", "t", "crash", 1.0), "tool", json!(name));
    let run = with(with(run, "input", json!(name)), "family", json!(name));
    folder
        .write_records("r", &[with(run, "detail", json!(name)), record("b", "t", "unknown", 1.0)]);
    folder.said(&["r", "-o", "out"], 0);
    for file in ["report.html", "cactus.svg"] {
        let text = folder.read(&format!("out/{file}"));
        assert!(!text.contains("<script") && !text.contains('\u{7}'), "{file}: {text}");
        assert!(text.contains("&lt;script"), "{file}: {text}");
    }
    let markdown = folder.read("out/report.md");
    assert!(!markdown.contains(">|") && markdown.contains(">\\|"), "{markdown}");
}

/// Three engines on a model that grows: one reaches its limit, one does not support a property.
fn models() -> Vec<Value> {
    let mut records = Vec::new();
    for n in 2..=7 {
        let seconds = 0.02 * 2.0_f64.powi(n);
        for (property, verdict) in [("live", "violated"), ("safe", "holds")] {
            let mut add = |tool: &str, outcome: &str, seconds: f64| {
                let run = record(&format!("gas {n} {property}"), tool, outcome, seconds);
                let run = with(with(run, "property", json!(property)), "parameter", json!(n));
                records.push(with(run, "expected", json!(verdict)));
            };
            add("p:log/el", verdict, seconds);
            if n < 5 {
                add("p:pdp/el", verdict, 2.0 * seconds);
            } else if n == 5 {
                add("p:pdp/el", "cpu-limit", 10.0);
            }
            match property {
                "live" => add("p:pdp/weak", "unknown", 0.01),
                _ => add("p:pdp/weak", verdict, seconds / 2.0),
            }
        }
    }
    records
}

#[test]
fn models_have_a_matrix_of_tools_and_properties() {
    let folder = Folder::new();
    folder.write_records("r", &models());
    let said = folder.said(&["r", "--growth"], 0);
    assert!(!said.contains("## Summary") && !said.contains("## Families"), "{said}");
    let rows = |beginning: &str| -> Vec<String> {
        let rows = said.lines().filter(|line| line.starts_with(&format!("| {beginning}")));
        rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let matrix =
        ["| `p:log/el` | **7 (2.56)** | 7 (2.56) |", "| `p:pdp/el` | 4 (0.640) | 4 (0.640) |"];
    assert_eq!([&rows("`p:log/el`")[0], &rows("`p:pdp/el`")[0]], matrix, "{said}");
    assert_eq!(rows("`p:pdp/weak`")[0], "| `p:pdp/weak` | gave up | **7 (1.28)** |", "{said}");
    let by_parameter =
        "| `p:pdp/el` | 0.160 | 0.320 | 0.640 | time | – | – | 3 | too few points | | | |";
    assert_eq!(rows("`p:pdp/el`")[1], by_parameter, "{said}");
    assert!(rows("`p:log/el`")[1].contains("| 5 | 2.0^n | 1.000 | n^"), "{said}");
    let whole = folder.said(&["r"], 0);
    let summary = whole.lines().find(|line| line.starts_with("| tool ")).expect("a summary");
    assert!(summary.contains("holds | violated"), "{summary}");
    // A time that is given replaces that of the start-up.
    let noise = folder.said(&["r", "--noise", "1s"], 0);
    assert!(
        noise.contains("CPU times below 1 s say nothing") && !noise.contains("2.0^n"),
        "{noise}"
    );
}

#[test]
fn wrong_verdicts_on_models_are_conflicts() {
    let folder = Folder::new();
    let mut records = models();
    records[0]["outcome"] = json!("holds");
    folder.write_records("r", &records);
    let said = folder.said(&["r"], 4);
    assert!(said.contains("said holds") && said.contains("said violated"), "{said}");
    assert!(said.contains("| `gas 2 live` | `gas`  | violated | `p:log/el`"), "{said}");
}

#[test]
fn tools_may_be_plotted_apart() {
    let folder = Folder::new();
    folder.write_records("r", &models());
    let curves = ["--curves", "*/el", "--curves", "*pdp/weak,*log/el"];
    folder.said(&[&["r", "-o", "out"][..], &curves].concat(), 0);
    let plots = ["scaling-gas-live.svg", "scaling-gas-live-2.svg"];
    let [el, weak] = plots.map(|file| folder.read(&format!("out/{file}")));
    assert!(el.contains("p:pdp/el") && !el.contains("p:pdp/weak"), "{el}");
    assert!(weak.contains("p:pdp/weak") && weak.contains("p:log/el") && !weak.contains("p:pdp/el"));
    let output = folder.report(&["r", "--curves", "*/l2s"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no tool is called `*/l2s`"), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let folder = Folder::new();
    folder.write_records("r", &small());
    folder.write("broken", &format!("{}\n{{}}\n", record("a", "t", "crash", 1.0)));
    folder.write("other", &format!("{}\n", record("lift 1", "slow", "crash", 1.0)));
    folder.write("peers", "a\tt\tSAT\tsat\t1\t1\nb\tt\tSAT\tmaybe\t1\t1\n");
    folder.write("growing", "x\n");
    let refused = |args: &[&str], words: &[&str]| {
        let output = folder.report(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(output.stdout.is_empty());
        words.iter().for_each(|word| assert!(said.contains(word), "no `{word}` in\n{said}"));
    };
    refused(&["broken"], &["broken:2: this is no record"]);
    refused(&["nowhere"], &["cannot read `nowhere`"]);
    refused(&["r", "other"], &["contradict each other about input `lift 1`"]);
    refused(&["--peers", "peers"], &["--cpu-limit"]);
    refused(&["--peers", "peers", "--cpu-limit", "10"], &["peers:2:9", "`maybe` is no verdict"]);
    refused(&["r", "--tables", "*.tsv"], &["no file is called `*.tsv`"]);
    refused(&["r", "--scatter", "slow,nobody"], &["there are: fast|one, slow"]);
    refused(&["r", "--statistic", "nothing"], &["no engine counted `nothing`", "posts"]);
    refused(&[], &["required"]);
}

#[test]
fn published_runs_stand_beside_records() {
    let folder = Folder::new();
    folder.write_records("r", &small());
    folder.write("peers", "lift 1\told\tSAT\tsat\t0.5\t12\nx/y/z/a.pltl\told\tNA\t?\t9\t12\n");
    let said = folder.said(&["r", "--peers", "peers", "--scatter", "slow,old"], 0);
    let row = said.lines().find(|line| line.starts_with("| `lift`")).expect("a family");
    let fields: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(fields[2..], ["6", "**6**", "**6**", "1", "6", ""], "{said}");
    assert!(said.contains("| `y-z`"), "{said}");
    assert!(said.contains("another machine"), "{said}");
    folder.write("mine.tsv", "x/y/z/a.pltl\tUNSAT\ta & !a\n");
    let said = folder.said(&["r", "--peers", "peers", "--tables", "m*.tsv", "--common"], 0);
    assert!(!said.contains("y-z") && said.contains("3 tools on 1 input of 1 family"), "{said}");
}

#[test]
fn nothing_is_reported_about_nothing() {
    let folder = Folder::new();
    folder.write("empty", "");
    assert!(folder.said(&["empty"], 0).contains("There are no runs."));
    folder.said(&["empty", "-o", "out"], 0);
    needs_nothing(&folder.read("out/report.html"));
}

/// The published runs on a public collection; they live in a folder `shared` beside the repository.
#[test]
fn published_runs_are_reported() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench");
    let peers = shared.join("peers-atva11.tsv");
    if !peers.exists() {
        eprintln!("skipped: there is no {}", peers.display());
        return;
    }
    let (folder, peers) = (Folder::new(), peers.display().to_string());
    let args = ["--peers", &peers, "--cpu-limit", "10", "--growing", "*/lift/*", "-o", "out"];
    folder.said(&args, 0);
    let (markdown, html) = (folder.read("out/report.md"), folder.read("out/report.html"));
    needs_nothing(&html);
    assert!(markdown.contains("2 tools on 1866 inputs of 18 families"), "{markdown}");
    // Families derived from the names are those of the tables.
    let tables = format!("{}/atva11/*.tsv", shared.display());
    let named = folder.said(&["--peers", &peers, "--cpu-limit", "10", "--tables", &tables], 0);
    let plain = folder.said(&["--peers", &peers, "--cpu-limit", "10"], 0);
    assert_eq!(named, plain);
}
