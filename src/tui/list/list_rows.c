/* The rows of the list: the entries that match the filter and are not folded away. A group is a run of gallery entries
 * whose names begin with the same folder, or the lessons; folded it is one row.
 *
 * Invariant: the entry on the screen always has a row. */

#include "tui/explore/explorer.h"

#include <string.h>
#include <strings.h>

/* The length of the folder in an entry's name; 0: it has none. */
static size_t folder_length(const struct lw_entry *entry)
{
    size_t length = strcspn(entry->source, "/");
    bool gallery = !entry->own && !entry->lesson && !entry->label[0];
    return gallery && entry->source[length] ? length + 1 : 0;
}

static bool same_group(const struct lw_entry *a, const struct lw_entry *b)
{
    if (a->lesson || b->lesson)
        return a->lesson && b->lesson;
    size_t length = folder_length(a);
    return length && length == folder_length(b) && !strncmp(a->source, b->source, length);
}

/* The first entry of an entry's group; the entry itself if it has no group. */
static size_t group_first(const struct lw_list *list, size_t i)
{
    while (i > 0 && same_group(&list->entries[i - 1], &list->entries[i]))
        i--;
    return i;
}

static const struct lw_entry *shown_entry(const struct lw_list *list)
{
    return list->entry < list->count ? &list->entries[list->entry] : NULL;
}

bool lw_list_is_shown(const struct lw_explorer *ex)
{
    const struct lw_entry *entry = shown_entry(&ex->list);
    return ex->options->count == 0 || ex->options->count > 2 || ex->list.of_folder ||
           (entry && entry->kernel);
}

/* Whether an entry may be listed: beside a layout of a kernel only the layouts of that kernel. */
static bool belongs(const struct lw_list *list, size_t i)
{
    const struct lw_entry *entry = shown_entry(list), *other = &list->entries[i];
    return !entry->kernel || (other->kernel == entry->kernel &&
                              !strncmp(other->source, entry->source, entry->kernel));
}

size_t lw_list_group(const struct lw_list *list, size_t i)
{
    size_t count = 1, first = group_first(list, i);
    while (first + count < list->count &&
           same_group(&list->entries[first], &list->entries[first + count]))
        count++;
    return count;
}

bool lw_list_matches(struct lw_explorer *ex, size_t i, const char *filter)
{
    struct lw_entry *entry = &ex->list.entries[i];
    return lw_contains_text(lw_entry_name(entry), filter) ||
           lw_contains_text(entry->source, filter) ||
           lw_contains_text(lw_entry_title(entry), filter);
}

/* The rank of a match: the name begins with the text, a part of the name does, it is elsewhere in the name, or only in
 * the title. */
static int rank(const struct lw_entry *entry, const char *filter)
{
    const char *const names[] = {lw_entry_name(entry), entry->source};
    size_t length = strlen(filter);
    int best = 0, count = entry->lesson ? 1 : 2; /* the list does not show the source of a lesson */
    for (int i = 0; i < count; i++)
        for (const char *at = names[i]; *at; at++)
            if (!strncasecmp(at, filter, length)) {
                int own = at == names[i] ? 3 : strchr("/ -", at[-1]) ? 2 : 1;
                best = own > best ? own : best;
            }
    return best;
}

/* The first of the best matches of the filter; list.count: none. */
static size_t best_match(struct lw_explorer *ex, const char *filter)
{
    size_t best = ex->list.count;
    int most = -1;
    for (size_t i = 0; i < ex->list.count; i++) {
        int own = lw_list_matches(ex, i, filter) ? rank(&ex->list.entries[i], filter) : -1;
        if (own > most) {
            most = own;
            best = i;
        }
    }
    return best;
}

bool lw_list_is_folded(const struct lw_list *list, size_t i)
{
    return !list->filter[0] && list->entries[group_first(list, i)].folded;
}

/* Whether an entry has a row; `first` is the first entry of its group, or if that is not folded any of the group. */
static bool shows(struct lw_explorer *ex, size_t i, size_t first)
{
    const struct lw_list *list = &ex->list;
    if (i == list->entry)
        return true;
    if (!belongs(list, i))
        return false;
    if (list->filter[0])
        return lw_list_matches(ex, i, list->filter);
    if (!list->entries[first].folded)
        return true;
    /* The row of a folded group is that of the entry on the screen, or of the first. */
    bool has_entry = same_group(&list->entries[i], &list->entries[list->entry]);
    return !has_entry && first == i;
}

