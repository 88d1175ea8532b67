#include "stepper/embedding.h"

#include "base/memory.h"
#include "num/sparse.h"

#include <math.h>
#include <string.h>

struct lv_embedding {
    lv_system *system;
    const lv_turning *turning;
    lv_plan *plan; /* masses and derivatives of momenta, for the system in coordinates */
    double *numbers; /* owns the arrays below */
    double *p, *rate, *body, *blocks;
    lv_turned_state from, to;
};

/* ---- creation ---------------------------------------------------------------------- */

static lv_status embedding_init(lv_embedding *e, lv_error *err)
{
    const size_t n = (size_t)e->turning->coordinates,
                 blocks = LV_POSE_BLOCK * (size_t)e->turning->motion->pose_count;
    e->numbers = lv_memory_zeroed(3 * n + blocks + 1, sizeof *e->numbers);
    if (!e->numbers)
        return lv_fail_memory(err);
    e->p = e->numbers;
    e->rate = e->p + n;
    e->body = e->rate + n;
    e->blocks = e->body + n;
    return lv_plan_create(&e->plan, e->system->still->model,
                          LV_WANT(MASS) | LV_WANT(MOMENTUM_Q), err);
}

lv_status lv_embedding_create(lv_embedding **result, lv_system *system,
                              const lv_turning *turning, lv_error *err)
{
    lv_embedding *e = *result = lv_memory_zeroed(1, sizeof *e);
    if (!e)
        return lv_fail_memory(err);
    e->system = system;
    e->turning = turning;
    const lv_status status = embedding_init(e, err);
    if (status != LV_OK) {
        lv_embedding_free(e);
        *result = NULL;
    }
    return status;
}

void lv_embedding_free(lv_embedding *e)
{
    if (!e)
        return;
    lv_plan_free(e->plan);
    lv_memory_free(e->numbers);
    lv_memory_free(e);
}

/* ---- axes -------------------------------------------------------------------------- */

/* An axis of a body at q or, if dq is not NULL, its change along dq. */
static void find_axis(const lv_pose *p, int axis, const double *q, const double *dq,
                      double e[3])
{
    if (p->angle < 0) {
        memcpy(e, (dq ? dq : q) + p->axis[axis], 3 * sizeof *e);
        return;
    }
    /* Each axis is a quarter of a turn further, and so is the change. */
    const double c = cos(q[p->angle]), s = sin(q[p->angle]), by = dq ? dq[p->angle] : 1;
    const int quarters = axis + (dq != NULL);
    e[0] = by * (quarters == 0 ? c : quarters == 1 ? -s : -c);
    e[1] = by * (quarters == 0 ? s : quarters == 1 ? c : -s);
    e[2] = 0;
}

