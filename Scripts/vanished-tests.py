#!/usr/bin/env python3
"""Tests of an older checkout that are gone from this one, or expect less: each has to be accounted for.

    Scripts/vanished-tests.py OLD [CHECKOUT]

Prints the names of tests and suites that only OLD has, and of tests that had more expectations there, and ends with 1 if
Documentation/tests-merged.md does not name one of them. A work tree of an older commit: git worktree add FOLDER COMMIT.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
# With a title, that is the test's name.
TEST = re.compile(r"@Test\b(?:\(\s*\"((?:[^\"\\]|\\.)*)\")?")
FUNCTION = re.compile(r"\bfunc\s+(`[^`]*`|\w+)")
# A type of its own at the beginning of a line.
SUITE = re.compile(r"(?m)^(?:(?:final|public|package) )*(?:struct|class|enum|actor) (\w+)")
# Helpers that expect something are called so.
EXPECTATION = re.compile(r"#expect\b|#require\b|\bIssue\.record\b|\b(?:expect|require)\w*\(")


def names(root):
    """Names of tests, and of the types that hold any, each with the file they are in."""
    tests, suites = {}, {}
    for path in sorted((root / "Tests").rglob("*.swift")):
        text = path.read_text()
        held = [(match.start(), match[1]) for match in SUITE.finditer(text)]
        for match in TEST.finditer(text):
            if function := FUNCTION.search(text, match.end()):
                tests[match[1] or function[1].strip("`")] = path.relative_to(root)
            for start, name in reversed(held):
                if start < match.start():
                    suites[name] = path.relative_to(root)
                    break
    return tests, suites


def expectations(root):
    """How many each test has in its own text; tests of one name together."""
    found = {}
    for path in sorted((root / "Tests").rglob("*.swift")):
        text = path.read_text()
        for match in TEST.finditer(text):
            if not (function := FUNCTION.search(text, match.end())):
                continue
            line = text.rfind("\n", 0, function.start()) + 1
            indent = re.match(" *", text[line:])[0]
            end = re.compile(rf"(?m)^{indent}\}}").search(text, function.end())
            name = match[1] or function[1].strip("`")
            body = text[function.end():end.end() if end else len(text)]
            found[name] = found.get(name, 0) + len(EXPECTATION.findall(body))
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE
    before, after = names(pathlib.Path(sys.argv[1])), names(root)
    if not before[0] or not after[0]:
        sys.exit("no tests found")
    document = (root / "Documentation" / "tests-merged.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")] for line in document.split("\n") if line.startswith("| ")]
    names_now = {row[1]: row[2] for row in rows if not row[2].isdigit()}
    unaccounted = 0
    for kind, old, new in zip(("tests", "suites"), before, after):
        gone = sorted(old.keys() - new.keys())
        print(f"{kind}: {len(old)} before, {len(new)} now, {len(gone)} of the earlier names gone")
        for name in gone:
            is_known = f"| {name} |" in document
            unaccounted += not is_known
            print(f"  {'' if is_known else 'NOT ACCOUNTED FOR: '}{name} ({old[name]})")
    counts, counts_now = (expectations(path) for path in (pathlib.Path(sys.argv[1]), root))
    fewer = sorted(
        (name, number, now) for name, number in counts.items()
        if (now := counts_now.get(name, counts_now.get(names_now.get(name)))) is not None and now < number)
    print(f"{len(fewer)} tests have fewer expectations in their own text than before")
    for name, number, now in fewer:
        is_known = f"| {name} | {number} | {now} |" in document
        unaccounted += not is_known
        print(f"  {'' if is_known else 'NOT ACCOUNTED FOR: '}{name}: {number}, now {now}")
    sys.exit(unaccounted > 0)


main()
