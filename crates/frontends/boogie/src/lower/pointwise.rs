//! Built-in operations on whole maps (`MapAdd`, `MapIte`, ...): a map that holds at each index what the operation makes of the
//! arguments' elements there, as a lambda would say it.

use super::expr::unsupported;
use super::{Lowered, Lowerer};
use crate::ast::BinaryOp;
use crate::source::Span;
use fathom_term::{Op, Sort, Term, VarId};

impl Lowerer<'_> {
    /// `params` are the variables that `args` consists of.
    pub(super) fn pointwise(&mut self, operation: &str, args: &[Term], params: &[VarId], result: Sort, span: Span) -> Lowered<Term> {
        let store = self.store.clone();
        let refused = || unsupported(&format!("the built-in function {operation} on these maps"), span);
        let Sort::Array(id) = result else { return refused() };
        let (index, element) = store.array_sort_parts(id);
        let fits = |&arg: &Term| matches!(store.sort(arg), Sort::Array(id) if store.array_sort_parts(id).0 == index);
        if !args.iter().all(fits) {
            return refused();
        }
        let (place, at) = self.new_var("index", index);
        let elements: Vec<Term> = args.iter().map(|&map| store.select(map, at)).collect();
        let are = |sort: Sort| elements.iter().all(|&one| store.sort(one) == sort);
        let body = match (operation, elements.as_slice()) {
            ("MapNot", &[a]) if are(Sort::Bool) => store.not(a),
            ("MapAnd", &[a, b]) if are(Sort::Bool) => store.and(a, b),
            ("MapOr", &[a, b]) if are(Sort::Bool) => store.or(a, b),
            ("MapImp", &[a, b]) if are(Sort::Bool) => store.implies(a, b),
            ("MapIff", &[a, b]) if are(Sort::Bool) => store.eq(a, b),
            ("MapEq", &[a, b]) if store.sort(a) == store.sort(b) => store.eq(a, b),
            ("MapIte", &[c, a, b]) if store.sort(c) == Sort::Bool && store.sort(a) == store.sort(b) => store.ite(c, a, b),
            ("MapDiv", &[a, b]) if are(Sort::Int) => self.divided(Op::IntDiv, a, b),
            ("MapMod", &[a, b]) if are(Sort::Int) => self.divided(Op::IntMod, a, b),
            (_, &[a, b]) if are(Sort::Int) || are(Sort::Real) => match arithmetic(operation) {
                Some(op) => self.arithmetic(op, a, b, span)?,
                None => return refused(),
            },
            _ => return refused(),
        };
        if store.sort(body) != element {
            return refused();
        }
        Ok(self.lifted(operation, params.to_vec(), place, body, result))
    }
}

fn arithmetic(operation: &str) -> Option<BinaryOp> {
    Some(match operation {
        "MapAdd" => BinaryOp::Add,
        "MapSub" => BinaryOp::Sub,
        "MapMul" => BinaryOp::Mul,
        "MapLt" => BinaryOp::Lt,
        "MapLe" => BinaryOp::Le,
        "MapGt" => BinaryOp::Gt,
        "MapGe" => BinaryOp::Ge,
        _ => return None,
    })
}
