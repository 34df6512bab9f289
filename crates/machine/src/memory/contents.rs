//! The bytes of a memory object. Pages of 64 bytes hold what is known at constant offsets: concrete bytes under a
//! mask, and cells of up to 8 bytes that hold a symbolic value or a pointer. What no page knows comes from the base:
//! zero, uninitialised (one arbitrary content per object, made when first read), or an SMT array once a symbolic
//! offset was used. Writes at constant offsets stay in pages (marked dirty) and reach the array only when the next
//! symbolic offset needs it.

use crate::exec::value::Val;
use fathom_term::Term;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes of a page.
pub const PAGE: u64 = 64;
/// The widest cell.
pub const WORD: u64 = 8;

/// What the bytes of an object hold that were never written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    Zero,
    Uninitialised,
    /// Arbitrary too, because code that Fathom doesn't see wrote it; the number tells one such time from another.
    Foreign(u32),
    /// Elements of `element` bytes (1, 2, 4 or 8), indexed by element number.
    Array {
        term: Term,
        element: u64,
    },
}

/// A value in consecutive bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Offset inside the page, and length; a cell never crosses pages.
    pub start: u8,
    pub length: u8,
    pub value: Val,
}

/// A stretch of an object: concrete bytes, and cells for everything else.
#[derive(Clone, Debug)]
pub struct Page {
    pub(crate) bytes: [u8; PAGE as usize],
    pub(crate) concrete: u64,
    pub(crate) dirty: u64,
    pub(crate) cells: Vec<Cell>,
}

/// The bytes of an object.
#[derive(Clone, Debug)]
pub struct Contents {
    pub(crate) pages: BTreeMap<u64, Rc<Page>>,
    pub base: Base,
    /// Cells in all pages: large tables of numbers must not be looked through to find that there are none.
    cell_count: usize,
}

/// Where the value of a byte comes from.
pub enum ByteSource {
    Concrete(u8),
    /// Byte number `index` (from the low end) of a cell's value.
    CellByte {
        value: Val,
        length: u8,
        index: u8,
    },
    Base,
}

/// A stretch of bytes that two contents know differently.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub offset: u64,
    pub length: u64,
    /// One side does not know the bytes, and the other only knows them from its array.
    pub is_cached: bool,
}

pub(crate) fn bits(start: u64, length: u64) -> u64 {
    (if length >= 64 { u64::MAX } else { (1 << length) - 1 }) << start
}

impl Page {
    pub(crate) fn new() -> Self {
        Page { bytes: [0; PAGE as usize], concrete: 0, dirty: 0, cells: Vec::new() }
    }

    /// Whether it says no more than that nothing is known.
    pub(crate) fn is_blank(&self) -> bool {
        self.concrete == 0 && self.dirty == 0 && self.cells.is_empty()
    }

    fn known(&self) -> u64 {
        self.cells.iter().fold(self.concrete, |known, cell| known | bits(cell.start as u64, cell.length as u64))
    }
}

impl Page {
    fn cell_at(&self, at: u64) -> Option<&Cell> {
        self.cells.iter().find(|cell| bits(cell.start as u64, cell.length as u64) & bits(at, 1) != 0)
    }

    /// Whether all these bytes are the same: equal cells, equal concrete bytes, or unknown on both sides.
    fn agrees(&self, other: &Page, start: u64, length: u64) -> bool {
        let mask = bits(start, length);
        if self.known() & mask != other.known() & mask || self.concrete & mask != other.concrete & mask {
            return false;
        }
        (start..start + length).all(|at| match (self.cell_at(at), other.cell_at(at)) {
            (Some(one), Some(two)) => one == two,
            (None, None) => self.concrete & bits(at, 1) == 0 || self.bytes[at as usize] == other.bytes[at as usize],
            _ => false,
        })
    }

    /// The smallest stretch around a byte that cuts no cell of either page; words of four bytes where there is none.
    fn stretch(&self, other: &Page, at: u64) -> (u64, u64) {
        let (mut start, mut end) = (at, at + 1);
        loop {
            let cells = self.cells.iter().chain(&other.cells);
            let (from, to) = cells
                .filter(|cell| (cell.start as u64) < end && start < (cell.start + cell.length) as u64)
                .fold((start, end), |(from, to), cell| (from.min(cell.start as u64), to.max((cell.start + cell.length) as u64)));
            if (from, to) == (start, end) {
                break;
            }
            (start, end) = (from, to);
        }
        let word = bits(at & !3, 4);
        let in_cells = |page: &Page| page.cells.iter().any(|c| bits(c.start as u64, c.length as u64) & word != 0);
        if end - start == 1 && !in_cells(self) && !in_cells(other) {
            return (at & !3, 4);
        }
        (start, end - start)
    }

