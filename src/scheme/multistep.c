/* Symmetric multistep methods for constant mass matrices and holonomic constraints
 * (Quinlan, Tremaine 1990; Console, Hairer, Lubich 2013; theory 11): of order 4, 6 and 8 at
 * the price of one force and one set of multipliers a step. Constraints hold at the nodes.
 * Velocities are observed, not carried: they follow from positions and accelerations.
 * Energies and momentum maps oscillate without drift as long as parasitic parts of the
 * solution stay small; a step is no map of the state, so that nothing can be symplectic. */
#include "base/memory.h"
#include "course/write.h"
#include "num/legendre.h"
#include "scheme/dense.h"
#include "scheme/multistep_start.h"
#include "scheme/stepped.h"

#include <string.h>

static const char text[] =
    "carried q point, p momentum, v tangent\n"
    "# the mean velocity of the last step, and what past steps contribute to the\n"
    "# mean accelerations of the next ones\n"
    "carried u tangent, s[i] tangent\n"
    "# a weighted sum of multipliers, which is smooth where single ones\n"
    "# alternate, and what past ones contribute to it\n"
    "unknown mu multiplier g\n"
    "carried r[i] multiplier g\n"
    "let lambda = d mu - d r[1]\n"
    "let R[i] = r[i+1] + b[i] lambda for i = 1..N-1\n"
    "let R[N] = b[N] lambda\n"
    "unknown a tangent\n"
    "# the acceleration at the start, and its mean over the steps beside it\n"
    "eq a: M(a) - F(q, v) - GT(q; lambda)\n"
    "let w = b0 a + s[1]\n"
    "let U = u + h w\n"
    "point q1 at 1 = q + h U\n"
    "eq mu: g(q1)\n"
    "let S[i] = s[i+1] + b[i] a - c[i] w for i = 1..N-1\n"
    "let S[N] = b[N] a - c[N] w\n"
    "# the velocity at the end, on which no step depends\n"
    "let V = U + h va a + h vs[i] S[i]\n"
    "unknown x tangent\n"
    "when projection: unknown z impulse g\n"
    "when projection: eq x: M(x) - M(V) - GT(q1; z)\n"
    "when not projection: eq x: M(x) - M(V)\n"
    "when projection: eq z: rate(q1, x)\n"
    "assign q <- q1\n"
    "assign p <- M(x)\n"
    "assign v <- x\n"
    "assign u <- U\n"
    "assign s[i] <- S[i]\n"
    "assign r[i] <- R[i]\n"
    "show a, S[i]\n";

typedef struct multistep {
    lv_stepped base;
    lv_multistep tableau;
    lv_multistep_start start;
    lv_system *system;
    double *room; /* for dense output */
    double *kept; /* the memory before a step that begins anew */
} multistep;

static void free_work(void *work)
{
    multistep *w = work;
    if (!w)
        return;
    lv_stepper_free(w->base.stepper);
    lv_multistep_start_done(&w->start);
    lv_memory_free(w->room);
    lv_memory_free(w->kept);
    lv_memory_free(w);
}

/* ---- the text ---------------------------------------------------------------------- */

/* The facts and coefficients with which the text is read. */
typedef struct prepared {
    double sums, inverse;
    const char *holds[2], *fails[2];
    lv_coefficient list[9];
    lv_index_set sets[2];
} prepared;

static void prepared_init(prepared *x, const lv_multistep *t,
                          const lv_scheme_options *options)
{
    const bool projects = lv_scheme_option(options, LV_OPTION_PROJECTION, 1) != 0;
    *x = (prepared){.sums = t->sums,
                    .inverse = 1 / t->b0,
                    .holds = {projects ? "projection" : NULL},
                    .fails = {projects ? NULL : "projection"},
                    .list = {{"N", 0, 0, &x->sums},
                             {"b0", 0, 0, &t->b0},
                             {"d", 0, 0, &x->inverse},
                             {"b", t->sums, 0, t->b},
                             {"c", t->sums, 0, t->c},
                             {"va", 0, 0, &t->velocity[0]},
                             {"vs", t->sums, 0, t->velocity + 1}},
                    .sets = {{'i', t->sums}}};
}

static lv_status equations(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err)
{
    lv_multistep tableau;
    prepared x;
    (void)err;
    lv_multistep_init(&tableau, lv_scheme_stages(self, options));
    prepared_init(&x, &tableau, options);
    lv_source_write(out, &(lv_step_source){.text = text,
                                           .holds = x.holds,
                                           .fails = x.fails,
                                           .coefficients = x.list});
    return LV_OK;
}

