/* The chain of rigid links of bench_rotations.c with balls, by hand: RATTLE with exact rotations of symmetric bodies, which
 * is what livens does with rotations = "exact". A link has a centre r, an axis d, a velocity v and an angular velocity w
 * across its axis; it does not spin about it. Half a kick, the free motion and half a kick are
 *   v += h/2 g + (n_after - n_before)/m,   w += half/A d x (n_before + n_after),
 *   r += h v,   d = exp(h w) d,
 * with the impulses n of the joints before and after a link. Those of the first half make the joints fit at the end, those
 * of the second half their velocities. Either is a system of blocks of three in a row, which is solved without pivots. */
#include "peer_motion.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81;

typedef struct vectors {
    double *x, *y, *z;
} vectors;

/* A row of the system: L, D, U; after elimination D^-1 and D^-1 U. */
typedef struct row {
    double before[9], middle[9], after[9];
} row;

enum { SUBSTEPS = 5, PAST = 4 };

typedef struct link_chain {
    int count;
    double mass, half, across; /* of a link: half its length, moment of inertia A */
    double *memory;
    vectors r, v, d, w;             /* where a step begins, then where it ends */
    vectors middle_v, end_r, end_d; /* while impulses are sought */
    vectors middle_w;
    vectors n, correction; /* impulses over half a step, one joint more than there are */
    vectors past[SUBSTEPS]
                [PAST]; /* those of the last steps for each substep, the newest first */
    int known;
    double (*k)[9]; /* how the end of a link's axis answers to impulses */
    row *rows;
} link_chain;

static vectors take(double **room, int count)
{
    vectors v = {*room, *room + count, *room + 2 * (ptrdiff_t)count};
    *room += 3 * (ptrdiff_t)count;
    return v;
}

static bool create(link_chain *c, int count)
{
    enum { ARRAYS = 10 };
    const int places = count + 2;
    *c = (link_chain){.count = count, .mass = 1.0 / count, .half = 0.5 / count};
    c->across = 0.09 / ((double)count * count * count);
    c->memory =
        calloc((size_t)places * 3 * (ARRAYS + SUBSTEPS * PAST), sizeof *c->memory);
    c->k = calloc((size_t)places, sizeof *c->k);
    c->rows = calloc((size_t)places, sizeof *c->rows);
    if (!c->memory || !c->k || !c->rows)
        return false;
    double *room = c->memory;
    vectors *const all[ARRAYS] = {&c->r,        &c->v,         &c->d,     &c->w,
                                  &c->middle_v, &c->end_r,     &c->end_d, &c->middle_w,
                                  &c->n,        &c->correction};
    for (int k = 0; k < ARRAYS; k++)
        *all[k] = take(&room, places);
    for (int k = 0; k < SUBSTEPS * PAST; k++)
        c->past[k / PAST][k % PAST] = take(&room, places);
    for (int i = 0; i < count; i++) {
        c->r.x[i] = (i + 0.5) / count;
        c->d.x[i] = 1;
    }
    return true;
}

static void release(link_chain *c)
{
    free(c->memory);
    free(c->k);
    free(c->rows);
}

/* ---- half a kick and the free motion ------------------------------------------------------------------------- */

static void kick(const link_chain *c, double h, const vectors *v, const vectors *w,
                 const vectors *d, vectors *to_v, vectors *to_w)
{
    const double push = 1 / c->mass, turn = c->half / c->across, fall = h / 2 * gravity;
    const double *restrict nx = c->n.x, *restrict ny = c->n.y, *restrict nz = c->n.z;
    for (int i = 0; i < c->count; i++) {
        const double sx = nx[i] + nx[i + 1], sy = ny[i] + ny[i + 1],
                     sz = nz[i] + nz[i + 1];
        const double dx = d->x[i], dy = d->y[i], dz = d->z[i];
        to_v->x[i] = v->x[i] + push * (nx[i + 1] - nx[i]);
        to_v->y[i] = v->y[i] + push * (ny[i + 1] - ny[i]);
        to_v->z[i] = v->z[i] + push * (nz[i + 1] - nz[i]) - fall;
        to_w->x[i] = w->x[i] + turn * (dy * sz - dz * sy);
        to_w->y[i] = w->y[i] + turn * (dz * sx - dx * sz);
        to_w->z[i] = w->z[i] + turn * (dx * sy - dy * sx);
    }
}

