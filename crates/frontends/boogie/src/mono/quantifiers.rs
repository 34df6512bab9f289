//! Quantifiers over types: the choices of their type parameters, and one quantifier for each.

use super::{Env, Mono, Unsupported};
use crate::ast::BinaryOp;
use crate::source::Span;
use crate::typed::*;
use crate::types::Types;
use fathom_base::{FxMap, FxSet};

/// More choices than this for one quantifier are not tried.
const MAX_CHOICES: usize = 1000;

/// A type with type variables in it, and what it may be equal to.
enum Pattern {
    Function(FunctionId, Vec<TypeId>),
    Ctor(CtorId, Vec<TypeId>),
    Map(TypeId, Vec<TypeId>),
}

impl Mono<'_> {
    pub(super) fn quantifier(&mut self, id: ExprId, env: &Env) -> Result<ExprId, Unsupported> {
        let src = self.src;
        let Expr { kind: ExprKind::Quantifier { forall, type_params, .. }, span, .. } = src.expr(id) else {
            unreachable!("the caller saw a quantifier")
        };
        let (forall, span) = (*forall, *span);
        let choices = if type_params.is_empty() { vec![Vec::new()] } else { self.choices(id, type_params, forall && env.fact, env, span)? };
        let mut all = None;
        for choice in choices {
            let mut env = env.with(type_params, &choice);
            env.fact &= forall;
            let one = self.quantifier_instance(id, env)?;
            let op = if forall { BinaryOp::And } else { BinaryOp::Or };
            all = Some(match all {
                None => one,
                Some(before) => self.node(ExprKind::Binary(op, before, one), Types::BOOL, span),
            });
        }
        Ok(match all {
            Some(all) => all,
            None => self.node(ExprKind::Bool(forall), Types::BOOL, span),
        })
    }

    fn quantifier_instance(&mut self, id: ExprId, mut env: Env) -> Result<ExprId, Unsupported> {
        let src = self.src;
        let Expr { kind: ExprKind::Quantifier { forall, vars, triggers, attributes, body, .. }, span, .. } = src.expr(id) else {
            unreachable!("the caller saw a quantifier")
        };
        let vars = self.bind(vars, &mut env)?;
        let mut new_triggers = Vec::new();
        for trigger in triggers {
            let start = self.out.exprs.len();
            let mut terms = Vec::new();
            for term in &trigger.terms {
                // One component stands for the whole value.
                terms.extend(self.translate_expr(*term, &env)?.first());
            }
            // A component that no term mentions would make the trigger useless to a solver.
            let used: FxSet<VarId> = self.out.exprs[start..]
                .iter()
                .filter_map(|expr| if let ExprKind::Var(var) = expr.kind { Some(var) } else { None })
                .collect();
            if !trigger.positive || vars.iter().all(|var| used.contains(var)) {
                new_triggers.push(Trigger { positive: trigger.positive, terms });
            }
        }
        let body = self.single(*body, &env)?;
        if vars.is_empty() {
            return Ok(body);
        }
        let attributes = self.attributes(attributes);
        let kind = ExprKind::Quantifier { forall: *forall, type_params: Vec::new(), vars, triggers: new_triggers, attributes, body };
        Ok(self.node(kind, Types::BOOL, *span))
    }

    /// The choices of type parameters that make some part of the quantifier equal to something that occurs.
    fn choices(&mut self, id: ExprId, params: &[TypeVarId], fact: bool, env: &Env, span: Span) -> Result<Vec<Vec<TypeId>>, Unsupported> {
        let mut candidates: FxMap<TypeVarId, Vec<TypeId>> = FxMap::default();
        for pattern in self.patterns(id, env) {
            let (args, instances) = match pattern {
                Pattern::Function(function, args) => (args, self.known.functions.get(&function)),
                Pattern::Ctor(ctor, args) => (args, self.known.ctors.get(&ctor)),
                Pattern::Map(map, args) => (args, self.known.maps.get(&map)),
            };
            for instance in instances.cloned().unwrap_or_default() {
                let mut found = FxMap::default();
                if args.iter().zip(&instance).all(|(pattern, ty)| self.matches(*pattern, *ty, &mut found)) {
                    for param in params {
                        let list = candidates.entry(*param).or_default();
                        if let Some(ty) = found.get(param)
                            && !list.contains(ty)
                        {
                            list.push(*ty);
                        }
                    }
                }
            }
        }
        if !fact {
            let any = self.opaque("any other type");
            for param in params {
                let list = candidates.entry(*param).or_default();
                if !list.contains(&any) {
                    list.push(any);
                }
            }
        }
        let mut choices: Vec<Vec<TypeId>> = vec![Vec::new()];
        for param in params {
            let list = candidates.get(param).cloned().unwrap_or_default();
            choices = choices.iter().flat_map(|choice| list.iter().map(move |ty| [&choice[..], &[*ty]].concat())).collect();
            if choices.len() > MAX_CHOICES {
                return Err(Unsupported { what: "quantifier over too many types".to_string(), span });
            }
        }
        Ok(choices)
    }

    /// Everything in the quantifier whose instances its type parameters choose.
    fn patterns(&mut self, id: ExprId, env: &Env) -> Vec<Pattern> {
        let src = self.src;
        let mut parts = Vec::new();
        src.visit(id, |part| parts.push(part));
        parts.sort_unstable();
        let mut all = Vec::new();
        for part in parts {
            let expr = src.expr(part);
            match &expr.kind {
                ExprKind::Call { function, type_args, .. } if !type_args.is_empty() => {
                    all.push(Pattern::Function(*function, self.ground_all(type_args, env)))
                }
                ExprKind::Select { map, type_args, .. } | ExprKind::Store { map, type_args, .. } if !type_args.is_empty() => {
                    let map = self.ground(src.type_of(*map), env);
                    all.push(Pattern::Map(map, self.ground_all(type_args, env)));
                }
                ExprKind::Quantifier { vars, .. } | ExprKind::Lambda { vars, .. } => {
                    for var in vars {
                        let ty = self.ground(src.var(*var).ty, env);
                        self.type_patterns(ty, &mut all);
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// The applications of type constructors in a type.
    fn type_patterns(&mut self, ty: TypeId, all: &mut Vec<Pattern>) {
        if !self.types.parts(ty).var {
            return;
        }
        crate::deep(|| match self.types.get(ty).clone() {
            Type::Ctor { ctor, args } => {
                args.iter().for_each(|arg| self.type_patterns(*arg, all));
                all.push(Pattern::Ctor(ctor, args));
            }
            Type::Map { args, result, .. } => args.iter().chain([&result]).for_each(|part| self.type_patterns(*part, all)),
            _ => {}
        });
    }

    /// Whether a type with type variables is this type for some choice of them.
    fn matches(&self, pattern: TypeId, ty: TypeId, found: &mut FxMap<TypeVarId, TypeId>) -> bool {
        if !self.types.parts(pattern).var {
            return pattern == ty;
        }
        crate::deep(|| match (self.types.get(pattern), self.types.get(ty)) {
            (Type::Var(var), _) => *found.entry(*var).or_insert(ty) == ty,
            (Type::Ctor { ctor: c, args: xs }, Type::Ctor { ctor: d, args: ys }) => c == d && self.match_all(xs, ys, found),
            (Type::Map { type_params: p, args: xs, result: x }, Type::Map { type_params: q, args: ys, result: y }) => {
                p == q && xs.len() == ys.len() && self.match_all(xs, ys, found) && self.matches(*x, *y, found)
            }
            _ => false,
        })
    }

    fn match_all(&self, xs: &[TypeId], ys: &[TypeId], found: &mut FxMap<TypeVarId, TypeId>) -> bool {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.matches(*x, *y, found))
    }
}
