#include "num/least_norm.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Householder reflections H = 1 - beta v v^T. Reflection k of Q acts on columns k and
 * following; its v is stored in row k of a right of the diagonal, v[k] and beta in work,
 * and the diagonal holds L. The second reflections act on the columns of L, one after the
 * other, in a copy of L, and turn it into R. */

/* The parts of the caller's workspace. */
typedef struct parts {
    double *head, *beta;               /* of Q: v[k] and beta[k] */
    double *lower;                     /* rows x rank, row-major with width `most` */
    double *second_head, *second_beta; /* of the reflections that turn L into R */
    double *norm;                      /* norms of the rows before factoring */
    double *z;                         /* max(rows, columns) numbers */
    size_t most;
} parts;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

size_t lv_least_norm_work(int rows, int columns)
{
    const size_t r = (size_t)rows, c = (size_t)columns,
                 most = (size_t)smaller(rows, columns);
    return 4 * most + r * most + r + (r > c ? r : c);
}

static parts locate(const lv_least_norm *f)
{
    parts p;
    p.most = (size_t)smaller(f->rows, f->columns);
    p.head = f->work;
    p.beta = p.head + p.most;
    p.second_head = p.beta + p.most;
    p.second_beta = p.second_head + p.most;
    p.lower = p.second_beta + p.most;
    p.norm = p.lower + (size_t)f->rows * p.most;
    p.z = p.norm + f->rows;
    return p;
}

static double *row_of(const lv_least_norm *f, int i)
{
    return f->a + (size_t)i * (size_t)f->columns;
}

/* Euclidean norm of count entries `step` apart, safe from overflow. */
static double norm_of(const double *x, int count, size_t step)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[(size_t)i * step]));
    if (!(largest > 0))
        return 0;
    for (int i = 0; i < count; i++) {
        const double s = x[(size_t)i * step] / largest;
        sum += s * s;
    }
    return largest * sqrt(sum);
}

/* The reflection that turns x (count entries `step` apart) into (-sign(x0) |x|, 0, ...).
 * That first entry stays in x[0]; the others become those of v, scaled by 1 / |x|. */
static void make_reflection(double *x, int count, size_t step, double *head, double *beta)
{
    const double norm = norm_of(x, count, step), first = x[0];
    *head = *beta = 0;
    if (!(norm > 0))
        return;
    x[0] = first > 0 ? -norm : norm;
    *head = (first - x[0]) / norm;
    *beta = 1 / (1 + fabs(first) / norm);
    for (int i = 1; i < count; i++)
        x[(size_t)i * step] /= norm;
}

/* y -= beta v (v . y); v = (head, tail ...). */
static void reflect(double *y, size_t y_step, const double *v, size_t v_step, double head,
                    double beta, int count)
{
    double sum = head * y[0];
    for (int i = 1; i < count; i++)
        sum += v[(size_t)i * v_step] * y[(size_t)i * y_step];
    sum *= beta;
    y[0] -= sum * head;
    for (int i = 1; i < count; i++)
        y[(size_t)i * y_step] -= sum * v[(size_t)i * v_step];
}

static void exchange_rows(lv_least_norm *f, double *norm, int i, int j)
{
    double *x = row_of(f, i), *y = row_of(f, j);
    for (int k = 0; k < f->columns && i != j; k++) {
        const double t = x[k];
        x[k] = y[k];
        y[k] = t;
    }
    const double t = norm[i];
    norm[i] = norm[j];
    norm[j] = t;
    const int row = f->row_order[i];
    f->row_order[i] = f->row_order[j];
    f->row_order[j] = row;
}

/* Returns the row from `step` on with the largest remainder relative to its norm, which
 * `left` receives. Among rows that differ little in this, a much larger one is preferred:
 * expressed by a small row, it would carry that row's rounding. */
static int most_independent(const lv_least_norm *f, const double *norm, int step,
                            double *left)
{
    const double little = 0.5, much = 1e3;
    int at = step;
    *left = 0;
    for (int i = step; i < f->rows; i++) {
        const double rest = norm_of(row_of(f, i) + step, f->columns - step, 1);
        const double part = norm[i] > 0 ? rest / norm[i] : 0;
        const bool larger = norm[i] > much * norm[at],
                   smaller = much * norm[i] < norm[at];
        if (part > *left * (larger ? little : smaller ? 1 / little : 1)) {
            *left = part;
            at = i;
        }
    }
    return at;
}

