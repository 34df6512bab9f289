//! From the intermediate representation to code: terms are flattened in post-order, shared subterms once, so that
//! executing them needs neither recursion nor access to terms.

use crate::compare::liveness::read_before_written;
use crate::exec::code::{
    Action, Addresses, BlockCode, CalleeCode, Code, End, Expr, Instr, Operand, ProcCode, Quantified, ThreadAction, Variable, flow_of,
};
use crate::exec::value::Val;
use crate::memory::address::AddressBook;
use crate::memory::holders::Held;
use fathom_base::{FxMap, Loc};
use fathom_flow::{CallGraph, Loops, PointerCalls};
use fathom_ir as ir;
use fathom_term::smtlib::Symbols;
use fathom_term::{Op, Sort, Term, TermStore, VarId};
use smallvec::SmallVec;

/// The program in the form that is run; with the notes that only a reader of the trace needs, or without.
pub fn compile(program: &ir::Program, addresses: &Addresses, book: &AddressBook, with_watches: bool) -> Code {
    let globals: FxMap<VarId, u32> = program.globals.iter().enumerate().map(|(i, v)| (v.id, i as u32)).collect();
    let mut code = Code {
        procs: Vec::new(),
        global_sorts: program.globals.iter().map(|v| v.sort).collect(),
        global_names: program.globals.iter().map(|v| v.name.clone()).collect(),
        site_names: program.objects.iter().map(|o| o.name.clone()).collect(),
        site_types: (0..program.objects.len()).map(|i| program.debug.objects.get(&ir::ObjectId(i as u32)).copied()).collect(),
        entry: program.entry.0,
        temps: 0,
        block_count: 0,
    };
    code.site_names.extend(program.procedures.iter().map(|p| p.name.clone()));
    code.site_types.resize(code.site_names.len(), None);
    for procedure in &program.procedures {
        let locals = procedure.locals.iter().enumerate().map(|(i, v)| (v.id, i as u32)).collect();
        let mut compiler = ProcCompiler {
            store: &program.terms,
            book,
            addresses,
            globals: &globals,
            locals,
            with_watches,
            debug: &program.debug,
            sites: &mut code.site_names,
            site_types: &mut code.site_types,
            actions: Vec::new(),
            locs: Vec::new(),
            held: Vec::new(),
            starts: Vec::new(),
            start: 0,
            loc: Loc::UNKNOWN,
            next_temp: 0,
            max_temps: 0,
            names_quantifiers: true,
        };
        let mut proc = compiler.procedure(procedure, code.block_count);
        proc.unset = read_before_written(&proc);
        code.temps = code.temps.max(compiler.max_temps as usize);
        code.block_count += proc.blocks.len() as u32;
        code.procs.push(proc);
    }
    let recursive = CallGraph::of(program, PointerCalls::AnyAddress).recursive();
    for (proc, may_recurse) in code.procs.iter_mut().zip(recursive) {
        proc.may_recurse = may_recurse;
    }
    code
}

struct ProcCompiler<'a> {
    store: &'a TermStore,
    book: &'a AddressBook,
    addresses: &'a Addresses,
    globals: &'a FxMap<VarId, u32>,
    locals: FxMap<VarId, u32>,
    with_watches: bool,
    debug: &'a ir::DebugInfo,
    sites: &'a mut Vec<String>,
    site_types: &'a mut Vec<Option<ir::TypeId>>,
    actions: Vec<Action>,
    locs: Vec<Loc>,
    starts: Vec<u32>,
    held: Vec<Held>,
    start: u32,
    loc: Loc,
    next_temp: u32,
    max_temps: u32,
    /// Outside assumptions and assertions.
    names_quantifiers: bool,
}

