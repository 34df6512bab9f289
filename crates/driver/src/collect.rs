//! Turns paths into tests: listens to the exploration, runs each path again on the interpreter to get its inputs and
//! coverage, decides which become tests, and writes those at once, so that nothing is lost however the run ends. When
//! there are as many tests as allowed, a test that covers something new replaces one that does not, and a test of an
//! error may replace any other.

use crate::native_runs::NativeRuns;
use crate::output::OutDir;
use fathom_base::Budget;
use fathom_engine::{Reason, Trace};
use fathom_frontend_llvm::Counter;
use fathom_ir::{Program, Property};
use fathom_machine::{Coverage, OpenSide, PathRecord, ReplayEnd, Rerun, Violation, Visits, rerun};
use fathom_search::{Appetite, PathListener, Reach};
use fathom_suite::path::Foreseen;
use fathom_suite::testcomp::Goal;
use fathom_suite::{Promise, TestCase, driver, ktest, project, testcomp};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;
use std::time::Duration;

/// Time that running a path again may take: to its end, or to where it was left.
const TO_THE_END: Duration = Duration::from_secs(10);
const TO_THE_MIDDLE: Duration = Duration::from_millis(700);

pub(crate) struct Collector {
    pub program: Rc<Program>,
    pub properties: BTreeSet<Property>,
    pub out: Rc<OutDir>,
    pub goal: Goal,
    pub most_tests: usize,
    /// Keep only tests that cover something new.
    pub only_new: bool,
    /// The program's arguments, as far as the user fixed them.
    pub arguments: Vec<String>,
    /// Of the whole run: running paths again must not use up what is left for measuring.
    pub budget: Budget,
    /// Where the compiled program counts.
    pub counters: Vec<Counter>,
    /// Runs tests on the compiled program.
    pub native: RefCell<Option<NativeRuns>>,
    pub found: RefCell<Collected>,
}

#[derive(Default)]
pub(crate) struct Collected {
    pub tests: Vec<Kept>,
    covered: Coverage,
    numbers: usize,
    errors: usize,
    known: HashSet<Vec<(String, Vec<u8>)>>,
    /// Errors that there was no room for.
    pub errors_left_out: u64,
    /// Paths that the interpreter could not follow again.
    pub lost: u64,
    /// The first thing that went wrong with writing.
    pub failure: Option<String>,
    pub reach: Reach,
    /// Why not every path was followed, if that is known.
    pub incomplete: Option<String>,
    pub open: Vec<OpenSide>,
}

impl Collected {
    /// Whether there is nothing left to cover.
    pub fn is_complete(&self) -> bool {
        self.reach != Reach::Part
    }

    /// What the tests that are kept cover together, if that is known to be all.
    pub fn covered_by_tests(&self) -> Option<Coverage> {
        let mut covered = Coverage::default();
        self.tests.iter().for_each(|kept| covered.merge(&kept.coverage));
        self.tests.iter().all(|kept| kept.is_exact).then_some(covered)
    }
}

pub(crate) struct Kept {
    pub number: usize,
    pub test: TestCase,
    coverage: Coverage,
    /// What a native run will count.
    pub foreseen: Foreseen,
    /// Whether a native run covers no more than that.
    is_exact: bool,
    /// Covers nothing new: the first that has to go.
    is_spare: bool,
}

impl Kept {
    /// The name of its files, without their endings.
    pub fn name(&self) -> String {
        format!("test-{:04}", self.number)
    }

    /// Whether its run violates something.
    pub fn is_error(&self) -> bool {
        matches!(self.test.promise, Promise::Fails { .. })
    }

    /// The names of its files: XML, `.ktest` and C.
    pub fn files(&self) -> [String; 3] {
        files_of(self.number)
    }
}

fn files_of(number: usize) -> [String; 3] {
    [format!("testcase-{number:04}.xml"), format!("ktest/test-{number:04}.ktest"), format!("{}/test-{number:04}.c", project::TESTS)]
}

/// Whether a file of an earlier run is a test.
pub(crate) fn is_test_file(name: &str) -> bool {
    name.starts_with("testcase-") || name.starts_with("ktest/") || name.starts_with(&format!("{}/test-", project::TESTS))
}

impl PathListener for Collector {
    fn path(&self, path: PathRecord) {
        if self.goal == Goal::ErrorCall {
            return;
        }
        let time = if path.left_after.is_some() { TO_THE_MIDDLE } else { TO_THE_END };
        let again = rerun(&self.program, &self.properties, path, self.budget.at_most(time));
        match &again.end {
            Some(ReplayEnd::Stuck(_)) => self.found.borrow_mut().lost += 1,
            Some(ReplayEnd::Violated(violation)) => {
                let promise = self.failure(violation);
                self.take(again, promise, false);
            }
            Some(ReplayEnd::Ended) => self.take(again, Promise::Ends, false),
            None => self.take(again, Promise::GoesOn, false),
        }
    }

    fn violation(&self, trace: &Trace) -> Result<(), String> {
        if self.goal == Goal::ErrorCall && trace.violation.property != Property::UnreachCall {
            return Ok(());
        }
        let again = rerun(&self.program, &self.properties, PathRecord::from(trace), self.budget.at_most(TO_THE_END));
        match &again.end {
            Some(ReplayEnd::Violated(seen)) if seen.property == trace.violation.property => {
                let promise = self.failure(&trace.violation);
                self.take(again, promise, true);
                Ok(())
            }
            other => {
                self.found.borrow_mut().lost += 1;
                Err(format!("{}: the replay gave {other:?}", trace.violation.message))
            }
        }
    }

