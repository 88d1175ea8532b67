/* Records changes of a simulation from outside: how often its inputs, parameters and step
 * were changed, and when first and last. Values set at the time at which the simulation
 * begins are not changes. */
#ifndef LV_RUN_CHANGES_H
#define LV_RUN_CHANGES_H

#include <livens/sim.h>

#include "model/model.h"

typedef struct lv_changes {
    const lv_model *model;
    /* Numbers that belong to the state of a simulation and to its checkpoints: the time
     * at which it began, then for each input, each parameter and the step the number of
     * changes, the time of the first and of the last one. */
    double *numbers;
    int number_count;
} lv_changes;

lv_status lv_changes_init(lv_changes *changes, const lv_model *model, lv_arena *arena,
                          lv_error *err);

/* Starts counting changes at this time. */
void lv_changes_begin(lv_changes *changes, double t);

/* Notes a change of an input, of a parameter, or of the step at time t. */
void lv_changes_note_input(lv_changes *changes, int input, double t);
void lv_changes_note_parameter(lv_changes *changes, int parameter, double t);
void lv_changes_note_step(lv_changes *changes, double t);

/* The number of things that have changed, and the k-th of them. */
int lv_changes_count(const lv_changes *changes);
lv_change_info lv_changes_describe(const lv_changes *changes, int k);

#endif
