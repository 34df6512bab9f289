//! The environment of a native run: arguments, standard input and files, made from the inputs that the interpreter's
//! run read from them (`fathom-frontend-llvm` names those: `argv[1]`, `stdin`, `line of stdin`, `scanf("%d")` with the
//! number of items and `scanf` with each, `contents of NAME`).

use crate::driver::Given;
use crate::scanned;
use fathom_ir::sources::{ARGC, CONTENTS};
use std::path::Path;
use std::process::Stdio;

/// Names of inputs that are characters of standard input, a line of it, and its end.
const CHARACTER: &str = "stdin";
const LINE: &str = "line of stdin";
const END: &str = "end of stdin";
/// How many bytes one call of `fread` or `read` took from standard input, and its buffer behind it.
const COUNT: &str = "length of stdin";
const BYTES: &str = "bytes of stdin";
/// The lengths of arguments of which only that is known.
const LENGTH: &str = "length of argv[";
const LENGTH_OF_NAME: &str = "length of program name";
/// What is in them where only their length is known.
const FILLER: u8 = b'x';
/// More arguments than this are not made.
const MOST_ARGUMENTS: usize = 10_000;
/// What scanf converted, and (with its format) how many items.
const SCANNED: &str = "scanf";
const SCANNED_ITEMS: &str = "scanf(\"";

/// Whether an input of this source is part of the world rather than the result of a function.
pub fn is_known(source: &str) -> bool {
    const PARTS: [&str; 4] = ["argv[", LENGTH, CONTENTS, SCANNED_ITEMS];
    [CHARACTER, LINE, END, COUNT, BYTES, SCANNED, ARGC, LENGTH_OF_NAME].contains(&source)
        || PARTS.iter().any(|start| source.starts_with(start))
}

/// Arguments, standard input and files of a native run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct World {
    /// The arguments without the program's name, in bytes without the null.
    pub arguments: Vec<Vec<u8>>,
    /// The contents of standard input.
    pub stdin: Vec<u8>,
    /// Files by name, with their contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// Why a run in this world may differ from the interpreter's.
    pub differs: Option<String>,
}

impl World {
    /// `arguments` are those that the user fixed.
    pub fn new(inputs: &[Given], arguments: &[String]) -> Self {
        let mut world = World { arguments: arguments.iter().map(|text| text.clone().into_bytes()).collect(), ..World::default() };
        let (mut has_ended, mut argc, mut count) = (false, None, 0);
        for (at, input) in inputs.iter().enumerate() {
            let source = input.source.as_str();
            let reads = [CHARACTER, LINE, BYTES].contains(&source) || source.starts_with(SCANNED_ITEMS);
            if has_ended && reads {
                world.differs = Some("it reads standard input behind its end".into());
            }
            match source {
                CHARACTER if input.bytes.starts_with(&[0xff; 4]) => has_ended = true,
                CHARACTER => world.stdin.extend(input.bytes.first()),
                COUNT => match number(&input.bytes).try_into() {
                    Ok(bytes) => count = bytes,
                    Err(_) => world.differs = Some("a read of standard input fails".into()),
                },
                BYTES => has_ended |= !world.add_bytes(&input.bytes, count),
                LINE => has_ended |= !world.add_line(&input.bytes),
                SCANNED => {}
                END => has_ended |= input.bytes.iter().any(|byte| *byte != 0),
                _ if source.starts_with(SCANNED_ITEMS) => {
                    let items = inputs[at + 1..].iter().take_while(|item| item.source == SCANNED);
                    let items: Vec<&[u8]> = items.map(|item| item.bytes.as_slice()).collect();
                    has_ended |= !world.add_scanned(source, &input.bytes, &items);
                }
                ARGC => argc = input.bytes.get(..4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes),
                LENGTH_OF_NAME => {}
                _ if source.starts_with(LENGTH) => world.arguments.push(vec![FILLER; length_of(&input.bytes)]),
                _ if source.starts_with("argv[") => world.arguments.push(up_to_null(&input.bytes).to_vec()),
                _ => world.add_file(source, &input.bytes),
            }
        }
        world.complete_arguments(argc);
        world
    }

    /// As many arguments as `argc` says; a program without a name can't be started.
    fn complete_arguments(&mut self, argc: Option<u32>) {
        match argc.map(|argc| argc as usize) {
            None => {}
            Some(argc @ 1..=MOST_ARGUMENTS) => self.arguments.resize(argc - 1, Vec::new()),
            Some(argc) => self.differs = Some(format!("it has {argc} arguments, the program's name among them")),
        }
    }

    /// Adds what `fread` or `read` took into a buffer; false if only the end of the input can have made it so few.
    fn add_bytes(&mut self, buffer: &[u8], count: usize) -> bool {
        self.stdin.extend_from_slice(&buffer[..count.min(buffer.len())]);
        count >= buffer.len()
    }

    /// Adds what fgets read; false if only the end of the input can have ended it.
    fn add_line(&mut self, bytes: &[u8]) -> bool {
        let text = up_to_null(bytes);
        if text.is_empty() {
            // A line that the program takes for empty begins with a null character.
            self.stdin.push(0);
            self.stdin.extend((bytes.len() > 1).then_some(b'\n'));
            return true;
        }
        match text.iter().position(|byte| *byte == b'\n') {
            Some(end) => self.stdin.extend_from_slice(&text[..=end]),
            None => self.stdin.extend_from_slice(text),
        }
        text.contains(&b'\n') || text.len() == bytes.len()
    }

