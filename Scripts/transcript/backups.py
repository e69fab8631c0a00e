"""`valise backup`."""

from .cheapkey import make_cheap

COST: dict[str, float] = {"backup-restore": 5, "backup-run": 4, "backup-forget": 3}

K = "--passphrase-file key"
R = "--repo repo"
PASSWORD = "another horse, another battery"


def begin(w, snapshots=1):
    """An account and a repository with snapshots of it."""
    # Names of what is stored, in short; sizes depend on the version of zstd, and on what is drawn by chance.
    w.hide(r"\b[0-9a-f]{8}\b|\b[0-9a-f]{12}\b", "ID")
    w.hide(r"\bdata/[0-9a-f]{2}/", "data/XX/")
    w.hide(r'("(?:stored\w*|\w*Stored|packedSize|removed\w*|\w*Size|bytes|size)":)\d+', r"\1N")
    w.hide(r"\b\d+(\.\d+)? ([kM]?B|bytes)\b", "N bytes")
    w.hide(r'"(freed|age|readBytes|packs|readPacks|saved)":\d+', r'"\1":N')
    # How many threads had a piece of something at the same moment, and which, says in which pack it is.
    w.hide(r"\b\d+ packs?\b", "N packs")
    w.hide(r"\b\d+ intact pieces\b", "N intact pieces")
    w.hide(r"lacks \d+ entries: .*", "lacks N entries: ENTRIES")
    w.hide(r'"(hostname|host|username|user)":"[^"]*"', r'"\1":"NAME"')
    w.hide(r'("(?:host|hostname)": ?")[^"]*"', r'\1NAME"')
    w.write("password", PASSWORD)
    w.write("wrong", "not that one")
    w.environment["RESTIC_PASSWORD_FILE"] = "password"
    w.copy("account", "account")
    if snapshots:
        initialize(w)
    for number in range(snapshots):
        if number:
            w.write(f"account/simplex_v1_files/new-{number}.txt", f"the file of day {number}\n" * 50)
        w.do(f"valise backup run account {R} {K} --host laptop --quiet")


def packs(w):
    """The smallest first."""
    return sorted(w.path("repo/data").rglob("*/*"), key=lambda path: path.stat().st_size)


def damage(w):
    """Flips bits of the largest pack."""
    pack = packs(w)[-1]
    pack.chmod(0o600)
    w.flip(str(pack.relative_to(w.root)), 1000)


def initialize(w):
    w.do("valise backup init repo --quiet")
    make_cheap(w.path("repo"), PASSWORD)


