#!/bin/sh
# Makes docs/picture.svg from a real run of docs/interview.sh on a terminal.
set -eu
cd "$(dirname "$0")/.."
command -v script >/dev/null || { echo "the picture needs script(1), package bsdutils" >&2; exit 1; }
recorded=$(mktemp)
trap 'rm -f "$recorded"' EXIT
COLUMNS=92 LINES=50 TERM=xterm-256color LC_ALL=C.UTF-8 \
    script -qec "stty cols 92 rows 50; sh docs/interview.sh" "$recorded" >/dev/null
python3 docs/picture.py "$recorded" docs/picture.svg
echo "docs/picture.svg was made from this run"
