"""Rekey and check against SQLCipher's own, as ratios of runs that follow each other.

Usage: rekey.py FOLDER_OF_THE_PROGRAMS [MESSAGES ROUNDS [COMMAND…]]

The chat database has more than 1 GiB, so that SQLite's lock page lies inside of it. Every run starts from a
fresh copy that the disk has taken, and ends with a flush: valise's own, or `sync -f` behind the peer. The
medians of the ratios within a round count. In the first round the sqlcipher shell checks what was written.

`cp` and its flush write the file once; a change of the passphrase derives four keys, writes it and reads it back from the
disk. What these take by themselves is measured in the same run, as the limits: nothing that does all of it can be faster
than the longest of them, nor slower than their sum for good reasons. With names of commands only these are measured.
"""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from measuring import Runs, flushed, measure, present, private, remove, report

OLD, NEW = "bench old", "the new passphrase of a sample that somebody knows"


def shell(file: str, *statements: str) -> str:
    return f"sqlcipher -batch -bail {file} " + " ".join(f'"{statement}"' for statement in statements)


def both(statements: list[str]) -> str:
    return " && ".join(
        shell(f"account/simplex_v1_{name}.db", *(s.replace("NAME", name) for s in statements))
        for name in ["chat", "agent"])


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    messages, rounds = [int(a) for a in sys.argv[2:4]] or [1_200_000, 5]
    wanted = sys.argv[4:]
    valise = str(programs / "valise")
    limits = subprocess.run([programs / "valise-limits"], capture_output=True, text=True, check=True).stdout
    print(limits)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        private(folder / "old", OLD)
        private(folder / "new", NEW)
        subprocess.run(
            [programs / "valise-sample", "template", "--passphrase-file", "old", "--messages", str(messages)],
            cwd=folder, check=True)
        change = [valise, "key", "change", "account", "--passphrase-file", "old", "--new-passphrase-file", "new"]
        keyed = f"PRAGMA key = '{OLD}'"
        export = f"ATTACH 'account/NAME.exported' AS e KEY '{NEW}'; SELECT sqlcipher_export('e')"
        commands = {
            "key change": change,
            "libcrypto alone": change + ["--engine", "libcrypto"],
            "PRAGMA rekey": flushed(both([keyed, f"PRAGMA rekey = '{NEW}'"]), "account"),
            "sqlcipher_export": flushed(both([keyed, export]), "account"),
            "cp": flushed("cp template/simplex_v1_chat.db account/copy", "account"),
            "read from the disk": [
                "dd", "if=account/simplex_v1_chat.db", "of=/dev/null", "bs=2M", "iflag=direct", "status=none"],
            "key verify": [valise, "key", "verify", "account", "--passphrase-file", "old"],
            "account check": [valise, "account", "check", "account", "--quick", "--passphrase-file", "old"],
            "cipher_integrity_check": ["sh", "-ec", both([keyed, "PRAGMA cipher_integrity_check"])],
        }
        small = ["valise-sample", "small", "--passphrase-file", "old", "--messages", "10"]
        subprocess.run([programs / small[0], *small[1:]], cwd=folder, check=True)
        fixed = {
            "small check": [valise, "account", "check", "small", "--quick", "--passphrase-file", "old"],
            "small integrity": ["sh", "-ec", both([keyed, "PRAGMA cipher_integrity_check"]).replace(
                "account/", "small/")],
        }
        commands, fixed = (present(chosen, ["sqlcipher"]) for chosen in (commands, fixed))
        if wanted:
            commands, fixed = {name: commands[name] for name in wanted if name in commands}, {}
        size = (folder / "template/simplex_v1_chat.db").stat().st_size
        print(f"chat database of {size / 2**30:.2f} GiB")
        runs: Runs = {name: [] for name in [*commands, *fixed]}
        for _ in range(rounds):
            for name, command in fixed.items():
                runs[name].append(measure(command, folder, (0, 3)))
            for name, command in commands.items():
                shutil.copytree(folder / "template", folder / "account", copy_function=shutil.copyfile)
                runs[name].append(measure(command, folder, (0, 3)))
                print(f"  {name}: {runs[name][-1][0]:.2f} s", flush=True)
                if name == "key change" and len(runs[name]) == 1 and shutil.which("sqlcipher"):
                    prove(folder)
                remove(folder / "account")
        for name, peer in [
            ("key change", "PRAGMA rekey"), ("key change", "sqlcipher_export"), ("key change", "cp"),
            ("libcrypto alone", "PRAGMA rekey"), ("libcrypto alone", "sqlcipher_export"),
            ("account check", "cipher_integrity_check"), ("key verify", "cp"),
        ]:
            report(name, peer, runs)
        compare(runs, limits, size)
        # What both need for any account, however small: the keys, opening, and for us the media.
        for name, without in [("account check", "small check"), ("cipher_integrity_check", "small integrity")]:
            runs[f"{name}, pages"] = [
                (max(a[0] - b[0], 1e-3), a[1]) for a, b in zip(runs.get(name, []), runs.get(without, []))]
        report("account check, pages", "cipher_integrity_check, pages", runs)


def compare(runs: Runs, limits: str, size: int) -> None:
    """How many times as long as cp a change takes, and what its parts take by themselves."""
    changes, copies, reads = (runs.get(name, []) for name in ["key change", "cp", "read from the disk"])
    if not changes or not copies:
        return
    ratios = [change[0] / copy[0] for change, copy in zip(changes, copies)]
    print(f"key change takes {statistics.median(ratios):.2f} x as long as cp with its flush"
          f" (rounds: {' '.join(f'{ratio:.2f}' for ratio in ratios)})")
    cores = min(len(os.sched_getaffinity(0)), 16)
    rate = max(int(found) for found in re.findall(rf"^rekey \w+ {cores} (\d+) MB/s", limits, re.M))
    derivation = float(re.search(r"^derivation \w+ 1 ([\d.]+) s", limits, re.M)[1])
    parts = {
        "four derivations": derivation * 4 / min(cores, 4),
        "the cipher engine": size / 1e6 / rate,
        "cp and flush": statistics.median(run[0] for run in copies),
    }
    if reads:
        parts["reading from the disk"] = statistics.median(run[0] for run in reads)
        proof = [change[0] / (copy[0] + read[0]) for change, copy, read in zip(changes, copies, reads)]
        print(f"and {statistics.median(proof):.2f} x as long as cp with its flush and reading the file from the disk")
    print("by themselves: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in parts.items()))


def prove(folder: pathlib.Path) -> None:
    """SQLCipher finds nothing wrong with what was written."""
    for database in ["chat", "agent"]:
        answer = subprocess.run(
            ["sqlcipher", "-batch", f"account/simplex_v1_{database}.db", f"PRAGMA key = '{NEW}'",
             "PRAGMA cipher_integrity_check", "PRAGMA integrity_check"],
            cwd=folder, capture_output=True, text=True, check=True).stdout
        if answer.split() != ["ok", "ok"]:
            sys.exit(f"SQLCipher finds what was written damaged: {answer}")


main()
