/* The first screen: a line to type or paste into, and choices by task, the one under the cursor previewed beside
 * them. `/` lists all of the gallery. */

#include "core/array_count.h"
#include "core/text_rows.h"
#include "core/unused.h"
#include "tui/input.h"
#include "tui/lesson/lesson_screen.h"
#include "tui/list.h"
#include "tui/screen.h"

#include <stdlib.h>
#include <string.h>

/* What a choice opens: a SOURCE, or a screen. */
struct choice {
    const char *title; /* "" an empty line */
    const char *source;
    const char *type; /* -t for it, or NULL */
    void (*open)(struct lw_app *app);
    const char *about; /* shown beside the choice of a screen */
};

static const struct choice choices[] = {
    {"A column through shared memory", "banks/transpose-row-major", NULL, NULL, NULL},
    {"  with a swizzle", "banks/transpose-swizzled", NULL, NULL, NULL},
    {"  with padding", "banks/transpose-padded", NULL, NULL, NULL},
    {"", NULL, NULL, NULL, NULL},
    {"MMA of Ampere", "mma/m16n8k16", NULL, NULL, NULL},
    {"MMA of Hopper", "mma/wgmma-m64n64k16", NULL, NULL, NULL},
    {"MMA of Blackwell", "tmem/four-tiles", NULL, NULL, NULL},
    {"MMA of AMD", "mma/mfma-32x32x8", NULL, NULL, NULL},
    {"", NULL, NULL, NULL, NULL},
    {"A blocked layout", "blocked/16x64", NULL, NULL, NULL},
    {"A product of tilus", "local(2, 1).spatial(8, 4).local(1, 2)", NULL, NULL, NULL},
    {"A tile of CuTe", "((4,8),(2,2)):((32,1),(16,8))", NULL, NULL, NULL},
    {"An access in CUDA C++", "cuda/transpose", NULL, NULL, NULL},
    {"", NULL, NULL, NULL, NULL},
    {"Memory of TMA and wgmma", "shared/nvmma-128", NULL, NULL, NULL},
    {"A large tensor", "blocked/gluon-128x128", "1024x1024xf16", NULL, NULL},
    {"", NULL, NULL, NULL, NULL},
    {"A compiled kernel", NULL, NULL, lw_folder_open_gallery,
     "What a kernel of Triton moves (TTGIR): its operations, the most expensive first, each with "
     "its line of the source. Enter on one of them shows it in the banks."},
    {"The course", NULL, NULL, lw_course_show,
     "Lessons with tasks: what a bank conflict is, why a swizzle mends it, what a warp holds of an "
     "MMA, which conversions cost nothing. Each is done in these same screens."},
};

struct start {
    struct lw_screen screen;
    struct lw_list list;
    bool is_gallery;
    const struct lw_gallery_entry *gallery;
    size_t gallery_count;
    struct lw_input filter;    /* of the gallery */
    struct lw_screen *preview; /* of the row `previewed`, or NULL */
    size_t previewed;
    bool preview_of_gallery;
};

static struct start *start_of(const struct lw_screen *screen)
{
    return (struct start *)screen;
}

/* ---- Rows ---- */

static void choice_cell(LW_UNUSED void *context, size_t row, LW_UNUSED int column,
                        struct lw_text *text, LW_UNUSED struct lw_pen *pen)
{
    lw_text_add(text, choices[row].title);
}

static bool choice_is_apart(LW_UNUSED void *context, size_t row)
{
    return !choices[row].title[0];
}

static void gallery_cell(void *context, size_t row, int column, struct lw_text *text,
                         struct lw_pen *pen)
{
    const struct start *start = context;
    char title[120];
    if (column == 0) {
        lw_text_add(text, start->gallery[row].name);
        return;
    }
    lw_gallery_title(&start->gallery[row], title, sizeof title);
    lw_text_add(text, title);
    *pen = lw_tone(LW_TONE_FAINT);
}

static const struct lw_column choice_columns[] = {{"", false, true, 0, 1}};
static const struct lw_column gallery_columns[] = {{"", false, false, 0, 2},
                                                   {"", false, true, 8, 1}};
static const struct lw_list_source choice_rows = {choice_columns, 1, choice_cell, choice_is_apart,
                                                  NULL},
                                   gallery_rows = {gallery_columns, 2, gallery_cell, NULL, NULL};

static void show_rows(struct start *start, bool gallery)
{
    lw_list_free(&start->list);
    start->list = (struct lw_list){.source = gallery ? &gallery_rows : &choice_rows,
                                   .context = start,
                                   .has_focus = true,
                                   .sort = -1};
    start->is_gallery = gallery;
    start->gallery = lw_gallery(&start->gallery_count);
    lw_input_set(&start->filter, "");
    lw_list_changed(&start->list, gallery ? start->gallery_count : LW_COUNT(choices));
}

static void show_gallery(struct lw_screen *screen, int shown)
{
    show_rows(start_of(screen), shown);
}

/* ---- Opening ---- */

