//! The portfolio: which engine answers, what happens to workers, and that no process is left
//! behind.

#[allow(dead_code, reason = "each test uses a part")]
mod command;
mod pigeons;

use std::fs;
use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use command::{kermode, kermode_reading, stderr, stdout};
use pigeons::pigeons;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// No engine decides it soon.
const LONG: [&str; 3] = ["gen", "counter", "20"];
const SLOW: &str = "10ms tgba:couvreur\n10ms tgba:magic\n10ms antichain:forward\n";

/// A folder with a schedule and a formula.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(schedule: &str, formula: &str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("schedule"), schedule).expect("a file");
        fs::write(folder.path().join("formula"), formula).expect("a file");
        Place { folder }
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Runs `sat` on the formula.
    fn sat(&self, args: &[&str]) -> Output {
        let (schedule, formula) = (self.file("schedule"), self.file("formula"));
        let mut all = vec!["sat", "--whole", "--portfolio", &schedule, "-f", &formula];
        all.extend(args);
        kermode(&all)
    }

    /// A long `sat`, once this many workers run.
    fn long(&self, args: &[&str], workers: usize) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
        command.args(["sat", "--whole", "--portfolio", &self.file("schedule")]);
        command.args(["-f", &self.file("formula")]).args(args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("kermode runs");
        let mut workers_of = Vec::new();
        eventually(|| {
            workers_of = children(&child);
            workers_of.len() == workers && workers_of.iter().all(|&pid| is_worker(pid))
        });
        Running { child, workers: workers_of }
    }
}

struct Running {
    child: Child,
    workers: Vec<i32>,
}

impl Running {
    /// Waits for the end, which leaves no worker behind.
    #[track_caller]
    fn ended(mut self) -> (Option<i32>, String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        let stdout = self.child.stdout.take().map(|mut pipe| pipe.read_to_string(&mut out));
        let stderr = self.child.stderr.take().map(|mut pipe| pipe.read_to_string(&mut err));
        assert!(stdout.into_iter().chain(stderr).all(|read| read.is_ok()), "texts");
        let status = self.child.wait().expect("it ends");
        eventually(|| self.workers.iter().all(|&pid| !is_worker(pid)));
        (status.code(), out, err)
    }
}

/// Waits for a condition, much longer than it usually takes.
#[track_caller]
fn eventually(mut holds: impl FnMut() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < Duration::from_secs(120), "it does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn children(child: &Child) -> Vec<i32> {
    let pid = child.id();
    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().map(|pid| pid.parse().expect("a number")).collect()
}

/// Whether a process is a worker that has not ended.
fn is_worker(pid: i32) -> bool {
    let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    command.split(|&byte| byte == 0).nth(1) == Some(b"worker")
}

/// The state of a process as a letter: `T` is suspended.
fn state(pid: i32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Whether this process was made to ignore the hangup signal, which is the first of the mask.
fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

fn signal(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).expect("a process"), signal).expect("it is there");
}

fn counter(bits: &str) -> String {
    stdout(&kermode(&["gen", "counter", bits])).to_owned()
}

fn long_formula() -> String {
    stdout(&kermode(&LONG)).to_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(stdout(output)).unwrap_or_else(|_| panic!("no JSON: {}", stderr(output)))
}

#[test]
fn easy_questions_are_answered_before_a_worker_begins() {
    let said = json(&kermode(&["sat", "--json", "--race", "G F a & G F !a"]));
    assert_eq!(said["verdict"], "satisfiable");
    let engines = said["race"].as_array().expect("engines").iter().map(|entry| &entry["engine"]);
    // `counting:density` gives up at once.
    let engines: Vec<&Value> = engines.filter(|&engine| engine != "counting:density").collect();
    assert_eq!(engines, [&said["engine"]]);
    assert_eq!(said["failures"], Value::Null);
}

