//! The portfolio, `--engine auto`: runs the engines that suit a task, each in its own process, which is forked after
//! the program has been read. `plan` chooses the engines and their order, `member` runs one of them, `combine` merges
//! their answers, property by property. There are never more running engines than cores; if there are more engines,
//! they take turns, and the time of one that gave up goes to the others. As soon as every property is decided, the
//! remaining engines are ended. Contradictory answers are never reported: they mean that an engine has a bug, and the
//! user is asked to report it. With `--agree`, which waits for all engines, the report also has the answer of each, and
//! warnings about rejected answers and crashed engines.
//!
//! The members share the memory limit: if they use more together, the largest of them is ended.

pub(crate) mod combine;
mod member;
mod message;
mod plan;

use crate::answer::Answer;
use crate::engines;
use crate::error::Error;
use crate::prepare::Prepared;
use crate::session::Standing;
use crate::supervise::is_near;
use combine::{combine, contradiction, decides, decides_one, faults, leaves_only, time_is_over};
use fathom_base::process::MemoryKills;
use fathom_engine::{Engine, Language};
use fathom_ir::Property;
use member::{Member, seeks};
use message::{Claim, settles};
use plan::{Kind, Pace, Plan};
use rustix::process::Signal;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// How long the coordinator sleeps between looks.
const PAUSE: Duration = Duration::from_millis(10);

/// How long members may take to end when the time is over; then who has answered is heard.
const PATIENCE: Duration = Duration::from_millis(200);

/// How long the other members stay suspended while an answer that would decide everything is checked.
const CHECK_PATIENCE: Duration = Duration::from_secs(3);
/// How much computing time those who look get for what is only looked for, when the rest is decided: this, or so much of the
/// time that the rest took. On a machine that has much else to do that takes longer, but not many times as long.
const LEAST_WAIT: Duration = Duration::from_millis(500);
const WAIT_PERCENT: u32 = 25;
const LONGEST_WAIT: u32 = 10;
/// The least computing time of an engine that only finds violations, when all others have answered: enough for some
/// hundreds of runs.
const LEAST_SEARCH: Duration = Duration::from_millis(100);