    /// Adds a text that scanf reads like this; false if only the end of the input, or something that can't be converted,
    /// can have ended it early.
    fn add_scanned(&mut self, source: &str, count: &[u8], items: &[&[u8]]) -> bool {
        let format = source.strip_prefix(SCANNED_ITEMS).and_then(|rest| rest.strip_suffix("\")")).unwrap_or_default();
        let count = count.get(..4).and_then(|bytes| bytes.try_into().ok()).map_or(-1, i32::from_le_bytes);
        let Some(text) = scanned::text(format, usize::try_from(count).unwrap_or(0), items, self.stdin.last().copied()) else {
            self.differs = Some(format!("no input was found that {source} reads like this"));
            return false;
        };
        self.stdin.extend(text.bytes);
        if count == 0 && !text.is_whole {
            self.stdin.push(scanned::NOTHING);
        }
        text.is_whole
    }

    fn add_file(&mut self, source: &str, bytes: &[u8]) {
        match source.strip_prefix(CONTENTS) {
            None => {}
            Some("stdin") => self.stdin.extend_from_slice(bytes),
            Some(name) if is_plain(name) => self.files.push((name.to_string(), bytes.to_vec())),
            Some(name) => self.differs = Some(format!("it depends on the file {name}")),
        }
    }

    /// Whether the run needs none of these.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.stdin.is_empty() && self.files.is_empty()
    }

    /// Writes the files where the run starts, and what it reads from standard input into this file, which it opens.
    pub fn make(&self, directory: &Path, stdin: &Path) -> std::io::Result<Stdio> {
        self.write_files(directory)?;
        if self.stdin.is_empty() {
            return Ok(Stdio::null());
        }
        std::fs::write(stdin, &self.stdin)?;
        Ok(Stdio::from(std::fs::File::open(stdin)?))
    }

    /// Puts the files where the run starts.
    fn write_files(&self, directory: &Path) -> std::io::Result<()> {
        self.files.iter().try_for_each(|(name, bytes)| std::fs::write(directory.join(name), bytes))
    }
}

/// A name that stays in the run's directory.
fn is_plain(name: &str) -> bool {
    !name.contains('/') && name != "." && name != ".."
}

/// Linux takes no longer arguments.
fn length_of(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0usize, |length, &byte| length << 8 | byte as usize).min((1 << 17) - 1)
}

/// A `long` of either data model.
fn number(bytes: &[u8]) -> i64 {
    let sign = bytes.last().map_or(0, |last| i64::from(*last as i8) >> 7);
    bytes.iter().take(8).rev().fold(sign, |value, &byte| value << 8 | i64::from(byte))
}

fn up_to_null(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(inputs: &[(&str, &[u8])]) -> Vec<Given> {
        inputs.iter().map(|(source, bytes)| Given { source: source.to_string(), bytes: bytes.to_vec() }).collect()
    }

    #[test]
    fn inputs_become_arguments_bytes_and_files() {
        let world = World::new(
            &log(&[
                ("argv[1]", b"-x\0"),
                ("stdin", &[b'a', 0, 0, 0]),
                ("line of stdin", b"bc\n\0\0"),
                ("contents of data", b"12"),
                ("stdin", &[0xff; 4]),
                ("__VERIFIER_nondet_int", &[1, 0, 0, 0]),
            ]),
            &["first".into()],
        );
        assert_eq!(world.arguments, [b"first".to_vec(), b"-x".to_vec()]);
        assert_eq!(world.stdin, b"abc\n");
        assert_eq!(world.files, [("data".to_string(), b"12".to_vec())]);
        assert_eq!(world.differs, None);
    }

    #[test]
    fn buffers_become_as_many_bytes_as_were_read() {
        let read = [("length of stdin", [2u8, 0, 0, 0, 0, 0, 0, 0].as_slice()), ("bytes of stdin", b"ab")];
        let short = [("length of stdin", [1u8, 0, 0, 0].as_slice()), ("bytes of stdin", b"c?")];
        let world = World::new(&log(&[read, short].concat()), &[]);
        assert_eq!((world.stdin.as_slice(), &world.differs), (b"abc".as_slice(), &None));
        assert!(World::new(&log(&[short, read].concat()), &[]).differs.is_some());
        assert!(World::new(&log(&[("length of stdin", &[0xff; 8])]), &[]).differs.is_some());
    }

    #[test]
    fn scanned_items_become_text() {
        let inputs = log(&[
            ("scanf(\"%d,%x %c\")", &[3, 0, 0, 0]),
            ("scanf", &[0xfe, 0xff, 0xff, 0xff]),
            ("scanf", &[0xef, 0xbe, 0, 0]),
            ("scanf", b"q"),
            ("scanf(\"%lf\")", &[1, 0, 0, 0]),
            ("scanf", &0.25f64.to_le_bytes()),
            ("stdin", &[b'!', 0, 0, 0]),
            ("scanf(\"%d%d\")", &[1, 0, 0, 0]),
            ("scanf", &[7, 0, 0, 0]),
        ]);
        let world = World::new(&inputs, &[]);
        assert_eq!((String::from_utf8_lossy(&world.stdin).as_ref(), &world.differs), ("-2,beef q 0.25!7", &None));
        assert_eq!(World::new(&log(&[("scanf(\"%d\")", &[0; 4])]), &[]).stdin, b"?");
    }

    #[test]
    fn what_can_not_be_made_is_said() {
        assert!(World::new(&log(&[("stdin", &[0xff; 4]), ("stdin", &[1, 0, 0, 0])]), &[]).differs.is_some());
        assert!(World::new(&log(&[("contents of /etc/passwd", b"x")]), &[]).differs.is_some());
        assert!(World::new(&log(&[("scanf(\"%d\")", &[0xff; 4]), ("stdin", &[1, 0, 0, 0])]), &[]).differs.is_some());
        assert!(World::new(&log(&[("line of stdin", b"ab\0\0"), ("line of stdin", b"ab\0\0")]), &[]).differs.is_some());
    }
}
