#include "step/held.h"

#include "system/sparse.h"

#include <string.h>

lv_status lv_held_init(lv_held *held, lv_system *system, lv_plan *plan, lv_arena *arena,
                       lv_error *err)
{
    *held = (lv_held){.system = system, .plan = plan};
    if (plan)
        held->g = lv_plan_pattern(plan, LV_Q_JACOBIAN);
    const int entries = plan ? lv_pattern_entries(held->g) : 0;
    held->rows = lv_arena_alloc(arena, (size_t)system->m + 1, sizeof *held->rows);
    held->gradients = lv_arena_alloc(arena, (size_t)entries + 1, sizeof *held->gradients);
    return held->rows && held->gradients ? LV_OK : lv_fail_memory(err);
}

void lv_held_forget(lv_held *held)
{
    held->rank = LV_RANK_UNKNOWN;
}

/* A quick look: where G loses rank G M^-1 G^T does, too. */
static bool may_be_deficient(const lv_held *held, const lv_state *at)
{
    lv_system *s = held->system;
    return lv_system_accelerations(s, NULL, NULL, at->t, at->q, at->v, NULL) != LV_OK ||
           lv_saddle_redundant(s->saddle) > 0;
}

static int look(lv_held *held)
{
    lv_dependence *dependence = held->system->dependence;
    const int count =
        lv_dependence_look(dependence, held->g, held->gradients, LV_DEPENDENT);
    held->look = lv_dependence_looks(dependence);
    return count;
}

/* Others may have looked elsewhere since. */
static void look_again(lv_held *held)
{
    if (held->count > 0 && lv_dependence_looks(held->system->dependence) != held->look)
        (void)look(held);
}

static void evaluate_gradients(lv_held *held, const lv_state *from)
{
    lv_plan_run(held->plan, &(lv_point){.q = from->q, .v = from->v, .t = from->t});
    memcpy(held->gradients, lv_plan_result(held->plan, LV_Q_JACOBIAN),
           (size_t)lv_pattern_entries(held->g) * sizeof *held->gradients);
}

void lv_held_find(lv_held *held, const lv_state *from)
{
    lv_dependence *dependence = held->system->dependence;
    held->count = 0;
    if (lv_held_none(held))
        return;
    if (held->rank == LV_RANK_UNKNOWN)
        held->rank = may_be_deficient(held, from) ? LV_RANK_DEFICIENT : LV_RANK_FULL;
    if (held->rank == LV_RANK_FULL)
        return;
    evaluate_gradients(held, from);
    const int count = look(held);
    held->count = count > 0 ? count : 0;
    memset(held->rows, 0, (size_t)held->system->m * sizeof *held->rows);
    for (int k = 0; k < held->count; k++)
        held->rows[lv_dependence_row(dependence, k)] = true;
}

void lv_held_hand_over(lv_held *held, double *y)
{
    look_again(held);
    if (held->count > 0)
        lv_dependence_without(held->system->dependence, held->g, held->gradients, y);
}

void lv_held_release(lv_held *held, double *y)
{
    look_again(held);
    if (held->count > 0)
        lv_dependence_least_norm(held->system->dependence, held->g, held->gradients, y);
}
