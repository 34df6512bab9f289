#!/usr/bin/env python3
"""Compares verdicts with those that the test programs of CBMC and ESBMC expect.

    bench/peers.py [--fathom PATH] [--timeout 10] [--sample N] [--seed S] [--jobs J] [--out FILE.tsv] FOLDER...

A FOLDER is one of `regression/*` of github.com/diffblue/cbmc or github.com/esbmc/esbmc, or several tests of it. A test is a
folder with a `test.desc`: its kind (only CORE counts), its file, its flags, and what must be printed, where `VERIFICATION
SUCCESSFUL` or `FAILED` is what is compared. Tests that expect anything else, have a flag that is not in the tables, or are not C
are counted as not mapped. Prints how many agree, are undecided and disagree, with the reasons that are most frequent; the table
has a line for each test. Exit code 1 if one disagrees.

Some answers of the peers are about a part of all runs: success up to a number of unwindings, of context switches or of steps, and a failure
that may be nothing but a loop with more rounds than `--unwind` says. Where Fathom, which looks at all runs, answers otherwise, the test is
counted and listed as `bounded`: neither tool is wrong then. `refused` is what clang takes for no C; `implied`, undefined behaviour that
nobody asked for, but behind which nothing else has a meaning (an array without elements).

What the flags become:

    CBMC                                       Fathom
    (nothing)                                  --property assertion, unreach-call, valid-deref, valid-free, no-overflow; --check
                                               bounds, div-by-zero, shift, builtin; --malloc-may-fail
    --no-standard-checks                       --property assertion, unreach-call
    --no-X-check                               without what X stands for
    --bounds-check, --pointer-check, ...       with what it stands for
    --memory-leak-check                        --property valid-memcleanup
    --pointer-overflow-check                   --check pointer-overflow
    --no-malloc-may-fail                       without --malloc-may-fail
    --function F                               --entry F
    --32, --64, -D, -I                         the same
    --unwind, --slice, --trace, solvers, ...   nothing: they say how, not what
    --no-unwinding-assertions, --depth         nothing; success is bounded
    --unwind without these, --object-bits      nothing; a failure may be the bound
    -W, --std                                  to clang, as they are

    ESBMC                                      Fathom
    (nothing)                                  --property assertion, unreach-call, valid-deref, valid-free; --check bounds,
                                               div-by-zero, alignment; --malloc-may-fail
    --termination                              --property termination alone
    --overflow-check                           --property no-overflow
    --memory-leak-check                        --property valid-memcleanup; with --no-reachable-memory-leak: valid-memtrack
    --data-races-check, --deadlock-check       --property no-data-race, deadlock
    --ub-shift-check                           --check shift
    --force-malloc-success                     without --malloc-may-fail
    --context-bound                            nothing; success is bounded
    --no-X-check, --function, --32, --64, ...  as above
"""

import argparse
import collections
import concurrent.futures
import random
import re
import subprocess
import sys
from pathlib import Path

