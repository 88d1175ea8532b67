/* Dense output of the schemes for separable systems: velocities and forces of their stages. */
#include "scheme/dense.h"
#include "scheme/separable_private.h"

#include <string.h>

/* Accelerations of the stages; that of the last one, which holds what made v tangent, from v. */
static void stage_accelerations(const lv_separable *w, double *a, const lv_state *before,
                                const lv_state *after, double h)
{
    int s = w->s, n = w->n;
    const double *b = w->tableau->b;
    double *last = a + (size_t)((s - 1) * n);
    for (int k = 0; k < n; k++)
        last[k] = (after->v[k] - before->v[k]) / h;
    memset(a, 0, (size_t)((s - 1) * n) * sizeof *a);
    for (int j = 0; j < s - 1; j++) {
        double *to = a + (size_t)(j * n);
        lv_separable_accelerate(w, to, 1, h,
                                &w->stages[j == 0 ? s - 1 : j]); /* see remember */
        for (int k = 0; k < n; k++)
            last[k] -= b[j] * to[k];
    }
    for (int k = 0; k < n; k++)
        last[k] /= b[s - 1];
}

lv_slopes lv_separable_slopes(lv_separable *w, const lv_state *before,
                              const lv_state *after, double h)
{
    int s = w->s, n = w->n;
    double *v = w->slopes, *a = v + (size_t)(s * n);
    const double *ah = w->tableau->ah;
    stage_accelerations(w, a, before, after, h);
    for (int i = 0; i < s; i++)
        for (int k = 0; k < n; k++) {
            double sum = before->v[k];
            for (int j = 0; j < s; j++)
                sum += h * ah[i * s + j] * a[j * n + k];
            v[i * n + k] = sum;
        }
    for (int i = 0; i < s; i++) {
        memcpy(w->trial, a + (size_t)(i * n), (size_t)n * sizeof *a);
        lv_mass_multiply(w->system->mass, lv_plan_result(w->system->legendre, LV_Q_MASS),
                         a + (size_t)(i * n), w->trial);
    }
    return lv_slopes_of_stages(w->tableau, n, v, a, w->slopes + (size_t)(2 * s * n),
                               (lv_slopes){.q = before->q, .p = before->p, .h = h});
}
