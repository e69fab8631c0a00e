"""Reading accounts of Session, beside an account of SimpleX of as many messages and the bare reading of the same rows.

Usage: session.py FOLDER_OF_THE_PROGRAMS [MESSAGES]

A profile of Desktop, a folder of iOS and a `session.bak` of the same 100,000 messages of every kind, one in seven with files. The
last figure of a line is the time of the same command on an account of SimpleX of as many messages, divided by this one: above 1
Session is faster. Then the limits: sqlcipher's shell, which decrypts and gives all rows of messages, and a copy of all files.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from measuring import measure, private, remove, size

KEY = "x'" + "ab" * 32 + "cd" * 16 + "'"
DESKTOP_KEY = "0f1e2d3c" * 8
PHONE_KEY = "".join(f"{number * 5 % 256:02x}" for number in range(48))
STORES = ["desktop", "phone", "backup"]


class Bench:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, messages: int) -> None:
        self.valise, self.folder, self.messages = str(programs / "valise"), folder, messages
        os.environ["XDG_STATE_HOME"] = str(folder / "state")
        private(folder / "key", KEY)
        sample = [str(programs / "valise-sample"), "simplex", "--passphrase-file", "key", "--messages", str(messages)]
        measure([*sample, "--media-bytes", str(messages * 20)], folder)
        for store in STORES:
            seconds, memory = measure([str(programs / "session-sample"), store, store, str(messages), "5"], folder)
            print(f"{store:8} of {messages} messages made in {seconds:.1f} s, {memory >> 10} MiB", flush=True)

    def key(self, account: str) -> list[str]:
        name = "key" if account == "simplex" else f"{account}.key"
        return ["--passphrase-file", name, "--no-key-store"] if (self.folder / name).exists() else []

    def run(self, account: str, command: list[str]) -> tuple[float, int]:
        """ACCOUNT in a command is the account; some files are missing on purpose, and some words."""
        words = [word.replace("ACCOUNT", account) for word in command]
        keys = [] if command[0] == "render" else self.key(account)
        return measure([self.valise, "chat", *words, *keys, "--quiet"], self.folder, (0, 3, 10))

    def compare(self, title: str, command: list[str], rate: bool = True) -> None:
        theirs, _ = self.run("simplex", command)
        for account in STORES:
            seconds, memory = self.run(account, command)
            speed = f"{self.messages / seconds:10,.0f} messages/s" if rate else f"{seconds * 1000:10,.0f} ms        "
            print(f"{title:28} {account:8} {speed}  {memory >> 10:5} MiB  x {theirs / seconds:5.2f}", flush=True)

    def show(self) -> None:
        """The last messages of each account's largest chat."""
        times = {}
        for account in ["simplex", *STORES]:
            command = [self.valise, "chat", "list", account, *self.key(account), "--json"]
            listed = json.loads(subprocess.run(command, cwd=self.folder, capture_output=True, check=True).stdout)
            chat = max(listed["chats"], key=lambda chat: chat.get("messageCount", 0))["id"]
            times[account] = self.run(account, ["show", "ACCOUNT", chat])
        for account in STORES:
            seconds, memory = times[account]
            print(f"{'show, last 50':28} {account:8} {seconds * 1000:10,.0f} ms          {memory >> 10:5} MiB"
                  f"  x {times['simplex'][0] / seconds:5.2f}", flush=True)

    def limits(self) -> None:
        shell = shutil.which("sqlcipher")
        if not shell:
            return print("sqlcipher is not installed: the limit is not measured")
        for account, database, key, table in (
                ("desktop", "desktop/sql/db.sqlite", f"PRAGMA key = \"x'{DESKTOP_KEY}'\";", "messages"),
                ("phone", "phone/database/Session.sqlite",
                 f"PRAGMA key = \"x'{PHONE_KEY}'\"; PRAGMA cipher_plaintext_header_size = 32;", "interaction")):
            seconds, _ = measure([shell, database, f"{key} SELECT * FROM {table}"], self.folder)
            print(f"{'sqlcipher: all rows':28} {account:8} {self.messages / seconds:10,.0f} messages/s", flush=True)
        for account, files in (("desktop", "desktop/attachments.noindex"), ("phone", "phone/Attachments")):
            seconds, _ = measure(["cp", "-r", files, "copied"], self.folder)
            print(f"{'cp: all files':28} {account:8} {size(self.folder / 'copied') / seconds / 1e6:10,.0f} MB/s in {seconds:.2f} s", flush=True)
            remove(self.folder / "copied")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    messages = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        bench = Bench(programs, pathlib.Path(name), messages)
        bench.compare("list", ["list", "ACCOUNT", "--json"], rate=False)
        bench.show()
        bench.compare("search, nothing found", ["search", "ACCOUNT", "zzzzzz"])
        bench.compare("search, a rare word", ["search", "ACCOUNT", "heron"])
        bench.compare("stats", ["stats", "ACCOUNT", "--json"])
        bench.compare("JSON lines, without media", ["export", "ACCOUNT", "ACCOUNT-lines", "--no-media"])
        bench.compare("JSON lines, with media", ["export", "ACCOUNT", "ACCOUNT-media"])
        bench.compare("pages for a browser", ["render", "ACCOUNT-lines", "--format", "html"])
        bench.limits()


main()
