"""Uses `valise chat browse` as a person does: an archive of an encrypted account, from the printed address to Control-C.

Program and browser have folders of their own, in which nothing of a message may be when it ends.
"""

import http.server
import json
import os
import pathlib
import signal
import stat
import subprocess
import threading

import acts
import devtools
import exports
from opened import NARROW, WIDE, Check

# The chat of the sample with every kind of item.
CHAT = "pages/group-1/latest.html"
# What many messages have.
SEARCHED = "search.html?q=garden"
# In bytes: the pages and files of a run are some megabytes.
MOST_WRITTEN = 64 << 10


def folders(root: pathlib.Path) -> dict[str, str]:
    """An environment in which all that a program writes is below a folder."""
    names = {"HOME": "home", "TMPDIR": "tmp", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
             "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run"}
    for name in names.values():
        (root / name).mkdir(parents=True, mode=0o700)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VALISE_", "XDG_"))}
    return kept | {name: str(root / folder) for name, folder in names.items()}


class Server:
    """`valise chat browse`."""

    def __init__(self, programs: pathlib.Path, work: pathlib.Path) -> None:
        self.folder = work / "browsing"
        self.archive = self.folder / "archive/account.zip"
        self.archive.parent.mkdir(parents=True)
        key = ["--passphrase-file", work / "key", "--no-key-store"]
        exports.run(programs / "valise", "archive", "export", work / "account", self.archive, *key)
        self.content = self.archive.read_bytes()
        self.process = subprocess.Popen(
            [programs / "valise", "chat", "browse", self.archive, "--json", *key], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=self.archive.parent, env=folders(self.folder / "program"))
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"chat browse: {self.process.communicate()[1]}")
        self.address = json.loads(line)["address"]
        self.site = self.address[:self.address.index("/?")]

    def written(self) -> int:
        """How many bytes it has given to disks."""
        with open(f"/proc/{self.process.pid}/io") as file:
            return int(dict(line.split(": ") for line in file)["write_bytes"])

    def held(self) -> list[pathlib.Path]:
        """The regular files that it has open, those without a name as well."""
        files = pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()
        return [path for path in files if path.exists() and stat.S_ISREG(path.stat().st_mode)]

    def stop(self) -> int:
        """As Control-C does."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        return self.process.returncode


# What a person does.

def entering(check: Check, server: Server) -> None:
    check.page.show(*WIDE)
    check.page.open(server.address)
    entered = check.page.until("location.pathname === '/' && document.querySelectorAll('.entries li').length > 10")
    check.expect("the address does not lead to the list of chats", entered, check.page.run("document.body.innerText.slice(0, 200)"))
    check.expect("the address can still be seen", check.page.run("location.href") == f"{check.site}/")
    check.whole("served: the list of chats")
    check.picture("served-chats")


def chats(check: Check, texts: set[str]) -> None:
    """Opens every other chat, narrow and wide, and waits for all its pictures."""
    check.open("index.html")
    links = check.page.run("Array.from(document.querySelectorAll('.entries .main a')).map((each) => each.getAttribute('href'))")
    check.expect("hardly a chat is listed", len(links) > 30, len(links))
    pictures = 0
    for link in links[::2]:
        check.open(link, NARROW, dark=bool(check.pages % 2))
        check.fits(f"served {link}, narrow")
        # Those of the sample that are data are no pictures on purpose.
        images = "Array.from(document.querySelectorAll('main img:not([src^=\"data:\"])'))"
        check.page.run(f"{images}.forEach((each) => {{ each.loading = 'eager'; }})")
        loaded = check.page.until(f"{images}.every((each) => each.complete)")
        empty = check.page.run(f"{images}.filter((each) => each.naturalWidth === 0).map((each) => each.src)")
        check.expect(f"served {link}: a picture does not load", loaded and not empty, empty[:3])
        pictures += check.page.run("document.querySelectorAll('main a.pic img').length")
        texts.update(check.page.run(
            "Array.from(document.querySelectorAll('.m .t')).filter((each) => each.childElementCount === 0)"
            ".map((each) => each.textContent)"))
        check.page.show(*WIDE)
        check.fits(f"served {link}, wide")
        check.whole(f"served {link}")
    check.expect("hardly a chat has pictures", pictures >= 5, pictures)


def opening(check: Check) -> None:
    """A chat, by a click."""
    check.open("index.html")
    check.page.click(f".entries a[href='{CHAT}']")
    check.page.wait_for_load()
    check.expect("a click does not open a chat", check.page.until("document.querySelectorAll('.m').length > 50"))
    check.whole("served: a chat")
    check.picture("served-chat")


def playing(check: Check) -> None:
    check.open(CHAT)
    for kind in ("video", "audio"):
        check.page.answers = []
        found = check.page.run(
            f"(() => {{ window.player = document.querySelector('{kind}'); player.scrollIntoView({{ block: 'center' }});"
            " player.muted = true; player.loop = true; return player.play().then(() => player.duration, (error) => String(error)); })()")
        check.expect(f"{kind} does not play", isinstance(found, (int, float)) and found > 0, found)
        check.expect(f"{kind} does not go on", check.page.until("player.currentTime > 0 && player.readyState >= 2"))
        check.page.run("player.pause()")
        sought = check.page.run(
            "new Promise((done) => { player.addEventListener('seeked', () => done(player.currentTime), { once: true });"
            " setTimeout(() => done(null), 5000); player.currentTime = player.duration / 2; })")
        check.expect(f"{kind}: no place in it is found", sought is not None and abs(sought - found / 2) < 0.2, [sought, found])
        check.page.take()
        statuses = [status for url, status, _ in check.page.answers if "/media/" in url]
        check.expect(f"{kind}: it is not given by ranges", 206 in statuses, statuses)
        part = check.page.run(
            "(async () => { const address = player.currentSrc || player.src, whole = new Uint8Array(await (await fetch(address)).arrayBuffer());"
            " const answer = await fetch(address, { headers: { Range: 'bytes=1000-1099' } });"
            " const part = new Uint8Array(await answer.arrayBuffer());"
            " return [answer.status, part.length, part.every((byte, at) => byte === whole[1000 + at])]; })()")
        check.expect(f"{kind}: a range is another", part == [206, 100, True], part)
    drawn = check.page.until("document.querySelector('.voice canvas') !== null", 5)
    check.expect("a voice message is not drawn", drawn)
    check.picture("served-voice")
    check.whole("served: playing")


def searching(check: Check) -> None:
    check.open("index.html")
    check.page.press("/")
    check.page.wait_for_load()
    check.expect("/ does not lead to the search", check.page.until("document.activeElement.id === 'query'"))
    check.page.type("garden")
    check.page.press("Enter")
    check.page.wait_for_load()
    results = "document.querySelectorAll('#results li').length"
    check.expect("a search does not find enough", check.page.run(results) == 30, check.page.run(results))
    check.expect("words are not marked", check.page.run("document.querySelector('#results mark').textContent.toLowerCase()") == "garden")
    check.expect("what was searched for is not shown", check.page.run("document.getElementById('query').value") == "garden")
    check.whole("served: a search")
    check.picture("served-search")
    hits = "Array.from(document.querySelectorAll('#results li a')).map((each) => each.href)"
    first = check.page.run(hits)
    check.page.click("#more")
    check.page.wait_for_load()
    check.expect("more are not shown", check.page.run(results) > 0 and not set(first) & set(check.page.run(hits)))
    for query, wanted in (('"garden tomorrow"', "garden tomorrow"), ("nosuchword", "nothing found")):
        check.page.run("document.getElementById('query').value = ''")
        check.page.click("#query")
        check.page.type(query)
        check.page.click("#go")
        check.page.wait_for_load()
        check.expect(f"the search for {query}", wanted in check.page.run("document.querySelector('main').innerText").lower())
    check.open(f"{SEARCHED}&in=group-1")
    names = check.page.run("Array.from(new Set(Array.from(document.querySelectorAll('#results a')).map((each) => each.textContent)))")
    check.expect("a search in one chat finds others, or nothing", len(names) == 1, names)
    check.page.click("#results a")
    check.page.wait_for_load()
    there = "(() => { const at = document.activeElement, box = at.getBoundingClientRect(); return at.matches('.m')"\
        " && at.textContent.toLowerCase().includes('garden') && location.hash === '#' + at.id && box.top < innerHeight && box.bottom > 0; })()"
    check.expect("what was found is not shown", check.page.until(there))
    check.whole("served: searching")
    check.picture("served-found")


def quoting(check: Check) -> None:
    check.open(CHAT)
    at = check.page.run(
        "(() => { const link = Array.from(document.querySelectorAll('.m a.q')).find((each) => each.checkVisibility()"
        " && each.getAttribute('href').startsWith('#')); return ['#' + CSS.escape(link.closest('.m').id) + ' a.q', link.hash.slice(1)]; })()")
    check.page.click(at[0])
    check.expect("a quote does not jump", check.page.until(
        f"document.activeElement.id === {json.dumps(at[1])} && document.activeElement.getBoundingClientRect().top < innerHeight"
        " && document.activeElement.getBoundingClientRect().bottom > 0"))
    check.whole("served: quoting")


# What nobody else may do.

def strangers(check: Check, server: Server) -> None:
    """Without the cookie, as another program or user."""
    check.open(CHAT)
    media = check.page.run("document.querySelector('a.pic').href")
    stranger = devtools.Page(check.page.browser, is_stranger=True)
    for url in (server.address, check.site + "/", check.site + "/" + CHAT, media, f"{check.site}/web/page.js", f"{check.site}/{SEARCHED}"):
        stranger.answers = []
        stranger.open(url)
        statuses = [status for address, status, _ in stranger.answers if address == url]
        says = stranger.run("[document.body.innerText, document.querySelectorAll('img, .entries').length]")
        check.expect(f"another browser gets {url[len(check.site):][:30]}", statuses == [403] and says[1] == 0 and len(says[0]) < 120,
                     [statuses, says])
    check.expect("it is not said that the address was used", "used already" in open_text(stranger, server.address))


def open_text(page: devtools.Page, url: str) -> str:
    page.open(url)
    return page.run("document.body.innerText")


class OtherSite(http.server.BaseHTTPRequestHandler):
    """A page of another server of this machine, in the browser that may see the messages."""

    site, media = "", ""

    def do_GET(self) -> None:
        body = f"""<!DOCTYPE html><title>Other</title><script src="{self.site}/web/page.js"></script><img src="{self.site}{self.media}">
            <iframe src="{self.site}/"></iframe><a href="{self.site}/">a</a>""".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_) -> None:
        pass


def other_sites(check: Check) -> None:
    """Other servers of this machine are the same site for a browser, which gives them the cookie."""
    check.open(CHAT)
    OtherSite.site, OtherSite.media = check.site, check.page.run("new URL(document.querySelector('a.pic').href).pathname")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OtherSite)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        other = devtools.Page(check.page.browser)
        other.open(f"http://127.0.0.1:{server.server_port}/")
        other.run(f"fetch({json.dumps(check.site)} + '/', {{ mode: 'no-cors', credentials: 'include' }}).catch(() => 0).then(() => 0)")
        check.expect("another site shows a picture", other.run("document.images[0].naturalWidth") == 0)
        check.expect("another site reads a page", other.run(
            f"fetch({json.dumps(check.site)} + '/', {{ credentials: 'include' }}).then(() => false, () => true)"))
        other.click("a")
        other.wait_for_load()
        answers = [(url, status) for url, status, _ in other.answers if url.startswith(check.site + "/")]
        check.expect("another site is answered", len(answers) >= 2 and {status for _, status in answers} == {403}, answers)
        check.expect("its link leads to the messages", "Another page asked for this" in other.run("document.body.innerText"))
    finally:
        server.shutdown()
        server.server_close()


# What may be left.

def markers(check: Check, texts: set[str], work: pathlib.Path) -> list[bytes]:
    """Texts that were shown and can be recognized, as files would have them: an export, which has them, says so."""
    plain = b"".join(path.read_bytes() for path in sorted((work / "real/items").iterdir()))
    long = sorted(text for text in texts if len(text) >= 20)
    known = [text for text in long if text.encode() in plain]
    check.expect("texts to look for are missing", len(known) > 200, [len(texts), len(known)])
    # Chromium keeps many strings in two bytes a character.
    return [form for text in known for form in (text.encode(), text.encode("utf-16-le"))]


def has(content: bytes, wanted: list[bytes]) -> bytes | None:
    return next((each for each in wanted if each in content), None)


def nothing_left(check: Check, server: Server, wanted: list[bytes]) -> None:
    """In the folders of program and browser, beside the archive, and in the browser's cache, whose profile is its own matter."""
    profile = pathlib.Path(check.page.browser.profile) / "profile"
    caches = [path for path in profile.rglob("*") if path.is_dir() and path.name in ("Cache", "Code Cache")]
    check.expect("the browser's cache is not found", any(path.name == "Cache" for path in caches))
    for root in [server.folder, *caches]:
        for path in sorted(root.rglob("*")):
            if path.is_file() and not path.is_symlink():
                text = has(path.read_bytes(), wanted)
                check.expect(f"{path.relative_to(root)} has a text", text is None, text)
    kept = [path.name for path in profile.rglob("Cache_Data/*_0") if server.site.encode() in path.read_bytes()]
    check.expect("the browser keeps an answer", not kept, kept)
    left = [str(path) for path in (server.folder / "program").rglob("*") if not path.is_dir()]
    check.expect("the program leaves a file", not left, left)
    check.expect("the folder of the archive has changed", os.listdir(server.archive.parent) == [server.archive.name]
                 and server.archive.read_bytes() == server.content)


