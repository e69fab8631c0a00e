"""`valise media`."""

K = "--passphrase-file key"
COST: dict[str, float] = {"media-convert": 4, "media-export": 3}


def convert(w):
    w.copy("account", "account")
    w.copy("plain", "plain")
    w(f"media encrypt account {K} --dry-run")
    w(f"media encrypt account {K} --dry-run --json")
    w(f"media encrypt account {K} --type image --dry-run")
    w(f"media encrypt account {K} --type image")
    w(f"media encrypt account {K}")
    w(f"media encrypt account {K}")
    w(f"media encrypt account {K} --json")
    w(f"media decrypt account {K} --dry-run")
    w(f"media decrypt account {K} --type voice --json")
    w(f"media decrypt account {K} --quiet")
    w(f"media decrypt account {K}")
    w(f"media decrypt account {K} --json")
    w(f"media encrypt account {K} --since 2026-01-03 --before 2026-01-06 --dry-run")
    w(f"media encrypt account {K} --min-size 3kb --max-size 1mb --dry-run --json")
    w(f"media encrypt account {K} --chat @alice --dry-run")
    w(f"media encrypt account {K} --chat '#nothing' --dry-run")
    w("media encrypt account --passphrase-file wrong-key")
    w("media encrypt account --no-input --json")
    w("media encrypt missing")
    w("media encrypt plain --json")
    w("media decrypt plain")
    w.copy("account", "damaged")
    w.do(f"valise media encrypt damaged {K} --quiet", allowed=(3,))
    w.flip("damaged/simplex_v1_files/photo_0001.jpg", 500)
    w.remove("damaged/simplex_v1_files/note_0007.txt")
    w(f"media decrypt damaged {K}")
    w(f"media decrypt damaged {K} --json")


def audit(w):
    for name in ("account", "plain", "account.zip"):
        w.copy(name, name)
    w(f"media audit account {K}")
    w(f"media audit account {K} --json")
    w(f"media audit account {K} --quiet")
    w("media audit plain")
    w(f"media audit account.zip {K}")
    w(f"media audit account.zip {K} --json")
    w("media audit account --no-input")
    w("media audit account --passphrase-file wrong-key --json")
    w("media audit missing")
    w.copy("account", "damaged")
    w.flip("damaged/simplex_v1_files/photo_0001.jpg", 500)
    w.flip("damaged/simplex_v1_files/voice_0002.m4a", 500)
    w.remove("damaged/simplex_v1_files/note_0007.txt")
    w.cut("damaged/simplex_v1_files/clip_0005.mp4", 100)
    w.write("damaged/simplex_v1_files/stranger.bin", b"?" * 10)
    w(f"media audit damaged {K}")
    w(f"media audit damaged {K} --json")


def export(w):
    w.copy("account", "account")
    w.copy("plain", "plain")
    w(f"media export account copies {K} --dry-run")
    w(f"media export account copies {K} --dry-run --json")
    w(f"media export account copies {K}")
    w(f"media export account copies {K}")
    w(f"media export account copies2 {K} --json")
    w(f"media export account copies3 {K} --type image --quiet")
    w(f"media export account copies4 {K} --since 2026-01-04")
    w(f"media export account copies5 {K} --chat @alice --json")
    w(f"media export account copies6 {K} --include-outside")
    w("media export account x --passphrase-file wrong-key")
    w("media export account x --no-input")
    w("media export missing x")
    w("media export plain plain-copies")
    w(f"media export account account/simplex_v1_files {K}")
    w(f"media export account key {K}")
    w.copy("account", "damaged")
    w.flip("damaged/simplex_v1_files/photo_0001.jpg", 500)
    w.remove("damaged/simplex_v1_files/note_0007.txt")
    w(f"media export damaged damaged-copies {K}")
    w(f"media export damaged damaged-copies2 {K} --json")


def purge(w):
    # Of two in one second the later has a number.
    w.hide(r"valise-purged-[0-9TZ-]+", "valise-purged-TIME")
    w.copy("account", "account")
    w(f"media purge account {K} --dry-run")
    w(f"media purge account {K}")
    w.write("account/simplex_v1_files/stranger.bin", b"?" * 10)
    w.write("account/simplex_v1_files/second.bin", b"?" * 20)
    w(f"media purge account {K} --dry-run")
    w(f"media purge account {K} --dry-run --json")
    w(f"media purge account {K} --delete")
    w(f"media purge account {K} --delete --json")
    w(f"media purge account {K}")
    w.write("account/simplex_v1_files/stranger.bin", b"?" * 10)
    w(f"media purge account {K} --json")
    w.write("account/simplex_v1_files/stranger.bin", b"?" * 10)
    w(f"media purge account {K} --delete --yes")
    w.write("account/simplex_v1_files/stranger.bin", b"?" * 10)
    w(f"media purge account {K} --delete --yes --json")
    w("media purge account --passphrase-file wrong-key")
    w("media purge account --no-input")
    w("media purge missing --json")


def plan(w):
    w.copy("account", "account")
    w.write("text.txt", "text")
    w.write("empty", "")
    with open(w.path("large"), "wb") as file:
        file.truncate(3 << 30)
    w("media plan account/simplex_v1_files/photo_0006.jpg text.txt")
    w("media plan account/simplex_v1_files/photo_0006.jpg text.txt --json")
    w("media plan text.txt --type image")
    w("media plan text.txt --protocol smp --json")
    w("media plan text.txt --protocol local")
    w("media plan large")
    w("media plan large --protocol smp")
    w("media plan empty missing")
    w("media plan missing --json")
    w("media plan account")


SUBJECTS = {
    "media-convert": convert, "media-audit": audit, "media-export": export, "media-purge": purge, "media-plan": plan}
