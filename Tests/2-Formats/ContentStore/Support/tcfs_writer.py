"""Writes a store of tcfs from a folder, as programs of an era do, so that a reader meets what none of Valise's code wrote.

    tcfs_writer.py FOLDER STORE [--prefix PREFIX] [--layout LAYOUT] [--key-file FILE] [--device NAME]
    tcfs_writer.py --unpack VECTOR.json STORE       the objects of a vector, as files

LAYOUT is one of the vectors': `v0.5.0` (era A, the default), `main-2026-07` (era D), `portable`. With a master key (32 bytes, or 64
hexadecimal digits; `-` is the standard input) the chunks are encrypted. Regular files only; their times become those of the
manifests.
"""

import argparse
import base64
import json
import os
import pathlib
import stat
import sys

import tcfs_format as tcfs
import tcfs_reader

LAYOUTS = ["v0.5.0", "main-2026-07", "portable"]
# By the extensions of either era: what no era knows otherwise.
SMALL, PACK, LARGE = (2048, 4096, 16384), (32768, 65536, 262144), (1 << 20, 4 << 20, 16 << 20)


def sizes_of(path: str, layout: str) -> tuple[int, int, int]:
    """The least, the average and the most bytes of a chunk."""
    extension = path.rsplit("/", 1)[-1].rpartition(".")[2] if "." in path.rsplit("/", 1)[-1] else ""
    if layout == "v0.5.0":
        return PACK if extension in ("pack", "bin", "iso", "img") else SMALL
    if extension in ("pack", "rev", "iso", "img"):
        return LARGE
    return PACK if extension in ("idx", "bin") else SMALL


def chunks_of(content: bytes, sizes: tuple[int, int, int]):
    import pyfastcdc
    least, average, most = sizes
    for chunk in pyfastcdc.FastCDC(average, min_size=least, max_size=most).cut_buf(content):
        yield bytes(chunk.data)


class Writer:
    def __init__(self, store: pathlib.Path, prefix: str, layout: str, master: bytes | None, device: str) -> None:
        self.root = store / prefix
        self.layout, self.master, self.device = layout, master, device

    def put(self, key: str, content: bytes, is_absent: bool = False) -> None:
        path = self.root / key
        if is_absent and path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def add(self, path: str, content: bytes, mode: int, mtime: tuple[int, int], written_at: int) -> None:
        """A file. The first era knows neither its mode nor its time."""
        file_hash = tcfs.digest(content)
        is_first = self.layout == "v0.5.0"
        if is_first and (self.root / "manifests" / file_hash).exists():
            manifest = json.loads((self.root / "manifests" / file_hash).read_bytes())
            self.put(f"index/{path}", tcfs.text_entry(file_hash, len(content), len(manifest["chunks"])))
            return
        key = os.urandom(32) if self.master else None
        names = [self.add_chunk(number, chunk, key, file_hash) for number, chunk in enumerate(
            chunks_of(content, sizes_of(path, self.layout)) if content else [])]
        manifest = {
            "version": 2, "file_hash": file_hash, "file_size": len(content), "chunks": names,
            "vclock": {"clocks": {self.device: 1}}, "written_by": self.device, "written_at": written_at, "rel_path": path}
        if not is_first:
            manifest |= {"mode": mode, "mtime": list(mtime)}
        if key:
            manifest["encrypted_file_key"] = base64.b64encode(tcfs.seal(self.master, key, None)).decode()
        text = tcfs.pretty(manifest)
        name = file_hash if is_first else tcfs.labelled(tcfs.MANIFEST_LABEL, text)
        self.put(f"manifests/{name}", text)
        self.put(f"index/{path}", self.entry(name, len(content), len(names)))
        if self.layout == "main-2026-07":
            self.reserve(path)

    def add_chunk(self, number: int, chunk: bytes, key: bytes | None, file_hash: str) -> str:
        stored = tcfs.seal(key, chunk, tcfs.place(number, file_hash)) if key else chunk
        name = tcfs.digest(stored)
        self.put(f"chunks/{name}", stored, is_absent=self.layout == "v0.5.0")
        return name

    def entry(self, name: str, size: int, chunks: int) -> bytes:
        if self.layout != "main-2026-07":
            return tcfs.text_entry(name, size, chunks)
        current = {"manifest_hash": name, "size": size, "chunks": chunks}
        return tcfs.pretty({"version": 2, "state": "committed", "current": current, "pending": None})

    def reserve(self, path: str) -> None:
        """The path and all folders above it."""
        steps = path.split("/")
        for count in range(1, len(steps) + 1):
            exact = "/".join(steps[:count])
            text = reservation(exact, "file" if count == len(steps) else "directory")
            self.put(f".tcfs-namespace/v1/{tcfs.reservation_name(exact)}", text, is_absent=True)


def reservation(path: str, role: str) -> bytes:
    document = {"version": 1, "exact_path": path, "folded_path": tcfs.folded(path), "role": role}
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


def unpack(vector: dict, store: pathlib.Path) -> None:
    for item in vector["objects"]:
        path = store / item["key"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(item["b64"]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("store", type=pathlib.Path)
    parser.add_argument("--prefix", default="")
    parser.add_argument("--layout", choices=LAYOUTS, default=LAYOUTS[0])
    parser.add_argument("--key-file")
    parser.add_argument("--device", default="dev-a")
    parser.add_argument("--unpack", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.unpack:
        return unpack(json.loads(arguments.unpack.read_text()), arguments.store)
    if not arguments.folder:
        parser.error("what is to be written?")
    try:
        master = tcfs_reader.key_of(arguments.key_file) if arguments.key_file else None
    except tcfs.Contradiction as reason:
        sys.exit(str(reason))
    writer = Writer(arguments.store, arguments.prefix, arguments.layout, master, arguments.device)
    for place in sorted(arguments.folder.rglob("*"), key=lambda place: place.as_posix().encode()):
        attributes = place.lstat()
        if not stat.S_ISREG(attributes.st_mode):
            continue
        seconds, nanoseconds = divmod(attributes.st_mtime_ns, 1_000_000_000)
        writer.add(
            place.relative_to(arguments.folder).as_posix(), place.read_bytes(), attributes.st_mode, (seconds, nanoseconds),
            max(seconds, 0))


if __name__ == "__main__":
    main()
