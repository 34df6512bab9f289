//! Records a replay for human readers: inputs, values of source variables, calls and branches. Inputs are always kept.
//! Everything else is kept only near the beginning and the end of the run, counted in branches, because the middle of a
//! loop with a million iterations is of no use and would cost more than the run.

use crate::exec::value::ObjectKey;
use crate::replay::dependence::Dependence;
use crate::replay::scene::{ObjectRecord, Scene};
use crate::replay::trace::{InputRecord, TraceStep};
use fathom_base::Loc;
use fathom_ir::InputKind;

/// Branches at either end of a run whose surroundings are kept.
const KEPT_BRANCHES: u64 = 2_000;

/// Objects of the run that are known to the recorder, before those that ended are forgotten.
const MOST_OBJECTS: usize = 100_000;

/// Keeps the inputs and steps of a replay, for people.
#[derive(Default)]
pub struct Recorder {
    /// In the order in which the program asked.
    pub inputs: Vec<InputRecord>,
    /// In the order in which they happened.
    pub steps: Vec<TraceStep>,
    /// Objects, their types, and the memory at the end.
    pub scene: Scene,
    /// What each step depends on, and the node that each step was.
    pub(crate) dependence: Option<Box<Dependence>>,
    nodes: Vec<u32>,
    /// Objects that may be known before some are forgotten.
    most_objects: usize,
    /// Some steps were not kept since the last one that was.
    skipped: bool,
    /// Of a run with this many branches, steps are kept; without it, none.
    branches: Option<u64>,
}

impl Recorder {
    /// Keeps the steps of a run that is known to have this many branches.
    pub fn of_run(branches: u64) -> Self {
        Recorder { branches: Some(branches), dependence: Some(Box::default()), ..Default::default() }
    }

    pub(crate) fn keeps_steps(&self) -> bool {
        self.branches.is_some()
    }

    /// Whether a step after so many branches is kept.
    pub(crate) fn keeps_step_at(&self, branch: u64) -> bool {
        self.branches.is_some_and(|all| branch < KEPT_BRANCHES || branch + KEPT_BRANCHES >= all)
    }

    /// From a step after so many branches: how many branches later a step may be kept.
    pub(crate) fn unseen_from(&self, branch: u64) -> i64 {
        match self.branches {
            None => i64::MAX,
            Some(_) if branch < KEPT_BRANCHES => 0,
            Some(all) => all.saturating_sub(branch + KEPT_BRANCHES) as i64,
        }
    }

    pub(crate) fn input(&mut self, kind: InputKind, bytes: Vec<u8>, width: u32, loc: Loc) -> usize {
        self.inputs.push(InputRecord { kind, bytes, width, loc });
        self.inputs.len() - 1
    }

    pub(crate) fn skip(&mut self) {
        self.skipped = true;
        if let Some(dependence) = &mut self.dependence {
            dependence.forget();
        }
    }

    /// Whether steps are missing here. From now on they aren't.
    pub(crate) fn take_skipped(&mut self) -> bool {
        std::mem::take(&mut self.skipped)
    }

    pub(crate) fn begin(&mut self, object: ObjectKey, record: ObjectRecord) {
        if self.scene.objects.len() >= self.most_objects.max(MOST_OBJECTS) {
            self.forget_objects();
        }
        let alive = (self.steps.len(), None);
        self.scene.objects.insert(object, ObjectRecord { alive, ..record });
        if let Some(dependence) = &mut self.dependence {
            dependence.changed(object);
        }
    }

    /// Drops the older half of the objects that began and ended while no step was kept.
    fn forget_objects(&mut self) {
        let unseen = |record: &ObjectRecord| record.alive.1 == Some(record.alive.0);
        let ended: Vec<ObjectKey> = self.scene.objects.iter().filter(|(_, record)| unseen(record)).map(|(key, _)| *key).collect();
        for key in &ended[..ended.len() / 2] {
            self.scene.objects.remove(key);
        }
        self.most_objects = self.scene.objects.len() + MOST_OBJECTS;
    }

    pub(crate) fn end(&mut self, object: ObjectKey, places: Vec<Loc>) {
        let now = self.steps.len();
        if let Some(record) = self.scene.objects.get_mut(&object) {
            record.ended = places;
            record.alive.1 = Some(now);
        }
        if let Some(dependence) = &mut self.dependence {
            dependence.changed(object);
        }
    }

    pub(crate) fn step(&mut self, step: TraceStep) {
        self.steps.push(step);
        self.nodes.push(self.dependence.as_ref().map_or(0, |dependence| dependence.current));
    }

    /// Which steps the end of the run depends on, or on which the object does that is lost; nothing where that is unknown.
    /// The value of a variable that is a constant depends on nothing, and is told by None.
    pub(crate) fn influences(&self) -> Vec<Option<bool>> {
        let Some(dependence) = &self.dependence else { return Vec::new() };
        let slice = dependence.slice(self.scene.fault.map(|fault| fault.place.object));
        self.nodes.iter().map(|&node| (node != 0).then(|| slice[node as usize])).collect()
    }
}
