/* The chosen row of the tables of kernels, in full. */

#include "tui/kernel/browse.h"
#include "view/view_parts.h"

#include <inttypes.h>
#include <string.h>

/* Without a surface the rows are only counted. */
static void put_below(struct lw_surface *surface, struct lw_rect *rest, enum lw_pen_kind pen,
                      const char *text)
{
    int used = 0;
    if (surface)
        used = *text && rest->height > 0 ? lw_put_wrapped(surface, *rest, lw_pen(pen), text) : 0;
    for (; !surface && *text && rest->width > 0; used++)
        text += lw_text_row_bytes(text, (size_t)rest->width);
    rest->row += used;
    rest->height -= used;
}

static void put_bytes(uint64_t bytes, struct lw_text *text)
{
    lw_text_add(text, "; ");
    lw_put_size(text, bytes);
    lw_text_add(text, " moved");
}

/* Appends "; 1024 wavefronts, ideal 128, 896 over it". */
static void put_memory(struct lw_text *text, const char *unit, uint64_t number, uint64_t ideal)
{
    lw_text_format(text, "; %" PRIu64 " %s, ideal %" PRIu64, number, unit, ideal);
    if (number > ideal)
        lw_text_format(text, ", %" PRIu64 " over it", number - ideal);
    else if (number)
        lw_text_add(text, ", nothing over it");
}

/* How to find a better layout for an operation over its ideal. */
static const char *hint_of(const struct lw_operation *operation, const struct lw_kernel_cost *cost)
{
    const enum lw_role role = operation->kind->role;
    bool over = cost->wavefronts > cost->ideal && cost->conflicts; /* which a swizzle avoids */
    if (over && (role == LW_ROLE_LOCAL_STORE || role == LW_ROLE_LOCAL_LOAD))
        return "Enter, then o: the shared S with the fewest wavefronts";
    if (over && role == LW_ROLE_CONVERT)
        return "Enter, then o: a shared S of your own against the compiler's";
    return "";
}

void lw_browse_put_cost(const struct lw_kernel_cost *cost, struct lw_text *text)
{
    lw_text_format(text, "%s%s%s", cost->kind, *cost->code ? ": " : "", cost->code);
    if (cost->known & LW_COST_SHARED)
        put_memory(text, "wavefronts", cost->wavefronts, cost->ideal);
    if ((cost->known & LW_COST_SHARED) && cost->wavefronts > cost->ideal) {
        lw_text_add(text, ": ");
        lw_put_excess(text, cost->wavefronts - cost->ideal, cost->conflicts);
    }
    if (cost->known & LW_COST_GLOBAL)
        put_memory(text, "sectors", cost->sectors, cost->ideal_sectors);
    if (cost->bytes)
        put_bytes(cost->bytes, text);
    if (cost->depth)
        lw_text_format(text, "; in %d loop%s, %" PRIu64 "%s times", cost->depth,
                       cost->depth > 1 ? "s" : "", cost->trips,
                       cost->trips_known ? "" : " or more");
}

static int draw_operation(const struct lw_explorer *ex, struct lw_surface *surface,
                          struct lw_rect rest)
{
    struct lw_browser *browser = ex->browser;
    size_t row = lw_browse_chosen(browser, LW_BROWSE_OPERATIONS);
    if (row == SIZE_MAX)
        return 0;
    const struct lw_operation *operation = lw_browse_operation_of(browser, row);
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, row);
    struct lw_text text = {0};
    lw_location_print(&text, operation->location, true);
    if (text.length)
        lw_text_add(&text, "  ");
    lw_text_add(&text, lw_browse_quote(browser, row));
    put_below(surface, &rest, LW_PEN_TITLE, lw_text_string(&text));
    lw_text_clear(&text);
    lw_text_format(&text, "%s  ", operation->name);
    lw_operation_print_tensor(&text, &browser->kernel, operation);
    lw_text_add(&text, "  ");
    lw_operation_print_layouts(&text, &browser->kernel, operation);
    put_below(surface, &rest, LW_PEN_TEXT, lw_text_string(&text));
    lw_text_clear(&text);
    if (cost)
        lw_browse_put_cost(cost, &text);
    lw_browse_put_share(browser, row, &text);
    put_below(surface, &rest, LW_PEN_TEXT, lw_text_string(&text));
    put_below(surface, &rest, LW_PEN_GOOD, cost ? hint_of(operation, cost) : "");
    if (cost && *cost->why) {
        lw_text_clear(&text);
        lw_text_format(&text, "%s%s", cost->known ? "" : "not counted: ", cost->why);
        put_below(surface, &rest, LW_PEN_FAINT, lw_text_string(&text));
    }
    lw_text_free(&text);
    return rest.row;
}

