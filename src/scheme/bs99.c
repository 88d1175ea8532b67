/* The scheme of Bobenko and Suris (1999) for the symmetric heavy top with a fixed point,
 * as given by Kinon, Betsch, Schneider (2023), A.8. It needs only the axis d3 of the body
 * and its angular momentum m about the fixed point. With the force F of gravity,
 *   w = -l F,  a = h m1 / (2 J1):
 *
 *   m1 = m0 + h w x d3,     d3' = d3 + 2 / (1 + |a|^2) (a x d3 + a x (a x d3))
 *
 * The step is explicit. The second line is the solution of the midpoint rule
 *   d3' - d3 = h m1 x (d3 + d3') / (2 J1),
 * the Cayley rotation C(a). The scheme keeps m . w and m . d3 to rounding, and also
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
#include "course/write.h"
#include "group/vector.h"
#include "scheme/lagrange_top.h"
#include "scheme/stepped.h"

#include <math.h>
#include <string.h>

/* The step as a text. m is a vector of the space of momenta whose first three numbers are the angular momentum
 * about the fixed point; its other numbers are zero. It is carried although it follows from q and p: computed anew
 * in each step, its rounding errors would add up. */
static const char text[] =
    "carried q point, p momentum, v tangent, m momentum\n"
    "# the angular momentum, sum of q x p\n"
    "call m0 momentum = moment(q, p)\n"
    "first m <- m0\n"
    "# m + h w x d3, for the axis d3 and w = -l F with the force F of gravity\n"
    "# at the distance l\n"
    "call m1 momentum = pull(q, m)\n"
    "# the directors turn about d3 by h (1/J3 - 1/J1) m1 . d3, with the moments\n"
    "# of inertia J1 and J3; then all turn by the Cayley rotation of\n"
    "# a = h m1 / (2 J1): d + 2 / (1 + |a|^2) (a x d + a x (a x d))\n"
    "call q1 point = turn(q, m1)\n"
    "# the rigid rotation with this angular momentum\n"
    "call v1 tangent, p1 momentum = rotation(q1, m1)\n"
    "assign q <- q1\n"
    "assign p <- p1\n"
    "assign v <- v1\n"
    "assign m <- m1\n";

typedef struct bs99 {
    lv_stepped base;
    lv_lagrange_top top;
} bs99;

static lv_status recognise(const lv_scheme *self, lv_lagrange_top *t, const lv_system *s,
                           lv_error *err)
{
    const char *reason;
    LV_TRY(lv_lagrange_top_read(t, s, &reason, err));
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
    lv_lagrange_top t;
    (void)options;
    return recognise(self, &t, system, err);
}

/* ---- the step ------------------------------------------------------------------------------------- */

/* sum q x p */
static void angular_momentum(double *m, const double *q, const double *p)
{
    memset(m, 0, LV_TOP_SPACE * sizeof *m);
    for (int k = 0; k < LV_TOP_COORDINATES; k += LV_TOP_SPACE) {
        double part[LV_TOP_SPACE];
        lv_v3_cross(part, q + k, p + k);
        for (int i = 0; i < LV_TOP_SPACE; i++)
            m[i] += part[i];
    }
}

static void find_momentum(void *work, const lv_opaque_values *x)
{
    (void)work;
    memset(x->results[0], 0, LV_TOP_COORDINATES * sizeof(double));
    angular_momentum(x->results[0], x->arguments[0], x->arguments[1]);
}

static void pull(void *work, const lv_opaque_values *x)
{
    const lv_lagrange_top *t = &((const bs99 *)work)->top;
    const double *q = x->arguments[0], *m = x->arguments[1];
    double torque[LV_TOP_SPACE];
    lv_v3_cross(torque, t->pull, q + LV_TOP_AXIS);
    memset(x->results[0], 0, LV_TOP_COORDINATES * sizeof(double));
    for (int i = 0; i < LV_TOP_SPACE; i++)
        x->results[0][i] = m[i] + x->h * torque[i];
}

/* The position at the end of the step; d2 is computed from d1 and d3, which keeps the
 * directors orthonormal. */
