"""`valise jobs`, and what the other commands say of them."""

K = "--passphrase-file key"
COST: dict[str, float] = {"jobs": 4}


def jobs(w):
    w.copy("account", "account")
    w.copy("plain", "plain")
    w("jobs list")
    w("jobs list --json")
    w("jobs list --all")
    w("jobs run")
    w("jobs run --json")
    w("jobs run --exit-code")
    w("jobs show 1")
    w("jobs show 1 --json")
    w("jobs resume 1")
    w("jobs retry 1")
    w("jobs cancel 1 --json")
    w("jobs watch")
    w("jobs watch --json")
    w("jobs unit")
    w("jobs unit --json")
    w(f"archive export account a.zip {K} --quiet")
    w(f"account compact account {K} --quiet")
    w("jobs list --all")
    w("jobs list --all --json")
    w("jobs show 1")
    w("jobs show 1 --json")
    w("jobs resume 1")
    w("jobs retry 1 2")
    w("jobs cancel 1")
    w("jobs list --all --json")
    # Relays that nobody can reach, so that the transfer is left to be gone on with.
    address = "xftp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@127.0.0.1:1"
    w.write("text.txt", "text")
    w.hide(r"\b[A-Za-z0-9_-]{22}\b", "ID")
    w.hide(r"in N s +", "in N s  ")
    w.hide(r'"(dueAt|due|nextTry)":"?[^",}]+"?', r'"\1":"TIME"')
    w(f"file send text.txt --server {address}")
    w("file send --list")
    w("jobs list")
    w("jobs list --json")
    w("jobs list --all")
    w("jobs show 3 --json")
    w("jobs cancel 3")
    w("jobs cancel 3 --json")
    w("jobs list --all --json")
    w.write("home/state/valise/jobs/key", b"x" * 32)
    w("jobs list")
    w("jobs list --json")
    w(f"archive export account b.zip {K}")


SUBJECTS = {"jobs": jobs}
