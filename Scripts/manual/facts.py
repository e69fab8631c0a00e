"""Environment, files and exit statuses of commands, as tables of what applies to which."""


class Command:
    """A command of a program, and the questions that decide what applies to it."""

    def __init__(self, path: list[str], arguments: list[dict]) -> None:
        self.name = " ".join(path[1:])
        self.group = path[1] if len(path) > 1 else ""
        self.isRelay = path[0] == "valise-relay"
        self.isRoot = len(path) == 1
        self.options = {argument["preferredName"]["name"] for argument in arguments if argument.get("preferredName")}
        self.arguments = {argument["valueName"] for argument in arguments if argument["kind"] == "positional"}
        # Its help says so, and only that of a command that looks there.
        self.choosesAccount = any("VALISE_ACCOUNT" in argument.get("abstract", "") for argument in arguments)

    @property
    def pages(self) -> bool:
        """Whether a pager shows what it prints. The page of the program has the variables of all commands."""
        return "no-pager" in self.options or self.isRoot and not self.isRelay

    @property
    def isAlone(self) -> bool:
        """Whether it looks at nothing but its arguments."""
        return self.name == "schema"

    @property
    def looksEverywhere(self) -> bool:
        """Whether what applies to any command of the program applies to it."""
        return self.isRoot and not self.isRelay or self.name == "doctor"

    @property
    def hasNetwork(self) -> bool:
        """Whether it reaches relays: each such command can do it through a proxy."""
        return "proxy" in self.options or self.isResuming

    @property
    def isResuming(self) -> bool:
        """Whether it runs what other commands left."""
        return self.name in ("jobs resume", "jobs run", "jobs watch")

    @property
    def hasAccount(self) -> bool:
        names = {name.split("|")[0] for name in self.arguments}
        return not self.isRelay and bool({"dir", "account"} & names)

    @property
    def hasRepository(self) -> bool:
        """Whether it reads or writes a repository of backups."""
        return self.group in ("backup", "mount") or self.isRoot and not self.isRelay

    @property
    def hasFileStore(self) -> bool:
        """Whether it reads or writes a store of tcfs."""
        return self.group in ("store", "mount") or self.isRoot and not self.isRelay

    @property
    def hasStore(self) -> bool:
        return bool({"key-store", "store", "store-key"} & self.options) or self.isResuming

    @property
    def opensDatabases(self) -> bool:
        return bool({"passphrase-file", "new-passphrase-file", "password-file"} & self.options) or self.isResuming


# Commands that end with 3: entries of theirs can fail while others succeed.
WITH_ENTRIES = {
    "account check", "account salvage", "archive diff", "archive export", "archive extract", "archive import",
    "archive salvage", "archive verify", "backup forget", "backup key list", "backup list", "backup repair index",
    "backup repair snapshots", "backup restore", "backup run", "file delete", "file send", "jobs resume", "jobs run",
    "key list", "key verify", "media audit", "media decrypt", "media encrypt", "media export", "media plan", "media purge",
    "move receive", "move send", "store diff", "store get", "store list", "store pull", "store push", "store remove",
}

# What a status means for one command, where that is not what it means for all.
MEANINGS = {
    ("archive diff", "20"): "the accounts differ (with --exit-code)",
    ("store diff", "20"): "folder and store differ (with --exit-code)",
    ("store status", "20"): "no verification in time, or damage (with --exit-code)",
    ("compose", "1"): "the message cannot be sent, or the command failed",
    ("doctor", "1"): "a problem was found, or the check failed",
}