/* Computes R from L, whose rows beyond the rank are combinations of the others. */
static void triangularise(const lv_least_norm *f, const parts *p)
{
    for (int i = 0; i < f->rows; i++)
        for (int k = 0; k < f->rank; k++)
            p->lower[(size_t)i * p->most + (size_t)k] = k <= i ? row_of(f, i)[k] : 0;
    for (int k = 0; k < f->rank; k++) {
        double *corner = p->lower + (size_t)k * p->most + k;
        make_reflection(corner, f->rows - k, p->most, &p->second_head[k],
                        &p->second_beta[k]);
        for (int j = k + 1; j < f->rank; j++)
            reflect(corner + (j - k), p->most, corner, p->most, p->second_head[k],
                    p->second_beta[k], f->rows - k);
    }
}

void lv_least_norm_factor(lv_least_norm *f, double tolerance)
{
    const parts p = locate(f);
    for (int i = 0; i < f->rows; i++) {
        f->row_order[i] = i;
        p.norm[i] = norm_of(row_of(f, i), f->columns, 1);
    }
    f->kept = 1;
    f->dropped = 0;

    int step = 0;
    for (; step < f->rows; step++) {
        double left;
        const int at = most_independent(f, p.norm, step, &left);
        if (step == (int)p.most || !(left > tolerance)) {
            f->dropped = left;
            break;
        }
        f->kept = fmin(f->kept, left);
        exchange_rows(f, p.norm, step, at);
        double *row = row_of(f, step) + step;
        make_reflection(row, f->columns - step, 1, &p.head[step], &p.beta[step]);
        for (int i = step + 1; i < f->rows; i++)
            reflect(row_of(f, i) + step, 1, row, 1, p.head[step], p.beta[step],
                    f->columns - step);
    }
    f->rank = step;
    if (f->rank < f->rows)
        triangularise(f, &p);
}

/* x = Q x */
static void turn(const lv_least_norm *f, const parts *p, double *x)
{
    for (int k = f->rank - 1; k >= 0; k--)
        reflect(x + k, 1, row_of(f, k) + k, 1, p->head[k], p->beta[k], f->columns - k);
}

void lv_least_norm_solve(const lv_least_norm *f, double *x, const double *b)
{
    const parts p = locate(f);
    double *z = p.z;
    for (int i = 0; i < f->rows; i++)
        z[i] = b[f->row_order[i]];

    if (f->rank == f->rows) {
        /* L z = b */
        for (int i = 0; i < f->rank; i++) {
            for (int k = 0; k < i; k++)
                z[i] -= row_of(f, i)[k] * z[k];
            z[i] /= row_of(f, i)[i];
        }
    } else {
        /* R z = H^T b, the first `rank` rows */
        for (int k = 0; k < f->rank; k++)
            reflect(z + k, 1, p.lower + (size_t)k * p.most + k, p.most, p.second_head[k],
                    p.second_beta[k], f->rows - k);
        for (int i = f->rank - 1; i >= 0; i--) {
            const double *row = p.lower + (size_t)i * p.most;
            for (int k = i + 1; k < f->rank; k++)
                z[i] -= row[k] * z[k];
            z[i] /= row[i];
        }
    }

    /* x = Q (z, 0) */
    for (int k = 0; k < f->columns; k++)
        x[k] = k < f->rank ? z[k] : 0;
    turn(f, &p, x);
}

void lv_least_norm_kernel(const lv_least_norm *f, int k, double *x)
{
    const parts p = locate(f);
    memset(x, 0, (size_t)f->columns * sizeof *x);
    x[f->rank + k] = 1;
    turn(f, &p, x);
}

void lv_least_norm_combination(const lv_least_norm *f, int dependent, double *combination)
{
    /* combination^T L1 = the row of L2 */
    memcpy(combination, row_of(f, dependent), (size_t)f->rank * sizeof *combination);
    for (int k = f->rank - 1; k >= 0; k--) {
        combination[k] /= row_of(f, k)[k];
        for (int j = 0; j < k; j++)
            combination[j] -= combination[k] * row_of(f, k)[j];
    }
}
