/* Layouts that are written in an expression of the calculator: {...} and "SOURCE". */

#include "notation/calc/calc_table.h"
#include "notation/document/read.h"

#include <string.h>

/* Makes a value of a document, and frees the document. */
static bool make_value(struct lw_document *doc, struct lw_triton_choice triton,
                       struct lw_arena *arena, struct lw_calc_result *value, struct lw_error *err)
{
    struct lw_map map;
    struct lw_cute cute;
    bool good;
    err->code = LW_OK;
    lw_encoding_set_triton(doc->encoding, triton);
    if (lw_cute_of_encoding(arena, doc->encoding, &cute, err)) {
        value->kind = LW_CALC_CUTE;
        good = lw_cute_copy(arena, &value->as.cute, &cute) ||
               lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    } else {
        good = err->code == LW_OK && lw_encoding_build(doc->encoding, &doc->tensor, &map, err) &&
               lw_calc_linear(doc->encoding, &map, value, err);
    }
    if (!good)
        lw_error_excerpt(err, doc->text, strlen(doc->text));
    lw_arena_free(&doc->arena);
    return good;
}

/* Moves the position of an error into the expression, where its text begins at `position`; or to all of that text. */
static bool move_error(struct lw_error *err, struct lw_position position, bool whole)
{
    if (!whole && err->position.line > 0) {
        if (err->position.line == 1)
            err->position.column += position.column - 1;
        err->position.line += position.line - 1;
    } else {
        err->position = position;
    }
    err->excerpt[0] = '\0';
    return false;
}

/* move_error() for a quoted source. The problem is in the quotes, or in the file that they name. */
static bool move_source_error(struct lw_error *err, const char *source, struct lw_position position)
{
    char message[LW_MESSAGE_MAX];
    bool here = position.length == (int)strlen(source) + 2 && err->excerpt[0] &&
                !strncmp(source, err->excerpt, strlen(err->excerpt));
    if (!here && err->position.line > 0) {
        snprintf(message, sizeof message, "%.60s:%d:%d: %.400s", source, err->position.line,
                 err->position.column, err->message);
        memcpy(err->message, message, sizeof message);
    }
    position.column += here;
    return move_error(err, position, !here);
}

/* The sources of an expression. Their depth includes the sources around the expression, for the limit of nesting. */
struct sources {
    struct lw_calc_sources base;
    int depth;
    struct lw_triton_choice triton;
    lw_source_reader *read_source;
};

static bool read_node(const struct lw_calc_sources *base, const struct lw_node *node,
                      struct lw_arena *arena, struct lw_calc_result *value, struct lw_error *err)
{
    const struct sources *sources = (const struct sources *)base;
    struct lw_document doc = {0};
    bool object = node->kind == LW_NODE_OBJECT;
    const char *text = object ? node->text : node->name;
    struct lw_reading reading = {.arena = &doc.arena,
                                 .err = err,
                                 .depth = sources->depth,
                                 .triton = sources->triton,
                                 .allowed = object ? 0 : LW_ALLOW_NAMES | LW_ALLOW_FILES};
    lw_tensor_unknown(&doc.tensor);
    if (sources->read_source(&reading, &doc, text, object ? node->length : strlen(text))) {
        if (make_value(&doc, sources->triton, arena, value, err))
            return true;
    } else {
        lw_arena_free(&doc.arena);
    }
    return object ? move_error(err, node->position, false)
                  : move_source_error(err, text, node->position);
}

bool lw_read_calc(struct lw_reading *reading, const char *expr, const struct lw_calc_binding *lets,
                  size_t count, const struct lw_calc_work *work, struct lw_calc_result *out)
{
    struct sources sources = {.base = {.read = read_node},
                              .depth = reading->depth,
                              .triton = reading->triton,
                              .read_source = reading->read_source};
    return lw_calc_compute(expr, lets, count, work, &sources.base, out, reading->err);
}
