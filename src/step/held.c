#include "step/held.h"

#include <string.h>

enum { UNKNOWN, FULL, DEFICIENT };

lv_status lv_held_init(lv_held *held, lv_system *system, lv_arena *arena, lv_error *err)
{
    *held = (lv_held){.system = system};
    held->rows = lv_arena_alloc(arena, (size_t)system->m + 1, sizeof *held->rows);
    return held->rows ? LV_OK : lv_fail_memory(err);
}

void lv_held_forget(lv_held *held)
{
    held->rank = UNKNOWN;
}

/* A quick look: where G loses rank G M^-1 G^T does, too. */
static bool may_be_deficient(const lv_held *held, const lv_state *at)
{
    lv_system *s = held->system;
    return lv_system_accelerations(s, NULL, NULL, at->t, at->q, at->v, NULL) != LV_OK ||
           lv_saddle_redundant(s->saddle) > 0;
}

bool lv_held_none(const lv_held *held)
{
    return held->rank == FULL || held->system->m == 0;
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

void lv_held_find(lv_held *held, const lv_state *from, const lv_pattern *g,
                  const double *gradients)
{
    lv_dependence *dependence = held->system->dependence;
    held->count = 0;
    if (held->rank == UNKNOWN && held->system->m > 0)
        held->rank = may_be_deficient(held, from) ? DEFICIENT : FULL;
    if (lv_held_none(held))
        return;
    held->g = g;
    held->gradients = gradients;
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
