//! The files of a program and their flags. A build that wrote compile_commands.json (CMake, Meson, Bear) knows both:
//! every entry names a file, a directory, and the command that compiles it. Flags that affect the meaning of the
//! program are kept (directories, macros, the standard); those about output files, optimisation and warnings are
//! dropped.

use crate::clang_flags::{Fate, fate};
use crate::config::InputConfig;
use fathom_base::{UnitFlags, Units};
use glob::{MatchOptions, Pattern};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files that make one program, with their flags.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    pub files: Vec<PathBuf>,
    pub units: Units,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    output: Option<PathBuf>,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

const NAME: &str = "compile_commands.json";

/// The files of the command line, then those of the build.
pub(crate) fn sources(input: &InputConfig) -> Result<Sources, String> {
    let mut sources = Sources { files: input.files.clone(), units: Units::new() };
    let is_32 = input.pointer_bits() == 32;
    let Some(place) = &input.compile_commands else { return Ok(sources) };
    let path = if place.is_dir() || !place.exists() { place.join(NAME) } else { place.clone() };
    let at = |index: usize| format!("{}: entry {}", path.display(), index + 1);
    let patterns = patterns(&input.target_files)?;
    let mut targets = BTreeSet::new();
    for (index, entry) in read(&path)?.into_iter().enumerate() {
        let directory = absolute(&path.parent().unwrap_or(Path::new(".")).join(&entry.directory));
        let file = absolute(&directory.join(&entry.file));
        if !is_wanted(&patterns, &entry.file, &file) || sources.units.contains_key(&file) {
            continue;
        }
        let target = target_of(&entry);
        if input.target.as_ref().is_some_and(|wanted| target.as_ref() != Some(wanted)) {
            targets.extend(target);
            continue;
        }
        if !file.is_file() {
            return Err(format!("{} names {}, which does not exist", at(index), file.display()));
        }
        let args = arguments(&entry).map_err(|why| format!("{}: {why}", at(index)))?;
        let args = relevant(&args, &directory, &file).map_err(|why| format!("{} ({}): {why}", at(index), file.display()))?;
        let model = |bits: &str| args.iter().any(|arg| arg == bits);
        if model("-m32") && !is_32 || model("-m64") && is_32 {
            return Err(format!(
                "{} compiles {} for another data model; add {}",
                at(index),
                file.display(),
                if is_32 { "--64" } else { "--32" }
            ));
        }
        sources.units.insert(file.clone(), UnitFlags { args, directory });
        sources.files.push(file);
    }
    if sources.units.is_empty() {
        let why = match &input.target {
            Some(wanted) if targets.is_empty() => format!("no entry belongs to a target {wanted}: none names one"),
            Some(wanted) => {
                format!("no entry belongs to the target {wanted}, but to {}", targets.into_iter().collect::<Vec<_>>().join(", "))
            }
            None if patterns.is_empty() => "it has no entries".into(),
            None => "no entry matches --target-files".into(),
        };
        return Err(format!("{}: {why}", path.display()));
    }
    Ok(sources)
}

/// A source file, with its flags or the reason why there are none.
pub(crate) type ListedUnit = (PathBuf, Result<UnitFlags, String>);

/// Every C and C++ file of a build with its flags, or why a file has none. The first entry of a file counts.
pub(crate) fn every_unit(place: &Path) -> Result<Vec<ListedUnit>, String> {
    let path = if place.is_dir() || !place.exists() { place.join(NAME) } else { place.to_path_buf() };
    let mut units: Vec<(PathBuf, Result<UnitFlags, String>)> = Vec::new();
    for entry in read(&path)? {
        let directory = absolute(&path.parent().unwrap_or(Path::new(".")).join(&entry.directory));
        let file = absolute(&directory.join(&entry.file));
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if !["c", "cc", "cpp", "cxx"].contains(&extension) || units.iter().any(|(known, _)| *known == file) {
            continue;
        }
        let flags = match file.is_file() {
            false => Err("no such file".to_string()),
            true => arguments(&entry).and_then(|args| relevant(&args, &directory, &file)).map(|args| UnitFlags { args, directory }),
        };
        units.push((file, flags));
    }
    Ok(units)
}

/// The target that an object is for, as CMake (`CMakeFiles/NAME.dir/`) and Meson (`NAME.p/`) name directories after it.
fn target_of(entry: &Entry) -> Option<String> {
    let words = arguments(entry).unwrap_or_default();
    let behind = words.iter().position(|word| word == "-o").and_then(|at| words.get(at + 1)).map(PathBuf::from);
    let object = entry.output.clone().or(behind)?;
    let directories: Vec<&str> = object.iter().filter_map(|part| part.to_str()).collect();
    let of_cmake = directories.windows(2).find(|pair| pair[0] == "CMakeFiles").and_then(|pair| pair[1].strip_suffix(".dir"));
    of_cmake.or_else(|| directories.iter().find_map(|part| part.strip_suffix(".p"))).map(String::from)
}

fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!(
            "{}: no such file; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, and `bear -- make` records it",
            path.display()
        ),
        _ => format!("{} can't be read: {error}", path.display()),
    })?;
    // The message of serde_json ends with line and column.
    serde_json::from_str(&text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        format!("{}:{line}:{column}: not a compilation database: {message}", path.display())
    })
}

fn patterns(texts: &[String]) -> Result<Vec<Pattern>, String> {
    texts.iter().map(|text| Pattern::new(text).map_err(|error| format!("--target-files {text}: {error}"))).collect()
}

