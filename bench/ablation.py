#!/usr/bin/env python3
"""What is each optimisation of path-by-path execution worth?

usage: ablation.py --list TASKS.tsv --data DIR [--fathom PATH] [--timeout S] [--memory SIZE] [--limit N --seed K]
                   [--only OPTIMISATION ...] [--out FILE.jsonl]

Runs the engine explore on every task of a list, once with everything and once without each optimisation
(`--without NAME`), and prints a table: tasks decided, the processor time of those that both decided, and wrong answers, of
which there must be none. A list has a header line and tab-separated columns, among them `path` (relative to DIR) and
`expected` (true or false).
"""
import argparse
import csv
import json
import os
import random
import re
import resource
import subprocess
import sys

OPTIMISATIONS = ['unique-numbers', 'dead-declarations', 'look-ahead', 'simplification', 'independence', 'symbol-cache',
                 'map-constants', 'map-offsets', 'cheap-copies', 'shortcuts', 'loop-escape']


def used():
    """Processor time of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(fathom, path, timeout, memory, without):
    """Verdict (true, false, unknown or crash) and seconds of processor time of one run: others may use the machine, too."""
    command = [fathom, 'verify', path, '--engine', 'explore', '--searcher', 'loop-escape', '--timeout', f'{timeout}s',
               '--memory', memory]
    if without:
        command += ['--without', without]
    begin = used()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout + 10, check=False)
        found = re.findall(r'^VERDICT (true|false|unknown)', done.stdout, re.M)
        verdict = found[-1] if found else 'crash'
    except subprocess.TimeoutExpired:
        verdict = 'crash'
    return verdict, used() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--list', required=True)
    parser.add_argument('--data', required=True)
    parser.add_argument('--fathom', default='target/release/fathom')
    parser.add_argument('--timeout', type=int, default=30)
    parser.add_argument('--memory', default='3G')
    parser.add_argument('--limit', type=int)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--only', action='append', choices=OPTIMISATIONS)
    parser.add_argument('--out')
    options = parser.parse_args()
    with open(options.list, newline='') as file:
        tasks = list(csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE))
    if options.limit:
        tasks = random.Random(options.seed).sample(tasks, min(options.limit, len(tasks)))
    results = {}
    log = open(options.out, 'w') if options.out else None
    for without in [None] + (options.only or OPTIMISATIONS):
        for task in tasks:
            path = os.path.join(options.data, task['path'])
            verdict, seconds = run(options.fathom, path, options.timeout, options.memory, without)
            results[without, task['path']] = (verdict, seconds, verdict in ('true', 'false') and verdict != task['expected'])
            if log:
                log.write(json.dumps({'without': without, 'path': task['path'], 'verdict': verdict, 'seconds': seconds}) + '\n')
                log.flush()
        print_row(without, tasks, results)


def print_row(without, tasks, results):
    if without is None:
        print(f'{"without":20} {"decided":>8} {"wrong":>6} {"lost":>5} {"gained":>6} {"seconds":>9} {"with all":>9}')
    paths = [task['path'] for task in tasks]
    decided = {path for path in paths if results[without, path][0] in ('true', 'false')}
    base = {path for path in paths if results[None, path][0] in ('true', 'false')}
    both = decided & base
    wrong = sum(results[without, path][2] for path in paths)
    own = sum(results[without, path][1] for path in both)
    reference = sum(results[None, path][1] for path in both)
    print(f'{without or "-":20} {len(decided):8} {wrong:6} {len(base - decided):5} {len(decided - base):6} {own:9.1f} {reference:9.1f}')
    sys.stdout.flush()


if __name__ == '__main__':
    main()
