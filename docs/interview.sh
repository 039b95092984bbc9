#!/bin/sh
# Conducts a whole LRU Cache interview on real files, with folders of its own: a wrong submission,
# a hint, the reason of that hint, a right submission, the summary, and the log verified.
set -eu
cd "$(dirname "$0")/.."

bin=${BIN:-${CARGO_TARGET_DIR:-target}/debug}
case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
programs=$PWD/daemon/content/problems/lrucache/submissions
home=$(mktemp -d "${TMPDIR:-/tmp}/vosim-run.XXXXXX")
export HOME="$home" XDG_DATA_HOME="$home/data" XDG_STATE_HOME="$home/state"
export XDG_CONFIG_HOME="$home/config" XDG_RUNTIME_DIR="$home/run"
unset VOSIM_SOCKET
PATH="$bin:$PATH"
mkdir -m 700 "$XDG_RUNTIME_DIR"
mkdir "$home/work"
cd "$home/work"

leave() {
    "$bin/vosimctl" daemon stop >/dev/null 2>&1 || true
    rm -rf "$home"
}
trap leave EXIT
trap 'exit 130' INT TERM

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; "$@"; }
note() { printf '\n\033[2m# %s\033[0m\n' "$*"; }
[ -t 1 ] || {
    say() { printf '\n$ %s\n' "$*"; "$@"; }
    note() { printf '\n# %s\n' "$*"; }
}

note "The daemon starts by itself with the first command."
say vosimctl start
note "A first try: it evicts the wrong key."
cp "$programs/wrong_answer/first_in_first_out.py" lru_cache.py
say vosimctl submit lru_cache.py
say vosimctl hint
note "Why this hint? The last event of the log explains itself."
last=$(vosimctl log --json | tail -n 1 | sed 's/.*"event_id":\([0-9]*\).*/\1/')
say vosimctl why "$last"
note "A second try: right."
cp "$programs/accepted/linked_list.py" lru_cache.py
say vosimctl submit lru_cache.py
say vosimctl status
say vosimctl end
note "Every decision computed anew from the recorded inputs, and the hash chain checked."
say vosimctl replay --verify
say vosimctl verify
