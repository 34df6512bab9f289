//! Joins states that stand at one place, as far as they can and may be joined (`machine::joins`).

use fathom_machine::{Machine, State};
use std::rc::Rc;
use std::str::FromStr;

/// Where states are joined.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Merging {
    /// Nowhere: every path by itself.
    None,
    /// Only states that forked since a loop was last entered, repeated or left.
    Regions,
    /// Every two states at one position.
    All,
    /// All, but those that came through different middles of loops stay apart while there are few: what is known of one
    /// middle is then a plain fact and no case of a disjunction, which solvers see through better.
    Alike,
}

impl FromStr for Merging {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "none" => Ok(Merging::None),
            "regions" => Ok(Merging::Regions),
            "all" => Ok(Merging::All),
            _ => Err(format!("`{name}` is none of none, regions, all")),
        }
    }
}

/// Whether two states came through the same middle of a loop, or through none.
pub fn are_alike(one: &State, two: &State) -> bool {
    match (&one.abstraction, &two.abstraction) {
        (None, None) => true,
        (Some(one), Some(two)) => Rc::ptr_eq(one, two),
        _ => false,
    }
}

/// The result of joining states at one location.
pub struct Joined {
    /// What is left of them.
    pub states: Vec<State>,
    /// How many became part of another.
    pub merged: u64,
    /// Joins that were refused.
    pub apart: u64,
}

/// Joins what can be joined among the states that `may` be, with so many `attempts` for each of them. Those that came last have most in
/// common and are joined first.
pub fn join(machine: &mut Machine, mut group: Vec<State>, attempts: usize, may: impl Fn(&State, &State) -> bool) -> Joined {
    let mut joined = Joined { states: Vec::new(), merged: 0, apart: 0 };
    if group.len() == 1 {
        joined.states = group;
        return joined;
    }
    while let Some(state) = group.pop() {
        let states = &mut joined.states;
        let mut open = Some(state);
        let mut tried = 0;
        for at in (0..states.len()).rev() {
            let Some(state) = open.take() else { break };
            if tried == attempts || !may(&state, &states[at]) {
                open = Some(state);
                continue;
            }
            tried += 1;
            let other = states.swap_remove(at);
            match machine.merge(state, other) {
                Ok(both) => {
                    joined.merged += 1;
                    states.push(both);
                }
                Err(refused) => {
                    joined.apart += 1;
                    states.push(refused.b);
                    let last = states.len() - 1;
                    states.swap(at, last);
                    open = Some(refused.a);
                }
            }
        }
        joined.states.extend(open);
    }
    joined
}
