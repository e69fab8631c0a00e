#!/usr/bin/env python3
"""Figures of the house, of any checkout: what the architecture tests hold, and what a redesign is measured by.

    Scripts/figures.py [CHECKOUT]
    Scripts/figures.py --compare OLD [CHECKOUT]     two columns, before and after
    Scripts/figures.py … --markdown                 as a table for Documentation/figures.md
    Scripts/figures.py … --only WORD                the rows whose name contains the word
    Scripts/figures.py … --places                   each row with the files that it counts
    Scripts/figures.py --check                      whether Documentation/figures.md says what is counted here; 1 if not
    Scripts/figures.py --update                     writes what it does not say into its last column

CHECKOUT is this one without. Counts what is in Sources/ and Tests/, by text alone; nothing is built. A work tree of an
older commit: git worktree add FOLDER COMMIT. With --compare, --check looks at the column of the older one, too.
"""

import argparse
import collections
import pathlib
import re
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = HERE / "Documentation/figures.md"
# Numbers that most commits change are rounded in the document, and right there as long as they are near.
ABOUT = ("engine in the", "lines of the", "accounts opened by", "public decl", "types at", "types that one", "Swift files", "tests (")
NEAR, AT_LEAST = 0.03, 2


def code_of(text):
    """Without comments, whose words are no code."""
    return re.sub(r"(?m)^\s*//.*$|(?<=\s)//[^\n\"]*$", "", text)


class Source:
    def __init__(self, path, folder):
        self.path = path
        self.name = str(path.relative_to(folder))
        self.text = path.read_text()
        self.code = code_of(self.text)
        literals = re.findall(r'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"', self.code, re.S)
        self.strings = [first or second for first, second in literals]
        self.lines = self.text.count("\n")
        parts = path.relative_to(folder).parts
        # Since layers have folders, those come first.
        self.layer, self.target = (parts[0], parts[1]) if parts[0][0].isdigit() else ("", parts[0])

    @property
    def is_command(self):
        return self.target in ("Commands", "ValiseCommands")

    @property
    def is_program(self):
        return self.layer == "6-Programs" or self.target.split("-")[0] == "valise"

    @property
    def is_library(self):
        return not self.is_command and not self.is_program


# A text for the user may name a pragma, but does not begin with it.
SQL = re.compile(r"\b(SELECT\b.*\bFROM|INSERT (OR \w+ )?INTO|UPDATE \S+ SET|DELETE FROM) |^\s*PRAGMA ", re.S)
# The tables of the chat and agent databases that Valise asks for something.
CHAT_TABLES = (
    "users|contacts|contact_profiles|groups|group_profiles|group_members|chat_items|chat_item_versions|messages|files|"
    "snd_files|rcv_files|note_folders|connections|commands|ratchets|rcv_queues|snd_queues|app_settings|settings")
CHAT_SQL = re.compile(
    rf"\b(?:FROM|JOIN|INTO|UPDATE) (?:main\.|agent\.)?(?:{CHAT_TABLES})\b|pragma_table_info\('(?:{CHAT_TABLES})'\)"
    r"|\((?:app_settings)\)")
# What has SQL of its own: the engine, the tables of migrations and jobs, the writer of a sample, the schema. Migrations were
# a target of their own, and are in older checkouts.
OWN_SQL = {"Database", "Migrations", "JobQueue", "SampleAccounts", "ChatSchema", "SessionStore"}

# An account is opened by its lock, by looking at a file of a database, or by reading a database in its place; or by a type
# that took it for a folder before there was one reader and one writer. OpeningTests reads this pattern.
OPENING = re.compile(
    r"\b(?:OpenedAccount|AccountReading|AccountLock|AccountLock\.forLooking|DatabaseFile)\("
    r"|\b(?:FileSource|Connection)\(\s*"
    r"(?:[^()]*\.path\(of: \.?\w+\)|(?:file|previous|found)\.path\b|\w+, mode: \.readOnly)")
ARCHIVE_OPENING = re.compile(r"\b(?:ArchivedAccount|ZipIndex)\(")
READER_OR_WRITER = re.compile(r"\bAccount(?:Reader|Writer)(?:\.\w+)?\(")
READER_AND_WRITER = ("Accounts/Reading/", "Accounts/Writing/")

# A column of a row: what follows a subscript or a call, such as row[1].text.
DEFAULTED_COLUMN = re.compile(r'[\])]\??\.(?:integer|text|real|blob|bytes)\s*\?\? (?:0|""|\[\])(?![\w.])')

COMMAND_NAME = re.compile(r"(?<![\w-])valise(?:-[a-z]+)? [a-z]|(?:^| |'|\"|\()--[a-z]")
# The text of a settings file on disk, which its reader edits by hand: it names the program that reads it.
TEXT_ON_DISK = "RelaySettings+Text.swift"
# What files and digests begin with, whatever the program is called: "valise move proof 1".
FORMAT_NAME = re.compile(r"valise (?:[a-z]+ )+\d(?:\\n)?")

