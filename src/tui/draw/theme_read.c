/* Reads themes: the notation of looks, the built-in themes, and a user's file. */

#include "tui/draw/theme.h"

#include "notation/document/read.h"
#include "tui/keep/keep_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* ---- A look ---- */

static struct lw_color color_of(uint32_t rgb, int basic, int cube)
{
    return (struct lw_color){true,         (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8),
                             (uint8_t)rgb, (int8_t)basic,        (uint8_t)cube};
}

static bool read_color(struct lw_color *color, const char *token, size_t length)
{
    char digits[7] = "", *end;
    if (length < 7 || token[0] != '#')
        return false;
    memcpy(digits, token + 1, 6);
    if (strspn(digits, "0123456789abcdefABCDEF") != 6)
        return false;
    unsigned long rgb = strtoul(digits, NULL, 16);
    *color = color_of((uint32_t)rgb, -1, 0);
    if (length == 7)
        return true;
    long basic =
        token[7] == '/' && token[8] >= '0' && token[8] <= '9' ? strtol(token + 8, &end, 10) : -1;
    if (basic < 0 || basic > 15 || end != token + length)
        return false;
    color->basic = (int8_t)basic;
    return true;
}

static unsigned attribute_named(const char *token, size_t length)
{
    static const struct {
        const char *name;
        unsigned attribute;
    } table[] = {
        {"bold", LW_BOLD}, {"reverse", LW_REVERSE}, {"underline", LW_UNDERLINE}, {"dim", LW_DIM}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].name) == length && !strncmp(table[i].name, token, length))
            return table[i].attribute;
    return 0;
}

static bool read_paint(struct lw_paint *paint, const char *text, struct lw_error *err)
{
    bool behind = false, mono = false;
    memset(paint, 0, sizeof *paint);
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        unsigned attribute = attribute_named(text, length);
        if (length == 2 && !strncmp(text, "on", 2))
            behind = true;
        else if (length == 1 && *text == '|')
            mono = true;
        else if (attribute)
            *(mono ? &paint->mono : &paint->attributes) |= attribute;
        else if (!read_color(behind ? &paint->bg : &paint->fg, text, length))
            return lw_error_set(
                err, LW_ERROR_SYNTAX,
                "'%.*s' is neither a colour nor an attribute: #rrggbb, on, bold, dim, underline, "
                "reverse",
                (int)length, text);
        text += length;
    }
    if (!mono)
        paint->mono = paint->attributes;
    return true;
}

/* ---- Built-in themes ---- */

/* Pens whose look comes from the theme's palette. */
static const struct {
    enum lw_pen_kind pen;
    enum lw_ink ink;
} of_cells[] = {{LW_PEN_FAINT, LW_INK_FAINT},
                {LW_PEN_HOLE, LW_INK_HOLE},
                {LW_PEN_LABEL, LW_INK_HEAD},
                {LW_PEN_GOOD, LW_INK_GOOD},
                {LW_PEN_BAD, LW_INK_BAD}};

static void make_built_in(struct lw_theme *theme, const struct lw_theme_data *data)
{
    memset(theme, 0, sizeof *theme);
    snprintf(theme->name, sizeof theme->name, "%s", data->name);
    const struct lw_palette *palette = lw_palette_find(data->palette);
    const char *looks[LW_PEN_COUNT] = {NULL};
    for (size_t i = 0; i < sizeof of_cells / sizeof *of_cells; i++)
        looks[of_cells[i].pen] = palette->looks[of_cells[i].ink];
    for (size_t i = 0; i < LW_PEN_COUNT; i++) {
        const char *look = data->pens[i] ? data->pens[i] : looks[i];
        read_paint(&theme->pens[i], look ? look : "", NULL);
    }
    theme->ink_count = palette->inks ? LW_PALETTE_INKS : 0;
    theme->paper = color_of(data->any_paper ? 0x767676 : palette->paper, -1, 0);
    theme->paper.set = !data->any_paper;
    for (unsigned i = 0; palette->inks && i < LW_PALETTE_INKS; i++)
        theme->inks[i] = color_of(palette->inks[i].rgb, lw_palette_basic(i), palette->inks[i].cube);
    for (unsigned i = 0; palette->ramp && i < LW_RAMP_LEVELS; i++)
        theme->ramp[i] =
            color_of(palette->ramp[i].rgb, lw_palette_ramp_basic(i), palette->ramp[i].cube);
    lw_theme_choose_texts(theme);
}

