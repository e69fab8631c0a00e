"""Kills exports of chats at random moments, and lets the next run continue them: `valise chat export`, `--update`, `render`.

Usage: soak-chats.py FOLDER_OF_THE_PROGRAMS [KILLS MESSAGES SEED]

KILLS of each of the three acts, by SIGKILL or SIGINT. An export that nobody stopped is what each has to come to: the same files
with the same bytes, but for the time in the header. A stopped first export has no folder of its name; what a stopped update or
render leaves is an export that `chat render` still reads whole. For the update, messages and a whole chat are first taken out of
the lines of the earlier export, and one is added that the account does not have: it is kept, and marked as gone.
"""

import collections
import filecmp
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import soaking

FORMATS = ["html", "text", "markdown", "csv"]
# What the sample lacks on purpose.
DONE = (0, 3)
LOST = "lost in the account"


class World:
    def __init__(self, programs: pathlib.Path, messages: int) -> None:
        self.valise = programs / "valise"
        pathlib.Path("key").touch(mode=0o600)
        # A raw key, which needs no derivation.
        pathlib.Path("key").write_text("x'" + "5a" * 32 + "'")
        subprocess.run(
            [programs / "valise-sample", "account", "--passphrase-file", "key", "--conversations", str(messages), "--media-bytes",
             "3000000", "--media-size", "20000"], check=True, stdout=subprocess.DEVNULL)
        self.states: collections.Counter[str] = collections.Counter()
        self.durations: dict[str, float] = {}
        self.run("whole", "export")
        shutil.copytree("whole", "earlier")
        self.take_out(pathlib.Path("earlier"))
        shutil.copytree("earlier", "updated")
        self.run("updated", "update")
        self.check_update()

    def take_out(self, folder: pathlib.Path) -> None:
        """Makes it an export of an earlier day."""
        files = sorted((folder / "items").iterdir(), key=lambda path: -path.stat().st_size)
        for path in files[:5]:
            lines = path.read_bytes().splitlines(keepends=True)
            path.write_bytes(b"".join(lines[::2]))
        files[-1].unlink()
        names = (folder / "conversations.jsonl").read_bytes().splitlines(keepends=True)
        gone = f'"id":"{files[-1].stem}"'.encode()
        (folder / "conversations.jsonl").write_bytes(b"".join(line for line in names if gone not in line))
        # A line that the account has no row of.
        self.changed = files[0].name
        lines = files[0].read_bytes().splitlines(keepends=True)
        extra = json.loads(lines[-1])
        extra.update(id="lost", row=987654321, text=LOST)
        files[0].write_bytes(b"".join(lines) + json.dumps(extra, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def check_update(self) -> None:
        """The update has all of the whole export, and the lost message."""
        for path in pathlib.Path("whole/items").iterdir():
            lines = pathlib.Path("updated/items", path.name).read_bytes().splitlines()
            kept = [line for line in lines if b'"gone":' not in line]
            gone = [json.loads(line) for line in lines if b'"gone":' in line]
            if kept != path.read_bytes().splitlines():
                sys.exit(f"{path.name}: the update is not what a whole export is")
            if [item["text"] for item in gone] != ([LOST] if path.name == self.changed else []):
                sys.exit(f"{path.name}: {len(gone)} messages are gone")

    def command(self, folder: str, act: str) -> list[str]:
        formats = [part for name in FORMATS for part in ("--format", name)]
        if act == "render":
            return [str(self.valise), "chat", "render", folder, *formats]
        update = ["--update"] if act == "update" else []
        return [str(self.valise), "chat", "export", "account", folder, *formats, *update, "--no-key-store", "--passphrase-file", "key"]

    def run(self, folder: str, act: str) -> None:
        begun = time.perf_counter()
        result = subprocess.run(self.command(folder, act), capture_output=True, text=True)
        if result.returncode not in DONE:
            sys.exit(f"{act}: status {result.returncode} {result.stdout} {result.stderr}")
        self.durations.setdefault(act, time.perf_counter() - begun)

    def renew(self, act: str) -> None:
        for name in ("killed", "killed.partial"):
            shutil.rmtree(name, ignore_errors=True)
        if act != "export":
            shutil.copytree("earlier" if act == "update" else "whole", "killed")

    def stop(self, act: str) -> bool:
        """Ends a run at any moment; whether it was still at work."""
        running = subprocess.Popen(self.command("killed", act), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.random() * self.durations[act])
        by = random.choice([signal.SIGKILL, signal.SIGINT])
        running.send_signal(by)
        status = running.wait()
        if status in DONE:
            self.states[f"{act}: ended before"] += 1
            return False
        if status not in (130, -signal.SIGINT, -signal.SIGKILL):
            sys.exit(f"{act}, {by.name}: status {status}")
        self.states[f"{act}: {by.name}"] += 1
        return True

    def check_stopped(self, act: str) -> bool:
        """What a stopped run leaves is nothing of the final name, or something whole; whether it has to be run again."""
        if act == "export":
            # Stopped between the name and the end.
            return not os.path.exists("killed")
        for path in [pathlib.Path("killed/conversations.jsonl"), *pathlib.Path("killed/items").glob("*.jsonl")]:
            data = path.read_bytes()
            if data and not data.endswith(b"\n"):
                sys.exit(f"{path} ends in the middle of a line")
            for line in data.splitlines():
                json.loads(line)
        return True

    def compare(self, expected: str) -> None:
        """All files are there, with the bytes of the one that nobody stopped."""
        def files(folder: str) -> set[str]:
            return {str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if not path.is_dir()}

        if strays := files("killed") ^ files(expected):
            sys.exit(f"not in both: {sorted(strays)[:5]}")
        for name in files(expected):
            one, two = pathlib.Path(expected, name), pathlib.Path("killed", name)
            if filecmp.cmp(one, two, shallow=False):
                continue
            # Times of exports.
            times = re.compile(rb'"(exportedAt|gone)":"[^"]*"')
            if not name.endswith(".jsonl") or times.sub(b"", one.read_bytes()) != times.sub(b"", two.read_bytes()):
                sys.exit(f"{name} has other bytes")
        if os.path.exists("killed.partial"):
            sys.exit("the partial export is left over")

    def round(self, act: str) -> None:
        self.renew(act)
        for _ in range(random.randint(1, 3)):
            if not self.stop(act) or not self.check_stopped(act):
                break
        else:
            self.run("killed", act)
        self.compare("updated" if act == "update" else "whole")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    messages = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
    soaking.seeded(4)
    with soaking.workplace():
        world = World(programs, messages)
        world.renew("render")
        world.run("killed", "render")
        for act in ("export", "update", "render"):
            for _ in range(kills):
                world.round(act)
            print(f"{kills} times: {act}", flush=True)
        stopped = sum(count for state, count in world.states.items() if "before" not in state)
        print(f"{kills} exports, updates and renders each: {dict(world.states)}; all have the bytes of those that nobody stopped",
              flush=True)
        if not stopped:
            sys.exit("none was stopped")


main()
