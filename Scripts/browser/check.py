"""Opens exports of chats in a headless Chromium, as files: what a person does, and what nobody may be able to do.

Usage: check.py FOLDER_OF_THE_PROGRAMS [FOLDER_FOR_PICTURES]

The sample account is exported as pages, once as it is, once with a chat of three months, once with a hostile text in the place
of nearly every string. Each page is opened, wide and narrow, light and dark: none may scroll sideways, complain, ask for
anything outside the folder or run what it shows. Kinds of pages are given to axe-core; search, pictures, quotes, histories,
secrets and keys are used. With a folder for pictures, what is seen is kept there as PNG files. VALISE_TEMPLATE names a folder
with files that take the place of those in the program (`--template`): scripts and styles are tried without another build.

Chromium is Debian's package, axe-core comes from a package of PyPI: Scripts/setup.sh --with-test-tools installs both. Where a
system has no Chromium but a snap, which may not read the files (Ubuntu), nothing is checked, and that is said.
"""

import json
import os
import pathlib
import re
import sys
import tempfile
import time
import urllib.parse

import devtools
import exports

AXE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "valise/axe-core/axe.min.js")
WIDE, NARROW = (1100, 800), (360, 740)
# Items beyond those of the sample.
MESSAGES = 1500
# The first answer of a search, in milliseconds.
FIRST_ANSWER = 300

# What must not be in a page, whatever it shows. Its own scripts are those of its head.
INTRUDERS = r"""
(() => {
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    for (const attribute of element.attributes) {
      if (attribute.name.startsWith("on")) found.push(element.tagName + " " + attribute.name);
      if (["href", "src", "poster", "action"].includes(attribute.name) && /^\s*(javascript|vbscript|data:text)/i.test(attribute.value))
        found.push(element.tagName + " " + attribute.value.slice(0, 60));
    }
  }
  for (const element of document.querySelectorAll("iframe, object, embed, form, base, svg, body script, [autofocus]"))
    if (element.id !== "query") found.push(element.outerHTML.slice(0, 80));
  if (document.querySelectorAll("meta[http-equiv]").length !== 1) found.push("another meta");
  if ("hostile" in window) found.push("a script ran: " + window.hostile);
  return found;
})()
"""


