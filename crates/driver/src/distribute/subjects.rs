//! The programs of a plan: the files of each, with everything that they include, and the arguments of `fathom verify`
//! for them. Files that cannot be read are listed, and the others are planned.

use super::alarms::OpenAlarms;
use super::plan::{Per, PlanConfig};
use super::svcomp;
use crate::compile_commands;
use crate::config::InputConfig;
use crate::session::Session;
use fathom_base::UnitFlags;
use fathom_distribute::LeftOut;
use fathom_frontend_llvm::{DataModel, Options, SelfContained, self_contained, survey};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// A program that tasks are about.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// For people.
    pub name: String,
    /// Names in the directory where the task runs, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// The words for `fathom verify`.
    pub words: Vec<String>,
    /// Property files of its own, each with its content.
    pub properties: Vec<(String, Vec<u8>)>,
    /// Properties that alarms are about, by name.
    pub suspected: Vec<String>,
}

/// A source file with its flags.
struct Unit {
    file: PathBuf,
    flags: Option<UnitFlags>,
}

/// What is planned, and what can't be.
#[derive(Default)]
pub(super) struct Subjects {
    pub found: Vec<Subject>,
    pub left_out: Vec<LeftOut>,
}

impl Subjects {
    /// Reads everything that a plan is about.
    pub fn of(config: &PlanConfig, session: &Session) -> Result<Self, String> {
        let mut subjects = Self::default();
        let mut alarms = config.alarms.as_deref().map(OpenAlarms::read).transpose()?;
        let (definitions, files): (Vec<&PathBuf>, Vec<&PathBuf>) = config.input.files.iter().partition(|file| svcomp::is_definition(file));
        for file in definitions {
            session.listener.phase(&format!("reading {}", file.display()));
            let read = svcomp::definition(file).and_then(|definition| subject_of(file, &definition, config));
            subjects.take(&file.display().to_string(), read.map(|subject| vec![subject]));
        }
        let named = files.into_iter().map(|file| Ok(Unit { file: file.clone(), flags: None }));
        let units = named.chain(of_build(&config.input)?);
        if config.per == Per::Program {
            let units: Vec<Unit> = units.collect::<Result<_, LeftOut>>().map_err(|left| format!("{}: {}", left.name, left.why))?;
            if !units.is_empty() {
                subjects.found.push(whole(&units, config, alarms.as_mut())?);
            }
            return Ok(subjects.with(alarms));
        }
        for unit in units {
            match unit {
                Ok(unit) => {
                    let name = unit.file.display().to_string();
                    session.listener.phase(&format!("reading {name}"));
                    let read = match &mut alarms {
                        Some(alarms) => suspected(&unit, config, &alarms.take(&unit.file)),
                        None => alone(&unit, config),
                    };
                    subjects.take(&name, read);
                }
                Err(left) => subjects.left_out.push(left),
            }
        }
        Ok(subjects.with(alarms))
    }

    fn with(mut self, alarms: Option<OpenAlarms>) -> Self {
        self.left_out.extend(alarms.into_iter().flat_map(OpenAlarms::end));
        self
    }

    fn take(&mut self, name: &str, read: Result<Vec<Subject>, String>) {
        match read {
            Ok(found) => self.found.extend(found),
            Err(why) => self.left_out.push(LeftOut { name: name.into(), why }),
        }
    }
}

/// The files of a build that were asked for, each with its flags or the reason why there are none.
fn of_build(input: &InputConfig) -> Result<Vec<Result<Unit, LeftOut>>, String> {
    let Some(place) = &input.compile_commands else { return Ok(Vec::new()) };
    if input.target.is_some() || !input.target_files.is_empty() {
        let none = InputConfig { files: Vec::new(), ..input.clone() };
        let sources = compile_commands::sources(&none)?;
        let unit = |file: PathBuf| Ok(Unit { flags: sources.units.get(&file).cloned(), file });
        return Ok(sources.files.iter().cloned().map(unit).collect());
    }
    let units = compile_commands::every_unit(place)?.into_iter();
    Ok(units
        .map(|(file, flags)| match flags {
            Ok(flags) => Ok(Unit { file, flags: Some(flags) }),
            Err(why) => Err(LeftOut { name: file.display().to_string(), why }),
        })
        .collect())
}

