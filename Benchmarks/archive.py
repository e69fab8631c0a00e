"""Export and import against cp, zip and bsdtar, as ratios of runs that follow each other.

Usage: archive.py FOLDER_OF_THE_PROGRAMS [MESSAGES MEDIA_BYTES ROUNDS]

The sample is an account of about 1 GiB: encrypted databases and mixed media, a quarter of which can be packed.
Every run ends with a flush: valise's own, or `sync -f` behind the peer. Disks and neighbours make single runs
vary by several times, so each round runs all commands in turn, the ratio is taken within a round, and the
median of the rounds is what counts.
"""

import pathlib
import subprocess
import sys
import tempfile

from measuring import Runs, flushed, measure, private, remove, report


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


main()
