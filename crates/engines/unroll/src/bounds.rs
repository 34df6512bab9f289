//! Bounds for single loops, as people name them: `function.N` for the N-th loop of a function (from 0, in the order of
//! the program), or `FILE:LINE` for the loops whose head is on that line.

use fathom_base::{FxMap, FxSet};
use fathom_machine::Machine;
use std::str::FromStr;
use thiserror::Error;

/// A bound that the user set for one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopBound {
    /// The loop: `main.0` is the first of `main`, `a.c:12` the one on that line.
    pub which: String,
    /// The largest number of iterations.
    pub bound: u64,
}

impl FromStr for LoopBound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not FUNCTION.N=K or FILE:LINE=K");
        let (which, bound) = text.rsplit_once('=').ok_or_else(wrong)?;
        let bound = bound.parse().map_err(|_| wrong())?;
        if bound == 0 {
            return Err("a loop bound must be at least 1".to_string());
        }
        Ok(LoopBound { which: which.to_string(), bound })
    }
}

/// The user named a loop that the program does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no loop `{which}`; there are: {known}")]
pub struct UnknownLoop {
    /// What the user wrote.
    pub which: String,
    /// The loops that there are.
    pub known: String,
}

/// The bounds by procedure and head.
pub fn resolve(machine: &Machine, bounds: &[LoopBound]) -> Result<FxMap<(u32, u32), u64>, UnknownLoop> {
    let mut found = FxMap::default();
    if bounds.is_empty() {
        return Ok(found);
    }
    let loops = names(machine);
    for LoopBound { which, bound } in bounds {
        let named = loops.iter().filter(|(_, name, place)| name == which || is_at(place, which));
        let keys: Vec<(u32, u32)> = named.map(|(key, ..)| *key).collect();
        if keys.is_empty() {
            let known: Vec<String> = loops.iter().map(|(_, name, place)| format!("{name} ({place})")).collect();
            return Err(UnknownLoop { which: which.clone(), known: known.join(", ") });
        }
        found.extend(keys.into_iter().map(|key| (key, *bound)));
    }
    Ok(found)
}

/// The loops from which no way leads to the end of their procedure, such as `while (1)` without a `break`, by procedure and
/// head.
pub fn endless(machine: &Machine) -> FxSet<(u32, u32)> {
    let mut found = FxSet::default();
    for (proc, code) in machine.code.procs.iter().enumerate() {
        let count = code.blocks.len();
        let mut returns: Vec<bool> = code.blocks.iter().map(|block| block.end.is_return()).collect();
        // A block is done once more at most, when a successor of it is found to return.
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (at, block) in code.blocks.iter().enumerate() {
            block.end.successors().into_iter().for_each(|next| before[next as usize].push(at as u32));
        }
        let mut open: Vec<u32> = (0..count as u32).filter(|&block| returns[block as usize]).collect();
        while let Some(block) = open.pop() {
            for &earlier in &before[block as usize] {
                if !std::mem::replace(&mut returns[earlier as usize], true) {
                    open.push(earlier);
                }
            }
        }
        let heads = (0..count as u32).filter(|&block| code.blocks[block as usize].is_loop_head && !returns[block as usize]);
        found.extend(heads.map(|head| (proc as u32, head)));
    }
    found
}

/// `file.c:12` means `some/where/file.c:12` or `file.c:12:3`.
fn is_at(place: &str, wanted: &str) -> bool {
    let line = |text: &str| -> Option<(String, u64)> {
        let mut parts = text.rsplitn(3, ':').collect::<Vec<_>>();
        parts.reverse();
        match parts[..] {
            [file, line, _] => Some((file.to_string(), line.parse().ok()?)),
            [file, line] => Some((file.to_string(), line.parse().ok()?)),
            _ => None,
        }
    };
    match (line(place), line(wanted)) {
        (Some((file, at)), Some((wanted, line))) => at == line && (file == wanted || file.ends_with(&format!("/{wanted}"))),
        _ => false,
    }
}

fn names(machine: &Machine) -> Vec<((u32, u32), String, String)> {
    let mut all = Vec::new();
    for (proc, code) in machine.code.procs.iter().enumerate() {
        let mut heads: Vec<u32> = (0..code.blocks.len() as u32).filter(|&block| code.blocks[block as usize].is_loop_head).collect();
        heads.sort_by_key(|&head| code.blocks[head as usize].order);
        for (number, head) in heads.into_iter().enumerate() {
            let block = &code.blocks[head as usize];
            let loc = block.locs.first().copied().unwrap_or(block.end_loc);
            let place = machine.program.files.show(loc);
            all.push(((proc as u32, head), format!("{}.{number}", code.name), place));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read() {
        assert_eq!("main.0=7".parse(), Ok(LoopBound { which: "main.0".into(), bound: 7 }));
        assert_eq!("a.c:12=9223372036854775808".parse(), Ok(LoopBound { which: "a.c:12".into(), bound: 1 << 63 }));
        for wrong in ["", "main.0", "main.0=", "main.0=x", "main.0=-1", "main.0=0"] {
            assert!(wrong.parse::<LoopBound>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn places_match_with_or_without_directory_and_column() {
        assert!(is_at("dir/a.c:12:3", "a.c:12") && is_at("a.c:12", "a.c:12") && !is_at("ba.c:12:3", "a.c:12"));
        assert!(!is_at("a.c:13:3", "a.c:12") && !is_at("unknown", "a.c:12"));
    }
}
