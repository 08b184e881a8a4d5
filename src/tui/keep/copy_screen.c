/* The list of what can be copied of a layout: its source, the command line that prints the picture, each notation,
 * index arithmetic, the document. The row under the cursor goes to the clipboard. */

#include "core/array_count.h"
#include "tui/list.h"
#include "tui/keep/taken.h"
#include "laneway/formula.h"

#include <stdlib.h>
#include <string.h>

/* A row has a text, or a language that its index arithmetic is written in when it is copied. */
struct choice {
    char label[24];
    char *text;
    const struct lw_formula_language *language;
};

struct copy {
    struct lw_screen screen;
    struct lw_screen *of; /* the layout's, below */
    struct choice *choices;
    size_t count;
    struct lw_list rows;
};

static struct copy *copy_of(const struct lw_screen *screen)
{
    return (struct copy *)screen;
}

/* ---- Rows ---- */

static void add(struct copy *copy, const char *label, const char *text,
                const struct lw_formula_language *language)
{
    struct choice choice = {.text = text ? strdup(text) : NULL, .language = language};
    struct choice *more = realloc(copy->choices, (copy->count + 1) * sizeof *more);
    if (more)
        copy->choices = more;
    if (!more || (text && !choice.text)) {
        free(choice.text);
        lw_app_message(copy->screen.app, "out of memory");
        return;
    }
    snprintf(choice.label, sizeof choice.label, "%s", label);
    copy->choices[copy->count++] = choice;
}

/* Appends a word as a shell reads it. */
static void put_quoted(struct lw_text *text, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-";
    if (*word && strspn(word, plain) == strlen(word)) {
        lw_text_add(text, word);
        return;
    }
    lw_text_char(text, '\'');
    for (; *word; word++)
        if (*word == '\'')
            lw_text_add(text, "'\\''");
        else
            lw_text_char(text, *word);
    lw_text_char(text, '\'');
}

/* The command line that prints the picture. */
static void put_command(struct lw_text *text, const struct lw_on_screen *shown)
{
    struct lw_taken_view views[LW_TAKEN_VIEWS];
    struct lw_text highlight = {0};
    size_t count = lw_taken_views(shown, views);
    lw_text_add(text, "laneway show ");
    put_quoted(text, lw_text_string(&shown->model->text));
    if (shown->other) {
        lw_text_char(text, ' ');
        put_quoted(text, lw_text_string(&shown->other->text));
        return;
    }
    for (size_t i = 0; i < count && i < 1; i++)
        lw_text_format(text, " --view %s", views[i].name);
    lw_taken_highlight(shown, &highlight);
    if (highlight.length)
        lw_text_format(text, " --highlight %s", lw_text_string(&highlight));
    lw_text_free(&highlight);
}

/* Each notation of the layout that is shown. */
static void add_notations(struct copy *copy, const struct lw_subject *subject, const char *before)
{
    const struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                                 subject->encoding};
    struct lw_translation_table table = {0};
    if (lw_translation_table_fill(&table, &request, NULL))
        for (int i = 0; i < table.count; i++)
            if (!table.row[i].remark) {
                char label[24];
                snprintf(label, sizeof label, "%s%s", before, table.row[i].system->title);
                add(copy, label, table.row[i].text, NULL);
            }
    lw_translation_table_free(&table);
}

static void add_all(struct copy *copy, const struct lw_on_screen *shown)
{
    struct lw_text text = {0};
    size_t count;
    const struct lw_formula_language *languages = lw_formula_languages(&count);
    add(copy, "source", lw_text_string(&shown->model->text), NULL);
    put_command(&text, shown);
    add(copy, "command line", lw_text_string(&text), NULL);
    const struct lw_subject *memory = lw_model_at(shown->model, LW_SIDE_S);
    if (memory && memory != shown->subject) /* what is copied most of an access */
        add_notations(copy, memory, "S in ");
    add_notations(copy, shown->subject, memory == shown->subject ? "S in " : "");
    for (size_t i = 0; i < count; i++)
        add(copy, languages[i].name, NULL, &languages[i]);
    lw_text_clear(&text);
    lw_document_print(&text, &shown->model->doc);
    add(copy, "document", lw_text_string(&text), NULL);
    lw_text_free(&text);
}