static void turn_directors(void *work, const lv_opaque_values *x)
{
    const lv_lagrange_top *t = &((const bs99 *)work)->top;
    const double *q0 = x->arguments[0], *m = x->arguments[1], h = x->h;
    double a[LV_TOP_SPACE], side[LV_TOP_SPACE], spun[LV_TOP_SPACE];
    double *q = x->results[0], *d1 = q + LV_TOP_SPACE, *d2 = d1 + LV_TOP_SPACE,
           *d3 = d2 + LV_TOP_SPACE;
    const double *axis = q0 + LV_TOP_AXIS, *first = q0 + LV_TOP_SPACE;
    double angle = h * (1 / t->along - 1 / t->across) * lv_v3_dot(m, axis);
    for (int i = 0; i < LV_TOP_SPACE; i++)
        a[i] = 0.5 * h / t->across * m[i];
    lv_cayley_turn(d3, a, axis);
    lv_v3_cross(side, axis, first);
    for (int i = 0; i < LV_TOP_SPACE; i++)
        spun[i] = cos(angle) * first[i] + sin(angle) * side[i];
    lv_cayley_turn(d1, a, spun);

    double along = lv_v3_dot(d1, d3) / lv_v3_dot(d3, d3);
    for (int i = 0; i < LV_TOP_SPACE; i++)
        d1[i] -= along * d3[i];
    double length = sqrt(lv_v3_dot(d1, d1));
    for (int i = 0; i < LV_TOP_SPACE; i++)
        d1[i] /= length;
    lv_v3_cross(d2, d3, d1);
    for (int i = 0; i < LV_TOP_SPACE; i++) {
        d2[i] *= t->hand;
        q[i] = t->length * d3[i];
    }
}

/* v and p of a rigid rotation with the angular momentum m. */
static void rotate(void *work, const lv_opaque_values *x)
{
    const lv_lagrange_top *t = &((const bs99 *)work)->top;
    const double *q = x->arguments[0], *m = x->arguments[1], *axis = q + LV_TOP_AXIS;
    double omega[LV_TOP_SPACE], *v = x->results[0], *p = x->results[1];
    double spin = (1 / t->along - 1 / t->across) * lv_v3_dot(m, axis);
    for (int i = 0; i < LV_TOP_SPACE; i++)
        omega[i] = m[i] / t->across + spin * axis[i];
    for (int k = 0; k < LV_TOP_VECTORS; k++) {
        lv_v3_cross(v + (ptrdiff_t)(LV_TOP_SPACE * k), omega,
                    q + (ptrdiff_t)(LV_TOP_SPACE * k));
        for (int i = LV_TOP_SPACE * k; i < LV_TOP_SPACE * (k + 1); i++)
            p[i] = t->mass[k] * v[i];
    }
}

static void free_work(void *work)
{
    bs99 *t = work;
    if (!t)
        return;
    lv_stepper_free(t->base.stepper);
    lv_memory_free(t);
}

static lv_status make_stepper(bs99 *t, lv_system *system, lv_error *err)
{
    const lv_opaque calls[] = {{"moment", find_momentum, t},
                               {"pull", pull, t},
                               {"turn", turn_directors, t},
                               {"rotation", rotate, t},
                               {0}};
    const lv_step_table table = {.calls = calls};
    t->base.m = system->m;
    return lv_stepper_create(&t->base.stepper, system, text, &table,
                             (lv_stepper_options){0}, err);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    bs99 *t = lv_memory_zeroed(1, sizeof *t);
    (void)options;
    *work = NULL;
    if (!t)
        return lv_fail_memory(err);
    lv_status status = recognise(self, &t->top, system, err);
    if (status == LV_OK)
        status = make_stepper(t, system, err);
    if (status == LV_OK)
        *work = t;
    else
        free_work(t);
    return status;
}

static double invariant(void *work, const lv_state *state, double h)
{
    const lv_lagrange_top *t = &((const bs99 *)work)->top;
    const double *axis = state->q + LV_TOP_AXIS;
    double m[LV_TOP_SPACE], shift[LV_TOP_SPACE];
    angular_momentum(m, state->q, state->p);
    lv_v3_cross(shift, t->pull, m);
    double spin = lv_v3_dot(m, axis);
    return 0.5 * lv_v3_dot(m, m) / t->across +
           0.5 * (1 / t->along - 1 / t->across) * spin * spin + lv_v3_dot(t->pull, axis) -
           0.5 * h / t->across * lv_v3_dot(axis, shift);
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
    lv_source_write(out, &(lv_step_source){.text = text});
    return LV_OK;
}

const lv_scheme lv_scheme_bs99 = {
    .info = {.name = "bs99",
             .summary =
                 "explicit scheme for the symmetric heavy top in directors, order 1",
             .text =
                 "For one system only: a symmetric body with a fixed point on its axis, "
                 "under\n"
                 "gravity, written as a centre of mass and three directors (model "
                 "steady-top).\n"
                 "Explicit: axis and angular momentum advance by two short formulas. "
                 "Symplectic,\n"
                 "momentum exact; a modified energy, reported as E.modified, is kept to "
                 "rounding.",
             .source = "Bobenko, Suris 1999",
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .options = LV_TAKES(ROTATIONS),
             .mass = LV_MASS_CONSTANT,
             .only = "symmetric top in directors"},
    .claims = claims,
    .fits = fits,
    .create = create,
    .equations = equations,
    .free = free_work,
    /* no tangent: the functions that the text calls have no derivatives */
    .step = lv_stepped_step,
    .memory = lv_stepped_memory,
    .forget = lv_stepped_forget,
    .stepper = lv_stepped_stepper,
    .invariant = invariant,
    .invariant_name = "E.modified"};
