"""The driver: which tasks are to be done, where each may run, and what becomes of those that come back without a result.

Ray itself runs a task again whose worker or node is lost. What a worker says must be tried again (exit code 30) is submitted anew, a
few times. A result is written as soon as it comes; a driver that is killed and started again goes on with what has none.

When there is nothing left to start, tasks that run are asked to hand on parts of their work. Those are tasks like all others; whether
they are complete is for `fathom merge` to say.
"""

from __future__ import annotations

import shutil
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import ray

from . import worker
from .plan import (
    Plan,
    PlanError,
    Task,
    known_verdict,
    part_task,
    read_parts,
    standing_path,
    verdict_of,
    write_part,
    write_result,
    write_whole,
)
from .table import Counts, Table
from .worker import FINISHED, RETRY, SPLIT, Done, Exchange, run_task

# The function travels with its module: nodes of the cluster need Fathom and not this package.
ray.cloudpickle.register_pickle_by_value(worker)

# Solvers may take a moment to notice that memory is used up, and clang and the native replay come on top.
MEMORY_OVERHEAD = 256 << 20
# So many tasks wait for each processor: enough that none idles, and few enough that files in flight stay small.
AHEAD = 2
# Parts that are asked for, for each processor that has nothing to do: they differ in size, and nobody knows how much.
PARTS = 4
# Seconds that a task runs before it is asked, and between two times that it is asked: a part costs a new process.
SPLIT_AFTER = 2.0


@dataclass
class Settings:
    """What the user chose."""

    results: Path
    fathom: str = "fathom"
    cpus: float = 1.0
    attempts: int = 3
    facts: str | None = None


@dataclass
class Outcome:
    """What came of a run."""

    verdicts: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


