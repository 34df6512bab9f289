//! Interned types: equal types have equal ids, so comparing them costs nothing. Type synonyms never get here. The bound
//! parameters of polymorphic map types are counted outwards (as de Bruijn did) and numbered by first occurrence, so map
//! types that differ only in the names or order of their parameters are the same type, as in Boogie.

use crate::typed::{Type, TypeCtor, TypeId, TypeVarId};
use fathom_base::FxMap;
use std::rc::Rc;

/// The types of a program, each once.
#[derive(Clone, Debug)]
pub struct Types {
    all: Vec<Type>,
    /// What occurs in each type, so that most walks end at once.
    parts: Vec<Parts>,
    ids: FxMap<Type, TypeId>,
}

/// Which kinds of open ends a type contains.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    pub var: bool,
    pub bound: bool,
    pub infer: bool,
}

impl Parts {
    fn or(self, other: Parts) -> Parts {
        Parts { var: self.var || other.var, bound: self.bound || other.bound, infer: self.infer || other.infer }
    }

    pub fn any(self) -> bool {
        self.var || self.bound || self.infer
    }
}

/// Replaces a `Var`, `Bound` or `Infer`, given how many polymorphic map types lie around it.
pub type Leaf<'a> = &'a mut dyn FnMut(&mut Types, TypeId, u32) -> TypeId;

impl Types {
    pub const BOOL: TypeId = TypeId(0);
    pub const INT: TypeId = TypeId(1);
    pub const REAL: TypeId = TypeId(2);
    pub const ROUNDING_MODE: TypeId = TypeId(3);
    pub const STR: TypeId = TypeId(4);

    /// The type of a number.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.all[id.index()]
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What occurs in a type.
    pub fn parts(&self, id: TypeId) -> Parts {
        self.parts[id.index()]
    }

    /// The number of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(known) = self.ids.get(&ty) {
            return *known;
        }
        let parts = match &ty {
            Type::Var(_) => Parts { var: true, ..Parts::default() },
            Type::Bound { .. } => Parts { bound: true, ..Parts::default() },
            Type::Infer(_) => Parts { infer: true, ..Parts::default() },
            Type::Ctor { args, .. } => args.iter().fold(Parts::default(), |all, arg| all.or(self.parts(*arg))),
            Type::Map { args, result, .. } => args.iter().fold(self.parts(*result), |all, arg| all.or(self.parts(*arg))),
            _ => Parts::default(),
        };
        let id = TypeId(self.all.len() as u32);
        self.all.push(ty.clone());
        self.parts.push(parts);
        self.ids.insert(ty, id);
        id
    }

    /// Bit-vectors of this width.
    pub fn bit_vec(&mut self, width: u32) -> TypeId {
        self.intern(Type::BitVec(width))
    }

    /// Maps from these types to that one.
    pub fn map(&mut self, args: Vec<TypeId>, result: TypeId) -> TypeId {
        self.intern(Type::Map { type_params: 0, args, result })
    }

    /// Rebuilds a type with its open ends replaced. A part that occurs many times is rebuilt once.
    pub fn rewrite(&mut self, ty: TypeId, leaf: Leaf) -> TypeId {
        self.rewrite_at(ty, 0, leaf, &mut FxMap::default())
    }

    fn rewrite_at(&mut self, ty: TypeId, depth: u32, leaf: Leaf, done: &mut FxMap<(TypeId, u32), TypeId>) -> TypeId {
        if !self.parts(ty).any() {
            return ty;
        }
        if let Some(known) = done.get(&(ty, depth)) {
            return *known;
        }
        let new = crate::deep(|| match self.get(ty).clone() {
            Type::Ctor { ctor, args } => {
                let args = args.into_iter().map(|arg| self.rewrite_at(arg, depth, leaf, done)).collect();
                self.intern(Type::Ctor { ctor, args })
            }
            Type::Map { type_params, args, result } => {
                let inside = depth + u32::from(type_params > 0);
                let args = args.into_iter().map(|arg| self.rewrite_at(arg, inside, leaf, done)).collect();
                let result = self.rewrite_at(result, inside, leaf, done);
                self.intern(Type::Map { type_params, args, result })
            }
            _ => leaf(self, ty, depth),
        });
        done.insert((ty, depth), new);
        new
    }

    /// A type with type variables replaced. The replacements have no bound parameters of their surroundings, so nothing
    /// has to be shifted; the same holds for `open`.
    pub fn substitute(&mut self, ty: TypeId, vars: &[TypeVarId], with: &[TypeId]) -> TypeId {
        if vars.is_empty() || !self.parts(ty).var {
            return ty;
        }
        self.rewrite(ty, &mut |types, leaf, _| match *types.get(leaf) {
            Type::Var(var) => vars.iter().position(|v| *v == var).map_or(leaf, |at| with[at]),
            _ => leaf,
        })
    }

    /// A part of a polymorphic map type, seen from outside, with the map's parameters replaced.
    pub fn open(&mut self, part: TypeId, with: &[TypeId]) -> TypeId {
        if !self.parts(part).bound {
            return part;
        }
        self.rewrite(part, &mut |types, leaf, depth| match *types.get(leaf) {
            Type::Bound { level, index } if level == depth => with[index as usize],
            _ => leaf,
        })
    }

    /// The map type over type variables that its parts were written in; the variables become its parameters, in the
    /// order in which they occur.
    pub fn close_map(&mut self, vars: &[TypeVarId], args: Vec<TypeId>, result: TypeId) -> TypeId {
        let mut order = Vec::new();
        for part in args.iter().chain([&result]) {
            self.rewrite(*part, &mut |types, leaf, _| {
                if let Type::Var(var) = *types.get(leaf)
                    && vars.contains(&var)
                    && !order.contains(&var)
                {
                    order.push(var);
                }
                leaf
            });
        }
        let close = |types: &mut Types, part| {
            types.rewrite(part, &mut |types, leaf, depth| match *types.get(leaf) {
                Type::Var(var) => match order.iter().position(|v| *v == var) {
                    Some(index) => types.intern(Type::Bound { level: depth, index: index as u32 }),
                    None => leaf,
                },
                _ => leaf,
            })
        };
        let args = args.into_iter().map(|arg| close(self, arg)).collect();
        let result = close(self, result);
        self.intern(Type::Map { type_params: order.len() as u32, args, result })
    }

    /// The type variables that occur in a type, in order.
    pub fn variables(&mut self, ty: TypeId) -> Vec<TypeVarId> {
        let mut all = Vec::new();
        if self.parts(ty).var {
            self.rewrite(ty, &mut |types, leaf, _| {
                if let Type::Var(var) = *types.get(leaf)
                    && !all.contains(&var)
                {
                    all.push(var);
                }
                leaf
            });
        }
        all
    }
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Types { all: Vec::new(), parts: Vec::new(), ids: FxMap::default() };
        for basic in [Type::Bool, Type::Int, Type::Real, Type::RoundingMode, Type::Str] {
            types.intern(basic);
        }
        types
    }
}

