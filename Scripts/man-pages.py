"""Write one mdoc manual page per command, from the parser's own description (JSON on stdin).

Usage: valise --experimental-dump-help | man-pages.py FOLDER
"""

import json
import pathlib
import sys

SECTION_OF_EXIT_STATUS = "Exit status: "
RELEASED = "November 21, 2026"


def escape(text: str) -> str:
    """Escape backslashes, leading dots and leading quotes for roff."""
    text = text.replace("\\", "\\e").replace("\n", " ")
    return "\\&" + text if text[:1] in (".", "'") else text


def paragraphs(text: str) -> list[str]:
    """Split a discussion into paragraphs; the exit status table gets its own section."""
    return [part.strip() for part in text.split("\n\n") if part.strip()]


def flag(name: dict) -> str:
    # mdoc's Fl writes one dash.
    return ("Fl -" if name["kind"] == "long" else "Fl ") + name["name"]


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
        text = flag(argument["preferredName"])
        if argument["kind"] == "option":
            text += f" Ar {value}"
    return f".Op {text}" if argument.get("isOptional") else f".{text}"


def term(argument: dict) -> str:
    if argument["kind"] == "positional":
        return f"Ar {argument['valueName']}"
    names = " , ".join(flag(name) for name in argument.get("names", []))
    return names + (f" Ar {argument['valueName']}" if argument["kind"] == "option" else "")


def options(command: dict) -> list[str]:
    lines = [".Bl -tag -width 6n"]
    for argument in visible(command):
        lines.append(f".It {term(argument)}")
        if argument.get("abstract"):
            lines.append(escape(argument["abstract"]))
        if argument.get("discussion"):
            lines.append(escape(argument["discussion"]))
        if argument.get("defaultValue"):
            lines.append(f"The default is {escape(argument['defaultValue'])}.")
    return lines + [".El"]


def page(command: dict, path: list[str], exit_status: str) -> str:
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
    for text in texts or [command.get("abstract", "")]:
        lines += [".Pp", escape(text)]
    if children:
        lines += [".Sh COMMANDS", ".Bl -tag -width 6n"]
        for child in children:
            lines += [f".It Cm {child['commandName']}", escape(child.get("abstract", ""))]
            lines.append(f"See {'-'.join(path + [child['commandName']])}(1).")
        lines.append(".El")
    lines += [".Sh OPTIONS"] + options(command)
    lines += [".Sh EXIT STATUS", ".Bl -tag -width 6n"]
    for part in exit_status.removeprefix(SECTION_OF_EXIT_STATUS).rstrip(".").split("; "):
        number, meaning = part.split(" ", 1)
        lines += [f".It {number}", escape(meaning)]
    lines += [".El"]
    if len(path) > 1:
        lines += [".Sh SEE ALSO", f".Xr {'-'.join(path[:-1])} 1"]
    return "\n".join(lines) + "\n"


def write(command: dict, path: list[str], folder: pathlib.Path, exit_status: str) -> None:
    (folder / f"{'-'.join(path)}.1").write_text(page(command, path, exit_status), encoding="utf-8")
    for child in command.get("subcommands", []):
        if child["commandName"] != "help":
            write(child, path + [child["commandName"]], folder, exit_status)


def main() -> None:
    root = json.load(sys.stdin)["command"]
    table = [text for text in paragraphs(root["discussion"]) if text.startswith(SECTION_OF_EXIT_STATUS)]
    write(root, [root["commandName"]], pathlib.Path(sys.argv[1]), table[0])


main()