#[test]
fn workers_answer_all_questions() {
    for engine in ["tgba:couvreur", "antichain:symbolic", "reference:tableau"] {
        let place =
            Place::new(&format!("1s {engine}"), "F(\"a b\" & X \"!x\") & G(\"é\" -> N false)");
        for args in [&["--json", "--finite"][..], &["--json", "--finite", "--jobs", "1"]] {
            let said = json(&place.sat(args));
            assert_eq!(said["engine"], engine);
            assert_eq!(said["replayed"], true, "{said}");
        }
        let schedule = place.file("schedule");
        let with = ["--portfolio", &schedule, "--json"];
        let pair = kermode(&[&["implies", "F a", "G a"][..], &with].concat());
        assert_eq!(json(&pair)["verdict"], "not implied");
        assert_eq!(json(&pair)["holds"], serde_json::json!([true, false]));
        let valid = kermode(&[&["valid", "G(a S b -> O b)"][..], &with].concat());
        assert_eq!(json(&valid)["verdict"], "valid");
        if engine != "reference:tableau" {
            let files = ["empty", "examples/figure1.abw", "--not", "examples/figure1.abw"];
            assert_eq!(json(&kermode(&[&files[..], &with].concat()))["verdict"], "empty");
            let file = kermode(&[&["empty", "examples/fairness.hoa"][..], &with].concat());
            assert_eq!(json(&file)["replayed"], true);
        }
    }
}

#[test]
fn the_first_answer_ends_the_others() {
    let place = Place::new(&format!("{SLOW}100ms antichain:symbolic"), &counter("16"));
    for jobs in ["1", "2", "8"] {
        let said = json(&place.sat(&["--json", "--race", "--jobs", jobs, "--witness", "none"]));
        assert_eq!(said["engine"], "antichain:symbolic");
        let race = said["race"].as_array().expect("all engines");
        let ended = |e: &&Value| e["engine"] != "antichain:symbolic";
        assert!(race.iter().filter(ended).all(|e| e["verdict"] == "ended"), "{race:?}");
    }
}

#[test]
fn large_formulas_reach_the_workers() {
    let part = |i: usize| format!("G(p{i} -> F(q{i} U r{}))", i % 7);
    let parts: Vec<String> = (0..20_000).map(part).collect();
    let place = Place::new("9s antichain:forward", &parts.join(" & "));
    assert_eq!(stdout(&place.sat(&["--quiet"])), "satisfiable\n");
}

#[test]
fn a_worker_that_is_killed_is_named_and_does_not_decide() {
    let place = Place::new("1s tgba:couvreur\n1s tgba:magic", &long_formula());
    let running = place.long(&["--jobs", "2", "--json"], 2);
    running.workers.iter().for_each(|&pid| signal(pid, Signal::KILL));
    let (status, out, err) = running.ended();
    assert_eq!(status, Some(3));
    let said: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(said["verdict"], "unknown");
    assert_eq!(said["failures"].as_array().map(Vec::len), Some(2));
    for engine in ["tgba:couvreur", "tgba:magic"] {
        assert!(
            err.contains(&format!("engine {engine} failed: it was ended by signal 9")),
            "{err}"
        );
    }
}

#[test]
fn a_worker_that_takes_too_much_memory_is_named_and_does_not_decide() {
    let place = Place::new("1s tgba:couvreur", &counter("14"));
    let output = place.sat(&["--memory", "16M"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(3), "unknown (memory)\n"));
    assert!(stderr(&output).contains("engine tgba:couvreur failed: memory"), "{}", stderr(&output));
}

#[test]
fn an_interrupt_ends_everything() {
    for (sent, jobs) in [(Signal::INT, "1"), (Signal::TERM, "2"), (Signal::HUP, "3")] {
        // Under `nohup` nothing that this process starts ends by a hangup.
        if sent == Signal::HUP && ignores_hangup() {
            continue;
        }
        let place = Place::new(SLOW, &long_formula());
        let running = place.long(&["--jobs", jobs], 3);
        signal(running.child.id() as i32, sent);
        let (status, out, _) = running.ended();
        assert_eq!((status, out.as_str()), (Some(3), "unknown (cancelled)\n"));
    }
}

