"""What a person does with the pages of exports."""

import json

import exports
from opened import NARROW, WIDE, Check

# The first answer of a search, in milliseconds.
FIRST_ANSWER = 300


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


def lightbox(check: Check, path: str = "pages/contact-9000/2025-03.html") -> None:
    check.open(path)
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
