/* The rectangles of the panes. On a small screen panes are folded away, except the one with the focus. */

#include "tui/draw/drawing.h"
#include "tui/lesson/lesson_run.h"

enum {
    INSPECTOR_LOW = 2,
    ROOMY = 100, /* from this number of columns on the form is beside the view */
    WIDE = 160,
    LESSON_WIDTH = 62
};

/* The height of the inspector, with the rows that the view does not need. */
static int inspector_height(const struct lw_explorer *ex)
{
    int more = ex->panes.inspector == LW_INSPECTOR_BELOW ? ex->panes.spare : 0;
    if (ex->panes.inspector == LW_INSPECTOR_LOW && ex->screen.height >= 14)
        return INSPECTOR_LOW;
    return ex->screen.height >= 48   ? 9 + more
           : ex->screen.height >= 36 ? 8 + more
           : ex->screen.height >= 22 ? 6 + more
           : ex->screen.height >= 14 ? 4 + more
                                     : 0;
}

/* About the number of a pane's cells that fit a rectangle; 0 while its view is of layouts that have been replaced. */
static uint64_t cells_shown(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                            int height, int width)
{
    if (!pane->has_view || pane->opened != ex->layouts.version || height < 4 || width < 10)
        return 0;
    uint64_t rows = (uint64_t)height - 3, cell = pane->view.type->width(&pane->view) + 1;
    uint64_t cols = ((uint64_t)width - 7) / cell;
    rows = rows < pane->view.rows ? rows : pane->view.rows;
    cols = cols < pane->view.cols ? cols : pane->view.cols;
    return rows * cols;
}

/* Whether a heat map shows all banks and sums in the whole width, but not in half of it. */
static bool heat_needs_width(const struct lw_explorer *ex, int width, int half)
{
    enum { WHOLE = 68 };
    bool heat = false;
    for (int i = 0; i < ex->panes.count; i++)
        heat = heat || (ex->panes.all[i].has_view && ex->panes.all[i].view.type->heat);
    return heat && half < WHOLE && width >= WHOLE;
}

/* Puts the views side by side or one above the other, whichever shows more cells; without room for either, only the
 * active one. */
static void split(const struct lw_explorer *ex, struct lw_rect area, struct lw_rect *view)
{
    enum { NARROW = 30, HEAT_LOW = 6 };
    const int low = lw_focus_below(ex) == LW_FOCUS_FORM ? 6 : 8; /* beside the form */
    if (ex->panes.count < 2) {
        view[ex->panes.active - ex->panes.all] = area;
        return;
    }
    int half = area.width / 2, upper = area.height / 2;
    uint64_t two = 0, stack = 0;
    bool pictures = true;
    for (int i = 0; i < ex->panes.count; i++) {
        two += cells_shown(ex, &ex->panes.all[i], area.height, half);
        stack += cells_shown(ex, &ex->panes.all[i], upper, area.width);
        const struct lw_view_pane *pane = &ex->panes.all[i];
        pictures = pictures && lw_pane_is_picture(pane) && !pane->chosen[pane->view_index].zoom;
    }
    bool prefer_beside = pictures ? !ex->panes.stacked : two >= stack;
    bool wide = heat_needs_width(ex, area.width, half) && upper >= HEAT_LOW;
    bool beside = !wide && half >= NARROW && (prefer_beside || upper < low);
    if (!beside && !wide && upper < low) {
        view[ex->panes.active - ex->panes.all] = area;
    } else if (beside) {
        view[0] = (struct lw_rect){area.row, area.col, area.height, half};
        view[1] = (struct lw_rect){area.row, area.col + half, area.height, area.width - half};
    } else {
        view[0] = (struct lw_rect){area.row, area.col, upper, area.width};
        view[1] = (struct lw_rect){area.row + upper, area.col, area.height - upper, area.width};
    }
}

/* The height of a lesson below the views: at most half; with little room also that of the inspector, and with less all
 * but two rows of cells. */
static int lesson_height(const struct lw_explorer *ex, int top, int *inspector)
{
    enum { VIEW_MIN = 5, LESSON_MIN = 4, LESSON_LOW = 9 };
    if (ex->screen.height < 32)
        *inspector = 0;
    int body = ex->screen.height - top - 1 - *inspector, wanted_height = lw_lesson_height(ex);
    int room = body / 2 < LESSON_LOW ? LESSON_LOW : body / 2;
    bool hidden = ex->panes.count == 1 && lw_lesson_hides(ex, &ex->panes.all[0]);
    room = hidden || room > body - VIEW_MIN || !lw_lesson_step(ex->lesson) ? body - VIEW_MIN : room;
    return room < LESSON_MIN ? 0 : wanted_height < room ? wanted_height : room;
}

