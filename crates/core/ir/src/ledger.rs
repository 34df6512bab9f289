//! The ledger: every assumption of a front end, a pass, the machine or an engine on which a verdict rests, as data.
//! People read the sentences that `Display` gives; programs compare variants. The text form of a program and answers
//! that travel between processes carry the serialised variant.

use crate::order::MemoryModel;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// Something that was taken for granted, and that a verdict may be wrong without.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumption {
    /// A function without a body returns anything and writes only through its pointer arguments.
    FunctionWithoutBody {
        /// The function, as the source names it.
        name: String,
    },
    /// A function without a body returns zero, because the user asked for that.
    FunctionGivesZero {
        /// The function, as the source names it.
        name: String,
    },
    /// A call through a pointer that other code made.
    UnseenCallback,
    /// A function with a contract that this run does not check.
    ContractHolds {
        /// The function, as the source names it.
        function: String,
    },
    /// Output functions and their like.
    NoEffect {
        /// The function, as the source names it.
        function: String,
    },
    /// A function of the C library that is computed where its argument is known.
    FunctionComputed {
        /// The function, as the source names it.
        function: String,
    },
    /// A function of the C library of which only bounds are known.
    FunctionWithinBounds {
        /// The function, as the source names it.
        function: String,
    },
    /// Inline assembly is not read.
    InlineAssembly,
    /// `malloc` gives an object unless the user asks for failures.
    AllocationNeverFails,
    /// No address space holds the object.
    LargeAllocationFails {
        /// The largest size that can be had, in bytes.
        most: u64,
    },
    /// Objects on the stack always fit.
    StackLargeEnough,
    /// What `longjmp` leaves of variables, as without optimisation.
    LocalsSurviveJumps,
    /// Tests run with zeroed memory, so they are searched for in the same way.
    UninitialisedIsZero,
    /// A pointer whose origin is not in the program.
    ForeignPointer,
    /// `extern int table[];`.
    UnknownSize {
        /// The variable, as the source names it.
        variable: String,
        /// The size that it is taken to have.
        bytes: u64,
    },
    /// A variable without a definition.
    ExternalVariable {
        /// The variable, as the source names it.
        variable: String,
    },
    /// An initialiser that can't be translated.
    UnsupportedInitializer {
        /// The variable, as the source names it.
        variable: String,
        /// The construct in its initialiser.
        what: String,
    },
    /// Texts that an arbitrary command line or environment holds.
    ArbitraryTexts {
        /// Which of the two arrays.
        array: TextArray,
        /// Each text has fewer characters than this.
        length: u64,
        /// Elements from this index on are arbitrary pointers.
        followed: u64,
    },
    /// The command line that the user described.
    ArgumentsWithin {
        /// The smallest number of arguments.
        least: u32,
        /// The largest number of arguments.
        most: u32,
        /// Each argument has at most so many characters.
        length: u32,
    },
    /// Nothing is in the environment.
    EmptyEnvironment,
    /// The standard input that the user described.
    StandardInputSize {
        /// The exact size.
        bytes: u64,
    },
    /// A file that the user described.
    FileSize {
        /// The path that the program opens.
        name: String,
        /// The exact size.
        bytes: u64,
    },
    /// Where the user described files.
    NoOtherFiles,
    /// Arguments of an entry other than `main`.
    FreshArguments {
        /// The entry.
        function: String,
        /// Pointers may also be null.
        may_be_null: bool,
        /// Several may lead to one object.
        may_alias: bool,
        /// Elements of an object that a pointer to a number or a text leads to.
        elements: u64,
        /// Elements of an array of pointers, before the null at its end.
        pointers: u64,
        /// Pointers inside of objects are followed so many times; deeper ones are null.
        depth: u32,
        /// At most so many objects are made; pointers to others are null.
        objects: u64,
    },
    /// Pointers to streams among the arguments of an entry, or in their objects.
    ArgumentStreams,
    /// Numbers among the arguments of an entry, or in their objects, are taken for lengths of what the pointer in front of them leads to.
    LengthsFit {
        /// The entry.
        function: String,
        /// The numbers, as the source names them.
        names: String,
    },
    /// An entry other than `main` may be called later, with other values of global variables.
    InitialGlobals {
        /// The entry.
        function: String,
    },
    /// The range of clocks.
    ClockRange,
    /// The time zone.
    LocalTimeIsUtc,
    /// The locale.
    LocaleIsC,
    /// No signals from outside.
    NoSignals,
    /// `pthread_create` never fails.
    ThreadsStart,
    /// What a function without a body writes is not seen byte by byte.
    FewStatesOfUnseenWrites,
    /// The memory model.
    SequentialConsistency,
    /// The memory model that was asked for, if it is weaker.
    StoreBuffers {
        /// Which one.
        model: MemoryModel,
    },
    /// Atomic operations of a weaker order than acquire and release.
    AtomicsOrder,
    /// `compare_exchange_weak` and its relatives.
    WeakExchange,
    /// How library functions copy memory that threads share.
    SharedCopiesInPieces {
        /// Copies of at most so many bytes go byte by byte.
        short: u64,
        /// Longer ones go in words of so many bytes.
        word: u64,
    },
    /// A copy of shared memory whose ranges may overlap is one step, because the order of its bytes is not known.
    SharedCopyAtOnce,
    /// Hardware may split such an access.
    WideAccessAtOnce {
        /// Accesses of more bytes than this are meant.
        word: u64,
    },
    /// Division by zero is not checked.
    DivisionByZeroEnds,
    /// Signed overflow is not checked, and a proof of termination could not exclude it.
    OverflowEnds,
    /// Lifetimes are not checked.
    ObjectsUsedWhileAlive,
    /// A proof looks at the objects of one allocating statement as if their number had a bound.
    AllocatedAtATime {
        /// Bytes of all of them together that live at a time.
        most: u64,
    },
    /// Memory is not checked.
    ValidMemory,
    /// A property is violated, and others are decided for the runs that do not violate it.
    EndsWhereViolated {
        /// The name of the violated property.
        property: String,
    },
    /// Calls through pointers to functions of another type.
    MatchingCalls,
    /// A replay can't evaluate quantifiers.
    QuantifierJudgedBySolver,
    /// The solver could not tell.
    ConsistentAxioms,
    /// Functions that are computed by their recursive definitions.
    DefinedFunctions {
        /// The functions, separated by commas.
        names: String,
    },
    /// The user asked for a bound to be assumed; `own`: some loops have their own bounds.
    Unwinding {
        /// The largest number of iterations.
        bound: u64,
        /// Whether some loops have bounds of their own.
        own: bool,
    },
    /// Floating point is replaced by fixed point.
    FixedPoint {
        /// Bits before the point.
        integer: u32,
        /// Bits after the point.
        fraction: u32,
    },
}