def init(w):
    begin(w, 0)
    w("backup init repo")
    w("backup init repo")
    w("backup init second --json")
    w("backup init third --quiet")
    w("backup init x --password-file wrong")
    w.write("weak", "password")
    w("backup init x --password-file weak")
    w("backup init x --password-file weak --allow-weak --quiet")
    w("backup init x2 --password-file missing")
    w("backup init x2 --password-command 'cat password' --quiet")
    w("backup init x3 --password-command 'exit 3'")
    w("backup init x3 --no-input", env={"RESTIC_PASSWORD_FILE": ""})
    w.write("a-file", "text")
    w("backup init a-file")
    w.path("full").mkdir()
    w.write("full/something", "text")
    w("backup init full")
    w("backup init ftp://example.com/repo")
    w("backup init rest:nowhere")
    w("backup init s3:https://127.0.0.1:9/bucket", env={"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""})


def run(w):
    begin(w, 0)
    w(f"backup run account {R} {K}")
    initialize(w)
    w(f"backup run account {R} {K} --host laptop --dry-run")
    w(f"backup run account {R} {K} --host laptop --dry-run --json")
    w(f"backup run account {R} {K} --host laptop")
    w(f"backup run account {R} {K} --host laptop")
    w(f"backup run account {R} {K} --host laptop --json")
    w(f"backup run account {R} {K} --host laptop --quiet")
    w(f"backup run account {R} {K} --host laptop --tag daily --tag second")
    w.write("account/simplex_v1_files/new.txt", "new\n" * 100)
    w(f"backup run account {R} {K} --host laptop")
    w(f"backup run account {K} --host laptop --json", env={"RESTIC_REPOSITORY": "repo"})
    w(f"backup run account {R} --no-input")
    w(f"backup run account {R} --passphrase-file wrong-key")
    w(f"backup run account {R} --passphrase-file wrong-key --json")
    w(f"backup run account {R} {K} --password-file wrong")
    w(f"backup run account {R} {K} --password-file wrong --json")
    w(f"backup run missing {R} {K}")
    w(f"backup run account missing {R} {K} --host laptop")
    w(f"backup run account missing {R} {K} --host laptop --json")
    w(f"backup run account --repo nowhere {K}")
    w(f"backup run account --repo key {K}")
    w.copy("plain", "plain")
    w(f"backup run plain {R} --host laptop")
    w(f"backup run account {R} --sealed --host laptop")
    w(f"backup run account {R} --sealed --host laptop --json")
    w.copy("account.zip", "account.zip")
    w(f"backup run account.zip {R} {K} --host laptop")
    w.copy("account", "damaged")
    w.flip("damaged/simplex_v1_chat.db", 3 * 4096 + 100)
    w(f"backup run damaged {R} {K} --host laptop")
    w(f"backup run damaged {R} {K} --host laptop --json")
    w(f"backup run damaged {R} {K} --host laptop --keep-damaged")
    w(f"backup run account {R} {K} --limit-upload fast")
    w(f"backup run account {R} {K} --ping ftp://example.com")
    w(f"backup run account {R} {K} --host laptop --ping http://127.0.0.1:9/ping --json")


def show(w):
    begin(w, 3)
    w(f"backup list {R}")
    w(f"backup list {R} --json")
    w(f"backup list {R} --quiet")
    w(f"backup list {R} --last 1")
    w(f"backup list {R} account --last 2 --json")
    w(f"backup list {R} missing")
    w(f"backup list {R} --host elsewhere")
    w(f"backup list {R} --tag none --json")
    w(f"backup list {R} --last 0")
    w(f"backup list {R} --password-file wrong")
    w("backup list --repo nowhere")
    w("backup list")
    w(f"backup show latest {R}")
    w(f"backup show latest {R} --json")
    w(f"backup show zzzz {R}")
    w(f"backup show zzzz {R} --json")
    snapshots = sorted(w.path("repo/snapshots").iterdir(), key=lambda path: path.stat().st_mtime_ns)
    first, last = snapshots[0].name, snapshots[-1].name
    w(f"backup diff {first} {last} {R}")
    w(f"backup diff {first} {last} {R} --json")
    w(f"backup diff {last} {last} {R}")
    w(f"backup diff {first[:12]} {last[:12]} {R} --exit-code")
    w(f"backup diff {first} missing {R}")
    w(f"account check repo::latest {K}")
    w(f"account check repo::{first} {K} --json")
    w("account check repo::missing")
    w("account check nowhere::latest")
    w(f"chat list repo::latest {K}")
    w(f"chat search repo::latest the {K} --limit 2")
    w(f"archive diff repo::{first} repo::latest {K}")
    w(f"archive export repo::latest out.zip {K} --quiet")
    w(f"archive verify out.zip {K}")


def restore(w):
    begin(w, 2)
    w(f"backup restore latest phone {R} {K} --dry-run")
    w(f"backup restore latest phone {R} {K}")
    w(f"account check phone {K}")
    w(f"backup restore latest phone {R} {K}")
    w(f"backup restore latest second {R} {K} --json")
    w(f"backup restore latest third {R} {K} --quiet")
    w(f"backup restore latest other {R} --new-passphrase-file other-key")
    w("account check other --passphrase-file other-key")
    w(f"backup restore latest x {R} --no-input")
    w(f"backup restore latest x {R} --no-input --json")
    w(f"backup restore latest bare {R} --no-encryption")
    w(f"backup restore latest bare {R} --no-encryption --yes")
    w(f"backup restore latest chat-only {R} {K} --database chat")
    w(f"backup restore latest part {R} {K} --only 'media/*.txt'")
    w(f"backup restore latest part2 {R} {K} --only 'nothing*' --json")
    w(f"backup restore missing x {R} {K}")
    w(f"backup restore latest x {R} {K} --password-file wrong")
    w.path("account/simplex_v1_files/new-1.txt").unlink()
    w(f"backup restore latest account {R} {K} --only 'media/new*'")
    w(f"backup restore latest account {R} {K} --into-existing --dry-run")
    w(f"backup restore latest account {R} {K} --into-existing --yes")
    w(f"backup restore latest account {R} {K} --into-existing --keep-previous before --json")
    w(f"account check account {K}")
    w.copy("other", "different")
    w(f"backup restore latest different {R} {K} --into-existing --yes")
    w(f"backup restore latest different {R} {K} --into-existing --yes --json")
    w(f"backup restore latest different {R} {K} --into-existing --replace-newer --yes")
    damage(w)
    w(f"backup restore latest broken {R} {K}")
    w(f"backup restore latest broken {R} {K} --json")


def verify(w):
    begin(w, 2)
    w(f"backup verify {R}")
    w(f"backup verify {R} --json")
    w(f"backup verify {R} --quiet")
    w(f"backup verify {R} --read-data")
    w(f"backup verify {R} --read-data --json")
    w(f"backup verify {R} --read-data-subset 1/2")
    w(f"backup verify {R} --read-data-subset 100%")
    w(f"backup verify {R} --read-data-subset some")
    w(f"backup verify {R} --read-in-days 0")
    w(f"backup verify {R} --read-in-days 1 --json")
    w(f"backup verify {R} --read-data --read-in-days 2")
    w(f"backup drill {R}")
    w(f"backup drill account {R} --json")
    w(f"backup drill account {R} --quiet")
    w(f"backup drill missing {R}")
    w(f"backup drill {R} --snapshot zzzz")
    w(f"backup drill {R} --password-file wrong --json")
    w(f"backup status account {R}")
    damage(w)
    w(f"backup verify {R}")
    w(f"backup verify {R} --read-data")
    w(f"backup verify {R} --read-data --json")
    w(f"backup drill {R}")
    w(f"backup status account {R}")
    w(f"backup status account {R} --exit-code --json")
    w(f"backup repair index {R} --dry-run")
    w(f"backup repair index {R}")
    w(f"backup repair packs {R} --dry-run")
    w(f"backup repair packs {R} --dry-run --json")
    w(f"backup repair snapshots {R} --dry-run --read-data")
    w(f"backup repair packs {R}")
    w(f"backup repair packs {R} --json")
    w(f"backup repair snapshots {R} --dry-run")
    w(f"backup run account {R} {K} --host laptop --quiet")
    w(f"backup verify {R} --read-data")
    w(f"backup repair snapshots {R} --json")
    w(f"backup repair packs {R} --read-data")
    w.note("the pack with what was saved is removed; the damaged one is still there")
    packs(w)[-2].unlink()
    w(f"backup verify {R}")
    w(f"backup repair index {R} --json")
    w(f"backup repair snapshots {R} --dry-run")
    w(f"backup repair snapshots {R}")
    w(f"backup verify {R} --read-data")


def forget(w):
    begin(w, 3)
    w(f"backup forget {R}")
    w(f"backup forget {R} --keep-last 2 --dry-run")
    w(f"backup forget {R} --keep-last 2 --dry-run --json")
    w(f"backup forget {R} --keep-last 2")
    w(f"backup forget {R} --keep-last 2 --yes")
    w(f"backup forget {R} --keep-last 2 --yes")
    w(f"backup forget {R} --keep-daily 7 --json --yes")
    w(f"backup forget {R} --keep-within 1x")
    w(f"backup forget latest {R} --dry-run")
    w(f"backup forget zzzz {R}")
    w(f"backup forget latest {R} --no-input")
    w(f"backup forget latest {R} --yes --json")
    w(f"backup list {R}")
    w(f"backup prune {R}")
    w(f"backup prune {R} --json")
    w(f"backup prune {R} --password-file wrong")
    w(f"backup verify {R} --read-data")
    w.remove("repo/snapshots")
    w.path("repo/snapshots").mkdir(0o700)
    w(f"backup list {R}")
    w(f"backup status {R} --json")


def keys(w):
    begin(w, 1)
    w(f"backup key list {R}")
    w(f"backup key list {R} --json")
    w.write("second", "one more horse, one more battery")
    w(f"backup key add {R} --new-password-file second")
    w(f"backup key add {R} --new-password-file second --json")
    w.write("weak", "password")
    w(f"backup key add {R} --new-password-file weak")
    w(f"backup key add {R} --no-input")
    w(f"backup list {R} --password-file second --quiet")
    w(f"backup key remove zzzz {R}")
    w(f"backup key remove zzzz {R} --json")
    w(f"backup password change {R} --no-input")
    w(f"backup password change {R} --new-password-file weak")
    w.write("third", "the third horse, the third battery")
    w(f"backup password change {R} --new-password-file third")
    w(f"backup list {R}")
    w(f"backup list {R} --password-file third")
    w(f"backup password change {R} --password-file third --new-password-file password --json")
    keys = {path.name for path in w.path("repo/keys").iterdir()}
    w(f"backup key list {R} --json")
    w(f"backup key list {R} --password-file wrong")
    w.note(f"{len(keys)} keys")


def status(w):
    begin(w, 1)
    w(f"backup status {R}")
    w(f"backup status {R} --json")
    w(f"backup status account {R} --exit-code")
    w(f"backup status account {R} --offline")
    w(f"backup status missing {R} --json")
    w("backup status --repo nowhere")
    w("backup status --repo nowhere --offline")
    w(f"backup status {R} --prometheus --offline")
    w(f"backup schedule account {R} --password-file password")
    w(f"backup schedule account {R} --password-file password --json")
    w(f"backup schedule account {R} --password-file password --output units")
    w(f"backup schedule account {R} --password-file password --output units")
    w(f"backup schedule account {R}", env={"RESTIC_PASSWORD_FILE": ""})
    w(f"backup schedule missing {R} --password-file password")
    w("backup ping ftp://example.com")
    w("backup ping http://127.0.0.1:9/x")
    w("backup ping http://127.0.0.1:9/x --json")


SUBJECTS = {
    "backup-init": init, "backup-run": run, "backup-show": show, "backup-restore": restore, "backup-verify": verify,
    "backup-forget": forget, "backup-keys": keys, "backup-status": status,
}
