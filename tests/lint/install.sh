#!/bin/sh
# What is installed can be used through pkg-config, and uninstalling leaves nothing.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build} CC=${CC:-cc}
unset MAKEFLAGS MFLAGS MAKELEVEL # a make of its own, with no job server to share
root=$PWD/$B/lint/root
rm -rf "$root"
${MAKE:-make} -s install B="$B" PREFIX=/opt/lw DESTDIR="$root" >/dev/null || exit 1
cat >"$B/lint/user.c" <<'C'
#include <laneway/laneway.h>
int main(void) { return 0; }
C
if command -v pkg-config >/dev/null && [ -f "$root/opt/lw/include/laneway/laneway.h" ]; then
    export PKG_CONFIG_PATH="$root/opt/lw/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
    for static in "" --static; do
        # shellcheck disable=SC2046
        $CC -std=c11 -o "$B/lint/user" "$B/lint/user.c" $(pkg-config --cflags --libs $static laneway) ||
            { echo "a program does not build against the installed library ($static)"; exit 1; }
    done
    LD_LIBRARY_PATH=$root/opt/lw/lib "$B/lint/user" || { echo "a program does not run with the installed library"; exit 1; }
fi
${MAKE:-make} -s uninstall B="$B" PREFIX=/opt/lw DESTDIR="$root" >/dev/null || exit 1
left=$(find "$root" -type f -o -type l)
[ -z "$left" ] || { echo "uninstalling left: $left"; exit 1; }
