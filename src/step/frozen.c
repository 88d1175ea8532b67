#include "step/frozen.h"

#include "system/sparse.h"

#include <string.h>

lv_status lv_frozen_init(lv_frozen *frozen, lv_system *system, lv_plan *plan,
                         lv_arena *arena, lv_error *err)
{
    *frozen = (lv_frozen){.system = system, .plan = plan};
    if (plan)
        frozen->g = lv_plan_pattern(plan, LV_Q_JACOBIAN);
    const int entries = plan ? lv_pattern_entries(frozen->g) : 0;
    frozen->rows = lv_arena_alloc(arena, (size_t)system->m + 1, sizeof *frozen->rows);
    frozen->all = lv_arena_alloc(arena, (size_t)system->m + 1, sizeof *frozen->all);
    if (frozen->all)
        memset(frozen->all, true, (size_t)system->m * sizeof *frozen->all);
    frozen->gradients =
        lv_arena_alloc(arena, (size_t)entries + 1, sizeof *frozen->gradients);
    return frozen->rows && frozen->all && frozen->gradients ? LV_OK : lv_fail_memory(err);
}

void lv_frozen_forget(lv_frozen *frozen)
{
    frozen->rank = LV_RANK_UNKNOWN;
}

/* ---- where the rank is judged ----------------------------------------------------------------------------- */

enum { KEPT_IS_KNOWN, KEPT_TIME, KEPT_POINT };

int lv_frozen_memory_size(const lv_frozen *frozen)
{
    return frozen->keeps ? KEPT_POINT + frozen->system->points : 0;
}

double *lv_frozen_place(lv_frozen *frozen, double *memory)
{
    frozen->kept = memory;
    return memory + lv_frozen_memory_size(frozen);
}

void lv_frozen_keep(lv_frozen *frozen, double t, const double *q)
{
    if (!frozen->keeps || lv_frozen_none(frozen))
        return;
    frozen->kept[KEPT_IS_KNOWN] = 1;
    frozen->kept[KEPT_TIME] = t;
    memcpy(frozen->kept + KEPT_POINT, q, (size_t)frozen->system->points * sizeof *q);
}

static lv_point judged_point(const lv_frozen *frozen, const lv_state *from)
{
    const double *kept = frozen->kept;
    if (!frozen->keeps || kept[KEPT_IS_KNOWN] == 0)
        return (lv_point){.q = from->q, .v = from->v, .t = from->t};
    return (lv_point){.q = kept + KEPT_POINT, .v = from->v, .t = kept[KEPT_TIME]};
}

/* ---- which are frozen ------------------------------------------------------------------------------------- */

/* A quick look: where G loses rank G M^-1 G^T does, too. */
static bool may_be_deficient(const lv_frozen *frozen, const lv_point *at)
{
    lv_system *s = frozen->system;
    return lv_system_accelerations(s, NULL, NULL, at->t, at->q, at->v, NULL) != LV_OK ||
           lv_saddle_redundant(s->saddle) > 0;
}

static int look(lv_frozen *frozen)
{
    lv_dependence *dependence = frozen->system->dependence;
    const int count =
        lv_dependence_look(dependence, frozen->g, frozen->gradients, LV_DEPENDENT);
    frozen->look = lv_dependence_looks(dependence);
    return count;
}

/* Others may have looked elsewhere since. */
static void look_again(lv_frozen *frozen)
{
    if (frozen->count > 0 &&
        lv_dependence_looks(frozen->system->dependence) != frozen->look)
        (void)look(frozen);
}

static void evaluate_gradients(lv_frozen *frozen, const lv_point *at)
{
    lv_plan_run(frozen->plan, at);
    memcpy(frozen->gradients, lv_plan_result(frozen->plan, LV_Q_JACOBIAN),
           (size_t)lv_pattern_entries(frozen->g) * sizeof *frozen->gradients);
}

void lv_frozen_look(lv_frozen *frozen, const lv_state *from)
{
    lv_dependence *dependence = frozen->system->dependence;
    const lv_point at = judged_point(frozen, from);
    if (frozen->rank == LV_RANK_UNKNOWN)
        frozen->rank = may_be_deficient(frozen, &at) ? LV_RANK_DEFICIENT : LV_RANK_FULL;
    if (frozen->rank == LV_RANK_FULL)
        return;
    evaluate_gradients(frozen, &at);
    const int count = look(frozen);
    frozen->count = count > 0 ? count : 0;
    memset(frozen->rows, 0, (size_t)frozen->system->m * sizeof *frozen->rows);
    for (int k = 0; k < frozen->count; k++)
        frozen->rows[lv_dependence_row(dependence, k)] = true;
}

void lv_frozen_set_zero(lv_frozen *frozen, double *y)
{
    look_again(frozen);
    if (frozen->count > 0)
        lv_dependence_without(frozen->system->dependence, frozen->g, frozen->gradients,
                              y);
}

void lv_frozen_release(lv_frozen *frozen, double *y)
{
    look_again(frozen);
    if (frozen->count > 0)
        lv_dependence_least_norm(frozen->system->dependence, frozen->g, frozen->gradients,
                                 y);
}
