/*
 * Sources inside a text: in the strings of a document, in an expression, and the layouts of an access, `A > S > B`.
 *
 * Each is read as a separate text; then its positions are moved to where it begins in the text around it.
 */

#include "notation/document/read.h"
#include "notation/mlir/mlir_text.h"

#include <string.h>

/* ---- Positions ---- */

/* Moves the position of an error; one that is in a file goes to the source that names it. */
static void move_error(struct lw_error *err, const struct lw_origin *origin, bool is_in_file,
                       const char *source)
{
    char message[LW_MESSAGE_MAX];
    size_t path = lw_source_path(source);
    if (is_in_file && err->position.line > 0) {
        snprintf(message, sizeof message, "%.*s:%d:%d: %.380s",
                 lw_shown_length(source, path < 100 ? (int)path : 100), source, err->position.line,
                 err->position.column, err->message);
        memcpy(err->message, message, sizeof message);
    }
    if (is_in_file || err->position.line == 0)
        err->position = origin->whole;
    else
        lw_move_position(&err->position, origin);
    err->excerpt[0] = '\0';
}

bool lw_read_inner(struct lw_reading *reading, struct lw_document *doc, const char *source,
                   size_t length, struct lw_position whole, int quote)
{
    struct lw_reading inner = *reading;
    const char *inside = source;
    size_t size = length;
    struct lw_origin origin = {whole, whole, quote == 0 || whole.length == (int)length + 2 * quote};
    origin.first.column += quote;
    lw_trim(&inside, &size);
    enum lw_source_kind kind = lw_source_kind_of(inside, size);
    bool is_file = kind == LW_SOURCE_FILE || kind == LW_SOURCE_TEXT || kind == LW_SOURCE_DUMP;
    const char *copy = lw_arena_string(reading->arena, source, length);
    if (!copy)
        return lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
    if (!reading->read_source(&inner, doc, source, length)) {
        move_error(reading->err, &origin, is_file, copy);
        return false;
    }
    for (int i = -1; i < LW_SIDES; i++) {
        struct lw_encoding *encoding = i < 0 ? doc->encoding : doc->others[i].encoding;
        if (encoding && (is_file || kind == LW_SOURCE_NAME))
            lw_move_encoding(encoding, NULL); /* they are in another text */
        else if (encoding)
            lw_move_encoding(encoding, &origin);
    }
    return true;
}

/* ---- The parts of `A > S > B` ---- */

/* The next `>` between parts, from `at` on; NULL: there is none. `start` is that of the text. */
static const char *next_arrow(const char *start, const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        char before = at > start ? at[-1] : ' ';
        if (*at == '"') {
            at += lw_mlir_string(at, end);
            continue;
        }
        if (end - at > 1 && ((*at == '/' && at[1] == '/') || (*at == '#' && at[1] == ' '))) {
            at = memchr(at, '\n', (size_t)(end - at)); /* a comment */
            at = at ? at : end;
            continue;
        }
        if (*at == '>' && before != '-') {
            bool blank = strchr(" \t\r\n", before);
            if (depth == 0 && blank && (at + 1 == end || !strchr("=>", at[1])))
                return at;
            depth -= depth > 0;
        } else if (strchr("([{<", *at)) {
            depth++;
        } else if (strchr(")]}", *at)) {
            depth -= depth > 0;
        }
        at++;
    }
    return NULL;
}

int lw_access_split(const char *text, size_t length, struct lw_access_part parts[LW_SIDES])
{
    const char *at = text, *end = text + length;
    int count = 0;
    for (bool more = true; more && count < LW_SIDES; count++) {
        const char *arrow = count + 1 < LW_SIDES ? next_arrow(text, at, end) : NULL;
        const char *stop = arrow ? arrow : end;
        struct lw_access_part *part = &parts[count];
        part->text = at;
        part->length = (size_t)(stop - at);
        lw_trim(&part->text, &part->length);
        at = arrow ? arrow + 1 : end;
        more = arrow != NULL;
    }
    return count;
}

