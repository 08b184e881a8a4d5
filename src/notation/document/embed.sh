#!/bin/sh
# usage: embed.sh layouts/a.json layouts/b/c.json layouts/kernels/d.ttgir ... >gallery_data.c
#
# Turns the documents of the gallery, the lessons and the kernels into C tables. A document is named by its path below
# layouts/ without ".json", a kernel with its ending, as the name of a file has it. ISO C promises string literals of
# 4095 bytes only; a longer text becomes an array.
LC_ALL=C
export LC_ALL

awk '
# Keeps names sorted, byte by byte.
function add(name, text,    i) {
    for (i = ++count; i > 1 && names[i - 1] "" > name ""; i--) { names[i] = names[i - 1]; texts[i] = texts[i - 1] }
    names[i] = name; texts[i] = text
}
function literal(s,    lines, n, i, result) {
    gsub(/\\/, "&&", s); gsub(/"/, "\\\"", s); gsub(/\?/, "\\?", s); gsub(/\t/, "\\t", s); gsub(/\r/, "\\r", s)
    n = split(s, lines, "\n")
    for (i = 1; i < n; i++) result = result "\n     \"" lines[i] "\\n\""
    return result == "" ? " \"\"" : result
}
function bytes(s,    i, line, result) {
    for (i = 1; i <= length(s); i++) {
        line = line code[substr(s, i, 1)] ","
        if (length(line) > 90) { result = result "    " line "\n"; line = "" }
    }
    return result "    " line "0\n"
}
function kind(name) { return name ~ /^lessons\// ? "lesson" : name ~ /\.ttgir$/ ? "kernel" : "gallery" }
# Titles have no escapes.
function title(which, text) {
    if (which == "kernel") return "A compiled kernel: its operations and what each costs"
    return match(text, /"(title|lesson)": "[^"]*"/) ? value_of(substr(text, RSTART, RLENGTH)) : ""
}
function value_of(s) { sub(/^[^:]*: "/, "", s); sub(/"$/, "", s); return s }
# Documents, lessons and kernels are a table each.
function table(which,    i, name, rows) {
    print "const struct lw_gallery_entry lw_" which "_data[] = {"
    for (i = 1; i <= count; i++) {
        name = names[i]
        if (kind(name) != which) continue
        sub(/^lessons\//, "", name)
        rows++
        printf "    {\"%s\", \"%s\",%s},\n", name, title(which, texts[i]),
            (length(texts[i]) > 4000 ? " text_" i : literal(texts[i]))
    }
    print "    {NULL, NULL, NULL},\n};"
    printf "const size_t lw_%s_data_count = %d;\n\n", which, rows
}
BEGIN {
    # An octal character constant has the value of a char, whether char is signed or not.
    for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i < 128 ? i : sprintf("\047\\%o\047", i)
    for (i = 1; i < ARGC; i++) {
        text = ""; name = ARGV[i]
        sub(/^.*layouts\//, "", name); sub(/\.json$/, "", name)
        while ((got = (getline line < ARGV[i])) > 0) text = text line "\n"
        if (got < 0) { print "embed.sh: cannot read " ARGV[i] > "/dev/stderr"; exit 1 }
        close(ARGV[i]); add(name, text)
    }
    print "/* Made by src/notation/document/embed.sh from layouts/. */"
    print "#include \"notation/document/gallery_data.h\"\n\n#include <stddef.h>\n"
    for (i = 1; i <= count; i++)
        if (length(texts[i]) > 4000) printf "static const char text_%d[] = {\n%s};\n\n", i, bytes(texts[i])
    table("gallery")
    table("lesson")
    table("kernel")
}' "$@"
