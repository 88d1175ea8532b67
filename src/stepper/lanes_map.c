#include "stepper/lanes_private.h"

/* Whether two ranges of outputs are the same nodes: the program then has them in the
 * same slots. */
static bool are_same(const lv_program *p, int output, int other, int count)
{
    bool same = output >= 0 && other >= 0;
    for (int k = 0; same && k < count; k++)
        same = p->output[output + k] == p->output[other + k];
    return same;
}

/* ---- carried fields ---------------------------------------------------------------- */

static int find_field(const lv_stepper *s, int field)
{
    for (int k = 0; k < s->carried_count; k++)
        if (s->carried[k].field == field)
            return k;
    return -1;
}

static bool map_fields(lv_lane_map *m, const lv_stepper *s, const lv_fused *f)
{
    const lv_form *form = &s->course->form;
    m->fields = s->carried_count;
    for (int k = 0; k < m->fields; k++) {
        const lv_carried_field *x = &s->carried[k];
        m->field[k] = (lv_lane_field){
            .size = x->size,
            .input = x->size > 0 ? lv_fused_input(f, s->course->value[x->field]) : 0,
            .output = x->becomes && x->size > 0 ? lv_fused_output(f, x->becomes) : -1,
            .memory = x->memory ? (int)(x->memory - s->memory) : -1,
            .in_state = x->memory ? 0 : x->in_state};
        if (m->field[k].input < 0 ||
            (x->becomes && x->size > 0 && m->field[k].output < 0))
            return false;
    }
    m->q = find_field(s, lv_form_find(form, "q", 0));
    m->v = find_field(s, lv_form_find(form, "v", 0));
    m->p = find_field(s, lv_form_find(form, "p", 0));
    return m->q >= 0 && m->v >= 0 && m->p >= 0 && m->field[m->q].memory < 0 &&
           m->field[m->v].memory < 0 && m->field[m->p].memory < 0;
}

/* ---- handovers --------------------------------------------------------------------- */

/* Finds the carried field at which a handed-over quantity is evaluated. Returns false
 * unless its new value is the argument of the evaluation at the end of the step. */
static bool map_point(const lv_lane_map *m, const lv_stepper *s, const lv_fused *f,
                      int from, int to, int *field)
{
    *field = find_field(s, to);
    return from >= 0 && *field >= 0 && s->course->value[from] &&
           are_same(lv_fused_program(f), lv_fused_output(f, s->course->value[from]),
                    m->field[*field].output, m->field[*field].size);
}

static bool map_handover(const lv_lane_map *m, lv_lane_handover *to, const lv_stepper *s,
                         const lv_fused *f, const lv_handover *h)
{
    const lv_course *c = s->course;
    const lv_site *begin = &c->sites.data[h->to], *end = &c->sites.data[h->from.site];
    if (!h->kept || (h->of_time && end->at != 1))
        return false;
    *to = (lv_lane_handover){.memory = (int)(h->kept - s->memory),
                             .points = c->system->points,
                             .n = c->system->n,
                             .v = -1,
                             .of_time = h->of_time,
                             .at = end->at,
                             .parts = h->parts};
    if (!map_point(m, s, f, end->arg[LV_ARG_Q], begin->arg[LV_ARG_Q], &to->q) ||
        (h->of_velocity &&
         !map_point(m, s, f, end->arg[LV_ARG_V], begin->arg[LV_ARG_V], &to->v)))
        return false;
    for (int k = 0; k < h->parts; k++) {
        const lv_handed *part = &h->part[k];
        to->part[k] = (lv_lane_part){part->count, 0, 0};
        if (part->count == 0)
            continue;
        to->part[k].input = lv_fused_input(f, part->to);
        to->part[k].output = lv_fused_output(f, part->from);
        if (to->part[k].input < 0 || to->part[k].output < 0)
            return false;
    }
    return true;
}

/* ---- phases ------------------------------------------------------------------------ */

static lv_lane_phase map_phase(const lv_stepper *s, const lv_fused_pass *pass)
{
    const lv_solver *w = &s->solvers[pass->phase];
    return (lv_lane_phase){.count = pass->found.count,
                           .guess = pass->guess,
                           .found = pass->found.at,
                           .size = pass->size,
                           .excess = pass->excess,
                           .memory = (int)(w->memory - s->memory) + LV_MEMORY_SOLVER,
                           .checks = w->checks_solution,
                           .adds_up = w->newton.adds_up,
                           .slow = w->newton.slow};
}

/* ---- the map ----------------------------------------------------------------------- */

/* Whether one of these outputs, which are copied to inputs after a step, is the slot of
 * another input: that may be overwritten before it is copied. */
