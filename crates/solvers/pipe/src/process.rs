//! A child process with three threads: one feeds it (so that a child that stops reading can't block us), one cuts its
//! output into S-expressions, one keeps the end of its error stream. The caller waits for an answer on a
//! channel, with a deadline, and checks the cancellation flag meanwhile. Dropping kills the child, its descendants (it leads a
//! process group of its own), and reaps it.

use rustix::process::{Pid, Signal, kill_process_group, set_parent_process_death_signal};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often cancellation is checked while waiting.
const TICK: Duration = Duration::from_millis(20);
/// The most output that is read as one answer.
const MAX_ANSWER: usize = 1 << 28;
const MAX_LAST_WORDS: usize = 2000;

/// Why an answer did not come.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    Deadline,
    Cancelled,
    /// The process ended or could not be started; with the end of its error output.
    Died(String),
}

pub(crate) struct Process {
    child: Child,
    to_child: Sender<String>,
    from_child: Receiver<String>,
    last_words: Arc<Mutex<String>>,
    markers: u64,
}

impl Process {
    /// Starts a solver.
    pub fn start(executable: &Path, arguments: &[&str]) -> Result<Self, String> {
        let mut command = Command::new(executable);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        #[cfg(target_os = "linux")]
        // SAFETY: one system call, which is async-signal-safe and touches nothing of the parent.
        unsafe {
            command.pre_exec(|| {
                let _ = set_parent_process_death_signal(Some(Signal::KILL));
                Ok(())
            });
        }
        let failed = |error: std::io::Error| format!("{} cannot be started: {error}", executable.display());
        let mut child = command.spawn().map_err(failed)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{} has no pipes", executable.display()));
        };
        let (to_child, input) = channel();
        let (output, from_child) = channel();
        let last_words = Arc::new(Mutex::new(String::new()));
        let words = last_words.clone();
        thread::spawn(move || feed(stdin, input));
        thread::spawn(move || cut(BufReader::new(stdout), output));
        thread::spawn(move || listen(stderr, &words));
        Ok(Self { child, to_child, from_child, last_words, markers: 0 })
    }

    /// Sends commands and returns everything that is answered to them.
    pub fn ask(&mut self, commands: String, deadline: Option<Instant>, cancelled: &AtomicBool) -> Result<Vec<String>, Silence> {
        self.markers += 1;
        let marker = format!("fathom-{}", self.markers);
        // A dead child is noticed below, when its answers end.
        let _ = self.to_child.send(format!("{commands}(echo \"{marker}\")\n"));
        let mut answers = Vec::new();
        loop {
            if cancelled.load(Ordering::Relaxed) {
                return Err(Silence::Cancelled);
            }
            let now = Instant::now();
            let remaining = deadline.map_or(TICK, |deadline| deadline.saturating_duration_since(now));
            if remaining.is_zero() {
                return Err(Silence::Deadline);
            }
            match self.from_child.recv_timeout(remaining.min(TICK)) {
                Ok(answer) if answer.trim_matches('"') == marker => return Ok(answers),
                Ok(answer) => answers.push(answer),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Died(self.obituary(&answers))),
            }
        }
    }

    fn obituary(&mut self, answers: &[String]) -> String {
        let status = match self.child.try_wait() {
            Ok(Some(status)) => status.to_string(),
            _ => "it closed its output".to_string(),
        };
        // The thread that listens may need a moment to hear the end.
        thread::sleep(Duration::from_millis(5));
        let words = self.last_words.lock().map(|words| words.trim().to_string()).unwrap_or_default();
        let said = answers.last().cloned().unwrap_or_default();
        let mut text = format!("the process ended ({status})");
        for part in [said, words] {
            if !part.is_empty() {
                text.push_str(": ");
                text.push_str(&part);
            }
        }
        text
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The group is the child's own, and the child is not reaped yet.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn feed(mut stdin: impl Write, input: Receiver<String>) {
    while let Ok(commands) = input.recv() {
        if stdin.write_all(commands.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn listen(mut stderr: impl Read, last_words: &Mutex<String>) {
    let mut buffer = [0; 1024];
    while let Ok(count) = stderr.read(&mut buffer) {
        if count == 0 {
            return;
        }
        let Ok(mut words) = last_words.lock() else { return };
        words.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if words.len() > MAX_LAST_WORDS {
            let cut = (words.len() - MAX_LAST_WORDS..words.len()).find(|&at| words.is_char_boundary(at));
            words.drain(..cut.unwrap_or(0));
        }
    }
}

/// Cuts output into answers: words, strings and balanced lists.
fn cut(mut stdout: impl BufRead, output: Sender<String>) {
    let mut answer: Vec<u8> = Vec::new();
    let mut depth = 0usize;
    let mut inside: Option<u8> = None;
    loop {
        let chunk = match stdout.fill_buf() {
            Ok(chunk) if !chunk.is_empty() => chunk.to_vec(),
            _ => return,
        };
        stdout.consume(chunk.len());
        for byte in chunk {
            let mut ends = false;
            match (inside, byte) {
                (Some(mark), _) => {
                    answer.push(byte);
                    if byte == mark {
                        inside = None;
                        ends = depth == 0;
                    }
                }
                (None, b'"' | b'|') => {
                    inside = Some(byte);
                    answer.push(byte);
                }
                (None, b'(') => {
                    depth += 1;
                    answer.push(byte);
                }
                (None, b')') => {
                    depth = depth.saturating_sub(1);
                    answer.push(byte);
                    ends = depth == 0;
                }
                (None, _) if byte.is_ascii_whitespace() && depth == 0 => ends = true,
                (None, _) => answer.push(byte),
            }
            if ends && !answer.is_empty() {
                let text = String::from_utf8_lossy(&answer).into_owned();
                answer.clear();
                if output.send(text).is_err() {
                    return;
                }
            }
            if answer.len() > MAX_ANSWER {
                return;
            }
        }
    }
}
