/* A whole step as one program: what a course does, unrolled into one graph of formulas and compiled.
 *
 * The program makes one Newton pass in every phase of a step, one phase after the other, and then all that follows to the
 * end of the step. Phases depend on earlier ones only, so passes of all of them together converge as those of each do.
 * It reads and writes the memory of the course; how good the initial guesses were is seen from the corrections, which
 * it leaves where solvers have theirs. It knows no dependent constraints and no domains of formulas: whoever runs it
 * looks at `growth` and at the results, and takes the step by the course where something is wrong. */
#ifndef LV_STEP_FUSED_H
#define LV_STEP_FUSED_H

#include "expr/program.h"
#include "step/course.h"

typedef struct lv_fused lv_fused;

/* project: equations marked `once` are asked. updates[k]: where the corrections of phase k + 1 go, for all of its columns; NULL for linear phases. *fused stays NULL
 * where a step is no program: there are calls, bodies on groups, angles that count turns, or too many operations. */
lv_status lv_fused_create(lv_fused **fused, lv_course *course, bool project,
                          double *const *updates, lv_error *err);
void lv_fused_free(lv_fused *fused);

/* One pass with the carried fields, the initial guesses and the evaluations at the start as the course has them. Returns
 * the growth of the pivots (step/node_solve.h); not finite if a result is not. */
double lv_fused_run(lv_fused *fused, double t, double h);

/* Phases of the step. */
int lv_fused_phases(const lv_fused *fused);

/* For steps of several simulations at once (step/lanes.h): the program, its inputs P and I (a step of size h), and where
 * numbers of the course stand among its inputs Q, or its outputs; -1: nowhere. The growth is the output after all of
 * these. */
const lv_program *lv_fused_program(const lv_fused *fused);
const double *lv_fused_parameters(const lv_fused *fused);
const double *lv_fused_numbers(lv_fused *fused, double h);
int lv_fused_input(const lv_fused *fused, const double *numbers);
int lv_fused_output(const lv_fused *fused, const double *numbers);

/* Pivots may be smaller than usual by this factor; beyond it they are a matter for solvers, which know singular
 * configurations. */
#define LV_FUSED_GROWTH 1e4

#endif
