#ifndef LANEWAY_CUDA_REPORT_H
#define LANEWAY_CUDA_REPORT_H

/* What the accesses of a text of CUDA C++ cost, as a table, the worst first, or as JSON in the order of the text. */

#include "laneway/kernel_cost.h"
#include "laneway/text.h"

/* The accesses with their costs. Set to all zeros it holds nothing. */
struct lw_cuda_report {
    struct lw_cuda cuda;
    const struct lw_hardware *hardware; /* NULL: the default */
    struct lw_cuda_cost *costs;         /* of cuda.accesses; in its arena */
    uint64_t conflicts;                 /* of all of them */
};

/* Counts all accesses. On failure there is nothing to free; the accesses are freed, too. */
bool lw_cuda_report_make(struct lw_cuda_report *report, struct lw_cuda *cuda,
                         const struct lw_hardware *hardware, struct lw_error *err);
void lw_cuda_report_print(struct lw_text *text, const struct lw_cuda_report *report);
/* {"accesses":[{"op":"load","space":"shared","name":"tile","bytes":4,"instructions":32,...}]} */
void lw_cuda_report_print_json(struct lw_text *text, const struct lw_cuda_report *report);
void lw_cuda_report_free(struct lw_cuda_report *report);

#endif
