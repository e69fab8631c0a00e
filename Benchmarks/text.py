"""Formatted text: a megabyte of ordinary and of hostile texts, beside Python's reader of CommonMark where it is there.

Usage: text.py FOLDER_OF_THE_PROGRAMS

A text twice as long may take twice as long and no more; a megabyte may take 50 ms.
"""

import pathlib
import re
import subprocess
import sys
import time

MOST_MILLISECONDS = 50


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    output = subprocess.run([programs / "valise-limits", "text"], capture_output=True, text=True, check=True).stdout
    print(output, end="")
    found = re.findall(r"^text (\S+) 1 ([\d.]+) ms, twice ([\d.]+) x", output, re.M)
    slow = [name for name, milliseconds, _ in found if float(milliseconds) > MOST_MILLISECONDS]
    print(f"over {MOST_MILLISECONDS} ms: {', '.join(slow) or 'none'}; most for twice the text: "
          f"{max(float(ratio) for _, _, ratio in found)} x")
    try:
        import commonmark
    except ImportError:
        print("commonmark is not installed: it is not measured")
        return
    text = "a *bold* and _it_ `code` " * 4000
    begun = time.monotonic()
    commonmark.Parser().parse(text)
    seconds = (time.monotonic() - begun) * 10
    ours = next(float(milliseconds) for name, milliseconds, _ in found if name == "formats") / 1000
    print(f"formats: {seconds / ours:.0f} x as fast as commonmark ({seconds:.2f} s for a megabyte)")


main()
