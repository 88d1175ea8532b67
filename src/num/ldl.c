/* Pivots after Bunch and Kaufman (1977): a diagonal entry is accepted if it is at least
 * ALPHA times the largest entry of its column; otherwise a second column is examined,
 * which gives an acceptable pivot or a block of two rows.
 *
 * Mostly the next diagonal entry is accepted. So up to four of them are taken ahead, each
 * after only its own row has been updated, and the rest of the matrix takes their updates
 * in one pass. Every entry still sees
 *   a_ij <- ((a_ij - u_ki w_kj) - u_k+1,i w_k+1,j) - ...,   w = D U
 * in the order of elimination: panels change the speed, not the bits. Row k holds w until
 * row i has been updated, then u in place of w_ki. Loops of fixed length, as lv_lu_factor
 * has for the smallest sizes, gain nothing here: LU is faster at those sizes anyway
 * (bench_linear). */
#include "num/ldl.h"

#include "base/inline.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

enum { PANEL = 4 };
#define ALPHA 0.64038820320220757 /* (1 + sqrt(17)) / 8 */

LV_INLINE double *row_of(double *a, int n, int i)
{
    return a + (size_t)i * (size_t)n;
}

static void swap(double *x, double *y)
{
    const double t = *x;
    *x = *y;
    *y = t;
}

/* Exchanges unknowns k < r in the remaining matrix and in the rows of U. */
static void exchange(double *a, int n, int k, int r)
{
    double *x = row_of(a, n, k), *y = row_of(a, n, r);
    if (k == r)
        return;
    for (int i = 0; i < k; i++)
        swap(row_of(a, n, i) + k, row_of(a, n, i) + r);
    swap(x + k, y + r);
    for (int i = k + 1; i < r; i++)
        swap(x + i, row_of(a, n, i) + r);
    for (int j = r + 1; j < n; j++)
        swap(x + j, y + j);
}

/* Updates row i, columns i and following, by `count` single pivots from k on. */
LV_INLINE void update_row(double *a, int n, int k, int count, int i)
{
    const size_t width = (size_t)n;
    double *restrict x = row_of(a, n, i);
    double *restrict w0 = row_of(a, n, k);
    double *restrict w1 = count > 1 ? w0 + width : w0;
    double *restrict w2 = count > 2 ? w1 + width : w0;
    double *restrict w3 = count > 3 ? w2 + width : w0;
    const double u0 = w0[i] * w0[k];
    const double u1 = count > 1 ? w1[i] * w1[k + 1] : 0;
    const double u2 = count > 2 ? w2[i] * w2[k + 2] : 0;
    const double u3 = count > 3 ? w3[i] * w3[k + 3] : 0;
    for (int j = i; j < n; j++) {
        double sum = x[j] - u0 * w0[j];
        if (count > 1)
            sum -= u1 * w1[j];
        if (count > 2)
            sum -= u2 * w2[j];
        if (count > 3)
            sum -= u3 * w3[j];
        x[j] = sum;
    }
    w0[i] = u0;
    if (count > 1)
        w1[i] = u1;
    if (count > 2)
        w2[i] = u2;
    if (count > 3)
        w3[i] = u3;
}

/* The same by a block of two rows from k on. */
LV_INLINE void update_row_pair(double *a, int n, int k, int i)
{
    double *restrict x = row_of(a, n, i);
    double *restrict w0 = row_of(a, n, k), *restrict w1 = row_of(a, n, k + 1);
    const double u0 = w0[k] * w0[i] + w1[k] * w1[i];
    const double u1 = w1[k] * w0[i] + w1[k + 1] * w1[i];
    for (int j = i; j < n; j++)
        x[j] = x[j] - u0 * w0[j] - u1 * w1[j];
    w0[i] = u0;
    w1[i] = u1;
}

LV_INLINE void update_rows(double *a, int n, int k, int count, int from)
{
    for (int i = from; i < n; i++)
        update_row(a, n, k, count, i);
}

/* The largest entry right of the diagonal. */
typedef struct search {
    double largest;
    int at;
} search;

LV_INLINE search search_row(const double *row, int n, int k)
{
    search s = {0, k};
    for (int j = k + 1; j < n; j++)
        if (fabs(row[j]) > s.largest) {
            s.largest = fabs(row[j]);
            s.at = j;
        }
    return s;
}

LV_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Is the diagonal entry of an updated row acceptable as a pivot? */
LV_INLINE bool serves(const double *row, int n, int k)
{
    double largest = 0;
    for (int j = k + 1; j < n; j++)
        largest = larger(fabs(row[j]), largest);
    return fabs(row[k]) >= ALPHA * largest;
}

