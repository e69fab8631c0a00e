"""Proves `valise store` on the S3 servers that are installed here: moto, and OpenStack Swift, which verifies signatures.

Usage: store-servers.py FOLDER_OF_THE_PROGRAMS

A folder is pushed, listed, verified, fetched, changed and pulled into another one, with and without encryption, under both forms
of address. Swift knows no conditional writes, which has to be said; moto does.
"""

import filecmp
import json
import os
import pathlib
import subprocess
import sys

import soaking

SERVE = pathlib.Path(__file__).resolve().parent / "servers/serve.py"
NO_CONDITIONS = "does not support conditional writes"


class Served:
    """A server, and `valise store` with the keys of it."""

    def __init__(self, kind: str, programs: pathlib.Path) -> None:
        pathlib.Path(kind).mkdir()
        self.process = subprocess.Popen(
            [sys.executable, SERVE, kind, kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        told = json.loads(self.process.stdout.readline())
        self.missing = told.get("missing")
        if self.missing:
            return
        self.valise, self.kind = programs / "valise", kind
        self.host, self.bucket = told["address"].split("//")[1], told["bucket"]
        self.environment = os.environ | {
            "AWS_ACCESS_KEY_ID": told["accessKey"], "AWS_SECRET_ACCESS_KEY": told["secretKey"],
            "AWS_DEFAULT_REGION": told["region"], "no_proxy": "127.0.0.1"}

    def __call__(self, *arguments: str, status: int = 0) -> str:
        answer = subprocess.run(
            [self.valise, "store", *arguments], env=self.environment, capture_output=True, text=True)
        if answer.returncode != status:
            sys.exit(f"{self.kind}: {' '.join(arguments)}: {answer.returncode}\n{answer.stdout}{answer.stderr}")
        is_writing = arguments[0] in ("push", "put", "remove")
        if is_writing and (NO_CONDITIONS in answer.stderr) != (self.kind == "swift"):
            sys.exit(f"{self.kind}: {arguments[0]} says of conditional writes: {answer.stderr}")
        return answer.stdout

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def require(condition: bool, what: str) -> None:
    if not condition:
        sys.exit(what)


def same(one: pathlib.Path, other: pathlib.Path) -> bool:
    files = [{file.relative_to(root) for file in root.rglob("*") if file.is_file()} for root in (one, other)]
    return files[0] == files[1] and all(filecmp.cmp(one / file, other / file, False) for file in files[0])


def check(store: Served, name: str, keys: list[str]) -> None:
    addresses = f"s3:http://{store.host}/{store.bucket}/{name}", f"seaweedfs://{store.host}/{store.bucket}/{name}"
    here, there = pathlib.Path(f"{store.kind}-{name}"), pathlib.Path(f"{store.kind}-{name}-2")
    for file, size in [("a.txt", 5), ("empty", 0), ("folder/ä b.bin", 2_000_000), ("folder/deep/c.bin", 300_000)]:
        (here / file).parent.mkdir(parents=True, exist_ok=True)
        (here / file).write_bytes(os.urandom(size))
    there.mkdir()
    store("push", addresses[0], str(here), *keys, "--yes")
    require(store("list", addresses[1], "--recursive").split("\n")[:4] == [
        "a.txt", "empty", "folder/deep/c.bin", "folder/ä b.bin"], "the list")
    require("the store is intact" in store("verify", addresses[0], *keys), "verified")
    store("get", addresses[1], "folder/ä b.bin", str(there / "fetched"), *keys)
    require(filecmp.cmp(here / "folder/ä b.bin", there / "fetched", False), "fetched")
    (there / "fetched").unlink()
    # What a folder was like at its last synchronization is remembered by the address.
    store("pull", addresses[1], str(there), *keys, "--yes")
    require(same(here, there), "pulled")
    store("remove", addresses[0], "a.txt", "--yes")
    (there / "empty").write_text("no more")
    store("push", addresses[1], str(there), *keys, "--yes")
    for address, folder in zip(addresses, (here, there)):
        store("pull", address, str(folder), *keys, "--yes")
        require(not (folder / "a.txt").exists(), "what was removed is gone")
    require(same(here, there), "changes went both ways")
    store("collect", addresses[0], "--yes")
    store("verify", addresses[0], *keys)


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    with soaking.workplace():
        soaking.private(pathlib.Path("key"), os.urandom(32).hex())
        for kind in ("moto", "swift"):
            store = Served(kind, programs)
            if store.missing:
                print(f"{kind}: left out, {store.missing} is not installed")
                continue
            check(store, "encrypted", ["--key-file", "key"])
            check(store, "open", [])
            store.end()
            print(f"{kind}: pushed, listed, verified, fetched, pulled and changed, with and without encryption", flush=True)


main()