CONTINUATION = re.compile(r"\bwith(?:Checked|Unsafe)(?:Throwing)?Continuation\b|\bTask\.detached\b|:\s*TaskExecutor\b")
SEMAPHORE = re.compile(r"\bDispatchSemaphore\(")
TASK = re.compile(r"\bTask(?:\.detached)?(?:\([^)]*\))? \{")
UNCHECKED = re.compile("@unchecked Sendable")
POOL = re.compile(r"\bNIOThreadPool(?:\(|\.singleton)|\bNonBlockingFileIO\(")
PROGRESS = re.compile(
    r"(?m)^\s*(?:(?:public|package|final) )*(?:struct|enum|class) "
    r"(\w*Progress|Event|(?:Move|Transfer|Job|Operation)Event)\b")

DECLARATION = re.compile(
    r"(?m)^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*public (?!import)(?:[\w()]+ )*?"
    r"(?:struct|class|enum|actor|protocol|typealias|func|var|let|init|subscript|case|static|extension)\b")
TYPE = re.compile(
    r"(?m)^(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect) )*"
    r"(?:struct|class|enum|actor|protocol|typealias) (\w+)")

# In the command target, a file that parses nothing and whose name does not say that it makes text does something else.
RENDERING = re.compile(r"(?:Text|Words|Sentence|Table|Line|Rows|Narration|Style)(?:\+\w+)?\.swift$")


class House:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.manifest = (self.root / "Package.swift").read_text()
        self.files = self._sources("Sources")
        self.tests = self._sources("Tests")
        self.libraries = [file for file in self.files if file.is_library]
        self.commands = [file for file in self.files if file.is_command]
        self.types = collections.defaultdict(set)
        for file in self.files:
            if not file.is_program:
                for name in TYPE.findall(file.code):
                    self.types[name].add(file)

    def _sources(self, folder):
        folder = self.root / folder
        return [Source(path, folder) for path in sorted(folder.rglob("*.swift"))]

    def rows(self):
        """Name, value, and the files that were counted."""
        yield self._number("library targets in Swift", self._targets(r'\btarget\(\s*\d+,\s*"([\w-]+)"'))
        yield self._number("test targets", self._targets(
            r'(?:\btests\(\s*(?:\d+,\s*)?|\.testTarget\(\s*name: )"([\w-]+)"'))
        yield self._places(
            "accounts opened outside of the reader and the writer (places, files)", OPENING,
            [file for file in self.files if not any(part in file.name for part in READER_AND_WRITER)])
        yield self._places("accounts opened by the reader or the writer (places, files)", READER_OR_WRITER, self.files)
        yield self._files(
            "files that open a folder in one way and a zip in another",
            [file for file in self.files if OPENING.search(file.code) and ARCHIVE_OPENING.search(file.code)])
        engine = [file for file in self.commands
                  if "import ArgumentParser" not in file.text and not RENDERING.search(file.path.name)]
        yield (
            "engine in the command target: neither options nor text (lines, files)",
            f"{sum(file.lines for file in engine)}, {len(engine)}", engine)
        yield self._number("lines of the command target", sum(file.lines for file in self.commands))
        yield self._files(
            "library files that name the program's commands or options",
            [file for file in self.libraries
             if file.path.name != TEXT_ON_DISK and any(self._names_command(text) for text in file.strings)])
        yield self._sql("SQL on the tables of the chat databases, SampleAccounts excepted (files, targets)", CHAT_SQL)
        yield self._sql("SQL of any kind outside of the targets meant for it (files, targets)", SQL)
        yield self._count("columns of a row that default to 0 or an empty text", DEFAULTED_COLUMN, self.libraries)
        yield self._progress()
        yield self._bridges()
        yield self._count("thread pools of SwiftNIO beside the blocking executor", POOL, self.files)
        yield self._count("@unchecked Sendable", UNCHECKED, self.files)
        yield self._count("public declarations", DECLARATION, self.files)
        yield self._number("types at file level", len(self.types))
        yield self._used_once()
        twice = [name for name, files in self.types.items() if len({file.target for file in files}) > 1]
        yield ("type names in two targets", str(len(twice)), [file for name in twice for file in self.types[name]])
        lengths = [file.lines for file in self.files]
        yield self._number(
            "Swift files, lines, median of a file",
            f"{len(lengths)}, {sum(lengths)}, {statistics.median(lengths):.0f}")
        tests = sum(len(re.findall(r"@Test\b", file.code)) for file in self.tests)
        yield self._number("tests (functions with @Test)", tests)

    def _targets(self, pattern):
        return len(re.findall(pattern, self.manifest))

    @staticmethod
    def _number(name, value):
        return name, str(value), []

    @staticmethod
    def _files(name, files):
        return name, str(len(files)), files

    @staticmethod
    def _places(name, pattern, files):
        found = [file for file in files if pattern.search(file.code)]
        number = sum(len(pattern.findall(file.code)) for file in found)
        return name, f"{number}, {len(found)}", found

    def _count(self, name, pattern, files):
        name, value, found = self._places(name, pattern, files)
        return name, value.split(",")[0], found

    def _sql(self, name, pattern):
        found = [file for file in self.files
                 if file.target not in OWN_SQL
                 and any(SQL.search(text) and pattern.search(text) for text in file.strings)]
        return name, f"{len(found)}, {len({file.target for file in found})}", found

    @staticmethod
    def _names_command(text):
        return COMMAND_NAME.search(text) and not FORMAT_NAME.fullmatch(text)

    def _progress(self):
        """Types by which something is told of work under way."""
        found = [file for file in self.libraries if PROGRESS.search(file.code)]
        names = [name for file in found for name in PROGRESS.findall(file.code)]
        return "types that report progress", str(len(names)), found

    def _bridges(self):
        """Continuations and detached tasks; a semaphore where a task is waited for, not between two threads."""
        number, found = 0, []
        for file in self.files:
            here = len(CONTINUATION.findall(file.code))
            if TASK.search(file.code):
                here += len(SEMAPHORE.findall(file.code))
            if here:
                number, found = number + here, found + [file]
        return "bridges between blocking and asynchronous code", str(number), found

    def _used_once(self):
        uses = collections.Counter(word for file in self.files for word in set(re.findall(r"\w+", file.code)))
        number = sum(1 for name, files in self.types.items() if uses[name] == len(files) + 1)
        return "types that one other file uses", str(number), []


