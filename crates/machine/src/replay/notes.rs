//! What the machine reports to the recorder of a replay about memory: lifetimes of objects, changes of bytes, and the
//! location of an invalid access. This costs nothing in runs whose steps are not recorded.

use crate::exec::code::Expr;
use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::objects::ObjectKind;
use crate::replay::recorder::Recorder;
use crate::replay::scene::{Fault, ObjectRecord, PointerTo, Race, bytes_of};
use crate::replay::trace::{TraceStep, WatchedValue};
use fathom_base::Loc;
use fathom_ir::{Shape, TypeId, Watch};
use fathom_term::{Sort, Value, sign_extend};

/// Bytes of one change that are kept; of a larger one, the first.
const MOST_BYTES: u64 = 256;
/// Calls around the place where an object was made or ended that are kept.
const MOST_CALLS: usize = 8;

impl Machine {
    /// The recorder of a run whose steps are kept, whether or not this one is.
    fn recording(&mut self) -> Option<&mut Recorder> {
        match &mut self.mode {
            Mode::Replay { recorder, .. } if recorder.keeps_steps() => Some(recorder),
            _ => None,
        }
    }

    fn is_recording(&self) -> bool {
        matches!(&self.mode, Mode::Replay { recorder, .. } if recorder.keeps_steps())
    }

    /// Where the run is, and where the calls are that led there, innermost first.
    pub(crate) fn places(&self, state: &State) -> Vec<Loc> {
        let places = state.frames.iter().rev().map(|frame| self.location_in(frame));
        places.filter(|loc| loc.is_known()).take(MOST_CALLS).collect()
    }

    /// A new object.
    pub(crate) fn note_made(&mut self, state: &State, object: ObjectKey, size: Val, kind: ObjectKind) {
        if !self.is_recording() {
            return;
        }
        let made = self.places(state);
        let record = self.object_record(object, size, kind, made);
        let loc = self.location(state);
        if let Some(recorder) = self.recording() {
            recorder.begin(object, record);
        }
        if kind == ObjectKind::Stack
            && let Some(recorder) = self.recorder(state)
        {
            recorder.step(TraceStep::Declare { object, loc });
        }
    }

    fn object_record(&self, object: ObjectKey, size: Val, kind: ObjectKind, made: Vec<Loc>) -> ObjectRecord {
        let site = self.book.origin(object).site as usize;
        let name = self.code.site_names.get(site).cloned().unwrap_or_default();
        let ty = self.code.site_types.get(site).copied().flatten();
        let size = if let Val::Bits(size) = size { size } else { 0 };
        ObjectRecord { name, kind, size, ty, made, ended: Vec::new(), alive: (0, None) }
    }

    /// The objects that exist from the beginning.
    pub(crate) fn note_globals(&mut self) {
        if !self.is_recording() {
            return;
        }
        let globals: Vec<(ObjectKey, Val, ObjectKind)> =
            self.image.globals.iter().map(|(key, object)| (*key, object.size, object.kind)).collect();
        let (debug, pointer_bits) = (self.program.debug.clone(), self.book.pointer_bits());
        for (key, size, kind) in globals {
            let record = self.object_record(key, size, kind, Vec::new());
            if let Some(recorder) = self.recording() {
                recorder.scene.objects.insert(key, record);
            }
        }
        if let Some(recorder) = self.recording() {
            (recorder.scene.debug, recorder.scene.pointer_bits) = (debug, pointer_bits);
        }
    }

