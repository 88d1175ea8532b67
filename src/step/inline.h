/* Inlines the definitions of a form and simplifies its operators by the facts about the
 * system.
 *
 * Afterwards every sum is over carried fields, unknowns, results of calls and operators.
 * Arguments of operators stay fields; if two definitions are equal, operators use
 * the first of them. */
#ifndef LV_STEP_INLINE_H
#define LV_STEP_INLINE_H

#include "step/facts.h"
#include "step/form.h"

typedef struct lv_inlining {
    lv_form *form;
    const lv_step_facts *facts;
    unsigned char *state; /* by field: not visited, being inlined, or done */
    int *same;            /* by field: the first field with the same definition */
    int capacity;         /* number of entries of `state` and `same` */
    lv_chains known;      /* finds indices in `defined` by the terms of the definition */
    LV_ARRAY(int) defined;
    bool circular;  /* definitions form a cycle, or a term has the wrong kind */
    bool assigning; /* the sums of assignments are being inlined */
} lv_inlining;

/* Inlines all definitions, equations and assignments. Returns false if definitions depend
 * on each other in a cycle. Missing memory is reported by form->failed. Call again after
 * definitions have changed. */
bool lv_inline_all(lv_inlining *w);

void lv_inlining_done(lv_inlining *w);

/* Inlines one sum. The definitions that it uses must have been inlined. */
void lv_inline_sum(lv_inlining *w, lv_sum *sum);

/* to += term.c h^term.power M x, or the same without M if term.inverse. M is distributed
 * over definitions. */
void lv_inline_mass_times(lv_inlining *w, lv_sum *to, lv_term term, int x);

/* Enlarges `state` and `same` after fields were added to the form. Returns false and sets
 * form->failed if there is no memory. */
bool lv_inline_make_room(lv_inlining *w);

static inline lv_field *lv_inline_field(const lv_inlining *w, int k)
{
    return &w->form->fields.data[k];
}

#endif
