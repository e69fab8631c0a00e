"""Whether what the program says fits a terminal: check-widths.py FOLDER_OF_THE_PROGRAMS

Runs the help of every command, and commands on a sample account and on accounts that are being moved, in windows of 80 and 40
columns. No line may be longer than the window but one that cannot break: a path, a link, a command line. Progress ends at a
word. And the words must be those that a pipe gets.

Then the subjects of the transcripts run once more in a window of 40 columns, with their results and refusals. Those change
accounts, so that there is one run of each, and nothing to compare its words with.
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
import threading
import unicodedata

from transcript import helps, subjects
from transcript.template import Template
from transcript.world import Run, World, work_folder

WIDTHS = (80, 40)
# What goes below the name of its field is indented by that at most.
DEEPEST = 6
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
archive verify account.zip --no-input
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
key upgrade laptop {KEY}
key upgrade laptop --dry-run {KEY}
key upgrade laptop --passphrase-file=wrong
key upgrade nowhere
migrate plan laptop {KEY}
migrate status laptop {KEY}
migrate run laptop {KEY} --to-chat nothing
file info account.zip
file receive simplex:/file#/nothing
doctor
schema
schema nothing
"""
# Subjects of the transcripts whose texts are looked at above, and those that take long for few texts.
WITHOUT = {
    "help", "usage", "account-check", "account-in-use", "account-status", "account-sql", "archive-broken",
    "archive-import", "archive-verify", "key-upgrade", "media-audit", "move-relay", "move-renewing", "move-archive"}
# Cut to the window, or lists where a table is too wide: not the words of a pipe.
TABLES = {"jobs list", "account find"}


def columns(text: str) -> int:
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else
        2 if unicodedata.east_asian_width(letter) in "WF" else 1
        # What is joined is one picture.
        for letter in re.sub("\u200d.", "", text))


def breaks(line: str, width: int) -> bool:
    """Whether a line that is too long could have been shorter."""
    text = line.strip()
    whole = r"\S+|(# +)?valise(-relay)? .*|\S*'valise [^']*'\S*|\[[^]]*\]\S*"
    if re.fullmatch(whole, text):
        return False
    # A path or an address beside the name of its field stays whole too, where it would not fit below.
    field = re.fullmatch(r".*\S {2,}(\S+)|\w+ +((?:/|xftp://)\S+)", text)
    return field is None or columns(field[1] or field[2]) <= width - DEEPEST


def text_of(terminal: int) -> str:
    """What is printed there until nobody prints any more."""
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
    return shown.decode(errors="replace").replace("\r\n", "\n")


def set_width(terminal: int, width: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))


