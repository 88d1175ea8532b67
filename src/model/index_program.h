/* Formulas of parameters and indices, evaluated for one instance after the other.
 *
 * l[i] with an index that is not a constant is *picked*: it becomes another number of the
 * instance, the component that the index selects. The index may contain other picks,
 * l[order[i]], so the program runs once more than the depth of nested picks. */
#ifndef LV_MODEL_INDEX_PROGRAM_H
#define LV_MODEL_INDEX_PROGRAM_H

#include "model/draft.h"

/* The graph and the draft are not needed any more once it is initialised. */
typedef struct lv_index_program {
    lv_program *program; /* NULL: there are no formulas */
    double *workspace;
    double *numbers; /* of the instance: its indices, then data */
    int count;       /* of the formulas */
    int index_count;
    LV_ARRAY(lv_pick) picks; /* that the formulas contain */
    int passes;
    bool lenient;  /* components that do not exist are NAN instead of errors */
    lv_error *err; /* of the draft */
} lv_index_program;

lv_status lv_index_program_init(lv_index_program *p, const lv_draft *d,
                                const lv_node *nodes, int count);
void lv_index_program_done(lv_index_program *p);

/* Takes other values of the parameters. */
void lv_index_program_put(lv_index_program *p, const double *parameters);

/* Evaluates at these indices; an index of a pick may be outside of its range. */
lv_status lv_index_program_run(lv_index_program *p, const double *indices);

double lv_index_program_value(const lv_index_program *p, int k);

#endif
