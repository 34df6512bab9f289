//! Finds the locals that hold the current values of source variables at a location in a procedure. In SSA form, a local
//! keeps its value after the source variable was assigned another one, so the leak check (`leaks`) has to ask about
//! variables. Debug information says which value each variable gets and where, and where its scope ends (`ir::Watch`);
//! this file computes by a forward analysis which of these reach a location. If paths with different values meet and
//! nothing reads the variable any more, no single local has the right value: then any of them may hold it, but none
//! certainly does.

use crate::exec::code::{Code, ProcCode};
use fathom_base::{FxMap, Loc};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A pointer variable's name and the line of its declaration.
pub type Variable = (String, u32);

/// Behind so many actions of its block the variable has a value made of these locals.
#[derive(Clone, Debug)]
pub struct Held {
    pub index: u32,
    pub variable: Variable,
    pub slots: Vec<u32>,
}

/// The values that may have reached a place, each as the locals that it is made of.
type Reaching = BTreeMap<Variable, BTreeSet<Vec<u32>>>;

/// Which locals hold the values of which pointer variables, by location; answers are remembered.
#[derive(Default)]
pub struct Holders {
    /// What reaches the start of each block, per procedure; None for blocks that nothing reaches.
    blocks: FxMap<u32, Rc<Vec<Option<Reaching>>>>,
    /// Whether debug information knows variables, of any procedure.
    has_variables: Option<bool>,
}

/// Locals that hold variables.
pub struct Holding {
    pub may: Vec<u32>,
    pub must: Vec<u32>,
}

impl Holders {
    /// For a program whose variables are known to be named, or not.
    pub fn new(names_variables: bool) -> Holders {
        Holders { has_variables: names_variables.then_some(true), ..Holders::default() }
    }

    /// Who holds variables behind so many actions of a block; None where the source's variables are unknown: the program has
    /// no debug information, or the procedure comes from a file that has none.
    pub fn at(&mut self, code: &Code, number: u32, block: u32, index: u32) -> Option<Holding> {
        let proc = &code.procs[number as usize];
        let knows = |proc: &ProcCode| proc.blocks.iter().any(|block| !block.held.is_empty());
        let has_variables = *self.has_variables.get_or_insert_with(|| code.procs.iter().any(knows));
        if !has_variables || proc.loc == Loc::UNKNOWN && !knows(proc) {
            return None;
        }
        let starts = self.blocks.entry(number).or_insert_with(|| Rc::new(analyse(proc))).clone();
        let mut reaching = starts[block as usize].clone()?;
        let held = &proc.blocks[block as usize].held;
        held.iter().filter(|held| held.index <= index).for_each(|held| apply(&mut reaching, held));
        let (mut may, mut must) = (Vec::new(), Vec::new());
        for values in reaching.values() {
            may.extend(values.iter().flatten());
            if values.len() == 1 {
                must.extend(values.iter().flatten());
            }
        }
        Some(Holding { may, must })
    }
}

fn apply(reaching: &mut Reaching, held: &Held) {
    reaching.insert(held.variable.clone(), BTreeSet::from([held.slots.clone()]));
}

fn analyse(proc: &ProcCode) -> Vec<Option<Reaching>> {
    let mut starts: Vec<Option<Reaching>> = vec![None; proc.blocks.len()];
    starts[proc.entry as usize] = Some(Reaching::new());
    let mut open = vec![proc.entry];
    while let Some(number) = open.pop() {
        let Some(mut reaching) = starts[number as usize].clone() else { continue };
        proc.blocks[number as usize].held.iter().for_each(|held| apply(&mut reaching, held));
        for next in proc.blocks[number as usize].end.successors() {
            let changed = match &mut starts[next as usize] {
                Some(known) => join(known, &reaching),
                unknown => {
                    *unknown = Some(reaching.clone());
                    true
                }
            };
            if changed {
                open.push(next);
            }
        }
    }
    starts
}

/// A variable that has no value yet on one of the paths may hold nothing.
fn join(known: &mut Reaching, other: &Reaching) -> bool {
    let mut changed = false;
    for (variable, values) in known.iter_mut() {
        match other.get(variable) {
            Some(more) => more.iter().for_each(|value| changed |= values.insert(value.clone())),
            None => changed |= values.insert(Vec::new()),
        }
    }
    for (variable, values) in other {
        if !known.contains_key(variable) {
            let mut values = values.clone();
            values.insert(Vec::new());
            known.insert(variable.clone(), values);
            changed = true;
        }
    }
    changed
}
