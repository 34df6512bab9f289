//! Tokens of Boogie. Keywords that the grammar also takes as names (`left`, `hide`, …) and those of old or concurrent
//! Boogie (`finite`, `par`, …) are plain names here; the parser knows them where they matter.

use num_bigint::BigUint;

use crate::ast::{Decimal, FloatLit};
use crate::source::Span;
use std::rc::Rc;

/// A token and where it stands.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// A name; `escaped` is one written with a backslash, which is never a keyword.
    Ident {
        name: Rc<str>,
        escaped: bool,
    },
    Keyword(Keyword),
    Int(BigUint),
    Decimal(Decimal),
    Float(FloatLit),
    BitVec {
        value: BigUint,
        width: u32,
    },
    Str(Rc<str>),
    Punct(Punct),
    End,
}

macro_rules! texts {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($variant),* }

        impl $name {
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            pub const ALL: &[$name] = &[$($name::$variant),*];
        }
    };
}

texts!(Keyword {
    Assert = "assert", Assume = "assume", Async = "async", Axiom = "axiom", Bool = "bool", Break = "break", Call = "call",
    Const = "const", Datatype = "datatype", Div = "div", Else = "else", Ensures = "ensures", Exists = "exists",
    False = "false", Forall = "forall", Free = "free", Function = "function", Goto = "goto", Havoc = "havoc", If = "if",
    Implementation = "implementation", Int = "int", Invariant = "invariant", Is = "is", Lambda = "lambda", Mod = "mod",
    Modifies = "modifies", Old = "old", Procedure = "procedure", Pure = "pure", Real = "real", Requires = "requires",
    Return = "return", Returns = "returns", Then = "then", True = "true", Type = "type", Unique = "unique", Uses = "uses",
    Var = "var", Where = "where", While = "while",
});

texts!(
    /// Longer ones come before their prefixes: the lexer takes the first that fits.
    Punct {
        Iff = "<==>", Implies = "==>", Explies = "<==", Concat = "++", Power = "**", And = "&&", Or = "||", Eq = "==", Ne = "!=",
        Le = "<=", Ge = ">=", Below = "<:", Assign = ":=", Sep = "::", Arrow = "->", OpenCode = "|{", CloseCode = "}|", OpenParen = "(",
        CloseParen = ")", OpenBracket = "[", CloseBracket = "]", OpenBrace = "{", CloseBrace = "}", Lt = "<", Gt = ">",
        Plus = "+", Minus = "-", Star = "*", Slash = "/", Not = "!", Is = "=", Comma = ",", Semicolon = ";", Colon = ":",
        Bar = "|",
    }
);

impl Keyword {
    pub fn of(text: &str) -> Option<Keyword> {
        // All keywords are lower-case letters and at most 14 of them; most names fail here at once.
        if text.len() > 14 || !text.starts_with(|c: char| c.is_ascii_lowercase()) {
            return None;
        }
        Self::ALL.iter().copied().find(|keyword| keyword.text() == text)
    }
}

/// The mathematical signs that Boogie takes for operators and quantifiers.
pub fn sign(c: char) -> Option<TokenKind> {
    Some(match c {
        '∀' => TokenKind::Keyword(Keyword::Forall),
        '∃' => TokenKind::Keyword(Keyword::Exists),
        'λ' => TokenKind::Keyword(Keyword::Lambda),
        '•' => TokenKind::Punct(Punct::Sep),
        '⇔' => TokenKind::Punct(Punct::Iff),
        '⇒' => TokenKind::Punct(Punct::Implies),
        '⇐' => TokenKind::Punct(Punct::Explies),
        '∧' => TokenKind::Punct(Punct::And),
        '∨' => TokenKind::Punct(Punct::Or),
        '¬' => TokenKind::Punct(Punct::Not),
        '≠' => TokenKind::Punct(Punct::Ne),
        '≤' => TokenKind::Punct(Punct::Le),
        '≥' => TokenKind::Punct(Punct::Ge),
        _ => return None,
    })
}

impl TokenKind {
    /// How a message names the token.
    pub fn describe(&self) -> String {
        match self {
            TokenKind::Ident { name, .. } => format!("`{name}`"),
            TokenKind::Keyword(keyword) => format!("`{}`", keyword.text()),
            TokenKind::Punct(punct) => format!("`{}`", punct.text()),
            TokenKind::Int(_) | TokenKind::Decimal(_) | TokenKind::Float(_) | TokenKind::BitVec { .. } => "a number".to_string(),
            TokenKind::Str(_) => "a string".to_string(),
            TokenKind::End => "the end of the file".to_string(),
        }
    }
}
