//! Sorts and functions of theories that terms have no operations for (sequences, strings, regular expressions, ...). Z3
//! reads them as SMT-LIB writes them: a small text with one assertion is parsed, in which the sorts that are ours have
//! names, and the sort or function is taken out of the assertion. What Z3 doesn't know is unsupported.

use crate::api;
use crate::context::{Ast, AstVector};
use crate::translate::{Translated, Translator, unsupported};
use fathom_term::{FnId, OpaqueSortId, Sort};
use std::ffi::{CString, c_uint};

impl Translator {
    pub(crate) fn theory_sort(&mut self, id: OpaqueSortId) -> Translated {
        let Some((head, arguments)) = self.store.theory_sort_parts(id) else { return Err(unsupported("this sort")) };
        let names: Vec<String> = (0..arguments.len()).map(|number| format!(" fathom-s{number}")).collect();
        let sort = if arguments.is_empty() { head.to_string() } else { format!("({head}{})", names.concat()) };
        let probe = self.parse(
            &format!("(declare-fun fathom-p ({sort}) Bool)(declare-fun fathom-a () {sort})(assert (fathom-p fathom-a))"),
            &arguments,
            &head,
        )?;
        let value = self.first_argument(&probe)?;
        // SAFETY: live objects of one context.
        self.take(unsafe { (self.context.api.Z3_get_sort)(self.context.raw, value.raw) })
    }

    /// The declaration of a function, or the value of one without arguments.
    pub(crate) fn theory_function(&mut self, function: FnId, head: &str) -> Translated {
        let (arguments, result) = self.store.function_sorts(function);
        let result_name = format!("fathom-s{}", arguments.len());
        let constants: Vec<String> =
            (0..arguments.len()).map(|number| format!("(declare-fun fathom-a{number} () fathom-s{number})")).collect();
        let names: Vec<String> = (0..arguments.len()).map(|number| format!(" fathom-a{number}")).collect();
        let sorts: Vec<Sort> = arguments.iter().copied().chain([result]).collect();
        let declared = format!("(declare-fun fathom-p ({result_name}) Bool){}", constants.concat());
        if arguments.is_empty() {
            let plain = self.parse(&format!("{declared}(assert (fathom-p {head}))"), &sorts, head);
            let probe = plain.or_else(|_| self.parse(&format!("{declared}(assert (fathom-p (as {head} {result_name})))"), &sorts, head))?;
            return self.first_argument(&probe);
        }
        let probe = self.parse(&format!("{declared}(assert (fathom-p ({head}{})))", names.concat()), &sorts, head)?;
        let application = self.first_argument(&probe)?;
        let (z3, raw) = (self.context.api, self.context.raw);
        // SAFETY: live objects of one context; Z3 counts the arguments of applications only.
        let count = unsafe { (z3.Z3_get_app_num_args)(raw, application.raw) };
        if count as usize != arguments.len() {
            return Err(unsupported(&format!("the function {head} of these arguments")));
        }
        // SAFETY: live objects of one context.
        self.take(unsafe { (z3.Z3_get_app_decl)(raw, application.raw) })
    }

    /// The one assertion of a text in which `fathom-s0`, `fathom-s1`, ... are these sorts.
    fn parse(&mut self, text: &str, sorts: &[Sort], what: &str) -> Translated {
        let unknown = |why: String| unsupported(&format!("{what} ({})", why.trim()));
        let sorts: Vec<Ast> = sorts.iter().map(|&sort| self.sort(sort)).collect::<Result<_, _>>()?;
        let raw_sorts: Vec<*mut api::Ast> = sorts.iter().map(|sort| sort.raw).collect();
        let names: Vec<*mut api::Symbol> = (0..sorts.len()).map(|number| self.context.symbol(&format!("fathom-s{number}"))).collect();
        let text = CString::new(text).map_err(|_| unknown("a zero byte".into()))?;
        let (z3, raw) = (self.context.api, self.context.raw);
        // SAFETY: live objects of one context; the arrays and the text live through the call, the result is owned at once.
        let formulas = unsafe {
            let (count, none) = (names.len() as c_uint, std::ptr::null());
            let parsed =
                (z3.Z3_parse_smtlib2_string)(raw, text.as_ptr(), count, names.as_ptr(), raw_sorts.as_ptr(), 0, std::ptr::null(), none);
            if let Some(why) = self.context.error() {
                return Err(unknown(why));
            }
            AstVector::new(&self.context, parsed)?
        };
        // SAFETY: live objects of one context.
        unsafe {
            match (z3.Z3_ast_vector_size)(raw, formulas.raw) {
                1 => self.take((z3.Z3_ast_vector_get)(raw, formulas.raw, 0)),
                _ => Err(unknown("not one expression".into())),
            }
        }
    }

    fn first_argument(&self, application: &Ast) -> Translated {
        // SAFETY: live objects of one context; Z3 checks the index.
        self.take(unsafe { (self.context.api.Z3_get_app_arg)(self.context.raw, application.raw, 0) })
    }
}