static lv_status make_stepper(multistep *w, lv_system *system,
                              const lv_scheme_options *options, lv_error *err)
{
    prepared x;
    prepared_init(&x, &w->tableau, options);
    const lv_step_table table = {
        .sets = x.sets, .coefficients = x.list, .facts = x.holds};
    LV_TRY(lv_multistep_start_init(&w->start, &w->tableau, system, err));
    w->room = lv_memory_zeroed((2 * (size_t)w->tableau.order + 4) * (size_t)system->n + 1,
                               sizeof *w->room);
    if (!w->room)
        return lv_fail_memory(err);
    LV_TRY(lv_stepper_create(&w->base.stepper, system, text, &table,
                             (lv_stepper_options){.beginnings = 2, .remembers = true},
                             err));
    w->kept = lv_memory_zeroed((size_t)lv_stepper_memory(w->base.stepper).count,
                               sizeof *w->kept);
    return w->kept ? LV_OK : lv_fail_memory(err);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    multistep *w = lv_memory_zeroed(1, sizeof *w);
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    w->base.m = system->m;
    w->system = system;
    lv_multistep_init(&w->tableau, lv_scheme_stages(self, options));
    const lv_status status = make_stepper(w, system, options, err);
    if (status == LV_OK)
        *work = w;
    else
        free_work(w);
    return status;
}

/* ---- steps ------------------------------------------------------------------------- */

/* Begins with steps of size h: computes the carried fields from the motion before the
 * state. */
static lv_status start(multistep *w, const lv_state *state, double h, lv_error *err)
{
    const lv_multistep *t = &w->tableau;
    const int n = w->system->n;
    const size_t bytes = (size_t)n * sizeof(double);
    double *to = w->start.next;
    LV_TRY(lv_multistep_start_find(&w->start, state, h, err));
    lv_stepper_start(w->base.stepper, h);
    memcpy(to, state->v, bytes);
    lv_multistep_start_add(&w->start, h, t->u, to);
    lv_stepper_set_carried(w->base.stepper, "u", 0, to);
    for (int i = 0; i < t->sums; i++) {
        memset(to, 0, bytes);
        lv_multistep_start_add(&w->start, 1, t->s[i], to);
        lv_stepper_set_carried(w->base.stepper, "s", i + 1, to);
    }
    return LV_OK;
}

/* Takes a step that does not go on from the step before. If it fails, later steps go on
 * as if it had not been tried. */
static lv_status step_anew(multistep *w, lv_state *state, double h, bool project,
                           lv_step_report *report, lv_error *err)
{
    const lv_memory_view memory = lv_stepper_memory(w->base.stepper);
    const size_t bytes = (size_t)memory.count * sizeof(double);
    memcpy(w->kept, memory.numbers, bytes);
    lv_status status = start(w, state, h, err);
    if (status == LV_OK)
        status = lv_stepper_step(w->base.stepper, state, h, project, report, err);
    if (status == LV_OK)
        return LV_OK;
    lv_stepper_forget(w->base.stepper);
    memcpy(lv_stepper_memory(w->base.stepper).numbers, w->kept, bytes);
    return status;
}

/* Where constraints are nearly dependent, single multipliers may be huge without any force
 * to speak of. Sums with them mislead the initial guesses of later steps, which then find
 * other solutions. Where other constraints are left out, sums with multipliers of these
 * make all of them oscillate. Sums that begin with 0 there give mu another meaning and
 * leave the motion as it is. */
static lv_status step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err)
{
    multistep *w = work;
    lv_stepper *s = w->base.stepper;
    LV_TRY(lv_stepper_continues(s, h) ? lv_stepper_step(s, state, h, project, report, err)
                                      : step_anew(w, state, h, project, report, err));
    if (lv_stepper_multipliers_jump(s))
        lv_stepper_clear_carried(s, "r");
    return LV_OK;
}

/* ---- inside of steps --------------------------------------------------------------- */

/* Adds the term l of the accelerations in the step, with the factor, to `to`. */
static void add_inside(const multistep *w, int l, double factor, double *to)
{
    const lv_multistep *t = &w->tableau;
    for (int i = 0; i <= t->sums; i++) {
        const double *x = lv_stepper_value(w->base.stepper, i > 0 ? "S" : "a", i);
        for (int k = 0; k < w->system->n; k++)
            to[k] += factor * t->inside[l][i] * x[k];
    }
}

/* Accelerations are a series of Legendre polynomials, forces are these times M, and
 * velocities their integrals that end with the velocity at the end of the step. */
static lv_slopes slopes(void *work, const lv_state *before, const lv_state *after,
                        double h)
{
    multistep *w = work;
    const int n = w->system->n, terms = w->tableau.order;
    double *v = w->room, *force = v + (ptrdiff_t)terms * n,
           *a = force + (ptrdiff_t)(terms + 1) * n;
    memset(w->room, 0, (size_t)((2 * terms + 1) * n) * sizeof *w->room);
    memcpy(v, after->v, (size_t)n * sizeof *v);
    lv_stepper_show(w->base.stepper);
    for (int l = 0; l < terms - 1; l++) {
        const double share = h / (2 * (2 * l + 1));
        memset(a, 0, (size_t)n * sizeof *a);
        add_inside(w, l, 1, a);
        lv_system_momentum(w->system, force + (ptrdiff_t)l * n, before->t, before->q, a);
        /* the integral of L_l from 1 is (L_{l+1} - L_{l-1}) / (2 (2 l + 1)), of L_0
         * (L_1 - L_0) / 2 */
        for (int k = 0; k < n; k++) {
            v[(l + 1) * n + k] += share * a[k];
            v[(l > 0 ? l - 1 : 0) * n + k] -= share * a[k];
        }
    }
    return (lv_slopes){.closure = LV_CLOSURE_C,
                       .degree = terms,
                       .v = v,
                       .w = force,
                       .q = before->q,
                       .p = before->p,
                       .h = h};
}

