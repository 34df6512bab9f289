"""The measurements' own arithmetic: which tasks are taken, and what counts as another answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from measure import cover_of, differences, sample  # noqa: E402


def test_a_sample_is_the_same_each_time(tmp_path):
    path = tmp_path / "list.tsv"
    rows = [f"c/{number}.c\tunreach-call\t32" for number in range(30)] + ["c/other.c\tno-overflow\t32"]
    path.write_text("\n".join(["path\tproperty\tmodel", *rows]) + "\n")
    first = sample(path, 10, 7)
    assert len(first) == 10 and first == sample(path, 10, 7) and first != sample(path, 10, 8)
    assert len(sample(path, 100, 7)) == 30, "tasks about something else are left out"


def test_other_answers_are_told():
    one = {"a": "true", "b": "unknown(timeout)", "c": "true"}
    assert differences(one, {"a": "true", "b": "true"}) == ["b: unknown(timeout) and true"]


def test_paths_that_are_covered(tmp_path):
    assert cover_of(tmp_path, "a.c: true\n  5 parts cover all 32 paths (hash 9f8f)\n").endswith("hash 9f8f")
    (tmp_path / "results").mkdir()
    (tmp_path / "plan.jsonl").write_text('{}\n{"id": "t"}\n')
    report = {"part": {"tree": [{"closed": {"paths": 4, "hash": "eda3"}}]}}
    (tmp_path / "results" / "t.jsonl").write_text("{}\n" + json.dumps(report) + "\n")
    assert cover_of(tmp_path, "a.c: true\n") == "one part with 4 paths, hash eda3"
