"""Runs commands in turn and compares them within each round."""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

Runs = dict[str, list[tuple[float, int]]]


def measure(
    command: list[str], folder: pathlib.Path, statuses: tuple[int, ...] = (0,), stderr: int | None = None
) -> tuple[float, int]:
    """Seconds and peak memory in KiB of one command, its children included."""
    os.sync()
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=stderr)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) not in statuses:
        sys.exit(f"{command} failed")
    return seconds, usage.ru_maxrss


def present(commands: dict, tools: list[str]) -> dict:
    """The commands whose programs are installed. `tools` are those that may be missing."""
    absent = [tool for tool in tools if not shutil.which(tool)]
    for tool in absent:
        print(f"{tool} is not installed: what needs it is not measured")

    def needs(command) -> set[str]:
        words = command[0] if isinstance(command, tuple) else command
        return {word for part in words for word in str(part).split()}

    return {name: command for name, command in commands.items() if not needs(command) & set(absent)}


def private(path: pathlib.Path, text: str) -> None:
    """A passphrase file that valise takes: others may not read it."""
    path.touch(mode=0o600)
    path.write_text(text)


def remove(path: pathlib.Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def size(folder: pathlib.Path) -> int:
    """Of all files below it, in bytes."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())


def cache(folder: pathlib.Path) -> None:
    """Reads all files below it, so that whoever is measured next finds them in memory: borg drops what it has read."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb", buffering=0) as bytes_of_it:
                while bytes_of_it.read(1 << 22):
                    pass


def flushed(command: str, target: str) -> list[str]:
    return ["sh", "-ec", f"{command} && sync -f {target}"]


def report(name: str, peer: str, runs: Runs) -> None:
    """One line; nothing where one of the two was not measured."""
    ours, theirs = runs.get(name), runs.get(peer)
    if not ours or not theirs:
        return
    ratios = [b[0] / a[0] for a, b in zip(ours, theirs)]
    print(
        f"{name:16} {statistics.median(r[0] for r in ours):7.2f} s  {max(r[1] for r in ours) // 1024:4} MiB   "
        f"{peer:22} {statistics.median(r[0] for r in theirs):7.2f} s   speed x {statistics.median(ratios):5.2f}"
        f"  (rounds: {' '.join(f'{ratio:.2f}' for ratio in ratios)})"
    )
