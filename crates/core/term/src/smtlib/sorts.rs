//! S-expressions to sorts. Map types nest, so an explicit stack here, too.

use crate::smtlib::apply::float_format;
use crate::smtlib::derived::checked_width;
use crate::smtlib::elaborate::Environment;
use crate::smtlib::sexp::{Kind, NodeId, ReadError, Sexps};
use crate::sort::{FloatFormat, Sort};
use crate::store::TermStore;

enum SortTask {
    Eval(NodeId),
    Array,
}

pub(super) fn sort_of(store: &TermStore, sexps: &Sexps, root: NodeId, environment: &Environment) -> Result<Sort, ReadError> {
    let mut tasks = vec![SortTask::Eval(root)];
    let mut done = Vec::new();
    while let Some(task) = tasks.pop() {
        let node = match task {
            SortTask::Eval(node) => node,
            SortTask::Array => {
                if let (Some(element), Some(index)) = (done.pop(), done.pop()) {
                    done.push(store.array_sort(index, element));
                }
                continue;
            }
        };
        match sexps.list(node) {
            Some(&[name, index, element]) if sexps.symbol(name) == Some("Array") => {
                tasks.extend([SortTask::Array, SortTask::Eval(element), SortTask::Eval(index)]);
            }
            Some(items) => done.push(indexed_sort(sexps, node, items)?),
            None => done.push(simple_sort(store, sexps, node, environment)?),
        }
    }
    done.pop().ok_or_else(|| sexps.error(root, "a sort is expected"))
}

fn indexed_sort(sexps: &Sexps, node: NodeId, items: &[NodeId]) -> Result<Sort, ReadError> {
    let number = |node: NodeId| match sexps.kind(node) {
        Kind::Numeral(digits) => digits.parse::<u64>().ok(),
        _ => None,
    };
    let fail = |message: String| sexps.error(node, message);
    let name = items.get(1).and_then(|&name| sexps.symbol(name)).filter(|_| sexps.symbol(items[0]) == Some("_"));
    let indices: Option<Vec<u64>> = items.iter().skip(2).map(|&item| number(item)).collect();
    match (name, indices.as_deref()) {
        (Some("BitVec"), Some(&[width])) => Ok(Sort::Bv(checked_width(width).map_err(fail)?)),
        (Some("FloatingPoint"), Some(&[e, s])) => Ok(Sort::Float(float_format(e, s).map_err(fail)?)),
        _ => Err(fail("a sort is expected".into())),
    }
}

fn simple_sort(store: &TermStore, sexps: &Sexps, node: NodeId, environment: &Environment) -> Result<Sort, ReadError> {
    let Kind::Symbol { name, user } = sexps.kind(node) else { return Err(sexps.error(node, "a sort is expected")) };
    let builtin = match name.as_str() {
        "Bool" => Some(Sort::Bool),
        "Int" => Some(Sort::Int),
        "Real" => Some(Sort::Real),
        "RoundingMode" => Some(Sort::RoundingMode),
        "Float16" => Some(Sort::Float(FloatFormat::HALF)),
        "Float32" => Some(Sort::Float(FloatFormat::SINGLE)),
        "Float64" => Some(Sort::Float(FloatFormat::DOUBLE)),
        "Float128" => Some(Sort::Float(FloatFormat::QUAD)),
        _ => None,
    };
    if let Some(sort) = builtin.filter(|_| !user) {
        return Ok(sort);
    }
    if let Some(sort) = environment.sorts.get(name) {
        return Ok(*sort);
    }
    let known = if environment.open { store.find_opaque_sort(name) } else { None };
    known.ok_or_else(|| sexps.error(node, format!("unknown sort `{name}`")))
}
