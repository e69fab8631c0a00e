"""Several programs in one repository at the same time, and what they leave: `valise backup` beside itself and beside restic.

Usage: backup-together.py FOLDER_OF_THE_PROGRAMS [SIZE SEED [PART ...]]

Each part has rounds in proportion to SIZE: 1 is the short form, 20 the usual one. The parts:

    runs         two backups at the same time, of two accounts and of one: both snapshots are there and come back
    restic       restic beside it, in turns and at once: each restores what the other one stored
    prunes       what removes beside what stores: nothing that a snapshot names is lost, and who comes second says so
    locks        locks of the dead are removed, those of the living respected, those that nobody can read named
    clocks       a clock that is behind, one that is ahead, and two snapshots of one second
    append-only  a server that keeps everything: what removes is refused, and nothing has changed
    resumed      a run is killed or interrupted: the next one stores nothing a second time
    restores     a restore into the place of an account is killed: the account before or the one after, whole
    drills       a drill is killed: nothing of a database is ever written as plaintext, and the next drill removes the rest
"""

import contextlib
import datetime
import fcntl
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import typing

import backing
import growing
import soaking
import strict_peer
from transcript import cheapkey

OTHER_PASSWORD = "another password of the repository"
HERE = pathlib.Path(__file__).resolve().parent
KEY = ("--passphrase-file", "key")
LOCKED = r"the repository is (exclusively )?locked by process \d+ on \S+ since \S+"
UNREADABLE = "locks/{}: the lock cannot be read: .* Until this file is removed, .*"
DONE, FAILED, WITH_ERRORS, IN_USE, DAMAGED, UNSUPPORTED, INTERRUPTED = 0, 1, 3, 11, 13, 14, 130
# The clock of a program that loads it: libfaketime changes the environment, in which Swift finds its arguments.
CLOCK = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += atol(getenv("SECONDS_AHEAD"));
    return result;
}
time_t time(time_t *there) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (there) *there = now.tv_sec;
    return now.tv_sec;
}
int gettimeofday(struct timeval *restrict there, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *there = (struct timeval) {now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
"""
DAY, HOUR, YEAR = 86_400, 3_600, 365 * 86_400


class Answer(typing.NamedTuple):
    command: str
    status: int
    output: str
    errors: str

    def fail(self, what: str) -> typing.NoReturn:
        sys.exit(f"{self.command}: {what}; status {self.status}\n{self.output}{self.errors}")

    def must(self, status: int = DONE) -> "Answer":
        if self.status != status:
            self.fail(f"status {status} was to be expected")
        return self

    def must_refuse(self, status: int, sentence: str) -> None:
        """It ends so, and says so in one sentence; hints may follow."""
        self.must(status)
        lines = [line for line in self.errors.splitlines() if not line.startswith("hint: ")]
        if len(lines) != 1 or not re.fullmatch(rf"valise: (.*: )?{sentence}(\. .*)?", lines[0]):
            self.fail(f"this was to be said in one line: {sentence}")


class Together(backing.World):
    def __init__(self, programs: pathlib.Path, size: int) -> None:
        super().__init__(programs, megabytes=2)
        self.size = size
        self.accounts = [self.account, pathlib.Path("second")]
        shutil.copytree(*self.accounts)
        # What restic backs up: an account among other things.
        self.home = pathlib.Path("home")
        self.phone = self.home / "phone"
        shutil.copytree(self.account, self.phone)
        # Of the snapshots, those that restic made.
        self.made_by_restic: set[str] = set()
        self.lost: list[tuple[pathlib.Path, bytes]] = []
        begun = time.monotonic()
        self.back_up(self.account)
        self.durations = dict.fromkeys(["run", "prune", "restore", "drill"], time.monotonic() - begun)
        self.back_up(self.accounts[1])

    # Commands

    def begin(self, *arguments: object, **environment: str) -> subprocess.Popen:
        return subprocess.Popen(
            [self.valise, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | environment)

    def ask(self, *arguments: object, **environment: str) -> Answer:
        return end(self.begin(*arguments, **environment))

    def run_command(self, account: pathlib.Path, *others: str) -> list[object]:
        return ["backup", "run", account, *KEY, "--json", "--quiet", *others]

    def noted(self, answer: Answer, state: dict[str, str]) -> str:
        """The snapshot of a run, by its answer."""
        account, = json.loads(answer.must().output)["accounts"]
        snapshot = account["snapshot"]["id"]
        if snapshot not in self.snapshots():
            answer.fail(f"there is no snapshot {snapshot}")
        self.contents[snapshot] = state
        return snapshot

    def back_up(self, account: pathlib.Path, *others: str, **environment: str) -> str:
        state = self.state(account)
        return self.noted(self.ask(*self.run_command(account, *others), **environment), state)

    def check_snapshots(self, expected: set[str]) -> None:
        if self.snapshots() != expected:
            sys.exit(f"{len(expected - self.snapshots())} snapshots are gone, {len(self.snapshots() - expected)} are new")

    def check_whole(self, snapshots: int) -> None:
        """All data, and so many snapshots."""
        self.check_data()
        known = sorted(self.snapshots() & self.contents.keys())
        for snapshot in random.sample(known, min(snapshots, len(known))):
            self.check_restore(snapshot)
        if locks := os.listdir(self.repository / "locks"):
            sys.exit(f"locks are left: {locks}")

    # Two at a time

    def runs(self) -> str:
        for number in range(2 * self.size):
            accounts = self.accounts if number % 2 == 0 else [self.account, self.account]
            for account in set(accounts):
                self.change(account)
            states = [self.state(account) for account in accounts]
            before = self.snapshots()
            first = self.begin(*self.run_command(accounts[0]))
            time.sleep(random.random() * 0.3)
            second = self.begin(*self.run_command(accounts[1]))
            made = {self.noted(end(run), state) for run, state in zip([first, second], states)}
            if len(made) != 2:
                sys.exit("two runs made one snapshot")
            self.check_snapshots(before | made)
            self.must("verify")
        self.check_whole(2 * self.size)
        return f"{2 * self.size} rounds of two"

    # Beside restic

    def change_home(self) -> None:
        self.change(self.phone)
        # Some of it is what the account has.
        other = random.choice(sorted((self.account / backing.MEDIA).iterdir()))
        (self.home / f"paper {random.randrange(8)}").write_bytes(other.read_bytes() + random.randbytes(random.randrange(99)))

    def begin_restic(self, *arguments: object) -> subprocess.Popen:
        return subprocess.Popen(
            ["restic", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def begin_storing_home(self) -> subprocess.Popen:
        return self.begin_restic("backup", "--json", self.home)

    def noted_home(self, answer: Answer, state: dict[str, str]) -> str:
        summary = json.loads(answer.must().output.splitlines()[-1])
        snapshot, = [name for name in self.snapshots() if name.startswith(summary["snapshot_id"])]
        self.contents[snapshot] = state
        self.made_by_restic.add(snapshot)
        return snapshot

    def restic(self) -> str:
        for number in range(2 * self.size):
            self.change()
            self.change_home()
            states = [self.state(self.account), self.state(self.phone)]
            before = self.snapshots()
            if number % 2 == 0:
                run = end(self.begin(*self.run_command(self.account)))
                theirs = end(self.begin_storing_home())
            else:
                both = [self.begin(*self.run_command(self.account)), self.begin_storing_home()]
                run, theirs = [end(each) for each in both]
            made = {self.noted(run, states[0]), self.noted_home(theirs, states[1])}
            self.check_snapshots(before | made)
        self.check_data()
        there = self.snapshots() & self.contents.keys()
        theirs = sorted(there & self.made_by_restic)
        for snapshot in random.sample(theirs, min(self.size, len(theirs))):
            self.check_restore(snapshot)
        ours = sorted(there - self.made_by_restic)
        for snapshot in random.sample(ours, min(self.size, len(ours))):
            self.check_by_restic(snapshot)
        return f"{2 * self.size} snapshots of each"

    def restoring(self, snapshot: str, target: str) -> list[str]:
        # What restic stored is encrypted already.
        passphrase = KEY if snapshot in self.made_by_restic else ("--new-passphrase-file", "key")
        return self.command("restore", snapshot, target, *passphrase)

    def check_by_restic(self, snapshot: str) -> None:
        """What we stored, restored by restic: an ordinary database, and the media as they are."""
        target = pathlib.Path("target")
        end(self.begin_restic("restore", snapshot, "--target", target)).must()
        chat, = target.rglob(growing.CHAT)
        text = subprocess.run(
            ["sqlcipher", "-batch", chat], input=growing.SUM, text=True, check=True, stdout=subprocess.PIPE).stdout
        state = backing.media_of(chat.parent) | {"messages": "ok\n" + text}
        if state != self.contents[snapshot]:
            sys.exit(f"restic restored {snapshot[:8]} otherwise: {backing.differing(state, self.contents[snapshot])}")
        shutil.rmtree(target)

    # What stores beside what removes

    def flicker(self) -> None:
        """Media go and come back, so that a run needs what only a forgotten snapshot had."""
        if self.lost:
            path, content = self.lost.pop()
            path.write_bytes(content)
        else:
            path = random.choice(sorted((self.account / backing.MEDIA).iterdir()))
            self.lost.append((path, path.read_bytes()))
            path.unlink()

    def oldest(self, count: int) -> list[str]:
        return [name for name in self.contents if name in self.snapshots()][:count]

    def prunes(self) -> str:
        removals = [
            ["backup", "prune", "--yes", "--quiet", "--max-unused", "0"],
            ["backup", "forget", "OLDEST", "--allow-empty", "--prune", "--yes", "--quiet"],
            ["restic", "prune", "--max-unused", "0"], ["restic", "forget", "OLDEST", "--prune"],
        ]
        stores = ["run", "waiting", "restic"]
        # Nothing is to be proved of restic beside restic.
        pairs = [(removal, store) for removal in removals for store in stores if removal[0] != store]
        random.shuffle(pairs)
        for number in range(8 * self.size):
            self.race(*pairs[number % len(pairs)])
        self.check_whole(2 * self.size)
        return f"{8 * self.size} races"

    def race(self, removal: list[str], store: str) -> None:
        self.change()
        self.change_home()
        self.flicker()
        if len(self.snapshots()) < 4:
            self.back_up(self.account)
        before = self.snapshots()
        oldest = self.oldest(1) if "OLDEST" in removal else []
        removal = [oldest[0] if argument == "OLDEST" else argument for argument in removal]
        state, state_of_phone = self.state(self.account), self.state(self.phone)

        def remove() -> subprocess.Popen:
            return self.begin_restic(*removal[1:]) if removal[0] == "restic" else self.begin(*removal)

        def begin_store() -> subprocess.Popen:
            if store == "restic":
                return self.begin_storing_home()
            return self.begin(*self.run_command(self.account, *["--wait=60s"] * (store == "waiting")))

        if random.random() < 0.5:
            first = remove()
            time.sleep(random.random() * self.durations["prune"])
            second = begin_store()
            removed, stored = end(first), end(second)
        else:
            first = begin_store()
            time.sleep(random.random() * self.durations["run"])
            second = remove()
            stored, removed = end(first), end(second)
        made: set[str] = set()
        if self.has_succeeded(stored, store == "restic"):
            made = {self.noted_home(stored, state_of_phone) if store == "restic" else self.noted(stored, state)}
        elif store == "waiting":
            stored.fail("it was to wait")
        gone = set(oldest) if self.has_succeeded(removed, removal[0] == "restic") else set()
        self.check_snapshots(before - gone | made)
        self.must("verify")
        self.states[f"{'removed' if removed.status == DONE else 'refused'}, "
                    f"{'stored' if made else 'refused'}"] += 1

    def has_succeeded(self, answer: Answer, is_restic: bool) -> bool:
        if answer.status == DONE:
            return True
        if is_restic:
            if answer.status != FAILED or "already locked" not in answer.errors:
                answer.fail("restic failed otherwise than by a lock")
        else:
            answer.must_refuse(IN_USE, LOCKED)
        return False


    # Locks

    def put_lock(self, age: float, **fields: object) -> pathlib.Path:
        """A lock of another machine, unless it is said otherwise."""
        moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=age)
        lock = {"time": moment.isoformat(), "exclusive": True, "hostname": "another.example", "username": "other",
                "pid": 4711, **fields}
        return cheapkey.put(self.repository, backing.PASSWORD, "locks", json.dumps(lock).encode())

    def put_unsealed(self, content: bytes) -> pathlib.Path:
        return cheapkey.put_bytes(self.repository / "locks", content)

    def locks(self) -> str:
        gone = subprocess.Popen(["true"])
        gone.wait()
        here = {"hostname": socket.gethostname(), "pid": os.getpid()}
        dead = here | {"pid": gone.pid}
        minute = 60
        count = 0
        for name, age, fields, counts in [
            ("a dead process of this machine", 0, dead, False), ("a living process of this machine", 0, here, True),
            ("another machine's, 31 minutes old", 31 * minute, {}, False),
            ("another machine's, 29 minutes old", 29 * minute, {}, True), ("another machine's, new", 0, {}, True),
            ("this machine's, not refreshed", 31 * minute, here, False), ("of the next hour", -HOUR, {}, True),
            ("of the next year", -YEAR, {}, True), ("of the next year, of a dead process", -YEAR, dead, False),
        ]:
            for is_exclusive in [True, False]:
                self.check_lock(name, self.put_lock(age, exclusive=is_exclusive, **fields), counts, is_exclusive)
                count += 1
        self.check_unreadable()
        if shutil.which("restic"):
            self.check_killed_restic()
        self.check_killed_run()
        return f"{count} locks of others"

    def check_lock(self, name: str, lock: pathlib.Path, counts: bool, is_exclusive: bool) -> None:
        before = self.digests("locks")
        shared, exclusive = ["backup", "list"], ["backup", "prune", "--yes", "--max-unused", "unlimited"]
        for command, is_wanted_alone in random.sample([(shared, False), (exclusive, True)], 2):
            answer = self.ask(*command)
            if counts and (is_exclusive or is_wanted_alone):
                answer.must_refuse(IN_USE, LOCKED)
            else:
                answer.must()
            if not counts and "removed the lock of a program" not in answer.errors:
                answer.fail(f"nothing was said of the lock: {name}")
            if lock.exists() != counts:
                answer.fail(f"the lock is {'gone' if counts else 'still there'}: {name}")
            counts_no_more = not counts
            if counts_no_more:
                break
        if counts and self.digests("locks") != before:
            sys.exit(f"other locks are there: {name}")
        lock.unlink(missing_ok=True)

    def check_unreadable(self) -> None:
        """What nobody can read is no lock that anybody may remove, and it is named."""
        for content in [b"{}", os.urandom(200)]:
            lock = self.put_unsealed(content)
            self.ask("backup", "list").must_refuse(DAMAGED, UNREADABLE.format(lock.name))
            if not lock.exists():
                sys.exit("a lock is gone that nobody can read")
            lock.unlink()
        lock = cheapkey.put(self.repository, backing.PASSWORD, "locks", b"[not, an object")
        self.ask("backup", "list").must_refuse(DAMAGED, UNREADABLE.format(lock.name))
        lock.unlink()
        # What a full disk leaves, and a name that a program is still writing to.
        for name, content in [("0" * 64, b""), ("1" * 64 + "-tmp-1", b"half")]:
            lock = self.repository / "locks" / name
            lock.write_bytes(content)
            self.ask("backup", "prune", "--yes", "--max-unused", "unlimited").must()
            lock.unlink()

    def check_killed_restic(self) -> None:
        """restic waits for its input; then it is killed, and its lock is that of nobody."""
        restic = subprocess.Popen(
            ["restic", "backup", "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lock = self.wait_for_lock()
        self.back_up(self.account)
        self.ask("backup", "prune", "--yes").must_refuse(IN_USE, LOCKED)
        restic.kill()
        restic.communicate()
        if not lock.exists():
            sys.exit("the lock of a killed restic is gone before anybody looked")
        answer = self.ask("backup", "list").must()
        if lock.exists() or "removed the lock of a program" not in answer.errors:
            answer.fail("the lock of a killed restic stays")

    def check_killed_run(self) -> None:
        """What a killed run of ours leaves, restic knows for a lock of nobody."""
        for number in range(self.size):
            run = self.begin(*self.run_command(self.account))
            lock = self.wait_for_lock()
            run.kill()
            run.communicate()
            if shutil.which("restic") and number % 2 == 0:
                end(self.begin_restic("prune")).must(FAILED)
                end(self.begin_restic("unlock")).must()
            else:
                self.must("list")
            if lock.exists():
                sys.exit("the lock of a killed run stays")

    def wait_for_lock(self) -> pathlib.Path:
        for _ in range(6000):
            if found := [name for name in os.listdir(self.repository / "locks") if len(name) == 64]:
                return self.repository / "locks" / found[0]
            time.sleep(0.005)
        sys.exit("no lock")

    def digests(self, *folders: str) -> dict[str, str]:
        """Of all files of the repository, or of some of its folders; locks come and go."""
        places = [self.repository / folder for folder in folders] or [self.repository]
        return {
            str(file.relative_to(self.repository)): hashlib.sha256(file.read_bytes()).hexdigest()
            for place in places for file in place.rglob("*")
            if file.is_file() and (folders or file.parent.name != "locks")
        }

    # Clocks

    def at(self, seconds: int) -> dict[str, str]:
        """For the environment of a command whose clock is wrong by so much."""
        return {"LD_PRELOAD": os.path.abspath("clock.so"), "SECONDS_AHEAD": str(seconds)}

    def times(self) -> dict[str, datetime.datetime]:
        listed = json.loads(self.ask("backup", "list", "--json", "--quiet").must().output)["snapshots"]
        return {each["id"]: datetime.datetime.fromisoformat(each["time"]) for each in listed}

    def clocks(self) -> str:
        pathlib.Path("clock.c").write_text(CLOCK)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "clock.so", "clock.c"], check=True)
        for _ in range(self.size):
            self.check_wrong_runs()
            self.check_same_second()
            self.check_waiting_period()
            self.check_lost_locks()
        return f"{self.size} rounds"

    def check_wrong_runs(self) -> None:
        self.check_removed({}, "forget", "--keep-last", "1", "--prune", "--yes")
        made = [self.back_up(self.account)]
        for wrong in [-DAY, YEAR, -YEAR, 0]:
            self.change()
            made.append(self.back_up(self.account, **self.at(wrong) if wrong else {}))
            moment = self.times()[made[-1]].timestamp() - time.time()
            if abs(moment - wrong) > 60:
                sys.exit(f"a snapshot of a clock that is wrong by {wrong} s is of {moment:+.0f} s")
        self.must("verify")
        for snapshot in made:
            self.check_restore(snapshot)
        # One dated ahead counts for nothing, and a rule takes no true one for it.
        _, yesterday, ahead, ago, now = made
        self.check_removed({yesterday, ago, made[0]}, "forget", "--keep-last", "1", "--yes", others=True)
        self.check_kept(now, ahead)
        # By the clock of a machine that is behind, all are of the future.
        self.check_removed(set(), "forget", "--keep-last", "1", "--yes", **self.at(-2 * YEAR))
        self.check_removed({ahead}, "forget", ahead, "--prune", "--yes")
        self.must("status", "account", "--offline")

    def check_kept(self, *snapshots: str) -> None:
        if missing := set(snapshots) - self.snapshots():
            sys.exit(f"forgotten: {missing}")

    def check_removed(self, expected: set[str], *command: str, others: bool = False, **environment: str) -> None:
        """A command removes these snapshots, and with `others` perhaps more."""
        before = self.snapshots()
        answer = self.ask("backup", *command, **environment).must()
        removed = before - self.snapshots()
        if expected and (expected - removed or (removed - expected and not others)):
            answer.fail(f"removed {sorted(name[:8] for name in removed)}, not {sorted(name[:8] for name in expected)}")

    def check_same_second(self) -> None:
        """Of two snapshots of one second the newer one is the last."""
        self.must("forget", "--keep-last", "1", "--yes")
        for _ in range(3):
            made = [self.back_up(self.account), self.back_up(self.account)]
            before = self.snapshots()
            self.must("forget", "--keep-last", "1", "--yes")
            kept = self.snapshots()
            mine = [name for name in before & kept if name in self.contents]
            if made[1] not in kept or made[0] in kept:
                sys.exit(f"of {[name[:8] for name in made]} there are {[name[:8] for name in mine]}")

    def check_waiting_period(self) -> None:
        """A pack that no index names stays for a day, whatever clock is behind then, or was ahead: rather too long."""
        for first, later in [(0, DAY), (YEAR, YEAR + DAY), (-HOUR, DAY)]:
            content = os.urandom(1000)
            name = hashlib.sha256(content).hexdigest()
            pack = self.repository / "data" / name[:2] / name
            pack.parent.mkdir(exist_ok=True)
            pack.write_bytes(content)
            for wrong in [first, 0, 21 * HOUR, -YEAR, 0]:
                self.ask("backup", "prune", "--yes", "--quiet", **self.at(wrong) if wrong else {}).must()
                if not pack.exists():
                    sys.exit(f"a pack was removed too early: first {first:+} s, then {wrong:+} s")
            self.ask("backup", "prune", "--yes", "--quiet", **self.at(later)).must()
            if pack.exists():
                sys.exit(f"a pack was not removed: first {first:+} s, then {later:+} s")

    def check_lost_locks(self) -> None:
        """A program whose clock is a day ahead takes the lock of another one that is stopped for a stale one. What a run counts
        on is pruned, or what a prune is about to remove is counted on: who goes on notices it, or was faster."""
        path = self.account / backing.MEDIA / "comes-and-goes"
        path.write_bytes(os.urandom(300_000))
        content = path.read_bytes()
        large = self.account / backing.MEDIA / "large"
        prune = ["backup", "prune", "--yes", "--max-unused", "0"]
        for run_is_first in [True, False]:
            forgotten = self.back_up(self.account)
            path.unlink()
            self.back_up(self.account)
            self.must("forget", forgotten, "--yes")
            path.write_bytes(content)
            # Something takes a while.
            large.write_bytes(os.urandom(20_000_000))
            state, before = self.state(self.account), self.snapshots()
            run = self.run_command(self.account)
            first = self.begin(*(run if run_is_first else [*prune, "--quiet"]))
            self.wait_for_lock()
            # Until then it waits whether somebody else took the repository.
            time.sleep(0.2 + random.random() * (0.3 if run_is_first else 0.1))
            first.send_signal(signal.SIGSTOP)
            second = self.ask(*(prune if run_is_first else run), **self.at(DAY)).must()
            first.send_signal(signal.SIGCONT)
            answer = end(first)
            self.states[f"lost locks: {'too late' if answer.status == DONE else 'noticed'}"] += 1
            if answer.status != DONE:
                answer.must_refuse(
                    IN_USE, "(this lock was removed by another program|the repository was changed since this was planned)")
            runs = [each for each in [answer, second] if each.status == DONE and '"backupRun"' in each.output]
            made = {self.noted(each, state) for each in runs}
            self.check_snapshots(before | made)
            large.unlink()
            self.must("verify", "--read-data")
            if not run_is_first:
                self.must("forget", *made, "--yes")

    # A server that keeps everything

    def append_only(self) -> str:
        server = [strict_peer.interpreter(), HERE / "servers/serve.py", "rest-server"]
        if subprocess.run([*server, "--available"], stderr=subprocess.DEVNULL).returncode != 0:
            return "left out: rest-server is not installed"
        return "refused: " + ", ".join(self.with_server([*server, "served", "--append-only"]))

    def with_server(self, command: list[object]) -> list[str]:
        pathlib.Path("served/data").mkdir(parents=True)
        usual = self.repository
        self.repository = pathlib.Path("served/data/repository")
        self.ask("backup", "init", self.repository, "--quiet").must()
        cheapkey.make_cheap(self.repository, backing.PASSWORD, OTHER_PASSWORD)
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        saved = os.environ["RESTIC_REPOSITORY"]
        try:
            address = json.loads(process.stdout.readline())["address"]
            # What is refused would have something to do.
            os.environ["RESTIC_REPOSITORY"] = str(self.repository)
            for _ in range(3):
                self.change()
                self.back_up(self.account)
            self.must("forget", *self.oldest(1), "--yes")
            os.environ["RESTIC_REPOSITORY"] = f"rest:{address}/repository"
            return self.ask_server()
        finally:
            os.environ["RESTIC_REPOSITORY"] = saved
            self.repository = usual
            process.communicate()

    def ask_server(self) -> list[str]:
        before = self.digests()
        self.change()
        made = self.back_up(self.account)
        self.must("list")
        self.must("verify", "--read-data")
        self.must("drill")
        self.check_restore(made)
        if changed := [name for name, digest in before.items() if self.digests().get(name) != digest]:
            sys.exit(f"changed by what only adds: {changed}")
        soaking.private(pathlib.Path("new-password"), "the next password of the repository")
        sentence = r".*append-only.*"
        refused = {
            "forget by rules": ["forget", "--keep-last", "1", "--yes"],
            "forget by name": ["forget", made, "--yes"],
            "forget --prune": ["forget", "--keep-last", "1", "--prune", "--yes"],
            "prune": ["prune", "--yes", "--max-unused", "0"],
            "key remove": ["key", "remove", self.other_key()],
            "password change": ["password", "change", "--new-password-file", "new-password"],
            "repair index": ["repair", "index"],
        }
        for name, command in refused.items():
            self.check_refused(name, command, sentence)
        # Where all is intact, nothing has to be changed.
        for part in ["packs", "snapshots"]:
            self.check_refused(f"repair {part}", ["repair", part], None)
        pack = max((self.repository / "data").rglob("*/*"), key=lambda path: path.stat().st_size)
        pack.chmod(0o600)
        content = bytearray(pack.read_bytes())
        content[len(content) // 2] ^= 1
        pack.write_bytes(content)
        self.check_refused("repair packs", ["repair", "packs"], sentence)
        return [*refused, "repair packs"]

    def other_key(self) -> str:
        """Not that of the password."""
        listed = json.loads(self.ask("backup", "key", "list", "--json", "--quiet").must().output)["keys"]
        other, = [key["id"] for key in listed if not key["isCurrent"]]
        return other

    def check_refused(self, name: str, command: list[str], sentence: str | None) -> None:
        before = self.digests()
        answer = self.ask("backup", *command)
        if sentence is None:
            answer.must()
        else:
            answer.must_refuse(UNSUPPORTED, sentence)
            if "data/" in answer.errors:
                answer.fail("it names a file that nobody knows")
        after = self.digests()
        if after != before:
            answer.fail(f"{name} changed {sorted(before.items() ^ after.items())[:4]}")
        if locks := os.listdir(self.repository / "locks"):
            answer.fail(f"{name} left locks: {locks}")

    # What is killed

    def resumed(self) -> str:
        media, content = self.account / backing.MEDIA, 100_000_000
        for number in range(2 * self.size):
            for old in media.glob("bulk-*"):
                old.unlink()
            for each in range(50):
                (media / f"bulk-{each}").write_bytes(os.urandom(content // 50))
            before, snapshots = self.stored(), self.snapshots()
            run = self.begin(*self.run_command(self.account))
            while run.poll() is None and self.stored() - before < content * random.uniform(0.2, 0.6):
                time.sleep(0.005)
            is_killed = number % 2 == 0
            run.send_signal(signal.SIGKILL if is_killed else signal.SIGINT)
            state, ended = self.state(self.account), end(run)
            if ended.status == DONE:
                self.noted(ended, state)
                self.states["resumed: ended before"] += 1
                continue
            if ended.status != (-signal.SIGKILL if is_killed else INTERRUPTED):
                ended.fail("it was to be stopped while it stores")
            # On a busy machine the signal may come between the snapshot and the end of the process.
            made = self.snapshots() - snapshots
            if is_killed and len(made) == 1:
                self.contents[made.pop()] = state
                self.states["resumed: killed behind its snapshot"] += 1
                continue
            self.check_snapshots(snapshots)
            left = self.stored() - before
            if random.random() < 0.5:
                # Who comes first may be somebody else, and takes the lock away.
                self.must("list")
            answer = self.ask(*[part for part in self.run_command(self.account) if part != "--quiet"])
            self.noted(answer, state)
            if is_killed and "interrupted had stored" not in answer.errors:
                answer.fail("what the killed run stored is not used")
            # Folders, metadata and the databases are next to nothing.
            if (twice := self.stored() - before - content) > content / 50:
                answer.fail(f"{twice} of {content} bytes are stored twice, of {left} that were there")
        for old in media.glob("bulk-*"):
            old.unlink()
        self.must("verify")
        return f"{2 * self.size} runs continued"

    def stored(self) -> int:
        """Bytes of packs that have their names."""
        sizes = 0
        for path in (self.repository / "data").rglob("*"):
            if len(path.name) == 64:
                with contextlib.suppress(FileNotFoundError):
                    sizes += path.stat().st_size
        return sizes

    def restores(self) -> str:
        target = pathlib.Path("replaced")
        snapshots = self.few_snapshots()
        self.ask("backup", "restore", snapshots[0], target, *KEY, "--quiet").must()
        usual = self.names(target)
        for number in range(6 * self.size):
            snapshot = random.choice(snapshots)
            before = self.state(target)
            after = before | self.contents[snapshot]
            kept = ["--keep-previous", "before"] if number % 3 == 2 else []
            command = [self.valise, "backup", "restore", snapshot, str(target), "--into-existing", "--replace-newer", "--yes",
                       "--quiet", *KEY, *kept]
            by_journal = number % 2 == 0
            ended = self.kill_at_commit(command, target) if by_journal else self.kill("restore", command)
            self.check_replaced(target, before, after, ended)
            if kept and (target / "before").exists():
                if self.state(target / "before") != before:
                    sys.exit("the kept account is not the previous one")
                shutil.rmtree(target / "before")
            if self.names(target) != usual:
                sys.exit(f"left behind: {self.names(target) ^ usual}")
        shutil.rmtree(target)
        return f"{6 * self.size} kills"

    def few_snapshots(self) -> list[str]:
        """With different messages and media."""
        found = []
        for _ in range(3):
            self.change()
            found.append(self.back_up(self.account))
        return found

    def names(self, folder: pathlib.Path) -> set[str]:
        return {path.name for path in folder.iterdir()}

    def kill_at_commit(self, command: list[str], target: pathlib.Path) -> bool:
        """Soon after it was decided that the new account is put in place."""
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        pending = target / ".valise-simplex_v1"
        while running.poll() is None and not (pending / "journal.json").exists():
            time.sleep(0.0002)
        time.sleep(random.random() * 0.004)
        running.kill()
        _, said = running.communicate()
        if running.returncode not in (DONE, -signal.SIGKILL):
            sys.exit(f"restore: status {running.returncode} {said}")
        self.states[f"restore: {'ended before' if running.returncode == DONE else 'killed in the change'}"] += 1
        return running.returncode == DONE

    def check_replaced(
            self, target: pathlib.Path, before: dict[str, str], after: dict[str, str], ended: bool) -> None:
        left = sorted(target.glob(".valise-*"))
        self.check_no_plain_text(left)
        # Whoever only reads it sees the previous one, or hears that a change has to be completed.
        is_decided = any((folder / "journal.json").exists() for folder in left)
        if is_decided:
            self.ask("account", "check", target, *KEY, "--quiet").must_refuse(
                FAILED, "an interrupted restore is committed and must be completed")
        else:
            self.check_account(target)
        answer = self.ask("account", "recover", target).must()
        if left and "interrupted" not in answer.output + answer.errors:
            answer.fail("it does not say what it found")
        if sorted(target.glob(".valise-*")):
            answer.fail("it leaves what it should remove")
        state = self.state(target)
        self.check_account(target)
        if state == after:
            self.states["restore: after"] += 1
        elif state == before and not ended and not is_decided:
            self.states["restore: before"] += 1
        else:
            answer.fail(f"neither before ({backing.differing(state, before)}) nor after ({backing.differing(state, after)})")

    def check_account(self, target: pathlib.Path) -> None:
        answer = self.ask("account", "check", target, *KEY, "--quiet")
        # The sample lacks a file of media on purpose, and so may others that came and went.
        if answer.status not in (DONE, WITH_ERRORS) or "are intact" not in answer.output:
            answer.fail("the account is not whole")

    def check_no_plain_text(self, places: list[pathlib.Path]) -> None:
        text = growing.run(
            self.account, self.passphrase,
            "SELECT item_text FROM chat_items WHERE length(item_text) > 20 ORDER BY random() LIMIT 1;").splitlines()[-1]
        for file in [file for place in places for file in place.rglob("*")]:
            with contextlib.suppress(OSError):
                content = file.read_bytes() if file.is_file() else b""
                if b"SQLite format 3\0" in content or text.encode() in content:
                    sys.exit(f"plain text in {file}")

    def drills(self) -> str:
        temporary = pathlib.Path("temporary")
        temporary.mkdir()
        here = {"TMPDIR": str(temporary.absolute())}
        before = set(self.drill_folders(temporary))
        left: set[pathlib.Path] = set()
        begun = time.monotonic()
        self.ask("backup", "drill", "account", "--quiet", **here).must()
        duration = time.monotonic() - begun
        for _ in range(6 * self.size):
            running = self.begin("backup", "drill", "account", "--quiet", **here)
            if random.random() < 0.5:
                time.sleep(random.random() * duration)
            else:
                while running.poll() is None and not set(self.drill_folders(temporary)) - before - left:
                    time.sleep(0.001)
                time.sleep(random.random() * duration / 3)
            running.kill()
            end(running)
            found = {folder for folder in set(self.drill_folders(temporary)) - before if self.is_free(folder)}
            self.states["drill: left something"] += bool(found - left)
            left |= found
            self.check_no_plain_text(list(found))
        self.ask("backup", "drill", "account", "--quiet", **here).must()
        if still := [folder for folder in left if folder.exists()] + list(temporary.iterdir()):
            sys.exit(f"drills left {still}")
        return f"{6 * self.size} kills"

    @staticmethod
    def drill_folders(temporary: pathlib.Path) -> list[pathlib.Path]:
        return [path for place in [pathlib.Path("/dev/shm"), temporary] for path in place.glob(f"valise-private-{os.getuid()}-*")]

    @staticmethod
    def is_free(folder: pathlib.Path) -> bool:
        """Whether it is no other's that runs at the same time."""
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False
        finally:
            os.close(descriptor)


def end(process: subprocess.Popen) -> Answer:
    try:
        output, errors = process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"{process.args} does not end")
    return Answer(" ".join(map(str, process.args)), process.returncode, output, errors)


# Side by side: most of the time is waited, for others who may have written a lock at the same moment.
LANES = [["runs", "restic", "prunes"], ["clocks"], ["locks", "restores", "resumed"], ["append-only", "drills"]]


def in_lanes() -> None:
    seed = soaking.seeded(3)
    size = sys.argv[2] if len(sys.argv) > 2 else "20"
    lanes = [subprocess.Popen([sys.executable, __file__, sys.argv[1], size, str(seed), *parts]) for parts in LANES]
    if any([lane.wait() for lane in lanes]):
        sys.exit(1)


def main() -> None:
    parts = sys.argv[4:]
    if not parts:
        return in_lanes()
    random.seed(int(sys.argv[3]))
    with soaking.workplace():
        world = Together(pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]))
        for part in parts:
            if part in ("restic", "prunes") and not shutil.which("restic"):
                print(f"{part}: left out, restic is not installed", flush=True)
                continue
            world.states.clear()
            begun = time.monotonic()
            said = getattr(world, part.replace("-", "_"))()
            states = "".join(f", {name}: {count}" for name, count in sorted(world.states.items()) if count)
            print(f"{part}: {said}{states}; {time.monotonic() - begun:.1f} s", flush=True)
        world.check_whole(3)


main()