/// Runs the portfolio and returns the answer to report.
pub(crate) fn run(prepared: &Prepared<'_>) -> Result<Answer, Error> {
    let (program, properties) = (&prepared.program, &prepared.properties);
    let plan = Plan::read(prepared.config.portfolio.as_deref())?;
    let order = plan.order(Language::of(properties), Kind::of(program, properties));
    let mut engines = Vec::new();
    for name in order {
        engines.push(engines::engine(name, prepared.config).map_err(Error::Usage)?);
    }
    engines.retain(|engine| engine.suits(program, &prepared.asked(engine.as_ref())));
    let cores = prepared.config.cores.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let pace = plan.pace(cores, prepared.config.timeout);
    let (members, notes, memory_kills) = (Vec::new(), Vec::new(), MemoryKills::now());
    Coordinator {
        prepared,
        pace,
        waiting: &engines,
        members,
        notes,
        begin: Instant::now(),
        rest_known: None,
        told_to_stop: false,
        memory_kills,
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
    begin: Instant,
    /// How long it took until all was decided but what is only looked for, and the computing time of those who look by then.
    rest_known: Option<(Duration, Duration)>,
    told_to_stop: bool,
    /// How often the kernel had ended a process for want of memory when this began.
    memory_kills: MemoryKills,
}

impl Coordinator<'_> {
    fn run(mut self) -> Result<Answer, Error> {
        loop {
            self.share_cores()?;
            let news = self.hear();
            if news > 0
                && let Some(answer) = self.judge()?
            {
                return Ok(answer);
            }
            self.end_vain_search();
            if self.is_over() {
                return self.last_word();
            }
            if let Some(answer) = self.in_haste().or_else(|| self.without_sought()) {
                return Ok(answer);
            }
            if !self.told_to_stop && self.prepared.session.is_cancelled() {
                self.told_to_stop = true;
                self.members.iter_mut().for_each(Member::cancel);
            }
            self.relieve_memory();
            self.tell();
            std::thread::sleep(PAUSE);
        }
    }

    /// Takes in what the members say; how many said something. One that somebody else ended is a part of the answer: what it
    /// would have found is missing.
    fn hear(&mut self) -> usize {
        let mut news = 0;
        for member in self.members.iter_mut().filter(|member| member.is_running()) {
            news += usize::from(member.hear());
            if member.is_running() {
                continue;
            }
            let killed = Signal::KILL.as_raw();
            match member.ended_by() {
                None => {}
                Some(signal) if signal == killed && MemoryKills::happened_since(self.memory_kills) => {
                    self.notes.push(format!("{} was ended by the system for want of memory", member.engine));
                }
                Some(signal) if signal == killed => self.notes.push(format!("{} was killed from outside (SIGKILL)", member.engine)),
                Some(signal) => self.notes.push(format!("{} crashed (signal {signal}); please report this", member.engine)),
            }
        }
        news
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
        let pace = self.pace;
        let waits = !self.waiting.is_empty() || self.members.iter().any(Member::is_suspended);
        // A member that is checking its answer keeps its core; if that decides everything, the others need not
        // continue.
        let is_settled = self.awaits_last_check();
        let all_help = self.rest_known.is_none();
        for member in self.members.iter_mut().filter(|member| member.is_active() && member.claim().is_none()) {
            let helps = all_help || member.seeks;
            if is_settled || !helps || (waits && member.turn() >= pace.turn(member.turns)) {
                member.suspend();
            }
        }
        if is_settled {
            self.members.iter_mut().filter(|member| member.claim().is_some()).for_each(Member::resume);
            return Ok(());
        }
        loop {
            let active = self.members.iter().filter(|member| member.is_active()).count();
            if !self.pace.has_core(active, self.begin.elapsed()) || !self.start_turn()? {
                return Ok(());
            }
        }
    }

    /// The next turn is that of an engine that had none; then of the one that had the fewest, in the order of the plan.
    /// False if no member waits.
    fn start_turn(&mut self) -> Result<bool, Error> {
        while let Some((next, rest)) = self.waiting.split_first() {
            self.waiting = rest;
            if self.helps(seeks(self.prepared, next.as_ref())) {
                self.members.push(Member::start(self.prepared, next.as_ref())?);
                return Ok(true);
            }
        }
        let all_help = self.rest_known.is_none();
        let waits = |member: &&mut Member| member.is_suspended() && (all_help || member.seeks);
        let next = self.members.iter_mut().filter(waits).min_by_key(|member| member.turns);
        Ok(next.map(Member::resume).is_some())
    }

    /// Whether what members are checking, together with what is known, decides everything if it stands. Who takes long to
    /// check is not waited for.
    fn awaits_last_check(&self) -> bool {
        let config = self.prepared.config;
        let claims: Vec<&Claim> =
            self.members.iter().filter_map(Member::claim).filter(|(_, time)| *time < CHECK_PATIENCE).map(|(claim, _)| claim).collect();
        if claims.is_empty() || config.agree {
            return false;
        }
        let known = combine(&self.answers());
        let is_known = |property: &Property| known.as_ref().is_some_and(|answer| decides_one(answer, *property));
        let open = self.prepared.properties.iter().filter(|property| !is_known(property)).map(|property| property.name());
        settles(&claims, open, self.prepared.one_is_enough)
    }

    /// Says how far the first engine in the order of the plan is that has a core; one that checks an answer comes before all.
    fn tell(&self) {
        let mut active = self.members.iter().filter(|member| member.is_active());
        let at_work = active.clone().count();
        let listener = &self.prepared.session.listener;
        let engines = self.waiting.len() + self.running();
        let violated = self.violated();
        if let Some(leader) = active.clone().find(|member| member.claim().is_some()) {
            let known = violated.map_or(String::new(), |property| format!("{property} is violated  "));
            listener.phase(&format!("{known}{at_work} of {engines} engines  {}: checking the answer again", leader.engine));
        } else if let Some(leader) = active.next() {
            listener.progress(&Standing { engine: leader.engine, progress: &leader.board.progress(), at_work, engines, violated });
        }
    }

    /// A property that was found to be violated, while the others are being decided.
    fn violated(&self) -> Option<&str> {
        let found = self.answers().into_iter().flat_map(|answer| &answer.report.properties);
        found.filter(|property| property.violation.is_some()).map(|property| property.property.as_str()).next()
    }

    fn answers(&self) -> Vec<&Answer> {
        self.members.iter().filter_map(|member| member.found.as_ref()).collect()
    }

    /// The answer, if everything is decided and not all members are to be waited for.
    fn judge(&mut self) -> Result<Option<Answer>, Error> {
        let answers = self.answers();
        if let Some((property, said)) = contradiction(&answers) {
            return Err(Error::Contradiction { property, said });
        }
        let config = self.prepared.config;
        let Some(combined) = combine(&answers).filter(|_| !config.agree) else { return Ok(None) };
        if decides(&combined, self.prepared.one_is_enough) {
            return Ok(Some(self.finished(combined)));
        }
        if self.rest_known.is_none() && leaves_only(&combined, self.prepared.sought()) {
            self.rest_known = Some((self.begin.elapsed(), self.looked()));
        }
        Ok(None)
    }

    /// The answer so far, if only properties are open that the user did not ask for, and their time is over.
    fn without_sought(&mut self) -> Option<Answer> {
        let (known, looked) = self.rest_known?;
        let wait = LEAST_WAIT.max(known * WAIT_PERCENT / 100);
        let nobody_looks = !self.members.iter().any(|member| member.seeks && member.is_running()) && !self.may_start_more();
        let looked_enough = self.looked().saturating_sub(looked) >= wait || self.begin.elapsed() >= known + wait * LONGEST_WAIT;
        // A member that has found something is waited for.
        if !(looked_enough || nobody_looks) || self.members.iter().any(|member| member.claim().is_some()) {
            return None;
        }
        let answer = combine(&self.answers())?;
        Some(self.finished(answer))
    }

    /// The computing time of those who decide what is only looked for.
    fn looked(&self) -> Duration {
        self.members.iter().filter(|member| member.seeks).map(Member::computed).sum()
    }

    /// Whether an engine could start that helps with what is open.
    fn may_start_more(&self) -> bool {
        self.waiting.iter().any(|engine| self.helps(seeks(self.prepared, engine.as_ref())))
    }

    /// Whether one that looks or does not look for what is only looked for can still say something new.
    fn helps(&self, seeks: bool) -> bool {
        seeks || self.rest_known.is_none()
    }

    /// Whether no member will send anything more.
    fn is_over(&self) -> bool {
        (self.waiting.is_empty() || self.told_to_stop) && self.running() == 0
    }

    /// With `--agree`, ends those who can only find violations when all others have ended and have decided everything: after as
    /// long as the longest of the others took, since they look until their time is over.
    fn end_vain_search(&mut self) {
        let others_are_done = self.waiting.is_empty() && !self.members.iter().any(|member| member.is_running() && member.proves);
        if !self.prepared.config.agree || !others_are_done || self.running() == 0 {
            return;
        }
        let is_decided = combine(&self.answers()).is_some_and(|answer| decides(&answer, self.prepared.one_is_enough));
        let longest = self.members.iter().filter(|member| member.proves).map(Member::worked).max().unwrap_or_default();
        if is_decided {
            let in_vain =
                |member: &&mut Member| member.is_active() && member.claim().is_none() && member.computed() >= LEAST_SEARCH.max(longest);
            self.members.iter_mut().filter(in_vain).for_each(Member::end);
        }
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

    /// The answer when all members have ended.
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

    /// Lists what each engine found, and warns of signs of a bug even if another engine's answer is reported.
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
        answer.report.members = self.members.iter().map(Member::report).collect();
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
