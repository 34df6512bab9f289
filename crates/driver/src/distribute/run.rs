//! Runs one task, in its own directory and as a separate `fathom verify` process, so whatever happens to that process
//! affects only this task. A result is written only if it does not depend on this machine; if the machine is to blame
//! (a killed process, a full disk, no clang), the task is to be tried again.

use super::running::Running;
use super::{directory_of, tool};
use crate::config::AUTO;
use crate::error::Error;
use crate::session::Session;
use fathom_distribute::{Bundle, FactStore, Parts, Plan, PlanError, Task, TaskResult};
use fathom_report::{ErrorKind, Report};
use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};
use std::fs::File;
use std::num::NonZeroUsize;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Which task is to be done.
#[derive(Clone, Debug)]
pub struct RunConfig {
    /// The directory of the plan, or its `plan.jsonl`.
    pub plan: PathBuf,
    /// A number from 1, or the beginning of an id.
    pub task: String,
    /// The folder for the result, if not the plan's own.
    pub results: Option<PathBuf>,
    /// Where tasks leave facts for each other.
    pub facts: Option<PathBuf>,
    /// How many cores the task may use, if not all.
    pub cores: Option<NonZeroUsize>,
    /// The program that understands `verify`: Fathom itself.
    pub fathom: PathBuf,
}

/// What became of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// There is a result.
    Finished {
        /// What the task is called.
        name: String,
        /// Its verdict.
        verdict: String,
        /// Where the result lies.
        path: PathBuf,
        /// It was there already.
        was_done: bool,
        /// How many parts of it are tasks of their own.
        handed_on: usize,
    },
    /// Nothing was found out, for a reason that lies with this machine.
    Retry {
        /// The reason.
        why: String,
    },
    /// The user interrupted it.
    Interrupted,
}

/// How long a run may go on after its time before it is ended from here: it watches itself, so this is for when that fails.
const GRACE: Duration = Duration::from_secs(120);
/// How long a run that is asked to end may take.
const ENDING: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(10);

/// Does a task, unless its result is there.
pub fn run_task(config: &RunConfig, session: &Session) -> Result<Ran, Error> {
    let path = Plan::path(&config.plan);
    let plan = Plan::read(&path, &tool())?;
    let directory = directory_of(&config.plan);
    let parts = Parts::of(&directory);
    let task = match parts.task(&plan, &config.task)? {
        Some(part) => part,
        None => plan.task(&path, &config.task)?.clone(),
    };
    let task = &task;
    if let Some(facts) = &config.facts {
        // A wrong name is no result of the task.
        FactStore::open(facts, &task.id, tool()).map_err(|error| Error::Usage(format!("--facts: {error}")))?;
    }
    let folder = config.results.clone().unwrap_or_else(|| TaskResult::folder(&directory));
    // The parts that a result hands on are found beside it by whoever does them.
    let finished = |report: &Report, was_done| {
        let handed_on = Parts::handed_on(report);
        if let Err(error) = parts.add(&plan, task, &handed_on) {
            return Ran::Retry { why: error.to_string() };
        }
        let (name, verdict, path) = (task.name.clone(), report.verdict.clone(), folder.join(task.result_name()));
        Ran::Finished { name, verdict, path, was_done, handed_on: handed_on.len() }
    };
    if let Some(done) = TaskResult::of(&folder, &plan, task) {
        return Ok(finished(&done.report, true));
    }
    if task.needs_clang() && fathom_clang::found().is_none() {
        let why = "this machine has no clang 19, which programs in C need; `fathom doctor` says how to install it";
        return Ok(Ran::Retry { why: why.into() });
    }
    let place = match tempfile::tempdir() {
        Ok(place) => place,
        Err(error) => return Ok(Ran::Retry { why: format!("no temporary directory can be made: {error}") }),
    };
    let program = place.path().join("program");
    match Bundle::of(&directory).unpack(task, &program) {
        Err(error @ PlanError::Unwritable { .. }) => return Ok(Ran::Retry { why: error.to_string() }),
        other => other?,
    }
    session.listener.phase(&task.name);
    let running = match Running::begin(&directory, &plan, task) {
        Ok(running) => running,
        Err(why) => return Ok(Ran::Retry { why }),
    };
    let report = match verify(config, task, place.path(), &program, running.as_ref(), session) {
        Ok(report) => report,
        Err(ran) => return Ok(ran),
    };
    Ok(match TaskResult::write(&folder, &plan, task, &report) {
        Ok(_) => {
            running.into_iter().for_each(Running::end);
            finished(&report, false)
        }
        Err(error) => Ran::Retry { why: error.to_string() },
    })
}

