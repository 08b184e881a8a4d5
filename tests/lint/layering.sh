#!/bin/sh
# Includes go down the table of rooms, never up; ncurses and cJSON stay where they belong.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2

find src include -name '*.[ch]' -type f | LC_ALL=C sort | xargs awk '
BEGIN {
    # What a room may use besides itself.
    may["core"]     = ""
    may["encoding"] = "core"
    may["notation"] = "core encoding"
    may["analysis"] = "core"
    may["view"]     = "core encoding analysis"
    may["export"]   = "core view"
    may["tui"]      = "core encoding notation analysis view export"
    may["cli"]      = "core encoding notation analysis view export tui"
    # Public headers and the room each belongs to; laneway.h, all of them, is for programs.
    owner("core", "error text f2 dims layout algebra map arena")
    owner("encoding", "value schema encoding tensor cute words")
    owner("notation", "document source gallery notation printer calc kernel")
    owner("analysis", "compare hardware wavefront plan conversion coalesce reduction swizzle formula")
    owner("view", "view")
    owner("export", "export")
    owner("cli", "laneway")
    foreign["curses"] = foreign["ncurses"] = foreign["term"] = "tui"
    foreign["cJSON"] = "notation export"
}
function owner(room, names,    i, n, list) {
    n = split(names, list, " ")
    for (i = 1; i <= n; i++) home[list[i]] = room
}
function allowed(room, list) { return index(" " list " ", " " room " ") }
function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; bad = 1 }

FNR == 1 {
    split(FILENAME, path, "/")
    room = path[2]
    if (path[1] == "include") {
        stem = path[3]; sub(/\.h$/, "", stem); room = home[stem]
        if (room == "") complain("this public header has no room: name it in tests/lint/layering.sh")
    } else if (!(room in may)) complain("src/" room " is not a room")
}
/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    name = $0; sub(/^[^<"]*[<"]/, "", name); sub(/[>"].*/, "", name)
    quoted = $0 ~ /"/
    parts = split(name, piece, "/"); stem = piece[parts]; sub(/\.h$/, "", stem)
    if (stem in foreign) {
        if (!allowed(room, foreign[stem])) complain(name " is for " foreign[stem] " only")
        next
    }
    if (piece[1] == "laneway") {
        target = home[stem]
        if (target == "") { complain("no room is known for " name); next }
    } else if (quoted && parts > 1) target = piece[1]
    else if (quoted) target = room
    else next
    # The public headers taken together are laneway.h alone.
    if (FILENAME == "include/laneway/laneway.h") next
    if (target != room && !allowed(target, may[room])) complain(room " may not use " target ": " name)
}
END { exit bad }'
