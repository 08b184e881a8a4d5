#!/bin/sh
# Rooms use each other in one direction only: by the includes of the sources and by the symbols that the
# linker resolves. Files call each other in one direction too. The table of rooms in src/README.md is the rule.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build}
scratch=$B/lint
mkdir -p "$scratch"
failed=0

# "room|sub-rooms|headers|may use", names separated by blanks, from the rows
# "| `src/core/` | lines | sub-rooms | headers | ... | may use |".
awk -F'|' '/^\| `src\// {
    gsub(/[`, ]+/, " ")
    room = $2; sub(/^ *src\//, "", room); sub(/\/ *$/, "", room)
    print room "|" $4 "|" $5 "|" $7
}' src/README.md >"$scratch/rooms"
[ -s "$scratch/rooms" ] || { echo "src/README.md: no table of rooms"; exit 1; }

# Shared by both checks: the table, and whether one room may use another.
cat >"$scratch/rooms.awk" <<'AWK'
BEGIN {
    while ((getline line < rooms) > 0) {
        split(line, column, "|")
        may[column[1]] = column[4]
        subrooms[column[1]] = column[2]
        count = split(column[3], header, " ")
        for (i = 1; i <= count; i++) home[header[i]] = column[1]
    }
}
function allowed(room, target) { return room == target || index(" " may[room] " ", " " target " ") }
AWK

# Includes.
find src include -name '*.[ch]' -type f | LC_ALL=C sort | xargs awk -v rooms="$scratch/rooms" \
    -f "$scratch/rooms.awk" -f /dev/fd/3 3<<'AWK' || failed=1
BEGIN {
    foreign["curses"] = foreign["ncurses"] = foreign["term"] = "src/tui/terminal/"
    foreign["cJSON"] = "src/notation/document/"
}
function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; bad = 1 }
function at_home(list,    i, count, folder) {
    count = split(list, folder, " ")
    for (i = 1; i <= count; i++) if (index(FILENAME, folder[i]) == 1) return 1
    return 0
}
FNR == 1 {
    parts = split(FILENAME, path, "/")
    room = path[2]
    if (path[1] == "include") {
        stem = path[3]; sub(/\.h$/, "", stem); room = home[stem]
        if (stem == "laneway") nextfile # it includes every public header
        if (room == "") complain("src/README.md names no room for this header")
    } else if (!(room in may)) complain("src/README.md has no room src/" room)
    else if (parts == 4 && !index(" " subrooms[room] " ", " " path[3] " "))
        complain("src/README.md has no room src/" room "/" path[3])
}
/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    name = $0; sub(/^[^<"]*[<"]/, "", name); sub(/[>"].*/, "", name)
    parts = split(name, piece, "/"); stem = piece[parts]; sub(/\.h$/, "", stem)
    if (stem in foreign) {
        if (!at_home(foreign[stem])) complain(name " is only for " foreign[stem])
        next
    }
    if (name == "laneway/laneway.h") next
    if (piece[1] == "laneway") target = home[stem]
    else if ($0 ~ /"/ && parts > 1) target = piece[1]
    else next
    if (target == "") { complain("src/README.md names no room for " name); next }
    if (!allowed(room, target)) complain(room " may not use " target ": " name)
    if (room == "cli" && target == "tui" && name != "tui/tui.h")
        complain("cli may use only tui/tui.h of tui, not " name)
}
END { exit bad }
AWK

# Symbols. "<user> <definer> <symbol>" for each use of a symbol that another source file defines.
objects=$(find "$B/obj/src" -name '*.o' 2>/dev/null | LC_ALL=C sort | while read -r object; do
    source=${object#"$B"/obj/} source=${source%.o}.c
    [ -f "$source" ] && echo "$object"
done)
[ -n "$objects" ] || { echo "no objects below $B/obj/src"; exit 77; }
# shellcheck disable=SC2086
nm -A $objects | awk -v prefix="$B/obj/" '
{
    source = $1; sub(/\.o:.*/, ".c", source); source = substr(source, length(prefix) + 1)
    kind = $(NF - 1); symbol = $NF
    if (kind == "U") { uses[++count] = source; used[count] = symbol }
    else if (kind ~ /^[A-Z]$/) definer[symbol] = source
}
END { for (i = 1; i <= count; i++) if (used[i] in definer && definer[used[i]] != uses[i])
    print uses[i], definer[used[i]], used[i] }
' >"$scratch/calls"
awk -v rooms="$scratch/rooms" -f "$scratch/rooms.awk" -f /dev/fd/3 "$scratch/calls" 3<<'AWK' || failed=1
{
    split($1, user, "/"); split($2, definer, "/")
    if (!allowed(user[2], definer[2])) { print $1 ": " user[2] " may not use " definer[2] ": " $3 " (" $2 ")"; bad = 1 }
}
END { exit bad }
AWK

awk '{ print $1, $2 }' "$scratch/calls" | sort -u | tsort >/dev/null 2>"$scratch/circles" ||
    { echo "files that call each other in a circle:";
        sed -n 's/^tsort: \(src\)/  \1/p; s/^tsort: -: /  /p' "$scratch/circles" | head -n 60; failed=1; }

# Small rooms.
find src include -name '*.[ch]' | sed 's|/[^/]*$||' | sort | uniq -c |
    awk '$1 > 33 { print $2 ": " $1 " files: a room holds about 30"; bad = 1 } END { exit bad }' || failed=1
exit $failed
