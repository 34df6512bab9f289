//! Text in HTML and XML.

/// A text as it stands in HTML, between tags or in an attribute.
pub fn html_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text without the characters that XML 1.0 has no way to write.
pub fn xml_text(text: &str) -> String {
    text.chars().filter(|&c| matches!(c, '\t' | '\n' | '\r') || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))).collect()
}
