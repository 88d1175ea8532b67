/* Derives the blocks of the Newton matrix of a phase, each "c h^power times a matrix at a
 * site", by the chain rule over definitions and the table of operators
 * (step/operator.h). */
#ifndef LV_COURSE_BLOCKS_H
#define LV_COURSE_BLOCKS_H

#include "course/course.h"

/* Returns the index of the site with these arguments. */
typedef int (*lv_site_finder)(void *user, const int arg[LV_ARGUMENTS]);

/* Fills the blocks of a phase whose columns are known. The rows of an unknown are its
 * equation; those of a defined field x = sum are M x - M sum = 0. Sites are found by
 * `find`, which is called with `user`. */
lv_status lv_blocks_derive(lv_course *course, int phase, lv_site_finder find, void *user,
                           lv_error *err);

/* Sets `arg` to the arguments at which a derivative of an operator is evaluated. Returns
 * false if the derivative needs no site, as the constant mass matrix does. */
bool lv_slope_site(const lv_course *course, const lv_atom *atom, const lv_slope *slope,
                   int arg[LV_ARGUMENTS]);

/* The index in lv_course.factors of the derivative of a group operator by an argument,
 * which is added if it is new; -1: there is no memory. */
int lv_factor_find(lv_course *course, int atom, lv_argument by);

/* c h^power of a block, including the scaling of its row and column. */
double lv_block_factor(const lv_course *course, const lv_phase *phase,
                       const lv_block *block);

/* Whether two blocks have the same matrix between the same factors, apart from c, power,
 * row and column. */
bool lv_block_is_alike(const lv_block *a, const lv_block *b);

#endif
