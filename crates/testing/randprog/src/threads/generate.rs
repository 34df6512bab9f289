//! Makes programs with threads. Each thread but main is started at most once, by one that comes before it, anywhere among its
//! statements; the thread that started it may join it. Checks compare what was loaded with values that may have been stored.

use super::{RANGES, REGISTERS, Stmt, ThreadProgram, VARIABLES, Variable};
use crate::rng::Rng;

/// The same seed gives the same program.
pub fn generate_threads(seed: u64) -> ThreadProgram {
    let mut rng = Rng::new(seed ^ 0x7468_7265_6164);
    let count = if rng.chance(60) { 3 } else { rng.between(2, 4) };
    // A program is about few variables, or threads would seldom meet.
    let mut variables: Vec<Variable> = (0..rng.between(1, 3)).map(|_| *rng.pick(&VARIABLES)).collect();
    variables.extend(if rng.chance(50) { Some(VARIABLES[0]) } else { None });
    let ranges = (0..rng.below(3)).map(|_| rng.below(RANGES.len())).collect();
    let mut generator = Generator { rng, variables, ranges, threads: count };
    ThreadProgram { threads: (0..count).map(|number| generator.thread(number)).collect() }
}

/// A program most of whose accesses something orders, and perhaps not all: for those who look for races.
pub fn generate_ordered_threads(seed: u64) -> ThreadProgram {
    let mut program = generate_threads(seed);
    let mut rng = Rng::new(seed ^ 0x7261_6365);
    let style = *rng.pick(&[Style::Mutex, Style::Section, Style::Either]);
    let missed = *rng.pick(&[0, 0, 4, 12]);
    for body in &mut program.threads {
        *body = ordered(body, &mut rng, style, missed);
    }
    program
}

/// A program most of whose statements are in critical sections, several in each, and perhaps not all: for those who rely on locks.
pub fn generate_locked_threads(seed: u64) -> ThreadProgram {
    let mut program = generate_threads(seed);
    let mut rng = Rng::new(seed ^ 0x6c6f_636b);
    let missed = *rng.pick(&[0, 0, 10, 30]);
    let stray = *rng.pick(&[0, 0, 0, 30]);
    for body in &mut program.threads {
        *body = locked(body, &mut rng, missed);
        if rng.chance(stray) {
            // By a thread that has it or not.
            let at = rng.below(body.len() + 1);
            body.insert(at, Stmt::Unlock(0));
        }
    }
    program
}

/// The statements in critical sections, but for so many of a hundred.
fn locked(body: &[Stmt], rng: &mut Rng, missed: usize) -> Vec<Stmt> {
    let is_own = |stmt: &Stmt| !matches!(stmt, Stmt::Create(_) | Stmt::Join(_));
    let mut rest = body.iter().filter(|stmt| !matches!(stmt, Stmt::Lock(_) | Stmt::Unlock(_))).peekable();
    let mut found = Vec::new();
    while let Some(stmt) = rest.next() {
        if !is_own(stmt) || rng.chance(missed) {
            found.push(stmt.clone());
            continue;
        }
        let mutex = usize::from(rng.chance(15));
        let both = mutex == 0 && rng.chance(15);
        found.push(Stmt::Lock(mutex));
        found.extend(both.then_some(Stmt::Lock(1)));
        found.push(stmt.clone());
        for _ in 0..rng.below(3) {
            found.extend(rest.next_if(|next| is_own(next)).cloned());
        }
        found.extend(both.then_some(Stmt::Unlock(1)));
        found.push(Stmt::Unlock(mutex));
    }
    found
}

/// What protects accesses.
#[derive(Clone, Copy)]
enum Style {
    Mutex,
    Section,
    /// Of each statement one of them, which is not enough.
    Either,
}

