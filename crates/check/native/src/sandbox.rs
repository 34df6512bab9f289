//! Child processes in a sandbox: limits on time and memory, no core dumps, input from a file or /dev/null, output thrown away
//! except for standard error, of which both ends are kept. The program under test also gets no network and may not
//! create or change files outside of a directory of its own (Landlock, as far as the kernel grants it). A child never
//! outlives the run: it dies with its parent and its whole process group is killed when it ends.

use fathom_base::{Budget, process};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, set_parent_process_death_signal, setrlimit, setsid};
use rustix::thread::{UnshareFlags, set_no_new_privs, unshare_unsafe};
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
    /// Whether an isolated child gets a deeper stack than usual.
    pub deep_stack: bool,
}

/// The largest file that an isolated child may write there.
const LARGEST_FILE: u64 = 256 << 20;

const DEEP_STACK: u64 = 512 << 20;
/// What Linux gives.
const USUAL_STACK: u64 = 8 << 20;

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
        if process::resident_bytes(child.id()).is_some_and(|used| used > limits.memory_bytes) {
            return Ok(Some("memory"));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn kill_group(child: &Child) {
    // The child leads its own group and has not been reaped under another's number.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
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
    let (address_space, isolate, deep_stack) = (limits.address_space, limits.isolate, limits.deep_stack);
    let apply = move || {
        // What the system refuses is not restricted: the limits on time and memory are watched from outside as well.
        let _ = setsid();
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        limit(Resource::Core, 0);
        limit(Resource::Cpu, seconds);
        if address_space {
            limit(Resource::As, memory * 2);
        }
        if isolate {
            set_stack(if deep_stack { DEEP_STACK } else { USUAL_STACK });
            limit(Resource::Fsize, if writable.is_some() { LARGEST_FILE } else { 0 });
            // SAFETY: the child has one thread, and shares no descriptor table that it would lose.
            unsafe {
                if unshare_unsafe(UnshareFlags::NEWNET).is_err() {
                    let _ = unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNET);
                }
            }
            forbid_writing(writable);
        }
        Ok(())
    };
    // SAFETY: the closure allocates nothing and touches no lock.
    unsafe { command.pre_exec(apply) };
}

fn limit(resource: Resource, value: u64) {
    let _ = setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) });
}

/// Deep recursion that the interpreter could follow must not die of a small stack, unless that is the question.
fn set_stack(wanted: u64) {
    let limit = getrlimit(Resource::Stack);
    let current = Some(limit.maximum.map_or(wanted, |most| most.min(wanted)));
    let _ = setrlimit(Resource::Stack, Rlimit { current, ..limit });
}

/// What Landlock wants to know of a directory with rights.
#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: libc::c_int,
}

/// Landlock, first version of its interface: no access right that changes the file system, anywhere but there. Called by number,
/// because the crate for it allocates, which a child must not between fork and exec.
fn forbid_writing(writable: Option<RawFd>) {
    const CREATE_RULESET: libc::c_long = 444;
    const ADD_RULE: libc::c_long = 445;
    const RESTRICT_SELF: libc::c_long = 446;
    // WRITE_FILE, and from REMOVE_DIR to MAKE_SYM.
    let handled: u64 = 1 << 1 | (4..=12).fold(0, |bits, bit| bits | 1 << bit);
    // SAFETY: the kernel reads the two structures, which live, and nothing else of ours.
    unsafe {
        let ruleset = libc::syscall(CREATE_RULESET, &handled, size_of::<u64>(), 0);
        if ruleset >= 0 {
            if let Some(parent) = writable {
                let rule = PathBeneath { allowed: handled, parent };
                libc::syscall(ADD_RULE, ruleset, 1, &rule, 0);
            }
            let _ = set_no_new_privs(true);
            libc::syscall(RESTRICT_SELF, ruleset, 0);
            libc::close(ruleset as libc::c_int);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(time: Duration, isolate: bool) -> Limits {
        Limits { time, memory_bytes: 256 << 20, address_space: true, isolate, writable: None, deep_stack: true }
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
