#!/bin/sh
# usage: embed_targets.sh layouts/targets/a.json ... >targets_data.c
#
# Turns the documents of layouts/targets/ into C tables: NVIDIA's targets, AMD's, the others, each from old to new.
# Each member is on a line of its own; tests/unit/target_test.c reads the documents as JSON and compares.
LC_ALL=C
export LC_ALL

awk '
function fail(why) { print "embed_targets.sh: " FILENAME ":" FNR ": " why > "/dev/stderr"; failed = 1; exit 1 }
# The digits of a mask of 64 lanes, from a list such as "0-3, 20-23".
function mask(list,    lane, on, n, i, parts, ends, digit, text, k) {
    n = split(list, parts, /, */)
    for (i = 1; i <= n; i++) {
        k = split(parts[i], ends, "-")
        for (lane = ends[1] + 0; lane <= ends[k] + 0; lane++) on[lane] = 1
    }
    for (k = 60; k >= 0; k -= 4) {
        digit = (on[k] ? 1 : 0) + (on[k + 1] ? 2 : 0) + (on[k + 2] ? 4 : 0) + (on[k + 3] ? 8 : 0)
        text = text substr("0123456789abcdef", digit + 1, 1)
    }
    return "0x" text
}
# 16, ["0-7", "8-15"] or {"lanes": one of these, "banks": 32} as the members of a struct lw_lane_groups.
function groups(value,    banks, n, i, list, text, count, together) {
    banks = 0
    if (value ~ /^\{/) {
        if (!match(value, /"banks": [0-9]+\}$/)) fail("expected \"banks\" last: " value)
        banks = substr(value, RSTART + 9, RLENGTH - 10)
        sub(/, "banks".*/, "", value); sub(/^\{"lanes": /, "", value)
    }
    if (value ~ /^[0-9]+$/) {
        together = value + 0; count = lanes / together
        for (i = 0; i < count; i++) text = text (i ? ", " : "") mask(i * together "-" (i + 1) * together - 1)
    } else {
        if (value !~ /^\[".*"\]$/) fail("unknown groups: " value)
        sub(/^\["/, "", value); sub(/"\]$/, "", value)
        count = split(value, list, /", "/)
        for (i = 1; i <= count; i++) text = text (i > 1 ? ", " : "") mask(list[i])
    }
    return "{" count ", " banks ", {" text "}}"
}
FNR == 1 { files++; section = ""; lanes = 0 }
{
    line = $0; sub(/,$/, "", line); sub(/^ +/, "", line)
    if (line == "{" || line == "}") { if ($0 ~ /^  \}/) section = ""; next }
    if (!match(line, /^"[^"]+": /)) fail("expected one member a line")
    name = substr(line, 2, RLENGTH - 4); value = substr(line, RLENGTH + 1)
    if (section == "sources") next
    if (section != "") { widths[files, section, name] = groups(value); next }
    if (value == "{") { section = name; next }
    if (name == "lanes") lanes = value + 0
    member[files, name] = value
}
END {
    if (failed) exit 1
    split("1 2 4 8 16", width, " ")
    print "/* Made by src/analysis/embed_targets.sh from layouts/targets/. */"
    print "#include \"analysis/targets_data.h\"\n\n#include <stddef.h>\n"
    for (f = 1; f <= files; f++) {
        name = member[f, "target"]; gsub(/"/, "", name)
        base = name; sub(/-.*/, "", base)
        vendor = base ~ /^sm[0-9]/ ? 1 : base ~ /^gfx/ ? 2 : 3
        key = sprintf("%d %02d %s", vendor, length(base), name)
        for (i = ++rows; i > 1 && keys[i - 1] "" > key ""; i--) { keys[i] = keys[i - 1]; file[i] = file[i - 1] }
        keys[i] = key; file[i] = f
        for (s = 1; s <= 2; s++)
            for (w = 1; w <= 5; w++)
                if ((f, s == 1 ? "load" : "store", width[w]) in widths)
                    printf "static const struct lw_lane_groups groups_%d_%d_%d = %s;\n", f, s, w,
                        widths[f, s == 1 ? "load" : "store", width[w]]
        printf "static const struct lw_bank_model model_%d = {\n    .name = %s,\n    .evidence = %s,\n", f,
            member[f, "model"], member[f, "evidence"]
        if ((f, "disagreement") in member) printf "    .disagreement = %s,\n", member[f, "disagreement"]
        printf "    .lanes = %d, .banks = %d, .bank_bytes = %d,\n", member[f, "lanes"],
            member[f, "banks"], member[f, "bank_bytes"]
        if (member[f, "merging"] == "true") print "    .pairs = true,"
        if (member[f, "ldmatrix"] == "true") print "    .ldmatrix = true,"
        if (member[f, "stmatrix"] == "true") print "    .stmatrix = true,"
        for (s = 1; s <= 2; s++) {
            side = s == 1 ? "load" : "store"
            for (w = 1; w <= 5; w++)
                if ((f, side, width[w]) in widths) printf "    .%s[%d] = &groups_%d_%d_%d,\n", side, w - 1, f, s, w
        }
        print "};\n"
    }
    print "const struct lw_hardware lw_targets_data[] = {"
    for (i = 1; i <= rows; i++) {
        f = file[i]
        printf "    {%s, %d, %s, &model_%d},\n", member[f, "target"], member[f, "lanes"], member[f, "title"], f
        if (member[f, "target"] == "\"sm90\"") chosen = i - 1
    }
    print "};"
    printf "const size_t lw_targets_data_count = %d;\nconst size_t lw_targets_default = %d;\n", rows, chosen
}' "$@"
