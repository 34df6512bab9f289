//! Facts about a program that runs share (`--facts`): the conditions at loops in a proof that `certify` accepted
//! (invariants, interpolants, regions), as text in a directory (`fathom_distribute::FactStore`). A run that reads them
//! has the same program, with the same names, but soundness does not depend on that: a fact is only a candidate, the
//! engine proves it again on entry and over every iteration, and those proofs go to the second solver like all others.
//! So a wrong fact costs only the time to refute it.

use crate::config::VerifyConfig;
use crate::error::Error;
use crate::prepare::Prepared;
use fathom_base::{FxSet, sha256, sha256_of};
use fathom_certify::Certified;
use fathom_distribute::{Fact, FactCell, FactStore, KnownFacts, LoopFacts, SummaryFact, Tool};
use fathom_engine::{Assurance, Known, KnownSummary, NotMay, Proof, Verdict};
use fathom_engine_kind::value_on_entry;
use fathom_ir::{ANY_INDEX, BlockId, Invariant, LoopHead, LoopLabel, MemoryCell, ProcId, Program};
use fathom_term::smtlib::{Reader, print_term};
use fathom_term::{Sort, Substitution, Term, TermStore, VarId, VarSets};
use std::path::PathBuf;

/// A condition that is one of more labels than these is no candidate worth its proof.
const MOST_LABELS: usize = 12;
/// Summaries of one proof that are left, and how long one may be: the table of a recursive procedure has one for each call.
const MOST_SUMMARIES: usize = 64;
const MOST_TEXT: usize = 4096;
/// Cells are single values; more bytes are none.
const MOST_BYTES: u64 = 16;

/// The store for a program, if one was named.
pub(crate) fn store(config: &VerifyConfig, files: &[PathBuf], entry: &str, program: &Program) -> Result<Option<FactStore>, Error> {
    let Some(directory) = &config.facts else { return Ok(None) };
    // The names of files do not matter, but what is in them and how it is read.
    let contents = files.iter().map(|file| sha256(std::fs::read(file).unwrap_or_default()));
    let bits = program.layout.pointer_bits.to_string();
    let key = sha256_of([entry.to_string(), "\n".into(), bits, "\n".into()].into_iter().chain(contents));
    let opened = FactStore::open(directory, &key[..24], Tool(env!("CARGO_PKG_VERSION").into()));
    opened.map(Some).map_err(|error| Error::Usage(format!("--facts: {error}")))
}

/// What others left, as candidates, and what to say of entries that are none.
pub(crate) fn read(store: &FactStore, program: &Program) -> (Known, Option<String>) {
    let KnownFacts { loops, summaries, rejected } = store.known();
    let mut known = Known::default();
    for of_loop in &loops {
        let Some(head) = head_of(program, of_loop) else { continue };
        of_loop.facts.iter().filter_map(|fact| invariant(program, head, fact)).for_each(|invariant| known.loops.add(head, invariant));
    }
    known.summaries.extend(summaries.iter().map(known_summary));
    let warning = rejected.first().map(|first| {
        format!(
            "{} entries among the facts are damaged or not of this version, and were not read; the first is {}",
            rejected.len(),
            first.display()
        )
    });
    (known, warning)
}

/// The invariants that a proof by induction has, loop by loop.
fn invariants_of(verdict: &Verdict) -> &[(LoopHead, Vec<Invariant>)] {
    match verdict {
        Verdict::Holds(proof) => match &**proof {
            Proof::Inductive { loops, .. } => loops,
            _ => &[],
        },
        _ => &[],
    }
}

/// What any proof says of loops.
fn facts_of(store: &TermStore, verdict: &Verdict) -> Vec<(LoopHead, Vec<Invariant>)> {
    let Verdict::Holds(proof) = verdict else { return Vec::new() };
    let labels = match &**proof {
        Proof::Inductive { loops, .. } => return loops.clone(),
        Proof::Interpolated { labels, .. } | Proof::Partition { labels, .. } => labels,
        Proof::Ranked(ranking) => &ranking.labels,
        Proof::Interference(interference) => &interference.labels,
        _ => return Vec::new(),
    };
    labels.iter().map(|(head, labels)| (*head, invariants_in(store, labels))).collect()
}

