//! Checks that a program is well formed: every block, procedure and variable exists, sorts agree. Front ends and passes
//! are tested with it; engines may then rely on it.

use crate::description::{Demand, Part};
use crate::program::{BlockId, Body, Initializer, MemoryObject, ObjectId, ProcId, Procedure, Program};
use crate::statement::{StatementKind, TerminatorKind};
use fathom_base::{FxSet, Loc};
use fathom_term::smtlib::{Symbols, print_sort, print_term};
use fathom_term::{Sort, Term, VarId};
use thiserror::Error;

/// Why a program is not well formed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("malformed program: {0}")]
pub struct Malformed(pub String);

type Check = Result<(), String>;

/// The first rule that a program breaks, and where.
pub fn validate(program: &Program) -> Result<(), Malformed> {
    Validator::new(program).and_then(|validator| validator.program()).map_err(Malformed)
}

struct Validator<'a> {
    program: &'a Program,
    /// Variables that every procedure sees, address symbols included.
    everywhere: FxSet<VarId>,
    pointer: Sort,
}

/// The variables in scope in a procedure, and the terms that were already found to mention no others.
struct Scope<'a> {
    locals: FxSet<VarId>,
    everywhere: &'a FxSet<VarId>,
    symbols: Symbols,
    judged: usize,
}

impl<'a> Validator<'a> {
    fn new(program: &'a Program) -> Result<Self, String> {
        let mut declared = FxSet::default();
        let locals = program.procedures.iter().flat_map(|procedure| &procedure.locals);
        for variable in program.globals.iter().chain(locals) {
            if !declared.insert(variable.id) {
                return Err(format!("variable `{}` is declared twice", variable.name));
            }
            if program.terms.var_sort(variable.id) != variable.sort {
                return Err(format!("variable `{}` is declared with another sort", variable.name));
            }
        }
        let addresses = program.object_addresses.keys().chain(program.procedure_addresses.keys()).copied();
        let everywhere: FxSet<VarId> = program.globals.iter().map(|variable| variable.id).chain(addresses).collect();
        let pointer = Sort::Bv(program.layout.pointer_bits);
        Ok(Self { program, everywhere, pointer })
    }

    fn program(&self) -> Check {
        let program = self.program;
        self.procedure_exists(program.entry).map_err(|error| format!("entry: {error}"))?;
        let mut names = FxSet::default();
        if let Some(twice) = program.procedures.iter().find(|procedure| !names.insert(&procedure.name)) {
            return Err(format!("two procedures are called `{}`", twice.name));
        }
        let mut scope = self.scope(None);
        for &axiom in &program.axioms {
            self.has_sort(axiom, Sort::Bool, "an axiom").map_err(|error| format!("axiom: {error}"))?;
            scope.mentions(program, axiom).map_err(|error| format!("axiom: {error}"))?;
        }
        for (index, object) in program.objects.iter().enumerate() {
            let check = self.object(ObjectId(index as u32), object, &mut scope);
            check.map_err(|error| format!("object `{}`: {error}", object.name))?;
        }
        self.address_maps()?;
        for (index, procedure) in program.procedures.iter().enumerate() {
            let check = self.procedure(ProcId(index as u32), procedure);
            check.map_err(|error| format!("procedure `{}`: {error}", procedure.name))?;
        }
        Ok(())
    }

