//! Types to sorts. A map with several arguments is a map to maps; one without arguments is its result. Type constructors
//! are uninterpreted sorts, one for each choice of their arguments, and so are strings and regular expressions, whose
//! literals are constants that differ.

use super::{Lowered, Lowerer, Unsupported};
use crate::source::Span;
use crate::typed::{Type, TypeId};
use fathom_term::{FloatFormat, Sort};

impl Lowerer<'_> {
    pub(super) fn sort(&mut self, ty: TypeId, span: Span) -> Lowered<Sort> {
        if let Some(known) = self.sorts.get(&ty) {
            return known.clone().map_err(|problem| Unsupported { span, ..problem });
        }
        let sort = crate::deep(|| self.new_sort(ty, span));
        self.sorts.insert(ty, sort.clone());
        sort
    }

    fn new_sort(&mut self, ty: TypeId, span: Span) -> Lowered<Sort> {
        let typed = self.typed;
        let unsupported = |what: String| Err(Unsupported { what, span });
        match typed.types.get(ty) {
            Type::Bool => Ok(Sort::Bool),
            Type::Int => Ok(Sort::Int),
            Type::Real => Ok(Sort::Real),
            Type::BitVec(0) => unsupported("bit-vectors of width 0".into()),
            Type::BitVec(width) => Ok(Sort::Bv(*width)),
            Type::Float { significand, exponent } => {
                match (u16::try_from(*significand), u16::try_from(*exponent)) {
                    (Ok(significand @ 2..=64), Ok(exponent @ 2..=15)) => Ok(Sort::Float(FloatFormat { exponent, significand })),
                    _ => unsupported(format!("the type float{significand}e{exponent}")),
                }
            }
            Type::RoundingMode => Ok(Sort::RoundingMode),
            Type::Str | Type::Regex => Ok(self.store.opaque_sort(&typed.show_type(ty))),
            Type::Ctor { ctor, .. } if !typed.ctor(*ctor).constructors.is_empty() => self.datatype_sort(ty, *ctor, span),
            Type::Ctor { .. } => Ok(self.store.opaque_sort(&typed.show_type(ty))),
            Type::Map { type_params: 0, args, result } => {
                let mut sort = self.sort(*result, span)?;
                for &arg in args.iter().rev() {
                    let index = self.sort(arg, span)?;
                    sort = self.store.array_sort(index, sort);
                }
                Ok(sort)
            }
            Type::Map { .. } | Type::Var(_) | Type::Bound { .. } | Type::Infer(_) => {
                unsupported(format!("the polymorphic type {}", typed.show_type(ty)))
            }
        }
    }
}
