//! What a finished native run means for the property. The driver and the sanitizers write to standard error; the last
//! report of either decides.

use crate::driver::MARK;
use crate::sandbox::Ended;
use crate::{NativeResult, build};
use fathom_ir::Property;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

const ADDRESS_OPTIONS: &str = "redzone=256:allocator_may_return_null=1:symbolize=0:\
                               malloc_context_size=2:handle_abort=0:detect_odr_violation=0:exitcode=99";

/// The command that runs a compiled program, with the sanitizers' options in its environment.
pub fn command(binary: &Path, look_for_leaks: bool) -> Command {
    let mut command = Command::new(binary);
    // Frames kept for the one check would keep lost pointers alive for the other.
    let (leaks, frames) = if look_for_leaks { (1, 0) } else { (0, 1) };
    command.env_clear();
    command.env("ASAN_OPTIONS", format!("{ADDRESS_OPTIONS}:detect_leaks={leaks}:detect_stack_use_after_return={frames}"));
    // When the program ends its locals are gone: what only a stack or a register still points to is lost.
    command.env("LSAN_OPTIONS", "exitcode=99:print_suppressions=0:use_stacks=0:use_registers=0");
    command.env("TSAN_OPTIONS", "report_thread_leaks=0:halt_on_error=1:symbolize=0:exitcode=97");
    command.env("MSAN_OPTIONS", "symbolize=0:exitcode=97:allocator_may_return_null=1");
    command.env("UBSAN_OPTIONS", "print_stacktrace=0:symbolize=0:exitcode=98");
    command
}

/// Adds to the options of AddressSanitizer.
pub fn add_address_option(command: &mut Command, option: &str) {
    let given = command.get_envs().find(|(name, _)| *name == "ASAN_OPTIONS").and_then(|(_, value)| value.map(OsStr::to_os_string));
    let mut options = given.unwrap_or_default();
    options.push(format!(":{option}"));
    command.env("ASAN_OPTIONS", options);
}

/// A sanitizer's finding.
#[derive(Debug, PartialEq, Eq)]
pub enum Observation<'a> {
    /// The driver's word and detail.
    Driver(&'a str, &'a str),
    Address(&'a str),
    Leak,
    /// A report of ThreadSanitizer.
    Race(&'a str),
    /// A `runtime error:` of the undefined-behaviour sanitizer, with its source position in front.
    Undefined(&'a str),
    /// A signal of the processor that the undefined-behaviour sanitizer reports: an operation that it does not check itself.
    Signal(&'a str),
}

/// What the driver and the sanitizers reported on standard error, in order.
pub fn observations(stderr: &str) -> Vec<Observation<'_>> {
    let mut seen = Vec::new();
    for line in stderr.lines() {
        if let Some(rest) = line.strip_prefix(MARK) {
            let (word, detail) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
            seen.push(Observation::Driver(word, detail));
        } else if let Some((_, rest)) = line.split_once("ERROR: AddressSanitizer: ") {
            seen.push(Observation::Address(rest));
        } else if let Some((_, rest)) = line.split_once("ERROR: UndefinedBehaviorSanitizer: ") {
            seen.push(Observation::Signal(rest));
        } else if line.contains("ERROR: LeakSanitizer: detected memory leaks") {
            seen.push(Observation::Leak);
        } else if let Some((_, rest)) = line.split_once("WARNING: ThreadSanitizer: ") {
            seen.push(Observation::Race(rest.split(" (pid").next().unwrap_or(rest)));
        } else if line.contains(": runtime error: ") {
            seen.push(Observation::Undefined(line));
        }
    }
    seen
}

/// A description of the failure, if what was seen is a violation of the property.
fn failure(property: Property, seen: &Observation<'_>) -> Option<String> {
    match (property, seen) {
        (Property::UnreachCall, Observation::Driver("reach_error", _)) => Some("the error function was called".into()),
        // An error function of the user's own, static or inlined, that ends in an assertion.
        (Property::UnreachCall, Observation::Driver("assert", "reach_error" | "__VERIFIER_error")) => {
            Some("the error function was called".into())
        }
        (Property::Assertion, Observation::Driver("assert", function)) => Some(format!("an assertion failed in {function}")),
        (Property::ValidFree, Observation::Address(what)) if is_free_error(what) => Some(address_text(what)),
        (Property::ValidDeref, Observation::Address(what)) if !is_free_error(what) && !is_exhaustion(what) => Some(address_text(what)),
        (Property::StackOverflow, Observation::Address(what)) if what.starts_with("stack-overflow") => Some(address_text(what)),
        (Property::Null, Observation::Address(what)) if what.starts_with("SEGV") => Some(address_text(what)),
        (Property::NoDataRace, Observation::Race(what)) if what.starts_with("data race") || what.starts_with("heap-use-after-free") => {
            Some(format!("ThreadSanitizer: {what}"))
        }
        (Property::ValidMemtrack, Observation::Leak) => Some("LeakSanitizer: detected memory leaks".into()),
        // Arithmetic with a null pointer is not yet an access.
        (Property::ValidDeref, Observation::Undefined(line))
            if says(line, &["out of bounds", "overflowed to", "null pointer"]) && !says(line, &["applying"]) =>
        {
            Some(undefined_text(line))
        }
        // Complex numbers and vectors are divided without a check.
        (Property::DivByZero, Observation::Signal(what)) if what.starts_with("FPE") => Some("the processor refused a division".into()),
        (Property::Null, Observation::Undefined(line)) if says(line, &["null pointer"]) => Some(undefined_text(line)),
        (_, Observation::Undefined(line)) if says(line, words_of(property)) => Some(undefined_text(line)),
        _ => None,
    }
}

/// What the undefined-behaviour sanitizer says when a property fails.
fn words_of(property: Property) -> &'static [&'static str] {
    match property {
        Property::NoOverflow => &["signed integer overflow", "cannot be represented", "shift exponent"],
        Property::DivByZero => &["division by zero"],
        Property::Shift => &["shift"],
        Property::Bounds => &["out of bounds"],
        Property::Alignment => &["misaligned address", "byte alignment for pointer"],
        Property::FloatCast => &["outside the range of representable values"],
        Property::VlaBound => &["variable length array bound"],
        Property::InvalidValue => &["which is not a valid value"],
        Property::Nonnull => &["null pointer passed as", "null pointer returned from"],
        Property::Unreachable => &["an unreachable program point"],
        Property::Return => &["without returning a value"],
        Property::PointerOverflow => &["overflowed to", "applying", "pointer index expression"],
        Property::Builtin => &["which is not a valid argument"],
        _ => &[],
    }
}

fn says(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| line.contains(word))
}

