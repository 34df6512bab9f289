//! Messages on standard input and output: a header with a length, then JSON. The server survives any input: a malformed
//! message is answered with an error, and reading continues after it. (The reader of `lsp-server` ends at the first
//! one.)

use lsp_server::{Message, RequestId};
use serde_json::Value;
use std::io::{self, BufRead, Read, Write};

/// The longest message that is taken. The longest that an editor sends is a source file.
const LONGEST: u64 = 256 << 20;
/// The longest line of a header that is taken.
const LONGEST_LINE: u64 = 4096;

/// What comes from the client.
#[derive(Debug)]
pub enum Incoming {
    /// A message.
    Message(Message),
    /// Something that is no message; with the number of the request if it looks like one.
    Malformed {
        /// The request that waits for an answer.
        id: Option<RequestId>,
        /// What is wrong.
        why: String,
    },
}

fn malformed(why: impl Into<String>) -> Incoming {
    Incoming::Malformed { id: None, why: why.into() }
}

/// The next message; none at the end of the input.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let length = match read_header(input)? {
        Header::End => return Ok(None),
        Header::Malformed(why) => return Ok(Some(malformed(why))),
        Header::Length(length) if length > LONGEST => {
            io::copy(&mut input.take(length), &mut io::sink())?;
            return Ok(Some(malformed(format!("a message of {length} bytes is too long"))));
        }
        Header::Length(length) => length,
    };
    let mut body = Vec::new();
    if input.take(length).read_to_end(&mut body)? < length as usize {
        return Ok(None);
    }
    Ok(Some(parse(&body)))
}

fn parse(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return malformed(format!("not JSON: {error}")),
    };
    let id = value.get("method").and_then(|_| serde_json::from_value(value.get("id")?.clone()).ok());
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(_) => Incoming::Malformed { id, why: "neither a request nor a response nor a notification".into() },
    }
}

enum Header {
    End,
    Length(u64),
    Malformed(String),
}

/// Reads to the empty line behind a header. Lines that belong to none are passed over.
fn read_header(input: &mut impl BufRead) -> io::Result<Header> {
    let (mut length, mut is_empty) = (None, true);
    loop {
        let mut line = Vec::new();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(Header::End);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            // Empty lines between messages do no harm.
            match length {
                Some(length) => return Ok(Header::Length(length)),
                None if is_empty => continue,
                None => return Ok(Header::Malformed("a header without Content-Length".into())),
            }
        }
        is_empty = false;
        let value = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("Content-Length"));
        if let Some((_, value)) = value {
            length = match value.trim().parse() {
                Ok(length) => Some(length),
                Err(_) => return Ok(Header::Malformed(format!("{line}: this is no length"))),
            };
        }
    }
}

/// Sends a message.
pub fn write(message: &Message, output: &mut dyn Write) -> io::Result<()> {
    let mut output = output;
    message.write(&mut output)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn all(input: &str) -> Vec<Incoming> {
        let mut input = input.as_bytes();
        std::iter::from_fn(|| read(&mut input).unwrap()).collect()
    }

    #[test]
    fn what_is_no_message_is_passed_over() {
        let good = framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        for bad in [
            framed("{"),
            framed("[]"),
            framed(r#"{"jsonrpc":"2.0"}"#),
            framed(&"[".repeat(100_000)),
            "Content-Length: many\r\n".into(),
            "Content-Type: x\r\n\r\n".into(),
            "hello\r\n\r\n".into(),
        ] {
            let told = all(&format!("{bad}{good}"));
            assert!(matches!(told.first(), Some(Incoming::Malformed { id: None, .. })), "{bad}: {told:?}");
            assert!(matches!(told.last(), Some(Incoming::Message(Message::Notification(_)))), "{bad}: {told:?}");
        }
    }

    #[test]
    fn a_malformed_request_is_known_by_its_number() {
        let told = all(&framed(r#"{"id":7,"method":5}"#));
        assert!(matches!(&told[..], [Incoming::Malformed { id: Some(id), .. }] if *id == RequestId::from(7)), "{told:?}");
    }

    #[test]
    fn half_a_message_is_the_end() {
        assert!(all("Content-Length: 10\r\n\r\n{}").is_empty());
        assert!(all("Content-Length: 99999999999999\r\n\r\n{}").iter().all(|told| matches!(told, Incoming::Malformed { .. })));
        assert!(all("\r\n\r\n").is_empty());
    }
}