STANDARD = {"assertion", "unreach-call", "bounds", "valid-deref", "valid-free", "no-overflow", "div-by-zero", "shift", "builtin"}
OF_ESBMC = {"assertion", "unreach-call", "bounds", "valid-deref", "valid-free", "div-by-zero", "alignment"}
PROPERTIES = {
    "assertion", "valid-deref", "valid-free", "no-overflow", "valid-memtrack", "valid-memcleanup", "no-data-race", "deadlock", "unreach-call",
    "termination",
}
# What a check of this name stands for.
CHECKS = {
    "bounds": {"valid-deref", "bounds"},
    "pointer": {"valid-deref", "valid-free"},
    "signed-overflow": {"no-overflow"},
    "overflow": {"no-overflow"},
    "div-by-zero": {"div-by-zero"},
    "undefined-shift": {"shift"},
    "ub-shift": {"shift"},
    "pointer-overflow": {"pointer-overflow"},
    "pointer-primitive": set(),
    "align": {"alignment"},
    "vla-size": set(),
    "data-races": {"no-data-race"},
    "deadlock": {"deadlock"},
}
# Flags by which a peer looks at a part of all runs.
BOUNDED = {"--no-unwinding-assertions", "--partial-loops", "--context-bound", "--depth"}
# Tests about what a peer alone means: names of their folders, and why.
LEFT_OUT = [
    (r"feraiseexcept-01", "raising a floating-point exception is an error there"),
    (r"builtin_object_size\d+.*", "the size that only an optimising compiler tells"),
    (r"struct_bitfields_02", "bit-fields have no padding there; in the ABI they have"),
    (r"strcoll_bug", "another locale than C, which Fathom assumes and says"),
    (r"github_1174_flags|printf_(\d+|z_modifier)", "output never fails there"),
    (r"_?(sig)?longjmp-01", "jumps are errors there"),
    (r"github_6831_hashing_sound", "a statement is one step of a thread there, in C an increment is two"),
    (r"scanf_malloc_inbounds", "what scanf writes to is not checked there: malloc may have failed"),
    (r"(_strftime|_usleep|__signbitd)-01", "a function of another system"),
    (r"struct7|Pointer_Arithmetic4", "an address outside of an array may be computed there"),
    (r"time_h_asctime_null_fail", "asctime of null is an error there; the C library gives null"),
    (r"github_273_fail", "pointers into different objects may not be ordered there, which Fathom does not check"),
    (r"github_6508_safe", "an array in a union may be as long as the union there"),
    (r"vector_gcc_literal_shufflevector_3_true", "vectors of other elements are converted one by one there"),
    (r"prefix-claims-no-ltl", "about formulas of temporal logic"),
    (r"01_pthread68", "a thread can be detached twice there"),
    (r"github_2789", "a shift by a negative number counts as an overflow there"),
    (r"github_4634", "what a variable of main points to when main has ended is no leak there"),
    (r"strncasecmp-01", "the order of texts is -1, 0 or 1 there; the C library gives a difference"),
    (r"toupper-01", "the function is asked about what is no character"),
    (r"memcpy-05", "memory of any size can be had there"),
    (r"vasprintf_valist_recovery_i386", "vasprintf never fails there"),
    (r"same-object-01", "objects have known numbers there"),
    (r"Pointer_array4", "no array lies across the middle of the address space there"),
    (r"Multi_Dimensional_Array1", "an index may lead into the next row there"),
    (r"github_159_postdecrement", "reads whose value is dropped are not checked there"),
]
# Flags that say how a tool works, with the number of words behind them.
NEUTRAL = {
    "--unwind": 1, "--unwindset": 1, "--unwinding-assertions": 0, "--no-simplify": 0, "--no-propagation": 0, "--trace": 0, "--verbosity": 1,
    "--refine-arrays": 0, "--refine": 0, "--arrays-uf-always": 0, "--little-endian": 0, "--floatbv": 0, "--slice-formula": 0, "--smt2": 0,
    "--z3": 0, "--boolector": 0, "--bitwuzla": 0, "--cvc": 0, "--yices": 0, "--mathsat": 0, "--bv": 0, "--no-slice": 0, "--stop-on-fail": 0,
    "--sat-solver": 1, "--full-slice": 0, "--reachability-slice": 0, "--reachability-slice-fb": 0, "--beautify": 0, "--object-bits": 1,
    "--incremental-bmc": 0, "--k-induction": 0, "--falsification": 0, "--multi-property": 0, "--k-step": 1, "--max-k-step": 1,
    "--unlimited-k-steps": 0, "--interval-analysis": 0, "--context-bound": 1, "--state-hashing": 0, "--no-por": 0, "--add-symex-value-sets": 0,
    "--smt-symex-guard": 0, "--irep2-bodies": 0, "--irep2-native-body": 0, "--clang-c-irep2-adjust-only": 0, "--compact-trace": 0,
    "--force-realloc-success": 0, "--goto-unwind": 0, "--unlimited-goto-unwind": 0, "--all-witnesses": 0, "--quiet": 0, "--smt-formula-too": 0,
    "--no-unwinding-assertions": 0, "--partial-loops": 0, "--no-vla-size-check": 0, "--show-cex": 0, "--localize-faults": 0, "--paths": 1, "--timeout": 1, "--memlimit": 1,
    "--cswitch-skip-readonly-globals": 0, "--validate-ssa-equation": 0, "--validate-goto-model": 0, "--drop-unused-functions": 0,
    "--enable-unreachability-intrinsic": 0, "--no-reachable-memory-leak": 0, "--smt-symex-assert": 0, "--interval-symex-assert": 0, "--result-only": 0,
    "--max-inductive-step": 1, "--base-k-step": 1, "--unwindsetname": 1, "--k-induction-parallel": 0, "--goto-contractor": 0,
    "--interval-analysis-ibex-contractor": 0, "--interval-analysis-simplify": 0, "--witness-output": 1, "--witness-output-graphml": 1,
    "--no-irep2-native-body": 0, "--array-flattener": 0, "--tuple-sym-flattener": 0, "--sleep-sets": 0, "--cvc5": 0, "--inline": 0,
    "--partial-inline": 0, "--function-inline": 1, "--add-library": 0, "--constant-propagator": 0, "_": 0,
    "--slice-global-inits": 0, "--symex-ssa-guard": 0, "--smt-during-symex": 0, "--no-return-value-opt": 0, "--depth": 1, "--simplify-trace": 0, "--no-goto-merge": 0,
}