/* cos t, sin t/t, (1 - cos t)/t^2, (t - sin t)/t^3 for a square t^2. */
typedef struct turn {
    double cosine, sine, first, second;
} turn;

static inline turn turn_by(double s)
{
    if (s > 0.25) {
        const double t = sqrt(s), sine = sin(t) / t, cosine = cos(t);
        return (turn){cosine, sine, (1 - cosine) / s, (1 - sine) / s};
    }
    const double first =
        1.0 / 2 +
        s * (-1.0 / 24 +
             s * (1.0 / 720 +
                  s * (-1.0 / 40320 + s * (1.0 / 3628800 +
                                           s * (-1.0 / 479001600 + s / 87178291200.0)))));
    const double second =
        1.0 / 6 +
        s * (-1.0 / 120 +
             s * (1.0 / 5040 + s * (-1.0 / 362880 +
                                    s * (1.0 / 39916800 + s * (-1.0 / 6227020800.0)))));
    return (turn){1 - s * first, 1 - s * second, first, second};
}

/* Where links end. If `matrix`, also how their axes answer: K = -[d_end] T [d], where T is the tangent of exp. */
static void drift(const link_chain *c, double h, bool matrix)
{
    for (int i = 0; i < c->count; i++) {
        const double x = h * c->middle_w.x[i], y = h * c->middle_w.y[i],
                     z = h * c->middle_w.z[i];
        const double dx = c->d.x[i], dy = c->d.y[i], dz = c->d.z[i];
        const turn t = turn_by(x * x + y * y + z * z);
        const double along = t.first * (x * dx + y * dy + z * dz);
        const double ex = t.cosine * dx + t.sine * (y * dz - z * dy) + along * x;
        const double ey = t.cosine * dy + t.sine * (z * dx - x * dz) + along * y;
        const double ez = t.cosine * dz + t.sine * (x * dy - y * dx) + along * z;
        c->end_d.x[i] = ex;
        c->end_d.y[i] = ey;
        c->end_d.z[i] = ez;
        c->end_r.x[i] = c->r.x[i] + h * c->middle_v.x[i];
        c->end_r.y[i] = c->r.y[i] + h * c->middle_v.y[i];
        c->end_r.z[i] = c->r.z[i] + h * c->middle_v.z[i];
        if (!matrix)
            continue;
        /* T = sine 1 + first [t] + second t t^T; the columns of T [d], then of -[d_end] T [d] */
        const double column[3][3] = {{0, dz, -dy}, {-dz, 0, dx}, {dy, -dx, 0}};
        for (int k = 0; k < 3; k++) {
            const double a = column[k][0], b = column[k][1], e = column[k][2];
            const double part = t.second * (x * a + y * b + z * e);
            const double ta = t.sine * a + t.first * (y * e - z * b) + part * x;
            const double tb = t.sine * b + t.first * (z * a - x * e) + part * y;
            const double te = t.sine * e + t.first * (x * b - y * a) + part * z;
            c->k[i][k] = ez * tb - ey * te;
            c->k[i][3 + k] = ex * te - ez * ta;
            c->k[i][6 + k] = ey * ta - ex * tb;
        }
    }
}

/* ---- blocks in a row ------------------------------------------------------------------------------------------ */

static inline void invert(double *to, const double *a)
{
    const double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8],
                 c2 = a[3] * a[7] - a[4] * a[6];
    const double f = 1 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    const double b[] = {c0, a[2] * a[7] - a[1] * a[8], a[1] * a[5] - a[2] * a[4],
                        c1, a[0] * a[8] - a[2] * a[6], a[2] * a[3] - a[0] * a[5],
                        c2, a[1] * a[6] - a[0] * a[7], a[0] * a[4] - a[1] * a[3]};
    for (int k = 0; k < 9; k++)
        to[k] = f * b[k];
}

