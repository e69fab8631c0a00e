"""Writes the JSON Schemas of Documentation/schemas into a source of the program: embed-schemas.py [--check]

`valise schema` prints them, and the program is one file without data beside it. With --check the source is compared.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEMAS = ROOT / "Documentation/schemas"
SOURCE = ROOT / "Sources/4-Operations/Valise/Documents/DocumentSchemas.swift"

BEGINNING = """\
// swift-format-ignore-file
// Written by Scripts/embed-schemas.py from Documentation/schemas.

/// The JSON Schemas of the documents that reports and failures are encoded as, by name, each on one line.
package enum DocumentSchemas {
    package static let all: [String: String] = [
"""


def source() -> str:
    lines = []
    for path in sorted(SCHEMAS.glob("*.json")):
        text = json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False, separators=(",", ":"))
        if '"##' in text:
            raise SystemExit(f"{path.name}: would end the literal")
        lines.append(f'        "{path.stem}": ##"{text}"##,\n')
    return BEGINNING + "".join(lines) + "    ]\n}\n"


def main() -> None:
    if "--check" in sys.argv:
        if SOURCE.read_text(encoding="utf-8") != source():
            sys.exit("DocumentSchemas.swift is out of date: run Scripts/embed-schemas.py")
        return
    SOURCE.parent.mkdir(exist_ok=True)
    SOURCE.write_text(source(), encoding="utf-8")


main()
