//! Types to sorts. A map with several arguments is a map to maps; one without arguments is its result. Type constructors
//! are uninterpreted sorts, one for each choice of their arguments; `{:builtin "Seq"}` makes them a solver's. Strings and
//! regular expressions are the solver's too if the program has built-in functions that it doesn't take from us; in other
//! programs they are uninterpreted sorts, whose literals are constants that differ.

use super::{Lowered, Lowerer, Unsupported};
use crate::ast::BinaryOp;
use crate::source::Span;
use crate::typed::{AttributeParam, ExprKind, Type, TypeCtor, TypeId};
use fathom_term::{FloatFormat, Sort};

/// What `{:builtin "..."}` calls a type.
fn builtin_name(ctor: &TypeCtor) -> Option<&str> {
    let attribute = ctor.attributes.iter().find(|attribute| &*attribute.name == "builtin")?;
    match attribute.params.first()? {
        AttributeParam::Str(text) => Some(text),
        _ => None,
    }
}

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
            Type::Float { significand, exponent } => match (u16::try_from(*significand), u16::try_from(*exponent)) {
                (Ok(significand @ 2..=64), Ok(exponent @ 2..=60)) => Ok(Sort::Float(FloatFormat { exponent, significand })),
                _ => unsupported(format!("the type float{significand}e{exponent}")),
            },
            Type::RoundingMode => Ok(Sort::RoundingMode),
            Type::Str if self.solver_strings => Ok(self.store.theory_sort("String", &[])),
            Type::Regex if self.solver_strings => Ok(self.store.theory_sort("(RegEx String)", &[])),
            Type::Str | Type::Regex => Ok(self.store.opaque_sort(&typed.show_type(ty))),
            Type::Ctor { ctor, .. } if !typed.ctor(*ctor).constructors.is_empty() => {
                unsupported(format!("the datatype {}", typed.show_type(ty)))
            }
            Type::Ctor { ctor, .. } if builtin_name(typed.ctor(*ctor)).is_some() => {
                let arguments: Vec<Sort> =
                    typed.ctor(*ctor).instance_of.iter().map(|&arg| self.sort(arg, span)).collect::<Result<_, _>>()?;
                Ok(self.store.theory_sort(builtin_name(typed.ctor(*ctor)).unwrap_or_default(), &arguments))
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

    /// Whether the program has a function on strings or regular expressions that is a solver's to compute: literals alone
    /// we know ourselves.
    pub(super) fn read_string_functions(&mut self) {
        let is_theirs = |name: &str| name.starts_with("re.") || name.starts_with("str.") || name.starts_with("seq.");
        let mut names = self.typed.functions.iter().filter_map(|function| function.builtin.as_deref());
        self.solver_strings = names.any(is_theirs);
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
