/* Which Newton matrix the GGL schemes take, and when one pass with it is enough. */
#include "scheme/ggl.h"

#include "base/inline.h"

lv_status lv_ggl_make_cheap(lv_ggl *w, const lv_pattern *stiffness, lv_error *err)
{
    const lv_pattern *const terms[] = {w->mass_pattern, stiffness};
    if (w->varying || w->m == 0 || !w->schur)
        return LV_OK;
    LV_TRY(lv_condensed_create(&w->condensed, w->g, terms, 2, err));
    LV_TRY(lv_linear_create(&w->cheap, lv_schur_pattern(w->schur), LV_BACK_END_AUTO, NULL,
                            err));
    return lv_linear_allow_redundancy(w->cheap, err);
}

/* Dependent constraints are not for condensed matrices. */
static lv_ggl_level next_level(const lv_ggl *w, lv_ggl_level level)
{
    const bool condensed = w->condensed && w->held.count == 0;
    return level == LV_GGL_CHEAP && condensed ? LV_GGL_CONDENSED : LV_GGL_FULL;
}

LV_HOT lv_ggl_level lv_ggl_first_level(const lv_ggl *w)
{
    if (!w->cheap)
        return LV_GGL_FULL;
    const double last = w->memory[LV_GGL_LEVEL];
    if (w->serious == 0)
        return LV_GGL_CHEAP;
    return last == LV_GGL_CONDENSED ? next_level(w, LV_GGL_CHEAP)
           : last == LV_GGL_FULL    ? LV_GGL_FULL
                                    : LV_GGL_CHEAP;
}

LV_HOT lv_ggl_level lv_ggl_choose_level(lv_ggl *w)
{
    enum { STEPS = 200, FEW = 10 }; /* a bad beginning may be the first one */
    lv_newton *n = &w->newton;
    const int count = n->converge.count;
    if (count == 0)
        w->since = 0;
    /* The first pass with a better matrix still meets the errors that the other one left. */
    bool creeps = count > w->since + 1 && n->converge.rate > n->slow &&
                  n->converge.size > LV_NEWTON_ROUNDING;
    if (w->level != LV_GGL_FULL && (creeps || n->far)) {
        w->serious = n->far ? FEW : STEPS;
        w->level = n->far ? LV_GGL_FULL : next_level(w, w->level);
        w->since = count;
    }
    n->rough = w->level == LV_GGL_CHEAP;
    return w->level;
}

LV_HOT bool lv_ggl_factor_cheap(lv_ggl *w, double c, const double *weighted)
{
    lv_schur_store(w->schur, lv_linear_storage(w->cheap), lv_linear_slots(w->cheap), c,
                   w->g1, weighted);
    lv_held_leave_out(&w->held, w->cheap, w->held.rows);
    return lv_linear_factor(w->cheap);
}

/* One pass is enough where what it leaves, the first correction times the contraction of the cheap matrix,
 * is below rounding. The contraction is seen in steps that begin far enough off: now and then, and when it
 * is not known. It belongs to one size of step. */
LV_HOT bool lv_ggl_shall_probe(const lv_ggl *w)
{
    const double *x = w->memory;
    return w->cheap && x[LV_GGL_SERIOUS] == 0 && x[LV_GGL_STEP] == w->h &&
           (x[LV_GGL_RATE] == 0 || lv_ggl_count(w) == 0);
}

LV_HOT void lv_ggl_learn(lv_ggl *w)
{
    const double least = 1e-3;
    /* What is seen may not be the worst; still less may be left where it adds up. */
    const double caution = w->newton.adds_up ? 8 : 2;
    const double seen = w->newton.first_rate;
    double *rate = &w->memory[LV_GGL_RATE];
    if (w->level != LV_GGL_CHEAP || w->newton.built > 1 || w->memory[LV_GGL_STEP] != w->h)
        *rate = 0;
    else if (w->probing && w->newton.converge.count > 1)
        *rate = caution * (seen > least / 2 ? seen : least / 2);
    w->memory[LV_GGL_STEP] = w->h;
}
