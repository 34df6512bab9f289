//! What clang's syntax tree tells and its LLVM IR does not: where full expressions begin and end, and which reads are
//! dropped because nobody uses their value. Read with libclang, only for functions in which one of these matters.

// Constants of libclang in patterns.
#![allow(non_upper_case_globals)]

use crate::clang;
use crate::error::FrontendError;
use crate::Options;
use clang_sys::*;
use fathom_base::{FxMap, FxSet};
use std::ffi::{CStr, CString, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A place in the source, as the debug information names it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// From the first character up to the one behind the last.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub begin: Place,
    pub end: Place,
}

impl Span {
    pub fn contains(&self, place: Place) -> bool {
        self.begin <= place && place < self.end
    }
}

/// An expression that names an object whose value is not used.
pub struct DroppedRead {
    pub span: Span,
    /// The object's size in bytes.
    pub size: u64,
}

/// One function.
#[derive(Default)]
pub struct Syntax {
    /// With the declaration or `return` around them, if there is one. Outer ones come first.
    pub full_expressions: Vec<Span>,
    pub dropped_reads: Vec<DroppedRead>,
}

/// Reads the definitions of these functions in a file.
pub fn read(path: &Path, options: &Options, functions: &FxSet<String>) -> Result<FxMap<String, Syntax>, FrontendError> {
    let missing = |reason: String| FrontendError::SyntaxTree { path: path.to_path_buf(), reason };
    if !is_loaded() {
        load().map_err(missing)?;
    }
    let stubs = clang::stubs_for(options);
    let mut arguments = vec![CString::from(c"clang")];
    for argument in clang::arguments(path, options, &["-fno-builtin"], stubs.as_ref()) {
        arguments.extend(CString::new(argument.as_bytes()));
    }
    if let Some(unit) = options.units.get(path) {
        arguments.extend(CString::new(format!("-working-directory={}", unit.directory.display())));
    }
    arguments.extend(CString::new(path.as_os_str().as_bytes()));
    let raw: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
    // SAFETY: the arguments outlive the call; the tree and the index are disposed of after their last use.
    unsafe {
        let index = clang_createIndex(0, 0);
        let mut tree = std::ptr::null_mut();
        let error = clang_parseTranslationUnit2FullArgv(
            index, std::ptr::null(), raw.as_ptr(), raw.len() as c_int, std::ptr::null_mut(), 0, CXTranslationUnit_None, &mut tree,
        );
        let mut found = FxMap::default();
        if error == CXError_Success {
            for function in children(clang_getTranslationUnitCursor(tree)) {
                let name = text(clang_getCursorSpelling(function));
                if clang_isCursorDefinition(function) != 0 && functions.contains(&name) {
                    let mut syntax = Syntax::default();
                    syntax.visit(function, false);
                    found.insert(name, syntax);
                }
            }
            clang_disposeTranslationUnit(tree);
        }
        clang_disposeIndex(index);
        if error == CXError_Success { Ok(found) } else { Err(missing(format!("libclang says error {error}"))) }
    }
}

impl Syntax {
    /// `gives_value`: the parent is the block of `({ ...; value; })`.
    fn visit(&mut self, parent: CXCursor, gives_value: bool) {
        let inner = children(parent);
        for (at, child) in inner.iter().enumerate() {
            if is_expression(*child) && !is_expression(parent) {
                let takes_value = matches!(kind(parent), CXCursor_VarDecl | CXCursor_ReturnStmt);
                self.full_expressions.push(span(if takes_value { parent } else { *child }));
                if !takes_value && !(gives_value && at + 1 == inner.len()) {
                    self.drop_value(*child);
                }
            }
            if kind(*child) == CXCursor_CStyleCastExpr && type_of(*child).kind == CXType_Void {
                children(*child).into_iter().filter(|operand| is_expression(*operand)).for_each(|operand| self.drop_value(operand));
            }
            if is_comma(*child) {
                children(*child).first().into_iter().for_each(|left| self.drop_value(*left));
            }
            self.visit(*child, kind(parent) == CXCursor_StmtExpr);
        }
    }

