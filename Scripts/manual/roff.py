"""Text as mdoc."""

import re

from .examples import Example


def escape(text: str) -> str:
    """Escape backslashes, leading dots and leading quotes for roff."""
    text = text.replace("\\", "\\e").replace("\n", " ")
    return "\\&" + text if text[:1] in (".", "'") else text


def sentences(text: str) -> list[str]:
    """Each sentence on a line of its own: so roff puts the right space between them."""
    return [escape(part) for part in re.split(r"(?<=[^.]\.) (?=[A-Z])", text.replace("\n", " "))]


# What roff would turn into the signs of typographers, so that a command could not be pasted into a shell.
SIGNS = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
WIDTH = 72


def literal(text: str) -> str:
    text = "".join(SIGNS.get(letter, letter) for letter in text)
    return "\\&" + text if text.startswith(".") else text


def wrapped(command: str) -> list[str]:
    """A command on lines that a shell reads as one. A quoted text is never broken."""
    lines, line = [], ""
    for word in pairs(words(command)):
        if line and len(line) + 1 + len(word) > WIDTH - 2:
            lines.append(f"{line} \\")
            line = f"    {word}"
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def pairs(found: list[str]) -> list[str]:
    """Options together with what follows: mostly their values."""
    result: list[str] = []
    for word in found:
        if result and re.fullmatch(r"--?[a-z-]+", result[-1]) and not word.startswith(("-", "<", ">", "|")):
            result[-1] += f" {word}"
        else:
            result.append(word)
    return result


def words(command: str) -> list[str]:
    """Split at spaces outside of quotes and parentheses."""
    found, quote, depth = [""], "", 0
    for letter in command:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == " " and not depth:
            found.append("")
            continue
        found[-1] += letter
    return found


def display(commands: list[str]) -> list[str]:
    lines = [line for command in commands for line in wrapped(f"$ {command}")]
    return [".Bd -literal -offset indent", *map(literal, lines), ".Ed"]


def examples(example: Example, plain: bool = True) -> list[str]:
    """The lines of an example.

    plain: whether its text is text. In a hand-written page it is mdoc.
    """
    lines, commands = [], []
    for step in example.steps:
        if step.kind in ("$", "$&"):
            commands.append(step.text)
        elif step.kind == "text":
            if commands:
                lines += display(commands)
                commands = []
            lines += [*([".Pp"] if lines else []), *sentences(step.text)] if plain else [step.text]
    return lines + (display(commands) if commands else [])
