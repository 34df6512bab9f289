//! Scans a whole code base: every alarm becomes confirmed, refuted or open. Files are compiled and analysed by clang's
//! analyzer, each in its own process (`code_base`, `analyzer`). The entries that lead to alarms are explored, also in
//! their own processes (`entry_run`), once for all alarms of an entry. `judge` derives the verdicts. Each result is
//! stored immediately, under a hash of everything that it depends on.

mod analyzer;
mod change;
mod code_base;
mod entry_run;
mod judge;
mod paths;
mod plan;
mod preconditions;
mod promises;
mod suspicions;
mod workers;

use crate::config::InputConfig;
use crate::error::Error;
use crate::output::OutDir;
use crate::scan::code_base::{CodeBase, Unit, UnitFacts, facts, units};
use crate::scan::plan::Plan;
use crate::scan::workers::{Width, in_processes};
use crate::session::Session;
use crate::stack::on_large_stack;
use fathom_frontend_llvm::{DataModel, Options};
use fathom_passes::Share;
use fathom_scan::{Alarm, Finding, ScanReport, Store, StoreUse, Times, Verdict, digest, fingerprint, known_fingerprints, read_sarif};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The configuration of a scan.
#[derive(Clone, Debug)]
pub struct ScanConfig {
    /// Files, a build, flags.
    pub input: InputConfig,
    /// SARIF files of other tools.
    pub imports: Vec<PathBuf>,
    /// The report of an earlier scan, whose alarms are not reported again.
    pub baseline: Option<PathBuf>,
    /// Only what changed since this revision of git, and what depends on it.
    pub since: Option<String>,
    /// Processes at a time.
    pub jobs: usize,
    /// How long an alarm may take.
    pub per_alarm: Duration,
    /// How long an entry without alarms may take; none: only entries with alarms are explored.
    pub per_function: Option<Duration>,
    /// Exported functions are entries also where there is a main.
    pub library: bool,
    /// Where reports and drivers go.
    pub out: Option<PathBuf>,
    /// Where results are kept; none: nowhere.
    pub store: Option<PathBuf>,
    /// Explore only a share of the entries that the store does not know: other machines explore the others.
    pub share: Option<Share>,
    /// Bytes that all processes together may use.
    pub memory: u64,
}

impl ScanConfig {
    /// The usual scan of this.
    pub fn new(input: InputConfig) -> Self {
        Self {
            input,
            imports: Vec::new(),
            baseline: None,
            since: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            per_alarm: Duration::from_secs(5),
            per_function: Some(Duration::from_secs(2)),
            library: false,
            out: None,
            store: None,
            share: None,
            memory: 4 << 30,
        }
    }

    fn width(&self) -> Width {
        Width { jobs: self.jobs, memory: self.memory }
    }
}

/// How long a file may take to be compiled and analysed.
const PER_FILE: Duration = Duration::from_secs(600);

/// Scans a code base. Processes are forked: call it while no other thread of this process holds a lock that they need.
pub fn scan(config: &ScanConfig, session: &Session) -> Result<ScanReport, Error> {
    on_large_stack(|| {
        let known = config.baseline.as_deref().map(baseline).transpose()?.unwrap_or_default();
        let out = config.out.as_deref().map(|path| OutDir::prepare("--out", path)).transpose().map_err(Error::Usage)?;
        let found = units(&config.input).map_err(Error::bad_file)?;
        let mut scan = Scan::begin(config, session);
        let code = scan.read(found);
        if code.functions().next().is_none() {
            let why = scan.report.failed.first().map(|(file, why)| format!("{file}: {why}")).unwrap_or_default();
            return Err(Error::bad_file(format!("no file could be scanned\n{why}").trim_end().to_string()));
        }
        let changed = config.since.as_deref().map(|revision| change::changed_units(&code, revision)).transpose().map_err(Error::Usage)?;
        let alarms = scan.alarms(&code, changed.as_ref());
        scan.decide(&code, alarms, changed.as_ref());
        scan.leave_out(&known);
        scan.report.put_in_order();
        scan.write_drivers(out.as_ref());
        scan.report.interrupted = session.is_cancelled();
        scan.report.times.total = session.start.elapsed().as_secs_f64();
        Ok(scan.report)
    })
}

fn baseline(path: &Path) -> Result<BTreeSet<String>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::bad_file(format!("--baseline {}: {error}", path.display())))?;
    known_fingerprints(&text).map_err(|why| Error::bad_file(format!("--baseline {}: {why}", path.display())))
}

