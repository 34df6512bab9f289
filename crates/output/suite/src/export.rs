//! What `llvm-cov export -format=text` writes: JSON, in which regions, segments and branches are lists of numbers. Here they become
//! the counts of lines and of sides of branches, as LLVM's own reports count them.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The whole document.
#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

/// A binary's coverage.
#[derive(Deserialize)]
pub(crate) struct Data {
    files: Vec<File>,
    /// Every function with code.
    pub functions: Vec<Function>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    segments: Vec<Segment>,
}

/// Where the count changes.
#[derive(Deserialize)]
#[serde(from = "(u32, u32, i64, bool, bool, bool)")]
struct Segment {
    line: u32,
    count: i64,
    /// Otherwise there is no code from here on, or the preprocessor skips it.
    has_count: bool,
    /// A region begins here.
    is_entry: bool,
    /// It is the gap between two statements.
    is_gap: bool,
}

impl From<(u32, u32, i64, bool, bool, bool)> for Segment {
    fn from((line, _column, count, has_count, is_entry, is_gap): (u32, u32, i64, bool, bool, bool)) -> Self {
        Self { line, count, has_count, is_entry, is_gap }
    }
}

/// A function, or one instance of it.
#[derive(Deserialize)]
pub(crate) struct Function {
    /// With the file in front, if the function is static.
    pub name: String,
    filenames: Vec<String>,
    regions: Vec<Region>,
    branches: Vec<Branch>,
}

/// A region of the source with one count. A file number of an expansion stands for one use of a macro.
#[derive(Deserialize)]
#[serde(from = "(u32, u32, u32, u32, i64, usize, usize, u32)")]
struct Region {
    first_line: u32,
    last_line: u32,
    file: usize,
    /// The number that the expanded text has as a file, if the region is the use of a macro.
    expanded: Option<usize>,
}

impl From<(u32, u32, u32, u32, i64, usize, usize, u32)> for Region {
    fn from((first_line, _, last_line, _, _count, file, expanded, kind): (u32, u32, u32, u32, i64, usize, usize, u32)) -> Self {
        const EXPANSION: u32 = 1;
        Self { first_line, last_line, file, expanded: (kind == EXPANSION).then_some(expanded) }
    }
}

/// A condition with two sides.
#[derive(Deserialize)]
#[serde(from = "(u32, u32, u32, u32, i64, i64, usize, usize, u32)")]
struct Branch {
    line: u32,
    /// How often it held.
    held: i64,
    /// How often it did not.
    failed: i64,
    file: usize,
}

impl From<(u32, u32, u32, u32, i64, i64, usize, usize, u32)> for Branch {
    fn from((line, _, _, _, held, failed, file, _, _): (u32, u32, u32, u32, i64, i64, usize, usize, u32)) -> Self {
        Self { line, held, failed, file }
    }
}

/// A branch as it stands in the source, that of a macro where the macro is used.
pub(crate) struct Sides {
    pub line: u32,
    /// How many of its two sides no run took.
    pub missed: usize,
}

/// Reads a document.
pub(crate) fn read(json: &str) -> Result<Data, String> {
    let export: Export = serde_json::from_str(json).map_err(|error| format!("llvm-cov wrote what Fathom can't read: {error}"))?;
    export.data.into_iter().next().ok_or_else(|| "llvm-cov measured nothing".into())
}

impl Data {
    /// Each file's lines with code, and how often each was executed.
    pub fn lines(&self) -> BTreeMap<&str, BTreeMap<u32, i64>> {
        self.files.iter().map(|file| (file.filename.as_str(), line_counts(&file.segments))).collect()
    }
}

