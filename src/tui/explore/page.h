#ifndef LANEWAY_PAGE_H
#define LANEWAY_PAGE_H

/* A page of text over the screen, or a question that one key answers. */

#include "laneway/text.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_explorer;

struct lw_page_state {
    char title[96];
    struct lw_text text;
    int top;   /* the first line shown; also for the help */
    int shown; /* the number of lines on the screen, of the help in all its columns; 0: not drawn
                  yet */
    int left;  /* the first column shown, if lines are not broken */
    bool wide; /* the lines are not broken, as they are a table */
    int found; /* the line at which the last search ended, also in the help; -1: none */
};

/* page.c */
/* Opens the page of all facts of the layout on the screen. */
void lw_page_about(struct lw_explorer *ex, int unused);
void lw_page_open(struct lw_explorer *ex, const char *title, const char *text);
/* The columns of a line of a page. */
int lw_page_width(const struct lw_explorer *ex);

/* question.c: Esc is always an answer. */
struct lw_reply {
    uint32_t key;
    const char *label;
    void (*run)(struct lw_explorer *ex);
};

struct lw_question_state {
    char text[320];
    const struct lw_reply *answers; /* up to one without a key */
    char wrong_key[16];             /* the last key that was not an answer; "": none */
    bool in_line;                   /* a command is typed instead, until Enter */
    const char *later; /* not NULL: what is no answer does what it does without the question, which
                          is closed, and this message is shown */
};

void lw_question_open(struct lw_explorer *ex, const struct lw_reply *answers, const char *format,
                      ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* False: the key is an action, of the question or, after it has been closed, of the part under it. */
bool lw_question_key(struct lw_explorer *ex, uint32_t key);
/* Closes the question, with its message `later`, before other input; false: it has none and stays. */
bool lw_question_give_way(struct lw_explorer *ex);
/* The key of the answer that is at a row and column of the screen; 0: there is none. */
uint32_t lw_question_key_at(const struct lw_explorer *ex, int row, int col);
enum { LW_SHORT_NAME_MAX = 176 };
/* Sets `text` to a name for a question, and returns it; a long one is cut, after a word if it has several, with an
 * ellipsis. */
const char *lw_question_name(char text[LW_SHORT_NAME_MAX], const char *name);

#endif