static bool find_built_in(struct lw_theme *theme, const char *name)
{
    size_t count;
    const struct lw_theme_data *data = lw_themes(&count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(data[i].name, name)) {
            make_built_in(theme, &data[i]);
            return true;
        }
    return false;
}

/* ---- The user's file ---- */

static const char *pen_name(const void *context, size_t i)
{
    const char *name = lw_pen_name(i);
    (void)context;
    return name ? name : "";
}

static bool take_pens(struct lw_theme *theme, const struct lw_value *pens, struct lw_error *err)
{
    struct lw_error why = {0};
    if (pens->kind != LW_VALUE_OBJECT)
        return lw_error_at(err, LW_ERROR_SYNTAX, pens->position,
                           "pens is an object: {\"cursor\": \"#000000 on #ffaf00\"}");
    for (size_t i = 0; i < pens->count; i++) {
        size_t kind = 0;
        while (kind < LW_PEN_COUNT && strcmp(pen_name(NULL, kind), pens->names[i]) != 0)
            kind++;
        const char *near = lw_text_nearest(pens->names[i], LW_PEN_COUNT, pen_name, NULL);
        if (kind == LW_PEN_COUNT || !pens->names[i][0])
            return lw_error_at(err, LW_ERROR_NAME, pens->items[i].position,
                               "there is no pen '%.40s'%s%s%s", pens->names[i],
                               near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        if (pens->items[i].kind != LW_VALUE_STRING ||
            !read_paint(&theme->pens[kind], pens->items[i].string, &why))
            return lw_error_at(err, LW_ERROR_SYNTAX, pens->items[i].position, "%s: %s",
                               pens->names[i],
                               why.code ? why.message : "a look is a text in quotes");
    }
    return true;
}

static bool take_inks(struct lw_theme *theme, const struct lw_value *inks, struct lw_error *err)
{
    if (inks->kind != LW_VALUE_LIST || inks->count < 2 || inks->count > LW_PALETTE_INKS)
        return lw_error_at(err, LW_ERROR_SYNTAX, inks->position,
                           "inks is a list of 2 to %d colours", LW_PALETTE_INKS);
    for (size_t i = 0; i < inks->count; i++) {
        const char *ink = inks->items[i].kind == LW_VALUE_STRING ? inks->items[i].string : "";
        if (!read_color(&theme->inks[i], ink, strlen(ink)))
            return lw_error_at(err, LW_ERROR_SYNTAX, inks->items[i].position,
                               "'%.40s' is not a colour: #rrggbb or #rrggbb/N, N of 0 to 15", ink);
    }
    theme->ink_count = (int)inks->count;
    lw_theme_choose_texts(theme);
    return true;
}

static bool take_theme(struct lw_theme *theme, const struct lw_value *object, struct lw_error *err)
{
    if (object->kind != LW_VALUE_OBJECT)
        return lw_error_at(err, LW_ERROR_SYNTAX, object->position,
                           "a theme is an object: {\"base\": \"dark\", \"pens\": {...}}");
    find_built_in(theme, "dark");
    for (size_t i = 0; i < object->count; i++) {
        const struct lw_value *item = &object->items[i];
        if (!strcmp(object->names[i], "base") &&
            (item->kind != LW_VALUE_STRING || !find_built_in(theme, item->string)))
            return lw_error_at(err, LW_ERROR_NAME, item->position,
                               "base is one of dark, light, neutral, safe, mono");
    }
    for (size_t i = 0; i < object->count; i++) {
        const struct lw_value *item = &object->items[i];
        const char *name = object->names[i];
        bool known = !strcmp(name, "base") || !strcmp(name, "pens") || !strcmp(name, "inks");
        if (!known)
            return lw_error_at(err, LW_ERROR_NAME, item->position,
                               "'%.40s': a theme has base, pens and inks", name);
        if ((*name == 'p' && !take_pens(theme, item, err)) ||
            (*name == 'i' && !take_inks(theme, item, err)))
            return false;
    }
    return true;
}

bool lw_theme_read(struct lw_theme *theme, const char *name, const char *text, size_t length,
                   struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_value object;
    struct lw_theme made = {0};
    bool good = lw_check_text(text, length, err) &&
                lw_read_json(&arena, text, length, &object, err) && take_theme(&made, &object, err);
    lw_arena_free(&arena);
    if (!good) {
        lw_error_excerpt(err, text, length);
        return false;
    }
    snprintf(made.name, sizeof made.name, "%s", name);
    *theme = made;
    return true;
}

static bool load_file(struct lw_theme *theme, const char *name, struct lw_error *err)
{
    char below[80];
    struct lw_text path = {0}, text = {0};
    struct lw_error why = {0};
    snprintf(below, sizeof below, "themes/%.48s.json", name);
    bool good = lw_folder_path(&path, LW_FOLDER_CONFIG, below, &why) &&
                lw_file_read(lw_text_string(&path), &text, &why) &&
                lw_theme_read(theme, name, lw_text_string(&text), text.length, &why);
    if (!good && why.position.line)
        lw_error_set(err, why.code, "%s:%d: %s", below, why.position.line, why.message);
    else if (!good && why.code != LW_OK && path.length)
        lw_error_set(err, why.code, "%s", why.message);
    else if (!good)
        lw_error_set(err, LW_ERROR_NAME,
                     "there is no theme '%.40s': dark, light, neutral, safe, mono, or a file %.80s",
                     name, path.length ? lw_text_string(&path) : below);
    lw_text_free(&path);
    lw_text_free(&text);
    return good;
}

/* The theme for the background in COLORFGBG: of the 16 colours, 7 and 9 to 15 are light. */
static const char *default_theme(void)
{
    const char *colors = getenv("COLORFGBG"), *last = colors ? strrchr(colors, ';') : NULL;
    char *end = NULL;
    long number = last ? strtol(last + 1, &end, 10) : -1;
    if (!last || end == last + 1 || *end || number < 0 || number > 15)
        return "neutral";
    return number == 7 || number > 8 ? "light" : "dark";
}

bool lw_theme_load(struct lw_theme *theme, const char *name, struct lw_error *err)
{
    if (!strcmp(name, "auto"))
        name = default_theme();
    if (find_built_in(theme, name))
        return true;
    if (!*name || strchr(name, '/') || *name == '.' || strlen(name) >= sizeof theme->name)
        return lw_error_set(err, LW_ERROR_NAME, "'%.40s' is not the name of a theme", name);
    return load_file(theme, name, err);
}

/* The name of file number i in the folder of themes. */
static bool file_name(size_t i, char name[48])
{
    struct lw_text path = {0};
    DIR *dir = lw_folder_path(&path, LW_FOLDER_CONFIG, "themes", NULL)
                   ? opendir(lw_text_string(&path))
                   : NULL;
    bool found = false;
    for (struct dirent *item; dir && !found && (item = readdir(dir));) {
        size_t length = strlen(item->d_name);
        if (length < 6 || length > 52 || strcmp(item->d_name + length - 5, ".json") != 0)
            continue;
        found = i-- == 0;
        if (found)
            snprintf(name, 48, "%.*s", (int)length - 5, item->d_name);
    }
    if (dir)
        closedir(dir);
    lw_text_free(&path);
    return found;
}

bool lw_theme_name(size_t i, char name[48])
{
    size_t count;
    const struct lw_theme_data *data = lw_themes(&count);
    if (i >= count)
        return file_name(i - count, name);
    snprintf(name, 48, "%s", data[i].name);
    return true;
}
