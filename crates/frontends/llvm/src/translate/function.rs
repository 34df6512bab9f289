//! One function: its signature, and the bookkeeping that instructions need (values, locals, the block being written).
//! `body` walks its blocks.
//!
//! A pure instruction with a single use gets no variable: its term is substituted into the use. That is sound in SSA
//! form: the definition dominates the use, so no path can change an operand and then reach the use without passing the
//! definition again. `phi`s do not break this because edges that share a source are split.

use super::address::Reach;
use super::constant::Special;
use super::jumps::Returns;
use super::memory::Scoped;
use super::types::{Leaves, Scalar};
use super::{Counter, Translated, Translator, Unsupported};
use crate::dialect::Unchecked;
use crate::llvm::{BasicBlock, Opcode, Type, Value};
use crate::sanitizer::CHECK;
use fathom_base::{FxMap, FxSet, Loc};
use fathom_ir::{
    Block, BlockId, Body, InputKind, ProcId, Property, Statement, StatementKind, StopKind, Terminator, TerminatorKind, Variable, sources,
};
use fathom_term::{Op, Sort, Term, TermStore, VarId};
use llvm_sys::core::LLVMGetCalledValue;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

pub struct FunctionTranslator<'t, 'm> {
    pub program: &'t mut Translator<'m>,
    pub terms: Rc<TermStore>,
    pub function: Value,
    pub name: String,
    pub names: FxMap<Value, String>,
    /// Types of local variables, by the alloca or parameter that is their memory.
    pub declared: FxMap<Value, fathom_ir::TypeId>,
    pub locals: Vec<Variable>,
    pub params: Vec<VarId>,
    pub results: Vec<VarId>,
    pub variadic: Option<VarId>,
    values: FxMap<Value, Leaves>,
    /// How to make the object of a variable whose scope has marks, by its alloca.
    pub scoped: FxMap<Value, Scoped>,
    /// Values whose terms depend on addresses of objects that may end.
    pub addressing: FxSet<Value>,
    /// The dynamic allocas in their order, and the variables of those that end before the function does.
    pub dynamic: Vec<Value>,
    pub ended_allocas: FxMap<Value, VarId>,
    /// Of addresses whose indices may be too large.
    pub reaches: FxMap<Value, Reach>,
    /// clang wrote the checks of this function.
    pub is_checked: bool,
    pub phi_vars: FxMap<Value, Vec<VarId>>,
    pub block_ids: FxMap<BasicBlock, BlockId>,
    pub blocks: Vec<Block>,
    pub current: BlockId,
    /// The rest of the block can't be reached: a call that does not return ended it.
    pub ended: bool,
    /// What is not checked where the instruction stands.
    pub unchecked: Rc<Unchecked>,
    pub loc: Loc,
    /// A value of the compiler's own is stored, which no other iteration of a loop sees: the frames of contracts need not know.
    pub stores_temporary: bool,
    /// Where jumps come back to, if the function calls setjmp.
    pub returns: Option<Returns>,
    /// Blocks that count in clang's profile: the function's name there, the number of the counter, the block.
    pub counted: Vec<(String, u32, BlockId)>,
}

impl<'m> Deref for FunctionTranslator<'_, 'm> {
    type Target = Translator<'m>;
    fn deref(&self) -> &Translator<'m> {
        self.program
    }
}

impl DerefMut for FunctionTranslator<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.program
    }
}

impl Translator<'_> {
    pub fn translate_function(&mut self, function: Value, id: ProcId) {
        let loc = self.location_of_function(function);
        let mut writer = FunctionTranslator::new(self, function);
        let signature = writer.declare_signature();
        let body = match signature {
            Err(Unsupported(what)) if !function.is_declaration() => Some(writer.unsupported_body(what)),
            Err(_) => None,
            Ok(()) if function.is_declaration() => writer.modelled_body(),
            Ok(()) => Some(writer.body()),
        };
        let FunctionTranslator { locals, params, results, variadic, counted, .. } = writer;
        self.counters.extend(counted.into_iter().map(|(function, index, block)| Counter { function, index, procedure: id, block }));
        let procedure = &mut self.procedures[id.0 as usize];
        procedure.params = params;
        procedure.results = results;
        procedure.variadic = variadic;
        procedure.locals = locals;
        procedure.body = body;
        procedure.loc = loc;
    }
}

