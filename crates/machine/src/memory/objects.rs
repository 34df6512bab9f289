//! The live objects of a state. The table is persistent and objects are copied when they are written while shared,
//! so a fork costs a pointer and a write after it costs one object's page table and one page.

use crate::exec::value::{ObjectKey, Val};
use crate::lists::chains::Chain;
use crate::memory::contents::Contents;
use rpds::HashTrieMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

/// Where an object lives, which says when it ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// Lives as long as the program.
    Global,
    /// Ends with its call or scope.
    Stack,
    /// Ends when it is freed.
    Heap,
    /// The code of a procedure: has an address, can't be read or written.
    Code,
}

/// An object of memory.
#[derive(Clone, Debug)]
pub struct Object {
    /// In bytes; a bit-vector of pointer width.
    pub size: Val,
    /// What kind of memory it is.
    pub kind: ObjectKind,
    /// Writing to it is an error.
    pub read_only: bool,
    /// Its bytes.
    pub contents: Contents,
    /// If it stands for a list segment.
    pub chain: Option<Rc<Chain>>,
}

/// How the tables of two states differ; keys ascend.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    /// In both, but not the same shared object.
    pub changed: Vec<ObjectKey>,
    pub left_only: Vec<ObjectKey>,
    pub right_only: Vec<ObjectKey>,
}

type Table = HashTrieMap<ObjectKey, Rc<Object>, archery::RcK, BuildHasherDefault<fathom_base::FxHasher>>;

/// The live objects of a state; states share what they have in common.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: Table,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { objects: Table::new_with_hasher_and_ptr_kind(BuildHasherDefault::default()) }
    }
}

impl Memory {
    /// The object, if it lives.
    #[inline]
    pub fn get(&self, key: ObjectKey) -> Option<&Rc<Object>> {
        self.objects.get(&key)
    }

    /// The object for writing; copied first if another state shares it.
    pub fn get_mut(&mut self, key: ObjectKey) -> Option<&mut Object> {
        self.objects.get_mut(&key).map(Rc::make_mut)
    }

    /// The object lives from now on.
    pub fn insert(&mut self, key: ObjectKey, object: Object) {
        self.objects.insert_mut(key, Rc::new(object));
    }

    /// The object is again what it was.
    pub(crate) fn put_back(&mut self, key: ObjectKey, object: Rc<Object>) {
        self.objects.insert_mut(key, object);
    }

    /// The object has ended.
    pub fn remove(&mut self, key: ObjectKey) {
        self.objects.remove_mut(&key);
    }

    /// All live objects, ordered by key so that nothing depends on hashing.
    pub fn sorted(&self) -> Vec<(ObjectKey, &Rc<Object>)> {
        let mut all: Vec<_> = self.objects.iter().map(|(key, object)| (*key, object)).collect();
        all.sort_by_key(|(key, _)| *key);
        all
    }

    pub(crate) fn differences(&self, other: &Memory) -> Differences {
        let mut found = Differences::default();
        for (key, object) in self.objects.iter() {
            match other.get(*key) {
                Some(twin) if Rc::ptr_eq(object, twin) => {}
                Some(_) => found.changed.push(*key),
                None => found.left_only.push(*key),
            }
        }
        if other.len() + found.left_only.len() > self.len() {
            found.right_only = other.objects.keys().copied().filter(|key| self.get(*key).is_none()).collect();
        }
        found.changed.sort();
        found.left_only.sort();
        found.right_only.sort();
        found
    }

    /// How many objects live.
    pub fn len(&self) -> usize {
        self.objects.size()
    }

    /// Whether no object lives.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
}
