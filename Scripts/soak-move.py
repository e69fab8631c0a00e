"""Moves accounts from one machine to another, kills everything on the way, and breaks what can break.

Usage: soak-move.py FOLDER_OF_THE_PROGRAMS [KILLS MEGABYTES,MEGABYTES,... SEED]

Two folders are two machines, with an own relay between them, or with VALISE_PEER=strict in the environment one that is as
strict as the official one. Accounts of each size move, most of them of the first, until
KILLS processes that were running were killed at random moments on either side; the relay is killed and started again
meanwhile. With KILLS of 50 or more each write of a record of a move is a moment too, just before it and just after it, so
that each state of either side is one. After each kill the source has to be untouched and the same command has to go on;
in the end the account has to have arrived, row for row and file for file, the source has to be retired, and the relay
has to keep nothing.

Then everything else that goes wrong, each with an end as good: see Faults. Network namespaces and small disks need root;
what was skipped is said.
"""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import soaking
import strict_peer
from moving import Fault, Machine, Pair, Relay, Sample, Tally
from moving_faults import Faults

# No phase needs as many runs.
TOO_OFTEN = 400
MOMENTS = 50
# How often a cancellation writes its record.
CANCEL_WRITES = 2
# The exit status where relays cannot be reached.
RELAYS_FAILED = 1
# Each state that a record can have, and in which a move is killed. Of the receiving side all but the migration, which no
# sample needs.
STATES = {
    "sending": {
        "chatStopInProgress", "chatStopFailed", "passphraseNotSet", "passphraseConfirmation", "uploadConfirmation",
        "archiving", "uploadProgress", "uploadFailed", "linkCreation", "linkShown", "finishing", "finished", "cancelling",
        "cancelled"},
    "receiving": {
        "pasteOrScanLink", "linkDownloading", "downloadProgress", "downloadFailed", "archiveVerification", "passphrase",
        "archiveImport", "archiveImportFailed", "migrationConfirmation", "networkSettings", "proved", "finished",
        "cancelling", "cancelled"},
}
# What part of the kills is made with accounts of each size.
SHARES = [0.75, 0.2, 0.05]
SIDES = {"send": "sending", "finish": "sending", "receive": "receiving"}

# Ends the process at the n-th renaming of a record of a move, before it or after it, or stops it after it until it may go on.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int count;

