"""The exports that the browser opens: the sample account's, the same with a long chat, and one in which every text is hostile."""

import json
import os
import pathlib
import random
import subprocess

# What each of them would do is seen: it sets a global, opens a dialog, breaks the policy or asks for a file.
PAYLOADS = [
    "<script>window.hostile = 1</script>", '"><img src=x onerror="window.hostile = 2">',
    "'><svg onload='window.hostile = 3'>", "</script><script>window.hostile = 4</script>", "javascript:window.hostile=5",
    '" onmouseover="window.hostile=6" autofocus="" tabindex="1" onfocus="window.hostile=6" x="',
    "</title></style></textarea></noscript><script>window.hostile = 7</script>",
    "data:text/html,<script>window.hostile=8</script>", "*\"><img src=x onerror=window.hostile=9>*",
    'https://example.org/"onclick="window.hostile=10', "[x](javascript:window.hostile=11)",
    "<iframe srcdoc='<script>parent.hostile = 12</script>'></iframe>", "<!--", "-->", "<![CDATA[", "]]>",
    '{{{content}}} {{{name}}} {{> head}}', "<base href=//example.org/>", "<meta http-equiv=refresh content='0;url=//example.org'>",
    "\u2028window.hostile=13;\u2029", "\\\");window.hostile=14;//", "`${window.hostile=15}`", "\u0001content\u0001",
    "!1 <img src=x onerror=window.hostile=16>!", "#</button><script>window.hostile=17</script>#", "\u202e<b>\u2066",
    "<form action=//example.org><input autofocus onfocus=window.hostile=18>", "simplex:/\"><script>window.hostile=19</script>",
    "data:image/png;base64,\"><script>window.hostile=20</script>", "__proto__", "constructor",
    "line\n===\nline\n---\n", "    four spaces", "a\n\n\tb\n    c", "\n> quote\n1. one\n+ two\n```\nfence\n", "[a]: javascript:window.hostile=21",
]
# By these lines are recognized; another value is no export any more.
KEPT = {"type", "chat", "version", "program", "row", "path", "state"}
WEEK = ["שלום, מה שלומך היום?", "مرحبا بالعالم, كيف حالك؟", "needle in the haystack", "an ordinary message", "with *bold* and `code`"]


def run(*arguments: object, allowed: tuple[int, ...] = (0,)) -> None:
    result = subprocess.run([str(part) for part in arguments], capture_output=True, text=True)
    if result.returncode not in allowed:
        raise SystemExit(f"{arguments}: status {result.returncode}\n{result.stdout}{result.stderr}")


def make(programs: pathlib.Path, work: pathlib.Path, messages: int) -> None:
    """`real`, `long` and `hostile` in the folder."""
    os.environ["XDG_STATE_HOME"] = str(work / "state")
    key = work / "key"
    key.touch(mode=0o600)
    key.write_text("x'" + "5a" * 32 + "'")
    run(programs / "valise-sample", work / "account", "--passphrase-file", key, "--messages", "300", "--conversations", messages)
    template = os.environ.get("VALISE_TEMPLATE")
    pages = ["--format", "html", *(["--template", template] if template else [])]
    # 3: the sample lacks files on purpose.
    run(programs / "valise", "chat", "export", work / "account", work / "real", *pages, "--no-key-store", "--passphrase-file", key,
        allowed=(3,))
    copy(work / "real", work / "long")
    add_chat(work / "long")
    run(programs / "valise", "chat", "render", work / "long", *pages)
    copy(work / "real", work / "hostile")
    poison(work / "hostile")
    # 3: some lines are no items any more.
    run(programs / "valise", "chat", "render", work / "hostile", *pages, allowed=(0, 3))


def copy(source: pathlib.Path, target: pathlib.Path) -> None:
    (target / "items").mkdir(parents=True)
    for path in [source / "conversations.jsonl", *(source / "items").iterdir()]:
        (target / path.relative_to(source)).write_bytes(path.read_bytes())
    os.symlink(source / "media", target / "media")


# How many days, with so many messages each: enough for three pages of a month each.
LONG_DAYS, LONG_DAILY = 90, 10


