#!/bin/sh
# usage: deb.sh ARCHIVE VERSION RECIPES FOLDER: builds the packages of Debian in FOLDER, and checks them with lintian.
set -eu
archive=$(realpath "$1") version=$2 recipes=$(realpath "$3")
mkdir -p "$4"
cd "$4"
rm -rf "laneway-$version" ./*.deb
cp "$archive" "laneway_$version.orig.tar.gz"
tar -xf "$archive"
cp -r "$recipes/debian" "laneway-$version/debian"
(cd "laneway-$version" && dpkg-buildpackage -us -uc >../build.log 2>&1) || { tail -n 30 build.log >&2; exit 1; }
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.changes
ls -1 "$PWD"/*.deb