fn is_free_error(what: &str) -> bool {
    what.starts_with("attempting") || what.starts_with("alloc-dealloc-mismatch") || what.starts_with("bad-free")
}

/// Whether AddressSanitizer reports that the stack or memory is exhausted.
pub fn is_exhaustion(what: &str) -> bool {
    what.starts_with("stack-overflow") || what.starts_with("out-of-memory") || what.starts_with("failed to")
}

/// A report of AddressSanitizer, shortened.
pub fn address_text(what: &str) -> String {
    let end = [" on ", " (pc", " (thread", " ["].iter().filter_map(|stop| what.find(stop)).min().unwrap_or(what.len());
    format!("AddressSanitizer: {}", &what[..end])
}

/// The source position as `file:line`, without directories, and the message.
pub fn undefined_text(line: &str) -> String {
    let (place, message) = line.split_once(": runtime error: ").unwrap_or(("", line));
    let place = place.rsplit('/').next().unwrap_or(place);
    format!("{message} at {place}")
}

/// A signal of the processor, such as `FPE`.
pub fn signal_text(what: &str) -> String {
    format!("the run was ended by {}", what.split_whitespace().next().unwrap_or("a signal"))
}

/// Judges a finished run. Without an excuse, a run that does not show the failure contradicts it.
pub fn judge(property: Property, ended: &Ended, excuses: &[String]) -> NativeResult {
    let seen = observations(&ended.stderr);
    if let Some(what) = seen.iter().find_map(|one| failure(property, one)) {
        return NativeResult::Confirmed(what);
    }
    if let Some(limit) = ended.limit {
        return NativeResult::NotPossible(format!("the run used too much {limit}"));
    }
    // Of a negative value the sanitizer only says that it is shifted, not whether the result fits.
    let hides = |one: &Observation<'_>| matches!(one, Observation::Undefined(line) if says(line, &["left shift of negative value"]));
    let mut partial = build::uses_address_sanitizer(property)
        || property == Property::NoDataRace
        || (property == Property::NoOverflow && seen.iter().any(hides));
    let what = match seen.last() {
        Some(Observation::Driver("missing", function)) => {
            return NativeResult::NotPossible(format!("the run calls {function}, which is defined nowhere"));
        }
        Some(Observation::Driver("unwritable", function)) => {
            return NativeResult::NotPossible(format!("the run calls {function}, for which no stand-in can be written"));
        }
        Some(Observation::Driver("exhausted", function)) => format!("the run went past it and asked {function} for more"),
        Some(Observation::Driver("diverged", function)) => format!("the run went another way and asked {function}"),
        Some(Observation::Driver("assumption", function)) => format!("the run went another way and broke an assumption ({function})"),
        Some(Observation::Driver("assert", function)) => format!("an assertion in {function} failed before"),
        Some(Observation::Driver("aborted", _)) => "the run ended in abort".into(),
        Some(Observation::Driver("ended" | "unused", _)) => silent_end(ended, &mut partial),
        Some(Observation::Driver(word, _)) => format!("the run ended with {word}"),
        Some(Observation::Address(what)) => format!("the run ended with {}", address_text(what)),
        Some(Observation::Leak) => "only a leak was seen".into(),
        Some(Observation::Race(what)) => format!("the run showed ThreadSanitizer: {what}"),
        Some(Observation::Undefined(line)) => format!("the run showed {}", undefined_text(line)),
        Some(Observation::Signal(what)) => signal_text(what),
        None if ended.stderr.contains("LeakSanitizer has encountered a fatal error") => {
            return NativeResult::NotPossible("LeakSanitizer does not work here".into());
        }
        None => silent_end(ended, &mut partial),
    };
    let contradicts = excuses.is_empty() && !partial;
    let mut reasons = excuses.to_vec();
    if property == Property::NoDataRace {
        reasons.insert(0, "ThreadSanitizer sees a race only where threads happen to run in a suitable order".into());
    } else if partial && reasons.is_empty() {
        reasons.push("sanitizers do not see every failure of this kind".into());
    }
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
    NativeResult::NotSeen { what: format!("{what}{reasons}"), contradicts }
}

