//! Safe owners of Bitwuzla's objects. A handle keeps its term manager alive and frees itself before it, which is the
//! order Bitwuzla wants; none of them can leave its thread, because the manager is shared by `Rc`. Every function
//! that can fail says so with a `SolverError`: `Unsupported` while building terms, `Failed` while solving.
//!
//! A fault inside Bitwuzla breaks the manager: from then on nothing of it is used or freed, and the back end goes on with
//! a new one. That leaks what there was, and costs one query.

use crate::ffi;
use crate::kind::Kind;
use fathom_base::{Budget, StopReason};
use fathom_smt::SolverError;
use smallvec::SmallVec;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::NonNull;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Owner of all sorts and terms of one back end.
pub(crate) struct Manager {
    raw: NonNull<ffi::Manager>,
    /// By a fault.
    broken: Cell<bool>,
}

impl Drop for Manager {
    fn drop(&mut self) {
        if !self.is_broken() {
            // SAFETY: ours, and every handle that refers to it is gone: each holds an `Rc` of this.
            unsafe { ffi::fb_manager_delete(self.raw.as_ptr()) }
        }
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $delete:path) => {
        $(#[$doc])*
        pub(crate) struct $name {
            raw: NonNull<$raw>,
            manager: Rc<Manager>,
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if !self.manager.is_broken() {
                    // SAFETY: this handle owns the object, and its manager still lives.
                    unsafe { $delete(self.raw.as_ptr()) }
                    self.manager.notice_fault();
                }
            }
        }

        impl $name {
            fn own(raw: *mut $raw, manager: &Rc<Manager>) -> Result<Self, String> {
                match NonNull::new(raw) {
                    Some(raw) => Ok(Self { raw, manager: manager.clone() }),
                    None => {
                        manager.notice_fault();
                        Err(last_error())
                    }
                }
            }
        }
    };
}

handle!(SortHandle, ffi::Sort, ffi::fb_sort_delete);
handle!(TermHandle, ffi::Term, ffi::fb_term_delete);
handle!(
    /// One assertion stack.
    SolverHandle,
    ffi::Solver,
    ffi::fb_solver_delete
);

fn last_error() -> String {
    // SAFETY: a valid string until the next failing call on this thread; copied here.
    copied(unsafe { ffi::fb_error() }).unwrap_or_default()
}

