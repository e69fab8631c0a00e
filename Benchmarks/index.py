"""The memory and the time of a run where the repository has millions of blobs, beside restic's, which has the same index to load.

Usage: index.py FOLDER_OF_THE_PROGRAMS [BLOBS]

The index is simulated: blobs of a page of 4 KiB in packs of 16 MiB, none of which is stored. Another repository without it says
what the programs need anyhow. Ten million blobs are a database of 40 GB, or of 1 GB that changed completely each month of three
years.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from measuring import measure, private

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
import backing  # noqa: E402
from transcript import cheapkey  # noqa: E402

IN_PACK, PACKS_IN_FILE = 4000, 12
PAGE = 4096


def index_file(packs: int) -> bytes:
    """JSON as restic writes it, of `packs` packs with random names."""
    lists = []
    for _ in range(packs):
        names = os.urandom(32 * IN_PACK).hex()
        blobs = ",".join(
            f'{{"id":"{names[64 * number:64 * number + 64]}","type":"data","offset":{number * 1800},"length":1800,'
            f'"uncompressed_length":{PAGE}}}' for number in range(IN_PACK))
        lists.append(f'{{"id":"{os.urandom(32).hex()}","blobs":[{blobs}]}}')
    return f'{{"packs":[{",".join(lists)}]}}'.encode()


def packed(json: bytes) -> bytes:
    """As restic keeps it, where there is a program for that."""
    if not shutil.which("zstd"):
        return json
    return b"\x02" + subprocess.run(["zstd", "-1", "-q", "--no-check"], input=json, check=True, stdout=subprocess.PIPE).stdout


def simulate(repository: pathlib.Path, blobs: int) -> None:
    _, _, master = cheapkey.opened(repository, backing.PASSWORD)
    parts = cheapkey.master_parts(master)
    packs = blobs // IN_PACK
    for start in range(0, packs, PACKS_IN_FILE):
        sealed = cheapkey.seal(*parts, os.urandom(16), packed(index_file(min(PACKS_IN_FILE, packs - start))))
        cheapkey.put_bytes(repository / "index", sealed)


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    blobs = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    valise = programs / "valise"
    # In memory, where there is one: nobody wants to measure the disk.
    place = "/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="valise-index-", dir=place) as name:
        folder = pathlib.Path(name)
        private(folder / "passphrase", "bench")
        backing.use(folder)
        subprocess.run(
            [programs / "valise-sample", "account", "--passphrase-file", "passphrase", "--messages", "100"],
            cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for repository, count in [("empty", 0), ("large", blobs)]:
            subprocess.run(
                [valise, "backup", "init", repository, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            simulate(folder / repository, count)
            commands = {
                "valise": [valise, "backup", "run", "account", "--repo", repository, "--passphrase-file", "passphrase",
                           "--quiet"],
                "restic": ["restic", "-q", "-r", repository, "--no-cache", "backup", "account"],
            }
            for program, command in commands.items():
                try:
                    seconds, memory = measure(list(map(str, command)), folder)
                except FileNotFoundError:
                    print(f"{program} is not installed")
                    continue
                print(f"{count:12,} blobs   {program:8} {seconds:7.2f} s  {memory / 1024:7.1f} MiB", flush=True)


main()
