//! Datatypes as uninterpreted sorts: a constructor is a function, each field has a function that reads it, and a number
//! says which constructor a value is made by. Axioms tie these together; what they leave out (that no value contains
//! itself) only admits more values than there are, so proofs are right, and a counterexample that needs such a value is
//! not believed, since recursive types make the program unsupported.

use super::expr::unsupported;
use super::{Lowered, Lowerer};
use crate::source::Span;
use crate::typed::{CtorId, Type, TypeId};
use fathom_term::{FnId, Sort, Term};

/// The functions of a datatype.
#[derive(Clone)]
pub(super) struct Datatype {
    sort: Sort,
    /// Which constructor a value is made by.
    number: FnId,
    constructors: Vec<Made>,
}

#[derive(Clone)]
struct Made {
    function: FnId,
    fields: Vec<(FnId, Sort)>,
}

impl Lowerer<'_> {
    pub(super) fn datatype_sort(&mut self, ty: TypeId, ctor: CtorId, span: Span) -> Lowered<Sort> {
        if self.contains_itself(ctor) {
            return unsupported(&format!("the recursive datatype {}", self.typed.show_type(ty)), span);
        }
        Ok(self.store.opaque_sort(&self.typed.show_type(ty)))
    }

    fn contains_itself(&self, ctor: CtorId) -> bool {
        let typed = self.typed;
        let fields = |ctor: CtorId| typed.ctor(ctor).constructors.iter().flat_map(|c| &c.fields).map(|field| field.ty);
        let mut seen = fathom_base::FxSet::default();
        let mut open: Vec<TypeId> = fields(ctor).collect();
        while let Some(ty) = open.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match typed.types.get(ty) {
                Type::Ctor { ctor: other, .. } if *other == ctor => return true,
                Type::Ctor { ctor: other, args } => {
                    open.extend(args);
                    open.extend(fields(*other));
                }
                Type::Map { args, result, .. } => open.extend(args.iter().chain([result])),
                _ => {}
            }
        }
        false
    }

    /// The functions of a datatype; the axioms about them come with the first use.
    pub(super) fn datatype(&mut self, ctor: CtorId, span: Span) -> Lowered<Datatype> {
        if let Some(known) = self.datatypes.get(&ctor) {
            return Ok(known.clone());
        }
        let typed = self.typed;
        let declared = typed.ctor(ctor);
        if declared.arity > 0 {
            return unsupported(&format!("the generic datatype {}", declared.name), span);
        }
        if self.contains_itself(ctor) {
            return unsupported(&format!("the recursive datatype {}", declared.name), span);
        }
        let sort = self.store.opaque_sort(&declared.name);
        let number = self.store.function(&format!("constructor#{}", declared.name), &[sort], Sort::Int);
        let mut constructors = Vec::new();
        for constructor in &declared.constructors {
            let mut fields = Vec::new();
            for field in &constructor.fields {
                let field_sort = self.sort(field.ty, span)?;
                let reader = format!("{}#{}", constructor.name, field.name);
                fields.push((self.store.function(&reader, &[sort], field_sort), field_sort));
            }
            let sorts: Vec<Sort> = fields.iter().map(|(_, sort)| *sort).collect();
            let function = self.store.function(&format!("{}#make", constructor.name), &sorts, sort);
            constructors.push(Made { function, fields });
        }
        let datatype = Datatype { sort, number, constructors };
        self.datatypes.insert(ctor, datatype.clone());
        self.describe(&datatype);
        Ok(datatype)
    }

    fn describe(&mut self, datatype: &Datatype) {
        let store = self.store.clone();
        let (_, value) = self.new_var("value", datatype.sort);
        let mut some = store.bool(false);
        for (index, made) in datatype.constructors.iter().enumerate() {
            let index = store.int(index as i64);
            let params: Vec<Term> = made.fields.iter().map(|(_, sort)| self.new_var("field", *sort).1).collect();
            let whole = store.apply(made.function, &params);
            let mut facts = store.eq(store.apply(datatype.number, &[whole]), index);
            for ((reader, _), &param) in made.fields.iter().zip(&params) {
                facts = store.and(facts, store.eq(store.apply(*reader, &[whole]), param));
            }
            let bound = params.iter().filter_map(|&param| store.as_var(param)).collect();
            let axiom = self.close(true, bound, vec![vec![whole]], facts);
            self.axioms.push(axiom);
            let parts: Vec<Term> = made.fields.iter().map(|(reader, _)| store.apply(*reader, &[value])).collect();
            let rebuilt = store.eq(store.apply(made.function, &parts), value);
            let this = store.eq(store.apply(datatype.number, &[value]), index);
            some = store.or(some, store.and(this, rebuilt));
        }
        let bound = store.as_var(value).into_iter().collect();
        let trigger = store.apply(datatype.number, &[value]);
        let axiom = self.close(true, bound, vec![vec![trigger]], some);
        self.axioms.push(axiom);
    }

    pub(super) fn construct(&mut self, ctor: CtorId, index: u32, args: &[Term], span: Span) -> Lowered<Term> {
        let datatype = self.datatype(ctor, span)?;
        Ok(self.store.apply(datatype.constructors[index as usize].function, args))
    }

    pub(super) fn is_made_by(&mut self, value: Term, ctor: CtorId, index: u32, span: Span) -> Lowered<Term> {
        let datatype = self.datatype(ctor, span)?;
        let number = self.store.apply(datatype.number, &[value]);
        Ok(self.store.eq(number, self.store.int(i64::from(index))))
    }

    /// The field of whichever constructor has it; of a value that has none, the last one's reader decides.
    pub(super) fn field(&mut self, value: Term, ctor: CtorId, name: &str, span: Span) -> Lowered<Term> {
        let datatype = self.datatype(ctor, span)?;
        let places: Vec<(u32, usize)> = self.typed.ctor(ctor).fields_named(name).collect();
        let mut result = None;
        for &(index, at) in places.iter().rev() {
            let (reader, _) = datatype.constructors[index as usize].fields[at];
            let read = self.store.apply(reader, &[value]);
            let this = self.is_made_by(value, ctor, index, span)?;
            result = Some(result.map_or(read, |other| self.store.ite(this, read, other)));
        }
        result.map_or_else(|| unsupported("a field that no constructor has", span), Ok)
    }

    pub(super) fn with_field(&mut self, value: Term, ctor: CtorId, name: &str, to: Term, span: Span) -> Lowered<Term> {
        let datatype = self.datatype(ctor, span)?;
        let places: Vec<(u32, usize)> = self.typed.ctor(ctor).fields_named(name).collect();
        let mut result = None;
        for &(index, at) in places.iter().rev() {
            let made = &datatype.constructors[index as usize];
            let parts: Vec<Term> = made.fields.iter().enumerate().map(|(position, (reader, _))| match position == at {
                true => to,
                false => self.store.apply(*reader, &[value]),
            }).collect();
            let changed = self.store.apply(made.function, &parts);
            let this = self.is_made_by(value, ctor, index, span)?;
            result = Some(result.map_or(changed, |other| self.store.ite(this, changed, other)));
        }
        result.map_or_else(|| unsupported("a field that no constructor has", span), Ok)
    }
}