fn copied(text: *const c_char) -> Option<String> {
    // SAFETY: the layer returns null or a terminated string.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// A C string; interior zero bytes, which no name of ours has a use for, are dropped.
fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

fn unsupported(why: String) -> SolverError {
    SolverError::Unsupported(shortened(why))
}

fn failed(why: String) -> SolverError {
    SolverError::Failed(shortened(why))
}

/// Bitwuzla's messages start with the C++ signature of the function that objected.
fn shortened(message: String) -> String {
    match message.rfind("', ") {
        Some(end) if message.starts_with("invalid call to") => message[end + 3..].to_string(),
        _ => message,
    }
}

pub(crate) fn version() -> String {
    // SAFETY: a constant of the library.
    copied(unsafe { ffi::fb_version() }).unwrap_or_default()
}

impl Manager {
    /// Creates the manager of a thread's terms.
    pub fn new() -> Result<Rc<Self>, SolverError> {
        // SAFETY: no arguments; null means failure.
        let raw = unsafe { ffi::fb_manager_new() };
        let manager = NonNull::new(raw).map(|raw| Rc::new(Manager { raw, broken: Cell::new(false) }));
        manager.ok_or_else(|| failed(last_error()))
    }

    fn raw(&self) -> *mut ffi::Manager {
        self.raw.as_ptr()
    }

    /// Whether a fault in the library made its objects useless.
    pub fn is_broken(&self) -> bool {
        self.broken.get()
    }

    /// After every call that failed.
    fn notice_fault(&self) {
        // SAFETY: no arguments.
        if unsafe { ffi::fb_take_fault() } != 0 {
            self.broken.set(true);
        }
    }
}

/// Builders. All pass live objects of one manager, which is all that the layer asks for; it reports every misuse.
/// (Free functions over `&Rc<Manager>`, because what they make holds a clone of it.)
pub(crate) mod make {
    use super::*;

    type SortResult = Result<SortHandle, SolverError>;
    type TermResult = Result<TermHandle, SolverError>;

    fn sort(raw: *mut ffi::Sort, manager: &Rc<Manager>) -> SortResult {
        SortHandle::own(raw, manager).map_err(|why| refused(why, manager))
    }

    fn term(raw: *mut ffi::Term, manager: &Rc<Manager>) -> TermResult {
        TermHandle::own(raw, manager).map_err(|why| refused(why, manager))
    }

    fn refused(why: String, manager: &Manager) -> SolverError {
        if manager.is_broken() { failed(why) } else { unsupported(why) }
    }

    pub fn bool_sort(m: &Rc<Manager>) -> SortResult {
        // SAFETY: see the module.
        sort(unsafe { ffi::fb_sort_bool(m.raw()) }, m)
    }
    pub fn bv_sort(m: &Rc<Manager>, width: u32) -> SortResult {
        // SAFETY: see the module.
        sort(unsafe { ffi::fb_sort_bv(m.raw(), width.into()) }, m)
    }
    pub fn fp_sort(m: &Rc<Manager>, exponent: u16, significand: u16) -> SortResult {
        // SAFETY: see the module.
        sort(unsafe { ffi::fb_sort_fp(m.raw(), exponent.into(), significand.into()) }, m)
    }
    pub fn rm_sort(m: &Rc<Manager>) -> SortResult {
        // SAFETY: see the module.
        sort(unsafe { ffi::fb_sort_rm(m.raw()) }, m)
    }
    pub fn array_sort(m: &Rc<Manager>, index: &SortHandle, element: &SortHandle) -> SortResult {
        // SAFETY: see the module.
        sort(unsafe { ffi::fb_sort_array(m.raw(), index.raw.as_ptr(), element.raw.as_ptr()) }, m)
    }
    pub fn function_sort(m: &Rc<Manager>, domain: &[Rc<SortHandle>], codomain: &SortHandle) -> SortResult {
        let domain: Vec<*const ffi::Sort> = domain.iter().map(|sort| sort.raw.as_ptr().cast_const()).collect();
        // SAFETY: see the module; the array lives through the call.
        sort(unsafe { ffi::fb_sort_function(m.raw(), domain.as_ptr(), domain.len(), codomain.raw.as_ptr()) }, m)
    }

    pub fn bool(m: &Rc<Manager>, value: bool) -> TermResult {
        // SAFETY: see the module.
        term(unsafe { ffi::fb_bool(m.raw(), value) }, m)
    }
    pub fn bv_small(m: &Rc<Manager>, sort: &SortHandle, value: u64) -> TermResult {
        // SAFETY: see the module.
        term(unsafe { ffi::fb_bv_u64(m.raw(), sort.raw.as_ptr(), value) }, m)
    }
    pub fn bv_binary(m: &Rc<Manager>, sort: &SortHandle, digits: &str) -> TermResult {
        // SAFETY: see the module; the digits are copied.
        term(unsafe { ffi::fb_bv_binary(m.raw(), sort.raw.as_ptr(), c_string(digits).as_ptr()) }, m)
    }
    pub fn fp(m: &Rc<Manager>, sign: &TermHandle, exponent: &TermHandle, significand: &TermHandle) -> TermResult {
        let (sign, exponent, significand) = (sign.raw.as_ptr(), exponent.raw.as_ptr(), significand.raw.as_ptr());
        // SAFETY: see the module.
        term(unsafe { ffi::fb_fp(m.raw(), sign, exponent, significand) }, m)
    }
    pub fn rounding_mode(m: &Rc<Manager>, code: i32) -> TermResult {
        // SAFETY: see the module.
        term(unsafe { ffi::fb_rm(m.raw(), code) }, m)
    }
    pub fn constant(m: &Rc<Manager>, sort: &SortHandle, name: &str) -> TermResult {
        // SAFETY: see the module; the name is copied.
        term(unsafe { ffi::fb_constant(m.raw(), sort.raw.as_ptr(), c_string(name).as_ptr()) }, m)
    }
    pub fn bound_variable(m: &Rc<Manager>, sort: &SortHandle, name: &str) -> TermResult {
        // SAFETY: see the module; the name is copied.
        term(unsafe { ffi::fb_bound_variable(m.raw(), sort.raw.as_ptr(), c_string(name).as_ptr()) }, m)
    }
    pub fn constant_array(m: &Rc<Manager>, sort: &SortHandle, value: &TermHandle) -> TermResult {
        // SAFETY: see the module.
        term(unsafe { ffi::fb_constant_array(m.raw(), sort.raw.as_ptr(), value.raw.as_ptr()) }, m)
    }
    pub fn apply(m: &Rc<Manager>, kind: Kind, args: &[&TermHandle], indices: &[u64]) -> TermResult {
        let args: SmallVec<[*const ffi::Term; 4]> = args.iter().map(|arg| arg.raw.as_ptr().cast_const()).collect();
        // SAFETY: see the module; both arrays live through the call.
        let raw = unsafe { ffi::fb_apply(m.raw(), kind.0, args.as_ptr(), args.len(), indices.as_ptr(), indices.len()) };
        term(raw, m)
    }
    /// `body` with each of `from` replaced by its partner in `to`.
    pub fn substitute(m: &Rc<Manager>, body: &TermHandle, from: &[&TermHandle], to: &[&TermHandle]) -> TermResult {
        let pointers =
            |handles: &[&TermHandle]| -> Vec<*const ffi::Term> { handles.iter().map(|handle| handle.raw.as_ptr().cast_const()).collect() };
        let (from, to) = (pointers(from), pointers(to));
        let count = from.len().min(to.len());
        // SAFETY: see the module; both arrays hold at least `count` terms.
        term(unsafe { ffi::fb_substitute(m.raw(), body.raw.as_ptr(), from.as_ptr(), to.as_ptr(), count) }, m)
    }
}

/// Reading values back.
impl TermHandle {
    pub fn kind(&self) -> Kind {
        // SAFETY: a live term.
        let kind = unsafe { ffi::fb_term_kind(self.raw.as_ptr()) };
        if kind < 0 {
            self.manager.notice_fault();
        }
        Kind(kind)
    }

    pub fn child(&self, index: usize) -> Result<TermHandle, SolverError> {
        // SAFETY: a live term; the layer checks the index.
        TermHandle::own(unsafe { ffi::fb_term_child(self.raw.as_ptr(), index) }, &self.manager).map_err(failed)
    }

    pub fn value_bool(&self) -> Result<bool, SolverError> {
        // SAFETY: a live term.
        match unsafe { ffi::fb_value_bool(self.raw.as_ptr()) } {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.failure()),
        }
    }

    pub fn value_rounding_code(&self) -> Result<i32, SolverError> {
        // SAFETY: a live term.
        let code = unsafe { ffi::fb_value_rm(self.raw.as_ptr()) };
        if code < 0 { Err(self.failure()) } else { Ok(code) }
    }

    /// Binary digits of a bit-vector value, or of the interchange form of a float value.
    pub fn value_bits(&self) -> Result<String, SolverError> {
        // SAFETY: a live term; the string is copied at once.
        copied(unsafe { ffi::fb_value_bits(self.raw.as_ptr()) }).ok_or_else(|| self.failure())
    }

    fn failure(&self) -> SolverError {
        self.manager.notice_fault();
        failed(last_error())
    }
}

