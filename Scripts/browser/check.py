"""Opens exports of chats in a headless Chromium, as files, and chats that are served: what a person does, and what nobody may do.

Usage: check.py FOLDER_OF_THE_PROGRAMS [FOLDER_FOR_PICTURES]

The sample account is exported as pages, once as it is, once with a chat of three months, once with a hostile text in the place
of nearly every string. Each page is opened, wide and narrow, light and dark: none may scroll sideways, complain, ask for
anything outside the folder or run what it shows. Kinds of pages are given to axe-core; search, pictures, quotes, histories,
secrets and keys are used. So are large accounts of Session (`accounts.py`). Then an archive of the account is browsed
(`browsing.py`). With a folder for pictures, what is seen is kept there as PNG files. VALISE_TEMPLATE names a folder with files
that take the place of those in the exports (`--template`): scripts and styles are tried without another build.

Chromium is Debian's package, axe-core comes from a package of PyPI: Scripts/setup.sh --with-test-tools installs both. Where a
system has no Chromium but a snap, which may not read the files (Ubuntu), nothing is checked, and that is said.
"""

import pathlib
import re
import sys
import tempfile
import time

import accounts
import acts
import browsing
import devtools
import exports
from opened import AXE, Check

# Items beyond those of the sample.
MESSAGES = 1500


def run(programs: pathlib.Path, work: pathlib.Path, pictures: pathlib.Path | None) -> None:
    begun = time.monotonic()
    exports.make(programs, work, MESSAGES)
    with devtools.Browser() as browser:
        check = Check(devtools.Page(browser), work, pictures)
        for name in ("long", "hostile"):
            check.every_page(name)
        acts.hostile_search(check)
        check.base = work / "real"
        group = "pages/group-1/2026-01.html"
        for path in ("index.html", "search.html#q=the", group, "pages/group-1/index.html"):
            check.audit(path)
        check.base = work / "hostile"
        check.audit("pages/contact-4/index.html")
        check.base = work / "long"
        for act in (acts.themes, acts.filtering, acts.searching, acts.jumping, acts.histories, acts.keys, acts.lightbox,
                    acts.directions):
            check.attempt(act)
        if pictures:
            check.base = work / "real"
            for name, path in (("index", "index.html"), ("chat", group), ("found", "search.html#q=the")):
                check.look(name, path)
            check.base = work / "hostile"
            check.look("hostile", group)
        accounts.run(check, programs)
    served = browsing.run(programs, work, pictures)
    faults = list(dict.fromkeys(check.faults + served.faults))
    print("\n".join(faults[:60]), end="\n" if faults else "", file=sys.stderr)
    print(f"browser: {check.pages + served.pages} pages opened, {check.audits + served.audits} audits, {len(faults)} failures, "
          f"{time.monotonic() - begun:.0f} s", file=sys.stderr)
    sys.exit(1 if faults else 0)


def main() -> None:
    programs = pathlib.Path(sys.argv[1]).resolve()
    pictures = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    missing = [what for what, is_there in (("Chromium", devtools.program()), ("axe-core", AXE.exists())) if not is_there]
    if missing:
        with open("/etc/os-release") as file:
            is_debian = re.search(r"^ID=debian$", file.read(), re.MULTILINE)
        says = f"browser: {' and '.join(missing)} not found"
        if is_debian or devtools.program():
            sys.exit(f"{says}; Scripts/setup.sh --with-test-tools installs what is missing")
        print(f"{says}: NOTHING OF THE PAGES WAS CHECKED in a browser, since this system has no Chromium but a snap", file=sys.stderr)
        return
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    # A name that has to be encoded in addresses.
    with tempfile.TemporaryDirectory(prefix="valise 100% #1 ", ignore_cleanup_errors=True) as folder:
        run(programs, pathlib.Path(folder).resolve(), pictures)


if __name__ == "__main__":
    main()
