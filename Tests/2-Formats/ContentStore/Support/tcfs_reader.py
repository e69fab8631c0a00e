"""Reads a store of tcfs, of whatever era, and demands that everything in it fits together.

    tcfs_reader.py STORE [--prefix PREFIX] [--key-file FILE] [--identity-file FILE] [--device NAME]
                   [--output FOLDER] [--portable] [--orphans] [--ignore PATTERN]
    tcfs_reader.py --available      reads nothing; fails where something is not installed

STORE is a folder in which the keys of objects are paths, PREFIX a part of all keys. Prints JSON lines, in the order of the paths:
`path`, `kind` (`file`, `symlink`, `directory`, `deleted`, `unfinished`), and of files `size`, `blake3`, `mode`, `mtime`,
`manifest`, of links `target`. What an upload left unfinished is rolled forward as its readers do; nothing is written.

The master key is 32 bytes, or 64 hexadecimal digits; `-` is the standard input. An identity is that of age, for per-device keys.

    --portable   everything is to be as the portable layout has it, byte for byte: what every program of tcfs reads
    --orphans    also lines of kind `orphan` for manifests and chunks that no entry leads to, with their `key`
    --ignore     keys that match this expression are no objects: temporary files, for example

Any contradiction ends it with status 1 and a reason.
"""

import argparse
import json
import os
import pathlib
import re
import stat
import sys

import tcfs_format as tcfs
from tcfs_format import Contradiction, demand, field

MANIFEST_FIELDS = ["version", "file_hash", "file_size", "chunks", "vclock", "written_by", "written_at", "rel_path", "mode",
                   "mtime", "encrypted_file_key", "wrapped_file_keys"]


class Store:
    """Objects in a folder."""

    def __init__(self, folder: pathlib.Path, prefix: str, ignored: str | None = None) -> None:
        self.root = folder / prefix
        self.prefix = prefix.strip("/")
        self.ignored = re.compile(ignored) if ignored else None
        demand(self.root.is_dir(), f"{self.root}: no store")

    def keys(self, part: str) -> list[str]:
        """Below a part, in the order of their bytes."""
        found = [
            path.relative_to(self.root / part).as_posix() for path in (self.root / part).rglob("*")
            if path.is_file() or path.is_symlink()]
        return sorted((key for key in found if not self.ignored or not self.ignored.search(key)), key=os.fsencode)

    def get(self, key: str) -> bytes | None:
        path = self.root / key
        demand(not path.is_symlink(), f"{key}: a link is no object")
        return path.read_bytes() if path.is_file() else None