impl<'t, 'm> FunctionTranslator<'t, 'm> {
    pub fn new(program: &'t mut Translator<'m>, function: Value) -> Self {
        let terms = program.terms.clone();
        let mut writer = FunctionTranslator {
            program,
            terms,
            name: function.name(),
            function,
            names: FxMap::default(),
            declared: FxMap::default(),
            locals: Vec::new(),
            params: Vec::new(),
            results: Vec::new(),
            variadic: None,
            values: FxMap::default(),
            scoped: FxMap::default(),
            addressing: FxSet::default(),
            dynamic: Vec::new(),
            ended_allocas: FxMap::default(),
            reaches: FxMap::default(),
            is_checked: is_checked(function),
            phi_vars: FxMap::default(),
            block_ids: FxMap::default(),
            blocks: Vec::new(),
            current: BlockId(0),
            ended: false,
            unchecked: Rc::default(),
            loc: Loc::UNKNOWN,
            stores_temporary: false,
            returns: None,
            counted: Vec::new(),
        };
        writer.collect_names();
        writer
    }

    // ---- variables

    pub fn local(&mut self, name: &str, sort: Sort) -> VarId {
        let term = self.terms.fresh(&format!("{}.{name}", self.name), sort);
        let id = self.terms.as_var(term).expect("a fresh term is a variable");
        self.locals.push(Variable { id, name: name.to_string(), sort });
        id
    }

    /// A new local and the term that reads it.
    pub fn local_term(&mut self, name: &str, sort: Sort) -> (VarId, Term) {
        let id = self.local(name, sort);
        (id, self.terms.var_term(id))
    }

    /// A name for a value's variable: the source's, or LLVM's without the suffix that `mem2reg` adds.
    pub fn name_of(&self, value: Value) -> String {
        if let Some(name) = self.names.get(&value) {
            return name.clone();
        }
        let name = value.name();
        match name.split('.').next() {
            Some(first) if !first.is_empty() => first.to_string(),
            _ => "t".to_string(),
        }
    }

    /// One new local per scalar of the type, which can hold copies of it (see `nan`).
    pub fn locals_for(&mut self, name: &str, ty: Type) -> Translated<Vec<VarId>> {
        let leaves = self.leaves_of(ty)?;
        let single = leaves.len() == 1;
        Ok(leaves
            .into_iter()
            .enumerate()
            .map(|(index, leaf)| {
                let sort = self.variable_sort(leaf.scalar);
                if single { self.local(name, sort) } else { self.local(&format!("{name}.{index}"), sort) }
            })
            .collect())
    }

    /// What the variables hold that were made for this type.
    pub fn values_of(&self, vars: &[VarId], ty: Type) -> Translated<Leaves> {
        let leaves = self.leaves_of(ty)?;
        Ok(vars.iter().zip(leaves).map(|(&var, leaf)| self.value_of_variable(leaf.scalar, var)).collect())
    }

    // ---- values

    pub fn is_translated(&self, value: Value) -> bool {
        self.values.contains_key(&value)
    }

    /// The scalars of an operand. An `undef` becomes an arbitrary value here and now.
    pub fn value(&mut self, value: Value) -> Translated<Leaves> {
        if let Some(known) = self.values.get(&value) {
            return Ok(known.clone());
        }
        if value.is_constant() {
            return self.constant_here(value);
        }
        // Defined in code that can't be reached, or by an instruction that is not supported.
        let leaves = self.unrecorded(value.ty())?;
        self.values.insert(value, leaves.clone());
        Ok(leaves)
    }

    /// Arbitrary scalars that no outcome depends on.
    pub fn unrecorded(&mut self, ty: Type) -> Translated<Leaves> {
        let vars = self.locals_for("unset", ty)?;
        let leaves = self.values_of(&vars, ty)?;
        if !vars.is_empty() {
            self.emit(StatementKind::Havoc { vars, input: None });
        }
        Ok(leaves)
    }

