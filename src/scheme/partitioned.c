/* Methods of partitioned Runge-Kutta schemes: steps, derivatives of steps, stages and
 * dense output. */
#include "scheme/partitioned.h"

#include "base/inline.h"
#include "base/memory.h"
#include "model/moving.h"
#include "scheme/dense.h"
#include "scheme/partitioned_text.h"

#include <string.h>

/* State of steps that have axes as coordinates but are computed on groups (theory 10.8).
 * Results show these steps as steps in coordinates. */
typedef struct directors {
    lv_system *still;
    lv_state before; /* start of the last step */
    lv_state again;  /* storage for repeating the last step in coordinates */
    double *numbers;
    double h;     /* size of the last step; 0: there was none */
    bool project; /* whether velocities were made consistent at its end */
    /* a `partitioned` that repeats the last step in coordinates; NULL until a derivative
     * is asked for */
    void *in_axes;
} directors;

typedef struct partitioned {
    lv_stepped base;
    /* NULL: the velocities are a Legendre series, with the rule below */
    lv_tableau *tableau;
    lv_galerkin rule;
    double *points;          /* storage of rule.c and rule.b; NULL with a tableau */
    const lv_motion *motion; /* of bodies on groups; NULL: there are none */
    lv_rotations_as rotations;
    int coordinates;
    int n;
    /* number of coefficients of multipliers that are polynomials; -1: values at the
     * stages */
    int coefficients;
    /* scratch of dense output; `velocities` owns the block */
    double *velocities, *forces, *start, *slopes, *lambda;
    directors axes;
} partitioned;

static bool is_free(const partitioned *w)
{
    return w->motion && w->rotations == LV_ROTATIONS_EXACT;
}

static bool is_by_axes(const partitioned *w)
{
    return w->motion && w->rotations == LV_ROTATIONS_DIRECTORS;
}

void lv_partitioned_free(void *work)
{
    partitioned *w = work;
    if (!w)
        return;
    lv_stepper_free(w->base.stepper);
    lv_tableau_free(w->tableau);
    lv_memory_free(w->points);
    lv_memory_free(w->velocities);
    lv_memory_free(w->axes.numbers);
    lv_partitioned_free(w->axes.in_axes);
    lv_memory_free(w);
}

/* Takes ownership of w; passes it on to *work if status is LV_OK. */
static lv_status hand_over(void **work, partitioned *w, lv_status status)
{
    *work = status == LV_OK ? w : NULL;
    if (status != LV_OK)
        lv_partitioned_free(w);
    return status;
}

/* Allocates space for `values` terms of a series, or values at stages, of velocities and
 * of forces. */
static lv_status partitioned_make_room(partitioned *w, int values, lv_error *err)
{
    const size_t s = (size_t)values, n = (size_t)(w->motion ? w->coordinates : w->n),
                 k = w->coefficients > 0 ? (size_t)w->coefficients : 0;
    w->velocities = lv_memory_zeroed((4 * s + 4) * n + k * (size_t)w->base.m +
                                         (size_t)w->coordinates + 3 * n + 1,
                                     sizeof *w->velocities);
    if (!w->velocities)
        return lv_fail_memory(err);
    w->forces = w->velocities + s * n;
    w->slopes = w->forces + s * n;
    w->start = w->slopes + 2 * (s + 1) * n;
    w->lambda = w->start + n;
    return LV_OK;
}

/* Prepares the view of the steps in coordinates. */
static lv_status make_axes(partitioned *w, lv_system *system, lv_error *err)
{
    const size_t n = (size_t)w->coordinates;
    directors *d = &w->axes;
    d->still = system->still;
    double *x = d->numbers = lv_memory_zeroed(6 * n + 1, sizeof *d->numbers);
    if (!x)
        return lv_fail_memory(err);
    d->before = (lv_state){0, x, x + n, x + 2 * n};
    d->again = (lv_state){0, x + 3 * n, x + 4 * n, x + 5 * n};
    w->n = w->coordinates;
    return LV_OK;
}

