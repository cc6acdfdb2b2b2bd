//! Process groups as `/proc` shows them: who is in one, and what its members use.

use std::fs;
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::Pid;

/// One process, from `/proc/PID/stat`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) pid: Pid,
    /// The group it is in.
    pub(crate) group: Pid,
    /// Whether it has ended and nobody has asked for its status yet.
    pub(crate) ended: bool,
    /// Its CPU time and that of the children it has waited for.
    pub(crate) cpu: Duration,
    /// Its resident memory, in bytes.
    pub(crate) resident: u64,
}

/// What a group uses at a moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) cpu: Duration,
    pub(crate) resident: u64,
}

/// All processes there are. Those that end meanwhile are left out.
pub(crate) fn processes() -> Vec<Member> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(member).collect()
}

/// What the members of a group use together.
pub(crate) fn usage(processes: &[Member], group: Pid) -> Usage {
    let members = processes.iter().filter(|member| member.group == group);
    members.fold(Usage::default(), |sum, member| Usage {
        cpu: sum.cpu + member.cpu,
        resident: sum.resident + member.resident,
    })
}

fn member(pid: i32) -> Option<Member> {
    parse(Pid::from_raw(pid)?, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads a line of `proc_pid_stat(5)`. The name of the program may have blanks and parentheses in it: the
/// fields are counted from its end, where the third, the state, stands.
fn parse(pid: Pid, stat: &str) -> Option<Member> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    let count = |number: usize| field(number)?.parse::<u64>().ok();
    let ticks: u64 = (14..=17).map(count).sum::<Option<u64>>()?;
    Some(Member {
        pid,
        // One that was reaped while it was read has the group -1.
        group: Pid::from_raw(field(5)?.parse().ok().filter(|&group: &i32| group > 0)?)?,
        ended: matches!(field(3)?, "Z" | "X"),
        cpu: Duration::from_secs_f64(ticks as f64 / clock_ticks_per_second() as f64),
        resident: count(24)? * page_size() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_may_hold_anything() {
        let numbers = "1 77 1 0 -1 0 0 0 0 0 100 50 25 25 20 0 1 0 5 1000 3 0";
        let stat = format!("77 (a) b (c) S {numbers}");
        let member = parse(Pid::from_raw(77).unwrap(), &stat).unwrap();
        assert_eq!(member.group.as_raw_nonzero().get(), 77);
        assert_eq!(member.resident, 3 * page_size() as u64);
        assert_eq!(member.cpu.as_secs(), 200 / clock_ticks_per_second());
        assert!(!member.ended);
    }

    #[test]
    fn one_that_is_gone_is_left_out() {
        let numbers = "0 -1 -1 0 -1 0 0 0 0 0 100 50 25 25 20 0 1 0 5 0 0 0";
        assert!(parse(Pid::from_raw(77).unwrap(), &format!("77 (gone) X {numbers}")).is_none());
    }

    #[test]
    fn we_are_among_the_processes() {
        let own = rustix::process::getpid();
        assert!(processes().iter().any(|member| member.pid == own && member.resident > 0));
    }
}
