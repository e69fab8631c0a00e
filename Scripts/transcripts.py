"""What the programs say: hundreds of invocations, written down and compared.

Usage: transcripts.py VALISE FOLDER [--check | --update | --earlier] [--only SUBJECT,...] [--jobs N]

Runs the program VALISE, and valise-relay and valise-sample beside it, over accounts made for this run, and writes down the
arguments, the exit status and both outputs of each run, in one file in FOLDER for each subject. What differs from one run to
the next (paths, times, random words, sizes of what is encrypted) is replaced by a word for it; see transcript/normal.py.

--update (without either, too) rewrites FOLDER; --check compares and prints what differs, with status 1. --earlier writes what
a program of commit a0a6a7c says: options have the names that it knows, and what it cannot prepare is left as it is.
"""

import argparse
import concurrent.futures
import difflib
import os
import pathlib
import shutil
import sys
import time

from transcript import subjects
from transcript.template import Template
from transcript.world import World, work_folder


SLOW: list[tuple[float, str]] = []


def transcript(
        programs: pathlib.Path, work: pathlib.Path, template: Template, name: str, is_earlier: bool) -> tuple[str, int]:
    """The text of a subject, and how many invocations it has."""
    world = World(programs, work / name, template, is_earlier)
    try:
        subjects.ALL[name](world)
        return world.text(), world.count
    finally:
        SLOW.extend(world.slow)
        world.end()


def differences(folder: pathlib.Path, name: str, found: str) -> str:
    path = folder / f"{name}.txt"
    expected = path.read_text() if path.exists() else ""
    lines = difflib.unified_diff(
        expected.splitlines(), found.splitlines(), f"{name}.txt", f"{name}.txt, as it is now", n=6, lineterm="")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--earlier", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--slow", type=int, default=0, help="also show so many of the slowest invocations")
    arguments = parser.parse_args()
    if arguments.check + arguments.update + arguments.earlier > 1:
        parser.error("--check, --update or --earlier, not more than one of them")
    wanted = [name for name in arguments.only.split(",") if name] or list(subjects.ALL)
    if unknown := set(wanted) - set(subjects.ALL):
        parser.error(f"no such subject: {', '.join(sorted(unknown))}; there are {', '.join(subjects.ALL)}")
    programs = arguments.program.resolve().parent
    started = time.monotonic()
    work = work_folder()
    texts, failed, count = {}, [], 0
    try:
        template = Template(programs, work / "template")
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            waiting = {pool.submit(transcript, programs, work, template, name, arguments.earlier): name for name in wanted}
            for future in concurrent.futures.as_completed(waiting):
                name = waiting[future]
                try:
                    texts[name], invocations = future.result()
                    count += invocations
                except Exception as error:
                    failed.append(f"{name}: {type(error).__name__}: {error}")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for text in failed:
        print(f"transcripts: {text}", file=sys.stderr)
    found = []
    if arguments.check:
        found = [text for name in wanted if name in texts and (text := differences(arguments.folder, name, texts[name]))]
        if not arguments.only:
            extra = sorted(path.name for path in arguments.folder.glob("*.txt") if path.stem not in subjects.ALL)
            found += [f"{name}: no such subject any more" for name in extra]
        print("\n".join(found), end="\n" if found else "")
    else:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (arguments.folder / f"{name}.txt").write_text(text)
    seconds = time.monotonic() - started
    verdict = f"{len(found)} subjects differ" if found else "as expected" if arguments.check else "written"
    print(f"transcripts: {count} invocations in {len(texts)} subjects, {seconds:.0f} s: {verdict}", file=sys.stderr)
    if found:
        print(
            f"transcripts: where the change is meant, run Scripts/transcripts.py {arguments.program} {arguments.folder} "
            "--update and look at the difference in version control", file=sys.stderr)
    if arguments.slow:
        for seconds, line in sorted(SLOW, reverse=True)[:arguments.slow]:
            print(f"{seconds:6.2f} s  {line}")
    sys.exit(1 if failed or found else 0)


if __name__ == "__main__":
    main()
