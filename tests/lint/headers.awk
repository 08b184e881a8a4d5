# Of a public header: every function, type and macro has a comment directly above it or beside it, and no line
# is over 100 columns. A heading of a section, which begins with ----, is no comment of the declaration below.
function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; bad = 1 }
# The name of a declaration: its tag, its first name before a parenthesis, or all of it.
function name_of(text) {
    if (match(text, /^(struct|enum|union) [A-Za-z0-9_]+ *\{/) || match(text, /lw_[a-z0-9_]+ *\(/))
        text = substr(text, RSTART, RLENGTH)
    sub(/ *[({]$/, "", text)
    return text
}
function finish() {
    if (!commented) complain(name_of(declaration) " has no comment")
    declaration = ""
}

{ line = $0; width = length(line) }
width > 100 { complain("over 100 columns: " width) }

# Comments: text, without them; above, whether one ended on the line before; beside, whether one is here.
{
    text = line; beside = 0
    if (inside) {
        end = index(text, "*/")
        if (!end) next
        text = substr(text, end + 2); inside = 0; ended = !heading
    }
    while (start = index(text, "/*")) {
        heading = substr(text, start, 7) == "/* ----"
        rest = substr(text, start + 2); end = index(rest, "*/")
        if (substr(text, 1, start - 1) ~ /[^ ]/) beside = 1
        text = substr(text, 1, start - 1)
        if (!end) { inside = 1; break }
        text = text substr(rest, end + 2)
        if (text !~ /[^ ]/) ended = !heading
    }
    sub(/ +$/, "", text)
    if (text == "") { if (line == "") ended = 0; next }
    above = ended; ended = 0
}

# The guard, includes and conditions declare nothing. A comment above a condition is of all that it defines.
/^#/ || continued {
    continued = line ~ /\\$/
    conditions += ($1 ~ /^#if/) - ($1 == "#endif")
    if (conditions > 1) ended = above
    if ($1 == "#define" && $2 !~ /^LANEWAY_([A-Z0-9_]+_)?H$/ && !above && !beside) {
        sub(/\(.*/, "", $2); complain($2 " has no comment")
    }
    next
}
text ~ /^LW_(BEGIN|END)$/ { next }

{
    if (!depth && declaration == "") {
        commented = above || beside
        if (text ~ /^(struct|enum|union) [A-Za-z0-9_]+;$/) next
    }
    if (!depth) {
        declaration = declaration text " "
        # Beside: on the line where a function ends or a type begins.
        if (beside && (text ~ /;$/ || text ~ /\{$/)) commented = 1
    }
    depth += gsub(/\{/, "{", text) - gsub(/\}/, "}", text)
    if (!depth && text ~ /;$/) finish()
}

END { exit bad }