static bool overlaps(const lv_program *p, int input, int output, int count)
{
    const int first = p->input[LV_INPUT_Q], end = first + p->input_size[LV_INPUT_Q];
    for (int k = 0; output >= 0 && k < count; k++)
        if (p->output[output + k] >= first && p->output[output + k] < end &&
            p->output[output + k] != first + input + k)
            return true;
    return false;
}

static bool is_free_of_overlaps(const lv_lane_map *m, const lv_program *p)
{
    for (int k = 0; k < m->fields; k++)
        if (overlaps(p, m->field[k].input, m->field[k].output, m->field[k].size))
            return false;
    for (int k = 0; k < m->handovers; k++)
        for (int i = 0; i < m->handover[k].parts; i++) {
            const lv_lane_part *part = &m->handover[k].part[i];
            if (overlaps(p, part->input, part->output, part->count))
                return false;
        }
    return true;
}

static bool map_all(lv_lane_map *m, const lv_stepper *s, const lv_fused *f)
{
    const lv_course *c = s->course;
    bool made = map_fields(m, s, f);
    m->taken = lv_fused_input(f, s->frozen.taken);
    m->taken_count = m->taken >= 0 ? s->system->m : 0;
    m->handovers = c->handovers.count;
    for (int k = 0; made && k < m->handovers; k++)
        made = map_handover(m, &m->handover[k], s, f, &c->handovers.data[k]);
    for (int k = 0; made && k < f->pass_count; k++) {
        m->phase[m->phases++] = map_phase(s, &f->passes[k]);
        /* Predictions of many values are summed in another order. */
        made = f->passes[k].found.count <= LV_PAST_FEW;
    }
    return made && is_free_of_overlaps(m, lv_fused_program(f));
}

lv_status lv_lane_map_make(lv_lane_map *m, bool *made, const lv_stepper *s,
                           lv_arena *arena, lv_error *err)
{
    const lv_course *c = s->course;
    const lv_fused *f = lv_lane_fused(s);
    *made = false;
    if (!f || s->system->still || s->system->turns || s->restarts || s->substeps != 1 ||
        f->keeps || f->program->input_size[LV_INPUT_T] > 1 ||
        f->program->input_size[LV_INPUT_R] > 0)
        return LV_OK;
    *m = (lv_lane_map){.memory_size = s->memory_size,
                       .growth = f->growth,
                       .sum = f->sum,
                       .left_over = f->left_over};
    m->field = lv_arena_alloc(arena, (size_t)s->carried_count + 1, sizeof *m->field);
    m->handover =
        lv_arena_alloc(arena, (size_t)c->handovers.count + 1, sizeof *m->handover);
    m->phase = lv_arena_alloc(arena, (size_t)c->phases.count + 1, sizeof *m->phase);
    if (!m->field || !m->handover || !m->phase)
        return lv_fail_memory(err);
    *made = map_all(m, s, f);
    return LV_OK;
}

/* ---- maps that are alike ----------------------------------------------------------- */

static bool is_same_field(const lv_lane_field *a, const lv_lane_field *b)
{
    return a->size == b->size && a->input == b->input && a->output == b->output &&
           a->memory == b->memory && a->in_state == b->in_state;
}

static bool is_same_handover(const lv_lane_handover *a, const lv_lane_handover *b)
{
    bool same = a->memory == b->memory && a->points == b->points && a->n == b->n &&
                a->q == b->q && a->v == b->v && a->of_time == b->of_time &&
                a->at == b->at && a->parts == b->parts;
    for (int k = 0; same && k < a->parts; k++)
        same = a->part[k].count == b->part[k].count &&
               a->part[k].input == b->part[k].input &&
               a->part[k].output == b->part[k].output;
    return same;
}

static bool is_same_phase(const lv_lane_phase *a, const lv_lane_phase *b)
{
    return a->count == b->count && a->guess == b->guess && a->found == b->found &&
           a->size == b->size && a->excess == b->excess && a->memory == b->memory &&
           a->checks == b->checks && a->adds_up == b->adds_up && a->slow == b->slow;
}

bool lv_lane_map_is_like(const lv_lane_map *a, const lv_lane_map *b)
{
    bool same = a->memory_size == b->memory_size && a->fields == b->fields &&
                a->handovers == b->handovers && a->phases == b->phases && a->q == b->q &&
                a->v == b->v && a->p == b->p && a->taken == b->taken &&
                a->taken_count == b->taken_count && a->growth == b->growth &&
                a->sum == b->sum && a->left_over == b->left_over;
    for (int k = 0; same && k < a->fields; k++)
        same = is_same_field(&a->field[k], &b->field[k]);
    for (int k = 0; same && k < a->handovers; k++)
        same = is_same_handover(&a->handover[k], &b->handover[k]);
    for (int k = 0; same && k < a->phases; k++)
        same = is_same_phase(&a->phase[k], &b->phase[k]);
    return same;
}
