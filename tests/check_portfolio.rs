//! The portfolio of `check`: which engine answers, what happens to workers, and that no process is
//! left behind.

#[allow(dead_code, reason = "each test uses a part")]
mod command;

use std::fs;
use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use command::{kermode, stderr, stdout};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

const PETERSON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/peterson.smv");
/// A counter of 60 bits: every search takes as many steps as it has values.
const LONG: &str = "MODULE main VAR x : unsigned word[60];
    ASSIGN init(x) := 0ud60_0; next(x) := x + 0ud60_1;
    LTLSPEC G F x = 0ud60_0";
const SLOW: &str = "10ms tgba:couvreur\n10ms tgba:magic\n10ms product:pdp/el\n";

/// A folder with a schedule and a model.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(schedule: &str, model: &str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("schedule"), schedule).expect("a file");
        fs::write(folder.path().join("model"), model).expect("a file");
        Place { folder }
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn check(&self, args: &[&str]) -> Output {
        let (schedule, model) = (self.file("schedule"), self.file("model"));
        kermode(&[&["check", &model, "--portfolio", &schedule], args].concat())
    }

    /// A long `check`, once this many workers run.
    fn long(&self, args: &[&str], workers: usize) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
        command.args(["check", &self.file("model"), "--portfolio", &self.file("schedule")]);
        let child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("kermode runs");
        let mut workers_of = Vec::new();
        eventually(|| {
            workers_of = workers_below(&child);
            workers_of.len() == workers
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

/// The workers that any thread of a process has started.
fn workers_below(child: &Child) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{}/task", child.id()));
    let tasks = tasks.into_iter().flatten().flatten();
    let lists = tasks.map(|task| fs::read_to_string(task.path().join("children")));
    let lists: String = lists.flatten().collect();
    let pids = lists.split_whitespace().map(|pid| pid.parse().expect("a number"));
    pids.filter(|&pid| is_worker(pid)).collect()
}

/// Whether a process is a worker that has not ended.
fn is_worker(pid: i32) -> bool {
    let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    command.split(|&byte| byte == 0).nth(1) == Some(b"worker")
}

fn signal(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).expect("a process"), signal).expect("it is there");
}

