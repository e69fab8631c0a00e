"""Why today's transcripts differ from those of commit a0a6a7c: the only differences that compare-transcripts.py allows.

Each has a few words of the changelog that name it.
"""

import dataclasses
import re


@dataclasses.dataclass
class Reason:
    # What the document says.
    text: str
    # A pattern of `SUBJECT: ARGUMENTS`.
    runs: str
    # Words of CHANGELOG.md.
    changelog: str
    # A pattern of the key; and pairs of values, before and now, where only these are allowed.
    key: str = ""
    values: tuple[tuple[str, str], ...] = ()

    def covers(self, subject: str, arguments: str, key: str, before: object, now: object) -> bool:
        return (
            re.search(self.runs, f"{subject}: {arguments}") is not None and re.search(self.key, key) is not None
            and (not self.values or (str(before), str(now)) in self.values))


# What an option is called now, and was called.
EARLIER_WORDS = {"--keep-previous": "--keep-former"}
# Options that the earlier program did not have, because it did without being asked what they ask for.
IMPLIED = {
    "archive import": ["--yes", "--allow-damaged", "--allow-hidden-entries"],
    "key forget": ["--yes"], "migrate confirm": ["--yes"], "migrate rollback": ["--yes"], "move finish": ["--unconfirmed"],
}


def earlier(words: list[str]) -> list[str]:
    """The arguments as the earlier program has them."""
    implied = IMPLIED.get(" ".join(words[1:3]), [])
    return [EARLIER_WORDS.get(word, word) for word in words if word not in implied]

RENAMED_KEYS = {
    "fileID": "fileId", "itemID": "itemId", "otherFileID": "otherFileId", "userID": "userId", "agentUserID": "agentUserId",
    "reusedIDs": "reusedIds", "checkedHMACs": "checkedHmacs", "usesHMAC": "usesHmac", "rowsFromSQLite": "rowsFromSqlite",
}