class Entry:
    """What an entry of the index says, rolled forward."""

    def __init__(self, store: Store, path: str, content: bytes) -> None:
        self.state = "committed"
        self.evidence: dict | None = None
        self.reference: dict | None = None
        self.manifest: bytes | None = None
        self.is_text = not content.startswith(b"{")
        if self.is_text:
            self.read_text(path, content)
        else:
            self.read_document(store, path, tcfs.parsed(content, f"index/{path}"))

    def read_text(self, path: str, content: bytes) -> None:
        try:
            lines = content.decode().split("\n")
        except UnicodeDecodeError:
            raise Contradiction(f"index/{path}: not a text") from None
        values = dict(line.split("=", 1) for line in lines if "=" in line)
        demand("manifest_hash" in values, f"index/{path}: it names no manifest")
        reference: dict = {"manifest_hash": values["manifest_hash"]}
        for name in ("size", "chunks"):
            text = values.get(name, "0")
            demand(re.fullmatch(r"[0-9]{1,20}", text) is not None, f"index/{path}: {name} is no number: {text!r}")
            reference[name] = int(text)
        self.reference = self.checked(reference, f"index/{path}", {2})

    def read_document(self, store: Store, path: str, document: dict) -> None:
        what = f"index/{path}"
        version = field(document, "version", int, what, bits=32)
        self.state = field(document, "state", str, what)
        current, pending = document.get("current"), document.get("pending")
        demand(version in (2, 3, 4), f"{what}: version {version}")
        demand((version == 4) == (self.state == "deleted"), f"{what}: version {version} with the state {self.state}")
        kinds = {2: {2}, 3: {2, 3}, 4: set()}[version]
        match self.state:
            case "committed":
                demand(current is not None and pending is None, f"{what}: committed without being so")
            case "preparing":
                demand(pending is not None, f"{what}: nothing is being prepared")
            case "deleted":
                demand(current is None and pending is None, f"{what}: deleted and there")
                self.evidence = document.get("deletion_evidence")
            case _:
                raise Contradiction(f"{what}: the state {self.state!r}")
        if current is not None:
            self.reference = self.checked(current, what, kinds)
        if pending is not None:
            self.roll_forward(store, what, self.checked(pending, what, kinds))
        demand(
            version != 3 or any(part and part.get("kind") == "symlink" for part in (current, pending)),
            f"{what}: version 3 without a link")

    @staticmethod
    def checked(reference: dict, what: str, kinds: set[int]) -> dict:
        demand(type(reference) is dict, f"{what}: not a reference")
        name = field(reference, "manifest_hash", str, what)
        demand(tcfs.is_component(name), f"{what}: {name!r} is no name of a manifest")
        field(reference, "size", int, what)
        field(reference, "chunks", int, what)
        kind = reference.get("kind", "regular_file")
        demand(kind in ("regular_file", "symlink"), f"{what}: the kind {kind!r}")
        demand(kind == "regular_file" or 3 in kinds, f"{what}: a link in an entry of an earlier version")
        demand((kind == "symlink") == ("symlink_target" in reference), f"{what}: a kind with another's target")
        return reference

    def roll_forward(self, store: Store, what: str, pending: dict) -> None:
        name, staged = pending["manifest_hash"], field(pending, "staged_manifest_key", str, what)
        begin = f"{store.prefix}/staging/manifests/" if store.prefix else "staging/manifests/"
        demand(
            re.fullmatch(re.escape(begin) + tcfs.UUID + "-" + re.escape(name) + r"\.json", staged) is not None,
            f"{what}: staged elsewhere: {staged!r}")
        if store.get(f"manifests/{name}") is not None:
            self.reference = pending
        elif (content := store.get(staged[len(store.prefix):].lstrip("/"))) is not None:
            self.reference, self.manifest = pending, content


