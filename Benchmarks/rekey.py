"""Rekey and check against SQLCipher's own, as ratios of runs that follow each other.

Usage: rekey.py FOLDER_OF_THE_PROGRAMS [MESSAGES ROUNDS]

The chat database has more than 1 GiB, so that SQLite's lock page lies inside of it. Every run starts from a
fresh copy that the disk has taken, and ends with a flush: valise's own, or `sync -f` behind the peer. The
medians of the ratios within a round count. In the first round the sqlcipher shell checks what was written.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from measuring import Runs, flushed, measure, private, remove, report

OLD, NEW = "bench old", "bench new"


def shell(file: str, *statements: str) -> str:
    return f"sqlcipher -batch -bail {file} " + " ".join(f'"{statement}"' for statement in statements)


def both(statements: list[str]) -> str:
    return " && ".join(
        shell(f"account/simplex_v1_{name}.db", *(s.replace("NAME", name) for s in statements))
        for name in ["chat", "agent"])


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    messages, rounds = [int(a) for a in sys.argv[2:]] or [1_200_000, 5]
    valise = str(programs / "valise")
    print(subprocess.run([programs / "valise-limits"], capture_output=True, text=True, check=True).stdout)
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
                if name == "key change" and len(runs[name]) == 1:
                    prove(folder)
                remove(folder / "account")
        for name, peer in [
            ("key change", "PRAGMA rekey"), ("key change", "sqlcipher_export"), ("key change", "cp"),
            ("libcrypto alone", "PRAGMA rekey"), ("libcrypto alone", "sqlcipher_export"),
            ("account check", "cipher_integrity_check"), ("key verify", "cp"),
        ]:
            report(name, peer, runs)
        # What both need for any account, however small: the keys, opening, and for us the media.
        for name, without in [("account check", "small check"), ("cipher_integrity_check", "small integrity")]:
            runs[f"{name}, pages"] = [
                (max(a[0] - b[0], 1e-3), a[1]) for a, b in zip(runs[name], runs[without])]
        report("account check, pages", "cipher_integrity_check, pages", runs)


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
