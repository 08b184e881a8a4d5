/* Finding markers, line by line. Invariant: `at` is the beginning of line number `line`. */

#include "cli/docs/markers.h"

#include "cli/docs/literal.h"
#include "core/text_escape.h"
#include "laneway/text.h"

#include <string.h>

/* ---- Lines ---- */

/* The line at `at` without its end, which is *ending bytes long. */
static struct lw_slice line_at(const struct lw_markers *m, size_t *ending)
{
    const char *newline = memchr(m->at, '\n', (size_t)(m->end - m->at));
    struct lw_slice line = {m->at, (size_t)((newline ? newline : m->end) - m->at)};
    *ending = newline != NULL;
    if (newline && line.length && newline[-1] == '\r') {
        line.length--;
        ++*ending;
    }
    return line;
}

static void step(struct lw_markers *m)
{
    size_t ending;
    struct lw_slice line = line_at(m, &ending);
    m->at += line.length + ending;
    m->line++;
}

/* ---- Markers ---- */

struct marker {
    enum lw_marker_kind kind;
    bool begins;
    struct lw_slice prefix, command;
};

/* The characters that may precede a marker: in source files those that begin comments. */
static const char *prefix_signs(unsigned kinds)
{
    return kinds & LW_MARKER_COMMENT ? " \t/*#;%-!>|'\"@" : " \t>";
}

/* "laneway: COMMAND" or "/laneway", alone. */
static bool read_command(struct lw_slice rest, struct marker *marker)
{
    marker->begins = lw_slice_take(&rest, "laneway:");
    if (!marker->begins && !lw_slice_take(&rest, "/laneway"))
        return false;
    if (marker->begins ? rest.length && !strchr(" \t", rest.at[0]) : rest.length > 0)
        return false;
    lw_slice_trim(&rest);
    marker->command = rest;
    return true;
}

/* The signs that open and close a marker in each kind of document. */
static const struct {
    enum lw_marker_kind kind;
    const char *open, *close, *end; /* `end` is its end marker */
    const char *other;              /* the message for a marker in the form of another document */
} dresses[] = {{LW_MARKER_MARKDOWN, "<!--", "-->", "<!-- /laneway -->",
                "this is not a marker: in Markdown it is '<!-- laneway: COMMAND -->'"},
               {LW_MARKER_HTML, "<!--", "-->", "<!-- /laneway -->",
                "this is not a marker: in html it is '<!-- laneway: COMMAND -->'"},
               {LW_MARKER_REST, ".. ", "", ".. /laneway",
                "this is not a marker: in reStructuredText it is '.. laneway: COMMAND'"},
               {LW_MARKER_ASCIIDOC, "//", "", "// /laneway",
                "this is not a marker: in AsciiDoc it is '// laneway: COMMAND'"},
               {LW_MARKER_LATEX, "%", "", "% /laneway",
                "this is not a marker: in LaTeX it is '% laneway: COMMAND'"},
               {LW_MARKER_ORG, "#", "", "# /laneway",
                "this is not a marker: in Org it is '# laneway: COMMAND'"},
               {LW_MARKER_TYPST, "//", "", "// /laneway",
                "this is not a marker: in Typst it is '// laneway: COMMAND'"}};

#define DRESSES (sizeof dresses / sizeof *dresses)

static bool read_dressed(struct lw_slice rest, unsigned kinds, struct marker *marker)
{
    size_t i = 0;
    lw_slice_trim(&rest);
    while (i < DRESSES && !(kinds & dresses[i].kind && lw_slice_take(&rest, dresses[i].open)))
        i++;
    if (i == DRESSES)
        return false;
    size_t length = strlen(dresses[i].close);
    marker->kind = dresses[i].kind;
    if (rest.length < length ||
        memcmp(rest.at + rest.length - length, dresses[i].close, length) != 0)
        return false;
    rest.length -= length;
    lw_slice_trim(&rest);
    return read_command(rest, marker);
}

static bool read_marker(struct lw_slice line, unsigned kinds, struct marker *marker)
{
    size_t length = lw_slice_span(line, prefix_signs(kinds));
    struct lw_slice rest = line;
    lw_slice_skip(&rest, length);
    marker->prefix = (struct lw_slice){line.at, length};
    if (read_dressed(rest, kinds, marker))
        return true;
    /* A slash before "laneway" makes it an end marker. */
    if (length && rest.at[-1] == '/' && !(rest.length > 7 && rest.at[7] == ':')) {
        length = --marker->prefix.length;
        rest = (struct lw_slice){line.at + length, line.length - length};
    }
    lw_slice_trim(&rest);
    marker->kind = LW_MARKER_COMMENT;
    return kinds & LW_MARKER_COMMENT && lw_slice_span(marker->prefix, " \t") < length &&
           read_command(rest, marker);
}

