//! `auto`: the engines that suit a task, each in a process of its own, forked when the program has been read, so that
//! reading it costs once. `plan` says which and when, `member` runs one of them, `combine` makes one answer of theirs,
//! property by property. As soon as that decides, the others are ended. Answers that contradict each other are
//! never told: that is a bug in an engine, and the user is asked to report it. Who waits for all of them (`--agree`) is also
//! told what each found, and warned of answers that did not stand when they were checked and of engines that crashed.
//!
//! The members share one limit of memory: while they use more together, the largest of them is ended.

pub(crate) mod combine;
mod member;
mod plan;

use crate::answer::Answer;
use crate::engines;
use crate::error::Error;
use crate::prepare::Prepared;
use combine::{combine, contradiction, decides, faults, time_is_over};
use fathom_engine::{Engine, Language};
use member::Member;
use plan::{Kind, Pace, Plan, Standing};
use std::time::{Duration, Instant};

/// How long the coordinator sleeps between looks.
const PAUSE: Duration = Duration::from_millis(10);

/// How long members may take to end when the time is over; then who has answered is heard.
const PATIENCE: Duration = Duration::from_millis(200);

/// Runs the portfolio and gives the answer that is to be told.
pub(crate) fn run(prepared: &Prepared<'_>) -> Result<Answer, Error> {
    let (program, properties) = (&prepared.program, &prepared.properties);
    let plan = Plan::read()?;
    let order = plan.order(Language::of(properties), Kind::of(program, properties));
    let mut engines = Vec::new();
    for name in order {
        engines.push(engines::engine(name, prepared.config).map_err(Error::Usage)?);
    }
    engines.retain(|engine| engine.suits(program, &prepared.asked(engine.as_ref())));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let now = Instant::now();
    let pace = plan.pace(cores);
    let members = Vec::new();
    Coordinator {
        prepared,
        pace,
        waiting: &engines,
        members,
        notes: Vec::new(),
        freed: 0,
        begin: now,
        last_start: now,
        told_to_stop: false,
    }
    .run()
}

/// Starts, hears and ends the members.
struct Coordinator<'a> {
    prepared: &'a Prepared<'a>,
    pace: Pace,
    /// Engines that have not started, the next one first.
    waiting: &'a [Box<dyn Engine>],
    members: Vec<Member>,
    /// What the user should know of how it went.
    notes: Vec<String>,
    /// Members that gave up and whose place nobody has taken yet.
    freed: usize,
    begin: Instant,
    last_start: Instant,
    told_to_stop: bool,
}

impl Coordinator<'_> {
    fn run(mut self) -> Result<Answer, Error> {
        loop {
            self.start_next()?;
            let running = self.running();
            let news = self.members.iter_mut().filter_map(|member| member.hear().then_some(())).count();
            self.freed += running - self.running();
            if news > 0
                && let Some(answer) = self.judge()?
            {
                return Ok(answer);
            }
            if self.is_over() {
                return self.last_word();
            }
            if let Some(answer) = self.in_haste() {
                return Ok(answer);
            }
            if !self.told_to_stop && self.prepared.session.is_cancelled() {
                self.told_to_stop = true;
                self.members.iter().for_each(Member::cancel);
            }
            self.relieve_memory();
            std::thread::sleep(PAUSE);
        }
    }

    fn running(&self) -> usize {
        self.members.iter().filter(|member| member.is_running()).count()
    }

    fn start_next(&mut self) -> Result<(), Error> {
        let now = Standing {
            running: self.running(),
            freed: self.freed,
            since_begin: self.begin.elapsed(),
            since_last_start: self.last_start.elapsed(),
        };
        let Some((next, rest)) = self.waiting.split_first() else { return Ok(()) };
        if self.told_to_stop || !self.pace.is_due(now) {
            return Ok(());
        }
        self.members.push(Member::start(self.prepared, next.as_ref(), self.members.is_empty())?);
        self.waiting = rest;
        self.freed = self.freed.saturating_sub(1);
        self.last_start = Instant::now();
        Ok(())
    }

    fn answers(&self) -> Vec<&Answer> {
        self.members.iter().filter_map(|member| member.found.as_ref()).collect()
    }

    /// The answer, if what is known decides and nobody wants to hear the others.
    fn judge(&mut self) -> Result<Option<Answer>, Error> {
        let answers = self.answers();
        if let Some((property, said)) = contradiction(&answers) {
            return Err(Error::Contradiction { property, said });
        }
        let config = self.prepared.config;
        let combined = combine(&answers).filter(|answer| decides(answer, config.first)).filter(|_| !config.agree);
        Ok(combined.map(|answer| self.finished(answer)))
    }

    /// Whether nobody will say anything more.
    fn is_over(&self) -> bool {
        (self.waiting.is_empty() || self.told_to_stop) && self.running() == 0
    }

    /// What is known, if the time is over and members still take their time to end: many of them end at once then.
    fn in_haste(&mut self) -> Option<Answer> {
        let (session, config) = (self.prepared.session, self.prepared.config);
        if session.start.elapsed() < config.timeout + PATIENCE || config.agree {
            return None;
        }
        let mut answer = combine(&self.answers())?;
        time_is_over(&mut answer, &self.prepared.properties);
        Some(self.finished(answer))
    }

    /// What there is to say when everybody is done.
    fn last_word(&mut self) -> Result<Answer, Error> {
        if let Some(mut answer) = combine(&self.answers()) {
            if self.prepared.config.agree {
                self.compare(&mut answer);
            }
            return Ok(self.finished(answer));
        }
        // Each crashed or was ended for want of memory.
        match self.members.iter_mut().any(Member::was_killed) {
            true => Err(Error::OutOfMemory),
            false => Err(Error::EveryEngineCrashed),
        }
    }

    /// Says what each found, and warns of what points to a fault although another engine's answer is told.
    fn compare(&mut self, answer: &mut Answer) {
        for member in &self.members {
            let engine = member.engine;
            let (found, faults) = match &member.found {
                Some(found) => {
                    let refused = faults(found).into_iter().map(|fault| format!("what {engine} found did not stand ({fault})"));
                    (found.report.verdict.clone(), refused.collect())
                }
                None if member.was_ended => ("ended".to_string(), Vec::new()),
                None => ("crashed".to_string(), vec![format!("{engine} crashed")]),
            };
            answer.report.engines.push(format!("{engine}: {found}"));
            self.notes.extend(faults.iter().map(|fault| format!("{fault}; please report this with the program")));
        }
    }

    fn finished(&mut self, mut answer: Answer) -> Answer {
        // Large processes take a moment to end.
        self.prepared.session.listener.answering();
        answer.report.warnings.append(&mut self.notes);
        answer.report.run.seconds = self.prepared.session.start.elapsed().as_secs_f64();
        answer
    }

    /// While the members use more than there is together, the largest one is ended.
    fn relieve_memory(&mut self) {
        let limit = self.prepared.config.memory;
        let total: u64 = self.members.iter().map(Member::bytes).sum();
        if total <= limit - limit / 20 || self.running() < 2 {
            return;
        }
        if let Some(largest) = self.members.iter_mut().max_by_key(|member| member.bytes()) {
            largest.end();
            self.freed += 1;
            self.notes.push(format!("{} was ended for want of memory", largest.engine));
        }
    }
}
