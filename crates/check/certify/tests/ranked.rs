//! Proofs of termination by hand, right ones and wrong ones: what is wrong about a ranking function, an invariant, a cut point or a
//! component must not pass.

use fathom_base::Budget;
use fathom_certify::{Certified, NativeMode, check};
use fathom_engine::{Assurance, Measure, Outcome, Phase, Proof, Ranking, Step, Verdict};
use fathom_flat::{Flat, Form, flatten};
use fathom_ir::{Program, Property, parse_program};
use fathom_smt::{Backend, Brute};
use fathom_term::{Sort, Term};
use std::collections::BTreeSet;
use std::rc::Rc;

/// It counts from an arbitrary byte to zero, in steps of one.
const DOWN: &str = r#"program pointer 32 entry main
file "a.c"
procedure main () -> ()
  local main.n!1 (_ BitVec 4) "n"
  begin b0
  b0 "entry":
    havoc main.n!1
    goto b1
  b1 "head":
    branch (= main.n!1 #x0) b3 b2
  b2 "body":
    main.n!1 := (bvadd main.n!1 #xf)
    goto b1
  b3 "end":
    return
"#;

fn properties() -> BTreeSet<Property> {
    BTreeSet::from([Property::Termination])
}

struct Case {
    program: Rc<Program>,
    flat: Flat,
    /// The head of the loop.
    head: usize,
}

impl Case {
    fn of(text: &str) -> Case {
        let program = Rc::new(parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
        let flat = flatten(&program, &properties(), Form::Joined).unwrap();
        let cuts = flat.cut_points(1);
        assert_eq!(cuts.len(), 2, "the start and the loop");
        Case { head: cuts[1], program, flat }
    }

    fn n(&self) -> Term {
        self.program.terms.var("main.n!1", Sort::Bv(4))
    }

    /// The number of the segment that goes round.
    fn round(&self) -> usize {
        let segments = self.flat.segments(&[0, self.head], 100).unwrap();
        segments.iter().position(|segment| segment.from == self.head && segment.to.block() == Some(self.head)).unwrap()
    }

    fn proof(&self, measure: Term) -> Ranking {
        let measure = Step::Measure(Measure { at: vec![(self.head, measure)] });
        let steps = vec![measure, Step::Ends(vec![self.round()])];
        let phases = vec![Phase { heads: vec![self.head], steps, rest: Vec::new() }];
        Ranking { cuts: vec![(0, Vec::new()), (self.head, Vec::new())], phases, ..Ranking::default() }
    }

    fn checked(&self, ranking: Ranking) -> Certified {
        let verdicts = [(Property::Termination, Verdict::Holds(Rc::new(Proof::Ranked(Rc::new(ranking)))))].into();
        let outcome = Outcome { verdicts, ..Outcome::default() };
        let second: Rc<dyn Backend> = Rc::new(Brute::new(self.program.terms.clone(), 12));
        let native = NativeMode::Skip("not here".into());
        check(outcome, &self.program, &properties(), &native, Some(&second), &Budget::unlimited())
    }

    #[track_caller]
    fn is_refused(&self, ranking: Ranking, why: &str) {
        match &self.checked(ranking).outcome.verdicts[&Property::Termination] {
            Verdict::Unknown(reason) => assert!(reason.to_string().contains(why), "{reason}"),
            _ => panic!("a wrong proof passed"),
        }
    }

    #[track_caller]
    fn is_accepted(&self, ranking: Ranking) {
        let certified = self.checked(ranking);
        assert!(matches!(certified.outcome.verdicts[&Property::Termination], Verdict::Holds(_)));
        assert_eq!(certified.certificates[&Property::Termination].assurance, Assurance::Checked);
    }
}

/// As an unsigned number.
fn wide(case: &Case, term: Term) -> Term {
    case.program.terms.resize_unsigned(term, 6)
}

#[test]
fn a_right_measure_is_accepted() {
    let case = Case::of(DOWN);
    case.is_accepted(case.proof(wide(&case, case.n())));
}

#[test]
fn a_measure_that_increases_is_refused() {
    let case = Case::of(DOWN);
    let store = &case.program.terms;
    // In two's complement it jumps from the least number to the largest.
    case.is_refused(case.proof(case.n()), "a step that a ranking function excludes");
    case.is_refused(case.proof(wide(&case, store.bv_sub(store.bv(0, 4), case.n()))), "a step that a ranking function excludes");
}

#[test]
fn a_measure_that_stays_takes_nothing_away() {
    let case = Case::of(DOWN);
    case.is_refused(case.proof(case.program.terms.bv(1, 4)), "a step that a ranking function excludes");
}

#[test]
fn a_cycle_without_a_phase_is_refused() {
    let case = Case::of(DOWN);
    let proof = case.proof(wide(&case, case.n()));
    case.is_refused(Ranking { phases: Vec::new(), ..proof.clone() }, "a cycle is left");
    let mut unended = proof;
    unended.phases[0].steps.pop();
    case.is_refused(unended, "a cycle is left");
}

#[test]
fn a_loop_that_is_not_cut_is_refused() {
    let case = Case::of(DOWN);
    let proof = case.proof(wide(&case, case.n()));
    case.is_refused(Ranking { cuts: vec![(0, Vec::new())], phases: Vec::new(), ..proof }, "a cycle whole");
}

#[test]
fn what_does_not_hold_is_refused() {
    let case = Case::of(DOWN);
    let store = case.program.terms.clone();
    let small = store.bv_ult(case.n(), store.bv(3, 4));
    let mut proof = case.proof(wide(&case, case.n()));
    proof.cuts[1].1 = vec![small];
    case.is_refused(proof, "a step that a ranking function excludes");
    let mut proof = case.proof(wide(&case, case.n()));
    proof.cuts[0].1 = vec![store.bool(false)];
    case.is_refused(proof, "about the start");
    let mut proof = case.proof(wide(&case, case.n()));
    proof.phases[0].steps.insert(0, Step::Narrow(vec![(case.head, vec![small])]));
    case.is_refused(proof, "a step that a ranking function excludes");
}

#[test]
fn what_speaks_of_inputs_to_come_is_refused() {
    let case = Case::of(&DOWN.replace("    main.n!1 := (bvadd main.n!1 #xf)\n", "    havoc main.n!1\n"));
    let store = &case.program.terms;
    let future = case.flat.inputs.next(store, 0, Sort::Bv(4));
    case.is_refused(case.proof(wide(&case, future)), "inputs to come");
    case.is_refused(case.proof(wide(&case, case.n())), "a step that a ranking function excludes");
}

#[test]
fn errors_have_to_be_out_of_reach() {
    let text = DOWN.replace("  b3 \"end\":\n", "  b3 \"end\":\n    unsupported \"inline assembly\"\n");
    let case = Case::of(&text);
    case.is_refused(case.proof(wide(&case, case.n())), "a step that a ranking function excludes");
}

#[test]
fn overflow_is_excluded_only_by_an_assumption() {
    let text = DOWN.replace("  b2 \"body\":\n", "  b2 \"body\":\n    assert no-overflow (not (= main.n!1 #x8)) \"overflow\"\n");
    let case = Case::of(&text);
    let proof = case.proof(wide(&case, case.n()));
    case.is_refused(proof.clone(), "a step that a ranking function excludes");
    case.is_accepted(Ranking { assumes_no_overflow: true, ..proof });
}
