/* Steady steps: steps by a program that begin and end as the step before them did.
 *
 * Most steps have the size of the last one, continue it in the same workspace, and take
 * one pass in every phase. While that is so nothing has to be decided: the weights of
 * past values, the tests of corrections and all addresses stay the same. They are
 * collected after a step that promises to be followed by such steps (lv_steady_begin).
 * A steady step then predicts the unknowns, runs the program, and tests its results. It
 * ends where a general step would end, bit for bit; whenever a general step would do
 * anything else, one is taken instead. */
#ifndef LV_FUSED_STEADY_H
#define LV_FUSED_STEADY_H

#include "fused/program_way.h"

typedef struct lv_steady {
    int left; /* number of steps that may be steady, up to one that measures; 0: none */
    /* a steady step has found that a general one must be taken, whose start is in the
     * workspace already */
    bool begun;
    double h;
    const lv_state *state;
    lv_program_way *way;
} lv_steady;

/* Call after a step `now` that took one pass in every phase: finds out whether steady
 * steps can follow. */
void lv_steady_begin(lv_steady *steady, lv_program_way *way, const lv_step_now *now,
                     const lv_state *state);

/* Takes a step of size h. Returns false if a general step must be taken; `left` then is
 * 0. */
bool lv_steady_step(lv_steady *steady, const lv_state *state, double h,
                    lv_step_report *report);

#endif
