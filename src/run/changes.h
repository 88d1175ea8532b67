/* Changes of a simulation from outside: how often its inputs, its parameters and its step were changed, and when first
 * and last. What is set where the simulation begins is no change. */
#ifndef LV_RUN_CHANGES_H
#define LV_RUN_CHANGES_H

#include <livens/sim.h>

#include "model/model.h"

typedef struct lv_changes {
    const lv_model *model;
    /* What belongs to the state of a simulation, and to its checkpoints: the time at which it began; then for each
     * input, for each parameter and for the step how often it changed, when first and when last. */
    double *numbers;
    int number_count;
} lv_changes;

lv_status lv_changes_init(lv_changes *changes, const lv_model *model, lv_arena *arena,
                          lv_error *err);

/* Changes count from this time on. */
void lv_changes_begin(lv_changes *changes, double t);

/* Notes a change of an input, of a parameter, or of the step at time t. */
void lv_changes_note_input(lv_changes *changes, int input, double t);
void lv_changes_note_parameter(lv_changes *changes, int parameter, double t);
void lv_changes_note_step(lv_changes *changes, double t);

/* How many things have changed, and the k-th of them. */
int lv_changes_count(const lv_changes *changes);
lv_change_info lv_changes_describe(const lv_changes *changes, int k);

#endif
