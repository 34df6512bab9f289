//! Turns the steps of a replay into those of the report: values with the program's names and types, without steps
//! inside Fathom's own C library. Writes of a library function are shown on the line that called it, as one change.

use super::environment::{Environment, Found};
use super::names::{Names, Spot};
use super::parts::{Step, parts};
use super::place_of;
use super::shown::{UNENDED, text};
use crate::model::{BytesReport, LIFETIME, ObjectReport, PlaceReport, StepReport};
use crate::source::SourceText;
use fathom_base::Loc;
use fathom_ir::{Member, Shape, TypeId};
use fathom_machine::{MemoryBytes, ObjectKey, ObjectKind, PointerTo, TraceStep};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes that a library function wrote into one object, by offset.
type Written = BTreeMap<ObjectKey, BTreeMap<u64, Content>>;

/// What lies at an offset: a byte, if it is known, or the start of a pointer.
#[derive(Copy, Clone, Default)]
struct Content {
    byte: Option<u8>,
    pointer: Option<PointerTo>,
}

/// A walk along the steps.
pub struct Walk<'a, 't, 's> {
    pub environment: Environment<'a>,
    text: &'t mut SourceText<'s>,
    /// What the library has written since the user's program called it.
    written: Written,
    pub steps: Vec<StepReport>,
    /// For each step of the report the step of the replay.
    pub origins: Vec<usize>,
    /// Steps of the replay are missing before this one of the report.
    pub skipped_before: Option<usize>,
    /// The functions that are active there, outermost first.
    pub skipped_stack: Vec<String>,
    /// Where inputs were asked for.
    pub input_places: BTreeMap<usize, PlaceReport>,
    influences: &'a [Option<bool>],
    /// The step of the library that wrote last, if possible one that matters.
    wrote: Option<usize>,
    /// The mutexes that are locked: by which thread, and where.
    pub locked: Locked,
}

/// Mutexes by object and offset, with the thread that locked each and where it did.
pub type Locked = BTreeMap<(ObjectKey, u64), (u32, Loc)>;

impl<'a, 't, 's> Walk<'a, 't, 's> {
    pub fn new(names: &'a Names<'a>, text: &'t mut SourceText<'s>, influences: &'a [Option<bool>]) -> Self {
        let environment = Environment::new(names);
        let (written, steps, origins) = (Written::new(), Vec::new(), Vec::new());
        Walk {
            environment,
            text,
            written,
            steps,
            origins,
            skipped_before: None,
            skipped_stack: Vec::new(),
            input_places: BTreeMap::new(),
            influences,
            wrote: None,
            locked: Locked::new(),
        }
    }

    /// Walks along all steps.
    pub fn run(&mut self, steps: &[TraceStep]) {
        for (number, step) in steps.iter().enumerate() {
            self.step(number, step);
        }
    }

    /// The call of the user's program that led into the library, if the run is in it.
    pub fn library_call(&self) -> Option<Loc> {
        let active = self.environment.active();
        active.last().filter(|call| call.is_library)?;
        let outermost = active.iter().rposition(|call| !call.is_library).map_or(0, |user| user + 1);
        Some(active[outermost].called_from)
    }

    fn push(&mut self, number: usize, step: StepReport) {
        self.steps.push(step);
        self.origins.push(number);
    }