bool lw_list_shows(struct lw_explorer *ex, size_t i)
{
    return shows(ex, i, group_first(&ex->list, i));
}

/* The entry of a row, one of the first `end`; `end`: there are fewer rows. *passed: the number of rows before it. */
static size_t find_row(struct lw_explorer *ex, size_t end, size_t row, size_t *passed)
{
    const struct lw_list *list = &ex->list;
    *passed = 0;
    for (size_t i = 0, first = 0; i < end && i < list->count; i++) {
        /* Only the first entry of a folded group is needed: that of others may be any that is not folded. */
        if (i > 0 &&
            (!list->entries[first].folded || !same_group(&list->entries[i - 1], &list->entries[i])))
            first = i;
        if (shows(ex, i, first) && (*passed)++ == row)
            return i;
    }
    return end;
}

size_t lw_list_rows(struct lw_explorer *ex, size_t end)
{
    size_t rows;
    find_row(ex, end, SIZE_MAX, &rows);
    return rows;
}

/* The entry of a row; list.count: there are fewer. */
static size_t entry_at(struct lw_explorer *ex, size_t row)
{
    size_t passed;
    return find_row(ex, ex->list.count, row, &passed);
}

/* The entry of the row above; `i` itself: there is none. */
static size_t row_above(struct lw_explorer *ex, size_t i)
{
    for (size_t before = i; before-- > 0;)
        if (lw_list_shows(ex, before))
            return before;
    return i;
}

bool lw_list_continues(struct lw_explorer *ex, size_t i)
{
    size_t above = row_above(ex, i);
    return above < i && same_group(&ex->list.entries[above], &ex->list.entries[i]);
}

/* Whether the lessons begin or end above an entry. */
static bool begins_part(struct lw_explorer *ex, size_t i)
{
    return !ex->list.entries[row_above(ex, i)].lesson != !ex->list.entries[i].lesson;
}

size_t lw_list_next(struct lw_explorer *ex, struct lw_list_walk *walk, bool *part)
{
    for (; walk->next < ex->list.count; walk->next++) {
        size_t i = walk->next;
        if (!lw_list_shows(ex, i) || walk->row++ < ex->list.top)
            continue;
        *part = walk->begun && !walk->separated && begins_part(ex, i);
        walk->separated = *part;
        walk->begun = true;
        walk->next += !*part;
        return i;
    }
    return ex->list.count;
}

static void show(struct lw_explorer *ex, size_t entry)
{
    if (entry == ex->list.entry || entry >= ex->list.count)
        return;
    lw_trail_drop_layouts(ex);
    ex->list.entry = entry;
    ex->changed |= LW_CHANGED_ENTRY;
}

void lw_list_move(struct lw_explorer *ex, int64_t by)
{
    int64_t rows = (int64_t)lw_list_rows(ex, ex->list.count);
    int64_t row = (int64_t)lw_list_rows(ex, ex->list.entry) + by;
    if (rows)
        show(ex, entry_at(ex, (size_t)(row < 0 ? 0 : row >= rows ? rows - 1 : row)));
}

void lw_list_filter(struct lw_explorer *ex, const char *text)
{
    bool same = !strcmp(ex->list.filter, text), kept = lw_list_matches(ex, ex->list.entry, text);
    if (!ex->list.filter[0])
        ex->list.unfiltered = ex->list.entry;
    snprintf(ex->list.filter, sizeof ex->list.filter, "%s", text);
    if (!*text || (same && kept))
        return;
    size_t best = best_match(ex, text);
    if (best == ex->list.count)
        show(ex, ex->list.unfiltered); /* the typed text may be an element of that layout */
    else if (!kept || rank(lw_explorer_entry(ex), text) < rank(&ex->list.entries[best], text))
        show(ex, best);
}

void lw_list_unfilter(struct lw_explorer *ex)
{
    if (!ex->list.filter[0])
        return;
    ex->list.filter[0] = '\0';
    show(ex, ex->list.unfiltered);
}

bool lw_list_has(struct lw_explorer *ex, const char *text)
{
    for (size_t i = 0; i < ex->list.count; i++)
        if (lw_list_matches(ex, i, text))
            return true;
    return false;
}

void lw_list_fold(struct lw_explorer *ex, int fold)
{
    struct lw_entry *first = &ex->list.entries[group_first(&ex->list, ex->list.entry)];
    if (lw_list_group(&ex->list, ex->list.entry) > 1 && !ex->list.filter[0])
        first->folded = fold;
}
