"""Runs on a local cluster, and every fault in the middle of one: nothing is lost, and nothing is done twice but what was in flight."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from conftest import GIB, make_plan
from ray.cluster_utils import Cluster

from fathom_ray import driver
from fathom_ray.cli import main

SOURCES = Path(__file__).parents[1]


def run(bench, address, behaviour="", *more):
    return main(["run", str(bench.plan), "--address", address, "--fathom", bench.stand_in(behaviour), *more])


def test_everything_is_done_once(bench, address, capfd):
    assert run(bench, address) == 0
    assert sorted(bench.runs()) == bench.tasks
    assert bench.results() == set(bench.tasks)
    assert "8 of 8 tasks have results" in capfd.readouterr().out
    # A second time there is nothing to do; a result that was dropped or damaged is found again, one that came twice does no harm.
    results = bench.plan / "results"
    shutil.copy(results / f"{bench.tasks[0]}.jsonl", results / "again.jsonl")
    (results / f"{bench.tasks[1]}.jsonl").unlink()
    whole = (results / f"{bench.tasks[2]}.jsonl").read_text()
    (results / f"{bench.tasks[2]}.jsonl").write_text(whole[:-9])
    assert run(bench, address) == 0
    assert Counter(bench.runs()) == Counter([*bench.tasks, bench.tasks[1], bench.tasks[2]])
    assert (results / f"{bench.tasks[2]}.jsonl").read_text() == whole


def test_a_killed_worker(bench, address):
    killed = bench.tasks[3]
    assert run(bench, address, f"if first and task == {killed!r}: os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)") == 0
    assert bench.results() == set(bench.tasks)
    assert Counter(bench.runs()) == Counter([*bench.tasks, killed])


def test_what_is_to_be_tried_again(bench, address, capfd):
    once, always = bench.tasks[1], bench.tasks[2]
    behaviour = f"if task == {once!r} and first or task == {always!r}: print('the disk is full', file=sys.stderr); sys.exit(30)"
    assert run(bench, address, behaviour) == 30
    assert bench.results() == set(bench.tasks) - {always}
    assert Counter(bench.runs())[always] == 3
    assert "the disk is full (after 3 attempts)" in capfd.readouterr().err
    assert run(bench, address) == 0
    assert Counter(bench.runs()) == Counter([*bench.tasks, once, always, always, always])


def test_what_no_machine_can_do(bench, address, capfd):
    broken = bench.tasks[5]
    assert run(bench, address, f"if task == {broken!r}: print('it was changed', file=sys.stderr); sys.exit(3)") == 30
    assert Counter(bench.runs()) == Counter(bench.tasks)
    assert "it was changed" in capfd.readouterr().err


def test_a_killed_driver(bench, address):
    command = [sys.executable, "-m", "fathom_ray.cli", "run", str(bench.plan), "--address", address]
    command += ["--fathom", bench.stand_in("time.sleep(0.7)")]
    process = subprocess.Popen(command, cwd=SOURCES, stderr=subprocess.DEVNULL)
    ends_by = time.monotonic() + 60
    while len(bench.results()) < 2 and time.monotonic() < ends_by:
        time.sleep(0.05)
    process.kill()
    process.wait()
    before = bench.results()
    assert 2 <= len(before) < len(bench.tasks)
    assert run(bench, address) == 0
    assert bench.results() == set(bench.tasks)
    runs = Counter(bench.runs())
    assert all(runs[task] == 1 for task in before)
    assert sum(runs.values()) <= len(bench.tasks) + 2, "at most what the two processors were doing"


def test_a_full_disk(bench, address, monkeypatch, capfd):
    room = iter([True, True, False])
    write = driver.write_result

    def write_if_there_is_room(results, task, content):
        if not next(room):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(results, task, content)

    monkeypatch.setattr(driver, "write_result", write_if_there_is_room)
    assert run(bench, address) == 25
    assert "No space left on device" in capfd.readouterr().err
    before = bench.results()
    assert len(before) == 2
    monkeypatch.undo()
    assert run(bench, address) == 0
    assert bench.results() == set(bench.tasks)
    assert all(Counter(bench.runs())[task] == 1 for task in before)


def test_a_node_that_goes(tmp_path):
    bench = make_plan(tmp_path, 12)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "memory": 3 * GIB, "object_store_memory": GIB // 8})
    second = cluster.add_node(num_cpus=1, memory=3 * GIB, object_store_memory=GIB // 8)
    try:
        cluster.wait_for_nodes()
        command = [sys.executable, "-m", "fathom_ray.cli", "run", str(bench.plan), "--address", cluster.address]
        command += ["--fathom", bench.stand_in("time.sleep(0.7)")]
        process = subprocess.Popen(command, cwd=SOURCES, stderr=subprocess.PIPE, text=True)
        ends_by = time.monotonic() + 60
        while len(bench.results()) < 3 and time.monotonic() < ends_by:
            time.sleep(0.05)
        cluster.remove_node(second, allow_graceful=False)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        assert bench.results() == set(bench.tasks)
        assert len(bench.runs()) <= len(bench.tasks) + 2
    finally:
        cluster.shutdown()


def test_demands_that_no_node_meets(tmp_path, address, capfd):
    assert run(make_plan(tmp_path, 1, memory=100 * GIB), address) == 3
    assert "the largest node has" in capfd.readouterr().err


def test_workers_without_fathom(bench, address, capfd):
    assert main(["run", str(bench.plan), "--address", address, "--fathom", "no-such-fathom", "--attempts", "1"]) == 30
    assert "no-such-fathom was not found" in capfd.readouterr().err


def test_wrong_words(bench, tmp_path, capfd):
    assert main(["run", str(tmp_path / "none")]) == 3
    assert main(["run", str(bench.plan), "--workers", "0"]) == 2
    assert main(["run", str(bench.plan), "--address", "auto", "--workers", "2"]) == 2
    assert "can't be read" in capfd.readouterr().err


@pytest.mark.skipif("FATHOM" not in os.environ, reason="FATHOM names no binary")
def test_the_verdicts_are_those_of_fathom_run(tmp_path, address):
    fathom = os.environ["FATHOM"]
    (tmp_path / "lib.h").write_text("#define TEN 10\n")
    (tmp_path / "ok.c").write_text('#include "lib.h"\nint main(void) { int a[TEN]; a[TEN - 1] = 1; return a[TEN - 1]; }\n')
    (tmp_path / "bad.c").write_text("int main(int argc, char **argv) { return 100 / argc; }\n")
    (tmp_path / "ok.bpl").write_text("procedure main() { assert 1 < 2; }\n")
    command = [fathom, "plan", "ok.c", "bad.c", "ok.bpl", "--out", "work", "--memory", "1G", "--timeout", "30s"]
    subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    for number in ["1", "2", "3"]:
        subprocess.run([fathom, "run", "work", number, "--results", "direct"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    assert main(["run", str(tmp_path / "work"), "--address", address, "--fathom", fathom]) == 0
    merged = [subprocess.run([fathom, "merge", "work", *where], cwd=tmp_path, capture_output=True, text=True) for where in ([], ["direct"])]
    assert merged[0].returncode == merged[1].returncode == 10
    assert merged[0].stdout == merged[1].stdout


@pytest.mark.skipif("FATHOM" not in os.environ, reason="FATHOM names no binary")
def test_tasks_leave_facts_for_each_other(tmp_path, address):
    fathom = os.environ["FATHOM"]
    loop = "while (__VERIFIER_nondet_int()) { if (a >= 100000000) { a = 0; b = 0; } a += 1; b += 2; }"
    begin = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) { int a = 0, b = 0;\n"
    (tmp_path / "loop.c").write_text(f"{begin}{loop}\nif (b != 2 * a) reach_error(); return 0; }}\n")
    command = [fathom, "plan", "loop.c", "--out", "work", "--engine", "kind", "--memory", "1G", "--timeout", "60s"]
    subprocess.run([*command, "--property", "unreach-call,no-overflow", "--split-properties"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    # One after the other, so that the second task finds what the first one left.
    words = ["run", str(tmp_path / "work"), "--address", address, "--fathom", fathom, "--cpus", "2", "--facts", str(tmp_path / "facts")]
    assert main(words) == 0
    told = [path for path in (tmp_path / "work" / "results").iterdir() if "another run had proved" in path.read_text()]
    assert len(told) == 1
    merged = subprocess.run([fathom, "merge", "work"], cwd=tmp_path, capture_output=True, text=True)
    assert merged.returncode == 0, merged.stdout


# A task that explores until somebody wants parts of it, notes how far it is, and hands them on.
EXPLORES = """
running = place / "running" / task
running.mkdir(parents=True, exist_ok=True)
def note(what):
    (running / "standing.json").write_text(what)
