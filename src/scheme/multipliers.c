#include "scheme/multipliers.h"

#include "base/memory.h"
#include "num/legendre.h"

#include <string.h>

/* One block: the struct, then its arrays. */
static lv_multipliers *allocate(const lv_tableau *t, int count)
{
    size_t s = (size_t)t->stages, k = (size_t)count;
    lv_multipliers *m = lv_memory_zeroed(1, sizeof *m + (2 * s * k + k) * sizeof(double));
    if (!m)
        return NULL;
    m->count = count;
    m->shape = (double *)(m + 1);
    m->test = m->shape + s * k;
    return m;
}

lv_status lv_multipliers_nodal(lv_multipliers **space, const lv_tableau *t, bool whole,
                               lv_error *err)
{
    int s = t->stages, count = whole ? s : s - 1;
    lv_multipliers *m = *space = allocate(t, count);
    if (!m)
        return lv_fail_memory(err);
    m->nodal = true;
    for (int i = 0; i < count; i++)
        m->shape[i * count + i] = 1;
    for (int e = 0; e < s - 1; e++)
        m->test[e * (s + 1) + e + 1] = 1;
    return LV_OK;
}

lv_status lv_multipliers_smooth(lv_multipliers **space, const lv_tableau *t,
                                int coefficients, lv_error *err)
{
    double value[LV_RULE_MOST + 1];
    int s = t->stages, count = coefficients + 1;
    lv_multipliers *m = *space = allocate(t, count);
    if (!m)
        return lv_fail_memory(err);
    m->impulse = true;
    m->test[s] = 1;
    for (int i = 0; i < s && coefficients > 0; i++) {
        lv_legendre_shifted(value, NULL, coefficients - 1, t->c[i]);
        for (int j = 0; j < coefficients; j++) {
            m->shape[i * count + 1 + j] = value[j];
            m->test[(1 + j) * (s + 1) + i] = t->b[i] * value[j];
        }
    }
    return LV_OK;
}

void lv_multipliers_free(lv_multipliers *space)
{
    lv_memory_free(space);
}

/* Row i: the polynomial through the first `count` stages, taken at 1 + theta c_i. */
static void extrapolate_nodal(const lv_multipliers *m, const double *c, double *matrix,
                              double theta)
{
    for (int i = 0; i < m->count; i++)
        for (int j = 0; j < m->count; j++) {
            double value = 1, x = 1 + theta * c[i];
            for (int l = 0; l < m->count; l++)
                if (l != j)
                    value *= (x - c[l]) / (c[j] - c[l]);
            matrix[i * m->count + j] = value;
        }
}

/* The series of the continued polynomial, projected with the rule of the tableau. No impulse is
 * expected: it makes up for what the polynomials miss. */
static void extrapolate_smooth(const lv_multipliers *m, const lv_tableau *t,
                               double *matrix, double theta)
{
    double value[LV_RULE_MOST + 1];
    int k = m->count;
    memset(matrix, 0, (size_t)(k * k) * sizeof *matrix);
    for (int i = 0; i < t->stages && k > 1; i++) {
        lv_legendre_shifted(value, NULL, k - 2, 1 + theta * t->c[i]);
        for (int j = 1; j < k; j++)
            for (int l = 1; l < k; l++)
                matrix[j * k + l] +=
                    (2 * j - 1) * m->test[j * (t->stages + 1) + i] * value[l - 1];
    }
}

void lv_multipliers_extrapolate(const lv_multipliers *m, const lv_tableau *t,
                                double *matrix, double theta)
{
    if (m->nodal)
        extrapolate_nodal(m, t->c, matrix, theta);
    else
        extrapolate_smooth(m, t, matrix, theta);
}
