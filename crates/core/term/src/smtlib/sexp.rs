//! Text to S-expressions, in a flat arena: a list is a range of child ids, so nothing recurses, neither in building nor
//! in dropping, however deep the input nests.

use crate::smtlib::names::{is_symbol_char, unescape};
use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;
use thiserror::Error;

/// Line and column, both from 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// An error in a text of SMT-LIB.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}:{}: {message}", position.line, position.column)]
pub struct ReadError {
    /// Where the error is.
    pub position: Position,
    /// What was expected there, or what is wrong.
    pub message: String,
}

pub(crate) type NodeId = u32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `user` marks a symbol that was escaped, so that no theory owns it.
    Symbol {
        name: String,
        user: bool,
    },
    Keyword(String),
    Numeral(String),
    Decimal(String),
    Hex(String),
    Binary(String),
    Text(String),
    List {
        start: u32,
        count: u32,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct SexpNode {
    pub position: Position,
    pub kind: Kind,
}

/// All expressions of a text.
#[derive(Default)]
pub(crate) struct Sexps {
    nodes: Vec<SexpNode>,
    children: Vec<NodeId>,
    pub roots: Vec<NodeId>,
}

impl Sexps {
    /// What kind of expression this is.
    pub fn kind(&self, id: NodeId) -> &Kind {
        &self.nodes[id as usize].kind
    }

    /// Where the expression starts.
    pub fn position(&self, id: NodeId) -> Position {
        self.nodes[id as usize].position
    }

    /// The members of a list; None for an atom.
    pub fn list(&self, id: NodeId) -> Option<&[NodeId]> {
        match *self.kind(id) {
            Kind::List { start, count } => Some(&self.children[start as usize..(start + count) as usize]),
            _ => None,
        }
    }

    /// The text of a symbol; None for anything else.
    pub fn symbol(&self, id: NodeId) -> Option<&str> {
        match self.kind(id) {
            Kind::Symbol { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The key of this symbol in scopes.
    pub fn scope_key(&self, id: NodeId) -> Option<String> {
        match self.kind(id) {
            Kind::Symbol { name, user } => Some(scope_key(name, *user).into_owned()),
            _ => None,
        }
    }

    /// An error at this expression.
    pub fn error(&self, id: NodeId, message: impl Into<String>) -> ReadError {
        ReadError { position: self.position(id), message: message.into() }
    }

    /// Parses a text.
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        let mut sexps = Sexps::default();
        let mut lexer = Lexer { chars: text.chars().peekable(), position: Position { line: 1, column: 1 } };
        let mut open: Vec<(Position, usize)> = Vec::new();
        let mut pending: Vec<NodeId> = Vec::new();
        while let Some((position, token)) = lexer.next()? {
            let kind = match token {
                Token::Open => {
                    open.push((position, pending.len()));
                    continue;
                }
                Token::Close => {
                    let Some((start_position, first)) = open.pop() else {
                        return Err(ReadError { position, message: "unexpected `)`".into() });
                    };
                    let start = sexps.children.len() as u32;
                    sexps.children.extend(pending.drain(first..));
                    let count = sexps.children.len() as u32 - start;
                    let id = sexps.add(start_position, Kind::List { start, count });
                    sexps.place(id, open.is_empty(), &mut pending);
                    continue;
                }
                Token::Atom(kind) => kind,
            };
            let id = sexps.add(position, kind);
            sexps.place(id, open.is_empty(), &mut pending);
        }
        match open.last() {
            Some(&(position, _)) => Err(ReadError { position, message: "`(` is never closed".into() }),
            None => Ok(sexps),
        }
    }

    fn add(&mut self, position: Position, kind: Kind) -> NodeId {
        self.nodes.push(SexpNode { position, kind });
        self.nodes.len() as u32 - 1
    }

    fn place(&mut self, id: NodeId, is_root: bool, pending: &mut Vec<NodeId>) {
        if is_root { self.roots.push(id) } else { pending.push(id) }
    }
}

/// An escaped symbol is never the unescaped one of the same name.
pub(crate) fn scope_key(name: &str, user: bool) -> Cow<'_, str> {
    if user { Cow::Owned(format!("|{name}")) } else { Cow::Borrowed(name) }
}

enum Token {
    Open,
    Close,
    Atom(Kind),
}

struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    position: Position,
}

impl Lexer<'_> {
    fn bump(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        if c == '\n' {
            self.position = Position { line: self.position.line + 1, column: 1 };
        } else {
            self.position.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        while let Some(&c) = self.chars.peek()
            && accept(c)
        {
            text.push(c);
            self.bump();
        }
        text
    }

    fn next(&mut self) -> Result<Option<(Position, Token)>, ReadError> {
        loop {
            match self.chars.peek() {
                None => return Ok(None),
                Some(';') => {
                    self.take_while(|c| c != '\n');
                }
                Some(c) if c.is_whitespace() => {
                    self.bump();
                }
                Some(_) => break,
            }
        }
        let position = self.position;
        let fail = |message: String| Err(ReadError { position, message });
        let Some(&first) = self.chars.peek() else { return Ok(None) };
        let token = match first {
            '(' | ')' => {
                self.bump();
                if first == '(' { Token::Open } else { Token::Close }
            }
            '|' => {
                self.bump();
                let name = self.take_while(|c| c != '|');
                if self.bump().is_none() {
                    return fail("`|` is never closed".into());
                }
                Token::Atom(symbol(name))
            }
            '"' => match self.string() {
                Some(text) => Token::Atom(Kind::Text(text)),
                None => return fail("string is never closed".into()),
            },
            ':' => {
                self.bump();
                Token::Atom(Kind::Keyword(self.take_while(is_symbol_char)))
            }
            '#' => {
                self.bump();
                let text = self.take_while(|c| c.is_ascii_alphanumeric());
                match literal(&text) {
                    Some(kind) => Token::Atom(kind),
                    None => return fail(format!("`#{text}` is no constant")),
                }
            }
            '0'..='9' => Token::Atom(self.number()),
            c if is_symbol_char(c) => Token::Atom(symbol(self.take_while(is_symbol_char))),
            other => return fail(format!("unexpected character `{}`", other.escape_default())),
        };
        Ok(Some((position, token)))
    }

    fn number(&mut self) -> Kind {
        let whole = self.take_while(|c| c.is_ascii_digit());
        if self.chars.peek() != Some(&'.') {
            return Kind::Numeral(whole);
        }
        self.bump();
        let fraction = self.take_while(|c| c.is_ascii_digit());
        Kind::Decimal(format!("{whole}.{fraction}"))
    }

    /// A string literal; a doubled quote stands for one.
    fn string(&mut self) -> Option<String> {
        self.bump();
        let mut text = String::new();
        loop {
            text.push_str(&self.take_while(|c| c != '"'));
            self.bump()?;
            if self.chars.peek() != Some(&'"') {
                return Some(text);
            }
            self.bump();
            text.push('"');
        }
    }
}

fn symbol(name: String) -> Kind {
    match unescape(&name) {
        Some(name) => Kind::Symbol { name, user: true },
        None => Kind::Symbol { name, user: false },
    }
}

fn literal(text: &str) -> Option<Kind> {
    if let Some(digits) = text.strip_prefix('x') {
        let is_hex = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
        return is_hex.then(|| Kind::Hex(digits.to_string()));
    }
    let digits = text.strip_prefix('b')?;
    let is_binary = !digits.is_empty() && digits.bytes().all(|b| b == b'0' || b == b'1');
    is_binary.then(|| Kind::Binary(digits.to_string()))
}