if "part" not in task:
    gone_on = (running / "standing.json").exists()
    with open(notes / "begun", "a") as log:
        log.write(f"{gone_on}\\n")
    note("some of it")
    while not (running / "wanted").exists():
        time.sleep(0.05)
    (place / "parts").mkdir(exist_ok=True)
    line = json.loads(open(place / "plan.jsonl").readlines()[1])
    for number in range(int((running / "wanted").read_text())):
        part = {"fathom": "part", "format": 1, "plan": "p1", "task": {**line, "id": f"part{number}", "name": f"part {number}"}}
        (place / "parts" / f"part{number}.json").write_text(json.dumps(part))
    (running / "wanted").unlink()
"""


def test_work_is_divided_when_processors_have_nothing_to_do(tmp_path, address, capfd):
    bench = make_plan(tmp_path, 1, engine="explore")
    assert run(bench, address, EXPLORES) == 0
    parts = {f"part{number}" for number in range(driver.PARTS)}
    assert bench.results() == {*bench.tasks, *parts}
    assert Counter(bench.runs()) == Counter([*bench.tasks, *parts])
    assert not (bench.plan / "running" / bench.tasks[0]).exists()
    # Who starts it again knows the parts; one whose result was dropped is found again.
    (bench.plan / "results" / "part1.jsonl").unlink()
    assert run(bench, address) == 0
    assert Counter(bench.runs())["part1"] == 2
    assert f"{len(parts) + 1} of {len(parts) + 1} tasks have results" in capfd.readouterr().out


def test_a_task_goes_on_from_where_its_worker_was_lost(tmp_path, address):
    bench = make_plan(tmp_path, 1, engine="explore")
    dies = EXPLORES.replace("    while not", "    if not gone_on:\n        time.sleep(2)\n        os.kill(os.getppid(), signal.SIGKILL)\n    while not")
    assert run(bench, address, dies) == 0
    assert (tmp_path / "begun").read_text().split() == ["False", "True"]
    assert len(bench.results()) == 1 + driver.PARTS


def test_a_task_goes_on_from_where_its_driver_was_lost(tmp_path, address):
    bench = make_plan(tmp_path, 1, engine="explore")
    command = [sys.executable, "-m", "fathom_ray.cli", "run", str(bench.plan), "--address", address]
    # No parts are handed on while this driver lives.
    command += ["--fathom", bench.stand_in(EXPLORES.replace('while not (running / "wanted").exists():', "while True:"))]
    process = subprocess.Popen(command, cwd=SOURCES, stderr=subprocess.DEVNULL)
    noted = bench.plan / "running" / bench.tasks[0] / "standing.json"
    ends_by = time.monotonic() + 60
    while not noted.exists() and time.monotonic() < ends_by:
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert noted.read_text() == "some of it"
    assert run(bench, address, EXPLORES) == 0
    assert (tmp_path / "begun").read_text().split() == ["False", "True"]


@pytest.mark.skipif("FATHOM" not in os.environ, reason="FATHOM names no binary")
def test_parts_of_an_exploration_cover_it(tmp_path, address, monkeypatch):
    monkeypatch.setattr(driver, "SPLIT_AFTER", 0.2)
    fathom = os.environ["FATHOM"]
    branches = [f"unsigned char x{i} = __VERIFIER_nondet_uchar(); if (x{i} > {i}) s = s * 3u + {i}u; else s += x{i};" for i in range(18)]
    begin = "extern unsigned char __VERIFIER_nondet_uchar(void);\nint main(void) { unsigned s = 0;\n"
    (tmp_path / "many.c").write_text(begin + "\n".join(branches) + "\nreturn 0; }\n")
    command = [fathom, "plan", "many.c", "--out", "work", "--memory", "1G", "--timeout", "200s", "--property", "unreach-call"]
    subprocess.run([*command, "--engine", "explore", "--", "--searcher", "dfs"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    assert main(["run", str(tmp_path / "work"), "--address", address, "--fathom", fathom]) == 0
    merged = subprocess.run([fathom, "merge", "work"], cwd=tmp_path, capture_output=True, text=True)
    assert merged.returncode == 0, merged.stdout
    assert "parts cover all 262144 paths" in merged.stdout
