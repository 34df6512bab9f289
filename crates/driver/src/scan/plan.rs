//! Chooses the entries to explore, and the properties to check. A program is entered at `main`; exported functions that
//! no main reaches are a library's interface, and are entries as well. The function of an alarm is explored, too,
//! whoever calls it: that is the quickest way to a proof, and shows which preconditions callers have to satisfy.

use crate::config::InputConfig;
use crate::scan::code_base::{CodeBase, Id};
use crate::scan::entry_run::{self, BadPointer, EntryJob, EntryResult, FoundViolation};
use crate::scan::judge::{Case, Explored, is_at, is_free_of_promises, promise};
use crate::scan::suspicions;
use crate::scan::workers::in_processes;
use crate::scan::{ScanConfig, build_id};
use crate::session::Session;
use fathom_ir::Property;
use fathom_scan::{Alarm, Class, FunctionReport, Place, Store, StoreUse, Verdict, VerdictKind, class_of_property, digest};
use glob::Pattern;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

/// Of the entries that lead to an alarm's function, so many are asked, the nearest first; mains always.
const NEAREST: usize = 3;
/// The time of an entry grows with its alarms up to so many.
const MOST_TIMES: u32 = 4;

/// A line of a file.
type Line = (String, u32);

/// An entry that is explored.
struct Job {
    entry: Id,
    reached: BTreeSet<Id>,
    /// Numbers of the alarms that it is asked about.
    asked: Vec<usize>,
    job: EntryJob,
}

/// Which entries are explored for which alarms.
pub(crate) struct Plan<'a> {
    code: &'a CodeBase,
    config: &'a ScanConfig,
    alarms: Vec<(Alarm, Option<Id>)>,
    real: BTreeSet<Id>,
    jobs: Vec<Job>,
    /// Entries that users have and that lead to an alarm, of which not all are asked.
    left_out: BTreeSet<usize>,
}

impl<'a> Plan<'a> {
    /// Chooses the entries to explore for these alarms.
    pub fn new(code: &'a CodeBase, alarms: Vec<Alarm>, config: &'a ScanConfig, changed: Option<&BTreeSet<usize>>) -> Self {
        let alarms = alarms.into_iter().map(|alarm| (code.function_at(&alarm.place.file, alarm.place.line), alarm));
        let alarms: Vec<(Alarm, Option<Id>)> = alarms.map(|(function, alarm)| (alarm, function)).collect();
        let mut plan = Self { code, config, alarms, real: BTreeSet::new(), jobs: Vec::new(), left_out: BTreeSet::new() };
        let (mains, exported) = plan.entries();
        plan.real = mains.union(&exported).copied().collect();
        let wanted = plan.wanted();
        let mut entries: BTreeSet<(Id, bool)> = wanted.keys().copied().collect();
        if config.per_function.is_some() {
            entries.extend(plan.real.iter().map(|id| (*id, false)));
        }
        for (entry, null) in entries {
            let reached = code.reached(entry);
            let is_unchanged = changed.is_some_and(|changed| !reached.iter().any(|(unit, _)| changed.contains(unit)));
            let asked = wanted.get(&(entry, null)).cloned().unwrap_or_default();
            if is_unchanged && asked.is_empty() {
                continue;
            }
            let job = plan.job(entry, null, &reached, &asked);
            plan.jobs.push(Job { entry, reached, asked, job });
        }
        plan
    }

    /// Functions that a program starts with, and those that a library gives to its users.
    fn entries(&self) -> (BTreeSet<Id>, BTreeSet<Id>) {
        let code = self.code;
        let is_own = |id: &Id| code.units.iter().any(|unit| unit.file.display().to_string() == code.symbol(*id).file);
        let mains: BTreeSet<Id> = code.functions().filter(|id| code.symbol(*id).name == "main").collect();
        let of_programs: BTreeSet<Id> = mains.iter().flat_map(|main| code.reached(*main)).collect();
        let is_offered =
            |id: &Id| !code.symbol(*id).is_internal && !mains.contains(id) && (self.config.library || !of_programs.contains(id));
        let exported = code.functions().filter(is_own).filter(is_offered).collect();
        (mains, exported)
    }

