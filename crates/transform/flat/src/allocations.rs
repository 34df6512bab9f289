//! Objects that the statements of an inlined program allocate: one for each statement of each copy, or a family of them in a
//! procedure apart, which may be called again while it runs.

use crate::inline::{Copy, Inliner};
use crate::objects::{ObjectKind, Size};
use crate::program::{ErrorKind, NotFlat};
use crate::raw::{Raw, RawKind};
use fathom_base::{FxMap, Loc};
use fathom_ir::{AllocKind, Procedure, Statement, StatementKind};
use fathom_term::{Sort, Term, TermStore, VarId};
use std::collections::BTreeSet;

impl Inliner<'_> {
    /// Makes the objects of pointers that always hold one address, which then become that address. Known before any block is
    /// copied, because a block may come before the one that allocates.
    pub fn place_fixed(&mut self, procedure: &Procedure, copy: u32) -> Result<FxMap<VarId, usize>, NotFlat> {
        let mut placed = FxMap::default();
        let fixed = if self.within.is_some() { BTreeSet::new() } else { fixed_pointers(self.store, procedure) };
        for statement in procedure.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements) {
            let StatementKind::Alloc { target, size, align, kind, zeroed, name } = &statement.kind else { continue };
            if !fixed.contains(target) {
                continue;
            }
            let size = self.size(copy, *size, name);
            let kind = ObjectKind::Allocated { kind: *kind, zeroed: *zeroed };
            let object = self.out.objects.add(name.clone(), size, *align, kind, statement.loc)?;
            self.out.objects.all[object].is_outermost = copy == 0;
            placed.insert(*target, object);
        }
        Ok(placed)
    }

    /// A statement that allocates. Nothing comes behind it if the object has no flat form.
    pub fn allocate(&mut self, copy: &mut Copy, at: usize, statement: &Statement) -> Result<Option<usize>, NotFlat> {
        let StatementKind::Alloc { target, size, align, kind, zeroed, name } = &statement.kind else { return Ok(Some(at)) };
        let (loc, kind) = (statement.loc, ObjectKind::Allocated { kind: *kind, zeroed: *zeroed });
        let is_fixed = copy.fixed.contains_key(target);
        let object = match (&self.within, copy.fixed.get(target)) {
            (Some(within), _) => {
                let bytes = self.store.const_bits(copy.renaming.term(self.store, *size)).unwrap_or(0);
                match self.out.objects.add_family(name.clone(), bytes, *align, kind, loc)? {
                    Some(object) => object,
                    None => {
                        let what = format!("an object of this size that the recursive procedure {within} allocates");
                        return Ok(self.bad(at, ErrorKind::Unsupported(what), loc));
                    }
                }
            }
            (None, Some(&object)) => object,
            (None, None) => {
                let size = self.size(copy.number, *size, name);
                self.out.objects.add(name.clone(), size, *align, kind, loc)?
            }
        };
        let size = copy.renaming.term(self.store, *size);
        let target = (!is_fixed).then(|| copy.renaming.var(*target));
        self.out.blocks[at].statements.push(Raw { kind: RawKind::Alloc { object, target, size, zeroed: *zeroed }, loc });
        copy.made.push(object);
        Ok(Some(at))
    }

    fn size(&self, copy: u32, size: Term, name: &str) -> Size {
        match self.store.const_bits(size) {
            Some(bytes) => Size::Constant(bytes),
            None => {
                let name = format!("size!{name}.{}.{}", copy, self.out.objects.all.len());
                let var = self.store.var(&name, Sort::Bv(self.out.objects.pointer_bits));
                self.store.as_var(var).map_or(Size::Constant(0), Size::Variable)
            }
        }
    }

    /// A procedure starts or, where it returns, ends: what became of its objects on the stack.
    pub fn begin_on_stack(&mut self, object: usize, before: usize, returns: &[usize], loc: Loc) {
        if self.out.objects.all[object].stride.is_none() {
            self.out.blocks[before].statements.push(Raw { kind: RawKind::End { object }, loc });
            return;
        }
        let saved = self.store.var(&format!("saved!{object}"), Sort::Bv(self.out.objects.pointer_bits));
        let Some(var) = self.store.as_var(saved) else { return };
        self.out.blocks[before].statements.push(Raw { kind: RawKind::Save { object, var }, loc });
        for &block in returns {
            self.out.blocks[block].statements.push(Raw { kind: RawKind::Restore { object, var }, loc });
        }
    }
}

/// Variables that get nothing but null and the address that one statement allocates: wherever they are used they hold
/// that address, for null is there only before and after the object's life.
fn fixed_pointers(store: &TermStore, procedure: &Procedure) -> BTreeSet<VarId> {
    let mut fixed: BTreeSet<VarId> = BTreeSet::new();
    let mut spoilt: BTreeSet<VarId> = procedure.params.iter().chain(&procedure.results).copied().collect();
    let statements = || procedure.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
    for statement in statements() {
        match &statement.kind {
            // On the heap the statement may allocate again while the first object lives.
            StatementKind::Alloc { target, kind: AllocKind::Heap, .. } => _ = spoilt.insert(*target),
            StatementKind::Alloc { target, .. } => {
                if !fixed.insert(*target) {
                    spoilt.insert(*target);
                }
            }
            StatementKind::EndScope { .. } => {}
            StatementKind::Assign(pairs) => {
                spoilt.extend(pairs.iter().filter(|(_, value)| store.const_bits(*value) != Some(0)).map(|(var, _)| *var));
            }
            other => spoilt.extend(other.targets()),
        }
    }
    let locals: BTreeSet<VarId> = procedure.locals.iter().map(|local| local.id).collect();
    fixed.retain(|var| !spoilt.contains(var) && locals.contains(var));
    fixed
}