    /// The expression is evaluated and its value is not used. clang emits no read of a structure then, nor of a complex
    /// number, although C reads the object (6.3.2.1).
    fn drop_value(&mut self, expression: CXCursor) {
        let ty = type_of(expression);
        if !matches!(ty.kind, CXType_Record | CXType_Complex) {
            return;
        }
        let operands = children(expression);
        match kind(expression) {
            CXCursor_UnexposedExpr | CXCursor_ParenExpr => operands.into_iter().for_each(|operand| self.drop_value(operand)),
            CXCursor_ConditionalOperator => operands.into_iter().skip(1).for_each(|operand| self.drop_value(operand)),
            CXCursor_BinaryOperator if is_comma(expression) => operands.into_iter().skip(1).for_each(|operand| self.drop_value(operand)),
            CXCursor_MemberRefExpr | CXCursor_ArraySubscriptExpr => self.dropped_read(expression, ty),
            // SAFETY: asks about a cursor of a live tree.
            CXCursor_UnaryOperator if unsafe { clang_getCursorUnaryOperatorKind(expression) } == CXUnaryOperator_Deref => {
                self.dropped_read(expression, ty)
            }
            _ => {}
        }
    }

    fn dropped_read(&mut self, expression: CXCursor, ty: CXType) {
        // SAFETY: asks about a type of a live tree.
        let size = u64::try_from(unsafe { clang_Type_getSizeOf(ty) }).unwrap_or(0);
        if size > 0 && !self.dropped_reads.iter().any(|other| other.span == span(expression)) {
            self.dropped_reads.push(DroppedRead { span: span(expression), size });
        }
    }
}

fn is_comma(expression: CXCursor) -> bool {
    // SAFETY: asks about a cursor of a live tree.
    kind(expression) == CXCursor_BinaryOperator && unsafe { clang_getCursorBinaryOperatorKind(expression) } == CXBinaryOperator_Comma
}

fn kind(cursor: CXCursor) -> CXCursorKind {
    cursor.kind
}

fn is_expression(cursor: CXCursor) -> bool {
    // SAFETY: asks about a number.
    unsafe { clang_isExpression(cursor.kind) != 0 }
}

/// Without names that stand for it.
fn type_of(cursor: CXCursor) -> CXType {
    // SAFETY: asks about a cursor of a live tree.
    unsafe { clang_getCanonicalType(clang_getCursorType(cursor)) }
}

fn children(parent: CXCursor) -> Vec<CXCursor> {
    extern "C" fn collect(child: CXCursor, _: CXCursor, all: *mut c_void) -> CXChildVisitResult {
        // SAFETY: `all` is the vector below, which nobody else uses meanwhile.
        unsafe { (*all.cast::<Vec<CXCursor>>()).push(child) };
        CXChildVisit_Continue
    }
    let mut all: Vec<CXCursor> = Vec::new();
    // SAFETY: the vector outlives the call.
    unsafe { clang_visitChildren(parent, collect, (&raw mut all).cast()) };
    all
}

fn span(cursor: CXCursor) -> Span {
    // SAFETY: asks about a cursor of a live tree.
    unsafe {
        let extent = clang_getCursorExtent(cursor);
        Span { begin: place(clang_getRangeStart(extent)), end: place(clang_getRangeEnd(extent)) }
    }
}

fn place(location: CXSourceLocation) -> Place {
    let (mut file, mut line, mut column) = (CXString { data: std::ptr::null(), private_flags: 0 }, 0, 0);
    // SAFETY: writes to the three locals.
    unsafe { clang_getPresumedLocation(location, &mut file, &mut line, &mut column) };
    drop(text(file));
    Place { line, column }
}

/// Takes the text and frees clang's.
fn text(string: CXString) -> String {
    // SAFETY: the string is used once and freed here.
    unsafe {
        let start = clang_getCString(string);
        let copy = if start.is_null() { String::new() } else { CStr::from_ptr(start).to_string_lossy().into_owned() };
        clang_disposeString(string);
        copy
    }
}
