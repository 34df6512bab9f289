//! Translates conditions of the flat program back to the original program: as labels of its loops, over variables of
//! the loop's procedure and memory of static objects. They are explanations for people and candidates for other
//! engines, so conditions without such a form may be omitted: those about variables of callers and callees, objects on
//! the heap and the stack, arrays with symbolic offsets, and inputs.

use crate::cells::Shape;
use crate::objects::ObjectKind;
use crate::program::{Begin, Flat};
use crate::raw::Inlined;
use fathom_base::{FxMap, FxSet};
use fathom_flow::Loops;
use fathom_ir::{Invariant, LoopHead, LoopLabel, MemoryCell, ProcId, Program};
use fathom_term::{Substitution, Term, VarId};
use std::collections::BTreeMap;

/// What variables of a flat program are in the program, and where its loops begin.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    heads: FxMap<ProcId, Vec<bool>>,
    globals: FxSet<VarId>,
    /// The copy of the procedure, and its variable.
    locals: FxMap<VarId, (u32, VarId)>,
    cells: FxMap<VarId, MemoryCell>,
}

impl Sources {
    pub fn of(program: &Program, inlined: Inlined, shapes: &[Shape]) -> Sources {
        let store = &program.terms;
        let mut cells = FxMap::default();
        for (object, shape) in inlined.objects.all.iter().zip(shapes) {
            let (ObjectKind::Global(number), Shape::Cells(known)) = (&object.kind, shape) else { continue };
            let address = program.objects[*number].address;
            let cell = |start: u64, bytes: u64, var: VarId| {
                let pointer = store.bv_add(address, store.bv(start, program.layout.pointer_bits));
                (var, MemoryCell { var, pointer, bytes, index: None })
            };
            cells.extend(known.iter().map(|known| cell(known.start, known.bytes, known.var)));
        }
        let mut heads: FxMap<ProcId, Vec<bool>> = FxMap::default();
        for begin in inlined.blocks.iter().filter_map(|block| block.origin) {
            let body = program.procedure(begin.procedure).body.as_ref();
            heads.entry(begin.procedure).or_insert_with(|| body.map_or_else(Vec::new, |body| Loops::of(body).is_head));
        }
        Sources { heads, globals: program.globals.iter().map(|global| global.id).collect(), locals: inlined.locals, cells }
    }

    fn loop_head(&self, begin: &Begin) -> Option<LoopHead> {
        let is_head = self.heads.get(&begin.procedure)?.get(begin.block.0 as usize)?;
        is_head.then_some(LoopHead { procedure: begin.procedure, block: begin.block })
    }
}

impl Flat {
    /// Labels of the program's loops that say what these regions of all blocks say, each region a conjunction.
    pub fn labels(&self, regions: &[Vec<Vec<Term>>]) -> Vec<(LoopHead, Vec<LoopLabel>)> {
        self.labels_at(regions.iter().enumerate().map(|(number, regions)| (number, regions.iter())))
    }

    /// The same of conditions that always hold at some blocks.
    pub fn labels_of_cuts(&self, cuts: &[(usize, Vec<Term>)]) -> Vec<(LoopHead, Vec<LoopLabel>)> {
        self.labels_at(cuts.iter().map(|(number, region)| (*number, std::iter::once(region))))
    }

    fn labels_at<'a>(&self, at: impl Iterator<Item = (usize, impl Iterator<Item = &'a Vec<Term>>)>) -> Vec<(LoopHead, Vec<LoopLabel>)> {
        let mut found: BTreeMap<LoopHead, Vec<LoopLabel>> = BTreeMap::new();
        for (number, regions) in at {
            let Some(begin) = self.blocks[number].begins else { continue };
            let Some(head) = self.sources.loop_head(&begin) else { continue };
            found.entry(head).or_default().extend(regions.filter_map(|region| self.label(&begin, region)));
        }
        found.into_iter().collect()
    }

    /// None if no state is in the region.
    fn label(&self, begin: &Begin, region: &[Term]) -> Option<LoopLabel> {
        let mut label = LoopLabel::default();
        for &condition in region {
            match self.terms.const_bool(condition) {
                Some(false) => return None,
                Some(true) => continue,
                None => {}
            }
            match self.told(begin, condition) {
                Some(told) => label.conditions.push(told),
                None => label.others += 1,
            }
        }
        Some(label)
    }

    fn told(&self, begin: &Begin, condition: Term) -> Option<Invariant> {
        let sources = &self.sources;
        let (mut cells, mut values) = (Vec::new(), Vec::new());
        for &var in &self.sets.vars(&self.terms, condition) {
            match (sources.locals.get(&var), sources.cells.get(&var)) {
                (Some(&(copy, local)), _) if copy == begin.copy => values.push((var, self.terms.var_term(local))),
                (None, Some(cell)) => cells.push(cell.clone()),
                (None, None) if sources.globals.contains(&var) => {}
                _ => return None,
            }
        }
        cells.sort_by_key(|cell: &MemoryCell| cell.var);
        Some(Invariant { condition: Substitution::new(values).apply(&self.terms, condition), cells })
    }
}
