#!/bin/sh
# Pictures of the explorer, from the real program in a real terminal emulator: xterm under Xvfb, keys
# sent by xdotool, the window taken by ImageMagick. usage: screenshots.sh [NAME...]
# NAME.1, NAME.2, ... are the frames of NAME.svg, which moves.
# Needs xvfb xterm xdotool imagemagick fonts-dejavu-core; LANEWAY is the program, OUT the folder.
set -eu
LANEWAY=${LANEWAY:-build/laneway}
OUT=${OUT:-screenshots}
missing=
for tool in Xvfb xterm xdotool import identify; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
if [ -n "$missing" ]; then
    echo "screenshots: missing:$missing (apt-get install xvfb xterm xdotool imagemagick fonts-dejavu-core)" >&2
    exit 2
fi

number=90
while [ -e /tmp/.X$number-lock ]; do number=$((number + 1)); done
Xvfb :$number -noreset -screen 0 2000x1500x24 >/dev/null 2>&1 &
server=$!
home=$(mktemp -d) # no settings but the usual ones
trap 'kill $server 2>/dev/null; rm -rf "$home"' EXIT INT TERM
DISPLAY=:$number
export DISPLAY
for _ in 1 2 3 4 5 6 7 8 9 10; do
    xdotool getdisplaygeometry >/dev/null 2>&1 && break
    sleep 0.3
done

# shot NAME COLUMNSxROWS "ARGUMENTS" KEY...
shot() {
    name=$1 size=$2 arguments=$3
    shift 3
    rm -rf "$home/laneway" # what the one before left unsaved
    background='#10141a' ink='#d5dae3'
    default='15;0'
    case $arguments in *theme@light*) background='#fbfaf7' ink='#22262c' default='0;15' ;; esac
    # shellcheck disable=SC2086
    env -u NO_COLOR -u COLORTERM XDG_CONFIG_HOME="$home" XDG_STATE_HOME="$home" \
        LANG=C.UTF-8 LC_ALL=C.UTF-8 xterm \
        -fa 'DejaVu Sans Mono' -fs 10 \
        -geometry "$size" -bg "$background" -fg "$ink" -cr "$background" +sb -b 6 -tn xterm-256color \
        -xrm 'XTerm*allowSendEvents: true' -title "$name" -e env \
            COLORFGBG="$default" "$LANEWAY" $(echo "$arguments" | sed s/@/\ /g) &
    terminal=$!
    window=
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        window=$(xdotool search --onlyvisible --name "^$name\$" 2>/dev/null | head -n 1)
        [ -n "$window" ] && break
        sleep 0.2
    done
    [ -n "$window" ] || { echo "screenshots: no window for $name" >&2; kill $terminal; return 1; }
    sleep 1
    for key in "$@"; do
        case $key in
            pause) sleep 0.6 ;;
            *) xdotool key --window "$window" --delay 30 "$key" 2>/dev/null ;;
        esac
    done
    sleep 0.6
    import -window "$window" -strip +dither -colors 64 -define png:compression-level=9 "PNG8:$OUT/$name.png"
    kill $terminal 2>/dev/null || true
    wait $terminal 2>/dev/null || true
}

wanted() {
    [ -z "$only" ] || case " $only " in *" $1 "* | *" ${1%.*} "*) ;; *) return 1 ;; esac
}

# moving NAME: the frames NAME.1.png, NAME.2.png, ... become NAME.svg, SECONDS_EACH seconds each. Where nothing may
# move, the first one is shown.
SECONDS_EACH=3
moving() {
    count=$(find "$OUT" -name "$1.[0-9].png" | wc -l)
    size=$(identify -format 'width="%w" height="%h"' "$OUT/$1.1.png")
    {
        echo "<svg xmlns=\"http://www.w3.org/2000/svg\" $size>"
        echo "<style>.f { opacity: 0; animation: shown $((count * SECONDS_EACH))s step-end infinite }"
        echo "@keyframes shown { 0% { opacity: 1 } $((100 / count))% { opacity: 0 } }"
        echo '@media (prefers-reduced-motion: reduce) { .f { animation: none } }</style>'
        frame=1
        while [ "$frame" -le "$count" ]; do
            moves="class=\"f\" style=\"animation-delay: $(((frame - 1) * SECONDS_EACH))s\""
            [ "$frame" -gt 1 ] || moves=
            echo "<image $size $moves href=\"data:image/png;base64,$(base64 -w 0 "$OUT/$1.$frame.png")\"/>"
            rm "$OUT/$1.$frame.png"
            frame=$((frame + 1))
        done
        echo '</svg>'
    } >"$OUT/$1.svg"
}

only=$*
mkdir -p "$OUT"
while read -r name size arguments keys; do
    case $name in ''|\#*) continue ;; esac
    [ "$arguments" = - ] && arguments=
    # shellcheck disable=SC2086
    wanted "$name" && shot "$name" "$size" "$arguments" $keys </dev/null
done < tests/tui/screenshots.txt
for first in "$OUT"/*.1.png; do
    [ ! -e "$first" ] || moving "$(basename "$first" .1.png)"
done