    fn constant_here(&mut self, value: Value) -> Translated<Leaves> {
        if value.is_undef() {
            let leaves = self.leaves_of(value.ty())?;
            return Ok(leaves.iter().map(|leaf| self.arbitrary("undef", leaf.scalar, internal_choice())).collect());
        }
        let mut undefined: Vec<(VarId, Sort)> = Vec::new();
        let mut nans: Vec<(VarId, Term)> = Vec::new();
        let terms = self.terms.clone();
        let (undef, nan) = (format!("{}.undef", self.name), format!("{}.nan", self.name));
        let mut on_special = |special: Special| match special {
            Special::Undef(sort) => {
                let term = terms.fresh(&undef, sort);
                undefined.extend(terms.as_var(term).map(|var| (var, sort)));
                term
            }
            Special::Nan { format, bits } => {
                let term = terms.fresh(&nan, terms.sort(bits));
                nans.extend(terms.as_var(term).map(|var| (var, bits)));
                terms.build(Op::FpFromBits(format), &[term])
            }
        };
        let leaves = self.program.constant(value, &mut on_special)?;
        if !nans.is_empty() {
            let variable = |&(id, bits): &(VarId, Term)| Variable { id, name: "nan".to_string(), sort: terms.sort(bits) };
            self.locals.extend(nans.iter().map(variable));
            self.emit(StatementKind::Assign(nans));
        }
        if !undefined.is_empty() {
            let vars = undefined.iter().map(|(var, _)| *var).collect();
            self.locals.extend(undefined.iter().map(|&(id, sort)| Variable { id, name: "undef".to_string(), sort }));
            self.emit(StatementKind::Havoc { vars, input: Some(internal_choice()) });
        }
        Ok(leaves)
    }

    /// An arbitrary value of a scalar. Floats are chosen by their bits, so that traces can name every one.
    pub fn arbitrary(&mut self, name: &str, scalar: Scalar, input: InputKind) -> Term {
        let var = self.local(name, self.variable_sort(scalar));
        self.emit(StatementKind::Havoc { vars: vec![var], input: Some(input) });
        self.value_of_variable(scalar, var)
    }

    /// Gives an instruction its value: as a term where it is used once or is trivial, in variables otherwise.
    pub fn bind(&mut self, instruction: Value, leaves: Leaves) {
        let trivial = |t: &TermStore, term: Term| match t.op(term) {
            Op::FpFromBits(_) => t.as_var(t.arg(term, 0)).is_some(),
            op => op.is_const() || t.as_var(term).is_some(),
        };
        // A rounding mode that changes is not in SSA form, so terms over it must be evaluated in their place.
        let movable = is_used_once(instruction) && self.rounding_mode.is_none();
        let stays = self.must_stay(instruction);
        if !stays && (movable || leaves.iter().all(|&leaf| trivial(&self.terms, leaf))) {
            self.values.insert(instruction, leaves);
            return;
        }
        if !instruction.has_uses() && !self.names.contains_key(&instruction) {
            return;
        }
        let name = self.name_of(instruction);
        let (assignment, bound): (Vec<_>, Leaves) = leaves.iter().map(|&leaf| self.variable_for(&name, leaf)).unzip();
        self.values.insert(instruction, bound);
        self.emit(StatementKind::Assign(assignment));
    }

    pub fn set_value(&mut self, value: Value, leaves: Leaves) {
        self.values.insert(value, leaves);
    }

    // ---- writing

    pub fn emit(&mut self, kind: StatementKind) {
        let asked = (self.options.contracts && !self.stores_temporary).then(|| kind.clone());
        self.emit_unasked(kind);
        asked.iter().for_each(|kind| self.ask_frames(kind));
    }

    /// Writes a statement of which the frames of contracts need not know.
    pub fn emit_unasked(&mut self, kind: StatementKind) {
        let statement = Statement { kind, loc: self.loc };
        self.blocks[self.current.0 as usize].statements.push(statement);
    }

    pub fn assert_that(&mut self, condition: Term, property: Property, message: String) {
        if self.terms.const_bool(condition) != Some(true) && !self.unchecked.has(property) && !self.is_beyond_doubt(property) {
            if is_arithmetic(property) && self.sources.library.contains(&self.name) {
                self.program.native.hidden.insert(self.loc, "the C library computes this without checks");
            }
            self.emit(StatementKind::Assert { condition, property, message });
        }
    }

