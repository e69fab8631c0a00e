"""The words of all texts for hunspell; see check-spelling.sh.

Texts are the documents, the DocC catalogs and comments, the manual pages, and the string literals of the sources: help and
errors are among them. Code, options, paths, links and identifiers are taken out first.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "Documentation/words.dic"
DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "DESIGN.md", "SECURITY.md", "Documentation/**/*.md",
             "Documentation/manual/*.txt", "Sources/**/*.md", "man/*"]
# Literals of another language, and a list of words that has its own test.
OTHER = {"AccentTable.swift", "PDFCanvas.swift", "SVGCanvas.swift", "QRCodeImage.swift", "FingerprintWords+List.swift"}

# en_US has these as well. Names of states on disk and in JSON stay.
BRITISH = re.compile(
    r"(?i)^(?:grey\w*|towards|whilst|amongst|judgements?|acknowledgements?|licences?|catalogues?|analogues?"
    r"|\w+(?:yse|ysed|yses|ising|isation|isations)|travell\w+|labell\w+|modell\w+|signall\w+|marshall\w+|fulfil|fulfils)$")
AMERICAN = re.compile(r"(?i)^(?:rising|raising|arising|comprising|surprising|promising|advising|noising|exercising|revising|"
                      r"supervising|advertising|compromising|premising|improvising|uprising|disguising|praising)$")

# What is no prose, in the order in which it is taken out.
NO_PROSE = [re.compile(pattern) for pattern in (
    r"``[^`]*``", r"`[^`]*`", r"<!--.*?-->", r"</?[A-Za-z][^>\n]*>", r"\]\([^)]*\)", r"(?:https?|simplex|xftp|doc):\S+",
    r"<[\w./:@-]+>", r"&\w+;",
    r"\{[^{}\n]*\}",
    r"(?<!\w)--?[A-Za-z][\w-]*(?:=\S+)?",            # options
    r"[\w~.*-]*[/\\][\w~./\\*@<>-]*",                # paths
    r"\b\w+(?:\.\w+)+\b", r"(?<!\w)[.$@%]\w[\w.-]*",  # names of files, hidden files, variables, formats
    r"\b\w*[_\d]\w*\b",                              # identifiers, numbers
    r"\b[a-z]+[A-Z]\w*\b", r"\b[A-Z][a-z]+[A-Z]\w*\b", r"\b[A-Z]{2,}[A-Za-z]*\b",
)]


def blanked(text: str, pattern: re.Pattern[str]) -> str:
    """Line breaks stay, for the numbers of lines."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def markdown(text: str) -> str:
    return blanked(blanked(text, re.compile(r"(?ms)^ *```.*?^ *```")), re.compile(r"(?m)^(?: {4}|\t)(?![-*\d]).*$"))


def roff(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        macro = re.match(r'[.\'](\w*)(.*)', line)
        # Bold are literals; headings are ours.
        lines.append(line if not macro else macro[2] if macro[1].upper() in ("SH", "SS", "ND") else "")
    joined = blanked("\n".join(lines), re.compile(r"(?s)\\fB.*?\\f[RPI]"))
    return re.sub(r"\\f[A-Z]|\\[-&e]|\\\(..", " ", joined)


def without_interpolations(text: str) -> str:
    result, position = "", 0
    while (start := text.find("\\(", position)) >= 0:
        depth, end = 0, start + 1
        while end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        # A letter behind it is the end of a word.
        result += text[position:start] + " 0"
        position = end
    return result + text[position:]


STATEMENT = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|FROM|WHERE|VALUES|ATTACH|BEGIN)\b")
LITERAL = re.compile(r'(?s)#*"""\n(.*?)"""#*|#*"((?:\\\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)|[^"\\\n]|\\.)*)"#*')


def swift(text: str) -> list[tuple[int, str]]:
    """Comments of documentation, and literals of several words that are no statements."""
    pieces = [(number, re.sub(r"^\s*- (?:Parameter )?\w+:", "", match[1]))
              for number, line in enumerate(text.split("\n"), 1) if (match := re.match(r"\s*///(.*)", line))]
    code = blanked(text, re.compile(r"(?m)^\s*//.*$"))
    for match in LITERAL.finditer(code):
        literal = match[1] if match[1] is not None else match[2]
        if " " in literal.strip() and not STATEMENT.search(literal):
            literal = without_interpolations(literal).replace("\\n", " ").replace("\\t", " ").replace("\\\n", "\n")
            first = code.count("\n", 0, match.start()) + 1 + (match[1] is not None)
            pieces += [(first + index, line) for index, line in enumerate(literal.split("\n"))]
    return pieces


def pieces(path: pathlib.Path) -> list[tuple[int, str]]:
    text = path.read_text()
    if path.suffix == ".swift":
        return swift(text)
    if path.parent.name in ("man", "manual"):
        text = roff(text)
    elif path.suffix == ".md":
        text = markdown(text)
    for pattern in NO_PROSE[:4]:
        text = blanked(text, pattern)
    return list(enumerate(text.split("\n"), 1))


def words() -> dict[str, str]:
    """Each word, with the place where it is first."""
    found: dict[str, str] = {}
    paths = [path for pattern in DOCUMENTS for path in sorted(ROOT.glob(pattern))]
    paths += [
        path for path in sorted(ROOT.glob("Sources/**/*.swift"))
        if not path.read_text().startswith("// swift-format-ignore-file") and path.name not in OTHER
        and "SampleAccounts" not in path.parts]
    for path in paths:
        for number, line in pieces(path):
            for pattern in NO_PROSE:
                line = pattern.sub(" 0 ", line)
            for word in re.findall(r"(?<![\w'’])[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f'’]*", line):
                word = word.replace("’", "'").removesuffix("'s").strip("'")
                if len(word) > 2:
                    found.setdefault(word, f"{path.relative_to(ROOT)}:{number}")
    return found


def main() -> int:
    own = LIST.read_text().split("\n")[:-1]
    found = words()
    if "--unused" in sys.argv:
        present = {word.lower() for word in found}
        print("\n".join(word for word in own if word.lower() not in present))
        return 0
    checked = subprocess.run(
        ["hunspell", "-d", "en_US", "-p", str(LIST), "-i", "UTF-8", "-l"], input="\n".join(found), text=True,
        capture_output=True, check=True).stdout
    wrong = set(checked.split()) | {
        word for word in found if BRITISH.match(word) and not AMERICAN.match(word)} - set(own)
    for word in sorted(wrong, key=str.lower):
        print(f"{found.get(word, '?')}: {word}")
    if own != sorted(own, key=lambda word: (word.lower(), word)):
        print("Documentation/words.dic is not sorted")
        return 1
    if len(found) < 3000:
        print(f"only {len(found)} words were found")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
