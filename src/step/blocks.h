/* The derivatives of the equations of a phase: blocks "c h^power times a matrix at a site", by the chain rule over
 * definitions and the table of operators. */
#ifndef LV_STEP_BLOCKS_H
#define LV_STEP_BLOCKS_H

#include "step/course.h"

/* Finds the site at which a derivative is evaluated. */
typedef int (*lv_site_finder)(void *user, const int arg[LV_ARGUMENTS]);

/* Fills the blocks of a phase whose columns are known. Rows of unknowns are their equations; the row of a defined
 * field x = sum is M x - M sum = 0. */
lv_status lv_blocks_derive(lv_course *course, int phase, lv_site_finder find, void *user,
                           lv_error *err);

/* Where the derivative of an operator by an argument is evaluated; false: it is the constant mass matrix. */
bool lv_slope_site(const lv_course *course, const lv_atom *atom, const lv_slope *slope,
                   int arg[LV_ARGUMENTS]);

/* The number of the derivative of an operator of groups by an argument, in the list of the course; -1: there is no
 * memory. */
int lv_factor_find(lv_course *course, int atom, lv_argument by);

/* c h^power of a block, with rows and columns scaled. */
double lv_block_factor(const lv_course *course, const lv_phase *phase,
                       const lv_block *block);

/* Do two blocks have the same matrix, whatever its factor, and wherever it stands? */
bool lv_block_is_alike(const lv_block *a, const lv_block *b);

#endif
