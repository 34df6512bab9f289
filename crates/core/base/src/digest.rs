//! Bytes as hexadecimal digits, and the digest that tells contents of files apart.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Two digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// SHA-256 of these parts, one behind the other, in hexadecimal digits.
pub fn sha256_of<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
    let mut hash = Sha256::new();
    parts.into_iter().for_each(|part| hash.update(part));
    hex(&hash.finalize())
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(content: impl AsRef<[u8]>) -> String {
    sha256_of([content])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        assert_eq!(hex(&[0, 0xa5, 0xff]), "00a5ff");
        let of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((sha256("abc"), sha256_of(["a", "bc"])), (of_abc.to_string(), of_abc.to_string()));
    }
}
