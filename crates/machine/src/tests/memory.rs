//! Objects against an array of bytes: random reads and writes at constant and symbolic offsets, with concrete values,
//! symbols and pointers, fills and copies, over zeroed and uninitialised objects, also after a join.

use super::programs::*;
use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Object, ObjectKind};
use fathom_base::FxMap;
use fathom_ir::TerminatorKind as T;
use fathom_term::sample::{Random, random_biguint};
use fathom_term::{ArrayValue, Evaluator, Model, Op, Sort, Term, Value, VarId};
use std::rc::Rc;

const SIZE: u64 = 200;
const LENGTHS: [u64; 10] = [1, 2, 3, 4, 4, 5, 6, 7, 8, 16];
const KEYS: [ObjectKey; 2] = [ObjectKey(0), ObjectKey(1)];

struct Fuzz {
    machine: Machine,
    random: Random,
    /// Values of the symbols that the test made.
    symbols: FxMap<VarId, Value>,
    /// What an object of a state holds; uninitialised bytes have some value, too.
    initial: [Vec<u8>; 2],
    expected: Vec<(Term, Vec<u8>)>,
}

type Bytes = [Vec<u8>; 2];

fn fuzz(seed: u64) -> (Fuzz, State, Bytes) {
    let mut b = Builder::new(2);
    b.block(Vec::new(), T::Return);
    let mut machine = symbolic(&b.finish(), &[]);
    let mut state = start(&mut machine);
    let mut random = Random::new(seed);
    let bases = [Base::Zero, Base::Uninitialised];
    let initial = [vec![0; SIZE as usize], (0..SIZE).map(|_| random.bits() as u8).collect()];
    for (key, base) in KEYS.into_iter().zip(bases) {
        let object =
            Object { size: Val::Bits(SIZE), kind: ObjectKind::Global, read_only: false, contents: Contents::new(base), chain: None };
        state.memory.insert(key, object);
    }
    let bytes = initial.clone();
    (Fuzz { machine, random, symbols: FxMap::default(), initial, expected: Vec::new() }, state, bytes)
}

impl Fuzz {
    /// A symbol, and its bits in the model.
    fn symbol(&mut self, width: u32) -> (Term, Value) {
        let term = self.machine.store.fresh("s", Sort::Bv(width));
        let value = Value::bits(random_biguint(&mut self.random, width), width);
        self.symbols.insert(self.machine.store.as_var(term).expect("a variable"), value.clone());
        (term, value)
    }

    fn offset(&mut self, length: u64) -> (Val, u64) {
        let store = self.machine.store.clone();
        let most = SIZE - length;
        if self.random.chance(75) {
            let align = self.random.pick(&[1, 1, 4, 8]);
            let offset = self.random.below(most + 1) / align * align;
            return (Val::Bits(offset), offset);
        }
        let (symbol, value) = self.symbol(3);
        let scale = self.random.pick(&[1, 2, 4, 8]);
        let first = self.random.below(most - 7 * scale + 1);
        let first = if self.random.chance(60) { first / scale * scale } else { first };
        let index = store.resize_unsigned(symbol, 32);
        let term = store.bv_add(store.bv_mul(index, store.bv(scale, 32)), store.bv(first, 32));
        let offset = value.to_u64().expect("small") * scale + first;
        (self.machine.value_of(term), offset)
    }

    fn value(&mut self, length: u64) -> (Val, Vec<u8>) {
        let width = length as u32 * 8;
        let store = self.machine.store.clone();
        if length <= 8 && self.random.chance(40) {
            let bits = self.random.bits() & fathom_term::mask(width);
            return (Val::Bits(bits), bits.to_le_bytes()[..length as usize].to_vec());
        }
        if length == 4 && self.random.chance(50) {
            let offset = self.random.below(8) as i64;
            let address = self.machine.book.base(KEYS[1]) as u32 + offset as u32;
            return (Val::Pointer { object: KEYS[1], offset }, address.to_le_bytes().to_vec());
        }
        let (term, value) = self.symbol(width);
        let mut bytes = value.to_biguint().to_bytes_le();
        bytes.resize(length as usize, 0);
        if length <= 8 && self.random.chance(20) {
            bytes.iter_mut().for_each(|byte| *byte = !*byte);
            return (self.machine.value_of(store.build(Op::BvNot, &[term])), bytes);
        }
        (Val::Term(term), bytes)
    }

    fn step(&mut self, state: &mut State, bytes: &mut Bytes) {
        let which = self.random.below(2) as usize;
        let length = self.random.pick(&LENGTHS);
        match self.random.below(10) {
            0..4 => self.check(state, bytes, which, length),
            4..8 => {
                let ((offset, at), (value, data)) = (self.offset(length), self.value(length));
                self.machine.write(state, KEYS[which], offset, length, value);
                bytes[which][at as usize..][..length as usize].copy_from_slice(&data);
            }
            8 => {
                let count = if self.random.chance(10) { SIZE } else { 1 + self.random.below(90) };
                let at = self.random.below(SIZE - count + 1);
                let byte = self.random.pick(&[0, 0x5a]);
                let expr = crate::exec::code::Expr { operand: crate::exec::code::Operand::Value(Val::Bits(byte)), sort: Sort::Bv(8) };
                let pointer = Val::Pointer { object: KEYS[which], offset: at as i64 };
                let fill = Some((Val::Bits(byte), expr));
                assert!(self.machine.fill(state, pointer, fill, None, Val::Bits(count)).is_ok());
                bytes[which][at as usize..][..count as usize].fill(byte as u8);
            }
            _ => {
                let count = 1 + self.random.below(40);
                let [from, to] = [0, 1].map(|_| self.random.below(SIZE - count + 1));
                let target = self.random.below(2) as usize;
                let [source_pointer, target_pointer] =
                    [(which, from), (target, to)].map(|(which, at)| Val::Pointer { object: KEYS[which], offset: at as i64 });
                assert!(self.machine.copy(state, target_pointer, source_pointer, Val::Bits(count)).is_ok());
                let moved = bytes[which][from as usize..][..count as usize].to_vec();
                bytes[target][to as usize..][..count as usize].copy_from_slice(&moved);
            }
        }
    }

