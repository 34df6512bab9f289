//! Safe owners of Z3's objects. Each keeps its context alive and gives its reference back when it goes. A context stays
//! on one thread (it is shared by `Rc`); only interruption crosses threads (`watch.rs`). Z3 catches its own exceptions
//! and leaves an error code, which becomes a `SolverError`; its error handler does nothing, so nothing ever exits.
//! A fault during a check breaks the context: from then on nothing of it is used or given back, and the back end goes
//! on with a new one.

use crate::api::{self, Api};
use crate::library;
use fathom_smt::SolverError;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::rc::Rc;

pub(crate) struct Context {
    pub api: &'static Api,
    pub raw: *mut api::Context,
    broken: Cell<bool>,
}

unsafe extern "C" fn ignore(_: *mut api::Context, _: c_int) {}

impl Context {
    /// A new context.
    pub fn new() -> Result<Rc<Self>, SolverError> {
        let api = library::api().map_err(SolverError::Failed)?;
        // SAFETY: plain construction as Z3 documents it; the configuration is not needed once the context is made.
        let raw = unsafe {
            (api.Z3_toggle_warning_messages)(false);
            let config = (api.Z3_mk_config)();
            let raw = (api.Z3_mk_context_rc)(config);
            (api.Z3_del_config)(config);
            raw
        };
        if raw.is_null() {
            return Err(SolverError::Failed("Z3 made no context".into()));
        }
        // SAFETY: a live context; the handler is a function.
        unsafe { (api.Z3_set_error_handler)(raw, Some(ignore)) };
        Ok(Rc::new(Self { api, raw, broken: Cell::new(false) }))
    }

    /// The message of the last call if it failed.
    pub fn error(&self) -> Option<String> {
        // SAFETY: a live context; the message is copied at once.
        unsafe {
            let code = (self.api.Z3_get_error_code)(self.raw);
            (code != 0).then(|| text((self.api.Z3_get_error_msg)(self.raw, code)))
        }
    }

    /// After a fault.
    pub fn give_up(&self) {
        self.broken.set(true);
    }

    /// Whether a fault has made it unusable.
    pub fn is_broken(&self) -> bool {
        self.broken.get()
    }

    /// Whether the context may still be used; not after a fault.
    pub fn usable(&self) -> Result<(), SolverError> {
        if self.is_broken() { Err(SolverError::Failed("it crashed".into())) } else { Ok(()) }
    }

    /// `Failed` if the last call did.
    pub fn checked(&self) -> Result<(), SolverError> {
        self.error().map_or(Ok(()), |why| Err(SolverError::Failed(why)))
    }

    /// A symbol of Z3 for a name.
    pub fn symbol(&self, name: &str) -> *mut api::Symbol {
        let name = CString::new(name.replace('\0', "")).unwrap_or_default();
        // SAFETY: a live context; the name is copied. Symbols live as long as their context.
        unsafe { (self.api.Z3_mk_string_symbol)(self.raw, name.as_ptr()) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.is_broken() {
            // SAFETY: ours, and everything made from it is gone: each holds an `Rc` of this.
            unsafe { (self.api.Z3_del_context)(self.raw) }
        }
    }
}

/// A copy of a string that Z3 keeps only until the next call.
pub(crate) fn text(raw: *const c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: Z3 returns null or a terminated string.
    unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned()
}

/// A counted reference to a term, sort or declaration.
pub(crate) struct Ast {
    pub raw: *mut api::Ast,
    context: Rc<Context>,
}

impl Ast {
    /// Takes what a call returned; null means that the call failed.
    pub fn new(context: &Rc<Context>, raw: *mut api::Ast) -> Result<Self, SolverError> {
        if raw.is_null() {
            let why = context.error().unwrap_or_else(|| "Z3 returned nothing".into());
            return Err(SolverError::Unsupported(why));
        }
        // SAFETY: a live term of this context.
        unsafe { (context.api.Z3_inc_ref)(context.raw, raw) };
        Ok(Self { raw, context: context.clone() })
    }
}

impl Clone for Ast {
    fn clone(&self) -> Self {
        // SAFETY: a live term of this context.
        unsafe { (self.context.api.Z3_inc_ref)(self.context.raw, self.raw) };
        Self { raw: self.raw, context: self.context.clone() }
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        if !self.context.is_broken() {
            // SAFETY: gives back the reference taken above.
            unsafe { (self.context.api.Z3_dec_ref)(self.context.raw, self.raw) }
        }
    }
}

macro_rules! owner {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $inc:ident, $dec:ident) => {
        $(#[$doc])*
        pub(crate) struct $name {
            pub raw: *mut $raw,
            pub context: Rc<Context>,
        }

        impl $name {
            pub fn new(context: &Rc<Context>, raw: *mut $raw) -> Result<Self, SolverError> {
                if raw.is_null() {
                    let why = context.error().unwrap_or_else(|| "Z3 returned nothing".into());
                    return Err(SolverError::Failed(why));
                }
                // SAFETY: a live object of this context.
                unsafe { (context.api.$inc)(context.raw, raw) };
                Ok(Self { raw, context: context.clone() })
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if !self.context.is_broken() {
                    // SAFETY: gives back the reference taken above.
                    unsafe { (self.context.api.$dec)(self.context.raw, self.raw) }
                }
            }
        }
    };
}

owner!(SolverHandle, api::Solver, Z3_solver_inc_ref, Z3_solver_dec_ref);
owner!(ModelHandle, api::Model, Z3_model_inc_ref, Z3_model_dec_ref);
owner!(ParamsHandle, api::Params, Z3_params_inc_ref, Z3_params_dec_ref);
owner!(ParamDescriptions, api::ParamDescrs, Z3_param_descrs_inc_ref, Z3_param_descrs_dec_ref);
owner!(AstVector, api::AstVector, Z3_ast_vector_inc_ref, Z3_ast_vector_dec_ref);
owner!(FunctionTable, api::FuncInterp, Z3_func_interp_inc_ref, Z3_func_interp_dec_ref);
owner!(FunctionEntry, api::FuncEntry, Z3_func_entry_inc_ref, Z3_func_entry_dec_ref);
