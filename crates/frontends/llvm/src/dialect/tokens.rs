//! C tokens, grouped into trees by brackets. White space and comments between them are kept, so that a text can be
//! changed in some places and stays the same everywhere else. A part of the text that is repeated must lose its line
//! breaks (`flat`), so that line numbers stay right.

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// White space, line breaks and line markers.
    Blank(String),
    /// A word of letters, digits and underscores that starts with no digit.
    Word(String),
    /// Anything else: numbers, texts, operators.
    Other(String),
    /// What stands between two brackets.
    Group(char, Vec<Node>),
}

const OPERATORS: [&str; 24] = [
    "<==>", "<<=", ">>=", "...", "==>", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=", "^=", "|=",
];

impl Node {
    /// Whether it is this operator or word.
    pub fn is(&self, text: &str) -> bool {
        matches!(self, Node::Word(own) | Node::Other(own) if own == text)
    }

    /// The word that it is.
    pub fn word(&self) -> Option<&str> {
        match self {
            Node::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn is_blank(&self) -> bool {
        matches!(self, Node::Blank(_))
    }

    /// What stands between these brackets.
    pub fn inside(&self, open: char) -> Option<&[Node]> {
        match self {
            Node::Group(own, inner) if *own == open => Some(inner),
            _ => None,
        }
    }
}

/// The text in trees; None if its brackets don't match.
pub fn parse(text: &str) -> Option<Vec<Node>> {
    let mut open: Vec<(char, Vec<Node>)> = Vec::new();
    let mut current = Vec::new();
    let mut rest = text;
    let mut starts_line = true;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' if starts_line => rest.find('\n').unwrap_or(rest.len()),
            _ => length_of(rest, first),
        };
        let (token, behind) = rest.split_at(length);
        match first {
            '(' | '[' | '{' => open.push((first, std::mem::take(&mut current))),
            ')' | ']' | '}' => {
                let (bracket, outer) = open.pop().filter(|(bracket, _)| closing(*bracket) == first)?;
                let inner = std::mem::replace(&mut current, outer);
                current.push(Node::Group(bracket, inner));
            }
            '#' if starts_line => current.push(Node::Blank(token.to_string())),
            _ if first.is_whitespace() => current.push(Node::Blank(token.to_string())),
            _ if first.is_alphabetic() || first == '_' || first == '$' => current.push(Node::Word(token.to_string())),
            _ => current.push(Node::Other(token.to_string())),
        }
        starts_line = if first.is_whitespace() { starts_line || token.contains('\n') } else { false };
        rest = behind;
    }
    open.is_empty().then_some(current)
}

fn length_of(text: &str, first: char) -> usize {
    let until = |ends: &dyn Fn(char) -> bool| text.find(ends).unwrap_or(text.len());
    if first.is_whitespace() {
        return until(&|c| !c.is_whitespace());
    }
    if first == '"' || first == '\'' {
        return quoted(text, first);
    }
    if first.is_ascii_digit() {
        return until(&|c| !(c.is_alphanumeric() || c == '_' || c == '.'));
    }
    if first.is_alphabetic() || first == '_' || first == '$' {
        return until(&|c| !(c.is_alphanumeric() || c == '_' || c == '$'));
    }
    OPERATORS.iter().find(|operator| text.starts_with(**operator)).map_or(first.len_utf8(), |operator| operator.len())
}

fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

pub fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// The text again.
pub fn show(nodes: &[Node]) -> String {
    let mut text = String::new();
    write(nodes, &mut text);
    text
}

fn write(nodes: &[Node], text: &mut String) {
    for node in nodes {
        match node {
            Node::Blank(own) | Node::Word(own) | Node::Other(own) => text.push_str(own),
            Node::Group(open, inner) => {
                text.push(*open);
                write(inner, text);
                text.push(closing(*open));
            }
        }
    }
}

/// The text on one line.
pub fn flat(nodes: &[Node]) -> String {
    let mut text = String::new();
    for node in nodes {
        match node {
            Node::Blank(_) => text.push(' '),
            Node::Group(open, inner) => text.push_str(&format!("{open}{}{}", flat(inner), closing(*open))),
            Node::Word(own) | Node::Other(own) => text.push_str(own),
        }
    }
    text.trim().to_string()
}

/// Line breaks and markers of a text that is left out.
pub fn blanks(nodes: &[Node]) -> Vec<Node> {
    let mut kept = Vec::new();
    for node in nodes {
        match node {
            Node::Blank(_) => kept.push(node.clone()),
            Node::Group(_, inner) => kept.extend(blanks(inner)),
            _ => {}
        }
    }
    kept
}

/// The parts between operators of this kind.
pub fn split<'a>(nodes: &'a [Node], operator: &str) -> Vec<&'a [Node]> {
    nodes.split(|node| node.is(operator)).collect()
}

/// Without white space around it.
pub fn trim(mut nodes: &[Node]) -> &[Node] {
    while let [first, rest @ ..] = nodes
        && first.is_blank()
    {
        nodes = rest;
    }
    while let [rest @ .., last] = nodes
        && last.is_blank()
    {
        nodes = rest;
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_what_they_are() {
        for text in ["", "int f(int a[2]) { return a[0] ==> 'x' <==> \"(\\\"\"; }\n# 3 \"a)b.c\"\nint 0x1p3f;", "a+++b\t\u{e4}\r\n"] {
            assert_eq!(show(&parse(text).unwrap()), text);
        }
        assert_eq!(parse("f(]"), None);
        assert_eq!(parse("f("), None);
    }

    #[test]
    fn trees() {
        let nodes = parse("a ==> (b\n&& c)").unwrap();
        let sides = split(&nodes, "==>");
        assert_eq!(sides.len(), 2);
        assert_eq!(flat(sides[1]), "(b && c)");
        assert!(matches!(trim(sides[1]), [Node::Group('(', _)]));
    }
}
