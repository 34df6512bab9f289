//! Types to sorts. A map with several arguments is a map to maps; one without arguments is its result. Type constructors
//! are uninterpreted sorts, one for each choice of their arguments, and so are strings and regular expressions, whose
//! literals are constants that differ.

use super::{Lowered, Lowerer, Unsupported};
use crate::source::Span;
use crate::ast::BinaryOp;
use crate::typed::{ExprKind, Type, TypeId};
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
            Type::Ctor { ctor, .. } if !typed.ctor(*ctor).constructors.is_empty() => {
                unsupported(format!("the datatype {}", typed.show_type(ty)))
            }
            Type::Ctor { .. } => Ok(self.store.opaque_sort(&typed.show_type(ty))),
            Type::Map { type_params: 0, .. } if self.flat.contains(&ty) => {
                let (widths, element) = self.flat_parts(ty).ok_or_else(|| Unsupported { what: "this map".into(), span })?;
                let element = self.sort(element, span)?;
                Ok(self.store.array_sort(Sort::Bv(widths.iter().sum()), element))
            }
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

    /// Which maps are used other than by reading and writing them: lambdas among those need axioms.
    pub(super) fn read_comparisons(&mut self) {
        let typed = self.typed;
        for expr in &typed.exprs {
            let whole: Vec<TypeId> = match &expr.kind {
                ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, _) => vec![typed.type_of(*left)],
                ExprKind::Call { args, .. } => args.iter().map(|&arg| typed.type_of(arg)).collect(),
                _ => continue,
            };
            for ty in whole {
                let mut open = vec![ty];
                while let Some(ty) = open.pop() {
                    if let Type::Map { args, result, .. } = typed.types.get(ty)
                        && let Ok(sort) = self.sort(ty, expr.span)
                    {
                        let mut sort = sort;
                        for _ in args {
                            self.compared_sorts.insert(sort);
                            let Sort::Array(id) = sort else { break };
                            sort = self.store.array_sort_parts(id).1;
                        }
                        open.push(*result);
                    }
                }
            }
        }
    }
}
