#!/bin/sh
# Checks the symbols of objects: the library does not print, end the process, use a terminal or have writable globals;
# the program prints only through output.h; cJSON and curses are called only from their rooms; public names have a
# prefix.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build}
objects=$(find "$B/obj/src" -name '*.o' 2>/dev/null | LC_ALL=C sort)
command -v nm >/dev/null && command -v objdump >/dev/null || { echo "binutils are not installed"; exit 77; }
[ -n "$objects" ] || { echo "no objects below $B/obj/src"; exit 77; }
failed=0

# "<room> <file> <symbol>" for every undefined symbol. Objects of deleted sources are skipped.
undefined=$(for object in $objects; do
    source=${object#"$B"/obj/} source=${source%.o}.c
    [ -f "$source" ] && nm -u "$object" |
        awk -v s="$source" '{split(s, p, "/"); sub(/@.*/, "", $NF); print p[2], s, $NF}'
done)
printf '%s\n' "$undefined" | awk '
BEGIN {
    words("printf vprintf puts putchar fputc_unlocked perror err errx warn warnx exit _exit _Exit abort quick_exit " \
          "raise stdout stderr stdin __printf_chk __vprintf_chk __assert_fail system getenv setlocale", forbidden)
    words("initscr newterm endwin refresh wrefresh doupdate stdscr COLS LINES curs_set tigetstr tparm setupterm " \
          "tputs cbreak noecho keypad start_color init_pair getch wgetch wget_wch printw", curses)
}
function words(text, set,    i, n, list) { n = split(text, list, " "); for (i = 1; i <= n; i++) set[list[i]] = 1 }
$1 !~ /^(tui|cli)$/ && $3 in forbidden { print $2 ": the library may not use " $3; bad = 1 }
$1 != "tui" && ($3 in curses || $3 ~ /^(mv|w)(add|get|ins|print|attr|clr|move|color|border)/) {
    print $2 ": curses outside src/tui: " $3; bad = 1
}
$1 == "cli" && $3 ~ /^_*(v?f?printf|fputs|fputc|putc|fwrite|puts|putchar)(_chk|_unlocked)?$/ {
    print $2 ": the program prints through src/export/output.h, which escapes: " $3; bad = 1
}
$3 ~ /^cJSON_(GetErrorPtr|InitHooks|Parse|ParseWithLength|ParseWithOpts)$/ {
    print $2 ": threads share what this reads or sets: " $3; bad = 1
}
$3 ~ /^(fopen|freopen|creat|mkstemp|tmpfile)(64)?$/ &&
        $2 !~ /^src\/(export\/replace|export\/figure\/export_raster|tui\/terminal\/terminal)\.c$/ {
    print $2 ": files are opened by lw_open_regular and lw_output_open: " $3; bad = 1
}
$2 !~ /^src\/notation\/document\// && $3 ~ /^cJSON_/ { print $2 ": cJSON outside src/notation/document: " $3; bad = 1 }
END { exit bad }' || failed=1

for object in $objects; do
    source=${object#"$B"/obj/} source=${source%.o}.c
    [ -f "$source" ] || continue
    case $source in src/tui/*|src/cli/*) library=0 ;; *) library=1 ;; esac
    # Columns of objdump -t: value, flags (O: an object), section, size, name.
    [ $library = 0 ] || objdump -t "$object" | awk -v s="$source" '
        NF < 4 || $1 !~ /^[0-9a-f]+$/ { next }
        {
            rest = substr($0, index($0, " ") + 9); split(rest, f, /[ \t]+/); flags = substr($0, index($0, " ") + 1, 7)
            if (flags !~ /O/ && (f[1] !~ /^\.t(data|bss)/ || flags ~ /d/)) next
            if (f[1] ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && f[1] !~ /^\.data\.rel\.ro/) {
                print s ": a writable global: " $NF " in " f[1]; bad = 1
            }
        }
        END { exit bad }' || failed=1
    [ $library = 0 ] || nm -g --defined-only "$object" | awk -v s="$source" '
        $NF !~ /^lw_/ && NF == 3 { print s ": an exported name without lw_: " $NF; bad = 1 }
        END { exit bad }' || failed=1
done
exit $failed
