//! Checks the rules of the layout. The folder of a crate decides which crates it may use: engines use neither each
//! other nor a solver nor a front end, and the crates that check answers use only the engines' interface. Files and
//! functions stay short enough to be read in one go.

use crate::diagram;
use crate::lengths::{Length, Lengths, percentile_99};
use crate::unused::unused_dependencies;
use crate::workspace::{Member, Workspace};

const LONGEST_FILE: usize = 600;
const USUAL_FILE: usize = 500;
const LONGEST_FUNCTION: usize = 100;
const USUAL_FUNCTION: usize = 60;

/// The interface that all engines implement, and what several are made of: the search over paths, the walk over the unrolled
/// program, inductive facts. Everything else in crates/engines is an engine.
const UNDER_ENGINES: [&str; 4] = ["engine", "search", "unroll", "inductive"];
/// The contract of solvers. Everything else in crates/solvers is an adapter of one.
const SOLVER_CONTRACT: &str = "smt";
/// Who puts the parts together, and so may know solvers, front ends and engines.
const ON_TOP: [&str; 4] = ["driver", "fathom", "testing", "xtask"];

/// Checks everything; what is wrong, one line each, or a summary.
pub fn check(workspace: &Workspace) -> Result<String, String> {
    let lengths = Lengths::of(workspace)?;
    let mut wrong: Vec<String> = workspace.members.values().flat_map(|member| dependencies(workspace, member)).collect();
    wrong.extend(unmentioned(workspace)?);
    wrong.extend(unused_dependencies(workspace)?);
    wrong.extend(too_long("file", &lengths.files, LONGEST_FILE, USUAL_FILE));
    wrong.extend(too_long("function", &lengths.functions, LONGEST_FUNCTION, USUAL_FUNCTION));
    match wrong.is_empty() {
        true => Ok(format!(
            "{} crates; {} files, 99 of 100 up to {} lines; {} functions, 99 of 100 up to {} lines",
            workspace.members.len(),
            lengths.files.len(),
            percentile_99(&lengths.files),
            lengths.functions.len(),
            percentile_99(&lengths.functions),
        )),
        false => Err(wrong.join("\n")),
    }
}

/// What a crate uses although its kind may not.
fn dependencies(workspace: &Workspace, member: &Member) -> Vec<String> {
    let used = member.uses.iter().map(|name| &workspace.members[name]);
    let forbidden = used.filter_map(|used| Some((&used.name, why_not(member, used)?)));
    forbidden.map(|(used, why)| format!("{} uses {used}: {why}", member.name)).collect()
}

fn why_not(user: &Member, used: &Member) -> Option<&'static str> {
    if ON_TOP.contains(&user.folder.as_str()) {
        return None;
    }
    let is_engine = used.folder == "engines" && !UNDER_ENGINES.contains(&used.name.as_str());
    let is_adapter = used.folder == "solvers" && used.name != SOLVER_CONTRACT;
    match used.folder.as_str() {
        "solvers" if user.folder == "transform" => Some("programs are transformed without asking a solver"),
        "solvers" if is_adapter && user.folder != "solvers" => Some("only the driver knows solver adapters"),
        "frontends" => Some("only the driver knows front ends"),
        "engines" if is_engine && user.folder == "engines" => Some("engines do not use each other"),
        "engines" if is_engine => Some("only the driver knows engines"),
        "check" if user.folder == "engines" => Some("engines do not check their own answers"),
        "driver" | "lsp" | "fathom" | "testing" | "xtask" => Some("nothing depends on what stands on top"),
        other if user.folder == "core" && other != "core" => Some("core stands below everything"),
        _ => None,
    }
}

/// Crates that the prose of ARCHITECTURE.md does not name, neither by package nor by directory.
fn unmentioned(workspace: &Workspace) -> Result<Vec<String>, String> {
    let prose = diagram::prose(workspace)?;
    let directory = |member: &Member| member.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_missing = |member: &&Member| ![member.name.clone(), directory(member)].iter().any(|name| prose.contains(&format!("`{name}`")));
    Ok(workspace.members.values().filter(is_missing).map(|member| format!("ARCHITECTURE.md does not mention {}", member.name)).collect())
}

fn too_long(kind: &str, longest_first: &[Length], longest: usize, usual: usize) -> Vec<String> {
    let over = longest_first.iter().filter(|length| length.lines > longest);
    let mut wrong: Vec<String> =
        over.map(|length| format!("{} has {} lines; a {kind} has at most {longest}", length.what, length.lines)).collect();
    let percentile = percentile_99(longest_first);
    if percentile >= usual {
        wrong.push(format!("one of 100 {kind}s has {percentile} lines or more; that should be under {usual}"));
    }
    wrong
}