    fn step(&mut self, number: usize, step: &TraceStep) {
        let (inside, names) = (self.library_call(), self.environment.names);
        match step {
            TraceStep::Enter { procedure, loc, called_from } if inside.is_none() && !names.is_library(*loc) => {
                let place = place_of(*loc, names.files, self.text);
                let caller = called_from.is_known().then(|| place_of(*called_from, names.files, self.text));
                self.push(number, StepReport::Enter { function: procedure.clone(), caller, place });
            }
            TraceStep::Leave { procedure, loc } if inside.is_none() => {
                let place = place_of(*loc, names.files, self.text);
                self.push(number, StepReport::Leave { function: procedure.clone(), place });
            }
            TraceStep::Value { watched, loc } if inside.is_none() => {
                let value = names.watched(watched);
                let (variable, type_name) = (watched.variable.clone(), watched.type_name.clone());
                let place = place_of(*loc, names.files, self.text);
                self.push(number, StepReport::Value { variable, type_name, value, memory: false, object: None, place });
            }
            TraceStep::Store { object, offset, length, bytes, loc } => match inside {
                Some(_) => self.collect(number, *object, *offset, bytes),
                None => self.store(number, (*object, *offset, *length), bytes, *loc),
            },
            TraceStep::Freed { object, loc } if self.is_known(*object) => {
                let (variable, value) = (names.sized_object(*object), "is freed".to_string());
                let place = place_of(inside.unwrap_or(*loc), names.files, self.text);
                self.push(number, StepReport::Value { variable, type_name: LIFETIME.into(), value, memory: true, object: None, place });
            }
            TraceStep::Seen { thread, object, offset, length, loc } if self.is_known(*object) => {
                let variable = names.spot(*object, *offset, *length).map_or_else(|| names.object(*object), |spot| spot.path);
                let value = format!("is seen by every thread as thread {thread} stored it");
                let place = place_of(inside.unwrap_or(*loc), names.files, self.text);
                self.push(number, StepReport::Value { variable, type_name: LIFETIME.into(), value, memory: true, object: None, place });
            }
            TraceStep::Input { index, loc } => {
                let place = place_of(inside.unwrap_or(*loc), names.files, self.text);
                self.input_places.insert(*index, place.clone());
                self.push(number, StepReport::Input { number: index + 1, place });
            }
            TraceStep::Switch { thread, procedure, loc } => {
                let place = place_of(*loc, names.files, self.text);
                self.push(number, StepReport::Thread { number: *thread, function: procedure.clone(), place });
            }
            TraceStep::Branch { taken, loc } if inside.is_none() => {
                let place = place_of(*loc, names.files, self.text);
                self.push(number, StepReport::Branch { taken: *taken, place });
            }
            TraceStep::Skipped { active } => {
                (self.skipped_before, self.skipped_stack) = (Some(self.steps.len()), active.clone());
            }
            _ => {}
        }
        self.environment.follow(step);
        if let (Some(call), None) = (inside, self.library_call()) {
            self.tell_written(call);
        }
    }

    /// Whether people know the object: not what the compiler or the library made for itself.
    fn is_known(&self, object: ObjectKey) -> bool {
        let names = self.environment.names;
        names.record(object).is_some_and(|record| match record.kind {
            ObjectKind::Stack => record.ty.is_some() && !record.made.first().is_some_and(|&loc| names.is_library(loc)),
            ObjectKind::Heap => names.user_place(&record.made).is_some(),
            ObjectKind::Global => record.ty.is_some(),
            ObjectKind::Code => false,
        })
    }

    fn collect(&mut self, number: usize, object: ObjectKey, offset: u64, bytes: &MemoryBytes) {
        if self.is_known(object) {
            let written = self.written.entry(object).or_default();
            written.extend((offset..).zip(bytes.bytes.iter().map(|&byte| Content { byte, pointer: None })));
            for &(at, place) in &bytes.pointers {
                written.entry(offset + at).or_default().pointer = Some(place);
            }
            if self.wrote.is_none() || self.influences.get(number) == Some(&Some(true)) {
                self.wrote = Some(number);
            }
        }
    }

    /// What the library wrote for this call, told as one change of each object; and what is left when the run ends there.
    pub fn tell_written(&mut self, call: Loc) {
        let number = self.wrote.take().unwrap_or(0);
        for (object, written) in std::mem::take(&mut self.written) {
            let (Some((&first, _)), Some((&last, _))) = (written.first_key_value(), written.last_key_value()) else { continue };
            let bytes = (first..=last).map(|at| written.get(&at).and_then(|content| content.byte)).collect();
            let pointers = written.iter().filter_map(|(at, content)| Some((at - first, content.pointer?))).collect();
            let bytes = MemoryBytes { bytes, pointers };
            self.store(number, (object, first, last - first + 1), &bytes, call);
        }
    }

