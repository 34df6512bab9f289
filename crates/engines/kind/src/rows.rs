//! Arrays of rows: an element at `array[row * y + x]`, where an outer loop counts `y` and an inner one `x`. What two such loops have
//! gone through is one range of the array, from its start up to `row * y + x`; between two rounds of the outer loop it is a whole
//! number of rows. So what is guessed of arrays with one index (`sweeps`) is guessed here of the position in the array.

use crate::sweeps::{Access, variables, width_of};
use fathom_ir::Program;
use fathom_machine::{Machine, ObjectKey, State};
use fathom_term::{Sort, Term, VarId};

/// Pairs of variables that are tried: there are a base and two indices as a rule.
const MOST_PAIRS: usize = 12;

/// The outer index of an access, and how many elements it goes up when that goes up by one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The index of the row.
    pub y: VarId,
    /// Elements of a row.
    pub length: u64,
}

/// The object, the inner index, the row and the first element that a pointer leads to, if it is linear in two variables, whatever
/// they are just now.
pub fn in_rows(machine: &mut Machine, state: &State, pointer: Term, bytes: u64) -> Option<(ObjectKey, VarId, Row, i64)> {
    let named = variables(&machine.store.clone(), pointer);
    let pairs = named.iter().flat_map(|&x| named.iter().map(move |&y| (x, y))).filter(|(x, y)| x != y);
    pairs.take(MOST_PAIRS).find_map(|(x, y)| {
        let mut at = |inner: u64, outer: u64| place(machine, state, pointer, [(x, inner), (y, outer)]);
        let [(object, first), (_, next), (_, below), (_, further)] = [at(0, 0)?, at(1, 0)?, at(0, 1)?, at(5, 3)?];
        let step = below.checked_sub(first).filter(|step| step.is_multiple_of(bytes))?;
        let is_linear = next.checked_sub(first) == Some(bytes) && further.checked_sub(first) == Some(5 * bytes + 3 * step);
        let row = Row { y, length: step / bytes };
        let first = i64::try_from(first).ok().filter(|_| first.is_multiple_of(bytes))?;
        (is_linear && row.length > 1).then_some((object, x, row, first / bytes as i64))
    })
}

fn place(machine: &mut Machine, state: &State, pointer: Term, values: [(VarId, u64); 2]) -> Option<(ObjectKey, u64)> {
    let store = machine.store.clone();
    let mut numbers = Vec::new();
    for (var, value) in values {
        let Sort::Bv(width @ 8..) = store.var_sort(var) else { return None };
        numbers.push((var, store.bv(value, width)));
    }
    machine.place_in(state, pointer, &numbers)
}

/// Of the loops that count these indices: the position that they have come to, and the start of the row that they are in.
pub fn ends(machine: &Machine, program: &Program, accesses: &[Access], changes: &dyn Fn(Term) -> bool) -> Vec<Term> {
    let store = &program.terms;
    let any = machine.any_index();
    let wide = |var: VarId| store.resize_signed(store.var_term(var), width_of(store, any));
    let number = |number: u64| store.bv(number, width_of(store, any));
    let mut found = Vec::new();
    for access in accesses {
        let Some(Row { y, length }) = access.row else { continue };
        let start = store.bv_add(store.bv_mul(wide(y), number(length)), number(access.first as u64));
        let position = store.bv_add(start, wide(access.x));
        if [y, access.x].iter().any(|&index| changes(store.var_term(index))) && !found.contains(&position) {
            found.extend([position, start]);
        }
    }
    found
}