def in_window(command: list[str], width: int, environment: dict[str, str], folder: pathlib.Path) -> tuple[int, str]:
    process, terminal = pty.fork()
    if process == 0:
        set_width(0, width)
        os.chdir(folder)
        os.execve(command[0], command, environment)
    shown = text_of(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown


def words(text: str) -> list[str]:
    """Without times and what is counted in bytes: they differ from one run to the next."""
    return re.sub(r"\d+(\.\d+)?", "0", text).split()


def too_wide(line: str, shown: str, width: int) -> tuple[str, list[str]]:
    """What stays in the window, and what is wrong with it."""
    # Progress is drawn over.
    drawn = re.findall(r"\r\x1b\[K([^\r\n]*)(?=\r)", shown)
    found = [f"{line}: progress of {columns(text)} columns in {width}" for text in drawn if columns(text) > width]
    found += [
        f"{line}: progress ends inside of a word in {width} columns: {text}"
        for text in drawn if re.search(r" .*\S…$", text.rstrip())]
    shown = re.sub(r"\r\x1b\[K[^\r\n]*(?=\r)|\r\x1b\[K", "", shown)
    found += [
        f"{line}: {columns(text)} columns in {width}: {text}"
        for text in shown.split("\n") if columns(text) > width and breaks(text, width)]
    return shown, found


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
        shown, wide = too_wide(line, shown, width)
        found += wide
        if line not in TABLES and words(shown) != words(piped.stdout.decode(errors="replace")):
            found.append(f"{line}: other words in {width} columns than in a pipe:\n{shown}")
    return found


class Window(World):
    """Where a subject of the transcripts runs with its texts in the narrowest window."""

    def __init__(self, programs: pathlib.Path, root: pathlib.Path, template: Template) -> None:
        super().__init__(programs, root, template)
        self.environment.update(TERM="xterm", NO_COLOR="1", PAGER="cat")
        self.found: list[str] = []
        self.is_shown = False

    def __call__(self, line: str, stdin=None, env=None, to=None, binary=False, secret=None) -> Run:
        self.is_shown = not (to or binary or "--json" in line or "--csv" in line)
        return super().__call__(line, stdin, env, to, binary, secret)

    def run(self, words: list[str], stdin=None, env=None, stdout=None) -> Run:
        if not self.is_shown:
            return super().run(words, stdin, env, stdout)
        self.is_shown = False
        width = min(WIDTHS)
        terminal, window = pty.openpty()
        set_width(window, width)
        # No terminal of its own, so that nothing is asked: as in the transcripts.
        process = subprocess.Popen(
            [self.program(words[0]), *words[1:]], cwd=self.root, env={**self.environment, **(env or {})},
            stdin=subprocess.PIPE, stdout=window, stderr=window, start_new_session=True)
        os.close(window)
        given = stdin.encode() if isinstance(stdin, str) else stdin or b""
        writer = threading.Thread(target=feed, args=(process.stdin, given))
        writer.start()
        shown = text_of(terminal)
        writer.join()
        status = process.wait()
        shown, found = too_wide(" ".join(words), shown, width)
        self.found += found
        return Run(status, shown.encode(), b"")


def feed(pipe, content: bytes) -> None:
    try:
        pipe.write(content)
        pipe.close()
    except BrokenPipeError:
        pass


def problems_of_subjects(programs: pathlib.Path, work: pathlib.Path) -> tuple[int, list[str]]:
    """How many invocations there were, and what is wrong with their texts."""
    template = Template(programs, work / "template")

    def run(name: str) -> Window:
        window = Window(programs, work / name, template)
        try:
            subjects.ALL[name](window)
        finally:
            window.end()
        return window

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        windows = list(pool.map(run, [name for name in subjects.ALL if name not in WITHOUT]))
    return sum(window.count for window in windows), sum((window.found for window in windows), [])


def main() -> int:
    programs = pathlib.Path(sys.argv[1]).resolve()
    work = pathlib.Path(tempfile.mkdtemp(prefix="widths-"))
    transcripts = work_folder()
    relay = None
    environment = {
        "HOME": str(work), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1", "PAGER": "cat",
        "TZ": "UTC", "XDG_STATE_HOME": str(work / "state"), "XDG_CONFIG_HOME": str(work / "config"),
        "XDG_DATA_HOME": str(work / "data"), "XDG_RUNTIME_DIR": str(work)}
    try:
        os.umask(0o077)
        # Raw keys: to derive one takes longer than all else that most of these commands do.
        (work / "passphrase").write_text(Template.KEY)
        (work / "wrong").write_text(Template.WRONG_KEY)

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

        # Help and the transcripts run beside; two commands on one account would find it in use.
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            waiting = [pool.submit(problems_of, group) for group in (commands, lines)]
            count, more = problems_of_subjects(programs, transcripts)
            found = sum((future.result() for future in waiting), []) + more
    finally:
        if relay is not None:
            relay.terminate()
            relay.wait()
        shutil.rmtree(work, ignore_errors=True)
        shutil.rmtree(transcripts, ignore_errors=True)
    for problem in found:
        print(f"widths: {problem}")
    lines += commands
    print(
        f"widths: {len(lines)} commands in windows of {' and '.join(map(str, WIDTHS))} columns, {count} of the transcripts in "
        f"{min(WIDTHS)}, {len(found)} problems")
    return 1 if found or len(lines) < 100 or count < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