/// An array of texts that the program is started with.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextArray {
    /// `argv`, with `argc` texts.
    Arguments,
    /// `envp`, with any number of texts.
    Environment,
}

impl TextArray {
    /// The parameter of `main`.
    pub fn name(self) -> &'static str {
        match self {
            TextArray::Arguments => "argv",
            TextArray::Environment => "envp",
        }
    }
}

impl Assumption {
    /// What the C library for the analysed program means by `fathom_ledger(kind, function)`; the second argument is
    /// the function that it speaks of, or empty.
    pub fn of_library(kind: &str, function: &str) -> Option<Assumption> {
        let function = || function.to_string();
        match kind {
            "clock range" => Some(Assumption::ClockRange),
            "local time is UTC" => Some(Assumption::LocalTimeIsUtc),
            "locale is C" => Some(Assumption::LocaleIsC),
            "no signals" => Some(Assumption::NoSignals),
            "locals survive jumps" => Some(Assumption::LocalsSurviveJumps),
            "threads start" => Some(Assumption::ThreadsStart),
            "contract" => Some(Assumption::ContractHolds { function: function() }),
            "computed" => Some(Assumption::FunctionComputed { function: function() }),
            "within bounds" => Some(Assumption::FunctionWithinBounds { function: function() }),
            _ => None,
        }
    }

    /// Whether it leaves out inputs of which nobody said that there are none: what holds under it holds within bounds. Bounds that the
    /// user sets (`--sym-args`) are no such ones.
    pub fn is_bound(&self) -> bool {
        use Assumption as A;
        matches!(self, A::FreshArguments { .. } | A::ArgumentStreams | A::LengthsFit { .. } | A::InitialGlobals { .. })
    }

