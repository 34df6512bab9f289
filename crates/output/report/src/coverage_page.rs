//! An lcov tracefile as an HTML page: every source file with covered and missed lines coloured, and branches of which
//! an outcome was missed. One file without scripts, in light and dark.

use crate::markup::html_text;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a tracefile says of one line.
#[derive(Default)]
struct Line {
    count: Option<u64>,
    sides: u32,
    missed: u32,
}

const STYLE: &str = ":root{color-scheme:light dark;--hit:#d7f5dd;--miss:#fbd9d9;--part:#fdf0c8;--dim:#777}\
    @media(prefers-color-scheme:dark){:root{--hit:#123d1f;--miss:#4d1a1a;--part:#4a3b0c;--dim:#999}}\
    body{font:14px system-ui,sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:.1em .8em;text-align:right}\
    td:first-child,th:first-child{text-align:left}pre{font:12px ui-monospace,monospace;line-height:1.4}\
    .h{background:var(--hit)}.m{background:var(--miss)}.p{background:var(--part)}i{color:var(--dim);font-style:normal}";

/// The page for a tracefile; `read` gives the text of a source file, if it can be had.
pub fn coverage_page(lcov: &str, read: impl Fn(&str) -> Option<String>) -> String {
    let files = parse(lcov);
    let mut page =
        format!("<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Coverage</title><style>{STYLE}</style><h1>Coverage</h1>\n");
    page += "<table><tr><th>file<th>lines<th>branches\n";
    for (number, (name, lines)) in files.iter().enumerate() {
        let counted = lines.values().filter(|line| line.count.is_some()).count();
        let hit = lines.values().filter(|line| line.count.is_some_and(|count| count > 0)).count();
        let (sides, missed) = lines.values().fold((0, 0), |(sides, missed), line| (sides + line.sides, missed + line.missed));
        let _ = writeln!(
            page,
            "<tr><td><a href=#f{number}>{}</a><td>{}<td>{}",
            html_text(name),
            ratio(hit as u64, counted as u64),
            ratio(u64::from(sides - missed), u64::from(sides))
        );
    }
    page += "</table>\n";
    for (number, (name, lines)) in files.iter().enumerate() {
        let _ = write!(page, "<h2 id=f{number}>{}</h2>\n<pre>", html_text(name));
        match read(name) {
            Some(text) => source(&mut page, &text, lines),
            None => page += "The file can't be read.\n",
        }
        page += "</pre>\n";
    }
    page + "</html>\n"
}

fn ratio(part: u64, all: u64) -> String {
    if all == 0 { "-".into() } else { format!("{:.1}% ({part}/{all})", part as f64 * 100.0 / all as f64) }
}

fn source(page: &mut String, text: &str, lines: &BTreeMap<u32, Line>) {
    for (number, content) in (1..).zip(text.lines()) {
        let line = lines.get(&number);
        let (class, count) = match line.and_then(|line| line.count) {
            None => ("", String::new()),
            Some(0) => ("m", "0".into()),
            Some(count) => (if line.is_some_and(|line| line.missed > 0) { "p" } else { "h" }, count.to_string()),
        };
        let sides =
            line.filter(|line| line.sides > 0).map(|line| format!(" title=\"{} of {} branches\"", line.sides - line.missed, line.sides));
        let _ = writeln!(
            page,
            "<i>{number:5} {count:>8} </i><span class=\"{class}\"{}>{}</span>",
            sides.unwrap_or_default(),
            html_text(content)
        );
    }
}

/// Files in their order, with what is known of their lines. Lines of a tracefile that are malformed are passed over.
fn parse(lcov: &str) -> Vec<(String, BTreeMap<u32, Line>)> {
    let mut files: Vec<(String, BTreeMap<u32, Line>)> = Vec::new();
    for record in lcov.lines() {
        if let Some(name) = record.strip_prefix("SF:") {
            files.push((name.to_string(), BTreeMap::new()));
        }
        let Some((_, lines)) = files.last_mut() else { continue };
        if let Some((line, count)) = record.strip_prefix("DA:").and_then(|rest| rest.split_once(','))
            && let (Ok(line), Ok(count)) = (line.parse(), count.split(',').next().unwrap_or_default().parse::<u64>())
        {
            *lines.entry(line).or_default().count.get_or_insert(0) += count;
        }
        if let Some(branch) = record.strip_prefix("BRDA:") {
            let fields: Vec<&str> = branch.split(',').collect();
            let [line, .., taken] = fields[..] else { continue };
            let Ok(line) = line.parse() else { continue };
            let line: &mut Line = lines.entry(line).or_default();
            line.sides += 1;
            line.missed += u32::from(matches!(taken, "0" | "-"));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_coloured() {
        let lcov = "SF:a.c\nDA:1,2\nDA:2,0\nDA:3,1\nBRDA:3,0,0,1\nBRDA:3,0,1,-\nend_of_record\nSF:gone.c\nDA:x\nend_of_record\n";
        let page = coverage_page(lcov, |name| (name == "a.c").then(|| "int a;\nif (a < 1)\n  b();\n".to_string()));
        assert!(page.contains("66.7% (2/3)") && page.contains("50.0% (1/2)"), "{page}");
        assert!(page.contains("<span class=\"h\">int a;") && page.contains("<span class=\"m\">if (a &lt; 1)"), "{page}");
        assert!(page.contains("<span class=\"p\" title=\"1 of 2 branches\">  b();") && page.contains("can't be read"), "{page}");
        assert!(!page.contains("http"), "it needs no network: {page}");
    }
}
