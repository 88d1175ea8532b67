/* Elimination in panels of four columns. Within a panel columns are eliminated one by
 * one; the rest of the matrix then takes all four updates in one pass, so that each entry
 * is loaded and stored once per panel. Every entry still sees
 *   a_ij <- (((a_ij - l_ik u_kj) - l_ik+1 u_k+1,j) - ...)
 * in the order of the textbook loop: panels change the speed, not the bits. The
 * substitutions proceed by blocks of four unknowns for the same reason. */
#include "num/dense.h"

#include "base/inline.h"
#include "num/sound.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

/* Panels have PANEL columns; the last TAIL columns are eliminated without panels. */
enum { PANEL = 4, TAIL = 8 };

LV_INLINE void swap_rows(double *restrict x, double *restrict y, int n)
{
    for (int j = 0; j < n; j++) {
        double t = x[j];
        x[j] = y[j];
        y[j] = t;
    }
}

/* Search for the largest entry of a column, row by row. */
typedef struct search {
    double largest;
    int at;
} search;

LV_INLINE void look_at(search *s, double x, int row)
{
    if (fabs(x) > s->largest) {
        s->largest = fabs(x);
        s->at = row;
    }
}

/* The row of the largest entry of column 0. */
LV_INLINE int first_pivot(const double *a, int n)
{
    search s = {fabs(a[0]), 0};
    for (int i = 1; i < n; i++)
        look_at(&s, a[(size_t)i * (size_t)n], i);
    return s.at;
}

/* Exchanges row `at` with row k and replaces the pivot by its reciprocal; returns false
 * if that is not finite. */
LV_INLINE bool take_pivot(double *a, int n, int k, int at)
{
    const size_t width = (size_t)n;
    double *row = a + (size_t)k * width;
    if (at != k)
        swap_rows(row, a + (size_t)at * width, n);
    row[k] = 1 / row[k];
    return fabs(row[k]) > 0 && fabs(row[k]) <= DBL_MAX;
}

/* Eliminates column k from the rows below it, as far as column `end`. Returns the row of
 * the next pivot if column k + 1 is among them. */
LV_INLINE int eliminate(double *a, int n, int k, int end)
{
    const size_t width = (size_t)n;
    const double *restrict top = a + (size_t)k * width;
    search s = {-1, k + 1};
    for (int i = k + 1; i < n; i++) {
        double *restrict row = a + (size_t)i * width;
        const double l = row[k] * top[k];
        row[k] = l;
        for (int j = k + 1; j < end; j++)
            row[j] -= l * top[j];
        if (k + 1 < end)
            look_at(&s, row[k + 1], i);
    }
    return s.at;
}

LV_INLINE bool factor_plain(double *a, int n, int from, int *pivot, int at)
{
    bool fine = true;
    for (int k = from; k < n; k++) {
        pivot[k] = at;
        fine &= take_pivot(a, n, k, at);
        at = eliminate(a, n, k, n);
    }
    return fine;
}

/* Factors a matrix of a size n that the compiler knows. */
LV_INLINE bool factor_fixed(double *a, int n, int *pivot)
{
    return factor_plain(a, n, 0, pivot, first_pivot(a, n));
}

/* Updates the rows of a panel at column k, right of the panel. */
LV_INLINE void update_panel_rows(double *a, int n, int k)
{
    const size_t width = (size_t)n;
    const int rest = n - k - PANEL;
    const double *p = a + (size_t)k * width + k;
    const double l10 = p[width], l20 = p[2 * width], l21 = p[2 * width + 1];
    const double l30 = p[3 * width], l31 = p[3 * width + 1], l32 = p[3 * width + 2];
    double *restrict u0 = a + (size_t)k * width + k + PANEL;
    double *restrict u1 = u0 + width, *restrict u2 = u1 + width,
                     *restrict u3 = u2 + width;
    for (int j = 0; j < rest; j++) {
        u1[j] = u1[j] - l10 * u0[j];
        u2[j] = u2[j] - l20 * u0[j] - l21 * u1[j];
        u3[j] = u3[j] - l30 * u0[j] - l31 * u1[j] - l32 * u2[j];
    }
}

/* Updates the rows below a panel at column k. Returns the row of the next pivot. */
LV_INLINE int update_trailing(double *a, int n, int k)
{
    const size_t width = (size_t)n;
    const int rest = n - k - PANEL;
    const double *restrict u0 = a + (size_t)k * width + k + PANEL;
    const double *restrict u1 = u0 + width, *restrict u2 = u1 + width,
                           *restrict u3 = u2 + width;
    search s = {-1, k + PANEL};
    for (int i = k + PANEL; i < n; i++) {
        double *restrict row = a + (size_t)i * width + k;
        const double l0 = row[0], l1 = row[1], l2 = row[2], l3 = row[3];
        double *restrict x = row + PANEL;
        for (int j = 0; j < rest; j++)
            x[j] = x[j] - l0 * u0[j] - l1 * u1[j] - l2 * u2[j] - l3 * u3[j];
        look_at(&s, x[0], i);
    }
    return s.at;
}

LV_INLINE bool factor_panels(double *a, int n, int *pivot)
{
    bool fine = true;
    int k0 = 0, at = first_pivot(a, n);
    for (; n - k0 > TAIL; k0 += PANEL) {
        for (int k = k0; k < k0 + PANEL; k++) {
            pivot[k] = at;
            fine &= take_pivot(a, n, k, at);
            at = eliminate(a, n, k, k0 + PANEL);
        }
        update_panel_rows(a, n, k0);
        at = update_trailing(a, n, k0);
    }
    return factor_plain(a, n, k0, pivot, at) && fine;
}