#[test]
fn nothing_outlives_a_parent_that_is_killed() {
    let place = Place::new(SLOW, &long_formula());
    for jobs in ["1", "2"] {
        let running = place.long(&["--jobs", jobs], 3);
        eventually(|| running.workers.iter().any(|&pid| state(pid) == Some('T')));
        signal(running.child.id() as i32, Signal::KILL);
        let (status, out, _) = running.ended();
        assert_eq!((status, out.as_str()), (None, ""));
    }
}

#[test]
fn time_ends_with_all_workers() {
    let place = Place::new(SLOW, &long_formula());
    for limit in [["--timeout", "500ms"], ["--cpu", "500ms"]] {
        for jobs in ["1", "3"] {
            let output = place.sat(&[&limit[..], &["--jobs", jobs]].concat());
            assert_eq!(stdout(&output), "unknown (timeout)\n", "{}", stderr(&output));
            assert_eq!(output.status.code(), Some(3));
        }
    }
}

#[test]
fn engines_that_the_budget_ends_are_told_with_what_they_used() {
    let place = Place::new(&format!("first 1m tgba:magic\n{SLOW}"), &long_formula());
    let said = json(&place.sat(&["--cpu", "300ms", "--race", "--json"]));
    assert_eq!(said["race"].as_array().map(Vec::len), Some(1));
    assert_eq!(said["race"][0]["reason"], "timeout");
    let place = Place::new(SLOW, &long_formula());
    let said = json(&place.sat(&["--cpu", "1s", "--jobs", "3", "--race", "--json"]));
    let race = said["race"].as_array().expect("all engines");
    assert_eq!(race.len(), 3);
    for engine in race {
        assert_eq!((&engine["verdict"], &engine["reason"]), (&"ended".into(), &"timeout".into()));
        assert!(engine["cpu_seconds"].as_f64() > Some(0.0), "{engine}");
    }
}

