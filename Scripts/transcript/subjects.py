"""The subjects of the transcripts, each a function that uses a World."""

from . import accounts, archives, backups, chats, compose, files, helps, jobs, keys, media, migrations, moves, relays, sessions, stores, usage

MODULES = [helps, usage, accounts, keys, migrations, archives, chats, compose, media, files, jobs, moves, relays, backups, stores, sessions]
# The slow ones first, so that none is left alone at the end.
ALL = {
    name: subject
    for _, name, subject in sorted(
        ((module.COST.get(name, 1), name, subject) for module in MODULES for name, subject in module.SUBJECTS.items()),
        key=lambda entry: (-entry[0], entry[1]))
}
