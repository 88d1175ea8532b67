#include "scheme/multistep_start.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

lv_status lv_multistep_start_init(lv_multistep_start *x, int n, lv_error *err)
{
    const size_t size = (size_t)n;
    *x = (lv_multistep_start){.accelerations =
                                  lv_memory_zeroed((LV_MULTISTEP_NODES + 3) * size + 1,
                                                   sizeof *x->accelerations)};
    if (!x->accelerations)
        return lv_fail_memory(err);
    x->q = x->accelerations + LV_MULTISTEP_NODES * size;
    x->v = x->q + size;
    x->next = x->v + size;
    return LV_OK;
}

void lv_multistep_start_done(lv_multistep_start *x)
{
    lv_memory_free(x->accelerations);
}

void lv_multistep_start_add(const lv_multistep_start *x, const lv_multistep *tableau,
                            int n, double scale, const double *weights, double *to)
{
    const double *a = x->accelerations;
    for (int j = 0; j < tableau->nodes; j++, a += n)
        for (int k = 0; k < n; k++)
            to[k] += scale * weights[j] * a[k];
}

/* The position and the velocity at a node that belong to the present accelerations. */
static void place(lv_multistep_start *x, const lv_multistep *tableau, int n,
                  const lv_state *state, double h, int node)
{
    for (int k = 0; k < n; k++) {
        x->q[k] = state->q[k] - node * h * state->v[k];
        x->v[k] = state->v[k];
    }
    lv_multistep_start_add(x, tableau, n, h * h, tableau->q[node], x->q);
    lv_multistep_start_add(x, tableau, n, h, tableau->v[node], x->v);
}

/* Sizes of the accelerations, of their change, and of their differences of the highest
 * order, which tell how well a polynomial fits. */
typedef struct sizes {
    double all, change, rest;
} sizes;

/* Replaces the accelerations at a node by those of the motion. */
static lv_status substitute(lv_multistep_start *x, const lv_multistep *tableau,
                            lv_system *system, const lv_state *state, double h, int node,
                            sizes *size, lv_error *err)
{
    const int n = system->n;
    double *a = x->accelerations + (ptrdiff_t)node * n;
    place(x, tableau, n, state, h, node);
    LV_TRY(lv_system_accelerations(system, x->next, NULL, state->t - node * h, x->q, x->v,
                                   err));
    for (int k = 0; k < n; k++) {
        size->all = fmax(size->all, fabs(x->next[k]));
        size->change = fmax(size->change, fabs(x->next[k] - a[k]));
        a[k] = x->next[k];
    }
    return LV_OK;
}

/* Continues the polynomial through the nodes 0 .. known - 1 to the others. */
static void extrapolate(lv_multistep_start *x, const lv_multistep *tableau, int n,
                        int known)
{
    for (int node = known; node < tableau->nodes; node++) {
        double *to = x->accelerations + (ptrdiff_t)node * n, weight = 1;
        memset(to, 0, (size_t)n * sizeof *to);
        for (int back = 1; back <= known; back++) {
            weight *= -(double)(known - back + 1) / back;
            for (int k = 0; k < n; k++)
                to[k] -= weight * to[k - (ptrdiff_t)back * n];
        }
    }
}

static double highest_difference(const lv_multistep_start *x, const lv_multistep *tableau,
                                 int n)
{
    const int order = tableau->nodes - 1;
    double largest = 0;
    for (int k = 0; k < n; k++) {
        double sum = 0, weight = 1;
        for (int j = 0; j <= order; j++) {
            sum += weight * x->accelerations[(ptrdiff_t)j * n + k];
            weight *= -(double)(order - j) / (j + 1);
        }
        largest = fmax(largest, fabs(sum));
    }
    return largest;
}

/* First node after node, each with a polynomial through those before it, then all of them
 * until the change is small beside rounding or beside what no polynomial tells. */
static lv_status find(lv_multistep_start *x, const lv_multistep *tableau,
                      lv_system *system, const lv_state *state, double h, bool *found,
                      lv_error *err)
{
    enum { MOST = 100 };
    const double rounding = 4 * DBL_EPSILON, share = 1e-2;
    const int n = system->n;
    double before = HUGE_VAL;
    *found = false;
    for (int node = 1; node < tableau->nodes; node++) {
        sizes size = {0};
        extrapolate(x, tableau, n, node);
        LV_TRY(substitute(x, tableau, system, state, h, node, &size, err));
    }
    for (int pass = 0; pass < MOST && !*found; pass++) {
        sizes size = {0};
        for (int node = 1; node < tableau->nodes; node++)
            LV_TRY(substitute(x, tableau, system, state, h, node, &size, err));
        size.rest = highest_difference(x, tableau, n);
        if (!isfinite(size.change))
            break;
        *found = size.change <= fmax(rounding * size.all, share * size.rest) &&
                 (size.change < before || size.change <= rounding * size.all);
        before = size.change;
    }
    return LV_OK;
}

lv_status lv_multistep_start_find(lv_multistep_start *x, const lv_multistep *tableau,
                                  lv_system *system, const lv_state *state, double h,
                                  lv_error *err)
{
    bool found = false;
    LV_TRY(lv_system_accelerations(system, x->accelerations, NULL, state->t, state->q,
                                   state->v, err));
    lv_status status = find(x, tableau, system, state, h, &found, err);
    if (found || status == LV_ERR_MEMORY)
        return status;
    char reason[200] = "";
    if (status != LV_OK && err)
        (void)snprintf(reason, sizeof reason, "%.190s", err->text);
    status = lv_fail(err, LV_ERR_NUMERIC,
                     "a method of order %d begins with the motion in the %d steps before "
                     "the start, which was not found: the step is too large, or there is "
                     "no such motion",
                     tableau->order, tableau->nodes - 1);
    if (reason[0])
        lv_error_note(err, "there %s", reason);
    lv_error_hint(err, tableau->order > 2 * LV_MULTISTEP_LEAST
                           ? "a smaller step, or fewer stages"
                           : "a smaller step");
    return status;
}