static lv_status make_stepper(partitioned *w, lv_system *system, int coefficients,
                              lv_error *err)
{
    w->n = system->n;
    w->motion = system->model->motion;
    w->coordinates = system->model->coordinate_count;
    w->base.m = system->m;
    w->coefficients = system->m > 0 ? coefficients : -1;
    w->rule.coefficients = w->coefficients;
    if (is_by_axes(w))
        LV_TRY(make_axes(w, system, err));
    LV_TRY(partitioned_make_room(w, w->tableau ? w->tableau->stages : w->rule.degree + 1,
                                 err));
    return w->tableau ? lv_partitioned_stepper(&w->base.stepper, system, w->tableau,
                                               w->coefficients, w->rotations, err)
                      : lv_series_stepper(&w->base.stepper, system, &w->rule, err);
}

lv_status lv_partitioned_create(void **work, lv_system *system, lv_tableau *tableau,
                                int coefficients, lv_rotations_as rotations,
                                lv_error *err)
{
    partitioned *w = lv_memory_zeroed(1, sizeof *w);
    *work = NULL;
    if (!w) {
        lv_tableau_free(tableau);
        return lv_fail_memory(err);
    }
    w->tableau = tableau;
    w->rotations = rotations;
    return hand_over(work, w, make_stepper(w, system, coefficients, err));
}

/* The rectangle rule at the left ends of equal panels. The caller frees `points`. */
static lv_status make_panels(lv_galerkin *rule, double **points, const lv_ansatz *ansatz,
                             lv_error *err)
{
    const size_t count = (size_t)ansatz->points;
    double *c = *points = lv_memory_zeroed(2 * count, sizeof *c);
    if (!c)
        return lv_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        c[i] = (double)i / (double)count;
        c[count + i] = 1 / (double)count;
    }
    *rule = (lv_galerkin){.closure = ansatz->closure,
                          .degree = ansatz->degree,
                          .points = ansatz->points,
                          .c = c,
                          .b = c + count};
    return LV_OK;
}

lv_status lv_partitioned_equations_of_panels(lv_text *out, const lv_ansatz *ansatz,
                                             int coefficients, lv_error *err)
{
    lv_galerkin rule = {.degree = 0};
    double *points = NULL;
    LV_TRY(make_panels(&rule, &points, ansatz, err));
    rule.coefficients = coefficients;
    const lv_status status = lv_series_equations(out, &rule, err);
    lv_memory_free(points);
    return status;
}

lv_status lv_partitioned_create_panels(void **work, lv_system *system,
                                       const lv_ansatz *ansatz, int coefficients,
                                       lv_error *err)
{
    partitioned *w = lv_memory_zeroed(1, sizeof *w);
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    lv_status status = make_panels(&w->rule, &w->points, ansatz, err);
    if (status == LV_OK)
        status = make_stepper(w, system, coefficients, err);
    return hand_over(work, w, status);
}

/* ---- steps -------------------------------------------------------------------------------------------- */

static void copy_state(lv_state *to, const lv_state *from, int n)
{
    const size_t bytes = (size_t)n * sizeof *to->q;
    to->t = from->t;
    memcpy(to->q, from->q, bytes);
    memcpy(to->v, from->v, bytes);
    memcpy(to->p, from->p, bytes);
}

LV_APART lv_status step_by_axes(partitioned *w, lv_state *state, double h, bool project,
                                lv_step_report *report, lv_error *err)
{
    directors *d = &w->axes;
    copy_state(&d->before, state, w->n);
    d->h = 0;
    LV_TRY(lv_stepper_step(w->base.stepper, state, h, project, report, err));
    d->h = h;
    d->project = project;
    return LV_OK;
}

lv_status lv_partitioned_step(void *work, lv_state *state, double h, bool project,
                              lv_step_report *report, lv_error *err)
{
    partitioned *w = work;
    return is_by_axes(w)
               ? step_by_axes(w, state, h, project, report, err)
               : lv_stepper_step(w->base.stepper, state, h, project, report, err);
}

