#!/bin/sh
# usage: cc -E -P calc_table.c | index_operations.sh >calc_index.c
#
# The names of the calculator's table, sorted as the calculator compares them: small letters, no underscores, without
# `get` before them. A name stands there once for each row that has it, in the order of the rows. A hash table has where
# each name begins, from 1 on; calc_names.c looks there.
LC_ALL=C
export LC_ALL

awk '
function add(name) {
    if (name != "get") sub(/^get/, "", name)
    gsub(/_/, "", name)
    printf "%s\t%03d\n", tolower(name), row
}
# The text of the table, as a stream of characters: braces and commas outside of strings split it.
{ all = all $0 "\n" }
END {
    from = index(all, "lw_calc_operation operations[] = {")
    if (!from) { print "index_operations.sh: there is no table" > "/dev/stderr"; exit 1 }
    text = substr(all, from); text = substr(text, index(text, "{"))
    depth = 0
    while (match(text, /[{},]|"([^"\\]|\\.)*"/)) {
        token = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
        if (token == "{" && ++depth == 2) { part = 0; name = "" }
        else if (token == "}" && depth-- == 2) row++
        else if (token == "," && depth == 2) {
            if (part < 2 && name != "") add(name)
            part++; name = ""
        } else if (depth == 2 && part < 2 && token ~ /^"/) name = name substr(token, 2, length(token) - 2)
        if (depth == 0) exit
    }
}' | sort | awk -F '\t' '
BEGIN {
    size = 1024 # entries of the hash table
    print "/* Made by src/notation/index_operations.sh from calc_table.c. */\n#include \"notation/calc/calc_table.h\"\n"
    print "const struct lw_calc_name_row lw_calc_name_rows[] = {"
    for (i = 1; i < 128; i++) code[sprintf("%c", i)] = i
}
{
    printf "    {\"%s\", %d},\n", $1, $2
    if (count++ == 0 || $1 != last) {
        hash = 0
        for (i = 1; i <= length($1); i++) hash = (hash * 31 + code[substr($1, i, 1)]) % size
        while (hash in slots) hash = (hash + 1) % size
        slots[hash] = count
    }
    last = $1
}
END {
    printf "};\nconst size_t lw_calc_name_count = %d;\n", count
    printf "const size_t lw_calc_name_slot_count = %d;\nconst unsigned short lw_calc_name_slots[%d] = {\n", size, size
    for (i = 0; i < size; i++) if (i in slots) printf "    [%d] = %d,\n", i, slots[i]
    print "};"
    exit !count
}'
