#!/bin/sh
# Writes the manual pages and what makes bash, zsh and fish complete, or removes them.
#
#   install.sh install VOSIMCTL PREFIX [DESTDIR]
#   install.sh uninstall VOSIMCTL PREFIX [DESTDIR]
#
# VOSIMCTL is the program that knows what is in them. Each shell looks below PREFIX by itself where that
# is ~/.local, /usr/local or /usr; zsh only where the folder is in its `fpath`.
set -eu
action=$1 vosimctl=$2 share=${4:-}$3/share
pages=$share/man/man1
bash=$share/bash-completion/completions/vosimctl
zsh=$share/zsh/site-functions/_vosimctl
fish=$share/fish/vendor_completions.d/vosimctl.fish

remove() {
    rm -f "$pages/vosimctl.1" "$pages"/vosimctl-*.1 "$bash" "$zsh" "$fish"
}

case $action in
install)
    # Pages of commands that are no more would stay behind.
    remove
    mkdir -p "$pages" "${bash%/*}" "${zsh%/*}" "${fish%/*}"
    "$vosimctl" man "$pages"
    "$vosimctl" completions bash >"$bash"
    "$vosimctl" completions zsh >"$zsh"
    "$vosimctl" completions fish >"$fish"
    chmod 644 "$pages/vosimctl.1" "$pages"/vosimctl-*.1 "$bash" "$zsh" "$fish"
    ;;
uninstall)
    remove
    ;;
*)
    echo "usage: install.sh install|uninstall VOSIMCTL PREFIX [DESTDIR]" >&2
    exit 1
    ;;
esac