/* Repeats the last step in coordinates. */
static lv_status step_in_axes(partitioned *w, lv_error *err)
{
    directors *d = &w->axes;
    lv_step_report report = {0};
    lv_tableau *tableau = NULL;
    if (d->h == 0)
        return lv_fail(err, LV_ERR_USAGE, "there was no step whose derivative is known");
    if (!d->still->mass_regular)
        return lv_fail(err, LV_ERR_MODEL,
                       "steps of flat and thin bodies have no derivative in coordinates, "
                       "in which their mass matrix is singular");
    if (!d->in_axes) {
        LV_TRY(lv_tableau_create(&tableau, LV_FAMILY_LOBATTO, w->tableau->stages, err));
        LV_TRY(lv_partitioned_create(&d->in_axes, d->still, tableau, -1,
                                     LV_ROTATIONS_DIRECTORS, err));
    }
    lv_stepped_forget(d->in_axes);
    copy_state(&d->again, &d->before, w->n);
    return lv_partitioned_step(d->in_axes, &d->again, d->h, d->project, &report, err);
}

lv_status lv_partitioned_tangent(void *work, double *matrix, lv_error *err)
{
    partitioned *w = work;
    if (!is_by_axes(w))
        return lv_stepped_tangent(work, matrix, err);
    LV_TRY(step_in_axes(w, err));
    return lv_stepped_tangent(w->axes.in_axes, matrix, err);
}

/* ---- inside of steps -------------------------------------------------------------------------- */

/* Copies members 1 .. count of a family of unknowns, one after the other. */
static void copy_family(const partitioned *w, double *to, const char *name, int count,
                        int size)
{
    for (int k = 0; k < count; k++)
        memcpy(to + (ptrdiff_t)k * size, lv_stepper_value(w->base.stepper, name, k + 1),
               (size_t)size * sizeof *to);
}

/* Velocities and forces at both stages, in coordinates. The mass matrix is constant, so
 * that velocities are constant during the step, and the forces, with those of the
 * constraints, are the changes of the momenta. */
static void find_stages(partitioned *w, const lv_state *before, const lv_state *after,
                        double h)
{
    const int n = w->n;
    double *v = w->velocities, *f = w->forces;
    for (int i = 0; i < n; i++)
        v[i] = v[n + i] = (after->q[i] - before->q[i]) / h;
    lv_system_momentum(w->axes.still, f, before->t, before->q, v);
    for (int i = 0; i < n; i++) {
        const double inside = f[i];
        f[i] = 2 / h * (inside - before->p[i]);
        f[n + i] = 2 / h * (after->p[i] - inside);
    }
}

lv_slopes lv_partitioned_slopes(void *work, const lv_state *before, const lv_state *after,
                                double h)
{
    partitioned *w = work;
    lv_stepper_show(w->base.stepper);
    const double *start = lv_stepper_value(w->base.stepper, "p0", 0);
    memcpy(w->start, start ? start : before->p, (size_t)w->n * sizeof(double));
    copy_family(w, w->lambda, "y", w->coefficients, w->base.m);
    for (int k = 0; k < w->coefficients; k++)
        lv_stepper_release(w->base.stepper, before, w->lambda + (ptrdiff_t)k * w->base.m);
    lv_slopes slopes = {.closure = w->rule.closure,
                        .degree = w->rule.degree,
                        .v = w->velocities,
                        .w = w->forces,
                        .q = before->q,
                        .p = w->start,
                        .h = h,
                        .lambda = w->lambda,
                        .lambda_terms = w->coefficients > 0 ? w->coefficients : 0};
    if (!w->tableau) {
        copy_family(w, w->velocities, "V",
                    lv_dense_velocity_terms(w->rule.closure, w->rule.degree), w->n);
        copy_family(w, w->forces, "S",
                    lv_dense_force_terms(w->rule.closure, w->rule.degree), w->n);
        return slopes;
    }
    if (is_by_axes(w)) {
        find_stages(w, before, after, h);
    } else {
        copy_family(w, w->velocities, "V", w->tableau->stages, w->n);
        copy_family(w, w->forces, "W", w->tableau->stages, w->n);
    }
    return lv_slopes_of_stages(w->tableau, w->n, w->velocities, w->forces, w->slopes,
                               slopes);
}

bool lv_partitioned_on_groups(void *work)
{
    const partitioned *w = work;
    return w->motion != NULL && !is_by_axes(w);
}

/* The state inside of a step of kicks: bodies move freely for a part of the step, and
 * forces that are linear in time change the spatial momenta. */
