/* The step of Section 6.3 by Newton's method for all its unknowns at once, as in the
 * paper; livens eliminates most of them and iterates differently. For the pendulum,
 * degree 2, three Gauss points, with the tableau a, ah, b of the scheme, g = |q|^2 - l^2,
 * W = 2 q:
 *
 *   q_i = q + h c_i P + h^2 sum_j (a ah)_ij F_j,     F_j = (0, -g) + 2 q_j lambda(c_j)
 *   q1  = q + h P + h^2 sum_j (b ah)_j F_j,          P = p + 2 q nu,  lambda = Lam_0 + Lam_1 L_1
 *   |q1|^2 = l^2,   sum_i b_i L_a(c_i) (|q_i|^2 - l^2) = 0,  a = 0, 1 */
#include "cli/reproduce/muehlebach2016.h"

#include <math.h>
#include <string.h>

enum { STAGES = 3, NU = 2 * STAGES, LAM = NU + 1, SIZE = LAM + 2 };

static const double gravity = 9.81, square = 4;

typedef struct bob {
    const lv_coefficients *t;
    double aah[STAGES * STAGES], bah[STAGES]; /* a ah, b ah */
    double h, q[2], p[2];
    double x[SIZE]; /* stages, nu, Lam */
    double end[2];  /* q1, computed from the unknowns */
} bob;

static double legendre(const bob *b, int a, int j)
{
    return a == 0 ? 1 : 2 * b->t->c[j] - 1;
}

static double multiplier(const bob *b, int j)
{
    return b->x[LAM] + b->x[LAM + 1] * legendre(b, 1, j);
}

static double force(const bob *b, int j, int k)
{
    return 2 * b->x[2 * j + k] * multiplier(b, j) - (k == 1 ? gravity : 0);
}

/* q + h c P + h^2 sum_j weights_j F_j in coordinate k, and its derivatives with respect
 * to all unknowns. */
static double place(const bob *b, int k, double c, const double *weights, double *by)
{
    double h = b->h, value = b->q[k] + h * c * (b->p[k] + 2 * b->q[k] * b->x[NU]);
    memset(by, 0, SIZE * sizeof *by);
    by[NU] = 2 * h * c * b->q[k];
    for (int j = 0; j < STAGES; j++) {
        double weight = h * h * weights[j];
        value += weight * force(b, j, k);
        by[2 * j + k] = 2 * weight * multiplier(b, j);
        for (int a = 0; a < 2; a++)
            by[LAM + a] += 2 * weight * b->x[2 * j + k] * legendre(b, a, j);
    }
    return value;
}

/* Residuals r and their derivatives. */
static void evaluate(bob *b, double *r, double *jacobian)
{
    const lv_coefficients *t = b->t;
    double by[SIZE], *row = jacobian + (size_t)NU * SIZE;
    memset(row, 0, (size_t)(3 * SIZE) * sizeof *row);
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < 2; k++) {
            int e = 2 * i + k;
            r[e] = b->x[e] - place(b, k, t->c[i], b->aah + (size_t)(STAGES * i), by);
            for (int u = 0; u < SIZE; u++)
                jacobian[e * SIZE + u] = (u == e) - by[u];
        }
    r[NU] = -square;
    for (int k = 0; k < 2; k++) {
        b->end[k] = place(b, k, 1, b->bah, by);
        r[NU] += b->end[k] * b->end[k];
        for (int u = 0; u < SIZE; u++)
            row[u] += 2 * b->end[k] * by[u];
    }
    for (int a = 0; a < 2; a++) {
        r[LAM + a] = 0;
        for (int i = 0; i < STAGES; i++) {
            double weight = t->b[i] * legendre(b, a, i), *q = b->x + (size_t)(2 * i);
            r[LAM + a] += weight * (q[0] * q[0] + q[1] * q[1] - square);
            for (int k = 0; k < 2; k++)
                row[(1 + a) * SIZE + 2 * i + k] = 2 * weight * q[k];
        }
    }
}

static void multiply(bob *b)
{
    const lv_coefficients *t = b->t;
    for (int j = 0; j < STAGES; j++)
        for (int k = 0; k < STAGES; k++) {
            b->bah[j] += t->b[k] * t->ah[STAGES * k + j];
            for (int i = 0; i < STAGES; i++)
                b->aah[STAGES * i + j] += t->a[STAGES * i + k] * t->ah[STAGES * k + j];
        }
}

