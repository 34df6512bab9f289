"""What a run shows while it goes on."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TextIO


@dataclass
class Counts:
    """How far a run is."""

    total: int
    done_before: int = 0
    done: int = 0
    solved: int = 0
    running: int = 0
    retried: int = 0
    failed: int = 0
    split: int = 0
    begun: float = field(default_factory=time.monotonic)

    def line(self) -> str:
        """The table's one row."""
        elapsed = max(time.monotonic() - self.begun, 1e-9)
        rate = self.done / elapsed
        left = self.total - self.done_before - self.done - self.failed
        remaining = f"{left / rate:.0f} s left" if rate > 0 else "time left unknown"
        finished = self.done_before + self.done
        return (
            f"{finished} of {self.total} done ({self.done_before} before), {self.solved} solved, {self.running} running, "
            f"{self.split} split, "
            f"{self.retried} retried, {self.failed} failed, {60 * rate:.1f} a minute, {remaining if left else 'nothing left'}"
        )


class Table:
    """A line that is written over on a terminal, and a line now and then elsewhere."""

    def __init__(self, counts: Counts, out: TextIO = sys.stderr, pause: float | None = None) -> None:
        self.counts = counts
        self.out = out
        self.is_live = out.isatty()
        self.pause = pause if pause is not None else (1.0 if self.is_live else 10.0)
        self.last = time.monotonic()

    def tick(self) -> None:
        """Shows how far the run is, if it is time to."""
        if time.monotonic() - self.last >= self.pause:
            self.show()

    def show(self) -> None:
        """Shows it now."""
        self.last = time.monotonic()
        self.out.write(f"\r\033[K{self.counts.line()}" if self.is_live else f"{self.counts.line()}\n")
        self.out.flush()

    def end(self) -> None:
        """The last state stays."""
        self.show()
        if self.is_live:
            self.out.write("\n")