static const char *first_name(const void *names, size_t i)
{
    return ((const char *const *)names)[i];
}

/* Whether a word differs from `laneway` only in case or in a few letters. */
static bool is_nearly(struct lw_slice word)
{
    static const char name[] = "laneway";
    const char *const names[] = {name};
    char lower[12];
    if (word.length < 5 || word.length > 10)
        return false;
    for (size_t i = 0; i < word.length; i++)
        lower[i] = (char)(word.at[i] >= 'A' && word.at[i] <= 'Z' ? word.at[i] + 32 : word.at[i]);
    lower[word.length] = '\0';
    return lw_text_nearest(lower, 1, first_name, names) != NULL;
}

/* The word at the beginning; *rest is the text after it. */
static struct lw_slice word_of(struct lw_slice text, struct lw_slice *rest)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    struct lw_slice word = {text.at, lw_slice_span(text, letters)};
    *rest = text;
    lw_slice_skip(rest, word.length);
    return word;
}

/* Whether a line is nearly an end marker: signs, a slash, and nearly the word. */
static bool is_near_end(struct lw_slice line)
{
    struct lw_slice rest;
    lw_slice_skip(&line, lw_slice_span(line, " \t*#;%->!<.'\"@"));
    while (line.length > 1 && line.at[0] == '/' && strchr("/ \t", line.at[1]))
        lw_slice_skip(&line,
                      1 + lw_slice_span((struct lw_slice){line.at + 1, line.length - 1}, " \t"));
    if (!lw_slice_take(&line, "/"))
        return false;
    struct lw_slice word = word_of(line, &rest);
    return is_nearly(word) && !(word.length == 7 && !memcmp(word.at, "laneway", 7)) &&
           lw_slice_span(rest, " \t->*/") == rest.length;
}

/* Whether a command is followed by an end marker on the same line. */
static bool has_end(struct lw_slice command)
{
    static const char end[] = " /laneway";
    for (size_t i = 0; i + sizeof end - 1 <= command.length; i++)
        if (!memcmp(command.at + i, end, sizeof end - 1))
            return true;
    return false;
}

/* Finds the end marker, and the text between the two. */
static bool find_end(struct lw_markers *m, struct lw_embedded *pair, size_t *line,
                     struct lw_error *err)
{
    struct lw_literal literal = {0};
    struct marker marker;
    size_t ending, near = 0; /* the line of a misspelt end marker */
    pair->between.at = m->at;
    for (; m->at < m->end; step(m)) {
        struct lw_slice text = line_at(m, &ending), inner = text;
        if (text.length >= pair->prefix.length)
            lw_slice_skip(&inner, pair->prefix.length);
        if (pair->kind == LW_MARKER_MARKDOWN && lw_literal_has(&literal, pair->kind, inner))
            continue;
        if (!near && is_near_end(inner))
            near = m->line;
        if (!read_marker(text, m->kinds, &marker) || marker.kind != pair->kind ||
            !lw_slice_equal(marker.prefix, pair->prefix))
            continue;
        if (marker.begins)
            break;
        pair->between.length = (size_t)(m->at - pair->between.at);
        step(m);
        return true;
    }
    const char *end = "/laneway";
    for (size_t i = 0; i < DRESSES; i++)
        if (dresses[i].kind == pair->kind)
            end = dresses[i].end;
    *line = pair->line;
    if (has_end(pair->command))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "a marker is alone on its line, and its end marker on another");
    if (near)
        return lw_error_set(
            err, LW_ERROR_SYNTAX,
            "this marker has no end marker: the one %zu line%s below it is misspelt: "
            "expected a line '%.*s%s'",
            near - pair->line, near - pair->line == 1 ? "" : "s", (int)pair->prefix.length,
            pair->prefix.at, end);
    return lw_error_set(err, LW_ERROR_SYNTAX,
                        "this marker has no end marker: expected a line '%.*s%s'",
                        (int)pair->prefix.length, pair->prefix.at, end);
}

/* Whether a prefix opens a comment of C, so that every line of the block would. */
static bool opens_comment(struct lw_slice prefix)
{
    for (size_t i = 0; i + 1 < prefix.length; i++)
        if (!memcmp(prefix.at + i, "/*", 2))
            return true;
    return false;
}

/* ---- Public ---- */

#define IN_COMMENTS (LW_MARKER_MARKDOWN | LW_MARKER_REST | LW_MARKER_COMMENT)

