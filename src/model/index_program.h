/* Formulas of parameters and indices, evaluated for one instance after the other.
 *
 * l[i] with an index that is not a constant is *picked*: it becomes another number of the
 * instance, the component that the index selects. The index may contain other picks,
 * l[order[i]], so the program runs once more than the depth of nested picks. */
#ifndef LV_MODEL_INDEX_PROGRAM_H
#define LV_MODEL_INDEX_PROGRAM_H

#include "model/draft.h"

typedef struct lv_index_program {
    const lv_draft *draft;
    lv_program *program; /* NULL: there are no formulas */
    double *workspace;
    double *numbers; /* numbers of the instance: its indices, then data */
    int count;       /* number of formulas */
    bool *needed;    /* for each pick: whether the formulas contain it */
    int passes;
    bool lenient; /* components that do not exist are NAN instead of errors */
} lv_index_program;

lv_status lv_index_program_init(lv_index_program *p, const lv_draft *d,
                                const lv_node *nodes, int count);
void lv_index_program_done(lv_index_program *p);

/* Evaluates the formulas at these indices; fails if the index of a pick is out of range,
 * unless lenient. */
lv_status lv_index_program_run(lv_index_program *p, const double *indices);

double lv_index_program_value(const lv_index_program *p, int k);

#endif