/// A type as Boogie writes it.
pub fn show(types: &Types, ctors: &[TypeCtor], vars: &[Rc<str>], ty: TypeId) -> String {
    let mut out = String::new();
    Shower { types, ctors, vars }.show(ty, 0, false, &mut out);
    out
}

struct Shower<'a> {
    types: &'a Types,
    ctors: &'a [TypeCtor],
    vars: &'a [Rc<str>],
}

impl Shower<'_> {
    /// `depth` polymorphic map types are around; `atom` asks for parentheses around what has arguments.
    fn show(&self, ty: TypeId, depth: u32, atom: bool, out: &mut String) {
        // Synonyms may stand for types that are too large to print or compute.
        if out.len() > 500 {
            if !out.ends_with('…') {
                out.push('…');
            }
            return;
        }
        crate::deep(|| match self.types.get(ty) {
            Type::Bool => out.push_str("bool"),
            Type::Int => out.push_str("int"),
            Type::Real => out.push_str("real"),
            Type::RoundingMode => out.push_str("rmode"),
            Type::Str => out.push_str("string"),
            Type::Regex => out.push_str("regex"),
            Type::BitVec(width) => out.push_str(&format!("bv{width}")),
            Type::Float { significand, exponent } => out.push_str(&format!("float{significand}e{exponent}")),
            Type::Var(var) => out.push_str(&self.vars[var.index()]),
            Type::Bound { level, index } => out.push_str(&format!("T{}_{index}", (depth as i64) - 1 - i64::from(*level))),
            Type::Infer(_) => out.push('?'),
            Type::Ctor { ctor, args } => {
                let open = atom && !args.is_empty();
                out.push_str(if open { "(" } else { "" });
                out.push_str(&self.ctors[ctor.index()].name);
                for arg in args {
                    out.push(' ');
                    self.show(*arg, depth, true, out);
                }
                out.push_str(if open { ")" } else { "" });
            }
            Type::Map { type_params, args, result } => self.show_map(*type_params, args, *result, depth, atom, out),
        });
    }

    fn show_map(&self, type_params: u32, args: &[TypeId], result: TypeId, depth: u32, atom: bool, out: &mut String) {
        out.push_str(if atom { "(" } else { "" });
        if type_params > 0 {
            let names: Vec<String> = (0..type_params).map(|index| format!("T{depth}_{index}")).collect();
            out.push_str(&format!("<{}>", names.join(", ")));
        }
        let depth = depth + u32::from(type_params > 0);
        out.push('[');
        for (at, arg) in args.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            self.show(*arg, depth, false, out);
        }
        out.push(']');
        self.show(result, depth, false, out);
        out.push_str(if atom { ")" } else { "" });
    }
}
