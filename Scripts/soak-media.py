"""Kills `valise media encrypt`, `decrypt` and `purge` at random moments, each on an account with a thousand files.

Usage: soak-media.py FOLDER_OF_THE_PROGRAMS [KILLS FILES SEED]

After each kill `account recover` has to succeed, and the audit to be clean: no file with another key than its own,
none damaged, none plain that has a key or encrypted without one. Then the same act is completed, and the plain
files are compared with the original ones.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import soaking

JUNK = 300
# The sample lacks one file on purpose.
ALLOWED = {"ok", "missing", "unreferenced"}


class World:
    def __init__(self, programs: pathlib.Path, files: int) -> None:
        self.valise = programs / "valise"
        self.key = ["--passphrase-file", "key"]
        pathlib.Path("key").touch(mode=0o600)
        # A raw key, which needs no derivation.
        pathlib.Path("key").write_text("x'" + "5a" * 32 + "'")
        subprocess.run(
            [programs / "valise-sample", "plain", *self.key, "--messages", "100", "--media-bytes",
             str(files * 9000), "--media-size", "9000", "--media-encryption", "plain"],
            check=True, stdout=subprocess.DEVNULL)
        shutil.copytree("plain", "account")
        self.run("media", "encrypt", "account")
        os.rename("account", "sealed")

    def run(self, *arguments: str) -> str:
        key = [] if arguments[1] == "recover" else self.key
        result = subprocess.run([self.valise, *arguments, *key], capture_output=True, text=True)
        # 3: the file that the sample lacks.
        if result.returncode not in (0, 3):
            sys.exit(f"{arguments}: {result.returncode} {result.stdout} {result.stderr}")
        return result.stdout

    def renew(self, act: str) -> None:
        shutil.rmtree("account", ignore_errors=True)
        shutil.copytree("sealed" if act == "decrypt" else "plain", "account")
        if act == "purge":
            for number in range(JUNK):
                pathlib.Path(f"account/simplex_v1_files/junk {number}").write_text("x" * number)

    def kill(self, act: str, after: float) -> bool:
        """Whether the act was still running."""
        process = subprocess.Popen(
            [self.valise, "media", act, "account", *self.key], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL

    def check(self) -> None:
        verdicts = set(json.loads(self.run("media", "audit", "account", "--json"))["counts"])
        if not verdicts <= ALLOWED:
            sys.exit(f"the audit found {verdicts - ALLOWED}")

    def check_completed(self, act: str) -> None:
        if act == "encrypt":
            self.run("media", "decrypt", "account")
        if any(name.startswith(".valise") for name in os.listdir("account")):
            sys.exit(f"left over: {os.listdir('account')}")
        subprocess.run(["diff", "-r", "plain/simplex_v1_files", "account/simplex_v1_files"], check=True)
        moved = [path for path in pathlib.Path("account").rglob("junk *") if "purged" in str(path)]
        if act == "purge" and len(moved) != JUNK:
            sys.exit(f"{len(moved)} of {JUNK} files were moved")


def soak(world: World, kills: int) -> None:
    for act in ["encrypt", "decrypt", "purge"]:
        world.renew(act)
        start = time.monotonic()
        world.run("media", act, "account")
        duration = time.monotonic() - start
        running = 0
        for _ in range(kills):
            world.renew(act)
            running += world.kill(act, random.random() * duration)
            world.run("account", "recover", "account")
            world.check()
            world.run("media", act, "account")
            world.check()
            world.check_completed(act)
        print(f"media {act}: {kills} kills, {running} of a running act; all files are whole", flush=True)


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 250
    files = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    soaking.seeded(4)
    with soaking.workplace(in_memory=False):
        soak(World(programs, files), kills)


main()
