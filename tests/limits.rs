//! Limits on time, CPU time and memory: whatever a command does when its limit comes, reading
//! included, it ends soon after.

#[allow(dead_code, reason = "each test uses a part")]
mod command;

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use command::{kermode, stdout};
use kermode::base::Rng;
use tempfile::TempDir;
use wait4::Wait4;

/// How late a command may be.
const LATE: Duration = Duration::from_millis(700);

/// A folder with inputs that are hard, or that never end.
struct Inputs {
    folder: TempDir,
}

impl Inputs {
    fn new() -> Inputs {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = Inputs { folder };
        let written = |args: &[&str]| stdout(&kermode(args)).to_owned();
        inputs.write("counter", &written(&["gen", "counter", "22"]));
        inputs.write("lift", &written(&["gen", "lift", "9"]));
        inputs.write("large", &format!("{}a", "(a U b) & X ".repeat(400_000)));
        let automaton = ["translate", "--to", "abw", "-f", &inputs.file("counter")];
        inputs.write("automaton", &written(&automaton));
        let letters = |count: usize| "a; b; ".repeat(count);
        inputs.write("word", &format!("{}cycle{{a; b}}", letters(200_000)));
        let nested = (0..200).fold("a".to_owned(), |inner, _| format!("(b S ({inner} U a))"));
        inputs.write("nested", &nested);
        inputs.write("model", LONG_MODEL);
        inputs.write("gas", &written(&["gen", "gas", "40"]));
        inputs.write("lcr", &written(&["gen", "lcr", "30"]));
        inputs.write("bakery", &written(&["gen", "bakery", "12"]));
        let fifo = Command::new("mkfifo").arg(inputs.file("fifo")).status();
        assert!(fifo.expect("mkfifo runs").success());
        inputs
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).expect("a file");
    }

    /// The arguments of a run, where `@name` is a file.
    fn arguments(&self, line: &str) -> Vec<String> {
        let argument = |word: &str| match word.strip_prefix('@') {
            Some(name) => self.file(name),
            None => word.to_owned(),
        };
        line.split_whitespace().map(argument).collect()
    }
}

/// Runs that take much longer than any limit here, or much more memory. Those with `-` read from a
/// standard input that says nothing for long.
const HARD: &[&str] = &[
    "sat -f @counter --witness full --witness-time 100",
    "sat -f @counter --engine tgba:couvreur",
    "sat -f @counter --engine antichain:forward",
    "sat -f @counter --engine symbolic:nnf/sloppy/gba/default --witness-time 100",
    "sat -f @counter --deterministic --witness-time 100",
    "sat -f @lift --engine antichain:symbolic --no-rewrite",
    "sat --whole -f @large",
    "valid -f @lift --no-rewrite --jobs 1",
    "valid -f /dev/zero",
    "sat -f @fifo",
    "sat -",
    "equiv -f @fifo",
    "implies -",
    "empty @automaton --engine tgba:magic",
    "empty @automaton --not @automaton",
    "empty @fifo",
    "empty /dev/zero",
    "empty -",
    "eval -f @nested -w @word",
    "eval a -w /dev/zero",
    "eval --automaton @automaton -w @word",
    "eval --automaton @fifo cycle{a}",
    "eval - cycle{a}",
    "translate --to tgba -f @lift",
    "translate --to ba -f @counter",
    "translate --to abw -f /dev/zero",
    "translate --to smv --whole -f @large",
    "translate --to tgba -",
    "convert --simplify --whole -f @large",
    "convert --expand bounded F[0,400000](a|G[0,400000]b)",
    "convert -f @fifo",
    "convert -",
];

/// A counter of 60 bits: every search takes as many steps as it has values.
const LONG_MODEL: &str = "MODULE main VAR x : unsigned word[60];
    ASSIGN init(x) := 0ud60_0; next(x) := x + 0ud60_1;
    LTLSPEC G F x = 0ud60_0  INVARSPEC x != 0ud60_987654321987  CTLSPEC AG AF x = 0ud60_0";

