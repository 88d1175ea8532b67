/* The scheme of Bobenko and Suris (1999) for the symmetric heavy top with a fixed point,
 * as given by Kinon, Betsch, Schneider (2023), A.8. It needs only the axis d3 of the body
 * and its angular momentum m about the fixed point. With the force F of gravity,
 * w = -l F, and a = h m1 / (2 J1):
 *
 *   m1 = m0 + h w x d3,     d3' = d3 + 2 / (1 + |a|^2) (a x d3 + a x (a x d3))
 *
 * The step is explicit. The second line is the solution of the midpoint rule
 * d3' - d3 = h m1 x (d3 + d3') / (2 J1), the Cayley rotation C(a). The scheme keeps m . w
 * and m . d3 to rounding, and also
 *
 *   E - h d3 . (w x m) / (2 J1),   E = |m|^2 / (2 J1) + (1/J3 - 1/J1) (m . d3)^2 / 2 + w . d3
 *
 * The other directors first turn about d3 by the angle h (1/J3 - 1/J1) m . d3 and then
 * take part in the same rotation. A step is thus a composition of three flows, of the
 * potential, of a function of |m|, and of (m . d3)^2, and is symplectic on the whole
 * phase space of the top. Its order is 1.
 *
 * Coordinates are the centre of mass l d3 and the directors d1, d2, d3. Velocities are
 * those of a rigid rotation with the angular velocity that belongs to m, so that q and v
 * determine m. */
#include "base/memory.h"
#include "num/rank.h"
#include "scheme/scheme.h"
#include "step/failure.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

enum { SPACE = 3, VECTORS = 4, COORDINATES = 12, CONSTRAINTS = 9, AXIS = 9 };

/* memory[0] says whether m is known (not 0); m follows. m could be computed from the
 * state in each step, but then rounding errors would accumulate. */
enum { CARRIED = 1 };

typedef struct top {
    lv_system *system;
    /* of the centre of mass, then Euler's values of the three directors */
    double mass[VECTORS];
    double length;        /* from the fixed point to the centre of mass */
    double across, along; /* moments of inertia about the fixed point: J1 and J3 */
    double pull[SPACE];   /* w = -l F */
    double hand;          /* 1: the directors are right-handed, -1: left-handed */
    double memory[CARRIED + SPACE];
} top;

/* ---- vectors ---------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double *c, const double *a, const double *b)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* y = x turned by the Cayley rotation of a; y must not be x. */
static void turn(double *y, const double *a, const double *x)
{
    double once[SPACE], twice[SPACE], factor = 2 / (1 + dot(a, a));
    cross(once, a, x);
    cross(twice, a, once);
    for (int i = 0; i < SPACE; i++)
        y[i] = x[i] + factor * (once[i] + twice[i]);
}

/* ---- recognising a top ------------------------------------------------------------------------- */

/* The system is evaluated at its start position and at this position rotated as a
 * whole. */
static const double turns[][SPACE] = {{0, 0, 0}, {0.3, -0.7, 0.5}, {-1.1, 0.2, 0.4}};
enum { TURNS = sizeof turns / sizeof *turns };

static const double tolerance = 1e-9;

/* Each of these functions returns NULL, or the property that a top lacks. */
static const char *read_mass(top *t, const lv_system *s)
{
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    lv_plan_run(s->node, &start);
    const lv_pattern *p = lv_plan_pattern(s->node, LV_Q_MASS);
    const double *values = lv_plan_result(s->node, LV_Q_MASS);
    double diagonal[COORDINATES] = {0}, most = 0;
    for (int r = 0; r < COORDINATES; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            most = fmax(most, fabs(values[e]));
            if (p->column[e] == r)
                diagonal[r] = values[e];
            else if (fabs(values[e]) > 1e-12 * most)
                return "its mass matrix is not diagonal";
        }
    for (int k = 0; k < VECTORS; k++) {
        t->mass[k] = diagonal[(ptrdiff_t)(SPACE * k)];
        for (int i = 1; i < SPACE; i++)
            if (fabs(diagonal[SPACE * k + i] - t->mass[k]) > 1e-12 * t->mass[k])
                return "its mass matrix is not one number for each vector";
    }
    return fabs(t->mass[1] - t->mass[2]) <= 1e-12 * t->mass[1]
               ? NULL
               : "the body is not symmetric about its third director";
}

/* Checks that the start consists of the directors of a top: the constraints alone do not
 * tell it. */
