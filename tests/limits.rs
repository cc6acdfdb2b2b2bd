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
    Run { limit, line, late, cpu_late, status: used.status.code() }
}

/// Draws so many limits for runs that take turns.
fn campaign(seed: u64, count: usize) -> Vec<Run> {
    let (inputs, mut random) = (Inputs::new(), Rng::new(seed));
    let lines = HARD.iter().cycle().take(count);
    lines.map(|line| run(&inputs, line, Limit::random(&mut random))).collect()
}

/// A machine that is busy with other tests may take its time: what is looked for here are runs that
/// do not end at all.
#[test]
fn commands_end_soon_after_their_limit() {
    for run in campaign(1, HARD.len()) {
        let Run { limit, line, late, cpu_late, status } = run;
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
    let mut runs = campaign(17, 500);
    runs.sort_by_key(|run| run.late.max(run.cpu_late));
    let late: Vec<Duration> = runs.iter().map(|run| run.late.max(run.cpu_late)).collect();
    let at = |share: usize| late[(late.len() - 1) * share / 100];
    println!("late: median {:?}, 90 % {:?}, 99 % {:?}, most {:?}", at(50), at(90), at(99), at(100));
    for Run { limit, line, late, cpu_late, status } in runs.iter().rev().take(20) {
        println!("{late:?} {cpu_late:?} {status:?}: {line}, {limit:?}");
    }
    for run in &runs {
        assert!(matches!(run.status, Some(0 | 1 | 3)), "{}: {:?}", run.line, run.status);
    }
    assert!(at(100) <= LATE, "{:?}", at(100));
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