/// The same for `check`. Limits are for each property, so each run has one.
const HARD_CHECKS: &[&str] = &[
    "check @model --property 1",
    "check @model --property 1 --jobs 1",
    "check @model --property 1 --all --jobs 3",
    "check @model --property 1 --deterministic",
    "check @model --property 1 -e tgba:couvreur",
    "check @model --property 2",
    "check @model --property 2 -e invariant:both",
    "check @model --property 3",
    "check @gas --property 2",
    "check @lcr --property 1 --jobs 1",
    "check @bakery --property 1 --witness full --witness-time 100",
    "check @gas --property 1 -e product:log/l2s",
    "check /dev/zero",
    "check @fifo",
    "check -",
];

/// One limit.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Wall(Duration),
    Cpu(Duration),
    Memory(usize),
}

impl Limit {
    fn random(random: &mut Rng) -> Limit {
        let time = Duration::from_millis(random.below(1_000) as u64);
        match random.below(3) {
            0 => Limit::Wall(time),
            1 => Limit::Cpu(time),
            _ => Limit::Memory(random.between(20, 300)),
        }
    }

    /// What is typed. Whoever waits for input uses neither CPU time nor memory, so that all have a
    /// wall-clock limit as well.
    fn arguments(self) -> Vec<String> {
        match self {
            Limit::Wall(time) => vec!["--timeout".to_owned(), format!("{}ms", time.as_millis())],
            Limit::Cpu(time) => {
                vec![
                    "--cpu".to_owned(),
                    format!("{}ms", time.as_millis()),
                    "--timeout=1".to_owned(),
                ]
            }
            Limit::Memory(megabytes) => {
                vec!["--memory".to_owned(), format!("{megabytes}M"), "--timeout=1".to_owned()]
            }
        }
    }

    fn wall(self) -> Duration {
        match self {
            Limit::Wall(time) => time,
            Limit::Cpu(_) | Limit::Memory(_) => Duration::from_secs(1),
        }
    }
}

/// What a run took beyond its limit, by the clock and in CPU time.
struct Run {
    limit: Limit,
    line: &'static str,
    late: Duration,
    cpu_late: Duration,
    status: Option<i32>,
    /// Whether a worker was still there a second after the end.
    leaves_worker: bool,
}

/// Whether a worker of a process that has ended is still there.
fn has_worker(parent: u32) -> bool {
    let mark = format!("worker\0--parent\0{parent}\0");
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    let mut commands =
        entries.map(|entry| fs::read(entry.path().join("cmdline")).unwrap_or_default());
    let found = |command: Vec<u8>| String::from_utf8_lossy(&command).contains(&mark);
    commands.any(found)
}

fn run(inputs: &Inputs, line: &'static str, limit: Limit) -> Run {
    // Standard input stays open and gives nothing.
    let mut silent = Command::new("sleep").arg("60").stdout(Stdio::piped()).spawn().expect("sleep");
    let stdin = silent.stdout.take().expect("a pipe");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kermode"));
    command.args(inputs.arguments(line)).args(limit.arguments());
    command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child: Child = command.spawn().expect("kermode runs");
    let used = child.wait4().expect("kermode ends");
    let late = started.elapsed().saturating_sub(limit.wall());
    let cpu = used.rusage.utime + used.rusage.stime;
    let cpu_late = match limit {
        Limit::Cpu(most) => cpu.saturating_sub(most),
        Limit::Wall(_) | Limit::Memory(_) => Duration::ZERO,
    };
    silent.kill().expect("sleep ends");
    silent.wait().expect("sleep ends");
    let ended = Instant::now();
    while has_worker(child.id()) && ended.elapsed() < Duration::from_secs(1) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let leaves_worker = has_worker(child.id());
    Run { limit, line, late, cpu_late, status: used.status.code(), leaves_worker }
}

/// Draws so many limits for runs that take turns.
fn campaign(lines: &'static [&str], seed: u64, count: usize) -> Vec<Run> {
    let (inputs, mut random) = (Inputs::new(), Rng::new(seed));
    let lines = lines.iter().cycle().take(count);
    lines.map(|line| run(&inputs, line, Limit::random(&mut random))).collect()
}

/// A machine that is busy with other tests may take its time: what is looked for here are runs that
/// do not end at all.
#[test]
fn commands_end_soon_after_their_limit() {
    ends_soon(HARD);
}

#[test]
fn checks_end_soon_after_their_limit() {
    ends_soon(HARD_CHECKS);
}

