"""The command line of fathom-ray."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

import ray

from .driver import Driver, Settings
from .plan import PlanError, read_plan

DONE, USAGE, BAD_PLAN, INTERRUPTED, UNWRITABLE, INCOMPLETE = 0, 2, 3, 23, 25, 30

CODES = """Exit codes:
   0  every task has a result
   2  the command line is wrong, or there is no such cluster
   3  the plan or its files can't be used
  23  interrupted (Ctrl-C); results so far are kept
  25  results can't be written (a full disk); those so far are kept
  30  some tasks have no result: start it again for those
"""


def parser() -> argparse.ArgumentParser:
    """What can be asked."""
    root = argparse.ArgumentParser(prog="fathom-ray", description="Runs the plans of the software verifier Fathom on a Ray cluster.")
    run = root.add_subparsers(dest="command", required=True).add_parser(
        "run", help="do every task that has no result", epilog=CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    run.add_argument("plan", type=Path, help="the directory of the plan, or its plan.jsonl")
    run.add_argument("--address", help="the cluster: auto, or host:port; without it, one on this machine for this run")
    run.add_argument("--workers", type=int, help="without --address: so many tasks at a time [default: one for each processor]")
    run.add_argument("--results", type=Path, help="the folder for results [default: results beside the plan]")
    run.add_argument("--fathom", default="fathom", help="Fathom on the workers: a name or a path [default: fathom]")
    run.add_argument("--cpus", type=float, default=1.0, help="processors for each task [default: 1]")
    run.add_argument("--facts", type=Path, help="a folder that all nodes see, where tasks about one program leave each other what they proved")
    run.add_argument("--attempts", type=int, default=3, help="how often a task is tried whose worker is lost [default: 3]")
    run.add_argument("--times", type=Path, help="write the seconds of each task into this file, as JSON, for distribute/simulate.py")
    return root


def connect(address: str | None, workers: int | None) -> None:
    """Finds the cluster, or starts one on this machine."""
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address is None:
        ray.init(num_cpus=workers, include_dashboard=False, **quiet)
    else:
        ray.init(address=address, **quiet)


def facts_of(folder: Path | None) -> str | None:
    """Workers have directories of their own."""
    return None if folder is None else str(folder.absolute())


def main(words: list[str] | None = None) -> int:
    """Does what the words ask for."""
    arguments = parser().parse_args(words)
    if arguments.attempts < 1 or arguments.cpus <= 0 or (arguments.workers is not None and arguments.workers < 1):
        print("error: --attempts, --cpus and --workers are positive", file=sys.stderr)
        return USAGE
    if arguments.address is not None and arguments.workers is not None:
        print("error: --workers is for a cluster on this machine; one with an --address has its own", file=sys.stderr)
        return USAGE
    try:
        plan = read_plan(arguments.plan)
        try:
            connect(arguments.address, arguments.workers)
        except (ConnectionError, RuntimeError, ValueError) as error:
            print(f"error: no cluster at {arguments.address or 'this machine'}: {error}", file=sys.stderr)
            return USAGE
        settings = Settings(arguments.results or plan.directory / "results", arguments.fathom, arguments.cpus, arguments.attempts, facts_of(arguments.facts))
        outcome = Driver(plan, settings).run()
        if arguments.times:
            arguments.times.write_text(json.dumps(outcome.seconds))
    except PlanError as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_PLAN
    except OSError as error:
        print(f"error: results can't be written: {error}; make room and start it again", file=sys.stderr)
        return UNWRITABLE
    except KeyboardInterrupt:
        print("interrupted; start it again to go on", file=sys.stderr)
        return INTERRUPTED
    finally:
        ray.shutdown()
    for why in outcome.failed.values():
        print(f"error: {why}", file=sys.stderr)
    print(f"FATHOM-RAY {len(outcome.verdicts)} of {len(outcome.verdicts) + len(outcome.failed)} tasks have results; fathom merge {plan.directory}")
    return INCOMPLETE if outcome.failed else DONE


if __name__ == "__main__":
    sys.exit(main())