/// A scan on its way.
struct Scan<'a> {
    config: &'a ScanConfig,
    session: &'a Session,
    store: Store,
    report: ScanReport,
}

impl<'a> Scan<'a> {
    fn begin(config: &'a ScanConfig, session: &'a Session) -> Self {
        let (store, warning) = config.store.as_deref().map_or_else(|| (Store::nowhere(), None), Store::open);
        let root = std::env::current_dir().unwrap_or_default().display().to_string();
        let warnings = session.notes.iter().cloned().chain(warning).collect();
        let version = env!("CARGO_PKG_VERSION").to_string();
        let report =
            ScanReport { schema: 1, version, root, warnings, times: Times::default(), store: StoreUse::default(), ..ScanReport::default() };
        Self { config, session, store, report }
    }

    fn warn(&mut self, warning: String) {
        if !self.report.warnings.contains(&warning) {
            self.report.warnings.push(warning);
        }
    }

    /// Compiles every file and asks clang's analyzer.
    fn read(&mut self, units: Vec<Unit>) -> CodeBase {
        let model = if self.config.input.model == DataModel::Ilp32 { "-m32" } else { "-m64" };
        let options = Options { model: self.config.input.model, ..Options::default() };
        let mut known: Vec<Option<UnitFacts>> = vec![None; units.len()];
        let (total, mut done) = (units.len(), 0);
        let (mut taken, mut made, mut analyzer, mut unwritten) = (0, 0, 0.0, None);
        let store = &self.store;
        let work = |unit: &Unit| {
            let key = unit_key(unit, model);
            match key.as_ref().and_then(|key| store.get::<UnitFacts>(key)) {
                Some(known) => (known, true, None),
                None => {
                    let fresh = facts(unit, &options, model);
                    let written = key.filter(|_| fresh.failure.is_none()).map_or(Ok(()), |key| store.put(&key, &fresh));
                    (fresh, false, written.err())
                }
            }
        };
        let session = self.session;
        in_processes(
            &units,
            self.config.width(),
            session,
            |_| PER_FILE,
            work,
            |index, result| {
                done += 1;
                session.listener.phase(&format!("{done} of {total} files compiled and analysed by clang"));
                known[index] = Some(match result {
                    Ok((facts, was_known, failed)) => {
                        *(if was_known { &mut taken } else { &mut made }) += 1;
                        analyzer += if was_known { 0.0 } else { facts.analyzer };
                        unwritten = unwritten.take().or(failed);
                        facts
                    }
                    Err(lost) => UnitFacts { failure: Some(lost.reason().into()), ..UnitFacts::default() },
                });
            },
        );
        self.report.store.taken += taken;
        self.report.store.made += made;
        self.report.times.analyzer = analyzer;
        unwritten.into_iter().for_each(|why| self.warn(format!("the store: {why}")));
        let facts: Vec<UnitFacts> = known.into_iter().map(Option::unwrap_or_default).collect();
        for (unit, facts) in units.iter().zip(&facts) {
            let file = unit.file.display().to_string();
            match &facts.failure {
                Some(why) => self.report.failed.push((file, why.clone())),
                None => self.report.files.push(file),
            }
        }
        CodeBase::new(units, facts)
    }

    /// Every alarm once.
    fn alarms(&mut self, code: &CodeBase, changed: Option<&BTreeSet<usize>>) -> Vec<Alarm> {
        let mut all: Vec<Alarm> = code.facts.iter().flat_map(|facts| facts.alarms.iter().cloned()).collect();
        let base = PathBuf::from(&self.report.root);
        for path in &self.config.imports {
            let read = std::fs::read_to_string(path).map_err(|error| error.to_string()).and_then(|text| read_sarif(&text, &base));
            match read {
                Ok(alarms) => all.extend(alarms),
                Err(why) => self.report.failed.push((path.display().to_string(), why)),
            }
        }
        let mut alarms: Vec<Alarm> = Vec::new();
        let mut seen = BTreeSet::new();
        for mut alarm in all {
            if seen.insert((alarm.tool.clone(), alarm.rule.clone(), alarm.place.clone())) {
                let function = code.function_at(&alarm.place.file, alarm.place.line);
                alarm.function = function.map(|id| code.symbol(id).name.clone()).or(alarm.function);
                alarms.push(alarm);
            }
        }
        if let Some(changed) = changed {
            let depends = |alarm: &Alarm| {
                let function = code.function_at(&alarm.place.file, alarm.place.line);
                function.is_none_or(|id| code.reached(id).iter().any(|(unit, _)| changed.contains(unit)))
            };
            alarms.retain(depends);
        }
        alarms
    }

