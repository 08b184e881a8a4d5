/* Exchanges two entries of a list as one edit: of an order, of bases, of sizes. Two edits would pass through a value
 * that is not legal. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/form/numbers.h"

#include <string.h>

/* Finds entry `index` of "[a, [b, c], d]": its bytes from *start to *end; false: there are fewer, or it is not a
 * list. */
static bool entry_find(const char *text, size_t index, size_t *start, size_t *end)
{
    int depth = 0;
    if (text[0] != '[')
        return false;
    for (size_t i = 0; text[i]; i++) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        bool begins = depth == 1 && (text[i] == '[' || text[i] == ',');
        bool ends = (depth == 1 && text[i] == ',') || (depth == 0 && text[i] == ']');
        if (ends && index-- == 0) {
            *end = i;
            return *end > *start;
        }
        if (begins) {
            *start = i + 1;
            *start += strspn(text + *start, " ");
        }
    }
    return false;
}

/* The entry with number `item` of the text; SIZE_MAX: none. */
static size_t entry_of_item(const char *text, size_t item)
{
    size_t from, to, start = 0, end;
    if (!lw_number_find(text, item, &from, &to))
        return SIZE_MAX;
    for (size_t i = 0; entry_find(text, i, &start, &end); i++)
        if (from >= start && to <= end)
            return i;
    return SIZE_MAX;
}

/* Appends the text with the bytes from `start` to `end` replaced. */
static void put_replaced(struct lw_text *out, const char *text, size_t start, size_t end,
                         const char *with, size_t length)
{
    lw_text_bytes(out, text, start);
    lw_text_bytes(out, with, length);
    lw_text_add(out, text + end);
}

/* Keeps the chosen number in its entry, which has moved. */
static void follow_entry(struct lw_explorer *ex, const char *text, size_t from, size_t to)
{
    size_t numbers = 0, start = 0, end, first, last;
    if (!entry_find(text, from, &start, &end))
        return;
    for (size_t i = 0; lw_number_find(text, i, &first, &last); i++)
        numbers += first >= start && last <= end;
    ex->form.item = to > from ? ex->form.item + numbers : ex->form.item - numbers;
}

/* Swaps within the list of one field; false: there is no other entry. */
static bool swap_within(struct lw_explorer *ex, const struct lw_field *field, size_t at)
{
    const char *text = lw_text_string(&field->text);
    size_t s1 = 0, e1, s2 = 0, e2, other = at + 1;
    char path[LW_PATH_MAX];
    if (!entry_find(text, other, &s2, &e2)) {
        if (at == 0 || !entry_find(text, at - 1, &s2, &e2))
            return false;
        other = at - 1;
    }
    if (!entry_find(text, at, &s1, &e1))
        return false;
    follow_entry(ex, text, at, other);
    size_t item = ex->form.item;
    if (s2 < s1) {
        size_t s = s1, e = e1;
        s1 = s2, e1 = e2, s2 = s, e2 = e;
    }
    struct lw_text next = {0};
    lw_text_bytes(&next, text, s1);
    lw_text_bytes(&next, text + s2, e2 - s2);
    lw_text_bytes(&next, text + e1, s2 - e1);
    lw_text_bytes(&next, text + s1, e1 - s1);
    lw_text_add(&next, text + e2);
    snprintf(path, sizeof path, "%s", field->path);
    lw_form_set(ex, path, lw_text_string(&next));
    ex->form.item = item;
    lw_text_free(&next);
    return true;
}

static bool has_bases(const struct lw_field *field)
{
    return field->param && field->param->type == LW_PARAM_BASES && !field->hidden;
}

/* Swaps the last basis of a field with the first one of the next field of bases; false: there is none. */
static bool swap_across(struct lw_explorer *ex, size_t index, size_t at)
{
    size_t next = index + 1, s1 = 0, e1, s2 = 0, e2;
    while (next < ex->form.count && ex->form.fields[next].path[0] &&
           !(has_bases(&ex->form.fields[next]) &&
             entry_find(lw_text_string(&ex->form.fields[next].text), 0, &s2, &e2)))
        next++;
    if (!has_bases(&ex->form.fields[index]) || next >= ex->form.count ||
        !ex->form.fields[next].path[0])
        return false;
    const char *a = lw_text_string(&ex->form.fields[index].text);
    const char *b = lw_text_string(&ex->form.fields[next].text);
    struct lw_text values[2] = {{0}, {0}};
    char paths[2][LW_PATH_MAX];
    if (!entry_find(a, at, &s1, &e1))
        return false;
    put_replaced(&values[0], a, s1, e1, b + s2, e2 - s2);
    put_replaced(&values[1], b, s2, e2, a + s1, e1 - s1);
    snprintf(paths[0], sizeof paths[0], "%s", ex->form.fields[index].path);
    snprintf(paths[1], sizeof paths[1], "%s", ex->form.fields[next].path);
    const struct lw_form_value settings[] = {{paths[0], lw_text_string(&values[0])},
                                             {paths[1], lw_text_string(&values[1])}};
    bool set = lw_form_set_all(ex, settings, 2);
    for (int i = 0; i < 2; i++)
        lw_text_free(&values[i]);
    if (set)
        lw_form_choose(ex, paths[1]);
    return true;
}

/* The field with the order of the chosen field's layout. */
static size_t find_order(const struct lw_explorer *ex)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < ex->form.count; i++) {
        const struct lw_field *field = &ex->form.fields[i];
        bool order = field->param && (field->param->rules & LW_RULE_PERMUTATION) && !field->hidden;
        if (order && (first == SIZE_MAX || i < ex->form.field))
            first = i;
    }
    return first;
}

bool lw_form_swaps(const struct lw_explorer *ex)
{
    size_t start = 0, end;
    const struct lw_field *field =
        ex->form.field < ex->form.count ? &ex->form.fields[ex->form.field] : NULL;
    return (field && field->param && entry_find(lw_text_string(&field->text), 0, &start, &end)) ||
           find_order(ex) != SIZE_MAX;
}

void lw_form_swap(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (ex->form.field >= ex->form.count)
        return;
    const struct lw_field *field = &ex->form.fields[ex->form.field];
    size_t at = entry_of_item(lw_text_string(&field->text), ex->form.item);
    if (at != SIZE_MAX && field->param) {
        size_t start = 0, end;
        bool last = !entry_find(lw_text_string(&field->text), at + 1, &start, &end);
        if ((last && swap_across(ex, ex->form.field, at)) || swap_within(ex, field, at))
            return;
    }
    size_t order = find_order(ex);
    if (order != SIZE_MAX && order != ex->form.field) {
        lw_form_choose_at(ex, order);
        if (swap_within(ex, &ex->form.fields[order], 0))
            return;
    }
    lw_explorer_set_message(ex, false, "nothing to swap: this layout has no order and no bases");
}
