"""The model of growth against cases that can be worked out by hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from simulate import Costs, main, simulate  # noqa: E402

FREE = Costs(send=0, take=0, start=0, bytes_there=0, bytes_back=0)


def test_workers_share_equal_tasks():
    for workers, makespan in [(1, 12), (2, 6), (3, 4), (12, 1), (24, 1)]:
        grown = simulate([1.0] * 12, workers, FREE)
        assert grown.makespan == pytest.approx(makespan)
        assert grown.speedup == pytest.approx(12 / makespan)
        assert grown.idle == pytest.approx(1 - 12 / (workers * makespan))


def test_the_longest_task_is_a_bound():
    assert simulate([1.0] * 9 + [30.0], 10, FREE).makespan == pytest.approx(30)


def test_the_driver_is_a_bound():
    slow = Costs(send=0.5, take=0.5, start=0, bytes_there=50, bytes_back=50)
    grown = simulate([1.0] * 1000, 500, slow)
    assert grown.makespan == pytest.approx(1000, rel=0.01)
    assert grown.driver == pytest.approx(1, rel=0.01)
    assert grown.traffic == pytest.approx(100, rel=0.01)


def test_the_table(tmp_path, capsys):
    times = tmp_path / "times.json"
    times.write_text(json.dumps({"a": 1.0, "b": 3.0}))
    assert main([str(times), "--tasks", "100", "--workers", "1", "10"]) == 0
    assert capsys.readouterr().out.count("\n|") == 4
    times.write_text("[]")
    assert main([str(times)]) == 3
