#!/bin/sh
# Whether texts are spelled as in American English: hunspell's en_US, and the words of ours in Documentation/words.dic.
#
#   Scripts/check-spelling.sh            check; prints FILE:LINE: WORD
#   Scripts/check-spelling.sh --unused   words of ours that no text has anymore
set -eu
cd "$(dirname "$0")/.."
if ! command -v hunspell > /dev/null; then
    echo "check-spelling: hunspell is missing. Install it: Scripts/setup.sh --with-test-tools" >&2
    exit 1
fi
exec python3 Scripts/check-spelling.py "$@"
