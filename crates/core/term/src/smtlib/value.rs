//! Values as solvers print them in answers to `get-value`: literals of every theory; arrays as chains of `store` over a
//! constant array or as a `lambda` that compares its argument with constants; elements of uninterpreted sorts under
//! whatever name the solver invented, told apart by the number at its end.

use crate::smtlib::elaborate::{Elaborator, Environment, Maker};
use crate::smtlib::sexp::{Kind, NodeId, ReadError, Sexps};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::value::{ArrayValue, Value};
use fathom_base::FxMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Parses a value of this sort.
pub fn read_value(store: &TermStore, sort: Sort, text: &str) -> Result<Value, ReadError> {
    let sexps = Sexps::parse(text)?;
    match *sexps.roots.as_slice() {
        [root] => value(store, &sexps, root, sort, 0),
        _ => Err(ReadError { position: super::Position { line: 1, column: 1 }, message: "one value is expected".into() }),
    }
}

/// Parses an answer to `get-value`, `((term value) ...)`, for terms of these sorts.
pub fn read_values(store: &TermStore, sorts: &[Sort], text: &str) -> Result<Vec<Value>, ReadError> {
    let sexps = Sexps::parse(text)?;
    let fail = |message: &str| ReadError { position: super::Position { line: 1, column: 1 }, message: message.into() };
    let &[root] = sexps.roots.as_slice() else { return Err(fail("one list of values is expected")) };
    let pairs = sexps.list(root).filter(|pairs| pairs.len() == sorts.len());
    let pairs = pairs.ok_or_else(|| fail(&format!("a list of {} values is expected", sorts.len())))?;
    let read = |(&pair, &sort): (&NodeId, &Sort)| match sexps.list(pair) {
        Some(&[_, node]) => value(store, &sexps, node, sort, 0),
        _ => Err(sexps.error(pair, "expected (term value)")),
    };
    pairs.iter().zip(sorts).map(read).collect()
}

/// Arrays of arrays nest this deep at most.
const MAX_NESTING: u32 = 64;

fn value(store: &TermStore, sexps: &Sexps, node: NodeId, sort: Sort, nesting: u32) -> Result<Value, ReadError> {
    match sort {
        _ if nesting > MAX_NESTING => Err(sexps.error(node, "arrays nest too deep")),
        Sort::Array(id) => {
            let (index, element) = store.array_sort_parts(id);
            array(store, sexps, node, (index, element), nesting + 1)
        }
        Sort::Opaque(_) => opaque(sexps, node),
        _ => scalar(store, sexps, node, sort),
    }
}

fn scalar(store: &TermStore, sexps: &Sexps, node: NodeId, sort: Sort) -> Result<Value, ReadError> {
    let mut environment = Environment { meanings: FxMap::default(), sorts: FxMap::default(), open: false };
    let term = Elaborator::new(store, true, sexps, &mut environment).term(node)?;
    let term = Maker { store, simplify: true }.coerce(term, sort).map_err(|message| sexps.error(node, message))?;
    store.const_value(term).ok_or_else(|| sexps.error(node, "a constant is expected"))
}

/// `S!val!3`, `@const_3`, `(as @S_3 S)`.
fn opaque(sexps: &Sexps, node: NodeId) -> Result<Value, ReadError> {
    let name = match sexps.list(node) {
        Some(&[keyword, name, _]) if sexps.symbol(keyword) == Some("as") => name,
        _ => node,
    };
    let symbol = sexps.symbol(name).ok_or_else(|| sexps.error(node, "an element of a sort is expected"))?;
    let number = &symbol[symbol.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
    number.parse().map(Value::Bits).map_err(|_| sexps.error(node, format!("`{symbol}` is no element of a sort")))
}

fn array(store: &TermStore, sexps: &Sexps, root: NodeId, sorts: (Sort, Sort), nesting: u32) -> Result<Value, ReadError> {
    let (index_sort, element_sort) = sorts;
    let mut entries = BTreeMap::new();
    let mut node = root;
    // Outer writes win over inner ones.
    let default = loop {
        let unknown = || sexps.error(node, "an array value is expected");
        let items = sexps.list(node).ok_or_else(unknown)?;
        match *items {
            [head, inner, index, element] if sexps.symbol(head) == Some("store") => {
                let index = value(store, sexps, index, index_sort, nesting)?;
                let element = value(store, sexps, element, element_sort, nesting)?;
                entries.entry(index).or_insert(element);
                node = inner;
            }
            [head, element] if is_const_head(sexps, head) => {
                break value(store, sexps, element, element_sort, nesting)?;
            }
            [head, params, body] if sexps.symbol(head) == Some("lambda") => {
                break table(store, sexps, (params, body), sorts, nesting, &mut entries)?;
            }
            _ => return Err(unknown()),
        }
    };
    entries.retain(|_, element| *element != default);
    Ok(Value::Array(Rc::new(ArrayValue { default, entries: entries.into_iter().collect() })))
}

fn is_const_head(sexps: &Sexps, head: NodeId) -> bool {
    matches!(sexps.list(head), Some(&[keyword, name, _]) if sexps.symbol(keyword) == Some("as") && sexps.symbol(name) == Some("const"))
}

/// `(lambda ((x I)) (ite (= x c) v (ite ... d)))`: adds the entries, gives the default.
fn table(
    store: &TermStore,
    sexps: &Sexps,
    (params, body): (NodeId, NodeId),
    (index_sort, element_sort): (Sort, Sort),
    nesting: u32,
    entries: &mut BTreeMap<Value, Value>,
) -> Result<Value, ReadError> {
    let param = match sexps.list(params) {
        Some(&[only]) => sexps.list(only).and_then(|parts| sexps.symbol(*parts.first()?)),
        _ => None,
    };
    let param = param.ok_or_else(|| sexps.error(params, "one parameter is expected"))?;
    let mut node = body;
    while let Some(&[head, condition, then, otherwise]) = sexps.list(node) {
        if sexps.symbol(head) != Some("ite") {
            break;
        }
        let index = match sexps.list(condition) {
            Some(&[equals, a, b]) if sexps.symbol(equals) == Some("=") => {
                if is_symbol(sexps, a, param) {
                    b
                } else if is_symbol(sexps, b, param) {
                    a
                } else {
                    break;
                }
            }
            _ if index_sort == Sort::Bool && is_symbol(sexps, condition, param) => {
                let element = value(store, sexps, then, element_sort, nesting)?;
                entries.entry(Value::TRUE).or_insert(element);
                node = otherwise;
                continue;
            }
            _ => return Err(sexps.error(condition, "a comparison of the parameter with a constant is expected")),
        };
        let index = value(store, sexps, index, index_sort, nesting)?;
        let element = value(store, sexps, then, element_sort, nesting)?;
        entries.entry(index).or_insert(element);
        node = otherwise;
    }
    value(store, sexps, node, element_sort, nesting)
}

fn is_symbol(sexps: &Sexps, node: NodeId, name: &str) -> bool {
    matches!(sexps.kind(node), Kind::Symbol { name: found, .. } if found == name)
}
