//! How each object becomes variables. Where every access has a known offset, the ends of accesses cut the object into
//! cells, a variable each, and an access is one or a few whole cells. Where some offset is symbolic, the object is an
//! array from byte offsets to elements: of the size that all accesses have, or of bytes if they differ. A family has an
//! array per cell, from objects to values; or, where some offset is symbolic, all its objects are one array.

use crate::objects::{Objects, Size};
use crate::points_to::PointsTo;
use crate::raw::{Inlined, RawKind};
use crate::values::Values;
use fathom_ir::Extent;
use fathom_term::{Sort, Term, TermStore, VarId};
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub start: u64,
    pub bytes: u64,
    pub var: VarId,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Cells(Vec<Cell>),
    Array {
        element: u64,
        var: VarId,
    },
    /// Of a family: for each cell an array from the addresses of the objects to what they have there (Burstall's memory).
    Family(Vec<Cell>),
}

#[derive(Default)]
struct Accesses {
    ends: BTreeSet<u64>,
    symbolic: bool,
    widths: BTreeSet<u64>,
    /// Offsets and lengths that elements must divide.
    multiples: BTreeSet<u64>,
}

pub(crate) fn shapes(store: &TermStore, inlined: &Inlined, points_to: &mut PointsTo) -> Vec<Shape> {
    let objects = &inlined.objects;
    let mut seen: Vec<Accesses> = objects.all.iter().map(|_| Accesses::default()).collect();
    for statement in inlined.blocks.iter().flat_map(|block| &block.statements) {
        let RawKind::Plain(kind) = &statement.kind else { continue };
        let mut note = |pointer: Term, bytes: Option<u64>, is_element: bool| {
            let values = points_to.of(pointer);
            record(objects, &mut seen, &values, bytes, is_element);
        };
        kind.for_each_access(&mut |access| match access.extent {
            Extent::Variable(_) | Extent::Value(_) => note(access.pointer, access.extent.bytes(store), true),
            Extent::Length(_) => note(access.pointer, access.extent.bytes(store), false),
            // The whole object is accessed, however it is divided into cells.
            Extent::Object => {}
        });
    }
    seen.iter().enumerate().map(|(at, seen)| shape(store, objects, at, seen)).collect()
}

fn record(objects: &Objects, seen: &mut [Accesses], values: &Values, bytes: Option<u64>, is_element: bool) {
    for (&object, offsets) in &values.targets {
        let seen = &mut seen[object];
        if is_element {
            seen.widths.extend(bytes);
        } else {
            seen.multiples.extend(bytes);
        }
        match (offsets, bytes, objects.all[object].size) {
            (Some(offsets), Some(bytes), Size::Constant(size)) => {
                for offset in offsets.iter().filter_map(|&offset| u64::try_from(offset).ok()) {
                    if offset.saturating_add(bytes) <= size {
                        seen.ends.extend([offset, offset + bytes]);
                        seen.multiples.insert(offset);
                    }
                }
            }
            _ => seen.symbolic = true,
        }
    }
}

fn shape(store: &TermStore, objects: &Objects, at: usize, seen: &Accesses) -> Shape {
    let object = &objects.all[at];
    let variable = |name: String, sort: Sort| store.as_var(store.var(&name, sort));
    // Different objects may have one name: static variables of different functions.
    let name = format!("{}#{at}", object.name);
    let is_variable = matches!(object.size, Size::Variable(_));
    if object.stride.is_some() && !seen.symbolic {
        let ends: Vec<u64> = seen.ends.iter().copied().collect();
        let cells = ends.windows(2).filter_map(|pair| {
            let (start, bytes) = (pair[0], pair[1] - pair[0]);
            let sort = store.array_sort(Sort::Bv(objects.pointer_bits), Sort::Bv(bytes as u32 * 8));
            Some(Cell { start, bytes, var: variable(format!("{name}.{start}..{}", pair[1]), sort)? })
        });
        return Shape::Family(cells.collect());
    }
    if !seen.symbolic && !is_variable {
        let ends: Vec<u64> = seen.ends.iter().copied().collect();
        let cells = ends.windows(2).filter_map(|pair| {
            let (start, bytes) = (pair[0], pair[1] - pair[0]);
            Some(Cell { start, bytes, var: variable(format!("{name}[{start}..{}]", pair[1]), Sort::Bv(bytes as u32 * 8))? })
        });
        return Shape::Cells(cells.collect());
    }
    let width = seen.widths.first().copied().unwrap_or(1);
    let same = seen.widths.len() == 1 && width.is_power_of_two() && width <= 8;
    let element = if same && seen.multiples.iter().all(|multiple| multiple % width == 0) { width } else { 1 };
    let sort = store.array_sort(Sort::Bv(objects.pointer_bits), Sort::Bv(element as u32 * 8));
    match variable(format!("{name}[*{element}]"), sort) {
        Some(var) => Shape::Array { element, var },
        None => Shape::Cells(Vec::new()),
    }
}
