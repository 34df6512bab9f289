//! Whether a program has a data race, by the definition: in some interleaving of its steps two accesses to one byte, of which one
//! writes and one is outside of atomic sections, are not ordered by what happens before what. Every interleaving is run with vector
//! clocks and the last accesses to every byte (Pozniansky and Schuster's Djit+), with nothing in common with how a verifier looks for
//! races. Sections order like critical sections of one mutex.

use super::oracle::{MUTEXES, Op, Step, compile, first_state, step};
use super::{MEMORY, ThreadProgram};
use std::collections::HashSet;
use std::ops::Range;

type Clock = Vec<u8>;

/// What an interleaving has done so far.
#[derive(Clone, PartialEq, Eq, Hash)]
struct History {
    clocks: Vec<Clock>,
    mutexes: [Clock; MUTEXES],
    sections: Clock,
    /// The time of the last read and write of each byte by each thread; 0: never. Those in sections are kept apart.
    reads: Vec<[Vec<u8>; 2]>,
    writes: Vec<[Vec<u8>; 2]>,
}

impl ThreadProgram {
    /// Whether some interleaving has a data race; none if there are more states than that.
    pub fn can_race(&self, most_states: usize) -> Option<bool> {
        let code: Vec<Vec<Op>> = self.threads.iter().map(|body| compile(body)).collect();
        let first = (first_state(code.len()), History::new(code.len()));
        let mut seen = HashSet::from([first.clone()]);
        let mut open = vec![first];
        while let Some((state, history)) = open.pop() {
            for number in (0..code.len()).filter(|&number| state.atomic.is_none_or(|owner| owner == number)) {
                if !state.threads[number].is_running() {
                    continue;
                }
                let op = code[number][state.threads[number].at];
                let mut history = history.clone();
                if history.access(&op, number, state.atomic == Some(number)) {
                    return Some(true);
                }
                if let Step::Next(next) = step(&code, &state, number) {
                    history.order(&op, number);
                    let next = (next, history);
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            if seen.len() > most_states {
                return None;
            }
        }
        Some(false)
    }
}

impl History {
    fn new(threads: usize) -> History {
        let none = vec![0; threads];
        let start = |number: usize| (0..threads).map(|other| u8::from(other == number)).collect();
        let bytes = vec![[vec![0; MEMORY], vec![0; MEMORY]]; threads];
        History {
            clocks: (0..threads).map(start).collect(),
            mutexes: std::array::from_fn(|_| none.clone()),
            sections: none,
            reads: bytes.clone(),
            writes: bytes,
        }
    }

    /// Notes what the step accesses; whether it races with something before.
    fn access(&mut self, op: &Op, thread: usize, atomic: bool) -> bool {
        let range = |at: usize, count: usize| at..at + count;
        let (read, written): (Option<Range<usize>>, Option<Range<usize>>) = match *op {
            Op::Load(_, place) if !place.own => (Some(range(place.at, place.width)), None),
            Op::Store(place, _) | Op::StoreSum(place, _) if !place.own => (None, Some(range(place.at, place.width))),
            Op::Copy { to, from, count } => (from.map(|from| range(from, count)), Some(range(to, count))),
            _ => (None, None),
        };
        let clock = self.clocks[thread].clone();
        let is_unordered = |before: &[[Vec<u8>; 2]], bytes: &Range<usize>| {
            let kinds = if atomic { 0..1 } else { 0..2 };
            (0..clock.len())
                .filter(|&other| other != thread)
                .any(|other| kinds.clone().any(|kind| before[other][kind][bytes.clone()].iter().any(|&time| time > clock[other])))
        };
        let races = read.iter().any(|bytes| is_unordered(&self.writes, bytes))
            || written.iter().any(|bytes| is_unordered(&self.writes, bytes) || is_unordered(&self.reads, bytes));
        let now = clock[thread];
        read.into_iter().for_each(|bytes| self.reads[thread][usize::from(atomic)][bytes].fill(now));
        written.into_iter().for_each(|bytes| self.writes[thread][usize::from(atomic)][bytes].fill(now));
        races
    }

    /// Notes what the step orders.
    fn order(&mut self, op: &Op, thread: usize) {
        match *op {
            Op::Create(other) => {
                join(&self.clocks[thread].clone(), &mut self.clocks[other]);
                self.clocks[thread][thread] += 1;
            }
            Op::Join(other) => join(&self.clocks[other].clone(), &mut self.clocks[thread]),
            Op::Lock(mutex) => join(&self.mutexes[mutex], &mut self.clocks[thread]),
            Op::Unlock(mutex) => {
                self.mutexes[mutex].clone_from(&self.clocks[thread]);
                self.clocks[thread][thread] += 1;
            }
            Op::AtomicBegin => join(&self.sections, &mut self.clocks[thread]),
            Op::AtomicEnd => {
                self.sections.clone_from(&self.clocks[thread]);
                self.clocks[thread][thread] += 1;
            }
            _ => {}
        }
    }
}

fn join(from: &Clock, into: &mut Clock) {
    into.iter_mut().zip(from).for_each(|(into, &from)| *into = (*into).max(from));
}

#[cfg(test)]
mod tests {
    use super::super::{Stmt, VARIABLES};
    use super::*;

    fn races(main: Vec<Stmt>, other: Vec<Stmt>) -> Option<bool> {
        ThreadProgram { threads: vec![main, other] }.can_race(10_000)
    }

    fn locked(stmt: Stmt, mutex: usize) -> Vec<Stmt> {
        vec![Stmt::Lock(mutex), stmt, Stmt::Unlock(mutex)]
    }

    #[test]
    fn starts_joins_and_mutexes_order() {
        let (x, y) = (VARIABLES[0], VARIABLES[1]);
        let store = || Stmt::Store(x, 1);
        assert_eq!(races(vec![Stmt::Create(1), store()], vec![store()]), Some(true));
        assert_eq!(races(vec![Stmt::Create(1), store()], vec![Stmt::Store(y, 1)]), Some(false));
        assert_eq!(races(vec![Stmt::Create(1), Stmt::Load(0, x)], vec![Stmt::Load(0, x)]), Some(false));
        assert_eq!(races(vec![store(), Stmt::Create(1), Stmt::Join(1), store()], vec![store()]), Some(false));
        let with = |mutex: usize| [vec![Stmt::Create(1)], locked(store(), mutex)].concat();
        assert_eq!(races(with(0), locked(store(), 0)), Some(false));
        assert_eq!(races(with(1), locked(store(), 0)), Some(true));
    }

    #[test]
    fn sections_race_with_what_is_outside() {
        let x = VARIABLES[0];
        let section = || Stmt::Atomic(vec![Stmt::Store(x, 1)]);
        assert_eq!(races(vec![Stmt::Create(1), section()], vec![section()]), Some(false));
        assert_eq!(races(vec![Stmt::Create(1), section()], vec![Stmt::Load(0, x)]), Some(true));
    }
}