/* The kinds of markers by extension. */
static const struct {
    const char *ending;
    unsigned kinds;
} endings[] = {
    {".md", LW_MARKER_MARKDOWN},
    {".markdown", LW_MARKER_MARKDOWN},
    {".qmd", LW_MARKER_MARKDOWN},
    {".rst", LW_MARKER_REST},
    {".rest", LW_MARKER_REST},
    {".txt", LW_MARKER_REST},
    {".html", LW_MARKER_HTML},
    {".htm", LW_MARKER_HTML},
    {".xhtml", LW_MARKER_HTML},
    {".adoc", LW_MARKER_ASCIIDOC},
    {".asciidoc", LW_MARKER_ASCIIDOC},
    {".tex", LW_MARKER_LATEX},
    {".org", LW_MARKER_ORG},
    {".typ", LW_MARKER_TYPST},
    {".c", IN_COMMENTS},
    {".h", IN_COMMENTS},
    {".cc", IN_COMMENTS},
    {".cpp", IN_COMMENTS},
    {".cxx", IN_COMMENTS},
    {".hpp", IN_COMMENTS},
    {".cu", IN_COMMENTS},
    {".cuh", IN_COMMENTS},
    {".py", IN_COMMENTS},
    {".rs", IN_COMMENTS},
    {".td", IN_COMMENTS},
    {".mlir", IN_COMMENTS},
};

static unsigned kinds_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(dot, endings[i].ending))
            return endings[i].kinds;
    return 0;
}

bool lw_markers_in_cells(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".ipynb");
}

bool lw_markers_are_in(const char *path)
{
    return kinds_of(path) != 0 || lw_markers_in_cells(path);
}

/* Begins a text. A byte order mark is not part of the first line. */
void lw_markers_start(struct lw_markers *markers, const char *path, const char *text, size_t length)
{
    unsigned kinds = kinds_of(path);
    lw_skip_order_mark(&text, &length);
    *markers = (struct lw_markers){
        .at = text, .end = text + length, .line = 1, .kinds = kinds ? kinds : IN_COMMENTS};
}

/* ---- Lines that are nearly markers ---- */

/* Whether the signs that open a marker may be in the middle of a line of that document. In AsciiDoc, Org and
 * reStructuredText they are then no comment, but with a marker after them they were probably meant to be one. */
static bool is_inside(unsigned kinds, size_t i, const char *at, struct lw_slice rest)
{
    bool comment = kinds & (LW_MARKER_MARKDOWN | LW_MARKER_HTML | LW_MARKER_LATEX);
    if (dresses[i].kind != kinds && dresses[i].open[0] != '<')
        return false;
    lw_slice_trim(&rest);
    return comment ? !strchr(kinds & LW_MARKER_LATEX ? "'\"`\\" : "'\"`", at[-1])
                   : strchr(" \t", at[-1]) && lw_slice_take(&rest, "laneway: ");
}

/* Moves *line past the signs that open a marker; *inside: they are not at its beginning. */
static bool after_opening(const struct lw_markers *m, struct lw_slice *line, bool *inside)
{
    struct lw_slice rest = *line;
    *inside = false;
    for (size_t i = 0; i < DRESSES; i++) {
        rest = *line;
        lw_slice_skip(&rest, lw_slice_span(rest, prefix_signs(0)));
        if (m->kinds & dresses[i].kind && lw_slice_take(&rest, dresses[i].open)) {
            lw_slice_trim(&rest);
            *line = rest;
            return true;
        }
        for (; m->kinds & dresses[i].kind && rest.length; lw_slice_skip(&rest, 1)) {
            struct lw_slice after = rest;
            if (rest.at == line->at || !lw_slice_take(&after, dresses[i].open) ||
                !is_inside(m->kinds, i, rest.at, after))
                continue;
            lw_slice_trim(&after);
            *line = after;
            *inside = true;
            return true;
        }
    }
    if (!(m->kinds & LW_MARKER_COMMENT))
        return false;
    rest = *line;
    size_t signs = lw_slice_span(rest, prefix_signs(LW_MARKER_COMMENT));
    if (!signs || lw_slice_span(rest, " \t") == signs)
        return false;
    lw_slice_skip(&rest, signs);
    *line = rest;
    return true;
}

/* Whether a comment with a marker follows code: "x = 1  # laneway: show ...". */
static bool is_after_code(const struct lw_markers *m, struct lw_slice line)
{
    static const char *const signs[] = {"//", "#", "/*", "--", ";"};
    struct lw_slice rest = line;
    lw_slice_skip(&rest, lw_slice_span(rest, " \t"));
    for (bool code = false; m->kinds & LW_MARKER_COMMENT && rest.length; lw_slice_skip(&rest, 1)) {
        for (size_t i = 0; code && i < sizeof signs / sizeof *signs; i++) {
            struct lw_slice comment = rest;
            if (strchr("'\"`!", rest.at[-1]) || !lw_slice_take(&comment, signs[i]))
                continue;
            lw_slice_skip(&comment, lw_slice_span(comment, prefix_signs(m->kinds)));
            if (lw_slice_take(&comment, "laneway: ") || lw_slice_take(&comment, "<!-- laneway: "))
                return true;
        }
        code = true;
    }
    return false;
}

