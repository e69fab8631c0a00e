"""Tars, cpios and 7zs of one account that are intact, damaged or made to do harm, one file for each case.

Usage: tars.py ACCOUNT OUT

ACCOUNT is a folder with the entries of an archive; OUT is made. Headers are written by hand, since no program writes most of
them. The names of the files are those of the table in Documentation/formats/container-verdicts.md.
"""

import gzip
import lzma
import pathlib
import subprocess
import sys

BLOCK = 512
END = bytes(2 * BLOCK)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % BLOCK)


def header(name: bytes, kind: bytes = b"0", size: int = 0, link: bytes = b"", field: bytes | None = None) -> bytes:
    """One header of ustar, whatever its fields mean."""
    before = name.ljust(100, b"\0") + b"0000600\0" + b"0000000\0" * 2
    before += (field or b"%011o\0" % size) + b"15166700000\0"
    after = kind + link.ljust(100, b"\0") + b"ustar\x0000"
    after = after.ljust(BLOCK - len(before) - 8, b"\0")
    total = sum(before) + sum(after) + 8 * 0x20
    return before + b"%06o\0 " % total + after


def entry(name: bytes, data: bytes = b"", kind: bytes = b"0", size: int | None = None, **more) -> bytes:
    return header(name, kind, len(data) if size is None else size, **more) + padded(data)


def pax(**records: bytes) -> bytes:
    data = b""
    for key, value in records.items():
        rest = b" " + key.replace("_", ".").encode() + b"=" + value + b"\n"
        length = len(rest)
        while len(str(length)) + len(rest) != length:
            length += 1
        data += str(length).encode() + rest
    return entry(b"pax", data, b"x")


def account(folder: pathlib.Path) -> list[bytes]:
    """The entries of the account, the databases first."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    files.sort(key=lambda path: not path.name.endswith(".db"))
    return [entry(str(path.relative_to(folder)).encode(), path.read_bytes()) for path in files]


def tars(entries: list[bytes]) -> dict[str, bytes]:
    whole = b"".join(entries)
    media = b"simplex_v1_files"

    def with_entry(*more: bytes) -> bytes:
        return whole + b"".join(more) + END

    big = 64 << 20
    cut = len(whole) - len(entries[-1])
    return {
        "intact": whole + END,
        "dot-names": entry(b"./", kind=b"5") + b"".join(
            header(b"./" + one[:100].rstrip(b"\0"), size=int(one[124:135], 8)) + one[BLOCK:] for one in entries) + END,
        "other-files": with_entry(entry(b"notes/readme", b"x")),
        "long-name": with_entry(pax(path=media + b"/" + b"l" * 200), entry(b"short", b"x")),
        "one-end-block": whole + bytes(BLOCK),
        "many-entries": with_entry(*(entry(media + b"/n%04d" % number) for number in range(4000))),
        "absolute": with_entry(entry(b"/tmp/x", b"x")),
        "parent": with_entry(entry(media + b"/../../x", b"x")),
        "parent-in-pax": with_entry(pax(path=b"../x"), entry(b"x", b"x")),
        "inner-dot": with_entry(entry(media + b"/./x", b"x")),
        "backslash": with_entry(entry(media + b"\\x", b"x")),
        "control": with_entry(entry(media + b"/\x1b[2J", b"x")),
        "device-name": with_entry(entry(media + b"/aux.txt", b"x")),
        "not-utf8": with_entry(entry(media + b"/\xff\xfe", b"x")),
        "too-long-name": with_entry(pax(path=b"l" * 300), entry(b"short", b"x")),
        "symbolic-link": with_entry(entry(b"link", kind=b"2", link=b"/etc/passwd")),
        "through-a-link": with_entry(entry(b"link", kind=b"2", link=b"/tmp"), entry(b"link/x", b"x")),
        "hard-link": with_entry(entry(b"x", kind=b"1", link=b"simplex_v1_chat.db")),
        "hard-link-outside": with_entry(entry(b"x", kind=b"1", link=b"/etc/passwd")),
        "character-device": with_entry(entry(b"x", kind=b"3")),
        "block-device": with_entry(entry(b"x", kind=b"4")),
        "pipe": with_entry(entry(b"x", kind=b"6")),
        "duplicate": with_entry(entries[0]),
        "case-duplicate": with_entry(entry(b"SIMPLEX_v1_chat.db", b"x")),
        "file-as-folder": with_entry(entry(b"simplex_v1_chat.db/x", b"x")),
        "folder-with-content": with_entry(entry(b"folder/", b"x")),
        "huge-size": with_entry(header(b"x", size=1 << 32)),
        "size-past-the-end": with_entry(header(b"x", size=1 << 20)),
        "negative-size": with_entry(header(b"x", field=b"\xff" * 12)),
        "sparse-bomb": with_entry(
            pax(GNU_sparse_major=b"1", GNU_sparse_minor=b"0", GNU_sparse_name=b"x", GNU_sparse_realsize=b"%d" % (1 << 40)),
            entry(b"x", padded(b"1\n0\n1\n") + b"x")),
        "header-checksum": whole[:cut + 150] + b"7" + whole[cut + 151:] + END,
        "cut-in-content": whole[:len(whole) // 2 - 100],
        "cut-in-header": whole[:cut + 200],
        "cut-between-entries": whole[:cut],
        "no-end": whole,
        "second-tar": whole + END + entry(b"hidden", b"x") + END,
        "garbage-behind": whole + END + b"garbage",
        "gzip": gzip.compress(whole + END, 1),
        "xz": lzma.compress(whole + END, preset=0),
        "gzip-twice": gzip.compress(gzip.compress(whole + END, 1), 1),
        "gzip-cut": gzip.compress(whole + END, 1)[:-300],
        "gzip-checksum": (lambda data: data[:-8] + bytes([data[-8] ^ 1]) + data[-7:])(gzip.compress(whole + END, 1)),
        "xz-cut": lzma.compress(whole + END, preset=0)[:-4],
        "gzip-bomb": gzip.compress(header(b"x", size=big) + bytes(big) + END, 9),
        "gzip-bomb-behind": gzip.compress(entries[-1] + END + bytes(big), 9),
        "gzip-text": gzip.compress(b"This is no archive.\n" * 1000),
        "no-databases": entry(b"notes", b"x") + END,
    }


def made_by_7z(folder: pathlib.Path, out: pathlib.Path) -> None:
    for name, options in [("7z", []), ("7z-passphrase", ["-psecret"]), ("7z-hidden-names", ["-psecret", "-mhe=on"])]:
        path = out / f"{name}.7z"
        subprocess.run(["7z", "a", "-bd", *options, path, "."], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        path.rename(out / name)


def main() -> None:
    folder, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir()
    for name, data in tars(account(folder)).items():
        (out / name).write_bytes(data)
    made_by_7z(folder.absolute(), out.absolute())


main()