class Reader:
    def __init__(self, store: Store, arguments: argparse.Namespace, master: bytes | None, identity: str | None) -> None:
        self.store = store
        self.is_portable = arguments.portable
        self.output: pathlib.Path | None = arguments.output
        self.device: str | None = arguments.device
        self.master, self.identity = master, identity
        self.manifests: set[str] = set()
        self.chunks: set[str] = set()

    def lines(self):
        for path in self.store.keys("index"):
            yield self.line(path)
        self.check_reservations()

    def line(self, path: str) -> dict:
        content = self.store.get(f"index/{path}")
        if path == tcfs.MARKER_NAME or path.endswith("/" + tcfs.MARKER_NAME):
            demand(content == tcfs.DIRECTORY_MARKER, f"index/{path}: not what marks a directory")
            folder = path.removesuffix(tcfs.MARKER_NAME).rstrip("/")
            self.check_path(folder, "a marker", is_strict=self.is_portable)
            if self.output:
                (self.output / folder).mkdir(parents=True, exist_ok=True)
            return {"path": folder, "kind": "directory"}
        entry = Entry(self.store, path, content)
        if self.is_portable and entry.state != "deleted":
            demand(
                entry.is_text and content == tcfs.text_entry(*(entry.reference[name] for name in (
                    "manifest_hash", "size", "chunks"))), f"index/{path}: not as the portable layout has it")
        if entry.state == "deleted":
            self.check_evidence(path, entry.evidence)
            return {"path": path, "kind": "deleted"}
        if entry.reference is None:
            return {"path": path, "kind": "unfinished"}
        return self.entry(path, entry)

    def check_path(self, path: str, what: str, is_strict: bool) -> None:
        reason = tcfs.why_not_canonical(path)
        demand(not is_strict or reason is None, f"{what}: {path!r}: {reason}")

    def check_evidence(self, path: str, evidence: dict | None) -> None:
        if evidence is None:
            return
        what = f"index/{path}"
        key, expected = field(evidence, "safety_copy_key", str, what), field(evidence, "safety_copy_blake3", str, what)
        inside = key[len(self.store.prefix):].lstrip("/") if key.startswith(self.store.prefix) else ""
        demand(inside.startswith(".tcfs-trash/") and inside.endswith("/" + path), f"{what}: kept elsewhere: {key!r}")
        demand(all(map(tcfs.is_component, inside.split("/"))), f"{what}: kept elsewhere: {key!r}")
        copy = self.store.get(inside)
        demand(copy is None or tcfs.digest(copy) == expected, f"{key}: not what was deleted")

    # A manifest

    def entry(self, path: str, entry: Entry) -> dict:
        reference = entry.reference
        name = reference["manifest_hash"]
        what = f"manifests/{name}"
        content = entry.manifest if entry.manifest is not None else self.store.get(what)
        demand(content is not None, f"index/{path}: {what} is missing")
        self.manifests.add(name)
        if not content.startswith(b"{"):
            return self.oldest(path, entry, content)
        manifest = tcfs.parsed(content, what)
        if self.is_portable:
            demand(tcfs.pretty(manifest) == content, f"{what}: not in the form that all programs write")
        version = field(manifest, "version", int, what, bits=32)
        demand(version in (2, 3), f"{what}: version {version}")
        self.check_origin(manifest, what)
        is_link = manifest.get("kind") == "symlink"
        demand(is_link == (reference.get("kind") == "symlink"), f"index/{path}: it names another kind than {what}")
        rel_path = manifest.get("rel_path")
        demand(rel_path is None or type(rel_path) is str, f"{what}: rel_path is no text")
        own = tcfs.labelled(tcfs.MANIFEST_LABEL, content)
        if name == own:
            demand(rel_path == path, f"{what}: it is of {rel_path!r}, not of {path!r}")
            self.check_path(path, what, is_strict=True)
        else:
            demand(not self.is_portable, f"{what}: its name is not that of its content")
            self.check_path(path, what, is_strict=not entry.is_text)
        line = (self.link if is_link else self.file)(path, own, reference, manifest)
        # The first path of a content that several have: a custom of the first era.
        return line | ({"rel_path": rel_path} if rel_path != path else {})

    def check_origin(self, manifest: dict, what: str) -> None:
        clocks = field(field(manifest, "vclock", dict, what), "clocks", dict, what)
        for device in clocks:
            field(clocks, device, int, f"{what}: clocks")
        field(manifest, "written_by", str, what)
        field(manifest, "written_at", int, what)
        if self.is_portable:
            demand(list(clocks) == sorted(clocks, key=str.encode), f"{what}: the clocks are not in order")

    def link(self, path: str, own: str, reference: dict, manifest: dict) -> dict:
        name = reference["manifest_hash"]
        what = f"manifests/{name}"
        target = field(manifest, "symlink_target", str, what)
        demand(manifest["version"] == 3 and not self.is_portable, f"{what}: a link, in version {manifest['version']}")
        demand(target != "" and not re.search(r"[\0-\x1f\x7f-\x9f]", target), f"{what}: the target {target!r}")
        demand(target == reference["symlink_target"], f"index/{path}: another target than that of {what}")
        demand((reference["size"], reference["chunks"]) == (len(target.encode()), 0), f"index/{path}: not the size of a link")
        demand(
            name in (own, tcfs.labelled(tcfs.SYMLINK_LABEL, target.encode())), f"{what}: its name is not that of its content")
        if self.output:
            self.make_link(path, target)
        return {"path": path, "kind": "symlink", "target": target}

    def file(self, path: str, own: str, reference: dict, manifest: dict) -> dict:
        name = reference["manifest_hash"]
        what = f"manifests/{name}"
        demand("kind" not in manifest or manifest["kind"] == "regular_file", f"{what}: the kind {manifest.get('kind')!r}")
        known = [field for field in MANIFEST_FIELDS if field in manifest]
        demand(not self.is_portable or list(manifest) == known, f"{what}: its fields are {list(manifest)}")
        file_hash, size = field(manifest, "file_hash", str, what), field(manifest, "file_size", int, what)
        demand(tcfs.HEX.fullmatch(file_hash) is not None, f"{what}: the hash {file_hash!r}")
        demand(name in (file_hash, own), f"{what}: its name is of nothing in it")
        chunks = field(manifest, "chunks", list, what)
        demand(reference["size"] == size, f"index/{path}: {reference['size']} bytes, and {what} says {size}")
        demand(reference["chunks"] == len(chunks), f"index/{path}: {reference['chunks']} chunks, and {what} has {len(chunks)}")
        self.check_wraps(manifest, what)
        key = tcfs.unwrapped(manifest, self.master, self.identity, self.device)
        self.copy(path, what, chunks, file_hash, size, key)
        line = {"path": path, "kind": "file", "size": size, "blake3": file_hash, "manifest": name, "encrypted": key is not None}
        return line | self.attributes(path, manifest, what)

    def check_wraps(self, manifest: dict, what: str) -> None:
        if "encrypted_file_key" in manifest:
            field(manifest, "encrypted_file_key", str, what)
        wraps = field(manifest, "wrapped_file_keys", list, what) if "wrapped_file_keys" in manifest else []
        for wrap in wraps:
            demand(type(wrap) is dict, f"{what}: a wrapped key is not an object")
            for name in ("recipient_device_id", "recipient", "algorithm", "wrapped_key"):
                field(wrap, name, str, what)
        demand(manifest["version"] == 2 or wraps, f"{what}: version 3 without keys of devices")

    def attributes(self, path: str, manifest: dict, what: str) -> dict:
        found: dict = {}
        if "mode" in manifest:
            found["mode"] = field(manifest, "mode", int, what, bits=32)
            demand(stat.S_IFMT(found["mode"]) in (0, stat.S_IFREG), f"{what}: the mode {found['mode']:o} is of no file")
        if "mtime" in manifest:
            times = field(manifest, "mtime", list, what)
            demand(len(times) == 2, f"{what}: mtime is not a pair")
            pair = {"seconds": times[0], "nanoseconds": times[1]}
            field(pair, "seconds", int, what, is_signed=True)
            demand(field(pair, "nanoseconds", int, what) < 1_000_000_000, f"{what}: {times[1]} nanoseconds")
            found["mtime"] = times
        if self.output:
            self.set_attributes(self.output / path, found)
        return found

    def oldest(self, path: str, entry: Entry, content: bytes) -> dict:
        """A manifest that is the names of chunks: its own name, the hash of all bytes, is what it can be judged by."""
        name = entry.reference["manifest_hash"]
        what = f"manifests/{name}"
        demand(entry.is_text and not self.is_portable, f"index/{path}: {what} is of version 1")
        demand(tcfs.HEX.fullmatch(name) is not None, f"{what}: a manifest of version 1 is named by a hash")
        try:
            chunks = content.decode().split()
        except UnicodeDecodeError:
            raise Contradiction(f"{what}: not a text") from None
        demand(len(chunks) == entry.reference["chunks"], f"index/{path}: not as many chunks as {what} has")
        size = entry.reference["size"]
        self.copy(path, what, chunks, name, size, None)
        return {"path": path, "kind": "file", "size": size, "blake3": name, "manifest": name, "encrypted": False}

    # Content

    def copy(self, path: str, what: str, chunks: list, file_hash: str, size: int, key: bytes | None) -> None:
        """Reads all chunks, and puts them into the output where there is one."""
        target = None
        if self.output:
            place = self.output_path(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            target = place.open("xb")
        hasher, length = tcfs.blake3(), 0
        for number, name in enumerate(chunks):
            demand(type(name) is str and tcfs.is_component(name), f"{what}: {name!r} is no name of a chunk")
            stored = self.store.get(f"chunks/{name}")
            demand(stored is not None, f"{what}: chunks/{name} is missing")
            demand(tcfs.digest(stored) == name, f"chunks/{name}: its name is not that of its content")
            self.chunks.add(name)
            if key is not None:
                stored = tcfs.opened(key, stored, tcfs.place(number, file_hash), f"{what}: chunks/{name}")
            hasher.update(stored)
            length += len(stored)
            if target:
                target.write(stored)
        if target:
            target.close()
        demand(length == size, f"{what}: {length} bytes, not {size}")
        demand(hasher.hexdigest() == file_hash, f"{what}: the content is not that of its hash")

    def output_path(self, path: str) -> pathlib.Path:
        demand(all(map(tcfs.is_component, path.split("/"))), f"{path!r} leads elsewhere")
        place = self.output / path
        demand(place.parent.resolve().is_relative_to(self.output.resolve()), f"{path!r} leads through a link")
        return place

    def make_link(self, path: str, target: str) -> None:
        place = self.output_path(path)
        steps: list[str] = path.split("/")[:-1]
        demand(not target.startswith("/"), f"{path!r}: the link {target!r} is absolute")
        for step in target.split("/"):
            demand(step != ".." or steps, f"{path!r}: the link {target!r} leads out of the tree")
            steps = steps[:-1] if step == ".." else steps if step in ("", ".") else steps + [step]
            demand(step.casefold() != ".git", f"{path!r}: the link {target!r} leads into .git")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)

    def set_attributes(self, place: pathlib.Path, found: dict) -> None:
        if "mode" in found:
            place.chmod(stat.S_IMODE(found["mode"]) & 0o777)
        if "mtime" in found:
            moment = found["mtime"][0] * 1_000_000_000 + found["mtime"][1]
            os.utime(place, ns=(moment, moment))

    # Everything else

    def check_reservations(self) -> None:
        for name in self.store.keys(".tcfs-namespace/v1"):
            what = f".tcfs-namespace/v1/{name}"
            document = tcfs.parsed(self.store.get(what), what)
            path, role = field(document, "exact_path", str, what), field(document, "role", str, what)
            demand(field(document, "version", int, what) == 1, f"{what}: another version")
            demand(role in ("file", "directory"), f"{what}: the role {role!r}")
            demand(field(document, "folded_path", str, what) == tcfs.folded(path), f"{what}: not folded as {path!r} is")
            demand(name == tcfs.reservation_name(path), f"{what}: its name is not that of {path!r}")

    def orphans(self):
        for part, reached in (("manifests", self.manifests), ("chunks", self.chunks)):
            for name in self.store.keys(part):
                if name not in reached:
                    content = self.store.get(f"{part}/{name}")
                    demand(part == "manifests" or tcfs.digest(content) == name, f"chunks/{name}: its name is not of its content")
                    yield {"kind": "orphan", "key": f"{part}/{name}", "size": len(content)}


