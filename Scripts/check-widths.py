"""Whether what the program says fits a terminal: check-widths.py FOLDER_OF_THE_PROGRAMS

Runs the help of every command, and commands on a sample account and on accounts that are being moved, in windows of 80 and 40
columns. No line may be longer than the window but one that cannot break: a path, a link, a command line. Progress ends at a
word. And the words must be those that a pipe gets.
"""

import concurrent.futures
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata

from transcript import helps

WIDTHS = (80, 40)
KEY = "--passphrase-file=passphrase"
COMMANDS = f"""
account status laptop
account status laptop {KEY}
account check laptop {KEY}
account find
account status nowhere
account status laptop --passphrase-file=wrong
account check laptop --passphrase-file=wrong
account check laptop --passphrase-file=missing
account compact laptop --dry-run {KEY}
account sql laptop no-statement {KEY}
account bogus
account status --bogus
archive list account.zip
archive list missing.zip
archive list passphrase
archive verify account.zip
archive verify account.zip {KEY}
archive verify account.zip --passphrase-file=wrong
archive diff account.zip laptop {KEY}
archive import account.zip new --dry-run {KEY}
archive import account.zip laptop --dry-run {KEY}
archive extract account.zip no-such-entry -C out
jobs list
jobs show 99
media audit laptop {KEY}
media plan account.zip
media purge laptop --dry-run {KEY}
media export laptop out --dry-run {KEY}
move status laptop
move cancel laptop
move send laptop --server RELAY --dry-run --no-input {KEY}
move send laptop --to laptop.zip --dry-run --no-input {KEY}
move send sent --server RELAY --no-qr --no-input {KEY}
move send stick --to stick.zip --no-input {KEY}
move link sent --no-qr
move link stick
move link laptop
move status
move status sent
move status stick
move receive LINK new --dry-run --approve-relays --no-input {KEY}
move receive LINK laptop --dry-run --approve-relays --no-input {KEY}
move receive stick.zip new --dry-run --no-input {KEY}
move finish sent --dry-run --no-input
move finish sent --words nonsense --no-input
move cancel sent --dry-run
move restore sent --dry-run --no-input
move remove sent --dry-run --no-input
move forget nothing --dry-run
key info laptop
key list
migrate plan laptop {KEY}
migrate status laptop {KEY}
migrate run laptop {KEY} --to-chat nothing
file info account.zip
file receive simplex:/file#/nothing
doctor
schema
schema nothing
"""
# Cut to the window, or lists where a table is too wide: not the words of a pipe.
TABLES = {"jobs list", "account find"}


def columns(text: str) -> int:
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else
        2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text)


def breaks(line: str) -> bool:
    """Whether a line that is too long could have been shorter."""
    text = line.strip()
    # A path or an address beside the name of its field stays whole too.
    whole = r"\S+|\w+ +(/|xftp://)\S+|valise(-relay)? .*|\S*'valise [^']*'\S*|\[[^]]*\]\S*"
    return re.fullmatch(whole, text) is None


def in_window(command: list[str], width: int, environment: dict[str, str], folder: pathlib.Path) -> tuple[int, str]:
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        os.chdir(folder)
        os.execve(command[0], command, environment)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return status, shown.decode(errors="replace").replace("\r\n", "\n")


def words(text: str) -> list[str]:
    """Without times and what is counted in bytes: they differ from one run to the next."""
    return re.sub(r"\d+(\.\d+)?", "0", text).split()


def problems(program: str, line: str, environment: dict[str, str], folder: pathlib.Path) -> list[str]:
    command = [program, *line.split()]
    piped = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=60)
    found = []
    for width in WIDTHS:
        status, shown = in_window(command, width, environment, folder)
        if status != piped.returncode:
            found.append(f"{line}: status {status} in a window, {piped.returncode} in a pipe")
        # Progress is drawn over.
        drawn = re.findall(r"\r\x1b\[K([^\r\n]*)", shown)
        found += [f"{line}: progress of {columns(text)} columns in {width}" for text in drawn if columns(text) > width]
        found += [
            f"{line}: progress ends inside of a word in {width} columns: {text}"
            for text in drawn if re.search(r" .*\S…$", text.rstrip())]
        shown = re.sub(r"\r\x1b\[K[^\r\n]*(?=\r)|\r\x1b\[K", "", shown)
        found += [
            f"{line}: {columns(text)} columns in {width}: {text}"
            for text in shown.split("\n") if columns(text) > width and breaks(text)]
        if line not in TABLES and words(shown) != words(piped.stdout.decode(errors="replace")):
            found.append(f"{line}: other words in {width} columns than in a pipe:\n{shown}")
    return found


def main() -> int:
    programs = pathlib.Path(sys.argv[1]).resolve()
    work = pathlib.Path(tempfile.mkdtemp(prefix="widths-"))
    relay = None
    environment = {
        "HOME": str(work), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1",
        "TZ": "UTC", "XDG_STATE_HOME": str(work / "state"), "XDG_CONFIG_HOME": str(work / "config"),
        "XDG_DATA_HOME": str(work / "data"), "XDG_RUNTIME_DIR": str(work)}
    try:
        os.umask(0o077)
        (work / "passphrase").write_text("correct horse battery staple")
        (work / "wrong").write_text("incorrect horse")

        def run(name: str, *arguments: str) -> bytes:
            return subprocess.run(
                [programs / name, *arguments], cwd=work, env=environment, check=True, capture_output=True).stdout

        run("valise-sample", "laptop", KEY)
        run("valise-sample", "data/simplex", KEY)
        run("valise", "archive", "export", "laptop", "account.zip", KEY)
        run("valise-relay", "init", "--folder", "relay", "--host", "127.0.0.1", "--port", "0", "--sign-algorithm", "ed25519")
        relay = subprocess.Popen(
            [programs / "valise-relay", "start", "--folder", "relay"], cwd=work, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        address = relay.stdout.readline().removeprefix("address: ").strip()
        for name in ("sent", "stick"):
            run("valise-sample", name, KEY)
        link = run("valise", "move", "send", "sent", "--server", address, "--yes", "--no-qr", KEY).decode().strip()
        run("valise", "move", "send", "stick", "--to", "stick.zip", "--yes", KEY)
        commands = [
            ("valise", line.replace("RELAY", address).replace("LINK", link)) for line in COMMANDS.strip().split("\n")]
        lines = []
        for name in ("valise", "valise-relay"):
            tree = json.loads(run(name, "--experimental-dump-help"))["command"]
            lines += [(name, f"{command} --help".strip()) for command in helps.commands(tree, "")]

        def problems_of(lines: list[tuple[str, str]]) -> list[str]:
            return [
                problem for name, line in lines for problem in problems(str(programs / name), line, environment, work)]

        # Help runs beside; two commands on one account would find it in use.
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = sum(pool.map(problems_of, [commands, lines]), [])
    finally:
        if relay is not None:
            relay.terminate()
            relay.wait()
        shutil.rmtree(work, ignore_errors=True)
    for problem in found:
        print(f"widths: {problem}")
    lines += commands
    print(f"widths: {len(lines)} commands in windows of {' and '.join(map(str, WIDTHS))} columns, {len(found)} problems")
    return 1 if found or len(lines) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
