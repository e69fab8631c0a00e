"""What goes wrong with moves but for kills: for soak-move.py."""

import contextlib
import os
import pathlib
import random
import shutil
import subprocess
import time

from moving import DATABASES, PASSPHRASE, RAW_KEY, Fault, Machine, Pair, Relay, Sample, private


class Skipped(Exception):
    """The system does not allow it."""


class Faults:
    """Each method that is called fault_… is one. After it, the move comes to its end, or nothing is left of it."""

    def __init__(self, programs: pathlib.Path, relay: Relay) -> None:
        self.programs, self.relay = programs, relay
        self.done: list[str] = []
        self.skipped: list[str] = []
        self.samples: dict[tuple[int, int, str], Sample] = {}

    def run(self) -> None:
        for name in [name for name in dir(self) if name.startswith("fault_")]:
            title = name.removeprefix("fault_").replace("_", " ")
            start = time.monotonic()
            try:
                getattr(self, name)()
            except Skipped as reason:
                self.skipped.append(f"{title} ({reason})")
                print(f"  {title}: skipped, {reason}", flush=True)
                continue
            except Fault as fault:
                raise Fault(f"{title}: {fault}")
            self.relay.check_empty()
            self.done.append(title)
            print(f"  {title}: {time.monotonic() - start:.1f} s", flush=True)

    def sample(self, megabytes: int = 1, seed: int = 1, passphrase: str = RAW_KEY) -> Sample:
        key = (megabytes, seed, passphrase)
        if key not in self.samples:
            self.samples[key] = Sample(self.programs, *key)
        return self.samples[key]

    def pair(self, megabytes: int = 1, seed: int = 1, passphrase: str = RAW_KEY) -> Pair:
        return Pair(self.programs, self.sample(megabytes, seed, passphrase), self.relay)

    @staticmethod
    def refuse(machine: Machine, command: list, statuses: tuple[int, ...], link: str | None = None) -> None:
        """A failure of this kind, told in a sentence."""
        run = machine.run(*command, link=link, allowed=None)
        if run.status not in statuses:
            raise Fault(f"{command[1]} should fail with {statuses}: {run}")
        machine.moves()

    # Secrets that are not the right ones.

    def fault_wrong_passphrase(self) -> None:
        pair = self.pair(passphrase=PASSPHRASE)
        private(pair.old.key, "another one")
        self.refuse(pair.old, pair.old.sending(self.relay), (12,))
        pair.check_source()
        self.relay.check_empty()
        private(pair.old.key, PASSPHRASE)
        sent = pair.send()
        private(pair.new.key, "another one")
        self.refuse(pair.new, pair.new.receiving(), (12,), "\n".join(sent["links"]))
        pair.check_nothing_arrived()
        private(pair.new.key, PASSPHRASE)
        pair.complete(sent)

    def fault_other_words(self) -> None:
        """Those of another person's account, and something that is no words."""
        other = self.pair(seed=2)
        pair = self.pair()
        words = other.send()["words"]
        sent = pair.send()
        if words == sent["words"]:
            raise Fault(f"two accounts have the same words: {words}")
        swapped = sent["words"].split(" ")
        swapped[0], swapped[1] = swapped[1], swapped[0]
        for wrong in (words, " ".join(swapped), "no words at all", sent["words"].rsplit(" ", 1)[0]):
            if wrong != sent["words"]:
                self.refuse(pair.old, pair.old.finishing(wrong), (1, 64))
                pair.check_source()
        other.old.run(*other.old.cancelling())
        other.check_source()
        pair.complete(sent)

    # Links that are not the right ones.

    def fault_wrong_link(self) -> None:
        pair = self.pair()
        for link in ("", "simplex:/file#/?desc=none", "https://example.org/", "simplex:/file#/?desc=", "nothing"):
            self.refuse(pair.new, pair.new.receiving(), (1, 10, 13, 64), link)
            pair.check_nothing_arrived()
        # Another file than an archive.
        path = pair.old.home / "picture"
        path.write_bytes(random.randbytes(300_000))
        file = pair.old.run(
            "file", "send", path, "--server", self.relay.address, "--descriptions", pair.old.home, "--json", "--quiet"
        ).result["files"][0]["file"]
        self.refuse(pair.new, pair.new.receiving(), (1, 13, 14), file["links"][0][0])
        pair.check_nothing_arrived()
        pair.old.run("file", "delete", pair.old.home / "picture.xftp", "--quiet")
        # The right one takes its place.
        pair.complete()

    def fault_tampered_link(self) -> None:
        """Each field that is a secret or a digest, and the data beside it."""
        pair = self.pair()
        sent = pair.send()
        link = sent["links"][0]
        for field in ("digest", "key", "nonce"):
            name = f"{field}%3A%20"
            place = link.index(name) + len(name) + random.randrange(1, 20)
            while not link[place].isalnum() or link[place - 2:place].count("%"):
                place += 1
            other = "A" if link[place] != "A" else "B"
            self.refuse(pair.new, pair.new.receiving(), (1, 13, 16, 64), link[:place] + other + link[place + 1:])
            pair.check_nothing_arrived()
            pair.check_source()
        for _ in range(10):
            cut = link[:random.randrange(20, len(link) - 20 - len(link.partition("&data=")[2]))]
            self.refuse(pair.new, pair.new.receiving(), (1, 10, 13, 16, 64), cut)
            pair.check_nothing_arrived()
        pair.complete(sent)

    # Relays that do not keep what they have.

    def fault_tampered_chunk(self) -> None:
        pair = self.pair()
        sent = pair.send()
        for path in self.relay.files:
            content = bytearray(path.read_bytes())
            place = random.randrange(len(content))
            content[place] ^= 1 << random.randrange(8)
            path.write_bytes(content)
        self.refuse(pair.new, pair.new.receiving(), (1, 13), "\n".join(sent["links"]))
        pair.check_nothing_arrived()
        pair.check_source()
        # A new link, as the relay cannot be trusted with the old one.
        pair.complete(pair.send("--renew"))

    def fault_one_tampered_chunk(self) -> None:
        """It is repaired, and what was received of the others counts."""
        pair = self.pair(20)
        sent = pair.send()
        path = random.choice(self.relay.files)
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        self.refuse(pair.new, pair.new.receiving(), (1, 13), "\n".join(sent["links"]))
        pair.check_nothing_arrived()
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        pair.complete(sent)

    def fault_expired_chunks(self) -> None:
        pair = self.pair()
        sent = pair.send()
        self.relay.age(60)
        self.refuse(pair.new, pair.new.receiving(), (16,), "\n".join(sent["links"]))
        pair.check_nothing_arrived()
        pair.check_source()
        renewed = pair.send("--renew")
        if renewed["links"] == sent["links"] or renewed["words"] != sent["words"]:
            raise Fault("a renewed move has the same link, or other words")
        pair.complete(renewed)

    def fault_expired_while_it_is_sent(self) -> None:
        """What was sent before the relay forgot it is sent again."""
        pair = self.pair(20)
        process = pair.old.begin(*pair.old.sending(self.relay))
        while process.poll() is None and len(self.relay.files) < 2:
            time.sleep(0.005)
        process.kill()
        process.wait()
        self.relay.age(60)
        run = pair.old.run(*pair.old.sending(self.relay), allowed=(0, 16))
        # It may only be noticed by who receives it.
        sent = run.result if run.status == 0 else pair.send("--renew")
        received = pair.new.run(*pair.new.receiving(), link="\n".join(sent["links"]), allowed=(0, 16))
        if received.status == 16:
            sent = pair.send("--renew")
        pair.complete(sent)

    def fault_relay_is_away(self) -> None:
        """Finishing needs no relay: what is left there expires, and is told."""
        pair = self.pair()
        sent = pair.send()
        received = pair.receive(sent)
        self.relay.kill()
        run = pair.old.run(*pair.old.finishing(received["words"]), allowed=(0, 1))
        self.relay.start()
        if run.status == 0 and not run.result["chunksLeft"]:
            raise Fault(f"chunks of a relay that is away count as deleted: {run}")
        if run.status:
            pair.check_source()
            pair.finish(received["words"])
            pair.check_retired()
            return
        self.relay.age(60)

    # Disks that are full.

    def fault_full_relay(self) -> None:
        """More room, and it goes on."""
        pair = self.pair()
        self.relay.change("storage_quota", "300kb")
        self.refuse(pair.old, pair.old.sending(self.relay), (1, 15))
        pair.check_source()
        self.relay.change("storage_quota", "20gb")
        pair.complete()

    def fault_full_disk_here(self) -> None:
        """Of the sending side: its records and journals have no place."""
        pair = self.pair()
        with self.small_disk(pair.old.home / "state", 4) as fill:
            for room in (0, 4096, 8192, 12_288, 20_000):
                release = fill(room)
                run = pair.old.run(*pair.old.sending(self.relay), allowed=(0, 1, 15))
                if run.status == 0 and room == 0:
                    raise Fault(f"an account is sent without room for its record: {run}")
                pair.check_source()
                release()
                pair.old.moves()
            pair.complete()

    def fault_full_disk_there(self) -> None:
        """Of the receiving side: refused before anything is received; filled meanwhile; with room it goes on."""
        pair = self.pair(20)
        sent = pair.send()
        link = "\n".join(sent["links"])
        with self.small_disk(pair.new.account.parent / "disk", 100) as fill:
            pair.new.account = pair.new.home / "disk/account"
            release = fill(10_000_000)
            self.refuse(pair.new, pair.new.receiving(), (15,), link)
            pair.check_nothing_arrived()
            release()
            for _ in range(5):
                process = pair.new.begin(*pair.new.receiving(), link=link)
                time.sleep(random.random() * 0.5)
                release = fill(random.choice([0, 100_000, 5_000_000]))
                run = pair.new.end(process)
                release()
                pair.check_source()
                if run.status == 0:
                    break
                if run.status not in (1, 15):
                    raise Fault(f"on a full disk: {run}")
            received = pair.receive(sent)
            if received["words"] != sent["words"]:
                raise Fault("the words differ")
            pair.check_arrived()
            pair.finish(received["words"])
            pair.check_retired()

    @contextlib.contextmanager
    def small_disk(self, folder: pathlib.Path, megabytes: int):
        """A file system of its own; what is given fills it but for so many bytes, and gives back the way to undo that."""
        folder.mkdir(parents=True)
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", folder], capture_output=True)
        if mounted.returncode != 0:
            raise Skipped("only root mounts a small disk")
        ballast = folder / "ballast"

        def fill(room: int):
            free = os.statvfs(folder)
            size = max(0, free.f_bavail * free.f_frsize - room)
            try:
                with open(ballast, "wb") as file:
                    os.posix_fallocate(file.fileno(), 0, size) if size else None
            except OSError:
                pass
            return lambda: ballast.unlink(missing_ok=True)

        try:
            yield fill
        finally:
            subprocess.run(["umount", "-l", folder], check=True)

    # Sources that are used.

    def fault_source_in_use(self) -> None:
        pair = self.pair()
        with pair.old.in_use():
            self.refuse(pair.old, pair.old.sending(self.relay), (11,))
        pair.source = pair.old.traces()
        pair.complete()

    def fault_source_used_since(self) -> None:
        """`finish` refuses it, and it is sent anew."""
        pair = self.pair()
        sent = pair.send()
        pair.old.shell(pair.old.account / DATABASES[0], "CREATE TABLE used_since (a);\nINSERT INTO used_since VALUES (1);")
        pair.source = pair.old.traces()
        self.refuse(pair.old, pair.old.finishing(sent["words"]), (1,))
        pair.check_source()
        self.refuse(pair.old, pair.old.sending(self.relay), (1,))
        pair.check_source()
        renewed = pair.send("--renew")
        if renewed["words"] == sent["words"]:
            raise Fault("another account has the same words")
        rows, pair.sample.rows = pair.sample.rows, pair.old.rows()
        try:
            pair.complete(renewed)
        finally:
            pair.sample.rows = rows

    def fault_cancelled_at_any_moment(self) -> None:
        """Both sides; nothing is left of either."""
        for _ in range(5):
            pair = self.pair(20)
            process = pair.old.begin(*pair.old.sending(self.relay))
            time.sleep(random.random())
            process.kill()
            process.wait()
            pair.old.run(*pair.old.cancelling(), allowed=(0, 10))
            pair.check_source()
            pair.check_quiet(pair.old)
            self.relay.check_empty()
            sent = pair.send()
            process = pair.new.begin(*pair.new.receiving(), link="\n".join(sent["links"]))
            time.sleep(random.random())
            process.kill()
            process.wait()
            if not pair.new.account.exists() or not set(DATABASES) & set(pair.new.visible()):
                pair.new.run(*pair.new.cancelling(), allowed=(0, 10))
            if set(DATABASES) & set(pair.new.visible()):
                # In place already: it goes on.
                pair.complete(sent)
                continue
            pair.check_nothing_arrived()
            if hidden := pair.new.hidden():
                raise Fault(f"a cancelled move left {hidden}")
            pair.old.run(*pair.old.cancelling())
            pair.check_source()
            pair.check_quiet(pair.old)
            self.relay.check_empty()
            self.refuse(pair.new, pair.new.receiving(), (16,), "\n".join(sent["links"]))
            pair.remove()

    # Machines that are several.

    def fault_network_namespaces(self) -> None:
        """Each machine and the relay in a network of its own; no fault, but as far from each other as it gets here."""
        with namespaces() as (relay, old, new, host):
            own = Relay(self.programs, "relay-in-namespace", host=host, inside=relay)
            try:
                for megabytes in (1, 20):
                    pair = Pair(self.programs, self.sample(megabytes), own, inside=(old, new))
                    pair.complete()
            finally:
                own.stop()