    fn appetite(&self) -> Appetite {
        let mut found = self.found.borrow_mut();
        let full = found.tests.len() >= self.most_tests;
        let enough = match self.goal {
            _ if found.failure.is_some() => Some("not all tests could be written"),
            // A test that was not run is worth less than one that was.
            _ if self.native.borrow().as_ref().is_some_and(NativeRuns::is_late) => Some("running the tests takes the rest of the time"),
            Goal::ErrorCall if found.errors > 0 => Some("one test of an error call is enough"),
            _ if full && found.tests.iter().all(Kept::is_error) => Some("there are as many tests of errors as may be"),
            _ => None,
        };
        match enough {
            Some(why) => {
                found.incomplete = Some(why.to_string());
                Appetite::Nothing
            }
            None if full || self.only_new || self.goal == Goal::ErrorCall => Appetite::New,
            None => Appetite::All,
        }
    }

    fn finished(&self, reach: Reach, open: Vec<OpenSide>, why: Option<Reason>) {
        let mut found = self.found.borrow_mut();
        found.reach = reach;
        found.open = open;
        found.incomplete = found.incomplete.take().or_else(|| why.map(|why| why.to_string()));
    }
}

impl Collector {
    fn failure(&self, violation: &Violation) -> Promise {
        Promise::Fails {
            property: violation.property.name().to_string(),
            message: violation.message.clone(),
            place: self.program.files.show(violation.loc),
        }
    }

    fn take(&self, again: Rerun, promise: Promise, is_new_error: bool) {
        let Rerun { inputs, coverage, visits, is_exact, .. } = again;
        let foreseen = self.foreseen(&visits, is_exact && !matches!(promise, Promise::Fails { .. }));
        let test = TestCase::new(&inputs, promise);
        let mut found = self.found.borrow_mut();
        let found = &mut *found;
        let is_new = self.of_interest(&coverage).adds_to(&found.covered);
        let key = test.inputs.iter().map(|input| (input.source.clone(), input.bytes.clone())).collect();
        let is_error = matches!(test.promise, Promise::Fails { .. });
        let wanted = is_new || is_new_error || !self.only_new && !is_error && test.promise == Promise::Ends;
        // Two paths may differ in nothing that a test can set.
        if !wanted || !found.known.insert(key) && !is_new_error && !is_new {
            return;
        }
        let is_spare = !is_new && !is_new_error;
        if found.tests.len() >= self.most_tests && (is_spare || !self.make_room(found, is_new_error)) {
            found.errors_left_out += u64::from(is_new_error);
            return;
        }
        found.covered.merge(&coverage);
        found.numbers = self.next_number(found.numbers);
        found.errors += usize::from(is_new_error);
        let kept = Kept { number: found.numbers, test, coverage, foreseen, is_exact, is_spare };
        if let Err(why) = self.write(&kept) {
            found.failure.get_or_insert(why);
        }
        if let Some(runs) = &*self.native.borrow() {
            runs.submit(&kept);
        }
        found.tests.push(kept);
    }

    /// What a native run on the same path counts. Functions that it does not enter are left out, they count nothing.
    fn foreseen(&self, visits: &Visits, ends_there: bool) -> Foreseen {
        let mut foreseen = Foreseen { ends_there, ..Foreseen::default() };
        for counter in &self.counters {
            let count = visits.of_block(counter.procedure, counter.block);
            if count > 0 {
                foreseen.add(&counter.function, counter.index as usize, count);
            }
        }
        foreseen
    }

    /// The part of what a run covers that counts for the goal.
    fn of_interest(&self, coverage: &Coverage) -> Coverage {
        if self.goal == Goal::Lines { coverage.clone().without_sides() } else { coverage.clone() }
    }

    /// A number whose files were written by this run alone, and not edited since.
    fn next_number(&self, last: usize) -> usize {
        (last + 1..).find(|&number| files_of(number).iter().all(|name| self.out.is_free(name))).unwrap_or(last + 1)
    }

    /// Drops the newest test that covers nothing new, or, for an error, the newest that is not of an error.
    fn make_room(&self, found: &mut Collected, for_error: bool) -> bool {
        let spare = found.tests.iter().rposition(|kept| kept.is_spare);
        let Some(at) = spare.or_else(|| found.tests.iter().rposition(|kept| for_error && !kept.is_error())) else { return false };
        let dropped = found.tests.remove(at);
        self.remove(&dropped);
        true
    }

    fn write(&self, kept: &Kept) -> Result<(), String> {
        let [xml, binary, c] = kept.files();
        self.out.write(&xml, testcomp::write(&kept.test))?;
        self.out.write(&binary, ktest::write(&kept.test, "program"))?;
        self.out.write(&c, driver::write(&kept.test, &self.arguments))
    }

    fn remove(&self, kept: &Kept) {
        kept.files().iter().for_each(|name| self.out.remove(name));
    }

    /// Drops tests that cover nothing that the others don't, the least useful first. Tests of errors stay.
    pub fn minimise(&self) {
        let mut found = self.found.borrow_mut();
        let mut order: Vec<usize> = (0..found.tests.len()).collect();
        order.sort_by_key(|&at| (!found.tests[at].is_error(), std::cmp::Reverse(found.tests[at].coverage.count())));
        let (mut covered, mut dropped) = (Coverage::default(), BTreeSet::new());
        for at in order {
            let kept = &found.tests[at];
            if kept.is_error() || self.of_interest(&kept.coverage).adds_to(&covered) {
                covered.merge(&kept.coverage);
            } else {
                self.remove(kept);
                dropped.insert(kept.number);
            }
        }
        found.tests.retain(|kept| !dropped.contains(&kept.number));
    }
}