def key_of(place: str) -> bytes:
    content = sys.stdin.buffer.read() if place == "-" else pathlib.Path(place).read_bytes()
    if len(content) != 32:
        try:
            content = bytes.fromhex(content.decode().strip())
        except (UnicodeDecodeError, ValueError):
            content = b""
    demand(len(content) == 32, "a master key is 32 bytes, or 64 hexadecimal digits")
    return content


def identity_of(place: pathlib.Path) -> str:
    lines = [line.strip() for line in place.read_text().splitlines()]
    return next(line for line in lines if line.startswith("AGE-SECRET-KEY-"))


def parsed_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("store", type=pathlib.Path, nargs="?")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--key-file")
    parser.add_argument("--identity-file", type=pathlib.Path)
    parser.add_argument("--device")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--portable", action="store_true")
    parser.add_argument("--orphans", action="store_true")
    parser.add_argument("--ignore")
    parser.add_argument("--available", action="store_true")
    return parser.parse_args(arguments)


def read(arguments: argparse.Namespace):
    """The lines of a store."""
    master = key_of(arguments.key_file) if arguments.key_file else None
    identity = identity_of(arguments.identity_file) if arguments.identity_file else None
    reader = Reader(Store(arguments.store, arguments.prefix, arguments.ignore), arguments, master, identity)
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
    yield from reader.lines()
    if arguments.orphans:
        yield from reader.orphans()


def main() -> None:
    arguments = parsed_arguments()
    if arguments.available:
        return
    try:
        for line in read(arguments):
            print(json.dumps(line, ensure_ascii=False))
    except Contradiction as reason:
        sys.exit(f"{arguments.store}: {reason}")


if __name__ == "__main__":
    main()
