//! The values of source variables at a point of the run, and the evaluation of source expressions that mention them.

use super::names::Names;
use super::parts::{Part, Step, parts};
use fathom_base::Loc;
use fathom_ir::{Shape, TypeId};
use fathom_machine::{MemoryBytes, ObjectKey, ObjectKind, PointerTo, TraceStep, WatchedValue};
use std::collections::BTreeMap;

/// Bytes of the largest value that is shown.
const LARGEST: u64 = 4096;

/// A variable of an active function.
#[derive(Clone)]
enum Variable {
    Register(WatchedValue),
    Memory(ObjectKey),
}

/// A call that has not returned.
#[derive(Clone)]
pub struct Active {
    pub procedure: String,
    pub called_from: Loc,
    pub is_library: bool,
    variables: BTreeMap<String, Variable>,
}

/// What a mention stands for.
#[derive(Clone)]
pub enum Found {
    Register(WatchedValue),
    Memory { object: ObjectKey, offset: i64, ty: TypeId },
}

/// Variables and calls, thread by thread.
#[derive(Clone)]
pub struct Environment<'a> {
    pub names: &'a Names<'a>,
    threads: BTreeMap<u32, Vec<Active>>,
    pub running: u32,
    /// The functions that threads began with.
    starts: BTreeMap<u32, String>,
    /// Pointers in memory, as they were stored.
    pointers: BTreeMap<(ObjectKey, u64), PointerTo>,
}

impl<'a> Environment<'a> {
    pub fn new(names: &'a Names<'a>) -> Self {
        Environment { names, threads: BTreeMap::new(), running: 1, starts: BTreeMap::new(), pointers: BTreeMap::new() }
    }

    /// The calls of the running thread, innermost last.
    pub fn active(&self) -> &[Active] {
        self.threads.get(&self.running).map_or(&[], Vec::as_slice)
    }

    /// Goes to the thread whose calls these are, innermost last: where several wait, a report is about one of them.
    pub fn look_at(&mut self, stack: &[String]) {
        let is_there = |calls: &Vec<Active>| calls.last().map(|call| &call.procedure) == stack.last() && calls.len() == stack.len();
        if !self.threads.get(&self.running).is_some_and(is_there) {
            let found = self.threads.iter().find(|(_, calls)| is_there(calls));
            self.running = found.map_or(self.running, |(&thread, _)| thread);
        }
    }

    /// How many of the innermost calls are the library's.
    pub fn library_depth(&self) -> usize {
        self.active().iter().rev().take_while(|call| call.is_library).count()
    }

    /// Each thread with the function that it began with and the call into the library that it is in, if it is in one.
    pub fn waiting(&self) -> Vec<(u32, &str, Loc)> {
        let waits = |(&thread, calls): (&u32, &'_ Vec<Active>)| {
            calls.last().filter(|call| call.is_library)?;
            let outermost = calls.iter().rposition(|call| !call.is_library).map_or(0, |user| user + 1);
            Some((thread, calls[outermost].called_from))
        };
        let named = |(thread, loc): (u32, Loc)| {
            let calls = &self.threads[&thread];
            let first = calls.first().map_or("", |call| call.procedure.as_str());
            (thread, first, loc)
        };
        self.threads.iter().filter_map(waits).map(named).collect()
    }

