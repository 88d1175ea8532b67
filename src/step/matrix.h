/* Newton matrices of a phase, from its blocks.
 *
 * The full matrix has all blocks and one line for every number of every column. The cheap one is for a constant mass
 * matrix of small blocks: it leaves second derivatives of the model out, velocities are eliminated by M, and what is
 * left is made of G M^-1 G^T at points of the step. Where multipliers of several kinds can be found one after the
 * other, a single factor serves all of them. */
#ifndef LV_STEP_MATRIX_H
#define LV_STEP_MATRIX_H

#include "step/course.h"
#include "system/assembly.h"
#include "system/schur.h"

typedef enum lv_level { LV_LEVEL_CHEAP, LV_LEVEL_FULL } lv_level;

typedef struct lv_step_matrix lv_step_matrix;

/* cheap: there may be a cheap one. */
lv_status lv_step_matrix_create(lv_step_matrix **matrix, lv_course *course, int phase,
                                bool cheap, lv_error *err);
bool lv_step_matrix_renew(lv_step_matrix *matrix); /* as lv_stepper_renew */
void lv_step_matrix_free(lv_step_matrix *matrix);

/* Is there a cheap matrix, and is it the derivative itself? */
bool lv_step_matrix_has_cheap(const lv_step_matrix *matrix);
bool lv_step_matrix_is_exact(const lv_step_matrix *matrix);

/* Evaluates what is missing, and factors; false: singular. gone: rows of constraints whose multipliers stay as they
 * are; NULL: none. */
bool lv_step_matrix_build(lv_step_matrix *matrix, lv_level level, const bool *gone);

/* These rows will be left out of all matrices again and again: memory is taken for what is left of them. */
lv_status lv_step_matrix_expect_left_out(lv_step_matrix *matrix, const bool *rows,
                                         lv_error *err);

/* x has the numbers of all columns of the phase, one column behind the other, scaled: minus the residuals, with 0 for
 * defined fields, become the correction. */
void lv_step_matrix_solve(lv_step_matrix *matrix, double *x);

/* Numbers of all columns. */
int lv_step_matrix_size(const lv_step_matrix *matrix);

/* Dependent equations that the last factorisation let through or left out; 0 where gradients vanish, which says nothing of
 * the others. */
int lv_step_matrix_redundant(const lv_step_matrix *matrix);
double lv_step_matrix_worst_pivot(const lv_step_matrix *matrix);

#endif
