#!/usr/bin/env python3
"""How a plan grows over workers: a model fed with measured task times.

Workers take the next task as soon as they are free, as Ray's do. Each task costs the driver a moment, one after the other: it reads
and sends the files, takes the result and writes it to disk. So there are three bounds on the time for everything: the work over the
workers, the longest task, and the driver's moments over all tasks. The simulation says where between them a plan ends.

    simulate.py times.json --tasks 10000 --workers 10 100 1000
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Costs:
    """What a task costs beside its own time."""

    # Seconds of the driver for a task: on the way there, and on the way back.
    send: float
    take: float
    # Seconds of the worker: its process, unpacking, reading the program.
    start: float
    # Bytes on the way there and back.
    bytes_there: float
    bytes_back: float


@dataclass(frozen=True)
class Growth:
    """What a number of workers gives."""

    workers: int
    makespan: float
    idle: float
    driver: float
    traffic: float
    speedup: float


def simulate(times: list[float], workers: int, costs: Costs) -> Growth:
    """Runs all tasks, in this order, on so many workers."""
    # The driver takes what has come back before it sends anew; both wait for its hands.
    driver_free = 0.0
    busy = 0.0
    back: list[float] = []
    idle = workers
    waiting = iter(times)
    following = next(waiting, None)
    while following is not None or back:
        if following is not None and idle > 0 and not (back and back[0] <= driver_free):
            driver_free += costs.send
            took = costs.start + following
            heapq.heappush(back, driver_free + took)
            busy += took
            idle -= 1
            following = next(waiting, None)
        else:
            ready = heapq.heappop(back)
            driver_free = max(driver_free, ready) + costs.take
            idle += 1
    hands = len(times) * (costs.send + costs.take)
    alone = sum(times) + len(times) * costs.start
    traffic = len(times) * (costs.bytes_there + costs.bytes_back) / driver_free
    return Growth(workers, driver_free, 1 - busy / (workers * driver_free), hands / driver_free, traffic, alone / driver_free)


def drawn(measured: list[float], count: int, seed: int) -> list[float]:
    """So many task times with the distribution that was measured."""
    source = random.Random(seed)
    return [source.choice(measured) for _ in range(count)]


def read_times(path: Path) -> list[float]:
    """The times of `fathom-ray run --times`: an object, or a list."""
    content = json.loads(path.read_text())
    times = list(content.values()) if isinstance(content, dict) else content
    if not times or not all(isinstance(time, (int, float)) and time >= 0 for time in times):
        raise ValueError(f"{path} has no task times: an object or a list of seconds, as `fathom-ray run --times` writes it")
    return [float(time) for time in times]


def main(words: list[str] | None = None) -> int:
    """Prints a table."""
    parser = argparse.ArgumentParser(description="How a plan grows over workers, from measured task times.")
    parser.add_argument("times", type=Path, help="seconds of tasks, as `fathom-ray run --times` writes them")
    parser.add_argument("--tasks", type=int, default=10_000, help="how many tasks the plan has [default: 10000]")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 10, 100, 1000])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--send", type=float, default=0.0026, help="seconds of the driver to send a task")
    parser.add_argument("--take", type=float, default=0.0026, help="seconds of the driver to take a result")
    parser.add_argument("--start", type=float, default=0.1, help="seconds of the worker before the task itself")
    parser.add_argument("--bytes-there", type=float, default=80_000)
    parser.add_argument("--bytes-back", type=float, default=8_000)
    arguments = parser.parse_args(words)
    try:
        measured = read_times(arguments.times)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    times = drawn(measured, arguments.tasks, arguments.seed)
    costs = Costs(arguments.send, arguments.take, arguments.start, arguments.bytes_there, arguments.bytes_back)
    print(f"{len(times)} tasks, mean {statistics.fmean(times):.2f} s, longest {max(times):.1f} s; driver {costs.send + costs.take:.4f} s a task")
    print("| workers | makespan (s) | speedup | idle | driver busy | traffic (MB/s) |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for workers in arguments.workers:
        grown = simulate(times, workers, costs)
        print(
            f"| {workers} | {grown.makespan:.0f} | {grown.speedup:.1f} | {100 * grown.idle:.1f}% | {100 * grown.driver:.1f}% | "
            f"{grown.traffic / 1e6:.2f} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