/* Whether a line begins with a comment of Markdown or html that is not closed on it. */
static bool is_open(const struct lw_markers *m, struct lw_slice line)
{
    lw_slice_skip(&line, lw_slice_span(line, prefix_signs(m->kinds)));
    bool html = m->kinds & (LW_MARKER_MARKDOWN | LW_MARKER_HTML) && lw_slice_take(&line, "<!--");
    for (; html && line.length; lw_slice_skip(&line, 1))
        if (line.length >= 3 && !memcmp(line.at, "-->", 3))
            return false;
    return html;
}

/* Whether a line is a marker of another kind of document; *why is then the right form. In a comment any form is right;
 * a heading of Markdown begins like a comment of Org. */
static bool is_other_form(const struct lw_markers *m, struct lw_slice line, const char **why)
{
    struct marker marker;
    struct lw_slice rest = line;
    size_t i = 0;
    while (i < DRESSES && m->kinds != dresses[i].kind)
        i++;
    if (i == DRESSES)
        return false;
    lw_slice_skip(&rest, lw_slice_span(rest, prefix_signs(0)));
    bool dashes = dresses[i].open[0] == '<' && lw_slice_take(&rest, "<!---");
    if (dashes) {
        lw_slice_skip(&rest, lw_slice_span(rest, "- "));
        *why = dresses[i].other;
        return read_command(rest, &marker);
    }
    bool bare = lw_slice_take(&rest, "..") && rest.length && read_command(rest, &marker);
    if (!bare &&
        !(read_dressed(rest, ~(unsigned)(LW_MARKER_COMMENT | LW_MARKER_ORG) & ~m->kinds, &marker)))
        return false;
    *why = dresses[i].other;
    return marker.begins;
}

bool lw_marker_is_near(const struct lw_markers *markers, struct lw_slice line, const char **why)
{
    bool inside;
    struct lw_slice rest, whole = line;
    *why = "this is not a marker: a marker is alone on its line";
    if (is_after_code(markers, line) || is_other_form(markers, line, why))
        return true;
    if (!after_opening(markers, &line, &inside))
        return false;
    bool ends = lw_slice_take(&line, "/");
    struct lw_slice word = word_of(line, &rest);
    bool exact = word.length == 7 && !memcmp(word.at, "laneway", 7);
    bool colon = rest.length && rest.at[0] == ':';
    bool sign = exact && rest.length > 2 && rest.at[0] == ' ' && strchr("$!=>", rest.at[1]);
    struct lw_slice after = rest, show = {0};
    if (exact && !inside && !(markers->kinds & LW_MARKER_COMMENT) && lw_slice_take(&after, " "))
        show = word_of(after, &after);
    sign =
        sign || (show.length && markers->is_command && markers->is_command(markers->context, show));
    if (!is_nearly(word) || !(colon || sign || (ends && inside)))
        return false;
    *why = inside ? *why
           : exact && colon && is_open(markers, whole)
               ? "this is not a marker: no --> is at the end of its line"
           : exact && colon
               ? "this is not a marker: 'laneway:' is followed by a blank and the command"
               : "this is not a marker: did you mean 'laneway:'?";
    return true;
}

bool lw_markers_next(struct lw_markers *m, struct lw_embedded *pair, size_t *line,
                     struct lw_error *err)
{
    struct marker marker;
    size_t ending;
    lw_error_set(err, LW_OK, "%s", "");
    for (; m->at < m->end; step(m)) {
        struct lw_slice text = line_at(m, &ending);
        if (lw_literal_has(&m->literal, m->kinds, text))
            continue;
        if (!read_marker(text, m->kinds, &marker)) {
            if (m->pass)
                m->pass(m->context, m, text);
            continue;
        }
        *line = m->line;
        if (!marker.begins)
            return lw_error_set(err, LW_ERROR_SYNTAX, "this end marker has no marker before it");
        if (opens_comment(marker.prefix))
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "a marker must be on its own line inside the comment");
        *pair = (struct lw_embedded){.kind = marker.kind,
                                     .line = m->line,
                                     .prefix = marker.prefix,
                                     .command = marker.command,
                                     .newline = ending == 2 ? "\r\n" : "\n"};
        step(m);
        return find_end(m, pair, line, err);
    }
    return false;
}
