#!/bin/sh
# usage: recipes.sh ARCHIVE VERSION FOLDER
#
# Writes the recipes of this folder with the version and the checksum of a source archive that `make dist` made. The
# repositories of Homebrew, Nix, conda and Debian need them beside the archive.
set -eu
archive=$1 version=$2 folder=$3
here=$(dirname "$0")
sum=$(sha256sum "$archive" | cut -d' ' -f1)
fill() { sed -e "s/@VERSION@/$version/g; s/@SHA256@/$sum/g; s/@DATE@/$(date -R -u -r "$archive")/g" "$1"; }
mkdir -p "$folder"
fill "$here/laneway.rb.in" >"$folder/laneway.rb"
fill "$here/flake.nix.in" >"$folder/flake.nix"
fill "$here/conda.yaml.in" >"$folder/recipe.yaml"
rm -rf "$folder/debian" && cp -r "$here/debian" "$folder/debian"
fill "$here/debian/changelog.in" >"$folder/debian/changelog"
rm "$folder/debian/changelog.in"