static struct lw_screen *new_layout(struct start *start, size_t row)
{
    struct lw_app *app = start->screen.app;
    const char *type = app->opening.open.type;
    if (!start->is_gallery && choices[row].type && !type)
        app->opening.open.type = choices[row].type;
    struct lw_screen *screen =
        lw_layout_new(app, start->is_gallery ? start->gallery[row].name : choices[row].source);
    app->opening.open.type = type;
    return screen;
}

static void open_choice(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct start *start = start_of(screen);
    size_t row = start->list.at;
    if (!start->list.shown_count)
        return;
    if (!start->is_gallery && choices[row].open)
        choices[row].open(screen->app);
    else
        lw_app_push(screen->app, new_layout(start, row));
}

/* What is typed or pasted opens as a layout that is edited. */
static void type_layout(struct lw_screen *screen, const char *text)
{
    struct lw_screen *layout = lw_layout_new(screen->app, text);
    if (layout)
        lw_layout_edit(layout);
    lw_app_push(screen->app, layout);
}

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct start *start = start_of(screen);
    bool changed;
    char bytes[8] = "";
    if (start->is_gallery && key != '\r' && key != '\n' && key != 27) {
        if (!lw_input_key(&start->filter, key, &changed))
            return false;
        lw_list_filter(&start->list, lw_input_text(&start->filter));
        return true;
    }
    if (key >= LW_KEY_FIRST || lw_text_is_control(key) || (key < 128 && strchr("/?:q ", (int)key)))
        return false;
    lw_text_encode(key, bytes);
    type_layout(screen, bytes);
    return true;
}

enum { CHOICES = 1 };

/* What is typed filters the gallery; at first it becomes a layout, but for the keys of all screens. */
static unsigned state_of(const struct lw_screen *screen)
{
    return start_of(screen)->is_gallery ? LW_TYPING : CHOICES;
}

static struct lw_list *list_of(struct lw_screen *screen)
{
    return &start_of(screen)->list;
}

static bool on_paste(struct lw_screen *screen, const char *text)
{
    type_layout(screen, text);
    return true;
}

/* ---- Drawing ---- */

static void update_preview(struct start *start)
{
    size_t row = start->list.at;
    if (start->preview && start->previewed == row && start->preview_of_gallery == start->is_gallery)
        return;
    if (start->preview)
        start->preview->type->close(start->preview);
    start->preview = NULL;
    start->previewed = row;
    start->preview_of_gallery = start->is_gallery;
    if (start->list.shown_count && (start->is_gallery || choices[row].source))
        start->preview = new_layout(start, row);
}

static void draw_line(struct start *start, struct lw_surface *surface, struct lw_rect rect)
{
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY),
           start->is_gallery ? "/" : "\xe2\x80\xba");
    if (start->is_gallery) {
        lw_input_draw(&start->filter, surface,
                      (struct lw_rect){rect.row, rect.col + 2, 1, rect.width - 2},
                      lw_tone(LW_TONE_TITLE), NULL, -1);
        return;
    }
    lw_put(surface, rect.row, rect.col + 4, rect.width - 4, lw_tone(LW_TONE_FAINT),
           "type or paste a layout, a type, an access; or choose");
    surface->cursor_row = rect.row;
    surface->cursor_col = rect.col + 2;
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct start *start = start_of(screen);
    const bool beside = rect.width >= 72;
    int left = !beside ? rect.width : start->is_gallery ? rect.width * 2 / 5 : 38;
    struct lw_rect list = {rect.row + 2, rect.col, rect.height - 2, left};
    draw_line(start, surface, rect);
    lw_list_draw(&start->list, surface, list);
    if (!beside)
        return;
    for (int row = list.row; row < rect.row + rect.height; row++)
        lw_put(surface, row, rect.col + left, 1, lw_tone(LW_TONE_RULE), "\xe2\x94\x82");
    update_preview(start);
    struct lw_rect right = {list.row, rect.col + left + 2, list.height, rect.width - left - 2};
    if (start->preview)
        lw_layout_draw_preview(start->preview, surface, right);
    else if (!start->is_gallery && choices[start->list.at].about)
        lw_put_wrapped(surface, right, lw_tone(LW_TONE_TEXT), choices[start->list.at].about);
}

static void close_start(struct lw_screen *screen)
{
    struct start *start = start_of(screen);
    if (start->preview)
        start->preview->type->close(start->preview);
    lw_list_free(&start->list);
    lw_input_free(&start->filter);
    free(start);
}

static const struct lw_screen_action start_actions[] = {
    {"up", "Up", "choose", "the choice above", lw_screen_move, -1, 0},
    {"down", "Down", "choose", "the choice below", lw_screen_move, 1, 0},
    {"open", "Enter", "open", "open the choice", open_choice, 0, 0},
    {"gallery", "/", "gallery", "list all of the gallery", show_gallery, true, CHOICES},
    {"choices", "Esc", "choices", "back to the choices", show_gallery, false, LW_TYPING},
};

const struct lw_screen_type lw_start_screen = {
    .name = "start",
    .actions = start_actions,
    .action_count = LW_COUNT(start_actions),
    .state = state_of,
    .list = list_of,
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
    show_rows(start, false);
    lw_app_push(app, &start->screen);
}
