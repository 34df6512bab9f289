//! The execution tree of an exploration with interpolation, as Graphviz (`.dot`) or as a foldable page (`.html`). Nodes
//! with a single child are omitted, so that a tree fits on a screen; a subsumed node points to the node whose
//! interpolant subsumes it.

use crate::markup::html_text;
use fathom_base::SourceFiles;
use fathom_engine::{TreeEnd, TreeNote};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Nodes that are drawn; what lies below the rest is only counted.
const MOST_DRAWN: usize = 600;

struct Folded<'a> {
    notes: BTreeMap<u32, &'a TreeNote>,
    children: BTreeMap<u32, Vec<u32>>,
    root: u32,
}

impl<'a> Folded<'a> {
    fn new(notes: &'a [TreeNote]) -> Option<Self> {
        let notes: BTreeMap<u32, &TreeNote> = notes.iter().map(|note| (note.number, note)).collect();
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (&number, note) in &notes {
            if let Some(parent) = note.parent {
                children.entry(parent).or_default().push(number);
            }
        }
        let root = *notes.iter().find(|(_, note)| note.parent.is_none())?.0;
        Some(Folded { notes, children, root })
    }

    fn children(&self, number: u32) -> &[u32] {
        self.children.get(&number).map_or(&[], Vec::as_slice)
    }

    /// The next descendant that is drawn, and how many nodes were skipped.
    fn worth_drawing(&self, number: u32) -> (u32, usize) {
        let (mut at, mut passed) = (number, 0);
        while let [only] = self.children(at) {
            (at, passed) = (*only, passed + 1);
        }
        (at, passed)
    }

    /// The node that stands for this one in the drawing.
    fn shown_as(&self, number: u32) -> u32 {
        self.worth_drawing(number).0
    }

    fn text(&self, number: u32, files: &SourceFiles) -> String {
        let note = self.notes[&number];
        let end = match note.end {
            TreeEnd::Inner => "",
            TreeEnd::Ended => ", ended",
            TreeEnd::Subsumed(_) => ", covered",
            TreeEnd::Lost => ", no interpolant",
        };
        format!("{number}: {}{end}", files.show(note.place))
    }
}

/// As Graphviz.
pub fn tree_dot(notes: &[TreeNote], files: &SourceFiles) -> String {
    let mut dot = String::from("digraph tree {\n  node [shape=box, fontname=monospace, fontsize=10];\n");
    let Some(tree) = Folded::new(notes) else { return dot + "}\n" };
    let (first, _) = tree.worth_drawing(tree.root);
    let mut open = vec![first];
    let mut drawn = 0;
    while let Some(number) = open.pop() {
        drawn += 1;
        let label = tree.notes[&number].label.as_deref().unwrap_or("");
        let text = format!("{}\\n{}", tree.text(number, files), label.replace('\\', "").replace(" and ", "\\n")).replace('"', "'");
        let _ = writeln!(dot, "  n{number} [label=\"{text}\"];");
        if let TreeEnd::Subsumed(by) = tree.notes[&number].end {
            let _ = writeln!(dot, "  n{number} -> n{} [style=dashed, constraint=false];", tree.shown_as(by));
        }
        if drawn + open.len() > MOST_DRAWN {
            let _ = writeln!(dot, "  n{number} -> more{number}; more{number} [label=\"...\", shape=plaintext];");
            continue;
        }
        for &child in tree.children(number) {
            let (shown, passed) = tree.worth_drawing(child);
            let note = if passed > 0 { format!(" [label=\"+{passed}\"]") } else { String::new() };
            let _ = writeln!(dot, "  n{number} -> n{shown}{note};");
            open.push(shown);
        }
    }
    dot + "}\n"
}

/// As a page with nodes that open and close.
pub fn tree_html(notes: &[TreeNote], files: &SourceFiles) -> String {
    let mut page = String::from(
        "<!DOCTYPE html><meta charset=utf-8><title>Execution tree</title>\
         <style>body{font:13px monospace}details{margin-left:1.2em}summary{cursor:pointer}.l{color:#063}.c{color:#936}</style>\n",
    );
    let Some(tree) = Folded::new(notes) else { return page };
    // An explicit stack: trees may be deep. None closes a node.
    let mut open: Vec<Option<(u32, usize)>> = vec![Some(tree.worth_drawing(tree.root))];
    let mut drawn = 0;
    while let Some(next) = open.pop() {
        let Some((number, passed)) = next else {
            page += "</details>\n";
            continue;
        };
        drawn += 1;
        let skipped = if passed > 0 { format!(" (+{passed})") } else { String::new() };
        let shown = if drawn < 40 { " open" } else { "" };
        let _ = write!(page, "<details id=n{number}{shown}><summary>{}{skipped}", html_text(&tree.text(number, files)));
        if let TreeEnd::Subsumed(by) = tree.notes[&number].end {
            let by = tree.shown_as(by);
            let _ = write!(page, " <a class=c href=#n{by}>by {by}</a>");
        }
        if let Some(label) = &tree.notes[&number].label {
            let _ = write!(page, " <span class=l>{}</span>", html_text(label));
        }
        page += "</summary>\n";
        open.push(None);
        if drawn + open.len() > MOST_DRAWN * 4 {
            page += "...\n";
            continue;
        }
        open.extend(tree.children(number).iter().rev().map(|&child| Some(tree.worth_drawing(child))));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_base::Loc;

    #[test]
    fn chains_are_folded_and_subsumptions_point() {
        let note = |number, parent, end| TreeNote { number, parent, place: Loc::UNKNOWN, label: Some(format!("x in {{{number}}}")), end };
        let notes = [
            note(0, None, TreeEnd::Inner),
            note(1, Some(0), TreeEnd::Inner),
            note(2, Some(1), TreeEnd::Ended),
            note(3, Some(1), TreeEnd::Inner),
            note(4, Some(3), TreeEnd::Subsumed(2)),
        ];
        let files = SourceFiles::default();
        let dot = tree_dot(&notes, &files);
        assert!(dot.contains("n1 -> n4 [label=\"+1\"]") && dot.contains("n4 -> n2 [style=dashed") && !dot.contains("n3 ["), "{dot}");
        let page = tree_html(&notes, &files);
        assert!(page.contains("id=n4") && page.contains("href=#n2") && !page.contains("id=n3"), "{page}");
        assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
    }
}