class Check:
    def __init__(self, page: devtools.Page, work: pathlib.Path, pictures: pathlib.Path | None) -> None:
        self.page, self.work, self.pictures = page, work, pictures
        self.faults: list[str] = []
        self.pages = self.audits = 0
        self.base = pathlib.Path()

    # What is checked of every page.

    def address(self, path: str) -> str:
        place, _, fragment = path.partition("#")
        return "file://" + urllib.parse.quote(str(self.base / "html" / place)) + ("#" + fragment if fragment else "")

    def open(self, path: str, size: tuple[int, int] = WIDE, dark: bool = False) -> None:
        self.page.show(*size, dark)
        self.page.open(self.address(path))
        self.pages += 1
        self.whole(f"{self.base.name}/{path}")

    def whole(self, name: str) -> None:
        """Whether all went well since it was asked last."""
        self.page.take()
        self.expect(f"{name}: complains", not self.page.complaints, self.page.complaints[:3])
        root = "file://" + urllib.parse.quote(str(self.base)) + "/"
        strays = [url for url in self.page.requests
                  if not url.startswith((root, "data:", "about:")) or ".." in url
                  or url.startswith(root) and not os.path.exists(urllib.parse.unquote(re.sub(r"[?#].*", "", url)[7:]))]
        self.expect(f"{name}: asks for something else", not strays, strays[:3])
        self.page.complaints, self.page.requests = [], []
        intruders = self.page.run(INTRUDERS)
        self.expect(f"{name}: has what is not its own", not intruders, intruders[:3])

    def expect(self, what: str, is_so: object, seen: object = None) -> bool:
        if not is_so:
            self.faults.append(what if seen is None else f"{what}: {seen}")
        return bool(is_so)

    def fits(self, name: str) -> None:
        width = self.page.run("[document.documentElement.scrollWidth, innerWidth]")
        self.expect(f"{name}: scrolls sideways", width[0] <= width[1], width)

    def every_page(self, export: str) -> None:
        """Wide in one theme, narrow in the other."""
        self.base = self.work / export
        html = self.base / "html"
        for path in sorted(html.rglob("*.html")):
            name = str(path.relative_to(html))
            self.open(name, NARROW, dark=bool(self.pages % 2))
            self.fits(f"{export}/{name}, narrow")
            self.page.show(*WIDE, not self.pages % 2)
            self.fits(f"{export}/{name}, wide")

    def audit(self, path: str) -> None:
        """By axe-core, in both themes and narrow."""
        for size, dark in ((WIDE, False), (NARROW, True)):
            self.open(path, size, dark)
            self.page.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            if path.startswith("search.html"):
                self.page.until("document.querySelectorAll('#results li').length > 0")
            self.page.run(AXE.read_text() + "; 0")
            found = json.loads(self.page.run(
                "axe.run(document, { resultTypes: ['violations'], preload: false }).then((result) => JSON.stringify({ rules:"
                " result.passes.length, violations: result.violations.map((each) => [each.id, each.impact, each.nodes.length,"
                " each.nodes[0].html.slice(0, 160), each.nodes[0].any.concat(each.nodes[0].all)"
                ".map((check) => check.message).join('; ').slice(0, 200)]) }))"))
            self.expect(f"axe: {path}: hardly a rule was applied", found["rules"] >= 12, found["rules"])
            for violation in found["violations"]:
                self.expect(f"axe: {path}, {'dark' if dark else 'light'}", violation[1] not in ("serious", "critical"), violation)
            self.audits += 1
            self.page.take()

    def picture(self, name: str) -> None:
        if self.pictures:
            self.page.picture(str(self.pictures / f"{name}.png"))

    def look(self, name: str, path: str) -> None:
        for size, width in ((WIDE, "wide"), (NARROW, "narrow")):
            for dark in (False, True):
                self.open(path, size, dark)
                if path.startswith("search.html"):
                    self.page.until("document.querySelectorAll('#results li').length > 0")
                self.picture(f"{name}-{width}-{'dark' if dark else 'light'}")


# What a person does.

def themes(check: Check) -> None:
    color = "getComputedStyle(document.body).backgroundColor"
    check.open("index.html", dark=False)
    light = check.page.run(color)
    check.page.show(*WIDE, True)
    dark = check.page.run(color)
    check.expect("both themes are the same", light != dark, light)
    check.page.click(".theme")
    check.expect("the button does not bring the light theme back", check.page.run(color) == light)
    check.page.click(".theme")
    check.open("search.html")
    check.expect("the theme is not kept", check.page.run(color) == dark)
    check.page.run("localStorage.clear()")
    check.whole("themes")


def filtering(check: Check) -> None:
    check.open("index.html")
    check.page.click("#filter")
    check.page.type("garden")
    shown = check.page.run("Array.from(document.querySelectorAll('.entries li')).filter((each) => each.checkVisibility()).length")
    every = check.page.run("document.querySelectorAll('.entries li').length")
    check.expect("the filter shows all chats, or none", 0 < shown < every, [shown, every])


