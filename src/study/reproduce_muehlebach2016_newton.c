/* The step of Section 6.3 once more, by Newton's method for all its unknowns at once, as the paper has it;
 * livens eliminates most of them and iterates otherwise. For the pendulum, degree 2, three Gauss points,
 * with the tableau a, ah, b of the scheme, g = |q|^2 - l^2, W = 2 q:
 *
 *   q_i = q + h c_i P + h^2 sum_j (a ah)_ij F_j,     F_j = (0, -g) + 2 q_j lambda(c_j)
 *   q1  = q + h P + h^2 sum_j (b ah)_j F_j,          P = p + 2 q nu,  lambda = Lam_0 + Lam_1 L_1
 *   |q1|^2 = l^2,   sum_i b_i L_a(c_i) (|q_i|^2 - l^2) = 0,  a = 0, 1 */
#include "num/dense.h"
#include "study/reproduce_muehlebach2016.h"

#include <math.h>
#include <string.h>

enum { STAGES = 3, NU = 2 * STAGES, LAM = NU + 1, SIZE = LAM + 2 };

static const double gravity = 9.81, square = 4;

typedef struct bob {
    const lv_tableau *t;
    double h, q[2], p[2];
    double x[SIZE]; /* stages, nu, Lam */
    double end[2];  /* q1, of the unknowns */
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

/* q + h c P + h^2 sum_j weights_j F_j in coordinate k, and its derivatives by all unknowns. */
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
    const lv_tableau *t = b->t;
    double by[SIZE], *row = jacobian + (size_t)NU * SIZE;
    memset(row, 0, (size_t)(3 * SIZE) * sizeof *row);
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < 2; k++) {
            int e = 2 * i + k;
            r[e] = b->x[e] - place(b, k, t->c[i], t->aah + (size_t)(STAGES * i), by);
            for (int u = 0; u < SIZE; u++)
                jacobian[e * SIZE + u] = (u == e) - by[u];
        }
    r[NU] = -square;
    for (int k = 0; k < 2; k++) {
        b->end[k] = place(b, k, 1, t->bah, by);
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

/* Solves the step from the guess of a free motion; the number of iterations, -1 without success. */
static int solve(bob *b)
{
    enum { PATIENCE = 50 };
    double r[SIZE], jacobian[SIZE * SIZE];
    int pivot[SIZE];
    memset(b->x, 0, sizeof b->x);
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < 2; k++)
            b->x[2 * i + k] = b->q[k] + b->h * b->t->c[i] * b->p[k];
    for (int n = 1; n <= PATIENCE; n++) {
        double size = 0;
        evaluate(b, r, jacobian);
        if (!lv_lu_factor(jacobian, SIZE, pivot))
            return -1;
        lv_lu_solve(jacobian, SIZE, pivot, r);
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

/* The state after the step, its momentum tangent to the circle. */
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

lv_status lv_swing_newton(int *most, double *q, lv_error *err)
{
    const lv_ansatz ansatz = {LV_RULE_GAUSS, STAGES, LV_CLOSURE_LR, 2};
    lv_tableau *t = NULL;
    lv_status status = LV_OK;
    *most = 0;
    LV_TRY(lv_tableau_ansatz(&t, &ansatz, err));
    bob b = {.t = t, .h = 0.3, .q = {sqrt(3), 1}};
    for (int n = 0; n < LV_SWING_STEPS && status == LV_OK; n++) {
        int iterations = solve(&b);
        *most = iterations > *most ? iterations : *most;
        if (iterations < 0)
            status = lv_fail(err, LV_ERR_NUMERIC, "Newton's method did not converge");
        else
            finish(&b);
    }
    q[0] = b.q[0];
    q[1] = b.q[1];
    lv_tableau_free(t);
    return status;
}
