/* `let NAME=SOURCE`: gives a layout a name, which expressions and the commands that read a SOURCE know. A name hides no
 * operation and no command. */

#include "tui/prompt/let.h"
#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"

#include "laneway/calc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LETS_MAX = 64 };

static struct lw_let *find(const struct lw_explorer *ex, const char *name)
{
    for (size_t i = 0; i < ex->prompt.let_count; i++)
        if (!strcmp(ex->prompt.lets[i].name, name))
            return &ex->prompt.lets[i];
    return NULL;
}

/* Binds a document, which is then owned; it is freed if there are too many. */
static bool bind(struct lw_explorer *ex, const char *name, struct lw_document *doc)
{
    struct lw_let *let = find(ex, name);
    if (!let && !ex->prompt.lets)
        ex->prompt.lets = calloc(LETS_MAX, sizeof *ex->prompt.lets);
    if (!let && (ex->prompt.let_count == LETS_MAX || !ex->prompt.lets)) {
        ex->failed = ex->failed || !ex->prompt.lets;
        lw_document_free(doc);
        return false;
    }
    if (let)
        lw_document_free(&let->doc);
    else
        let = &ex->prompt.lets[ex->prompt.let_count++];
    snprintf(let->name, sizeof let->name, "%.*s", (int)sizeof let->name - 1, name);
    let->doc = *doc;
    return true;
}

bool lw_is_bound(const struct lw_explorer *ex, const char *text)
{
    return find(ex, text) || !strcmp(text, "it");
}

void lw_lets_free(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->prompt.let_count; i++)
        lw_document_free(&ex->prompt.lets[i].doc);
    free(ex->prompt.lets);
    ex->prompt.lets = NULL;
    ex->prompt.let_count = 0;
}

bool lw_names_bound(const struct lw_explorer *ex, const char *text)
{
    char word[sizeof(struct lw_let){.name = ""}.name];
    bool found = false;
    for (size_t length; *text && !found; text += length) {
        for (length = 0; isalnum((unsigned char)text[length]) || text[length] == '_';)
            length++;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        found = length && length < sizeof word && lw_is_bound(ex, word);
        length += !length;
    }
    return found;
}

bool lw_let_source(const struct lw_explorer *ex, const char *name, struct lw_text *source)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    const struct lw_let *let = find(ex, name);
    const bool is_it = !strcmp(name, "it") && entry->loaded;
    struct lw_document own;
    if (is_it)
        lw_document_side(&own, entry->doc, entry->doc->side);
    if (let || is_it)
        lw_document_put_source(source, is_it ? &own : &let->doc);
    return let || is_it;
}

bool lw_it_is_missing(struct lw_explorer *ex, const char *name)
{
    if (strcmp(name, "it") != 0 || lw_explorer_entry(ex)->loaded)
        return false;
    lw_explorer_set_message(ex, true, "'it' is the layout on the screen, and there is none");
    return true;
}

/* Shows all names with their values, or how one is made. */
static void list(struct lw_explorer *ex)
{
    struct lw_text page = {0};
    for (size_t i = 0; i < ex->prompt.let_count; i++) {
        const struct lw_let *let = &ex->prompt.lets[i];
        struct lw_text line = {0};
        lw_text_format(&line, "%s = ", let->name);
        lw_document_put_source(&line, &let->doc);
        lw_text_wrap(&page, lw_text_string(&line), 2, 0);
        lw_text_free(&line);
    }
    if (page.length)
        lw_page_open(ex, "Names", lw_text_string(&page));
    else
        lw_explorer_set_message(ex, false,
                                "there are no names: let NAME=SOURCE, or NAME=coalesce(it), makes "
                                "one for the calculator and for :open, :shared, ...");
    lw_text_free(&page);
}

/* Shows the value of a name, as there is no `=` after it. */
static void show(struct lw_explorer *ex, const char *name)
{
    struct lw_text source = {0};
    if (lw_let_source(ex, name, &source))
        lw_explorer_set_message(ex, false, "%s = %s", name, lw_text_string(&source));
    else if (!lw_it_is_missing(ex, name))
        lw_explorer_set_message(ex, true,
                                "'%.40s' is no name yet: let %.24s=SOURCE makes it one; "
                                "let alone lists the names",
                                name, name);
    lw_text_free(&source);
}

/* Opens the document of a SOURCE, or of an expression with names: `it`, coalesce(it). */
static bool open_let(struct lw_explorer *ex, const char *text, struct lw_document *doc,
                     struct lw_error *err)
{
    const struct lw_open_options options = {.triton = ex->options->triton};
    struct lw_error why = {0};
    struct lw_text source = {0};
    const struct lw_entry *entry = lw_explorer_entry(ex);
    if (!strcmp(text, "it") && entry->loaded)
        return lw_document_copy(doc, entry->doc, err);
    bool good = lw_document_open(doc, text, &options, err) ||
                (lw_calculate_source(ex, text, &source, &why) &&
                 lw_document_open(doc, lw_text_string(&source), &options, err));
    if (!good && (why.code == LW_ERROR_PARAMETER || why.code == LW_ERROR_SHAPE))
        *err = why; /* it is an expression, but of something else, or without a value */
    lw_text_free(&source);
    return good;
}

/* Refuses a name that would hide something, or that no expression can have. */
static bool check_name(const struct lw_explorer *ex, const char *name, struct lw_error *err)
{
    struct lw_let let;
    const char *what = lw_calc_taken(name);
    if (!*name)
        return lw_error_set(err, LW_ERROR_NAME, "let NAME=SOURCE: a name is missing before the =");
    if (strlen(name) >= sizeof let.name)
        return lw_error_set(err, LW_ERROR_NAME, "the name is too long: it has at most %zu letters",
                            sizeof let.name - 1);
    if (!strcmp(name, "it"))
        return lw_error_set(err, LW_ERROR_NAME,
                            "'it' is the layout on the screen: another name is needed");
    if (what)
        return lw_error_set(err, LW_ERROR_NAME,
                            "'%s' is %s of the calculator, which it would hide: another name is "
                            "needed",
                            name, what);
    if (lw_prompt_command_find(ex, name) || lw_key_action_find(ex, name))
        return lw_error_set(err, LW_ERROR_NAME,
                            "'%s' is a command of this prompt, which would hide it: another name "
                            "is needed",
                            name);
    return lw_calc_name_check(name, err);
}

void lw_let(struct lw_explorer *ex, const char *text)
{
    struct lw_document doc;
    struct lw_error err;
    char name[64];
    size_t length = strcspn(text, "= ");
    const char *equals = text + length + strspn(text + length, " ");
    const char *source = equals + strspn(equals, "= ");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (!*text) {
        list(ex);
    } else if (!*equals) {
        show(ex, name);
    } else if (*equals != '=') {
        lw_explorer_set_message(ex, true, "let NAME=SOURCE: '%.24s' has no = after it", name);
    } else if (!check_name(ex, name, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
    } else if (!*source) {
        lw_explorer_set_message(ex, true, "let %s=SOURCE: a SOURCE or an expression is missing",
                                name);
    } else if (lw_it_is_missing(ex, source)) {
        return;
    } else if (!open_let(ex, source, &doc, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
    } else if (!lw_calculates(ex, &doc, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
        lw_document_free(&doc);
    } else if (!bind(ex, name, &doc)) {
        lw_explorer_set_message(ex, true, "%d names are bound, which is the limit", LETS_MAX);
    } else {
        lw_explorer_set_message(ex, false, "%s is %s", name, source);
    }
}