LV_INLINE bool take_single(double *a, int n, int k)
{
    double *diagonal = row_of(a, n, k) + k;
    *diagonal = 1 / *diagonal;
    return fabs(*diagonal) > 0 && fabs(*diagonal) <= DBL_MAX;
}

/* D^-1 of rows k and k + 1: -1 < p q < 1/2 by the choice of pivots. */
static bool take_pair(double *a, int n, int k)
{
    double *row = row_of(a, n, k) + k, *next = row_of(a, n, k + 1) + k;
    const double b = row[1], p = row[0] / b, q = next[1] / b;
    const double r = 1 / (b * (p * q - 1));
    row[0] = q * r;
    row[1] = 0;
    next[0] = -r;
    next[1] = p * r;
    return fabs(r) > 0 && fabs(r) <= DBL_MAX;
}

/* The largest off-diagonal entry of column r of the remaining matrix, which begins at
 * k. */
static double column_largest(const double *a, int n, int k, int r)
{
    const double *row = a + (size_t)r * (size_t)n;
    double largest = 0;
    for (int i = k; i < r; i++)
        largest = larger(fabs(a[(size_t)i * (size_t)n + (size_t)r]), largest);
    for (int j = r + 1; j < n; j++)
        largest = larger(fabs(row[j]), largest);
    return largest;
}

/* Finds a pivot at step k where the diagonal entry is not accepted at once. Returns the
 * number of rows it takes. */
static int search_pivot(double *a, int n, int k, int *pivot, bool *fine)
{
    const double *row = row_of(a, n, k);
    const search s = search_row(row, n, k);
    const int r = s.at;
    const double other = r > k ? column_largest(a, n, k, r) : 0;
    const bool stay = r == k || fabs(row[k]) >= ALPHA * s.largest * (s.largest / other);
    if (stay || fabs(row_of(a, n, r)[r]) >= ALPHA * other) {
        pivot[k] = stay ? k : r;
        exchange(a, n, k, pivot[k]);
        *fine &= take_single(a, n, k);
        update_rows(a, n, k, 1, k + 1);
        return 1;
    }
    pivot[k] = LV_LDL_PAIR;
    pivot[k + 1] = r;
    exchange(a, n, k + 1, r);
    *fine &= take_pair(a, n, k);
    for (int i = k + 2; i < n; i++)
        update_row_pair(a, n, k, i);
    return 2;
}

/* Takes up to four diagonal entries from k on as pivots, while they are acceptable.
 * Returns their number. */
LV_INLINE int take_panel(double *a, int n, int k, int *pivot, bool *fine)
{
    int count = 0;
    for (; count < PANEL && k + count < n; count++) {
        const int i = k + count;
        if (count == 1)
            update_row(a, n, k, 1, i);
        else if (count == 2)
            update_row(a, n, k, 2, i);
        else if (count == 3)
            update_row(a, n, k, 3, i);
        if (!serves(row_of(a, n, i), n, i))
            break;
        pivot[i] = i;
        *fine &= take_single(a, n, i);
    }
    return count;
}

bool lv_ldl_factor(double *a, int n, int *pivot)
{
    assert(n >= 0 && a && pivot);
    bool fine = true;
    for (int k = 0; k < n;) {
        const int count = take_panel(a, n, k, pivot, &fine);
        /* The row of a pivot that was not accepted is updated already. */
        switch (count) {
        case 0:
            k += search_pivot(a, n, k, pivot, &fine);
            break;
        case 1:
            update_rows(a, n, k, 1, k + 2);
            break;
        case 2:
            update_rows(a, n, k, 2, k + 3);
            break;
        case 3:
            update_rows(a, n, k, 3, k + 4);
            break;
        default:
            update_rows(a, n, k, PANEL, k + PANEL);
        }
        k += count;
    }
    return fine;
}

/* x[i] -= row_i[k .. k + 3] . x[k .. k + 3] for the rows above k. */
LV_INLINE void subtract_block(const double *u, int n, int k, double *x)
{
    const double y0 = x[k], y1 = x[k + 1], y2 = x[k + 2], y3 = x[k + 3];
    for (int i = 0; i < k; i++) {
        const double *row = u + (size_t)i * (size_t)n + k;
        x[i] = x[i] - row[0] * y0 - row[1] * y1 - row[2] * y2 - row[3] * y3;
    }
}

