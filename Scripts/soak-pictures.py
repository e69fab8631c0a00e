"""Gives the process that reads pictures thousands of broken ones: it ends with an answer or not at all, in time and in memory.

Usage: soak-pictures.py FOLDER_OF_THE_PROGRAMS [ROUNDS SEED]

The pictures are those of the tests, made by Pillow, with bytes changed, left out and repeated. Whatever the process does, `valise
compose` has to say so: a picture with a preview, or an error with one of two statuses.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import time

import soaking

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "Tests/3-Subjects/Composition/Fixtures/pictures.py"
NAMES = ["photo.jpg", "progressive.jpg", "small.png", "photo.webp", "transparent.png", "animation.gif", "cmyk.jpg", "scans.jpg"]
# A picture of 268 megapixels would take longer, but none of these is that large.
MOST_SECONDS = 20
MOST_MEGABYTES = 400


def python_with_pillow() -> str:
    for python in ("python3", "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import PIL"], capture_output=True).returncode == 0:
            return python
    sys.exit("Pillow is missing. Install it: Scripts/setup.sh --with-test-tools")


def broken(data: bytes, generator: random.Random) -> bytes:
    """The bytes of a picture, with some changes that a disk, a network or an attacker might make."""
    changed = bytearray(data)
    for _ in range(generator.choice([1, 1, 2, 5, 20, 100])):
        place = generator.randrange(len(changed))
        match generator.randrange(6):
            case 0: changed[place] = generator.randrange(256)
            case 1: changed[place] ^= 1 << generator.randrange(8)
            case 2: del changed[place:place + generator.randrange(1, 64)]
            case 3: changed[place:place] = changed[place:place + generator.randrange(1, 4096)]
            case 4: changed[place:place + 4] = generator.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\0\0\xff\xff"])
            # Heads decide most.
            case _: changed[generator.randrange(min(64, len(changed)))] = generator.randrange(256)
        if not changed:
            return b"\0"
    if generator.random() < 0.1:
        del changed[generator.randrange(len(changed)):]
    return bytes(changed)


def read(valise: pathlib.Path, path: str) -> tuple[str, float, int]:
    """What became of a picture, in how many seconds and megabytes."""
    begun = time.monotonic()
    with open(path, "rb") as file:
        process = subprocess.Popen([valise, "prepare-picture", str(os.path.getsize(path)), "file"], stdin=file,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    seconds, megabytes = time.monotonic() - begun, usage.ru_maxrss // 1024
    if os.WIFSIGNALED(status):
        return f"ended by signal {os.WTERMSIG(status)}", seconds, megabytes
    if os.WEXITSTATUS(status) != 0:
        return f"status {os.WEXITSTATUS(status)}", seconds, megabytes
    answer = json.loads(output.partition(b"\n")[0])
    if "picture" in answer:
        if len(answer["picture"]["preview"]) > 14_000:
            sys.exit(f"{path}: a preview of {len(answer['picture']['preview'])} characters")
        if len(output) - output.index(b"\n") - 1 > 261_120:
            sys.exit(f"{path}: a file of {len(output)} bytes")
        return "read", seconds, megabytes
    return answer["reason"], seconds, megabytes


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    generator = random.Random(soaking.seeded(3))
    with soaking.workplace():
        os.mkdir("pictures")
        subprocess.run([python_with_pillow(), SCRIPT, "make", "pictures"], check=True)
        originals = [pathlib.Path("pictures", name).read_bytes() for name in NAMES]
        states: dict[str, int] = {}
        slowest: dict[str, float] = {}
        largest: dict[str, int] = {}
        for number in range(rounds):
            name = generator.randrange(len(originals))
            data = broken(originals[name], generator)
            pathlib.Path("broken").write_bytes(data)
            state, seconds, megabytes = read(programs / "valise", "broken")
            states[state] = states.get(state, 0) + 1
            kind = "read" if state == "read" else "refused"
            slowest[kind], largest[kind] = max(slowest.get(kind, 0), seconds), max(largest.get(kind, 0), megabytes)
            if seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES:
                pathlib.Path("/tmp/broken-picture").write_bytes(data)
                sys.exit(f"round {number}: {state} in {seconds:.1f} s and {megabytes} MB; kept as /tmp/broken-picture")
        limits = ", ".join(f"{kind} at most {slowest[kind]:.2f} s and {largest[kind]} MB" for kind in sorted(slowest))
        print(f"{rounds} broken pictures: {states}; {limits}", flush=True)
        if not states.get("damaged"):
            sys.exit("none was refused")


main()
