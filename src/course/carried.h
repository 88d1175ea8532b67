/* Carried fields: where their numbers are stored between steps. */
#ifndef LV_COURSE_CARRIED_H
#define LV_COURSE_CARRIED_H

#include "course/course.h"
#include "course/state.h"

#include <string.h>

typedef struct lv_carried_field {
    int field, size;
    lv_space space;
    bool of_state;   /* it is one of q, v and p */
    size_t in_state; /* if of_state: offset in lv_state of the pointer to its numbers */
    double *memory; /* its numbers in the stepper's memory; NULL: they are in the state */
    /* Its new value at the end of a step, in the course; NULL: it does not change */
    const double *becomes;
} lv_carried_field;

/* The field that is a part of the state, in the order of lv_state (q, v, p); -1: there is
 * none. */
enum { LV_STATE_PARTS = 3 };
int lv_carried_of_state(const lv_form *form, int part);

/* Lists the carried fields of a course; the list is allocated in the arena. */
lv_status lv_carried_find(lv_carried_field **fields, int *count, const lv_course *course,
                          lv_arena *arena, lv_error *err);

/* The number of doubles that carried fields need in the memory, and their assignment to
 * it. With `apart` (the state has other coordinates than the step) the fields of the
 * state are kept in the memory, too, and `inside` receives pointers to them. */
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
