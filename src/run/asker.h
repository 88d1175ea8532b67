/* What is needed to answer questions about a simulation that its steps do not ask; made when it is first needed. */
#ifndef LV_RUN_ASKER_H
#define LV_RUN_ASKER_H

#include "run/shown.h"

typedef struct lv_asker {
    lv_arena arena;
    lv_plan *plan; /* of the outputs; NULL: it was not needed yet */
    unsigned needs;
    lv_output *outputs;
    int output_count;
    lv_showcase showcase;
    bool shows;     /* the showcase is there */
    lv_arena parts; /* of the last answer */
    double *lambda, *a;
    double energies[LV_RESULT_ENERGIES];
} lv_asker;

void lv_asker_done(lv_asker *asker);

#endif
