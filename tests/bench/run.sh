#!/bin/sh
# The measured promises, as ratios side by side in one run. Installs tmux by apt where it may, and
# builds pueue once into the target folder; what cannot be had is left out and said so.
set -eu
cd "$(dirname "$0")/../.."

target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
tools=$target/bench-tools
mkdir -p "$tools"

if ! command -v tmux >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get install -y -qq tmux >/dev/null 2>&1 || echo "tmux could not be installed"
fi
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

# What is measured is what is installed.
make --no-print-directory dist CARGO="cargo --quiet"
export VOSIM_BINS="$target/dist"
exec cargo bench --quiet --profile dist -p vosim-tests --bench figures
