//! Type inference within one expression. Type parameters of functions, procedures and polymorphic maps are unknowns that
//! unification solves; after the expression every unknown is replaced by its solution. One that nothing determines is
//! `int`, with a warning, as in Boogie.

use super::Checker;
use crate::typed::*;
use crate::types::Types;

#[derive(Default)]
pub(super) struct Inference {
    solutions: Vec<Option<TypeId>>,
    /// The expression that brought each unknown in.
    origins: Vec<crate::Span>,
    /// Unknowns that stand for an error that was reported.
    errors: Vec<bool>,
    /// Uses of `++` whose widths are not all known.
    concats: Vec<Concat>,
}

/// The types of `left ++ right` and of the whole: the widths add up.
#[derive(Clone, Copy)]
struct Concat {
    left: TypeId,
    right: TypeId,
    whole: TypeId,
    span: crate::Span,
}

/// Where the expressions and variables of a whole expression begin.
pub(super) struct Root {
    exprs: usize,
    vars: usize,
    diagnostics: usize,
}

impl Inference {
    /// Resolves a type variable at the head of a type, as far as it is solved.
    fn head(&self, types: &Types, mut ty: TypeId) -> TypeId {
        while let Type::Infer(unknown) = *types.get(ty)
            && let Some(solution) = self.solutions.get(unknown as usize).copied().flatten()
        {
            ty = solution;
        }
        ty
    }

    /// For messages: what is known at the head.
    pub(super) fn peek(&self, types: &Types, ty: TypeId) -> TypeId {
        self.head(types, ty)
    }
}

