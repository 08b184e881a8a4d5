/* Whether a lesson is on, and what the explorer shows of it. */

#include "tui/lesson/lesson_run.h"

bool lw_lesson_is_on(const struct lw_explorer *ex)
{
    return ex->lesson && ex->lesson->entry == ex->list.entry;
}

const struct lw_subject *lw_lesson_store(const struct lw_explorer *ex)
{
    return lw_lesson_is_on(ex) && ex->lesson->has_store ? &ex->lesson->store.subject : NULL;
}

int lw_lesson_height(const struct lw_explorer *ex)
{
    return ex->lesson->wanted_height;
}
