#!/usr/bin/env python3
"""Compares solvers on the same tasks, as figures 3.26 to 3.29 of the ESBMC thesis do.

    bench/solvers.py --solver bitwuzla --solver 'bitwuzla --fp bv' --solver z3 tests/verdicts/float_*.c

Each --solver is what follows `fathom verify --solver`; a task is a file, or `file:property`, or the lines `file property`
of a list given as @list. Prints a table of the seconds that each solver took (a dot where it gave no verdict), how many
tasks each solved, how many only it solved, and the time on the tasks that all solved. Two solvers that contradict each
other, or an expected verdict (`//! property: verdict` at the top of a file), are reported and make the exit code 1.
"""

import argparse
import csv
import re
import subprocess
import sys
import time
from pathlib import Path

EXPECTED = re.compile(r"//! ([\w-]+): (true|false)")


def tasks(words):
    """Pairs of a file and a property, None for the default."""
    for word in words:
        if word.startswith("@"):
            for line in Path(word[1:]).read_text().splitlines():
                if line.strip() and not line.startswith("#"):
                    file, *rest = line.split()
                    yield file, rest[0] if rest else None
        elif ":" in word:
            file, _, wanted = word.rpartition(":")
            yield file, wanted
        else:
            expected = headers(word)
            yield word, next(iter(expected), None)


def headers(file):
    """What the file itself says about its properties."""
    found = {}
    for line in Path(file).read_text(errors="replace").splitlines():
        if not line.startswith("//!"):
            break
        if match := EXPECTED.match(line):
            found[match[1]] = match[2]
    return found


def run(arguments, solver, file, wanted):
    command = [arguments.fathom, "verify", file, "--timeout", f"{arguments.timeout}s", "--no-native"]
    command += ["--property", wanted] if wanted else []
    command += ["--solver", *solver.split(), *arguments.flags.split()]
    start = time.monotonic()
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=arguments.timeout + 10)
        last = (ended.stdout.splitlines() or [""])[-1]
    except subprocess.TimeoutExpired:
        last = ""
    seconds = time.monotonic() - start
    verdict = re.match(r"VERDICT (true|false)", last)
    return (verdict[1] if verdict else "unknown"), seconds, last


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="+", metavar="TASK")
    parser.add_argument("--solver", action="append", dest="solvers", metavar="NAME [FLAGS]")
    parser.add_argument("--fathom", default="target/release/fathom", metavar="BINARY")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--flags", default="", help="more flags for every run")
    parser.add_argument("--csv", metavar="FILE", help="write every run to this file")
    arguments = parser.parse_args()
    solvers = arguments.solvers or ["bitwuzla", "bitwuzla --fp bv", "z3", "z3 --fp bv"]
    rows, wrong = [], []
    print("".join(f"{solver:>20}" for solver in solvers) + "  task")
    for file, wanted in tasks(arguments.tasks):
        results = [run(arguments, solver, file, wanted) for solver in solvers]
        rows.append((file, wanted, results))
        cells = (f"{seconds:.2f} {verdict}" if verdict != "unknown" else "." for verdict, seconds, _ in results)
        print("".join(f"{cell:>20}" for cell in cells) + f"  {file}", flush=True)
        said = {verdict for verdict, _, _ in results} - {"unknown"}
        expected = headers(file).get(wanted or "unreach-call")
        if len(said) > 1 or (expected and said - {expected}):
            wrong.append(f"{file} {wanted or ''}: {dict(zip(solvers, (r[0] for r in results)))}, expected {expected}")
    summary(solvers, rows)
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as target:
            writer = csv.writer(target)
            writer.writerow(["file", "property", "solver", "verdict", "seconds", "line"])
            for file, wanted, results in rows:
                for solver, (verdict, seconds, line) in zip(solvers, results):
                    writer.writerow([file, wanted or "", solver, verdict, f"{seconds:.3f}", line])
    for line in wrong:
        print(f"CONTRADICTION {line}")
    sys.exit(1 if wrong else 0)


def summary(solvers, rows):
    solved = {solver: {i for i, row in enumerate(rows) if row[2][at][0] != "unknown"} for at, solver in enumerate(solvers)}
    everyone = set.intersection(*solved.values()) if solved else set()
    print()
    for at, solver in enumerate(solvers):
        others = set().union(*(tasks for name, tasks in solved.items() if name != solver))
        shared = sum(rows[i][2][at][1] for i in everyone)
        print(
            f"{solver}: solved {len(solved[solver])} of {len(rows)}, {len(solved[solver] - others)} alone; "
            f"{shared:.1f} s on the {len(everyone)} tasks that all solved"
        )


if __name__ == "__main__":
    main()