class Driver:
    """One run of a plan on a cluster that is connected already."""

    def __init__(self, plan: Plan, settings: Settings, table: Table | None = None) -> None:
        self.plan = plan
        self.settings = settings
        self.counts = Counts(total=len(plan.tasks)) if table is None else table.counts
        self.table = table or Table(self.counts)
        self.outcome = Outcome()
        self.waiting: deque[Task] = deque()
        self.attempts: dict[str, int] = {}
        self.running: dict[ray.ObjectRef, Task] = {}
        self.known: set[str] = set()
        self.since: dict[str, float] = {}
        self.remote = ray.remote(run_task)
        self.exchange = ray.remote(Exchange).options(num_cpus=0, max_restarts=-1, max_task_retries=-1).remote()

    def run(self) -> Outcome:
        """Does everything that has no result."""
        for task in [*self.plan.tasks, *read_parts(self.plan)]:
            self.known.add(task.id)
            verdict = known_verdict(self.settings.results, self.plan, task)
            if verdict is None:
                self.waiting.append(task)
            else:
                self.outcome.verdicts[task.id] = verdict
        self.counts.total = len(self.known)
        self.counts.done_before = len(self.outcome.verdicts)
        self.counts.solved = sum(is_solved(verdict) for verdict in self.outcome.verdicts.values())
        self.check_demands()
        shared = ray.put(self.plan.text)
        try:
            while self.waiting or self.running:
                while self.waiting and len(self.running) < self.width():
                    self.submit(self.waiting.popleft(), shared)
                ready, _ = ray.wait(list(self.running), timeout=0.5)
                for reference in ready:
                    self.take(reference)
                self.divide()
                self.table.tick()
        finally:
            for reference in self.running:
                ray.cancel(reference, force=True)
        self.table.end()
        return self.outcome

    def check_demands(self) -> None:
        """A task that no node can take would wait for ever."""
        largest = max((node["Resources"].get("memory", 0) for node in ray.nodes() if node["Alive"]), default=0)
        for task in self.waiting:
            if task.memory + MEMORY_OVERHEAD > largest:
                needs, has = (size / (1 << 30) for size in (task.memory + MEMORY_OVERHEAD, largest))
                raise PlanError(
                    f"{task.name} needs {needs:.1f} GiB, and the largest node has {has:.1f}: plan with less --memory, or add a larger node"
                )

    def width(self) -> int:
        """How many tasks may be on their way."""
        processors = ray.cluster_resources().get("CPU", 1.0)
        return max(1, int(processors / self.settings.cpus) * AHEAD)

    def submit(self, task: Task, plan: ray.ObjectRef) -> None:
        """Sends a task with its files."""
        files = {digest: self.plan.content(digest) for digest in task.files}
        self.attempts[task.id] = self.attempts.get(task.id, 0) + 1
        options = {"num_cpus": self.settings.cpus, "memory": task.memory + MEMORY_OVERHEAD, "max_retries": self.settings.attempts}
        if task.can_split and (known := self.standing(task)) is not None:
            ray.get(self.exchange.report.remote(task.id, [], known))
        exchange = self.exchange if task.can_split else None
        words = (self.settings.fathom, task.id, plan, files, task.part, exchange, self.settings.facts, max(1, int(self.settings.cpus)))
        reference = self.remote.options(**options).remote(*words)
        self.running[reference] = task
        self.since[task.id] = time.monotonic()
        self.counts.running = len(self.running)

    def take(self, reference: ray.ObjectRef) -> None:
        """What came back, or that nothing will."""
        task = self.running.pop(reference)
        self.counts.running = len(self.running)
        try:
            done: Done = ray.get(reference)
        except ray.exceptions.RayError as error:
            said = str(error).strip().splitlines()
            self.lost(task, f"{type(error).__name__}: {said[-1] if said else 'it was lost'}")
            return
        verdict = verdict_of(done.result, self.plan, task) if done.result is not None else None
        if done.code in (FINISHED, SPLIT) and verdict is not None:
            # Its parts first: where there is a result, everything is there that it hands on.
            self.add_parts(done.parts)
            write_result(self.settings.results, task, done.result)
            self.outcome.verdicts[task.id] = verdict
            self.outcome.seconds[task.id] = done.seconds
            self.counts.done += 1
            self.counts.solved += is_solved(verdict)
            if task.can_split:
                self.exchange.end.remote(task.id)
                shutil.rmtree(standing_path(self.plan, task).parent, ignore_errors=True)
        elif done.code in (FINISHED, SPLIT, RETRY) or done.code < 0:
            self.lost(task, done.message or f"it ended with {done.code} and without a result")
        else:
            self.fail(task, done.message or f"fathom run ended with {done.code}")

    def standing(self, task: Task) -> bytes | None:
        """How far the task was in an earlier run, if that was noted."""
        try:
            return standing_path(self.plan, task).read_bytes()
        except OSError:
            return None

    def divide(self) -> None:
        """Takes the parts that were handed on, and asks for more where processors have nothing to do."""
        running = [task for task in self.running.values() if task.can_split]
        if not running:
            return
        parts, standings = ray.get(self.exchange.take.remote())
        self.add_parts(parts)
        by_id = {task.id: task for task in running}
        for task, standing in standings.items():
            if task in by_id:
                write_whole(standing_path(self.plan, by_id[task]), standing)
        idle = self.width() // AHEAD - len(self.running) - len(self.waiting)
        now = time.monotonic()
        old = sorted((since, task) for task, since in self.since.items() if task in by_id and now - since >= SPLIT_AFTER)
        if idle > 0 and old:
            share = -(-idle * PARTS // len(old))
            self.exchange.ask.remote({task: share for _, task in old})
            self.since.update((task, now) for _, task in old)

    def add_parts(self, contents: list[bytes] | tuple[bytes, ...]) -> None:
        """Parts that were handed on are tasks from now on."""
        for content in contents:
            task = part_task(content, self.plan)
            if task is not None and task.id not in self.known:
                write_part(self.plan, task)
                self.known.add(task.id)
                self.waiting.append(task)
                self.counts.total += 1
                self.counts.split += 1

    def lost(self, task: Task, why: str) -> None:
        """Nothing was found out; another attempt may."""
        if self.attempts[task.id] < self.settings.attempts:
            self.counts.retried += 1
            self.waiting.append(task)
        else:
            self.fail(task, f"{why} (after {self.attempts[task.id]} attempts)")

    def fail(self, task: Task, why: str) -> None:
        """Given up: no attempt will do."""
        self.outcome.failed[task.id] = f"{task.name}: {why}"
        self.counts.failed += 1


def is_solved(verdict: str) -> bool:
    """Whether a verdict answers the question."""
    return not verdict.startswith("unknown")