    fn store(&mut self, number: usize, (object, offset, length): (ObjectKey, u64, u64), bytes: &MemoryBytes, loc: Loc) {
        if !self.is_known(object) {
            return;
        }
        let Some((variable, type_name, value)) = self.change(object, offset, length, bytes, loc) else { return };
        let names = self.environment.names;
        let spot = names.spot(object, offset, length).filter(|spot| spot.rest == 0 && spot.size == length);
        let path = spot.map_or_else(|| variable.clone(), |spot| spot.path);
        let place = place_of(loc, names.files, self.text);
        // Members of the library's own types, such as those of a mutex, say nothing to people.
        let (variable, type_name, value) = match variable.split_once(".__") {
            Some((whole, _)) => (whole.to_string(), LIFETIME.to_string(), self.hidden_change(object, offset, bytes, loc)),
            None => (variable, type_name, value),
        };
        let bytes = (type_name != LIFETIME).then_some(BytesReport { number: object.0, offset, size: length, path });
        self.push(number, StepReport::Value { variable, type_name, value, memory: true, object: bytes, place });
    }

    /// The objects that the steps so far write to.
    pub fn objects(&self) -> Vec<ObjectReport> {
        let written = self.steps.iter().filter_map(|step| match step {
            StepReport::Value { object: Some(bytes), .. } => Some(ObjectKey(bytes.number)),
            _ => None,
        });
        let names = self.environment.names;
        let written: BTreeSet<ObjectKey> = written.collect();
        let report = |&object: &ObjectKey| {
            let record = names.record(object)?;
            let storage = match record.kind {
                ObjectKind::Stack => "stack",
                ObjectKind::Heap => "heap",
                ObjectKind::Global | ObjectKind::Code => "global",
            };
            let until = record.alive.1.and_then(|end| self.origins.iter().position(|&origin| origin >= end));
            Some(ObjectReport { number: object.0, name: names.object(object), storage: storage.into(), size: record.size, until })
        };
        written.iter().filter_map(report).collect()
    }

    /// What became of an object of the library's own type, or of a member of such a type.
    fn hidden_change(&mut self, object: ObjectKey, offset: u64, bytes: &MemoryBytes, loc: Loc) -> String {
        if !self.environment.names.is_start_of(object, offset, "pthread_mutex_t") {
            return "changes".into();
        }
        let running = self.environment.running;
        match bytes.bytes.first() {
            Some(Some(0)) => {
                self.locked.remove(&(object, offset));
                "is unlocked".into()
            }
            Some(Some(_)) => {
                self.locked.insert((object, offset), (running, loc));
                "is locked".into()
            }
            _ => "changes".into(),
        }
    }

    /// What changed: its name, its type and its value. The name is the one that the source line uses, if it mentions it.
    fn change(&self, object: ObjectKey, offset: u64, length: u64, bytes: &MemoryBytes, loc: Loc) -> Option<(String, String, String)> {
        let names = self.environment.names;
        let debug = &names.scene.debug;
        if let Some((path, ty)) = self.mentioned(object, offset as i64, length, loc) {
            return Some((path, debug.get(ty).name.clone(), names.value(ty, bytes, 0, length)));
        }
        let spot = names.spot(object, offset, length)?;
        let Some(ty) = spot.ty else {
            let text = text(bytes, 0, length).unwrap_or_else(|| raw(bytes));
            return Some((format!("{} + {offset}", spot.path), String::new(), text));
        };
        if spot.rest == 0 && spot.size == length {
            return Some((spot.path, debug.get(ty).name.clone(), names.value(ty, bytes, 0, length)));
        }
        let element = match debug.get(ty).shape {
            Shape::Array { element, .. } => Some(element),
            Shape::Record { .. } => {
                let (path, value) = self.members(&spot, ty, bytes, loc);
                return Some((path, debug.get(ty).name.clone(), value));
            }
            _ => None,
        };
        let each = element.map_or(1, |element| debug.get(element).size.max(1));
        let (first, last) = (spot.rest / each, (spot.rest + length - 1) / each);
        let value = match element {
            Some(element) if bytes.bytes.len() as u64 >= each => self.elements(element, bytes, length.min(bytes.bytes.len() as u64)),
            _ => raw(bytes),
        };
        Some((format!("{}[{first}..{last}]", spot.path), debug.get(ty).name.clone(), value))
    }

