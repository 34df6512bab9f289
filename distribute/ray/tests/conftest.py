"""Plans without programs, a stand-in for `fathom run` that notes what it is asked, and a small cluster."""

from __future__ import annotations

import hashlib
import json
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from ray.cluster_utils import Cluster

GIB = 1 << 30

STAND_IN = """#!{python}
import hashlib, json, os, pathlib, signal, sys, time
place, task = pathlib.Path(sys.argv[2]), sys.argv[3]
notes = pathlib.Path({notes!r})
with open(notes / "runs", "a") as log:
    log.write(task + "\\n")
first = not (notes / task).exists()
(notes / task).touch()
{behaviour}
header = json.loads(open(place / "plan.jsonl").readline())
body = json.dumps({{"verdict": "true"}})
digest = hashlib.sha256(body.encode()).hexdigest()
(place / "results").mkdir(exist_ok=True)
header = {{"fathom": "result", "format": 1, "plan": header["plan"], "task": task, "sha256": digest}}
(place / "results" / (task + ".jsonl")).write_text(json.dumps(header) + "\\n" + body + "\\n")
if (place / "parts").is_dir() and len(list((place / "parts").iterdir())) > (place / "parts" / (task + ".json")).exists():
    sys.exit(31)
"""


@dataclass
class Bench:
    """A plan in a directory, and what was run of it."""

    directory: Path
    plan: Path
    tasks: list[str]

    def stand_in(self, behaviour: str = "") -> str:
        """A program that behaves like `fathom run`, after doing this."""
        path = self.directory / "fathom"
        path.write_text(STAND_IN.format(python=sys.executable, notes=str(self.directory), behaviour=behaviour))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def runs(self) -> list[str]:
        """The tasks that were run, each as often as it was."""
        log = self.directory / "runs"
        return log.read_text().split() if log.exists() else []

    def results(self) -> set[str]:
        """The tasks that have a result."""
        return {path.stem for path in (self.plan / "results").glob("[!.]*.jsonl")}


def make_plan(directory: Path, count: int, memory: int = GIB, engine: str = "auto") -> Bench:
    """A plan of so many tasks."""
    plan = directory / "plan"
    (plan / "files").mkdir(parents=True)
    content = b"int main(void) { return 0; }\n"
    digest = hashlib.sha256(content).hexdigest()
    (plan / "files" / digest).write_bytes(content)
    tasks = [f"task{number:04}" for number in range(count)]
    lines = [{"fathom": "plan", "format": 1, "tool": "0.1.0", "plan": "p1", "tasks": count}]
    for task in tasks:
        question = {"files": [{"name": "a.i", "sha256": digest}], "program": ["a.i"], "memory": memory, "timeout_ms": 1000, "engine": engine}
        lines.append({"id": task, "name": f"a.c {task}", "subject": "a.c", "question": question})
    (plan / "plan.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return Bench(directory, plan, tasks)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return make_plan(tmp_path, 8)


@pytest.fixture(scope="session")
def address():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "memory": 6 * GIB, "object_store_memory": GIB // 8})
    yield cluster.address
    cluster.shutdown()
