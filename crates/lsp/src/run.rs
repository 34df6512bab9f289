//! One run of `fathom verify`, in its own process, so that a crash does not affect the server and a run can be
//! cancelled by killing the process. The thread that starts the process waits for it, so there are no zombies; and
//! since a child is killed when the thread that started it ends, all die with the server.

use fathom_report::Report;
use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a run that was cancelled may take to put things in order.
const GRACE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);

/// What came out of a run: its report, or why there is none.
pub type Outcome = Result<Box<Report>, String>;

/// A run that has ended.
#[derive(Debug)]
pub struct Finished {
    /// The number that the run was started with.
    pub number: u64,
    /// What came out.
    pub outcome: Outcome,
}

/// An active run.
pub struct Run {
    /// To tell runs apart.
    pub number: u64,
    shared: Arc<Mutex<Shared>>,
    thread: JoinHandle<()>,
    cancelled: Option<Instant>,
}

#[derive(Default)]
struct Shared {
    /// From its start until it was waited for.
    child: Option<Child>,
    is_cancelled: bool,
}

impl Run {
    /// Starts a run; `done` hears of its end.
    pub fn start<E: From<Finished> + Send + 'static>(number: u64, command: Command, done: Sender<E>) -> Self {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let of_thread = shared.clone();
        let thread = std::thread::spawn(move || {
            let outcome = finish(command, &of_thread);
            // Nobody listens once the server is about to end.
            let _ = done.send(Finished { number, outcome }.into());
        });
        Self { number, shared, thread, cancelled: None }
    }

    /// Asks the run to end. The second signal tells Fathom to do so at once.
    pub fn cancel(&mut self) {
        if self.cancelled.is_none() {
            self.cancelled = Some(Instant::now());
            let mut shared = lock(&self.shared);
            shared.is_cancelled = true;
            signal(&shared, &[Signal::TERM, Signal::INT]);
        }
    }

    /// Whether it was asked to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_some()
    }

    /// Ends what was asked to end and does not.
    pub fn insist(&self) {
        if self.cancelled.is_some_and(|since| since.elapsed() > GRACE) {
            signal(&lock(&self.shared), &[Signal::KILL]);
        }
    }

    /// Ends the run and waits for it.
    pub fn stop(mut self) {
        self.cancel();
        while !self.thread.is_finished() {
            self.insist();
            std::thread::sleep(PAUSE);
        }
        let _ = self.thread.join();
    }
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child that was not waited for yet keeps its process id, so no other process can be killed by mistake.
fn signal(shared: &Shared, signals: &[Signal]) {
    let Some(pid) = shared.child.as_ref().and_then(|child| Pid::from_raw(child.id().cast_signed())) else { return };
    for signal in signals {
        let _ = kill_process(pid, *signal);
    }
}

/// The thread's part: starts the process, reads what it prints and waits for its end.
fn finish(mut command: Command, shared: &Mutex<Shared>) -> Outcome {
    // Standard error goes where the server's goes: editors keep it as a log.
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    // SAFETY: between fork and exec there is one system call, which touches nothing of the parent.
    unsafe { command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::TERM))?)) };
    let mut stdout = {
        let mut shared = lock(shared);
        if shared.is_cancelled {
            return Err("cancelled".into());
        }
        let mut child = command.spawn().map_err(|error| format!("{} can't be started: {error}", command.get_program().display()))?;
        let stdout = child.stdout.take();
        shared.child = Some(child);
        stdout
    };
    let mut printed = Vec::new();
    let read = stdout.as_mut().map(|stdout| stdout.read_to_end(&mut printed));
    let status = loop {
        let mut shared = lock(shared);
        let ended = shared.child.as_mut().map(Child::try_wait);
        if let Some(Ok(Some(status))) = ended {
            shared.child = None;
            break status;
        }
        drop(shared);
        std::thread::sleep(PAUSE);
    };
    match (read, serde_json::from_slice(&printed)) {
        (Some(Err(error)), _) => Err(format!("the report can't be read: {error}")),
        (_, Ok(report)) => Ok(Box::new(report)),
        (_, Err(error)) => Err(format!("fathom verify ended with {status} and without a report ({error})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_is_no_report_is_said_to_be_none() {
        let (done, told) = channel::<Finished>();
        let _run = Run::start(7, shell("echo hello; exit 5"), done.clone());
        let finished = told.recv().unwrap();
        let why = finished.outcome.unwrap_err();
        assert!(finished.number == 7 && why.contains("exit status: 5") && why.contains("without a report"), "{why}");
        let _run = Run::start(8, Command::new("/no/such/program"), done);
        assert!(told.recv().unwrap().outcome.unwrap_err().contains("/no/such/program can't be started"));
    }

    #[test]
    fn a_run_ends_when_it_is_told_to() {
        let (done, told) = channel::<Finished>();
        let start = Instant::now();
        let mut run = Run::start(1, shell("exec sleep 100"), done.clone());
        std::thread::sleep(Duration::from_millis(50));
        run.cancel();
        assert!(told.recv_timeout(Duration::from_secs(20)).unwrap().outcome.is_err());
        // Also before its process is there, and if it does not want to.
        Run::start(2, shell("exec sleep 100"), done.clone()).stop();
        Run::start(3, shell("trap '' TERM INT; while :; do sleep 0.1; done"), done).stop();
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(told.try_iter().count(), 2);
    }
}
