//! Information that is in clang's syntax tree but not in its LLVM IR: where full expressions begin and end, reads whose
//! value is discarded, and undefined behaviour in constants (`folded`). It is read with libclang, only if one of these
//! matters.

#![allow(non_upper_case_globals, reason = "constants of libclang in patterns")]

use crate::Options;
use crate::clang;
use crate::error::FrontendError;
use crate::folded::{self, Folded};
use clang_sys::*;
use fathom_base::{FxMap, FxSet};
use std::ffi::{CStr, CString, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A position in the source, as the debug information names it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// From the first character up to the one behind the last.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub begin: Position,
    pub end: Position,
}

impl Span {
    pub fn contains(&self, position: Position) -> bool {
        self.begin <= position && position < self.end
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
    pub folded: Vec<Folded>,
    /// Names of local variables with the block, or the loop, that declares them. Outer ones come first.
    pub locals: Vec<(String, Span)>,
    /// Compound literals that end with something else than a block in braces, with that: a loop, a selection, or a statement
    /// that is part of one (C17 6.8.4, 6.8.5). Outer ones come first.
    pub literals: Vec<(Span, Span)>,
}

/// What is read of a file.
#[derive(Default)]
pub struct Tree {
    pub functions: FxMap<String, Syntax>,
    /// In initialisers outside of functions.
    pub folded: Vec<Folded>,
    /// In templates of functions.
    pub patterns: Vec<Folded>,
}

/// An error if there is no libclang to read syntax trees with.
pub fn has_libclang() -> Result<(), String> {
    if is_loaded() { Ok(()) } else { load() }
}

/// Virtual memory for the stack on which deeply nested sources are parsed and walked.
const STACK: usize = 256 << 20;

/// libclang would parse on a thread of its own, whose stack is too small for nesting that clang itself accepts.
fn stay_on_own_stack() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    // SAFETY: Rust's own reads of the environment wait for this, and solvers, which are not written in Rust, start later.
    ONCE.call_once(|| unsafe { std::env::set_var("LIBCLANG_NOTHREADS", "1") });
}

/// Reads the definitions of these functions in a file; with `constants` of all functions, and what is undefined in constants.
pub fn read(path: &Path, options: &Options, functions: &FxSet<String>, constants: bool) -> Result<Tree, FrontendError> {
    let unit = Unit::parse(path, options)?;
    Ok(stacker::grow(STACK, || {
        let mut tree = Tree::default();
        for declaration in unit.declarations() {
            tree.add(declaration, functions, constants);
        }
        tree
    }))
}

/// A file as libclang parsed it. Its cursors and types are valid as long as it lives.
pub struct Unit {
    index: CXIndex,
    unit: CXTranslationUnit,
}

impl Unit {
    /// Parses a file with the flags that it is compiled with.
    pub fn parse(path: &Path, options: &Options) -> Result<Unit, FrontendError> {
        let missing = |reason: String| FrontendError::SyntaxTree { path: path.to_path_buf(), reason };
        has_libclang().map_err(missing)?;
        let headers = clang::headers(options);
        let mut arguments = vec![CString::from(c"clang")];
        for argument in clang::arguments(path, options, &["-fno-builtin"], headers.as_ref()) {
            arguments.extend(CString::new(argument.as_bytes()));
        }
        if let Some(unit) = options.units.get(path) {
            arguments.extend(CString::new(format!("-working-directory={}", unit.directory.display())));
        }
        arguments.extend(CString::new(path.as_os_str().as_bytes()));
        let raw: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        stay_on_own_stack();
        // SAFETY: the arguments outlive the call; `Unit` disposes of the index and of what was parsed, if anything was.
        let (parsed, error) = stacker::grow(STACK, || unsafe {
            let mut parsed = Unit { index: clang_createIndex(0, 0), unit: std::ptr::null_mut() };
            let error = clang_parseTranslationUnit2FullArgv(
                parsed.index,
                std::ptr::null(),
                raw.as_ptr(),
                raw.len() as c_int,
                std::ptr::null_mut(),
                0,
                CXTranslationUnit_None,
                &mut parsed.unit,
            );
            (parsed, error)
        });
        if error == CXError_Success { Ok(parsed) } else { Err(missing(format!("libclang says error {error}"))) }
    }

