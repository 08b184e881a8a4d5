#!/bin/sh
# usage: static.sh TARGET FOLDER [SOURCES]
#        static.sh --check      only names the packages that are missing
#
# Builds ncurses and cJSON for a target of zig, such as x86_64-linux-musl, as static libraries in FOLDER, and
# writes FOLDER/deps/run.mk, the flags to compile and link with them. A program that is linked with them needs no
# library of the system; ncurses reads descriptions of terminals in the usual folders, and those of common terminals
# are built in.
#
# SOURCES is a folder with ncurses*.tar.gz and cjson*.tar.gz; without it they are the source packages of Debian,
# fetched through apt-get without installing anything. ZIG is the command that runs zig.
set -eu
fail() { echo "laneway: make wheel: $1" >&2; exit 1; }

missing=
for needed in patch:patch tar:tar xz:xz-utils make:make; do
    command -v "${needed%:*}" >/dev/null || missing="$missing ${needed#*:}"
done
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
[ -z "$missing" ] || fail "packages are missing: apt-get install$missing"
[ "$1" != --check ] || exit 0

target=$1 folder=$2 sources=${3-}
stamp="$target ${ZIG}"
[ "$(cat "$folder/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
terminals=xterm-256color,xterm,xterm-direct,screen-256color,screen,tmux-256color,tmux,linux,vt100,vt220,ansi,alacritty
terminals=$terminals,rxvt-unicode-256color,gnome-256color,konsole-256color,st-256color,putty-256color,foot,dumb
log=$folder/log
run() { "$@" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "'$*' fails; see $log"; }; }

# Fetches source packages, with package lists in FOLDER, so that those of the system are not changed.
fetch() {
    command -v apt-get >/dev/null || fail "there is no apt-get here to fetch the sources of ncurses and cJSON: put \
ncurses-6.4.tar.gz and cjson-1.7.15.tar.gz into a folder, and run make wheel WHEEL_SOURCES=FOLDER"
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/parts" "$sources"
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    printf 'deb-src [signed-by=%s] http://deb.debian.org/debian bookworm main\n' \
        $keyring >"$folder/apt/parts/debian.list"
    apt="apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$folder/apt/parts
        -o Dir::State::Lists=$folder/apt/lists -o Dir::Cache=$folder/apt/cache -o APT::Sandbox::User=root"
    echo "  FETCH   ncurses and cJSON, source packages of Debian"
    # shellcheck disable=SC2086
    run $apt update
    # shellcheck disable=SC2086
    (cd "$sources" && run $apt source --download-only ncurses cjson)
}

# unpack NAME: its source archive, into the folder NAME.
unpack() {
    archive=$(find "$sources" -maxdepth 1 -iname "$1[-_]*.tar.gz" | head -n 1)
    [ -n "$archive" ] || fail "there is no $1*.tar.gz in $sources"
    rm -rf "${folder:?}/$1" && mkdir -p "$folder/$1"
    run tar -xf "$archive" -C "$folder/$1" --strip-components=1
    # Debian's patches of cJSON are security fixes.
    for patches in "$sources/$1"_*.debian.tar.xz; do
        if [ "$1" != cjson ] || [ ! -e "$patches" ]; then continue; fi
        run tar -xf "$patches" -C "$folder/$1"
        while read -r patch; do
            (cd "$folder/$1" && run patch -p1 -i "debian/patches/$patch")
        done <"$folder/$1/debian/patches/series"
    done
}

: >"$log"
if [ -z "$sources" ]; then sources=$folder/sources; ls "$sources"/ncurses*.tar.gz >/dev/null 2>&1 || fetch; fi
CC="$ZIG cc -target $target"
echo "  BUILD   ncurses and cJSON for $target"
unpack ncurses
(cd "$folder/ncurses" && run env CFLAGS=-O2 CC="$CC" AR="$ZIG ar" RANLIB="$ZIG ranlib" BUILD_CC="$ZIG cc" ./configure \
    --host="$target" --prefix="$folder" --enable-widec --without-shared --without-cxx --without-cxx-binding \
    --without-ada --without-progs --without-tests --without-manpages --without-debug \
    --disable-db-install --with-fallbacks=$terminals \
    --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo:/usr/local/share/terminfo \
    --with-default-terminfo-dir=/usr/share/terminfo && run make libs && run make install.libs install.includes)
unpack cjson
mkdir -p "$folder/lib" "$folder/include/cjson" "$folder/deps"
cp "$folder/cjson/cJSON.h" "$folder/include/cjson/"
# shellcheck disable=SC2086
(cd "$folder/cjson" && run $CC -O2 -c cJSON.c -o cJSON.o && run $ZIG ar rcs "$folder/lib/libcjson.a" cJSON.o)
# The C library is part of the program too; its licence is in zig's folder.
mkdir -p "$folder/musl"
cp "$($ZIG env | sed -n 's/.*lib_dir[" =:]*"\([^"]*\)".*/\1/p')/libc/musl/COPYRIGHT" "$folder/musl/"
cat >"$folder/deps/run.mk" <<END
CURSES_CFLAGS := -I$folder/include -I$folder/include/ncursesw
CURSES_LIBS := -L$folder/lib -lncursesw
CJSON_CFLAGS := -I$folder/include -I$folder/include/cjson
CJSON_LIBS := -L$folder/lib -lcjson
END
echo "$stamp" >"$folder/stamp"