#[test]
fn a_full_disk_and_a_closed_pipe_are_told() {
    let place = Place::new("1s antichain:symbolic", &counter("5"));
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
        command.args(["sat", "--portfolio", &place.file("schedule"), "-f", &place.file("formula")]);
        command
    };
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let output = command().stdout(full).stderr(Stdio::piped()).output().expect("kermode runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("No space left"), "{}", stderr(&output));
    let mut child = command().stdout(Stdio::piped()).spawn().expect("kermode runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(141));
}

#[test]
fn engines_that_disagree_are_an_internal_error() {
    let wrong = "mutant:tableau:wrong=until-promise";
    let place = Place::new(&format!("1s reference:tableau\n1s {wrong}"), "a U false");
    let output = place.sat(&["--all", "--witness", "none"]);
    assert_eq!(output.status.code(), Some(4), "{}", stdout(&output));
    for engine in ["reference:tableau", wrong] {
        let command = format!("kermode sat --engine {engine} 'a U false'");
        assert!(stderr(&output).contains(&command), "{}", stderr(&output));
    }
    let output = place.sat(&["--all", "--json"]);
    assert_eq!(output.status.code(), Some(4), "its word fails");
    assert_eq!(json(&output)["verdict"], Value::Null);
    assert!(json(&output)["reproduce"].as_str().is_some_and(|again| again.contains(wrong)));
}

#[test]
fn all_engines_are_waited_for() {
    let place = Place::new(
        "first 1s reference:tableau\n1ms tgba:magic\n1ms tgba:couvreur\n1ms reference:enumerate:letters=1",
        "F a & G !a",
    );
    for jobs in ["1", "4"] {
        let said = json(&place.sat(&["--all", "--json", "--jobs", jobs]));
        assert_eq!(said["verdict"], "unsatisfiable");
        let race = said["race"].as_array().expect("all engines");
        let count = |word: &str| race.iter().filter(|e| e["verdict"] == word).count();
        assert_eq!((count("unsatisfiable"), count("unknown")), (3, 1), "{race:?}");
    }
}

#[test]
fn steps_are_the_same_everywhere() {
    let schedule =
        "first 1ms antichain:forward\n5ms tgba:couvreur\n5ms antichain:hybrid\n5ms tgba:magic";
    for formula in [counter("5"), "G(a -> X !a) & G F a".to_owned(), "F a & G !a".to_owned()] {
        let place = Place::new(schedule, &formula);
        let said = || json(&place.sat(&["--deterministic", "--json"]));
        let first = said();
        assert_ne!(first["verdict"], "unknown");
        assert_eq!(first, said());
    }
}

/// The diagrams of this many pigeons are too large for any engine, and are built in one operation.
#[test]
fn workers_get_their_turn_after_a_long_operation() {
    let place = Place::new("first 5ms tgba:couvreur\n1s preprocess:only", &pigeons(20));
    let said = json(&place.sat(&["--json", "--race", "--cpu", "1m"]));
    let race = said["race"].as_array().expect("all engines");
    let reasons: Vec<&str> = race.iter().filter_map(|e| e["reason"].as_str()).collect();
    assert!(matches!(reasons[..], ["timeout", limit] if limit.starts_with("limit")), "{race:?}");
    let said = json(&place.sat(&["--json", "--deterministic", "--cpu", "1m"]));
    assert_eq!(said["reason"], race[1]["reason"], "{said}");
}

#[test]
fn wrong_schedules_are_shown_where_they_are_wrong() {
    let place = Place::new("1s tgba:couvreur\nsoon tgba:magic\n1s no:such\n", "a");
    let output = place.sat(&[]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    for wrong in ["`soon` is not a time", "schedule:2:1", "no engine `no:such`", "schedule:3:4"] {
        assert!(stderr(&output).contains(wrong), "{}", stderr(&output));
    }
    let only_formulas = Place::new("1s reference:tableau", "a");
    let schedule = only_formulas.file("schedule");
    let output = kermode(&["empty", "examples/figure1.abw", "--portfolio", &schedule]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("takes automata"), "{}", stderr(&output));
    let output = kermode_reading(&["sat", "-", "--engine", "tgba:magic", "--jobs", "2"], b"a");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn rules_are_for_all_engines_of_a_schedule() {
    let place = Place::new("1s reference:tableau\n1s tgba:magic", "F a & G !a");
    for rules in [&["--no-rewrite"][..], &["--rules", "eventual"]] {
        let args = [&["--all", "--json"][..], rules].concat();
        let said = json(&place.sat(&args));
        let race = said["race"].as_array().expect("all engines");
        let engines: Vec<&str> = race.iter().filter_map(|e| e["engine"].as_str()).collect();
        assert!(engines.contains(&"reference:tableau"), "{engines:?}");
        assert!(
            engines.iter().any(|engine| engine.starts_with("tgba:magic:rules=")),
            "{engines:?}"
        );
    }
}

/// An engine knows after less than a second that there is a word, which has millions of letters.
#[test]
fn the_verdict_does_not_wait_for_the_word() {
    let place = Place::new("1s tgba:couvreur\n1s antichain:symbolic", &counter("22"));
    for jobs in ["1", "2"] {
        let started = Instant::now();
        let said = place.sat(&["--jobs", jobs, "--timeout", "120", "--witness-time", "100ms"]);
        assert!(stdout(&said).starts_with("satisfiable\n  the word is left out"), "{said:?}");
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    }
    let formula = place.file("formula");
    for time in ["0", "100ms"] {
        let engine = ["sat", "--whole", "-f", &formula, "--engine", "antichain:symbolic"];
        let said = kermode(&[&engine[..], &["--witness-time", time]].concat());
        let why = "it was not made and replayed in the time that a word has after the verdict";
        assert_eq!(stdout(&said), format!("satisfiable\n  the word is left out: {why}\n"));
    }
    let said = kermode(&["sat", "F a", "--witness-time", "soon"]);
    assert_eq!(said.status.code(), Some(2));
    assert!(stderr(&said).contains("`soon` is not a time"), "{said:?}");
}
