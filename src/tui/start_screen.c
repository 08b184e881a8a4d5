/* The first screen: a line to type or paste into, and choices by task, then all of the gallery; the row under the
 * cursor is previewed beside them. */

#include "core/array_count.h"
#include "core/text_rows.h"
#include "core/unused.h"
#include "tui/lesson/lesson_screen.h"
#include "tui/list.h"
#include "tui/screen.h"

#include <stdlib.h>
#include <string.h>

/* What a choice opens: a SOURCE, or a screen. */
struct choice {
    const char *title;
    const char *source; /* NULL: it has `open`, or is an empty line or a heading */
    void (*open)(struct lw_app *app);
    const char *about; /* shown beside the choice of a screen */
};

static const struct choice choices[] = {
    {"A column through shared memory", "banks/transpose-row-major", NULL, NULL},
    {"  with a swizzle", "banks/transpose-swizzled", NULL, NULL},
    {"  with padding", "banks/transpose-padded", NULL, NULL},
    {"", NULL, NULL, NULL},
    {"MMA of Ampere", "mma/m16n8k16", NULL, NULL},
    {"MMA of Hopper", "mma/wgmma-m64n64k16", NULL, NULL},
    {"MMA of Blackwell", "tmem/four-tiles", NULL, NULL},
    {"MMA of AMD", "mma/mfma-32x32x8", NULL, NULL},
    {"", NULL, NULL, NULL},
    {"A blocked layout", "blocked/16x64", NULL, NULL},
    {"A product of tilus", "local(2, 1).spatial(8, 4).local(1, 2)", NULL, NULL},
    {"A tile of CuTe", "((4,8),(2,2)):((32,1),(16,8))", NULL, NULL},
    {"An access in CUDA C++", "cuda/transpose", NULL, NULL},
    {"", NULL, NULL, NULL},
    {"Memory of TMA and wgmma", "shared/nvmma-128", NULL, NULL},
    {"A large tensor",
     "tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [16, 2], "
     "warpsPerCTA = [2, 2], order = [1, 0]}>>",
     NULL, NULL},
    {"", NULL, NULL, NULL},
    {"A compiled kernel", NULL, lw_folder_open_gallery,
     "What a kernel of Triton moves (TTGIR): its operations, the most expensive first, each with "
     "its line of the source. Enter on one of them shows it in the banks."},
    {"The course", NULL, lw_course_show,
     "Lessons with tasks: what a bank conflict is, why a swizzle mends it, what a warp holds of an "
     "MMA, which conversions cost nothing. Each is done in these same screens."},
    {"", NULL, NULL, NULL},
    {"The gallery", NULL, NULL, NULL},
};

struct start {
    struct lw_screen screen;
    struct lw_list list;
    const struct lw_gallery_entry *gallery;
    struct lw_screen *preview; /* of the row `previewed`, or NULL */
    size_t previewed;
};

static struct start *start_of(const struct lw_screen *screen)
{
    return (struct start *)screen;
}

/* ---- Rows: the choices, then the gallery ---- */

static const struct choice *choice_at(size_t row)
{
    return row < LW_COUNT(choices) ? &choices[row] : NULL;
}

static void cell(void *context, size_t row, int column, struct lw_text *text, struct lw_pen *pen)
{
    const struct start *start = context;
    const struct choice *choice = choice_at(row);
    if (column == 0) {
        lw_text_add(text, choice ? choice->title : start->gallery[row - LW_COUNT(choices)].name);
    } else if (!choice) {
        lw_text_add(text, start->gallery[row - LW_COUNT(choices)].title);
        *pen = lw_tone(LW_TONE_FAINT);
    }
}

static bool is_apart(LW_UNUSED void *context, size_t row)
{
    const struct choice *choice = choice_at(row);
    return choice && !choice->source && !choice->open;
}

static const struct lw_column columns[] = {{"", false, 0}, {"", false, 20}};
static const struct lw_list_source source = {columns, LW_COUNT(columns), cell, is_apart, NULL};

/* ---- Opening ---- */

/* The layout of the row under the cursor. */
static struct lw_screen *new_layout(const struct start *start)
{
    const size_t row = start->list.at;
    const struct choice *choice = choice_at(row);
    const char *name = choice ? choice->source : start->gallery[row - LW_COUNT(choices)].name;
    return lw_layout_new(start->screen.app, name);
}

