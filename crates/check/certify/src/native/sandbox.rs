//! Child processes in a sandbox: limits on time and memory, no core dumps, input from a file or /dev/null, output thrown away
//! except for standard error, of which both ends are kept. The program under test also gets no network and may not
//! create or change files outside of a directory of its own (Landlock, as far as the kernel grants it). A child never
//! outlives the run: it dies with its parent and its whole process group is killed when it ends.

use fathom_base::Budget;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The limits of a child process.
pub struct Limits {
    pub time: Duration,
    pub memory_bytes: u64,
    /// Whether memory may also be limited as address space (sanitizers reserve terabytes of it).
    pub address_space: bool,
    /// No network, no files.
    pub isolate: bool,
    /// The one directory where an isolated child may write.
    pub writable: Option<PathBuf>,
}

/// The largest file that an isolated child may write there.
const LARGEST_FILE: u64 = 256 << 20;

/// How a child ended.
pub struct Ended {
    pub success: bool,
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub stderr: String,
    /// `time` or `memory`, if it was killed for using too much.
    pub limit: Option<&'static str>,
}

/// Of a long standard error only the first and the last part are kept.
const KEPT: usize = 256 << 10;

/// Runs a command without input.
pub fn run(command: Command, limits: &Limits, budget: &Budget) -> Result<Ended, String> {
    run_reading(command, Stdio::null(), limits, budget)
}

/// Runs a command that reads its input from `stdin`.
pub fn run_reading(mut command: Command, stdin: Stdio, limits: &Limits, budget: &Budget) -> Result<Ended, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::piped());
    let writable = limits.writable.as_ref().map(File::open).transpose();
    let writable = writable.map_err(|error| format!("the directory of the run can't be opened: {error}"))?;
    restrict(&mut command, limits, writable.as_ref().map(|directory| directory.as_raw_fd()));
    let mut child = command.spawn().map_err(|error| format!("{name} could not be started: {error}"))?;
    let reader = child.stderr.take().map(|pipe| thread::spawn(move || read_both_ends(pipe)));
    let waited = wait(&mut child, limits, budget);
    kill_group(&child);
    let status = child.wait().map_err(|error| format!("{name} could not be waited for: {error}"))?;
    let stderr = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
    let limit = waited?;
    let limit = limit.or((status.signal() == Some(libc::SIGXCPU)).then_some("time"));
    Ok(Ended { success: status.success() && limit.is_none(), code: status.code(), signal: status.signal(), stderr, limit })
}

/// Waits until the child ends or exceeds a limit.
fn wait(child: &mut Child, limits: &Limits, budget: &Budget) -> Result<Option<&'static str>, String> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            return Ok(None);
        }
        if start.elapsed() > limits.time {
            return Ok(Some("time"));
        }
        if budget.exhausted().is_some() {
            return Err("there was no time left for it".into());
        }
        if resident_bytes(child.id()).is_some_and(|used| used > limits.memory_bytes) {
            return Ok(Some("memory"));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn resident_bytes(pid: u32) -> Option<u64> {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    statm.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

fn kill_group(child: &Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: a plain system call; the child leads its own group and has not been reaped under another's number.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

fn read_both_ends(mut pipe: impl Read) -> String {
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let mut chunk = [0u8; 8192];
    while let Ok(count @ 1..) = pipe.read(&mut chunk) {
        let room = (KEPT - first.len()).min(count);
        first.extend_from_slice(&chunk[..room]);
        last.extend_from_slice(&chunk[room..count]);
        if last.len() > 2 * KEPT {
            last.drain(..last.len() - KEPT);
        }
    }
    first.extend_from_slice(&last);
    String::from_utf8_lossy(&first).into_owned()
}

fn restrict(command: &mut Command, limits: &Limits, writable: Option<RawFd>) {
    let seconds = limits.time.as_secs() + 2;
    let memory = limits.memory_bytes;
    let (address_space, isolate) = (limits.address_space, limits.isolate);
    let apply = move || {
        // SAFETY: between fork and exec, only plain system calls on values that were copied in.
        unsafe {
            libc::setsid();
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            limit(libc::RLIMIT_CORE, 0);
            limit(libc::RLIMIT_CPU, seconds);
            if address_space {
                limit(libc::RLIMIT_AS, memory * 2);
            }
            if isolate {
                deepen_stack();
                limit(libc::RLIMIT_FSIZE, if writable.is_some() { LARGEST_FILE } else { 0 });
                if libc::unshare(libc::CLONE_NEWNET) != 0 {
                    libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET);
                }
                forbid_writing(writable);
            }
        }
        Ok(())
    };
    // SAFETY: the closure allocates nothing and touches no lock.
    unsafe { command.pre_exec(apply) };
}

type Resource = libc::__rlimit_resource_t;

unsafe fn limit(resource: Resource, value: u64) {
    let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
    unsafe { libc::setrlimit(resource, &limit) };
}

/// Deep recursion that the interpreter could follow must not die of a small stack.
unsafe fn deepen_stack() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    unsafe {
        if libc::getrlimit(libc::RLIMIT_STACK, &mut limit) == 0 {
            limit.rlim_cur = limit.rlim_max.min(512 << 20);
            libc::setrlimit(libc::RLIMIT_STACK, &limit);
        }
    }
}

/// What Landlock wants to know of a directory with rights.
#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: libc::c_int,
}

