"""Export and import against cp, zip and bsdtar, as ratios of runs that follow each other.

Usage: archive.py FOLDER_OF_THE_PROGRAMS [MESSAGES MEDIA_BYTES ROUNDS]

The sample is an account of about 1 GiB: encrypted databases and mixed media, a quarter of which can be packed.
A second account is a large file of text: it shows how fast is packed and unpacked, our archives and those of zip.
Every run ends with a flush: valise's own, or `sync -f` behind the peer. Disks and neighbours make single runs
vary by several times, so each round runs all commands in turn, the ratio is taken within a round, and the
median of the rounds is what counts.
"""

import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from measuring import Runs, flushed, measure, present, private, remove, report

# Peers that the set-up for tests installs; where one is missing the others are measured all the same.
PEERS = ["zip", "unzip", "bsdtar", "pigz"]


def write_text(path: pathlib.Path, size: int) -> None:
    """Words as a language has them. What repeats is too far away for Deflate to see."""
    source = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(source.choices(letters, k=source.randint(2, 9))) for _ in range(4000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    piece = " ".join(source.choices(words, weights, k=2_000_000)).encode()
    with path.open("wb") as file:
        while file.tell() < size:
            file.write(piece)


def packing(valise: str, programs: pathlib.Path, folder: pathlib.Path, size: int, rounds: int) -> None:
    """One large file that can be packed, against zip, unzip, and pigz as the limit of zlib on all cores."""
    subprocess.run(
        [programs / "valise-sample", "text", "--passphrase-file", "passphrase", "--messages", "10",
         "--media-bytes", "1000"], cwd=folder, check=True)
    file = "text/simplex_v1_files/large.txt"
    write_text(folder / file, size)
    commands = {
        "pack -5": ([valise, "archive", "export", "text", "p.zip"], "p.zip"),
        "pack -6": ([valise, "archive", "export", "text", "q.zip", "--level", "6"], "q.zip"),
        "zip -6 text": (flushed("cd text && zip -6 -q -r ../z.zip . && cd ..", "z.zip"), "z.zip"),
        "pigz -5": (flushed(f"pigz -5 -c {file} > p.gz", "p.gz"), "p.gz"),
        "pigz -6": (flushed(f"pigz -6 -c {file} > q.gz", "q.gz"), "q.gz"),
        "unpack ours": ([valise, "archive", "import", "ours.zip", "i"], "i"),
        "unpack zip's": ([valise, "archive", "import", "theirs.zip", "j"], "j"),
        "unzip ours": (flushed("unzip -q ours.zip -d u", "u"), "u"),
        "unzip zip's": (flushed("unzip -q theirs.zip -d v", "v"), "v"),
    }
    measure([valise, "archive", "export", "text", "ours.zip"], folder)
    commands = present(commands, PEERS)
    if shutil.which("zip"):
        measure(["sh", "-ec", "cd text && zip -6 -q -r ../theirs.zip ."], folder)
    else:
        commands = {name: command for name, command in commands.items() if "theirs.zip" not in str(command)}
    runs: Runs = {name: [] for name in commands}
    sizes: dict[str, int] = {}
    for _ in range(rounds):
        for name, (command, result) in commands.items():
            runs[name].append(measure(command, folder))
            if (folder / result).is_file():
                sizes[name] = (folder / result).stat().st_size
            remove(folder / result)
    for name, peer in [
        ("pack -5", "zip -6 text"), ("pack -5", "pigz -5"), ("pack -6", "zip -6 text"), ("pack -6", "pigz -6"),
        ("unpack ours", "unzip ours"), ("unpack zip's", "unzip zip's"), ("unpack ours", "unpack zip's"),
    ]:
        report(name, peer, runs)
    whole = (folder / file).stat().st_size
    print("sizes: " + ", ".join(f"{name} {count / whole:.1%}" for name, count in sizes.items()))


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    messages, media, rounds = [int(a) for a in sys.argv[2:]] or [300_000, 750_000_000, 5]
    valise = str(programs / "valise")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        private(folder / "passphrase", "bench")
        subprocess.run(
            [programs / "valise-sample", "account", "--passphrase-file", "passphrase",
             "--messages", str(messages), "--media-bytes", str(media)], cwd=folder, check=True)
        commands = {
            "export stored": ([valise, "archive", "export", "account", "s.zip", "--no-compression"], "s.zip"),
            "cp": (flushed("cp -r account copy", "copy"), "copy"),
            "import": ([valise, "archive", "import", "kept.zip", "imported"], "imported"),
            "export": ([valise, "archive", "export", "account", "m.zip"], "m.zip"),
            "export -6": ([valise, "archive", "export", "account", "n.zip", "--level", "6"], "n.zip"),
            "zip -6": (flushed("cd account && zip -6 -q -r ../z.zip . && cd ..", "z.zip"), "z.zip"),
            "bsdtar -a -cf": (flushed("bsdtar -a -cf b.zip -C account .", "b.zip"), "b.zip"),
        }
        commands = present(commands, PEERS)
        measure([valise, "archive", "export", "account", "kept.zip", "--no-compression"], folder)
        runs: Runs = {name: [] for name in commands}
        for _ in range(rounds):
            for name, (command, result) in commands.items():
                runs[name].append(measure(command, folder))
                remove(folder / result)
        for name, peer in [
            ("export stored", "cp"), ("import", "cp"), ("export", "zip -6"), ("export -6", "zip -6"),
            ("export", "bsdtar -a -cf"),
        ]:
            report(name, peer, runs)
        packing(valise, programs, folder, media, rounds)


main()
