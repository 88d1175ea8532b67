#include "scheme/multistep_start.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

lv_status lv_multistep_start_init(lv_multistep_start *x, const lv_multistep *tableau,
                                  lv_system *system, lv_error *err)
{
    const size_t n = (size_t)system->n, nodes = (size_t)tableau->nodes,
                 references = (size_t)lv_system_reference_count(system);
    *x = (lv_multistep_start){.system = system, .tableau = tableau};
    x->accelerations =
        lv_memory_zeroed((nodes + 4) * n + references + 1, sizeof *x->accelerations);
    if (!x->accelerations)
        return lv_fail_memory(err);
    x->q = x->accelerations + nodes * n;
    x->v = x->q + n;
    x->next = x->v + n;
    x->change = x->next + n;
    x->references = x->change + n;
    return LV_OK;
}

void lv_multistep_start_done(lv_multistep_start *x)
{
    lv_memory_free(x->accelerations);
}

void lv_multistep_start_add(const lv_multistep_start *x, double scale,
                            const double *weights, double *to)
{
    const double *a = x->accelerations;
    const int n = x->system->n;
    for (int j = 0; j < x->tableau->nodes; j++, a += n)
        for (int k = 0; k < n; k++)
            to[k] += scale * weights[j] * a[k];
}

/* ---- nodes ------------------------------------------------------------------------- */

static double *at_node(const lv_multistep_start *x, int node)
{
    return x->accelerations + (ptrdiff_t)node * x->system->n;
}

/* Angles that count turns are beside references, which belong to node 0 and follow the
 * motion from node to node. */
static void copy_references(const lv_multistep_start *x, double *to, const double *from)
{
    for (int k = lv_system_reference_count(x->system) - 1; k >= 0; k--)
        to[k] = from[k];
}

/* The position and the velocity at a node that belong to the present accelerations. */
static void place(lv_multistep_start *x, const lv_state *state, double h, int node)
{
    for (int k = 0; k < x->system->n; k++) {
        x->q[k] = state->q[k] - node * h * state->v[k];
        x->v[k] = state->v[k];
    }
    lv_multistep_start_add(x, h * h, x->tableau->q[node], x->q);
    lv_multistep_start_add(x, h, x->tableau->v[node], x->v);
}

/* Replaces the accelerations at a node by those of the motion. */
static lv_status substitute(lv_multistep_start *x, const lv_state *state, double h,
                            int node, lv_error *err)
{
    double *a = at_node(x, node);
    const double t = state->t - node * h;
    place(x, state, h, node);
    lv_system_follow_turns(x->system, t, x->q, x->v);
    LV_TRY(lv_system_accelerations(x->system, x->next, NULL, t, x->q, x->v, err));
    for (int k = 0; k < x->system->n; k++) {
        x->change[k] = fmax(x->change[k], fabs(x->next[k] - a[k]));
        a[k] = x->next[k];
    }
    return LV_OK;
}

/* Continues the polynomial through the nodes 0 .. known - 1 to the others. */
static void extrapolate(lv_multistep_start *x, int known)
{
    const int n = x->system->n;
    for (int node = known; node < x->tableau->nodes; node++) {
        double *to = at_node(x, node), weight = 1;
        memset(to, 0, (size_t)n * sizeof *to);
        for (int back = 1; back <= known; back++) {
            weight *= -(double)(known - back + 1) / back;
            for (int k = 0; k < n; k++)
                to[k] -= weight * to[k - (ptrdiff_t)back * n];
        }
    }
}

/* ---- convergence ------------------------------------------------------------------- */

/* The difference of highest order of one acceleration: what no polynomial tells. */
static double highest_difference(const lv_multistep_start *x, int k)
{
    const int order = x->tableau->nodes - 1;
    double sum = 0, weight = 1;
    for (int j = 0; j <= order; j++) {
        sum += weight * at_node(x, j)[k];
        weight *= -(double)(order - j) / (j + 1);
    }
    return fabs(sum);
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++)
        most = fabs(x[k]) <= most ? most : fabs(x[k]); /* keeps what is no number */
    return most;
}

/* Whether the last change of each acceleration is small beside its difference of highest
 * order, or beside the rounding of all of them. */
static bool is_found(const lv_multistep_start *x, double size)
{
    const double rounding = 4 * DBL_EPSILON, share = 1e-2;
    for (int k = 0; k < x->system->n; k++)
        if (!(x->change[k] <= fmax(rounding * size, share * highest_difference(x, k))))
            return false;
    return true;
}

/* First node after node, each with a polynomial through those before it, then all of them
 * again and again. */
static lv_status find(lv_multistep_start *x, const lv_state *state, double h, bool *found,
                      lv_error *err)
{
    enum { MOST = 100 };
    const double enough = 1e-10;
    const int n = x->system->n, nodes = x->tableau->nodes;
    double before = HUGE_VAL;
    for (int node = 1; node < nodes; node++) {
        extrapolate(x, node);
        LV_TRY(substitute(x, state, h, node, err));
    }
    for (int pass = 0; pass < MOST && !*found; pass++) {
        copy_references(x, x->system->references, x->references);
        memset(x->change, 0, (size_t)n * sizeof *x->change);
        for (int node = 1; node < nodes; node++)
            LV_TRY(substitute(x, state, h, node, err));
        const double change = largest(x->change, n),
                     size = largest(x->accelerations, nodes * n);
        if (!isfinite(change))
            break;
        const bool stalled = change >= before;
        *found = stalled ? change <= enough * size : is_found(x, size);
        before = change;
    }
    return LV_OK;
}

static lv_status refuse(const lv_multistep_start *x, const char *reason, lv_error *err)
{
    lv_status status = lv_fail(
        err, LV_ERR_NUMERIC,
        "a method of order %d begins with the motion in the %d steps before the start, "
        "which was not found: the step is too large, or there is no such motion",
        x->tableau->order, x->tableau->nodes - 1);
    if (reason[0])
        lv_error_note(err, "there %s", reason);
    lv_error_hint(err, x->tableau->order > 2 * LV_MULTISTEP_LEAST
                           ? "a smaller step, or fewer stages"
                           : "a smaller step");
    return status;
}

lv_status lv_multistep_start_find(lv_multistep_start *x, const lv_state *state, double h,
                                  lv_error *err)
{
    char reason[200] = "";
    bool found = false;
    lv_system *s = x->system;
    LV_TRY(lv_system_accelerations(s, x->accelerations, NULL, state->t, state->q,
                                   state->v, err));
    copy_references(x, x->references, s->references);
    lv_status status = find(x, state, h, &found, err);
    copy_references(x, s->references, x->references);
    if (found || status == LV_ERR_MEMORY)
        return status;
    if (status != LV_OK && err)
        (void)snprintf(reason, sizeof reason, "%.190s", err->text);
    return refuse(x, reason, err);
}
