"""Reads the examples of the manual pages; Documentation/examples/README.md has the form of the files."""

import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "Documentation" / "examples"
PAGES = ROOT / "Documentation" / "manual"


@dataclasses.dataclass
class Step:
    """A line of an example. Kinds: text, $ and $& as written, ! and %& for what is not shown."""

    kind: str
    text: str
    status: int = 0
    place: str = ""


@dataclasses.dataclass
class Example:
    """The lines of one page, or one recipe of a page, which run in a folder of their own."""

    name: str
    steps: list[Step] = dataclasses.field(default_factory=list)
    replaced: list[tuple[str, str]] = dataclasses.field(default_factory=list)

    def runnable(self, text: str) -> str:
        for shown, run in self.replaced:
            text = text.replace(shown, run)
        return text


def read(path: pathlib.Path) -> list[Example]:
    """The examples of a file. In a hand-written page, what comes before the first one is an example without a name."""
    examples = [Example("")]
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path.name}:{number}"
        kind, _, rest = line.partition(" ")
        if line.startswith("[") and line.endswith("]"):
            examples.append(Example(line[1:-1]))
        elif kind in ("$", "$&", "!", "%&"):
            examples[-1].steps.append(Step(kind, rest, place=place))
        elif kind == "=" and rest.isdigit():
            examples[-1].steps[-1].status = int(rest)
        elif kind == "~":
            shown, arrow, run = rest.partition(" => ")
            if not arrow:
                raise SystemExit(f"{place}: '~ SHOWN => RUN' is expected")
            examples[-1].replaced.append((shown, run))
        else:
            examples[-1].steps.append(Step("text", line, place=place))
    return examples


def commands() -> dict[str, Example]:
    """The examples of commands, by the command."""
    found = [example for path in sorted(FOLDER.glob("*.txt")) for example in read(path)[1:]]
    names = [example.name for example in found]
    if twice := {name for name in names if names.count(name) > 1}:
        raise SystemExit(f"examples twice: {', '.join(sorted(twice))}")
    return {example.name: example for example in found}


def pages() -> dict[str, list[Example]]:
    """The hand-written pages, by the name of their file in man/."""
    return {path.stem: read(path) for path in sorted(PAGES.glob("*.txt"))}
