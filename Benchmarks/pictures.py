"""Pictures prepared by the process of their own, beside Pillow: how long, and in how much memory; hostile ones until their error.

Usage: pictures.py FOLDER_OF_THE_PROGRAMS [ROUNDS]

Pillow does the same work in one call of Python: upright, at most 1,920 pixels, a JPEG that fits and a preview. A hostile picture may
take 200 ms and 100 MB until it is refused.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "Tests/3-Subjects/Composition/Fixtures/pictures.py"
ORDINARY = ["photo.jpg", "progressive.jpg", "small.png", "photo.webp", "transparent.png"]
HOSTILE = ["bomb.png", "interlaced-bomb.png", "progressive-bomb.jpg", "scans.jpg", "cut-photo.jpg", "cut-small.png",
           "cut-photo.webp", "drawing.jpg"]
MOST_MILLISECONDS, MOST_MEGABYTES = 200, 100

PILLOW = """
import io, sys
from PIL import Image, ImageOps
def fit(picture, longest, quality, limit):
    while True:
        small = picture.copy()
        small.thumbnail((longest, longest))
        out = io.BytesIO()
        small.convert("RGB").save(out, "JPEG", quality=quality, optimize=True)
        if len(out.getvalue()) <= limit: return out.getvalue()
        longest = min(longest - 1, int(longest * (limit / len(out.getvalue())) ** 0.5 * 0.96))
picture = Image.open(sys.argv[1])
picture.draft("RGB", (1920, 1920))
picture = ImageOps.exif_transpose(picture)
picture.thumbnail((1920, 1920))
fit(picture, 1920, 85, 261120)
fit(picture, 512, 70, 10480)
"""


def pillow() -> str:
    for python in ("python3", "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import PIL"], capture_output=True).returncode == 0:
            return python
    sys.exit("Pillow is missing. Install it: Scripts/setup.sh --with-test-tools")


def run(command: list[str], path: str) -> tuple[float, int]:
    """Milliseconds and megabytes."""
    with open(path, "rb") as file:
        begun = time.monotonic()
        process = subprocess.Popen(command, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        return (time.monotonic() - begun) * 1000, usage.ru_maxrss // 1024


def main() -> None:
    valise = str(pathlib.Path(sys.argv[1]).resolve() / "valise")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    python = pillow()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        subprocess.run([python, SCRIPT, "make", folder], check=True)
        for name in ORDINARY + HOSTILE:
            path = f"{folder}/{name}"
            ours = [run([valise, "prepare-picture", str(os.path.getsize(path)), "file"], path) for _ in range(rounds)]
            milliseconds, megabytes = statistics.median(ms for ms, _ in ours), max(mb for _, mb in ours)
            line = f"{name}: {milliseconds:.0f} ms, {megabytes} MB"
            if name in ORDINARY:
                theirs = [run([python, "-c", PILLOW, path], path) for _ in range(rounds)]
                line += (f"; Pillow {statistics.median(ms for ms, _ in theirs) / milliseconds:.2f} x the time, "
                         f"{max(mb for _, mb in theirs) / megabytes:.2f} x the memory")
            elif milliseconds > MOST_MILLISECONDS or megabytes > MOST_MEGABYTES:
                line += f"; more than {MOST_MILLISECONDS} ms or {MOST_MEGABYTES} MB"
            print(line, flush=True)


main()
