#!/bin/sh
# usage: run.sh PROGRAM...
#
# Runs cmocka programs, JOBS at a time and one more, as those of a terminal wait more than they work: one line for
# each, its whole output only when it fails. The last lines are the sums of what the programs themselves counted, in
# cmocka's own words.
# LAUNCH is put before each program (valgrind, say); LOGS is where the outputs stay.
set -u
LOGS=${LOGS:-build/logs}
LIMIT=${LIMIT:-300}

if [ "${1-}" = --one ]; then
    # Started by xargs below: one program, its output to a log, its exit status beside it.
    log=$LOGS/$(printf %s "$2" | sed 's|.*/tests/||; s|/|.|g')
    # shellcheck disable=SC2086
    timeout -k 5 "$LIMIT" ${LAUNCH-} "$2" >"$log.log" 2>&1 </dev/null
    rc=$?
    echo "$rc $2" >"$log.rc"
    if [ $rc = 0 ]; then
        echo "  PASS  ${2##*/tests/}"
    else
        { echo "  FAIL  ${2##*/tests/} (exit status $rc)"; sed 's/^/        /' "$log.log"; } >"$log.out"
        cat "$log.out"
    fi
    exit 0
fi

[ $# -gt 0 ] || { echo "there is no test to run" >&2; exit 1; }
rm -rf "$LOGS"
mkdir -p "$LOGS"
export LOGS LIMIT LAUNCH
printf '%s\n' "$@" | xargs -P $((${JOBS:-1} + 1)) -n 1 sh "$0" --one

# A program that died before its closing lines counts the tests it started; one that exits with an error
# that no test explains (a leak found at exit, say) is one more failure. Colours are cmocka's to choose.
for rc in "$LOGS"/*.rc; do
    read -r status program <"$rc"
    printf 'program %s %s\n' "$status" "${program##*/tests/}"
    cat "${rc%.rc}.log"
    echo
done | awk '
function fail(what) { failed++; list[++listed] = program ": " what }
function close_program() {
    if (program == "") return
    if (closed) {
        failed += bad > said ? bad : said # cmocka leaves out of its sum a test whose setup failed
        if (status != 0 && !bad && !said) { fail("exit status " status); total++ }
        return
    }
    total += started; passed += ok; skipped += skips; failed += bad
    if (started > ok + skips + bad) fail(running " (ended here, exit status " status ")")
    else { fail("ended without a result, exit status " status); total++ }
}
{ sub(/\r$/, "") }
/^program [0-9]+ / { close_program(); status = $2; program = $3; closed = started = ok = bad = said = skips = 0; next }
/^\[ RUN      \] / { started++; running = $4 }
/^\[       OK \] / { ok++ }
/^\[  SKIPPED \] / && !/test\(s\)/ && !seen[program, $4]++ { skips++; skiplist[++skiplisted] = program ": " $4 }
/^\[  (FAILED |ERROR  ) \] / && !/test\(s\)|---/ && !seen[program, $4]++ { bad++; list[++listed] = program ": " $4 }
/^\[==========\] .*[0-9]+ test\(s\) run\.$/ { closed = 1; total += $(NF - 2) }
/^\[  PASSED  \] [0-9]+ test\(s\)\.$/ { passed += $4 }
/^\[  SKIPPED \] [0-9]+ test\(s\), listed below:$/ { skipped += $4 }
/^\[  FAILED  \] [0-9]+ test\(s\), listed below:$/ { said += $4 }
END {
    close_program()
    printf "[==========] tests: %d test(s) run.\n[  PASSED  ] %d test(s).\n", total, passed
    if (skipped) printf "[  SKIPPED ] %d test(s), listed below:\n", skipped
    for (i = 1; i <= skiplisted; i++) print "[  SKIPPED ] " skiplist[i]
    if (failed) printf "[  FAILED  ] %d test(s), listed below:\n", failed
    for (i = 1; i <= listed; i++) print "[  FAILED  ] " list[i]
    if (failed) printf "\n %d FAILED TEST(S)\n", failed
    exit failed > 0 || total == 0
}'
