"""Drives a headless Chromium over a pipe, by its DevTools protocol: nothing is needed but Python and Chromium."""

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

# No answer takes as long.
PATIENCE = 60
FLAGS = [
    "--headless", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
    "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", "--password-store=basic", "--lang=en-US",
    # No name leads anywhere: what a page asks for from elsewhere is seen, and not found. This machine alone serves pages.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


class BrowserError(Exception):
    pass


def program() -> str | None:
    """Chromium, unless it is a snap, which reads no files but those of its own and of the home folder."""
    for name in ("chromium", "chromium-browser"):
        path = shutil.which(name)
        if path and not os.path.realpath(path).startswith("/snap/") and os.path.realpath(path) != "/usr/bin/snap":
            with open(path, "rb") as file:
                if b"/snap/" not in file.read(4096):
                    return path
    return None


class Browser:
    """A running Chromium with a profile of its own."""

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        path = program()
        if not path:
            raise BrowserError("there is no Chromium")
        self.profile = tempfile.mkdtemp(prefix="valise-browser.")
        # Above those that it gets them as.
        (theirs_in, ours_out), (ours_in, theirs_out) = [
            [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe()] for _ in range(2)]
        self.input, self.output = ours_out, ours_in

        def give() -> None:
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.log = open(os.path.join(self.profile, "log"), "wb")
        self.process = subprocess.Popen(
            [path, *FLAGS, *sandbox, f"--user-data-dir={self.profile}/profile", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, close_fds=False, preexec_fn=give,
            start_new_session=True, env=environment)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.buffer, self.events = 0, b"", []

    def end(self) -> None:
        """What it keeps until then is written; the profile stays."""
        if self.process.poll() is None:
            with contextlib.suppress(BrowserError, OSError):
                self.send("Browser.close")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def close(self) -> None:
        self.end()
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def send(self, method: str, session: str | None = None, **parameters) -> dict:
        """The result of a command. Events that arrive before it are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            data = data[os.write(self.input, data[:65536]):]
        number, limit = self.number, time.monotonic() + PATIENCE
        while True:
            answer = self.next(limit)
            if answer is None:
                raise BrowserError(f"{method}: no answer in {PATIENCE} s")
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def next(self, limit: float) -> dict | None:
        """The next message; None where none arrives in time."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.output], [], [], max(0, limit - time.monotonic()))
            if not ready:
                return None
            data = os.read(self.output, 1 << 20)
            if not data:
                self.log.flush()
                with open(self.log.name, errors="replace") as log:
                    raise BrowserError(f"the browser ended: {log.read()[-2000:]}")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def wait(self, wanted, patience: float = PATIENCE) -> dict:
        """The first event for which `wanted` is true, which is taken out of those that are kept."""
        limit = time.monotonic() + patience
        for index, event in enumerate(self.events):
            if wanted(event):
                return self.events.pop(index)
        while (event := self.next(limit)) is not None:
            if wanted(event):
                return event
            self.events.append(event)
        raise BrowserError("what was waited for did not happen")


class Page:
    """A tab. What it complains about, asks for, is answered and would run is in its lists."""

    # Set before any script of a page runs; the page cannot reach these reports.
    WATCH = """
        addEventListener("securitypolicyviolation", (event) =>
            console.error("CSP: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample));
        """

    def __init__(self, browser: Browser, is_stranger: bool = False) -> None:
        """With `is_stranger` it shares nothing with other tabs, as one of another user."""
        self.browser = browser
        context = {"browserContextId": browser.send("Target.createBrowserContext")["browserContextId"]} if is_stranger else {}
        target = browser.send("Target.createTarget", url="about:blank", **context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=self.WATCH)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        # Address, status, and fields by their names in small letters.
        self.answers: list[tuple[str, int, dict[str, str]]] = []

    def send(self, method: str, **parameters) -> dict:
        return self.browser.send(method, self.session, **parameters)

    def show(self, width: int, height: int, dark: bool = False) -> None:
        """Sets size and theme."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.send(
            "Emulation.setEmulatedMedia", media="screen",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                      {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, url: str) -> None:
        if "#" in url:
            # Another place on the same page would load nothing.
            self.send("Page.navigate", url="about:blank")
            self.wait_for_load()
        self.send("Page.navigate", url=url)
        self.wait_for_load()

    def wait_for_load(self) -> None:
        self.browser.wait(
            lambda event: event["method"] == "Page.loadEventFired" and event.get("sessionId") == self.session, patience=20)
        self.take()

    def take(self) -> None:
        """Sorts what has happened."""
        # What it has to say of what happened before comes before this answer.
        with contextlib.suppress(BrowserError):
            self.run("0")
        events, self.browser.events = self.browser.events, []
        for event in events:
            if event.get("sessionId") != self.session:
                continue
            method, values = event["method"], event["params"]
            if method == "Page.javascriptDialogOpening":
                self.complaints.append(f"a script ran: {values['type']} {values['message']}")
                self.send("Page.handleJavaScriptDialog", accept=False)
            elif method == "Runtime.exceptionThrown":
                details = values["exceptionDetails"]
                self.complaints.append(f"exception: {details.get('exception', details).get('description', details['text'])}")
            elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
                self.complaints.append("console: " + " ".join(str(value.get("value")) for value in values["args"]))
            elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
                entry = values["entry"]
                self.complaints.append(f"log: {entry['text']} {entry.get('url', '')}")
            elif method == "Network.requestWillBeSent":
                self.requests.append(values["request"]["url"])
            elif method == "Network.responseReceived":
                answer = values["response"]
                self.answers.append(
                    (answer["url"], answer["status"], {name.lower(): value for name, value in answer["headers"].items()}))

    def run(self, script: str):
        """The value of an expression, awaited where it is a promise."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(f"{script[:80]}: {details.get('exception', details).get('description', details['text'])}")
        return result["result"].get("value")

    def until(self, script: str, patience: float = 10) -> bool:
        """Whether an expression becomes true."""
        limit = time.monotonic() + patience
        while time.monotonic() < limit:
            # Between two pages there is nothing to ask.
            with contextlib.suppress(BrowserError):
                if self.run(script):
                    return True
            time.sleep(0.02)
        return False

    # Codes of keys that have no character.
    KEYS = {"Escape": 27, "Enter": 13, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "End": 35}

    def press(self, key: str, shift: bool = False) -> None:
        code = self.KEYS.get(key, ord(key[0].upper()))
        # Enter acts where its character arrives.
        text = "\r" if key == "Enter" else key if key not in self.KEYS else ""
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.send("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        self.send("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """With the mouse, in the middle of the first element."""
        place, before = self.place(selector), None
        while place != before:
            # Pictures that are loaded now move what is below them.
            time.sleep(0.05)
            place, before = self.place(selector), place
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def place(self, selector: str) -> list[float]:
        return self.run(
            f"(() => {{ const element = document.querySelector({json.dumps(selector)});"
            "element.scrollIntoView({ block: 'center', behavior: 'instant' });"
            "const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")

    def picture(self, path: str) -> None:
        """Keeps what is to be seen as a PNG file."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