    /// What the file and its headers declare outside of everything else.
    pub fn declarations(&self) -> Vec<CXCursor> {
        // SAFETY: what was parsed is alive.
        children(unsafe { clang_getTranslationUnitCursor(self.unit) })
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: both were made by `parse` and are disposed of once.
        unsafe {
            if !self.unit.is_null() {
                clang_disposeTranslationUnit(self.unit);
            }
            clang_disposeIndex(self.index);
        }
    }
}

impl Tree {
    fn add(&mut self, declaration: CXCursor, functions: &FxSet<String>, constants: bool) {
        // SAFETY: asks about a cursor of a live tree.
        let is_definition = unsafe { clang_isCursorDefinition(declaration) } != 0;
        match kind(declaration) {
            CXCursor_FunctionTemplate if constants && is_definition && !is_in_system_header(declaration) => {
                self.patterns.extend(folded_in(declaration));
            }
            CXCursor_ClassTemplate if constants && !is_in_system_header(declaration) => {
                let methods = children(declaration).into_iter().filter(|child| is_function(*child));
                self.patterns.extend(methods.flat_map(folded_in));
            }
            CXCursor_Namespace | CXCursor_LinkageSpec | CXCursor_ClassDecl | CXCursor_StructDecl => {
                children(declaration).into_iter().for_each(|child| self.add(child, functions, constants));
            }
            _ if is_function(declaration) && is_definition => {
                let name = mangled(declaration);
                let folds = constants && !is_in_system_header(declaration);
                if folds || functions.contains(&name) {
                    let mut syntax = Syntax::default();
                    syntax.visit(declaration, Parent { folds, block: None, evaluated: None, is_only_named: false });
                    self.functions.insert(name, syntax);
                }
            }
            CXCursor_VarDecl if constants => {
                let before_start = folded::Context { during: None, is_constant: true };
                constants_of(declaration).into_iter().for_each(|child| folded::collect(child, before_start, &mut self.folded));
            }
            CXCursor_EnumDecl if constants => {
                let before_start = folded::Context { during: None, is_constant: true };
                enumerated(declaration).into_iter().for_each(|child| folded::collect(child, before_start, &mut self.folded));
            }
            _ => {}
        }
    }
}

fn is_function(declaration: CXCursor) -> bool {
    matches!(
        kind(declaration),
        CXCursor_FunctionDecl | CXCursor_CXXMethod | CXCursor_Constructor | CXCursor_Destructor | CXCursor_ConversionFunction
    )
}

/// What is undefined in constants of a function.
fn folded_in(function: CXCursor) -> Vec<Folded> {
    let mut syntax = Syntax::default();
    syntax.visit(function, Parent { folds: true, block: None, evaluated: None, is_only_named: false });
    syntax.folded
}

/// What is known of the node above.
#[derive(Copy, Clone)]
struct Parent {
    /// Whether constants are looked at.
    folds: bool,
    /// The innermost block of C around it, if that is one without braces.
    block: Option<Span>,
    /// The innermost part of the source around it that is evaluated whole, if at all.
    evaluated: Option<Span>,
    /// It belongs to something like `sizeof`, which is not evaluated, or may do so.
    is_only_named: bool,
}

impl Syntax {
    fn visit(&mut self, parent: CXCursor, above: Parent) {
        let inner = children(parent);
        if above.folds {
            self.fold(parent, &inner, above);
        }
        let takes_value = matches!(kind(parent), CXCursor_VarDecl | CXCursor_ReturnStmt);
        for (at, child) in inner.iter().enumerate() {
            if kind(*child) == CXCursor_DeclStmt {
                let variables = children(*child).into_iter().filter(|declared| kind(*declared) == CXCursor_VarDecl);
                self.locals.extend(variables.map(|variable| (spelling(variable), span(parent))));
            }
            if is_expression(*child) && !is_expression(parent) {
                self.full_expressions.push(span(if takes_value { parent } else { *child }));
                // What a statement expression gives may be dropped as well.
                if !takes_value {
                    self.drop_value(*child);
                }
            }
            if kind(*child) == CXCursor_CStyleCastExpr && type_of(*child).kind == CXType_Void {
                children(*child).into_iter().filter(|operand| is_expression(*operand)).for_each(|operand| self.drop_value(operand));
            }
            if is_comma(*child) {
                children(*child).first().into_iter().for_each(|left| self.drop_value(*left));
            }
            let block = match kind(*child) {
                CXCursor_CompoundStmt => None,
                kind if is_selection_or_loop(kind) => Some(span(*child)),
                _ if is_substatement(kind(parent), at, inner.len()) => Some(span(*child)),
                _ => above.block,
            };
            if kind(*child) == CXCursor_CompoundLiteralExpr {
                self.literals.extend(block.map(|block| (span(*child), block)));
            }
            let evaluated = match is_expression(*child) {
                true if !is_expression(parent) => Some(span(if takes_value { parent } else { *child })),
                true if at > 0 && chooses(parent) => Some(span(*child)),
                _ => above.evaluated,
            };
            let is_only_named =
                above.is_only_named || is_unevaluated(*child) || takes_value && is_expression(*child) && names_type(parent, *child);
            self.visit(*child, Parent { block, evaluated, is_only_named, ..above });
        }
    }

