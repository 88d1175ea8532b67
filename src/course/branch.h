/* The solutions of a phase for steps of growing size from one state. They form a branch
 * that begins at h = 0, and the solution that belongs to the motion is on it (theory
 * 1.9). */
#ifndef LV_COURSE_BRANCH_H
#define LV_COURSE_BRANCH_H

#include "course/solver.h"

enum { LV_BRANCH_POINTS = 2 };

typedef struct lv_branch {
    lv_solver *solver;
    /* the newest points: sizes of steps and the unknowns there, the newest first */
    int points;
    double size[LV_BRANCH_POINTS];
    double *unknowns[LV_BRANCH_POINTS];
    /* the solver, its first notes and the unknowns, which may or may not be on the
     * branch, as they were before the branch was followed */
    lv_solver before;
    double notes[LV_NOTES], start[LV_MEMORY_SOLVER];
    double *other;
} lv_branch;

lv_status lv_branch_init(lv_branch *branch, lv_solver *solver, lv_arena *arena,
                         lv_error *err);

/* Empties the branch, and keeps the solver and the present unknowns. */
void lv_branch_begin(lv_branch *branch);

/* Whether the unknowns that were kept are the present ones, up to what the end of an
 * iteration leaves. */
bool lv_branch_agrees(const lv_branch *branch);

/* Makes the solver and the unknowns what they were at lv_branch_begin. */
void lv_branch_restore(const lv_branch *branch);

/* Makes the solver continue the branch to a step of size h. Corrections up to `most` do not
 * leave it. lv_branch_end: it no longer does, and expects a step of the present size. */
void lv_branch_expect(lv_branch *branch, double h, double most);
void lv_branch_end(const lv_branch *branch);

/* Adds the present unknowns to the branch. */
void lv_branch_add(lv_branch *branch, double h);

#endif
