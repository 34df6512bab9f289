//! `fathom.toml`: settings for all runs of a project. The one nearest above the first file is used; the command line
//! takes precedence. Paths in it are relative to its directory.

use crate::args::{InputArgs, UndefinedArg, VerifyArgs};
use crate::units;
use clap::ValueEnum;
use fathom_driver::{Property, did_you_mean, snippet};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// The name of the file.
pub const NAME: &str = "fathom.toml";

/// What `fathom init` writes.
const TEMPLATE: &str = include_str!("fathom.toml");

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Written {
    properties: Option<Vec<Spanned<String>>>,
    checks: Option<Vec<Spanned<String>>>,
    first: Option<bool>,
    engine: Option<Spanned<String>>,
    solver: Option<String>,
    timeout: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    native: Option<bool>,
    entry: Option<String>,
    data_model: Option<Spanned<u32>>,
    malloc_may_fail: Option<bool>,
    undefined: Option<Spanned<String>>,
    clang_flags: Vec<String>,
    stubs: Vec<Spanned<PathBuf>>,
}

/// The settings of a file, understood.
#[derive(Debug, Default)]
pub struct Settings {
    /// Where they come from.
    pub path: PathBuf,
    properties: Option<Vec<String>>,
    checks: Option<Vec<Property>>,
    first: bool,
    engine: Option<String>,
    solver: Option<String>,
    timeout: Option<Duration>,
    memory: Option<u64>,
    native: Option<bool>,
    entry: Option<String>,
    is_32: Option<bool>,
    malloc_may_fail: bool,
    undefined: Option<UndefinedArg>,
    clang_flags: Vec<String>,
    stubs: Vec<PathBuf>,
}

impl Settings {
    /// The settings for these files, if there are any, or what is wrong with them.
    pub fn find(input: &InputArgs) -> Result<Option<Self>, String> {
        let path = match &input.config {
            _ if input.no_config => None,
            Some(path) => Some(path.clone()),
            None => nearest(input),
        };
        path.map(|path| Self::read(&path)).transpose()
    }

    fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{} can't be read: {error}", path.display()))?;
        let at = |span: Option<std::ops::Range<usize>>, what: &str| {
            snippet::message(&path.display().to_string(), &text, span.unwrap_or(0..0), "error", what)
        };
        let written: Written = toml::from_str(&text).map_err(|error| at(error.span(), &with_nearest_key(error.message())))?;
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        written.understood(path, directory, &at)
    }

    /// Fills in what the command line left open.
    pub fn apply_to_input(&self, input: &mut InputArgs, given: &dyn Fn(&str) -> bool) {
        input.files.extend(self.stubs.iter().cloned());
        input.clang_args.splice(0..0, self.clang_flags.iter().cloned());
        if !given("model_32") && !given("model_64") {
            input.model.model_32 |= self.is_32 == Some(true);
        }
        if !given("entry") {
            input.entry = self.entry.clone().or(input.entry.take());
        }
        let environment = &mut input.environment;
        environment.malloc_may_fail |= self.malloc_may_fail;
        if let (Some(undefined), false) = (self.undefined, given("undefined")) {
            environment.undefined = undefined;
        }
    }

    /// Applies the file's settings to the arguments of `fathom verify`.
    pub fn apply_to_verify(&self, args: &mut VerifyArgs, given: &dyn Fn(&str) -> bool) {
        self.apply_to_input(&mut args.input, given);
        if let (Some(properties), false) = (&self.properties, given("properties")) {
            args.properties.clone_from(properties);
        }
        if let (Some(checks), false) = (&self.checks, given("checks")) {
            args.checks.clone_from(checks);
        }
        if let (Some(engine), false) = (&self.engine, given("engine")) {
            args.engine.clone_from(engine);
        }
        if !given("solver") {
            args.solver = self.solver.clone().or(args.solver.take());
        }
        if let (Some(timeout), false) = (self.timeout, given("timeout")) {
            args.timeout = timeout;
        }
        if let (Some(memory), false) = (self.memory, given("memory")) {
            args.memory = memory;
        }
        args.first |= self.first;
        args.no_native |= self.native == Some(false);
    }
}