def applies(command: Command, status: str) -> bool:
    """Whether a command can end with a status. The program's own page has all of them."""
    if command.isRoot and not command.isRelay:
        return True
    if command.isAlone:
        return status in ("0", "1", "10", "15", "64")
    if command.name == "doctor":
        # What it finds is in its report; the others are of its arguments, and of the report's file.
        return status in ("0", "1", "10", "15", "64", "130")
    match status:
        case "12": return (command.opensDatabases or bool({"key-file"} & command.options) or command.group == "key"
                           or command.hasRepository and command.name != "backup ping")
        case "16": return command.isRelay or command.group in ("move", "jobs") or command.hasNetwork
        case "20": return "exit-code" in command.options
        case "3": return not command.isRelay and (command.name == command.group or command.name in WITH_ENTRIES)
        case _: return True


ENVIRONMENT = [
    ("VALISE_ACCOUNT", "The account folder, if none is named: otherwise the only account that is found is used.",
     lambda c: c.choosesAccount or c.isRoot and not c.isRelay),
    ("HOME", "The home folder, in which the following folders are if their variables are not set.",
     lambda c: not c.isRelay and not c.isAlone),
    ("XDG_STATE_HOME", "The folder of jobs, uploads and moves, which are in valise inside it. The default is ~/.local/state.",
     lambda c: not c.isRelay and not c.isAlone),
    ("XDG_DATA_HOME", "The folder of the store of passphrases in files, valise/keys inside it, and of accounts of the apps. "
     "The default is ~/.local/share.",
     lambda c: c.hasStore or c.choosesAccount or c.name in ("account find", "jobs unit") or c.looksEverywhere),
    ("XDG_CONFIG_HOME", "The folder of your settings, valise inside it. The default is ~/.config.",
     lambda c: c.hasNetwork or c.name == "jobs unit" or c.looksEverywhere),
    ("VALISE_NO_JOBS", "If set, no job is created: an interrupted command is not listed or resumed by valise-jobs(1).",
     lambda c: not c.isRelay and not c.isAlone),
    ("TMPDIR", "The folder for an archive that is read from standard input. The default is the folder of the jobs.",
     lambda c: c.name.startswith("archive") or c.looksEverywhere),
    ("DBUS_SESSION_BUS_ADDRESS", "The session bus, over which the desktop keyring is asked.",
     lambda c: c.hasStore or c.looksEverywhere),
    ("XDG_RUNTIME_DIR", "The folder of the session bus, if its address is not set.",
     lambda c: c.hasStore or c.looksEverywhere),
    ("DISPLAY, WAYLAND_DISPLAY", "Whether there is a screen on which the desktop keyring can ask.",
     lambda c: c.hasStore or c.looksEverywhere),
    ("RESTIC_REPOSITORY", "The repository, if none is named.", lambda c: c.hasRepository),
    ("RESTIC_PASSWORD_FILE", "The file with the password of the repository, if no option says where it is.",
     lambda c: c.hasRepository),
    ("RESTIC_PASSWORD_COMMAND", "The sh command that prints the password of the repository, if no option says where it is.",
     lambda c: c.hasRepository),
    ("RESTIC_REST_USERNAME, RESTIC_REST_PASSWORD", "The user name and the password for a REST server.",
     lambda c: c.hasRepository),
    ("RESTIC_CACERT", "A file with the certificates that are trusted in place of the system's, for REST and S3.",
     lambda c: c.hasRepository or c.hasFileStore),
    ("AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN", "The keys for an S3 server.",
     lambda c: c.hasRepository or c.hasFileStore),
    ("AWS_DEFAULT_REGION, AWS_REGION", "The region of the S3 server. The default is us-east-1.",
     lambda c: c.hasRepository or c.hasFileStore),
    ("VALISE_STORE_KEY_FILE", "The file with the master key of the store, if no option says where keys are.",
     lambda c: c.hasFileStore),
    ("VALISE_STORE_PASSPHRASE_FILE", "The file with the passphrase from which the master key is derived instead.",
     lambda c: c.hasFileStore),
    ("VALISE_STORE_SALT_HEX, VALISE_STORE_SALT_TEXT", "The salt of this passphrase: as hexadecimal digits, or as text.",
     lambda c: c.hasFileStore),
    ("VALISE_STORE_IDENTITY", "The file with the private key of a device.", lambda c: c.hasFileStore),
    ("USER, SUDO_USER", "The user as whom the system runs backups.",
     lambda c: c.group == "backup" and c.name.endswith("schedule") or c.isRoot and not c.isRelay),
    ("http_proxy, https_proxy, all_proxy, no_proxy", "The proxy over which pages are loaded for previews.",
     lambda c: c.name == "compose"),
    ("STATE_DIRECTORY", "The relay folder, if --folder is not given. systemd sets it.", lambda c: c.isRelay),
    ("NOTIFY_SOCKET", "The socket on which systemd is told that the relay is ready.",
     lambda c: c.isRelay and c.name in ("", "start")),
    ("PAGER", "The program that shows messages page by page on a terminal. The default is less, if it is installed; cat "
     "stands for none.", lambda c: c.pages),
    ("LESS", "The options of less. The default is FRX.", lambda c: c.pages),
    ("PATH", "Where less is looked for.", lambda c: c.pages),
    ("COLUMNS", "The width at which lines break on a terminal, if not at its own.", lambda c: True),
    ("NO_COLOR", "If set, nothing is colored.", lambda c: True),
    ("CLICOLOR_FORCE", "If set, but not to 0, messages are colored also if they do not go to a terminal.", lambda c: True),
    ("TERM", "If it is dumb, nothing is colored, and progress is shown as separate lines.", lambda c: True),
]

