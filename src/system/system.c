#include "system/system.h"

#include "expr/function.h"
#include "model/moving.h"
#include "num/sparse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int lv_system_reference_count(const lv_system *s)
{
    return LV_TURN_NUMBERS * s->model->turn_count;
}

void lv_system_start_turns(lv_system *s, double t, const double *q, const double *v)
{
    if (s->turns)
        lv_turns_start(s->turns, s->references, t, q, v);
}

void lv_system_follow_turns(lv_system *s, double t, const double *q, const double *v)
{
    if (s->turns)
        lv_turns_follow(s->turns, s->references, t, q, v);
}

/* ---- momenta and velocities -------------------------------------------------------- */

void lv_system_momentum(lv_system *s, double *p, double t, const double *q,
                        const double *v)
{
    assert(p != v);
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(s->legendre, &point);
    memcpy(p, lv_plan_result(s->legendre, LV_Q_MOMENTUM), (size_t)s->n * sizeof *p);
}

static lv_status singular_mass(lv_system *s, double t, lv_error *err)
{
    (void)s;
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC, "the mass matrix is singular at t = %.6g", t);
    lv_error_because(err, LV_WHY_SINGULAR);
    return status;
}

lv_status lv_system_velocity(lv_system *s, double *v, double t, const double *q,
                             const double *p, lv_error *err)
{
    assert(v != p);
    double *update = s->work;
    const lv_point point = {.q = q, .v = v, .t = t};
    if (s->separable) {
        memcpy(v, p, (size_t)s->n * sizeof *v);
        lv_mass_solve(s->mass, v);
        return LV_OK;
    }
    /* L_v = p by Newton; one step is exact where L is quadratic in the velocities. */
    enum { MOST = 50 };
    for (int k = 0; k < MOST; k++) {
        double largest = 0, size = 0;
        lv_plan_run(s->legendre, &point);
        if (!s->mass_constant &&
            !lv_mass_factor(s->mass, lv_plan_result(s->legendre, LV_Q_MASS)))
            return singular_mass(s, t, err);
        const double *momentum = lv_plan_result(s->legendre, LV_Q_MOMENTUM);
        for (int i = 0; i < s->n; i++)
            update[i] = p[i] - momentum[i];
        lv_mass_solve(s->mass, update);
        for (int i = 0; i < s->n; i++) {
            v[i] += update[i];
            largest = fmax(largest, fabs(update[i]));
            size = fmax(size, fabs(v[i]));
        }
        if (largest <= 1e-15 * size || !isfinite(size) ||
            (k > 0 && !(lv_plan_depends(s->legendre, LV_Q_MASS) & LV_KIND(V))))
            break;
    }
    return LV_OK;
}

/* ---- accelerations ----------------------------------------------------------------- */

/* Adds a note that a constraint depends on the others or, if it is the only one, has no
 * gradient. */
static void note_dependent(lv_system *s, int row, lv_error *err)
{
    char name[160];
    lv_system_row_name(s, row, name, sizeof name);
    if (s->constraint_count == 1)
        lv_error_note(err, "the gradient of constraint '%s' vanishes there", name);
    else
        lv_error_note(err, "constraint '%s' follows from the others", name);
}

static lv_status singular_constraints(lv_system *s, const lv_saddle *saddle, double t,
                                      lv_error *err)
{
    int row;
    double pivot = lv_saddle_worst(saddle, &row);
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "the constraints are dependent at t = %.6g (pivot ratio %.1e)", t, pivot);
    lv_error_because(err, LV_WHY_SINGULAR);
    lv_system_blame_row(s, row, err);
    if (row >= 0)
        note_dependent(s, row, err);
    if (lv_dependence_too_many(s->dependence))
        lv_error_note(err,
                      "more than %d constraints depend on each other, too many to tell "
                      "which of them could be left out",
                      LV_DEPENDENCE_MOST);
    return status;
}

lv_status lv_system_factor(lv_system *s, const lv_plan *plan, double t, lv_error *err)
{
    const double *mass = lv_plan_result(plan, LV_Q_MASS);
    bool positions = plan == s->position_plan;
    lv_saddle *saddle = positions ? s->position : s->saddle;
    bool divides = lv_saddle_schur(saddle) || s->constraint_count == 0;
    if (!s->mass_constant && divides && !lv_mass_factor(s->mass, mass))
        return singular_mass(s, t, err);
    if (!lv_saddle_factor(saddle, mass,
                          lv_plan_result(plan, positions ? LV_Q_JACOBIAN : LV_Q_RATE_V)))
        return singular_constraints(s, saddle, t, err);
    return LV_OK;
}

void lv_system_load(const lv_system *s, double *x, double *y)
{
    const double *force = lv_plan_result(s->dynamics_plan, LV_Q_FORCE);
    const double *rate = lv_plan_result(s->dynamics_plan, LV_Q_MOMENTUM_RATE);
    const double *curve = lv_plan_result(s->dynamics_plan, LV_Q_RATE_CURVE);
    for (int i = 0; i < s->n; i++)
        x[i] = force[i] - rate[i];
    for (int r = 0; r < s->constraint_count; r++)
        y[r] = -curve[r];
}

/* Momenta in body axes turn with the body: p' = ad_v^T p + ... */
static void turn_momenta(const lv_system *s, double *x, const double *v)
{
    const lv_motion *motion = s->model->motion;
    const double *momentum =
        motion ? lv_plan_result(s->dynamics_plan, LV_Q_MOMENTUM) : NULL;
    for (int k = 0; motion && k < motion->pose_count; k++) {
        const lv_pose *pose = &motion->poses[k];
        const int n = pose->group->tangent;
        double own[LV_LIE_TANGENT], m[LV_LIE_TANGENT * LV_LIE_TANGENT];
        for (int i = 0; i < n; i++)
            own[i] = momentum[pose->tangent[i]];
        pose->group->coad(m, own);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[pose->tangent[i]] += m[n * i + j] * v[pose->tangent[j]];
    }
}

lv_status lv_system_accelerations(lv_system *s, double *a, double *lambda, double t,
                                  const double *q, const double *v, lv_error *err)
{
    const lv_point point = {.q = q, .v = v, .t = t};
    double *x = s->work, *y = s->work + s->n;
    lv_plan_run(s->dynamics_plan, &point);
    LV_TRY(lv_system_factor(s, s->dynamics_plan, t, err));
    lv_system_load(s, x, y);
    turn_momenta(s, x, v);
    lv_saddle_solve(s->saddle, x, y);
    if (a)
        memcpy(a, x, (size_t)s->n * sizeof *a);
    if (lambda)
        memcpy(lambda, y, (size_t)s->constraint_count * sizeof *lambda);
    return LV_OK;
}

lv_status lv_system_momentum_change(lv_system *s, double *w, double t, const double *q,
                                    const double *v, lv_error *err)
{
    const double *lambda = s->work + s->n; /* where the accelerations leave them */
    LV_TRY(lv_system_accelerations(s, NULL, NULL, t, q, v, err));
    memcpy(w, lv_plan_result(s->dynamics_plan, LV_Q_FORCE), (size_t)s->n * sizeof *w);
    lv_sparse_multiply_transposed(lv_plan_pattern(s->dynamics_plan, LV_Q_RATE_V),
                                  lv_plan_result(s->dynamics_plan, LV_Q_RATE_V), 1,
                                  lambda, w);
    return LV_OK;
}
