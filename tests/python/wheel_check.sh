#!/bin/sh
# usage: wheel_check.sh WHEEL
#
# Installs the wheel into a fresh environment without network, and uses the program and the package there; runs the
# program in a root folder that has nothing else, where that is permitted. Prints what holds, fails at the first that
# does not.
set -eu
wheel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset LANEWAY PYTHONPATH XDG_STATE_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
export HOME="$folder"
holds() { printf '  OK      %s\n' "$1"; }
fails() { printf '  FAIL    %s\n' "$1" >&2; exit 1; }
version=$(basename "$wheel" | cut -d- -f2)

python3 -m venv v
v/bin/pip -q --disable-pip-version-check install --no-index "$wheel"
[ "$(v/bin/laneway --version)" = "laneway $version" ] || fails "laneway --version"
[ "$(v/bin/python -m laneway --version)" = "laneway $version" ] || fails "python -m laneway --version"
[ "$(v/bin/python -c 'import laneway; print(laneway.__version__)')" = "$version" ] || fails "laneway.__version__"
v/bin/pip --disable-pip-version-check show laneway | grep -q '^Summary: Where every element' || fails "pip show"
holds "installed with pip, version $version everywhere"

PATH=/usr/bin:/bin v/bin/python - <<'END' || fails "the package"
import laneway
layout = laneway.layout("local(2, 1).spatial(8, 4).local(1, 2)", element="f16")
assert layout.owners(9, 1) == [{"local": 3, "thread": 4}]
assert layout._repr_svg_().startswith("<svg")
assert layout.banks("#ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 4, order = [1, 0]}>").conflicts == 0
try:
    laneway.layout("spatal(2)")
except laneway.LanewayError as error:
    assert "did you mean 'spatial'?" in str(error)
else:
    raise SystemExit(1)
END
holds "import laneway"

# The explorer, in a terminal of 80 columns: explore FOLDER COMMAND...
cat >explore.py <<'END'
import fcntl, os, pty, select, struct, sys, termios, time
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
seen, end = b"", time.time() + 60
while b"move " not in seen and time.time() < end:
    if select.select([terminal], [], [], 0.2)[0]:
        try:
            seen += os.read(terminal, 65536)
        except OSError:
            break
os.write(terminal, b"q") if b"move " in seen else None
time.sleep(0.5)
sys.exit("no explorer: %r" % seen[-300:] if b"move " not in seen else 0)
END
TERM=xterm-256color python3 explore.py v/bin/laneway start/16x16 || fails "the explorer"
holds "the explorer"

if [ "$(id -u)" = 0 ]; then
    mkdir -p root/dev && cp v/bin/laneway root/
    chroot root /laneway show 'spatial(2, 2)' >shown.txt || fails "a root without any other file"
    mknod -m 666 root/dev/null c 1 3
    TERM=screen-256color python3 explore.py chroot root /laneway start/16x16 ||
        fails "the explorer in a root without descriptions of terminals"
    holds "a root with nothing but /dev/null: no C library, no ncurses, no descriptions of terminals"
    if command -v tic >/dev/null; then
        mkdir -p root/etc/terminfo
        printf 'laneway-check|a terminal that only this root describes,\n\tuse=xterm-256color,\n' >check.ti
        tic -x -o root/etc/terminfo check.ti
        TERM=laneway-check python3 explore.py chroot root /laneway start/16x16 ||
            fails "a description in /etc/terminfo is not found"
        holds "descriptions of terminals that the system has"
    fi
else
    echo "  SKIP    an empty root: only root may make one"
fi