static inline void multiply(double *restrict to, const double *restrict a,
                            const double *restrict b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[3 * i + j] =
                a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

/* The matrix from K of all links, in units of h/m, and its elimination. */
static void factor(link_chain *c)
{
    const double ratio = c->mass * c->half * c->half / c->across;
    for (int j = 0; j < c->count; j++) {
        row *x = &c->rows[j];
        double middle[9], product[9];
        for (int k = 0; k < 9; k++) {
            const double one = k % 4 == 0 ? 1 : 0, own = ratio * c->k[j][k],
                         last = j > 0 ? ratio * c->k[j - 1][k] : 0;
            x->before[k] = last - one;
            x->after[k] = own - one;
            middle[k] = (j > 0 ? 2 : 1) * one + last + own;
        }
        if (j > 0) {
            multiply(product, x->before, c->rows[j - 1].after);
            for (int k = 0; k < 9; k++)
                middle[k] -= product[k];
        }
        invert(x->middle, middle);
        memcpy(product, x->after, sizeof product);
        multiply(x->after, x->middle, product);
    }
}

/* n -= the solution for the residuals in `correction`, which it overwrites. */
static void solve(link_chain *c, double factor_of)
{
    const vectors b = c->correction;
    const int last = c->count - 1;
    double x = 0, y = 0, z = 0;
    for (int j = 0; j < c->count; j++) {
        const double *l = c->rows[j].before, *m = c->rows[j].middle;
        const double rx = b.x[j] - (j > 0 ? l[0] * x + l[1] * y + l[2] * z : 0),
                     ry = b.y[j] - (j > 0 ? l[3] * x + l[4] * y + l[5] * z : 0),
                     rz = b.z[j] - (j > 0 ? l[6] * x + l[7] * y + l[8] * z : 0);
        b.x[j] = x = m[0] * rx + m[1] * ry + m[2] * rz;
        b.y[j] = y = m[3] * rx + m[4] * ry + m[5] * rz;
        b.z[j] = z = m[6] * rx + m[7] * ry + m[8] * rz;
    }
    for (int j = last; j >= 0; j--) {
        if (j < last) {
            const double *u = c->rows[j].after;
            const double tx = x, ty = y, tz = z;
            x = b.x[j] - u[0] * tx - u[1] * ty - u[2] * tz;
            y = b.y[j] - u[3] * tx - u[4] * ty - u[5] * tz;
            z = b.z[j] - u[6] * tx - u[7] * ty - u[8] * tz;
        }
        c->n.x[j] -= factor_of * x;
        c->n.y[j] -= factor_of * y;
        c->n.z[j] -= factor_of * z;
    }
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

/* The gaps of all joints; returns the largest. */
static double find_gaps(link_chain *c, const vectors *r, const vectors *d)
{
    double most = 0;
    for (int j = 0; j < c->count; j++) {
        const int i = j > 0 ? j - 1 : 0;
        const double there = j > 0 ? 1 : 0;
        const double x =
            there * (r->x[i] + c->half * d->x[i]) - (r->x[j] - c->half * d->x[j]);
        const double y =
            there * (r->y[i] + c->half * d->y[i]) - (r->y[j] - c->half * d->y[j]);
        const double z =
            there * (r->z[i] + c->half * d->z[i]) - (r->z[j] - c->half * d->z[j]);
        const double size = fabs(x) > fabs(y) ? fabs(x) : fabs(y),
                     deep = fabs(z) > size ? fabs(z) : size;
        c->correction.x[j] = x;
        c->correction.y[j] = y;
        c->correction.z[j] = z;
        most = deep > most ? deep : most;
    }
    return most;
}

/* A cubic through the impulses of the last four steps. */
static void guess(link_chain *c, int substep)
{
    static const double weights[PAST + 1][PAST] = {
        {0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
    const vectors *past = c->past[substep];
    const int values = 3 * (c->count + 2);
    for (int k = 0; k < values; k++) {
        double sum = 0;
        for (int p = 0; p < c->known; p++)
            sum += weights[c->known][p] * past[p].x[k];
        c->n.x[k] = sum;
    }
}

static void remember(link_chain *c, int substep)
{
    vectors *past = c->past[substep];
    const vectors oldest = past[PAST - 1];
    for (int p = PAST - 1; p > 0; p--)
        past[p] = past[p - 1];
    past[0] = oldest;
    memcpy(oldest.x, c->n.x, (size_t)(3 * (c->count + 2)) * sizeof(double));
}

/* false: the joints do not fit. */
static bool close_joints(link_chain *c, double h)
{
    enum { MOST = 30 };
    const double fits = 1e-15, new_matrix = 1e-7;
    double gap = 1;
    for (int pass = 0; pass < MOST; pass++) {
        const bool build = gap > new_matrix;
        kick(c, h, &c->v, &c->w, &c->d, &c->middle_v, &c->middle_w);
        drift(c, h, build);
        gap = find_gaps(c, &c->end_r, &c->end_d);
        if (gap <= fits)
            return true;
        if (!isfinite(gap))
            return false;
        if (build)
            factor(c);
        solve(c, c->mass / h);
    }
    return gap < 1e-14;
}

/* What joints would move apart after the second half of the kick. */
static void find_rates(link_chain *c)
{
    for (int i = 0; i < c->count; i++) {
        const double x = c->d.x[i], y = c->d.y[i], z = c->d.z[i];
        const double wx = c->w.x[i], wy = c->w.y[i], wz = c->w.z[i];
        c->end_d.x[i] = wy * z - wz * y;
        c->end_d.y[i] = wz * x - wx * z;
        c->end_d.z[i] = wx * y - wy * x;
        const double k[] = {1 - x * x, -x * y, -x * z, -x * y,   1 - y * y,
                            -y * z,    -x * z, -y * z, 1 - z * z};
        memcpy(c->k[i], k, sizeof k);
    }
    (void)find_gaps(c, &c->v, &c->end_d);
}

static void swap(vectors *a, vectors *b)
{
    const vectors kept = *a;
    *a = *b;
    *b = kept;
}

/* Velocities are made tangent at the end of a whole step: what of them is not goes into the next impulses. */
static bool substep(link_chain *c, double h, int k, bool last)
{
    guess(c, k);
    if (!close_joints(c, h))
        return false;
    remember(c, k);
    swap(&c->r, &c->end_r);
    swap(&c->d, &c->end_d);
    swap(&c->v, &c->middle_v);
    swap(&c->w, &c->middle_w);
    memset(c->n.x, 0, (size_t)(3 * (c->count + 2)) * sizeof(double));
    kick(c, h, &c->v, &c->w, &c->d, &c->v, &c->w);
    if (!last)
        return true;
    find_rates(c);
    factor(c);
    solve(c, c->mass);
    kick(c, 0, &c->v, &c->w, &c->d, &c->v, &c->w);
    return true;
}

static bool run(const double *weights, int substeps, double steps, double until,
                int count, double *q)
{
    link_chain c;
    bool ok = create(&c, count);
    for (long k = 0; ok && k < (long)steps; k++) {
        for (int j = 0; ok && j < substeps; j++)
            ok = substep(&c, weights[j] * until / steps, j, j == substeps - 1);
        c.known += c.known < PAST ? 1 : 0;
    }
    for (int i = 0; ok && i < count; i++) {
        q[3 * i] = c.r.x[i];
        q[3 * i + 1] = c.r.y[i];
        q[3 * i + 2] = c.r.z[i];
    }
    release(&c);
    return ok;
}

bool bound_links(double steps, double until, int links, double *q)
{
    static const double one = 1;
    return run(&one, 1, steps, until, links, q);
}

/* Composed to order 4 (Suzuki 1990). */
bool bound_links_composed(double steps, double until, int links, double *q)
{
    const double outer = 1 / (4 - cbrt(4));
    const double weights[SUBSTEPS] = {outer, outer, 1 - 4 * outer, outer, outer};
    return run(weights, SUBSTEPS, steps, until, links, q);
}