/// What a proof says of calls of recursive procedures, as far as that is short.
fn summaries_of(store: &TermStore, verdict: &Verdict) -> Vec<SummaryFact> {
    let Verdict::Holds(proof) = verdict else { return Vec::new() };
    let Proof::Partition { summaries, .. } = &**proof else { return Vec::new() };
    let texts = |terms: &[Term]| terms.iter().map(|&term| print_term(store, term)).collect();
    let fact = |known: &NotMay| SummaryFact {
        procedure: known.name.clone(),
        before: texts(&known.before),
        after: known.after.as_deref().map(texts),
    };
    let is_short = |fact: &SummaryFact| fact.before.iter().chain(fact.after.iter().flatten()).map(String::len).sum::<usize>() <= MOST_TEXT;
    summaries.iter().map(fact).filter(is_short).take(MOST_SUMMARIES).collect()
}

fn known_summary(fact: &SummaryFact) -> KnownSummary {
    KnownSummary { procedure: fact.procedure.clone(), before: fact.before.clone(), after: fact.after.clone() }
}

/// What follows from the fact that one of these labels always holds.
fn invariants_in(store: &TermStore, labels: &[LoopLabel]) -> Vec<Invariant> {
    match labels {
        [] => Vec::new(),
        [only] => only.conditions.clone(),
        labels if labels.len() > MOST_LABELS || labels.iter().any(|label| label.conditions.is_empty()) => Vec::new(),
        labels => {
            let mut cells: Vec<MemoryCell> = Vec::new();
            for cell in labels.iter().flat_map(|label| &label.conditions).flat_map(|condition| &condition.cells) {
                if !cells.contains(cell) {
                    cells.push(cell.clone());
                }
            }
            let both = |label: &LoopLabel| label.conditions.iter().fold(store.bool(true), |all, one| store.and(all, one.condition));
            let condition = labels.iter().fold(store.bool(false), |any, label| store.or(any, both(label)));
            vec![Invariant { condition, cells }]
        }
    }
}

impl Prepared<'_> {
    /// Says of each proof how much of it others had proved.
    pub(crate) fn tell_known(&self, certified: &mut Certified) {
        for (property, certificate) in &mut certified.certificates {
            let loops = certified.outcome.verdicts.get(property).map(invariants_of).unwrap_or_default();
            let known =
                |(head, own): &(LoopHead, Vec<Invariant>)| self.known.loops.of(*head).iter().filter(|one| own.contains(one)).count();
            let count: usize = loops.iter().map(known).sum();
            if count > 0 {
                certificate.notes.push(format!("{count} invariants that another run had proved were proved again and used"));
            }
            let own =
                certified.outcome.verdicts.get(property).map(|verdict| summaries_of(&self.program.terms, verdict)).unwrap_or_default();
            let count = own.iter().filter(|own| self.known.summaries.contains(&known_summary(own))).count();
            if count > 0 {
                certificate.notes.push(format!("{count} summaries that another run had proved were proved again and used"));
            }
        }
    }

    /// Leaves what proofs that were checked say of loops, as far as nobody left them before.
    pub(crate) fn publish(&self, program: &Program, certified: &Certified) {
        let Some(store) = &self.facts else { return };
        for (property, verdict) in &certified.outcome.verdicts {
            let is_checked = certified.certificates.get(property).is_some_and(|known| known.assurance >= Assurance::Checked);
            let found = facts_of(&program.terms, verdict);
            let new: Vec<LoopFacts> = found.iter().filter_map(|(head, own)| self.new_facts(program, *head, own)).collect();
            let is_new = |summary: &SummaryFact| !self.known.summaries.contains(&known_summary(summary));
            let summaries: Vec<SummaryFact> = summaries_of(&program.terms, verdict).into_iter().filter(is_new).collect();
            if is_checked
                && !(new.is_empty() && summaries.is_empty())
                && let Err(error) = store.publish(new, summaries)
            {
                tracing::warn!(%error, "facts can't be left for others");
            }
        }
    }

    fn new_facts(&self, program: &Program, head: LoopHead, own: &[Invariant]) -> Option<LoopFacts> {
        let text = |one: &Invariant| fact(program, head, one);
        let known: Vec<Fact> = self.known.loops.of(head).iter().filter_map(text).collect();
        let mut facts: Vec<Fact> = Vec::new();
        for one in own.iter().filter_map(text) {
            if !known.contains(&one) && !facts.contains(&one) {
                facts.push(one);
            }
        }
        let procedure = program.procedure(head.procedure);
        let label = procedure.body.as_ref()?.block(head.block).label.clone();
        (!facts.is_empty()).then(|| LoopFacts { procedure: procedure.name.clone(), block: head.block.0, label, facts })
    }
}

