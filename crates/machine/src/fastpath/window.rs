//! An object that a sprint reads and writes. The page that was accessed last is cached, so that sequential accesses
//! need no search. Contents that are not plain numbers are left to the machine.

use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::LOWEST;
use crate::memory::contents::{Base, Contents, PAGE, Page, bits};
use crate::memory::objects::{Object, ObjectKind};
use std::rc::Rc;

pub(super) struct Window {
    pub object: ObjectKey,
    size: u64,
    contents: Source,
    /// No page has the last number.
    number: u64,
    page: Rc<Page>,
}

enum Source {
    /// Nothing is written.
    Shared(Rc<Object>),
    /// Taken from the state until the sprint is over; the page at hand is missing in it.
    Taken(Contents),
}

const NO_PAGE: u64 = u64::MAX;

impl Window {
    /// None if the object is not one of plain bytes.
    pub fn open(state: &mut State, object: ObjectKey, writes: bool) -> Option<Window> {
        let found = state.memory.get(object)?;
        let Val::Bits(size) = found.size else { return None };
        if found.kind == ObjectKind::Code || found.chain.is_some() || (writes && found.read_only) {
            return None;
        }
        let contents = match writes {
            false => Source::Shared(found.clone()),
            true => {
                let target = state.memory.get_mut(object)?;
                Source::Taken(std::mem::replace(&mut target.contents, Contents::new(Base::Zero)))
            }
        };
        Some(Window { object, size, contents, number: NO_PAGE, page: Rc::new(Page::new()) })
    }

    /// Gives back what was taken.
    pub fn close(mut self, state: &mut State) {
        self.turn_to(NO_PAGE);
        if let (Source::Taken(contents), Some(target)) = (self.contents, state.memory.get_mut(self.object)) {
            target.contents = contents;
        }
    }

    /// Whether an address at this distance does not wrap around, wherever the object lies.
    #[inline]
    pub fn is_near(&self, offset: u64) -> bool {
        (offset.wrapping_add(LOWEST)) < self.size.saturating_add(2 * LOWEST)
    }

    /// None where the machine has to look.
    #[inline]
    pub fn read(&mut self, offset: u64, length: u64) -> Option<u64> {
        let start = self.find(offset, length)?;
        let wanted = bits(start, length);
        if self.page.concrete & wanted != wanted {
            let is_zero = self.page.concrete & wanted == 0 && self.page.cells.is_empty() && *self.base_contents() == Base::Zero;
            return is_zero.then_some(0);
        }
        let mut word = [0u8; 8];
        let from = start as usize;
        match length {
            4 => word[..4].copy_from_slice(&self.page.bytes[from..from + 4]),
            8 => word.copy_from_slice(&self.page.bytes[from..from + 8]),
            _ => word[..length as usize].copy_from_slice(&self.page.bytes[from..from + length as usize]),
        }
        Some(u64::from_le_bytes(word))
    }

    /// Writes a number; none if the bytes are not plain ones.
    #[inline]
    pub fn write(&mut self, offset: u64, length: u64, value: u64) -> Option<()> {
        let start = self.find(offset, length)?;
        if !self.page.cells.is_empty() || matches!(self.contents, Source::Shared(_)) {
            return None;
        }
        let page = Rc::make_mut(&mut self.page);
        let (word, to) = (value.to_le_bytes(), start as usize);
        match length {
            4 => page.bytes[to..to + 4].copy_from_slice(&word[..4]),
            8 => page.bytes[to..to + 8].copy_from_slice(&word),
            _ => page.bytes[to..to + length as usize].copy_from_slice(&word[..length as usize]),
        }
        let written = bits(start, length);
        page.concrete |= written;
        page.dirty |= written;
        Some(())
    }

    /// Has the page at hand; the place of the bytes in it.
    #[inline]
    fn find(&mut self, offset: u64, length: u64) -> Option<u64> {
        let (number, start) = (offset / PAGE, offset % PAGE);
        if length > self.size || offset > self.size - length || start + length > PAGE {
            return None;
        }
        if number != self.number {
            self.turn_to(number);
        }
        Some(start)
    }

    fn turn_to(&mut self, number: u64) {
        match &mut self.contents {
            Source::Shared(object) => {
                self.page = object.contents.pages.get(&number).cloned().unwrap_or_else(|| Rc::new(Page::new()));
            }
            Source::Taken(contents) => {
                // A page that was never written is as good as none, and states with and without it must look alike.
                if self.number != NO_PAGE && self.page.is_blank() {
                    contents.pages.remove(&self.number);
                } else if let Some(slot) = contents.pages.get_mut(&self.number) {
                    std::mem::swap(slot, &mut self.page);
                }
                if number != NO_PAGE {
                    let slot = contents.pages.entry(number).or_insert_with(|| Rc::new(Page::new()));
                    std::mem::swap(slot, &mut self.page);
                }
            }
        }
        self.number = number;
    }

    fn base_contents(&self) -> &Base {
        match &self.contents {
            Source::Shared(object) => &object.contents.base,
            Source::Taken(contents) => &contents.base,
        }
    }
}
