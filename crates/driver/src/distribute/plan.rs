//! Makes tasks of programs: one for each program, engine and (with `--split-properties`) property.

use super::subjects::{Subject, Subjects};
use super::tool;
use crate::config::InputConfig;
use crate::engines::check_engine;
use crate::error::Error;
use crate::output::OutDir;
use crate::properties::{DEFAULT, can_be_shared, check_property, names, wanted};
use crate::session::Session;
use fathom_distribute::{Bundle, FileRef, JobFormat, JobLimits, Plan, Question, Task};
use std::path::PathBuf;
use std::time::Duration;

/// What a task's program is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Per {
    /// A file.
    File,
    /// A function that a file exports, with the file.
    Function,
    /// All files together.
    Program,
}

/// What is to be planned.
#[derive(Clone, Debug)]
pub struct PlanConfig {
    /// Files, among them definitions of SV-COMP's tasks, and how they are read.
    pub input: InputConfig,
    /// What a task's program is.
    pub per: Per,
    /// What `--property` says; definitions of SV-COMP's tasks have their own.
    pub properties: Vec<String>,
    /// The JSON report of a scan: planned are the functions in which it left alarms open, with the properties that these are about.
    pub alarms: Option<PathBuf>,
    /// A task for each property.
    pub split_properties: bool,
    /// So many tasks for each property, which divide the checks among them loop by loop.
    pub split_loops: Option<u64>,
    /// A task for each of these engines.
    pub engines: Vec<String>,
    /// A task for each of these bounds of loops, or values of k; none stands for more and more.
    pub bounds: Vec<Option<u64>>,
    /// The time for each task.
    pub timeout: Duration,
    /// The memory for each task.
    pub memory: u64,
    /// Further flags of `fathom verify`.
    pub options: Vec<String>,
    /// The directory of the plan.
    pub out: PathBuf,
    /// Files for those who run the jobs.
    pub jobs: Vec<JobFormat>,
}

/// A plan that was written.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// What was written for people and programs to start with.
    pub written: Vec<PathBuf>,
}

/// One question in words for `--property`, with the property files that the words name.
#[derive(Clone, Debug, Default)]
struct Asked {
    properties: Vec<String>,
    files: Vec<(String, Vec<u8>)>,
}

/// Writes a plan.
pub fn plan(config: &PlanConfig, session: &Session) -> Result<Planned, Error> {
    config.engines.iter().try_for_each(|engine| check_engine(engine)).map_err(Error::Usage)?;
    config.properties.iter().try_for_each(|property| check_property(property)).map_err(Error::Usage)?;
    if let Some(engine) = config.engines.iter().find(|engine| !config.bounds.is_empty() && !Question::has_bounds(engine)) {
        return Err(Error::Usage(format!("--bound: the engine {engine} has no bounds; name bmc or kind with --engine")));
    }
    if config.split_loops.is_some() {
        can_be_divided(config).map_err(|why| Error::Usage(format!("--split-loops: {why}")))?;
    }
    let out = config.out.clone();
    OutDir::prepare("--out", &out).map_err(Error::Usage)?;
    let Subjects { found, left_out } = Subjects::of(config, session).map_err(Error::bad_file)?;
    let bundle = Bundle::of(&out);
    let mut tasks = Vec::new();
    for subject in &found {
        tasks.extend(tasks_of(subject, config, &bundle)?);
    }
    if tasks.is_empty() {
        let why: Vec<String> = left_out.iter().map(|left| format!("{}: {}", left.name, left.why)).collect();
        return Err(Error::bad_file(format!("there is nothing to plan\n{}", why.join("\n")).trim_end().to_string()));
    }
    let plan = Plan::new(&tool(), tasks, left_out);
    let mut written = Vec::new();
    for jobs in &config.jobs {
        let text = jobs.text(&plan, JobLimits::default()).map_err(Error::Usage)?;
        let path = out.join(jobs.file_name());
        crate::write::write_whole(&path, text).map_err(|message| Error::Failed { reason: "a file can't be written".into(), message })?;
        written.push(path);
    }
    written.insert(0, plan.write(&tool(), &out)?);
    Ok(Planned { plan, written })
}