static int largest_in_column(const double *a, int column)
{
    int best = column;
    for (int i = column + 1; i < SIZE; i++)
        if (fabs(a[i * SIZE + column]) > fabs(a[best * SIZE + column]))
            best = i;
    return best;
}

static void exchange(double *x, double *y)
{
    const double value = *x;
    *x = *y;
    *y = value;
}

/* Replaces r by a^-1 r, by elimination with column pivoting; false: a is singular. */
static bool solve_linear(double *a, double *r)
{
    for (int k = 0; k < SIZE; k++) {
        const int best = largest_in_column(a, k);
        for (int j = 0; j < SIZE; j++)
            exchange(&a[k * SIZE + j], &a[best * SIZE + j]);
        exchange(&r[k], &r[best]);
        if (!(fabs(a[k * SIZE + k]) > 0))
            return false;
        for (int i = k + 1; i < SIZE; i++) {
            const double factor = a[i * SIZE + k] / a[k * SIZE + k];
            for (int j = k + 1; j < SIZE; j++)
                a[i * SIZE + j] -= factor * a[k * SIZE + j];
            r[i] -= factor * r[k];
        }
    }
    for (int k = SIZE - 1; k >= 0; k--) {
        for (int j = k + 1; j < SIZE; j++)
            r[k] -= a[k * SIZE + j] * r[j];
        r[k] /= a[k * SIZE + k];
    }
    return true;
}

/* Solves the step from the initial guess of a free motion; returns the number of
 * iterations, -1: it failed. */
static int solve(bob *b)
{
    enum { PATIENCE = 50 };
    double r[SIZE], jacobian[SIZE * SIZE];
    memset(b->x, 0, sizeof b->x);
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < 2; k++)
            b->x[2 * i + k] = b->q[k] + b->h * b->t->c[i] * b->p[k];
    for (int n = 1; n <= PATIENCE; n++) {
        double size = 0;
        evaluate(b, r, jacobian);
        if (!solve_linear(jacobian, r))
            return -1;
        for (int u = 0; u < SIZE; u++) {
            double scale = u < NU ? 1 : u == NU ? b->h : b->h * b->h;
            b->x[u] -= r[u];
            size = fmax(size, scale * fabs(r[u]));
        }
        if (size <= 1e-13 * sqrt(square))
            return n;
    }
    return -1;
}

/* Computes the state after the step, with the momentum tangent to the circle. */
static void finish(bob *b)
{
    double r[SIZE], jacobian[SIZE * SIZE], along = 0;
    evaluate(b, r, jacobian);
    for (int k = 0; k < 2; k++) {
        b->p[k] += 2 * b->q[k] * b->x[NU];
        for (int j = 0; j < STAGES; j++)
            b->p[k] += b->h * b->t->b[j] * force(b, j, k);
        along += b->p[k] * b->end[k] / square;
    }
    for (int k = 0; k < 2; k++) {
        b->q[k] = b->end[k];
        b->p[k] -= along * b->q[k];
    }
}

lv_status cli_swing_newton(int *most, double *q, lv_error *err)
{
    lv_scheme_options options = {0};
    lv_coefficients *t = NULL;
    lv_status status = LV_OK;
    *most = 0;
    lv_scheme_option_set(&options, LV_OPTION_DEGREE, 2);
    lv_scheme_option_set(&options, LV_OPTION_POINTS, STAGES);
    CLI_TRY(lv_scheme_coefficients(&t, "ansatz", &options, err));
    bob b = {.t = t, .h = 0.3, .q = {sqrt(3), 1}};
    multiply(&b);
    for (int n = 0; n < CLI_SWING_STEPS && status == LV_OK; n++) {
        int iterations = solve(&b);
        *most = iterations > *most ? iterations : *most;
        if (iterations < 0)
            status = cli_fail(err, LV_ERR_NUMERIC, "Newton's method did not converge");
        else
            finish(&b);
    }
    q[0] = b.q[0];
    q[1] = b.q[1];
    lv_coefficients_free(t);
    return status;
}