/// The tasks' programs of one file: itself, or one for each function that it exports.
fn alone(unit: &Unit, config: &PlanConfig) -> Result<Vec<Subject>, String> {
    let file = &unit.file;
    let options = options(unit, config, config.input.model);
    let (content, words) = content(file, &options)?;
    let subject = |entry: Option<String>| {
        let mut words = words.clone();
        words.extend(entry.iter().flat_map(|entry| ["--entry".to_string(), entry.clone()]));
        words.extend(config.options.iter().cloned());
        let place = entry.map(|entry| format!(" {entry}")).unwrap_or_default();
        Subject {
            name: format!("{}{place}", file.display()),
            files: vec![content.clone()],
            words,
            properties: Vec::new(),
            suspected: Vec::new(),
        }
    };
    if is_boogie(file) || config.per == Per::File && unit.flags.is_none() {
        return Ok(vec![subject(config.input.entry.clone())]);
    }
    let exported = exported(file, &options)?;
    match config.per {
        Per::Function if exported.is_empty() => Err("it exports no function".into()),
        Per::Function => {
            let named = |function: String| {
                let name = format!("{} {function}", file.display());
                Subject { name, ..subject(Some(function).filter(|function| function != "main")) }
            };
            Ok(exported.into_iter().map(named).collect())
        }
        Per::File | Per::Program => {
            let entry = config.input.entry.clone().unwrap_or_else(|| "main".into());
            match exported.contains(&entry) {
                true => Ok(vec![subject(config.input.entry.clone())]),
                false => Err(format!("it has no {entry}; `--per function` plans the functions that it exports")),
            }
        }
    }
}

/// Functions of a file, each as an entry, with the properties that alarms in it are about.
fn suspected(unit: &Unit, config: &PlanConfig, functions: &[(String, Vec<String>)]) -> Result<Vec<Subject>, String> {
    if functions.is_empty() {
        return Ok(Vec::new());
    }
    let (content, words) = content(&unit.file, &options(unit, config, config.input.model))?;
    let subject = |(function, properties): &(String, Vec<String>)| {
        let entry = Some(function).filter(|function| *function != "main");
        let entry = entry.into_iter().flat_map(|entry| ["--entry".to_string(), entry.clone()]);
        Subject {
            name: format!("{} {function}", unit.file.display()),
            files: vec![content.clone()],
            words: words.iter().cloned().chain(entry).chain(config.options.iter().cloned()).collect(),
            properties: Vec::new(),
            suspected: properties.clone(),
        }
    };
    Ok(functions.iter().map(subject).collect())
}

/// The functions that other files may call and that this one itself defines.
fn exported(file: &Path, options: &Options) -> Result<Vec<String>, String> {
    let directory = options.units.get(file).map(|unit| unit.directory.clone()).unwrap_or_default();
    let own = file.canonicalize().ok();
    let is_own = |named: &str| named.is_empty() || own.is_none() || directory.join(named).canonicalize().ok() == own;
    let found = survey(file, options).map_err(|error| first_error(&error.to_string()))?;
    let is_exported =
        |definition: &&fathom_frontend_llvm::Definition| definition.is_function && !definition.is_internal && is_own(&definition.file);
    Ok(found.definitions.iter().filter(is_exported).map(|definition| definition.name.clone()).collect())
}

/// All files as one program. A build's files may differ in their flags, so those come along as a compilation database.
fn whole(units: &[Unit], config: &PlanConfig, mut alarms: Option<&mut OpenAlarms>) -> Result<Subject, String> {
    let (mut files, mut words, mut database) = (Vec::new(), Vec::new(), Vec::new());
    let mut suspected: BTreeSet<String> = BTreeSet::new();
    let mut common: Vec<String> = model_words(config.input.model).into_iter().collect();
    for unit in units {
        let options = options(unit, config, config.input.model);
        let ((name, text), of_unit) = content(&unit.file, &options).map_err(|why| format!("{}: {why}", unit.file.display()))?;
        let name = distinct(name, &files);
        suspected.extend(alarms.iter_mut().flat_map(|alarms| alarms.take(&unit.file)).flat_map(|(_, properties)| properties));
        match &unit.flags {
            None => {
                words.push(name.clone());
                common = of_unit[1..].to_vec();
            }
            Some(_) => {
                let flags = of_unit[1..].iter().filter(|word| !["--clang-arg", "--32"].contains(&word.as_str()));
                let command: Vec<&str> = std::iter::once("cc").chain(flags.map(String::as_str)).chain(["-c", &name]).collect();
                database.push(json!({ "directory": ".", "file": name, "arguments": command }));
            }
        }
        files.push((name, text));
    }
    if !database.is_empty() {
        files.push(("compile_commands.json".into(), json!(database).to_string().into_bytes()));
        words.extend(["--compile-commands", "."].map(String::from));
    }
    words.extend(common);
    words.extend(config.input.entry.iter().flat_map(|entry| ["--entry".to_string(), entry.clone()]));
    words.extend(config.options.iter().cloned());
    let names: Vec<String> = units.iter().map(|unit| unit.file.display().to_string()).collect();
    let name = match names.as_slice() {
        [first, _, ..] => format!("{first} and {} more", names.len() - 1),
        _ => names.join(""),
    };
    Ok(Subject { name, files, words, properties: Vec::new(), suspected: suspected.into_iter().collect() })
}

