/* Following the literal blocks of a document. */

#include "cli/docs/literal.h"

#include "cli/docs/markers.h"

#include <string.h>
#include <strings.h>

/* A fence of Markdown. */
static bool in_fence(struct lw_literal *literal, struct lw_slice line)
{
    lw_slice_trim(&line);
    char sign = line.length ? line.at[0] : '\0';
    const char signs[] = {sign, '\0'};
    size_t length = sign == '`' || sign == '~' ? lw_slice_span(line, signs) : 0;
    bool was = literal->open;
    if (length < 3)
        return was;
    lw_slice_skip(&line, length);
    if (!was && !(sign == '`' && memchr(line.at, '`', line.length)))
        *literal = (struct lw_literal){.open = true, .sign = sign, .length = length};
    else if (was && sign == literal->sign && length >= literal->length && !line.length)
        *literal = (struct lw_literal){0};
    return was || literal->open;
}

/* Whether a line of reStructuredText has a literal block below it. */
static bool opens_indented(struct lw_slice line)
{
    static const char *const names[] = {
        "code-block::", "code::",     "sourcecode::", "parsed-literal::", "raw::",
        "doctest::",    "testcode::", "testoutput::", "literalinclude::"};
    lw_slice_trim(&line);
    if (!lw_slice_take(&line, ".. "))
        return line.length >= 2 && !memcmp(line.at + line.length - 2, "::", 2);
    lw_slice_trim(&line);
    size_t i = 0;
    while (i < sizeof names / sizeof *names && !lw_slice_take(&line, names[i]))
        i++;
    return i < sizeof names / sizeof *names;
}

static bool in_indented(struct lw_literal *literal, struct lw_slice line)
{
    size_t indent = lw_slice_span(line, " \t");
    if (literal->open && (indent == line.length || indent > literal->length))
        return true;
    literal->open = opens_indented(line);
    literal->length = indent;
    return false;
}

static size_t characters(struct lw_slice line)
{
    size_t count = 0;
    for (size_t i = 0; i < line.length; i++)
        count += (line.at[i] & 0xc0) != 0x80;
    return count;
}

/* A delimited block of AsciiDoc. A line with as many signs as the line above has characters, one more or one less, is
 * the underline of a title instead. */
static bool in_delimited(struct lw_literal *literal, struct lw_slice line)
{
    char sign = line.length ? line.at[0] : '\0';
    const char signs[] = {sign, '\0'};
    size_t above = literal->above;
    bool was = literal->open, title = above && above <= line.length + 1 && line.length <= above + 1;
    bool bare =
        line.length >= 4 && strchr("-.+/", sign) && lw_slice_span(line, signs) == line.length;
    literal->above = strchr("[./+", sign) ? 0 : characters(line);
    if (was && bare && sign == literal->sign && line.length == literal->length)
        literal->open = false;
    else if (!was && bare && !title)
        *literal = (struct lw_literal){.open = true, .sign = sign, .length = line.length};
    return was || literal->open;
}

/* The environment that a line of LaTeX begins, or ends; empty when there is none. */
static struct lw_slice environment(struct lw_slice line, const char *command)
{
    lw_slice_trim(&line);
    size_t length = 0;
    if (!lw_slice_take(&line, command))
        return (struct lw_slice){line.at, 0};
    while (length < line.length && line.at[length] != '}')
        length++;
    return (struct lw_slice){line.at, length};
}

static bool in_environment(struct lw_literal *literal, struct lw_slice line)
{
    static const char *const names[] = {"verbatim",   "verbatim*", "Verbatim",
                                        "lstlisting", "minted",    "comment"};
    bool was = literal->open;
    struct lw_slice name = environment(line, was ? "\\end{" : "\\begin{");
    if (was && lw_slice_equal(name, literal->environment))
        literal->open = false;
    for (size_t i = 0; !was && i < sizeof names / sizeof *names; i++)
        if (lw_slice_equal(name, (struct lw_slice){names[i], strlen(names[i])}))
            *literal = (struct lw_literal){.open = true, .environment = name};
    return was || literal->open;
}

/* A block of Org, in upper or lower case. */
static bool in_block(struct lw_literal *literal, struct lw_slice line)
{
    static const char begin[] = "#+begin_", end[] = "#+end_";
    bool was = literal->open;
    lw_slice_trim(&line);
    if (was)
        literal->open = line.length < sizeof end - 1 || strncasecmp(line.at, end, sizeof end - 1);
    else
        literal->open =
            line.length >= sizeof begin - 1 && !strncasecmp(line.at, begin, sizeof begin - 1);
    return was || literal->open;
}

bool lw_literal_has(struct lw_literal *literal, unsigned kinds, struct lw_slice line)
{
    switch (kinds) {
    case LW_MARKER_MARKDOWN:
    case LW_MARKER_TYPST:
        return in_fence(literal, line);
    case LW_MARKER_REST:
        return in_indented(literal, line);
    case LW_MARKER_ASCIIDOC:
        return in_delimited(literal, line);
    case LW_MARKER_ORG:
        return in_block(literal, line);
    case LW_MARKER_LATEX:
        return in_environment(literal, line);
    default:
        return false;
    }
}