class Unmapped(Exception):
    """The test can't be said with Fathom's flags."""


def map_flags(words, is_esbmc):
    """Fathom's flags for a peer's, and the files among them."""
    wanted = set(OF_ESBMC if is_esbmc else STANDARD)
    leaks = {"valid-memtrack" if "--no-reachable-memory-leak" in words else "valid-memcleanup"}
    flags, files = [], []
    may_fail = True
    words = collections.deque(words)
    while words:
        word = words.popleft()
        name = re.fullmatch(r"--(no-)?(.*)-check", word)
        if word == "--no-standard-checks":
            wanted &= {"assertion", "unreach-call"}
        elif word == "--no-assertions":
            wanted -= {"assertion", "unreach-call"}
        elif word == "--memory-leak-check":
            wanted |= leaks
        elif word == "--termination":
            wanted = {"termination"}
        elif name and name[2] in CHECKS:
            wanted = wanted - CHECKS[name[2]] if name[1] else wanted | CHECKS[name[2]]
        elif word in ("--no-malloc-may-fail", "--force-malloc-success"):
            may_fail = False
        elif word in ("--malloc-may-fail", "--malloc-fail-null"):
            may_fail = True
        elif word == "--function":
            flags += ["--entry", words.popleft()]
        elif word in ("--32", "--64"):
            flags.append(word)
        elif word in ("--i386-linux", "--i386-win32"):
            flags.append("--32")
        elif re.match(r"-[DIW]", word):
            flags += ["--clang-arg", (word if len(word) > 2 else word + words.popleft()).replace("'", "")]
        elif word.startswith("--std"):
            flags.append("-std=" + (word[6:] or words.popleft()))
        elif word in NEUTRAL:
            for _ in range(NEUTRAL[word]):
                words.popleft()
        elif word.endswith((".c", ".i")):
            files.append(word)
        else:
            raise Unmapped(word)
    for one in sorted(wanted):
        flags += ["--property" if one in PROPERTIES else "--check", one]
    return flags + (["--malloc-may-fail"] if may_fail else []), files


def is_bounded(words, expected):
    """Whether the expected answer may be about a part of all runs."""
    if expected == "true":
        return not BOUNDED.isdisjoint(words)
    may_unwind_too_little = {"--unwind", "--unwindset", "--unwinding-assertions", "--object-bits"}
    return not may_unwind_too_little.isdisjoint(words) and {"--no-unwinding-assertions", "--partial-loops"}.isdisjoint(words)


