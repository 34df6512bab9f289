//! Removes polymorphism by instantiation: every function, procedure, type constructor and datatype gets a copy for each
//! choice of its type parameters that the program uses, and every quantifier over types becomes one quantifier for each
//! choice that could matter.
//!
//! A polymorphic map is a family of ordinary maps, one for each choice of its parameters, since values of different types
//! are different keys: `<a>[ref, Field a]a` is `[ref, Field int]int`, `[ref, Field bool]bool` and so on. So a variable of
//! such a type becomes several variables, one for each instance that is read or written anywhere, and one, of an opaque
//! type, for all others: two maps are equal only if they agree on those, too. The same goes for parameters, results of
//! functions and values of maps: an expression becomes a list of components.
//!
//! Which choices matter for a quantifier over types: those that make one of its calls, map accesses or types equal to one
//! that occurs elsewhere, as a solver would match triggers. An axiom is a fact, and instances of it that mention nothing
//! else in the program say nothing about it; elsewhere (assertions, conditions) one choice more, an opaque type, stands
//! for all types that don't occur, which nothing in the program can tell apart.
//!
//! Datatypes go the same way (`datatypes`): records become their fields, others functions and axioms.
//!
//! Instances call for more instances, so the translation is repeated with what the last round found until nothing new is
//! found. What grows without end is unsupported.

mod datatypes;
mod declarations;
mod expressions;
mod quantifiers;
mod types;

use crate::source::Span;
use crate::typed::*;
use crate::types::Types;
use fathom_base::FxMap;
use std::rc::Rc;

/// Something that can't be instantiated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsupported {what}")]
pub struct Unsupported {
    /// The construct that can't be removed, as a noun phrase.
    pub what: String,
    /// Where it is.
    pub span: Span,
}

/// Rounds of translation, instances of all kinds, and nesting of types in them: more is taken as growth without end.
const MAX_ROUNDS: usize = 30;
const MAX_INSTANCES: usize = 5000;
const MAX_DEPTH: u32 = 6;

/// Makes a program without type variables and datatypes.
pub fn monomorphise(program: Program) -> Result<Program, Unsupported> {
    if is_monomorphic(&program) {
        return Ok(program);
    }
    let mut tables = Tables::default();
    let mut types = program.types.clone();
    let mut opaque = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let before = tables.size();
        let mut round = Mono::new(&program, types, tables, opaque);
        round.translate()?;
        let mut out;
        (types, tables, opaque, out) = (round.types, round.found, round.opaque, round.out);
        if tables.size() == before {
            out.sources = program.sources;
            out.warnings = program.warnings;
            return Ok(out);
        }
        if tables.size() > MAX_INSTANCES {
            break;
        }
    }
    let span = program.functions.iter().find(|f| !f.type_params.is_empty()).map(|f| f.span);
    let span = span.or_else(|| program.axioms.first().map(|axiom| axiom.span)).unwrap_or(types::NOWHERE);
    Err(Unsupported { what: "polymorphism whose instances have no end".to_string(), span })
}

/// Whether every value already is one value of an ordinary type.
fn is_monomorphic(program: &Program) -> bool {
    let no_params = program.ctors.iter().all(|ctor| ctor.arity == 0 && ctor.constructors.is_empty())
        && program.functions.iter().all(|function| function.type_params.is_empty())
        && program.procedures.iter().all(|procedure| procedure.type_params.is_empty());
    let is_ordinary = |ty: TypeId| !matches!(program.types.get(ty), Type::Map { type_params: 1.., .. } | Type::BitVec(0));
    let is_poly =
        |expr: &Expr| !is_ordinary(expr.ty) || matches!(&expr.kind, ExprKind::Quantifier { type_params, .. } if !type_params.is_empty());
    no_params && (0..program.types.len() as u32).all(|ty| is_ordinary(TypeId(ty))) && !program.exprs.iter().any(is_poly)
}

/// What was used with which type arguments, in the order in which it was found. Types are those of the source program.
#[derive(Clone, Default)]
struct Tables {
    functions: FxMap<FunctionId, Vec<Vec<TypeId>>>,
    ctors: FxMap<CtorId, Vec<Vec<TypeId>>>,
    maps: FxMap<TypeId, Vec<Vec<TypeId>>>,
}

impl Tables {
    fn size(&self) -> usize {
        let count = |lists: &mut dyn Iterator<Item = &Vec<Vec<TypeId>>>| lists.map(Vec::len).sum::<usize>();
        count(&mut self.functions.values()) + count(&mut self.ctors.values()) + count(&mut self.maps.values())
    }
}