/// A line has the largest count among the code that begins on it and the code that goes on from the line before.
fn line_counts(segments: &[Segment]) -> BTreeMap<u32, i64> {
    let mut counts = BTreeMap::new();
    let mut before: Option<&Segment> = None;
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return counts };
    let mut rest = segments;
    for line in first.line..=last.line {
        let (here, later) = rest.split_at(rest.iter().take_while(|segment| segment.line == line).count());
        rest = later;
        let begun = here.iter().filter(|segment| segment.has_count && segment.is_entry && !segment.is_gap);
        let goes_on = before.is_some_and(|segment| segment.has_count);
        // A segment that the preprocessor skips is an entry without a count.
        let is_skipped = here.first().is_some_and(|segment| segment.is_entry && !segment.has_count);
        if here.iter().any(|segment| segment.has_count && segment.is_entry) || (goes_on && !is_skipped) {
            let count = before.into_iter().chain(begun).map(|segment| segment.count).max();
            counts.insert(line, count.unwrap_or(0));
        }
        before = here.last().or(before);
    }
    counts
}

impl Function {
    /// The file that it is defined in.
    pub fn file(&self) -> &str {
        let number = self.regions.first().map_or(0, |region| region.file);
        self.filenames.get(number).map_or("", String::as_str)
    }

    /// Its first and its last line.
    pub fn span(&self) -> Option<(u32, u32)> {
        let own = self.regions.first()?.file;
        let regions = || self.regions.iter().filter(|region| region.file == own);
        Some((regions().map(|region| region.first_line).min()?, regions().map(|region| region.last_line).max()?))
    }

    /// Its branches.
    pub fn sides(&self) -> impl Iterator<Item = Sides> {
        self.branches.iter().map(|branch| {
            let missed = [branch.held, branch.failed].into_iter().filter(|&count| count == 0).count();
            Sides { line: self.line_of_use(branch.line, branch.file), missed }
        })
    }

    /// The line in the function's own text that brings in this line of the file of this number.
    fn line_of_use(&self, line: u32, file: usize) -> u32 {
        let (mut line, mut file) = (line, file);
        let mut visited = BTreeSet::new();
        while visited.insert(file) {
            let Some(region) = self.regions.iter().find(|region| region.expanded == Some(file)) else { break };
            (line, file) = (region.first_line, region.file);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `int f(int k) { return TWICE(k); }` over three lines, with a macro on line 1 that chooses, run once with 0.
    const JSON: &str = r#"{ "type": "llvm.coverage.json.export", "version": "2.0.1", "data": [ { "totals": {}, "files": [
        { "filename": "/x/a.c", "branches": [], "segments": [ [1, 18, 1, true, true, false], [1, 40, 0, false, false, false],
            [2, 14, 1, true, true, false], [3, 12, 1, true, true, false], [3, 17, 1, true, false, false], [4, 2, 0, false, false, false],
            [6, 1, 0, true, true, false], [7, 2, 0, false, false, false] ] } ],
        "functions": [ { "name": "a.c:f", "count": 1, "filenames": ["/x/a.c", "/x/a.c"],
            "regions": [ [2, 14, 4, 2, 1, 0, 0, 0], [3, 12, 3, 17, 1, 0, 1, 1], [1, 18, 1, 40, 1, 1, 0, 0] ],
            "branches": [ [1, 19, 1, 24, 0, 1, 1, 0, 4] ] } ] } ] }"#;

    #[test]
    fn lines_have_code_where_segments_say_so() {
        let data = read(JSON).unwrap();
        let expected = [(1, 1), (2, 1), (3, 1), (4, 1), (6, 0), (7, 0)];
        assert_eq!(data.lines()["/x/a.c"], BTreeMap::from(expected));
    }

    #[test]
    fn a_branch_of_a_macro_is_where_the_macro_is_used() {
        let data = read(JSON).unwrap();
        let [function] = data.functions.as_slice() else { panic!("one function") };
        assert_eq!((function.file(), function.span()), ("/x/a.c", Some((2, 4))));
        let sides: Vec<(u32, usize)> = function.sides().map(|sides| (sides.line, sides.missed)).collect();
        assert_eq!(sides, [(3, 1)]);
    }

    #[test]
    fn other_documents_are_refused() {
        assert!(read("{}").is_err() && read(r#"{ "data": [] }"#).is_err());
    }
}