STATUSES = [
    Reason(
        "an account in use is read", "^account-in-use: ", "as if it were not in use", values=(("11", "0"),)),
    Reason(
        "an account in use is read; the sample has a file that is missing",
        "^account-in-use: valise (account check|media)", "as if it were not in use", values=(("11", "3"),)),
    Reason(
        "an account in use is read, so that the run before has written the archive",
        "^account-in-use: valise archive export", "as if it were not in use", values=(("11", "1"),)),
    Reason(
        "a missing database is damage, and the other one is checked", "account check half",
        "`account check` checks the rest where a database is missing, and reports it as damage (13)",
        values=(("10", "13"),)),
    Reason(
        "a damaged database", "account status (short|nothing)", "`account status` of an account with a damaged database",
        values=(("0", "13"),)),
    Reason(
        "the name is a folder", "archive export account account --force",
        "`archive export` to the name of a folder ends with status 1", values=(("14", "1"),)),
    Reason(
        "refused once, not once for each entry", "^archive-extract: ",
        "`archive extract` into a folder with an account is refused once, with status 1", values=(("3", "1"),)),
    Reason(
        "`1mb` is a size: one syntax for all sizes", "archive import account.zip small --max-size 1mb",
        "**Sizes** have one syntax in all options", values=(("64", "15"),)),
    Reason(
        "no such command", "valise help nothing", "`valise help` of an unknown command says so, with status 64",
        values=(("0", "64"),)),
    Reason(
        "a passphrase that is easy to guess", "key change .*--new-passphrase-file short",
        "`key change` to a passphrase that is easy to guess", values=(("0", "64"),)),
    Reason(
        "the run before did not change the passphrase", "key change plain --passphrase-file short",
        "`key change` to a passphrase that is easy to guess", values=(("0", "12"),)),
    Reason(
        "no machine has confirmed that it received the account", "move finish account .*",
        "`move finish` where no machine has confirmed that it received the account", values=(("0", "64"),)),
    Reason(
        "`--since` is later than `--before`", "--since 2026-02-01 --before 2026-01-01",
        "`--since` later than `--before` is refused", values=(("10", "64"),)),
    Reason(
        "the missing file is reported first", "file send a --server",
        "`file send` of a missing file with a `--server` that is no relay address", values=(("64", "10"),)),
    Reason(
        "a new option",
        "account status account --key-store|archive verify .* --require-verified|key generate .* --dry-run",
        "Runs with an option that is new ended with 64 before", values=(("64", "0"), ("64", "3"), ("64", "12"))),
    Reason(
        "databases not inspected", "account status .*--exit-code", "`account status --exit-code`, databases not inspected",
        values=(("0", "64"),)),
    Reason(
        "the stored passphrase is used, and is wrong", "^key-store: valise account status",
        "`account status` where the stored passphrase is wrong", values=(("0", "12"),)),
    Reason(
        "neither encrypted nor a database: damaged", "archive import bad-database.zip",
        "`archive import` of an archive in which one database is neither encrypted nor a database", values=(("14", "13"),)),
    Reason(
        "what `archive verify` refuses is refused", "archive import torn-database.zip into",
        "`archive import` of an archive that `archive verify` refuses", values=(("0", "13"),)),
    Reason(
        "the damage is reported; before, without `--allow-damaged`, it was not noticed",
        "archive import torn-database.zip .*--allow-damaged",
        "`archive import` of an archive that `archive verify` refuses", values=(("0", "3"),)),
    Reason(
        "braces that are no placeholder", "archive export plain '{", "or another name with braces that are no placeholder",
        values=(("0", "64"),)),
    Reason(
        "`-` is standard output; before, a file of this name, which is there the second time", "archive export account -",
        "in a file with the name `-`; 1 the second time", values=(("1", "0"),)),
    Reason(
        "`-` was a file, so that this one is empty", "archive list streamed.zip",
        "in a file with the name `-`; 1 the second time", values=(("13", "0"),)),
    Reason(
        "`--json`, and content on standard output", "archive export account - --json",
        "`archive export ACCOUNT - --json`, account missing", values=(("10", "64"),)),
    Reason(
        "`-` is standard input; before, the name of a file", "archive (import|list|verify) - ",
        "or the status of a file with the name `-`", values=(("10", "0"), ("10", "3"), ("10", "13"))),
    Reason(
        "a file of another kind is not replaced", " --force", "over an existing file of another kind",
        values=(("0", "1"), ("3", "1"))),
    Reason(
        "the folder is made", "file send .* --descriptions made/when/asked",
        "`file send --descriptions` with a folder whose parent is missing", values=(("10", "0"),)),
    Reason(
        "nobody can be asked", "migrate run .*--confirm console --no-input",
        "`migrate run --confirm console`, where nobody can be asked", values=(("1", "64"),)),
    Reason(
        "the run before did not finish the move; see above", "^move-renewing: valise move (finish|remove)",
        "`move finish` where no machine has confirmed that it received the account",
        values=(("1", "64"), ("1", "0"), ("10", "0"))),
    Reason(
        "relays that nobody approved, and nobody can be asked", "file receive .* --no-input",
        "`file receive` by way of relays that are not approved, where nobody can be asked", values=(("1", "64"),)),
    Reason(
        "nobody can be asked", "migrate run .*--no-input$",
        "`migrate run --no-input` without `--confirm`", values=(("1", "64"),)),
    Reason(
        "two limits that nothing can meet", "media encrypt .*--min-size 2mb --max-size 1mb",
        "`media encrypt --min-size 2mb --max-size 1mb`, and the like", values=(("10", "64"),)),
    Reason(
        "the word help may follow the group", "archive help import", "`valise archive help import` is understood",
        values=(("64", "0"),)),
    Reason(
        "an empty argument", "account status ''$", "`account status ''`, or another command with an empty argument",
        values=(("10", "64"),)),
]
NEW_KEYS = [
    Reason(
        "what can be done about it", "", "`remedy` in a failure, if something can be done about it", key=r"\.remedy$"),
    Reason(
        "whether it is damaged, beside `problem`", "account status",
        "say that a database is damaged (13) where the passphrase opens the other one",
        key=r"^accountStatus\.(chat|agent)\.damaged$"),
    Reason(
        "an unfinished move of the account", "", "shows an unfinished move of the account (`move` in JSON)",
        key=r"^accountStatus\.move$"),
    Reason(
        "completed or rolled back", "account recover", "and of `account recover`: completed or rolled back",
        key=r"^accountRecovered\.outcome$"),
    Reason(
        "jobs that were rolled back", "jobs (run|watch)", "`rolledBack` in the summary of jobs",
        key=r"^summary\.rolledBack$"),
    Reason(
        "what the app would do with the schema", "archive import", "`outlook` of an import and its plan",
        key=r"^archiveImport(ed|Plan)\.outlook$"),
    Reason(
        "entries that the directory does not name", "archive (verify|list)", "`hidden`, `hiddenCount`, `flagDifferences`",
        key=r"^archive(Verification\.structure|List)\.hidden(Count)?$"),
    Reason(
        "flags that differ in both headers of an entry", "archive verify", "`hidden`, `hiddenCount`, `flagDifferences`",
        key=r"^archiveVerification\.structure\.flagDifference(s|Count)$"),
    Reason(
        "opened with the stored passphrase", "^account-create: valise account status kept",
        "what a stored passphrase opens is shown there, too",
        key=r"^accountStatus\.(mediaSummary|(agent|chat)\.(cipher|schema))$"),
    Reason(
        "of an archive too", "move status", "`size` of a move that was received with an archive",
        key=r"^moves\.moves\[\]\.size$"),
    Reason(
        "the relay", "file receive", "`subject` of a failure of a relay: its address", key=r"^error\.subject$"),
]
VALUES = [
    Reason(
        "wrong arguments are a document, too", "--json",
        "a failure on standard output for wrong arguments too, if `--json` is among them", key="^error$",
        values=(("0", "1"),)),
    Reason(
        "one object a line, not an array", "account sql .*--json",
        "`account sql --json` prints JSON lines, one object for each row"),
    Reason(
        "`100mb` is 100,000,000 bytes: one syntax for all sizes", "valise-relay status",
        "`kb`, `mb` and `gb` mean powers of 1000 now", key=r"^relayStatus\.usage\.quota$",
        values=(("104857600", "100000000"),)),
    Reason(
        "opened with the stored passphrase", "^account-create: valise account status kept",
        "what a stored passphrase opens is shown there, too", key=r"^accountStatus\.(agent|chat)\.access$",
        values=(("noPassphrase", "opened"),)),
]
LENGTHS = [
    Reason(
        "a move that was refused before anything was done", "^move-relay: valise move status --json",
        "A move that is refused before anything was done leaves no record", key=r"^moves\.moves$"),
]
# Of outputs without JSON, whose words are others in any case.
NUMBERS = [
    Reason(
        "wrong usage is said on standard error", "migrate run account --confirm maybe",
        "`migrate run --confirm` with another word says so on standard error"),
    Reason(
        "where SQLite's own reading ended is said", "archive salvage torn-database.zip",
        "says where SQLite's own reading of a damaged table ended"),
    Reason(
        "printed sizes have one form", "archive list |media plan |archive verify short-media.zip",
        "**Printed sizes** have one form"),
    Reason(
        "printed sizes have one form; the command that does more is a hint", "archive salvage account.zip saved2.zip --no-input",
        "Without one it shows the whole command that recovers the rest"),
    Reason(
        "rows are counted that refer to missing rows", "account check orphans",
        "`account check` says of rows that refer to missing rows that the pages are intact"),
    Reason(
        "the stored passphrase is used", "^account-in-use: valise account status",
        "`archive export` and `account status` use a stored passphrase"),
    Reason(
        "what apps cannot use is no account; hints", "account salvage half",
        "it does not call an account without its agent database the new account"),
    Reason(
        "one sentence, and a hint", "archive verify text.zip", "A file that is no archive is called that in one sentence"),
    Reason(
        "how many messages are lost of how many", "archive salvage cut.zip",
        "says how many messages are lost of how many"),
    Reason(
        "advice is no part of a message any more", "file verify secret --key-file",
        "a secret that others may have read (`makePrivate`)"),
    Reason(
        "each file is looked at before anything is sent", "file send text.txt empty missing",
        "`file send` looks at each file before anything about relays"),
    Reason(
        "in other words: the salt", "key verify", "Every text is rewritten"),
    Reason(
        "`100mb` is 100,000,000 bytes: one syntax for all sizes", "valise-relay status",
        "`kb`, `mb` and `gb` mean powers of 1000 now"),
]
