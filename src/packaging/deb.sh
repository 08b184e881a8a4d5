#!/bin/sh
# usage: deb.sh ARCHIVE VERSION FOLDER
#
# Builds the packages of Debian of a source archive that `make dist` made, in FOLDER, and checks them with lintian.
set -eu
archive=$(realpath "$1") version=$2
debian=$(realpath "$(dirname "$0")")/debian
for needed in dpkg-buildpackage:dpkg-dev dh:debhelper lintian:lintian; do
    command -v "${needed%:*}" >/dev/null || missing="${missing-} ${needed#*:}"
done
[ -z "${missing-}" ] || { echo "laneway: make deb: apt install$missing" >&2; exit 1; }
mkdir -p "$3"
cd "$3"
rm -rf "laneway-$version" ./*.deb
cp "$archive" "laneway_$version.orig.tar.gz"
tar -xf "$archive"
cp -r "$debian" "laneway-$version/debian"
cd "laneway-$version/debian"
sed "s/@VERSION@/$version/g; s/@DATE@/$(date -R -u -r "$archive")/g" changelog.in >changelog
rm changelog.in
(cd .. && dpkg-buildpackage -us -uc >../build.log 2>&1) || { tail -n 30 ../../build.log >&2; exit 1; }
cd ../..
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.changes
ls -1 "$PWD"/*.deb
