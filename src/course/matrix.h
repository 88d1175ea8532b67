/* Newton matrices of a phase, assembled from its blocks.
 *
 * The full matrix contains all blocks and has one line (row and column) for every value
 * of every column of the phase. The cheap matrix needs a constant mass matrix of small
 * blocks: it leaves out second derivatives of the model, velocities are eliminated with
 * M, and the rest consists of G M^-1 G^T at points of the step. If several groups of
 * multipliers can be solved for one after the other, a single factorisation serves all of
 * them. */
#ifndef LV_COURSE_MATRIX_H
#define LV_COURSE_MATRIX_H

#include "course/course.h"
#include "system/assembly.h"
#include "system/schur.h"

typedef enum lv_level { LV_LEVEL_CHEAP, LV_LEVEL_FULL } lv_level;

typedef struct lv_step_matrix lv_step_matrix;

/* `cheap`: a cheap matrix is made, too, if the phase allows it. */
lv_status lv_step_matrix_create(lv_step_matrix **matrix, lv_course *course, int phase,
                                bool cheap, lv_error *err);
bool lv_step_matrix_renew(lv_step_matrix *matrix); /* Like lv_stepper_renew. */
void lv_step_matrix_free(lv_step_matrix *matrix);

/* Whether there is a cheap matrix; whether it is the exact derivative. */
bool lv_step_matrix_has_cheap(const lv_step_matrix *matrix);
bool lv_step_matrix_is_exact(const lv_step_matrix *matrix);

/* Evaluates what the matrix needs in addition, and factors it. Returns false if it is
 * singular. gone[r] is true for a constraint row r that is left out, so that its
 * multiplier does not change; NULL: none. */
bool lv_step_matrix_build(lv_step_matrix *matrix, lv_level level, const bool *gone);

/* Announces constraint rows that will be left out of all matrices repeatedly. Memory is
 * taken for the matrices without them. */
lv_status lv_step_matrix_expect_left_out(lv_step_matrix *matrix, const bool *rows,
                                         lv_error *err);

/* x has the scaled values of all columns of the phase, one column after the other: on
 * entry minus the residuals (0 for defined fields), on exit the correction. */
void lv_step_matrix_solve(lv_step_matrix *matrix, double *x);

/* The number of values of all columns. */
int lv_step_matrix_size(const lv_step_matrix *matrix);

/* Number of dependent equations that the last factorisation accepted or left out; 0 if
 * some gradients vanish, because the number then tells nothing about the others. The
 * worst pivot of the last factorisation (lv_linear_worst_pivot) is 1 if there was nothing
 * to factor. */
int lv_step_matrix_redundant(const lv_step_matrix *matrix);
double lv_step_matrix_worst_pivot(const lv_step_matrix *matrix);

/* How many passes take as long as building the last matrix again, as far as its pattern
 * tells. 0: not known, as for the cheap matrix, for which keeping it rarely pays. */
double lv_step_matrix_build_passes(const lv_step_matrix *matrix);

#endif
