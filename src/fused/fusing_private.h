/* Helpers that the files of fused/fusing.h share. */
#ifndef LV_FUSED_FUSING_PRIVATE_H
#define LV_FUSED_FUSING_PRIVATE_H

#include "course/carried.h"
#include "fused/fusing.h"

static inline lv_shadow *find_shadow(const lv_fusing *f, const double *x)
{
    for (int k = f->shadows.count - 1; k >= 0; k--) {
        lv_shadow *s = &f->shadows.data[k];
        if (x >= s->from && x < s->from + s->count)
            return s;
    }
    return NULL;
}

/* The formulas of numbers of the course, which must have been computed by earlier
 * actions. Otherwise sets `unsupported`. */
static inline const lv_node *nodes_of(lv_fusing *f, const double *x)
{
    static const lv_node none = LV_NODE_NONE;
    const lv_shadow *s = find_shadow(f, x);
    f->unsupported = f->unsupported || !s;
    return s ? s->nodes + (x - s->from) : &none;
}

static inline bool is_broken(const lv_fusing *f)
{
    return f->failed || f->unsupported || lv_graph_status(f->graph) != LV_OK;
}

/* Adds an input Q of the program; `sample` is its value at the sample. */
static inline lv_node next_input(lv_fusing *f, double sample)
{
    f->failed = !LV_PUSH(f->sample_q, sample) || f->failed;
    return lv_graph_input(f->graph, LV_INPUT_Q, f->input_count++);
}

/* c h^power. Equal nodes of a graph are one, so every power of h is computed once. */
static inline lv_node weight(lv_fusing *f, double c, int power)
{
    lv_graph *g = f->graph;
    lv_node h = lv_graph_const(g, 1);
    for (int k = 0; k < (power < 0 ? -power : power); k++)
        h = lv_graph_mul(g, h, f->h);
    const lv_node factor = lv_graph_const(g, c);
    return power < 0 ? lv_graph_div(g, factor, h) : lv_graph_mul(g, factor, h);
}

/* Calls a function for every carried field, in the order of programs: first q, v and p,
 * as in a state, then the others. */
static inline void for_each_carried(lv_fusing *f, void (*call)(lv_fusing *f, int field))
{
    const lv_form *form = &f->c->form;
    int state[LV_STATE_PARTS];
    for (int k = 0; k < LV_STATE_PARTS; k++) {
        state[k] = lv_carried_of_state(form, k);
        if (state[k] >= 0)
            call(f, state[k]);
    }
    for (int k = 0; k < form->fields.count; k++)
        if (form->fields.data[k].role == LV_FIELD_CARRIED && k != state[0] &&
            k != state[1] && k != state[2])
            call(f, k);
}

static inline const lv_node *value_of(lv_fusing *f, int field)
{
    const bool there = field >= 0 && f->c->value[field] &&
                       f->c->sizes[f->c->form.fields.data[field].space] > 0;
    return there ? nodes_of(f, f->c->value[field]) : NULL;
}

/* Does no equation of this column hold in this step, so that its unknowns are 0? */
static inline bool is_left_out(const lv_fusing *f, const lv_phase *p,
                               const lv_phase_column *column)
{
    return !f->asks[p->asked] && column->unknown && !column->vector;
}

/* For each equation of a column: 0 if it is left out because it depends on others,
 * otherwise 1. NULL: none are ever left out. */
static inline const lv_node *taken_of(lv_fusing *f, const lv_phase_column *column)
{
    return f->left_out->taken && column->space == LV_SPACE_HOLONOMIC
               ? nodes_of(f, f->left_out->taken)
               : NULL;
}

/* x, or 0 if equation i of a column is left out. */
static inline lv_node if_taken(const lv_fusing *f, const lv_node *taken, int i, lv_node x)
{
    return taken ? lv_graph_mul(f->graph, taken[i], x) : x;
}

/* fusing.c: the shadow of numbers of the course, made if there is none (NULL: memory is
 * short); the arguments of a site; the results of a plan at a point. */
lv_node *lv_fusing_nodes_for(lv_fusing *fusing, const double *x, int count);
lv_point_nodes lv_fusing_point(lv_fusing *fusing, const lv_site *site);
void lv_fusing_unfold(lv_fusing *fusing, const lv_plan *plan, const lv_point_nodes *point,
                      lv_node *const result[LV_QUANTITIES]);

/* fusing_start.c: declares the inputs of the program, except initial guesses. */
void lv_fusing_declare_start(lv_fusing *fusing);

/* fusing_left_out.c: sets `left_over`: do the constraints that are left out hold to
 * rounding? */
void lv_fusing_check_left_out(lv_fusing *fusing);

/* fusing_groups.c: an operator of groups; a block of a Newton matrix times derivatives
 * of such operators on both sides. */
void lv_fusing_turn(lv_fusing *fusing, const lv_atom *atom, lv_node *out);
void lv_fusing_dress(lv_fusing *fusing, const lv_block *block, lv_node *a, int rows,
                     int columns);

/* fusing_guess.c: the values of a column from the initial guess; the unknowns of a phase
 * after a pass, in the form of initial guesses; the sizes of its corrections x, for all
 * columns. */
void lv_fusing_guess(lv_fusing *fusing, const lv_phase_column *column, lv_node *value);
void lv_fusing_find(lv_fusing *fusing, const lv_phase *phase, lv_shadowed_guess *guess);
void lv_fusing_measure(lv_fusing *fusing, const lv_phase *phase, const lv_node *x,
                       lv_shadowed_guess *guess);

#endif
