#!/bin/sh
# Identifiers, comments, messages and texts use standard technical English: the words below are refused. A phrase is
# an extended regular expression that is matched in lower case, also where it is wrapped to the next line. "in place" is
# a technical term and allowed. A wrong answer of a lesson names the number that was given, so its text does not begin
# with "That is".
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
identifiers='nobody kin untold say said tell told ask asked asks knows forget place'
phrases='nobody|somebody|whoever|untold|kin|shall|told|tells|in words of|in the words of'
phrases="$phrases|put in words|(is|are) said|not said|said twice"
phrases="$phrases|not here|of no account|would do|places?|under the fingers|parted|in sight|(as|way that) [a-z]+ has it"
phrases="$phrases|who (sends|takes)|stands? for|all the same|to blame|this is no marker|is no multiple"
phrases="$phrases|anew|is due|(does|do) not go with|go(es)? on past|looked at|for want of"
phrases="$phrases|wants of|(stop|parameters?) (says?|say)|mend it|said nothing"
phrases="$phrases|says|saying|asks|asked|asking|knows|speaks|forgets|forgotten|remembers|pays|blames?"
phrases="$phrases|takes no (value|argument|option|pipes|--.*|dim=number)|lets? (it|them|us|the|a|an|rows|bits|lanes)"
phrases="$phrases|comes? of|in truth|not to be believed|take turns|of the moment|what (it|the compiler) knows"
phrases="$phrases|other way round|left alone|at hand|to the letter|of its own accord|(is|are) of use|has a use for"
phrases="$phrases|gives? way|for a moment|as it was left|what is behind|is gone|what there is|goes away|comes? to light"
phrases="$phrases|so many (columns|rows|lines|bytes|elements)|beside each other|in force|that is no picture"
phrases="$phrases|[^ ]+\": \"that (is|was|would)"

sources() { find src include -name '*.[ch]' -type f | LC_ALL=C sort; }

# Parts of identifiers between underscores; strings and comments are skipped.
sources | xargs awk -v words="$identifiers" '
BEGIN { split(words, list, " "); for (i in list) refused[list[i]] = 1 }
FNR == 1 { comment = 0 }
{
    line = $0
    if (comment) { if (!sub(/^.*\*\//, "", line)) next; comment = 0 }
    gsub(/"(\\.|[^"\\])*"/, "", line); gsub(/\/\*[^*]*(\*[^\/*][^*]*)*\*\//, " ", line); sub(/\/\/.*/, "", line)
    if (sub(/\/\*.*/, "", line)) comment = 1
    count = split(tolower(line), names, /[^a-z0-9_]+/)
    for (i = 1; i <= count; i++) {
        parts = split(names[i], part, "_")
        for (j = 1; j <= parts; j++) if (part[j] in refused) {
            print FILENAME ":" FNR ": identifier " names[i] ": \"" part[j] "\" is a refused word"; bad = 1 } }
}
END { exit bad }'
identifiers_failed=$?

# Phrases, in the sources, the README files and the documents of the gallery.
{ sources; echo README.md; echo src/README.md; find layouts -name '*.json' | LC_ALL=C sort; } |
    xargs awk -v phrases="$phrases" '
BEGIN { phrase = "(^|[^a-z0-9_])(" phrases ")([^a-z0-9_]|$)" }
FNR == 1 { before = "" }
{
    line = tolower($0); gsub(/^[ \t]*(\*|\/\*|"|\/\/)?[ \t]*|[ \t]*"?[,;]?$/, "", line)
    gsub(/in place/, "", line)
    joined = before " " line
    if (match(line, phrase) || (match(joined, phrase) &&
        RSTART <= length(before) && RSTART + RLENGTH > length(before) + 2)) {
        print FILENAME ":" FNR ": \"" substr(joined, match(joined, phrase), RLENGTH) "\" is refused: " $0; bad = 1 }
    before = line
}
END { exit bad }'
phrases_failed=$?
exit $((identifiers_failed || phrases_failed))