fn subject_of(path: &Path, definition: &svcomp::Definition, config: &PlanConfig) -> Result<Subject, String> {
    let (mut files, mut names, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    for file in &definition.files {
        let unit = Unit { file: file.clone(), flags: None };
        let ((name, text), words) = content(file, &options(&unit, config, definition.model))?;
        let name = distinct(name, &files);
        flags = words[1..].to_vec();
        names.push(name.clone());
        files.push((name, text));
    }
    let words = names.into_iter().chain(flags).chain(config.options.iter().cloned()).collect();
    let mut subject = Subject { name: path.display().to_string(), files, words, properties: Vec::new(), suspected: Vec::new() };
    for property in &definition.properties {
        let content = std::fs::read(property).map_err(|error| format!("{} can't be read: {error}", property.display()))?;
        let name = property.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        subject.properties.push((name, content));
    }
    Ok(subject)
}

fn options(unit: &Unit, config: &PlanConfig, model: DataModel) -> Options {
    let units = unit.flags.iter().map(|flags| (unit.file.clone(), flags.clone()));
    Options { model, clang_args: config.input.clang_args.clone(), units: units.collect::<BTreeMap<_, _>>(), ..Options::default() }
}

/// A file as a worker gets it, and the words that say how it is read, its name first.
type Content = ((String, Vec<u8>), Vec<String>);

fn content(file: &Path, options: &Options) -> Result<Content, String> {
    let plain = || std::fs::read(file).map_err(|error| format!("it can't be read: {error}"));
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    let unit = options.units.get(file);
    let own = unit.into_iter().flat_map(|unit| &unit.args).chain(&options.clang_args);
    let (path, text, flags) = match extension.as_str() {
        "bpl" => return Ok(((inside(file), plain()?), vec![inside(file)])),
        "i" | "ii" if own.clone().any(|flag| flag == "-include") => {
            return Err("it is preprocessed and -include names another file; preprocess both together".into());
        }
        "i" | "ii" | "bc" | "ll" => (file.to_path_buf(), plain()?, own.cloned().collect()),
        "c" | "cc" | "cpp" | "cxx" => {
            // The worker's name of the file and not the place where it lies here.
            let SelfContained { text, extension, flags } =
                self_contained(file, options).map_err(|error| first_error(&error.to_string()))?;
            (file.with_extension(extension), text, flags)
        }
        _ => return Err("neither C, C++, bitcode, LLVM assembly, Boogie nor a .yml of SV-COMP".into()),
    };
    let name = inside(&path);
    let mut words = vec![name.clone()];
    words.extend(model_words(options.model));
    words.extend(flags.iter().flat_map(|flag| clang_words(flag)));
    Ok(((name, text), words))
}

fn model_words(model: DataModel) -> Option<String> {
    (model == DataModel::Ilp32).then(|| "--32".to_string())
}

fn clang_words(flag: &str) -> [String; 2] {
    ["--clang-arg".into(), flag.into()]
}

/// The path without anything that leads out of a directory.
fn inside(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The name, or another where one of these files has it.
fn distinct(name: String, files: &[(String, Vec<u8>)]) -> String {
    let is_taken = |name: &String| files.iter().any(|(known, _)| known == name);
    let numbered = (1..).map(|number| format!("{number}/{name}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
}

fn is_boogie(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bpl"))
}

/// The line of a message that says what is wrong.
fn first_error(text: &str) -> String {
    fathom_clang::first_error(text).unwrap_or("it can't be read").to_string()
}
