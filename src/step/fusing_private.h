/* What the files of step/fusing.h share. */
#ifndef LV_STEP_FUSING_PRIVATE_H
#define LV_STEP_FUSING_PRIVATE_H

#include "step/carried.h"
#include "step/fusing.h"

static inline lv_shadow *find_shadow(const lv_fusing *f, const double *x)
{
    for (int k = f->shadows.count - 1; k >= 0; k--) {
        lv_shadow *s = &f->shadows.data[k];
        if (x >= s->from && x < s->from + s->count)
            return s;
    }
    return NULL;
}

/* What numbers of the course are; they must have been computed. */
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

/* The next input of the program, which has this value where formulas are sampled. */
static inline lv_node next_input(lv_fusing *f, double sample)
{
    f->failed = !LV_PUSH(f->sample_q, sample) || f->failed;
    return lv_graph_input(f->graph, LV_INPUT_Q, f->input_count++);
}

/* c h^power; the power of h is made once, since equal nodes are one. */
static inline lv_node weight(lv_fusing *f, double c, int power)
{
    lv_graph *g = f->graph;
    lv_node h = lv_graph_const(g, 1);
    for (int k = 0; k < (power < 0 ? -power : power); k++)
        h = lv_graph_mul(g, h, f->h);
    const lv_node factor = lv_graph_const(g, c);
    return power < 0 ? lv_graph_div(g, factor, h) : lv_graph_mul(g, factor, h);
}

/* The carried fields in the order in which programs have them: those of the state first, side by side as in a state, then
 * the others. Calls for each of them. */
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

/* Are the equations of a column left out, so that its unknowns are 0? */
static inline bool is_left_out(const lv_fusing *f, const lv_phase *p,
                               const lv_phase_column *column)
{
    return !f->asks[p->asked] && column->unknown && !column->vector;
}

/* For every equation of a column 0 if it is left out, since it depends on others, and 1 if not; NULL: none ever are. */
static inline const lv_node *taken_of(lv_fusing *f, const lv_phase_column *column)
{
    return f->left_out->taken && column->space == LV_SPACE_HOLONOMIC
               ? nodes_of(f, f->left_out->taken)
               : NULL;
}

/* What belongs to equation i of a column is 0 if that is left out. */
static inline lv_node if_taken(const lv_fusing *f, const lv_node *taken, int i, lv_node x)
{
    return taken ? lv_graph_mul(f->graph, taken[i], x) : x;
}

/* fusing.c: where to put what numbers of the course become, NULL without memory; the arguments of a site; the results of a
 * plan there. */
lv_node *lv_fusing_nodes_for(lv_fusing *fusing, const double *x, int count);
lv_point_nodes lv_fusing_point(lv_fusing *fusing, const lv_site *site);
void lv_fusing_unfold(lv_fusing *fusing, const lv_plan *plan, const lv_point_nodes *point,
                      lv_node *const result[LV_QUANTITIES]);

/* fusing_start.c: the inputs of the program, besides guesses. */
void lv_fusing_declare_start(lv_fusing *fusing);

/* fusing_left_out.c: do constraints that are left out hold to rounding? */
void lv_fusing_check_left_out(lv_fusing *fusing);

/* fusing_groups.c: an operator of groups, and blocks of Newton matrices with their derivatives on both sides. */
void lv_fusing_turn(lv_fusing *fusing, const lv_atom *atom, lv_node *out);
void lv_fusing_dress(lv_fusing *fusing, const lv_block *block, lv_node *a, int rows,
                     int columns);

/* fusing_guess.c: the initial guess of a column; what should have been expected of a phase; how large its corrections x
 * are, for all columns. */
void lv_fusing_guess(lv_fusing *fusing, const lv_phase_column *column, lv_node *value);
void lv_fusing_find(lv_fusing *fusing, const lv_phase *phase, lv_shadowed_guess *guess);
void lv_fusing_measure(lv_fusing *fusing, const lv_phase *phase, const lv_node *x,
                       lv_shadowed_guess *guess);

#endif
