#!/bin/sh
# The installed library can be used through pkg-config, make install runs no built program, and make uninstall
# leaves no file. The source archive packs itself again, file by file.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build} CC=${CC:-cc}
unset MAKEFLAGS MFLAGS MAKELEVEL # a make of its own, with no job server to share
root=$PWD/$B/lint/root
rm -rf "$root"
in_root() { ${MAKE:-make} "$@" B="$B" PREFIX=/opt/lw DESTDIR="$root"; }
in_root -s install >/dev/null || exit 1
in_root -n -o all install | grep "$B/laneway help" && { echo "installing runs the program"; exit 1; }
# A cross build prints the man page with a program for this machine.
printf '#!/bin/sh\ncase " $* " in *" -dumpmachine "*) echo sparc64-unknown-linux-gnu ;; *) exec %s "$@" ;; esac\n' \
    "$CC" >"$B/lint/cross-cc"
chmod +x "$B/lint/cross-cc"
${MAKE:-make} -n B="$B/lint/cross" CC="$PWD/$B/lint/cross-cc" HOST_CC="$CC" all |
    grep -q "$B/lint/cross/native/laneway help --man" ||
    { echo "a cross build runs its own program to print the man page"; exit 1; }
for file in bin/laneway lib/liblaneway.a lib/liblaneway.so lib/liblaneway.so.0 \
    lib/pkgconfig/laneway.pc include/laneway/laneway.h \
    share/man/man1/laneway.1 share/man/man7/laneway-encodings.7 \
    share/bash-completion/completions/laneway share/zsh/site-functions/_laneway \
    share/fish/vendor_completions.d/laneway.fish; do
    [ -s "$root/opt/lw/$file" ] || { echo "not installed: $file"; exit 1; }
done

cat >"$B/lint/user.c" <<'C'
#include <laneway/laneway.h>
int main(void)
{
    /* As laneway.h shows it. */
    static struct lw_document doc;
    static struct lw_map map;
    static struct lw_tensor tensor;
    static struct lw_subject subject;
    static struct lw_view view;
    struct lw_error err;
    bool ok = lw_document_open(&doc, "local(3, 4)", NULL, &err) && lw_document_build(&doc, &map, &err);
    if (!ok)
        return 1;
    lw_document_tensor(&doc, &map, &tensor);
    lw_subject_init(&subject, &map, &tensor, doc.encoding->type->family);
    ok = lw_view_open(&view, lw_view_type_find("owners"), &subject, NULL, &err) &&
         lw_export(&view, lw_format_find("text"), NULL, stdout, &err);
    lw_document_free(&doc);
    return !ok;
}
C
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$root/opt/lw/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
    for static in "" --static; do
        # shellcheck disable=SC2046
        $CC -std=c11 -o "$B/lint/user" "$B/lint/user.c" $(pkg-config --cflags --libs $static laneway) ||
            { echo "a program does not build against the installed library ($static)"; exit 1; }
    done
    LD_LIBRARY_PATH=$root/opt/lw/lib "$B/lint/user" | grep -qF '0: 11' ||
        { echo "a program does not run with the installed library"; exit 1; }
fi
in_root -s uninstall >/dev/null || exit 1
left=$(find "$root" -type f -o -type l)
[ -z "$left" ] || { echo "uninstalling left: $left"; exit 1; }

# The first archive may come from git; the second is packed in what the first unpacks to, which is without
# git, and the third in what the second unpacks to.
dist=$PWD/$B/lint/dist
rm -rf "$dist"
tree=$PWD
for n in 1 2 3; do
    archive=$(cd "$tree" && ${MAKE:-make} -s dist) || exit 1
    mkdir -p "$dist/$n" && cp "$tree/$archive" "$dist/$n.tar.gz" && tar -xf "$dist/$n.tar.gz" -C "$dist/$n" || exit 1
    tree=$dist/$n/$(ls "$dist/$n")
    rm -rf "$tree/build"
done
rm -rf "$dist"/*/*/build
diff -r "$dist/1" "$dist/2" || { echo "an archive does not pack all of its files again"; exit 1; }
cmp "$dist/2.tar.gz" "$dist/3.tar.gz" || { echo "packing the same files twice gives other archives"; exit 1; }