static void open_row(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct start *start = start_of(screen);
    const struct choice *choice = choice_at(start->list.at);
    if (!start->list.shown_count)
        return;
    if (choice && choice->open)
        choice->open(screen->app);
    else
        lw_app_push(screen->app, new_layout(start));
}

/* What is typed or pasted opens as a layout that is edited. */
static void type_layout(struct lw_screen *screen, const char *text)
{
    struct lw_screen *layout = lw_layout_new(screen->app, text);
    if (layout)
        lw_layout_edit(layout, 0);
    lw_app_push(screen->app, layout);
}

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    char bytes[8] = "";
    if (key >= LW_KEY_FIRST || lw_text_is_control(key) || (key < 128 && strchr("/?:q ", (int)key)))
        return false;
    lw_text_encode(key, bytes);
    type_layout(screen, bytes);
    return true;
}

static bool on_paste(struct lw_screen *screen, const char *text)
{
    type_layout(screen, text);
    return true;
}

/* ---- Drawing ---- */

static void update_preview(struct start *start)
{
    const struct choice *choice = choice_at(start->list.at);
    if (start->preview && start->previewed == start->list.at)
        return;
    if (start->preview)
        start->preview->type->close(start->preview);
    start->preview = NULL;
    start->previewed = start->list.at;
    if (start->list.shown_count && (!choice || choice->source))
        start->preview = new_layout(start);
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    enum { LEFT = 38, BESIDE = 72 };
    struct start *start = start_of(screen);
    const struct lw_rect list = {rect.row + 2, rect.col, rect.height - 2,
                                 rect.width < BESIDE ? rect.width : LEFT};
    const struct lw_rect right = {list.row, rect.col + LEFT + 2, list.height,
                                  rect.width - LEFT - 2};
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY), "\xe2\x80\xba");
    lw_put(surface, rect.row, rect.col + 4, rect.width - 4, lw_tone(LW_TONE_FAINT),
           "type or paste a layout, a type, an access; or choose");
    lw_put(surface, rect.row + 1, rect.col + 4, rect.height > 1 ? rect.width - 4 : 0,
           lw_tone(LW_TONE_FAINT),
           "and see who holds each element, in which bank it is, what moving it costs");
    surface->cursor_row = rect.row;
    surface->cursor_col = rect.col + 2;
    lw_list_draw(&start->list, surface, list);
    if (rect.width < BESIDE)
        return;
    for (int row = list.row; row < rect.row + rect.height; row++)
        lw_put(surface, row, rect.col + LEFT, 1, lw_tone(LW_TONE_RULE), "\xe2\x94\x82");
    update_preview(start);
    const struct choice *choice = choice_at(start->list.at);
    if (start->preview)
        lw_layout_draw_preview(start->preview, surface, right);
    else if (choice && choice->about)
        lw_put_wrapped(surface, right, lw_tone(LW_TONE_TEXT), choice->about);
}

static void close_start(struct lw_screen *screen)
{
    struct start *start = start_of(screen);
    if (start->preview)
        start->preview->type->close(start->preview);
    lw_list_free(&start->list);
    free(start);
}

static const struct lw_screen_action start_actions[] = {
    {"up", "Up", LW_UP_DOWN " choose", "the choice above", lw_screen_move, -1, 0},
    {"down", "Down", NULL, "the choice below", lw_screen_move, 1, 0},
    {"open", "Enter", "Enter open", "open the choice", open_row, 0, 0},
};

const struct lw_screen_type lw_start_screen = {
    .name = "start",
    .actions = start_actions,
    .action_count = LW_COUNT(start_actions),
    .list = offsetof(struct start, list),
    .draw = draw,
    .key = on_key,
    .paste = on_paste,
    .close = close_start,
};

void lw_start_open(struct lw_app *app)
{
    struct start *start = lw_screen_new(app, &lw_start_screen, sizeof *start);
    if (!start)
        return;
    size_t count;
    start->gallery = lw_gallery(&count);
    start->list = (struct lw_list){.source = &source, .context = start, .has_focus = true};
    lw_list_changed(&start->list, LW_COUNT(choices) + count);
    lw_app_push(app, &start->screen);
}
