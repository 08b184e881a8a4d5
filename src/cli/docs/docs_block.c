/* The text between markers: output in the form of a block, for each kind of document. */

#include "cli/docs/docs_block.h"

#include "cli/docs/docs_fit.h"

#include <string.h>

struct writer {
    struct lw_text *out;
    const struct lw_embedded *pair;
    const char *indent;
};

static bool is_comment(const struct lw_embedded *pair)
{
    return pair->kind == LW_MARKER_COMMENT;
}

/* Writes a line with the prefix; an empty line has no blanks at its end. */
static void put_line(const struct writer *w, const char *line, size_t length)
{
    struct lw_slice prefix = w->pair->prefix;
    while (!length && prefix.length && strchr(" \t", prefix.at[prefix.length - 1]))
        prefix.length--;
    lw_text_bytes(w->out, prefix.at, prefix.length);
    lw_text_add(w->out, length ? w->indent : "");
    lw_text_bytes(w->out, line, length);
    lw_text_add(w->out, w->pair->newline);
}

static void put_string(const struct writer *w, const char *string)
{
    put_line(w, string, strlen(string));
}

static void put_lines(const struct writer *w, const struct lw_text *text)
{
    const char *line = lw_text_string(text);
    for (size_t length; *line; line += length + (line[length] == '\n')) {
        length = strcspn(line, "\n");
        put_line(w, line, length - (length && line[length - 1] == '\r'));
    }
}

static bool is_session(const struct lw_quoted *q)
{
    return q->quote == LW_QUOTE_SESSION || q->quote == LW_QUOTE_REFUSAL;
}

static void put_quoted(const struct writer *w, const struct lw_quoted *q)
{
    struct lw_text line = {0};
    if (is_session(q)) {
        lw_text_format(&line, "$ laneway %s", q->line);
        put_lines(w, &line);
    }
    put_lines(w, &q->printed);
    if (is_session(q))
        put_lines(w, &q->error_text);
    lw_text_free(&line);
}

/* ---- Kinds of documents ---- */

/* How a document writes a block of text, and which formats are its own markup. */
struct dress {
    enum lw_marker_kind kind;
    const char *markup[4];      /* formats whose output is inserted unchanged; the last is NULL */
    const char *before, *after; /* lines around a block, with % for the language; NULL: fences */
    bool apart;                 /* with empty lines around it */
    const char *indent;
    const char *image[2]; /* text around the name of a file that is shown, with @ for its title */
    const char *link;     /* a link to a file that is not a picture, with % for its name; NULL:
                             refused */
};

static const struct dress dresses[] = {
    {LW_MARKER_MARKDOWN,
     {"markdown", "html", "svg", NULL},
     NULL,
     NULL,
     false,
     "",
     {"![@](", ")"},
     "[%](%)"},
    {LW_MARKER_REST,
     {"rst", NULL},
     ".. code-block:: %",
     NULL,
     true,
     "   ",
     {".. image:: ", "\n   :alt: @"},
     "`% <%>`__"},
    {LW_MARKER_HTML,
     {"html", "svg", NULL},
     "<pre>",
     "</pre>",
     false,
     "",
     {"<img alt=\"@\" src=\"", "\"/>"},
     "<a href=\"%\">%</a>"},
    {LW_MARKER_ASCIIDOC,
     {NULL},
     "[source,%]\n----",
     "----",
     false,
     "",
     {"image::", "[\"@\"]"},
     "link:%[%]"},
    {LW_MARKER_LATEX,
     {"latex", NULL},
     "\\begin{verbatim}",
     "\\end{verbatim}",
     false,
     "",
     {"\\includegraphics{", "}"},
     NULL},
    {LW_MARKER_ORG,
     {NULL},
     "#+begin_src %",
     "#+end_src",
     false,
     "",
     {"[[file:", "]]"},
     "[[file:%]]"},
    {LW_MARKER_TYPST,
     {NULL},
     NULL,
     NULL,
     false,
     "",
     {"#image(\"", "\", alt: \"@\")"},
     "#link(\"%\")"},
};

static const struct dress *dress_of(enum lw_marker_kind kind)
{
    size_t i = 0;
    while (dresses[i].kind != kind)
        i++;
    return &dresses[i];
}

static const char *format_of(const struct lw_quoted *q)
{
    return LW_OPTION_IS_SET(&q->args, JSON) ? "json" : LW_OPTION_VALUE(&q->args, FORMAT);
}