fn objects(output: &Output) -> Vec<Value> {
    let text = stdout(output);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn easy_properties_are_decided_before_a_worker_begins() {
    let said = objects(&kermode(&["check", PETERSON, "--json", "--race"]));
    assert_eq!(said.len(), 3);
    for property in said {
        let race = property["race"].as_array().expect("all engines");
        assert_eq!(race.last().expect("one")["engine"], property["engine"]);
        assert_eq!(property["failures"], Value::Null);
    }
}

#[test]
fn workers_decide_properties_of_all_kinds() {
    let schedule = "1s product:pdp/el\n1s invariant:both\n1s ctl:fixpoint\n1s antichain:symbolic";
    let model = fs::read_to_string(PETERSON).expect("an example");
    let place = Place::new(schedule, &model);
    for jobs in ["1", "2", "5"] {
        let asked = ["--ctl", "EG !(u1.at = inside)", "--ctl", "AG u1.at = away", "--deadlock"];
        let typed = ["-p", "G F u1.at = away", "--invariant", "turn = 1"];
        let args = ["--json", "--jobs", jobs];
        let said = objects(&place.check(&[&args[..], &asked, &typed].concat()));
        let verdicts: Vec<&str> =
            said.iter().map(|property| property["verdict"].as_str().expect("a word")).collect();
        assert_eq!(verdicts, ["violated", "holds", "violated", "violated", "holds"], "{said:?}");
        for property in said.iter().filter(|property| property["verdict"] == "violated") {
            assert_eq!(property["replayed"], true, "{property}");
        }
        let out = place.check(&["--quiet", "--jobs", jobs]);
        assert_eq!(stdout(&out), "holds\nviolated\nholds\n", "{}", stderr(&out));
        let finite = place.check(&["--finite", "-p", "G !(u2.at = inside)", "--jobs", jobs]);
        assert!(stdout(&finite).contains(": violated\n  time"), "{}", stdout(&finite));
    }
}

#[test]
fn the_first_answer_ends_the_others() {
    // One step decides; the explicit searches would take a step per value.
    let model = LONG.replace("G F x = 0ud60_0", "F x = 0ud60_1");
    let place = Place::new("10ms product:log/l2s\n10ms product:syntactic/el", &model);
    for jobs in ["1", "2"] {
        let said = objects(&place.check(&["--json", "--race", "--jobs", jobs])).remove(0);
        assert_eq!(said["verdict"], "holds", "{said}");
        let race = said["race"].as_array().expect("all engines");
        let count = |word: &str| race.iter().filter(|e| e["verdict"] == word).count();
        assert!(count("holds") >= 1 && count("failed") == 0, "{race:?}");
    }
}

#[test]
fn a_worker_that_is_killed_is_named_and_does_not_decide() {
    let place = Place::new("1s tgba:couvreur\n1s tgba:magic", LONG);
    let running = place.long(&["--jobs", "2", "--json"], 2);
    running.workers.iter().for_each(|&pid| signal(pid, Signal::KILL));
    let (status, out, err) = running.ended();
    assert_eq!(status, Some(3), "{out}{err}");
    let said: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(said["verdict"], "unknown");
    assert_eq!(said["failures"].as_array().map(Vec::len), Some(2));
    for engine in ["tgba:couvreur", "tgba:magic"] {
        let failure = format!("engine {engine} failed: it was ended by signal 9");
        assert!(err.contains(&failure), "{err}");
    }
}

#[test]
fn a_worker_that_takes_too_much_memory_is_named_and_does_not_decide() {
    let place = Place::new("1s tgba:couvreur", LONG);
    let output = place.check(&["--memory", "40M", "--quiet"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(3), "unknown (memory)\n"));
    assert!(stderr(&output).contains("engine tgba:couvreur failed: memory"), "{}", stderr(&output));
}

#[test]
fn an_interrupt_ends_everything() {
    for (sent, jobs) in [(Signal::INT, "1"), (Signal::TERM, "2")] {
        let place = Place::new(SLOW, LONG);
        let running = place.long(&["--jobs", jobs, "--quiet"], 3);
        signal(running.child.id() as i32, sent);
        let (status, out, _) = running.ended();
        assert_eq!((status, out.as_str()), (Some(3), "unknown (cancelled)\n"));
    }
}

#[test]
fn nothing_outlives_a_parent_that_is_killed() {
    let place = Place::new(SLOW, LONG);
    let running = place.long(&["--jobs", "2"], 3);
    signal(running.child.id() as i32, Signal::KILL);
    let (status, out, _) = running.ended();
    assert_eq!((status, out.as_str()), (None, ""));
}

#[test]
fn time_ends_with_all_workers_of_all_properties() {
    let place = Place::new(SLOW, &format!("{LONG}\nLTLSPEC F x = 0ud60_77777777777"));
    for limit in [["--timeout", "500ms"], ["--cpu", "500ms"]] {
        for jobs in ["1", "2"] {
            let output = place.check(&[&limit[..], &["--jobs", jobs, "--quiet"]].concat());
            let twice = "unknown (timeout)\nunknown (timeout)\n";
            assert_eq!(stdout(&output), twice, "{}", stderr(&output));
            assert_eq!(output.status.code(), Some(3));
        }
    }
}

#[test]
fn a_full_disk_is_told() {
    let model = fs::read_to_string(PETERSON).expect("an example");
    let place = Place::new("1s product:syntactic/el", &model);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
    command.args(["check", &place.file("model"), "--portfolio", &place.file("schedule")]);
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let output = command.stdout(full).stderr(Stdio::piped()).output().expect("kermode runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("No space left"), "{}", stderr(&output));
}

#[test]
fn all_engines_are_waited_for() {
    let schedule = "first 1s product:syntactic/el\n1ms tgba:couvreur\n1ms product:log/weak\n1ms product:pdp/el";
    let model = fs::read_to_string(PETERSON).expect("an example");
    let place = Place::new(schedule, &model);
    let said = objects(&place.check(&["--all", "--json", "-p", "G F u1.at = away"])).remove(0);
    let race = said["race"].as_array().expect("all engines");
    let count = |word: &str| race.iter().filter(|e| e["verdict"] == word).count();
    assert_eq!((race.len(), count("violated") + count("unknown")), (4, 4), "{race:?}");
    assert!(count("violated") >= 3, "{race:?}");
}

#[test]
fn steps_are_the_same_everywhere() {
    let model = fs::read_to_string(PETERSON).expect("an example");
    let place = Place::new("first 1ms tgba:couvreur\n5ms product:pdp/el\n5ms tgba:magic", &model);
    let said = || objects(&place.check(&["--deterministic", "--json", "--property", "service"]));
    let first = said();
    assert_eq!(first[0]["verdict"], "violated");
    assert_eq!(first, said());
}

/// The searches before the properties have as many steps as they need for a model of some size:
/// ten pairs of numbers that count at the same time, one of which suffices.
#[test]
fn steps_suffice_to_find_equal_signals() {
    let mut model = "MODULE main\nVAR f : boolean; g : boolean;\n".to_owned();
    model += "ASSIGN init(f) := FALSE; next(f) := !f; init(g) := FALSE; next(g) := !g;\n";
    for number in 0..10 {
        for name in [format!("v{number}"), format!("u{number}")] {
            model += &format!("VAR {name} : 0..7; ASSIGN init({name}) := 0;\n");
            model += &format!("next({name}) := case f : {{{name}, ({name} + 1) mod 8}};\n");
            model += &format!("TRUE : {name}; esac;\n");
        }
    }
    model += "LTLSPEC G (f = g) & (F G v0 = 0 -> F G u1 = 0 | G F v2 = v3 | F v4 = 1)\n";
    let place = Place::new("first 10ms tgba:couvreur\n5s product:pdp/el", &model);
    let said = objects(&place.check(&["--deterministic", "--json", "--stats"])).remove(0);
    assert_eq!(said["statistics"]["merged_variables"], 1, "{said}");
}

#[test]
fn a_schedule_without_engine_for_a_property_is_unknown() {
    let model = fs::read_to_string(PETERSON).expect("an example");
    let place = Place::new("1s ctl:fixpoint", &model);
    let output = place.check(&["--quiet"]);
    let why = "unknown (unsupported: ctl:fixpoint takes no";
    assert_eq!(stdout(&output).matches(why).count(), 2, "{}", stdout(&output));
    assert!(stdout(&output).ends_with("holds\n"), "{}", stdout(&output));
}

#[test]
fn orders_are_kept_from_run_to_run_and_change_no_verdict() {
    let model = fs::read_to_string(PETERSON).expect("an example");
    let place = Place::new("1s ctl:fixpoint", &model);
    let (file, orders) = (place.file("model"), place.file("orders"));
    let said = || kermode(&["check", &file, "--quiet", "--order-cache", &orders]);
    assert_eq!(stdout(&said()), "holds\nviolated\nholds\n");
    let kept: Vec<_> = fs::read_dir(&orders).expect("a folder").flatten().collect();
    let [kept] = &kept[..] else { panic!("one order: {kept:?}") };
    let order = fs::read_to_string(kept.path()).expect("an order");
    assert!(order.contains("u1.at"), "{order}");
    // A damaged file is no error.
    for damaged in ["", "no such variable\n", "turn\nturn\n"] {
        fs::write(kept.path(), damaged).expect("a file");
        assert_eq!(stdout(&said()), "holds\nviolated\nholds\n");
    }
    for order in ["force", "declared", "dependency", "modules"] {
        let output = kermode(&["check", &file, "--quiet", "--order", order]);
        assert_eq!(stdout(&output), "holds\nviolated\nholds\n", "{order}");
    }
    assert_eq!(kermode(&["check", &file, "--order", "sideways"]).status.code(), Some(2));
    let output = kermode(&["check", &file, "--quiet", "--order-cache", "/dev/null/orders"]);
    assert_eq!(stdout(&output), "holds\nviolated\nholds\n");
    assert!(stderr(&output).contains("the variable order is not kept"), "{}", stderr(&output));
}

#[test]
fn statistics_show_the_nodes_over_time() {
    let asked = ["check", PETERSON, "--property", "exclusion", "--stats", "--json"];
    let said = objects(&kermode(&[&asked[..], &["-e", "invariant:forward"]].concat())).remove(0);
    let samples = said["statistics"]["nodes_over_time"].as_array().expect("samples");
    assert!(samples.iter().all(|sample| sample[1].as_u64() > Some(0)), "{samples:?}");
}
