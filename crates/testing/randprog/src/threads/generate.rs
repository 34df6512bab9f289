//! Makes programs with threads. Each thread but main is started at most once, by one that comes before it, anywhere among its
//! statements; whoever started it may join it. Checks compare what was loaded with values that may have been stored.

use super::{PLACES, Place, RANGES, REGISTERS, Stmt, ThreadProgram};
use crate::rng::Rng;

/// The same seed gives the same program.
pub fn generate_threads(seed: u64) -> ThreadProgram {
    let mut rng = Rng::new(seed ^ 0x7468_7265_6164);
    let count = if rng.chance(60) { 3 } else { rng.between(2, 4) };
    // A program is about few variables, or threads would seldom meet.
    let mut places: Vec<Place> = (0..rng.between(1, 3)).map(|_| *rng.pick(&PLACES)).collect();
    places.extend(if rng.chance(50) { Some(PLACES[0]) } else { None });
    let ranges = (0..rng.below(3)).map(|_| rng.below(RANGES.len())).collect();
    let mut generator = Generator { rng, places, ranges, threads: count };
    ThreadProgram { threads: (0..count).map(|number| generator.thread(number)).collect() }
}

struct Generator {
    rng: Rng,
    places: Vec<Place>,
    ranges: Vec<usize>,
    threads: usize,
}

impl Generator {
    fn thread(&mut self, number: usize) -> Vec<Stmt> {
        let most = if self.threads == 4 { 2 } else { 4 };
        let length = self.rng.between(1, most);
        let mut body: Vec<Stmt> = (0..length).flat_map(|_| self.stmts(number)).collect();
        // Thread 1 is main's; later ones are started by main or by the one before.
        for child in number + 1..self.threads {
            let is_mine = child == 1 || (child % 2 == 0) == (number == 1) && number <= 1;
            if is_mine {
                self.start(&mut body, child);
            }
        }
        if self.rng.chance(70) || number + 1 == self.threads {
            body.extend(self.looks());
        }
        body
    }

    fn start(&mut self, body: &mut Vec<Stmt>, child: usize) {
        let at = self.rng.below(body.len() + 1);
        let create = Stmt::Create(child);
        let create = if self.rng.chance(15) { Stmt::Atomic(vec![create, self.plain()]) } else { create };
        body.insert(at, create);
        if self.rng.chance(60) {
            let at = self.rng.between(at + 1, body.len());
            body.insert(at, Stmt::Join(child));
        }
    }

    /// Loads into both registers, and a check of them.
    fn looks(&mut self) -> Vec<Stmt> {
        let mut found = Vec::new();
        let mut values = [0; REGISTERS];
        for (register, value) in values.iter_mut().enumerate() {
            if register == 0 || self.rng.chance(60) {
                let place = self.place();
                found.push(Stmt::Load(register, place));
                *value = self.value_of(place);
            }
        }
        found.push(Stmt::Check(values));
        found
    }

    fn stmts(&mut self, thread: usize) -> Vec<Stmt> {
        match self.rng.below(20) {
            0..=5 => vec![self.plain()],
            6..=7 if !self.ranges.is_empty() => vec![self.range()],
            6..=8 => {
                let mutex = self.rng.below(2);
                let mut body = vec![Stmt::Lock(mutex)];
                body.extend((0..self.rng.between(1, 2)).map(|_| self.plain()));
                body.push(Stmt::Unlock(mutex));
                body
            }
            9..=10 => vec![Stmt::Atomic((0..2).map(|_| self.plain()).collect())],
            11 => vec![Stmt::Helper((0..2).map(|_| self.plain()).collect())],
            12..=13 => {
                let (place, register) = (self.place(), self.rng.below(REGISTERS));
                let inner = if self.rng.chance(15) { self.ending(thread) } else { self.plain() };
                vec![Stmt::Load(register, place), Stmt::IfEqual(register, self.value_of(place), vec![inner])]
            }
            14 => {
                let place = self.place();
                let value = self.value_of(place);
                vec![if self.rng.chance(50) { Stmt::Spin(place, value) } else { Stmt::Assume(place, value) }]
            }
            15 => vec![Stmt::Quiet],
            16..=17 => self.looks(),
            _ => vec![self.plain()],
        }
    }

    fn ending(&mut self, thread: usize) -> Stmt {
        // main's local variable ends with it, and nothing has a meaning then.
        let may_leave = thread > 0 || !self.places.iter().any(|place| place.name == "*q");
        if may_leave && self.rng.chance(60) { Stmt::End } else { Stmt::Exit }
    }

    fn plain(&mut self) -> Stmt {
        let place = self.place();
        match self.rng.below(10) {
            0..=6 => Stmt::Store(place, self.value_of(place)),
            7..=8 if place.width < 8 => Stmt::Add(place, 1),
            _ if !self.ranges.is_empty() => self.range(),
            _ => Stmt::Store(place, 1),
        }
    }

    fn range(&mut self) -> Stmt {
        let index = self.rng.below(self.ranges.len());
        Stmt::Range(RANGES[self.ranges[index]])
    }

    /// One of the program's variables, or one that its copies are about.
    fn place(&mut self) -> Place {
        if !self.ranges.is_empty() && self.rng.chance(40) {
            let index = self.rng.below(self.ranges.len());
            let range = RANGES[self.ranges[index]];
            let inside = |at: usize, start: usize| at >= start && at < start + range.length;
            let touched =
                |place: &&Place| !place.own && (inside(place.at, range.to) || range.from.is_some_and(|from| inside(place.at, from)));
            let touched: Vec<Place> = PLACES.iter().filter(touched).copied().collect();
            return *self.rng.pick(&touched);
        }
        let index = self.rng.below(self.places.len());
        self.places[index]
    }

    fn value_of(&mut self, place: Place) -> u64 {
        match self.rng.below(8) {
            // What a fill leaves there, whole or in part.
            0 | 1 if place.width == 4 => 0x0101_0101,
            2 if place.width == 4 => 0x0101,
            0 | 1 if place.width == 8 => 0x0101_0101_0101_0101,
            3 | 4 => 0,
            5 => 2,
            _ => 1,
        }
    }
}