def add_chat(folder: pathlib.Path) -> None:
    """A chat of three months: on the last page is a quote of the first message, and an edited one."""
    picture = next(
        line for path in sorted((folder / "items").iterdir()) for line in map(json.loads, path.open())
        if line["kind"] == "image" and line.get("file", {}).get("path"))
    items = []
    for number in range(LONG_DAYS * LONG_DAILY):
        day, order = divmod(number, LONG_DAILY)
        text = WEEK[number % len(WEEK)] + f" {number}"
        mine = number % 3 == 0
        item = {
            "type": "chatItem", "chat": "contact-9000", "id": f"long-{number}", "row": 900000 + number,
            "author": {"id": "me" if mine else "contact", "name": "alice" if mine else "נועה בן-דוד"}, "sent": mine,
            "time": f"2025-0{1 + day // 30}-{1 + day % 30 if day < 30 or day >= 60 else min(28, 1 + day % 30):02}T1{order}:00:00Z",
            "kind": "text", "text": text, "status": "snd_sent complete" if mine else "rcv_read"}
        item["received"] = item["time"]
        item["content"] = {"sndMsgContent" if mine else "rcvMsgContent": {"msgContent": {"type": "text", "text": text}}}
        if not mine:
            del item["sent"]
        items.append(item)
    last = items[-1]
    last["quote"] = {"id": "long-0", "author": {"id": "me", "name": "alice"}, "time": items[0]["time"], "text": items[0]["text"],
                     "content": {"type": "text", "text": items[0]["text"]}}
    near = items[-2]
    near["quote"] = {**last["quote"], "id": items[-8]["id"], "time": items[-8]["time"], "text": items[-8]["text"]}
    items[-3].update(edited=True, versions=[
        {"text": "before it was edited", "time": items[-3]["time"]}, {"text": items[-3]["text"], "time": items[-3]["time"]}])
    for index in (-4, -5, -6):
        items[index].update(kind="image", file=picture["file"], content={
            next(iter(items[index]["content"])): next(iter(picture["content"].values()))})
    secret = "hidden #inside# here"
    items[-7].update(text=secret, content={next(iter(items[-7]["content"])): {"msgContent": {"type": "text", "text": secret}}})
    with (folder / "conversations.jsonl").open("a") as file:
        file.write(json.dumps({
            "type": "chat", "id": "contact-9000", "kind": "contact", "name": "נועה בן-דוד", "localName": "noa", "profile": "alice",
            "profileRow": 1, "messageCount": len(items), "unread": 0, "first": items[0]["time"], "last": items[-1]["time"]},
            ensure_ascii=False) + "\n")
    with (folder / "items/contact-9000.jsonl").open("w") as file:
        file.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in items)


def poison(folder: pathlib.Path) -> None:
    """Puts a hostile text into most strings of all lines."""
    chance = random.Random(20)

    def poisoned(value: object, key: str, likely: float) -> object:
        if isinstance(value, dict):
            return {name: poisoned(part, name, likely) for name, part in value.items()}
        if isinstance(value, list):
            return [poisoned(part, key, likely) for part in value]
        if not isinstance(value, str) or key in KEPT:
            return value
        # Of what is no text, little: most lines have to stay items.
        if key in ("id", "kind", "time", "received", "first", "last", "status", "hidden", "signature", "deletesAt", "image", "picture"):
            likely /= 20
        if chance.random() > likely:
            return value
        payload = chance.choice(PAYLOADS)
        return chance.choice([payload, payload, value + payload, value + " " + payload + " " + value, payload * 2])

    names = folder / "conversations.jsonl"
    lines = [json.loads(line) for line in names.open()]
    for index in range(1, len(lines)):
        chat = lines[index]
        lines[index] = {**poisoned(chat, "", 0.9), **{key: chat[key] for key in ("id", "kind")}}
    names.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for path in (folder / "items").iterdir():
        items = [poisoned(json.loads(line), "", 0.6) for line in path.open()]
        path.write_text("".join(json.dumps(item) + "\n" for item in items))
