/* Constraints that depend on others in a step of the GGL family (scheme/held.h). */
#include "scheme/ggl.h"

#include "base/inline.h"
#include "system/agreement.h"

LV_HOT void lv_ggl_hold(lv_ggl *w)
{
    lv_held_find(&w->held, w->from, w->g, w->g0);
    lv_held_mark(&w->held, w->lambda_at);
    if (w->gammas > 0)
        lv_held_mark(&w->held, w->gamma_at);
}

/* Was the step solved in the least-norm sense? Condensed matrices are not. */
static bool is_redundant(lv_ggl *w)
{
    if (w->m == 0 || w->level == LV_GGL_CONDENSED)
        return false;
    return lv_linear_redundant(
               w->level == LV_GGL_CHEAP ? w->cheap : lv_assembly_linear(w->matrix)) > 0;
}

/* Constraints are asked for where the scheme does so. A projection looks after velocities itself. */
LV_HOT lv_status lv_ggl_check_agreement(lv_ggl *w, lv_error *err)
{
    const bool ends = w->member.ends;
    const double t = lv_ggl_time(w, ends ? 1 : w->member.theta);
    if (!is_redundant(w))
        return LV_OK;
    return lv_system_agree_position(w->system, t, ends ? w->q : w->point, err);
}