/// An invariant as text; none if it mentions what only this run knows.
fn fact(program: &Program, head: LoopHead, invariant: &Invariant) -> Option<Fact> {
    let store = &*program.terms;
    let variables = program.procedure(head.procedure).locals.iter().chain(&program.globals).map(|variable| variable.id);
    let addresses = program.object_addresses.keys().chain(program.procedure_addresses.keys()).copied();
    let mut named: FxSet<VarId> = addresses.collect();
    for variable in variables {
        named.extend([Some(variable), store.as_var(value_on_entry(store, variable))].into_iter().flatten());
    }
    named.extend(store.as_var(any_index(program)));
    let sets = VarSets::default();
    let is_said = |term: Term, named: &FxSet<VarId>| sets.vars(store, term).iter().all(|var| named.contains(var));
    let is_placed = |cell: &MemoryCell| [Some(cell.pointer), cell.index].into_iter().flatten().all(|term| is_said(term, &named));
    if !invariant.cells.iter().all(is_placed) {
        return None;
    }
    let cell = |cell: &MemoryCell| FactCell {
        pointer: print_term(store, cell.pointer),
        bytes: cell.bytes,
        index: cell.index.map(|index| print_term(store, index)),
    };
    let mut values = Vec::new();
    for (number, cell) in invariant.cells.iter().enumerate() {
        let value = value_of(store, number, cell.bytes);
        let entered = value_on_entry(store, store.as_var(value)?);
        values.extend([(cell.var, value), (store.as_var(value_on_entry(store, cell.var))?, entered)]);
        named.extend([value, entered].into_iter().filter_map(|term| store.as_var(term)));
    }
    let condition = Substitution::new(values).apply(store, invariant.condition);
    let is_plain = store.const_bool(condition).is_some();
    (!is_plain && is_said(condition, &named))
        .then(|| Fact { says: print_term(store, condition), cells: invariant.cells.iter().map(cell).collect() })
}

/// What stands for the value of a cell in every fact. The size is part of the name, so that it has one sort.
fn value_of(store: &TermStore, number: usize, bytes: u64) -> Term {
    store.var(&format!("cell {number} of {bytes}"), Sort::Bv(bytes as u32 * 8))
}

/// The loop that is meant, if the program has it.
fn head_of(program: &Program, of_loop: &LoopFacts) -> Option<LoopHead> {
    let number = program.procedures.iter().position(|procedure| procedure.name == of_loop.procedure && procedure.body.is_some())?;
    let body = program.procedures[number].body.as_ref()?;
    let block = body.blocks.get(of_loop.block as usize)?;
    (block.label == of_loop.label).then_some(LoopHead { procedure: ProcId(number as u32), block: BlockId(of_loop.block) })
}