fn silent_end(ended: &Ended, partial: &mut bool) -> String {
    match (ended.code, ended.signal) {
        (Some(code), _) => format!("the run ended with exit code {code}"),
        (None, Some(libc::SIGABRT)) => "the run ended in abort".into(),
        (None, Some(signal @ (libc::SIGKILL | libc::SIGXFSZ))) => {
            // The system or the sandbox ended it, not the program.
            *partial = true;
            format!("the run was ended by signal {signal}")
        }
        (None, signal) => format!("the run was ended by signal {}", signal.unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(stderr: &str) -> Ended {
        Ended { success: true, code: Some(0), signal: None, stderr: stderr.into(), limit: None }
    }

    #[test]
    fn the_failure_of_the_property_confirms() {
        let cases = [
            (Property::NoDataRace, "==\nWARNING: ThreadSanitizer: data race (pid=7)\n"),
            (Property::UnreachCall, "\nFATHOM-REPLAY reach_error \n"),
            (Property::UnreachCall, "FATHOM-REPLAY assert reach_error\n"),
            (Property::Assertion, "noise\nFATHOM-REPLAY assert main\n"),
            (Property::ValidDeref, "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2\n"),
            (Property::ValidDeref, "a.c:3:9: runtime error: subtraction of unsigned offset from 0x10 overflowed to 0x14\n"),
            (Property::ValidFree, "==1==ERROR: AddressSanitizer: attempting double-free on 0x1 in thread T0:\n"),
            (Property::ValidMemtrack, "==1==ERROR: LeakSanitizer: detected memory leaks\n"),
            (Property::NoOverflow, "/x/a.c:3:9: runtime error: signed integer overflow: 1 + 2147483647 ...\n"),
            (Property::DivByZero, "a.c:3:9: runtime error: division by zero\n"),
            (Property::DivByZero, "==7==ERROR: UndefinedBehaviorSanitizer: FPE on unknown address 0x55 (pc 0x55 bp 0x7f sp 0x7f T7)\n"),
            (Property::Shift, "a.c:3:9: runtime error: shift exponent 32 is too large for 32-bit type 'int'\n"),
            (Property::Null, "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x1 bp 0x2)\n"),
        ];
        for (property, stderr) in cases {
            assert!(matches!(judge(property, &ended(stderr), &[]), NativeResult::Confirmed(_)), "{property}: {stderr}");
        }
    }

    #[test]
    fn only_a_complete_run_contradicts() {
        let contradicts = |property, stderr: &str, excuses: &[String]| match judge(property, &ended(stderr), excuses) {
            NativeResult::NotSeen { contradicts, .. } => contradicts,
            other => panic!("unexpected {other:?}"),
        };
        assert!(contradicts(Property::UnreachCall, "", &[]));
        assert!(contradicts(Property::NoOverflow, "FATHOM-REPLAY exhausted nondet_int\n", &[]));
        assert!(!contradicts(Property::UnreachCall, "", &["it depends on uninitialised memory".into()]));
        assert!(!contradicts(Property::ValidDeref, "", &[]));
        assert!(!contradicts(Property::NoOverflow, "a.c:3:9: runtime error: left shift of negative value -2147483648\n", &[]));
        let missing = judge(Property::UnreachCall, &ended("FATHOM-REPLAY missing foo\n"), &[]);
        assert!(matches!(missing, NativeResult::NotPossible(_)));
    }
}
