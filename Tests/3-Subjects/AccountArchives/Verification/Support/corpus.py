#!/usr/bin/env python3
"""Builds the corpus of whole, broken and hostile archives.

    corpus.py ACCOUNTS OUT

ACCOUNTS holds what `valise archive export` made: account.zip, and its variants (see CorpusAccounts.swift).
OUT gets CASE.zip for every case, and cases.json with what `valise archive verify` has to say of each. The same
ACCOUNTS give the same bytes.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True

from cases import ALL, Account  # noqa: E402
from kinds import accounts, content, ends, headers, names, sizes, whole  # noqa: E402, F401


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    account = Account(sys.argv[1])
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    listed = []
    for case in ALL:
        archive = case.make(account)
        (out / f"{case.name}.zip").write_bytes(archive)
        listed.append({
            "name": case.name, "kind": case.kind, "what": case.what, "status": case.status, "says": case.says,
            "key": case.key, "intact": all(data in archive for data in account.contents.values()),
        })
    (out / "cases.json").write_text(json.dumps(listed, indent=1))


main()
