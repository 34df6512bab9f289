#!/usr/bin/env python3
"""What a cluster of one machine gives, measured with Fathom itself: for a machine that does nothing else.

    measure.py throughput --list TASKS.tsv --data DIR --tasks 200 --timeout 10s   one worker, two workers, and no Ray: rate and verdicts
    measure.py split --branches 20                                                one exploration of 2^20 paths, alone and divided
    measure.py faults --list TASKS.tsv --data DIR --tasks 40 --timeout 10s        faults in the middle of runs, and what is done twice

A list has a line of names, among them path, property and model, and a line for each task (tabs between). The Python that runs this
has Ray. Everything is written into a new directory (--work), which is kept.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "ray"
sys.path.insert(0, str(PACKAGE))

PROPERTY = "unreach-call"
# What differs from run to run: whether a task that takes nearly all its time comes to its end.
LIMITS = ("unknown(timeout", "unknown(out of memory")


def told(text: str) -> None:
    """A line at once: runs take minutes."""
    print(text, flush=True)


class Bench:
    """A directory with plans, and the programs that do them."""

    def __init__(self, fathom: str, work: Path) -> None:
        found = shutil.which(fathom)
        if found is None:
            sys.exit(f"error: {fathom} was not found; name the binary with --fathom")
        self.fathom = str(Path(found).resolve())
        self.work = work.resolve()
        if self.work.exists():
            sys.exit(f"error: {self.work} is there already; name a new directory with --work")
        self.work.mkdir(parents=True)

    def call(self, *words: str) -> str:
        """What Fathom says."""
        return subprocess.run([self.fathom, *words], cwd=self.work, capture_output=True, text=True, check=False).stdout

    def plan_list(self, rows: list[dict[str, str]], data: Path, timeout: str) -> Path:
        """A plan for the tasks of a list, by a definition as SV-COMP has them for each."""
        (self.work / "tasks").mkdir()
        (self.work / "tasks" / f"{PROPERTY}.prp").write_text("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n")
        names = []
        for number, row in enumerate(rows):
            model = "ILP32" if row["model"] == "32" else "LP64"
            definition = {
                "format_version": "2.0",
                "input_files": str((data / row["path"]).resolve()),
                "properties": [{"property_file": f"{PROPERTY}.prp"}],
                "options": {"language": "C", "data_model": model},
            }
            name = f"tasks/{number:04}-{Path(row['path']).stem}.yml"
            (self.work / name).write_text(json.dumps(definition))
            names.append(name)
        (self.work / "list").write_text("".join(f"{name}\n" for name in names))
        told(self.call("plan", "@list", "--out", "plan", "--property", PROPERTY, "--timeout", timeout, "--memory", "2G").splitlines()[-1])
        return self.work / "plan"

    def ray(self, plan: Path, results: str, workers: int, *more: str) -> subprocess.Popen[bytes]:
        """Starts a driver."""
        command = [sys.executable, "-m", "fathom_ray.cli", "run", str(plan), "--results", str(self.work / results)]
        command += ["--fathom", self.fathom, *(["--workers", str(workers)] if workers else []), *more]
        log = open(self.work / f"{results}.log", "ab")
        return subprocess.Popen(command, cwd=PACKAGE, stdout=log, stderr=log)

    def timed(self, plan: Path, results: str, workers: int) -> float:
        """Seconds of a run without those in which a cluster starts and ends: a second run, which has nothing to do, takes these."""
        seconds = []
        for _ in range(2):
            begun = time.monotonic()
            code = self.ray(plan, results, workers).wait()
            seconds.append(time.monotonic() - begun)
        whole, idle = seconds
        told(f"{workers} workers: {whole:.1f} s, exit code {code}; {idle:.1f} s of it for the start and the end of the cluster")
        return whole - idle

    def verdicts(self, plan: Path, results: str) -> dict[str, str]:
        """The verdict of each task that has a result."""
        found = {}
        for task in ids(plan):
            path = self.work / results / f"{task}.jsonl"
            if path.exists():
                found[task] = json.loads(path.read_text().splitlines()[1])["verdict"]
        return found


def ids(plan: Path) -> list[str]:
    """The tasks of a plan."""
    return [json.loads(line)["id"] for line in (plan / "plan.jsonl").read_text().splitlines()[1:]]


def sample(path: Path, count: int, seed: int) -> list[dict[str, str]]:
    """So many tasks of a list about the usual property, always the same ones."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["property"] == PROPERTY]
    return random.Random(seed).sample(rows, min(count, len(rows)))


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Tasks that were decided differently; those that a limit ended once are counted apart."""
    return [f"{task}: {one[task]} and {other[task]}" for task in one if task in other and one[task] != other[task]]


def throughput(bench: Bench, arguments: argparse.Namespace) -> None:
    """One worker, two workers, and the same tasks without Ray."""
    plan = bench.plan_list(sample(arguments.list, arguments.tasks, arguments.seed), arguments.data, arguments.timeout)
    one, two = bench.timed(plan, "one", 1), bench.timed(plan, "two", 2)
    count = len(ids(plan))
    told(f"throughput: {60 * count / one:.1f} and {60 * count / two:.1f} tasks a minute: {one / two:.2f} times")
    if not arguments.no_direct:
        begun = time.monotonic()
        for task in ids(plan):
            bench.call("run", str(plan), task, "--results", str(bench.work / "direct"))
        told(f"without Ray, one by one: {time.monotonic() - begun:.1f} s")
    verdicts = {name: bench.verdicts(plan, name) for name in ("one", "two", "direct")}
    for name in ("two", "direct"):
        different = differences(verdicts["one"], verdicts[name])
        limits = [line for line in different if any(limit in line for limit in LIMITS)]
        told(f"one and {name}: {len(verdicts[name])} results, {len(different) - len(limits)} different verdicts, {len(limits)} ended by a limit once")
        for line in different:
            told(f"  {line}")


def split(bench: Bench, arguments: argparse.Namespace) -> None:
    """A program of many paths that no two of which meet, explored by one worker and by two."""
    step = "unsigned char x{i} = __VERIFIER_nondet_uchar(); if (x{i} > {i}) s = s * 3u + {i}u; else s += x{i};\n"
    body = "".join(step.format(i=i) for i in range(arguments.branches))
    text = "extern unsigned char __VERIFIER_nondet_uchar(void);\nint main(void) { unsigned s = 0;\n" + body + "return 0; }\n"
    (bench.work / "many.c").write_text(text)
    seconds: dict[int, float] = {}
    covered: dict[int, str] = {}
    for workers in (1, 2):
        name = f"plan{workers}"
        question = ["--engine", "explore", "--property", PROPERTY, "--timeout", arguments.timeout, "--memory", "4G"]
        bench.call("plan", "many.c", "--out", name, *question, "--", "--searcher", "dfs")
        seconds[workers] = bench.timed(bench.work / name, f"{name}/results", workers)
        merged = bench.call("merge", name)
        covered[workers] = cover_of(bench.work / name, merged)
        told(f"{merged.splitlines()[0]}; {covered[workers]}")
    same = covered[1].split()[-1] == covered[2].split()[-1]
    told(f"two workers: {seconds[1] / seconds[2]:.2f} times as fast as one; the paths are {'the same' if same else 'NOT THE SAME'}")


def cover_of(plan: Path, merged: str) -> str:
    """How many paths were followed, with their hash as the last word."""
    told_by_merge = [line.strip().replace("(", "").replace(")", "") for line in merged.splitlines() if " cover " in line]
    if told_by_merge:
        return told_by_merge[0]
    report = json.loads((plan / "results" / f"{ids(plan)[0]}.jsonl").read_text().splitlines()[1])
    tree = (report.get("part") or {}).get("tree") or [{}]
    done = tree[0].get("closed", {}) if isinstance(tree[0], dict) else {}
    return f"one part with {done.get('paths')} paths, hash {done.get('hash')}"


def wait_for(bench: Bench, plan: Path, results: str, count: int) -> set[str]:
    """Waits until so many tasks have results."""
    while len(found := set(bench.verdicts(plan, results))) < count:
        time.sleep(0.05)
    return found


def workers_of(driver: int) -> list[int]:
    """The processes of Fathom that workers run, by their command."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if b"run" in words[1:2] and f"FATHOM_MEASURE={driver}".encode() in environment:
            found.append(int(entry.name))
    return found


