"""Write one mdoc manual page per command, from the parser's own description (JSON on stdin), and the hand-written pages.

Usage: valise --experimental-dump-help | man-pages.py FOLDER
       man-pages.py FOLDER --hand-written

Examples come from Documentation/examples, environment and files from manual/facts.py, the hand-written pages from
Documentation/manual.
"""

import json
import pathlib
import sys

from manual import examples, facts, roff
from manual.roff import escape, sentences

SECTION_OF_EXIT_STATUS = "Exit status: "
RELEASED = "November 21, 2026"


def paragraphs(text: str) -> list[str]:
    """Split a discussion into paragraphs; the exit status table gets its own section."""
    return [part.strip() for part in text.split("\n\n") if part.strip()]


def flag(name: dict) -> str:
    # mdoc's Fl writes one dash.
    return ("Fl -" if name["kind"] == "long" else "Fl ") + name["name"]


# Options whose value may be left out, which the parser takes for flags (OptionalValue.swift).
OPTIONAL_VALUES = {"wait": "duration"}


def optional_value(argument: dict) -> str:
    value = OPTIONAL_VALUES.get((argument.get("preferredName") or {}).get("name", ""))
    return f" Ns Op = Ns Ar {value}" if value else ""


def visible(command: dict) -> list[dict]:
    """List operands first, as in practice; --version and --help are only in the program's own page."""
    shown = [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]
    if command.get("superCommands"):
        shown = [argument for argument in shown if argument["valueName"] not in ("version", "help")]
    return sorted(shown, key=lambda argument: argument["kind"] != "positional")


def synopsis(argument: dict) -> str:
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        text = f"Ar {value}"
    else:
        text = flag(argument["preferredName"]) + optional_value(argument)
        if argument["kind"] == "option":
            text += f" Ar {value}"
    return f".Op {text}" if argument.get("isOptional") else f".{text}"


def term(argument: dict) -> str:
    if argument["kind"] == "positional":
        return f"Ar {argument['valueName']}"
    names = " , ".join(flag(name) for name in argument.get("names", []))
    return names + optional_value(argument) + (f" Ar {argument['valueName']}" if argument["kind"] == "option" else "")


def options(command: dict) -> list[str]:
    if not visible(command):
        return []
    lines = [".Sh OPTIONS", ".Bl -tag -width 6n"]
    for argument in visible(command):
        lines.append(f".It {term(argument)}")
        if argument.get("abstract"):
            lines += sentences(argument["abstract"])
        if argument.get("discussion"):
            lines += sentences(argument["discussion"])
        if argument.get("defaultValue"):
            lines.append(f"The default is {escape(argument['defaultValue'])}.")
    return lines + [".El"]


def table(title: str, entries: list[tuple[str, str]], term: str = "Pa") -> list[str]:
    """A section with a list of terms; nothing for an empty one."""
    if not entries:
        return []
    lines = [f".Sh {title}", ".Bl -tag -width 6n"]
    for name, text in entries:
        lines += [f".It {term} {' , '.join(name.split(', '))}".replace(".It  ", ".It "), *sentences(text)]
    return lines + [".El"]


def exit_statuses(exit_status: str, known: facts.Command) -> list[tuple[str, str]]:
    parts = exit_status.removeprefix(SECTION_OF_EXIT_STATUS).rstrip(".").split("; ")
    entries = [tuple(part.split(" ", 1)) for part in parts]
    return [
        (number, facts.MEANINGS.get((known.name, number), meaning))
        for number, meaning in entries if facts.applies(known, number)]


def written(entries: list, known: facts.Command) -> list[tuple[str, str]]:
    return [(name, text) for name, text, rule in entries if rule(known)]


def page(command: dict, path: list[str], exit_status: str, shown: examples.Example) -> str:
    known = facts.Command(path, command.get("arguments", []))
    name = "-".join(path)
    children = [child for child in command.get("subcommands", []) if child["commandName"] != "help"]
    # One word: whatis(1) and apropos(1) read the name up to the first space.
    lines = [f".Dd {RELEASED}", f".Dt {name.upper()} 1", ".Os valise", ".Sh NAME", f".Nm {name}"]
    lines += [f".Nd {escape(command.get('abstract', '')).rstrip('.')}", ".Sh SYNOPSIS", f".Nm {' '.join(path)}"]
    if children:
        lines.append(".Ar command")
    lines += [synopsis(argument) for argument in visible(command)]
    lines.append(".Sh DESCRIPTION")
    texts = [text for text in paragraphs(command.get("discussion", "")) if not text.startswith(SECTION_OF_EXIT_STATUS)]
    for number, text in enumerate(texts or [command.get("abstract", "")]):
        lines += [*([".Pp"] if number else []), *sentences(text)]
    if children:
        lines += [".Sh COMMANDS", ".Bl -tag -width 6n"]
        for child in children:
            lines += [f".It Cm {child['commandName']}", f"{escape(child.get('abstract', '')).rstrip('.')}."]
            lines.append(f"See {'-'.join(path + [child['commandName']])}(1).")
        lines.append(".El")
    lines += options(command)
    lines += table("ENVIRONMENT", written(facts.ENVIRONMENT, known), "Ev")
    lines += table("FILES", written(facts.FILES, known))
    lines += table("EXIT STATUS", exit_statuses(exit_status, known), "")
    lines += [".Sh EXAMPLES"] + roff.examples(shown)
    if len(path) > 1:
        lines += [".Sh SEE ALSO", f".Xr {'-'.join(path[:-1])} 1"]
    elif not known.isRelay:
        lines += [".Sh SEE ALSO", ".Xr valise-relay 1 ,", ".Xr valise-formats 5 ,", ".Xr valise-guide 7"]
    else:
        lines += [".Sh SEE ALSO", ".Xr valise 1 ,", ".Xr valise-guide 7"]
    return "\n".join(lines) + "\n"


def write(
    command: dict, path: list[str], folder: pathlib.Path, exit_status: str, shown: dict[str, examples.Example]
) -> None:
    name = " ".join(path)
    if name not in shown:
        sys.exit(f"man-pages: {name} has no example in Documentation/examples")
    text = page(command, path, exit_status, shown.pop(name))
    (folder / f"{'-'.join(path)}.1").write_text(text, encoding="utf-8")
    for child in command.get("subcommands", []):
        if child["commandName"] != "help":
            write(child, path + [child["commandName"]], folder, exit_status, shown)


def write_hand_written(folder: pathlib.Path) -> None:
    for name, parts in examples.pages().items():
        lines = [line for part in parts for line in roff.examples(part, plain=False)]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    if "--hand-written" in sys.argv:
        return write_hand_written(folder)
    root = json.load(sys.stdin)["command"]
    statuses = [text for text in paragraphs(root["discussion"]) if text.startswith(SECTION_OF_EXIT_STATUS)]
    program = root["commandName"]
    shown = {name: example for name, example in examples.commands().items() if name.split(" ")[0] == program}
    write(root, [program], folder, statuses[0], shown)
    if shown:
        sys.exit(f"man-pages: examples of commands that do not exist: {', '.join(shown)}")


main()
