/* A program that takes steps (fused/fused.h), with its phases and with the numbers that go
 * from one step to the next. */
#ifndef LV_FUSED_PROGRAM_WAY_H
#define LV_FUSED_PROGRAM_WAY_H

#include "course/solver.h"
#include "fused/fused.h"

#include <string.h>

/* Numbers to copy. */
typedef struct lv_number_copy {
    double *to;
    const double *from;
    int count;
} lv_number_copy;

typedef LV_ARRAY(lv_number_copy) lv_number_copies;

/* Adds numbers to the copies; those that follow each other on both sides become one copy.
 * Returns false if memory is short. */
bool lv_number_copies_add(lv_number_copies *copies, double *to, const double *from,
                          int count);

LV_INLINE void lv_number_copies_run(const lv_number_copies *copies)
{
    for (const lv_number_copy *x = copies->data, *end = x + copies->count; x < end; x++)
        memcpy(x->to, x->from, (size_t)x->count * sizeof *x->to);
}

/* Whether both sides are the same, bit for bit. */
LV_INLINE bool lv_number_copies_agree(const lv_number_copies *copies)
{
    for (const lv_number_copy *x = copies->data, *end = x + copies->count; x < end; x++)
        if (memcmp(x->to, x->from, (size_t)x->count * sizeof *x->to) != 0)
            return false;
    return true;
}

/* Numbers of the state in the workspace: `count` slots from `slot` on have those from
 * number `at` on of q, v or p. */
typedef struct lv_program_link {
    size_t in_state; /* offset in lv_state of the pointer to q, v or p */
    int slot, at, count;
} lv_program_link;

typedef LV_ARRAY(lv_program_link) lv_program_links;

/* A phase that is solved by Newton passes, with its numbers in the workspace. */
typedef struct lv_program_pass {
    lv_solver *solver;
    double *guess; /* initial guess, in the form of course/predictor.h */
    /* the same unknowns after a pass; NULL: they do not follow each other */
    const double *found;
    const double *size, *excess; /* as in lv_fused_pass */
    /* for steady steps: numbers of the predictor, weights of past values, number of
     * unknowns, and whether more than the newest half of the past values are used */
    double *numbers;
    const double *weights;
    int m;
    bool far;
} lv_program_pass;

typedef struct lv_program_way {
    lv_fused *fused;
    lv_program_pass *passes; /* fused->pass_count of them */
    /* from the end of a step to the start of the next one, in this workspace */
    lv_number_copies inside;
    /* from the end of a step of the other way, in its workspace, to the start of one of
     * this way; complete if `crosses` */
    lv_number_copies across;
    bool crosses;
    lv_program_links before; /* the state at the start of a step */
    lv_program_links after;  /* the state at the end of a step */
    /* `after` as copies to the state at these addresses */
    lv_number_copies outside;
    lv_state bound;
    /* ends of these fields that handed-over quantities depend on; NULL: nothing does */
    const lv_fused_range *q, *v;
    bool of_time; /* handed-over quantities depend on the time */
    /* an end overlaps with an input: no step can continue in this workspace */
    bool stuck;
    /* the last step took one pass in every phase, so the next one is expected to as
     * well */
    bool easy;
} lv_program_way;

/* Whether way->outside is for the addresses of this state. */
LV_INLINE bool lv_program_way_is_bound(const lv_program_way *way, const lv_state *state)
{
    return way->bound.q == state->q && way->bound.v == state->v &&
           way->bound.p == state->p;
}

#endif