/* The points of a Gauss rule, of the same order. */
static void stages(void *work, const lv_state *before, const lv_state *after, double h,
                   lv_stage_visit visit, void *user)
{
    multistep *w = work;
    const int n = w->system->n, points = w->tableau.order / 2;
    double c[LV_RULE_MOST], b[LV_RULE_MOST], l[LV_RULE_MOST + 3];
    const lv_slopes series = slopes(work, before, after, h);
    double *q = w->room + (ptrdiff_t)(2 * w->tableau.order + 2) * n, *v = q + n;
    lv_rule_nodes(c, b, LV_RULE_GAUSS, points);
    for (int i = 0; i < points; i++) {
        lv_dense_position(&series, LV_DENSE_INTEGRATED, n, c[i], q);
        lv_legendre_shifted(l, NULL, series.degree, c[i]);
        memset(v, 0, (size_t)n * sizeof *v);
        for (int a = 0; a < series.degree; a++)
            for (int k = 0; k < n; k++)
                v[k] += l[a] * series.v[a * n + k];
        visit(user, &(lv_stage_point){before->t + c[i] * h, b[i], q, v});
    }
}

/* ---- the descriptor ---------------------------------------------------------------- */

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    const bool projects = lv_scheme_option(options, LV_OPTION_PROJECTION, 1) != 0;
    *c = (lv_claims){.order = 2 * lv_scheme_stages(self, options),
                     .energy = LV_KEPT_BOUNDED,
                     .momentum = LV_KEPT_BOUNDED,
                     .position = LV_KEPT_EXACT,
                     .velocity = projects ? LV_KEPT_EXACT : LV_KEPT_BOUNDED};
}

static double default_value(const lv_scheme *self, lv_option option,
                            const lv_scheme_options *options)
{
    (void)self;
    (void)options;
    return option == LV_OPTION_PROJECTION ? 1 : 0;
}

static const char description[] =
    "The acceleration at a node, with those of the nodes before it, gives the next\n"
    "position: one evaluation of the force and one solution for the multipliers a step,\n"
    "whatever the order. With s stages the order is 2s and a step looks back at 2s - 1\n"
    "nodes. Constraints hold at the nodes. Velocities are computed from positions and\n"
    "accelerations and do not enter later steps; the projection makes the hidden\n"
    "constraints hold for them.\n"
    "\n"
    "Where motions are smooth and accuracy is wanted it is often the cheapest. The\n"
    "methods are symmetric: energies and momentum maps oscillate without drift over "
    "long\n"
    "times, with errors of the order of the scheme. They are not kept to rounding, and\n"
    "nothing is symplectic. Where steps are too large parasitic parts of the solution\n"
    "grow, slowly at first and without a message: in long runs h times the largest\n"
    "frequency should stay below 0.1, and the energy tells.\n"
    "\n"
    "The mass matrix must be constant (bodies have their axes as coordinates), and "
    "forces\n"
    "must not depend on velocities. A run begins with the motion of the steps before "
    "its\n"
    "start, as it would have been, which takes steps that are small for that: h times "
    "the\n"
    "largest frequency below 1, with 4 stages below 0.4. Other step sizes, events, at\n"
    "which steps end, and inputs that change begin it anew. That costs as much as some\n"
    "tens of steps and loses what keeps energies from drifting: controllers, and runs\n"
    "with many events or stops between steps, want another scheme.";

const lv_scheme lv_scheme_multistep = {
    .info = {.name = "multistep",
             .summary = "symmetric multistep methods, s stages, order 2s",
             .text = description,
             .source = "Quinlan, Tremaine 1990; Console, Hairer, Lubich 2013",
             .least_stages = LV_MULTISTEP_LEAST,
             .most_stages = LV_MULTISTEP_MOST,
             .default_stages = 3,
             .holonomic = true,
             .options = LV_TAKES(STAGES) | LV_TAKES(PROJECTION) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_CONSTANT,
             .no_velocity_forces = true},
    .claims = claims,
    .default_value = default_value,
    .create = create,
    .free = free_work,
    .equations = equations,
    .slopes = slopes,
    .stages = stages,
    .step = step,
    /* no tangent: a step is no map of the state */
    .memory = lv_stepped_memory,
    .forget = lv_stepped_forget,
    .stepper = lv_stepped_stepper};
