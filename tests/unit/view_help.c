#include "view_help.h"

#include "encoding/tilus/tilus.h"
#include "view/view_parts.h"

#include "golden.h"

static struct lw_document doc;
static struct lw_subject subject;
static struct lw_text head, text;
static bool has_doc;
static struct lw_opened written;

/* What was opened since the subject was made. */
enum { OPEN_MAX = 4096 };
static struct lw_view opened[OPEN_MAX];
static size_t open_count;

void subject_end(void)
{
    while (open_count)
        lw_view_close(&opened[--open_count]);
    if (has_doc)
        lw_document_free(&doc);
    has_doc = false;
    lw_subject_close(&written);
    lw_text_free(&head);
    lw_text_free(&text);
}

const struct lw_subject *subject_of(const char *source)
{
    struct lw_error err = {0};
    struct lw_map map;
    struct lw_tensor tensor;
    subject_end();
    if (!lw_document_open(&doc, source, golden_options(), &err))
        fail_msg("%s: %s", source, err.message);
    has_doc = true;
    if (!lw_document_build(&doc, &map, &err))
        fail_msg("%s: %s", source, err.message);
    lw_document_tensor(&doc, &map, &tensor);
    lw_subject_init(&subject, &map, &tensor, doc.encoding->type->family);
    if (subject.family == LW_FAMILY_TILUS_REGISTER || subject.family == LW_FAMILY_TILUS_SHARED) {
        assert_true(lw_tilus_head(doc.encoding, &head, &err));
        subject.head = lw_text_string(&head);
    }
    return &subject;
}

const struct lw_subject *subject_of_document(struct lw_document *of)
{
    struct lw_error err = {0};
    if (!lw_subject_open(&written, of, LW_LANES_DEFAULT, &err))
        fail_msg("%s", err.message);
    lw_document_free(of);
    return &written.subject;
}

const struct lw_subject *subject_written(const char *source)
{
    struct lw_document of;
    struct lw_error err = {0};
    if (!lw_document_open(&of, source, NULL, &err))
        fail_msg("%s: %s", source, err.message);
    return subject_of_document(&of);
}

const struct lw_subject *subject_of_map(const struct lw_map *map, enum lw_family family, int bits)
{
    struct lw_tensor tensor = {.rank = map->out.count, .element = {"", bits}};
    subject_end();
    for (int i = 0; i < map->out.count; i++)
        tensor.shape[i] = map->out.dim[i].size;
    lw_subject_init(&subject, map, &tensor, family);
    return &subject;
}

void view_open(struct lw_view *view, const char *name, const struct lw_subject *of,
               const struct lw_view_options *options)
{
    struct lw_error err = {0};
    const struct lw_view_type *type = lw_view_type_find(name);
    assert_non_null(type);
    if (!lw_view_open(view, type, of, options, &err))
        fail_msg("%s: %s", name, err.message);
    assert_true(open_count < OPEN_MAX);
    opened[open_count++] = *view;
}

void view_fails(const char *name, const struct lw_subject *of,
                const struct lw_view_options *options, const char *message)
{
    struct lw_error err = {0};
    struct lw_view view;
    assert_false(lw_view_open(&view, lw_view_type_find(name), of, options, &err));
    assert_string_equal(err.message, message);
}

void put_owners(struct lw_text *to, const char *format, const struct lw_subject *of,
                const uint64_t *out)
{
    struct lw_owners owners;
    lw_owners_of(&owners, &of->map, out);
    lw_format_owner_list(to, format, of, &owners);
}

const char *cell_text(const struct lw_view *view, uint64_t row, uint64_t col)
{
    struct lw_cell cell;
    lw_text_clear(&text);
    view->type->cell(view, row, col, &text, &cell);
    return lw_text_string(&text);
}

const char *row_text(const struct lw_view *view, uint64_t row)
{
    lw_text_clear(&text);
    if (view->type->row_label)
        view->type->row_label(view, row, &text);
    return lw_text_string(&text);
}

const char *col_text(const struct lw_view *view, uint64_t col)
{
    lw_text_clear(&text);
    if (view->type->col_label)
        view->type->col_label(view, col, &text);
    return lw_text_string(&text);
}

struct lw_cell cell_class(const struct lw_view *view, uint64_t row, uint64_t col)
{
    struct lw_cell cell;
    lw_text_clear(&text);
    view->type->cell(view, row, col, &text, &cell);
    return cell;
}

char *exported(const struct lw_view *view, const char *format,
               const struct lw_export_options *options, struct lw_error *err)
{
    char *printed = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&printed, &length);
    assert_non_null(stream);
    bool good = lw_export(view, lw_format_find(format), options, stream, err);
    fclose(stream);
    if (good)
        return printed;
    free(printed);
    return NULL;
}
