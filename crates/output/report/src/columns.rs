//! The steps of several threads side by side: a column per thread, in the order of their numbers, which shows at a
//! glance which thread ran between two steps of another. Lines that are too long for their column are wrapped. If
//! columns would be too narrow to read, there are none.

use crate::model::{StepReport, ViolationReport};
use crate::visits::Visit;
use fathom_base::name_in_source;
use std::collections::BTreeMap;

/// A column that is narrower is of no use.
const NARROWEST: usize = 34;
/// What stands between two columns.
const BETWEEN: &str = " | ";
/// How far the rest of a long line is moved to the right.
const HANG: usize = 4;

/// Where each thread's column is.
pub struct Columns {
    /// The threads, with the functions that they started with.
    threads: Vec<(u32, String)>,
    /// Characters of a column.
    width: usize,
}

impl Columns {
    /// Columns for these visits within this many characters; none if there is no room, or only one thread.
    pub fn new(violation: &ViolationReport, visits: &[Visit<'_>], width: usize) -> Option<Self> {
        let mut threads: BTreeMap<u32, String> = visits.iter().map(|visit| (visit.thread, String::new())).collect();
        for step in &violation.steps {
            if let StepReport::Thread { number, function, .. } = step {
                threads.insert(*number, name_in_source(function));
            }
        }
        let count = threads.len();
        let room = width.checked_sub(BETWEEN.len() * count.saturating_sub(1))? / count.max(1);
        (count > 1 && room >= NARROWEST).then(|| Columns { threads: threads.into_iter().collect(), width: room })
    }

    /// The names of the threads above their columns.
    pub fn title(&self) -> Vec<String> {
        let names = self.threads.iter().map(|(number, function)| match function.as_str() {
            "" => format!("thread {number}"),
            function => format!("thread {number} ({function})"),
        });
        let rule = vec!["-".repeat(self.width); self.threads.len()].join("-+-");
        vec![self.row(names.map(|name| wrapped(&name, self.width).swap_remove(0)).collect()), rule]
    }

    /// Lines in the column of a thread.
    pub fn place(&self, thread: u32, lines: Vec<String>) -> Vec<String> {
        let at = self.threads.iter().position(|(number, _)| *number == thread).unwrap_or(0);
        let lines = lines.iter().flat_map(|line| wrapped(line, self.width));
        let row = |line: String| {
            let mut cells = vec![String::new(); self.threads.len()];
            cells[at] = line;
            self.row(cells)
        };
        lines.map(row).collect()
    }

    fn row(&self, cells: Vec<String>) -> String {
        let cells: Vec<String> = cells.into_iter().map(|cell| format!("{cell:<width$}", width = self.width)).collect();
        cells.join(BETWEEN).trim_end().to_string()
    }
}

/// A line as lines of at most this many characters, broken at blanks or behind brackets and commas where there are some; never
/// empty.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let indent: usize = line.chars().take_while(|c| *c == ' ').count().min(width / 2);
    let hang = " ".repeat((indent + HANG).min(width / 2));
    let mut lines = Vec::new();
    let mut rest: Vec<char> = line.chars().collect();
    while rest.len() > width {
        let late = |at: &usize| *at > width / 2;
        let blank = rest[..=width].iter().rposition(|c| *c == ' ').filter(late);
        let sign = || rest[..width].iter().rposition(|c| matches!(c, '(' | ',' | ';')).map(|at| at + 1).filter(late);
        let cut = blank.or_else(sign).unwrap_or(width);
        lines.push(rest[..cut].iter().collect::<String>());
        let left: String = rest[cut..].iter().collect();
        rest = format!("{hang}{}", left.trim_start()).chars().collect();
    }
    lines.push(rest.into_iter().collect());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::PlaceReport;
    use crate::trace_text::trace_lines;

    fn step(line: u32, value: &str) -> StepReport {
        let place = PlaceReport { file: Some("t.c".into()), line, column: 1, text: Some(format!("shared = {value};")) };
        StepReport::Value { variable: "shared".into(), type_name: "int".into(), value: value.into(), memory: true, object: None, place }
    }

    fn switch(number: u32, function: &str) -> StepReport {
        StepReport::Thread { number, function: function.into(), place: PlaceReport::default() }
    }

    fn two_threads() -> ViolationReport {
        let steps = vec![switch(1, "main"), step(3, "1"), switch(2, "worker"), step(9, "2"), switch(1, "main"), step(4, "3")];
        ViolationReport { steps, ..ViolationReport::default() }
    }

    #[test]
    fn threads_stand_side_by_side() {
        let lines = trace_lines(&two_threads(), false, 100);
        let at = |words: &str| lines.iter().find_map(|line| line.find(words)).unwrap_or_else(|| panic!("{words}: {lines:#?}"));
        assert_eq!(lines[0].trim_end(), format!("{:<48} | thread 2 (worker)", "thread 1 (main)"));
        assert_eq!((at("t.c:3"), at("t.c:9"), at("t.c:4")), (0, 51, 0));
        assert!(lines.iter().all(|line| line.chars().count() <= 100 && !line.contains("goes on")), "{lines:#?}");
    }

    #[test]
    fn labels_where_there_is_no_room() {
        let lines = trace_lines(&two_threads(), false, 60);
        assert!(lines.contains(&"[2] t.c:9: shared = 2;".to_string()) && lines.contains(&"[2] -- thread 2 (worker) goes on".to_string()));
    }

    #[test]
    fn long_lines_go_on_below() {
        assert_eq!(wrapped("  if (a == 1 && second_one)", 20), ["  if (a == 1 &&", "      second_one)"]);
        assert_eq!(wrapped("pthread_lock(&mutex);", 20), ["pthread_lock(", "    &mutex);"]);
        assert_eq!(wrapped("short", 20), ["short"]);
        assert!(wrapped(&"x".repeat(90), 20).iter().all(|line| line.chars().count() <= 20));
        assert_eq!(wrapped("", 20), [""]);
    }
}