static lv_status inside_of_kicks(partitioned *w, const lv_state *before, double h,
                                 double x, lv_state *at, lv_error *err)
{
    lv_stepper *s = w->base.stepper;
    double *tangents = w->lambda, *momenta = tangents + w->n;
    lv_stepper_show(w->base.stepper);
    const double *v = lv_stepper_value(s, "V", 0), *p = lv_stepper_value(s, "p", 0),
                 *middle = lv_stepper_value(s, "pm", 0),
                 *end = lv_stepper_value(s, "pe", 0);
    for (int i = 0; i < w->n; i++) {
        tangents[i] = x * h * v[i];
        momenta[i] =
            p[i] + 2 * x * (middle[i] - p[i]) + x * x * (end[i] - 2 * middle[i] + p[i]);
    }
    at->t = before->t + x * h;
    return lv_stepper_place(w->base.stepper, tangents, momenta, at, err);
}

/* The argument of the chart and the spatial momenta are integrals of series. */
lv_status lv_partitioned_inside(void *work, const lv_state *before, double h, double x,
                                lv_state *at, lv_error *err)
{
    partitioned *w = work;
    lv_stepper *s = w->base.stepper;
    double *tangents = w->lambda, *momenta = tangents + w->n, *zero = momenta + w->n;
    if (is_free(w))
        return inside_of_kicks(w, before, h, x, at, err);
    lv_stepper_show(w->base.stepper);
    memset(zero, 0, (size_t)w->n * sizeof *zero);
    copy_family(w, w->velocities, "V", w->tableau->stages, w->n);
    copy_family(w, w->forces, "S", w->tableau->stages, w->n);
    const lv_slopes start = {.q = zero, .p = lv_stepper_value(s, "p", 0), .h = h};
    const lv_slopes slopes =
        lv_slopes_of_stages(w->tableau, w->n, w->velocities, w->forces, w->slopes, start);
    lv_dense_position(&slopes, LV_DENSE_INTEGRATED, w->n, x, tangents);
    lv_dense_momentum(&slopes, LV_DENSE_INTEGRATED, w->n, x, momenta);
    at->t = before->t + x * h;
    return lv_stepper_place(w->base.stepper, tangents, momenta, at, err);
}

/* The velocity of a stage in coordinates. */
static const double *velocity_of_stage(partitioned *w, int stage)
{
    lv_stepper *s = w->base.stepper;
    if (!w->motion)
        return lv_stepper_value(s, w->tableau ? "V" : "U", stage);
    lv_motion_velocities(w->motion, w->velocities, w->coordinates,
                         lv_stepper_value(s, "Q", stage),
                         lv_stepper_value(s, "e", stage));
    return w->velocities;
}

/* Visits both ends of a step of kicks. The velocities are those inside of the step in
 * coordinates if it is computed by axes, otherwise those of the nodes. */
static void visit_ends(partitioned *w, const lv_state *before, const lv_state *after,
                       double h, lv_stage_visit visit, void *user)
{
    if (!is_free(w))
        find_stages(w, before, after, h);
    for (int end = 0; end < 2; end++) {
        const lv_state *at = end == 0 ? before : after;
        visit(user, &(lv_stage_point){before->t + end * h, 0.5, at->q,
                                      is_free(w) ? at->v : w->velocities});
    }
}

void lv_partitioned_stages(void *work, const lv_state *before, const lv_state *after,
                           double h, lv_stage_visit visit, void *user)
{
    partitioned *w = work;
    const lv_tableau *t = w->tableau;
    const int count = t ? t->stages : w->rule.points;
    const double *c = t ? t->c : w->rule.c, *b = t ? t->b : w->rule.b;
    if (is_by_axes(w) || is_free(w)) {
        visit_ends(w, before, after, h, visit, user);
        return;
    }
    lv_stepper_show(w->base.stepper);
    for (int i = 0; i < count; i++) {
        const lv_stage_point stage = {before->t + c[i] * h, b[i],
                                      lv_stepper_value(w->base.stepper, "Q", i + 1),
                                      velocity_of_stage(w, i + 1)};
        visit(user, &stage);
    }
}

const double *lv_partitioned_nonholonomic_multipliers(void *work)
{
    partitioned *w = work;
    return lv_stepper_carried(w->base.stepper, "l");
}
