//! A thread with a large stack: long programs have deep terms, and code that walks them, such as that of solvers, may be recursive. A
//! panic on it comes back as an error, so that a bug costs one run and not the caller's process.

use crate::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Virtual memory for the stack, the first that the system gives; only what is used costs anything.
const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

/// Runs a job on a thread with a large stack and waits for it.
pub(crate) fn on_large_stack<T: Send>(job: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    let job = Mutex::new(Some(job));
    std::thread::scope(|scope| {
        for size in STACK_SIZES {
            let run = || job.lock().ok().and_then(|mut job| job.take()).map(|job| catch_unwind(AssertUnwindSafe(job)));
            let Ok(thread) = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, run) else { continue };
            return match thread.join() {
                Ok(Some(Ok(result))) => result,
                Ok(Some(Err(panic))) => Err(Error::Internal(message_of(&*panic))),
                Ok(None) | Err(_) => Err(Error::Internal("the working thread is gone".into())),
            };
        }
        Err(Error::Internal("no thread could be started".into()))
    })
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