def read(description):
    """The command of a test, its expected verdict, and whether that may be bounded."""
    lines = description.read_text(errors="replace").splitlines()
    if len(lines) < 3 or "CORE" not in lines[0].split():
        raise Unmapped("not CORE")
    if any(re.fullmatch(name, description.parent.name) for name, _ in LEFT_OUT):
        raise Unmapped("about what the peer alone means")
    text = "\n".join(lines[3:]).split("\n--\n")[0]
    verdicts = re.findall(r"VERIFICATION (SUCCESSFUL|FAILED)", text)
    if len(set(verdicts)) != 1 or re.search(r"unwinding assertion|recursion unwinding", text):
        raise Unmapped("no verdict")
    expected = "true" if verdicts[0] == "SUCCESSFUL" else "false"
    # CBMC's tests say how the process must end.
    is_esbmc = "EXIT=" not in text
    words = lines[2].split()
    flags, more = map_flags(words, is_esbmc)
    main = lines[1].strip()
    if not main.endswith((".c", ".i")):
        raise Unmapped("not C")
    return [main, *more, *flags], expected, is_bounded(words, expected)


def decide(arguments, description, command):
    """Fathom's verdict."""
    full = [arguments.fathom, "verify", *command, "--first", "--timeout", f"{arguments.timeout}s", "--no-native"]
    try:
        ended = subprocess.run(full, cwd=description.parent, capture_output=True, text=True, errors="replace", timeout=arguments.timeout + 20)
    except subprocess.TimeoutExpired:
        return "unknown(hang)"
    lines = [line[8:] for line in (ended.stdout + ended.stderr).splitlines() if line.startswith("VERDICT ")]
    return lines[-1] if lines else "unknown(nothing said)"


def judge(said, expected, bounded, command):
    violated = re.match(r"false\((.*)\)", said)
    if violated and expected == "true" and violated[1] not in command:
        return "implied"
    if said.startswith("unknown(input error"):
        return "refused"
    if said.startswith("unknown"):
        return "undecided"
    if said.startswith(expected):
        return "agrees"
    return "bounded" if bounded else "DISAGREES"


def one(arguments, description):
    try:
        command, expected, bounded = read(description)
    except (Unmapped, IndexError) as reason:
        return description, "not mapped", "", str(reason), ""
    said = decide(arguments, description, command)
    return description, judge(said, expected, bounded, command), expected, said, " ".join(command)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--fathom", default="fathom")
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--sample", type=int, help="only so many tests that can be mapped, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if "/" in arguments.fathom:
        arguments.fathom = str(Path(arguments.fathom).resolve())
    tests = sorted(test for folder in arguments.folders for test in folder.rglob("test.desc"))
    if arguments.sample:
        random.Random(arguments.seed).shuffle(tests)
        mapped = []
        for test in tests:
            try:
                read(test)
            except (Unmapped, IndexError):
                continue
            mapped.append(test)
        tests = mapped[: arguments.sample]
    count, reasons = collections.Counter(), collections.Counter()
    rows = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for row in pool.map(lambda test: one(arguments, test), tests):
            rows.append(row)
            count[row[1]] += 1
            if row[1] in ("undecided", "DISAGREES"):
                reasons[(row[1], re.sub(r"\d+|`[^`]*`", "#", row[3])[:70])] += 1
    if arguments.out:
        arguments.out.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    for (kind, reason), number in reasons.most_common(25):
        print(f"{number:5} {kind:10} {reason}")
    for row in rows:
        if row[1] in ("bounded", "implied", "refused", "DISAGREES"):
            print(f"{row[1]:10} {row[0].parent}  expected {row[2]}, said {row[3]}")
    print(", ".join(f"{number} {kind}" for kind, number in count.most_common()))
    return 1 if count["DISAGREES"] else 0


if __name__ == "__main__":
    sys.exit(main())
