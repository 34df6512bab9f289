//! Golden files: what a test printed must be what a file says. With `FATHOM_BLESS=1` the file is written anew instead, and the
//! difference is for whoever commits it to judge.

use std::path::Path;

/// Whether what is printed is accepted, whatever it is.
pub fn is_blessing() -> bool {
    std::env::var_os("FATHOM_BLESS").is_some()
}

/// What is wrong if the file does not say this text, with the first line that differs. Writes the file when blessing.
pub fn difference(path: &Path, text: &str) -> Option<String> {
    if is_blessing() {
        return std::fs::write(path, text).err().map(|error| format!("{} can't be written: {error}", path.display()));
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == text {
        return None;
    }
    let same = expected.lines().zip(text.lines()).take_while(|(one, other)| one == other).count();
    let line_of = |text: &str| text.lines().nth(same).map_or("the end".to_string(), |line| format!("`{line}`"));
    let (path, old, new) = (path.display(), line_of(&expected), line_of(text));
    Some(format!("{path}:{}: {new} instead of {old}; FATHOM_BLESS=1 accepts the new form, which is\n{text}", same + 1))
}

/// Panics with the difference if the file does not say this text.
#[track_caller]
pub fn compare(path: &Path, text: &str) {
    if let Some(difference) = difference(path, text) {
        panic!("{difference}");
    }
}
