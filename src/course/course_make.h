/* Functions that make a course, for the source files of the course only: course_make.c
 * makes phases, assignments and the course itself, course_require.c decides what is
 * computed where, course_settle.c gives evaluations their plans and storage,
 * course_zero.c finds what linear phases need not compute.
 *
 * A course is made on demand. What a phase needs (a field, an operator, a quantity at a
 * site) is added to one of the lists of this phase, after everything that it is computed
 * from, unless an earlier list contains it already. */
#ifndef LV_COURSE_COURSE_MAKE_H
#define LV_COURSE_COURSE_MAKE_H

#include "course/course.h"

/* A place is a list of actions of a phase: place = phase * LV_LISTS + list. */
enum {
    LV_NOWHERE = -1,
    LV_LIST_BEFORE, /* runs once when the phase begins */
    LV_LIST_PASS,   /* runs in every Newton pass */
    LV_LIST_CHEAP,  /* runs for every matrix, cheap or full */
    LV_LIST_FULL,   /* runs in addition for every full matrix */
    LV_LISTS
};

/* An action is number `number` of the list at `place`. */
typedef struct lv_action_address {
    int place, number;
} lv_action_address;

typedef struct lv_course_maker {
    lv_course *c;
    /* By field and by atom: the place where it is computed, or LV_NOWHERE. */
    int *field_at, *atom_at;
    int *quantity_at; /* the same for quantities: [site][quantity] */
    int site_room;    /* number of sites that quantity_at has room for */
    lv_chains known;  /* finds actions by place, kind and subject */
    LV_ARRAY(lv_action_address)
    addresses;   /* entry k of `known` is the action at addresses[k] */
    bool failed; /* memory could not be allocated */
} lv_course_maker;

/* The terms of a sum that become known in phases `from` to `to`. */
typedef struct lv_term_choice {
    const lv_sum *sum;
    int from, to;
} lv_term_choice;

static inline int lv_maker_field_size(const lv_course *c, int field)
{
    return c->sizes[c->form.fields.data[field].space];
}

lv_actions *lv_maker_list(lv_course *course, int place);

/* Zeroed numbers that live as long as the course. Returns NULL and sets `failed` without
 * memory. */
double *lv_maker_room(lv_course_maker *maker, int count);

/* Allocates the values of a field unless it has them already. */
double *lv_maker_value_room(lv_course_maker *maker, int field);

/* The index of the site with these arguments. It is added if there is none. */
int lv_maker_site(lv_course_maker *maker, const int arg[LV_ARGUMENTS]);

/* Adds the actions by which a field or all terms of a sum are known in a phase, or a
 * quantity in one list of a phase. */
void lv_maker_require_field(lv_course_maker *maker, int phase, int field);
void lv_maker_require_sum(lv_course_maker *maker, int phase, const lv_sum *sum);
void lv_maker_require_quantity(lv_course_maker *maker, int place, int site,
                               lv_quantity quantity);

/* out = base + the chosen terms; a base of NULL is 0. Terms in the storage of sites have
 * no vector until lv_maker_settle, since storage is made there. */
lv_combination lv_maker_combination(lv_course_maker *maker, lv_term_choice choice,
                                    double *out, int size, const double *base);

/* Adds an action that computes, once when the phase begins, the sum of all terms that are
 * known before it. Returns this sum, or NULL if that would save nothing. */
const double *lv_maker_hoist(lv_course_maker *maker, int phase, const lv_sum *sum,
                             int field, int size);

/* Fills pass_at_zero and residual_at_zero of a linear phase (course_zero.c). */
lv_status lv_maker_find_zero(lv_course *course, lv_phase *phase, lv_error *err);

/* The last part, when all lists are complete: gives evaluations their plans and storage
 * and combinations their vectors, and finds the handovers. */
lv_status lv_maker_settle(lv_course_maker *maker, lv_error *err);

#endif