/* Puts the inspector into the lower part of the column of the form, or of the list. */
static void put_beside(struct lw_panes *panes, struct lw_rect *column)
{
    enum { INSPECTOR_MIN = 9 };
    int height = column->height * 2 / 5;
    height = height < INSPECTOR_MIN ? INSPECTOR_MIN : height;
    column->height -= height;
    panes->inspector =
        (struct lw_rect){column->row + column->height, column->col, height, column->width};
}

/* A list that stays on the screen keeps its rows, whether its layout has a strip or not. */
static void put_strip_beside(struct lw_panes *panes)
{
    panes->list.row -= panes->strip.height;
    panes->list.height += panes->strip.height;
    panes->strip.col = panes->list.width;
    panes->strip.width -= panes->list.width;
}

static int list_width(const struct lw_explorer *ex)
{
    return ex->list.narrow ? 21 : ex->screen.width >= WIDE ? 40 : ex->screen.width >= 120 ? 29 : 32;
}

static int form_width(const struct lw_explorer *ex)
{
    return ex->screen.width >= WIDE ? 50 : ex->screen.width >= ROOMY ? 36 : 34;
}

static bool has_form(const struct lw_explorer *ex, unsigned focus)
{
    return focus == LW_FOCUS_FORM || (!ex->form.folded && !ex->form.gives_way &&
                                      ex->screen.width >= (ex->panes.count > 1 ? 120 : ROOMY));
}

/* A list that is shown only while it has the focus covers the lesson or the form beside the views, if there is one, so
 * that the views keep their width. */
void lw_panes(const struct lw_explorer *ex, struct lw_panes *panes)
{
    unsigned focus = lw_focus_below(ex);
    *panes = (struct lw_panes){.tiny = ex->screen.height < 6 || ex->screen.width < 24};
    if (panes->tiny)
        return;
    int inspector = inspector_height(ex), top = ex->screen.height >= 8 ? 2 : 1;
    panes->strip = (struct lw_rect){top, 0, lw_strip_height(ex), ex->screen.width};
    top += panes->strip.height;
    bool form = has_form(ex, focus);
    bool aside = form && inspector && ex->panes.inspector == LW_INSPECTOR_BESIDE;
    inspector = aside ? 0 : inspector;
    bool lesson = lw_lesson_is_on(ex), beside = lesson && ex->screen.width >= WIDE;
    int below = lesson && !beside ? lesson_height(ex, top, &inspector) : 0;
    int body = ex->screen.height - top - 1 - inspector - below, left = 0, right = ex->screen.width;
    bool stays = ex->screen.width >= 120 && lw_list_is_shown(ex) && !lesson && !ex->list.folded;
    bool list = focus == LW_FOCUS_GALLERY || stays;
    if (below)
        panes->lesson = (struct lw_rect){top + body + inspector, 0, below, ex->screen.width};
    if (list) {
        panes->instead = !stays && !beside && form && ex->screen.width >= ROOMY;
        form = form && !panes->instead;
        int width = panes->instead     ? form_width(ex)
                    : !stays && beside ? LESSON_WIDTH
                                       : list_width(ex);
        width = width > ex->screen.width - 12 ? ex->screen.width : width;
        panes->list = (struct lw_rect){top, 0, body, width};
        if (stays)
            put_strip_beside(panes);
        left = width;
        if (aside && panes->instead)
            put_beside(panes, &panes->list);
    }
    if (beside && !list) {
        panes->lesson = (struct lw_rect){top, 0, body, LESSON_WIDTH};
        left = LESSON_WIDTH;
    }
    if (form && left < right) {
        int width = form_width(ex);
        width = width > right - left - 12 ? right - left : width;
        panes->form = (struct lw_rect){top, right - width, body, width};
        right -= width;
        if (aside)
            put_beside(panes, &panes->form);
    }
    if (left < right)
        split(ex, (struct lw_rect){top, left, body, right - left}, panes->view);
    if (inspector)
        panes->inspector = (struct lw_rect){top + body, 0, inspector, ex->screen.width};
}

int lw_status_row(const struct lw_explorer *ex)
{
    enum { TWO_ROWS = 10 };
    return ex->screen.height - (ex->screen.height >= TWO_ROWS ? 2 : 1);
}

struct lw_rect lw_panes_over(const struct lw_explorer *ex)
{
    int width = ex->screen.width > 90 ? 84 : ex->screen.width, height = ex->screen.height - 2;
    if (width < 20 || height < 3)
        width = ex->screen.width, height = ex->screen.height;
    return (struct lw_rect){(ex->screen.height - height) / 2, (ex->screen.width - width) / 2,
                            height, width};
}
