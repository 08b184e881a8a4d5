/* The built-in themes and the names of pens. The colours of cells are those of the palette of
 * the same name (view/palette.c). */

#include "tui/draw/theme.h"

static const char *const names[LW_PEN_COUNT] = {
    [LW_PEN_TEXT] = "text",         [LW_PEN_FAINT] = "faint",     [LW_PEN_TITLE] = "title",
    [LW_PEN_BORDER] = "border",     [LW_PEN_FOCUS] = "focus",     [LW_PEN_LABEL] = "label",
    [LW_PEN_LABEL_ON] = "label-on", [LW_PEN_CURSOR] = "cursor",   [LW_PEN_LINKED] = "linked",
    [LW_PEN_LIT] = "lit",           [LW_PEN_SELECT] = "select",   [LW_PEN_TAB_ON] = "tab",
    [LW_PEN_KEY] = "key",           [LW_PEN_HEAD] = "head",       [LW_PEN_GOOD] = "good",
    [LW_PEN_BAD] = "bad",           [LW_PEN_CHANGED] = "changed", [LW_PEN_EDIT] = "edit",
    [LW_PEN_HOLE] = "hole",         [LW_PEN_MARK] = "mark",       [LW_PEN_DIFFERS] = "differs",
};

const char *lw_pen_name(size_t kind)
{
    return kind < LW_PEN_COUNT ? names[kind] : NULL;
}

static const struct lw_theme_data themes[] = {
    {.name = "dark",
     .pens = {[LW_PEN_TEXT] = "",
              [LW_PEN_TITLE] = "bold",
              [LW_PEN_BORDER] = "#4e4e4e/8 | dim",
              [LW_PEN_FOCUS] = "#5fd7d7/6 bold",
              [LW_PEN_LABEL_ON] = "#5fd7d7/14 | bold",
              [LW_PEN_CURSOR] = "#000000/0 on #ffffff/15 bold | reverse",
              [LW_PEN_LIT] = "#000000/0 on #ffe14d/11 bold | bold underline",
              [LW_PEN_LINKED] = "#000000/0 on #d0d0d0/7 | reverse bold",
              [LW_PEN_SELECT] = "#eeeeee/15 on #3a3a3a/0 | underline",
              [LW_PEN_TAB_ON] = "#eeeeee/0 on #444444/7 | reverse",
              [LW_PEN_KEY] = "#5fd7d7/6 | bold",
              [LW_PEN_HEAD] = "#5fd7d7/6 bold",
              [LW_PEN_CHANGED] = "#ffd75f/3 | bold",
              [LW_PEN_EDIT] = "#eeeeee/15 on #303030/0 | underline",
              [LW_PEN_MARK] = "#ffffff/15 on #6a4dff/12 | reverse bold underline",
              [LW_PEN_DIFFERS] = "#ffd7d7/15 on #5f0000/1 | reverse underline"}},
    {.name = "light",
     .pens = {[LW_PEN_TEXT] = "",
              [LW_PEN_TITLE] = "bold",
              [LW_PEN_BORDER] = "#808080/8 | dim",
              [LW_PEN_FOCUS] = "#005f87/4 bold",
              [LW_PEN_LABEL_ON] = "#005f87/4 bold",
              [LW_PEN_CURSOR] = "#ffffff/15 on #000000/0 bold | reverse",
              [LW_PEN_LIT] = "#000000/0 on #ffe600/11 bold | bold underline",
              [LW_PEN_LINKED] = "#000000/0 on #bcbcbc/7 | reverse bold",
              [LW_PEN_SELECT] = "#000000/0 on #dadada/7 | underline",
              [LW_PEN_TAB_ON] = "#000000/0 on #d0d0d0/7 | reverse",
              [LW_PEN_KEY] = "#005f87/4 | bold",
              [LW_PEN_HEAD] = "#005f87/4 bold",
              [LW_PEN_CHANGED] = "#875f00/5 | bold",
              [LW_PEN_EDIT] = "#000000/0 on #e4e4e4/7 | underline",
              [LW_PEN_MARK] = "#ffffff/15 on #6a4dff/12 | reverse bold underline",
              [LW_PEN_DIFFERS] = "#870000/15 on #ffd7d7/1 | reverse underline"}},
    {.name = "safe",
     .pens = {[LW_PEN_TEXT] = "",
              [LW_PEN_TITLE] = "bold",
              [LW_PEN_BORDER] = "#4e4e4e/8 | dim",
              [LW_PEN_FOCUS] = "#5fafff/12 bold",
              [LW_PEN_LABEL_ON] = "#5fafff/12 | bold",
              [LW_PEN_CURSOR] = "#000000/0 on #ffffff/15 bold | reverse",
              [LW_PEN_LIT] = "#000000/0 on #ffff5f/11 bold underline | bold underline",
              [LW_PEN_LINKED] = "#000000/0 on #a8a8a8/7 underline | reverse bold",
              [LW_PEN_SELECT] = "#eeeeee/15 on #3a3a3a/0 | underline",
              [LW_PEN_TAB_ON] = "#eeeeee/0 on #444444/7 | reverse",
              [LW_PEN_KEY] = "#5fafff/12 | bold",
              [LW_PEN_HEAD] = "#5fafff/12 bold",
              [LW_PEN_CHANGED] = "#ffff5f/11 | bold",
              [LW_PEN_EDIT] = "#eeeeee/15 on #303030/0 | underline",
              [LW_PEN_MARK] = "#ffffff/15 on #b800b8/5 bold | reverse bold underline",
              [LW_PEN_DIFFERS] = "#000000/0 on #ffaf00/3 underline | reverse underline"}},
    {.name = "mono",
     .pens = {[LW_PEN_TITLE] = "bold",
              [LW_PEN_BORDER] = "dim",
              [LW_PEN_FOCUS] = "bold",
              [LW_PEN_LABEL_ON] = "bold",
              [LW_PEN_CURSOR] = "reverse",
              [LW_PEN_LIT] = "bold underline",
              [LW_PEN_LINKED] = "reverse bold",
              [LW_PEN_SELECT] = "underline",
              [LW_PEN_TAB_ON] = "reverse",
              [LW_PEN_KEY] = "bold",
              [LW_PEN_HEAD] = "bold",
              [LW_PEN_CHANGED] = "bold",
              [LW_PEN_EDIT] = "underline",
              [LW_PEN_MARK] = "reverse bold underline",
              [LW_PEN_DIFFERS] = "reverse underline"}},
};

const struct lw_theme_data *lw_themes(size_t *count)
{
    *count = sizeof themes / sizeof *themes;
    return themes;
}
