#include "scheme/lagrange_top.h"

#include "group/vector.h"
#include "num/rank.h"
#include "num/sparse.h"

#include <math.h>

enum { CONSTRAINTS = 9 };

void lv_cayley_turn(double y[LV_TOP_SPACE], const double a[LV_TOP_SPACE],
                    const double x[LV_TOP_SPACE])
{
    double once[LV_TOP_SPACE], twice[LV_TOP_SPACE], factor = 2 / (1 + lv_v3_dot(a, a));
    lv_v3_cross(once, a, x);
    lv_v3_cross(twice, a, once);
    for (int i = 0; i < LV_TOP_SPACE; i++)
        y[i] = x[i] + factor * (once[i] + twice[i]);
}

/* The system is evaluated at its start position and at this position rotated as a
 * whole. */
static const double turns[][LV_TOP_SPACE] = {
    {0, 0, 0}, {0.3, -0.7, 0.5}, {-1.1, 0.2, 0.4}};
enum { TURNS = sizeof turns / sizeof *turns };

static const double tolerance = 1e-9;

/* Each of these functions returns NULL, or the property that a top lacks. */
static const char *read_mass(lv_lagrange_top *t, const lv_system *s)
{
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    lv_plan_run(s->dynamics_plan, &start);
    const lv_pattern *p = lv_plan_pattern(s->dynamics_plan, LV_Q_MASS);
    const double *values = lv_plan_result(s->dynamics_plan, LV_Q_MASS);
    double diagonal[LV_TOP_COORDINATES] = {0}, most = 0;
    for (int r = 0; r < LV_TOP_COORDINATES; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            most = fmax(most, fabs(values[e]));
            if (p->column[e] == r)
                diagonal[r] = values[e];
            else if (fabs(values[e]) > 1e-12 * most)
                return "its mass matrix is not diagonal";
        }
    for (int k = 0; k < LV_TOP_VECTORS; k++) {
        t->mass[k] = diagonal[(ptrdiff_t)(LV_TOP_SPACE * k)];
        for (int i = 1; i < LV_TOP_SPACE; i++)
            if (fabs(diagonal[LV_TOP_SPACE * k + i] - t->mass[k]) > 1e-12 * t->mass[k])
                return "its mass matrix is not one number for each vector";
    }
    return fabs(t->mass[1] - t->mass[2]) <= 1e-12 * t->mass[1]
               ? NULL
               : "the body is not symmetric about its third director";
}

/* Checks that the start consists of the directors of a top: the constraints alone do not
 * tell it. */
static const char *read_start(lv_lagrange_top *t, const double *q)
{
    const double *d1 = q + LV_TOP_SPACE, *d2 = d1 + LV_TOP_SPACE, *d3 = d2 + LV_TOP_SPACE;
    double third[LV_TOP_SPACE],
        off = fabs(lv_v3_dot(d1, d1) - 1) + fabs(lv_v3_dot(d2, d2) - 1) +
              fabs(lv_v3_dot(d3, d3) - 1) + fabs(lv_v3_dot(d1, d2)) +
              fabs(lv_v3_dot(d1, d3)) + fabs(lv_v3_dot(d2, d3));
    if (!(off < 1e-8))
        return "its second to fourth vector are not orthonormal at the start";
    lv_v3_cross(third, d1, d2);
    t->hand = lv_v3_dot(third, d3) > 0 ? 1 : -1;
    t->length = lv_v3_dot(q, d3);
    for (int i = 0; i < LV_TOP_SPACE; i++)
        if (fabs(q[i] - t->length * d3[i]) > 1e-8 * fabs(t->length))
            return "its first vector is not along the fourth one at the start";
    t->across = t->mass[0] * t->length * t->length + t->mass[2] + t->mass[3];
    t->along = t->mass[1] + t->mass[2];
    return NULL;
}

/* Checks that the force acts on the centre of mass only and is constant. */
static const char *read_force(lv_lagrange_top *t, const double *force, bool first)
{
    double size = fabs(force[0]) + fabs(force[1]) + fabs(force[2]);
    for (int k = LV_TOP_SPACE; k < LV_TOP_COORDINATES; k++)
        if (fabs(force[k]) > tolerance * size)
            return "forces act on its directors";
    for (int i = 0; i < LV_TOP_SPACE; i++) {
        double pull = -t->length * force[i];
        if (!first && fabs(pull - t->pull[i]) > tolerance * size * fabs(t->length))
            return "the force on its centre of mass is not constant";
        t->pull[i] = pull;
    }
    return NULL;
}

/* Nine independent constraints that vanish at the start however it is rotated admit no
 * other positions. */
static const char *read_constraints(const lv_plan *plan, const double *q)
{
    const lv_pattern *p = lv_plan_pattern(plan, LV_Q_JACOBIAN);
    const double *g = lv_plan_result(plan, LV_Q_CONSTRAINT);
    const double *jacobian = lv_plan_result(plan, LV_Q_JACOBIAN);
    double dense[CONSTRAINTS * LV_TOP_COORDINATES] = {0};
    for (int r = 0; r < CONSTRAINTS; r++) {
        double size = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            dense[r * LV_TOP_COORDINATES + p->column[e]] = jacobian[e];
            size += fabs(jacobian[e]) * fmax(fabs(q[p->column[e]]), 1e-3);
        }
        if (!(fabs(g[r]) <= tolerance * size))
            return "its constraints hold more than the directors and the centre of mass";
    }
    return lv_rank(dense, CONSTRAINTS, LV_TOP_COORDINATES, 1e-9) == CONSTRAINTS
               ? NULL
               : "its constraints are not independent";
}

static const char *examine(lv_lagrange_top *t, lv_plan *plan, const lv_system *s)
{
    const char *reason = read_mass(t, s);
    if (!reason)
        reason = read_start(t, s->model->start_q);
    for (int k = 0; !reason && k < TURNS; k++) {
        double q[LV_TOP_COORDINATES];
        for (int i = 0; i < LV_TOP_COORDINATES; i += LV_TOP_SPACE)
            lv_cayley_turn(q + i, turns[k], s->model->start_q + i);
        const lv_point point = {.q = q, .v = s->model->start_v};
        lv_plan_run(plan, &point);
        reason = read_force(t, lv_plan_result(plan, LV_Q_FORCE), k == 0);
        if (!reason)
            reason = read_constraints(plan, q);
    }
    return reason;
}

/* Checks that need no evaluation of the system. The mass matrix is known to be constant
 * and regular. */
static const char *refuse_kind(const lv_system *s)
{
    if (s->n != LV_TOP_COORDINATES || s->m != CONSTRAINTS)
        return "it takes twelve coordinates with nine constraints";
    if (!s->quadratic)
        return "its kinetic energy is not quadratic in the velocities";
    if (s->forced)
        return "there are forces without a potential";
    return s->autonomous ? NULL : "something depends on time";
}

lv_status lv_lagrange_top_read(lv_lagrange_top *top, const lv_system *system,
                               const char **reason, lv_error *err)
{
    lv_plan *plan = NULL;
    *reason = refuse_kind(system);
    if (*reason)
        return LV_OK;
    LV_TRY(lv_plan_create(&plan, system->model,
                          LV_WANT(FORCE) | LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN), err));
    *reason = examine(top, plan, system);
    lv_plan_free(plan);
    return LV_OK;
}
