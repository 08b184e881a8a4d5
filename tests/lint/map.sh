#!/bin/sh
# src/README.md is true: each file that it names in backticks exists, and each `function()` or `table[]` is in the last
# file that was named before it in the same paragraph, list item or row. Each `make target` is one of the Makefile, and
# each promise names a test, which is a file of tests/ or such a target.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
find Makefile README.md src include tests layouts .ci -type f 2>/dev/null | LC_ALL=C sort | awk '
function complain(what) { printf "src/README.md:%d: %s\n", line, what; bad = 1 }
# The path that a name in the map stands for: as it is, below src/ or include/laneway/, or by its base name.
function resolve(name,    base) {
    if (name in path) return name
    if (("src/" name) in path) return "src/" name
    if (("include/laneway/" name) in path) return "include/laneway/" name
    base = name; sub(/.*\//, "", base)
    return base == name && known[base] == 1 ? full[base] : ""
}
function holds(file, word,    text, found) {
    found = 0
    while ((getline text < file) > 0) if (match(text, "(^|[^A-Za-z0-9_])" word "[^A-Za-z0-9_]")) { found = 1; break }
    close(file)
    return found
}
# What keeps a promise, in the last cell of its row: the files of tests/ and the targets that it names.
function keepers(row,    cell, word, n, i, kept) {
    n = split(row, cell, "|")
    n = split(cell[n - 1], word, "`")
    for (i = 2; i <= n; i += 2)
        if (resolve(word[i]) ~ /^tests\// || word[i] ~ /^(make [a-z-]+|tests\/[a-z]+\/)$/) kept++
    return kept
}
{ path[$0] = 1; base = $0; sub(/.*\//, "", base); known[base]++; full[base] = $0 }
END {
    while ((getline text < "Makefile") > 0) if (match(text, /^[a-z-]+:/)) target[substr(text, 1, RLENGTH - 1)] = 1
    while ((getline text < "src/README.md") > 0) {
        line++
        if (text ~ /^$|^\||^ *- |^ *[0-9]+\. /) file = ""
        if (text ~ /^## /) section = text
        if (section ~ /promise/ && text ~ /^\| *[A-Z]/ && ++promises && !keepers(text))
            complain("no test is named: " text)
        count = split(text, piece, "`")
        for (i = 2; i <= count; i += 2) {
            token = piece[i]
            if (token ~ /NAME/) continue # stands for a name that the reader chooses
            if (token ~ /^[A-Za-z0-9_.\/-]+\.(c|h|sh|py|json|md|awk|map)$/) {
                file = resolve(token); files++
                if (file == "") complain("no such file: " token)
            } else if (token ~ /^make [a-z-]+$/) {
                if (!(substr(token, 6) in target)) complain("no such target: " token)
            } else if (token ~ /^[a-zA-Z_][a-zA-Z0-9_]*(\(\)|\[\])$/) {
                token = substr(token, 1, length(token) - 2); functions++
                if (file == "") complain("no file is named before " token "()")
                else if (!holds(file, token)) complain(file " has no " token "()")
            } else if (token ~ /^(src|tests|layouts|include)\/[a-z_\/]*$/) {
                dir = token; sub(/\/$/, "", dir); found = 0
                for (p in path) if (index(p, dir "/") == 1) { found = 1; break }
                if (!found) complain("no such folder: " token)
            }
        }
    }
    if (files < 20 || promises < 10) {
        print "src/README.md: names " files + 0 " files and " promises + 0 " promises: the map is missing"
        bad = 1
    }
    exit bad
}'
