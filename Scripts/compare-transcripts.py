#!/usr/bin/env python3
"""What differs between the transcripts of commit a0a6a7c and those of today: statuses, JSON keys and values, and texts.

    Scripts/compare-transcripts.py               prints Documentation/transcripts-compared.md as it should be
    Scripts/compare-transcripts.py --update      writes it
    Scripts/compare-transcripts.py --check       ends with 1 if it is another one, or if a difference has no reason
    Scripts/compare-transcripts.py --list WORD   each difference whose run or key contains the word, with both values
    … --old FOLDER, --new FOLDER                 other transcripts than those of the tests

The earlier ones are in an archive beside today's. To make them again, build that commit, and run

    Scripts/transcripts.py --earlier OLD/.build/release/valise FOLDER
    Scripts/compare-transcripts.py --pack FOLDER

Runs are matched by their subject and their arguments, the first with the first. Reasons are in transcript/reasons.py.
"""

import argparse
import collections
import dataclasses
import io
import json
import pathlib
import re
import sys
import tarfile
import textwrap

from transcript.reasons import EARLIER_WORDS, IMPLIED, LENGTHS, NEW_KEYS, NUMBERS, RENAMED_KEYS, STATUSES, VALUES, Reason

HERE = pathlib.Path(__file__).resolve().parent.parent
TRANSCRIPTS = HERE / "Tests/5-Commands/Commands/Fixtures/transcripts"
EARLIER = TRANSCRIPTS.with_name("transcripts-a0a6a7c.tar.xz")
DOCUMENT = HERE / "Documentation/transcripts-compared.md"
UPDATE = "Scripts/compare-transcripts.py --update"
# What stands for something that differs from run to run, outside of a string.
PLACEHOLDER = re.compile(r"(?<=[:\[,])(\s*)([A-Z][A-Z0-9]*)(?=\s*[,\]}])")
# Subjects without results.
ONLY_WORDS = {"help"}
# A run that is shown is cut here.
WIDTH = 90
# What no other words change: the numbers of an output, with their units.
NUMBER = re.compile(r"\d[\d.,]*\d|\d")
# Keys whose values are sentences, even one of a single word.
SENTENCES = {"message", "reason", "problem", "problems", "meaning", "notes", "unit", "title", "fileError", "importError", "inUse"}


@dataclasses.dataclass
class Run:
    subject: str
    arguments: str
    status: str = "0"
    output: list[str] = dataclasses.field(default_factory=list)
    errors: list[str] = dataclasses.field(default_factory=list)

    @property
    def command(self) -> str:
        """Without variables, options and operands."""
        words = [word for word in self.arguments.split() if not re.match(r"[A-Z_]+=", word)]
        found = words[:1]
        for word in words[1:3] if words[0] == "valise" else words[1:2]:
            if not re.fullmatch(r"[a-z]+", word):
                break
            found.append(word)
        return " ".join(found)

    @property
    def is_json(self) -> bool:
        return "--json" in self.arguments.split()

    def documents(self) -> list | None:
        """None where the output is no JSON."""
        text = PLACEHOLDER.sub(r'\1"\2"', "\n".join(self.output).replace("\u2424", ""))
        decoder, found, position = json.JSONDecoder(), [], 0
        while position < len(text):
            if text[position].isspace():
                position += 1
                continue
            try:
                value, position = decoder.raw_decode(text, position)
            except ValueError:
                return None
            found.append(value)
        return found


@dataclasses.dataclass
class Difference:
    # status, new key, renamed key, gone key, value, length, documents, numbers
    kind: str
    run: Run
    key: str
    before: object
    now: object


class Transcripts:
    def __init__(self, texts: dict[str, str]) -> None:
        """By the name of their subject."""
        self.runs: dict[str, list[Run]] = {subject: self._runs(subject, text) for subject, text in texts.items()}

    @staticmethod
    def _runs(subject: str, text: str) -> list[Run]:
        found: list[Run] = []
        for line in text.split("\n"):
            mark, rest = line[:1], line[2:]
            if mark == "$":
                found.append(Run(subject, rest))
            elif found and mark == "=":
                found[-1].status = rest
            elif found and mark in ("|", "!"):
                (found[-1].output if mark == "|" else found[-1].errors).append(rest)
        return found

    @classmethod
    def of(cls, path: pathlib.Path) -> "Transcripts":
        """A folder, or an archive of one."""
        if path.is_dir():
            return cls({file.stem: file.read_text() for file in sorted(path.glob("*.txt"))})
        with tarfile.open(path, "r:xz") as archive:
            return cls({
                pathlib.PurePath(member.name).stem: archive.extractfile(member).read().decode() for member in archive})