/* Reads one part, which is one layout. */
static bool read_part(struct lw_reading *reading, const struct lw_access_part *part,
                      struct lw_document *doc)
{
    struct lw_position whole = lw_position_at(reading->text, (size_t)(part->text - reading->text));
    whole.length = (int)part->length;
    memset(doc, 0, sizeof *doc);
    lw_tensor_unknown(&doc->tensor);
    if (!lw_read_inner(reading, doc, part->text, part->length, whole, 0))
        return false;
    return !lw_document_is_access(doc) ||
           lw_error_at(reading->err, LW_ERROR_SYNTAX, whole,
                       "this is an access itself: each part of 'A > S > B' is one layout");
}

/* The side of the second of two layouts. */
static enum lw_side second_side(const struct lw_document *first, const struct lw_document *second)
{
    return first->side != LW_SIDE_S && lw_document_is_in_memory(second) ? LW_SIDE_S : LW_SIDE_B;
}

/* Makes a layout the document's own, or another one of it. */
static bool put_part(struct lw_reading *reading, struct lw_document *doc, enum lw_side side,
                     const struct lw_document *part)
{
    if (!lw_check_side(part, side, reading->err))
        return false;
    if (doc->encoding) {
        doc->others[side] = (struct lw_document_layout){part->encoding, part->tensor};
    } else {
        *doc = *part;
        doc->side = side;
    }
    return true;
}

bool lw_read_access(struct lw_reading *reading, struct lw_document *doc,
                    const struct lw_access_part *parts, int count)
{
    struct lw_document read[LW_SIDES];
    struct lw_document whole = {.notation = LW_NOTATION_ACCESS};
    for (int i = 0; i < count; i++) {
        if (parts[i].length == 0 && count < LW_SIDES) {
            struct lw_position position =
                lw_position_at(reading->text, (size_t)(parts[i].text - reading->text));
            return lw_error_at(reading->err, LW_ERROR_SYNTAX, position, "expected a layout %s '>'",
                               i ? "after" : "before");
        }
        if (parts[i].length && !read_part(reading, &parts[i], &read[i]))
            return false;
    }
    if (count < LW_SIDES)
        lw_document_settle(&read[0]);
    for (int i = 0; i < count; i++) {
        enum lw_side side = count == LW_SIDES ? (enum lw_side)i
                            : i == 0          ? read[0].side
                                              : second_side(&read[0], &read[1]);
        if (parts[i].length && !put_part(reading, &whole, side, &read[i]))
            return false;
    }
    if (!whole.encoding)
        return lw_error_set(reading->err, LW_ERROR_SYNTAX,
                            "expected 'A > S > B', with one layout at least");
    whole.arena = doc->arena; /* which has grown */
    whole.notation = LW_NOTATION_ACCESS;
    whole.text = reading->text;
    *doc = whole;
    return true;
}

/* ---- Writing ---- */

/* The layout at a side as a document whose tensor is only what is set beside it. */
static struct lw_document layout_at(const struct lw_document *doc, enum lw_side side)
{
    struct lw_document one = *doc;
    memset(one.others, 0, sizeof one.others);
    one.side = side;
    if (side != doc->side) {
        one.encoding = doc->others[side].encoding;
        one.tensor = doc->others[side].tensor;
        one.expression = NULL;
    }
    return one;
}

void lw_document_print_access(struct lw_text *text, const struct lw_document *doc)
{
    enum lw_side sides[LW_SIDES];
    int count = 0;
    if (doc->cuda) {
        lw_text_format(text, "%s%s", doc->cuda_given, doc->cuda);
        return;
    }
    for (int i = 0; i < LW_SIDES; i++)
        if (lw_document_has(doc, (enum lw_side)i))
            sides[count++] = (enum lw_side)i;
    bool short_form = count == 1;
    if (count == 2) { /* when the two have these sides also as they are read */
        struct lw_document a = layout_at(doc, sides[0]), b = layout_at(doc, sides[1]);
        a.side = LW_SIDE_A;
        lw_document_settle(&a);
        short_form = a.side == sides[0] && second_side(&a, &b) == sides[1];
    }
    const char *arrow = "";
    for (int i = 0; i < LW_SIDES; i++) {
        bool has = lw_document_has(doc, (enum lw_side)i);
        if (short_form && !has)
            continue;
        lw_text_add(text, arrow);
        arrow = has ? " > " : " >";
        if (has) {
            struct lw_document one = layout_at(doc, (enum lw_side)i);
            lw_document_source(text, &one);
        }
    }
}