    /// Which entries are asked about which alarms; with null arguments where the alarm is about such pointers.
    fn wanted(&mut self) -> BTreeMap<(Id, bool), Vec<usize>> {
        let callers = self.code.mentioned_by();
        let mut wanted: BTreeMap<(Id, bool), Vec<usize>> = BTreeMap::new();
        for (number, (alarm, function)) in self.alarms.iter().enumerate() {
            let (Some(function), false) = (function, alarm.class == Class::Other) else { continue };
            let leading = self.leading(*function, &callers);
            let is_main = |id: &Id| self.code.symbol(*id).name == "main";
            let (mains, others): (Vec<Id>, Vec<Id>) = leading.into_iter().partition(is_main);
            if others.len() > NEAREST {
                self.left_out.insert(number);
            }
            let asked: BTreeSet<Id> = mains.into_iter().chain(others.into_iter().take(NEAREST)).chain([*function]).collect();
            asked.iter().for_each(|id| wanted.entry((*id, false)).or_default().push(number));
            if alarm.class == Class::Null && self.code.symbol(*function).name != "main" {
                wanted.entry((*function, true)).or_default().push(number);
            }
        }
        wanted
    }

    /// Entries that users have and that lead to a function, the nearest first.
    fn leading(&self, function: Id, callers: &BTreeMap<Id, Vec<Id>>) -> Vec<Id> {
        let (mut seen, mut waiting, mut found) = (BTreeSet::from([function]), VecDeque::from([function]), Vec::new());
        while let Some(id) = waiting.pop_front() {
            if self.real.contains(&id) {
                found.push(id);
            }
            let fresh: Vec<Id> = callers.get(&id).into_iter().flatten().copied().filter(|caller| seen.insert(*caller)).collect();
            waiting.extend(fresh);
        }
        found
    }

    fn job(&self, entry: Id, null: bool, reached: &BTreeSet<Id>, asked: &[usize]) -> EntryJob {
        let code = self.code;
        let symbol = code.symbol(entry);
        let is_main = symbol.name == "main";
        let own = code.units[entry.0].file.clone();
        let mut files = code.files(reached, entry);
        // The linker renames the second of two static functions, and then it would be the wrong one.
        let is_ambiguous = symbol.is_internal && code.functions().any(|id| id.0 != entry.0 && code.symbol(id).name == symbol.name);
        if is_ambiguous {
            files.truncate(1);
        }
        let is_state = |id: &Id| !code.symbol(*id).is_function && !code.symbol(*id).is_constant;
        let alarms: Vec<Alarm> = asked.iter().map(|number| self.alarms[*number].0.clone()).collect();
        let per_function = self.config.per_function.unwrap_or(self.config.per_alarm);
        let time = match u32::try_from(alarms.len()).unwrap_or(MOST_TIMES) {
            0 => per_function,
            count => self.config.per_alarm * count.min(MOST_TIMES),
        };
        EntryJob {
            entry: symbol.name.clone(),
            null,
            takes_structures: !is_main && symbol.takes_structures,
            keeps_memory: !is_main && !symbol.holds_result,
            has_state: !is_main && reached.iter().any(is_state),
            looks_for_own: !null && self.config.per_function.is_some() && self.real.contains(&entry),
            alarms,
            time,
            alone: (files.len() > 1).then(|| self.input(std::slice::from_ref(&own))),
            input: self.input(&files),
            memory: self.config.memory / self.config.jobs.max(1) as u64,
        }
    }

    /// The front end's configuration for these files.
    fn input(&self, files: &[PathBuf]) -> InputConfig {
        let of_build = |file: &PathBuf| !self.config.input.files.iter().any(|named| named.canonicalize().is_ok_and(|named| named == *file));
        let (of_build, named): (Vec<PathBuf>, Vec<PathBuf>) = files.iter().cloned().partition(of_build);
        InputConfig {
            compile_commands: self.config.input.compile_commands.clone().filter(|_| !of_build.is_empty()),
            target_files: of_build.iter().map(|file| Pattern::escape(&file.display().to_string())).collect(),
            files: named,
            ..self.config.input.clone()
        }
    }

    fn key(&self, job: &Job) -> String {
        let EntryJob { entry, null, keeps_memory, has_state, looks_for_own, alarms, time, .. } = &job.job;
        let alarms = serde_json::to_string(alarms).unwrap_or_default();
        let file = &self.code.symbol(job.entry).file;
        let about = format!("{null} {keeps_memory} {has_state} {looks_for_own} {time:?}");
        digest(&["entry", env!("CARGO_PKG_VERSION"), build_id(), file, entry, &about, &alarms, &self.code.hash(&job.reached)])
    }

