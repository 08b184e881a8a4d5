#!/bin/sh
# src/README.md is true: each file that it names in backticks exists, and each `function()` or `table[]` is in the last
# file that was named before it in the same paragraph, list item or row. Each `make target` is one of the Makefile, and
# each promise names a test, which is a file of tests/ or such a target. The comments of src and include are true too:
# each function lw_name and each file name.c or name.h in them is one of the code.
set -u
failed=0
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
}' || failed=1

find src include tests -name '*.[ch]' | LC_ALL=C sort | awk '
# Notes the names in a text: in comments those of the library and of files, in code the former.
function note(text, comment,    name) {
    while (match(text, /[A-Za-z0-9_\/]+(\.[ch])?/)) {
        name = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (name ~ /^lw_[a-z0-9_]*[a-z0-9]$/ && !comment) code[name]
        else if (name ~ /^lw_[a-z0-9_]*[a-z0-9]$/ && text !~ /^[A-Z_*]/) named[name] = path ":" line
        else if (comment && name ~ /^[a-z0-9_\/]+\.[ch]$/ && name !~ /^mma\// && text !~ /^[a-z0-9_]/) {
            sub(/.*\//, "", name); named[name] = path ":" line
        }
    }
}
{
    path = $0; name = path; sub(/.*\//, "", name); code[name]; inside = line = 0
    if (path ~ /^tests/) next
    while ((getline text < path) > 0) {
        line++
        while (text != "") {
            if (!inside) gsub(/"([^"\\]|\\.)*"/, "", text)
            at = index(text, inside ? "*/" : "/*")
            note(at ? substr(text, 1, at - 1) : text, inside)
            text = at ? substr(text, at + 2) : ""
            if (at) inside = !inside
        }
    }
    close(path)
}
END {
    for (name in named) if (!(name in code)) { print named[name] ": there is no " name; bad = 1 }
    exit bad
}' || failed=1
exit $failed
