"""Folders of interrupted operations in one archive: every file with its mode, its times to the nanosecond and its inode.

    KIND.tar.xz
        manifest.json     {"phases": [{"name", "made", "entries": [{"path", "kind", "mode", "inode", "modified", "blob"}]}]}
        blobs/N           contents, each once

The inode is that of when it was made, by which records name a file; files of one inode are second names of each other.
"""

import dataclasses
import hashlib
import io
import json
import os
import pathlib
import shutil
import stat
import tarfile

# The largest archive of a kind that is still a small fixture.
LARGEST = 700_000


@dataclasses.dataclass
class Phase:
    name: str
    made: int
    entries: list[dict]
    # Of the folder that it was made in.
    root: str


def take(root: pathlib.Path, blobs: dict[str, bytes]) -> list[dict]:
    """All that is below a folder, with the contents by their sums."""
    entries = []
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(folders + files):
            path = pathlib.Path(folder, name)
            found = path.lstat()
            if stat.S_ISSOCK(found.st_mode):
                continue
            entry = {
                "path": str(path.relative_to(root)), "mode": stat.S_IMODE(found.st_mode), "inode": found.st_ino,
                "device": found.st_dev, "modified": found.st_mtime_ns, "kind": "folder" if path.is_dir() else "file"}
            if entry["kind"] == "file":
                content = path.read_bytes()
                entry["blob"] = hashlib.sha256(content).hexdigest()
                blobs[entry["blob"]] = content
            entries.append(entry)
    return entries


def write(path: pathlib.Path, phases: list[Phase], blobs: dict[str, bytes]) -> int:
    """How large it is."""
    used, order = {}, []
    for phase in phases:
        for entry in phase.entries:
            if "blob" in entry and entry["blob"] not in used:
                used[entry["blob"]] = len(used)
                order.append(blobs[entry["blob"]])
    manifest = {"phases": [
        {"name": phase.name, "made": phase.made, "root": phase.root, "entries": [
            {**entry, "blob": used[entry["blob"]]} if "blob" in entry else entry for entry in phase.entries]}
        for phase in phases]}
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for name, content in [
                ("manifest.json", json.dumps(manifest, separators=(",", ":")).encode()),
                *((f"blobs/{index}", content) for index, content in enumerate(order))]:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path.stat().st_size


class Fixture:
    def __init__(self, path: pathlib.Path) -> None:
        with tarfile.open(path, "r:xz") as archive:
            self.contents = {member.name: archive.extractfile(member).read() for member in archive}
        manifest = json.loads(self.contents["manifest.json"])
        self.phases = {
            phase["name"]: Phase(phase["name"], phase["made"], phase["entries"], phase["root"])
            for phase in manifest["phases"]}

    def restore(self, name: str, root: pathlib.Path) -> dict[tuple[int, int], os.stat_result]:
        """Makes a folder what it was; which file is now in the place of which."""
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(0o700)
        phase, there, found = self.phases[name], {}, {}
        for entry in phase.entries:
            path, identity = root / entry["path"], (entry["device"], entry["inode"])
            if entry["kind"] == "folder":
                path.mkdir(0o700)
            elif identity in there:
                os.link(there[identity], path)
            else:
                path.write_bytes(self.contents[f"blobs/{entry['blob']}"])
                path.chmod(entry["mode"])
                there[identity] = path
        self.settle(name, root)
        for entry in phase.entries:
            found[(entry["device"], entry["inode"])] = (root / entry["path"]).lstat()
        return found

    def settle(self, name: str, root: pathlib.Path) -> None:
        """Modes and times, which what was done since may have changed."""
        for entry in reversed(self.phases[name].entries):
            path = root / entry["path"]
            # A log of the queue that was folded in.
            if not path.exists():
                continue
            path.chmod(entry["mode"])
            os.utime(path, ns=(entry["modified"], entry["modified"]))