class Comparison:
    def __init__(self, before: Transcripts, now: Transcripts) -> None:
        self.compared: list[Run] = []
        self.only_now: list[Run] = []
        self.only_before: list[Run] = []
        self.differences: list[Difference] = []
        self.equal = 0
        # By subject and stream, and by key: runs whose texts differ.
        self.texts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.sentences: collections.Counter = collections.Counter()
        for subject, runs in now.runs.items():
            earlier = collections.defaultdict(list)
            for run in before.runs.get(subject, []):
                earlier[run.arguments].append(run)
            for run in runs:
                if earlier[run.arguments]:
                    self._compare(earlier[run.arguments].pop(0), run)
                else:
                    self.only_now.append(run)
            self.only_before += [run for left in earlier.values() for run in left]

    def _compare(self, old: Run, new: Run) -> None:
        self.compared.append(new)
        if (old.status, old.output, old.errors) == (new.status, new.output, new.errors):
            self.equal += 1
            return
        if old.status != new.status:
            self.differences.append(Difference("status", new, "", old.status, new.status))
            return
        if old.errors != new.errors:
            self.texts[new.subject]["standard error"] += 1
        if not new.is_json:
            self.texts[new.subject]["standard output"] += old.output != new.output
            before, now = (self._numbers(run) for run in (old, new))
            if new.subject not in ONLY_WORDS and (before != now or bool(old.output) != bool(new.output)):
                self.differences.append(Difference("numbers", new, "", before, now))
            return
        self._documents(old, new)

    def _documents(self, old: Run, new: Run) -> None:
        before, now = old.documents(), new.documents()
        if before is None or now is None or len(before) != len(now):
            self.differences.append(Difference(
                "documents", new, self._types(now) or "text",
                "text" if before is None else len(before), "text" if now is None else len(now)))
            return
        for one, other in zip(before, now):
            kind = other.get("type", "row") if isinstance(other, dict) else "row"
            self._values(new, self._renamed(new, kind, one), other, kind)

    @staticmethod
    def _numbers(run: Run) -> list[str]:
        return sorted(NUMBER.findall("\n".join(run.output)))

    @staticmethod
    def _types(documents: list | None) -> str:
        return ", ".join(sorted({
            document.get("type", "row") if isinstance(document, dict) else "row" for document in documents or []}))

    def _renamed(self, run: Run, kind: str, value):
        if isinstance(value, list):
            return [self._renamed(run, kind, member) for member in value]
        if not isinstance(value, dict):
            return value
        found = {}
        for key, member in value.items():
            name = RENAMED_KEYS.get(key, key)
            if name != key:
                self.differences.append(Difference("renamed key", run, name, key, name))
            found[name] = self._renamed(run, kind, member)
        return found

    def _values(self, run: Run, old, new, key: str) -> None:
        if isinstance(old, dict) and isinstance(new, dict):
            for name in old.keys() - new.keys():
                self.differences.append(Difference("gone key", run, f"{key}.{name}", old[name], None))
            for name in sorted(new.keys() - old.keys()):
                self.differences.append(Difference("new key", run, f"{key}.{name}", None, new[name]))
            for name in old.keys() & new.keys():
                self._values(run, old[name], new[name], f"{key}.{name}")
        elif isinstance(old, list) and isinstance(new, list):
            if len(old) == len(new):
                for one, other in zip(old, new):
                    self._values(run, one, other, f"{key}[]")
            else:
                self.differences.append(Difference("length", run, key, old, new))
        elif old != new:
            if self._is_text(key, old) and self._is_text(key, new):
                self.sentences[key] += 1
            else:
                self.differences.append(Difference("value", run, key, old, new))

    @staticmethod
    def _is_text(key: str, value) -> bool:
        return isinstance(value, str) and (" " in value or key.split(".")[-1].removesuffix("[]") in SENTENCES)

    def of_kind(self, *kinds: str) -> list[Difference]:
        return [difference for difference in self.differences if difference.kind in kinds]


# What the document says.