/// A candidate; none if it is no condition over what the program has.
fn invariant(program: &Program, head: LoopHead, fact: &Fact) -> Option<Invariant> {
    let store = &*program.terms;
    let bits = Sort::Bv(program.layout.pointer_bits);
    // Facts may mention these variables, so they are declared before the text is read.
    any_index(program);
    program.procedure(head.procedure).locals.iter().chain(&program.globals).for_each(|variable| {
        value_on_entry(store, variable.id);
    });
    let cell = |(number, cell): (usize, &FactCell)| {
        let FactCell { pointer, bytes, index } = cell;
        if !(1..=MOST_BYTES).contains(bytes) {
            return None;
        }
        let pointer = of_sort(store, pointer, bits)?;
        let index = match index {
            Some(index) => Some(of_sort(store, index, bits)?),
            None => None,
        };
        let var = store.as_var(value_of(store, number, *bytes))?;
        value_on_entry(store, var);
        Some(MemoryCell { var, pointer, bytes: *bytes, index })
    };
    let cells = fact.cells.iter().enumerate().map(cell).collect::<Option<Vec<_>>>()?;
    Some(Invariant { condition: of_sort(store, &fact.says, Sort::Bool)?, cells })
}

fn of_sort(store: &TermStore, text: &str, sort: Sort) -> Option<Term> {
    Reader::new(store).with_store_symbols().simplifying().term(text).ok().filter(|term| store.sort(*term) == sort)
}

fn any_index(program: &Program) -> Term {
    program.terms.var(ANY_INDEX, Sort::Bv(program.layout.pointer_bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_ir::parse_program;

    const PROGRAM: &str = "program pointer 64 entry main\n\
        object \"o\" at |o's address| size 8 align 4 zero\n\
        procedure main ()\n  local x (_ BitVec 32) \"x\"\n  begin b0\n  b0 \"entry\":\n    goto b1\n  b1 \"loop\":\n    goto b1\n";

    fn program() -> Program {
        parse_program(PROGRAM).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_is_written_is_read_in_another_run() {
        let (one, other) = (program(), program());
        let (store, head) = (&one.terms, LoopHead { procedure: ProcId(0), block: BlockId(1) });
        let x = store.var("x", Sort::Bv(32));
        let value = store.var("cell.7.4.4", Sort::Bv(32));
        let cell =
            MemoryCell { var: store.as_var(value).unwrap(), pointer: one.objects[0].address, bytes: 4, index: Some(any_index(&one)) };
        let invariant = Invariant { condition: store.bv_sle(x, value), cells: vec![cell] };
        let said = fact(&one, head, &invariant).unwrap();
        let read = super::invariant(&other, head, &said).unwrap();
        assert_eq!(read.cells[0].index, Some(any_index(&other)));
        assert_eq!(fact(&other, head, &read).unwrap(), said, "what is told again is told alike");
        // A symbol that only this run has is not written, and one that the program does not have is not read.
        let entered = |name: &str| Invariant { condition: store.bv_sle(x, store.var(name, Sort::Bv(32))), cells: Vec::new() };
        let said = fact(&one, head, &entered("x on entry")).unwrap();
        assert!(super::invariant(&other, head, &said).is_some(), "{said:?}");
        assert_eq!(fact(&one, head, &entered("x some time")), None);
    }

    #[test]
    fn what_is_no_condition_of_the_program_is_left_out() {
        let (program, head) = (program(), LoopHead { procedure: ProcId(0), block: BlockId(1) });
        let says = |says: &str| Fact { says: says.into(), cells: Vec::new() };
        for wrong in ["", "x", "(bvsle x", "(bvsle x y)", "(bvsle x #x01)", "|x on entry|", "(bvsle x |y on entry|)"] {
            assert_eq!(invariant(&program, head, &says(wrong)), None, "{wrong}");
        }
        let cell = |pointer: &str, bytes| FactCell { pointer: pointer.into(), bytes, index: None };
        for wrong in [cell("x", 4), cell("|o's address|", 0), cell("|o's address|", 1 << 40), cell("nowhere", 4)] {
            assert_eq!(invariant(&program, head, &Fact { says: "(= x x)".into(), cells: vec![wrong] }), None);
        }
        let place =
            |procedure: &str, block, label: &str| LoopFacts { procedure: procedure.into(), block, label: label.into(), facts: Vec::new() };
        assert!(head_of(&program, &place("main", 1, "loop")).is_some());
        for wrong in [place("other", 1, "loop"), place("main", 9, "loop"), place("main", 1, "entry")] {
            assert_eq!(head_of(&program, &wrong), None);
        }
    }
}