impl Written {
    fn understood(
        self,
        path: &Path,
        directory: &Path,
        at: &dyn Fn(Option<std::ops::Range<usize>>, &str) -> String,
    ) -> Result<Settings, String> {
        let wrong = |span: std::ops::Range<usize>, key: &str, why: String| at(Some(span), &format!("{key}: {why}"));
        let properties = self.properties.map(|names| {
            let one = |name: Spanned<String>| {
                let text = relative_property(name.get_ref(), directory);
                fathom_driver::check_property(&text).map_err(|why| wrong(name.span(), "properties", why))?;
                Ok::<String, String>(text)
            };
            names.into_iter().map(one).collect()
        });
        let checks = self.checks.map(|names| {
            let find = |name: &str| Property::CHECKS.into_iter().find(|check| check.name() == name);
            let one = |name: Spanned<String>| {
                let found = find(name.get_ref());
                found.ok_or_else(|| wrong(name.span(), "checks", unknown_check(name.get_ref())))
            };
            names.into_iter().map(one).collect()
        });
        let engine = self.engine.map(|name| match fathom_driver::check_engine(name.get_ref()) {
            Ok(()) => Ok(name.into_inner()),
            Err(why) => Err(wrong(name.span(), "engine", why)),
        });
        let timeout = self.timeout.map(|text| units::duration(text.get_ref()).map_err(|why| wrong(text.span(), "timeout", why)));
        let memory = self.memory.map(|text| units::bytes(text.get_ref()).map_err(|why| wrong(text.span(), "memory", why)));
        let is_32 = self.data_model.map(|bits| match bits.get_ref() {
            32 => Ok(true),
            64 => Ok(false),
            other => Err(wrong(bits.span(), "data-model", format!("{other} is neither 32 nor 64"))),
        });
        let undefined = self.undefined.map(|text| {
            UndefinedArg::from_str(text.get_ref(), false)
                .map_err(|_| wrong(text.span(), "undefined", format!("`{}` is none of havoc, zero and error", text.get_ref())))
        });
        let stub = |stub: Spanned<PathBuf>| {
            let file = directory.join(stub.get_ref());
            if file.is_file() { Ok(file) } else { Err(wrong(stub.span(), "stubs", format!("{} does not exist", file.display()))) }
        };
        Ok(Settings {
            path: path.to_path_buf(),
            properties: properties.transpose()?,
            checks: checks.transpose()?,
            first: self.first == Some(true),
            engine: engine.transpose()?,
            solver: self.solver,
            timeout: timeout.transpose()?,
            memory: memory.transpose()?,
            native: self.native,
            entry: self.entry,
            is_32: is_32.transpose()?,
            malloc_may_fail: self.malloc_may_fail == Some(true),
            undefined: undefined.transpose()?,
            clang_flags: relative_flags(self.clang_flags, directory),
            stubs: self.stubs.into_iter().map(stub).collect::<Result<_, _>>()?,
        })
    }
}

fn unknown_check(name: &str) -> String {
    let known = Property::CHECKS.map(Property::name);
    format!("`{name}` is no check{}; known are: {}", did_you_mean(name, known), known.join(", "))
}

/// What the parser says of an unknown setting names it and all that there are: the nearest comes first.
fn with_nearest_key(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    match (message.strip_prefix("unknown field "), names.next()) {
        (Some(_), Some(name)) => message.replacen(", expected", &format!("{}, expected", did_you_mean(name, names)), 1),
        _ => message.to_string(),
    }
}

/// The file in the directory of the first file of the program, or else the nearest above it.
fn nearest(input: &InputArgs) -> Option<PathBuf> {
    let first = input.files.first().filter(|file| *file != Path::new("-")).and_then(|file| file.parent());
    let start = first.or(input.build.compile_commands.as_deref()).filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let here = std::path::absolute(start).ok()?;
    let found = here.ancestors().map(|directory| directory.join(NAME)).find(|path| path.is_file())?;
    // A file below the current directory is shown by its relative path.
    let current = std::env::current_dir().ok();
    Some(current.and_then(|current| found.strip_prefix(current).ok().map(Path::to_path_buf)).unwrap_or(found))
}

