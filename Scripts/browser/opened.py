"""What is checked of every page that is opened, whatever it is opened for."""

import json
import os
import pathlib
import re
import urllib.parse

import devtools

AXE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "valise/axe-core/axe.min.js")
WIDE, NARROW = (1100, 800), (360, 740)

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
  for (const element of document.querySelectorAll("iframe, object, embed, form:not([role=search]), base, svg, body script, [autofocus]"))
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
        # Where pages are: a folder, or the address of a server.
        self.base = pathlib.Path()
        self.site: str | None = None

    # What is checked of every page.

    def address(self, path: str) -> str:
        if self.site:
            return f"{self.site}/{path}"
        place, _, fragment = path.partition("#")
        return "file://" + urllib.parse.quote(str(self.base / "html" / place)) + ("#" + fragment if fragment else "")

    def open(self, path: str, size: tuple[int, int] = WIDE, dark: bool = False) -> None:
        self.page.show(*size, dark)
        self.page.open(self.address(path))
        self.pages += 1
        self.whole(f"{'served' if self.site else self.base.name}/{path}")

    def whole(self, name: str) -> None:
        """Whether all went well since it was asked last."""
        self.page.take()
        self.expect(f"{name}: complains", not self.page.complaints, self.page.complaints[:3])
        root = (self.site or "file://" + urllib.parse.quote(str(self.base))) + "/"
        strays = [url for url in self.page.requests
                  if not url.startswith((root, "data:", "about:")) or ".." in url
                  or url.startswith("file:") and not os.path.exists(urllib.parse.unquote(re.sub(r"[?#].*", "", url)[7:]))]
        self.expect(f"{name}: asks for something else", not strays, strays[:3])
        self.page.complaints, self.page.requests = [], []
        intruders = self.page.run(INTRUDERS)
        self.expect(f"{name}: has what is not its own", not intruders, intruders[:3])

    def expect(self, what: str, is_so: object, seen: object = None) -> bool:
        if not is_so:
            self.faults.append(what if seen is None else f"{what}: {seen}")
        return bool(is_so)

    def attempt(self, act, *values) -> None:
        """One after the other: what fails does not keep the next from being tried."""
        try:
            act(self, *values)
        except devtools.BrowserError as error:
            self.faults.append(f"{act.__name__}: {error}")

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
