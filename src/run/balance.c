#include "run/balance.h"

#include "expr/analyse.h"
#include "model/event.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- creation ------------------------------------------------------------------------------------ */

static const char *name_of(const lv_kernel *kernel)
{
    return kernel->item->name[0] ? kernel->item->name : lv_item_section(kernel->item);
}

static int find_name(const lv_balance *b, const char *name)
{
    int at = 0;
    while (at < b->count && strcmp(b->names[at], name) != 0)
        at++;
    return at;
}

/* The index of a name, which is added if it is new. Terms with the same name, such as a
 * spring and its damper, count together. */
static int add_name(lv_balance *b, const char *name)
{
    const int at = find_name(b, name);
    if (at == b->count)
        b->names[b->count++] = name;
    return at;
}

static void list_names(lv_balance *b)
{
    const lv_model *m = b->system->model;
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        const bool works = lv_plan_uses(b->power, LV_Q_POWER, kernel);
        b->name_of[k] = works ? add_name(b, name_of(kernel)) : -1;
    }
    for (int k = 0; k < m->inputs.count; k++)
        b->name_of[m->kernels.count + k] = lv_input_does_work(&m->inputs.data[k])
                                               ? add_name(b, m->inputs.data[k].item->name)
                                               : -1;
}

/* Adds the names of events that change velocities, and so the energy, at once. */
static void list_events(lv_balance *b)
{
    const lv_model *m = b->system->model;
    for (int k = 0; k < m->events.count; k++)
        if (lv_event_jumps(&m->events.data[k]))
            (void)add_name(b, m->events.data[k].item->name);
}

static lv_status balance_make_room(lv_balance *b, lv_arena *arena, lv_error *err)
{
    const size_t count = (size_t)b->count, all = 2 + 2 * count;
    double *room = lv_arena_alloc(
        arena, 2 * all + count + (size_t)b->system->constraint_count + 1, sizeof *room);
    if (!room)
        return lv_fail_memory(err);
    b->number_count = (int)all;
    b->numbers = b->start = room;
    b->work = room + 2;
    b->node = b->work + count;
    b->saved = room + all;
    b->rate = b->saved + all;
    b->lambda = b->rate + count;
    return LV_OK;
}

lv_status lv_balance_init(lv_balance *b, lv_system *system, lv_arena *arena,
                          lv_error *err)
{
    const lv_model *m = system->model;
    const size_t most =
        (size_t)m->kernels.count + (size_t)m->inputs.count + (size_t)m->events.count + 1;
    *b = (lv_balance){.system = system};
    if (system->autonomous && !system->forced && !system->has_nonholonomic &&
        !lv_model_has_jumps(system->model))
        return LV_OK;
    LV_TRY(lv_plan_create(&b->power, system->model, LV_WANT(POWER), err));
    b->name_of = lv_arena_alloc(arena, most, sizeof *b->name_of);
    b->names = lv_arena_alloc(arena, most, sizeof *b->names);
    if (!b->name_of || !b->names)
        return lv_fail_memory(err);
    list_names(b);
    list_events(b);
    b->reacts = lv_plan_depends(b->power, LV_Q_POWER) & LV_KIND(Y);
    if (b->count == 0) {
        lv_balance_done(b);
        return LV_OK;
    }
    return balance_make_room(b, arena, err);
}

void lv_balance_done(lv_balance *b)
{
    lv_plan_free(b->power);
    b->power = NULL;
}

/* ---- work ---------------------------------------------------------------------------------------- */

const double *lv_balance_power(lv_balance *b, double t, const double *q, const double *v)
{
    const lv_point point = {.q = q, .v = v, .t = t, .y = b->lambda};
    const int kernels = b->system->model->kernels.count;
    memset(b->rate, 0, (size_t)b->count * sizeof *b->rate);
    if (b->reacts &&
        lv_system_accelerations(b->system, NULL, b->lambda, t, q, v, NULL) != LV_OK)
        for (int r = 0; r < b->system->constraint_count; r++)
            b->lambda[r] = (double)NAN;
    lv_plan_run(b->power, &point);
    const double *power = lv_plan_result(b->power, LV_Q_POWER);
    for (int k = 0; k < kernels; k++)
        if (b->name_of[k] >= 0)
            b->rate[b->name_of[k]] += power[k];
    return b->rate;
}

void lv_balance_begin(lv_balance *b, const lv_state *state)
{
    lv_watch watch;
    if (b->count == 0)
        return;
    lv_system_watch(b->system, &watch, state->t, state->q, state->v, state->p);
    memset(b->numbers, 0, (size_t)b->number_count * sizeof *b->numbers);
    b->start[0] = watch.energy;
}

void lv_balance_change_input(lv_balance *b, int input, double work)
{
    if (b->count == 0)
        return;
    const int name = b->name_of[b->system->model->kernels.count + input];
    b->start[1] = 0;
    if (name >= 0)
        b->work[name] += work;
}

void lv_balance_keep(lv_balance *b)
{
    if (b->count > 0)
        memcpy(b->saved, b->numbers, (size_t)b->number_count * sizeof *b->numbers);
}

void lv_balance_restore(lv_balance *b)
{
    if (b->count > 0)
        memcpy(b->numbers, b->saved, (size_t)b->number_count * sizeof *b->numbers);
}

static void add_work(lv_balance *b, double time, const double *power)
{
    for (int k = 0; k < b->count; k++)
        b->work[k] += time * power[k];
}

/* The argument of add_work_of_stage: the balance, and the size of the step that is integrated. */
typedef struct integration {
    lv_balance *balance;
    double h;
} integration;

static void add_work_of_stage(void *user, const lv_stage_point *stage)
{
    const integration *i = user;
    add_work(i->balance, stage->weight * i->h,
             lv_balance_power(i->balance, stage->t, stage->q, stage->v));
}

static void add_trapezium(lv_balance *b, const lv_state *before, const lv_state *after,
                          double h)
{
    bool known = b->start[1] != 0;
    add_work(b, 0.5 * h,
             known ? b->node : lv_balance_power(b, before->t, before->q, before->v));
    const double *power = lv_balance_power(b, before->t + h, after->q, after->v);
    add_work(b, 0.5 * h, power);
    memcpy(b->node, power, (size_t)b->count * sizeof *power);
    b->start[1] = 1;
}

void lv_balance_step(lv_balance *b, const lv_scheme *scheme, void *work,
                     const lv_state *before, const lv_state *after, double h)
{
    integration i = {b, h};
    if (scheme->stages)
        scheme->stages(work, before, after, h, add_work_of_stage, &i);
    else
        add_trapezium(b, before, after, h);
}

void lv_balance_jump(lv_balance *b, const char *name, double energy)
{
    const int at = find_name(b, name);
    assert(at < b->count);
    b->work[at] += energy;
    b->start[1] = 0; /* the powers at the node have changed */
}

double lv_balance_rest(const lv_balance *b, double energy, const double *work)
{
    double rest = energy - b->start[0];
    for (int k = 0; k < b->count; k++)
        rest -= work[k];
    return rest;
}
