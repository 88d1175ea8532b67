/* What answers to questions about a simulation need and its steps do not. Each part is
 * created when it is first needed. */
#ifndef LV_RUN_ASKER_H
#define LV_RUN_ASKER_H

#include "run/shown.h"

typedef struct lv_asker {
    lv_arena arena;
    lv_plan *plan; /* evaluates the outputs; NULL until it is needed */
    unsigned needs;
    lv_output *outputs;
    int output_count;
    lv_showcase showcase;
    bool shows;     /* the showcase is initialised */
    lv_arena parts; /* storage of the last answer of lv_sim_parts */
    double *lambda, *a;
    double energies[LV_RESULT_ENERGIES];
} lv_asker;

void lv_asker_done(lv_asker *asker);

#endif