    /// The members that the bytes hold, bit-fields above all; only the one that the line mentions, if it does.
    fn members(&self, spot: &Spot, ty: TypeId, bytes: &MemoryBytes, loc: Loc) -> (String, String) {
        let names = self.environment.names;
        let Shape::Record { members, .. } = &names.scene.debug.get(ty).shape else { return (spot.path.clone(), raw(bytes)) };
        let (first, last) = (spot.rest * 8, (spot.rest + bytes.bytes.len() as u64) * 8);
        let width = |member: &Member| member.bits.map_or(names.scene.debug.get(member.ty).size * 8, u64::from);
        let held = members.iter().filter(|member| first <= member.offset && member.offset + width(member) <= last);
        let held: Vec<(&Member, String)> = held.map(|member| (member, names.member(member, bytes, member.offset - first))).collect();
        let line = names.line(loc).unwrap_or_default();
        for part in parts(&line) {
            let Some(Step::Arrow(name) | Step::Member(name)) = part.steps.last() else { continue };
            if let Some((_, value)) = held.iter().find(|(member, _)| member.name == *name) {
                return (line[part.start..part.end].to_string(), value.clone());
            }
        }
        let all: Vec<String> = held.iter().map(|(member, value)| format!(".{} = {value}", member.name)).collect();
        if all.is_empty() { (spot.path.clone(), raw(bytes)) } else { (spot.path.clone(), format!("{{{}}}", all.join(", "))) }
    }

    fn elements(&self, element: TypeId, bytes: &MemoryBytes, length: u64) -> String {
        let names = self.environment.names;
        if let Shape::Character { .. } = names.scene.debug.get(element).shape
            && let Some(text) = text(bytes, 0, length)
        {
            return text.trim_end_matches(UNENDED).to_string();
        }
        let each = names.scene.debug.get(element).size.max(1);
        let count = (length / each).min(8);
        let shown: Vec<String> = (0..count).map(|index| names.value(element, bytes, index * each, each)).collect();
        let more = if length / each > count { ", ..." } else { "" };
        format!("{{{}{more}}}", shown.join(", "))
    }

    /// How the line calls this place, if it does.
    fn mentioned(&self, object: ObjectKey, offset: i64, length: u64, loc: Loc) -> Option<(String, TypeId)> {
        let names = self.environment.names;
        let line = names.line(loc)?;
        let found = parts(&line).into_iter().filter_map(|part| self.environment.find(&part, 0, Some((object, offset))));
        let mut places = found.filter_map(|(shown, found)| match found {
            Found::Memory { object: at, offset: from, ty } if at == object && from == offset => Some((shown, ty)),
            _ => None,
        });
        places.find(|(_, ty)| names.scene.debug.get(*ty).size == length)
    }
}

fn raw(bytes: &MemoryBytes) -> String {
    let shown: Vec<String> = bytes.bytes.iter().take(16).map(|byte| byte.map_or("??".into(), |byte| format!("{byte:02x}"))).collect();
    format!("bytes {}{}", shown.join(" "), if bytes.bytes.len() > 16 { " ..." } else { "" })
}
