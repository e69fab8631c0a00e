"""The pages of accounts of Session, as they are exported: every kind of message, some thousand on a page, real files."""

import json
import pathlib
import re
import subprocess

import acts
import exports
from opened import NARROW, WIDE, Check

MEDIA = pathlib.Path(__file__).resolve().parents[2] / "Samples/media"
# Of each store. So many that a chat has more than a thousand on its page.
MESSAGES = 20_000
SEED = 31
# Each program's sentences of what happened.
SENTENCES = [
    "took a screenshot, or saved a file", "accepted the message request", "turned off disappearing messages", "set messages to disappear",
    "added Person 1", "incoming call", "deleted message", "event: ",
]


def make(programs: pathlib.Path, work: pathlib.Path, kind: str) -> dict:
    """An account and its export in the folder `session-KIND`; what is in it."""
    account = work / "stores" / kind
    account.parent.mkdir(exist_ok=True)
    made = subprocess.run(
        [programs / "session-sample", kind, account, str(MESSAGES), str(SEED), MEDIA], capture_output=True, text=True, check=True)
    key = pathlib.Path(f"{account}.key")
    password = ["--passphrase-file", key] if key.exists() else []
    # Some files were never received, and that is no failure.
    exports.run(programs / "valise", "chat", "export", account, work / f"session-{kind}", "--format", "html", "--no-key-store", *password)
    return json.loads(made.stdout)


def chats(check: Check, story: dict) -> None:
    """Opens the pages of every chat, and waits for their pictures."""
    html = check.base / "html"
    pages = sorted(path for path in html.glob("pages/*/*.html") if path.name != "index.html")
    texts = {str(path.relative_to(html)): path.read_text() for path in pages}
    items = sum(len(re.findall(r'id="m-', text)) for text in texts.values())
    expected = story["items"] - story["expired"]
    check.expect("not all items are on pages", items == expected, [items, expected])
    for sentence in SENTENCES:
        check.expect(f"no page says: {sentence}", any(sentence in text for text in texts.values()))
    pictures = 0
    for path in texts:
        check.open(path, NARROW, dark=bool(check.pages % 2))
        check.fits(f"{check.base.name}/{path}, narrow")
        images = "Array.from(document.querySelectorAll('main img:not([src^=\"data:\"])'))"
        check.page.run(f"{images}.forEach((each) => {{ each.loading = 'eager'; }})")
        loaded = check.page.until(f"{images}.every((each) => each.complete)", 30)
        empty = check.page.run(f"{images}.filter((each) => each.naturalWidth === 0).map((each) => each.src)")
        check.expect(f"{path}: a picture does not load", loaded and not empty, empty[:3])
        pictures += check.page.run("document.querySelectorAll('main a.pic img').length")
        check.page.show(*WIDE)
        check.fits(f"{check.base.name}/{path}, wide")
        check.whole(f"{check.base.name}/{path}")
    check.expect("hardly a picture is shown", pictures > MESSAGES / 20, pictures)


def searching(check: Check, story: dict) -> None:
    check.open("search.html")
    check.page.until("document.activeElement.id === 'query'")
    for query, wanted in (("heron ", str(story["rare"])), ("nosuchword ", "nothing found")):
        check.page.run("document.getElementById('query').value = ''")
        check.page.click("#query")
        check.page.type(query)
        says = "document.getElementById('status').textContent"
        check.expect(f"the search for {query}", check.page.until(f"{says}.startsWith({json.dumps(wanted)})"), check.page.run(says))
    check.open("search.html#q=heron%20")
    check.page.until("document.querySelectorAll('#results li').length > 0")
    check.picture(f"{check.base.name}-search")
    target = check.page.run("document.querySelector('#results a').hash")
    check.page.click("#results a")
    check.page.wait_for_load()
    check.expect("what was found is not shown", check.page.until(
        f"document.activeElement.id === {json.dumps(target[1:])} && document.activeElement.textContent.includes('heron')"))
    check.whole(f"{check.base.name}: searching")


def playing(check: Check) -> None:
    """Films and voice messages, whose files the export has decrypted."""
    path = next(path for path in sorted((check.base / "html/pages").glob("*/*.html")) if "<video" in path.read_text())
    check.open(str(path.relative_to(check.base / "html")))
    for kind in ("video", "audio"):
        found = check.page.run(
            f"(() => {{ const player = document.querySelector('{kind}'); if (!player) return 'none'; player.muted = true;"
            " return player.play().then(() => player.duration, (error) => String(error)); })()")
        check.expect(f"{kind} does not play", isinstance(found, (int, float)) and found > 0, found)
    check.whole(f"{check.base.name}: playing")


def looking(check: Check) -> None:
    """Each chat's newest page, as people see it first."""
    html = check.base / "html"
    for size, width in ((WIDE, "wide"), (NARROW, "narrow")):
        check.open("index.html", size)
        check.picture(f"{check.base.name}-index-{width}")
    for number, folder in enumerate(sorted((html / "pages").iterdir())):
        pages = sorted(path for path in folder.glob("*.html") if path.name != "index.html")
        if pages:
            check.open(str(pages[-1].relative_to(html)))
            check.picture(f"{check.base.name}-chat-{number}")


def run(check: Check, programs: pathlib.Path) -> None:
    for kind in ("desktop", "phone"):
        story = make(programs, check.work, kind)
        check.base = check.work / f"session-{kind}"
        check.attempt(chats, story)
        check.attempt(searching, story)
        check.attempt(playing)
        if kind == "desktop":
            page = next(path for path in sorted((check.base / "html/pages").glob("*/*.html")) if path.read_text().count("a class=\"pic") > 3)
            check.attempt(acts.lightbox, str(page.relative_to(check.base / "html")))
            check.audit("index.html")
            check.audit("search.html#q=heron")
        if check.pictures:
            looking(check)