def searching(check: Check) -> None:
    check.open("index.html")
    check.page.press("/")
    check.page.wait_for_load()
    check.expect("/ does not lead to the search", check.page.until("document.activeElement.id === 'query'"))
    expected = exports.LONG_DAYS * exports.LONG_DAILY // len(exports.WEEK)
    for query, count, prefix in (("needle ", expected, ""), ('"needle in the haystack" ', expected, "at most "), ("hayst", expected, ""),
                                 ("שלום ", None, ""), ("nosuchword ", 0, "")):
        check.page.run("document.getElementById('query').value = ''")
        check.page.click("#query")
        check.page.type(query)
        wanted = "nothing found" if count == 0 else f"{prefix}{count or ''}"
        ok = check.page.until(
            f"document.getElementById('status').textContent.startsWith({json.dumps(wanted)}) && "
            "document.getElementById('status').textContent !== ''", 5)
        check.expect(f"the search for {query}", ok, check.page.run("document.getElementById('status').textContent"))
        check.page.take()
    check.page.run("document.getElementById('query').value = ''")
    check.open("search.html#q=needle%20")
    check.page.until("document.querySelectorAll('#results li').length > 0")
    took = float(check.page.run("document.getElementById('status').dataset.milliseconds"))
    check.expect(f"the first answer took more than {FIRST_ANSWER} ms", took < FIRST_ANSWER, took)
    check.expect("words are not marked", check.page.run("document.querySelector('#results mark').textContent.toLowerCase()") == "needle")
    check.picture("search")
    before = check.page.run("document.querySelectorAll('#results li').length")
    check.page.click("#more")
    check.expect("more are not shown", check.page.until(f"document.querySelectorAll('#results li').length > {before}"))
    target = check.page.run("document.querySelector('#results a').hash")
    check.page.click("#results a")
    check.page.wait_for_load()
    check.expect("what was found is not shown", check.page.until(
        f"document.activeElement.id === {json.dumps(target[1:])} && document.activeElement.textContent.includes('needle')"))
    check.whole("searching")


def jumping(check: Check) -> None:
    chat = "pages/contact-9000"
    check.open(f"{chat}/2025-03.html")
    check.expect("the newest page does not begin at its end", check.page.run("scrollY > 1000"))
    check.page.click("#m-long-898 a.q")
    seen = "(() => { const box = document.activeElement.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()"
    check.expect("a quote does not jump", check.page.until(f"document.activeElement.id === 'm-long-892' && {seen}"))
    check.page.click("#m-long-899 a.q")
    check.page.wait_for_load()
    check.expect("a quote does not jump to an earlier page", check.page.until(
        f"location.pathname.endsWith('/2025-01.html') && document.activeElement.id === 'm-long-0' && {seen}"))
    check.picture("quoted")
    check.whole("jumping")


def histories(check: Check) -> None:
    check.open("pages/contact-9000/2025-03.html")
    visible = "document.querySelector('#m-long-897 .hist li').checkVisibility()"
    check.expect("a history is open from the start", not check.page.run(visible))
    check.page.click("#m-long-897 .hist summary")
    check.expect("a history does not open", check.page.until(visible))
    check.expect("a history lacks the first text", "before it was edited" in check.page.run("document.querySelector('#m-long-897 .hist').innerText"))
    check.picture("history")
    hidden = "getComputedStyle(document.querySelector('#m-long-893 .secret .st')).visibility"
    check.expect("a secret is not hidden", check.page.run(hidden) == "hidden")
    check.page.run("document.querySelector('#m-long-893 .secret').focus()")
    check.page.press("Enter")
    check.expect("a secret is not shown", check.page.until(f"{hidden} === 'visible'"))
    check.whole("histories")


def keys(check: Check) -> None:
    check.open("pages/contact-9000/2025-02.html")
    at = "document.activeElement.id"
    check.page.press("j")
    first = check.page.run(at)
    check.page.press("j")
    second = check.page.run(at)
    check.page.press("ArrowUp")
    check.expect("j and the arrow up are not each other's contrary",
                 first.startswith("m-long-") and second != first and check.page.run(at) == first, [first, second, check.page.run(at)])
    check.page.press("Escape")
    check.expect("Escape does not leave the message", check.page.run("document.activeElement === document.body"))
    for key, page in (("n", "2025-03"), ("p", "2025-02"), ("p", "2025-01")):
        check.page.press(key)
        check.page.wait_for_load()
        check.expect(f"{key} does not lead to {page}", check.page.run("location.pathname").endswith(f"/{page}.html"))
    check.page.press("p")
    check.expect("p leaves the first page", check.page.run("location.pathname").endswith("/2025-01.html"))
    check.page.press("Tab")
    check.expect("the first stop is not the link past the header", check.page.run("document.activeElement.className") == "skip")
    check.picture("skip")
    check.page.press("Enter")
    check.expect("it does not lead to the messages", check.page.until("document.activeElement.id === 'items'"))
    check.whole("keys")


