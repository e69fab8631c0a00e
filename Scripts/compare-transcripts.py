#!/usr/bin/env python3
"""Runs that end differently in two folders of transcripts, and JSON keys that only one of them has.

    Scripts/transcripts.py OLD/.build/release/valise FOLDER     what another build of the programs says
    Scripts/compare-transcripts.py FOLDER [NEW]                 NEW: the folder of the tests without

Runs are matched by their arguments, the first with the first. Only statuses and keys are compared: texts are rewritten more
often than what scripts rely on.
"""

import collections
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
KEY = re.compile(r'"(\w+)":')


def runs(path):
    """Arguments, exit status and JSON keys of each run of a transcript."""
    found = []
    for line in path.read_text().split("\n") if path.exists() else []:
        if line.startswith("$ "):
            found.append([line[2:], "0", set()])
        elif found and line.startswith("= "):
            found[-1][1] = line[2:]
        elif found and line.startswith("|"):
            found[-1][2].update(KEY.findall(line))
    return found


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    old = pathlib.Path(sys.argv[1])
    new = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else HERE / "Tests/5-Commands/Commands/Fixtures/transcripts"
    compared, statuses, keys, unmatched = 0, [], collections.defaultdict(list), 0
    for path in sorted(new.glob("*.txt")):
        before = collections.defaultdict(list)
        for arguments, status, names in runs(old / path.name):
            before[arguments].append((status, names))
        for arguments, status, names in runs(path):
            if not before[arguments]:
                unmatched += 1
                continue
            compared += 1
            old_status, old_names = before[arguments].pop(0)
            if old_status != status:
                statuses.append(f"{path.stem}: {arguments}: {old_status}, now {status}")
            elif "--json" in arguments:
                for name in old_names - names:
                    keys[f"only before: {name}"].append(arguments)
                for name in names - old_names:
                    keys[f"only now: {name}"].append(arguments)
    if not compared:
        sys.exit(f"{old}: no transcript of a run that is in {new}")
    print(f"{compared} runs compared, {unmatched} are in one only")
    print(f"\n{len(statuses)} runs with another exit status:")
    print("\n".join(f"  {line}" for line in statuses))
    print(f"\n{len(keys)} JSON keys that one side lacks, where the status is the same:")
    for name, places in sorted(keys.items()):
        print(f"  {name} ({len(places)}), such as: {places[0]}")


main()