fn tasks_of(subject: &Subject, config: &PlanConfig, bundle: &Bundle) -> Result<Vec<Task>, Error> {
    let program = subject.files.iter().map(|(name, content)| bundle.add(name.clone(), content)).collect::<Result<Vec<FileRef>, _>>()?;
    let mut tasks = Vec::new();
    for asked in questions(subject, config)? {
        let mut files = program.clone();
        for (name, content) in &asked.files {
            files.push(bundle.add(name.clone(), content)?);
        }
        let shares: Vec<Option<(u64, u64)>> = match config.split_loops {
            Some(of) => (1..=of).map(|number| Some((number, of))).collect(),
            None => vec![None],
        };
        let bounds = if config.bounds.is_empty() { &[None][..] } else { &config.bounds };
        let ways = config.engines.iter().flat_map(|engine| bounds.iter().map(move |bound| (engine, *bound)));
        for ((engine, bound), share) in ways.flat_map(|way| shares.iter().map(move |share| (way, *share))) {
            let question = Question {
                files: files.clone(),
                program: subject.words.clone(),
                properties: asked.properties.clone(),
                engine: engine.clone(),
                timeout_ms: u64::try_from(config.timeout.as_millis()).unwrap_or(u64::MAX).max(1),
                memory: config.memory,
                bound,
                share,
                part: Vec::new(),
            };
            let what = if asked.properties.is_empty() { String::new() } else { format!(" {}", question.asked()) };
            let how = if config.engines.len() > 1 { format!(" {engine}") } else { String::new() };
            let of = share.map(|(number, of)| format!(" share {number}/{of}")).unwrap_or_default();
            let within = bound.map(|bound| format!(" bound {bound}")).unwrap_or_default();
            tasks.push(Task::new(&subject.name, format!("{}{what}{how}{within}{of}", subject.name), question));
        }
    }
    Ok(tasks)
}

/// Whether the checks of what is asked can be divided.
fn can_be_divided(config: &PlanConfig) -> Result<(), String> {
    if config.engines.iter().any(|engine| engine == "explore") {
        return Err("explorations are divided by their paths, with `fathom split`".into());
    }
    if config.properties.is_empty() {
        return Err("name the properties with --property".into());
    }
    can_be_shared(&wanted(&config.properties, &[])?.properties)
}

/// What is asked about a program: everything at once, or one property at a time.
fn questions(subject: &Subject, config: &PlanConfig) -> Result<Vec<Asked>, Error> {
    let own = config.properties.is_empty();
    let is_boogie = subject.files.iter().any(|(name, _)| name.to_ascii_lowercase().ends_with(".bpl"));
    let mut single = Vec::new();
    if own {
        single.extend(subject.suspected.iter().map(|property| Asked { properties: vec![property.clone()], files: Vec::new() }));
        single.extend(subject.properties.iter().map(|file| Asked { properties: vec![file.0.clone()], files: vec![file.clone()] }));
    }
    for text in config.properties.iter().flat_map(|text| names(text)) {
        single.push(match std::fs::read(text) {
            Ok(content) => {
                let name = std::path::Path::new(text).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                Asked { properties: vec![name.clone()], files: vec![(name, content)] }
            }
            Err(_) => Asked { properties: vec![text.to_string()], files: Vec::new() },
        });
    }
    if !config.split_properties {
        let properties = single.iter().flat_map(|asked| asked.properties.clone()).collect();
        return Ok(vec![Asked { properties, files: single.into_iter().flat_map(|asked| asked.files).collect() }]);
    }
    if single.is_empty() && !is_boogie {
        single.extend(DEFAULT.iter().map(|property| Asked { properties: vec![property.to_string()], files: Vec::new() }));
    }
    Ok(if single.is_empty() { vec![Asked::default()] } else { single })
}
