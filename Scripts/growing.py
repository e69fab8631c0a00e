"""Lets an account grow, as days of use do: new items and messages like those that it has, by the shell of SQLCipher.

Each item has the text of another one with a word of its own, a new identifier and a later time, so that tables and indexes
change where those of an app do.
"""

import pathlib
import subprocess

CHAT = "simplex_v1_chat.db"
# What the messages are, in short.
SUM = "SELECT count(*), sum(chat_item_id), sum(length(item_text)), max(item_ts) FROM chat_items;"


def run(account: pathlib.Path, passphrase: str, *statements: str) -> str:
    """Statements on the chat database of an account."""
    quoted = passphrase.replace("'", "''")
    script = "\n".join([f"PRAGMA key = '{quoted}';", *statements, ""])
    return subprocess.run(
        ["sqlcipher", "-batch", account / CHAT], input=script, text=True, check=True, stdout=subprocess.PIPE).stdout


def columns(account: pathlib.Path, passphrase: str, table: str) -> list[str]:
    text = run(account, passphrase, f"SELECT name FROM pragma_table_info('{table}') WHERE pk = 0;")
    return [line for line in text.splitlines() if line != "ok"]


def copies(table: str, names: list[str], changed: dict[str, str], first: str, condition: str, count: int) -> str:
    """Rows like others of the table, `changed` where they have to differ."""
    values = ", ".join(changed.get(name, name) for name in names)
    return (
        f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM {table} "
        f"WHERE {first} >= (SELECT max({first}) FROM {table}) * 0.5 AND {condition} ORDER BY random() LIMIT {count};")


def grow(account: pathlib.Path, passphrase: str, count: int, days: int = 1) -> None:
    """`count` new items, and as many messages, of `days` days after the last one."""
    later = f"strftime('%Y-%m-%d %H:%M:%f', {{0}}, '+{days} days', '+' || (abs(random()) % 86400) || ' seconds')"
    word = "item_text || ' ' || lower(hex(randomblob(6)))"
    items = columns(account, passphrase, "chat_items")
    messages = columns(account, passphrase, "messages")
    newest = "(SELECT max({0}) FROM {1})"
    item_time = later.format(newest.format("item_ts", "chat_items"))
    message_time = later.format(newest.format("created_at", "messages"))
    run(
        account, passphrase,
        "PRAGMA journal_mode = WAL;",
        "BEGIN;",
        copies(
            "messages", messages,
            {
                "shared_msg_id": "randomblob(12)", "created_at": message_time, "updated_at": message_time,
                "msg_body": "replace(msg_body, '\"msgId\":\"', '\"msgId\":\"' || lower(hex(randomblob(3))))",
            },
            "message_id", "1", count),
        copies(
            "chat_items", items,
            {
                "shared_msg_id": "randomblob(12)", "created_by_msg_id": "NULL", "item_ts": item_time,
                "created_at": item_time, "updated_at": item_time, "item_text": word,
            },
            "chat_item_id", "quoted_shared_msg_id IS NULL AND timed_delete_at IS NULL", count),
        "COMMIT;",
        "PRAGMA wal_checkpoint(TRUNCATE);")


def vacuum(account: pathlib.Path, passphrase: str) -> None:
    run(account, passphrase, "VACUUM;", "PRAGMA wal_checkpoint(TRUNCATE);")


def page_count(account: pathlib.Path, passphrase: str) -> int:
    return int(run(account, passphrase, "PRAGMA page_count;").splitlines()[-1])
