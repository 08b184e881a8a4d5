#ifndef LANEWAY_PAGE_H
#define LANEWAY_PAGE_H

/* What is shown over the screen: a page of text, or a question that one key answers. */

#include "laneway/text.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_explorer;

struct lw_page_state {
    char title[96];
    struct lw_text text;
    int top;   /* the first line shown, of the help too */
    int shown; /* lines on the screen, of the help those of all its columns; 0: not drawn yet */
    int left;  /* and the first column, where lines are not broken */
    bool wide; /* its lines are those of a table, and are not broken */
    int found; /* the line, of the help too, where the last search ended; -1: none */
};

/* page.c */
/* All that is known of the layout on the screen. */
void lw_page_about(struct lw_explorer *ex, int unused);
void lw_page_open(struct lw_explorer *ex, const char *title, const char *text);

/* question.c: Esc is always an answer. */
struct lw_reply {
    uint32_t key;
    const char *label;
    void (*run)(struct lw_explorer *ex);
};

struct lw_question_state {
    char text[320];
    const struct lw_reply *answers; /* up to one without a key */
    char wrong_key[16];             /* the last key that was no answer; "": none was */
    bool in_line;                   /* a command is typed instead, until Enter */
};

void lw_question_open(struct lw_explorer *ex, const struct lw_reply *answers, const char *format,
                      ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
bool lw_question_key(struct lw_explorer *ex, uint32_t key);
/* A name in a question: a long one ends at a word, with an ellipsis. */
enum { LW_SHORT_NAME_MAX = 176 };
const char *lw_question_name(char text[LW_SHORT_NAME_MAX], const char *name);

#endif
