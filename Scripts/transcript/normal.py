"""Takes out of an output what differs from one run to the next."""

import datetime
import re

# Times of this run, not those in the sample: what a relay keeps expires after two days.
BEFORE, AFTER = datetime.timedelta(days=2), datetime.timedelta(days=4)

ISO = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)([T ])(\d\d):(\d\d)(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")
DAY = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")
EPOCH = re.compile(r"(?<![\w.])1[78]\d{8}(\d{3})?(\.\d+)?(?![\w.])")

# Both databases are tried at the same time, and whichever is refused first is named.
REFUSED = re.compile(r'(?m)^(! valise: |\|   "(?:message|subject)":).*simplex_v1_(?:chat|agent)\.db')

# In this order: whole links before what is in them.
RANDOM = [
    (re.compile(r"simplex:/file[^\s\"']+"), "LINK"),
    (re.compile(r"https://[^\s\"'/]*/(file)?#[^\s\"']+"), "WEBLINK"),
    (re.compile(r"xftp:(\\?/\\?/)[A-Za-z0-9_=-]{43,44}@"), r"xftp:\1FINGERPRINT@"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "HEX64"),
    (re.compile(r"(\bsalt |\"salt\":\")[0-9a-f]{32}\b"), r"\1HEX32"),
    (re.compile(r"\b[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b"), "UUID"),
    (re.compile(r"\b(127\.0\.0\.1):\d{4,5}\b"), r"\1:PORT"),
    (re.compile(r"\b(process|PID) \d+"), r"\1 N"),
    (re.compile(r'"(pid|process|holder|processID)":\d+'), r'"\1":N'),
    (re.compile(r'"(seconds|duration|elapsed|bytesPerSecond|rate)":[\d.e+-]+'), r'"\1":N'),
    (re.compile(r'"(freeSpace|spaceFree)":\d+'), r'"\1":N'),
    (re.compile(r"\b\d+(\.\d+)? [GT]B (are )?free\b"), r"N GB \2free"),
    (re.compile(r"\b\d+(\.\d+)? [GT]B available\b"), "N GB available"),
    (re.compile(r"\bmove forget [a-z0-9]{10}\b"), "move forget ID"),
    (re.compile(r"free space( +)\d+(\.\d+)? [kMGT]?B"), r"free space\1N GB"),
    (re.compile(r"\b\d+(\.\d+)? ([kMG]?B)/s"), "N MB/s"),
    (re.compile(r"\b\d+ h( \d+ min)?\b"), "N h"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s|seconds?)(?= |,|;|:|\.|\)|$)", re.M), "N s"),
]


def is_now(year: int, month: int, day: int, now: datetime.datetime) -> bool:
    try:
        that = datetime.datetime(year, month, day, tzinfo=datetime.timezone.utc)
    except ValueError:
        return False
    return now - BEFORE <= that <= now + AFTER


def normal(text: str, root: str, programs: str) -> str:
    now = datetime.datetime.now(datetime.timezone.utc)

    def stamp(match: re.Match) -> str:
        return "TIME" if is_now(*(int(match[n]) for n in (1, 2, 3)), now) else match[0]

    def day(match: re.Match) -> str:
        return "DAY" if is_now(*(int(match[n]) for n in (1, 2, 3)), now) else match[0]

    def epoch(match: re.Match) -> str:
        seconds = int(match[0][:10])
        return "EPOCH" if abs(seconds - now.timestamp()) < AFTER.total_seconds() else match[0]

    text = text.replace(root, "$W").replace(root.replace("/", "\\/"), "$W")
    text = text.replace(programs, "$P")
    text = ISO.sub(stamp, text)
    text = DAY.sub(day, text)
    text = EPOCH.sub(epoch, text)
    if "does not open" in text or "wrong passphrase" in text:
        text = REFUSED.sub(lambda match: re.sub(r"simplex_v1_(chat|agent)\.db", "simplex_v1_DATABASE.db", match[0]), text)
    for pattern, word in RANDOM:
        text = pattern.sub(word, text)
    return text
