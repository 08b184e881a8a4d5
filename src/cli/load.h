#ifndef LANEWAY_LOAD_H
#define LANEWAY_LOAD_H

/* From a SOURCE and the options to a layout that can be printed. */

#include "cli/arguments.h"
#include "laneway/document.h"
#include "view/subject.h"

struct lw_loaded {
    struct lw_document doc;
    struct lw_opened opened;
};

struct lw_load_options {
    const char *type;    /* as -t */
    const char *element; /* as --element */
    FILE *input;         /* what "-" reads; NULL: refused */
    const char *const *sets;
    size_t set_count;
    const struct lw_hardware *target; /* NULL: any */
    struct lw_report *report; /* NULL, or every problem is added and loading goes on if it can */
};

/* Says of a problem with a value that one of the sets gave that it is of that set, not of the
 * document's text. */
void lw_load_attribute_error(const struct lw_load_options *options, struct lw_error *err);

/* What -t, --set and --target say. */
bool lw_load_options(struct lw_load_options *options, const struct lw_arguments *args,
                     struct lw_error *err);
/* Opens the document alone, with the options' type and sets. */
bool lw_load_document(struct lw_document *doc, const char *source,
                      const struct lw_load_options *options, struct lw_error *err);
/* The document that a value in a line of a batch says: a SOURCE as a string, or an object. The line
 * and the value must outlive it. */
bool lw_load_value(struct lw_document *doc, const struct lw_value *value, const char *line,
                   size_t length, const struct lw_load_options *options, struct lw_error *err);
/* "name=value" of a document. */
bool lw_load_set(struct lw_document *doc, const char *set, struct lw_error *err);
/* Builds what has been opened. On failure the document is still there. */
bool lw_load_build(struct lw_loaded *loaded, const struct lw_hardware *target,
                   struct lw_error *err);
/* Whether the document, or a parent in it, has a threadsPerWarp: a layout that is made for hardware. */
bool lw_load_sets_lanes(const struct lw_document *doc);
/* Whether the layout's lanes a warp are the target's; NULL: any. */
bool lw_load_check_target(const struct lw_document *doc, const struct lw_map *map,
                          const struct lw_hardware *target, struct lw_error *err);
/* All of it. On failure there is nothing to free. */
bool lw_load(struct lw_loaded *loaded, const char *source, const struct lw_load_options *options,
             struct lw_error *err);
void lw_unload(struct lw_loaded *loaded);
/* The linear layout of a document that nobody will draw. */
bool lw_load_layout(const struct lw_document *doc, const struct lw_load_options *options,
                    struct lw_layout *layout, struct lw_error *err);
/* The linear layout, with the names that hardware has. */
bool lw_loaded_layout(const struct lw_loaded *loaded, struct lw_layout *layout,
                      struct lw_error *err);

/* A place of the hardware, said name by name; starts as all zeros. */
struct lw_point {
    uint64_t in[LW_DIMS_MAX]; /* in the order of the map's dims */
    unsigned set_dims;
};

/* Says one dim, or `thread`, `lane`, `warp`, `local`, `register` where the layout has their like. */
bool lw_point_set(struct lw_point *point, const struct lw_subject *subject, const char *name,
                  uint64_t value, struct lw_error *err);
/* Is every number in range, now that all is said? */
bool lw_point_check(const struct lw_point *point, const struct lw_dims *dims, struct lw_error *err);

#endif
