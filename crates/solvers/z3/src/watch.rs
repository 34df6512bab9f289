//! Ends checks whose budget is spent. Z3 offers no callback while it works, but may be interrupted from another
//! thread: one thread per back end looks at the budget of the running check every few milliseconds. It interrupts only
//! under the lock that also marks the check as running, so no interruption can hit a later check; and it repeats it
//! until the check ends, because Z3 ignores one that comes too early.

use crate::api::{self, Api};
use fathom_base::Budget;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The running check.
struct Running {
    budget: Budget,
    context: *mut api::Context,
    solver: *mut api::Solver,
    api: &'static Api,
    stopped: bool,
}

// SAFETY: the watcher uses the pointers only for `Z3_solver_interrupt`, which Z3 allows from any thread, and only while
// the check that they belong to is running.
unsafe impl Send for Running {}

#[derive(Default)]
struct State {
    running: Option<Running>,
    over: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    /// The state; no code below can panic while holding the lock, so a poisoned one is as good.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Owner of the watching thread, which is started by the first check.
#[derive(Default)]
pub(crate) struct Watcher {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Runs a check under a budget. The second result says whether the budget ended it.
    pub fn during<T>(
        &mut self,
        api: &'static Api,
        context: *mut api::Context,
        solver: *mut api::Solver,
        budget: &Budget,
        check: impl FnOnce() -> T,
    ) -> (T, bool) {
        if self.thread.is_none() {
            let shared = self.shared.clone();
            let named = std::thread::Builder::new().name("z3-watch".into()).stack_size(256 * 1024);
            self.thread = named.spawn(move || watch(&shared)).ok();
        }
        self.shared.lock().running = Some(Running { budget: budget.clone(), context, solver, api, stopped: false });
        self.shared.changed.notify_one();
        let result = check();
        let ended = self.shared.lock().running.take();
        (result, ended.is_some_and(|running| running.stopped))
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.shared.lock().over = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(shared: &Shared) {
    let mut state = shared.lock();
    while !state.over {
        if let Some(running) = &mut state.running {
            if running.stopped || running.budget.exhausted().is_some() {
                running.stopped = true;
                // SAFETY: the check is running: it can only be marked as ended under the lock held here.
                unsafe { (running.api.Z3_solver_interrupt)(running.context, running.solver) };
            }
            state = shared.changed.wait_timeout(state, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
        } else {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
