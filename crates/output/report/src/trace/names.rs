//! Names of objects and of locations in them: `buf[4]`, `pool[1].len`, `malloc at list.c:14`. A path is found by
//! walking down the object's type to the offset. Memory from the heap has the type of the first pointer that got its
//! address.

use super::parts::word_at;
use super::shown::text;
use crate::source::SourceText;
use fathom_base::{Loc, SourceFiles};
use fathom_ir::{Shape, TypeId};
use fathom_machine::{MemoryBytes, ObjectKey, ObjectKind, ObjectRecord, PointerTo, Scene, TraceStep};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How long a text behind a pointer may be.
const LONGEST_TEXT: u64 = 64;

/// Names of objects and places of one run.
pub struct Names<'a> {
    pub scene: Scene,
    pub files: &'a SourceFiles,
    text: RefCell<SourceText<'a>>,
    /// Which of several objects it is that were made at the same place.
    numbers: BTreeMap<ObjectKey, usize>,
}

/// A place in an object: its path, the type of what lies there, and how far behind its start, if not at it.
pub struct Spot {
    pub path: String,
    pub ty: Option<TypeId>,
    /// In bytes, of what lies there.
    pub size: u64,
    pub rest: u64,
}

impl<'a> Names<'a> {
    /// Names for these steps.
    pub fn new(scene: &Scene, steps: &[TraceStep], files: &'a SourceFiles) -> Self {
        let mut names = Names { scene: scene.clone(), files, text: RefCell::new(SourceText::new(files)), numbers: BTreeMap::new() };
        names.numbers = names.number_objects();
        // The second pass learns the names of what the first one could not yet reach, such as the rest of a list.
        for _ in 0..2 {
            steps.iter().for_each(|step| names.learn(step));
        }
        names
    }

    fn number_objects(&self) -> BTreeMap<ObjectKey, usize> {
        let mut made_at: BTreeMap<Loc, Vec<(usize, ObjectKey)>> = BTreeMap::new();
        for (&key, record) in self.scene.objects.iter().filter(|(_, record)| record.kind == ObjectKind::Heap) {
            if let Some(loc) = self.user_place(&record.made) {
                made_at.entry(loc).or_default().push((record.alive.0, key));
            }
        }
        let mut numbers = BTreeMap::new();
        for mut siblings in made_at.into_values().filter(|siblings| siblings.len() > 1) {
            siblings.sort();
            numbers.extend(siblings.into_iter().zip(1..).map(|((_, key), number)| (key, number)));
        }
        numbers
    }

    /// A pointer with a type was stored somewhere: what it points to has that type.
    fn learn(&mut self, step: &TraceStep) {
        let TraceStep::Store { object, offset, bytes, .. } = step else { return };
        for &(at, place) in bytes.pointers.iter().filter(|(_, place)| place.offset == 0) {
            let width = u64::from(self.scene.pointer_bits / 8);
            let spot = self.spot(*object, offset + at, width);
            let Some(Shape::Pointer(target)) = spot.and_then(|spot| spot.ty).map(|ty| self.scene.debug.get(ty).shape.clone()) else {
                continue;
            };
            let debug = self.scene.debug.clone();
            if let Some(record) = self.scene.objects.get_mut(&place.object) {
                record.learn(&debug, target);
            }
        }
    }

    /// Whether the place is in Fathom's own C library.
    pub fn is_library(&self, loc: Loc) -> bool {
        self.files.is_of_library(loc)
    }

    /// The innermost place of the user's program.
    pub fn user_place(&self, places: &[Loc]) -> Option<Loc> {
        places.iter().copied().find(|&loc| !self.is_library(loc))
    }

    /// A line of the source with its blanks.
    pub fn line(&self, loc: Loc) -> Option<String> {
        self.text.borrow_mut().whole_line(loc).map(str::to_string)
    }

