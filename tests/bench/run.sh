#!/bin/sh
# The measured promises, as ratios side by side in one run: all of them, or the groups that are named
# (start, durable, delete, sandbox, pool, submission, watch, idle, interviews, memory,
# repair, task).
# Installs tmux and bubblewrap by apt where it may, and builds pueue once into the target folder;
# what cannot be had is left out and said so.
set -eu
cd "$(dirname "$0")/../.."

target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
tools=$target/bench-tools
mkdir -p "$tools"

all=$*
wanted() { # a group
    case " ${all:-$1} " in *" $1 "*) ;; *) return 1 ;; esac
}
peer() { # a command, its Debian package
    command -v "$1" >/dev/null 2>&1 && return
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2" >/dev/null 2>&1 && return
    echo "there is no $1, and the package $2 could not be installed: left out"
}

if wanted start; then
    peer tmux tmux
    if [ ! -x "$tools/bin/pueue" ]; then
        echo "building pueue once, for comparison ..."
        CARGO_TARGET_DIR=$tools/build cargo install --quiet --locked --root "$tools" pueue ||
            echo "pueue could not be built"
        rm -rf "$tools/build"
    fi
    if [ -x "$tools/bin/pueue" ]; then
        export VOSIM_BENCH_PUEUE="$tools/bin"
    fi
    rustc --edition 2024 -C opt-level=3 -C target-feature=+crt-static -C strip=symbols \
        -o "$tools/bare" tests/bench/bare.rs
    export VOSIM_BENCH_BARE="$tools/bare"
fi
if wanted sandbox; then
    peer bwrap bubblewrap
    peer isolate isolate
    cargo --quiet build --profile dist -p vosim-sandbox --bin vosim-sandbox
    cp "$target/dist/vosim-sandbox" "$tools/vosim-sandbox-dynamic"
    export VOSIM_BENCH_DYNAMIC="$tools/vosim-sandbox-dynamic"
fi

# What is measured is what is installed: a copy, which lies closer together than what a linker writes.
make --no-print-directory dist
export VOSIM_BINS="$tools/installed/bin"
mkdir -p "$VOSIM_BINS"
ln -sfn "$target/lib" "$tools/installed/lib"
for program in vosimd vosimctl vosim-sandbox; do
    install -m 755 "$target/dist/$program" "$VOSIM_BINS/"
done
exec cargo bench --quiet --profile dist -p vosim-tests --bench figures -- "$@"
