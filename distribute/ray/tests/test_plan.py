"""Reading plans and results."""

from __future__ import annotations

import hashlib
import json

import pytest

from fathom_ray.plan import PlanError, read_plan, verdict_of, write_result
from fathom_ray.table import Counts


def test_plan(bench):
    plan = read_plan(bench.plan)
    assert [task.id for task in plan.tasks] == bench.tasks
    assert read_plan(bench.plan / "plan.jsonl") == plan
    [digest] = plan.tasks[0].files
    assert plan.content(digest).startswith(b"int main")
    (bench.plan / "files" / digest).write_text("int mine;")
    with pytest.raises(PlanError, match="has changed"):
        plan.content(digest)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda text: text.replace('"format": 1', '"format": 2'), "format 2"),
        (lambda text: text.replace('"fathom": "plan"', '"fathom": "result"'), "is no plan"),
        (lambda text: text.rsplit("{", 1)[0].rsplit("\n", 2)[0], "of 8 tasks"),
        (lambda text: text[:-20], "damaged"),
        (lambda text: "", "damaged"),
    ],
)
def test_plans_that_are_refused(bench, change, what):
    path = bench.plan / "plan.jsonl"
    path.write_text(change(path.read_text()))
    with pytest.raises(PlanError, match=what):
        read_plan(bench.plan)


def test_results(bench):
    plan = read_plan(bench.plan)
    task, other = plan.tasks[:2]
    body = b'{"verdict": "true"}'
    header = {"plan": "p1", "task": task.id, "sha256": hashlib.sha256(body).hexdigest()}
    content = json.dumps(header).encode() + b"\n" + body + b"\n"
    assert verdict_of(content, plan, task) == "true"
    damaged = [content[:-1], content[:-8], content.replace(b"true", b"false"), content.replace(b"p1", b"p2"), b"", b"\n\n"]
    assert [verdict_of(text, plan, task) for text in damaged] == [None] * len(damaged)
    assert verdict_of(content, plan, other) is None
    results = bench.plan / "results"
    write_result(results, task, content)
    write_result(results, task, content)
    assert [path.name for path in results.iterdir()] == [f"{task.id}.jsonl"]


def test_the_table_counts():
    counts = Counts(total=10, done_before=2, done=3, solved=4, running=2, failed=1)
    counts.begun -= 60
    assert counts.line().startswith("5 of 10 done (2 before), 4 solved, 2 running, 0 split, 0 retried, 1 failed, 3.0 a minute, 80 s left")
