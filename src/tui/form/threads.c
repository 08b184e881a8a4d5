/* The limits of hardware, for edited layouts. A layout that was read may exceed them: it is shown, with a warning. */

#include "tui/form/threads.h"
#include "tui/explore/explorer.h"

enum { LANES_FEW = 32, LANES_MOST = 64, THREADS_MOST = 1024 };

/* The number of threads of a layout. */
struct threads {
    uint64_t lanes, all; /* of a warp; of all warps */
};

static struct threads threads_of(const struct lw_subject *subject)
{
    const struct lw_dims *in = &subject->map.in;
    uint64_t lanes = lw_dims_find(in, "lane") < 0 ? 1 : lw_dims_size(in, "lane");
    uint64_t warps = lw_dims_find(in, "warp") < 0 ? 1 : lw_dims_size(in, "warp");
    uint64_t threads = lw_dims_find(in, "thread") < 0 ? 1 : lw_dims_size(in, "thread");
    return (struct threads){lanes, lanes * warps > threads ? lanes * warps : threads};
}

/* The larger number of the layout on the screen and of the document as read. */
static struct threads before(const struct lw_explorer *ex, enum lw_side side)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    const struct lw_subject *shown = lw_layouts_at(&ex->layouts, (struct lw_shown){side, false});
    struct threads most = shown ? threads_of(shown) : (struct threads){0, 0};
    struct lw_opened old;
    struct lw_error err;
    if (!lw_document_has(entry->original, side) ||
        !lw_subject_open_side(&old, entry->original, side, lw_explorer_hardware(ex)->lanes, &err))
        return most;
    struct threads read = threads_of(&old.subject);
    lw_subject_close(&old);
    most.lanes = most.lanes > read.lanes ? most.lanes : read.lanes;
    most.all = most.all > read.all ? most.all : read.all;
    return most;
}

static const struct lw_encoding *encoding_at(const struct lw_explorer *ex, enum lw_side side)
{
    const struct lw_document *doc = ex->list.entries[ex->list.entry].doc;
    return side == doc->side ? doc->encoding : doc->others[side].encoding;
}

/* The list of integers of that name; NULL: the layout has none. */
static const struct lw_value *list_of(const struct lw_encoding *encoding, const char *name)
{
    int i = lw_encoding_param(encoding, name);
    return i >= 0 && encoding->params[i].kind == LW_VALUE_LIST ? &encoding->params[i] : NULL;
}

/* Appends the list with its largest entry changed so that the product is `wanted`; false: impossible. */
static bool put_instead(struct lw_text *text, const struct lw_value *list, uint64_t wanted)
{
    uint64_t others = 1;
    size_t largest = 0;
    for (size_t i = 1; i < list->count; i++)
        if (list->items[i].integer > list->items[largest].integer)
            largest = i;
    for (size_t i = 0; i < list->count; i++)
        others *= i == largest ? 1 : (uint64_t)list->items[i].integer;
    if (others == 0 || wanted % others != 0)
        return false;
    for (size_t i = 0; i < list->count; i++)
        lw_text_format(text, "%s%llu", i ? ", " : "[",
                       i == largest ? (unsigned long long)(wanted / others)
                                    : (unsigned long long)list->items[i].integer);
    lw_text_char(text, ']');
    return true;
}

/* Puts "[512, 16] makes"; for a layout without the parameter "this makes". */
static void put_what(struct lw_text *text, const struct lw_value *list)
{
    if (list)
        lw_value_print(text, list);
    else
        lw_text_add(text, "this");
    lw_text_add(text, " makes ");
}

static void put_lanes(struct lw_text *text, const struct lw_hardware *target,
                      const struct lw_value *list, uint64_t lanes)
{
    uint64_t few = target ? target->lanes : LANES_FEW, most = target ? target->lanes : LANES_MOST;
    put_what(text, list);
    lw_text_format(text, "%llu lanes a warp, and %s has %llu", (unsigned long long)lanes,
                   target ? target->name : "hardware", (unsigned long long)few);
    if (!target)
        lw_text_format(text, " or %d", LANES_MOST);
    struct lw_text first = {0}, second = {0};
    bool one = list && put_instead(&first, list, few);
    bool two = list && most != few && put_instead(&second, list, most);
    if (one || two)
        lw_text_format(text, "; try %s%s%s", lw_text_string(&first), one && two ? " or " : "",
                       lw_text_string(&second));
    lw_text_free(&first);
    lw_text_free(&second);
}

const struct lw_hardware *lw_threads_hardware(const struct lw_explorer *ex)
{
    return lw_layouts_are_several(&ex->layouts) ? lw_explorer_hardware(ex) : lw_explorer_target(ex);
}

bool lw_threads_exceed(const struct lw_explorer *ex, enum lw_side side,
                       const struct lw_subject *now, struct lw_error *err)
{
    const struct lw_hardware *target = lw_threads_hardware(ex);
    struct threads has = threads_of(now), had;
    bool lanes = has.lanes > (target ? target->lanes : LANES_MOST), all = has.all > THREADS_MOST;
    if (!lanes && !all)
        return false;
    had = before(ex, side);
    lanes = lanes && has.lanes > had.lanes;
    all = all && has.all > had.all;
    if (!lanes && !all)
        return false;
    const char *name = lanes ? "threadsPerWarp" : "warpsPerCTA";
    const struct lw_value *list = list_of(encoding_at(ex, side), name);
    struct lw_text text = {0};
    if (lanes) {
        put_lanes(&text, target, list, has.lanes);
    } else {
        put_what(&text, list);
        lw_text_format(&text, "%llu threads, and hardware has %d in a block",
                       (unsigned long long)has.all, THREADS_MOST);
    }
    lw_error_about(err, list ? name : "", (struct lw_position){0}, "%s", lw_text_string(&text));
    lw_text_free(&text);
    return true;
}
