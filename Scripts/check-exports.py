"""Reads exports of chats with programs that are not Valise: JSON Schema, Python's csv, a reader of CommonMark.

Usage: check-exports.py FOLDER_OF_THE_PROGRAMS

The sample account with chats of every kind, hostile names and texts included, is exported in all forms. Each JSON line is
validated, and no ID occurs twice in a chat. The rows of CSV have the texts of the JSON lines, byte for byte. Of the Markdown the
document has the headings, quotes, links and pictures that Valise makes, and nothing that a name or text made: no HTML, no list, no
code block, no link but to the exported files. The text has one line for each line of a message. A second export, `chat render`
and `--update` write the same bytes again. All holds too where nearly every string of the lines is a hostile one.
"""

import csv
import filecmp
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

try:
    import commonmark
except ModuleNotFoundError:
    # Debian's package, which is Python alone, where another Python comes first in the PATH.
    sys.path.append("/usr/lib/python3/dist-packages")
    import commonmark

sys.path.append(str(pathlib.Path(__file__).parent / "browser"))
exports = importlib.import_module("exports")
schemas = importlib.import_module("check-schemas")

MESSAGES = 1500
FORMS = {"text": "txt", "markdown": "md", "csv": "csv"}
# Of a text only what every form shows as it is.
PLAIN = re.compile(r"[A-Za-z0-9 ,.?:'()/-]+")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
ALLOWED_NODES = {
    "document", "heading", "paragraph", "block_quote", "text", "softbreak", "linebreak", "emph", "strong", "code", "link", "image"}


