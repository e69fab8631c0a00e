"""Verification of an archive against unzip and SQLCipher's own checks, as ratios of runs that follow each other.

Usage: verify.py FOLDER_OF_THE_PROGRAMS [BYTES ROUNDS]

The archive has about that many bytes, half of them encrypted databases, half encrypted media, as they are by
default: stored, because what is encrypted does not shrink. The peer does in its order what a careful person can do
without Valise: `unzip -t`, unpack, then cipher_integrity_check, integrity_check and foreign_key_check of both
databases in the sqlcipher shell. It proves neither tags nor which media are missing, and leaves the disk full.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

from measuring import Runs, measure, present, private, remove, report

PASSPHRASE = "bench"
# A chat database grows by some 900 bytes for each message, its indexes included.
BYTES_OF_A_MESSAGE = 900
PRAGMAS = ["cipher_integrity_check", "integrity_check", "foreign_key_check"]


def checks() -> str:
    statements = " ".join(f'"PRAGMA {name}"' for name in PRAGMAS)
    return " && ".join(
        f"sqlcipher -batch -bail unpacked/simplex_v1_{name}.db \"PRAGMA key = '{PASSPHRASE}'\" {statements}"
        for name in ["chat", "agent"])


def size_of(folder: pathlib.Path) -> int:
    """Bytes that a folder takes on the disk."""
    return int(subprocess.run(["du", "-sB1", folder], capture_output=True, text=True, check=True).stdout.split()[0])


def disk_of(command: list[str], folder: pathlib.Path) -> int:
    """The most bytes by which the folder grows while a command runs, looked at ten times a second."""
    before = most = size_of(folder)
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, size_of(folder))
            time.sleep(0.1)
    return max(most, size_of(folder)) - before


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    size, rounds = [int(a) for a in sys.argv[2:]] or [2 << 30, 3]
    valise = str(programs / "valise")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        private(folder / "passphrase", PASSPHRASE)
        subprocess.run(
            [programs / "valise-sample", "account", "--passphrase-file", "passphrase", "--messages",
             str(size // 2 // BYTES_OF_A_MESSAGE), "--media-bytes", str(size // 2), "--media-encryption", "encrypted"],
            cwd=folder, check=True)
        subprocess.run([valise, "archive", "export", "account", "archive.zip"], cwd=folder, check=True)
        remove(folder / "account")
        print(f"an archive of {os.path.getsize(folder / 'archive.zip') / 1e9:.2f} GB")
        verify = [valise, "archive", "verify", "archive.zip", "--passphrase-file", "passphrase", "--quiet"]
        commands = {
            "verify": verify,
            "without passphrase": verify[:4] + ["--quiet"],
            "unzip -t": ["unzip", "-tqq", "archive.zip"],
            "unzip and checks": [
                "sh", "-ec", f"unzip -tqq archive.zip && unzip -qq archive.zip -d unpacked && {checks()}"],
        }
        commands = present(commands, ["unzip", "sqlcipher"])
        runs: Runs = {name: [] for name in commands}
        for _ in range(rounds):
            for label, command in commands.items():
                # The sample has a message whose file is missing: status 3.
                runs[label].append(measure(command, folder, statuses=(0, 3)))
                remove(folder / "unpacked")
        report("verify", "unzip and checks", runs)
        report("without passphrase", "unzip -t", runs)
        for label in [label for label in ["verify", "unzip and checks"] if label in commands]:
            print(f"{label:18} needs {disk_of(commands[label], folder) / 1e6:8.1f} MB of disk")


main()