int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    const char *number = getenv("KILL_AT_RECORD"), *side = getenv("KILL_BEFORE"), *stop = getenv("STOP_AT_RECORD");
    const char *name = strrchr(to, '/');
    if (!number || !name || strcmp(name, "/move.json") != 0) return real(from, to);
    int written = atomic_fetch_add(&count, 1) + 1, is_it = written == atoi(number);
    if (is_it && side) kill(getpid(), SIGKILL);
    int result = real(from, to);
    if (stop && written == atoi(stop)) kill(getpid(), SIGSTOP);
    if (is_it) kill(getpid(), SIGKILL);
    return result;
}
"""


class World:
    def __init__(self, programs: pathlib.Path, kills: int, sizes: list[int]) -> None:
        self.programs, self.kills, self.sizes = programs, kills, sizes
        strict = strict_peer.is_wanted()
        self.relay = strict_peer.StrictRelay("relay", Fault) if strict else Relay(programs, "relay")
        self.tally = Tally()
        self.runs = {verb: 0 for verb in SIDES}
        self.seconds = {verb: 1.0 for verb in SIDES}
        self.accounts = 0
        self.resumed = 0
        self.environment: dict[str, str] = {}

    # Kills at random moments.

    def run(self, pair: Pair, verb: str, link: str | None, command: list, isCut: bool):
        """One run, with a kill of itself, of the relay, of both or of none."""
        machine = pair.new if verb == "receive" else pair.old
        process = machine.begin(*command, link=link)
        self.runs[verb] += 1
        starts = self.relay.starts
        start = time.monotonic()
        victims = random.choice([[verb], [verb], [verb], ["relay"], ["relay", verb]]) if isCut else []
        for victim in victims:
            try:
                process.wait(random.random() * self.seconds[verb] * 0.8)
                break
            except subprocess.TimeoutExpired:
                self.kill(machine, victim, process)
        run = machine.end(process)
        if run.status == 0:
            # What goes on where a former run was takes less.
            share = 0.3 if victims else 1.0
            self.seconds[verb] += share * (max(0.05, time.monotonic() - start) - self.seconds[verb])
        if self.relay.process.poll() is not None:
            self.relay.start()
        self.isRelayCut = self.relay.starts != starts
        return run

    def kill(self, machine: Machine, victim: str, process: subprocess.Popen) -> None:
        if victim == "relay":
            self.relay.kill()
            time.sleep(random.random() * 0.3)
            self.relay.start()
            self.tally.sides["relay"] += 1
            return
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            self.tally.add(SIDES[victim], machine.state())

    def until_done(self, pair: Pair, verb: str, command: list, goal: int, link: str | None = None):
        machine = pair.new if verb == "receive" else pair.old
        for _ in range(TOO_OFTEN):
            before = machine.state()
            run = self.run(pair, verb, link, command, isCut=self.tally.sides[SIDES[verb]] < goal)
            self.resumed += before != "nothing" and run.status == 0
            if verb != "finish":
                pair.check_source()
            elif self.isRelayCut and (run.status != 0 or run.result["chunksLeft"]):
                # What cannot be deleted from a relay that is away expires.
                self.relay.age(60)
            machine.moves()
            if run.status == 0:
                return run.result
            # Killed after its last act.
            if verb == "finish" and run.status > 0 and machine.state() == "finished":
                return None
            if run.status > 0 and not (self.isRelayCut and run.status == RELAYS_FAILED):
                raise Fault(f"{verb} fails in the state {before}: {run}")
        raise Fault(f"{verb} never comes to its end")

    def move(self, sample: Sample, goal: int) -> None:
        """One account, however often it is interrupted."""
        pair = Pair(self.programs, sample, self.relay)
        sent = self.until_done(pair, "send", pair.old.sending(self.relay), goal)
        received = self.until_done(pair, "receive", pair.new.receiving(), goal, "\n".join(sent["links"]))
        if received["words"] != sent["words"]:
            raise Fault(f"the words differ: {sent['words']} and {received['words']}")
        pair.check_arrived()
        if pair.old.rows() != sample.rows:
            raise Fault("the source is not what it was")
        self.until_done(pair, "finish", pair.old.finishing(received["words"]), goal)
        pair.check_retired()
        pair.check_quiet(pair.new)
        pair.remove()
        self.accounts += 1

    def soak(self) -> None:
        goal = 0.0
        shares = SHARES[:len(self.sizes)]
        for megabytes, share in zip(self.sizes, shares):
            goal += self.kills * share / sum(shares)
            sample = Sample(self.programs, megabytes)
            start, before = time.monotonic(), self.accounts
            # How long it takes is learned without kills.
            self.move(sample, 0)
            while min(self.tally.sides[side] for side in ("sending", "receiving")) < round(goal):
                self.move(sample, round(goal))
            counts = ", ".join(f"{name} {self.tally.sides[name]}" for name in ("sending", "receiving", "relay"))
            print(
                f"  {megabytes} MB: {self.accounts - before} accounts moved, {time.monotonic() - start:.0f} s; "
                f"kills so far: {counts}", flush=True)
            shutil.rmtree(sample.machine.home)

    # Kills at each write of a record.

    def moments(self) -> None:
        pathlib.Path("shim.c").write_text(SHIM)
        self.shim = str(pathlib.Path("shim.so").absolute())
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.shim, "shim.c", "-ldl"], check=True)
        self.sample = Sample(self.programs, self.sizes[0])
        before_it = sum(self.tally.sides.values())
        start = time.monotonic()
        for before in (False, True):
            for number in range(1, MOMENTS):
                environment = {"LD_PRELOAD": self.shim, "KILL_AT_RECORD": str(number)}
                if before:
                    environment["KILL_BEFORE"] = "1"
                # A cancellation has only these writes.
                ways = [False, True] if number <= CANCEL_WRITES else [random.random() < 0.5]
                if not sum(self.moment(environment, cancels) for cancels in ways):
                    break
        self.failures()
        print(
            f"  {sum(self.tally.sides.values()) - before_it} kills just before or after a record was written, {time.monotonic() - start:.0f} s; "
            f"sending: {self.tally.text('sending')}; receiving: {self.tally.text('receiving')}", flush=True)
        for side, expected in STATES.items():
            if missing := expected - set(self.tally.states[side]):
                raise Fault(f"the {side} side was never killed in {', '.join(sorted(missing))}")

    def moment(self, environment: dict[str, str], cancels: bool) -> int:
        """Send, receive and finish, or cancel what was begun, each killed once; how many were."""
        pair = Pair(self.programs, self.sample, self.relay)
        kills = self.cut(pair.old, "sending", pair.old.sending(self.relay), environment)
        pair.check_source()
        if kills and cancels:
            kills += self.cancel(pair, pair.old, "sending", environment)
            pair.check_source()
            self.relay.check_empty()
        sent = pair.send()
        link = "\n".join(sent["links"])
        cut = self.cut(pair.new, "receiving", pair.new.receiving(), environment, link)
        pair.check_source()
        if cut and cancels and not pair.new.visible():
            cut += self.cancel(pair, pair.new, "receiving", environment)
            pair.check_nothing_arrived()
        received = pair.receive(sent)
        pair.check_arrived()
        finishing = pair.old.finishing(received["words"])
        ended = self.cut(pair.old, "sending", finishing, environment)
        if ended:
            run = pair.old.end(pair.old.begin(*finishing))
            if run.status != 0 and pair.old.state() != "finished":
                raise Fault(f"finish does not go on: {run}")
        pair.check_retired()
        pair.remove()
        return kills + cut + ended

    def cut(
            self, machine: Machine, side: str, command: list, environment: dict[str, str],
            link: str | None = None) -> int:
        run = machine.end(machine.begin(*command, link=link, environment=environment))
        if run.status == 0:
            return 0
        if run.status != -signal.SIGKILL:
            raise Fault(f"{command[1]}: {run}")
        self.tally.add(side, machine.state())
        machine.moves()
        return 1

    # Kills when something has failed.

    def failures(self) -> None:
        """The states that a move only has where something failed."""
        pair = Pair(self.programs, self.sample, self.relay)
        with pair.old.in_use():
            self.failing(pair.old, "sending", pair.old.sending(self.relay))
        self.opened_meanwhile(pair.old)
        pair.source = pair.old.traces()
        self.relay.change("storage_quota", "300kb")
        self.failing(pair.old, "sending", pair.old.sending(self.relay))
        self.relay.change("storage_quota", "20gb")
        plain = Machine(self.programs, "without-passphrase")
        subprocess.run(
            [self.programs / "valise-sample", plain.account], check=True, stdout=subprocess.DEVNULL)
        self.failing(plain, "sending", plain.sending(self.relay))
        sent = pair.send()
        path = self.relay.files[0]
        content = path.read_bytes()
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        self.failing(pair.new, "receiving", pair.new.receiving(), "\n".join(sent["links"]))
        path.write_bytes(content)
        picture = pair.old.home / "picture"
        picture.write_bytes(bytes(100_000))
        file = pair.old.run(
            "file", "send", picture, "--server", self.relay.address, "--descriptions", pair.old.home, "--json",
            "--quiet").result["files"][0]["file"]
        self.failing(pair.new, "receiving", pair.new.receiving(), file["links"][0][0])
        pair.old.run("file", "delete", pair.old.home / "picture.xftp", "--quiet")
        pair.check_nothing_arrived()
        pair.complete(sent)
        pair.remove()

    def opened_meanwhile(self, machine: Machine) -> None:
        """A program opens the account between the look at it and its lock."""
        # From where the kill before left it, too.
        for _ in range(3):
            environment = {"LD_PRELOAD": self.shim, "STOP_AT_RECORD": "1", "KILL_AT_RECORD": "2"}
            process = machine.begin(*machine.sending(self.relay), environment=environment)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            with machine.in_use():
                process.send_signal(signal.SIGCONT)
                run = machine.end(process)
            if run.status == 0:
                raise Fault(f"an account was sent while a program had it open: {run}")
            machine.moves()
            if run.status == -signal.SIGKILL:
                self.tally.add("sending", machine.state())

    def failing(self, machine: Machine, side: str, command: list, link: str | None = None) -> None:
        """Fails, unless it is killed at one of the writes of its record; from where a kill left it, too."""
        for _ in range(2):
            for number in range(1, MOMENTS):
                runs = [self.failed(machine, side, command, link, number) for _ in range(3)]
                if not any(runs):
                    break

    def failed(self, machine: Machine, side: str, command: list, link: str | None, number: int) -> bool:
        """Whether it was killed."""
        environment = {"LD_PRELOAD": self.shim, "KILL_AT_RECORD": str(number)}
        run = machine.end(machine.begin(*command, link=link, environment=environment))
        if run.status == 0:
            raise Fault(f"{command[:2]} should fail: {run}")
        machine.moves()
        if run.status != -signal.SIGKILL:
            return False
        self.tally.add(side, machine.state())
        return True

    def cancel(self, pair: Pair, machine: Machine, side: str, environment: dict[str, str]) -> int:
        """Killed itself, and then done."""
        if not machine.moves():
            return 0
        kills = self.cut(machine, side, machine.cancelling(), environment)
        if kills and machine.state() != "nothing":
            machine.run(*machine.cancelling(), allowed=(0, 10))
        if left := machine.moves() or (machine.hidden() if machine.account.exists() else []):
            raise Fault(f"a cancelled move left {left}")
        return kills


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    sizes = [int(size) for size in (sys.argv[3] if len(sys.argv) > 3 else "1,300,2000").split(",")]
    seed = soaking.seeded(4)
    # Memory would not do for the large ones.
    memory = "/dev/shm" if os.path.isdir("/dev/shm") and max(sizes) < 500 else None
    start = time.monotonic()
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        os.chdir(folder)
        world = World(programs, kills, sizes)
        try:
            world.soak()
            if kills >= MOMENTS:
                world.moments()
            faults = Faults(programs, world.relay)
            # They are of our own relay's settings, and of hosts that it listens on.
            if not strict_peer.is_wanted():
                faults.run()
            sides = world.tally.sides
            print(
                f"moves: {sides['sending']} kills of the sending side, {sides['receiving']} of the receiving side, "
                f"{sides['relay']} of the relay; {world.accounts} accounts of {','.join(map(str, sizes))} MB arrived row "
                f"for row and file for file; {len(faults.done)} faults ended well, skipped: "
                f"{', '.join(faults.skipped) or 'none'}; {time.monotonic() - start:.0f} s", flush=True)
        except (Fault, subprocess.SubprocessError) as fault:
            sys.exit(f"seed {seed}: {fault}")
        finally:
            world.relay.process.kill()
            world.relay.process.wait()
            os.chdir("/")


main()