    fn decide(&mut self, code: &CodeBase, alarms: Vec<Alarm>, changed: Option<&BTreeSet<usize>>) {
        let plan = Plan::new(code, alarms, self.config, changed);
        let (results, use_of_store, unwritten) = plan.run(&self.store, self.session);
        self.report.store.taken += use_of_store.taken;
        self.report.store.made += use_of_store.made;
        unwritten.into_iter().for_each(|why| self.warn(format!("the store: {why}")));
        self.report.times.paths = results.iter().map(|result| result.path_seconds).fold(0.0, |sum, seconds| sum + seconds);
        let decided = plan.judged(&results);
        self.report.functions = plan.functions(&results);
        let found = plan.own_findings(&results, &decided);
        let told: Vec<(Alarm, Verdict)> = decided.into_iter().chain(found).collect();
        let suspected = plan.suspected(&results, &told);
        self.add(told.into_iter().chain(suspected));
    }

    fn add(&mut self, decided: impl Iterator<Item = (Alarm, Verdict)>) {
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (alarm, verdict) in decided {
            let read = || std::fs::read_to_string(&alarm.place.file).unwrap_or_default().lines().map(String::from).collect();
            let lines = texts.entry(alarm.place.file.clone()).or_insert_with(read);
            let line = (alarm.place.line as usize).checked_sub(1).and_then(|at| lines.get(at)).cloned().unwrap_or_default();
            let first = fingerprint(&alarm, &self.report.root, &line, 0);
            let nth = counts.entry(first).or_default();
            let fingerprint = fingerprint(&alarm, &self.report.root, &line, *nth);
            *nth += 1;
            self.report.findings.push(Finding { alarm, verdict, fingerprint });
        }
    }

    fn leave_out(&mut self, known: &BTreeSet<String>) {
        let before = self.report.findings.len();
        self.report.findings.retain(|finding| !known.contains(&finding.fingerprint));
        self.report.known = before - self.report.findings.len();
    }

    /// Writes the programs that show the confirmed violations.
    fn write_drivers(&mut self, out: Option<&OutDir>) {
        let Some(out) = out else { return };
        let mut failed = None;
        for finding in &mut self.report.findings {
            let Some(evidence) = &mut finding.verdict.evidence else { continue };
            let name = format!("drivers/{}-{}.c", evidence.entry, &finding.fingerprint[..8]);
            let build = evidence.build.replace("*/", "* /");
            match out.write(&name, format!("/* Build: {build} */\n{}", evidence.driver)) {
                Ok(()) => evidence.file = Some(out.path().join(name).display().to_string()),
                Err(why) => failed = Some(why),
            }
        }
        let forms = [
            ("scan.txt", fathom_scan::render_text(&self.report, true)),
            ("scan.json", fathom_scan::render_json(&self.report)),
            ("scan.sarif", fathom_scan::render_sarif(&self.report)),
            ("scan.html", fathom_scan::render_html(&self.report)),
        ];
        for (name, text) in forms {
            failed = failed.or(out.write(name, text).err());
        }
        failed.into_iter().for_each(|why| self.warn(why));
    }
}

/// What the facts of a file depend on; none if it does not even get through the preprocessor.
fn unit_key(unit: &Unit, model: &str) -> Option<String> {
    let flags = unit.flags.as_ref().ok()?;
    let text = analyzer::Call { file: &unit.file, flags, model }.preprocessed().ok()?;
    let file = unit.file.display().to_string();
    Some(digest(&["unit", env!("CARGO_PKG_VERSION"), build_id(), &file, model, &flags.args.join("\0"), &text]))
}

/// Tells builds of one version apart, so that results of an older build are not taken for ones of this.
pub(crate) fn build_id() -> &'static str {
    static ID: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ID.get_or_init(|| {
        let metadata = std::env::current_exe().and_then(|path| path.metadata()).ok();
        let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok());
        format!("{}-{}", metadata.map_or(0, |metadata| metadata.len()), modified.map_or(0, |time| time.as_nanos()))
    })
}