/// The result of a check.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    Unknown,
    /// The budget ended the check.
    Stopped,
}

/// The full budget is checked every so many calls: reading the cancellation flag and the clock is cheap, reading memory use
/// is not.
const LOOK_EVERY: Duration = Duration::from_millis(2);

struct Watch<'a> {
    budget: &'a Budget,
    looked: Instant,
    stopped: Option<StopReason>,
}

/// Called by Bitwuzla and CaDiCaL many times while they work.
unsafe extern "C" fn should_stop(state: *mut c_void) -> bool {
    // SAFETY: `check` passes a `Watch` that outlives the call into Bitwuzla and has no other user meanwhile.
    let watch = unsafe { &mut *state.cast::<Watch>() };
    if watch.stopped.is_none() {
        let now = Instant::now();
        if now.duration_since(watch.looked) >= LOOK_EVERY {
            watch.looked = now;
            watch.stopped = watch.budget.exhausted();
        }
    }
    watch.stopped.is_some()
}

impl SolverHandle {
    /// Options are long names of Bitwuzla's command line with their values.
    pub fn new(manager: &Rc<Manager>, options: &[(&str, &str)]) -> Result<Self, SolverError> {
        let owned: Vec<(CString, CString)> = options.iter().map(|(name, value)| (c_string(name), c_string(value))).collect();
        let names: Vec<*const c_char> = owned.iter().map(|(name, _)| name.as_ptr()).collect();
        let values: Vec<*const c_char> = owned.iter().map(|(_, value)| value.as_ptr()).collect();
        // SAFETY: both arrays hold `options.len()` strings that live through the call.
        let raw = unsafe { ffi::fb_solver_new(manager.raw(), names.as_ptr(), values.as_ptr(), options.len()) };
        SolverHandle::own(raw, manager).map_err(failed)
    }