static const char *read_start(top *t, const double *q)
{
    const double *d1 = q + SPACE, *d2 = d1 + SPACE, *d3 = d2 + SPACE;
    double third[SPACE], off = fabs(dot(d1, d1) - 1) + fabs(dot(d2, d2) - 1) +
                               fabs(dot(d3, d3) - 1) + fabs(dot(d1, d2)) +
                               fabs(dot(d1, d3)) + fabs(dot(d2, d3));
    if (!(off < 1e-8))
        return "its second to fourth vector are not orthonormal at the start";
    cross(third, d1, d2);
    t->hand = dot(third, d3) > 0 ? 1 : -1;
    t->length = dot(q, d3);
    for (int i = 0; i < SPACE; i++)
        if (fabs(q[i] - t->length * d3[i]) > 1e-8 * fabs(t->length))
            return "its first vector is not along the fourth one at the start";
    t->across = t->mass[0] * t->length * t->length + t->mass[2] + t->mass[3];
    t->along = t->mass[1] + t->mass[2];
    return NULL;
}

/* Checks that the force acts on the centre of mass only and is constant. */
static const char *read_force(top *t, const double *force, bool first)
{
    double size = fabs(force[0]) + fabs(force[1]) + fabs(force[2]);
    for (int k = SPACE; k < COORDINATES; k++)
        if (fabs(force[k]) > tolerance * size)
            return "forces act on its directors";
    for (int i = 0; i < SPACE; i++) {
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
    double dense[CONSTRAINTS * COORDINATES] = {0};
    for (int r = 0; r < CONSTRAINTS; r++) {
        double size = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            dense[r * COORDINATES + p->column[e]] = jacobian[e];
            size += fabs(jacobian[e]) * fmax(fabs(q[p->column[e]]), 1e-3);
        }
        if (!(fabs(g[r]) <= tolerance * size))
            return "its constraints hold more than the directors and the centre of mass";
    }
    return lv_rank(dense, CONSTRAINTS, COORDINATES, 1e-9) == CONSTRAINTS
               ? NULL
               : "its constraints are not independent";
}

static const char *examine(top *t, lv_plan *plan, const lv_system *s)
{
    const char *reason = read_mass(t, s);
    if (!reason)
        reason = read_start(t, s->model->start_q);
    for (int k = 0; !reason && k < TURNS; k++) {
        double q[COORDINATES];
        for (int i = 0; i < COORDINATES; i += SPACE)
            turn(q + i, turns[k], s->model->start_q + i);
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
    if (s->n != COORDINATES || s->m != CONSTRAINTS)
        return "it takes twelve coordinates with nine constraints";
    if (!s->quadratic)
        return "its kinetic energy is not quadratic in the velocities";
    if (s->forced)
        return "there are forces without a potential";
    return s->autonomous ? NULL : "something depends on time";
}

static lv_status recognise(const lv_scheme *self, top *t, const lv_system *s,
                           lv_error *err)
{
    lv_plan *plan = NULL;
    const char *reason = refuse_kind(s);
    if (!reason) {
        LV_TRY(lv_plan_create(&plan, s->model,
                              LV_WANT(FORCE) | LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN),
                              err));
        reason = examine(t, plan, s);
        lv_plan_free(plan);
    }
    if (!reason)
        return LV_OK;
    lv_status status = lv_fail(err, LV_ERR_MODEL,
                               "scheme '%s' is for a symmetric heavy top in directors "
                               "only, and this is none: %s",
                               self->info.name, reason);
    lv_error_note(err, "the model steady-top shows what it takes");
    return status;
}

static lv_status fits(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err)
{
    top t;
    (void)options;
    return recognise(self, &t, system, err);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    top *t = lv_memory_zeroed(1, sizeof *t);
    (void)options;
    *work = NULL;
    if (!t)
        return lv_fail_memory(err);
    lv_status status = recognise(self, t, system, err);
    t->system = system;
    if (status == LV_OK)
        *work = t;
    else
        lv_memory_free(t);
    return status;
}

static lv_memory_view memory(void *work)
{
    top *t = work;
    return (lv_memory_view){t->memory, CARRIED + SPACE};
}

static void forget(void *work)
{
    top *t = work;
    memset(t->memory, 0, sizeof t->memory);
}

/* ---- the step ------------------------------------------------------------------------------------- */

/* sum q x p */
static void angular_momentum(double *m, const lv_state *state)
{
    memset(m, 0, SPACE * sizeof *m);
    for (int k = 0; k < COORDINATES; k += SPACE) {
        double part[SPACE];
        cross(part, state->q + k, state->p + k);
        for (int i = 0; i < SPACE; i++)
            m[i] += part[i];
    }
}

/* The position at the end of the step; d2 is computed from d1 and d3, which keeps the
 * directors orthonormal. */
static void advance(const top *t, double *q, const double *q0, const double *m, double h)
{
    double a[SPACE], side[SPACE], spun[SPACE], *d1 = q + SPACE, *d2 = d1 + SPACE;
    double *d3 = d2 + SPACE;
    const double *axis = q0 + AXIS, *first = q0 + SPACE;
    double angle = h * (1 / t->along - 1 / t->across) * dot(m, axis);
    for (int i = 0; i < SPACE; i++)
        a[i] = 0.5 * h / t->across * m[i];
    turn(d3, a, axis);
    cross(side, axis, first);
    for (int i = 0; i < SPACE; i++)
        spun[i] = cos(angle) * first[i] + sin(angle) * side[i];
    turn(d1, a, spun);

    double along = dot(d1, d3) / dot(d3, d3);
    for (int i = 0; i < SPACE; i++)
        d1[i] -= along * d3[i];
    double length = sqrt(dot(d1, d1));
    for (int i = 0; i < SPACE; i++)
        d1[i] /= length;
    cross(d2, d3, d1);
    for (int i = 0; i < SPACE; i++) {
        d2[i] *= t->hand;
        q[i] = t->length * d3[i];
    }
}

