/* Constraints that depend on others in a step of the GGL family.
 *
 * Gradients that depend on each other where the constraints hold may be independent elsewhere, and the
 * equations of a step look elsewhere: while they are solved, and at points between the nodes. There dependent
 * constraints look like independent ones with nearly parallel gradients, and their multipliers grow beyond
 * bounds. So the rank is judged where the step begins, from G(q0): multipliers of constraints that depend on
 * others there are held at zero and their equations left out. If they agree with the others they hold all the
 * same; whether they do is tested before a step is accepted. Between steps multipliers are those of least norm,
 * which do not depend on who was held. */
#include "scheme/ggl.h"

#include "system/agreement.h"

#include <string.h>

/* In memory[LV_GGL_RANK]. Once it was found to be full it is not asked for again: what then becomes dependent
 * on the way is solved in the least-norm sense. */
enum { RANK_UNKNOWN, RANK_FULL, RANK_DEFICIENT };

lv_status lv_ggl_make_rank(lv_ggl *w, lv_error *err)
{
    w->held = lv_arena_alloc(&w->arena, (size_t)w->m + 1, sizeof *w->held);
    w->left_out =
        lv_arena_alloc(&w->arena, (size_t)w->newton.size + 1, sizeof *w->left_out);
    return w->held && w->left_out ? LV_OK : lv_fail_memory(err);
}

/* A quick look: G M^-1 G^T does not lose rank less often than G. */
static bool may_be_deficient(const lv_ggl *w)
{
    const lv_state *at = w->from;
    return lv_system_accelerations(w->system, NULL, NULL, at->t, at->q, at->v, NULL) !=
               LV_OK ||
           lv_saddle_redundant(w->system->saddle) > 0;
}

void lv_ggl_find_rank(lv_ggl *w)
{
    double *rank = &w->memory[LV_GGL_RANK];
    w->held_count = 0;
    if (w->m == 0)
        return;
    if (*rank == RANK_UNKNOWN)
        *rank = may_be_deficient(w) ? RANK_DEFICIENT : RANK_FULL;
    if (*rank == RANK_FULL)
        return;
    const int count =
        lv_dependence_look(w->system->dependence, w->g, w->g0, LV_DEPENDENT);
    w->held_count = count > 0 ? count : 0;
    memset(w->held, 0, (size_t)w->m * sizeof *w->held);
    memset(w->left_out, 0, (size_t)w->newton.size * sizeof *w->left_out);
    for (int k = 0; k < w->held_count; k++) {
        const int r = lv_dependence_row(w->system->dependence, k);
        w->held[r] = true;
        w->left_out[w->lambda_at.first + r * w->lambda_at.stride] = true;
        if (w->gammas > 0)
            w->left_out[w->gamma_at.first + r * w->gamma_at.stride] = true;
    }
}

/* Hands the multiplier of a held constraint to those that it depends on. */
static void hand_over(lv_ggl *w, double *y, int k)
{
    const double *weights = lv_dependence_weights(w->system->dependence, k);
    const int held = lv_dependence_row(w->system->dependence, k);
    const double share = y[held];
    for (int r = 0; r < w->m; r++)
        y[r] -= share * weights[r];
    y[held] = 0;
}

void lv_ggl_hold(lv_ggl *w)
{
    for (int k = 0; k < w->held_count; k++) {
        hand_over(w, w->lambda, k);
        hand_over(w, w->gamma, k);
    }
}

void lv_ggl_release(lv_ggl *w)
{
    lv_dependence *dependence = w->system->dependence;
    if (w->held_count == 0)
        return;
    lv_dependence_least_norm(dependence, w->g, w->g0, w->lambda);
    lv_dependence_least_norm(dependence, w->g, w->g0, w->gamma);
}

/* Rows and columns of zeros: the solution of least norm has zeros there, too. */
static void clear_lines(lv_linear *linear, const lv_pattern *pattern, const bool *lines)
{
    double *storage = lv_linear_storage(linear);
    const int *slot = lv_linear_slots(linear);
    for (int r = 0; r < pattern->rows; r++)
        for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++)
            if (lines[r] || lines[pattern->column[e]])
                storage[slot[e]] = 0;
}

void lv_ggl_leave_out(lv_ggl *w)
{
    if (w->held_count > 0)
        clear_lines(lv_assembly_linear(w->matrix), lv_assembly_pattern(w->matrix),
                    w->left_out);
}

void lv_ggl_leave_out_cheap(lv_ggl *w)
{
    if (w->held_count > 0)
        clear_lines(w->cheap, lv_schur_pattern(w->schur), w->held);
}

lv_status lv_ggl_check_agreement(lv_ggl *w, lv_error *err)
{
    if (w->m == 0 || w->level == LV_GGL_CONDENSED)
        return LV_OK;
    const bool cheap = w->level == LV_GGL_CHEAP;
    if (lv_linear_redundant(cheap ? w->cheap : lv_assembly_linear(w->matrix)) == 0)
        return LV_OK;
    const bool ends = w->member.ends;
    LV_TRY(lv_system_agree_position(w->system, lv_ggl_time(w, ends ? 1 : w->member.theta),
                                    ends ? w->q : w->point, err));
    /* A projection looks after velocities itself. */
    const bool hidden =
        w->methods == &lv_ggl_em_plain || (w->methods == &lv_ggl_em && !w->livens);
    return hidden ? lv_system_agree_velocity(w->system, lv_ggl_time(w, 1), w->q,
                                             w->velocity, err)
                  : LV_OK;
}
