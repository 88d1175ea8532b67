/* A second opinion on linear systems: Gauss-Jordan with full pivoting in long double. */
#ifndef LV_TESTS_ELIMINATION_H
#define LV_TESTS_ELIMINATION_H

#include <math.h>
#include <stdlib.h>

static inline void elimination_swap(long double *x, long double *y)
{
    long double t = *x;
    *x = *y;
    *y = t;
}

/* x = A^-1 b for the row-major n x n matrix a. Returns the largest pivot divided by the smallest
 * (infinite for singular matrices), a rough condition number. */
static inline double eliminate_exactly(long double *x, const double *a, const double *b,
                                       int n)
{
    const int w = n + 1;
    if (n < 0)
        abort(); /* also tells the compiler */
    long double *m = calloc((size_t)n * (size_t)w, sizeof *m), smallest = 0, largest = 0;
    int *unknown = calloc((size_t)n, sizeof *unknown);
    if (!m || !unknown)
        abort();
    for (int i = 0; i < n; i++) {
        unknown[i] = i;
        for (int j = 0; j < n; j++)
            m[i * w + j] = (long double)a[i * n + j];
        m[i * w + n] = (long double)b[i];
    }
    for (int k = 0; k < n; k++) {
        int row = k, column = k;
        for (int i = k; i < n; i++)
            for (int j = k; j < n; j++)
                if (fabsl(m[i * w + j]) > fabsl(m[row * w + column])) {
                    row = i;
                    column = j;
                }
        for (int j = 0; j < w; j++)
            elimination_swap(&m[k * w + j], &m[row * w + j]);
        for (int i = 0; i < n; i++)
            elimination_swap(&m[i * w + k], &m[i * w + column]);
        const int t = unknown[k];
        unknown[k] = unknown[column];
        unknown[column] = t;
        smallest = fabsl(m[k * w + k]);
        largest = k == 0 ? smallest : largest;
        for (int i = 0; i < n; i++) {
            const long double l = i == k ? 0 : m[i * w + k] / m[k * w + k];
            for (int j = k; j < w; j++)
                m[i * w + j] -= l * m[k * w + j];
        }
    }
    for (int k = 0; k < n; k++)
        x[unknown[k]] = m[k * w + n] / m[k * w + k];
    free(m);
    free(unknown);
    return smallest > 0 ? (double)(largest / smallest) : HUGE_VAL;
}

#endif
