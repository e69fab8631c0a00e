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
    # A pattern of the key; and the values before and now, where only one pair of them is allowed.
    key: str = ""
    values: tuple[str, str] | None = None

    def covers(self, subject: str, arguments: str, key: str, before: object, now: object) -> bool:
        return (
            re.search(self.runs, f"{subject}: {arguments}") is not None and re.search(self.key, key) is not None
            and (self.values is None or (str(before), str(now)) == self.values))


# What options are called now, and were called.
EARLIER_WORDS = {"--keep-previous": "--keep-former", "--require-verified": "--require-proof"}

RENAMED_KEYS = {
    "fileID": "fileId", "itemID": "itemId", "otherFileID": "otherFileId", "userID": "userId", "agentUserID": "agentUserId",
    "reusedIDs": "reusedIds", "checkedHMACs": "checkedHmacs", "usesHMAC": "usesHmac", "rowsFromSQLite": "rowsFromSqlite",
}
STATUSES: list[Reason] = []
NEW_KEYS: list[Reason] = []
VALUES: list[Reason] = []
LENGTHS: list[Reason] = []
