//! Chains: memory objects that stand for list segments. A list that a loop builds has a node for every iteration; a
//! node that only its neighbours point to needs no object of its own. A chain stands for a segment of nodes with the
//! same contents, each linked to the next; contents that differ between nodes are arbitrary in each.
//!
//! A segment without back pointers has one node or more and is known by its first. One with back pointers has two nodes
//! or more and is known by its first and its last, which are never the same, so comparing their addresses is right.
//! `folding` makes chains, at loop heads. This file unfolds them: an access through a pointer to a node of a segment
//! splits the state into two cases: the segment has its minimal length, or it is a node followed by a shorter segment.

use crate::exec::machine::{Machine, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::access::write_value;
use crate::memory::address::Origin;
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Object, ObjectKind};
use fathom_term::{Sort, Substitution, Term};
use std::rc::Rc;

/// What makes an object stand for a segment of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chain {
    /// The first of a segment. Its contents are those of every node, but for the link, which is the last node's, and the back
    /// pointer, which is the first one's. A pointer to the object itself is one of each node to itself.
    Front(Segment),
    /// The last of the segment that begins with this object. It has no contents of its own.
    End(ObjectKey),
}

/// The nodes that a chain stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where a node keeps the pointer to the next one.
    pub link: u64,
    /// Where in a node such pointers, in both directions, lead.
    pub enters: i64,
    /// Where a node keeps the pointer to the one before, and the last node, if there are such pointers.
    pub back: Option<(u64, ObjectKey)>,
    /// Offset and length of what is arbitrary in each node.
    pub free: Vec<(u64, u64)>,
    /// What holds of it in each node, over `field_variable`s.
    pub laws: Vec<Term>,
}

impl Machine {
    /// Makes the node an object of its own if it is part of a chain.
    pub(crate) fn unfold(&mut self, state: &mut State, object: ObjectKey) -> Step<()> {
        let front = match state.memory.get(object).and_then(|found| found.chain.as_deref()) {
            None => return Ok(()),
            Some(Chain::Front(_)) => object,
            Some(Chain::End(front)) => *front,
        };
        let found = state.memory.get(front).cloned();
        let Some((found, Chain::Front(segment))) = found.as_ref().and_then(|found| Some((found, found.chain.as_deref()?))) else {
            return Err(self.unsupported(state, "the end of a list whose beginning is gone"));
        };
        let mut longer = self.twin(state);
        longer.search.covers_new = false;
        let frame = longer.frame_mut();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        frame.index = block.starts[frame.index as usize];
        longer.search.depth += 1;
        state.search.depth += 1;
        self.take_node(&mut longer, found, segment, front, object)?;
        self.add_fork(longer);
        self.shortest(state, found, segment, front)
    }

    /// The segment has as many nodes as have names.
    fn shortest(&mut self, state: &mut State, found: &Object, segment: &Segment, front: ObjectKey) -> Step<()> {
        let link = self.field(found, segment.link);
        match segment.back {
            None => self.put_node(state, found, segment, front, front, (link, None)),
            Some((at, last)) => {
                let back = self.field(found, at);
                let to = |object| Val::Pointer { object, offset: segment.enters };
                self.put_node(state, found, segment, front, front, (to(last), Some(back)))?;
                self.put_node(state, found, segment, front, last, (link, Some(to(front))))
            }
        }
    }

    /// The segment has more nodes than names: the first or last of them becomes an object, and the next one gets its name.
    fn take_node(&mut self, state: &mut State, found: &Object, segment: &Segment, front: ObjectKey, node: ObjectKey) -> Step<()> {
        let fresh = self.another(state, found, front)?;
        let link = self.field(found, segment.link);
        let to = |object| Val::Pointer { object, offset: segment.enters };
        let back = segment.back.map(|(at, _)| self.field(found, at));
        if node == front {
            self.put_node(state, found, segment, front, front, (to(fresh), back))?;
            let mut rest = self.renamed(found, front, fresh);
            // The last node of a ring leads to its first, which is no pointer of each node to itself.
            self.write_field(&mut rest, segment.link, link);
            if let Some((at, last)) = segment.back {
                self.write_field(&mut rest, at, to(front));
                if let Some(end) = state.memory.get_mut(last) {
                    end.chain = Some(Rc::new(Chain::End(fresh)));
                }
            }
            state.memory.insert(fresh, rest);
            return Ok(());
        }
        // The last one of a segment with back pointers; the segment keeps its first.
        let Some((at, last)) = segment.back else { return Ok(()) };
        self.put_node(state, found, segment, front, last, (link, Some(to(fresh))))?;
        let mut rest = found.clone();
        self.write_field(&mut rest, segment.link, to(last));
        rest.chain = Some(Rc::new(Chain::Front(Segment { back: Some((at, fresh)), ..segment.clone() })));
        state.memory.insert(front, rest);
        state.memory.insert(fresh, end_of(found, front));
        Ok(())
    }

