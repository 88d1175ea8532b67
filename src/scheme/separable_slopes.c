/* Stages of the schemes for separable systems, for dense output and work: their velocities and forces. */
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

/* Velocities of the stages into w->slopes, [stage][n], and their accelerations behind them. */
static void find_stages(lv_separable *w, const lv_state *before, const lv_state *after,
                        double h)
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
}

void lv_separable_visit(lv_separable *w, const lv_state *before, const lv_state *after,
                        double h, lv_stage_visit visit, void *user)
{
    const lv_tableau *t = w->tableau;
    const int last = w->s - 1;
    find_stages(w, before, after, h);
    for (int i = 0; i <= last; i++) {
        const double *q = i == 0 ? before->q : i == last ? after->q : w->stages[i].q;
        const lv_stage_point stage = {before->t + t->c[i] * h, t->b[i], q,
                                      w->slopes + (size_t)(i * w->n)};
        visit(user, &stage);
    }
}

lv_slopes lv_separable_slopes(lv_separable *w, const lv_state *before,
                              const lv_state *after, double h)
{
    int s = w->s, n = w->n;
    double *v = w->slopes, *a = v + (size_t)(s * n);
    find_stages(w, before, after, h);
    for (int i = 0; i < s; i++) {
        memcpy(w->trial, a + (size_t)(i * n), (size_t)n * sizeof *a);
        lv_mass_multiply(w->system->mass, lv_plan_result(w->system->legendre, LV_Q_MASS),
                         a + (size_t)(i * n), w->trial);
    }
    return lv_slopes_of_stages(w->tableau, n, v, a, w->slopes + (size_t)(2 * s * n),
                               (lv_slopes){.q = before->q, .p = before->p, .h = h});
}