    /// Reads, and remembers what must come out.
    fn check(&mut self, state: &mut State, bytes: &Bytes, which: usize, length: u64) {
        let (offset, at) = self.offset(length);
        self.expect(state, bytes, which, (offset, at), length);
    }

    fn expect(&mut self, state: &mut State, bytes: &Bytes, which: usize, place: (Val, u64), length: u64) {
        let value = self.machine.read(state, KEYS[which], place.0, length);
        let term = self.machine.term_of(value, Sort::Bv(length as u32 * 8));
        let term = self.machine.book.ground(term);
        self.expected.push((term, bytes[which][place.1 as usize..][..length as usize].to_vec()));
    }

    fn expect_all(&mut self, state: &mut State, bytes: &Bytes) {
        for which in 0..2 {
            for offset in (0..SIZE).step_by(4) {
                self.expect(state, bytes, which, (Val::Bits(offset), offset), 4);
            }
        }
    }

    /// The model that gives uninitialised bytes the values that the test expects of them.
    fn model(&self) -> Evaluator {
        let mut values = self.symbols.clone();
        let store = &self.machine.store;
        let bytes = |from: u64, length: u64| {
            let word = (0..length).rev().fold(0u64, |word, index| word << 8 | self.initial[1][(from + index) as usize] as u64);
            Value::Bits(word)
        };
        for number in 0..store.var_count() as u32 {
            let (var, name) = (VarId(number), store.var_name(VarId(number)));
            let Some(rest) = name.strip_prefix("mem1.0") else { continue };
            let value = match rest.strip_prefix('@').and_then(|rest| rest.split_once('.')) {
                Some((offset, length)) => bytes(offset.parse().expect("a number"), length.parse().expect("a number")),
                None => {
                    let element: u64 = rest[1..].parse().expect("a number");
                    let mut array = ArrayValue { default: Value::Bits(0), entries: Default::default() };
                    for index in 0..SIZE / element {
                        array = array.with(Value::Bits(index), bytes(index * element, element));
                    }
                    Value::Array(Rc::new(array))
                }
            };
            values.insert(var, value);
        }
        Evaluator::new(Model { values: values.into_iter().collect(), ..Model::default() })
    }

    fn finish(self, seed: u64) {
        let model = self.model();
        for (number, (term, bytes)) in self.expected.iter().enumerate() {
            let mut found = model.eval(&self.machine.store, *term).expect("a value").to_biguint().to_bytes_le();
            found.resize(bytes.len(), 0);
            assert_eq!(found, *bytes, "seed {seed}, read {number}");
        }
    }
}

#[test]
fn objects_hold_what_was_written() {
    for seed in 0..400 {
        let (mut fuzz, mut state, mut bytes) = fuzz(seed);
        for _ in 0..30 {
            fuzz.step(&mut state, &mut bytes);
        }
        fuzz.expect_all(&mut state, &bytes);
        fuzz.finish(seed);
    }
}

#[test]
fn joined_objects_hold_what_either_side_wrote() {
    let mut joined_count = 0;
    for seed in 0..400 {
        let (mut fuzz, mut state, mut bytes) = fuzz(seed);
        for _ in 0..fuzz.random.below(15) {
            fuzz.step(&mut state, &mut bytes);
        }
        let (condition, value) = fuzz.symbol(1);
        let is_first = value == Value::Bits(1);
        let condition = fuzz.machine.store.eq(condition, fuzz.machine.store.bv(1, 1));
        let (mut other, mut other_bytes) = (state.clone(), bytes.clone());
        fuzz.machine.keep_side(&mut state, condition, true);
        fuzz.machine.keep_side(&mut other, condition, false);
        for _ in 0..fuzz.random.below(10) {
            fuzz.step(&mut state, &mut bytes);
            fuzz.step(&mut other, &mut other_bytes);
        }
        let Ok(mut joined) = fuzz.machine.merge(state, other) else { continue };
        joined_count += 1;
        // What one side read may not be what the other one holds.
        fuzz.expected.clear();
        let mut bytes = if is_first { bytes } else { other_bytes };
        fuzz.expect_all(&mut joined.clone(), &bytes);
        for _ in 0..15 {
            fuzz.step(&mut joined, &mut bytes);
        }
        fuzz.expect_all(&mut joined, &bytes);
        fuzz.finish(seed);
    }
    assert!(joined_count > 200, "only {joined_count} joins");
}
