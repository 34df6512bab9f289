//! Interned types: equal types have equal ids, so comparing them costs nothing. Type synonyms never get here. The bound
//! parameters of polymorphic map types are counted outwards (as de Bruijn did) and numbered by first occurrence, so map
//! types that differ only in the names or order of their parameters are the same type, as in Boogie.

use crate::typed::{Type, TypeCtor, TypeId};
use fathom_base::FxMap;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Types {
    all: Vec<Type>,
    ids: FxMap<Type, TypeId>,
}

impl Types {
    pub const BOOL: TypeId = TypeId(0);
    pub const INT: TypeId = TypeId(1);
    pub const REAL: TypeId = TypeId(2);
    pub const ROUNDING_MODE: TypeId = TypeId(3);
    pub const STR: TypeId = TypeId(4);

    pub fn get(&self, id: TypeId) -> &Type {
        &self.all[id.index()]
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(known) = self.ids.get(&ty) {
            return *known;
        }
        let id = TypeId(self.all.len() as u32);
        self.all.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn bit_vec(&mut self, width: u32) -> TypeId {
        self.intern(Type::BitVec(width))
    }

    pub fn map(&mut self, args: Vec<TypeId>, result: TypeId) -> TypeId {
        self.intern(Type::Map { type_params: 0, args, result })
    }

    /// Rebuilds a type: `leaf` may replace any `Var`, `Bound` or `Infer` it contains, given how many polymorphic map
    /// types lie around it.
    pub fn rewrite(&mut self, ty: TypeId, leaf: &mut dyn FnMut(&mut Types, TypeId, u32) -> TypeId) -> TypeId {
        self.rewrite_at(ty, 0, leaf)
    }

    fn rewrite_at(&mut self, ty: TypeId, depth: u32, leaf: &mut dyn FnMut(&mut Types, TypeId, u32) -> TypeId) -> TypeId {
        crate::deep(|| match self.get(ty).clone() {
            Type::Var(_) | Type::Bound { .. } | Type::Infer(_) => leaf(self, ty, depth),
            Type::Ctor { ctor, args } if !args.is_empty() => {
                let args = args.into_iter().map(|arg| self.rewrite_at(arg, depth, leaf)).collect();
                self.intern(Type::Ctor { ctor, args })
            }
            Type::Map { type_params, args, result } => {
                let inside = depth + u32::from(type_params > 0);
                let args = args.into_iter().map(|arg| self.rewrite_at(arg, inside, leaf)).collect();
                let result = self.rewrite_at(result, inside, leaf);
                self.intern(Type::Map { type_params, args, result })
            }
            _ => ty,
        })
    }

    /// The arguments and result of a map type whose parameters are replaced by `with`. The replacements contain no bound
    /// parameters of their own surroundings, so nothing has to be shifted.
    pub fn open(&mut self, args: &[TypeId], result: TypeId, with: &[TypeId]) -> (Vec<TypeId>, TypeId) {
        let mut leaf = |types: &mut Types, ty: TypeId, depth: u32| match *types.get(ty) {
            Type::Bound { level, index } if level == depth => with[index as usize],
            _ => ty,
        };
        let args = args.iter().map(|arg| self.rewrite_at(*arg, 0, &mut leaf)).collect();
        (args, self.rewrite_at(result, 0, &mut leaf))
    }

    /// Whether `found` holds for some part of the type.
    pub fn any(&self, ty: TypeId, found: &mut dyn FnMut(&Type) -> bool) -> bool {
        crate::deep(|| {
            let this = self.get(ty);
            found(this)
                || match this {
                    Type::Ctor { args, .. } => args.iter().any(|arg| self.any(*arg, found)),
                    Type::Map { args, result, .. } => args.iter().any(|arg| self.any(*arg, found)) || self.any(*result, found),
                    _ => false,
                }
        })
    }
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Types { all: Vec::new(), ids: FxMap::default() };
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
