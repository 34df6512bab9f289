//! Functions of which nothing is known but that equal arguments give equal results (`__CPROVER_uninterpreted_f`,
//! `__ESBMC_uninterpreted_f`): functions of the logic. A pointer counts as its address.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::Leaves;
use super::{Translated, unsupported};
use fathom_term::{Sort, Term};
use smallvec::smallvec;

/// How their names begin.
const PREFIXES: [&str; 2] = ["__CPROVER_uninterpreted_", "__ESBMC_uninterpreted_"];

impl FunctionTranslator<'_, '_> {
    pub fn uninterpreted(&mut self, request: &Request) -> Translated<Option<Leaves>> {
        let name = &request.name;
        if !PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            return Ok(None);
        }
        let [result] = self.leaves_of(request.result)?[..] else {
            return unsupported(format!("{name}, whose result is no scalar"));
        };
        let args: Vec<Term> = request.args.iter().flatten().copied().collect();
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.terms.sort(arg)).collect();
        let function = self.terms.function(name, &sorts, self.sort_of(result.scalar));
        Ok(Some(smallvec![self.terms.apply(function, &args)]))
    }
}