    /// The function that this says has no body.
    pub fn bodiless_function(&self) -> Option<&str> {
        match self {
            Assumption::FunctionWithoutBody { name } | Assumption::FunctionGivesZero { name } => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Assumption as A;
        match self {
            A::FunctionWithoutBody { name } => {
                write!(f, "`{name}` has no body: its result is arbitrary, and it changes nothing but what its pointer arguments point to")
            }
            A::ContractHolds { function } => write!(f, "`{function}` keeps its contract, which this run does not check"),
            A::FunctionGivesZero { name } => write!(f, "`{name}` has no body: it gives zero and changes nothing"),
            A::UnseenCallback => f.write_str(
                "a function pointer from other code leads to code that is not in the program: its result is arbitrary and it changes nothing",
            ),
            A::NoEffect { function } => write!(f, "{function} has no effect on the program"),
            A::FunctionComputed { function } => write!(
                f,
                "{function} is computed as this machine's C library does; where its argument is not known it is any value within its bounds"
            ),
            A::FunctionWithinBounds { function } => write!(f, "{function} gives any value within its bounds"),
            A::InlineAssembly => f.write_str(
                "inline assembly changes nothing but its outputs, and if it says that it changes memory what its operands point to; these become arbitrary",
            ),
            A::AllocationNeverFails => f.write_str("memory allocation (malloc and its relatives) never fails"),
            A::LargeAllocationFails { most } => {
                write!(f, "an allocation of more than {most} bytes, or of more than is left of the address space, fails")
            }
            A::StackLargeEnough => f.write_str("the stack is large enough"),
            A::LocalsSurviveJumps => {
                f.write_str("variables of a function to which longjmp returns have the values that they had last, as in code that is not optimised")
            }
            A::UninitialisedIsZero => f.write_str("memory that the program does not initialise is zero, as in the builds of the tests"),
            A::ForeignPointer => {
                f.write_str("a pointer that the program didn't make (never initialised, or from other code) leads to an object of its own")
            }
            A::UnknownSize { variable, bytes } => write!(f, "the variable {variable}, whose size is unknown, has {bytes} bytes"),
            A::ExternalVariable { variable } => write!(f, "the variable {variable} is defined elsewhere: its contents are arbitrary"),
            A::UnsupportedInitializer { variable, what } => {
                write!(f, "the initial contents of {variable} are arbitrary: {what} is not supported")
            }
            A::ArbitraryTexts { .. } | A::ArgumentsWithin { .. } | A::FreshArguments { .. } => self.say_of_arguments(f),
            A::EmptyEnvironment => f.write_str("the environment of the program has no variables"),
            A::StandardInputSize { bytes } => write!(f, "standard input has exactly {bytes} bytes"),
            A::FileSize { name, bytes } => write!(f, "the file {name} has exactly {bytes} bytes"),
            A::NoOtherFiles => f.write_str("there are no other files than those on the command line"),
            A::ArgumentStreams => f.write_str("a pointer to a stream that the function is given leads to standard input or standard output"),
            A::LengthsFit { function, names } => write!(
                f,
                "these numbers that {function} is given are lengths, at most the elements that the pointer in front of them leads to, or positions, at most such a length: {names}"
            ),
            A::InitialGlobals { function } => write!(f, "{function} is called while global variables have their initial values"),
            A::ClockRange => f.write_str("clocks show a time between 1970 and 2262"),
            A::LocalTimeIsUtc => f.write_str("the local time zone is UTC"),
            A::LocaleIsC => f.write_str("the locale is \"C\""),
            A::NoSignals => f.write_str("no signals arrive but those that the program raises itself"),
            A::ThreadsStart => f.write_str("threads can always be started"),
            A::FewStatesOfUnseenWrites => f.write_str("other threads see at most two states of what a function without a body writes"),
            A::SequentialConsistency => f.write_str("threads interleave under sequential consistency; data races have no other effect"),
            A::StoreBuffers { model: MemoryModel::Pso } => f.write_str(
                "threads interleave under partial store order (--memory-model pso): a store waits in a buffer of its thread and its location before others see it; data races have no other effect",
            ),
            A::StoreBuffers { .. } => f.write_str(
                "threads interleave under total store order (--memory-model tso): stores wait in a buffer of their thread before others see them; data races have no other effect",
            ),
            A::AtomicsOrder => f.write_str("every atomic operation is sequentially consistent, whatever order the program asks for"),
            A::WeakExchange => f.write_str("a weak compare-exchange fails only where the values differ, as on x86"),
            A::SharedCopiesInPieces { short, word } => write!(
                f,
                "copies and fills of memory that threads share go from the first byte to the last, byte by byte up to {short} bytes (pointers whole) and otherwise in words of {word}, each read and written at once"
            ),
            A::SharedCopyAtOnce => {
                f.write_str("a copy inside one object that threads share, between places that depend on inputs, is one step")
            }
            A::WideAccessAtOnce { word } => write!(f, "an access of more than {word} bytes to memory that threads share is one step"),
            A::DivisionByZeroEnds => f.write_str("a division by zero ends the program (checked with --check div-by-zero)"),
            A::OverflowEnds => f.write_str("no signed number overflows (--property no-overflow checks that)"),
            A::ObjectsUsedWhileAlive => {
                f.write_str("objects are used only while they live (accesses to freed or ended objects are not looked for)")
            }
            A::AllocatedAtATime { most } => {
                write!(f, "the objects that one statement allocates and that live at a time have at most {most} bytes, with their gaps")
            }
            A::ValidMemory => f.write_str("accesses to memory are valid (--property valid-memsafety checks that)"),
            A::EndsWhereViolated { property } => write!(f, "for the other properties: a run ends where it violates {property}"),
            A::MatchingCalls => f.write_str("a function is called through a pointer with values of its parameters' types"),
            A::QuantifierJudgedBySolver => f.write_str("a quantified assumption was judged by the solver, not by the replay"),
            A::ConsistentAxioms => f.write_str("the quantified axioms do not contradict each other"),
            A::DefinedFunctions { names } => write!(
                f,
                "values of {names} are computed by the axioms that define them, by recursion that ends; where these say nothing, they are the solver's"
            ),
            A::Unwinding { bound, own } => {
                let own = if *own { ", or than --unwind-loop says" } else { "" };
                write!(f, "no loop runs for more than {bound} iterations{own} (unwinding assumption)")
            }
            A::FixedPoint { integer, fraction } => write!(
                f,
                "floating point behaves like fixed point with {integer} bits before the point and {fraction} after it: no NaN, no \
                 infinities, other rounding (--fp)"
            ),
        }
    }
}

impl Assumption {
    /// The longer sentences about what the program is started with.
    fn say_of_arguments(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::ArbitraryTexts { array, length, followed } => {
                let count = if *array == TextArray::Arguments { "argc" } else { "any number of" };
                let name = array.name();
                write!(
                    f,
                    "{name} holds {count} texts of less than {length} characters and a null pointer; those behind the first {followed} are any pointers"
                )
            }
            Assumption::ArgumentsWithin { least, most, length } => {
                write!(f, "there are {least} to {most} arguments of at most {length} characters each")
            }
            Assumption::FreshArguments { function, may_be_null, may_alias, elements, pointers, depth, objects } => {
                let or_null = if *may_be_null { "null, or " } else { "" };
                let distinct = if *may_alias { "one object for several pointers, or " } else { "" };
                write!(
                    f,
                    "pointer arguments of {function} are {or_null}{distinct}fresh objects of their types ({elements} elements for numbers, texts that end there, {pointers} pointers and a null), with \
                     pointers in them followed {depth} levels deep and null below, as is what would be more than {objects} objects; \
                     pointers to functions lead to code that is not in the program"
                )
            }
            _ => Ok(()),
        }
    }
}