def done_twice(bench: Bench, plan: Path, before: dict[str, int]) -> int:
    """Tasks that had a result and have a newer one."""
    return sum(before[task] != stamp for task, stamp in stamps(bench, plan).items() if task in before)


def stamps(bench: Bench, plan: Path) -> dict[str, int]:
    """When each result was written."""
    paths = {task: bench.work / "results" / f"{task}.jsonl" for task in ids(plan)}
    return {task: path.stat().st_mtime_ns for task, path in paths.items() if path.exists()}


def faults(bench: Bench, arguments: argparse.Namespace) -> None:
    """Faults in the middle of runs, one after the other on one plan."""
    plan = bench.plan_list(sample(arguments.list, arguments.tasks, arguments.seed), arguments.data, arguments.timeout)
    count = len(ids(plan))
    os.environ["FATHOM_MEASURE"] = str(os.getpid())

    driver = bench.ray(plan, "results", 2)
    wait_for(bench, plan, "results", count // 5)
    for process in workers_of(os.getpid())[:1]:
        parent = int((Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[1])
        os.kill(parent, signal.SIGKILL)
        told(f"killed a worker in the middle, after {len(stamps(bench, plan))} results")
    wait_for(bench, plan, "results", 2 * count // 5)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    before = stamps(bench, plan)
    told(f"killed the driver after {len(before)} of {count} results")

    dropped, torn = sorted(before)[:2]
    (bench.work / "results" / f"{dropped}.jsonl").unlink()
    path = bench.work / "results" / f"{torn}.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    kept = [task for task in before if task not in (dropped, torn)]
    shutil.copy2(bench.work / "results" / f"{kept[0]}.jsonl", bench.work / "results" / "delivered-twice.jsonl")
    before = {task: before[task] for task in kept}
    code = bench.ray(plan, "results", 2).wait()
    told(f"started again with one result dropped, one torn and one delivered twice: exit code {code}, {len(stamps(bench, plan))} of {count} results, "
         f"{done_twice(bench, plan, before)} of {len(before)} done twice")

    full_disk(bench, plan, count)
    a_node_goes(bench, plan, count)
    told(bench.call("merge", "plan", "results").splitlines()[-1])


def full_disk(bench: Bench, plan: Path, count: int) -> None:
    """Results on a file system that is too small for all of them."""
    place = bench.work / "small"
    place.mkdir()
    size = sum(path.stat().st_size for path in (bench.work / "results").glob("*.jsonl")) // 2
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)], capture_output=True, check=False).returncode != 0:
        told("no full disk: this user can't mount one (tests/test_run.py has a disk that says so)")
        return
    try:
        code = bench.ray(plan, "small", 2).wait()
        before = {path.name: path.stat().st_mtime_ns for path in place.glob("[!.]*.jsonl")}
        told(f"a full disk: exit code {code}, {len(before)} of {count} results")
        subprocess.run(["mount", "-o", f"remount,size={size * 8}", str(place)], check=True)
        code = bench.ray(plan, "small", 2).wait()
        again = sum(before[path.name] != path.stat().st_mtime_ns for path in place.glob("[!.]*.jsonl") if path.name in before)
        told(f"with room again: exit code {code}, {len(list(place.glob('[!.]*.jsonl')))} of {count} results, {again} done twice")
    finally:
        subprocess.run(["umount", str(place)], check=False)