impl ProcCompiler<'_> {
    fn procedure(&mut self, procedure: &ir::Procedure, first_block: u32) -> ProcCode {
        let slot = |vars: &[VarId]| vars.iter().map(|v| self.locals[v]).collect::<Vec<_>>();
        let (params, results) = (slot(&procedure.params), slot(&procedure.results));
        let variadic = procedure.variadic.map(|v| self.locals[&v]);
        let (mut blocks, mut entry) = (Vec::new(), 0);
        if let Some(body) = &procedure.body {
            entry = body.entry.0;
            let loops = Loops::of(body);
            blocks = body.blocks.iter().map(|block| self.block(block)).collect::<Vec<_>>();
            let mut arrivals = vec![0u32; blocks.len()];
            blocks.iter().flat_map(|block| block.end.successors()).for_each(|next| arrivals[next as usize] += 1);
            let idle: Vec<bool> = blocks.iter().map(|block| is_idle_branch(&block.end, &blocks)).collect();
            for (number, block) in blocks.iter_mut().enumerate() {
                block.has_idle_branch = idle[number];
                block.is_loop_head = loops.is_head[number];
                block.is_join = arrivals[number] > 1;
                block.has_side_entry = loops.has_side_entry[number];
                block.order = loops.order[number];
                block.loops = loops.around[number].clone();
                let leaves = |next: u32| block.loops.iter().any(|head| !loops.around[next as usize].contains(head));
                block.leaves_loop = block.end.successors().into_iter().any(leaves);
            }
            mark_endless(&mut blocks);
        }
        ProcCode {
            name: procedure.name.clone(),
            blocks,
            entry,
            has_body: procedure.body.is_some(),
            local_sorts: procedure.locals.iter().map(|v| v.sort).collect(),
            params,
            results,
            variadic,
            unset: Vec::new(),
            may_recurse: false,
            loc: procedure.loc,
            first_block,
        }
    }

    fn block(&mut self, block: &ir::Block) -> BlockCode {
        for statement in &block.statements {
            self.loc = statement.loc;
            self.next_temp = 0;
            self.start = self.actions.len() as u32;
            self.statement(&statement.kind);
        }
        self.loc = block.terminator.loc;
        self.next_temp = 0;
        self.start = self.actions.len() as u32;
        let end = self.end(&block.terminator.kind);
        self.starts.push(self.start);
        BlockCode {
            starts: std::mem::take(&mut self.starts),
            actions: std::mem::take(&mut self.actions),
            locs: std::mem::take(&mut self.locs),
            end,
            end_loc: block.terminator.loc,
            is_loop_head: false,
            is_join: false,
            loops: Vec::new(),
            order: 0,
            leaves_loop: false,
            has_side_entry: false,
            has_idle_branch: false,
            held: std::mem::take(&mut self.held),
            can_end: true,
        }
    }

    /// A variable that may hold a pointer.
    fn note_held(&mut self, watch: &ir::Watch) {
        if self.store.sort(watch.value) != Sort::Bv(self.book.pointer_bits()) {
            return;
        }
        let (mut slots, mut open) = (Vec::new(), vec![watch.value]);
        while let Some(term) = open.pop() {
            match self.store.op(term) {
                Op::Var(var) => slots.extend(self.locals.get(&var)),
                _ => open.extend(self.store.args(term)),
            }
        }
        slots.sort_unstable();
        slots.dedup();
        let variable = (watch.variable.clone(), watch.declared);
        self.held.push(Held { index: self.actions.len() as u32, variable, slots });
    }

    fn emit(&mut self, action: Action) {
        self.actions.push(action);
        self.locs.push(self.loc);
        self.starts.push(self.start);
    }

    fn site(&mut self, name: &str, ty: Option<ir::TypeId>) -> u32 {
        self.sites.push(name.to_string());
        self.site_types.push(ty);
        self.sites.len() as u32 - 1
    }

    fn variable(&self, var: VarId) -> Variable {
        match self.locals.get(&var) {
            Some(&slot) => Variable::Local(slot),
            None => Variable::Global(
                *self.globals.get(&var).unwrap_or_else(|| panic!("variable {} is neither local nor global", self.store.var_name(var))),
            ),
        }
    }

    fn temp(&mut self) -> Variable {
        self.next_temp += 1;
        self.max_temps = self.max_temps.max(self.next_temp);
        Variable::Temp(self.next_temp - 1)
    }

    fn statement(&mut self, kind: &ir::StatementKind) {
        use ir::StatementKind as S;
        match kind {
            S::Assign(pairs) => self.assign(pairs),
            S::Havoc { vars, input } => {
                for &var in vars {
                    let (target, sort) = (self.variable(var), self.store.var_sort(var));
                    self.emit(Action::Havoc { target, sort, input: input.clone() });
                }
            }
            S::Assume(condition) => {
                self.names_quantifiers = false;
                let condition = self.expr(*condition);
                self.names_quantifiers = true;
                self.emit(Action::Assume(condition));
            }
            S::Assert { condition, property, message } => {
                let before = self.actions.len();
                self.names_quantifiers = false;
                let condition = self.expr(*condition);
                self.names_quantifiers = true;
                let quantified = self.actions[before..].iter().any(|action| matches!(action, Action::Quantify(_)));
                self.emit(Action::Assert { condition, property: *property, message: message.clone(), quantified });
            }
            S::Alloc { target, size, align, kind, zeroed, name } => {
                let ty = self.debug.locals.get(target).copied();
                let (size, site) = (self.expr(*size), self.site(name, ty));
                let target = self.variable(*target);
                self.emit(Action::Alloc { target, size, align: *align, kind: *kind, zeroed: *zeroed, site });
            }
            S::EndScope { variable } => self.emit(Action::EndScope { target: self.variable(*variable) }),
            S::Free { pointer, family } => {
                let pointer = self.expr(*pointer);
                self.emit(Action::Free { pointer, family: *family });
            }
            S::Forget { pointer } => {
                let pointer = self.expr(*pointer);
                self.emit(Action::Forget { pointer });
            }
            S::Use { pointer } => {
                let pointer = self.expr(*pointer);
                self.emit(Action::Use { pointer });
            }
            S::Look { value, what } => {
                let value = self.expr(*value);
                self.emit(Action::Look { value, what: what.clone() });
            }
            S::Load { target, pointer, volatile } => {
                let pointer = self.expr(*pointer);
                let bytes = self.store.var_sort(*target).width() as u64 / 8;
                self.emit(Action::Load { target: self.variable(*target), pointer, bytes, volatile: *volatile });
            }
            S::Store { pointer, value } => {
                let (pointer, value) = (self.expr(*pointer), self.expr(*value));
                self.emit(Action::Store { pointer, value });
            }
            S::Copy { target, source, length } => {
                let (target, source, length) = (self.expr(*target), self.expr(*source), self.expr(*length));
                self.emit(Action::Copy { target, source, length });
            }
            S::Set { pointer, fill, length } => {
                let (pointer, length) = (self.expr(*pointer), self.expr(*length));
                let (fill, input) = match fill {
                    ir::Fill::Byte(byte) => (Some(self.expr(*byte)), None),
                    ir::Fill::Arbitrary(input) => (None, Some(input.clone())),
                };
                self.emit(Action::Set { pointer, fill, input, length });
            }
            S::ObjectSize { target, pointer } => {
                let pointer = self.expr(*pointer);
                self.emit(Action::ObjectSize { target: self.variable(*target), pointer });
            }
            S::Inspect { target, pointer, aspect } => {
                let pointer = self.expr(*pointer);
                self.emit(Action::Inspect { target: self.variable(*target), pointer, aspect: *aspect });
            }
            S::Call { targets, callee, args } => {
                let callee = match callee {
                    ir::Callee::Direct(proc) => CalleeCode::Direct(proc.0),
                    ir::Callee::Indirect(pointer) => CalleeCode::Indirect(self.expr(*pointer)),
                };
                let args = args.iter().map(|&arg| self.expr(arg)).collect();
                let targets = targets.iter().map(|&var| self.variable(var)).collect();
                let site = self.site("variadic arguments", None);
                self.emit(Action::Call { targets, callee, args, site });
            }
            S::Thread(operation) => {
                let action = self.thread(operation);
                self.emit(Action::Thread(action));
            }
            S::Watch(watch) => {
                self.note_held(watch);
                if self.with_watches && !watch.is_end() {
                    let value = self.expr(watch.value);
                    self.emit(Action::Watch { watch: watch.clone(), value });
                }
            }
            S::Unsupported(what) => self.emit(Action::Unsupported(what.clone())),
        }
    }

    fn thread(&mut self, operation: &ir::ThreadOperation) -> ThreadAction {
        use ir::ThreadOperation as T;
        match operation {
            T::Start { target, function, argument } => {
                let (function, argument) = (self.expr(*function), self.expr(*argument));
                let site = self.site(ir::LIBRARY_OBJECT, None);
                ThreadAction::Start { target: self.variable(*target), function, argument, site }
            }
            T::Number { target, name } => ThreadAction::Number { name: self.expr(*name), target: self.variable(*target) },
            T::Join { target, thread } => ThreadAction::Join { thread: self.expr(*thread), target: self.variable(*target) },
            T::Exit { result } => ThreadAction::Exit { result: self.expr(*result) },
            T::Current { target } => ThreadAction::Current { target: self.variable(*target) },
            T::AtomicBegin(kind) => ThreadAction::AtomicBegin(*kind),
            T::Fence(fence) => ThreadAction::Fence(*fence),
            T::AtomicEnd => ThreadAction::AtomicEnd,
            T::Lock { event, lock } => ThreadAction::Lock { event: *event, lock: self.expr(*lock) },
            T::Local { target, object } => ThreadAction::Local { object: self.expr(*object), target: self.variable(*target) },
        }
    }

    fn assign(&mut self, pairs: &[(VarId, Term)]) {
        if let [(var, term)] = pairs {
            let target = self.variable(*var);
            self.assign_one(target, *term);
            return self.settle(*var, *term);
        }
        // All right-hand sides first; those that are mere variables need a copy, since a target may be one of them.
        let mut moves = Vec::new();
        for (var, term) in pairs {
            let value = self.expr(*term).operand;
            let source = match value {
                Operand::Variable(Variable::Temp(_)) | Operand::Value(_) => value,
                Operand::Variable(_) => {
                    let temp = self.temp();
                    self.emit(Action::Move { target: temp, source: value });
                    Operand::Variable(temp)
                }
            };
            moves.push((self.variable(*var), source));
        }
        for (target, source) in moves {
            self.emit(Action::Move { target, source });
        }
        pairs.iter().for_each(|&(var, term)| self.settle(var, term));
    }

    /// Truth values that were computed may be decided by the path.
    fn settle(&mut self, var: VarId, term: Term) {
        if self.store.var_sort(var) == Sort::Bool && !self.store.args(term).is_empty() {
            let target = self.variable(var);
            self.emit(Action::Settle { target });
        }
    }

    fn assign_one(&mut self, target: Variable, term: Term) {
        let value = self.expr(term).operand;
        // The last instruction may write the target directly.
        if let (Operand::Variable(temp @ Variable::Temp(_)), Some(Action::Compute(last))) = (value, self.actions.last_mut())
            && last.target == temp
        {
            last.target = target;
            return;
        }
        self.emit(Action::Move { target, source: value });
    }

    /// Flattens a term in post-order; shared subterms are computed once.
    fn expr(&mut self, root: Term) -> Expr {
        let mut done = FxMap::default();
        self.flatten(root, &mut done, true);
        Expr { operand: done[&root], sort: self.store.sort(root) }
    }

    /// What a float's bits are if it is NaN is computed only then.
    fn flatten_for_nan(&mut self, condition: Operand, term: Term, done: &FxMap<Term, Operand>) -> Operand {
        let first = self.actions.len();
        let mut inside = done.clone();
        self.flatten(term, &mut inside, false);
        if self.actions[first..].iter().all(|action| matches!(action, Action::Compute(_))) && self.actions.len() > first {
            let instrs = self.actions.drain(first..).filter_map(|action| match action {
                Action::Compute(instr) => Some(instr),
                _ => None,
            });
            let instrs = instrs.collect();
            self.locs.truncate(first);
            self.starts.truncate(first);
            self.emit(Action::ComputeIf { condition, instrs });
        }
        inside[&term]
    }

    fn flatten(&mut self, root: Term, done: &mut FxMap<Term, Operand>, lazily: bool) {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let node = self.store.node(term);
            let operand = match node.op {
                Op::Const(bits) => Operand::Value(Val::Bits(bits)),
                Op::BigConst(_) => Operand::Value(Val::Term(term)),
                Op::Var(var) => match self.addresses.values.get(&var) {
                    Some(&address) => Operand::Value(address),
                    None if !self.locals.contains_key(&var) && !self.globals.contains_key(&var) => {
                        Operand::Value(Val::from_term(self.store, self.book, term))
                    }
                    None => Operand::Variable(self.variable(var)),
                },
                Op::Forall(_) | Op::Exists(_) => self.quantified(term),
                _ => {
                    let args = self.store.args(term);
                    let is_for_nan = lazily && node.op == Op::Ite && self.store.op(args[0]) == Op::FpIsNan;
                    if !ready {
                        stack.push((term, true));
                        let later = |index: usize| is_for_nan && index == 1;
                        stack.extend(args.iter().enumerate().rev().filter(|(index, _)| !later(*index)).map(|(_, &arg)| (arg, false)));
                        continue;
                    }
                    let for_nan = match is_for_nan && !done.contains_key(&args[1]) {
                        true => Some(self.flatten_for_nan(done[&args[0]], args[1], done)),
                        false => None,
                    };
                    let sorts: SmallVec<[Sort; 3]> = args.iter().map(|&arg| self.store.sort(arg)).collect();
                    let operands = args.iter().map(|arg| done.get(arg).copied().or(for_nan).expect("arguments come first")).collect();
                    let target = self.temp();
                    self.emit(Action::Compute(Instr {
                        op: node.op,
                        sort: node.sort,
                        operand: fathom_term::fold::operand_sort(&sorts),
                        target,
                        args: operands,
                        sorts,
                    }));
                    Operand::Variable(target)
                }
            };
            done.insert(term, operand);
        }
    }

    /// Program variables below the quantifier take their values when the statement runs.
    fn quantified(&mut self, formula: Term) -> Operand {
        let free = Symbols::of(self.store, &[formula]).vars;
        let variables = free.into_iter().filter_map(|var| {
            let operand = match self.addresses.values.get(&var) {
                Some(&address) => Operand::Value(address),
                None if self.locals.contains_key(&var) || self.globals.contains_key(&var) => Operand::Variable(self.variable(var)),
                None => return None,
            };
            Some((var, operand, self.store.var_sort(var)))
        });
        let variables = variables.collect();
        let target = self.temp();
        self.emit(Action::Quantify(Quantified { target, formula, variables, named: self.names_quantifiers }));
        Operand::Variable(target)
    }

    fn end(&mut self, kind: &ir::TerminatorKind) -> End {
        use ir::TerminatorKind as T;
        match kind {
            T::Goto(targets) => End::Goto(targets.iter().map(|t| t.0).collect()),
            T::Branch { condition, then, otherwise } => {
                End::Branch { condition: self.expr(*condition), then: then.0, otherwise: otherwise.0 }
            }
            T::Switch(switch) => {
                let value = self.expr(switch.value);
                let cases: Vec<(Term, u32)> = switch.cases.iter().map(|(k, b)| (*k, b.0)).collect();
                let mut table = FxMap::default();
                for (constant, target) in cases.iter().rev() {
                    if let Some(bits) = self.store.const_bits(*constant) {
                        table.insert(bits, *target);
                    }
                }
                End::Switch { value, cases, table, default: switch.default.0 }
            }
            T::Return => End::Return,
            T::Stop(kind) => End::Stop(kind.clone()),
            T::Unsupported(what) => End::Unsupported(what.clone()),
        }
    }
}

/// Whether both sides of the branch come to the same block, with nothing on the way.
fn is_idle_branch(end: &End, blocks: &[BlockCode]) -> bool {
    let End::Branch { then, otherwise, .. } = end else { return false };
    let block = &blocks[*then as usize];
    block.actions.is_empty() && matches!(&block.end, End::Goto(targets) if targets.as_slice() == [*otherwise])
}

/// Which blocks a run of the procedure can leave, by its end or the program's.
fn mark_endless(blocks: &mut [BlockCode]) {
    let flow = flow_of(blocks);
    let ends = (0..flow.len() as u32).filter(|&block| flow.successors(block).is_empty());
    for (block, can_end) in blocks.iter_mut().zip(flow.reversed().reached(ends)) {
        block.can_end = can_end;
    }
}