    /// An object was freed, or its block or function left.
    pub(crate) fn note_ended(&mut self, state: &State, object: ObjectKey) {
        if !self.is_recording() {
            return;
        }
        let places = self.places(state);
        let Some(recorder) = self.recording() else { return };
        recorder.end(object, places);
        let is_heap = recorder.scene.objects.get(&object).is_some_and(|record| record.kind == ObjectKind::Heap);
        let loc = self.location(state);
        if is_heap && let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Freed { object, loc });
        }
    }

    /// The variables of the running procedure end with it.
    pub(crate) fn note_frame_ended(&mut self, state: &State) {
        if self.is_recording() {
            state.frame().stack_objects.iter().for_each(|&object| self.note_ended(state, object));
        }
    }

    /// Bytes were written.
    pub(crate) fn note_written_bytes(&mut self, state: &State, object: ObjectKey, offset: Val, length: u64) {
        if self.recorder(state).is_none() {
            return;
        }
        let Val::Bits(offset) = offset else { return };
        let seen = self.memory_behind_buffer(state, object);
        let memory = seen.as_ref().unwrap_or(&state.memory);
        let Some(bytes) = bytes_of(memory, object, offset, length.min(MOST_BYTES)) else { return };
        let loc = self.location(state);
        if let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Store { object, offset, length, bytes, loc });
        }
    }

    /// An access is invalid, or an object is lost.
    pub(crate) fn note_fault(&mut self, object: ObjectKey, offset: Val, length: Val) {
        let width = self.book.pointer_bits();
        if let (Val::Bits(offset), Val::Bits(length), Some(recorder)) = (offset, length, self.recording()) {
            let place = PointerTo { object, offset: sign_extend(offset, width) };
            recorder.scene.fault = Some(Fault { place, length });
        }
    }

    /// The access that fails is through a null pointer.
    pub(crate) fn note_null_access(&mut self) {
        if let Some(recorder) = self.recording() {
            recorder.scene.is_null_access = true;
        }
    }

    /// Two threads race.
    pub(crate) fn note_scene_race(&mut self, race: Race) {
        if let Some(recorder) = self.recording() {
            recorder.scene.race = Some(race);
        }
    }

    /// The memory at the end of the run.
    pub(crate) fn note_end(&mut self, state: &State) {
        if let Some(recorder) = self.recording() {
            recorder.scene.set_last(&state.memory);
        }
    }

    /// Tells the recorder the value of a variable of the source.
    pub(crate) fn watch(&mut self, state: &mut State, watch: &Watch, value: &Expr) {
        let sort = value.sort;
        let value = self.expr_value(state, value);
        let (width, loc) = (sort.bits().unwrap_or(0), self.location(state));
        let pointer = match value {
            Val::Pointer { object, offset } => Some(PointerTo { object, offset }),
            _ => None,
        };
        self.learn_type(watch.ty, pointer);
        if let (Some(value), true) = (self.replayed_value(value, sort), self.recorder(state).is_some()) {
            let watched = WatchedValue {
                variable: watch.variable.clone(),
                type_name: watch.type_name.clone(),
                signed: watch.signed,
                ty: watch.ty,
                value,
                pointer,
                width,
                is_float: matches!(sort, Sort::Float(_)),
            };
            if let Some(recorder) = self.recorder(state) {
                recorder.step(TraceStep::Value { watched, loc });
            }
        }
    }

    fn replayed_value(&mut self, value: Val, sort: Sort) -> Option<Value> {
        let term = self.term_of(value, sort);
        let term = self.book.ground(term);
        // Uninitialised values are not shown as numbers.
        if self.is_doubled(term) {
            return None;
        }
        match &self.mode {
            Mode::Replay { values, .. } => values.eval(&self.store, term),
            Mode::Symbolic(_) => None,
        }
    }

    /// Memory from the heap has the type that the pointer to it says.
    fn learn_type(&mut self, of_pointer: Option<TypeId>, pointer: Option<PointerTo>) {
        let debug = self.program.debug.clone();
        let (Some(ty), Some(PointerTo { object, offset: 0 })) = (of_pointer, pointer) else { return };
        let Shape::Pointer(target) = debug.get(ty).shape else { return };
        let Some(record) = self.recording().and_then(|recorder| recorder.scene.objects.get_mut(&object)) else { return };
        record.learn(&debug, target);
    }
}