def a_node_goes(bench: Bench, plan: Path, count: int) -> None:
    """Two nodes, one of which goes in the middle."""
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "memory": 3 << 30, "object_store_memory": 128 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    second = cluster.add_node(**node)
    try:
        cluster.wait_for_nodes()
        driver = bench.ray(plan, "nodes", 0, "--address", cluster.address)
        found = wait_for(bench, plan, "nodes", count // 4)
        cluster.remove_node(second, allow_graceful=False)
        code = driver.wait()
        told(f"one of two nodes went after {len(found)} results: exit code {code}, {len(bench.verdicts(plan, 'nodes'))} of {count} results")
    finally:
        cluster.shutdown()


def main() -> None:
    """Does what the words ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="what", required=True)
    for name, job in [("throughput", throughput), ("split", split), ("faults", faults)]:
        kind = kinds.add_parser(name, help=job.__doc__)
        kind.set_defaults(job=job)
        kind.add_argument("--fathom", default="fathom", help="the binary [default: fathom]")
        kind.add_argument("--work", type=Path, default=Path("measured"), help="a new directory [default: measured]")
        if name == "split":
            kind.add_argument("--branches", type=int, default=20, help="the program has 2 to this power paths [default: 20]")
            kind.add_argument("--timeout", default="1h", help="for the exploration [default: 1h]")
        else:
            kind.add_argument("--list", type=Path, required=True, help="the tasks, with tabs between path, property, model and others")
            kind.add_argument("--data", type=Path, required=True, help="the folder that paths in the list begin in")
            kind.add_argument("--tasks", type=int, default=200, help="so many of them [default: 200]")
            kind.add_argument("--seed", type=int, default=7, help="which of them [default: 7]")
            kind.add_argument("--timeout", default="10s", help="for each task [default: 10s]")
        if name == "throughput":
            kind.add_argument("--no-direct", action="store_true", help="leave out the run without Ray")
    arguments = parser.parse_args()
    arguments.job(Bench(arguments.fathom, arguments.work), arguments)


if __name__ == "__main__":
    main()
