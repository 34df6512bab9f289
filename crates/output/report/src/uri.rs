//! File names as URI references (RFC 3986): SARIF and JUnit readers expect them.

use std::fmt::Write;
use std::path::Path;

/// An absolute path as a `file` URI, a relative one as a reference relative to where Fathom ran.
pub fn uri(path: impl AsRef<Path>) -> String {
    let bytes = path.as_ref().as_os_str().as_encoded_bytes();
    let mut text = String::from(if bytes.starts_with(b"/") { "file://" } else { "" });
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("src/a b+ü.c"), "src/a%20b%2B%C3%BC.c");
        assert_eq!(uri("/tmp/x.c"), "file:///tmp/x.c");
    }
}