static bool is_markup(const struct dress *dress, const struct lw_quoted *q)
{
    const char *format = format_of(q);
    for (size_t i = 0; format && !is_session(q) && dress->markup[i]; i++)
        if (!strcmp(format, dress->markup[i]))
            return true;
    return false;
}

/* The language, for syntax highlighting. */
static const char *language(enum lw_marker_kind kind, const struct lw_quoted *q)
{
    static const char *const known[] = {"json", "latex", "csv"};
    const char *format = format_of(q);
    size_t count =
        sizeof known / sizeof *known - (kind == LW_MARKER_REST); /* Pygments has no csv */
    if (is_session(q))
        return "console";
    for (size_t i = 0; format && i < count; i++)
        if (!strcmp(format, known[i]))
            return known[i];
    return "text";
}

/* ---- Blocks ---- */

static size_t longest_run(const char *text, char of)
{
    size_t max = 0, run = 0;
    for (; *text; text++) {
        run = *text == of ? run + 1 : 0;
        max = run > max ? run : max;
    }
    return max;
}

/* The length of a fence: longer than any run of backquotes inside. */
static size_t fence_length(const struct lw_quoted *q)
{
    const char *const within[] = {q->text, lw_text_string(&q->printed),
                                  lw_text_string(&q->error_text)};
    size_t max = 2;
    for (size_t i = 0; i < 3; i++) {
        size_t run = longest_run(within[i], '`');
        max = run > max ? run : max;
    }
    return max + 1;
}

static void put_fenced(const struct writer *w, const struct lw_quoted *q)
{
    struct lw_text fence = {0};
    lw_text_repeat(&fence, '`', fence_length(q));
    size_t length = fence.length;
    lw_text_add(&fence, language(w->pair->kind, q));
    put_string(w, lw_text_string(&fence));
    put_quoted(w, q);
    put_line(w, lw_text_string(&fence), length);
    lw_text_free(&fence);
}

/* Writes the opening of a block, with its language for the sign %. */
static void put_opening(const struct writer *w, const char *before, const struct lw_quoted *q)
{
    struct lw_text text = {0};
    for (; *before; before++)
        if (*before == '%')
            lw_text_add(&text, language(w->pair->kind, q));
        else
            lw_text_char(&text, *before);
    put_lines(w, &text);
    lw_text_free(&text);
}

/* Text in html. */
static void put_escaped(const struct writer *w, const struct lw_quoted *q)
{
    struct lw_quoted escaped = *q;
    struct lw_text printed = {0};
    for (const char *c = lw_text_string(&q->printed); *c; c++)
        if (*c == '&' || *c == '<' || *c == '>')
            lw_text_add(&printed, *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : "&gt;");
        else
            lw_text_char(&printed, *c);
    escaped.printed = printed;
    put_quoted(w, &escaped);
    lw_text_free(&printed);
}

/* The ASCII sign for a line of a table, one of the characters U+2500 to U+257f, which have three bytes. */
static char plain_line(const char *c)
{
    static const char across[] = "\x80\x81\x84\x85\x88\x89", down[] = "\x82\x83\x86\x87\x8a\x8b";
    if (c[0] != '\xe2' || (c[1] != '\x94' && c[1] != '\x95') || !c[2])
        return '\0';
    if (c[1] == '\x95') /* of these two are straight, both double */
        return c[2] == '\x90' ? '=' : c[2] == '\x91' ? '|' : '+';
    return strchr(across, c[2]) ? '-' : strchr(down, c[2]) ? '|' : '+';
}

/* Writes text for LaTeX, with ASCII for the lines of tables, which LaTeX does not draw, unless a style is set. */
static void put_plain(const struct writer *w, const struct lw_quoted *q)
{
    struct lw_quoted plain = *q;
    struct lw_text printed = {0};
    for (const char *c = lw_text_string(&q->printed); *c; c++) {
        char sign = plain_line(c);
        lw_text_char(&printed, sign ? sign : *c);
        c += sign ? 2 : 0;
    }
    plain.printed = printed;
    put_quoted(w, &plain);
    lw_text_free(&printed);
}

/* Whether the output is html, which a page of Sphinx includes unchanged, though its source is reStructuredText. */
static bool is_page(const struct dress *dress, const struct lw_quoted *q)
{
    const char *format = format_of(q);
    return dress->kind == LW_MARKER_REST && format && !is_session(q) &&
           (!strcmp(format, "html") || !strcmp(format, "svg"));
}

