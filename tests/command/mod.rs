//! Runs the command in a process.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// The output for these arguments.
pub(crate) fn kermode(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kermode")).args(args).output().expect("kermode runs")
}

/// The output for these arguments and this standard input.
pub(crate) fn kermode_reading(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kermode"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kermode runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("kermode ends");
    feeder.join().expect("all is fed");
    output
}

/// The output when it is interrupted after half a second.
pub(crate) fn kermode_interrupted(args: &[&str]) -> Output {
    let child = Command::new(env!("CARGO_BIN_EXE_kermode"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kermode runs");
    std::thread::sleep(Duration::from_millis(500));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill runs").success());
    child.wait_with_output().expect("kermode ends")
}

/// Standard output.
pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

/// Standard error.
pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

/// The first line of the results, and the exit status.
#[track_caller]
pub(crate) fn expect(args: &[&str], verdict: &str, status: i32) {
    let output = kermode(args);
    assert_eq!(stdout(&output).lines().next(), Some(verdict), "{args:?}: {}", stderr(&output));
    assert_eq!(output.status.code(), Some(status), "{args:?}");
}
