/* The kernel of a lesson: a dump of Triton in its "kernel", and the operation that a step opens by its line. */

#include "notation/document/lesson_reading.h"

#include "laneway/map.h"

#include <stdlib.h>
#include <string.h>

void lw_lesson_keep_kernel(struct lw_lesson_reading *reading, const struct lw_value *lines)
{
    struct lw_text text = {0};
    bool good = lines->kind == LW_VALUE_LIST && lines->count > 0;
    for (size_t i = 0; good && i < lines->count; i++) {
        good = lines->items[i].kind == LW_VALUE_STRING;
        if (good)
            lw_text_format(&text, "%s\n", lines->items[i].string);
    }
    if (!good)
        lw_lesson_problem(reading, lines->position,
                          "'kernel' must be a list of strings, the lines of a dump");
    const char *kept = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    if (!kept || text.failed)
        lw_lesson_problem(reading, lines->position, "out of memory");
    reading->lesson->kernel = kept ? kept : "";
    lw_text_free(&text);
}

void lw_lesson_drop_kernel(struct lw_lesson_reading *reading)
{
    if (reading->kernel)
        lw_kernel_free(reading->kernel);
    free(reading->kernel);
    reading->kernel = NULL;
}

/* The kernel, read when it is first needed; NULL: it cannot be read, which is reported. */
static const struct lw_kernel *kernel_of(struct lw_lesson_reading *reading,
                                         struct lw_position position)
{
    const char *text = reading->lesson->kernel;
    struct lw_error err = {0};
    if (reading->kernel)
        return reading->kernel;
    if (!*text) {
        lw_lesson_problem(reading, position, "the lesson has no 'kernel', of which this is a line");
        return NULL;
    }
    struct lw_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel || !lw_kernel_read(kernel, text, strlen(text), NULL, &err)) {
        lw_lesson_problem(reading, position, "'kernel': %.200s",
                          kernel ? err.message : "out of memory");
        free(kernel);
        return NULL;
    }
    return reading->kernel = kernel;
}

/* ---- A transpose ---- */

/* The dims of "order = array<i32: 1, 0>": dim i of the result is dim order[i] of the operand. False: it has none. */
static bool read_order(const char *text, int rank, int *order)
{
    static const char key[] = "order = array<i32: ";
    const char *p = strstr(text, key);
    p = p ? p + sizeof key - 1 : NULL;
    for (int i = 0; p && i < rank; i++) {
        char *end;
        long dim = strtol(p, &end, 10);
        if (end == p || dim < 0 || dim >= rank)
            return false;
        order[i] = (int)dim;
        p = end + strspn(end, ", ");
    }
    return p != NULL;
}

/* The bases of a layout in the dims of the operand: "#ttg.generic_linear<{register = [[0, 1]], ...}>". */
static void put_bases(struct lw_text *text, const struct lw_layout *layout, const int *order)
{
    uint64_t image[LW_DIMS_MAX], back[LW_DIMS_MAX];
    lw_text_add(text, "#ttg.generic_linear<{");
    for (int dim = 0; dim < layout->in.count; dim++) {
        lw_text_format(text, "%s%s = [", dim ? ", " : "", layout->in.dim[dim].name);
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
            lw_layout_basis(layout, dim, bit, image);
            for (int i = 0; i < layout->out.count; i++)
                back[order[i]] = image[i];
            for (int i = 0; i < layout->out.count; i++)
                lw_text_format(text, "%s%llu",
                               i     ? ", "
                               : bit ? ", ["
                                     : "[",
                               (unsigned long long)back[i]);
            lw_text_char(text, ']');
        }
        lw_text_char(text, ']');
    }
    lw_text_add(text, "}>");
}

/* Gives B, the result of a tt.trans, the dims of its operand, so that the two can be compared. */
static bool put_back(struct lw_document *doc, const struct lw_operation *operation,
                     struct lw_error *err)
{
    struct lw_document result, exchanged;
    struct lw_map map;
    struct lw_layout layout;
    struct lw_text text = {0};
    int order[LW_DIMS_MAX] = {0};
    if (strcmp(operation->kind->name, "tt.trans") != 0 || !doc->others[LW_SIDE_B].encoding)
        return true;
    lw_document_side(&result, doc, LW_SIDE_B);
    if (!lw_document_build(&result, &map, err) || !lw_map_to_layout(&map, &layout, err))
        return false;
    if (!read_order(operation->text, layout.out.count, order))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "this tt.trans has no order of its dims");
    lw_text_add(&text, "tensor<");
    for (int i = 0; i < doc->tensor.rank; i++)
        lw_text_format(&text, "%llux", (unsigned long long)doc->tensor.shape[i]);
    lw_text_format(&text, "%s, ", doc->tensor.element.name);
    put_bases(&text, &layout, order);
    lw_text_char(&text, '>');
    bool good = lw_document_open(&exchanged, lw_text_string(&text), NULL, err);
    if (good) {
        good = lw_document_put(doc, LW_SIDE_B, &exchanged, err);
        lw_document_free(&exchanged);
    }
    lw_text_free(&text);
    return good;
}

bool lw_lesson_read_line(struct lw_lesson_reading *reading, const struct lw_value *line,
                         struct lw_document *doc)
{
    const struct lw_kernel *kernel = kernel_of(reading, line->position);
    struct lw_document of_kernel;
    struct lw_error err = {0};
    bool good = false;
    if (!kernel)
        return false;
    for (size_t i = 0; i < kernel->operation_count; i++) {
        const struct lw_operation *operation = &kernel->operations[i];
        if (line->kind != LW_VALUE_INTEGER || operation->position.line != line->integer)
            continue;
        good = lw_document_of_operation(&of_kernel, kernel, operation, &err);
        if (good) { /* the copy does not borrow from the kernel */
            good = put_back(&of_kernel, operation, &err) && lw_document_copy(doc, &of_kernel, &err);
            lw_document_free(&of_kernel);
        }
        return good || lw_lesson_problem(reading, line->position, "'kernel': %.200s", err.message);
    }
    return lw_lesson_problem(
        reading, line->position,
        "'line' must be the number of a line of 'kernel' with an operation that moves data");
}
