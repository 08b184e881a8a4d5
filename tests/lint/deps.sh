#!/bin/sh
# make run, test and check install missing packages and print them first. Every other goal prints the
# command that installs them and fails. Here no compiler is found, and apt-get records its calls.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build}
unset MAKEFLAGS MFLAGS MAKELEVEL CC
scratch=$PWD/$B/lint/deps
rm -rf "$scratch"
mkdir -p "$scratch/bin"
for tool in sh sed mkdir dirname cat rm env make; do ln -s "$(command -v $tool)" "$scratch/bin/$tool"; done
printf '#!/bin/sh\necho 0\n' >"$scratch/bin/id"
cat >"$scratch/bin/apt-get" <<SH
#!/bin/sh
echo "\$*" >>"$scratch/calls"
case " \$* " in *" install "*) cat "$scratch/output" >"$scratch/printed_before" ;; esac
SH
chmod +x "$scratch/bin/id" "$scratch/bin/apt-get"
failed=0
complain() { echo "make $goal: $1"; sed 's/^/    /' "$scratch/output"; failed=1; }

# attempt GOAL: make must fail, as the compiler is still missing, and print the command that installs it.
attempt() {
    goal=$1
    rm -f "$scratch/calls" "$scratch/printed_before"
    # shellcheck disable=SC2086
    PATH=$scratch/bin make B="$B/lint/deps/build" $goal >"$scratch/output" 2>&1 &&
        complain "succeeds without a compiler"
    grep -q 'apt-get install -y gcc libc6-dev' "$scratch/output" ||
        complain "does not print the command that installs gcc"
}

for goal in all install bench docs screenshots tests distcheck lint valgrind \
    clang-build asan fuzz fuzz-smoke "install test"; do
    attempt "$goal"
    [ ! -e "$scratch/calls" ] || complain "calls apt-get $(cat "$scratch/calls")"
done
for goal in run test check; do
    attempt "$goal"
    grep -q ' install -y .* gcc libc6-dev' "$scratch/calls" 2>/dev/null || \
        { complain "does not install gcc"; continue; }
    grep -q 'INSTALL gcc libc6-dev' "$scratch/printed_before" || complain "installs before it prints the packages"
done
exit $failed