    fn differences(&self, other: &Page, number: u64, into: &mut Vec<Difference>) {
        let mut at = 0;
        while at < PAGE {
            let (start, length) = self.stretch(other, at);
            if !self.agrees(other, start, length) {
                let mask = bits(start, length);
                let caches = |page: &Page, twin: &Page| twin.known() & mask == 0 && page.dirty & mask == 0;
                let is_cached = caches(self, other) || caches(other, self);
                // Cells that overlap crosswise may span more than a word: then byte by byte.
                let step = if length > WORD { 1 } else { length };
                let offsets = (start..start + length).step_by(step as usize);
                into.extend(offsets.map(|start| Difference { offset: number * PAGE + start, length: step, is_cached }));
            }
            at = start + length;
        }
    }
}

impl Contents {
    /// Contents that were never written.
    pub fn new(base: Base) -> Self {
        Contents { pages: BTreeMap::new(), base, cell_count: 0 }
    }

    /// Concrete bytes (at most 8, little-endian) at a constant offset, if they are all concrete and in one page.
    #[inline]
    pub fn read_concrete(&self, offset: u64, length: u64) -> Option<u64> {
        let (page, start) = (offset / PAGE, offset % PAGE);
        if start + length > PAGE || length > WORD {
            return None;
        }
        let page = self.pages.get(&page)?;
        let wanted = bits(start, length);
        if page.concrete & wanted != wanted {
            return None;
        }
        let mut word = [0u8; 8];
        word[..length as usize].copy_from_slice(&page.bytes[start as usize..(start + length) as usize]);
        Some(u64::from_le_bytes(word))
    }

    /// The cell that is exactly these bytes.
    pub fn read_cell(&self, offset: u64, length: u64) -> Option<Val> {
        let (page, start) = (offset / PAGE, offset % PAGE);
        let page = self.pages.get(&page)?;
        page.cells.iter().find(|c| c.start as u64 == start && c.length as u64 == length).map(|c| c.value)
    }

    /// The byte at an offset.
    pub fn byte(&self, offset: u64) -> ByteSource {
        let (page, start) = (offset / PAGE, offset % PAGE);
        let Some(page) = self.pages.get(&page) else { return ByteSource::Base };
        if page.concrete & bits(start, 1) != 0 {
            return ByteSource::Concrete(page.bytes[start as usize]);
        }
        let covering = page.cells.iter().find(|c| (c.start as u64) <= start && start < c.start as u64 + c.length as u64);
        match covering {
            Some(cell) => ByteSource::CellByte { value: cell.value, length: cell.length, index: start as u8 - cell.start },
            None => ByteSource::Base,
        }
    }

    /// Whether no page knows any of these bytes.
    pub fn is_all_base(&self, offset: u64, length: u64) -> bool {
        (offset..offset + length).all(|o| matches!(self.byte(o), ByteSource::Base))
    }

    /// Writes bytes that are known.
    pub fn write_concrete(&mut self, offset: u64, data: &[u8]) {
        let mut done = 0;
        while done < data.len() {
            let at = offset + done as u64;
            let (number, start) = (at / PAGE, at % PAGE);
            let length = (PAGE - start).min((data.len() - done) as u64);
            let page = self.page_for_writing(number, start, length);
            page.bytes[start as usize..(start + length) as usize].copy_from_slice(&data[done..done + length as usize]);
            page.concrete |= bits(start, length);
            done += length as usize;
        }
    }

    /// A cell at a place that it fits: the caller splits what crosses a page.
    pub fn write_cell(&mut self, offset: u64, length: u64, value: Val, dirty: bool) {
        let (number, start) = (offset / PAGE, offset % PAGE);
        debug_assert!(start + length <= PAGE && length <= WORD);
        let page = self.page_for_writing(number, start, length);
        page.cells.push(Cell { start: start as u8, length: length as u8, value });
        if !dirty {
            page.dirty &= !bits(start, length);
        }
        self.cell_count += 1;
    }

    /// A private page with the given bytes forgotten and marked dirty. Cells that are cut by the write must have been
    /// split before (`cells_cut_by`).
    fn page_for_writing(&mut self, number: u64, start: u64, length: u64) -> &mut Page {
        let page = Rc::make_mut(self.pages.entry(number).or_insert_with(|| Rc::new(Page::new())));
        let gone = bits(start, length);
        page.concrete &= !gone;
        page.dirty |= gone;
        if !page.cells.is_empty() {
            let before = page.cells.len();
            page.cells.retain(|cell| bits(cell.start as u64, cell.length as u64) & gone == 0);
            self.cell_count -= before - page.cells.len();
        }
        page
    }

    /// Cells that overlap these bytes without lying inside them, by offset in the object.
    pub fn cells_cut_by(&self, offset: u64, length: u64) -> Vec<(u64, Cell)> {
        let mut cut = Vec::new();
        let (first, last) = (offset / PAGE, (offset + length - 1) / PAGE);
        for (&number, page) in self.pages.range(first..=last) {
            for cell in &page.cells {
                let start = number * PAGE + cell.start as u64;
                let end = start + cell.length as u64;
                let overlaps = start < offset + length && offset < end;
                let inside = offset <= start && end <= offset + length;
                if overlaps && !inside {
                    cut.push((start, cell.clone()));
                }
            }
        }
        cut
    }