/// Landlock, first version of its interface: no access right that changes the file system, anywhere but there.
unsafe fn forbid_writing(writable: Option<RawFd>) {
    const CREATE_RULESET: libc::c_long = 444;
    const ADD_RULE: libc::c_long = 445;
    const RESTRICT_SELF: libc::c_long = 446;
    // WRITE_FILE, and from REMOVE_DIR to MAKE_SYM.
    let handled: u64 = 1 << 1 | (4..=12).fold(0, |bits, bit| bits | 1 << bit);
    unsafe {
        let ruleset = libc::syscall(CREATE_RULESET, &handled, size_of::<u64>(), 0);
        if ruleset >= 0 {
            if let Some(parent) = writable {
                let rule = PathBeneath { allowed: handled, parent };
                libc::syscall(ADD_RULE, ruleset, 1, &rule, 0);
            }
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            libc::syscall(RESTRICT_SELF, ruleset, 0);
            libc::close(ruleset as libc::c_int);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(time: Duration, isolate: bool) -> Limits {
        Limits { time, memory_bytes: 256 << 20, address_space: true, isolate, writable: None }
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn codes_and_messages_come_back() {
        let ended = run(shell("echo hello >&2; exit 3"), &limits(Duration::from_secs(10), false), &Budget::unlimited()).unwrap();
        assert_eq!((ended.code, ended.stderr.as_str(), ended.limit), (Some(3), "hello\n", None));
    }

    #[test]
    fn a_child_that_hangs_is_stopped_with_its_children() {
        let start = Instant::now();
        let ended = run(shell("sleep 60 & sleep 60"), &limits(Duration::from_millis(200), false), &Budget::unlimited()).unwrap();
        assert_eq!(ended.limit, Some("time"));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn an_isolated_child_writes_no_files() {
        let directory = tempfile::tempdir().unwrap();
        let kept = directory.path().join("kept");
        std::fs::write(&kept, "precious").unwrap();
        let script = format!("cd {}; rm -f kept; : > kept; echo x > new; echo y >> kept", directory.path().display());
        run(shell(&script), &limits(Duration::from_secs(10), true), &Budget::unlimited()).unwrap();
        let left = std::fs::read_to_string(&kept).unwrap_or_default();
        let new = std::fs::read_to_string(directory.path().join("new")).unwrap_or_default();
        assert_eq!(new, "");
        // Kernels without Landlock can still not make the child write, but it may remove.
        assert!(left == "precious" || left.is_empty());
    }

    #[test]
    fn a_cancelled_budget_ends_the_child() {
        let budget = Budget::unlimited().at_most(Duration::from_millis(100));
        assert!(run(shell("sleep 60"), &limits(Duration::from_secs(50), false), &budget).is_err());
    }
}
