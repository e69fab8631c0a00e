"""Where the invocations of one subject run, and what was written down of them."""

import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import tempfile
import time

from .normal import normal
from .reasons import earlier

# Long enough for a slow machine that is busy; nothing here should come near it.
TOO_LONG = 300
# Always as long, so that columns and line breaks do not depend on where it is.
LENGTH = 40
# How deep members of JSON get lines of their own.
DEPTH = 3


def work_folder() -> pathlib.Path:
    """A new folder; in memory where that can be, for nothing here has to outlive a power cut."""
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()
    while True:
        letters = "".join(random.choices("abcdefghijkmnpqrstuvwxyz", k=max(8, LENGTH - len(base) - 2)))
        path = pathlib.Path(base) / f"t{letters}"
        try:
            path.mkdir(0o700)
            return path
        except FileExistsError:
            pass


def is_document(line: str) -> bool:
    """Whether it is an object of JSON: a help text has lines that only begin like one."""
    if not line.startswith("{"):
        return False
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def spread(line: str) -> str:
    """A document of JSON with its members on lines of their own, token for token what it was, so that a difference can be
    read."""
    result, depth, quoted, skip = [], 0, False, False
    for letter in line:
        if quoted:
            result.append(letter)
            quoted = skip or letter != '"'
            skip = not skip and letter == "\\"
        elif letter in "{[":
            depth += 1
            result.append(letter + ("\n" + "  " * depth if depth <= DEPTH else ""))
        elif letter in "}]":
            depth -= 1
            result.append(("\n" + "  " * depth if depth < DEPTH else "") + letter)
        elif letter == "," and depth <= DEPTH:
            result.append(",\n" + "  " * depth)
        else:
            result.append(letter)
            quoted = letter == '"'
    return re.sub(r"([\[{])\s+([\]}])", r"\1\2", "".join(result))


class Fault(Exception):
    """What was prepared is not what it should be."""


class Run:
    def __init__(self, status: int, output: bytes, errors: bytes) -> None:
        self.status = status
        self.output, self.errors = output.decode("utf-8", "replace"), errors.decode("utf-8", "replace")
        self.bytes = output

    @property
    def json(self) -> dict:
        return json.loads(self.output)


