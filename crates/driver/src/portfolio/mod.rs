//! `auto`: the engines that suit a task, each in a process of its own, forked when the program has been read, so that
//! reading it costs once. `plan` says which and in which order, `member` runs one of them, `combine` makes one answer of
//! theirs, property by property. There are never more of them at work than cores: where others wait, they take turns, and
//! the time of one that gave up goes to the rest. As soon as the answer is decided, the others are ended. Answers that contradict each other are
//! never told: that is a bug in an engine, and the user is asked to report it. Who waits for all of them (`--agree`) is also
//! told what each found, and warned of answers that the check refused and of engines that crashed.
//!
//! The members share one limit of memory: while they use more together, the largest of them is ended.

pub(crate) mod combine;
mod member;
mod plan;

use crate::answer::Answer;
use crate::engines;
use crate::error::Error;
use crate::prepare::Prepared;
use crate::supervise::is_near;
use combine::{combine, contradiction, decides, faults, time_is_over};
use fathom_base::process::MemoryKills;
use fathom_engine::{Engine, Language};
use member::Member;
use plan::{Kind, Pace, Plan};
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
    let pace = plan.pace(cores, prepared.config.timeout);
    let (members, notes, memory_kills) = (Vec::new(), Vec::new(), MemoryKills::now());
    Coordinator { prepared, pace, waiting: &engines, members, notes, begin: Instant::now(), told_to_stop: false, memory_kills }.run()
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
    begin: Instant,
    told_to_stop: bool,
    /// How often the kernel had ended a process for want of memory when this began.
    memory_kills: MemoryKills,
}

impl Coordinator<'_> {
    fn run(mut self) -> Result<Answer, Error> {
        loop {
            self.share_cores()?;
            let news = self.members.iter_mut().filter_map(|member| member.hear().then_some(())).count();
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
                self.members.iter_mut().for_each(Member::cancel);
            }
            self.relieve_memory();
            std::thread::sleep(PAUSE);
        }
    }

    fn running(&self) -> usize {
        self.members.iter().filter(|member| member.is_running()).count()
    }

    /// Ends turns that are over, and gives cores that are free to the next in line. When the time is over everybody may say
    /// a last word.
    fn share_cores(&mut self) -> Result<(), Error> {
        if self.told_to_stop || self.prepared.budget.exhausted().is_some() {
            self.members.iter_mut().for_each(Member::resume);
            return Ok(());
        }
        if !self.waiting.is_empty() || self.members.iter().any(Member::is_suspended) {
            let is_over = |member: &&mut Member| member.is_active() && member.turn() >= self.pace.turn(member.turns);
            self.members.iter_mut().filter(is_over).for_each(Member::suspend);
        }
        loop {
            let active = self.members.iter().filter(|member| member.is_active()).count();
            if !self.pace.has_core(active, self.begin.elapsed()) || !self.start_turn()? {
                return Ok(());
            }
        }
    }

    /// The next turn is that of an engine that had none; then of the one that had the fewest, in the order of the plan.
    /// False if nobody waits.
    fn start_turn(&mut self) -> Result<bool, Error> {
        if let Some((next, rest)) = self.waiting.split_first() {
            self.members.push(Member::start(self.prepared, next.as_ref(), self.members.is_empty())?);
            self.waiting = rest;
            return Ok(true);
        }
        let next = self.members.iter_mut().filter(|member| member.is_suspended()).min_by_key(|member| member.turns);
        Ok(next.map(Member::resume).is_some())
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
        let combined = combine(&answers).filter(|answer| decides(answer, self.prepared.one_is_enough)).filter(|_| !config.agree);
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
        // Each crashed, was ended because the memory limit was reached, or was killed from outside.
        let limit = self.prepared.config.memory;
        let short = MemoryKills::happened_since(self.memory_kills)
            || self.members.iter().any(|member| member.was_ended || is_near(member.most_bytes, limit));
        match self.members.iter_mut().any(Member::was_killed) {
            true if short => Err(Error::OutOfMemory),
            true => Err(Error::Killed),
            false => Err(Error::EveryEngineCrashed),
        }
    }

    /// Says what each found, and warns of what points to a fault although another engine's answer is told.
    fn compare(&mut self, answer: &mut Answer) {
        for member in &self.members {
            let engine = member.engine;
            let (found, faults) = match &member.found {
                Some(found) => {
                    let refused = faults(found).into_iter().map(|fault| format!("the check refused what {engine} found ({fault})"));
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
        self.members.iter_mut().for_each(Member::weigh);
        let total: u64 = self.members.iter().map(Member::bytes).sum();
        if total <= limit - limit / 20 || self.running() < 2 {
            return;
        }
        if let Some(largest) = self.members.iter_mut().max_by_key(|member| member.bytes()) {
            largest.end();
            self.notes.push(format!("{} was ended because the engines together reached the memory limit", largest.engine));
        }
    }
}