    /// Explores what the store does not know. Results are in the order of the jobs; with what could not be written.
    pub fn run(&self, store: &Store, session: &Session) -> (Vec<EntryResult>, StoreUse, Option<String>) {
        let keys: Vec<String> = self.jobs.iter().map(|job| self.key(job)).collect();
        let mut results: Vec<Option<EntryResult>> = keys.iter().map(|key| store.get(key)).collect();
        let taken = results.iter().filter(|result| result.is_some()).count();
        // By their numbers among all, which are the same on every machine.
        let is_own = |index: &usize| self.config.share.is_none_or(|share| *index as u64 % share.of == share.number - 1);
        let mut left: Vec<usize> = (0..self.jobs.len()).filter(|index| results[*index].is_none()).collect();
        for others in left.extract_if(.., |index| !is_own(index)) {
            results[others] = Some(EntryResult::failed("left to another share of the scan"));
        }
        // What may take longest begins first, so that no core waits for it at the end.
        left.sort_by_key(|index| std::cmp::Reverse(self.jobs[*index].job.time));
        let (total, mut done, mut unwritten) = (left.len(), 0, None);
        let begun = std::time::Instant::now();
        session.listener.phase(&format!("{total} entries to be explored, {taken} from the store"));
        in_processes(
            &left,
            self.config.width(),
            session,
            |index| self.jobs[*index].job.time * entry_run::LONGEST_CONFIRMATION + entry_run::CONFIRMATION + suspicions::TIME,
            |index| entry_run::explore(&self.jobs[*index].job, session),
            |position, result| {
                let index = left[position];
                done += 1;
                let seconds = begun.elapsed().as_secs_f64() / f64::from(done) * (total as f64 - f64::from(done));
                session.listener.phase(&format!("{done} of {total} entries explored, about {seconds:.0} s left"));
                results[index] = Some(match result {
                    Ok(result) => {
                        let written = if result.ran_out_of_memory { Ok(()) } else { store.put(&keys[index], &result) };
                        unwritten = unwritten.take().or(written.err());
                        result
                    }
                    Err(lost) => EntryResult::failed(lost.reason()),
                });
            },
        );
        let results = results.into_iter().map(|result| result.unwrap_or_else(|| EntryResult::failed("interrupted"))).collect();
        (results, StoreUse { taken, made: total }, unwritten)
    }

    /// What became of each alarm.
    pub fn judged(&self, results: &[EntryResult]) -> Vec<(Alarm, Verdict)> {
        let judged = |(number, (alarm, function)): (usize, &(Alarm, Option<Id>))| {
            let verdict = match function {
                Some(function) => self.case(number, alarm, *function, results).verdict(self.code),
                None => Verdict::open(self.stranger(alarm)),
            };
            (alarm.clone(), verdict)
        };
        self.alarms.iter().enumerate().map(judged).collect()
    }

    /// Why an alarm is in no function that is known.
    fn stranger(&self, alarm: &Alarm) -> String {
        let file = &alarm.place.file;
        match () {
            () if !std::path::Path::new(file).is_file() => format!("there is no file {file}"),
            () if self.code.functions().any(|id| self.code.symbol(id).file == *file) => "it is in no function".into(),
            () => "its file is not part of the scan".into(),
        }
    }

