"""Whether the reader and the writer beside this do what the vectors say, and whether the reader notices what is wrong.

    tcfs_selftest.py VECTORS [SEED]

Each whole store is read back, and written anew with the same bytes where nothing in it is random. Then every object of it is
changed in one bit, shortened and removed in turn: the reader has to refuse it, or to read the same files. The documents of all
other kinds are read in stores of their own.
"""

import base64
import json
import pathlib
import random
import sys
import tempfile

import tcfs_format as tcfs
import tcfs_reader
import tcfs_writer
from tcfs_format import Contradiction

MASK = (1 << 64) - 1


def xorshift(seed: int, length: int) -> bytes:
    state, content = seed, bytearray()
    while len(content) < length:
        state ^= state >> 12
        state ^= state << 25 & MASK
        state ^= state >> 27
        content += (state * 0x2545F4914F6CDD1D & MASK).to_bytes(8, "little")
    return bytes(content[:length])


def generated(source: dict) -> bytes:
    """An input as fastcdc.json describes it."""
    length = source["len"]
    match source["kind"]:
        case "xorshift64star": content = xorshift(int(source["seed_hex"], 16), length)
        case "repeat": content = bytes([source["byte"]]) * length
        case "cycle256": content = (bytes(range(256)) * (length // 256 + 1))[:length]
        case "mul7": content = bytes((number * 7 ^ number >> 3) & 255 for number in range(length))
        case kind: sys.exit(f"an input of an unknown kind: {kind}")
    if insert := source.get("insert"):
        content = content[:insert["offset"]] + bytes([insert["byte"]]) + content[insert["offset"]:]
    return content


def plaintext(description: str) -> bytes:
    if description == "zero bytes":
        return b""
    words = description.split()
    return xorshift(int(words[words.index("seed") + 1], 16), int(words[-1]))


def check(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"failed: {what}")


class World:
    """In a folder of its own."""

    def __init__(self, vectors: pathlib.Path, folder: pathlib.Path) -> None:
        self.vectors, self.folder = vectors, folder
        self.number = 0

    def vector(self, name: str) -> dict:
        return json.loads((self.vectors / name).read_text())

    def new(self) -> pathlib.Path:
        self.number += 1
        return self.folder / str(self.number)

    def read(self, store: pathlib.Path, *others: str, key: str | None = None) -> list[dict]:
        options = ["--prefix", "acct/demo", *others]
        if key:
            (self.folder / "key").write_text(key)
            options += ["--key-file", str(self.folder / "key")]
        return list(tcfs_reader.read(tcfs_reader.parsed_arguments([str(store), *options])))

    def refuses(self, store: pathlib.Path, *others: str, key: str | None = None) -> bool:
        try:
            self.read(store, *others, key=key)
        except Contradiction:
            return True
        return False

    # Whole stores

    def check_store(self, name: str) -> None:
        vector = self.vector(name)
        store, output, key = self.new(), self.new(), vector["master_key_hex"]
        tcfs_writer.unpack(vector, store)
        lines = self.read(store, "--output", str(output), "--orphans", key=key)
        expected = {file["rel_path"]: file for file in vector["files"]}
        check({line["path"] for line in lines} == set(expected), f"{name}: the paths {[line.get('path') for line in lines]}")
        hashes = {tcfs.digest(content): content for content in map(plaintext, vector["plaintext"].values())}
        for line in lines:
            file = expected[line["path"]]
            check((line["size"], line["blake3"], line["manifest"]) == (file["size"], file["file_hash"], file["manifest_id"]),
                  f"{name}: {line}")
            check((output / line["path"]).read_bytes() == hashes[file["file_hash"]], f"{name}: the bytes of {line['path']}")
        check(self.refuses(store, "--portable", key=key) == (vector["layout"] != "portable"), f"{name}: which layout it has")
        if key:
            check(self.refuses(store) and self.refuses(store, key="00" * 32), f"{name}: read without its key")
        else:
            self.check_written(name, vector, hashes)
        self.check_noticed(name, vector, lines, key)

    def check_written(self, name: str, vector: dict, hashes: dict[str, bytes]) -> None:
        """The writer makes the same store, object for object."""
        store = self.new()
        writer = tcfs_writer.Writer(store, vector["prefix"], vector["layout"], None, "dev-a")
        for number, file in enumerate(vector["files"]):
            moment = 1767225600 + number
            writer.add(file["rel_path"], hashes[file["file_hash"]], 0o100600, (moment, 500_000_000), moment + 10)
        made = {path.relative_to(store).as_posix(): path.read_bytes() for path in store.rglob("*") if path.is_file()}
        wanted = {item["key"]: base64.b64decode(item["b64"]) for item in vector["objects"]}
        check(made == wanted, f"{name}: written otherwise: {sorted(made.items() ^ wanted.items())[:1]}")

    def check_noticed(self, name: str, vector: dict, lines: list[dict], key: str | None) -> None:
        files = [(line["path"], line["size"], line["blake3"]) for line in lines]
        refused = 0
        for item in vector["objects"]:
            for change in (flipped, shortened, None):
                store = self.new()
                tcfs_writer.unpack(vector, store)
                place = store / item["key"]
                if change:
                    place.write_bytes(change(place.read_bytes()))
                else:
                    place.unlink()
                try:
                    read = [(line["path"], line["size"], line["blake3"]) for line in self.read(store, key=key)]
                except Contradiction:
                    refused += 1
                    continue
                is_entry, is_reservation = "/index/" in item["key"], "/.tcfs-namespace/" in item["key"]
                # Nothing tells that an entry or a reservation was removed. Entries, and the first era's manifests, are bound to
                # nothing in all that is not of the content.
                is_gone = change is None and (
                    is_reservation or (is_entry and [file for file in files if item["key"].endswith("/index/" + file[0])] == [
                        file for file in files if file not in read]))
                # Another case of the same path has the same reservation.
                is_loose = is_entry or is_reservation or ("/manifests/" in item["key"] and vector["layout"] == "v0.5.0")
                check(
                    is_gone or (change is not None and is_loose and read == files),
                    f"{name}: {change} of {item['key']} was not noticed")
        check(refused > len(vector["objects"]), f"{name}: only {refused} changes were refused")

    # Documents

    def check_documents(self) -> None:
        vector = self.vector("documents.json")
        texts = {document["name"]: document["text"] for document in vector["docs"]}
        identifiers = {document["name"]: document for document in vector["docs"]}
        link = identifiers["symlink manifest v3"]
        for name in (link["object_id"], link["legacy_object_id"]):
            entry = texts["index v3 symlink"].replace(link["object_id"], name)
            store = self.store({"index/links/notes": entry, f"manifests/{name}": link["text"]})
            output = self.new()
            lines = self.read(store, "--output", str(output))
            check(lines == [{"path": "links/notes", "kind": "symlink", "target": "../shared/notes.txt"}], f"a link: {lines}")
            check((output / "links/notes").is_symlink(), "a link was not made")
        check(self.refuses(self.store({"index/links/notes": texts["index v3 symlink"], f"manifests/{link['object_id']}":
                                       link["text"].replace("notes.txt", "other.txt")})), "another target was not noticed")
        marker = texts["directory marker (object {prefix}/index/{dir}/.tcfs_dir)"]
        deleted = self.store({
            "index/a": texts["index v4 deleted"], "index/chats/2026/alice.jsonl": texts["index v4 deleted with evidence"],
            "index/empty/.tcfs_dir": marker})
        check([(line["path"], line["kind"]) for line in self.read(deleted)] == [
            ("a", "deleted"), ("chats/2026/alice.jsonl", "deleted"), ("empty", "directory")], "what is deleted")
        self.check_device(vector["per_device_v3"])
        for name in vector["bad_chunk_ids_must_be_rejected"]:
            check(not tcfs.is_component(name), f"{name!r} passes for a name of a chunk")

    def check_device(self, sample: dict) -> None:
        content = base64.b64decode(sample["chunk_object_b64"])
        manifest, name = sample["manifest_text"], sample["object_id"]
        identity = self.folder / "identity"
        identity.write_text(f"# of a device\n{sample['age_identity']}\n")
        store = self.store({
            "index/per-device.txt": tcfs.text_entry(name, 17, 1).decode(), f"manifests/{name}": manifest,
            f"chunks/{tcfs.digest(content)}": content})
        output = self.new()
        for device in ([], ["--device", "dev-a"]):
            line, = self.read(store, "--identity-file", str(identity), *device)
            check(line["size"] == 17 and line["encrypted"], f"a key of a device: {line}")
        self.read(store, "--identity-file", str(identity), "--output", str(output))
        check((output / "per-device.txt").read_text() == sample["plaintext_utf8"], "a key of a device opened something else")
        check(self.refuses(store, "--identity-file", str(identity), "--device", "dev-b"), "the key of another device was taken")
        check(self.refuses(store, key="11" * 32), "a master key opened what has none")

    def store(self, objects: dict[str, str | bytes]) -> pathlib.Path:
        store = self.new()
        for key, content in objects.items():
            path = store / "acct/demo" / key
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (store / "acct/demo").mkdir(parents=True, exist_ok=True)
        return store

    def check_unfinished(self) -> None:
        """An upload that was interrupted at each of its steps."""
        uuid = "7b7c1d0e-52f1-4a57-9f0e-2f6f1a3f0c11"

        def upload(content: bytes, is_committed: bool) -> tuple[str, dict, dict]:
            manifest = tcfs.pretty({
                "version": 2, "file_hash": tcfs.digest(content), "file_size": len(content), "chunks": [tcfs.digest(content)],
                "vclock": {"clocks": {}}, "written_by": "", "written_at": 0, "rel_path": "a.txt"})
            name = tcfs.labelled(tcfs.MANIFEST_LABEL, manifest)
            objects = {f"chunks/{tcfs.digest(content)}": content}
            place = f"manifests/{name}" if is_committed else f"staging/manifests/{uuid}-{name}.json"
            return name, objects | {place: manifest}, {"manifest_hash": name, "size": len(content), "chunks": 1}

        _, old, current = upload(b"old", True)
        for step in ("staged", "final", "neither"):
            name, new, pending = upload(b"newer", step == "final")
            pending["staged_manifest_key"] = f"acct/demo/staging/manifests/{uuid}-{name}.json"
            if step == "neither":
                new = {}
            for before in (current, None):
                entry = tcfs.pretty({"version": 2, "state": "preparing", "current": before, "pending": pending})
                line, = self.read(self.store(old | new | {"index/a.txt": entry}))
                expected = 5 if new else 3 if before else None
                check(line.get("size") == expected, f"unfinished, {step}: {line}")
                check(line["kind"] == ("file" if expected else "unfinished"), f"unfinished, {step}: {line}")
        pending["staged_manifest_key"] = "acct/other/staging/manifests/x.json"
        entry = tcfs.pretty({"version": 2, "state": "preparing", "current": None, "pending": pending})
        check(self.refuses(self.store({"index/a.txt": entry})), "a manifest that is staged elsewhere was taken")

    def check_hostile(self) -> None:
        """What no program writes is refused, and not with an error of Python's."""
        manifest = {
            "version": 2, "file_hash": tcfs.digest(b""), "file_size": 0, "chunks": [], "vclock": {"clocks": {}}, "written_by": "",
            "written_at": 0, "rel_path": "a.txt"}
        changes = [
            {"version": 4}, {"version": True}, {"version": 3}, {"file_size": -1}, {"file_size": 0.0}, {"file_size": 1 << 64},
            {"file_hash": "AF" * 32}, {"chunks": None}, {"chunks": [1]}, {"chunks": ["../index/a.txt"]}, {"rel_path": "b.txt"},
            {"rel_path": 1}, {"written_at": "0"}, {"vclock": {}}, {"vclock": {"clocks": {"a": -1}}}, {"mtime": [0]},
            {"mtime": [0, 1_000_000_000]}, {"mode": 0o120777}, {"mode": 1 << 32}, {"kind": "socket"},
            {"encrypted_file_key": "AA=="}, {"wrapped_file_keys": [{}]}]

        def store(text: bytes, path: str = "a.txt") -> pathlib.Path:
            name = tcfs.labelled(tcfs.MANIFEST_LABEL, text)
            chunks = text.count(b'"../') + text.count(b"[\n    1\n")
            return self.store({f"manifests/{name}": text, f"index/{path}": tcfs.text_entry(name, 0, chunks)})

        check(not self.refuses(store(tcfs.pretty(manifest)), "--portable"), "a good manifest is refused")
        for change in changes:
            check(self.refuses(store(tcfs.pretty(manifest | change))), f"{change} is taken")
        good = tcfs.pretty(manifest)
        texts = [
            good + b"}", good[:-1], good.replace(b'"version": 2', b'"version": 2,\n  "version": 2'), b'{"a": ' + b"[" * 100_000,
            b'{"version": ' + b"9" * 10_000 + b"}", good.replace(b"a.txt", b"\\ud800"), b"{\xff}"]
        for text in texts:
            check(self.refuses(store(text)), f"{text[:60]} is taken")
        for entry in (b"", b"\xff", b"size=0\n", b"manifest_hash=../a\n", b"{}", b"{\"version\": 9, \"state\": \"committed\"}"):
            check(self.refuses(self.store({"index/a.txt": entry})), f"the entry {entry} is taken")

    # The rest

    def check_cuts(self) -> None:
        vector = self.vector("fastcdc.json")
        for case in vector["cases"]:
            content = generated(case["input"])
            check(tcfs.digest(content) == case["input_blake3"], f"{case['name']}: another input")
            cuts = list(tcfs_writer.chunks_of(content, (case["min"], case["avg"], case["max"])))
            joined = tcfs.digest(b"".join(bytes.fromhex(tcfs.digest(cut)) for cut in cuts))
            check(joined == case["blake3_of_concatenated_chunk_digests"], f"{case['name']}: cut otherwise")

    def check_ciphers(self) -> None:
        vector = self.vector("aead.json")
        key, file = bytes.fromhex(vector["file_key_hex"]), vector["file_id_hex"]
        for chunk in vector["chunks"]:
            sealed = base64.b64decode(chunk["object_b64"])
            content = tcfs.opened(key, sealed, tcfs.place(chunk["index"], file), "a chunk")
            check(content == base64.b64decode(chunk["plaintext_b64"]), f"a chunk: {chunk['index']}")
            for wrong in (tcfs.place(chunk["index"] + 1, file), tcfs.place(chunk["index"], "ac" + file[2:])):
                try:
                    tcfs.opened(key, sealed, wrong, "a chunk")
                    check(False, "a chunk was opened in another place")
                except Contradiction:
                    pass
        wrap = vector["wrap"]
        check(tcfs.opened(bytes.fromhex(wrap["master_key_hex"]), base64.b64decode(wrap["wrapped_b64"]), None, "a key") == key,
              "a wrapped key")

    def check_names(self) -> None:
        vector = self.vector("blake3.json")
        for case in vector["domain_separated"]:
            made = tcfs.labelled(case["label"].encode(), case["data_utf8"].encode())
            check(made == case["hash"], f"{case['label']} of {case['data_utf8']!r}")
        text = tcfs_writer.reservation("a", "file")
        check(not self.refuses(self.store({f".tcfs-namespace/v1/{tcfs.reservation_name('A')}": text})), "a reservation is refused")
        check(self.refuses(self.store({f".tcfs-namespace/v1/{tcfs.reservation_name('b')}": text})), "a reservation of another path")
        for good in ("a", "chats/2026/alice.jsonl", "b.tar.gz", "Ünïcode/файл", ".git/config", "console"):
            check(tcfs.why_not_canonical(good) is None, f"{good!r} is refused")
        for bad in ("", "/a", "a/", "a//b", "../a", "a/./b", "a\\b", "a\x01", "a.", "a ", "CON", "nul.txt", "COM1", "lpt\u00b9",
                    "git~1", ".Git/x", "a/.tcfs_dir", "a:b", "u\u0308", "what?", "conin$"):
            check(tcfs.why_not_canonical(bad) is not None, f"{bad!r} is not refused")


def flipped(content: bytes) -> bytes:
    changed = bytearray(content) or bytearray(b"x")
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def shortened(content: bytes) -> bytes:
    return content[:random.randrange(len(content))] if content else b"x"


def main() -> None:
    vectors = pathlib.Path(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    random.seed(seed)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None) as folder:
        world = World(vectors, pathlib.Path(folder))
        world.check_ciphers()
        world.check_names()
        world.check_cuts()
        stores = sorted(path.name for path in vectors.glob("store_*.json"))
        check(len(stores) >= 5, f"the vectors have only the stores {stores}")
        for name in stores:
            world.check_store(name)
        world.check_documents()
        world.check_unfinished()
        world.check_hostile()
    print(f"{len(stores)} stores read back, {world.number} stores in all")


if __name__ == "__main__":
    main()
