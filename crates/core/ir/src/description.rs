//! The one description of what statements consist of. Everything that only has to know what a statement evaluates, writes and
//! accesses is made from it: the visitors and mappers (`walk`, `map`), the text form (`print`, `parse_statement`), the
//! checks of sorts (`validate`), and what others ask (`effects`). What a statement does is said by the machine alone.
//!
//! The description of a statement is its text from left to right. It exists twice, for looking at and for changing; both are made
//! from the same lines by a macro, as in the compiler of Rust for its own intermediate representation.

use crate::effects::{AccessKind, ControlEffect, Extent, Use, Write};
use crate::order::{Fence, LockEvent, SectionKind};
use crate::program::ProcId;
use crate::property::Property;
use crate::statement::{AllocKind, Aspect, Callee, Family, Fill, InputKind, StatementKind, ThreadOperation, Watch};
use fathom_term::{Sort, Term, VarId};

/// What sort a part of a statement must have.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Demand {
    /// Any sort.
    Any,
    /// That of an address; the text says what has it.
    Pointer(&'static str),
    /// Whole bytes.
    Bytes(&'static str),
    /// This one.
    Exactly(Sort, &'static str),
    /// That of this term.
    Like(Term),
}

const ADDRESS: Demand = Demand::Pointer("the pointer");
const CONDITION: Demand = Demand::Exactly(Sort::Bool, "a condition");
const LENGTH: Demand = Demand::Pointer("the length");
const OF_THREADS: Demand = Demand::Pointer("a part of a thread operation");
/// A variable that must hold addresses is called by its own name where it doesn't.
const HOLDER: Demand = Demand::Pointer("");

/// Visits these parts, one after the other.
macro_rules! all {
    ($visit:ident: $($part:expr),+ $(,)?) => {{ $($visit($part);)+ }};
}

/// Visits these parts with commas between them.
macro_rules! listed {
    ($visit:ident: $comma:expr, $parts:expr) => {
        for (number, part) in $parts.into_iter().enumerate() {
            if number > 0 {
                $visit($comma);
            }
            $visit(part);
        }
    };
}

macro_rules! description {
    ($name:ident, $part:ident $(, $mutable:ident)?) => {
        /// A part of a statement's text, and its meaning.
        #[allow(dead_code, reason = "what changes statements has no need of all that is said about their parts")]
        pub(crate) enum $part<'a> {
            /// Always the same text.
            Word(&'static str),
            /// An expression that is evaluated.
            Term(&'a $($mutable)? Term, Use, Demand),
            /// A variable that is written.
            Target(&'a $($mutable)? VarId, Write, Demand),
            /// A procedure that is called by its name.
            Procedure(&'a $($mutable)? ProcId),
            Property(&'a $($mutable)? Property),
            Input(&'a $($mutable)? InputKind),
            Storage(&'a $($mutable)? AllocKind),
            Text(&'a $($mutable)? String),
            Line(&'a $($mutable)? u32),
            Alignment(&'a $($mutable)? u64),
            /// A word that is there or not.
            Flag(&'static str, &'a $($mutable)? bool),
            Signedness(&'a $($mutable)? bool),
        }

        impl StatementKind {
            /// Calls `visit` with the parts of the statement, in the order of its text.
            #[allow(clippy::into_iter_on_ref, reason = "what is iterated over can be changed in one of the two")]
            pub(crate) fn $name<'a>(&'a $($mutable)? self, visit: &mut dyn FnMut($part<'a>)) {
                use AccessKind as A;
                use StatementKind as S;
                use Write::{Allocated, Assigned, Ended};
                use $part::*;
                match self {
                    // The text, which the printer and the parser know, has all variables first: `x, y := value, value`.
                    S::Assign(pairs) => {
                        for (target, value) in pairs {
                            let same_sort = Demand::Like(*value);
                            all!(visit: Target(target, Assigned, same_sort), Term(value, Use::Flows, Demand::Any));
                        }
                    }
                    S::Havoc { vars, input } => {
                        visit(Word("havoc"));
                        listed!(visit: Word(","), vars.into_iter().map(|var| Target(var, Assigned, Demand::Any)));
                        input.into_iter().for_each(|input| visit(Input(input)));
                    }
                    S::Assume(condition) => all!(visit: Word("assume"), Term(condition, Use::Condition, CONDITION)),
                    S::Assert { condition, property, message } => {
                        all!(visit: Word("assert"), Property(property), Term(condition, Use::Condition, CONDITION), Text(message));
                    }
                    S::Alloc { target, size, align, kind, zeroed, name } => {
                        all!(visit: Word("alloc"), Target(target, Allocated, HOLDER), Word("<-"), Storage(kind), Flag("zeroed", zeroed));
                        all!(visit: Word("align"), Alignment(align));
                        all!(visit: Word("size"), Term(size, Use::Measure, Demand::Pointer("the size")), Text(name));
                    }
                    S::EndScope { variable } => all!(visit: Word("end"), Target(variable, Ended, HOLDER)),
                    S::Free { pointer, family } => {
                        all!(visit: Word(keyword_of(*family)), Term(pointer, Use::Pointer(A::Free, Extent::Object), ADDRESS));
                    }
                    S::Forget { pointer } => {
                        all!(visit: Word("forget"), Term(pointer, Use::Pointer(A::Write, Extent::Object), ADDRESS));
                    }
                    S::Use { pointer } => all!(visit: Word("use"), Term(pointer, Use::Pointer(A::Alive, Extent::Object), ADDRESS)),
                    S::Look { value, what } => all!(visit: Word("look"), Term(value, Use::Measure, Demand::Any), Text(what)),
                    S::Load { target, pointer, volatile } => {
                        let extent = Extent::Variable(*target);
                        all!(visit: Word("load"), Target(target, Assigned, Demand::Bytes("the loaded variable")), Word("<-"));
                        all!(visit: Term(pointer, Use::Pointer(A::Read, extent), ADDRESS), Flag("volatile", volatile));
                    }
                    S::Store { pointer, value } => {
                        let extent = Extent::Value(*value);
                        all!(visit: Word("store"), Term(pointer, Use::Pointer(A::Write, extent), ADDRESS));
                        all!(visit: Word("<-"), Term(value, Use::Stored, Demand::Bytes("the stored value")));
                    }
                    S::Copy { target, source, length } => {
                        let extent = Extent::Length(*length);
                        all!(visit: Word("copy"), Term(target, Use::Pointer(A::Write, extent), Demand::Pointer("the target")));
                        all!(visit: Word("<-"), Term(source, Use::Pointer(A::Read, extent), Demand::Pointer("the source")));
                        all!(visit: Word("length"), Term(length, Use::Measure, LENGTH));
                    }
                    S::Set { pointer, fill, length } => {
                        let extent = Extent::Length(*length);
                        all!(visit: Word("fill"), Term(pointer, Use::Pointer(A::Write, extent), ADDRESS));
                        all!(visit: Word("length"), Term(length, Use::Measure, LENGTH));
                        match fill {
                            Fill::Byte(byte) => {
                                all!(visit: Word("byte"), Term(byte, Use::Stored, Demand::Exactly(Sort::Bv(8), "the byte")));
                            }
                            Fill::Arbitrary(input) => visit(Input(input)),
                        }
                    }
                    S::ObjectSize { target, pointer } => {
                        all!(visit: Word("size"), Target(target, Assigned, HOLDER));
                        all!(visit: Word("<-"), Term(pointer, Use::Pointer(A::Look, Extent::Object), ADDRESS));
                    }
                    S::Inspect { target, pointer, aspect } => {
                        all!(visit: Word("inspect"), Word(aspect.keyword()), Target(target, Assigned, HOLDER));
                        all!(visit: Word("<-"), Term(pointer, Use::Pointer(A::Look, Extent::Object), ADDRESS));
                    }
                    // `call x, y <- procedure (value, value)`
                    S::Call { targets, callee, args } => {
                        let arrow = (!targets.is_empty()).then_some(Word("<-"));
                        visit(Word("call"));
                        listed!(visit: Word(","), targets.into_iter().map(|var| Target(var, Assigned, Demand::Any)));
                        arrow.into_iter().for_each(&mut *visit);
                        match callee {
                            Callee::Direct(procedure) => visit(Procedure(procedure)),
                            Callee::Indirect(pointer) => {
                                all!(visit: Word("indirect"), Term(pointer, Use::Callee, Demand::Pointer("the function pointer")));
                            }
                        }
                        visit(Word("("));
                        listed!(visit: Word(","), args.into_iter().map(|arg| Term(arg, Use::Passed, Demand::Any)));
                        visit(Word(")"));
                    }
                    S::Thread(operation) => operation.$name(visit),
                    S::Watch(Watch { variable, declared, type_name, signed, value, ty: _ }) => {
                        all!(visit: Word("watch"), Text(variable), Line(declared), Text(type_name), Signedness(signed));
                        visit(Term(value, Use::Watched, Demand::Any));
                    }
                    S::Unsupported(what) => all!(visit: Word("unsupported"), Text(what)),
                }
            }
        }

        impl ThreadOperation {
            fn $name<'a>(&'a $($mutable)? self, visit: &mut dyn FnMut($part<'a>)) {
                use ThreadOperation as T;
                use Write::Assigned;
                use $part::*;
                visit(Word("thread"));
                match self {
                    T::Start { target, function, argument } => {
                        all!(visit: Word("start"), Target(target, Assigned, OF_THREADS));
                        all!(visit: Word("<-"), Term(function, Use::Callee, OF_THREADS));
                        all!(visit: Word("("), Term(argument, Use::Passed, OF_THREADS), Word(")"));
                    }
                    T::Join { target, thread } => {
                        all!(visit: Word("join"), Target(target, Assigned, OF_THREADS));
                        all!(visit: Word("<-"), Term(thread, Use::Measure, OF_THREADS));
                    }
                    T::Number { target, name } => {
                        all!(visit: Word("number"), Target(target, Assigned, OF_THREADS));
                        all!(visit: Word("<-"), Term(name, Use::Measure, OF_THREADS));
                    }
                    T::Exit { result } => all!(visit: Word("exit"), Term(result, Use::Passed, OF_THREADS)),
                    T::Current { target } => all!(visit: Word("current"), Target(target, Assigned, OF_THREADS)),
                    T::AtomicBegin(kind) => all!(visit: Word("begin"), Word(kind.keyword())),
                    T::Fence(fence) => all!(visit: Word("fence"), Word(fence.keyword())),
                    T::AtomicEnd => visit(Word("end")),
                    T::Lock { event, lock } => {
                        all!(visit: Word("lock"), Word(event.keyword()), Term(lock, Use::Measure, OF_THREADS));
                    }
                    T::Local { target, object } => {
                        all!(visit: Word("local"), Target(target, Assigned, OF_THREADS));
                        all!(visit: Word("<-"), Term(object, Use::Flows, OF_THREADS));
                    }
                }
            }
        }
    };
}

description!(parts, Part);
description!(parts_mut, PartMut, mut);

fn keyword_of(family: Family) -> &'static str {
    match family {
        Family::C => "free",
        Family::New => "delete",
        Family::NewArray => "delete_array",
    }
}

impl StatementKind {
    /// What the statement means for the course of the run.
    pub fn control(&self) -> ControlEffect {
        use StatementKind as S;
        match self {
            S::Assign(_) | S::Havoc { .. } | S::Alloc { .. } | S::EndScope { .. } | S::Free { .. } | S::Forget { .. } => {
                ControlEffect::Straight
            }
            S::Use { .. }
            | S::Look { .. }
            | S::Load { .. }
            | S::Store { .. }
            | S::Copy { .. }
            | S::Set { .. }
            | S::ObjectSize { .. }
            | S::Inspect { .. } => ControlEffect::Straight,
            S::Assume(_) => ControlEffect::Assumes,
            S::Assert { .. } => ControlEffect::Asserts,
            S::Call { .. } => ControlEffect::Calls,
            S::Thread(_) => ControlEffect::Threads,
            S::Watch(_) => ControlEffect::Watches,
            S::Unsupported(_) => ControlEffect::Unsupported,
        }
    }

    /// The statements that a line with this keyword may be, with these in place of terms and variables. What a line has as many of
    /// as it likes (`Assign`, `Havoc`, `Call`) is read by the parser itself.
    pub(crate) fn templates(keyword: &str, term: Term, var: VarId) -> Vec<StatementKind> {
        use StatementKind as S;
        let text = String::new;
        let free = |family| S::Free { pointer: term, family };
        let input = InputKind { source: text(), type_name: text(), signed: false };
        let set = |fill| S::Set { pointer: term, fill, length: term };
        match keyword {
            "assume" => vec![S::Assume(term)],
            "assert" => vec![S::Assert { condition: term, property: Property::UnreachCall, message: text() }],
            "alloc" => {
                let kind = AllocKind::Stack;
                vec![S::Alloc { target: var, size: term, align: 1, kind, zeroed: false, name: text() }]
            }
            "end" => vec![S::EndScope { variable: var }],
            "free" => vec![free(Family::C)],
            "delete" => vec![free(Family::New)],
            "delete_array" => vec![free(Family::NewArray)],
            "forget" => vec![S::Forget { pointer: term }],
            "use" => vec![S::Use { pointer: term }],
            "look" => vec![S::Look { value: term, what: text() }],
            "load" => vec![S::Load { target: var, pointer: term, volatile: false }],
            "store" => vec![S::Store { pointer: term, value: term }],
            "copy" => vec![S::Copy { target: term, source: term, length: term }],
            "fill" => vec![set(Fill::Byte(term)), set(Fill::Arbitrary(input))],
            "size" => vec![S::ObjectSize { target: var, pointer: term }],
            "inspect" => Aspect::ALL.map(|aspect| S::Inspect { target: var, pointer: term, aspect }).into(),
            "thread" => thread_templates(term, var).into_iter().map(S::Thread).collect(),
            "watch" => vec![S::Watch(Watch { variable: text(), declared: 0, type_name: text(), signed: false, ty: None, value: term })],
            "unsupported" => vec![S::Unsupported(text())],
            _ => Vec::new(),
        }
    }
}

fn thread_templates(term: Term, var: VarId) -> Vec<ThreadOperation> {
    use ThreadOperation as T;
    let mut all = vec![
        T::Start { target: var, function: term, argument: term },
        T::Join { target: var, thread: term },
        T::Number { target: var, name: term },
        T::Exit { result: term },
        T::Current { target: var },
    ];
    all.extend(SectionKind::ALL.map(T::AtomicBegin));
    all.extend([T::AtomicEnd, T::Local { target: var, object: term }]);
    all.extend(Fence::ALL.map(T::Fence));
    all.extend(LockEvent::ALL.map(|event| T::Lock { event, lock: term }));
    all
}
