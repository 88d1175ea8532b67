/* N four-bar linkages side by side, models/n-four-bar.toml, by hand: bars as masses at their ends, coupled by a sixth, so that
 * the unknowns are the tops of the posts and a multiplier for each bar. RATTLE with Newton's method on
 *   M (q1 - q0 - h v0) - h^2/2 f + G(q0)^T mu = 0,   g(q1) = 0
 * and a band matrix with partial pivoting; posts and beams in the order mu_post, x, y, mu_beam. */
#include "bound.h"
#include "contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALF = 4, REACH = 2 * HALF + 1, ROW = 3 * HALF + 1, MOST_PASSES = 15 };

static const double gravity = 9.81, tolerance = 1e-12;

typedef struct linkages {
    int tops, size; /* of posts; unknowns */
    double *q, *v, *next, *force, *mu, *matrix, *b;
    int *pivot;
} linkages;

/* Entry (i, j), which stands at column j - i + HALF. */
static double *entry(const linkages *s, int i, int j)
{
    return s->matrix + (size_t)i * ROW + HALF + j - i;
}

static bool is_end(const linkages *s, int i)
{
    return i == 0 || i == s->tops - 1;
}

static double mass(const linkages *s, int i)
{
    return is_end(s, i) ? 2.0 / 3 : 1;
}

/* Of a post from its foot, number k. */
static double post(const double *q, int i, int k)
{
    return q[2 * i + k] - (k == 0 ? i : 0);
}

static double beam(const double *q, int i, int k)
{
    return q[2 * i + 2 + k] - q[2 * i + k];
}

/* Constraints of positions `rows`, forces of constraints at `columns`. */
static void fill(const linkages *s, const double *rows, const double *columns)
{
    memset(s->matrix, 0, (size_t)(s->size + 1) * ROW * sizeof *s->matrix);
    for (int i = 0; i < s->tops; i++)
        for (int k = 0; k < 2; k++) {
            const int r = 4 * i + 1 + k;
            *entry(s, r, r) = mass(s, i);
            *entry(s, 4 * i, r) = post(rows, i, k);
            *entry(s, r, 4 * i) = post(columns, i, k);
            if (i + 1 == s->tops)
                continue;
            *entry(s, r, r + 4) = *entry(s, r + 4, r) = 1.0 / 6;
            *entry(s, 4 * i + 3, r + 4) = beam(rows, i, k);
            *entry(s, 4 * i + 3, r) = -beam(rows, i, k);
            *entry(s, r + 4, 4 * i + 3) = beam(columns, i, k);
            *entry(s, r, 4 * i + 3) = -beam(columns, i, k);
        }
    *entry(s, s->size - 1, s->size - 1) = 1; /* there is no beam behind the last post */
}

static int last_below(const linkages *s, int k)
{
    return k + HALF < s->size - 1 ? k + HALF : s->size - 1;
}

static void factor(const linkages *s)
{
    for (int k = 0; k < s->size; k++) {
        int p = k;
        for (int i = k + 1; i <= last_below(s, k); i++)
            if (fabs(*entry(s, i, k)) > fabs(*entry(s, p, k)))
                p = i;
        s->pivot[k] = p;
        double *row = entry(s, k, k), *other = entry(s, p, k);
        for (int j = 0; p != k && j < REACH; j++) {
            const double swap = row[j];
            row[j] = other[j];
            other[j] = swap;
        }
        const double inverse = 1 / row[0];
        for (int i = k + 1; i <= last_below(s, k); i++) {
            double *below = entry(s, i, k);
            const double factor = below[0] *= inverse;
            for (int j = 1; j < REACH; j++)
                below[j] -= factor * row[j];
        }
    }
}

static void solve(const linkages *s)
{
    double *b = s->b;
    for (int k = 0; k < s->size; k++) {
        const double swap = b[k];
        b[k] = b[s->pivot[k]];
        b[s->pivot[k]] = swap;
        for (int i = k + 1; i <= last_below(s, k); i++)
            b[i] -= *entry(s, i, k) * b[k];
    }
    for (int i = s->size - 1; i >= 0; i--) {
        const double *row = entry(s, i, i);
        double sum = b[i];
        for (int j = 1; j < REACH && i + j < s->size; j++)
            sum -= row[j] * b[i + j];
        b[i] = sum / row[0];
    }
}

/* M x, component k at post i. */
static double times_mass(const linkages *s, const double *x, int i, int k)
{
    double sum = mass(s, i) * x[2 * i + k];
    if (i > 0)
        sum += x[2 * i - 2 + k] / 6;
    if (i + 1 < s->tops)
        sum += x[2 * i + 2 + k] / 6;
    return sum;
}

