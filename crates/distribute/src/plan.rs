//! The file `plan.jsonl`: a header, then one task a line. The header has the number of tasks and a hash of their ids, which is the
//! plan's own id: results carry it.

use crate::error::PlanError;
use crate::files::{read, sha256, write_whole};
use crate::task::Task;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The format of plans and results. Another meaning of a field gets another number.
const FORMAT: u64 = 1;
/// The file in the directory of a plan.
const NAME: &str = "plan.jsonl";

/// What the header of a file says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Plan,
}

/// The version of Fathom that asks or answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool(pub String);

/// Something that was to be planned and could not be; it must not be forgotten when results are put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// What it is.
    pub name: String,
    /// Why there is no task.
    pub why: String,
}

#[derive(Serialize, Deserialize)]
struct Header {
    fathom: Kind,
    format: u64,
    tool: String,
    plan: String,
    tasks: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
}

/// The part of the header that every format has.
#[derive(Deserialize)]
struct AnyHeader {
    #[serde(rename = "fathom")]
    _kind: Kind,
    format: u64,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// A hash of its tasks.
    pub id: String,
    /// What is to be done, each task once.
    pub tasks: Vec<Task>,
    /// What could not be planned.
    pub left_out: Vec<LeftOut>,
}

impl Plan {
    /// A plan of these tasks; of equal ones the first counts.
    pub fn new(tool: &Tool, tasks: Vec<Task>, left_out: Vec<LeftOut>) -> Self {
        let mut seen = BTreeSet::new();
        let tasks: Vec<Task> = tasks.into_iter().filter(|task| seen.insert(task.id.clone())).collect();
        Self { id: id_of(tool, &tasks, &left_out), tasks, left_out }
    }

    /// The plan as text.
    pub fn to_text(&self, tool: &Tool) -> String {
        let header = Header {
            fathom: Kind::Plan,
            format: FORMAT,
            tool: tool.0.clone(),
            plan: self.id.clone(),
            tasks: self.tasks.len(),
            left_out: self.left_out.clone(),
        };
        let lines = std::iter::once(serde_json::to_string(&header)).chain(self.tasks.iter().map(serde_json::to_string));
        lines.map(|line| line.unwrap_or_default() + "\n").collect()
    }

    /// Writes it into the directory of a plan.
    pub fn write(&self, tool: &Tool, directory: &Path) -> Result<PathBuf, PlanError> {
        let path = directory.join(NAME);
        write_whole(&path, self.to_text(tool).as_bytes()).map(|()| path)
    }

    /// The path of a plan that is named by its directory or by the file itself.
    pub fn path(named: &Path) -> PathBuf {
        if named.is_dir() { named.join(NAME) } else { named.to_path_buf() }
    }

    /// Reads a plan that this version made.
    pub fn read(path: &Path, tool: &Tool) -> Result<Self, PlanError> {
        let text = read(path)?;
        let text = String::from_utf8_lossy(&text);
        let malformed = |line: usize, what: &'static str, why: String| PlanError::Malformed { path: path.to_path_buf(), line, what, why };
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let (_, first) = lines.next().ok_or_else(|| malformed(1, "a plan", "the file is empty".into()))?;
        let any: AnyHeader = serde_json::from_str(first).map_err(|error| malformed(1, "the header of a plan", error.to_string()))?;
        if any.format != FORMAT {
            return Err(PlanError::OtherFormat { path: path.to_path_buf(), theirs: any.format, ours: FORMAT });
        }
        let header: Header = serde_json::from_str(first).map_err(|error| malformed(1, "the header of a plan", error.to_string()))?;
        if header.tool != tool.0 {
            return Err(PlanError::OtherTool { path: path.to_path_buf(), theirs: header.tool, ours: tool.0.clone() });
        }
        let mut tasks = Vec::new();
        for (line, text) in lines {
            let task: Task = serde_json::from_str(text).map_err(|error| malformed(line, "a task", error.to_string()))?;
            if !task.is_genuine() {
                return Err(PlanError::Edited { path: path.to_path_buf(), line, id: task.id });
            }
            tasks.push(task);
        }
        if tasks.len() != header.tasks || id_of(tool, &tasks, &header.left_out) != header.plan {
            return Err(PlanError::Incomplete { path: path.to_path_buf(), expected: header.tasks, found: tasks.len() });
        }
        Ok(Self { id: header.plan, tasks, left_out: header.left_out })
    }