def still_running(check: Check, server: Server, wanted: list[bytes]) -> None:
    for path in server.held():
        check.expect(f"an open file has a text: {os.readlink(path)}", has(path.read_bytes(), wanted) is None)
    written = server.written()
    check.expect(f"it wrote to a disk: {written} bytes", written <= MOST_WRITTEN)


def answered(check: Check) -> None:
    """Nothing may be kept."""
    check.page.take()
    answers = [(url, fields) for url, status, fields in check.page.answers if url.startswith(f"{check.site}/")]
    kept = [url for url, fields in answers if fields.get("cache-control") != "no-store"]
    check.expect("an answer may be kept", answers and not kept, kept[:3])


def run(programs: pathlib.Path, work: pathlib.Path, pictures: pathlib.Path | None) -> Check:
    """Of an account and an export of it that `exports` made."""
    server = Server(programs, work)
    try:
        with devtools.Browser(folders(server.folder / "browser")) as browser:
            check = Check(devtools.Page(browser), work, pictures)
            check.site = server.site
            texts: set[str] = set()
            check.attempt(entering, server)
            check.attempt(chats, texts)
            check.attempt(answered)
            for act in (acts.themes, acts.filtering, opening, playing, searching, quoting):
                check.attempt(act)
            check.attempt(acts.lightbox, CHAT)
            for path in ("index.html", CHAT, SEARCHED):
                check.attempt(Check.audit, path)
            check.attempt(strangers, server)
            check.attempt(other_sites)
            if pictures:
                for name, path in (("index", "index.html"), ("group", CHAT), ("results", SEARCHED)):
                    check.look(f"served-{name}", path)
            wanted = markers(check, texts, work)
            still_running(check, server, wanted)
            nothing_left(check, server, wanted)
            browser.end()
            status = server.stop()
            check.expect(f"Control-C ends with status {status}", status == 0)
            nothing_left(check, server, wanted)
            return check
    finally:
        if server.process.returncode is None:
            server.stop()