/// The assumptions a verdict rests on, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    entries: BTreeSet<Assumption>,
}

impl Ledger {
    /// Adds an assumption.
    pub fn note(&mut self, assumption: Assumption) {
        self.entries.insert(assumption);
    }

    /// Adds all assumptions of another ledger.
    pub fn merge(&mut self, other: &Ledger) {
        self.extend(other.entries.iter().cloned());
    }

    /// The assumptions in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = &Assumption> {
        self.entries.iter()
    }

    /// Whether an answer under these assumptions holds within bounds only.
    pub fn has_bounds(&self) -> bool {
        self.entries.iter().any(Assumption::is_bound)
    }

    /// Whether nothing was assumed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What people read: a sentence for each, in alphabetical order.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences: Vec<String> = self.entries.iter().map(Assumption::to_string).collect();
        sentences.sort();
        sentences
    }
}

impl Extend<Assumption> for Ledger {
    fn extend<T: IntoIterator<Item = Assumption>>(&mut self, assumptions: T) {
        self.entries.extend(assumptions);
    }
}

impl FromIterator<Assumption> for Ledger {
    fn from_iter<T: IntoIterator<Item = Assumption>>(assumptions: T) -> Self {
        Ledger { entries: assumptions.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_says() {
        let kinds = ["clock range", "local time is UTC", "locale is C", "no signals", "threads start"];
        assert!(kinds.iter().all(|kind| Assumption::of_library(kind, "").is_some()));
        let sine = Assumption::of_library("within bounds", "sin").unwrap();
        assert_eq!(sine.to_string(), "sin gives any value within its bounds");
        assert_eq!(Assumption::of_library("anything else", ""), None);
    }

    #[test]
    fn sentences_are_sorted() {
        let ledger: Ledger = [Assumption::StackLargeEnough, Assumption::FunctionWithoutBody { name: "f".into() }, Assumption::ClockRange]
            .into_iter()
            .collect();
        let sentences = ledger.sentences();
        assert!(sentences.is_sorted() && sentences[0].starts_with("`f` has no body"));
    }
}
