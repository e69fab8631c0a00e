"""Checks commands for messages against the types of the official API, of PyPI's package simplex-chat.

Usage: official_types.py FOLDER_OF_THE_TYPES < LINES

A line is an object: `command` as it was made, and what it was made of. The messages in it must be of the official types, no
field more and none less, and the official function must make the same command of the same parts.
"""

import importlib
import json
import pathlib
import sys
import types
import typing

folder = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
# The package itself would load the program; its types need nothing.
package = types.ModuleType("official")
package.__path__ = [str(folder)]
sys.modules["official"] = package
records = importlib.import_module("official._types")
commands = importlib.import_module("official._commands")


def problem(value, hint, place: str) -> str | None:
    """What is wrong with a value; None where it is of the type."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.NotRequired:
        return problem(value, arguments[0], place)
    if origin is typing.Literal:
        return None if value in arguments else f"{place}: {value!r} is none of {arguments}"
    if origin in (typing.Union, types.UnionType):
        problems = [problem(value, one, place) for one in arguments]
        return None if None in problems else "; ".join(problems)
    if origin is list:
        if not isinstance(value, list):
            return f"{place}: not a list"
        return next(filter(None, (problem(one, arguments[0], f"{place}[{n}]") for n, one in enumerate(value))), None)
    if origin is dict:
        if not isinstance(value, dict):
            return f"{place}: not an object"
        return next(filter(None, (problem(one, arguments[1], f"{place}.{key}") for key, one in value.items())), None)
    if typing.is_typeddict(hint):
        return record_problem(value, hint, place)
    if hint is object:
        return None
    # True is an int, too.
    return None if type(value) is hint else f"{place}: {value!r} is no {hint}"


def record_problem(value, hint, place: str) -> str | None:
    if not isinstance(value, dict):
        return f"{place}: not an object"
    fields = typing.get_type_hints(hint, vars(records), include_extras=True)
    if others := value.keys() - fields.keys():
        return f"{place}: {hint.__name__} has no {sorted(others)}"
    for name, field in fields.items():
        if name not in value:
            if typing.get_origin(field) is not typing.NotRequired:
                return f"{place}: {hint.__name__} without {name}"
        elif found := problem(value[name], field, f"{place}.{name}"):
            return found
    return None


def official(line: dict, payload) -> str:
    if line["kind"] == "update":
        return commands.APIUpdateChatItem_cmd_string({
            "chatRef": line["chat"], "chatItemId": line["item"], "liveMessage": line["live"], "updatedMessage": payload,
        })
    parts = {
        "sendRef": line["chat"], "liveMessage": line["live"], "signMessages": False, "composedMessages": payload,
    }
    return commands.APISendMessages_cmd_string(parts | ({"ttl": line["ttl"]} if "ttl" in line else {}))


def main() -> None:
    count = 0
    for text in sys.stdin:
        line = json.loads(text)
        head, payload = line["command"].split(" json ", 1)
        payload = json.loads(payload)
        hint = records.UpdatedMessage if line["kind"] == "update" else list[records.ComposedMessage]
        if found := problem(payload, hint, "message"):
            sys.exit(f"{line['command']}: {found}")
        wanted = official(line, payload)
        if wanted != f"{head} json {json.dumps(payload)}":
            sys.exit(f"{line['command']}: the official command is {wanted}")
        count += 1
    print(count)


main()
