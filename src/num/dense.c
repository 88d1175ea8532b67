/* Elimination in panels of four columns. Within a panel columns are eliminated one by one; the
 * rest of the matrix then takes all four updates in one pass, so that each entry is loaded and
 * stored once per panel. Every entry still sees
 *   a_ij <- (((a_ij - l_ik u_kj) - l_ik+1 u_k+1,j) - ...)
 * in the order of the textbook loop: panels change the speed, not the bits. The substitutions
 * proceed by blocks of four unknowns for the same reason. */
#include "num/dense.h"

#include "num/vector.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { PANEL = 4, FIXED_MOST = 8 };

LV_INLINE void swap_rows(double *restrict x, double *restrict y, int n)
{
    for (int j = 0; j < n; j++) {
        double t = x[j];
        x[j] = y[j];
        y[j] = t;
    }
}

/* Where the largest entry of a column is, row by row. */
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

/* Brings row `at` to row k and replaces the pivot by its reciprocal; false if that is of no
 * use. */
LV_INLINE bool take_pivot(double *a, int n, int k, int at)
{
    const size_t width = (size_t)n;
    double *row = a + (size_t)k * width;
    if (at != k)
        swap_rows(row, a + (size_t)at * width, n);
    row[k] = 1 / row[k];
    return fabs(row[k]) > 0 && fabs(row[k]) <= DBL_MAX;
}

/* Eliminates column k from the rows below it, as far as column `end`. Returns the row of the
 * next pivot if column k + 1 is among them. */
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

/* With n known to the compiler. */
LV_INLINE bool factor_fixed(double *a, int n, int *pivot)
{
    return factor_plain(a, n, 0, pivot, first_pivot(a, n));
}

/* The rows of a panel at column k, to the right of it. */
LV_INLINE void update_panel_rows(double *a, int n, int k)
{
    const size_t width = (size_t)n;
    const int rest = n - k - PANEL;
    const double *p = a + (size_t)k * width + k;
    const double l10 = p[width], l20 = p[2 * width], l21 = p[2 * width + 1];
    const double l30 = p[3 * width], l31 = p[3 * width + 1], l32 = p[3 * width + 2];
    double *restrict u0 = a + (size_t)k * width + k + PANEL;
    double *restrict u1 = u0 + width, *restrict u2 = u1 + width, *restrict u3 = u2 + width;
    for (int j = 0; j < rest; j++) {
        u1[j] = u1[j] - l10 * u0[j];
        u2[j] = u2[j] - l20 * u0[j] - l21 * u1[j];
        u3[j] = u3[j] - l30 * u0[j] - l31 * u1[j] - l32 * u2[j];
    }
}

/* The rows below a panel at column k. Returns the row of the next pivot. */
LV_INLINE int update_trailing(double *a, int n, int k)
{
    const size_t width = (size_t)n;
    const int rest = n - k - PANEL;
    const double *restrict u0 = a + (size_t)k * width + k + PANEL;
    const double *restrict u1 = u0 + width, *restrict u2 = u1 + width, *restrict u3 = u2 + width;
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
    for (; n - k0 > FIXED_MOST; k0 += PANEL) {
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

LV_VECTORISED(bool, factor_any, (double *a, int n, int *pivot), factor_panels, (a, n, pivot))

bool lv_lu_factor(double *a, int n, int *pivot)
{
    switch (n) {
    case 1: return factor_fixed(a, 1, pivot);
    case 2: return factor_fixed(a, 2, pivot);
    case 3: return factor_fixed(a, 3, pivot);
    case 4: return factor_fixed(a, 4, pivot);
    case 5: return factor_fixed(a, 5, pivot);
    case 6: return factor_fixed(a, 6, pivot);
    case 7: return factor_fixed(a, 7, pivot);
    case 8: return factor_fixed(a, 8, pivot);
    default: return factor_any(a, n, pivot);
    }
}
