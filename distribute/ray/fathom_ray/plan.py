"""Plans and results as far as a driver has to know them.

Fathom itself checks a plan whenever it runs a task or merges results; here is only what decides which tasks are still to be done.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

FORMAT = 1


class PlanError(Exception):
    """A plan that can't be used: what is wrong, where, and what to do."""


@dataclass(frozen=True)
class Task:
    """A line of a plan."""

    id: str
    name: str
    memory: int
    timeout_s: float
    files: tuple[str, ...]
    # Whether it can hand on parts while it runs.
    can_split: bool = False
    # For a part of another task: the file that says so.
    part: bytes | None = None


@dataclass(frozen=True)
class Plan:
    """A plan and where it lies."""

    directory: Path
    text: bytes
    id: str
    tasks: tuple[Task, ...]

    def content(self, digest: str) -> bytes:
        """A file of the bundle, checked against its hash."""
        path = self.directory / "files" / digest
        try:
            content = path.read_bytes()
        except OSError as error:
            raise PlanError(f"{path} can't be read: {error.strerror}; copy the whole directory of the plan") from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise PlanError(f"{path} has changed since it was planned; copy it again, or plan again")
        return content


def read_plan(named: Path) -> Plan:
    """Reads a plan by its directory or its file."""
    path = named / "plan.jsonl" if named.is_dir() else named
    try:
        text = path.read_bytes()
    except OSError as error:
        raise PlanError(f"{path} can't be read: {error.strerror}; `fathom plan` makes a plan") from error
    try:
        header, *lines = [json.loads(line) for line in text.splitlines()]
        if header["fathom"] != "plan":
            raise PlanError(f"{path} is no plan")
        if header["format"] != FORMAT:
            raise PlanError(f"{path} has format {header['format']}, and this fathom-ray reads format {FORMAT}: install the matching one")
        tasks = tuple(task_of(line) for line in lines)
    except (ValueError, KeyError, TypeError) as error:
        raise PlanError(f"{path} is no plan, or damaged: {error!r}; make it again with `fathom plan`") from error
    if len(tasks) != header["tasks"]:
        raise PlanError(f"{path} has {len(tasks)} of {header['tasks']} tasks; copy it again")
    return Plan(path.parent, text, header["plan"], tasks)


def task_of(line: dict) -> Task:
    """A task from its line."""
    question = line["question"]
    files = tuple(file["sha256"] for file in question["files"])
    can_split = question.get("engine") == "explore"
    return Task(line["id"], line["name"], question["memory"], question["timeout_ms"] / 1000, files, can_split)


def part_task(content: bytes, plan: Plan) -> Task | None:
    """The task of a part of this plan; none if the file is damaged or belongs elsewhere. `fathom run` looks closer."""
    try:
        line = json.loads(content)
        if (line["fathom"], line["format"], line["plan"]) != ("part", FORMAT, plan.id):
            return None
        return replace(task_of(line["task"]), part=content)
    except (ValueError, KeyError, TypeError):
        return None


def read_parts(plan: Plan) -> list[Task]:
    """The parts that tasks of the plan handed on in earlier runs."""
    paths = sorted((plan.directory / "parts").glob("[!.]*.json"))
    return [task for task in (part_task(path.read_bytes(), plan) for path in paths) if task is not None]


def write_part(plan: Plan, task: Task) -> None:
    """Keeps a part beside the plan."""
    if task.part is not None:
        write_whole(plan.directory / "parts" / f"{task.id}.json", task.part)


def standing_path(plan: Plan, task: Task) -> Path:
    """Where it is noted how far a task is."""
    return plan.directory / "running" / task.id / "standing.json"


def verdict_of(content: bytes, plan: Plan, task: Task) -> str | None:
    """The verdict of a result of this task; none if it is damaged or belongs elsewhere."""
    try:
        first, body, rest = content.split(b"\n", 2)
        header = json.loads(first)
        if rest or (header["plan"], header["task"]) != (plan.id, task.id) or hashlib.sha256(body).hexdigest() != header["sha256"]:
            return None
        return json.loads(body)["verdict"]
    except (ValueError, KeyError, TypeError):
        return None


def known_verdict(results: Path, plan: Plan, task: Task) -> str | None:
    """The verdict of a task that was done before."""
    try:
        return verdict_of((results / f"{task.id}.jsonl").read_bytes(), plan, task)
    except OSError:
        return None


def write_result(results: Path, task: Task, content: bytes) -> None:
    """Writes a result."""
    write_whole(results / f"{task.id}.jsonl", content)


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, part = tempfile.mkstemp(prefix=".fathom-part-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, 0o644)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