fn ends_soon(lines: &'static [&str]) {
    for run in campaign(lines, 1, lines.len()) {
        let Run { limit, line, late, cpu_late, status, leaves_worker } = run;
        assert!(!leaves_worker, "{line}: {limit:?}");
        assert!(
            late < 20 * LATE && cpu_late < 20 * LATE,
            "{line}: {limit:?}, {late:?}, {cpu_late:?}"
        );
        assert!(matches!(status, Some(0 | 1 | 3)), "{line}: {limit:?}, {status:?}");
    }
}

/// Five hundred limits, on a machine that is busy with nothing else:
/// `cargo test --release --test limits -- --ignored --nocapture`.
#[test]
#[ignore = "it takes minutes, and an idle machine"]
fn five_hundred_limits() {
    late_at_most(campaign(HARD, 17, 500), LATE);
}

/// A thousand limits of `check`, in the same way: each ends within a second and leaves no process.
#[test]
#[ignore = "it takes half an hour, and an idle machine"]
fn a_thousand_limits_of_checks() {
    late_at_most(campaign(HARD_CHECKS, 18, 1_000), Duration::from_secs(1));
}

#[expect(clippy::print_stderr, reason = "a campaign shows what it measured")]
fn late_at_most(mut runs: Vec<Run>, most: Duration) {
    runs.sort_by_key(|run| run.late.max(run.cpu_late));
    let late: Vec<Duration> = runs.iter().map(|run| run.late.max(run.cpu_late)).collect();
    let at = |share: usize| late[(late.len() - 1) * share / 100];
    eprintln!(
        "late: median {:?}, 90 % {:?}, 99 % {:?}, most {:?}",
        at(50),
        at(90),
        at(99),
        at(100)
    );
    for Run { limit, line, late, cpu_late, status, .. } in runs.iter().rev().take(20) {
        eprintln!("{late:?} {cpu_late:?} {status:?}: {line}, {limit:?}");
    }
    for run in &runs {
        assert!(matches!(run.status, Some(0 | 1 | 3)), "{}: {:?}", run.line, run.status);
        assert!(!run.leaves_worker, "{}: {:?}", run.line, run.limit);
    }
    assert!(at(100) <= most, "{:?}", at(100));
}

/// What is read may not end, or not begin: the reason is the limit that ends it.
#[test]
fn reading_is_inside_the_budget() {
    let inputs = Inputs::new();
    for (input, reason) in [("/dev/zero", "memory"), ("@fifo", "timeout")] {
        for line in
            ["sat -f", "valid --whole -f", "implies -f", "empty", "eval a -w", "eval cycle{a} -f"]
        {
            let line = format!("{line} {input} --timeout 2 --memory 200M");
            let arguments = inputs.arguments(&line);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let started = Instant::now();
            let said = kermode(&arguments);
            assert_eq!(stdout(&said), format!("unknown ({reason})\n"), "{line}");
            assert_eq!(said.status.code(), Some(3), "{line}");
            assert!(started.elapsed() < Duration::from_secs(60), "{line}");
        }
        for line in ["translate --to tgba -f", "convert -f"] {
            let line = format!("{line} {input} --timeout 2 --memory 200M");
            let arguments = inputs.arguments(&line);
            let said = kermode(&arguments.iter().map(String::as_str).collect::<Vec<&str>>());
            let told = format!("error: there is no result: {reason}\n");
            assert_eq!(command::stderr(&said), told, "{line}");
            assert_eq!((stdout(&said), said.status.code()), ("", Some(3)), "{line}");
        }
    }
    let fifo = inputs.file("fifo");
    let said = command::kermode_interrupted(&["sat", "-f", &fifo]);
    assert_eq!((stdout(&said), said.status.code()), ("unknown (cancelled)\n", Some(3)));
}

/// Propositions and the locations that wait for them are neighbours in the order of variables: if
/// they were not, this would take 600 MB.
#[test]
fn a_lift_without_rewriting_is_small() {
    let inputs = Inputs::new();
    let limits = "--no-rewrite --engine antichain:forward --memory 150M --quiet";
    let arguments = inputs.arguments(&format!("sat -f @lift {limits}"));
    let said = kermode(&arguments.iter().map(String::as_str).collect::<Vec<&str>>());
    assert_eq!((stdout(&said), said.status.code()), ("satisfiable\n", Some(0)));
}
