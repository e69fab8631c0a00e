"""A relay for a subject."""

import json
import subprocess


class Relay:
    def __init__(self, world, folder: str = "relay", password: str | None = None) -> None:
        self.world, self.folder = world, folder
        more = ""
        if password:
            world.write(f"{folder}-password", f"{password}\n")
            more = f" --password-file {folder}-password"
        world.do(
            f"valise-relay init --folder {folder} --host 127.0.0.1 --listen 127.0.0.1 --port 0 --quota 100mb "
            f"--sign-algorithm ed25519{more}")
        self.start()

    def start(self) -> None:
        self.process = self.world.begin(
            f"valise-relay start --folder {self.folder} --json --log-level error", stdout=subprocess.PIPE)
        self.address = json.loads(self.process.stdout.readline())["address"]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