/* U^T x = x */
LV_INLINE void solve_lower(const double *u, int n, double *x)
{
    const size_t width = (size_t)n;
    int k = 0;
    for (; k + PANEL <= n; k += PANEL) {
        const double *r0 = u + (size_t)k * width, *r1 = r0 + width, *r2 = r1 + width,
                     *r3 = r2 + width;
        const double y0 = x[k], y1 = x[k + 1] - r0[k + 1] * y0;
        const double y2 = x[k + 2] - r0[k + 2] * y0 - r1[k + 2] * y1;
        const double y3 = x[k + 3] - r0[k + 3] * y0 - r1[k + 3] * y1 - r2[k + 3] * y2;
        x[k + 1] = y1;
        x[k + 2] = y2;
        x[k + 3] = y3;
        for (int j = k + PANEL; j < n; j++)
            x[j] = x[j] - r0[j] * y0 - r1[j] * y1 - r2[j] * y2 - r3[j] * y3;
    }
    for (; k < n; k++)
        for (int j = k + 1; j < n; j++)
            x[j] -= u[(size_t)k * width + (size_t)j] * x[k];
}

/* U x = x */
LV_INLINE void solve_upper(const double *u, int n, double *x)
{
    const size_t width = (size_t)n;
    int k = n - PANEL;
    for (; k >= 0; k -= PANEL) {
        const double *r0 = u + (size_t)k * width + k, *r1 = r0 + width, *r2 = r1 + width;
        x[k + 2] = x[k + 2] - r2[3] * x[k + 3];
        x[k + 1] = x[k + 1] - r1[2] * x[k + 2] - r1[3] * x[k + 3];
        x[k] = x[k] - r0[1] * x[k + 1] - r0[2] * x[k + 2] - r0[3] * x[k + 3];
        subtract_block(u, n, k, x);
    }
    for (k += PANEL - 1; k >= 0; k--)
        for (int i = 0; i < k; i++)
            x[i] -= u[(size_t)i * width + (size_t)k] * x[k];
}

/* D x = x */
LV_INLINE void solve_blocks(const double *d, int n, const int *pivot, double *x)
{
    const size_t width = (size_t)n;
    for (int k = 0; k < n; k++) {
        const double *at = d + (size_t)k * (width + 1);
        if (pivot[k] != LV_LDL_PAIR) {
            x[k] *= at[0];
            continue;
        }
        const double y = x[k], z = x[k + 1];
        x[k] = at[0] * y + at[width] * z;
        x[k + 1] = at[width] * y + at[width + 1] * z;
        k++;
    }
}

LV_INLINE void exchange_unknowns(const int *pivot, int k, double *x)
{
    if (pivot[k] != LV_LDL_PAIR)
        swap(x + k, x + pivot[k]);
}

void lv_ldl_solve(const double *factors, int n, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++)
        exchange_unknowns(pivot, k, x);
    solve_lower(factors, n, x);
    solve_blocks(factors, n, pivot, x);
    solve_upper(factors, n, x);
    for (int k = n - 1; k >= 0; k--)
        exchange_unknowns(pivot, k, x);
}

/* order[k] is the unknown eliminated at step k. */
static void find_order(const int *pivot, int n, int *order)
{
    for (int k = 0; k < n; k++)
        order[k] = k;
    for (int k = 0; k < n; k++)
        if (pivot[k] != LV_LDL_PAIR) {
            const int t = order[k];
            order[k] = order[pivot[k]];
            order[pivot[k]] = t;
        }
}

double lv_ldl_worst(const double *factors, int n, const int *pivot, const double *scale,
                    double enough, int *order, int *unknown)
{
    const size_t width = (size_t)n;
    double inverse = 0;
    find_order(pivot, n, order);
    for (int k = 0; k < n && inverse < 1 / enough; k++) {
        const double *at = factors + (size_t)k * (width + 1);
        double pivot_inverse = at[0];
        /* D = [e g; g f] with |e| < |g|: its pivots are g and det D / g. */
        if (pivot[k] == LV_LDL_PAIR)
            pivot_inverse = at[0] * (at[width + 1] / at[width]) - at[width];
        else if (k > 0 && pivot[k - 1] == LV_LDL_PAIR)
            pivot_inverse = at[-1];
        const double ratio = fabs(pivot_inverse) * scale[order[k]];
        if (!(ratio <= inverse)) {
            inverse = ratio <= DBL_MAX ? ratio : HUGE_VAL;
            *unknown = order[k];
        }
    }
    return 1 / inverse;
}
