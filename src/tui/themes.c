/* The built-in themes and the names of pens. Inks come in an order in which neighbours contrast: in the
 * safe theme in lightness too, for eyes that do not tell red from green. */

#include "tui/theme.h"

static const char *const names[LW_PEN_COUNT] = {
    [LW_PEN_TEXT] = "text",         [LW_PEN_FAINT] = "faint",     [LW_PEN_TITLE] = "title",
    [LW_PEN_BORDER] = "border",     [LW_PEN_FOCUS] = "focus",     [LW_PEN_LABEL] = "label",
    [LW_PEN_LABEL_ON] = "label-on", [LW_PEN_CURSOR] = "cursor",   [LW_PEN_LINKED] = "linked",
    [LW_PEN_SELECT] = "select",     [LW_PEN_TAB_ON] = "tab",      [LW_PEN_KEY] = "key",
    [LW_PEN_HEAD] = "head",         [LW_PEN_GOOD] = "good",       [LW_PEN_BAD] = "bad",
    [LW_PEN_CHANGED] = "changed",   [LW_PEN_EDIT] = "edit",       [LW_PEN_HOLE] = "hole",
    [LW_PEN_MARK] = "mark",         [LW_PEN_DIFFERS] = "differs",
};

const char *lw_pen_name(size_t kind)
{
    return kind < LW_PEN_COUNT ? names[kind] : NULL;
}