    /// `list.c:14`.
    pub fn short(&self, loc: Loc) -> String {
        match self.files.path(loc.file) {
            Some(path) if loc.is_known() => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                format!("{}:{}", name.to_string_lossy(), loc.line)
            }
            _ => "an unknown place".into(),
        }
    }

    /// The object with this key.
    pub fn record(&self, object: ObjectKey) -> Option<&ObjectRecord> {
        self.scene.objects.get(&object)
    }

    /// What an object is called: its variable, or where it was allocated.
    pub fn object(&self, object: ObjectKey) -> String {
        let Some(record) = self.record(object) else { return "an object".into() };
        if record.kind != ObjectKind::Heap {
            return record.name.clone();
        }
        let Some(loc) = self.user_place(&record.made) else { return record.name.clone() };
        let line = self.line(loc);
        let function = line.as_deref().and_then(|line| word_at(line, loc.column)).unwrap_or("allocated");
        let number = self.numbers.get(&object).map_or(String::new(), |number| format!(" #{number}"));
        format!("{function}{number} at {}", self.short(loc))
    }

    /// The same with the size of memory from the heap.
    pub fn sized_object(&self, object: ObjectKey) -> String {
        match self.record(object) {
            Some(record) if record.kind == ObjectKind::Heap => format!("{} ({} bytes)", self.object(object), record.size),
            _ => self.object(object),
        }
    }

    /// The smallest thing with a name that these bytes lie in.
    pub fn spot(&self, object: ObjectKey, offset: u64, length: u64) -> Option<Spot> {
        let record = self.record(object)?;
        let base = self.object(object);
        let path = if record.kind == ObjectKind::Heap { format!("({base})") } else { base };
        let Some(ty) = record.ty else { return Some(Spot { path, ty: None, size: record.size, rest: offset }) };
        let mut spots = self.spots(path, ty, record, offset, length);
        spots.pop()
    }

    /// Whether something of the type with this name begins at this place.
    pub fn is_start_of(&self, object: ObjectKey, offset: u64, type_name: &str) -> bool {
        let Some((record, ty)) = self.record(object).and_then(|record| Some((record, record.ty?))) else { return false };
        let is_named = |spot: &Spot| spot.ty.is_some_and(|ty| self.scene.debug.get(ty).name == type_name);
        self.spots(String::new(), ty, record, offset, 1).iter().any(|spot| spot.rest == 0 && is_named(spot))
    }

    /// Everything that these bytes lie in, the largest first.
    fn spots(&self, path: String, ty: TypeId, record: &ObjectRecord, offset: u64, length: u64) -> Vec<Spot> {
        let debug = &self.scene.debug;
        let mut at = Spot { path, ty: Some(ty), size: record.size, rest: offset };
        let mut found = Vec::new();
        let each = debug.get(ty).size;
        if record.kind == ObjectKind::Heap && each > 0 && record.size >= 2 * each {
            let (index, rest) = (offset / each, offset % each);
            at = Spot { path: format!("{}[{index}]", at.path), ty: Some(ty), size: each, rest };
        }
        loop {
            let next = self.part_at(&at, length);
            found.push(at);
            match next {
                Some(part) => at = part,
                None => return found,
            }
        }
    }

    /// The member or element that the bytes lie in.
    fn part_at(&self, whole: &Spot, length: u64) -> Option<Spot> {
        let debug = &self.scene.debug;
        match &debug.get(whole.ty?).shape {
            Shape::Array { element, .. } => {
                let each = debug.get(*element).size;
                if each == 0 || whole.rest % each + length > each {
                    return None;
                }
                let path = format!("{}[{}]", whole.path, whole.rest / each);
                Some(Spot { path, ty: Some(*element), size: each, rest: whole.rest % each })
            }
            Shape::Record { members, .. } => {
                let holds = |start: u64, size: u64| start <= whole.rest && whole.rest + length <= start + size;
                let mut fitting = members.iter().filter(|member| member.bits.is_none()).filter_map(|member| {
                    let (start, size) = (member.offset / 8, debug.get(member.ty).size);
                    holds(start, size).then_some((member, start, size))
                });
                let (member, start, size) = fitting.clone().find(|(_, _, size)| *size == length).or_else(|| fitting.next())?;
                let path = if member.name.is_empty() { whole.path.clone() } else { format!("{}.{}", whole.path, member.name) };
                Some(Spot { path, ty: Some(member.ty), size, rest: whole.rest - start })
            }
            _ => None,
        }
    }

    /// What a pointer points to, as C would take its address. `target` is the type that it points to.
    pub fn pointer(&self, place: PointerTo, target: Option<TypeId>) -> String {
        let Some(record) = self.record(place.object) else { return "a pointer".into() };
        if record.kind == ObjectKind::Code {
            return record.name.clone();
        }
        if record.name.starts_with(".str") && place.offset >= 0 {
            let length = record.size.saturating_sub(place.offset as u64).min(LONGEST_TEXT);
            let bytes = self.scene.last_bytes(place.object, place.offset as u64, length);
            if let Some(text) = bytes.and_then(|bytes: MemoryBytes| text(&bytes, 0, length)) {
                return text;
            }
        }
        if record.kind == ObjectKind::Heap {
            let sign = if place.offset < 0 { '-' } else { '+' };
            let behind = if place.offset == 0 { String::new() } else { format!(" {sign} {}", place.offset.unsigned_abs()) };
            return format!("{}{behind}", self.sized_object(place.object));
        }
        self.address_of(place, record, target)
    }

    fn address_of(&self, place: PointerTo, record: &ObjectRecord, target: Option<TypeId>) -> String {
        let beside = || match place.offset {
            0 => format!("&{}", record.name),
            offset if offset < 0 => format!("&{} - {} bytes", record.name, offset.unsigned_abs()),
            offset => format!("&{} + {offset} bytes", record.name),
        };
        let Some(ty) = record.ty.filter(|_| place.offset >= 0) else { return beside() };
        let mut spots = self.spots(record.name.clone(), ty, record, place.offset as u64, 1);
        spots.retain(|spot| spot.rest == 0);
        let wanted = spots.iter().position(|spot| spot.ty.is_some() && spot.ty == target).unwrap_or(0);
        let Some(spot) = spots.get(wanted) else { return beside() };
        let is_array = |spot: &Spot| spot.ty.is_some_and(|ty| matches!(self.scene.debug.get(ty).shape, Shape::Array { .. }));
        // The address of an array is that of its first element.
        let spot = spots[wanted..].iter().find(|spot| !is_array(spot)).unwrap_or(spot);
        format!("&{}", spot.path)
    }
}
