"""Reading a large account: chats, messages, search and exports, beside Python's sqlite3 on the same rows unencrypted.

Usage: reading.py FOLDER_OF_THE_PROGRAMS [MESSAGES MEDIA_BYTES]

The sample has a million messages, one in fifty with a file. Its passphrase is a raw key, as the derivation of a key is the same
for every command and program. The peer reads the same columns of all items from an unencrypted copy and writes them as JSON.
"""

import json
import pathlib
import sqlite3
import sys
import tempfile
import time

from measuring import measure, private, remove

KEY = "x'" + "ab" * 32 + "cd" * 16 + "'"


def peer(database: pathlib.Path, target: pathlib.Path) -> float:
    start = time.monotonic()
    with sqlite3.connect(database) as connection, target.open("w") as output:
        rows = connection.execute(
            "SELECT chat_item_id, contact_id, group_id, group_member_id, item_sent, item_ts, created_at, item_text,"
            " item_content, item_status, shared_msg_id IS NOT NULL, quoted_content FROM chat_items ORDER BY item_ts")
        for row in rows:
            output.write(json.dumps(row) + "\n")
    return time.monotonic() - start


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    messages = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    media = sys.argv[3] if len(sys.argv) > 3 else "200000000"
    valise = str(programs / "valise")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        private(folder / "key", KEY)
        sample = [str(programs / "valise-sample")]
        more = ["--messages", str(messages), "--media-bytes", media]
        seconds, _ = measure([*sample, "account", "--passphrase-file", "key", *more], folder)
        print(f"sample of {messages} messages: {seconds:.0f} s")
        measure([*sample, "plain", *more], folder)
        key = ["--passphrase-file", "key"]

        def run(title: str, command: list[str], per: int = 0) -> float:
            seconds, memory = measure([valise, "chat", *command, "--quiet"], folder, (0, 3, 10))
            rate = f"{per / seconds:10,.0f} messages/s" if per else f"{seconds * 1000:10,.0f} ms        "
            print(f"{title:32} {rate}  {memory >> 10:5} MiB", flush=True)
            return seconds

        run("list", ["list", "account", *key, "--json"])
        run("show, last 50", ["show", "account", "group-1", *key])
        run("search, without an index", ["search", "account", "zzzzzz", *key], messages)
        run("search, index is made", ["search", "account", "zzzzzz", "--index", *key], messages)
        run("search, nothing found", ["search", "account", "zzzzzz", "--index", *key])
        run("search, a rare word", ["search", "account", "beako", "--index", *key])
        run("stats", ["stats", "account", *key, "--json"], messages)
        lines = run("JSON lines, without media", ["export", "account", "lines", "--no-media", *key], messages)
        run("JSON lines, with media", ["export", "account", "media", *key], messages)
        run("pages for a browser", ["render", "lines", "--format", "html"], messages)
        formats = [word for format in ("text", "markdown", "csv") for word in ("--format", format)]
        run("text, Markdown and CSV", ["render", "lines", *formats], messages)
        seconds = peer(folder / "plain/simplex_v1_chat.db", folder / "dump")
        print(f"{'Python sqlite3, unencrypted':32} {messages / seconds:10,.0f} messages/s")
        print(f"JSON lines take x {lines / seconds:.2f} of the time of Python's dump")
        remove(folder / "lines")


main()
