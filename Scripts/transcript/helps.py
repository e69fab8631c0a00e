"""What each command says of itself."""

import json

COST: dict[str, float] = {"help": 3}


def commands(tree: dict, path: str) -> list[str]:
    """All of a program, from what its parser says."""
    inner = [command for command in tree.get("subcommands", []) if command["commandName"] != "help"]
    return [path, *(name for command in inner for name in commands(command, f"{path} {command['commandName']}"))]


def help_(w):
    for program in ("valise", "valise-relay"):
        tree = json.loads(w.run([program, "--experimental-dump-help"]).output)["command"]
        for name in commands(tree, program):
            w(f"{name} --help")
        w(f"{program} --version")
        w(program)
        w(f"{program} help")
    w("help account create")
    w("help nothing")
    w("archive help import")
    w("account -h")
    w("valise-relay help init")


SUBJECTS = {"help": help_}