    /// An object with a name that no other has had on this path, like this one.
    fn another(&mut self, state: &mut State, like: &Object, key: ObjectKey) -> Step<ObjectKey> {
        let site = self.book.origin(key).site;
        let Val::Bits(size) = like.size else { return Err(self.unsupported(state, "a list of objects of unknown size")) };
        let Some(occurrence) = state.next_occurrence(site) else {
            return Err(self.unsupported(state, "so many allocations in a program with threads"));
        };
        let object = self.book.object(Origin { site, occurrence }, Some(size), self.book.align(key));
        object.map_err(|_| self.unsupported(state, "more memory than the address space holds"))
    }

    /// One node of a segment as an object, with these pointers to its neighbours.
    fn put_node(
        &mut self,
        state: &mut State,
        found: &Object,
        segment: &Segment,
        front: ObjectKey,
        key: ObjectKey,
        (link, back): (Val, Option<Val>),
    ) -> Step<()> {
        let mut node = self.renamed(found, front, key);
        node.chain = None;
        let mut images = Vec::new();
        for &(offset, length) in &segment.free {
            let value = self.arbitrary(state, Sort::Bv(length as u32 * 8));
            images.extend(
                self.store.as_var(self.field_variable((offset, length))).map(|var| (var, self.term_of(value, Sort::Bv(length as u32 * 8)))),
            );
            write_value(&self.store, &self.book, &mut node.contents, offset, length, value);
        }
        self.write_field(&mut node, segment.link, link);
        if let (Some((at, _)), Some(back)) = (segment.back, back) {
            self.write_field(&mut node, at, back);
        }
        state.memory.insert(key, node);
        let mut instance = Substitution::new(images);
        let laws = segment.laws.iter().map(|&law| instance.apply(&self.store, law)).collect::<Vec<_>>();
        let laws = self.store.and_all(laws);
        self.assume(state, laws)
    }

    /// An object's contents with pointers to `from` replaced by pointers to `to`.
    pub(crate) fn renamed(&self, found: &Object, from: ObjectKey, to: ObjectKey) -> Object {
        let mut object = found.clone();
        if from != to {
            let cells: Vec<(u64, u8, i64)> = found
                .contents
                .cells()
                .filter_map(|(at, cell)| match cell.value {
                    Val::Pointer { object, offset } if object == from => Some((at, cell.length, offset)),
                    _ => None,
                })
                .collect();
            for (at, length, offset) in cells {
                object.contents.write_cell(at, length as u64, Val::Pointer { object: to, offset }, true);
            }
        }
        object
    }

    fn pointer_bytes(&self) -> u64 {
        self.book.pointer_bits() as u64 / 8
    }

    /// A pointer that an object holds; folding has seen to it that it holds one.
    fn field(&self, object: &Object, offset: u64) -> Val {
        self.known_field(&object.contents, offset).unwrap_or(Val::Bits(0))
    }

    /// The pointer-sized value at this place, if it is known as a whole.
    pub(crate) fn known_field(&self, contents: &Contents, offset: u64) -> Option<Val> {
        let bytes = self.pointer_bytes();
        let known = contents.read_cell(offset, bytes).or_else(|| contents.read_concrete(offset, bytes).map(Val::Bits));
        known.or_else(|| (contents.base == Base::Zero && contents.is_all_base(offset, bytes)).then_some(Val::Bits(0)))
    }

    pub(crate) fn write_field(&self, object: &mut Object, offset: u64, value: Val) {
        write_value(&self.store, &self.book, &mut object.contents, offset, self.pointer_bytes(), value);
    }
}

/// The last object of the segment that begins with `front`.
pub(crate) fn end_of(like: &Object, front: ObjectKey) -> Object {
    Object {
        size: like.size,
        kind: ObjectKind::Heap,
        read_only: false,
        contents: Contents::new(Base::Zero),
        chain: Some(Rc::new(Chain::End(front))),
    }
}