    fn case<'b>(&'b self, number: usize, alarm: &'b Alarm, function: Id, results: &'b [EntryResult]) -> Case<'b> {
        let leads = |job: &Job| job.reached.iter().any(|id| self.code.is_same(*id, function));
        let mut explored = Vec::new();
        for (job, result) in self.jobs.iter().zip(results) {
            if !leads(job) {
                continue;
            }
            let asked = job.asked.iter().position(|asked| *asked == number);
            explored.push(Explored {
                entry: job.entry,
                name: &job.job.entry,
                is_real: self.real.contains(&job.entry),
                null: job.job.null,
                result,
                of_alarm: asked.and_then(|index| result.alarms.get(index)),
            });
        }
        // Those that were explored for other reasons may show it, but only those that were asked can refute it.
        explored.retain(|explored| explored.of_alarm.is_some() || !explored.result.seen.is_empty());
        Case { alarm, function, explored, left_out: self.left_out.contains(&number) }
    }

    /// What intervals suspect beside what is told already, once for each line and property.
    pub fn suspected(&self, results: &[EntryResult], told: &[(Alarm, Verdict)]) -> Vec<(Alarm, Verdict)> {
        let is_new = |place: &Place, class: Class| {
            let is_it =
                |(alarm, _): &(Alarm, Verdict)| (&alarm.place.file, alarm.place.line, alarm.class) == (&place.file, place.line, class);
            self.is_scanned(&place.file) && !told.iter().any(is_it)
        };
        let mut found: BTreeMap<(Line, &str), (Alarm, Verdict)> = BTreeMap::new();
        for (job, result) in self.jobs.iter().zip(results) {
            for (place, property) in &result.suspicions.places {
                let function = self.code.function_at(&place.file, place.line).map(|id| self.code.symbol(id).name.clone());
                let alarm = suspicions::alarm(place, property, function);
                if is_new(place, alarm.class) {
                    let why = result.why.as_deref().unwrap_or("not every path was followed");
                    let reason = format!("neither intervals nor the paths that were followed from {} exclude it: {why}", job.job.entry);
                    let line = (place.file.clone(), place.line);
                    found.entry((line, property)).or_insert_with(|| (alarm, Verdict::open(reason)));
                }
            }
        }
        found.into_values().collect()
    }

    /// The verdict on each entry as a whole.
    pub fn functions(&self, results: &[EntryResult]) -> Vec<FunctionReport> {
        let jobs = self.jobs.iter().zip(results).filter(|(job, _)| self.real.contains(&job.entry) && !job.job.null);
        let report = |(job, result): (&Job, &EntryResult)| {
            let symbol = self.code.symbol(job.entry);
            let shown = result.seen.iter().filter(|seen| seen.native.is_ok()).count();
            let (status, reason) = match &result.why {
                _ if shown > 0 => ("violated", format!("{shown} places that native runs show")),
                _ if !result.seen.is_empty() => ("open", "violations that no native run shows".into()),
                Some(why) => ("open", format!("{why}{}", result.suspicions.exclude_everything())),
                None if result.is_complete && result.is_bounded => ("proved within bounds", "every path was followed".into()),
                None if result.is_complete => ("proved", "every path was followed".into()),
                None => ("open", "not every path was followed".into()),
            };
            FunctionReport { name: symbol.name.clone(), file: symbol.file.clone(), line: symbol.line, status: status.into(), reason }
        };
        jobs.map(report).collect()
    }

    /// What exploring entries found beside the alarms of others: an alarm of Fathom's own per place and property.
    pub fn own_findings(&self, results: &[EntryResult], decided: &[(Alarm, Verdict)]) -> Vec<(Alarm, Verdict)> {
        let mut best: BTreeMap<(Place, Option<Place>, String), (Alarm, Verdict)> = BTreeMap::new();
        let jobs = self.jobs.iter().zip(results).filter(|(job, _)| self.real.contains(&job.entry) && !job.job.null);
        for (job, seen) in jobs.flat_map(|(job, result)| result.seen.iter().map(move |seen| (job, seen))) {
            let Some(place) = seen.places.first().filter(|place| self.is_scanned(&place.file)) else { continue };
            let is_kind = |alarm: &Alarm| alarm.class.properties().iter().any(|property| property.name() == seen.property);
            let is_told = |(alarm, verdict): &(Alarm, Verdict)| verdict.evidence.is_some() && is_kind(alarm) && is_at(seen, alarm);
            if decided.iter().any(is_told) {
                continue;
            }
            let finding = self.own_finding(job, seen, place);
            let key = (place.clone(), blamed_call(seen), seen.property.clone());
            let rank = |verdict: &Verdict| (verdict.kind, verdict.evidence.as_ref().map(|evidence| evidence.entry.clone()));
            match best.get(&key) {
                Some((_, known)) if rank(known) <= rank(&finding.1) => {}
                _ => drop(best.insert(key, finding)),
            }
        }
        best.into_values().collect()
    }

    fn is_scanned(&self, file: &str) -> bool {
        self.code.functions().any(|id| self.code.symbol(id).file == file)
    }

    fn own_finding(&self, job: &Job, seen: &FoundViolation, place: &Place) -> (Alarm, Verdict) {
        let property: Option<Property> = seen.property.parse().ok();
        let function = self.code.function_at(&place.file, place.line).map(|id| self.code.symbol(id).name.clone());
        let alarm = Alarm {
            tool: "fathom".into(),
            rule: seen.property.clone(),
            class: property.map_or(Class::Other, class_of_property),
            place: place.clone(),
            function: function.or_else(|| seen.function.clone()),
            message: seen.evidence.message.clone(),
            flow: seen.flow(),
        };
        let entry = &job.job.entry;
        let verdict = match &seen.native {
            Err(why) => Verdict::open(format!("the interpreter shows it, starting in {entry}, but no native run does: {why}")),
            Ok(native) => {
                let is_free = entry == "main" || is_free_of_promises(seen);
                let kind = if is_free { VerdictKind::Confirmed } else { VerdictKind::ConfirmedForCaller };
                let (proved, hint) = promise(seen);
                Verdict {
                    kind,
                    evidence: Some(seen.evidence.clone()),
                    precondition: proved,
                    ..Verdict::open(format!("starting in {entry}: {native}{hint}"))
                }
            }
        };
        (alarm, verdict)
    }
}

/// Functions that free or allocate for others are not to blame for what their callers do with the memory: the call tells such
/// violations apart.
fn blamed_call(seen: &FoundViolation) -> Option<Place> {
    let is_of_lifetime =
        seen.bad_pointer == Some(BadPointer::Dangling) || matches!(seen.property.as_str(), "valid-free" | "valid-memtrack");
    seen.places.get(1).filter(|_| is_of_lifetime).cloned()
}
