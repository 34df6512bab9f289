"""What runs on the cluster: one task by `fathom run`, with the files that it needs sent along.

A task whose work can be divided tells the exchange, an actor, which parts it hands on, and hears from it when others have nothing to do.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import ray
from ray.actor import ActorHandle

FINISHED = 0
RETRY = 30
SPLIT = 31
PR_SET_PDEATHSIG = 1
# Seconds between looks of a worker: at what its task hands on, and whether more is wanted.
LOOK_EVERY = 0.3
# Longer notes of how far a task is stay on its machine.
MOST_STANDING = 16 << 20


@dataclass(frozen=True)
class Done:
    """How a task ended on a worker."""

    task: str
    code: int
    result: bytes | None
    message: str
    seconds: float
    parts: tuple[bytes, ...] = ()


def die_with_parent() -> None:
    """Ends the child when the worker is killed, so that no run goes on that nobody waits for."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Exchange:
    """Where the driver says that it has nothing to do, and workers tell what they hand on and how far they are."""

    def __init__(self) -> None:
        self.wanted: dict[str, int] = {}
        self.standings: dict[str, bytes] = {}
        self.news: dict[str, bytes] = {}
        self.parts: list[bytes] = []

    def ask(self, wanted: dict[str, int]) -> None:
        """Parts are wanted of these tasks."""
        self.wanted.update(wanted)

    def begin(self, task: str) -> bytes | None:
        """How far the task was when it was heard of last."""
        self.wanted.pop(task, None)
        return self.standings.get(task)

    def report(self, task: str, parts: list[bytes], standing: bytes | None) -> int:
        """Takes what is new of a task that runs; how many parts are wanted of it."""
        self.parts.extend(parts)
        if standing is not None:
            self.standings[task] = self.news[task] = standing
        return self.wanted.pop(task, 0)

    def take(self) -> tuple[list[bytes], dict[str, bytes]]:
        """What workers told since the last time."""
        taken = (self.parts, self.news)
        self.parts, self.news = [], {}
        return taken

    def end(self, task: str) -> None:
        """The task has its result."""
        self.standings.pop(task, None)
        self.news.pop(task, None)


class Running:
    """A task at work whose parts may be given to others."""

    def __init__(self, directory: Path, task: str, exchange: ActorHandle | None) -> None:
        self.directory = directory
        self.task = task
        self.exchange = exchange
        self.place = directory / "running" / task
        self.told: set[str] = set()
        self.noted = 0.0

    def begin(self) -> None:
        """Goes on from where an attempt came that was lost."""
        standing = ray.get(self.exchange.begin.remote(self.task)) if self.exchange is not None else None
        if standing is not None:
            self.place.mkdir(parents=True)
            (self.place / "standing.json").write_bytes(standing)
            self.noted = (self.place / "standing.json").stat().st_mtime

    def look(self) -> None:
        """Tells what is new, and hears what is wanted."""
        if self.exchange is None:
            return
        parts, standing = self.new_parts(), self.standing()
        wanted = ray.get(self.exchange.report.remote(self.task, parts, standing))
        if wanted > 0 and self.place.is_dir():
            (self.place / ".wanted").write_text(str(wanted))
            os.replace(self.place / ".wanted", self.place / "wanted")

    def parts(self) -> dict[str, bytes]:
        """Every part that was handed on, by its file."""
        paths = (self.directory / "parts").glob("[!.]*.json")
        return {path.name: path.read_bytes() for path in sorted(paths) if path.stem != self.task}

    def new_parts(self) -> list[bytes]:
        """Parts that were handed on since the last time."""
        new = {name: content for name, content in self.parts().items() if name not in self.told}
        self.told.update(new)
        return list(new.values())

    def standing(self) -> bytes | None:
        """How far the task is, if that was noted since the last time and is not too much to send."""
        try:
            path = self.place / "standing.json"
            changed = path.stat().st_mtime
            if changed == self.noted or path.stat().st_size > MOST_STANDING:
                return None
            self.noted = changed
            return path.read_bytes()
        except OSError:
            return None


def run_task(
    fathom: str,
    task: str,
    plan: bytes,
    files: dict[str, bytes],
    part: bytes | None = None,
    exchange: ActorHandle | None = None,
    facts: str | None = None,
    cores: int = 1,
) -> Done:
    """Does a task in a directory of its own."""
    begun = time.monotonic()
    ended = lambda code, result, message, parts=(): Done(task, code, result, message, time.monotonic() - begun, tuple(parts))  # noqa: E731
    program = shutil.which(fathom)
    if program is None:
        return ended(RETRY, None, f"{fathom} was not found on {os.uname().nodename}; install Fathom there, or say where it is with --fathom")
    try:
        with tempfile.TemporaryDirectory(prefix="fathom-ray-") as place:
            directory = Path(place)
            (directory / "files").mkdir()
            (directory / "plan.jsonl").write_bytes(plan)
            for digest, content in files.items():
                (directory / "files" / digest).write_bytes(content)
            if part is not None:
                (directory / "parts").mkdir()
                (directory / "parts" / f"{task}.json").write_bytes(part)
            running = Running(directory, task, exchange)
            running.begin()
            shared = [] if facts is None else ["--facts", facts]
            code, said = follow([program, "run", place, task, "--cores", str(cores), *shared], directory / "messages", running)
            path = directory / "results" / f"{task}.jsonl"
            result = path.read_bytes() if code in (FINISHED, SPLIT) else None
            lines = said.strip().splitlines()
            # All of them, whether told before or not: the exchange may have been lost with its node.
            return ended(code, result, lines[-1] if lines else "", running.parts().values())
    except OSError as error:
        return ended(RETRY, None, f"{os.uname().nodename}: {error}")


def follow(command: list[str], messages: Path, running: Running) -> tuple[int, str]:
    """Runs a command to its end: how it ended and what it said."""
    with open(messages, "wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=out, preexec_fn=die_with_parent)
    try:
        while True:
            try:
                code = process.wait(timeout=LOOK_EVERY)
                return code, messages.read_text(errors="replace")
            except subprocess.TimeoutExpired:
                running.look()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
