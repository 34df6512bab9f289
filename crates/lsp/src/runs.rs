//! The queue of runs. A program has at most one run at a time: a newer request ends the older run and waits for its
//! end, because both write into the same directory. Saved files have priority over files that were only opened.

use crate::run::{Finished, Outcome, Run};
use lsp_server::RequestId;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::Sender;
use std::time::Instant;

/// The number of concurrent runs, so that a long run does not delay that of another saved file.
const AT_ONCE: usize = 2;

/// A question about a program.
#[derive(Debug)]
pub struct Job {
    /// The number of the program.
    pub program: usize,
    /// The words behind `fathom`.
    pub arguments: Vec<std::ffi::OsString>,
    /// Where it runs.
    pub directory: PathBuf,
    /// What people see of it.
    pub title: String,
    /// Requests that wait for the answer.
    pub asked_by: Vec<RequestId>,
}

/// A run and the job that it does.
pub struct Active {
    /// The question.
    pub job: Job,
    /// The process.
    pub run: Run,
    /// When it began.
    pub start: Instant,
}

/// A question that was answered, or given up.
pub struct Done {
    /// The question.
    pub job: Job,
    /// The number of its run.
    pub number: u64,
    /// What came out; none if the run was cancelled.
    pub outcome: Option<Outcome>,
}

/// All runs.
pub struct Runs {
    fathom: PathBuf,
    waiting: VecDeque<Job>,
    active: Vec<Active>,
    started: u64,
}

impl Runs {
    /// Manages runs of this executable.
    pub fn new(fathom: PathBuf) -> Self {
        Self { fathom, waiting: VecDeque::new(), active: Vec::new(), started: 0 }
    }

    /// Asks a question, in place of older ones about the same program.
    pub fn ask(&mut self, mut job: Job, is_urgent: bool) {
        for older in self.active.iter_mut().filter(|active| active.job.program == job.program) {
            older.run.cancel();
            job.asked_by.append(&mut older.job.asked_by);
        }
        if let Some(at) = self.waiting.iter().position(|waiting| waiting.program == job.program) {
            job.asked_by.extend(self.waiting.remove(at).into_iter().flat_map(|older| older.asked_by));
        }
        match is_urgent {
            true => self.waiting.push_front(job),
            false => self.waiting.push_back(job),
        }
    }

    /// Starts what there is room for; the runs that were started.
    pub fn start_next<E: From<Finished> + Send + 'static>(&mut self, done: &Sender<E>) -> Vec<&Active> {
        let before = self.active.len();
        while self.active.len() < AT_ONCE {
            let is_free = |job: &Job| self.active.iter().all(|active| active.job.program != job.program);
            let Some(job) = self.waiting.iter().position(is_free).and_then(|at| self.waiting.remove(at)) else { break };
            self.started += 1;
            let mut command = Command::new(&self.fathom);
            command.args(&job.arguments).current_dir(&job.directory);
            let run = Run::start(self.started, command, done.clone());
            self.active.push(Active { job, run, start: Instant::now() });
        }
        self.active[before..].iter().collect()
    }

    /// The end of a run.
    pub fn finished(&mut self, finished: Finished) -> Option<Done> {
        let at = self.active.iter().position(|active| active.run.number == finished.number)?;
        let Active { job, run, .. } = self.active.remove(at);
        let outcome = (!run.is_cancelled()).then_some(finished.outcome);
        Some(Done { job, number: run.number, outcome })
    }

    /// Ends the runs that this is true of; questions that wait are given up at once.
    pub fn cancel(&mut self, mut is_meant: impl FnMut(&Job, Option<u64>) -> bool) -> Vec<Job> {
        for active in &mut self.active {
            if is_meant(&active.job, Some(active.run.number)) {
                active.run.cancel();
            }
        }
        let (gone, kept) = self.waiting.drain(..).partition(|job| is_meant(job, None));
        self.waiting = kept;
        gone.into()
    }

    /// The active runs; cancelled runs that do not end are killed.
    pub fn going_on(&self) -> impl Iterator<Item = &Active> {
        self.active.iter().inspect(|active| active.run.insist()).filter(|active| !active.run.is_cancelled())
    }

    /// Ends everything, and waits until it has.
    pub fn stop(&mut self) {
        self.waiting.clear();
        self.active.iter_mut().for_each(|active| active.run.cancel());
        self.active.drain(..).for_each(|active| active.run.stop());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    fn job(program: usize, script: &str, request: i32) -> Job {
        let arguments = ["-c", script].map(Into::into).to_vec();
        Job { program, arguments, directory: "/".into(), title: String::new(), asked_by: vec![request.into()] }
    }

    #[test]
    fn a_newer_question_ends_the_older_run() {
        let (done, told) = channel::<Finished>();
        let mut runs = Runs::new("sh".into());
        runs.ask(job(1, "exec sleep 100", 1), false);
        assert_eq!(runs.start_next(&done).len(), 1);
        runs.ask(job(1, "exit 3", 2), true);
        assert!(runs.start_next(&done).is_empty(), "one run of a program at a time");
        assert!(runs.going_on().next().is_none());
        let older = runs.finished(told.recv_timeout(Duration::from_secs(20)).unwrap()).unwrap();
        assert!(older.outcome.is_none() && older.job.asked_by.is_empty());
        assert_eq!(runs.start_next(&done).len(), 1);
        let newer = runs.finished(told.recv_timeout(Duration::from_secs(20)).unwrap()).unwrap();
        assert!(newer.outcome.is_some() && runs.active.is_empty());
        assert_eq!(newer.job.asked_by, [2.into(), 1.into()], "whoever asked first hears the newer answer");
    }

    #[test]
    fn what_is_urgent_comes_first() {
        let (done, _told) = channel::<Finished>();
        let mut runs = Runs::new("sh".into());
        (1..=4).for_each(|program| runs.ask(job(program, "exec sleep 100", 0), false));
        runs.ask(job(5, "exec sleep 100", 0), true);
        let started: Vec<usize> = runs.start_next(&done).iter().map(|active| active.job.program).collect();
        assert_eq!(started, [5, 1]);
        let gone: Vec<usize> = runs.cancel(|job, _| job.program == 3).iter().map(|job| job.program).collect();
        assert_eq!(gone, [3]);
        runs.stop();
        assert!(runs.active.is_empty());
    }
}