fn note<K: std::hash::Hash + Eq>(table: &mut FxMap<K, Vec<Vec<TypeId>>>, key: K, args: &[TypeId]) {
    let list = table.entry(key).or_default();
    if !list.iter().any(|known| known == args) {
        list.push(args.to_vec());
    }
}

/// One round of translation.
struct Mono<'a> {
    src: &'a Program,
    /// The source program's types, and more that arise by instantiation.
    types: Types,
    /// What the rounds before found: the instances of polymorphic maps and the choices of quantifiers.
    known: Tables,
    found: Tables,
    out: Program,
    /// Opaque types that stand for any other type; they live as long as the rounds.
    opaque: Vec<(Rc<str>, TypeId)>,
    /// The declarations of the source program and, after them, of opaque types: for names in messages.
    named: Vec<TypeCtor>,
    components: FxMap<TypeId, Rc<Vec<Component>>>,
    /// Which components of a polymorphic map belong to which instance.
    ranges: FxMap<TypeId, Vec<InstanceRange>>,
    /// Map types whose components are being computed.
    in_progress: Vec<TypeId>,
    ctors: FxMap<(CtorId, Vec<TypeId>), CtorId>,
    datatypes: FxMap<CtorId, datatypes::Encoded>,
    /// How many datatypes are being declared, each for the sake of the one before, and those that lack their axioms.
    encoding: usize,
    without_axioms: Vec<(CtorId, TypeId, Span)>,
    functions: FxMap<(FunctionId, Vec<TypeId>), Vec<FunctionId>>,
    procedures: FxMap<(ProcedureId, Vec<TypeId>), ProcedureId>,
    /// What polymorphic lambdas are at types that don't occur, by their text, type and variables.
    lambdas: FxMap<LambdaKey, FunctionId>,
    /// Instances whose bodies are still to be translated.
    open_functions: Vec<(FunctionId, Vec<TypeId>)>,
    open_procedures: Vec<(ProcedureId, Vec<TypeId>)>,
    /// Constants and globals.
    globals: FxMap<VarId, Vec<VarId>>,
}

/// Text, type, types of the free variables and chosen types.
type LambdaKey = (String, TypeId, Vec<TypeId>, Vec<TypeId>);

/// An instance of a polymorphic map and its components.
type InstanceRange = (Vec<TypeId>, std::ops::Range<usize>);

/// One of the ordinary values that a value becomes.
#[derive(Clone)]
struct Component {
    suffix: Rc<str>,
    ty: TypeId,
}

/// What the names of an instantiated declaration mean.
#[derive(Clone, Default)]
struct Env {
    type_vars: Vec<TypeVarId>,
    type_args: Vec<TypeId>,
    vars: FxMap<VarId, Vec<VarId>>,
    /// Whether what is translated is part of an axiom in such a way that to leave it out weakens the axiom.
    fact: bool,
}

impl Env {
    /// With type variables chosen.
    fn with(&self, vars: &[TypeVarId], args: &[TypeId]) -> Env {
        let mut new = self.clone();
        new.type_vars.extend(vars);
        new.type_args.extend(args);
        new
    }
}

impl<'a> Mono<'a> {
    fn new(src: &'a Program, types: Types, known: Tables, opaque: Vec<(Rc<str>, TypeId)>) -> Self {
        let of_opaque = opaque.iter().map(|(name, _)| types::opaque_declaration(name, types::NOWHERE));
        let named = src.ctors.iter().cloned().chain(of_opaque).collect();
        Mono {
            src,
            named,
            ranges: FxMap::default(),
            types,
            found: known.clone(),
            known,
            out: Program::default(),
            opaque,
            components: FxMap::default(),
            in_progress: Vec::new(),
            ctors: FxMap::default(),
            datatypes: FxMap::default(),
            encoding: 0,
            lambdas: FxMap::default(),
            without_axioms: Vec::new(),
            functions: FxMap::default(),
            procedures: FxMap::default(),
            open_functions: Vec::new(),
            open_procedures: Vec::new(),
            globals: FxMap::default(),
        }
    }

    /// A type with the choices of the environment.
    fn ground(&mut self, ty: TypeId, env: &Env) -> TypeId {
        self.types.substitute(ty, &env.type_vars, &env.type_args)
    }

    fn ground_all(&mut self, types: &[TypeId], env: &Env) -> Vec<TypeId> {
        types.iter().map(|ty| self.ground(*ty, env)).collect()
    }
}
