/* A step as equations: fields, sums and operators.
 *
 * A field is a vector of the step: carried from step to step, unknown, defined by a sum,
 * or the result of a call. A sum is a linear combination of fields and of operators
 * applied to fields, with coefficients c h^power. The reader (step/read.h) makes a form
 * from the text of a scheme, and step/normal.h simplifies it for a system. Phases,
 * matrices and memory are derived from it. */
#ifndef LV_STEP_FORM_H
#define LV_STEP_FORM_H

#include "base/arena.h"
#include "base/chains.h"
#include "base/memory.h"
#include "base/text.h"
#include "step/operator.h"

typedef enum lv_space {
    LV_SPACE_POINT,     /* a configuration, one number per coordinate */
    LV_SPACE_TANGENT,   /* a velocity */
    LV_SPACE_MOMENTUM,  /* a momentum or a force */
    LV_SPACE_HOLONOMIC, /* one number per holonomic constraint */
    LV_SPACE_ROLLING,   /* one number per nonholonomic constraint */
    LV_SPACES
} lv_space;

/* The term c h^power times a field or an atom. */
typedef struct lv_term {
    double c;
    int power;
    int field, atom; /* a field or an atom; the other one is -1 */
    bool inverse;    /* the term is also multiplied by M^-1, which is constant */
} lv_term;

typedef LV_ARRAY(lv_term) lv_sum;

typedef enum lv_role_of {
    LV_FIELD_CARRIED,
    LV_FIELD_UNKNOWN,
    LV_FIELD_DEFINED,
    LV_FIELD_CALLED
} lv_role_of;

/* In which steps an equation holds. In other steps its unknown is 0 instead. */
typedef enum lv_asked {
    LV_ASKED_ALWAYS,
    LV_ASKED_ONCE, /* in the last substep of a composed step only */
    /* Only in steps in which constraints are dependent, or nearly */
    LV_ASKED_DEPENDENT,
    LV_ASKED_WHEN /* number of these cases */
} lv_asked;

typedef struct lv_field {
    const char *name; /* in the form's arena */
    int index;        /* index of a member of a family, from 1 on; 0: no member */
    lv_space space;
    lv_role_of role;
    int scale;      /* unknowns: the solver sees h^scale times the field */
    double at;      /* points: their time is t + at h */
    lv_sum sum;     /* defined: its value; unknown: the residual of its equation */
    lv_asked asked; /* when its equation holds; otherwise the unknown is 0 */
    bool shown;     /* its value is wanted after the step */
    int call;       /* called: the number of the call */
} lv_field;

/* Arguments and results of a function outside the language. Its results are fields;
 * Newton matrices do not contain their derivatives. */
typedef struct lv_opaque_values {
    double t, h; /* time of the first argument; size of the step */
    const double *const *arguments;
    double *const *results;
} lv_opaque_values;

typedef struct lv_opaque {
    const char *name;
    void (*apply)(void *work, const lv_opaque_values *values);
    void *work;
} lv_opaque;

enum { LV_CALL_ARGUMENTS = 8, LV_CALL_RESULTS = 4 };

typedef struct lv_call {
    lv_opaque function;
    int argument[LV_CALL_ARGUMENTS], result[LV_CALL_RESULTS];
    int arguments, results;
} lv_call;

/* An operator applied to fields; arg[argument] is a field, or -1. */
typedef struct lv_atom {
    const lv_operator *op;
    int arg[LV_ARGUMENTS];
} lv_atom;

/* A carried field becomes the sum at the end of a step or, if `first`, before the first
 * step. */
typedef struct lv_assignment {
    int field;
    lv_sum sum;
    bool first;
} lv_assignment;

typedef struct lv_form {
    lv_arena arena; /* owns the names */
    LV_ARRAY(lv_field) fields;
    LV_ARRAY(lv_atom) atoms;
    LV_ARRAY(lv_assignment) assignments;
    LV_ARRAY(lv_call) calls;
    /* Hash chains of fields by name and index, and of atoms by operator and arguments */
    lv_chains named, alike;
    bool failed; /* an allocation failed */
} lv_form;

void lv_form_done(lv_form *form);

/* Adds a field and returns its number; -1 without memory. The name is copied. */
int lv_form_field(lv_form *form, const char *name, int index, lv_space space,
                  lv_role_of role);

/* The field of this name and index; -1: there is none. */
int lv_form_find(const lv_form *form, const char *name, int index);

/* Returns the number of an atom, which is added unless there is an equal one; -1 without
 * memory. */
int lv_form_atom(lv_form *form, const lv_atom *atom);

/* Is `name` the operator of the atom? */
bool lv_atom_is(const lv_atom *atom, const char *name);

/* sum += term. Terms of the same kind are merged, and dropped if they cancel; in long
 * sums only lv_form_sort does that. */
void lv_form_add(lv_form *form, lv_sum *sum, lv_term term);

/* Sorts the terms of a sum in an order that does not depend on their present order, and
 * merges terms of the same kind. */
void lv_form_sort(lv_form *form, lv_sum *sum);

/* The order of lv_form_sort: negative, 0 or positive; 0: terms of the same kind. */
int lv_form_compare(const lv_term *a, const lv_term *b);

static inline lv_term lv_term_field(int field, double c, int power)
{
    return (lv_term){.c = c, .power = power, .field = field, .atom = -1};
}

#endif
