/* Phases of a step: unknowns that have to be found together, in the order in which they
 * can be.
 *
 * Phases are the strongly connected components of "the equation of this unknown needs
 * that one". Phase 0 is what is known when a step begins; phase p has its unknowns; phase
 * `count` + 1 is the end of the step. */
#ifndef LV_STEP_PHASE_H
#define LV_STEP_PHASE_H

#include "step/normal.h"

typedef struct lv_phases {
    int count;
    int *of_field; /* the phase in which a field gets its value, */
    int *of_atom;  /* and in which an operator has all its arguments */
    bool *linear; /* of each phase, from 1 on: its equations are linear in its unknowns */
} lv_phases;

/* sizes: of the spaces; unknowns in empty ones do not exist. Everything is in the
 * arena. */
lv_status lv_phases_find(lv_phases *phases, const lv_form *form,
                         const lv_step_facts *facts, const int sizes[LV_SPACES],
                         lv_arena *arena, lv_error *err);

#endif