@contextlib.contextmanager
def namespaces():
    """Prefixes of commands for the relay, the old and the new machine, and the relay's address."""
    if shutil.which("ip") is None:
        raise Skipped("there is no ip command")
    mark = f"valise-{os.getpid()}"
    names = {name: f"{mark}-{name}" for name in ("relay", "old", "new")}

    def ip(*words: str, check: bool = True) -> subprocess.CompletedProcess:
        return subprocess.run(["ip", *words], capture_output=True, text=True, check=check)

    try:
        for name in names.values():
            made = ip("netns", "add", name, check=False)
            if made.returncode != 0:
                raise Skipped(f"ip netns: {made.stderr.strip()}")
        host = "10.231.0.1"
        ip("-n", names["relay"], "link", "set", "lo", "up")
        ip("-n", names["relay"], "addr", "add", f"{host}/32", "dev", "lo")
        for number, name in enumerate(("old", "new"), 1):
            try:
                ip("-n", names["relay"], "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth",
                   "netns", names[name])
            except subprocess.CalledProcessError as error:
                raise Skipped(f"no pairs of interfaces: {error.stderr.strip()}")
            ip("-n", names["relay"], "addr", "add", f"10.231.{number}.1/24", "dev", f"to-{name}")
            ip("-n", names["relay"], "link", "set", f"to-{name}", "up")
            ip("-n", names[name], "link", "set", "lo", "up")
            ip("-n", names[name], "addr", "add", f"10.231.{number}.2/24", "dev", "eth")
            ip("-n", names[name], "link", "set", "eth", "up")
            ip("-n", names[name], "route", "add", "default", "via", f"10.231.{number}.1")
        inside = [["ip", "netns", "exec", names[name]] for name in ("relay", "old", "new")]
        yield *inside, host
    finally:
        for name in names.values():
            ip("netns", "del", name, check=False)