    /// Constants that belong to this node.
    fn fold(&mut self, parent: CXCursor, inner: &[CXCursor], above: Parent) {
        let known = self.folded.len();
        let mut look = |expression: CXCursor, during: Option<Span>, is_constant: bool| {
            folded::collect(expression, folded::Context { during, is_constant }, &mut self.folded)
        };
        match kind(parent) {
            // SAFETY: asks about a cursor of a live tree.
            CXCursor_VarDecl if unsafe { clang_Cursor_getStorageClass(parent) } == CX_SC_Static => {
                constants_of(parent).into_iter().for_each(|child| look(child, None, true))
            }
            CXCursor_VarDecl => {
                constants_of(parent).into_iter().for_each(|child| look(child, Some(span(parent)), false));
                self.folded[known..].iter_mut().for_each(|folded| folded.variable = Some(spelling(parent)));
            }
            CXCursor_EnumDecl => enumerated(parent).into_iter().for_each(|child| look(child, None, true)),
            _ if folded::calls_builtin(parent) && !above.is_only_named => {
                inner.iter().skip(1).for_each(|argument| look(*argument, above.evaluated, false));
            }
            CXCursor_CompoundLiteralExpr => inner.last().into_iter().for_each(|list| look(*list, Some(span(parent)), false)),
            CXCursor_SwitchStmt => {
                let Some((body, head)) = inner.split_last() else { return };
                let head = head.last().map(|condition| span(*condition));
                labels_of(*body).into_iter().for_each(|label| look(label, head, true));
            }
            _ => {}
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

fn is_selection_or_loop(kind: CXCursorKind) -> bool {
    matches!(kind, CXCursor_IfStmt | CXCursor_SwitchStmt | CXCursor_WhileStmt | CXCursor_DoStmt | CXCursor_ForStmt)
}

/// Whether a part of a statement is a statement that it selects or repeats, not its condition.
fn is_substatement(statement: CXCursorKind, at: usize, parts: usize) -> bool {
    match statement {
        CXCursor_IfStmt => at > 0,
        CXCursor_DoStmt => at == 0,
        CXCursor_SwitchStmt | CXCursor_WhileStmt | CXCursor_ForStmt => at + 1 == parts,
        _ => false,
    }
}

/// The sizes of arrays and the initialiser of a declaration. What stands in front of the name belongs to its type
/// (`__typeof__`) and is not evaluated.
fn constants_of(declaration: CXCursor) -> Vec<CXCursor> {
    // SAFETY: asks about a cursor of a live tree.
    let name = position(unsafe { clang_getCursorLocation(declaration) });
    // Where a macro makes all of it, everything has one position.
    let is_plain = !["typeof", "decltype", "auto"].iter().any(|word| type_text(declaration).contains(word));
    let is_behind = |begin: Position| begin > name || begin == name && is_plain;
    children(declaration).into_iter().filter(|child| is_expression(*child) && is_behind(span(*child).begin)).collect()
}

/// The values that an enumeration gives to its constants.
fn enumerated(declaration: CXCursor) -> Vec<CXCursor> {
    let values = children(declaration).into_iter().filter(|child| kind(*child) == CXCursor_EnumConstantDecl).flat_map(children);
    values.filter(|value| is_expression(*value)).collect()
}

/// The constants of the case labels of a switch.
fn labels_of(body: CXCursor) -> Vec<CXCursor> {
    let inner = children(body);
    let own = (kind(body) == CXCursor_CaseStmt).then(|| inner.first().copied()).flatten();
    let nested = inner.into_iter().filter(|child| !is_expression(*child) && kind(*child) != CXCursor_SwitchStmt);
    own.into_iter().chain(nested.flat_map(labels_of)).collect()
}

/// Whether it is part of a header of the system, which says what its compilers understand.
pub(crate) fn is_in_system_header(cursor: CXCursor) -> bool {
    // SAFETY: asks about a cursor of a live tree.
    unsafe { clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) != 0 }
}

/// Whether operands of this expression are not evaluated.
fn is_unevaluated(expression: CXCursor) -> bool {
    let chooses_type = kind(expression) == CXCursor_UnexposedExpr && children(expression).len() == 3;
    matches!(kind(expression), CXCursor_UnaryExpr | CXCursor_GenericSelectionExpr) || chooses_type || folded::only_looks(expression)
}

/// Whether an expression belongs to the type of what is declared.
fn names_type(declaration: CXCursor, expression: CXCursor) -> bool {
    // SAFETY: asks about cursors of a live tree.
    kind(declaration) == CXCursor_VarDecl
        && !constants_of(declaration).iter().any(|own| unsafe { clang_equalCursors(*own, expression) } != 0)
}

/// Whether only the first operand is evaluated in any case.
fn chooses(expression: CXCursor) -> bool {
    // SAFETY: asks about a cursor of a live tree.
    let is_logical = || matches!(unsafe { clang_getCursorBinaryOperatorKind(expression) }, CXBinaryOperator_LAnd | CXBinaryOperator_LOr);
    match kind(expression) {
        CXCursor_BinaryOperator => is_logical(),
        CXCursor_ConditionalOperator => true,
        _ => false,
    }
}

fn is_comma(expression: CXCursor) -> bool {
    // SAFETY: asks about a cursor of a live tree.
    kind(expression) == CXCursor_BinaryOperator && unsafe { clang_getCursorBinaryOperatorKind(expression) } == CXBinaryOperator_Comma
}

pub(crate) fn kind(cursor: CXCursor) -> CXCursorKind {
    cursor.kind
}

pub(crate) fn is_expression(cursor: CXCursor) -> bool {
    // SAFETY: asks about a number.
    unsafe { clang_isExpression(cursor.kind) != 0 }
}

/// The name of what is declared or called.
pub(crate) fn spelling(cursor: CXCursor) -> String {
    // SAFETY: asks about a cursor of a live tree.
    text(unsafe { clang_getCursorSpelling(cursor) })
}

/// The name that the linker knows.
pub(crate) fn mangled(cursor: CXCursor) -> String {
    // SAFETY: asks about a cursor of a live tree.
    text(unsafe { clang_Cursor_getMangling(cursor) })
}

/// Without names that stand for it.
pub(crate) fn type_of(cursor: CXCursor) -> CXType {
    // SAFETY: asks about a cursor of a live tree.
    unsafe { clang_getCanonicalType(clang_getCursorType(cursor)) }
}

/// The type of what is declared, as the source writes it.
pub(crate) fn type_text(cursor: CXCursor) -> String {
    // SAFETY: asks about a cursor of a live tree.
    text(unsafe { clang_getTypeSpelling(clang_getCursorType(cursor)) })
}

pub(crate) fn children(parent: CXCursor) -> Vec<CXCursor> {
    extern "C" fn collect(child: CXCursor, _: CXCursor, all: *mut c_void) -> CXChildVisitResult {
        // SAFETY: `all` is the vector below, which nothing else uses meanwhile.
        unsafe { (*all.cast::<Vec<CXCursor>>()).push(child) };
        CXChildVisit_Continue
    }
    let mut all: Vec<CXCursor> = Vec::new();
    // SAFETY: the vector outlives the call.
    unsafe { clang_visitChildren(parent, collect, (&raw mut all).cast()) };
    all
}

pub(crate) fn span(cursor: CXCursor) -> Span {
    // SAFETY: asks about a cursor of a live tree.
    unsafe {
        let extent = clang_getCursorExtent(cursor);
        let (begin, end) = (position(clang_getRangeStart(extent)), position(clang_getRangeEnd(extent)));
        // The argument of a macro is where the macro is called, begin and end.
        Span { begin, end: end.max(Position { column: begin.column + 1, ..begin }) }
    }
}

fn position(location: CXSourceLocation) -> Position {
    let (mut file, mut line, mut column) = (CXString { data: std::ptr::null(), private_flags: 0 }, 0, 0);
    // SAFETY: writes to the three locals.
    unsafe { clang_getPresumedLocation(location, &mut file, &mut line, &mut column) };
    drop(text(file));
    Position { line, column }
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
