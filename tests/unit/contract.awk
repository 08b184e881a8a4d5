# From preprocessed headers to one call of every public function, for contract_test.c:
#
#     CALL(lw_dims_find, lw_dims_find(VALUE("const struct lw_dims *", "dims"), TEXT))
#
# REFUSABLE instead of CALL: the function takes an error and returns whether it succeeded.
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
# The argument for one parameter; `open`: any number of arguments follow it.
function argument(p, open,    name, type) {
    if (p ~ /\(\*/) return "name_at"
    if (p ~ /\[/) return "VALUE(\"" p "\", \"\")"
    name = p; sub(/.*[ *]/, "", name)
    type = p; sub(/[A-Za-z0-9_]+$/, "", type); type = trim(type)
    if (type == "struct lw_error *") return "ERROR"
    if (type == "const char *") return open ? "\"garbage\"" : "TEXT"
    if (type ~ /\*$/) return "VALUE(\"" type "\", \"" name "\")"
    if (type ~ /^struct /) return "(" type "){0}"
    return "(" type ")NUMBER(\"" type "\", \"" name "\")"
}
function print_call(text,    name, result, list, n, parts, i, depth, c, part, call, refusable) {
    if (!match(text, /lw_[a-z0-9_]+ *\(/)) return
    name = substr(text, RSTART, RLENGTH); sub(/ *\($/, "", name)
    result = trim(substr(text, 1, RSTART - 1))
    list = substr(text, RSTART + RLENGTH)
    n = 0; part = ""; depth = 1
    for (i = 1; depth; i++) {
        c = substr(list, i, 1)
        if (c == "(") depth++
        if (c == ")") depth--
        if (!depth || (c == "," && depth == 1)) { parts[++n] = trim(part); part = "" }
        else part = part c
    }
    call = ""; refusable = 0
    delete parts[n + 1]
    for (i = 1; i <= n; i++) {
        if (parts[i] == "void" || parts[i] == "...") continue
        if (parts[i] ~ /^struct lw_error \*/) refusable = 1
        call = call (call == "" ? "" : ", ") argument(parts[i], parts[i + 1] == "...")
    }
    if (result != "_Bool" || name ~ /^lw_error_/) refusable = 0
    printf "%s(%s, %s(%s))\n", refusable ? "REFUSABLE" : "CALL", name, name, call
}
/^# [0-9]+ "/ { ours = index($3, "include/laneway/") > 0; next }
/^#/ { next }
ours { text = text " " $0 }
END {
    gsub(/[ \t]+/, " ", text)
    while (match(text, /[{};]/)) {
        c0 = substr(text, RSTART, 1)
        if (!nested) declaration = declaration substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + 1)
        if (c0 == "{") nested++
        if (c0 == "}") nested--
        if (c0 != ";" || nested) continue
        sub(/^ *extern "C" */, "", declaration)
        print_call(declaration)
        declaration = ""
    }
}