/// A pattern is for the path as it was written, for the whole path, or, without a slash, for the name alone.
fn is_wanted(patterns: &[Pattern], written: &Path, whole: &Path) -> bool {
    let options = MatchOptions::default();
    let name = whole.file_name().map(PathBuf::from).unwrap_or_default();
    let below = |pattern: &Pattern| {
        let mut tails = whole.ancestors().filter_map(|up| whole.strip_prefix(up).ok());
        tails.any(|tail| pattern.matches_path_with(tail, options))
    };
    patterns.is_empty()
        || patterns.iter().any(|p| p.matches_path_with(written, options) || p.matches_path(whole) || p.matches_path(&name) || below(p))
}

fn absolute(path: &Path) -> PathBuf {
    let path = path.canonicalize().or_else(|_| std::path::absolute(path));
    path.unwrap_or_default()
}

fn arguments(entry: &Entry) -> Result<Vec<String>, String> {
    match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => Ok(arguments.clone()),
        (None, Some(command)) => shell_words::split(command).map_err(|error| format!("`command` can't be split into words: {error}")),
        (None, None) => Err("it has neither `command` nor `arguments`".into()),
    }
}

/// Programs in front of the compiler.
const LAUNCHERS: [&str; 4] = ["ccache", "sccache", "distcc", "icecc"];
/// Behind -W they are for other tools, and mean something.
const KEPT_WARNINGS: [&str; 1] = ["-Wp,-D"];

fn relevant(arguments: &[String], directory: &Path, file: &Path) -> Result<Vec<String>, String> {
    let name = |word: &String| Path::new(word).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let launched = arguments.first().is_some_and(|first| LAUNCHERS.contains(&name(first).as_str()));
    let mut kept = Vec::new();
    let mut words = arguments.iter().skip(if launched { 2 } else { 1 });
    while let Some(word) = words.next() {
        if word.starts_with('@') {
            return Err(format!("flags in a file ({word}) are not supported"));
        }
        if let Some(defined) = KEPT_WARNINGS.iter().find(|start| word.starts_with(**start)) {
            kept.push(format!("-D{}", &word[defined.len()..]));
            continue;
        }
        match fate(word) {
            Some(Fate::Dropped { value }) => {
                if value {
                    words.next();
                }
            }
            // What a build wants to hear of is not what is asked here.
            Some(Fate::Kept { value: false }) if word.starts_with("-W") => {}
            Some(Fate::Kept { value: true }) => {
                kept.push(word.clone());
                kept.extend(words.next().cloned());
            }
            _ if word == "-x" => drop(words.next()),
            None if ["-v", "--"].contains(&word.as_str()) => {}
            None if !word.starts_with('-') => {
                if absolute(&directory.join(word)) != file {
                    return Err(format!("the command names another file: {word}"));
                }
            }
            Some(Fate::Kept { value: false }) | None => kept.push(word.clone()),
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_kept() {
        let command = r#"ccache /usr/bin/cc -DNAME=\"a\ b\" -I inc -Iother -isystem sys -std=c99 -O2 -g3 -Wall -Werror
            -include config.h -fno-strict-aliasing -MD -MT x.o -MF x.d -fsanitize=address -o x.o -c src/x.c"#;
        let words = shell_words::split(command).unwrap();
        let kept = relevant(&words, Path::new("/b"), Path::new("/b/src/x.c")).unwrap();
        let expected =
            ["-DNAME=\"a b\"", "-I", "inc", "-Iother", "-isystem", "sys", "-std=c99", "-include", "config.h", "-fno-strict-aliasing"];
        assert_eq!(kept, expected);
    }

    #[test]
    fn commands_for_other_files_and_flags_in_files_are_said() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let file = Path::new("/b/x.c");
        assert!(relevant(&words("cc -c y.c"), Path::new("/b"), file).unwrap_err().contains("y.c"));
        assert!(relevant(&words("cc @flags x.c"), Path::new("/b"), file).unwrap_err().contains("@flags"));
    }

    #[test]
    fn targets_are_told_by_the_directories_of_objects() {
        let entry = |output: Option<&str>, command: &str| Entry {
            directory: "/b".into(),
            file: "x.c".into(),
            output: output.map(PathBuf::from),
            command: Some(command.into()),
            arguments: None,
        };
        assert_eq!(target_of(&entry(None, "cc -o CMakeFiles/tool.dir/src/x.c.o -c x.c")).as_deref(), Some("tool"));
        assert_eq!(target_of(&entry(Some("sub/CMakeFiles/lib.dir/x.c.o"), "cc -c x.c")).as_deref(), Some("lib"));
        assert_eq!(target_of(&entry(Some("tool.p/x.c.o"), "cc -c x.c")).as_deref(), Some("tool"));
        assert_eq!(target_of(&entry(None, "cc -c x.c")), None);
    }

    #[test]
    fn patterns_choose_files() {
        let wanted = |pattern: &str| is_wanted(&patterns(&[pattern.into()]).unwrap(), Path::new("../src/a.c"), Path::new("/p/src/a.c"));
        assert!(wanted("a.c") && wanted("src/*.c") && wanted("/p/src/a.c") && wanted("*.c") && wanted("**/a.c"));
        assert!(!wanted("b.c") && !wanted("lib/*.c"));
        assert!(patterns(&["[".into()]).is_err());
    }
}