    /// Offsets of elements with a dirty byte, ascending: what the array does not know yet.
    pub fn dirty_elements(&self, element: u64) -> Vec<u64> {
        let mut found = Vec::new();
        for (&number, page) in &self.pages {
            let mut at = 0;
            while at < PAGE {
                if page.dirty & bits(at, element) != 0 {
                    found.push(number * PAGE + at);
                }
                at += element;
            }
        }
        found
    }

    /// The numbers of the elements all of whose bytes pages know.
    pub fn known_elements(&self, element: u64) -> Vec<u64> {
        let per_page = PAGE / element;
        let in_page = |(number, page): (&u64, &Rc<Page>)| {
            let (first, known) = (number * per_page, page.known());
            (0..per_page).filter(move |at| !known & bits(at * element, element) == 0).map(move |at| first + at).collect::<Vec<_>>()
        };
        self.pages.iter().flat_map(in_page).collect()
    }

    /// The array now holds everything.
    pub fn set_array(&mut self, term: Term, element: u64) {
        self.base = Base::Array { term, element };
        for page in self.pages.values_mut() {
            if page.dirty != 0 {
                Rc::make_mut(page).dirty = 0;
            }
        }
    }

    /// Forgets all pages: a write at a symbolic offset may have changed any byte. The array must hold everything.
    pub fn forget_pages(&mut self) {
        self.pages.clear();
        self.cell_count = 0;
    }

    /// Where the pages differ, ascending; shared pages cost nothing.
    pub fn differences(&self, other: &Contents) -> Vec<Difference> {
        let mut found = Vec::new();
        let empty = Page::new();
        let mut numbers: Vec<u64> = self.pages.keys().chain(other.pages.keys()).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            match (self.pages.get(&number), other.pages.get(&number)) {
                (Some(one), Some(two)) if Rc::ptr_eq(one, two) => {}
                (one, two) => {
                    let [one, two] = [one, two].map(|page| page.map_or(&empty, |page| &**page));
                    one.differences(two, number, &mut found);
                }
            }
        }
        found
    }

    /// Forgets bytes that the array holds. No cell may be cut.
    pub fn forget(&mut self, offset: u64, length: u64) {
        self.page_for_writing(offset / PAGE, offset % PAGE, length).dirty &= !bits(offset % PAGE, length);
    }

    /// Bytes that the other's array does not hold count as not held by this one's either.
    pub fn add_dirty(&mut self, other: &Contents) {
        for (number, page) in &mut self.pages {
            if let Some(twin) = other.pages.get(number)
                && twin.dirty & !page.dirty != 0
            {
                Rc::make_mut(page).dirty |= twin.dirty;
            }
        }
    }

    /// Spells out the zeros that no page knows, up to this size.
    pub fn spell_zeros(&mut self, size: u64) {
        for offset in 0..size {
            if matches!(self.byte(offset), ByteSource::Base) {
                self.write_concrete(offset, &[0]);
            }
        }
    }

    /// Everything known that is not concrete, for reachability and merging.
    pub fn cells(&self) -> impl Iterator<Item = (u64, &Cell)> {
        self.pages.iter().flat_map(|(&number, page)| page.cells.iter().map(move |cell| (number * PAGE + cell.start as u64, cell)))
    }

    /// Ranges of concrete bytes, for reachability and merging: offset and data of maximal runs inside pages.
    pub fn concrete_words(&self, length: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.pages.iter().flat_map(move |(&number, page)| {
            (0..PAGE).step_by(length as usize).filter_map(move |start| {
                let wanted = bits(start, length);
                (page.concrete & wanted == wanted).then(|| {
                    let mut word = [0u8; 8];
                    word[..length as usize].copy_from_slice(&page.bytes[start as usize..(start + length) as usize]);
                    (number * PAGE + start, u64::from_le_bytes(word))
                })
            })
        })
    }

    /// Whether nothing but initial concrete bytes was ever here: a constant object.
    pub fn is_untouched(&self) -> bool {
        matches!(self.base, Base::Zero) && self.cell_count == 0
    }

    /// Feeds the concrete bytes to a hasher. Bytes that are not concrete are hashed as zeros beside the mask.
    /// Returns roughly the nanoseconds this takes.
    pub fn hash_concrete(&self, hasher: &mut impl std::hash::Hasher) -> u64 {
        for (&number, page) in &self.pages {
            hasher.write_u64(number);
            hasher.write_u64(page.concrete);
            if page.concrete == u64::MAX {
                hasher.write(&page.bytes);
                continue;
            }
            let mut known = page.bytes;
            for (byte, value) in known.iter_mut().enumerate() {
                if page.concrete & bits(byte as u64, 1) == 0 {
                    *value = 0;
                }
            }
            hasher.write(&known);
        }
        self.pages.len() as u64 * 100
    }

    /// Known bytes, counted; for statistics and tests.
    pub fn known_bytes(&self) -> u32 {
        self.pages.values().map(|page| page.known().count_ones()).sum()
    }
}
