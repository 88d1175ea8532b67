/* Carried fields: where they are between steps. */
#ifndef LV_STEP_CARRIED_H
#define LV_STEP_CARRIED_H

#include "step/course.h"
#include "step/state.h"

#include <string.h>

typedef struct lv_carried_field {
    int field, size;
    lv_space space;
    bool of_state;         /* it is one of q, v and p, */
    size_t in_state;       /* and here lv_state has the pointer to it */
    double *memory;        /* where it is itself; NULL: in the state */
    const double *becomes; /* in the course; NULL: it stays as it is */
} lv_carried_field;

/* The parts of the state as fields, in the order in which lv_state has them; -1: there is
 * none. */
enum { LV_STATE_PARTS = 3 };
int lv_carried_of_state(const lv_form *form, int part);

/* Finds the carried fields of a course. */
lv_status lv_carried_find(lv_carried_field **fields, int *count, const lv_course *course,
                          lv_arena *arena, lv_error *err);

/* The numbers that they need in the memory; then their places there. apart: the state is
 * in other coordinates, its fields are in the memory, too, as `inside`. */
int lv_carried_memory_size(const lv_carried_field *fields, int count, bool apart);
void lv_carried_settle(lv_carried_field *fields, int count, bool apart, double *memory,
                       lv_state *inside);

static inline double *lv_carried_place(const lv_carried_field *x, const lv_state *state)
{
    double *in_state;
    memcpy(&in_state, (const char *)state + x->in_state, sizeof in_state);
    return x->memory ? x->memory : in_state;
}

#endif
