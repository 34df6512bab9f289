//! Maps over several bit-vectors as maps over one. `[bv1][bv32]T` and `[bv1, bv32]T` would be arrays of arrays; where such a map
//! is only ever read and written down to its elements, it is an array over the bits of all indices together, which every
//! solver for bit-vectors knows (GPUVerify keeps what threads share in such maps). Both forms have the same values: a
//! function of two arguments, curried or not.

use super::Lowerer;
use crate::typed::{ExprId, ExprKind, FunctionKind, StmtKind, Type, TypeId};
use fathom_base::{FxMap, FxSet};
use fathom_term::Term;

impl Lowerer<'_> {
    /// Finds the map types that are used element by element only.
    pub(super) fn read_flat_maps(&mut self) {
        let typed = self.typed;
        let mut flat: FxSet<TypeId> = (0..typed.types.len() as u32).map(TypeId).filter(|&ty| self.could_be_flat(ty)).collect();
        if flat.is_empty() {
            return;
        }
        // Maps inside of flat ones are gone, so each use of one must be a use of an element.
        let mut uses: FxMap<ExprId, (u32, u32)> = FxMap::default();
        for expr in &typed.exprs {
            expr.kind.children(|child| uses.entry(child).or_default().0 += 1);
            match &expr.kind {
                ExprKind::Select { map, .. } => uses.entry(*map).or_default().1 += 1,
                ExprKind::Store { .. } if flat.contains(&expr.ty) && self.is_nested(expr.ty) => match self.nested_write(&expr.kind) {
                    Some((inner, _, _)) => uses.entry(inner).or_default().1 += 1,
                    None => {
                        flat.remove(&expr.ty);
                    }
                },
                ExprKind::Lambda { .. } => {
                    flat.remove(&expr.ty);
                }
                _ => {}
            }
        }
        for (number, expr) in typed.exprs.iter().enumerate() {
            let id = ExprId(number as u32);
            if let ExprKind::Select { map, .. } = &expr.kind
                && self.is_nested(typed.type_of(*map))
                && uses.get(&id).is_none_or(|(all, good)| all != good)
            {
                flat.remove(&typed.type_of(*map));
            }
        }
        self.drop_whole_uses(&mut flat);
        self.flat = flat;
    }

    /// Inner maps that statements take as a whole, and maps that built-in functions work on.
    fn drop_whole_uses(&self, flat: &mut FxSet<TypeId>) {
        let typed = self.typed;
        let mut whole: Vec<ExprId> = Vec::new();
        for statement in typed.implementations.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.stmts) {
            match &statement.kind {
                StmtKind::Assign { values, .. } => whole.extend(values),
                StmtKind::Call(call) => whole.extend(call.args.iter().flatten()),
                _ => {}
            }
        }
        for id in whole {
            if let ExprKind::Select { map, .. } = &typed.expr(id).kind {
                let outer = typed.type_of(*map);
                if self.is_nested(outer) {
                    flat.remove(&outer);
                }
            }
        }
        for function in typed.functions.iter().filter(|function| function.builtin.is_some() || function.kind != FunctionKind::Plain) {
            let types = function.params.iter().map(|&param| typed.var(param).ty).chain([function.result]);
            types.for_each(|ty| {
                flat.remove(&ty);
            });
        }
    }

    /// Whether all indices down to the element are bit-vectors, at least two of them, on one or two levels.
    fn could_be_flat(&self, ty: TypeId) -> bool {
        self.flat_parts(ty).is_some_and(|(widths, _)| widths.len() > 1)
    }

    /// The widths of all indices of a map, and the type of its elements.
    pub(super) fn flat_parts(&self, ty: TypeId) -> Option<(Vec<u32>, TypeId)> {
        let types = &self.typed.types;
        let mut widths = Vec::new();
        let (mut at, mut levels) = (ty, 0);
        while let Type::Map { type_params: 0, args, result } = types.get(at) {
            levels += 1;
            for &arg in args {
                match *types.get(arg) {
                    Type::BitVec(width) if width > 0 => widths.push(width),
                    _ => return None,
                }
            }
            at = *result;
        }
        let is_map = matches!(types.get(at), Type::Map { .. });
        (levels > 0 && levels <= 2 && !is_map).then_some((widths, at))
    }

    /// Whether the elements of a map are maps.
    fn is_nested(&self, ty: TypeId) -> bool {
        matches!(self.typed.types.get(ty), Type::Map { result, .. } if matches!(self.typed.types.get(*result), Type::Map { .. }))
    }

    /// `m[a := m[a][b := v]]`: the inner read, the inner indices and the value.
    fn nested_write(&self, kind: &ExprKind) -> Option<(ExprId, Vec<ExprId>, ExprId)> {
        let typed = self.typed;
        let ExprKind::Store { map, args, value, .. } = kind else { return None };
        let ExprKind::Store { map: inner, args: inner_args, value, .. } = &typed.expr(*value).kind else { return None };
        let ExprKind::Select { map: again, args: again_args, .. } = &typed.expr(*inner).kind else { return None };
        let same_args = args.len() == again_args.len() && args.iter().zip(again_args).all(|(a, b)| self.same(*a, *b));
        (self.same(*map, *again) && same_args).then(|| (*inner, inner_args.clone(), *value))
    }

    /// Whether two expressions are the same text; what isn't plain counts as different.
    fn same(&self, a: ExprId, b: ExprId) -> bool {
        use ExprKind::*;
        let all = |xs: &[ExprId], ys: &[ExprId]| xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.same(*x, *y));
        a == b
            || match (&self.typed.expr(a).kind, &self.typed.expr(b).kind) {
                (Var(x), Var(y)) => x == y,
                (BitVec { value: x, width: m }, BitVec { value: y, width: n }) => x == y && m == n,
                (Bool(x), Bool(y)) => x == y,
                (Call { function: f, args: xs, .. }, Call { function: g, args: ys, .. }) => f == g && all(xs, ys),
                (Unary(f, x), Unary(g, y)) => f == g && self.same(*x, *y),
                (Binary(f, x, s), Binary(g, y, t)) => f == g && self.same(*x, *y) && self.same(*s, *t),
                (Ite(c, x, s), Ite(d, y, t)) => self.same(*c, *d) && self.same(*x, *y) && self.same(*s, *t),
                (Select { map: m, args: xs, .. }, Select { map: n, args: ys, .. }) => self.same(*m, *n) && all(xs, ys),
                (Extract { value: x, high: h, low: l }, Extract { value: y, high: i, low: k }) => h == i && l == k && self.same(*x, *y),
                _ => false,
            }
    }

    /// How an expression uses a flat map, if it does: the map, all indices, and the value that is written.
    pub(super) fn flat_access(&self, id: ExprId) -> Option<FlatAccess> {
        let typed = self.typed;
        if self.flat.is_empty() {
            return None;
        }
        match &typed.expr(id).kind {
            ExprKind::Select { map, args, .. } => {
                if self.flat.contains(&typed.type_of(*map)) && !self.is_nested(typed.type_of(*map)) {
                    return Some(FlatAccess { map: *map, indices: args.clone(), value: None });
                }
                let ExprKind::Select { map: outer, args: first, .. } = &typed.expr(*map).kind else { return None };
                let flat = self.flat.contains(&typed.type_of(*outer)) && self.is_nested(typed.type_of(*outer));
                flat.then(|| FlatAccess { map: *outer, indices: [&first[..], &args[..]].concat(), value: None })
            }
            ExprKind::Store { map, args, value, .. } if self.flat.contains(&typed.type_of(*map)) => {
                if !self.is_nested(typed.type_of(*map)) {
                    return Some(FlatAccess { map: *map, indices: args.clone(), value: Some(*value) });
                }
                let (_, inner, value) = self.nested_write(&typed.expr(id).kind)?;
                Some(FlatAccess { map: *map, indices: [&args[..], &inner[..]].concat(), value: Some(value) })
            }
            _ => None,
        }
    }

    /// All indices as one.
    pub(super) fn flat_index(&self, indices: &[Term]) -> Option<Term> {
        let (first, rest) = indices.split_first()?;
        Some(rest.iter().fold(*first, |all, &next| self.store.concat(all, next)))
    }
}

pub(super) struct FlatAccess {
    pub map: ExprId,
    pub indices: Vec<ExprId>,
    pub value: Option<ExprId>,
}

impl FlatAccess {
    /// The expressions that it is made of.
    pub fn children(&self) -> Vec<ExprId> {
        [self.map].into_iter().chain(self.indices.iter().copied()).chain(self.value).collect()
    }
}
