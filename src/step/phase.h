/* Phases of a step: sets of unknowns that must be solved for together, in order.
 *
 * Phases are the strongly connected components of "the equation of this unknown needs
 * that one". Phase 0 is what is known when a step begins; phases 1 .. count have
 * unknowns; phase count + 1 is the end of the step. */
#ifndef LV_STEP_PHASE_H
#define LV_STEP_PHASE_H

#include "step/normal.h"

typedef struct lv_phases {
    int count;
    int *of_field; /* by field: the phase in which it gets its value */
    int *of_atom;  /* by atom: the phase in which all its arguments are known */
    bool *linear;  /* by phase, from 1 on: its equations are linear in its unknowns */
    /* By field: the equations of its phase are not affine in it, even where all other
     * unknowns stay the same */
    bool *curved;
} lv_phases;

/* `sizes` are those of the spaces; unknowns in empty spaces do not exist. All results are
 * allocated in the arena. */
lv_status lv_phases_find(lv_phases *phases, const lv_form *form,
                         const lv_step_facts *facts, const int sizes[LV_SPACES],
                         lv_arena *arena, lv_error *err);

#endif