/// The name of a property, or the path of a property file.
fn relative_property(text: &str, directory: &Path) -> String {
    let is_file = text.ends_with(".prp") && Path::new(text).is_relative();
    if is_file { directory.join(text).display().to_string() } else { text.to_string() }
}

/// Flags that name directories and files.
const PATHS: [&str; 6] = ["-isystem", "-idirafter", "-iquote", "-include", "-imacros", "-I"];

fn relative_flags(flags: Vec<String>, directory: &Path) -> Vec<String> {
    let joined = |path: &str| directory.join(path).display().to_string();
    let mut behind_flag = false;
    let one = |flag: String| {
        if std::mem::replace(&mut behind_flag, PATHS.contains(&flag.as_str())) {
            return joined(&flag);
        }
        let glued = PATHS.iter().find_map(|start| Some((start, flag.strip_prefix(start).filter(|path| !path.is_empty())?)));
        glued.map(|(start, path)| format!("{start}{}", joined(path))).unwrap_or(flag)
    };
    flags.into_iter().map(one).collect()
}

/// Writes a file with every setting explained; where it is, or why not.
pub fn init(directory: &Path) -> Result<PathBuf, String> {
    use std::io::Write;
    let path = directory.join(NAME);
    let mut file = std::fs::File::create_new(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => format!("{} exists already, and is left as it is", path.display()),
        _ => format!("{} can't be written: {error}", path.display()),
    })?;
    file.write_all(TEMPLATE.as_bytes()).map_err(|error| {
        // The file was made here and is incomplete.
        let _ = std::fs::remove_file(&path);
        format!("{} can't be written: {error}", path.display())
    })?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        std::fs::write(&path, text).unwrap();
        Settings::read(&path)
    }

    #[test]
    fn the_template_is_right_as_it_is_and_with_every_line() {
        assert!(read(TEMPLATE).is_ok());
        let is_setting = |line: &str| line.starts_with("# ") && line.contains(" = ") && !line.contains("stubs");
        let all: Vec<&str> = TEMPLATE.lines().map(|line| if is_setting(line) { &line[2..] } else { line }).collect();
        let settings = read(&all.join("\n")).unwrap();
        assert!(settings.timeout.is_some() && settings.properties.is_some() && settings.undefined.is_some());
    }

    #[test]
    fn mistakes_are_told_with_line_and_key() {
        for (text, line, key) in [
            ("engine = \"auto\"\nspeed = 3\n", ":2:1: error: ", "speed"),
            ("enigne = \"auto\"\n", ":1:1: error: ", "(did you mean `engine`?)"),
            ("first = true\nengine = \"bcm\"\n", ":2:10: error: ", "    engine = \"bcm\"\n             ^~~~~\n"),
            ("\ntimeout = \"5x\"\n", ":2:", "timeout"),
            ("properties = [\n  \"no-overflow\",\n  \"no-such\",\n]\n", ":3:", "properties"),
            ("checks = [\"termination\"]", ":1:", "checks"),
            ("engine = \"fast\"", ":1:", "engine"),
            ("data-model = 16", ":1:", "data-model"),
            ("undefined = \"boom\"", ":1:", "undefined"),
            ("stubs = [\"missing.c\"]", ":1:", "missing.c"),
            ("timeout = 5 5", ":1:", ""),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(&format!("{NAME}{line}")) && why.contains(key), "{text}: {why}");
        }
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        let flags = ["-Iinc", "-I", "inc", "-DX=1", "-include", "a.h", "-I/abs"].map(String::from).to_vec();
        assert_eq!(relative_flags(flags, Path::new("/p")), ["-I/p/inc", "-I", "/p/inc", "-DX=1", "-include", "/p/a.h", "-I/abs"]);
    }
}