class World:
    def __init__(self, programs: pathlib.Path, root: pathlib.Path, template, isEarlier: bool = False) -> None:
        """isEarlier: of commit a0a6a7c; see `reasons.earlier`. A preparation may fail then."""
        self.programs, self.root, self.template, self.isEarlier = programs, root, template, isEarlier
        self.count = 0
        self.slow: list[tuple[float, str]] = []
        self.blocks: list[str] = []
        self.begun: list = []
        self.rules: list[tuple[re.Pattern, str]] = []
        root.mkdir(0o700)
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "TZ": "UTC", "HOME": str(root / "home"),
            "XDG_STATE_HOME": str(root / "home/state"), "XDG_CONFIG_HOME": str(root / "home/config"),
            "XDG_DATA_HOME": str(root / "home/data"), "XDG_CACHE_HOME": str(root / "home/cache"),
        }
        for name in ("LD_LIBRARY_PATH", "LD_PRELOAD"):
            if name in os.environ:
                self.environment[name] = os.environ[name]
        (root / "home").mkdir(0o700)
        self.write_keys()

    # Preparing, which is not written down.

    def write_keys(self) -> None:
        self.write("key", self.template.KEY)
        self.write("other-key", self.template.OTHER_KEY)
        self.write("wrong-key", self.template.WRONG_KEY)

    def path(self, name: str) -> pathlib.Path:
        return self.root / name

    def write(self, name: str, content: str | bytes, mode: int = 0o600) -> None:
        path = self.root / name
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod(mode)

    def copy(self, name: str, to: str) -> None:
        """Something of the template, or of this folder."""
        source = self.root / name if (self.root / name).exists() else self.template.root / name
        if not source.exists():
            raise Fault(f"there is no {name} to copy")
        if source.is_dir():
            shutil.copytree(source, self.root / to)
        else:
            shutil.copy2(source, self.root / to)

    def remove(self, *names: str) -> None:
        for name in names:
            path = self.root / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def flip(self, name: str, offset: int, count: int = 1) -> None:
        """Damages some bytes, in the same way each time."""
        content = bytearray((self.root / name).read_bytes())
        for index in range(offset, offset + count):
            content[index] ^= 0xFF
        (self.root / name).write_bytes(content)

    def cut(self, name: str, size: int) -> None:
        os.truncate(self.root / name, size)

    def note(self, text: str) -> None:
        """A line of its own, where what was prepared has to be known to understand what follows."""
        self.blocks.append(f"# {text}\n")

    def hide(self, pattern: str, word: str) -> None:
        """Something that differs from run to run in this subject alone."""
        self.rules.append((re.compile(pattern, re.M), word))

    def do(self, line: str, allowed: tuple[int, ...] = (0,), stdin: str | bytes | None = None, env=None) -> Run:
        run = self.run(shlex.split(line), stdin, env)
        if run.status not in allowed and not self.isEarlier:
            raise Fault(f"{line}: status {run.status}: {run.errors}{run.output[:500]}")
        return run

    def begin(self, line: str, **more) -> subprocess.Popen:
        """Something that goes on beside, until the end of the subject."""
        words = shlex.split(line)
        process = subprocess.Popen(
            [self.program(words[0]), *words[1:]], cwd=self.root, env=self.environment,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more})
        self.begun.append(process)
        return process

    def end(self) -> None:
        for process in self.begun:
            if process.poll() is None:
                process.kill()
            process.wait()

    # Running.

    def program(self, name: str) -> str:
        return str(self.programs / name) if name.startswith(("valise", "session-sample")) else shutil.which(name) or name

    def run(self, words: list[str], stdin=None, env=None, stdout=None) -> Run:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        asked = earlier(words) if self.isEarlier else words
        result = subprocess.run(
            [self.program(asked[0]), *asked[1:]], cwd=self.root, env={**self.environment, **(env or {})},
            input=given if given is not None else b"", stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=TOO_LONG)
        return Run(result.returncode, result.stdout or b"", result.stderr)

    def __call__(
            self, line: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None,
            to: str | None = None, binary: bool = False, secret: str | None = None) -> Run:
        """An invocation of `valise`, or of valise-relay, that is written down.

        to: a file that standard output goes to. binary: what is printed is not for people; its size is left out, too.
        secret: what is written in the place of the standard input.
        """
        words = shlex.split(line)
        if not words or not words[0].startswith("valise"):
            words = ["valise", *words]
        start = time.monotonic()
        if to:
            with open(self.root / to, "wb") as file:
                run = self.run(words, stdin, env, file)
        else:
            run = self.run(words, stdin, env)
        if self.isEarlier:
            # It replaced any file that it was told to; what follows needs these.
            self.write_keys()
        self.count += 1
        self.slow.append((time.monotonic() - start, line))
        shown = " ".join([*(f"{key}={value}" for key, value in (env or {}).items()), self.shown(words)])
        if stdin is not None:
            text = secret or (stdin if isinstance(stdin, str) else "BYTES")
            shown += f" <<< {shlex.quote(text.rstrip())}"
        shown += f" > {to}" if to else ""
        output = "BYTES\n" if binary and run.output else run.output
        self.blocks.append(
            self.normal(f"$ {shown}\n= {run.status}\n{self.lines('| ', output)}{self.lines('! ', run.errors)}"))
        return run

    @staticmethod
    def shown(words: list[str]) -> str:
        return " ".join(word if re.fullmatch(r"[\w@%+=:,./#*$-]+", word) else shlex.quote(word) for word in words)

    @staticmethod
    def lines(mark: str, text: str) -> str:
        if not text:
            return ""
        text = "".join(spread(line) if is_document(line) else line for line in text.splitlines(keepends=True))
        lines = [f"{mark}{line}".rstrip() for line in text.split("\n")]
        if lines[-1] == mark.rstrip():
            lines.pop()
        else:
            lines[-1] += "\u2424"  # no line break at the end
        return "\n".join(lines) + "\n"

    def normal(self, text: str) -> str:
        text = normal(text, str(self.root), str(self.programs))
        for pattern, word in self.rules:
            text = pattern.sub(word, text)
        return text

    def text(self) -> str:
        return "\n".join(self.blocks)
