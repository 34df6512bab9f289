//! What the analysis knows of a program before it runs: addresses as abstract values, allocation sites, which objects'
//! addresses are ever in memory, what each procedure may change, and per procedure its loops, live variables, widening
//! thresholds and linear forms.

use crate::escape;
use crate::linear::Form;
use crate::live::Live;
use crate::memory::Initials;
use crate::templates;
use crate::value::{Abs, AllThresholds, Bits, Object, Points};
use fathom_base::{FxMap, FxSet};
use fathom_domains::num::Num;
use fathom_flow::Loops;
use fathom_ir::{AllocKind, Initializer, ObjectId, ProcId, Program, StatementKind};
use fathom_term::{Term, TermStore, VarId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An `Alloc` statement.
pub struct Site {
    pub procedure: ProcId,
    pub kind: AllocKind,
    pub size: Option<u64>,
    /// The variable that gets the address.
    pub target: VarId,
}

/// What a procedure and everything that it calls may touch.
#[derive(Clone, Default)]
pub struct Effects {
    /// Global objects that are named anywhere.
    pub objects: FxSet<ObjectId>,
    pub sites: FxSet<u32>,
    /// Program variables that are assigned.
    pub globals: FxSet<VarId>,
    pub procedures: FxSet<ProcId>,
    /// A call through a pointer: anything may be called.
    pub calls_unknown: bool,
}

/// Facts about a procedure that do not depend on states: loops, live variables, thresholds and forms.
pub struct ProcInfo {
    pub loops: Loops,
    pub live: Live,
    pub thresholds: AllThresholds,
    /// Few of them.
    pub coarse: AllThresholds,
    /// Forms to follow from each loop head on.
    pub forms: BTreeMap<u32, Vec<Form>>,
}

/// What is known of the program before it is run: objects, effects of procedures, and what each procedure needs.
pub struct Context {
    pub program: Rc<Program>,
    pub store: Rc<TermStore>,
    pub pointer_bits: u32,
    pub addresses: FxMap<VarId, Rc<Abs>>,
    pub sites: Vec<Site>,
    pub site_at: FxMap<(ProcId, u32, u32), u32>,
    /// Objects whose address may be in memory or with code that is not followed.
    pub escaped: FxSet<Object>,
    pub effects: Vec<Effects>,
    pub global_vars: FxSet<VarId>,
    infos: RefCell<FxMap<ProcId, Rc<ProcInfo>>>,
    vars: RefCell<FxMap<Term, Rc<[VarId]>>>,
}

impl Context {
    /// Finds all of it but the facts about single procedures, which are found when first asked for.
    pub fn new(program: Rc<Program>) -> Context {
        let store = program.terms.clone();
        let pointer_bits = program.layout.pointer_bits;
        let (sites, site_at) = find_sites(&program);
        let mut context = Context {
            addresses: addresses(&program),
            global_vars: program.globals.iter().map(|global| global.id).collect(),
            program,
            store,
            pointer_bits,
            sites,
            site_at,
            escaped: FxSet::default(),
            effects: Vec::new(),
            infos: RefCell::default(),
            vars: RefCell::default(),
        };
        context.escaped = escape::escaped(&context);
        context.effects = escape::effects(&context);
        context
    }

    /// The facts about a procedure; none if it has no body.
    pub fn info(&self, procedure: ProcId) -> Option<Rc<ProcInfo>> {
        if let Some(known) = self.infos.borrow().get(&procedure) {
            return Some(known.clone());
        }
        let proc = self.program.procedure(procedure);
        let body = proc.body.as_ref()?;
        let loops = Loops::of(body);
        let live = Live::of(self, proc, body);
        let forms = templates::forms(self, body, &loops, &live);
        let thresholds = templates::thresholds(self, procedure, body);
        let info = Rc::new(ProcInfo { coarse: thresholds.coarse(), thresholds, forms, loops, live });
        self.infos.borrow_mut().insert(procedure, info.clone());
        Some(info)
    }

    /// The variables of a term, address symbols left out.
    pub fn vars_of(&self, root: Term) -> Rc<[VarId]> {
        if let Some(known) = self.vars.borrow().get(&root) {
            return known.clone();
        }
        let vars = self.store.subterms([root]).filter_map(|term| self.store.as_var(term));
        let mut found: Vec<VarId> = vars.filter(|var| !self.addresses.contains_key(var)).collect();
        found.sort();
        found.dedup();
        let found: Rc<[VarId]> = found.into();
        self.vars.borrow_mut().insert(root, found.clone());
        found
    }

    /// The objects whose addresses a term mentions.
    pub fn objects_of(&self, root: Term, found: &mut FxSet<Object>) {
        for var in self.store.subterms([root]).filter_map(|term| self.store.as_var(term)) {
            if let Some(Abs::Bits(bits)) = self.addresses.get(&var).map(|value| &**value) {
                found.extend(bits.points.targets.iter().map(|(object, _)| *object));
            }
        }
    }

    /// An address that is not null.
    pub fn address_of(&self, object: Object) -> Abs {
        address_value(object, self.pointer_bits)
    }
}

fn address_value(object: Object, pointer_bits: u32) -> Abs {
    let all = fathom_domains::num::mask(pointer_bits);
    let num = Num::unsigned(pointer_bits, crate::value::FIRST_ADDRESS, all).unwrap_or_else(|| Num::top(pointer_bits));
    Abs::Bits(Bits { num, points: Points::to(object, Num::constant(0, pointer_bits)), float: None })
}

fn addresses(program: &Program) -> FxMap<VarId, Rc<Abs>> {
    let bits = program.layout.pointer_bits;
    let own = program
        .objects
        .iter()
        .enumerate()
        .filter_map(|(number, object)| Some((program.terms.as_var(object.address)?, Object::Global(ObjectId(number as u32)))));
    let aliases = program.object_addresses.iter().map(|(&var, &id)| (var, Object::Global(id)));
    let code = program.procedure_addresses.iter().map(|(&var, &id)| (var, Object::Code(id)));
    let named = program
        .procedures
        .iter()
        .enumerate()
        .filter_map(|(number, procedure)| Some((program.terms.as_var(procedure.address?)?, Object::Code(ProcId(number as u32)))));
    own.chain(aliases).chain(code).chain(named).map(|(var, object)| (var, Rc::new(address_value(object, bits)))).collect()
}

/// The number of the allocation site at a procedure, block and statement.
type SiteNumbers = FxMap<(ProcId, u32, u32), u32>;

fn find_sites(program: &Program) -> (Vec<Site>, SiteNumbers) {
    let mut sites = Vec::new();
    let mut at = FxMap::default();
    for (number, procedure) in program.procedures.iter().enumerate() {
        let procedure_id = ProcId(number as u32);
        for (block_number, block) in procedure.body.iter().flat_map(|body| body.blocks.iter().enumerate()) {
            for (index, statement) in block.statements.iter().enumerate() {
                if let StatementKind::Alloc { target, size, kind, .. } = &statement.kind {
                    at.insert((procedure_id, block_number as u32, index as u32), sites.len() as u32);
                    let size = program.terms.const_bits(*size);
                    sites.push(Site { procedure: procedure_id, kind: *kind, size, target: *target });
                }
            }
        }
    }
    (sites, at)
}

impl Initials for Context {
    fn initial(&self, object: Object, offset: u64, bytes: u64) -> Bits {
        let width = bytes as u32 * 8;
        let Object::Global(id) = object else { return self.unknown(bytes) };
        match &self.program.object(id).init {
            Initializer::Zero => Bits::number(Num::constant(0, width)),
            Initializer::External => self.unknown(bytes),
            Initializer::Bytes { bytes: all, relocations } => {
                let end = offset + bytes;
                let size = |term: Term| self.store.sort(term).bits().unwrap_or(64) as u64 / 8;
                let hit = relocations.iter().find(|r| r.offset < end && r.offset + size(r.value) > offset);
                if let Some(relocation) = hit {
                    if relocation.offset == offset && size(relocation.value) == bytes {
                        let value = self.eval(&crate::state::State::initial(), relocation.value);
                        if let Abs::Bits(bits) = &*value {
                            return bits.clone();
                        }
                    }
                    return self.unknown(bytes);
                }
                let Some(range) = all.get(offset as usize..end as usize) else { return self.unknown(bytes) };
                let bits = range.iter().rev().fold(0u128, |word, &byte| word << 8 | byte as u128);
                Bits::number(Num::constant(bits, width))
            }
        }
    }

    fn is_zero(&self, object: Object) -> bool {
        matches!(object, Object::Global(id) if matches!(self.program.object(id).init, Initializer::Zero))
    }

    fn size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Global(id) => Some(self.program.object(id).size),
            Object::Site(site) => self.sites[site as usize].size,
            Object::Code(_) => None,
        }
    }

    fn is_constant(&self, object: Object) -> bool {
        matches!(object, Object::Global(id) if self.program.object(id).read_only)
    }

    fn unknown(&self, bytes: u64) -> Bits {
        let width = (bytes as u32).saturating_mul(8).clamp(1, fathom_domains::num::MAX_WIDTH);
        Bits::unknown(width, self.pointer_bits)
    }
}
