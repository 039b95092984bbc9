#!/bin/sh
# Writes the user units with the path of their programs, or removes them.
#
#   install.sh install BINDIR UNITDIR [DESTDIR]
#   install.sh uninstall BINDIR UNITDIR [DESTDIR]
#
# DESTDIR is put before UNITDIR and never into a unit. The manager that runs is not touched.
set -eu
action=$1 bin=$2 units=$3 dest=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
names="vosimd.service vosimd.socket"

# Whether `systemctl --user` reads this folder; a systemd that cannot be asked is believed to.
is_read() {
    paths=$(systemd-analyze --user unit-paths 2>/dev/null) || return 0
    printf '%s\n' "$paths" | grep -qxF "$units"
}

# Whether the manager that runs has these very units in use; it is only asked.
is_used() {
    [ -z "$dest" ] || return 1
    [ "$(systemctl --user show -P FragmentPath vosimd.socket 2>/dev/null)" = \
        "$units/vosimd.socket" ] || return 1
    systemctl --user --quiet is-enabled vosimd.socket 2>/dev/null ||
        systemctl --user --quiet is-active vosimd.socket vosimd.service 2>/dev/null
}

case $action in
install)
    case $bin in /*) ;; *) echo "PREFIX must be an absolute path: $bin" >&2; exit 1 ;; esac
    # As a word of a unit: quoted, with its signs kept from systemd and from sed.
    word=$(printf '%s' "$bin" | sed -e 's/[\\"]/\\&/g' -e 's/%/%%/g' -e 's/\$/$$/g')
    pattern=$(printf '%s' "$word" | sed -e 's/[\\&|]/\\&/g')
    mkdir -p "$dest$units"
    for name in $names; do
        sed -E "s|^(Exec[A-Za-z]+=-?)@BINDIR@(/[a-z]+)|\\1\"$pattern\\2\"|" \
            "$here/$name" >"$dest$units/.$name.new"
        chmod 644 "$dest$units/.$name.new"
        mv -f "$dest$units/.$name.new" "$dest$units/$name"
    done
    echo "systemd may start the daemon when it is needed; to have it so:"
    if is_read; then
        echo "  systemctl --user daemon-reload"
        echo "  systemctl --user enable --now vosimd.socket"
    else
        echo "  systemctl --user link '$units/vosimd.service'"
        echo "  systemctl --user enable --now '$units/vosimd.socket'"
    fi
    ;;
uninstall)
    if is_used; then
        echo "systemd still uses these units; nothing was removed. First:" >&2
        echo "  systemctl --user disable --now vosimd.socket vosimd.service" >&2
        exit 1
    fi
    for name in $names; do rm -f "$dest$units/$name"; done
    ;;
*)
    echo "usage: install.sh install|uninstall BINDIR UNITDIR [DESTDIR]" >&2
    exit 1
    ;;
esac