def lightbox(check: Check) -> None:
    check.open("pages/contact-9000/2025-03.html")
    check.page.click("a.pic")
    shown = "(() => { const box = document.querySelector('dialog.box'), image = box && box.querySelector('img');"\
        " return box && box.open && image.complete && image.naturalWidth > 0 && image.getBoundingClientRect().height > 10; })()"
    check.expect("a picture does not open", check.page.until(shown))
    caption = "document.querySelector('dialog.box figcaption').textContent"
    first = check.page.run(caption)
    check.picture("lightbox")
    check.page.press("ArrowRight")
    second = check.page.run(caption)
    check.page.press("ArrowLeft")
    check.expect("the arrows do not turn the pictures", first != second and check.page.run(caption) == first, [first, second])
    check.page.press("Escape")
    check.expect("Escape does not close it", check.page.until("!document.querySelector('dialog.box').open"))
    check.expect("the focus is lost", check.page.run("document.activeElement.matches('a.pic')"))
    check.page.press("Enter")
    check.expect("Enter does not open it", check.page.until(shown))
    check.page.click("dialog.box .close")
    check.expect("the button does not close it", check.page.until("!document.querySelector('dialog.box').open"))
    check.page.show(*NARROW)
    check.page.click("a.pic")
    check.expect("a picture does not open on a phone", check.page.until(shown))
    check.fits("lightbox")
    check.picture("lightbox-narrow")
    check.whole("lightbox")


def directions(check: Check) -> None:
    check.open("pages/contact-9000/2025-03.html", NARROW)
    direction = "getComputedStyle(document.querySelector('#m-long-%d .t')).direction"
    check.expect("a Hebrew text is not right-to-left", check.page.run(direction % 890) == "rtl")
    check.expect("an English text is not left-to-right", check.page.run(direction % 888) == "ltr")
    check.expect("an Arabic text is not right-to-left", check.page.run(direction % 891) == "rtl")
    check.expect("a name is not isolated", check.page.run("document.querySelector('h1 bdi').textContent") == "נועה בן-דוד")
    check.page.run("document.querySelector('#m-long-891').scrollIntoView({ block: 'center' })")
    check.picture("directions")


def hostile_search(check: Check) -> None:
    check.open("search.html#q=window")
    check.expect("hostile texts are not found", check.page.until("document.querySelectorAll('#results li').length > 10"))
    check.page.click("#more")
    check.page.until("document.querySelectorAll('#results li').length > 30", 2)
    check.page.run("document.querySelectorAll('#results details').forEach((each) => { each.open = true; })")
    check.whole("hostile search")
    check.picture("hostile-search")


def run(programs: pathlib.Path, work: pathlib.Path, pictures: pathlib.Path | None) -> None:
    begun = time.monotonic()
    exports.make(programs, work, MESSAGES)
    with devtools.Browser() as browser:
        check = Check(devtools.Page(browser), work, pictures)
        for name in ("long", "hostile"):
            check.every_page(name)
        hostile_search(check)
        check.base = work / "real"
        group = "pages/group-1/2026-01.html"
        for path in ("index.html", "search.html#q=the", group, "pages/group-1/index.html"):
            check.audit(path)
        check.base = work / "hostile"
        check.audit("pages/contact-4/index.html")
        check.base = work / "long"
        for act in (themes, filtering, searching, jumping, histories, keys, lightbox, directions):
            try:
                act(check)
            except devtools.BrowserError as error:
                check.faults.append(f"{act.__name__}: {error}")
        if pictures:
            check.base = work / "real"
            for name, path in (("index", "index.html"), ("chat", group), ("found", "search.html#q=the")):
                check.look(name, path)
            check.base = work / "hostile"
            check.look("hostile", group)
    faults = list(dict.fromkeys(check.faults))
    print("\n".join(faults[:60]), end="\n" if faults else "", file=sys.stderr)
    print(f"browser: {check.pages} pages opened, {check.audits} audits, {len(faults)} failures, "
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
