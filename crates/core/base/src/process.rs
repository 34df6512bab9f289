//! Information about processes from /proc. On systems without it, every result is `None` or empty.

use std::time::Duration;

/// Bytes of a page; Linux counts memory in pages.
const PAGE: u64 = 4096;
/// What Linux counts computing time in, in milliseconds.
const TICK_MS: u64 = 10;

/// Resident memory of the process of this number, in bytes.
pub fn resident_bytes(pid: u32) -> Option<u64> {
    resident_in(&format!("/proc/{pid}/statm"))
}

/// Resident memory of this process, in bytes.
pub fn own_resident_bytes() -> Option<u64> {
    resident_in("/proc/self/statm")
}

fn resident_in(statm: &str) -> Option<u64> {
    let statm = std::fs::read_to_string(statm).ok()?;
    statm.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * PAGE)
}

/// How much computing time the process of this number has used.
pub fn computing_time(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program, in parentheses, may have spaces in it.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * TICK_MS))
}

/// Children of the main thread of the process of this number.
pub fn children(pid: u32) -> Vec<i32> {
    let listed = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    listed.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

/// How many processes the kernel has ended for want of memory so far: in this process's control group, and everywhere.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryKills {
    group: u64,
    everywhere: u64,
}

impl MemoryKills {
    /// The kernel's counters as they are now.
    pub fn now() -> Self {
        let cgroup = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let path = cgroup.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
        let group = [path, ""].iter().find_map(|path| counter(&format!("/sys/fs/cgroup{path}/memory.events"), "oom_kill"));
        Self { group: group.unwrap_or(0), everywhere: counter("/proc/vmstat", "oom_kill").unwrap_or(0) }
    }

    /// Whether the kernel has ended a process for want of memory since then.
    pub fn happened_since(before: Self) -> bool {
        Self::now() != before
    }
}

/// A line `name value` of such a file.
fn counter(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_memory() {
        assert!(own_resident_bytes().is_none_or(|bytes| bytes > PAGE));
        assert_eq!(resident_bytes(std::process::id()).is_some(), own_resident_bytes().is_some());
    }
}
