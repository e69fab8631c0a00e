"""Compares what the programs print with --json with the JSON Schemas of Documentation/schemas.

Usage: check-schemas.py [FOLDER_OF_THE_PROGRAMS [FOLDER_OF_DOCUMENTS]]

Every document in the transcripts is validated, by the schema that its key "type" names, or, where it has the form of the
official programs, by that of its command. With a folder of programs, the examples of the manual pages and those below run once
more with --json, and what they print is validated. In the folder of documents is what the programs printed in the tests of the
commands, which keep it there where VALISE_DOCUMENTS names the folder. A document without a schema is a failure, and so are a
schema that nothing was validated with, a key in another style, and a name that Documentation/json.md does not have.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import sys

try:
    import jsonschema
except ModuleNotFoundError:
    # Debian's package is for the system's Python, where another one may come first in the PATH.
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

from manual import examples

SCHEMAS = examples.ROOT / "Documentation/schemas"
TRANSCRIPTS = examples.ROOT / "Tests/5-Commands/Commands/Fixtures/transcripts"
PAGE = examples.ROOT / "Documentation/json.md"

# Words of the transcripts in the place of numbers that differ from run to run.
NUMBERS = re.compile(r'(?<=":)(N|EPOCH)(?=[,\]}\s]|$)')
KEY = re.compile(r"[a-z][a-z0-9]*([A-Z][a-z0-9]+)*")
# Of the official programs, and of bytes in rows.
OFFICIAL_KEYS = {"_owsf", "migrationSQLError", "errorSQL", "errorNotADatabase", "$base64"}
MIGRATION = {"ok", "invalidConfirmation", "errorNotADatabase", "errorMigration", "errorSQL"}
# What neither transcripts nor examples can bring about: a crash at the right moment, and a failure in a rare form.
UNSEEN = {"jobDone", "jobRolledBack", "errorDatabaseSingleField"}

# Documents that no example prints: pages in the form of Documentation/examples.
MORE = r"""
[documents of jobs]
! valise file send photo.jpg --server xftp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@127.0.0.1:1 || true
$ valise jobs resume 1 --later
$ valise jobs run
$ valise jobs list
$ valise jobs cancel 1
$ valise jobs retry 1
$ valise file send --list
$ valise file send --discard all
= 3
[documents of files]
! valise file send photo.jpg passphrase --server xftp://nhFtGXWPG_Q-vnvddffM0bsTy0nyFy02dOyZsE_9Mj0=@relay.example.org
$ valise file info photo.jpg.xftp/rcv1.xftp passphrase.xftp/rcv1.xftp
$ valise file delete photo.jpg.xftp
$ valise media export laptop copies --passphrase-file passphrase
= 3
[documents of chats]
%& valise chat browse laptop --json --passphrase-file passphrase
[documents of stores]
! mkdir store
$ valise store put store photo.jpg pictures/ --dry-run
[documents of mounts]
%& valise mount backup.zip --webdav --json --passphrase-file passphrase
"""


class Schemas:
    def __init__(self) -> None:
        self.texts = {path.stem: json.loads(path.read_text()) for path in sorted(SCHEMAS.glob("*.json"))}
        self.validators = {}
        for name, schema in self.texts.items():
            jsonschema.Draft202012Validator.check_schema(schema)
            self.validators[name] = jsonschema.Draft202012Validator(schema)
        self.used: collections.Counter = collections.Counter()

    def name(self, document: dict, command: str) -> str:
        kind = document.get("type")
        if "_owsf" in document:
            return "migrationResultSingleField" if " migrate " in command else "errorDatabaseSingleField"
        if kind == "errorKeychain":
            return "error" if "code" in document else "migrationResult"
        return "migrationResult" if " migrate run" in command and kind in MIGRATION else str(kind)

    def faults(self, document: object, command: str) -> list[str]:
        if not isinstance(document, dict):
            return [f"{command}: a document that is no object"]
        if "account sql" in command and document.get("type") not in ("error", "errorKeychain"):
            return []
        return self.validated(self.name(document, command), document, command)

    def validated(self, name: str, document: dict, command: str) -> list[str]:
        if name not in self.validators:
            return [f"{command}: there is no schema {name}"]
        self.used[name] += 1
        return [
            f"{command}: {name}: {error.json_path}: {error.message[:200]}"
            for error in self.validators[name].iter_errors(document)
        ]


def documents(text: str, has_text_behind: bool = False) -> list:
    """Those that follow each other in a text; other text may come behind the first, if so said."""
    decoder, place, found = json.JSONDecoder(), 0, []
    text = text.replace("\u2424", "").strip()
    while place < len(text):
        if has_text_behind and found and text[place] != "{":
            break
        document, place = decoder.raw_decode(text, place)
        found.append(document)
        while place < len(text) and text[place].isspace():
            place += 1
    return found


def transcribed(schemas: Schemas) -> list[str]:
    found, count = [], 0
    for path in sorted(TRANSCRIPTS.glob("*.txt")):
        for block in path.read_text().split("\n\n"):
            lines = block.split("\n")
            if not lines[0].startswith("$ ") or not re.search(r" --json\b(?!-)", lines[0]) or " --help" in lines[0]:
                continue
            command = f"{path.name}: {lines[0][2:]}"
            output = "\n".join(line[2:] for line in lines[2:] if line.startswith("|"))
            try:
                printed = documents(NUMBERS.sub("0", output))
            except ValueError as error:
                found.append(f"{command}: no JSON: {error}")
                continue
            count += 1
            if not printed and " > " not in command and "account sql" not in command:
                found.append(f"{command}: prints no document")
            for document in printed:
                found += schemas.faults(document, command)
    return found if count > 250 else [*found, f"only {count} invocations with --json were found"]


def kept(schemas: Schemas, folder: pathlib.Path) -> list[str]:
    """What the programs printed in the tests: in each file the command, and below it the output."""
    found, count = [], 0
    for path in folder.iterdir():
        command, _, output = path.read_bytes().decode("utf-8", "replace").partition("\n")
        try:
            # A terminal shows standard error, too.
            printed = documents(output, has_text_behind="at-terminal.py" in command)
        except ValueError as error:
            found.append(f"{command}: no JSON: {error}: {output[:200]}")
            continue
        count += len(printed)
        for document in printed:
            found += schemas.faults(document, f" {command}")
    return found if count > 400 else [*found, f"only {count} documents were kept in the tests"]


def run(schemas: Schemas, programs: pathlib.Path) -> list[str]:
    """Runs the examples with --json."""
    from examples import Place, stage

    # Several at a time: some wait for a relay that does not answer.
    with stage(programs) as (work, template, address), concurrent.futures.ThreadPoolExecutor(4) as pool:
        more = work / "more.txt"
        more.write_text(MORE)
        pages = [*examples.commands().values(), *examples.read(more)[1:]]
        places = [Place(programs, work / str(index), template, address) for index in range(len(pages))]
        return [fault for found in pool.map(printed, [schemas] * len(pages), pages, places) for fault in found]


def printed(schemas: Schemas, page: examples.Example, place) -> list[str]:
    """What the commands of a page print."""
    found = []
    for step in page.steps:
        if step.kind == "text":
            continue
        line = place.line(page, step)
        if step.kind in ("$&", "%&"):
            # The first line of a relay, or of a server of pages, with --json is a document too.
            place.begin(line)
            if re.search(r"valise-relay start|chat browse|valise mount", line) and "--json" in line:
                first = (place.root / "background").read_text().splitlines()[0]
                found += schemas.faults(json.loads(first), line)
            continue
        isPlain = step.kind == "$" and "--json" not in line and not re.search(r"(?<!\$)\(|[|>]|valise schema", line)
        if not isPlain or not re.search(r"\bvalise(-relay)? ", line):
            place.run(line)
            continue
        result = place.run(f"{line} --json 2> errors")
        output = result.stdout.decode("utf-8", "replace")
        try:
            for document in documents(output):
                found += schemas.faults(document, line)
        except ValueError:
            found.append(f"{line}: no JSON: {output[:200]}")
        if result.returncode != step.status and (result.returncode, step.status) != (0, 3):
            found.append(f"{line}: status {result.returncode}: {output[:300]}")
    for path in place.root.glob("**/manifest.jsonl"):
        for document in documents(path.read_text()):
            found += schemas.validated("mediaExportEntry", document, "manifest.jsonl")
    for pattern in ("**/conversations.jsonl", "**/items/*.jsonl"):
        for path in place.root.glob(pattern):
            for document in documents(path.read_text()):
                found += schemas.faults(document, path.name)
    log = place.root / "background.log"
    if log.exists() and any("--log-format json" in step.text for step in page.steps):
        for document in documents(log.read_text()):
            found += schemas.validated("relayLogEntry", document, "valise-relay start --log-format json")
    place.end()
    return found


def keys(schema: object) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(keys, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    properties = schema.get("properties")
    own = set(properties) if isinstance(properties, dict) else set()
    return own.union(*map(keys, schema.values()))


def loose(schema: object, path: str = "") -> list[str]:
    """Objects that would take any key."""
    if isinstance(schema, list):
        return [text for index, part in enumerate(schema) for text in loose(part, f"{path}/{index}")]
    if not isinstance(schema, dict):
        return []
    found = [path] if schema.get("type") == "object" and "additionalProperties" not in schema else []
    return found + [text for key, part in schema.items() for text in loose(part, f"{path}/{key}")]


def main() -> None:
    schemas = Schemas()
    page = PAGE.read_text()
    found = transcribed(schemas)
    for name, schema in schemas.texts.items():
        found += [f"{name}: the key {key} has another style" for key in sorted(keys(schema) - OFFICIAL_KEYS)
                  if not KEY.fullmatch(key)]
        found += [f"{name}: {path} takes any key" for path in loose(schema)]
        if f"`{name}`" not in page:
            found.append(f"{name} is not in Documentation/json.md")
    if len(sys.argv) > 1:
        found += run(schemas, pathlib.Path(sys.argv[1]).resolve())
        if len(sys.argv) > 2:
            found += kept(schemas, pathlib.Path(sys.argv[2]))
        found += [f"nothing was validated with {name}" for name in sorted(set(schemas.texts) - set(schemas.used) - UNSEEN)]
    # What is wrong with one item of a list is wrong with all.
    shown = list({re.sub(r"\[\d+\]", "[]", text): text for text in found}.values())
    print("\n".join(shown), end="\n" if shown else "", file=sys.stderr)
    print(
        f"schemas: {sum(schemas.used.values())} documents, {len(schemas.texts)} schemas, {len(found)} failures",
        file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