    /// The task that a number from 1 or the beginning of an id stands for.
    pub fn task(&self, path: &Path, name: &str) -> Result<&Task, PlanError> {
        let numbered = name.parse::<usize>().ok().and_then(|number| self.tasks.get(number.checked_sub(1)?));
        let begun: Vec<&Task> = self.tasks.iter().filter(|task| !name.is_empty() && task.id.starts_with(name)).collect();
        match (numbered, begun.as_slice()) {
            // A whole id of digits alone is an id.
            (_, [only]) if only.id == name => Ok(only),
            (Some(task), _) | (None, &[task]) => Ok(task),
            _ => Err(PlanError::NoTask { path: path.to_path_buf(), name: name.into(), tasks: self.tasks.len() }),
        }
    }
}

fn id_of(tool: &Tool, tasks: &[Task], left_out: &[LeftOut]) -> String {
    let names = tasks.iter().map(|task| format!("{} {} {}\n", task.id, task.subject, task.name));
    let missing = left_out.iter().map(|left| format!("- {} {}\n", left.name, left.why));
    let text: String = std::iter::once(format!("{}\n", tool.0)).chain(names).chain(missing).collect();
    sha256(text.as_bytes())[..24].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{FileRef, Question};

    fn task(name: &str) -> Task {
        let files = vec![FileRef { name: name.into(), sha256: sha256(name.as_bytes()) }];
        let question = Question {
            files,
            program: vec![name.into()],
            properties: vec!["unreach-call".into()],
            engine: "auto".into(),
            timeout_ms: 1000,
            memory: 1 << 30,
            bound: None,
            share: None,
            part: Vec::new(),
        };
        Task::new(name, name, question)
    }

    fn tool() -> Tool {
        Tool("1.2.3".into())
    }

    fn refused(text: &str) -> String {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        std::fs::write(&path, text).unwrap();
        Plan::read(&path, &tool()).unwrap_err().to_string()
    }

    #[test]
    fn a_plan_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let left_out = vec![LeftOut { name: "c.c".into(), why: "it does not compile".into() }];
        let plan = Plan::new(&tool(), vec![task("a.c"), task("b.c"), task("a.c")], left_out);
        assert_eq!(plan.tasks.len(), 2, "equal tasks are one");
        let path = plan.write(&tool(), directory.path()).unwrap();
        let read = Plan::read(&path, &tool()).unwrap();
        assert_eq!(read, plan);
        assert_eq!(read.task(&path, "2").unwrap().name, "b.c");
        assert_eq!(read.task(&path, &plan.tasks[0].id[..20]).unwrap().name, "a.c");
        for none in ["0", "3", "", "zzz"] {
            assert!(read.task(&path, none).unwrap_err().to_string().contains("1 to 2"), "{none}");
        }
    }

    #[test]
    fn what_is_no_plan_of_ours_is_refused() {
        let text = Plan::new(&tool(), vec![task("a.c"), task("b.c")], Vec::new()).to_text(&tool());
        let lines: Vec<&str> = text.lines().collect();
        assert!(refused("").contains("empty"));
        assert!(refused("{}\n").contains(":1: not the header of a plan"));
        assert!(refused(&text.replace("\"format\":1", "\"format\":2")).contains("format 2"));
        assert!(refused(&text.replace("1.2.3", "1.2.2")).contains("made by Fathom 1.2.2"));
        assert!(refused(&text.replace("\"timeout_ms\":1000", "\"timeout_ms\":9")).contains("was changed"));
        assert!(refused(&format!("{}\n{}\n", lines[0], lines[1])).contains("1 of 2 tasks"));
        assert!(refused(&text[..text.len() - 10]).contains(":3: not a task"));
        assert!(refused(&text.replace("\"name\":\"a.c\",\"subject\"", "\"name\":\"x.c\",\"subject\"")).contains("do not belong together"));
    }

    #[test]
    fn one_program_has_one_key_whatever_is_asked_of_it() {
        let (first, mut second) = (task("a.c"), task("a.c"));
        second.question.properties = vec!["p.prp".into()];
        second.question.files.push(FileRef { name: "p.prp".into(), sha256: sha256(b"p") });
        second.question.engine = "kind".into();
        assert_eq!(first.question.program_key(), second.question.program_key());
        second.question.program.push("--32".into());
        assert_ne!(first.question.program_key(), second.question.program_key());
    }
}