/// The statements with protection, but for so many of a hundred.
fn ordered(body: &[Stmt], rng: &mut Rng, style: Style, missed: usize) -> Vec<Stmt> {
    let (mut found, mut is_locked) = (Vec::new(), false);
    for stmt in body {
        match stmt {
            Stmt::IfEqual(register, value, inner) => found.push(Stmt::IfEqual(*register, *value, ordered(inner, rng, style, missed))),
            // Nobody could end the wait of one who waits in a section.
            Stmt::Spin(place, value) => found.push(Stmt::Atomic(vec![Stmt::Assume(*place, *value)])),
            Stmt::Lock(_) | Stmt::Unlock(_) => {
                is_locked = matches!(stmt, Stmt::Lock(_));
                found.push(stmt.clone());
            }
            Stmt::Store(..) | Stmt::Add(..) | Stmt::Load(..) | Stmt::Range(_) | Stmt::Helper(_) | Stmt::Assume(..) => {
                let by_mutex = match style {
                    Style::Mutex => true,
                    Style::Section => false,
                    Style::Either => rng.chance(50),
                };
                if rng.chance(missed) || is_locked && by_mutex {
                    found.push(stmt.clone());
                } else if by_mutex {
                    found.extend([Stmt::Lock(0), stmt.clone(), Stmt::Unlock(0)]);
                } else {
                    found.push(Stmt::Atomic(vec![stmt.clone()]));
                }
            }
            other => found.push(other.clone()),
        }
    }
    found
}

struct Generator {
    rng: Rng,
    variables: Vec<Variable>,
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
                let variable = self.variable();
                found.push(Stmt::Load(register, variable));
                *value = self.value_of(variable);
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
                let (variable, register) = (self.variable(), self.rng.below(REGISTERS));
                let inner = if self.rng.chance(15) { self.ending(thread) } else { self.plain() };
                vec![Stmt::Load(register, variable), Stmt::IfEqual(register, self.value_of(variable), vec![inner])]
            }
            14 => {
                let variable = self.variable();
                let value = self.value_of(variable);
                vec![if self.rng.chance(50) { Stmt::Spin(variable, value) } else { Stmt::Assume(variable, value) }]
            }
            15 => vec![Stmt::Quiet],
            16..=17 => self.looks(),
            _ => vec![self.plain()],
        }
    }

    fn ending(&mut self, thread: usize) -> Stmt {
        // main's local variable ends with it, and nothing has a meaning then.
        let may_leave = thread > 0 || !self.variables.iter().any(|variable| variable.name == "*q");
        if may_leave && self.rng.chance(60) { Stmt::End } else { Stmt::Exit }
    }

    fn plain(&mut self) -> Stmt {
        let variable = self.variable();
        match self.rng.below(10) {
            0..=6 => Stmt::Store(variable, self.value_of(variable)),
            7..=8 if variable.width < 8 => Stmt::Add(variable, 1),
            _ if !self.ranges.is_empty() => self.range(),
            _ => Stmt::Store(variable, 1),
        }
    }

    fn range(&mut self) -> Stmt {
        let index = self.rng.below(self.ranges.len());
        Stmt::Range(RANGES[self.ranges[index]])
    }

    /// One of the program's variables, or one that its copies are about.
    fn variable(&mut self) -> Variable {
        if !self.ranges.is_empty() && self.rng.chance(40) {
            let index = self.rng.below(self.ranges.len());
            let range = RANGES[self.ranges[index]];
            let inside = |at: usize, start: usize| at >= start && at < start + range.length;
            let touched = |variable: &&Variable| {
                !variable.own && (inside(variable.at, range.to) || range.from.is_some_and(|from| inside(variable.at, from)))
            };
            let touched: Vec<Variable> = VARIABLES.iter().filter(touched).copied().collect();
            return *self.rng.pick(&touched);
        }
        let index = self.rng.below(self.variables.len());
        self.variables[index]
    }

    fn value_of(&mut self, variable: Variable) -> u64 {
        match self.rng.below(8) {
            // What a fill leaves there, whole or in part.
            0 | 1 if variable.width == 4 => 0x0101_0101,
            2 if variable.width == 4 => 0x0101,
            0 | 1 if variable.width == 8 => 0x0101_0101_0101_0101,
            3 | 4 => 0,
            5 => 2,
            _ => 1,
        }
    }
}