static void put_cell(void *context, size_t row, int column, struct lw_text *text,
                     struct lw_pen *pen)
{
    const struct choice *choice = &((const struct copy *)context)->choices[row];
    if (column == 0) {
        lw_text_add(text, choice->label);
        *pen = lw_tone(LW_TONE_KEY);
    } else if (row + 1 == ((const struct copy *)context)->count) {
        lw_text_add(text, "the layout as JSON");
    } else if (choice->text) {
        lw_text_add(text, choice->text);
    } else {
        lw_text_format(text, "index arithmetic: %s", choice->language->help);
    }
}

static const struct lw_column columns[] = {{"", false, false, 12, 2}, {"", false, true, 8, 1}};
static const struct lw_list_source source = {columns, LW_COUNT(columns), put_cell, NULL, NULL};

/* ---- Keys ---- */

static void take(struct lw_screen *screen, int argument)
{
    struct copy *copy = copy_of(screen);
    struct lw_app *app = screen->app;
    const struct choice *choice = &copy->choices[copy->rows.at];
    struct lw_on_screen shown;
    struct lw_error err = {0};
    (void)argument;
    lw_text_clear(&app->copied);
    if (choice->text)
        lw_text_add(&app->copied, choice->text);
    else if (lw_on_screen(copy->of, &shown))
        lw_formula_print(&app->copied, choice->language, &shown.subject->map,
                         shown.subject->tensor.element.bits, lw_text_string(&shown.model->text),
                         &err);
    if (err.code != LW_OK)
        lw_app_problem(app, &err);
    else
        lw_app_message(app, "copied: %s", choice->label);
    lw_app_pop(app);
}

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    return lw_list_key(&copy_of(screen)->rows, key);
}

static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    bool is_opened, is_on = lw_list_mouse(&copy_of(screen)->rows, event, &is_opened);
    if (is_opened)
        take(screen, 0);
    return is_on;
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct copy *copy = copy_of(screen);
    int height = (int)copy->count < rect.height / 2 ? (int)copy->count : rect.height / 2;
    rect.row += rect.height - height;
    rect.height = height;
    if (rect.row > 0)
        lw_put_repeated(surface, rect.row - 1, rect.col, rect.width, lw_tone(LW_TONE_RULE),
                        "\xe2\x94\x80");
    for (int row = 0; row < height; row++)
        lw_put_repeated(surface, rect.row + row, rect.col, rect.width, lw_tone(LW_TONE_TEXT), " ");
    lw_list_draw(&copy->rows, surface, rect);
}

static void move(struct lw_screen *screen, int by)
{
    lw_list_move(&copy_of(screen)->rows, by);
}

static void close_copy(struct lw_screen *screen)
{
    struct copy *copy = copy_of(screen);
    for (size_t i = 0; i < copy->count; i++)
        free(copy->choices[i].text);
    free(copy->choices);
    lw_list_free(&copy->rows);
    free(copy);
}

static const struct lw_screen_action copy_actions[] = {
    {"up", "Up k", "choose", "the row above", move, -1, NULL},
    {"down", "Down j", "choose", "the row below", move, 1, NULL},
    {"copy", "Enter y", "copy", "copy it to the clipboard", take, 0, NULL},
};

const struct lw_screen_type lw_copy_screen = {
    .name = "copy",
    .actions = copy_actions,
    .action_count = LW_COUNT(copy_actions),
    .is_over = true,
    .draw = draw,
    .key = on_key,
    .mouse = on_mouse,
    .close = close_copy,
};

void lw_copy_request(struct lw_screen *screen)
{
    struct lw_on_screen shown;
    struct copy *copy;
    if (!lw_on_screen(screen, &shown) ||
        !(copy = lw_screen_new(screen->app, &lw_copy_screen, sizeof *copy)))
        return;
    copy->of = screen;
    add_all(copy, &shown);
    copy->rows =
        (struct lw_list){.source = &source, .context = copy, .has_focus = true, .sort = -1};
    lw_list_changed(&copy->rows, copy->count);
    lw_app_push(screen->app, &copy->screen);
}