static void find_axes(const lv_pose *p, const double *q, const double *dq,
                      double axes[3][3])
{
    for (int a = 0; a < (p->angle < 0 ? 3 : 2); a++)
        find_axis(p, a, q, dq, axes[a]);
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The position of the velocity along an axis among the tangents of a body whose pose is
 * coupled. */
static int along(const lv_pose *p, int axis)
{
    return p->tangent[(p->angle < 0 ? 3 : 1) + axis];
}

/* Adds the velocities of coordinates that belong to tangents: a rotation about axis c
 * moves axis a along b, and b against a. With dq: their change with the position, which
 * is 0 for plain coordinates. */
static void add_velocities(const lv_embedding *e, const double *q, const double *dq,
                           const double *tangent, double *v)
{
    const lv_motion *m = e->turning->motion;
    for (int i = 0; i < m->tangents && !dq; i++)
        if (m->place[i] >= 0 && m->pose_of[i] < 0)
            v[m->place[i]] += tangent[i];
    for (int k = 0; k < m->pose_count; k++) {
        const lv_pose *p = &m->poses[k];
        const int size = p->angle < 0 ? 3 : 2;
        double axes[3][3];
        find_axes(p, q, dq, axes);
        for (int i = 0; i < size && p->centre >= 0; i++)
            for (int a = 0; a < size; a++)
                v[p->centre + i] += axes[a][i] * tangent[along(p, a)];
        if (p->angle >= 0 && !dq)
            v[p->angle] += tangent[p->tangent[0]];
        for (int c = 0; c < 3 && p->angle < 0; c++)
            for (int i = 0; i < 3; i++) {
                const int a = (c + 1) % 3, b = (c + 2) % 3;
                v[p->axis[a] + i] += axes[b][i] * tangent[p->tangent[c]];
                v[p->axis[b] + i] -= axes[a][i] * tangent[p->tangent[c]];
            }
    }
}

/* The transposed map: adds the body momenta that belong to momenta of coordinates. */
static void add_momenta(const lv_embedding *e, const double *q, const double *dq,
                        const double *p_of, double *body)
{
    const lv_motion *m = e->turning->motion;
    for (int i = 0; i < m->tangents && !dq; i++)
        if (m->place[i] >= 0 && m->pose_of[i] < 0)
            body[i] += p_of[m->place[i]];
    for (int k = 0; k < m->pose_count; k++) {
        const lv_pose *p = &m->poses[k];
        const int size = p->angle < 0 ? 3 : 2;
        double axes[3][3];
        find_axes(p, q, dq, axes);
        for (int a = 0; a < size && p->centre >= 0; a++)
            body[along(p, a)] += dot(axes[a], p_of + p->centre, size);
        if (p->angle >= 0 && !dq)
            body[p->tangent[0]] += p_of[p->angle];
        for (int c = 0; c < 3 && p->angle < 0; c++) {
            const int a = (c + 1) % 3, b = (c + 2) % 3;
            body[p->tangent[c]] +=
                dot(axes[b], p_of + p->axis[a], 3) - dot(axes[a], p_of + p->axis[b], 3);
        }
    }
}

/* ---- changes ----------------------------------------------------------------------- */

static double *cleared(double *x, int n)
{
    memset(x, 0, (size_t)n * sizeof *x);
    return x;
}

void lv_embedding_begin(lv_embedding *e, const lv_turned_state *from,
                        const lv_turned_state *to)
{
    const int n = e->turning->coordinates;
    e->from = *from;
    e->to = *to;
    add_velocities(e, from->q, NULL, from->v, cleared(e->rate, n));
    lv_system_momentum(e->system->still, e->p, from->t, from->q, e->rate);
    add_momenta(e, from->q, NULL, e->p, cleared(e->body, n));
    lv_turn_arguments at = {[LV_ARG_Q] = from->q, [LV_ARG_W] = e->body};
    lv_turning_slope(e->turning, LV_TURN_SPACE, LV_ARG_Q, e->blocks, at);
    add_velocities(e, to->q, NULL, to->v, cleared(e->rate, n));
    lv_plan_run(e->plan, &(lv_point){.q = to->q, .v = e->rate, .t = to->t});
}

/* Adds the change of spatial momenta along a tangent. */
static void add_turned(const lv_embedding *e, const double *tangent, double *space)
{
    const lv_motion *m = e->turning->motion;
    for (int k = 0; k < m->pose_count; k++) {
        const lv_pose *p = &m->poses[k];
        const double *block = e->blocks + (ptrdiff_t)LV_POSE_BLOCK * k;
        for (int i = 0; i < p->group->tangent; i++)
            for (int j = 0; j < p->group->tangent; j++)
                space[p->tangent[i]] += *block++ * tangent[p->tangent[j]];
    }
}

void lv_embedding_take_in(lv_embedding *e, const double *dq, const double *dp,
                          double *tangent, double *body, double *space)
{
    const lv_motion *m = e->turning->motion;
    const double *q = e->from.q;
    double *turned = cleared(e->rate, e->turning->coordinates);
    lv_motion_tangents(m, tangent, q, dq);
    add_velocities(e, q, NULL, tangent, turned);
    cleared(body, m->tangents);
    add_momenta(e, q, NULL, dp, body);
    add_momenta(e, q, turned, e->p, body);
    lv_turn_arguments at = {[LV_ARG_Q] = q, [LV_ARG_W] = body};
    lv_turning_apply(e->turning, LV_TURN_SPACE, space, at);
    add_turned(e, tangent, space);
}

void lv_embedding_give_out(lv_embedding *e, const double *tangent, const double *velocity,
                           double *dq, double *dp)
{
    const int n = e->turning->coordinates;
    const double *q = e->to.q;
    double *dv = cleared(e->rate, n);
    add_velocities(e, q, NULL, tangent, cleared(dq, n));
    add_velocities(e, q, NULL, velocity, dv);
    add_velocities(e, q, dq, e->to.v, dv);
    cleared(dp, n);
    lv_sparse_multiply(lv_plan_pattern(e->plan, LV_Q_MASS),
                       lv_plan_result(e->plan, LV_Q_MASS), 1, dv, dp);
    lv_sparse_multiply(lv_plan_pattern(e->plan, LV_Q_MOMENTUM_Q),
                       lv_plan_result(e->plan, LV_Q_MOMENTUM_Q), 1, dq, dp);
}