/// The report of `fathom verify`, or what became of the task without one.
fn verify(
    config: &RunConfig,
    task: &Task,
    place: &Path,
    program: &Path,
    running: Option<&Running<'_>>,
    session: &Session,
) -> Result<Report, Ran> {
    let retry = |why: String| Ran::Retry { why };
    let file = |name: &str| File::create(place.join(name)).map_err(|error| retry(format!("{name} can't be written: {error}")));
    let mut command = Command::new(&config.fathom);
    command.arg("verify").args(task.question.arguments()).current_dir(program);
    if let Some(running) = running {
        command.arg("--share").arg(running.path());
    }
    if let Some(facts) = &config.facts {
        // The run has a directory of its own.
        command.arg("--facts").arg(std::path::absolute(facts).unwrap_or_else(|_| facts.clone()));
    }
    if let (Some(cores), AUTO) = (config.cores, task.question.engine.as_str()) {
        command.arg("--cores").arg(cores.to_string());
    }
    command.stdin(Stdio::null()).stdout(file("report.json")?).stderr(file("messages")?);
    // SAFETY: between fork and exec there is one system call, which touches nothing of the parent.
    unsafe { command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::TERM))?)) };
    let mut child = command.spawn().map_err(|error| retry(format!("{} can't be started: {error}", config.fathom.display())))?;
    let ends_by = Instant::now() + Duration::from_millis(task.question.timeout_ms) + GRACE;
    let status = wait(&mut child, ends_by, running, session);
    if session.is_cancelled() {
        return Err(Ran::Interrupted);
    }
    let status = status.ok_or_else(|| retry("the run did not end in time and was ended".into()))?;
    let messages = std::fs::read(place.join("messages")).unwrap_or_default();
    let messages = String::from_utf8_lossy(&messages);
    let last = messages.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    let text = std::fs::read(place.join("report.json")).unwrap_or_default();
    let report: Report =
        serde_json::from_slice(&text).map_err(|_| retry(format!("the run ended with {status} and without a report: {last}")))?;
    match &report.error {
        Some(error) if matches!(error.kind, ErrorKind::Other | ErrorKind::Interrupted) => Err(retry(error.message.clone())),
        // A run that is told to end tells what it has, which is less than it would have found.
        _ if status.code() == Some(INTERRUPTED) => Err(retry("the run was ended from outside".into())),
        _ => Ok(report),
    }
}

/// The exit code of a run that was interrupted.
const INTERRUPTED: i32 = 23;

fn wait(child: &mut Child, ends_by: Instant, running: Option<&Running<'_>>, session: &Session) -> Option<ExitStatus> {
    let mut asked: Option<Instant> = None;
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if asked.is_none() && (session.is_cancelled() || Instant::now() > ends_by) {
            asked = Some(Instant::now());
            if let Some(pid) = Pid::from_raw(child.id().cast_signed()) {
                let _ = kill_process(pid, Signal::TERM);
            }
        }
        if asked.is_some_and(|since| since.elapsed() > ENDING) {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        running.into_iter().for_each(Running::look);
        std::thread::sleep(PAUSE);
    }
}