/* The negative residual; returns the largest. `moved` is q1 - q0 - h v0. */
static double residual(const linkages *s, const double *moved, double h)
{
    double largest = 0;
    for (int i = 0; i < s->tops; i++) {
        const bool inner = i + 1 < s->tops;
        double g = -1, e = inner ? -1 : 0;
        for (int k = 0; k < 2; k++) {
            double r = times_mass(s, moved, i, k) - 0.5 * h * h * s->force[2 * i + k] +
                       post(s->q, i, k) * s->mu[4 * (size_t)i];
            g += post(s->next, i, k) * post(s->next, i, k);
            if (inner) {
                e += beam(s->next, i, k) * beam(s->next, i, k);
                r -= beam(s->q, i, k) * s->mu[4 * i + 3];
            }
            if (i > 0)
                r += beam(s->q, i - 1, k) * s->mu[4 * i - 1];
            s->b[4 * i + 1 + k] = -r;
            largest = fmax(largest, fabs(r));
        }
        s->b[4 * (size_t)i] = -0.5 * g;
        s->b[4 * i + 3] = -0.5 * e;
        largest = fmax(largest, fmax(fabs(g), fabs(e)));
    }
    return largest;
}

static void find_positions(linkages *s, double *moved, double h)
{
    const int n = 2 * s->tops;
    for (int j = 0; j < n; j++)
        s->next[j] = s->q[j] + h * s->v[j];
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        for (int j = 0; j < n; j++)
            moved[j] = s->next[j] - s->q[j] - h * s->v[j];
        if (residual(s, moved, h) < tolerance)
            return;
        if (pass < 2 || pass % 2 == 0) {
            fill(s, s->next, s->q);
            factor(s);
        }
        solve(s);
        for (int i = 0; i < s->tops; i++) {
            s->next[2 * (size_t)i] += s->b[4 * i + 1];
            s->next[2 * i + 1] += s->b[4 * i + 2];
            s->mu[4 * (size_t)i] += s->b[4 * (size_t)i];
            s->mu[4 * i + 3] += i + 1 < s->tops ? s->b[4 * i + 3] : 0;
        }
    }
}

/* M (v1 - (q1 - q0)/h) = h/2 f - G^T nu, G v1 = 0 */
static void find_velocities(linkages *s, double *moved, double h)
{
    for (int j = 0; j < 2 * s->tops; j++)
        moved[j] = (s->next[j] - s->q[j]) / h;
    fill(s, s->next, s->next);
    factor(s);
    for (int i = 0; i < s->tops; i++) {
        s->b[4 * (size_t)i] = s->b[4 * i + 3] = 0;
        for (int k = 0; k < 2; k++)
            s->b[4 * i + 1 + k] =
                times_mass(s, moved, i, k) + 0.5 * h * s->force[2 * i + k];
    }
    solve(s);
    for (int i = 0; i < s->tops; i++) {
        s->v[2 * (size_t)i] = s->b[4 * i + 1];
        s->v[2 * i + 1] = s->b[4 * i + 2];
    }
}

static void run(void *state, double h, const double *weights, int count, long steps)
{
    linkages *s = state;
    double *moved = bench_memory(2 * s->tops, sizeof *moved);
    for (long n = 0; n < steps; n++)
        for (int k = 0; k < count; k++) {
            find_positions(s, moved, weights[k] * h);
            find_velocities(s, moved, weights[k] * h);
            memcpy(s->q, s->next, (size_t)(2 * s->tops) * sizeof *s->q);
        }
    free(moved);
}

static void *create(int size)
{
    linkages *s = bench_memory(1, sizeof *s);
    s->tops = size + 1;
    s->size = 4 * s->tops;
    s->q = bench_memory(2 * s->tops, sizeof *s->q);
    s->v = bench_memory(2 * s->tops, sizeof *s->v);
    s->next = bench_memory(2 * s->tops, sizeof *s->next);
    s->force = bench_memory(2 * s->tops, sizeof *s->force);
    s->mu = bench_memory(s->size, sizeof *s->mu);
    s->b = bench_memory(s->size, sizeof *s->b);
    s->matrix = bench_memory((s->size + 2) * ROW, sizeof *s->matrix);
    s->pivot = bench_memory(s->size, sizeof *s->pivot);
    for (int i = 0; i < s->tops; i++) {
        s->q[2 * (size_t)i] = i;
        s->q[2 * i + 1] = s->v[2 * (size_t)i] = 1;
        s->force[2 * i + 1] = -gravity * (is_end(s, i) ? 1 : 1.5);
    }
    return s;
}

static void free_all(void *state)
{
    linkages *s = state;
    free(s->q);
    free(s->v);
    free(s->next);
    free(s->force);
    free(s->mu);
    free(s->b);
    free(s->matrix);
    free(s->pivot);
    free(s);
}

/* The top of the first post. */
static void position(const void *state, double *q)
{
    const linkages *s = state;
    q[0] = s->q[0];
    q[1] = s->q[1];
}

const bound bound_linkages = {create, free_all, run, position};
