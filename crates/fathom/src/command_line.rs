//! Prepares the command line: `@file` is replaced by the words in the file, flags of C compilers are removed before
//! clap parses the rest (clap has no flags with one dash and several letters), and `-` is replaced by a file with the
//! contents of standard input.

use fathom_driver::clang_flags::{Fate, fate};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Files of arguments may name others, this deep.
const DEEPEST: usize = 10;

/// The words of a command line, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// For clap.
    pub words: Vec<OsString>,
    /// For clang.
    pub clang: Vec<String>,
    /// What `-x` says.
    pub language: Option<String>,
}

impl CommandLine {
    /// Sorts the words of a command line, or says what is wrong with them.
    pub fn read(arguments: Vec<OsString>) -> Result<Self, String> {
        Ok(sort(expand(arguments, 0)?))
    }
}

/// Puts the words of files in place of `@file`, as compilers do. File names need not be UTF-8; words in files are text.
fn expand(arguments: Vec<OsString>, depth: usize) -> Result<Vec<OsString>, String> {
    let mut all = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if ends_flags(&argument) {
            all.push(argument);
            all.extend(arguments);
            break;
        }
        let Some(path) = argument.to_str().and_then(|word| word.strip_prefix('@')).filter(|path| !path.is_empty()) else {
            all.push(argument);
            continue;
        };
        if depth == DEEPEST {
            return Err(format!("@{path}: files of arguments name each other more than {DEEPEST} deep"));
        }
        let text = std::fs::read_to_string(path).map_err(|error| format!("@{path}: the file of arguments can't be read: {error}"))?;
        let words = shell_words::split(&text).map_err(|error| format!("@{path}: {error}"))?;
        all.extend(expand(words.into_iter().map(OsString::from).collect(), depth + 1)?);
    }
    Ok(all)
}

/// Whether what follows is the analysed program's, or file names.
fn ends_flags(argument: &OsString) -> bool {
    argument == "--" || argument == "--args"
}

fn sort(arguments: Vec<OsString>) -> CommandLine {
    let mut sorted = CommandLine::default();
    let text = |argument: OsString| argument.to_string_lossy().into_owned();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if ends_flags(&argument) {
            sorted.words.push(argument);
            sorted.words.extend(arguments);
            break;
        }
        let word = argument.to_str().unwrap_or_default();
        match word {
            "-x" => sorted.language = arguments.next().map(text),
            "-xc" | "-xc++" => sorted.language = Some(word[2..].to_string()),
            "-m32" | "-m64" => sorted.words.push(format!("--{}", &word[2..]).into()),
            "--clang-arg" => {
                sorted.words.push(argument);
                sorted.words.extend(arguments.next());
            }
            _ => match fate(word) {
                Some(Fate::Kept { value }) => {
                    sorted.clang.push(text(argument));
                    sorted.clang.extend(arguments.by_ref().take(usize::from(value)).map(text));
                }
                Some(Fate::Dropped { value }) => arguments.by_ref().take(usize::from(value)).for_each(drop),
                None => sorted.words.push(argument),
            },
        }
    }
    sorted
}

/// A program on standard input.
#[derive(Clone, Debug)]
pub struct Piped {
    text: Vec<u8>,
    extension: &'static str,
}

impl Piped {
    /// Reads standard input if `-` is among the files.
    pub fn read(files: &[PathBuf], language: Option<&str>) -> Result<Option<Self>, String> {
        let extension = match language {
            None | Some("c") => "c",
            Some("cpp-output") => "i",
            Some("c++") => "cpp",
            Some("boogie") => "bpl",
            Some("ir") => "ll",
            Some(other) => return Err(format!("-x {other}: the language is c, c++, cpp-output, ir or boogie")),
        };
        let is_piped = |file: &PathBuf| file == Path::new("-");
        if let (Some(language), Some(file)) = (language, files.iter().find(|file| !is_piped(file)))
            && file.extension().is_none_or(|known| known != extension)
        {
            return Err(format!("-x {language} applies to standard input only; the language of {} follows from its name", file.display()));
        }
        match files.iter().filter(|file| is_piped(file)).count() {
            0 => return Ok(None),
            1 => {}
            _ => return Err("standard input (-) can be read once".into()),
        }
        let mut text = Vec::new();
        std::io::stdin().lock().read_to_end(&mut text).map_err(|error| format!("standard input can't be read: {error}"))?;
        Ok(Some(Self { text, extension }))
    }

    /// Puts a file with the text in place of `-`.
    pub fn put_into(&self, directory: &Path, files: &mut [PathBuf]) -> Result<(), String> {
        let path = directory.join(format!("stdin.{}", self.extension));
        std::fs::write(&path, &self.text).map_err(|error| format!("{} can't be written: {error}", path.display()))?;
        files.iter_mut().filter(|file| *file == Path::new("-")).for_each(|file| file.clone_from(&path));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn flags_of_compilers_are_taken_out() {
        let line = sort(words("fathom verify -I inc -DX=1 -std=c99 -O2 -g -lm a.c -o x -fwrapv --stats -Wall -m32 -x c -- -odd.c"));
        assert_eq!(line.words, words("fathom verify a.c --stats --32 -- -odd.c"));
        assert_eq!(line.clang.join(" "), "-I inc -DX=1 -std=c99 -fwrapv -Wall");
        assert_eq!(line.language.as_deref(), Some("c"));
        let line = sort(words("fathom verify a.c --clang-arg -DY"));
        assert_eq!((line.words.len(), line.clang.len()), (5, 0));
    }

    #[test]
    fn files_of_arguments() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).display().to_string();
        std::fs::write(path("inner"), "-DNAME='a b'\n--32").unwrap();
        std::fs::write(path("outer"), format!("x.c @{}", path("inner"))).unwrap();
        let line = CommandLine::read(words(&format!("fathom verify @{}", path("outer")))).unwrap();
        assert_eq!((line.words, line.clang), (words("fathom verify x.c --32"), vec!["-DNAME=a b".to_string()]));
        assert!(CommandLine::read(words("fathom verify @missing")).unwrap_err().contains("@missing"));
        std::fs::write(path("loop"), format!("@{}", path("loop"))).unwrap();
        assert!(CommandLine::read(words(&format!("fathom @{}", path("loop")))).unwrap_err().contains("deep"));
    }
}