static void put_dressed(struct writer *w, const struct dress *dress, const struct lw_quoted *q)
{
    bool html = dress->kind == LW_MARKER_HTML;
    struct lw_text fit = {0};
    if (dress->kind == LW_MARKER_LATEX)
        lw_docs_fit(&fit, lw_text_string(&q->printed));
    if (fit.length)
        put_string(w, lw_text_string(&fit));
    if (dress->apart)
        put_string(w, "");
    put_opening(w, is_page(dress, q) ? ".. raw:: html" : dress->before, q);
    if (dress->apart)
        put_string(w, "");
    w->indent = dress->indent;
    if (html)
        put_escaped(w, q);
    else if (dress->kind == LW_MARKER_LATEX && !LW_OPTION_IS_SET(&q->args, STYLE))
        put_plain(w, q);
    else
        put_quoted(w, q);
    w->indent = "";
    if (dress->after)
        put_string(w, dress->after);
    if (fit.length)
        put_string(w, "\\endgroup");
    lw_text_free(&fit);
    if (dress->apart)
        put_string(w, "");
}

static void put_markup(const struct writer *w, const struct lw_quoted *q)
{
    bool apart = w->pair->kind != LW_MARKER_LATEX;
    if (apart)
        put_string(w, "");
    put_quoted(w, q);
    put_string(w, apart ? "" : "\\par");
}

/* In reStructuredText a text right after a marker would be a part of its comment. */
static void put_raw(const struct writer *w, const struct lw_quoted *q)
{
    bool apart = w->pair->kind == LW_MARKER_REST;
    if (apart)
        put_string(w, "");
    put_quoted(w, q);
    if (apart)
        put_string(w, "");
}

static bool is_picture(const char *extension)
{
    static const char *const known[] = {".svg", ".png", ".pdf"};
    for (size_t i = 0; extension && i < sizeof known / sizeof *known; i++)
        if (!strcmp(extension, known[i]))
            return true;
    return false;
}

/* Writes a part of a reference with the title for @, on one line, with signs that the document uses escaped. */
static void put_part(struct lw_text *line, enum lw_marker_kind kind, const char *part,
                     const char *title)
{
    const char *signs = kind == LW_MARKER_MARKDOWN   ? "\\[]`*_<>&$"
                        : kind == LW_MARKER_ASCIIDOC ? "\""
                        : kind == LW_MARKER_TYPST    ? "\"\\"
                                                     : "";
    for (; *part; part++) {
        if (*part != '@')
            lw_text_char(line, *part);
        for (const char *c = *part == '@' ? title : ""; *c; c++)
            if (kind == LW_MARKER_HTML && strchr("<>&\"", *c))
                lw_text_format(line, "&#%d;", *c);
            else
                lw_text_format(line, "%s%c", strchr(signs, *c) ? "\\" : "", *c == '\n' ? ' ' : *c);
    }
}

/* Fails for a file that LaTeX cannot read: it reads its own commands, and pictures except svg. */
static bool check_image(const struct dress *dress, const char *file, struct lw_error *err)
{
    const char *dot = strrchr(file, '.');
    bool read = dot && (!strcmp(dot, ".tex") || !strcmp(dot, ".pdf") || !strcmp(dot, ".png"));
    return dress->kind != LW_MARKER_LATEX || read ||
           lw_error_set(err, LW_ERROR_NAME,
                        "-o %.60s: LaTeX cannot include this file: expected .tex, .pdf or .png",
                        file);
}

/* Writes a reference to the file. In LaTeX a file of LaTeX is read, and a figure is a paragraph. */
static void put_image(const struct writer *w, const struct dress *dress, const char *file,
                      const char *title)
{
    const char *dot = strrchr(file, '.');
    bool input = dress->kind == LW_MARKER_LATEX && dot && !strcmp(dot, ".tex");
    struct lw_text line = {0};
    if (input || is_picture(dot)) {
        put_part(&line, dress->kind, input ? "\\input{" : dress->image[0], title);
        lw_text_add(&line, file);
        put_part(&line, dress->kind, dress->image[1], title);
    } else
        for (const char *c = dress->link; *c; c++)
            lw_text_format(&line, "%.*s", *c == '%' ? (int)strlen(file) : 1, *c == '%' ? file : c);
    if (dress->kind != LW_MARKER_LATEX)
        put_string(w, "");
    put_lines(w, &line);
    put_string(w, dress->kind != LW_MARKER_LATEX ? "" : "\\par");
    lw_text_free(&line);
}

