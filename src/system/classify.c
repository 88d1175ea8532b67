/* What kind of system this is, as far as numbers decide it. */
#include "system/system.h"

#include "base/memory.h"
#include "expr/analyse.h"
#include "system/blocks.h"

#include <math.h>
#include <string.h>

/* Is the mass matrix regular at the start? Too large to tell counts as regular: factoring it
 * will tell. */
static lv_status test_mass(lv_system *s, lv_error *err)
{
    const lv_pattern *p = lv_plan_pattern(s->legendre, LV_Q_MASS);
    const double *values = lv_plan_result(s->legendre, LV_Q_MASS);
    lv_blocks blocks = {0};
    int rank = 0;
    lv_status status = LV_OK;
    for (int r = 0; status == LV_OK && r < s->n; r++)
        for (int e = p->start[r]; status == LV_OK && e < p->start[r + 1]; e++)
            status = lv_blocks_add(&blocks, r, p->column[e], values[e], err);
    if (status == LV_OK)
        status = lv_blocks_rank(&blocks, &rank, s->n, s->n, err);
    s->mass_regular = rank < 0 || rank == s->n;
    lv_blocks_done(&blocks);
    return status;
}

/* p = M v without anything else: no part of L is linear in the velocities. A coefficient may
 * vanish at the start, so other points are tried, too, if it varies; where they have no value they tell
 * nothing. */
static bool momentum_is_linear_at(lv_system *s)
{
    const unsigned depends = lv_plan_depends(s->legendre, LV_Q_MOMENTUM);
    const int points = depends & (LV_KIND(Q) | LV_KIND(T)) ? 4 : 1;
    double *p = s->work, *zero = s->work + s->n, *q = zero + s->n;
    memset(zero, 0, (size_t)s->n * sizeof *zero);
    for (int k = 0; k < points; k++) {
        for (int i = 0; i < s->n; i++) {
            double start = s->model->start_q[i];
            q[i] = start + 0.1 * k * (1 + fabs(start)) * sin(1 + 0.7 * i + k);
        }
        lv_system_momentum(s, p, 0.3 * k, q, zero);
        for (int i = 0; i < s->n; i++)
            if (isfinite(p[i]) && p[i] != 0)
                return false;
    }
    return true;
}

/* A coefficient may also vanish for the values that inputs have now. */
static lv_status momentum_is_linear(lv_system *s, bool *linear, lv_error *err)
{
    const size_t count = (size_t)s->model->input_count;
    double *kept = lv_memory_zeroed(2 * count + 1, sizeof *kept);
    if (!kept)
        return lv_fail_memory(err);
    if (s->inputs) {
        memcpy(kept, s->inputs, count * sizeof *kept);
        lv_model_vary_inputs(s->model, 0, kept + count);
        memcpy(s->inputs, kept + count + 1, count * sizeof *kept);
    }
    *linear = momentum_is_linear_at(s);
    if (s->inputs)
        memcpy(s->inputs, kept, count * sizeof *kept);
    lv_memory_free(kept);
    return LV_OK;
}

static lv_status sort_out(lv_system *s, lv_error *err)
{
    bool linear = s->still && s->still->quadratic;
    if (!s->still)
        LV_TRY(momentum_is_linear(s, &linear, err));
    const unsigned point = LV_KIND(Q) | LV_KIND(V) | LV_KIND(T) | LV_KIND(R);
    unsigned mass = lv_plan_depends(s->legendre, LV_Q_MASS);
    unsigned momentum = lv_plan_depends(s->legendre, LV_Q_MOMENTUM);
    unsigned force = lv_plan_depends(s->node, LV_Q_FORCE);
    unsigned all = mass | momentum | force | lv_plan_depends(s->place, LV_Q_CONSTRAINT) |
                   lv_plan_depends(s->gauge, LV_Q_RATE);
    s->mass_constant = (mass & point) == 0;
    s->autonomous = (all & LV_KIND(T)) == 0;
    s->rheonomic = (lv_plan_depends(s->place, LV_Q_CONSTRAINT) & LV_KIND(T)) != 0;
    s->forced = s->model->row_count[LV_ROLE_FORCE] > 0;
    s->has_nonholonomic = s->rates > s->m;
    s->affine = (lv_plan_depends(s->gauge, LV_Q_RATE_V) & LV_KIND(V)) == 0;
    s->quadratic = (mass & LV_KIND(V)) == 0 && linear;
    s->separable = s->quadratic && s->mass_constant &&
                   (momentum & (LV_KIND(Q) | LV_KIND(T))) == 0 &&
                   (force & LV_KIND(V)) == 0;
    return LV_OK;
}

lv_status lv_system_classify(lv_system *s, lv_error *err)
{
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    lv_plan_run(s->legendre, &start);
    LV_TRY(lv_plan_diagnose(s->legendre, &start, err));
    LV_TRY(lv_plan_diagnose(s->node, &start, err));
    LV_TRY(test_mass(s, err));
    return sort_out(s, err);
}