impl Checker<'_> {
    pub(super) fn begin_root(&mut self) -> Root {
        Root { exprs: self.out.exprs.len(), vars: self.out.vars.len(), diagnostics: self.diagnostics.len() }
    }

    /// Replaces all unknowns of the expressions and variables since `root`.
    pub(super) fn end_root(&mut self, root: Root) {
        if self.infer.solutions.is_empty() {
            return;
        }
        self.finish_concats();
        let failed = self.diagnostics[root.diagnostics..].iter().any(|d| d.severity == crate::Severity::Error);
        if !failed {
            self.warn_about_unsolved();
        }
        for at in root.exprs..self.out.exprs.len() {
            self.out.exprs[at].ty = self.solved(self.out.exprs[at].ty);
            let args = match &mut self.out.exprs[at].kind {
                ExprKind::Call { type_args, .. } | ExprKind::Select { type_args, .. } | ExprKind::Store { type_args, .. } => {
                    std::mem::take(type_args)
                }
                _ => continue,
            };
            let solved = args.into_iter().map(|arg| self.solved(arg)).collect();
            if let ExprKind::Call { type_args, .. } | ExprKind::Select { type_args, .. } | ExprKind::Store { type_args, .. } =
                &mut self.out.exprs[at].kind
            {
                *type_args = solved;
            }
        }
        for at in root.vars..self.out.vars.len() {
            self.out.vars[at].ty = self.solved(self.out.vars[at].ty);
        }
        self.infer = Inference::default();
    }

    /// The type of `left ++ right`, of which at least one is unknown so far; None if one is no bit-vector.
    pub(super) fn open_concat(&mut self, left: TypeId, right: TypeId, span: crate::Span) -> Option<TypeId> {
        for side in [left, right] {
            match self.head_type(side) {
                Type::Infer(unknown) if self.infer.errors.get(unknown as usize) == Some(&true) => return Some(self.error_type(span)),
                Type::Infer(_) | Type::BitVec(_) => {}
                _ => return None,
            }
        }
        let whole = self.unknown(span);
        self.infer.concats.push(Concat { left, right, whole, span });
        Some(whole)
    }

    /// Solves uses of `++` of which two widths are known, as long as there are any. A use that can't add up stays.
    pub(super) fn settle_concats(&mut self) {
        loop {
            let mut open = Vec::new();
            let mut solved = false;
            for concat in std::mem::take(&mut self.infer.concats) {
                let width = |ty: TypeId| match self.head_type(ty) {
                    Type::BitVec(width) => Some(width),
                    _ => None,
                };
                let missing = match (width(concat.left), width(concat.right), width(concat.whole)) {
                    (Some(m), Some(n), None) if m + n <= crate::MAX_WIDTH => Some((concat.whole, m + n)),
                    (Some(m), None, Some(sum)) if m <= sum => Some((concat.right, sum - m)),
                    (None, Some(n), Some(sum)) if n <= sum => Some((concat.left, sum - n)),
                    (Some(m), Some(n), Some(sum)) if m + n == sum => continue,
                    _ => None,
                };
                let ty = missing.map(|(place, width)| (place, self.out.types.bit_vec(width)));
                match ty {
                    Some((place, ty)) if self.unify(place, ty) => solved = true,
                    _ => open.push(concat),
                }
            }
            self.infer.concats = open;
            if !solved {
                return;
            }
        }
    }

    fn finish_concats(&mut self) {
        self.settle_concats();
        for Concat { left, right, whole, span } in std::mem::take(&mut self.infer.concats) {
            let is_unknown = |ty: TypeId| matches!(self.head_type(ty), Type::Infer(_));
            let message = if [left, right, whole].into_iter().filter(|&ty| is_unknown(ty)).count() > 1 {
                "the widths of the operands of ++ are not determined here".to_string()
            } else {
                format!("++ of {} and {} is no {}", self.show(left), self.show(right), self.show(whole))
            };
            self.error(span, message);
        }
    }

    fn warn_about_unsolved(&mut self) {
        for unknown in 0..self.infer.solutions.len() {
            if self.infer.solutions[unknown].is_none() && !self.infer.errors[unknown] {
                self.infer.solutions[unknown] = Some(Types::INT);
                let span = self.infer.origins[unknown];
                self.warn(span, "a type parameter is ambiguous here and taken to be int");
            }
        }
    }

    /// A type with the unknowns replaced by what they turned out to be.
    pub(super) fn solved(&mut self, ty: TypeId) -> TypeId {
        if !self.out.types.parts(ty).infer {
            return ty;
        }
        let infer = &self.infer;
        self.out.types.rewrite(ty, &mut |types, leaf, _| solve(infer, types, leaf))
    }

    pub(super) fn unknown(&mut self, span: crate::Span) -> TypeId {
        self.infer.solutions.push(None);
        self.infer.origins.push(span);
        self.infer.errors.push(false);
        self.out.types.intern(Type::Infer(self.infer.solutions.len() as u32 - 1))
    }

    /// The type of something wrong: it fits everything.
    pub(super) fn error_type(&mut self, span: crate::Span) -> TypeId {
        let ty = self.unknown(span);
        *self.infer.errors.last_mut().expect("just pushed") = true;
        ty
    }

    pub(super) fn head(&self, ty: TypeId) -> TypeId {
        self.infer.head(&self.out.types, ty)
    }

    pub(super) fn head_type(&self, ty: TypeId) -> Type {
        self.out.types.get(self.head(ty)).clone()
    }

    /// Makes two types equal if that is possible.
    pub(super) fn unify(&mut self, a: TypeId, b: TypeId) -> bool {
        self.unify_at(a, b, false)
    }

    /// `inside` a polymorphic map type an unknown must not become one of its parameters.
    fn unify_at(&mut self, a: TypeId, b: TypeId, inside: bool) -> bool {
        let (a, b) = (self.head(a), self.head(b));
        if a == b {
            return true;
        }
        crate::deep(|| match (self.out.types.get(a).clone(), self.out.types.get(b).clone()) {
            (Type::Infer(unknown), _) => self.solve(unknown, b, inside),
            (_, Type::Infer(unknown)) => self.solve(unknown, a, inside),
            (Type::Ctor { ctor: c, args: xs }, Type::Ctor { ctor: d, args: ys }) => {
                c == d && xs.len() == ys.len() && self.unify_all(&xs, &ys, inside)
            }
            (Type::Map { type_params: p, args: xs, result: x }, Type::Map { type_params: q, args: ys, result: y }) => {
                let inside = inside || p > 0;
                p == q && xs.len() == ys.len() && self.unify_all(&xs, &ys, inside) && self.unify_at(x, y, inside)
            }
            _ => false,
        })
    }

    fn unify_all(&mut self, xs: &[TypeId], ys: &[TypeId], inside: bool) -> bool {
        xs.iter().zip(ys).all(|(x, y)| self.unify_at(*x, *y, inside))
    }

    fn solve(&mut self, unknown: u32, ty: TypeId, inside: bool) -> bool {
        let ty = self.solved(ty);
        let parts = self.out.types.parts(ty);
        // An unknown of another problem (an attribute inside an expression sees a let-bound variable) fits only itself.
        let foreign = unknown as usize >= self.infer.solutions.len();
        if foreign || inside && parts.bound {
            return false;
        }
        let mut occurs = false;
        if parts.infer {
            self.out.types.rewrite(ty, &mut |types, leaf, _| {
                occurs |= *types.get(leaf) == Type::Infer(unknown);
                leaf
            });
        }
        if !occurs {
            self.infer.solutions[unknown as usize] = Some(ty);
        }
        !occurs
    }

    /// Whether two types could be equal if type variables were chosen well; comparing them makes sense then.
    pub(super) fn comparable(&mut self, a: TypeId, b: TypeId) -> bool {
        if self.unify(a, b) {
            return true;
        }
        let (a, b) = (self.solved(a), self.solved(b));
        if !self.out.types.parts(a).var && !self.out.types.parts(b).var {
            return false;
        }
        // Type variables become unknowns of a separate problem.
        let saved = std::mem::take(&mut self.infer);
        let mut vars = self.out.types.variables(a);
        vars.extend(self.out.types.variables(b));
        let unknowns: Vec<TypeId> = vars.iter().map(|_| self.unknown(crate::Span { file: 0, start: 0, end: 0 })).collect();
        let (a, b) = (self.out.types.substitute(a, &vars, &unknowns), self.out.types.substitute(b, &vars, &unknowns));
        let answer = self.unify(a, b);
        self.infer = saved;
        answer
    }
}

fn solve(infer: &Inference, types: &mut Types, leaf: TypeId) -> TypeId {
    let head = infer.head(types, leaf);
    if head == leaf || !types.parts(head).infer {
        return head;
    }
    crate::deep(|| types.rewrite(head, &mut |types, leaf, _| solve(infer, types, leaf)))
}