FILES = [
    ("PREFIX_chat.db, PREFIX_agent.db", "The databases of an account; the usual prefix is simplex_v1. See valise-formats(5).",
     lambda c: c.hasAccount or c.isRoot and not c.isRelay),
    ("PREFIX_files, PREFIX_assets", "Its media and wallpapers.",
     lambda c: c.hasAccount and c.group in ("account", "archive", "media", "move") or c.isRoot and not c.isRelay),
    (".valise-PREFIX", "Beside the databases while an operation is pending, and after a migration: the previous databases.",
     lambda c: c.hasAccount),
    ("~/.local/state/valise/jobs", "The queue of jobs: an encrypted database and its key.",
     lambda c: c.group == "jobs" or c.isRoot and not c.isRelay),
    ("~/.local/state/valise/uploads", "Journals of uploads, from which an interrupted one is resumed. They hold keys.",
     lambda c: c.name in ("file send", "file delete") or c.isResuming),
    ("~/.local/state/valise/moves", "Records of moves, with their links.", lambda c: c.group == "move"),
    ("~/.local/state/valise/backups", "What was last seen of each repository.", lambda c: c.hasRepository),
    ("~/.local/state/valise/drafts", "Drafts of messages, encrypted. See valise-formats(5).",
     lambda c: c.name == "compose" or c.isRoot and not c.isRelay),
    ("~/.local/share/valise/keys", "The store of passphrases in files. They are not encrypted.",
     lambda c: c.hasStore),
    ("~/.config/valise/relays", "Relays that may be used without a question, one address on a line.",
     lambda c: c.hasNetwork),
    ("FILE.key.json", "The key and nonce of an encrypted file, beside it.",
     lambda c: c.name in ("file encrypt", "file decrypt", "file verify", "file receive")),
    ("FILE.xftp", "A folder with the descriptions of a sent file: rcv1.xftp and so on for recipients, "
     "snd.xftp.private for its deletion.", lambda c: c.name in ("file send", "file delete", "file info", "file receive")),
    ("FILE.partial", "An archive that is being written.", lambda c: c.name in ("archive export", "archive salvage")),
    ("FILE.partial.journal", "Which entries of it are durable, for an export that continues it. Removed after a week.",
     lambda c: c.name == "archive export"),
    ("file-server.ini", "In the relay folder: the settings.", lambda c: c.isRelay),
    ("ca.key", "In the relay folder: the key of its identity. Keep it elsewhere.",
     lambda c: c.isRelay and c.name in ("", "init", "renew")),
]