    /// Arithmetic of the C library for analysed programs is ours to get right, and wraps where it overflows; only where
    /// C says that the caller must take care is it checked.
    fn is_beyond_doubt(&self, property: Property) -> bool {
        const CALLERS_DUTY: [&str; 8] = ["abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv", "imaxdiv"];
        is_arithmetic(property) && self.sources.library.contains(&self.name) && !CALLERS_DUTY.contains(&self.name.as_str())
    }

    pub fn assume(&mut self, condition: Term) {
        if self.terms.const_bool(condition) != Some(true) {
            self.emit(StatementKind::Assume(condition));
        }
    }

    pub fn new_block(&mut self, label: String) -> BlockId {
        let terminator = Terminator { kind: TerminatorKind::Stop(StopKind::Unreachable), loc: Loc::UNKNOWN };
        self.blocks.push(Block { label, statements: Vec::new(), terminator });
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    pub fn terminate(&mut self, kind: TerminatorKind) {
        self.blocks[self.current.0 as usize].terminator = Terminator { kind, loc: self.loc };
    }

    /// Ends the program here; what follows in the block is skipped.
    pub fn stop(&mut self, kind: StopKind) {
        self.terminate(TerminatorKind::Stop(kind));
        self.ended = true;
    }

    // ---- the whole function

    fn declare_signature(&mut self) -> Translated<()> {
        let ty = self.function.value_type();
        for (index, param) in self.function.params().into_iter().enumerate() {
            let given = self.name_of(param);
            let name = if given == "t" { format!("arg{index}") } else { given };
            let vars = self.locals_for(&name, param.ty())?;
            let leaves = self.values_of(&vars, param.ty())?;
            self.values.insert(param, leaves);
            self.params.extend(vars);
        }
        self.results = self.locals_for("result", ty.result())?;
        if ty.is_variadic() && !self.function.is_declaration() {
            let sort = self.pointer_sort();
            self.variadic = Some(self.local("variadic", sort));
        }
        Ok(())
    }

    fn unsupported_body(&mut self, what: String) -> Body {
        let entry = self.new_block("entry".to_string());
        self.terminate(TerminatorKind::Unsupported(what));
        Body { entry, blocks: std::mem::take(&mut self.blocks) }
    }
}

/// Whether one instruction uses the value, besides checks of clang's, which may be dropped: analyses see through terms
/// better than through variables.
fn is_used_once(instruction: Value) -> bool {
    if instruction.has_one_use() {
        return true;
    }
    let users = instruction.users();
    let checks = users.iter().filter(|user| is_only_checked(**user, 3)).count();
    checks > 0 && users.len() - checks <= 1
}

fn is_only_checked(user: Value, depth: u32) -> bool {
    use Opcode::*;
    match user.opcode() {
        LLVMCall => Value(unsafe { LLVMGetCalledValue(user.0) }).name().starts_with(CHECK),
        LLVMICmp | LLVMSExt | LLVMZExt | LLVMXor | LLVMAnd | LLVMOr if depth > 0 => {
            user.has_uses() && user.users().into_iter().all(|next| is_only_checked(next, depth - 1))
        }
        _ => false,
    }
}

fn is_arithmetic(property: Property) -> bool {
    matches!(property, Property::NoOverflow | Property::DivByZero | Property::Shift)
}

/// Whether the function has a check of clang's: then it has all of them.
fn is_checked(function: Value) -> bool {
    let is_check = |instruction: Value| {
        instruction.opcode() == Opcode::LLVMCall && Value(unsafe { LLVMGetCalledValue(instruction.0) }).name().starts_with(CHECK)
    };
    function.blocks().any(|block| block.instructions().any(is_check))
}

/// An arbitrary value that is not an input of the user's.
pub fn internal_choice() -> InputKind {
    InputKind { source: String::new(), type_name: String::new(), signed: false }
}

/// A value of which only bounds are known: the real one may be a single one of these, so a violation that depends on it must
/// be seen in a run of the program.
pub fn bounded(name: &str, type_name: &str) -> InputKind {
    InputKind { source: format!("{}{name}", sources::BOUNDS), type_name: type_name.to_string(), signed: false }
}