    /// The same as another thread sees it.
    pub fn of_thread(&self, thread: u32) -> Environment<'a> {
        Environment { running: thread, ..self.clone() }
    }

    /// The place in memory that an expression like `&a->lock` or `lock` points to, in the innermost call but `outer`.
    pub fn pointed_to(&self, text: &str, outer: usize) -> Option<PointerTo> {
        let mentions = parts(text);
        let part = mentions.iter().find(|part| part.end == text.len())?;
        let (_, found) = self.find(part, outer, None)?;
        match (&text[..part.start], &found) {
            ("&", Found::Memory { object, offset, .. }) => Some(PointerTo { object: *object, offset: *offset }),
            ("", _) => Some(self.pointer_in(&found)?.0),
            _ => None,
        }
    }

    /// The function that a thread began with, and whether it is still in it.
    pub fn thread(&self, thread: u32) -> (&str, bool) {
        let is_running = self.threads.get(&thread).is_some_and(|calls| !calls.is_empty());
        (self.starts.get(&thread).map_or("", String::as_str), is_running)
    }

    fn innermost(&mut self) -> &mut Active {
        let calls = self.threads.entry(self.running).or_default();
        if calls.is_empty() {
            calls.push(Active { procedure: String::new(), called_from: Loc::UNKNOWN, is_library: false, variables: BTreeMap::new() });
        }
        let last = calls.len() - 1;
        &mut calls[last]
    }

    /// Follows a step.
    pub fn follow(&mut self, step: &TraceStep) {
        match step {
            TraceStep::Enter { procedure, loc, called_from } => {
                let is_library = self.names.is_library(*loc);
                let active = Active { procedure: procedure.clone(), called_from: *called_from, is_library, variables: BTreeMap::new() };
                self.innermost();
                self.threads.entry(self.running).or_default().push(active);
            }
            TraceStep::Leave { .. } => {
                self.threads.entry(self.running).or_default().pop();
            }
            TraceStep::Skipped { active } => {
                let unknown = |procedure: &String| Active {
                    procedure: procedure.clone(),
                    called_from: Loc::UNKNOWN,
                    is_library: false,
                    variables: BTreeMap::new(),
                };
                let calls = self.threads.entry(self.running).or_default();
                let known = calls.iter().zip(active).take_while(|(call, now)| call.procedure.is_empty() || call.procedure == **now).count();
                calls.truncate(known);
                calls.extend(active[known..].iter().map(unknown));
            }
            TraceStep::Value { watched, .. } => {
                self.innermost().variables.insert(watched.variable.clone(), Variable::Register(watched.clone()));
            }
            TraceStep::Declare { object, .. } => {
                if let Some(record) = self.names.record(*object) {
                    let name = record.name.clone();
                    self.innermost().variables.insert(name, Variable::Memory(*object));
                }
            }
            TraceStep::Store { object, offset, length, bytes, .. } => {
                let covered = (*object, *offset)..(*object, offset + length);
                let old: Vec<_> = self.pointers.range(covered).map(|(place, _)| *place).collect();
                old.into_iter().for_each(|place| _ = self.pointers.remove(&place));
                self.pointers.extend(bytes.pointers.iter().map(|(at, place)| ((*object, offset + at), *place)));
            }
            TraceStep::Switch { thread, procedure, .. } => {
                self.running = *thread;
                self.starts.insert(*thread, procedure.clone());
                let first = self.innermost();
                if first.procedure.is_empty() {
                    first.procedure = procedure.clone();
                }
            }
            TraceStep::Input { .. } | TraceStep::Branch { .. } | TraceStep::Freed { .. } | TraceStep::Seen { .. } => {}
        }
    }

    /// The variable of this name in the innermost call but `outer`.
    fn variable(&self, name: &str, outer: usize) -> Option<Found> {
        let calls = self.active();
        let call = calls.len().checked_sub(outer + 1).map(|at| &calls[at]);
        match call.and_then(|call| call.variables.get(name)) {
            Some(Variable::Register(watched)) => return Some(Found::Register(watched.clone())),
            Some(Variable::Memory(object)) => return self.whole(*object),
            None => {}
        }
        // Without debug information, as in Boogie, a parameter may be known to the caller only.
        if self.names.scene.debug.types.is_empty() {
            let known = calls.iter().rev().find_map(|call| call.variables.get(name));
            return known.and_then(|variable| match variable {
                Variable::Register(watched) => Some(Found::Register(watched.clone())),
                Variable::Memory(_) => None,
            });
        }
        let mut named = self.names.scene.objects.iter().filter(|(_, record)| record.name == name);
        let (object, _) = named.find(|(_, record)| record.kind == ObjectKind::Global)?;
        self.whole(*object)
    }

    fn whole(&self, object: ObjectKey) -> Option<Found> {
        Some(Found::Memory { object, offset: 0, ty: self.names.record(object)?.ty? })
    }

    /// The pointer in a place, or the address of an array that stands there; and the type of what it points to.
    fn pointer_in(&self, found: &Found) -> Option<(PointerTo, TypeId)> {
        let debug = &self.names.scene.debug;
        match found {
            Found::Register(watched) => Some((watched.pointer?, self.names.target(watched.ty?)?)),
            Found::Memory { object, offset, ty } => match debug.get(*ty).shape {
                Shape::Array { element, .. } => Some((PointerTo { object: *object, offset: *offset }, element)),
                Shape::Pointer(target) => {
                    let at = u64::try_from(*offset).ok()?;
                    let stored = self.pointers.get(&(*object, at)).copied();
                    let stored = stored.or_else(|| {
                        let bytes = self.names.scene.last_bytes(*object, at, u64::from(self.names.scene.pointer_bits / 8))?;
                        bytes.pointers.first().filter(|(at, _)| *at == 0).map(|(_, place)| *place)
                    })?;
                    Some((stored, target))
                }
                _ => None,
            },
        }
    }

    /// What a mention stands for, and how it is shown: with numbers for indices. An index that is not known is taken from
    /// the place in memory that is looked for.
    pub fn find(&self, part: &Part, outer: usize, aim: Option<(ObjectKey, i64)>) -> Option<(String, Found)> {
        let mut found = self.variable(&part.name, outer)?;
        let mut shown = part.name.clone();
        for step in &part.steps {
            match step {
                Step::Member(name) => {
                    found = self.member(found, name)?;
                    shown = format!("{shown}.{name}");
                }
                Step::Arrow(name) => {
                    let (place, ty) = self.pointer_in(&found)?;
                    found = self.member(Found::Memory { object: place.object, offset: place.offset, ty }, name)?;
                    shown = format!("{shown}->{name}");
                }
                Step::Index(index) => {
                    let (place, ty) = self.pointer_in(&found)?;
                    let each = self.names.scene.debug.get(ty).size as i64;
                    let index = match aim {
                        Some((object, offset)) if object == place.object && each > 0 => (offset - place.offset).div_euclid(each),
                        _ => self.number(index, outer)?,
                    };
                    found = Found::Memory { object: place.object, offset: place.offset + index * each, ty };
                    shown = format!("{shown}[{index}]");
                }
            }
        }
        for _ in 0..part.stars {
            let (place, ty) = self.pointer_in(&found)?;
            found = Found::Memory { object: place.object, offset: place.offset, ty };
        }
        Some((format!("{}{shown}", "*".repeat(part.stars)), found))
    }

    fn member(&self, found: Found, name: &str) -> Option<Found> {
        let Found::Memory { object, offset, ty } = found else { return None };
        let Shape::Record { members, .. } = &self.names.scene.debug.get(ty).shape else { return None };
        let member = members.iter().find(|member| member.name == name && member.bits.is_none())?;
        Some(Found::Memory { object, offset: offset + (member.offset / 8) as i64, ty: member.ty })
    }

    /// The array that an index of this mention leaves, as it is shown, and how many elements it has.
    pub fn left_array(&self, part: &Part, outer: usize) -> Option<(String, u64)> {
        part.steps.iter().enumerate().find_map(|(at, step)| {
            let Step::Index(index) = step else { return None };
            let array = Part { stars: 0, steps: part.steps[..at].to_vec(), ..part.clone() };
            let (shown, found) = self.find(&array, outer, None)?;
            let count = self.elements(&found)?;
            (!(0..count as i64).contains(&self.number(index, outer)?)).then_some((shown, count))
        })
    }

    /// The value of sums of numbers and variables.
    fn number(&self, text: &str, outer: usize) -> Option<i64> {
        if text.contains("++") || text.contains("--") {
            return None;
        }
        if let Some(at) = text.rfind(['+', '-']).filter(|&at| at > 0 && !text[..at].ends_with(['(', '>', '['])) {
            let (left, right) = (self.number(text[..at].trim(), outer)?, self.number(text[at + 1..].trim(), outer)?);
            return if text.as_bytes()[at] == b'+' { left.checked_add(right) } else { left.checked_sub(right) };
        }
        if let Ok(number) = text.parse() {
            return Some(number);
        }
        let mentioned = parts(text);
        let [part] = &mentioned[..] else { return None };
        if part.start != 0 || part.end != text.len() {
            return None;
        }
        let (_, found) = self.find(part, outer, None)?;
        self.integer(&found)
    }

    fn integer(&self, found: &Found) -> Option<i64> {
        match found {
            Found::Register(watched) if watched.pointer.is_none() => {
                let bits = watched.value.to_u64()?;
                Some(if watched.signed && watched.width < 64 { fathom_term::sign_extend(bits, watched.width) } else { bits as i64 })
            }
            Found::Register(_) => None,
            Found::Memory { ty, .. } => {
                let source = self.names.scene.debug.get(*ty);
                let Shape::Integer { signed } = source.shape else { return None };
                let bytes = self.bytes(found)?.bytes.into_iter().collect::<Option<Vec<u8>>>()?;
                let bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
                let width = source.size as u32 * 8;
                Some(if signed && (1..64).contains(&width) { fathom_term::sign_extend(bits, width) } else { bits as i64 })
            }
        }
    }

    /// The bytes of a place at the end of the run; None if there is no such place.
    fn bytes(&self, found: &Found) -> Option<MemoryBytes> {
        let Found::Memory { object, offset, ty } = found else { return None };
        let (record, size) = (self.names.record(*object)?, self.names.scene.debug.get(*ty).size);
        let offset = u64::try_from(*offset).ok().filter(|offset| (1..=LARGEST).contains(&size) && offset + size <= record.size)?;
        self.names.scene.last_bytes(*object, offset, size)
    }

    /// How many elements an array has.
    fn elements(&self, found: &Found) -> Option<u64> {
        let Found::Memory { ty, .. } = found else { return None };
        let debug = &self.names.scene.debug;
        match debug.get(*ty).shape {
            Shape::Array { element, .. } => debug.get(*ty).size.checked_div(debug.get(element).size),
            _ => None,
        }
    }

    /// The value of what a mention stands for at the end of the run.
    pub fn value(&self, found: &Found) -> Option<String> {
        match found {
            Found::Register(watched) => Some(self.names.watched(watched)),
            Found::Memory { ty, .. } => {
                let size = self.names.scene.debug.get(*ty).size;
                Some(self.names.value(*ty, &self.bytes(found)?, 0, size))
            }
        }
    }
}