def filled(text: str) -> str:
    """In lines, none of which ends in a quotation."""
    quoted = re.sub(r"`[^`]*`", lambda match: match[0].replace(" ", "\0"), text)
    return textwrap.fill(quoted, 120, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


class Document:
    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.unexplained: list[Difference] = []

    def text(self) -> str:
        found = self.comparison
        statuses = self._table("status", STATUSES, lambda one: (f"`{one.before}`", f"`{one.now}`"))
        documents = self._table("documents", VALUES, lambda one: (self._value(one.before), self._value(one.now)))
        keys = self._keys()
        values = self._table("value", VALUES, lambda one: (self._value(one.before), self._value(one.now)), named=True)
        numbers = self._numbers()
        lengths = self._table(
            "length", LENGTHS, lambda one: (self._value(len(one.before)), self._value(len(one.now))), named=True)
        differing = len(found.compared) - found.equal
        others = len({id(one.run) for one in found.differences if one.kind not in ("status", "numbers")})
        json_runs = [run for run in found.compared if run.is_json]
        parts = [
            f"""# Transcripts compared

{len(found.compared)} invocations of the programs of commit a0a6a7c and of today's, with the same arguments on the
same accounts, in {len({run.subject for run in found.compared})} subjects; {len(json_runs)} of them print JSON.
Exit statuses, JSON keys and JSON values differ only where this page says so, each with its reason, which the
[changelog](../CHANGELOG.md) names too. This page is generated, by `{UPDATE}`. `make test`
fails if it is not what the transcripts show, or if a difference has no reason (`Scripts/transcript/reasons.py`).

| | runs |
|---|--:|
| compared | {len(found.compared)} |
| the same in everything | {found.equal} |
| with another exit status | {len(found.of_kind("status"))} |
| with the same status, and another JSON key or value | {others} |
| with the same status, and other numbers in a text on standard output | {len(found.of_kind("numbers"))} |
| with another text, or one of the above | {differing} |
| of today's alone | {len(found.only_now)} |

Today's transcripts are `Tests/5-Commands/Commands/Fixtures/transcripts`; the earlier ones are beside them, in
`{EARLIER.name}`. `Scripts/transcripts.py` wrote both. The earlier program was given
{self._renamed_options()}, and not the options that confirm or allow what it did in any case:
{self._implied_options()}.
What differs from run to run is replaced by a word in both: paths of the test, times, process numbers, addresses, links,
digests, free space.
""",
            "## Exit statuses\n\nThe outputs of these runs are not compared any further.\n\n" + statuses,
            "## JSON keys\n\n" + keys,
            "## JSON values\n\nOf keys that both have, sentences excepted; see below.\n\n" + (values or "None.\n"),
        ]
        if lengths:
            parts.append("Lists with more or fewer members:\n\n" + lengths)
        if documents:
            parts.append("Outputs with more or fewer documents, or with text before or now:\n\n" + documents)
        parts.append(self._texts(numbers))
        if found.only_now:
            parts.append(self._only_now())
        return "\n".join(parts).rstrip() + "\n"

    @staticmethod
    def _renamed_options() -> str:
        return ", ".join(f"`{earlier}` for `{now}`" for now, earlier in EARLIER_WORDS.items())

    @staticmethod
    def _implied_options() -> str:
        return filled(", ".join(f"`{command} {option}`" for command, options in IMPLIED.items() for option in options))

    @staticmethod
    def _value(value) -> str:
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return f"`{shown if len(shown) <= 40 else shown[:37] + '…'}`"

    @staticmethod
    def _shown(run: Run) -> str:
        text = run.arguments.replace("|", "\\|").replace("`", "'")
        return f"`{text if len(text) <= WIDTH else text[:WIDTH - 1] + '…'}`"

    def _reason(self, reasons: list[Reason], one: Difference) -> Reason | None:
        for reason in reasons:
            if reason.covers(one.run.subject, one.run.arguments, one.key, one.before, one.now):
                return reason
        self.unexplained.append(one)
        return None

    def _table(self, kind: str, reasons: list[Reason], sides, named: bool = False) -> str:
        """One row for the same key, values and reason, with the number of runs and the first of them."""
        groups: dict[tuple, list[Difference]] = collections.defaultdict(list)
        for one in self.comparison.of_kind(kind):
            reason = self._reason(reasons, one)
            groups[(one.key, *sides(one), reason.text if reason else "**no reason**")].append(one)
        if not groups:
            return ""
        rows = [
            f"| {f'`{key}` | ' if named else ''}{before} | {now} | {len(found)} | {self._shown(found[0].run)} | {reason} |"
            for (key, before, now, reason), found in sorted(groups.items(), key=lambda group: (group[0][-1], group[0]))]
        heading = f"| {'key | ' if named else ''}before | now | runs | such as | why |"
        return "\n".join([heading, f"|{'---|' if named else ''}---|---|--:|---|---|", *rows]) + "\n"

    def _keys(self) -> str:
        renamed: dict[str, list] = collections.defaultdict(list)
        for one in self.comparison.of_kind("renamed key"):
            renamed[f"`{one.before}` is `{one.now}`"].append(one)
        lines = []
        if renamed:
            lines.append(filled("Renamed, for one style of all keys: " + ", ".join(sorted(renamed)) + ".") + "\n")
        gone = self._table("gone key", [], lambda one: (self._value(one.before), "none"), named=True)
        lines.append(f"Gone:\n\n{gone}" if gone else "No key is gone.\n")
        groups: dict[tuple, list[Difference]] = collections.defaultdict(list)
        for one in self.comparison.of_kind("new key"):
            reason = self._reason(NEW_KEYS, one)
            groups[(one.key, reason.text if reason else "**no reason**")].append(one)
        if groups:
            lines.append("New:\n\n" + "\n".join([
                "| key | runs | such as | why |", "|---|--:|---|---|",
                *(f"| `{key}` | {len(found)} | {self._shown(found[0].run)} | {reason} |"
                  for (key, reason), found in sorted(groups.items()))]) + "\n")
        return "\n".join(lines)

    def _numbers(self) -> str:
        groups: dict[tuple, list[Difference]] = collections.defaultdict(list)
        for one in self.comparison.of_kind("numbers"):
            reason = self._reason(NUMBERS, one)
            groups[(one.run.command, reason.text if reason else "**no reason**")].append(one)
        rows = [
            f"| `{command}` | {len(found)} | {self._shown(found[0].run)} | {reason} |"
            for (command, reason), found in sorted(groups.items())]
        return "\n".join(["| command | runs | such as | why |", "|---|--:|---|---|", *rows]) + "\n"

    def _texts(self, numbers: str) -> str:
        found = self.comparison
        rows = [
            f"| {subject} | {sum(run.subject == subject for run in found.compared)} | {counts['standard output']} | "
            f"{counts['standard error']} |"
            for subject, counts in sorted(found.texts.items())]
        sentences = filled(", ".join(f"`{key}` ({number})" for key, number in sorted(found.sentences.items())))
        return f"""## Texts

Every text was rewritten for issue 10 (changelog, "Texts"), so these are only counted. Runs by subject whose texts differ at
the same status:

| subject | compared | other standard output, as text | other standard error |
|---|--:|--:|--:|
{chr(10).join(rows)}

Where the output has other numbers, or only one of both has any output, there is more to it than words:

{numbers}
Keys of JSON that have sentences, with the number of those that differ:
{sentences}.
"""

    def _only_now(self) -> str:
        groups = collections.Counter(run.command for run in self.comparison.only_now)
        return "## Of today's alone\n\n" + ", ".join(
            f"`{command}` ({number})" for command, number in sorted(groups.items())) + ".\n"


def missing_in_changelog() -> list[str]:
    text = " ".join((HERE / "CHANGELOG.md").read_text().split())
    reasons = [*STATUSES, *NEW_KEYS, *VALUES, *LENGTHS, *NUMBERS]
    return [reason.changelog for reason in reasons if " ".join(reason.changelog.split()) not in text]


def pack(folder: pathlib.Path) -> None:
    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = member.mtime = 0
        member.uname = member.gname = ""
        member.mode = 0o644
        return member

    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz", preset=9) as archive:
        for path in sorted(folder.glob("*.txt")):
            archive.add(path, path.name, filter=plain)
    EARLIER.write_bytes(content.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=pathlib.Path, default=EARLIER)
    parser.add_argument("--new", type=pathlib.Path, default=TRANSCRIPTS)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", metavar="WORD")
    parser.add_argument("--pack", metavar="FOLDER", type=pathlib.Path)
    options = parser.parse_args()
    if options.pack:
        pack(options.pack)
        return
    comparison = Comparison(Transcripts.of(options.old), Transcripts.of(options.new))
    if not comparison.compared:
        sys.exit(f"{options.old}: no transcript of a run that is in {options.new}")
    if options.list is not None:
        for one in comparison.differences:
            if options.list in f"{one.run.subject}: {one.run.arguments}: {one.key}":
                print(f"{one.run.subject}: {one.run.arguments}: {one.kind} {one.key}: {one.before}, now {one.now}")
        return
    document = Document(comparison)
    text = document.text()
    faults = [
        f"no reason: {one.run.subject}: {one.run.arguments}: {one.kind} {one.key}: {one.before}, now {one.now}"
        for one in document.unexplained]
    faults += [f"not in CHANGELOG.md: {words}" for words in missing_in_changelog()]
    faults += [f"of the earlier ones alone: {run.subject}: {run.arguments}" for run in comparison.only_before]
    if options.update:
        DOCUMENT.write_text(text)
    elif not options.check:
        print(text)
    elif not DOCUMENT.exists() or DOCUMENT.read_text() != text:
        faults.append(f"{DOCUMENT.relative_to(HERE)} is not what the transcripts show; to write it, run: {UPDATE}")
    for fault in faults:
        print(f"compare-transcripts: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