    fn scope(&self, procedure: Option<&Procedure>) -> Scope<'_> {
        let locals = procedure.iter().flat_map(|p| &p.locals).map(|variable| variable.id).collect();
        Scope { locals, everywhere: &self.everywhere, symbols: Symbols::default(), judged: 0 }
    }

    fn address_maps(&self) -> Check {
        for (&var, &object) in &self.program.object_addresses {
            if object.0 as usize >= self.program.objects.len() {
                return Err(format!("address symbol `{}` names no object", self.program.terms.var_name(var)));
            }
        }
        for (&var, &procedure) in &self.program.procedure_addresses {
            self.procedure_exists(procedure).map_err(|error| format!("address symbol `{}`: {error}", self.program.terms.var_name(var)))?;
        }
        Ok(())
    }

    fn object(&self, id: ObjectId, object: &MemoryObject, scope: &mut Scope) -> Check {
        self.has_sort(object.address, self.pointer, "the address")?;
        let var = self.program.terms.as_var(object.address).ok_or("the address is no variable")?;
        if self.program.object_addresses.get(&var) != Some(&id) {
            return Err("its address symbol does not lead back to it".into());
        }
        if !object.align.is_power_of_two() {
            return Err(format!("alignment {}", object.align));
        }
        let Initializer::Bytes { bytes, relocations } = &object.init else { return Ok(()) };
        if bytes.len() as u64 != object.size {
            return Err(format!("{} bytes for a size of {}", bytes.len(), object.size));
        }
        for relocation in relocations {
            let width = self.byte_width(relocation.value, "a relocation")?;
            if relocation.offset.checked_add(width as u64 / 8).is_none_or(|end| end > object.size) {
                return Err(format!("the relocation at {} leaves the object", relocation.offset));
            }
            scope.mentions(self.program, relocation.value)?;
        }
        Ok(())
    }

    fn procedure(&self, id: ProcId, procedure: &Procedure) -> Check {
        let mut scope = self.scope(Some(procedure));
        for &var in procedure.params.iter().chain(&procedure.results).chain(&procedure.variadic) {
            if !scope.locals.contains(&var) {
                return Err(format!("`{}` is not among the locals", self.program.terms.var_name(var)));
            }
        }
        let distinct: FxSet<VarId> = procedure.params.iter().copied().collect();
        if distinct.len() != procedure.params.len() {
            return Err("a parameter occurs twice".into());
        }
        if let Some(variadic) = procedure.variadic {
            self.var_has_sort(variadic, self.pointer)?;
        }
        if let Some(address) = procedure.address {
            self.has_sort(address, self.pointer, "the address")?;
            let var = self.program.terms.as_var(address).ok_or("the address is no variable")?;
            if self.program.procedure_addresses.get(&var) != Some(&id) {
                return Err("its address symbol does not lead back to it".into());
            }
        }
        match &procedure.body {
            Some(body) => self.body(body, &mut scope),
            None => Ok(()),
        }
    }

    fn body(&self, body: &Body, scope: &mut Scope) -> Check {
        self.block_exists(body, body.entry)?;
        for (index, block) in body.blocks.iter().enumerate() {
            let at = |loc: Loc, error: String| format!("block b{index} ({}), {}: {error}", block.label, self.program.files.show(loc));
            for statement in &block.statements {
                self.statement(&statement.kind, scope).map_err(|error| at(statement.loc, error))?;
            }
            let terminator = &block.terminator;
            self.terminator(body, &terminator.kind, scope).map_err(|error| at(terminator.loc, error))?;
        }
        Ok(())
    }

    fn statement(&self, kind: &StatementKind, scope: &mut Scope) -> Check {
        let mut result = Ok(());
        kind.parts(&mut |part| {
            if result.is_ok() {
                result = self.part(part, scope);
            }
        });
        result?;
        let targets = kind.targets();
        let distinct: FxSet<VarId> = targets.iter().copied().collect();
        if distinct.len() == targets.len() { Ok(()) } else { Err("a variable is assigned twice at once".into()) }
    }

    fn part(&self, part: Part, scope: &mut Scope) -> Check {
        match part {
            Part::Term(&term, _, demand) => {
                scope.mentions(self.program, term)?;
                self.demand(term, demand)
            }
            Part::Target(&var, _, demand) => {
                scope.assignable(self.program, var)?;
                self.demand(self.program.terms.var_term(var), demand)
            }
            Part::Procedure(&id) => self.procedure_exists(id),
            Part::Alignment(align) if !align.is_power_of_two() => Err(format!("alignment {align}")),
            Part::Alignment(_) | Part::Word(_) | Part::Property(_) | Part::Input(_) | Part::Storage(_) => Ok(()),
            Part::Text(_) | Part::Line(_) | Part::Flag(..) | Part::Signedness(_) => Ok(()),
        }
    }

    fn demand(&self, term: Term, demand: Demand) -> Check {
        let name = |what: &str| match self.program.terms.as_var(term) {
            Some(var) if what.is_empty() => format!("`{}`", self.program.terms.var_name(var)),
            _ => what.to_string(),
        };
        match demand {
            Demand::Any => Ok(()),
            Demand::Pointer(what) => self.has_sort(term, self.pointer, &name(what)),
            Demand::Bytes(what) => self.byte_width(term, what).map(|_| ()),
            Demand::Exactly(sort, what) => self.has_sort(term, sort, what),
            Demand::Like(other) => self.has_sort(term, self.program.terms.sort(other), &name("")),
        }
    }

    fn terminator(&self, body: &Body, kind: &TerminatorKind, scope: &mut Scope) -> Check {
        kind.successors().into_iter().try_for_each(|target| self.block_exists(body, target))?;
        match kind {
            TerminatorKind::Branch { condition, .. } => {
                scope.mentions(self.program, *condition)?;
                self.has_sort(*condition, Sort::Bool, "the condition")
            }
            TerminatorKind::Switch(switch) => {
                scope.mentions(self.program, switch.value)?;
                for &(case, _) in &switch.cases {
                    if !self.program.terms.op(case).is_const() {
                        return Err(format!("case {} is no constant", print_term(&self.program.terms, case)));
                    }
                    self.has_sort(case, self.program.terms.sort(switch.value), "a case")?;
                }
                Ok(())
            }
            TerminatorKind::Goto(targets) if targets.is_empty() => Err("a goto without targets".into()),
            TerminatorKind::Goto(_) | TerminatorKind::Return | TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => Ok(()),
        }
    }

    fn has_sort(&self, term: Term, sort: Sort, what: &str) -> Check {
        let found = self.program.terms.sort(term);
        if found == sort {
            return Ok(());
        }
        let text = |sort| print_sort(&self.program.terms, sort);
        Err(format!("{what} has sort {} instead of {}", text(found), text(sort)))
    }

    fn var_has_sort(&self, var: VarId, sort: Sort) -> Check {
        let name = self.program.terms.var_name(var);
        self.has_sort(self.program.terms.var_term(var), sort, &format!("`{name}`"))
    }

    /// The width of a bit-vector that memory can hold.
    fn byte_width(&self, term: Term, what: &str) -> Result<u32, String> {
        match self.program.terms.sort(term) {
            Sort::Bv(width) if width.is_multiple_of(8) => Ok(width),
            other => Err(format!("{what} has sort {}, not whole bytes", print_sort(&self.program.terms, other))),
        }
    }

    fn block_exists(&self, body: &Body, block: BlockId) -> Check {
        if (block.0 as usize) < body.blocks.len() { Ok(()) } else { Err(format!("there is no block b{}", block.0)) }
    }

    fn procedure_exists(&self, id: ProcId) -> Check {
        let exists = (id.0 as usize) < self.program.procedures.len();
        if exists { Ok(()) } else { Err(format!("there is no procedure number {}", id.0)) }
    }
}

impl Scope<'_> {
    fn sees(&self, var: VarId) -> bool {
        self.locals.contains(&var) || self.everywhere.contains(&var)
    }

    fn assignable(&self, program: &Program, var: VarId) -> Check {
        let is_address = program.object_addresses.contains_key(&var) || program.procedure_addresses.contains_key(&var);
        if self.sees(var) && !is_address {
            return Ok(());
        }
        Err(format!("`{}` is no variable of this procedure or the program", program.terms.var_name(var)))
    }

    fn mentions(&mut self, program: &Program, term: Term) -> Check {
        self.symbols.add(&program.terms, term);
        while let Some(&var) = self.symbols.vars.get(self.judged) {
            if !self.sees(var) {
                return Err(format!("`{}` is not declared here", program.terms.var_name(var)));
            }
            self.judged += 1;
        }
        Ok(())
    }
}