static const struct lw_theme_data themes[] = {
    {.name = "dark",
     .pens = {[LW_PEN_TEXT] = "",
              [LW_PEN_FAINT] = "#808080/8 | dim",
              [LW_PEN_TITLE] = "bold",
              [LW_PEN_BORDER] = "#4e4e4e/8 | dim",
              [LW_PEN_FOCUS] = "#5fd7d7/6 bold",
              [LW_PEN_LABEL] = "#949494/7 | dim",
              [LW_PEN_LABEL_ON] = "#5fd7d7/14 | bold",
              [LW_PEN_CURSOR] = "#000000/0 on #5fd7d7/6 | reverse",
              [LW_PEN_LINKED] = "#000000/0 on #d0d0d0/7 bold | reverse bold",
              [LW_PEN_SELECT] = "#eeeeee/15 on #3a3a3a/0 | underline",
              [LW_PEN_TAB_ON] = "#eeeeee/0 on #444444/7 bold | reverse",
              [LW_PEN_KEY] = "#5fd7d7/6 | bold",
              [LW_PEN_HEAD] = "#5fd7d7/6 bold",
              [LW_PEN_GOOD] = "#87d787/2",
              [LW_PEN_BAD] = "#ff5f5f/9 bold | bold underline",
              [LW_PEN_CHANGED] = "#ffd75f/3 | bold",
              [LW_PEN_EDIT] = "#eeeeee/15 on #303030/0 | underline",
              [LW_PEN_HOLE] = "#4e4e4e/8 | dim",
              [LW_PEN_MARK] = "#000000/0 on #ffd75f/3 | bold underline",
              [LW_PEN_DIFFERS] = "#ffd7d7/15 on #5f0000/1 | reverse underline"},
     .inks = "#5fd7d7/6 #ffaf5f/3 #87ff87/2 #ff87d7/5 #ffd787/11 #87afff/12 #ff5f5f/9 #afffd7/14 "
             "#d787ff/13 #d7af5f/3 #5fafd7/6 #afff5f/10 #d7875f/1 #af87d7/13 #ffffaf/11 #5faf87/2"},
    {.name = "light",
     .pens = {[LW_PEN_TEXT] = "",
              [LW_PEN_FAINT] = "#6c6c6c/8 | dim",
              [LW_PEN_TITLE] = "bold",
              [LW_PEN_BORDER] = "#b2b2b2/7 | dim",
              [LW_PEN_FOCUS] = "#005f87/4 bold",
              [LW_PEN_LABEL] = "#6c6c6c/8 | dim",
              [LW_PEN_LABEL_ON] = "#005f87/4 bold",
              [LW_PEN_CURSOR] = "#ffffff/15 on #005f87/4 | reverse",
              [LW_PEN_LINKED] = "#000000/0 on #bcbcbc/7 bold | reverse bold",
              [LW_PEN_SELECT] = "#000000/0 on #dadada/7 | underline",
              [LW_PEN_TAB_ON] = "#000000/0 on #d0d0d0/7 bold | reverse",
              [LW_PEN_KEY] = "#005f87/4 | bold",
              [LW_PEN_HEAD] = "#005f87/4 bold",
              [LW_PEN_GOOD] = "#005f00/2",
              [LW_PEN_BAD] = "#d70000/1 bold | bold underline",
              [LW_PEN_CHANGED] = "#875f00/5 | bold",
              [LW_PEN_EDIT] = "#000000/0 on #e4e4e4/7 | underline",
              [LW_PEN_HOLE] = "#b2b2b2/7 | dim",
              [LW_PEN_MARK] = "#000000/0 on #ffd75f/3 | bold underline",
              [LW_PEN_DIFFERS] = "#870000/15 on #ffd7d7/1 | reverse underline"},
     .inks = "#005faf/4 #af5f00/1 #005f00/2 #af005f/5 #5f5f00/0 #5f5fd7/4 #d70000/1 #005f5f/6 "
             "#8700af/5 #875f00/1 #00005f/4 #5f8700/2 #5f00af/5 #af005f/1 #005f87/6 #870000/1"},
    {.name = "safe",
     .pens = {[LW_PEN_TEXT] = "",
              [LW_PEN_FAINT] = "#808080/8 | dim",
              [LW_PEN_TITLE] = "bold",
              [LW_PEN_BORDER] = "#4e4e4e/8 | dim",
              [LW_PEN_FOCUS] = "#5fafff/12 bold",
              [LW_PEN_LABEL] = "#949494/7 | dim",
              [LW_PEN_LABEL_ON] = "#5fafff/12 | bold",
              [LW_PEN_CURSOR] = "#000000/0 on #ffffff/15 bold | reverse",
              [LW_PEN_LINKED] = "#000000/0 on #a8a8a8/7 underline | reverse bold",
              [LW_PEN_SELECT] = "#eeeeee/15 on #3a3a3a/0 | underline",
              [LW_PEN_TAB_ON] = "#eeeeee/0 on #444444/7 bold | reverse",
              [LW_PEN_KEY] = "#5fafff/12 | bold",
              [LW_PEN_HEAD] = "#5fafff/12 bold",
              [LW_PEN_GOOD] = "#5fafff/12",
              [LW_PEN_BAD] = "#ffaf00/11 bold underline",
              [LW_PEN_CHANGED] = "#ffff5f/11 | bold",
              [LW_PEN_EDIT] = "#eeeeee/15 on #303030/0 | underline",
              [LW_PEN_HOLE] = "#4e4e4e/8 | dim",
              [LW_PEN_MARK] = "#000000/0 on #ffff5f/11 bold | bold underline",
              [LW_PEN_DIFFERS] = "#000000/0 on #ffaf00/3 underline | reverse underline"},
     .inks =
         "#5fafff/12 #ffff5f/11 #af5f00/3 #d7d7ff/15 #5f87af/6 #ffd700/11 #875f87/5 #afffff/14"},
    {.name = "mono",
     .pens = {[LW_PEN_FAINT] = "dim",
              [LW_PEN_TITLE] = "bold",
              [LW_PEN_BORDER] = "dim",
              [LW_PEN_FOCUS] = "bold",
              [LW_PEN_LABEL] = "dim",
              [LW_PEN_LABEL_ON] = "bold",
              [LW_PEN_CURSOR] = "reverse",
              [LW_PEN_LINKED] = "reverse bold",
              [LW_PEN_SELECT] = "underline",
              [LW_PEN_TAB_ON] = "reverse",
              [LW_PEN_KEY] = "bold",
              [LW_PEN_HEAD] = "bold",
              [LW_PEN_BAD] = "bold underline",
              [LW_PEN_CHANGED] = "bold",
              [LW_PEN_EDIT] = "underline",
              [LW_PEN_HOLE] = "dim",
              [LW_PEN_MARK] = "bold underline",
              [LW_PEN_DIFFERS] = "reverse underline"},
     .inks = ""},
};

const struct lw_theme_data *lw_themes(size_t *count)
{
    *count = sizeof themes / sizeof *themes;
    return themes;
}
