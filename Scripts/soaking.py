"""What soaks begin with: the seed of their run, a folder of their own, and an account to work on."""

import collections
import contextlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time


def seeded(argument: int) -> int:
    """The seed of that argument, or a new one; said, so that a run can be repeated."""
    seed = int(sys.argv[argument]) if len(sys.argv) > argument else random.randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    random.seed(seed)
    return seed


@contextlib.contextmanager
def workplace(in_memory: bool = True):
    """The current folder for as long as it lasts, in memory where the system has such a place."""
    memory = "/dev/shm" if in_memory and os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        os.chdir(folder)
        # Jobs of killed runs are not those of whoever runs this.
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        yield folder
        os.chdir("/")


def private(path: pathlib.Path, text: str) -> None:
    """Writes what nobody else may read."""
    path.touch(mode=0o600)
    path.write_text(text)


def kill(
        name: str, command: list[str], durations: dict[str, float], states: collections.Counter, usual: float,
        moment: float | None = None) -> bool:
    """Ends a command within its usual time, or at a moment. Returns whether it came to its end before.

    How long it takes is learned in `durations`, from a usual time in seconds; what became of it is counted in `states`.
    """
    if moment is None:
        moment = random.random() * durations.get(name, usual) * 1.05
    begun = time.monotonic()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    by = random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT])
    try:
        running.wait(moment)
    except subprocess.TimeoutExpired:
        running.send_signal(by)
    _, said = running.communicate()
    if running.returncode == 0:
        durations[name] = (durations.get(name, usual) * 3 + time.monotonic() - begun) / 4
        states[f"{name}: ended before"] += 1
        return True
    if running.returncode not in (-signal.SIGKILL, -signal.SIGINT, 130):
        sys.exit(f"{name}: status {running.returncode} {said}")
    states[f"{name}: {by.name}"] += 1
    return False


def make_account(programs: pathlib.Path, megabytes: int, media_size: int) -> None:
    """`account`, with 2000 messages and so many megabytes of media of about so many bytes, and its passphrase in `key`."""
    # A raw key, which needs no derivation.
    private(pathlib.Path("key"), "x'" + "5a" * 32 + "'")
    subprocess.run(
        [programs / "valise-sample", "account", "--passphrase-file", "key", "--messages", "2000", "--media-bytes",
         str(megabytes * 1_000_000), "--media-size", str(media_size)], check=True, stdout=subprocess.DEVNULL)