    /// Whether the solver may still be used; not after a fault.
    pub fn usable(&self) -> Result<(), SolverError> {
        if self.manager.is_broken() { Err(failed("it crashed".into())) } else { Ok(()) }
    }

    fn done(&self, status: i32) -> Result<(), SolverError> {
        if status < 0 { Err(self.failure()) } else { Ok(()) }
    }

    fn failure(&self) -> SolverError {
        self.manager.notice_fault();
        failed(last_error())
    }

    /// Opens a level of assertions.
    pub fn push(&mut self) -> Result<(), SolverError> {
        // SAFETY: a live solver.
        self.done(unsafe { ffi::fb_push(self.raw.as_ptr(), 1) })
    }

    /// Closes levels of assertions.
    pub fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        // SAFETY: a live solver; the layer reports too many levels.
        self.done(unsafe { ffi::fb_pop(self.raw.as_ptr(), levels) })
    }

    /// Asserts a term on the current level.
    pub fn assert(&mut self, term: &TermHandle) -> Result<(), SolverError> {
        // SAFETY: a live solver and term; the layer reports terms of another manager.
        self.done(unsafe { ffi::fb_assert(self.raw.as_ptr(), term.raw.as_ptr()) })
    }

    /// Asks whether the assertions and these assumptions can hold together.
    pub fn check(&mut self, assumptions: &[&TermHandle], budget: &Budget) -> Result<Verdict, SolverError> {
        if budget.exhausted().is_some() {
            return Ok(Verdict::Stopped);
        }
        let assumptions: Vec<*const ffi::Term> = assumptions.iter().map(|term| term.raw.as_ptr().cast_const()).collect();
        let mut watch = Watch { budget, looked: Instant::now(), stopped: None };
        let state = std::ptr::from_mut(&mut watch).cast::<c_void>();
        // SAFETY: live solver and terms; the callback and its state outlive the call, after which neither is used.
        let verdict = unsafe { ffi::fb_check(self.raw.as_ptr(), assumptions.as_ptr(), assumptions.len(), should_stop, state) };
        match verdict {
            10 => Ok(Verdict::Sat),
            20 => Ok(Verdict::Unsat),
            0 if watch.stopped.is_some() || budget.exhausted().is_some() => Ok(Verdict::Stopped),
            0 => Ok(Verdict::Unknown),
            _ => Err(self.failure()),
        }
    }

    /// Whether the last contradiction needed this assumption.
    pub fn is_failed_assumption(&mut self, term: &TermHandle) -> Result<bool, SolverError> {
        // SAFETY: a live solver and term.
        match unsafe { ffi::fb_is_unsat_assumption(self.raw.as_ptr(), term.raw.as_ptr()) } {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.failure()),
        }
    }

    /// The value of a term in the last model.
    pub fn value(&mut self, term: &TermHandle) -> Result<TermHandle, SolverError> {
        // SAFETY: a live solver and term.
        TermHandle::own(unsafe { ffi::fb_value(self.raw.as_ptr(), term.raw.as_ptr()) }, &self.manager).map_err(failed)
    }
}