static int draw_layout(const struct lw_explorer *ex, struct lw_surface *surface,
                       struct lw_rect rest)
{
    struct lw_browser *browser = ex->browser;
    size_t row = lw_browse_chosen(browser, LW_BROWSE_LAYOUTS);
    if (row == SIZE_MAX)
        return 0;
    const struct lw_kernel_encoding *encoding =
        &browser->kernel.encodings[browser->layouts[row].encoding];
    struct lw_text text = {0};
    lw_text_format(&text, "%s, line %d, used %" PRIu64 " times", encoding->alias,
                   encoding->position.line, encoding->uses);
    put_below(surface, &rest, LW_PEN_TITLE, lw_text_string(&text));
    put_below(surface, &rest, LW_PEN_TEXT, encoding->text);
    if (encoding->problem)
        put_below(surface, &rest, LW_PEN_BAD, encoding->problem->message);
    lw_text_free(&text);
    return rest.row;
}

void lw_browse_put_file(const struct lw_folder_cost *cost, struct lw_text *text)
{
    if (cost->problems)
        lw_text_format(text, "%zu error%s in its text; ", cost->problems,
                       cost->problems > 1 ? "s" : "");
    if (cost->done && cost->read)
        lw_text_format(text,
                       "%zu operations; wavefronts %" PRIu64 " (ideal %" PRIu64
                       "), sectors %" PRIu64 " (ideal %" PRIu64 ")",
                       cost->operations, cost->wavefronts, cost->ideal, cost->sectors,
                       cost->ideal_sectors);
    else
        lw_text_add(text, cost->done ? "cannot be read" : "its cost is not counted yet");
}

/* The first note, with the mark of the row: "! 2 not counted (i lists them): line 36, tt.reduce: REASON". */
static void put_note(const struct lw_folder_cost *cost, struct lw_text *text)
{
    const char *notes = lw_text_string(&cost->notes);
    if (!*notes)
        return;
    lw_text_add(text, "! ");
    if (cost->uncounted && !cost->problems)
        lw_text_format(text, "%zu not counted%s: ", cost->uncounted,
                       cost->uncounted > 1 ? " (i lists them)" : "");
    lw_text_format(text, "%.*s", (int)strcspn(notes, "\n"), notes);
}

static int draw_kernel_file(const struct lw_explorer *ex, struct lw_surface *surface,
                            struct lw_rect rest)
{
    const struct lw_browser *browser = ex->browser;
    size_t file = lw_browse_chosen(browser, LW_BROWSE_FILES);
    if (file == SIZE_MAX)
        return 0;
    const struct lw_folder_cost *cost = &browser->folder_costs[file];
    struct lw_text text = {0};
    if (surface)
        lw_put_padded(surface, rest.row, rest.col, rest.width, lw_pen(LW_PEN_TEXT),
                      browser->folder.files[file].path, false);
    rest.row++;
    rest.height--;
    lw_browse_put_file(cost, &text);
    put_below(surface, &rest, cost->problems ? LW_PEN_BAD : LW_PEN_TEXT, lw_text_string(&text));
    lw_text_clear(&text);
    put_note(cost, &text);
    put_below(surface, &rest, LW_PEN_FAINT, lw_text_string(&text));
    lw_text_free(&text);
    return rest.row;
}

int lw_draw_browse_detail(const struct lw_explorer *ex, struct lw_surface *surface,
                          struct lw_rect inside)
{
    bool folder = lw_focus_below(ex) == LW_FOCUS_FOLDER;
    int row = (folder                                      ? draw_kernel_file
               : ex->browser->list == LW_BROWSE_OPERATIONS ? draw_operation
                                                           : draw_layout)(ex, surface, inside);
    return row > inside.row ? row - inside.row : 0;
}