bool lv_lu_factor(double *a, int n, int *pivot)
{
    assert(n >= 0);
    assert(a && pivot);
    switch (n) {
    case 0:
        return true;
    case 1:
        return factor_fixed(a, 1, pivot);
    case 2:
        return factor_fixed(a, 2, pivot);
    case 3:
        return factor_fixed(a, 3, pivot);
    case 4:
        return factor_fixed(a, 4, pivot);
    case 5:
        return factor_fixed(a, 5, pivot);
    case 6:
        return factor_fixed(a, 6, pivot);
    case 7:
        return factor_fixed(a, 7, pivot);
    case 8:
        return factor_fixed(a, 8, pivot);
    default:
        return factor_panels(a, n, pivot);
    }
}

/* x[i] -= row_i[k .. k + 3] . y for rows [from, to). */
LV_INLINE void subtract_block(const double *a, int n, int k, double *x, int from, int to)
{
    const double y0 = x[k], y1 = x[k + 1], y2 = x[k + 2], y3 = x[k + 3];
    for (int i = from; i < to; i++) {
        const double *row = a + (size_t)i * (size_t)n + k;
        x[i] = x[i] - row[0] * y0 - row[1] * y1 - row[2] * y2 - row[3] * y3;
    }
}

/* L x = x, unit diagonal. */
LV_INLINE void solve_lower(const double *lu, int n, double *x)
{
    const size_t width = (size_t)n;
    int k = 0;
    for (; k + PANEL <= n; k += PANEL) {
        const double *r1 = lu + (size_t)(k + 1) * width + k;
        const double *r2 = r1 + width, *r3 = r2 + width;
        x[k + 1] = x[k + 1] - r1[0] * x[k];
        x[k + 2] = x[k + 2] - r2[0] * x[k] - r2[1] * x[k + 1];
        x[k + 3] = x[k + 3] - r3[0] * x[k] - r3[1] * x[k + 1] - r3[2] * x[k + 2];
        subtract_block(lu, n, k, x, k + PANEL, n);
    }
    for (; k < n; k++)
        for (int i = k + 1; i < n; i++)
            x[i] -= lu[(size_t)i * width + (size_t)k] * x[k];
}

/* U x = x, reciprocals on the diagonal. */
LV_INLINE void solve_upper(const double *lu, int n, double *x)
{
    const size_t width = (size_t)n;
    int k = n - PANEL;
    for (; k >= 0; k -= PANEL) {
        const double *r0 = lu + (size_t)k * width + k;
        const double *r1 = r0 + width, *r2 = r1 + width, *r3 = r2 + width;
        x[k + 3] = x[k + 3] * r3[3];
        x[k + 2] = (x[k + 2] - r2[3] * x[k + 3]) * r2[2];
        x[k + 1] = (x[k + 1] - r1[2] * x[k + 2] - r1[3] * x[k + 3]) * r1[1];
        x[k] = (x[k] - r0[1] * x[k + 1] - r0[2] * x[k + 2] - r0[3] * x[k + 3]) * r0[0];
        subtract_block(lu, n, k, x, 0, k);
    }
    for (k += PANEL - 1; k >= 0; k--) {
        x[k] *= lu[(size_t)k * width + (size_t)k];
        for (int i = 0; i < k; i++)
            x[i] -= lu[(size_t)i * width + (size_t)k] * x[k];
    }
}

LV_INLINE void solve_sized(const double *lu, int n, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) {
        const double t = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = t;
    }
    solve_lower(lu, n, x);
    solve_upper(lu, n, x);
}

void lv_lu_solve(const double *lu, int n, const int *pivot, double *x)
{
    assert(n >= 0);
    assert(lv_are_below(pivot, n, n));
    switch (n) {
    case 1:
        x[0] *= lu[0];
        return;
    case 2:
        solve_sized(lu, 2, pivot, x);
        return;
    case 3:
        solve_sized(lu, 3, pivot, x);
        return;
    case 4:
        solve_sized(lu, 4, pivot, x);
        return;
    case 5:
        solve_sized(lu, 5, pivot, x);
        return;
    case 6:
        solve_sized(lu, 6, pivot, x);
        return;
    default:
        solve_sized(lu, n, pivot, x);
    }
}

/* Row by row: l_ij = (a_ij - sum_k l_ik l_jk) / l_jj. */
bool lv_cholesky_factor(double *a, int n)
{
    assert(n >= 0 && a);
    const size_t width = (size_t)n;
    for (int i = 0; i < n; i++) {
        double *row = a + (size_t)i * width;
        const double diagonal = row[i];
        double rest = diagonal;
        for (int j = 0; j < i; j++) {
            const double *other = a + (size_t)j * width;
            double sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = sum * other[j];
            rest -= row[j] * row[j];
        }
        if (!(rest > DBL_EPSILON * diagonal && rest <= DBL_MAX))
            return false;
        row[i] = 1 / sqrt(rest);
    }
    return true;
}

void lv_cholesky_solve(const double *l, int n, double *x)
{
    const size_t width = (size_t)n;
    for (int i = 0; i < n; i++) {
        const double *row = l + (size_t)i * width;
        double sum = x[i];
        for (int k = 0; k < i; k++)
            sum -= row[k] * x[k];
        x[i] = sum * row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = l + (size_t)i * width;
        x[i] *= row[i];
        for (int k = 0; k < i; k++)
            x[k] -= row[k] * x[i];
    }
}
