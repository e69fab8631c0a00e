#!/usr/bin/env python3
"""Figures of the house, of any checkout: what the architecture tests hold, and what a redesign is measured by.

    Scripts/figures.py [CHECKOUT]

Counts what stands in Sources/, by text alone: of an older commit, give a work tree of it.
"""

import collections
import pathlib
import re
import statistics
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
manifest = (root / "Package.swift").read_text()


def code_of(text):
    """Without comments, whose words are no code."""
    return re.sub(r"(?m)^\s*//.*$|(?<=\s)//[^\n\"]*$", "", text)


class Source:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.code = code_of(self.text)
        self.literals = re.findall(r'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"', self.code, re.S)
        self.strings = [first or second for first, second in self.literals]
        parts = path.relative_to(root / "Sources").parts
        self.layer, self.target = (parts[0], parts[1]) if parts[0][0].isdigit() else ("", parts[0])

    @property
    def is_command(self):
        return self.target in ("Commands", "ValiseCommands")

    @property
    def is_program(self):
        return self.layer == "6-Programs" or self.target.split("-")[0] == "valise"


files = [Source(path) for path in sorted((root / "Sources").rglob("*.swift"))]
libraries = [file for file in files if not file.is_command and not file.is_program]

SQL = re.compile(r"\b(SELECT\b.*\bFROM|INSERT (OR \w+ )?INTO|UPDATE \S+ SET|DELETE FROM|PRAGMA) ", re.S)
# What has SQL of its own: the engine, the tables of migrations and jobs, the writer of a sample.
OWN_SQL = {"Database", "Migrations", "JobQueue", "SampleAccounts", "ChatSchema"}
OPENING = re.compile(r"\b(OpenedAccount|AccountReading|AccountReader|ArchivedAccount|AccountLock|Connection)\(")
DECLARATION = re.compile(
    r"(?m)^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*public (?!import)(?:[\w()]+ )*?"
    r"(?:struct|class|enum|actor|protocol|typealias|func|var|let|init|subscript|case|static|extension)\b")
TYPE = re.compile(
    r"(?m)^(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect) )*"
    r"(?:struct|class|enum|actor|protocol|typealias) (\w+)")
BRIDGE = re.compile(r"\bwith(?:Checked|Unsafe)(?:Throwing)?Continuation\b|\bTask\.detached\b|\bDispatchSemaphore\(")


def count(pattern, chosen):
    found = [(file, len(pattern.findall(file.code))) for file in chosen]
    return sum(number for _, number in found), sum(1 for _, number in found if number)


def line(name, value):
    print(f"{name:68}{value}")


named = re.findall(r'\btarget\(\s*\d+,\s*"([\w-]+)"', manifest)
line("Swift library targets", len(named))
line("test targets", len(re.findall(r'\btests\(\s*(?:\d+,\s*)?"', manifest)))
number, where = count(OPENING, files)
line("openings of accounts, connections and archives (places, files)", f"{number}, {where}")
sql = [file for file in files if file.target not in OWN_SQL and any(map(SQL.search, file.strings))]
line("files with SQL outside the targets meant for it (files, targets)",
     f"{len(sql)}, {len({file.target for file in sql})}")
line("columns that default to 0 or an empty text", count(re.compile(r'\?\? (?:0|"")(?![\w.])'), libraries)[0])
speaking = [file for file in libraries
            if any(re.search(r"(?<![\w-])valise [a-z]|(?:^| |'|\")--[a-z]", text) for text in file.strings)]
line("library files that name the program's commands or flags", len(speaking))
line("bridges between blocking and asynchronous code", count(BRIDGE, files)[0])
line("@unchecked Sendable", count(re.compile("@unchecked Sendable"), files)[0])
line("public declarations", count(DECLARATION, files)[0])
types = collections.defaultdict(set)
for file in files:
    if not file.is_program:
        for name in TYPE.findall(file.code):
            types[name].add(file.target)
line("types at file level", len(types))
line("type names in two targets", sum(1 for targets in types.values() if len(targets) > 1))
line("lines of the command layer", sum(file.text.count("\n") for file in files if file.is_command))
lengths = [file.text.count("\n") for file in files]
line("Swift files, lines, median of a file", f"{len(files)}, {sum(lengths)}, {statistics.median(lengths):.0f}")
