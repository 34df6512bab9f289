//! KLEE's test files, version 3: magic, arguments of the program, symbolic-argument sizes, named objects; numbers are
//! 32 bits, highest byte first. An object is named after `klee_make_symbolic`'s argument, or after the function that
//! asked for it.

use crate::case::{Input, TestCase};
use fathom_native as native;

const MAGIC: &[u8; 5] = b"KTEST";
const VERSION: u32 = 3;
/// Older files of KLEE begin like this.
const OLD_MAGIC: &[u8; 5] = b"BOUT\n";

/// The contents of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KTest {
    /// The command line, with the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// Names and bytes, in the order in which the program makes them symbolic.
    pub objects: Vec<(String, Vec<u8>)>,
}

/// The contents of a `.ktest` file.
pub fn write(test: &TestCase, program: &str) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let number = |out: &mut Vec<u8>, value: usize| out.extend_from_slice(&(value as u32).to_be_bytes());
    number(&mut out, VERSION as usize);
    number(&mut out, 1);
    number(&mut out, program.len());
    out.extend_from_slice(program.as_bytes());
    number(&mut out, 0);
    number(&mut out, 0);
    number(&mut out, test.inputs.len());
    for input in &test.inputs {
        let name = if input.variable.is_empty() { &input.source } else { &input.variable };
        number(&mut out, name.len());
        out.extend_from_slice(name.as_bytes());
        number(&mut out, input.bytes.len());
        out.extend_from_slice(&input.bytes);
    }
    out
}

/// Whether a file begins like one of KLEE's.
pub fn is_ktest(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(OLD_MAGIC)
}

/// Reads a `.ktest` file.
pub fn read(bytes: &[u8]) -> Result<KTest, String> {
    if !is_ktest(bytes) {
        return Err("it does not begin with KTEST".into());
    }
    let mut cursor = Cursor { bytes, at: MAGIC.len() };
    let version = cursor.number()?;
    if !(1..=VERSION).contains(&version) {
        return Err(format!("it has version {version}; known are 1 to {VERSION}"));
    }
    let mut test = KTest::default();
    for _ in 0..cursor.number()? {
        test.arguments.push(cursor.counted()?.to_vec());
    }
    if version >= 2 {
        cursor.number()?;
        cursor.number()?;
    }
    for _ in 0..cursor.number()? {
        let name = String::from_utf8_lossy(cursor.counted()?).into_owned();
        test.objects.push((name, cursor.counted()?.to_vec()));
    }
    match cursor.at == bytes.len() {
        true => Ok(test),
        false => Err(format!("{} bytes are left over at the end", bytes.len() - cursor.at)),
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| format!("it ends early, at byte {}", self.bytes.len()))?;
        let part = &self.bytes[self.at..end];
        self.at = end;
        Ok(part)
    }

    fn number(&mut self) -> Result<u32, String> {
        Ok(u32::from_be_bytes(self.take(4)?.try_into().unwrap_or_default()))
    }

    fn counted(&mut self) -> Result<&'a [u8], String> {
        let length = self.number()? as usize;
        self.take(length)
    }
}

/// Objects as inputs; one that is named after an input function belongs to it.
pub fn inputs(test: KTest) -> Vec<Input> {
    let input = |(name, bytes): (String, Vec<u8>)| {
        let type_name = native::c_type_of(&name).unwrap_or_default().to_string();
        let is_function = !type_name.is_empty();
        let (source, variable) = match is_function {
            true => (name, String::new()),
            false if native::has_own_name(&name) => (name.clone(), name),
            false => (String::new(), name),
        };
        Input { source, type_name, variable, bytes }
    };
    test.objects.into_iter().map(input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Promise;

    fn sample() -> TestCase {
        let input = |source: &str, variable: &str, bytes: &[u8]| Input {
            source: source.into(),
            type_name: String::new(),
            variable: variable.into(),
            bytes: bytes.to_vec(),
        };
        let inputs = vec![input("__VERIFIER_nondet_int", "", &[7, 0, 0, 0]), input("klee_make_symbolic", "buf", b"ab")];
        TestCase { inputs, promise: Promise::Ends, depends_on: Vec::new() }
    }

    #[test]
    fn the_bytes_of_version_3() {
        let expected = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x03p.c\0\0\0\0\0\0\0\0\0\0\0\x02\
            \0\0\0\x15__VERIFIER_nondet_int\0\0\0\x04\x07\0\0\0\0\0\0\x03buf\0\0\0\x02ab";
        assert_eq!(write(&sample(), "p.c"), expected);
    }

    #[test]
    fn what_was_written_is_read() {
        let test = read(&write(&sample(), "p.c")).unwrap();
        assert_eq!(test.arguments, [b"p.c"]);
        let inputs = inputs(test);
        assert_eq!((inputs[0].source.as_str(), inputs[0].bytes.as_slice()), ("__VERIFIER_nondet_int", &[7u8, 0, 0, 0][..]));
        assert_eq!((inputs[1].source.as_str(), inputs[1].variable.as_str()), ("", "buf"));
    }

    #[test]
    fn damage_is_said() {
        let whole = write(&sample(), "p.c");
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "cut at {end}");
        }
        let mut more = whole.clone();
        more.push(0);
        assert!(read(&more).unwrap_err().contains("left over"));
        let mut other = whole;
        other[8] = 9;
        assert!(read(&other).unwrap_err().contains("version 9"));
    }
}
