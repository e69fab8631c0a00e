"""Accounts that the subjects copy, made once for a run."""

import pathlib
import subprocess


class Template:
    # Raw keys, from which nothing is derived: fast.
    KEY = "x'" + "5a" * 32 + "'"
    OTHER_KEY = "x'" + "c3" * 32 + "'"
    WRONG_KEY = "x'" + "00" * 32 + "'"

    def __init__(self, programs: pathlib.Path, root: pathlib.Path) -> None:
        self.programs, self.root = programs, root
        root.mkdir(0o700)
        (root / "home").mkdir(0o700)
        self.key = root / "key"
        self.key.write_text(self.KEY)
        self.key.chmod(0o600)
        self.sample("account", "--passphrase-file", self.key, "--messages", "60")
        self.sample("plain", "--messages", "60")
        self.sample("other", "--passphrase-file", self.key, "--messages", "60", "--seed", "2")
        self.settle("account", self.KEY)
        self.settle("other", self.KEY)
        self.settle("plain")
        subprocess.run(["cp", "-a", root / "account", root / "old"], check=True)
        self.valise(
            "migrate", "run", "old", "--to-chat", "0015_remote_access", "--to-agent", "0010_sent_files", "--confirm",
            "yesUpDown", "--passphrase-file", "key", "--quiet")
        self.valise("migrate", "confirm", "old", "--quiet")
        self.valise("archive", "export", "account", "account.zip", "--passphrase-file", "key", "--quiet")
        # Stored: how long something packed is depends on the version of the library.
        self.valise("archive", "export", "plain", "plain.zip", "--no-compression", "--quiet")
        self.valise("archive", "export", "other", "other.zip", "--passphrase-file", "key", "--quiet")

    def sample(self, *arguments) -> None:
        subprocess.run(
            [self.programs / "valise-sample", *arguments], cwd=self.root, check=True, stdout=subprocess.DEVNULL)

    def settle(self, name: str, key: str | None = None) -> None:
        """When migrations were run is all that differs in two samples."""
        for database in ("chat", "agent"):
            subprocess.run(
                ["sqlcipher", self.root / name / f"simplex_v1_{database}.db"], check=True, stdout=subprocess.DEVNULL,
                text=True, input=(f'PRAGMA key = "{key}";\n' if key else "")
                + "UPDATE migrations SET ts = '2026-01-01 00:00:00.000';\n")

    def valise(self, *arguments: str) -> None:
        environment = {"HOME": str(self.root / "home"), "PATH": "/usr/bin:/bin", "VALISE_NO_JOBS": "1"}
        subprocess.run(
            [self.programs / "valise", *arguments], cwd=self.root, check=True, stdout=subprocess.DEVNULL, env=environment)
