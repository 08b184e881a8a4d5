#ifndef LANEWAY_LET_H
#define LANEWAY_LET_H

/* Layouts that `let` gave a name, for the calculator and for commands that read a SOURCE; they are kept until the
 * explorer ends. */

#include "laneway/document.h"

struct lw_let {
    char name[24];
    struct lw_document doc;
};

#endif