/* Sets v and p to those of a rigid rotation with the angular momentum m. */
static void set_motion(const top *t, lv_state *state, const double *m)
{
    double omega[SPACE];
    const double *axis = state->q + AXIS;
    double spin = (1 / t->along - 1 / t->across) * dot(m, axis);
    for (int i = 0; i < SPACE; i++)
        omega[i] = m[i] / t->across + spin * axis[i];
    for (int k = 0; k < VECTORS; k++) {
        cross(state->v + (ptrdiff_t)(SPACE * k), omega,
              state->q + (ptrdiff_t)(SPACE * k));
        for (int i = SPACE * k; i < SPACE * (k + 1); i++)
            state->p[i] = t->mass[k] * state->v[i];
    }
}

static lv_status step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err)
{
    top *t = work;
    double m[SPACE], torque[SPACE], q[COORDINATES], check = 0;
    (void)project;
    report->iterations = 0;
    if (t->memory[0] != 0)
        memcpy(m, t->memory + CARRIED, sizeof m);
    else
        angular_momentum(m, state);
    cross(torque, t->pull, state->q + AXIS);
    for (int i = 0; i < SPACE; i++)
        m[i] += h * torque[i];
    advance(t, q, state->q, m, h);
    for (int k = 0; k < COORDINATES; k++)
        check += 0 * q[k];
    if (!isfinite(check + dot(m, m)))
        return lv_step_failed(&(lv_step_failure){.system = t->system,
                                                 .why = LV_WHY_DIVERGED,
                                                 .change = (double)NAN,
                                                 .iterations = 1},
                              err);
    memcpy(state->q, q, sizeof q);
    set_motion(t, state, m);
    t->memory[0] = 1;
    memcpy(t->memory + CARRIED, m, sizeof m);
    return LV_OK;
}

static double invariant(void *work, const lv_state *state, double h)
{
    const top *t = work;
    const double *axis = state->q + AXIS;
    double m[SPACE], shift[SPACE];
    angular_momentum(m, state);
    cross(shift, t->pull, m);
    double spin = dot(m, axis);
    return 0.5 * dot(m, m) / t->across +
           0.5 * (1 / t->along - 1 / t->across) * spin * spin + dot(t->pull, axis) -
           0.5 * h / t->across * dot(axis, shift);
}

/* ---- the descriptor --------------------------------------------------------------------------------- */

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    (void)self;
    (void)options;
    *c = (lv_claims){.order = 1,
                     .symplectic = true,
                     .energy = LV_KEPT_BOUNDED,
                     .momentum = LV_KEPT_EXACT,
                     .position = LV_KEPT_EXACT,
                     .velocity = LV_KEPT_EXACT};
}

static lv_status equations(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err)
{
    (void)self;
    (void)options;
    (void)err;
    lv_text_append(
        out, "# no text of the step language: an explicit map of the axis d3 and the\n"
             "# angular momentum m about the fixed point; w = -l F for the force F of\n"
             "# gravity at the distance l, J1 and J3 are moments of inertia\n"
             "m  <- m + h w x d3\n"
             "a   = h m / (2 J1)\n"
             "# the other directors first turn about d3 by this angle\n"
             "phi = h (1/J3 - 1/J1) m . d3\n"
             "# then all take part in the Cayley rotation of a\n"
             "d  <- d + 2 / (1 + |a|^2) (a x d + a x (a x d))\n");
    return LV_OK;
}

const lv_scheme lv_scheme_bs99 = {
    .info =
        {"bs99",
         "explicit scheme for the symmetric heavy top in directors, order 1",
         "For one system only: a symmetric body with a fixed point on its axis, under\n"
         "gravity, written as a centre of mass and three directors (model steady-top).\n"
         "Explicit: axis and angular momentum advance by two short formulas. "
         "Symplectic,\n"
         "momentum exact; a modified energy, reported as E.modified, is kept to "
         "rounding.",
         "Bobenko, Suris 1999",
         1,
         1,
         1,
         true,
         false,
         LV_TAKES(ROTATIONS),
         false,
         LV_MASS_CONSTANT,
         NULL,
         "symmetric top in directors",
         false,
         NULL,
         NULL,
         {0}},
    .claims = claims,
    .fits = fits,
    .create = create,
    .equations = equations,
    .free = lv_memory_free,
    .step = step,
    .memory = memory,
    .invariant = invariant,
    .invariant_name = "E.modified",
    .forget = forget};