/* Writes output in a comment; fails when it would end a comment of C. */
static bool put_comment(const struct writer *w, const struct lw_quoted *q, struct lw_error *err)
{
    const struct lw_slice prefix = w->pair->prefix;
    size_t from = w->out->length;
    put_quoted(w, q);
    const char *put = lw_text_string(w->out) + (w->out->length > from ? from : 0);
    bool ends = memchr(prefix.at, '*', prefix.length) && w->out->length > from && strstr(put, "*/");
    return !ends || lw_error_set(err, LW_ERROR_SYNTAX,
                                 "the output contains */, which would end the comment");
}

/* ---- Prompts ---- */

/* A statement of Python: a line that begins with >>>, and those after it that begin with ... */
struct prompt {
    struct lw_slice lines, indent;
};

/* The next statement between the markers, from *at on; false: there is none. */
static bool next_prompt(struct lw_slice between, size_t *at, struct prompt *prompt)
{
    bool found = false;
    for (size_t length; *at < between.length; *at += length) {
        const char *line = between.at + *at, *end = memchr(line, '\n', between.length - *at);
        length = end ? (size_t)(end - line) + 1 : between.length - *at;
        size_t blanks = 0;
        while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
            blanks++;
        bool begins = length - blanks >= 3 && !memcmp(line + blanks, ">>>", 3);
        bool goes_on = length - blanks >= 3 && !memcmp(line + blanks, "...", 3);
        if (found && !goes_on)
            return true;
        if (!found && !begins)
            continue;
        if (!found)
            *prompt = (struct prompt){{line, 0}, {line, blanks}};
        prompt->lines.length += length;
        found = true;
    }
    return found;
}

static size_t count_prompts(struct lw_slice between)
{
    struct prompt prompt;
    size_t count = 0;
    for (size_t at = 0; next_prompt(between, &at, &prompt);)
        count++;
    return count;
}

/* Output i, indented as its prompt. */
static void put_output(const struct writer *w, const struct lw_quoted *q, size_t i,
                       struct lw_slice indent)
{
    struct lw_embedded pair = *w->pair;
    struct writer below = {w->out, &pair, ""};
    struct lw_text text = {0};
    size_t from = i ? q->output_end[i - 1] : 0;
    pair.prefix = indent;
    lw_text_bytes(&text, lw_text_string(&q->printed) + from, q->output_end[i] - from);
    put_lines(&below, &text);
    lw_text_free(&text);
    if (i + 1 == q->outputs)
        put_string(&below, "");
}

/* Writes the prompts that are there, the last ones with their outputs below them; an empty line ends the last
 * output. */
static bool put_below_prompts(const struct writer *w, const struct lw_quoted *q,
                              struct lw_error *err)
{
    struct lw_slice between = w->pair->between;
    size_t count = count_prompts(between), at = 0;
    struct prompt prompt;
    if (!count)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "there is no line that begins with >>> between the markers");
    if (count < q->outputs)
        return lw_error_set(err, LW_ERROR_SYNTAX, "%zu commands for %zu lines that begin with >>>",
                            q->outputs, count);
    for (size_t i = 0; i < count && next_prompt(between, &at, &prompt); i++) {
        if (i < count - q->outputs)
            continue;
        bool first = i == count - q->outputs;
        const char *from = first ? between.at : prompt.lines.at;
        lw_text_bytes(w->out, from, (size_t)(prompt.lines.at + prompt.lines.length - from));
        put_output(w, q, i - (count - q->outputs), prompt.indent);
    }
    return true;
}

bool lw_docs_block(struct lw_text *out, const struct lw_embedded *pair, const struct lw_quoted *q,
                   struct lw_error *err)
{
    struct writer w = {out, pair, ""};
    if (q->quote == LW_QUOTE_PROMPT)
        return put_below_prompts(&w, q, err);
    if (is_comment(pair) && q->file)
        return lw_error_set(err, LW_ERROR_SYNTAX, "a comment cannot show a file: leave out -o");
    if (is_comment(pair))
        return put_comment(&w, q, err);
    const struct dress *dress = dress_of(pair->kind);
    if (q->file && !check_image(dress, q->file, err))
        return false;
    if (q->file)
        put_image(&w, dress, q->file, lw_text_string(&q->title));
    else if (q->quote == LW_QUOTE_RAW)
        put_raw(&w, q);
    else if (is_markup(dress, q))
        put_markup(&w, q);
    else if (!dress->before)
        put_fenced(&w, q);
    else
        put_dressed(&w, dress, q);
    return true;
}
