#!/bin/sh
# Runs cppcheck over src, without uninitvar, which reports addresses of variables: the compilers and valgrind find
# uses of uninitialized variables.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
command -v cppcheck >/dev/null || { echo "cppcheck is not installed"; exit 77; }
mkdir -p "${B:-build}/lint/cppcheck"
cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 \
    -j "$(nproc 2>/dev/null || echo 2)" \
    --cppcheck-build-dir="${B:-build}/lint/cppcheck" --suppress=missingIncludeSystem --suppress=uninitvar \
    --suppress=ctuuninitvar -D__GNUC__ -Iinclude -Isrc \
    --suppress=normalCheckLevelMaxBranches src 2>&1 | grep -v '^$' && exit 1
exit 0