def table(names, columns, markdown):
    """The columns are values by name."""
    if markdown:
        rows = [["figure", *(["before", "after"] if len(columns) > 1 else ["now"])]]
        rows.append(["---", *("--:" for _ in columns)])
        rows += [[name, *(column[name] for column in columns)] for name in names]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return "\n".join(f"{name:74}" + "".join(f"{column[name]:>16}" for column in columns) for name in names)


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def rounded(number):
    """To tens, and large ones to three digits."""
    return number if number < 100 else round(number, -1) if number < 1000 else int(float(f"{number:.3g}"))


def documented(name, value):
    if not name.startswith(ABOUT):
        return value
    return "about " + ", ".join(str(rounded(number)) for number in numbers(value))


def agrees(said, name, value):
    if not name.startswith(ABOUT):
        return said == value
    pairs = list(zip(numbers(said), numbers(value)))
    return said.startswith("about ") and len(pairs) == len(numbers(value)) == len(numbers(said)) and all(
        abs(there - here) <= max(AT_LEAST, NEAR * here) for there, here in pairs)


def compare_document(now, before, update):
    """Values by name, of this checkout and, where it is given, of an older one. What differs; the text as it should be."""
    lines, wrong, seen = DOCUMENT.read_text().split("\n"), [], set()
    for index, line in enumerate(lines):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        name = cells[0].replace("`", "")
        if not line.startswith("| ") or name not in now:
            continue
        seen.add(name)
        if before and cells[1] != before[name]:
            wrong.append(f"{name}: says {cells[1]} before, it was {before[name]}")
        if not agrees(cells[2], name, now[name]):
            wrong.append(f"{name}: says {cells[2]}, it is {now[name]}")
            cells[2] = documented(name, now[name])
            lines[index] = f"| {' | '.join(cells)} |"
    wrong += [f"{name}: has no row" for name in now if name not in seen]
    if update:
        DOCUMENT.write_text("\n".join(lines))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", nargs="?", default=HERE, type=pathlib.Path)
    parser.add_argument("--compare", metavar="OLD", type=pathlib.Path)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--only", metavar="WORD", default="")
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if options.check or options.update:
        values = [
            {name: value for name, value, _ in House(root).rows()} if root else {}
            for root in (options.checkout, options.compare)]
        wrong = compare_document(*values, options.update)
        name = DOCUMENT.relative_to(HERE)
        for line in wrong:
            print(f"{name}: {line}")
        if wrong and not options.update:
            sys.exit(f"figures: {name} is not what is counted here; to write what is, run: Scripts/figures.py --update")
        return
    houses = [House(root) for root in (options.compare, options.checkout) if root]
    found = [[row for row in house.rows() if options.only in row[0]] for house in houses]
    names = [name for name, _, _ in found[-1]]
    print(table(names, [{name: value for name, value, _ in rows} for rows in found], options.markdown))
    if options.places:
        for house, rows in zip(houses, found):
            for name, _, files in rows:
                for file in files:
                    print(f"{house.root}: {name}: {file.name}")


if __name__ == "__main__":
    main()
