//! Whom a call may reach in the original program: through a pointer any function with a body whose address is taken and
//! whose parameters suit the arguments, or code that is not in the program. (Calls with other arguments are undefined
//! behaviour; a call without any suits everything, as old C leaves arguments out. The ledger names that assumption.)

use fathom_base::FxMap;
use fathom_ir::{Callee, ProcId, Program, StatementKind};
use fathom_term::{Sort, Term, TermStore};

/// The functions that pointers may lead to.
pub struct Callables {
    all: Vec<Callable>,
    by_address: FxMap<Term, ProcId>,
}

/// A function that pointers may lead to.
pub struct Callable {
    pub procedure: ProcId,
    pub address: Term,
    params: Vec<Sort>,
    takes_more: bool,
}

impl Callables {
    /// Collects the functions of the original program that calls through pointers may reach.
    pub fn of(program: &Program) -> Callables {
        let mut all = Vec::new();
        for (number, procedure) in program.procedures.iter().enumerate() {
            if let (Some(address), Some(_)) = (procedure.address, &procedure.body) {
                let params = procedure.params.iter().map(|&param| program.terms.var_sort(param)).collect();
                all.push(Callable { procedure: ProcId(number as u32), address, params, takes_more: procedure.variadic.is_some() });
            }
        }
        let by_address = all.iter().map(|callable| (callable.address, callable.procedure)).collect();
        Callables { all, by_address }
    }

    /// The functions that a call through a pointer with these arguments may lead to.
    pub fn taking<'a>(&'a self, store: &'a TermStore, args: &'a [Term]) -> impl Iterator<Item = &'a Callable> + 'a {
        self.all.iter().filter(|callable| callable.takes(store, args))
    }

    /// The function whose address this term is.
    pub fn at(&self, address: Term) -> Option<ProcId> {
        self.by_address.get(&address).copied()
    }

    /// The procedures that a statement may call.
    pub fn called(&self, store: &TermStore, kind: &StatementKind) -> Vec<ProcId> {
        let StatementKind::Call { callee, args, .. } = kind else { return Vec::new() };
        match callee {
            Callee::Direct(callee) => vec![*callee],
            Callee::Indirect(pointer) => match self.at(*pointer) {
                Some(callee) => vec![callee],
                None => self.taking(store, args).map(|callable| callable.procedure).collect(),
            },
        }
    }

    /// Whether it is open whom the statement calls.
    pub fn is_open(&self, kind: &StatementKind) -> bool {
        matches!(kind, StatementKind::Call { callee: Callee::Indirect(pointer), .. } if self.at(*pointer).is_none())
    }
}

impl Callable {
    fn takes(&self, store: &TermStore, args: &[Term]) -> bool {
        let (expected, given) = (self.params.len(), args.len());
        let suits = self.params.iter().zip(args).all(|(&param, &arg)| store.sort(arg) == param);
        given == 0 || (suits && (given == expected || (self.takes_more && given > expected)))
    }
}