class Export:
    """An export that was written: its items by chat, and where its views are."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        lines = [json.loads(line) for line in (folder / "conversations.jsonl").open()]
        self.header, self.chats = lines[0], lines[1:]
        self.items = {
            chat["id"]: [json.loads(line) for line in (folder / f"items/{chat['id']}.jsonl").open(newline="\n")]
            for chat in self.chats}

    def view(self, form: str, chat: str) -> pathlib.Path:
        """Names are made of those of chats, and end with their IDs."""
        found = [path for path in (self.folder / form).iterdir() if path.name.endswith(f" ({chat}).{FORMS[form]}")]
        if len(found) != 1:
            raise SystemExit(f"{form} of {chat}: {found}")
        return found[0]


def json_lines(export: Export, found: list[str]) -> int:
    known = schemas.Schemas()
    found += known.validated("chatLog", export.header, "conversations.jsonl")
    for chat in export.chats:
        found += known.validated("chat", chat, "conversations.jsonl")
        items = export.items[chat["id"]]
        for number, item in enumerate(items, 1):
            found += known.validated("chatItem", item, f"{chat['id']}, line {number}")
        ids = [item["id"] for item in items]
        if len(set(ids)) != len(ids):
            found.append(f"{chat['id']}: an ID occurs twice")
        if any(item["chat"] != chat["id"] for item in items):
            found.append(f"{chat['id']}: an item of another chat")
    names = {path.stem for path in (export.folder / "items").iterdir()}
    if names != set(export.items):
        found.append(f"items without a chat: {names - set(export.items)}")
    for path in [export.folder / "conversations.jsonl", *(export.folder / "items").iterdir()]:
        if b"\r" in (data := path.read_bytes()) or b"\n\n" in data or data and not data.endswith(b"\n"):
            found.append(f"{path.name}: a line end that is none")
    return sum(known.used.values())


# Half of a character of UTF-16, which is none.
SURROGATE = re.compile("[\ud800-\udfff]")


def own_text(item: dict) -> str | None:
    """That of a message or an event; None of what has neither."""
    content = item.get("content")
    message = next(iter(content.values())) if isinstance(content, dict) and len(content) == 1 else None
    message = message.get("msgContent") if isinstance(message, dict) else None
    if isinstance(message, dict):
        text = message.get("text")
        return SURROGATE.sub("\ufffd", text) if isinstance(text, str) else None
    return item.get("sentence") if item["kind"] not in ("removed", "unreadable") else None


def csv_rows(export: Export, found: list[str]) -> int:
    count = formulas = 0
    for chat in export.chats:
        path = export.view("csv", chat["id"])
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, strict=True, restkey="more"))
        items = {item["id"]: item for item in export.items[chat["id"]]}
        for row in rows:
            item = items.get(row["id"])
            if item is None or None in row.values() or "more" in row:
                found.append(f"{path.name}: a row that is no item: {str(row)[:200]}")
                continue
            wanted = {
                "author": item["author"]["name"], "kind": item["kind"], "sent": "1" if item.get("sent") else "0", "time": item["time"],
                "quoted_text": item.get("quote", {}).get("text", "")}
            if (text := own_text(item)) is not None:
                wanted["text"] = text
            for column, value in wanted.items():
                if row[column] != value:
                    found.append(f"{path.name}: {row['id']}: {column} is {row[column][:80]!r}, not {value[:80]!r}")
            formulas += row["text"][:1] in ("=", "+", "-", "@")
        if len(rows) != len({row["id"] for row in rows}):
            found.append(f"{path.name}: an item occurs twice")
        missing = set(items) - {row["id"] for row in rows}
        if any(items[key]["kind"] not in ("event", "removed") for key in missing):
            found.append(f"{path.name}: lacks {sorted(missing)[:3]}")
        count += len(rows)
    if formulas == 0:
        found.append("no text of the sample begins as a formula does")
    return count


def text_lines(export: Export, found: list[str]) -> int:
    count = 0
    for chat in export.chats:
        path = export.view("text", chat["id"])
        lines = path.read_bytes().decode("utf-8").split("\n")
        if not re.search(r" \([a-z]+\)$", lines[0]) or lines[1] != "All times are UTC." or lines[2] or lines[-1]:
            found.append(f"{path.name}: another beginning or end: {lines[:3]}")
        times = {item["time"][:19].replace("T", " ") for item in export.items[chat["id"]]}
        for line in lines[3:-1]:
            if CONTROLS.search(line):
                found.append(f"{path.name}: a control character in {line[:80]!r}")
            # A time that is none stays as it is stored.
            is_of_item = line[:19] in times or any(line.startswith(item["time"]) for item in export.items[chat["id"]])
            if not line.startswith("    ") and not is_of_item:
                found.append(f"{path.name}: a line of nobody: {line[:80]!r}")
        count += len(lines)
    return count


def nodes(document) -> list:
    """All nodes with whether they are entered."""
    walker, all_nodes = document.walker(), []
    while (event := walker.nxt()) is not None:
        if event["entering"]:
            all_nodes.append(event["node"])
    return all_nodes


def literal(node) -> str:
    return "".join(
        part.literal if part.t in ("text", "code") else "\n" if part.t in ("softbreak", "linebreak") else "" for part in nodes_of(node))


def nodes_of(node) -> list:
    walker, found = node.walker(), []
    while (event := walker.nxt()) is not None:
        if event["entering"]:
            found.append(event["node"])
        if event["node"] is node and not event["entering"]:
            break
    return found


def squeezed(text: str) -> str:
    return " ".join(text.split())


def markdown(export: Export, found: list[str], is_hostile: bool = False) -> int:
    """Of hostile lines only what may be there, not what must."""
    count = 0
    for chat in export.chats:
        path = export.view("markdown", chat["id"])
        document = commonmark.Parser().parse(path.read_bytes().decode("utf-8"))
        every = nodes(document)
        count += len(every)
        for node in every:
            if node.t not in ALLOWED_NODES:
                found.append(f"{path.name}: {node.t}: {(node.literal or literal(node))[:100]!r}")
            if node.t in ("link", "image"):
                target = urllib.parse.unquote(node.destination)
                place = os.path.normpath(path.parent / target)
                if not target.startswith("../media/") or not place.startswith(f"{export.folder}/media/") or not os.path.isfile(place):
                    found.append(f"{path.name}: leads to {node.destination[:100]}")
        headings = [node for node in every if node.t == "heading"]
        first = headings[0] if headings else None
        if first is None or first.level != 1 or [node.level for node in headings[1:]].count(2) != len(headings) - 1:
            found.append(f"{path.name}: other headings: {[(node.level, literal(node)[:40]) for node in headings][:5]}")
        quotes = sum("quote" in item for item in export.items[chat["id"]])
        if sum(node.t == "block_quote" for node in every) > quotes:
            found.append(f"{path.name}: more quotes than messages have")
        if is_hostile:
            continue
        days = {item["time"][:10] for item in export.items[chat["id"]]} | {
            squeezed(item["time"].split(" ")[0]) for item in export.items[chat["id"]]}
        if strange := [literal(node) for node in headings[1:] if literal(node) not in days]:
            found.append(f"{path.name}: headings of nobody: {strange[:3]}")
        whole = squeezed(literal(document))
        for item in export.items[chat["id"]]:
            text = own_text(item) or ""
            if item["kind"] in ("text", "image", "file") and PLAIN.fullmatch(text) and squeezed(text) not in whole:
                found.append(f"{path.name}: lacks {text[:80]!r}")
    return count


def hostile(programs: pathlib.Path, work: pathlib.Path, found: list[str]) -> int:
    """The same with a hostile text in the place of nearly every string."""
    exports.copy(work / "one", work / "hostile")
    exports.poison(work / "hostile")
    run(programs / "valise", "chat", "render", work / "hostile", *(part for form in FORMS for part in ("--format", form)))
    export = Export(work / "hostile")
    for chat in export.chats:
        with export.view("csv", chat["id"]).open(newline="", encoding="utf-8") as file:
            if any(None in row.values() or "more" in row for row in csv.DictReader(file, strict=True, restkey="more")):
                found.append(f"{chat['id']}: hostile rows have other columns")
        for line in export.view("text", chat["id"]).read_bytes().decode("utf-8").split("\n"):
            if CONTROLS.search(line):
                found.append(f"{chat['id']}: a control character in {line[:80]!r}")
    return markdown(export, found, is_hostile=True)


def equal(one: pathlib.Path, two: pathlib.Path, found: list[str], what: str) -> int:
    """Compares the files of two folders, except for the time in the header."""
    names = sorted(str(path.relative_to(one)) for path in one.rglob("*") if path.is_file())
    others = sorted(str(path.relative_to(two)) for path in two.rglob("*") if path.is_file())
    if names != others:
        found.append(f"{what}: other files: {sorted(set(names) ^ set(others))[:5]}")
    for name in sorted(set(names) & set(others)):
        if name == "conversations.jsonl":
            same = (one / name).read_bytes().split(b"\n")[1:] == (two / name).read_bytes().split(b"\n")[1:]
        else:
            same = filecmp.cmp(one / name, two / name, shallow=False)
        if not same:
            found.append(f"{what}: {name} has other bytes")
    return len(names)


def run(*arguments: object) -> None:
    result = subprocess.run([str(part) for part in arguments], capture_output=True, text=True)
    # 3: the sample lacks files on purpose.
    if result.returncode not in (0, 3):
        sys.exit(f"{arguments}: status {result.returncode}\n{result.stdout}{result.stderr}")


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder).resolve()
        os.environ["XDG_STATE_HOME"] = str(work / "state")
        key = work / "key"
        key.touch(mode=0o600)
        key.write_text("x'" + "5a" * 32 + "'")
        run(programs / "valise-sample", work / "account", "--passphrase-file", key, "--conversations", MESSAGES)
        forms = [part for form in ("html", *FORMS) for part in ("--format", form)]
        command = [programs / "valise", "chat", "export", work / "account"]
        unlocked = ["--no-key-store", "--passphrase-file", key]
        run(*command, work / "one", *forms, *unlocked)
        export = Export(work / "one")
        said = [
            f"{json_lines(export, found)} JSON lines", f"{csv_rows(export, found)} rows", f"{text_lines(export, found)} lines of text",
            f"{markdown(export, found)} nodes of Markdown"]
        run(*command, work / "two", *forms, *unlocked)
        files = equal(work / "one", work / "two", found, "a second export")
        run(programs / "valise", "chat", "render", work / "two", *forms)
        files += equal(work / "one", work / "two", found, "chat render")
        run(*command, work / "two", "--update", *forms, *unlocked)
        files += equal(work / "one", work / "two", found, "--update")
        said.append(f"{files} files compared")
        said.append(f"{hostile(programs, work, found)} nodes of hostile Markdown")
    print("\n".join(found[:60]), end="\n" if found else "", file=sys.stderr)
    print(f"exports: {', '.join(said)}, {len(found)} failures", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
