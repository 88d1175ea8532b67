/* A free rigid body integrated with the operators of a group, as a scheme uses them (theory 10.7): residuals from D and
 * B, Newton matrices from their derivatives, momenta in space. End states are those of an independent implementation; the
 * exact motion is known to 15 digits. */
#include <string.h>

#include "check.h"
#include "group/group.h"

enum { STAGES = 3, MOST = 3 * STAGES };

typedef struct tableau {
    int s;
    double a[STAGES][STAGES], b[STAGES];
} tableau;

static const tableau gauss1 = {1, {{0.5}}, {1}};
static const tableau lobatto2 = {2, {{0}, {0.5, 0.5}}, {0.5, 0.5}};
static const tableau lobatto3 = {
    3,
    {{0}, {5 / 24.0, 1 / 3.0, -1 / 24.0}, {1 / 6.0, 2 / 3.0, 1 / 6.0}},
    {1 / 6.0, 2 / 3.0, 1 / 6.0}};

static const double inertia[3] = {1, 2, 3};

typedef struct problem {
    const tableau *t;
    lv_chart chart;
    double h;
    double mu[3]; /* body momentum at the start of the step */
    double V[STAGES][3];
    double X[STAGES][3], xi[3], P[STAGES][3];
} problem;

static double abar(const tableau *t, int i, int j)
{
    return t->b[j] * t->a[j][i] / t->b[i];
}

/* D(X_i)^T P_i + h sum_j abar_ij B(X_j, V_j, P_j) - D(-xi)^T mu */
static void residual(problem *p, double r[MOST])
{
    const tableau *t = p->t;
    double B[STAGES][3], end[3];
    memset(p->xi, 0, sizeof p->xi);
    memset(p->X, 0, sizeof p->X);
    for (int j = 0; j < t->s; j++)
        for (int k = 0; k < 3; k++) {
            p->xi[k] += p->h * t->b[j] * p->V[j][k];
            for (int i = 0; i < t->s; i++)
                p->X[i][k] += p->h * t->a[i][j] * p->V[j][k];
        }
    for (int i = 0; i < t->s; i++) {
        lv_so3.D(p->chart, p->P[i], p->X[i], p->V[i]);
        for (int k = 0; k < 3; k++)
            p->P[i][k] *= inertia[k];
        lv_so3.DT(p->chart, r + 3 * i, p->X[i], p->P[i]);
        lv_so3.B(p->chart, B[i], p->X[i], p->V[i], p->P[i]);
    }
    lv_lie_group_DTm(&lv_so3, p->chart, end, p->xi, p->mu);
    for (int i = 0; i < t->s; i++)
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < t->s; j++)
                r[3 * i + k] += p->h * abar(t, i, j) * B[j][k];
            r[3 * i + k] -= end[k];
        }
}

/* m += f op(a) b, op the transpose if asked for */
static void add_product(double m[9], double f, const double a[9], bool transposed,
                        const double b[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                m[3 * i + j] += f * a[transposed ? 3 * k + i : 3 * i + k] * b[3 * k + j];
}

/* Derivatives of P_i, D(X_i)^T P_i and B(X_i, V_i, P_i) by V_l */
static void stage_slopes(const problem *p, int i, int l, double T[9], double B[9])
{
    const double c = p->h * p->t->a[i][l], *X = p->X[i];
    const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double D[9], D_slope[9], DT_slope[9], hessian[9], dP[9];
    lv_so3.D_matrix(p->chart, D, X);
    lv_so3.D_slope(p->chart, D_slope, X, p->V[i]);
    lv_so3.DT_slope(p->chart, DT_slope, X, p->P[i]);
    lv_so3.hessian(p->chart, hessian, X, p->V[i], p->P[i]);
    for (int k = 0; k < 9; k++) {
        dP[k] = inertia[k / 3] * ((i == l) * D[k] + c * D_slope[k]);
        T[k] = c * DT_slope[k];
        B[k] = c * hessian[k];
    }
    add_product(T, 1, D, true, dP);
    add_product(B, 1, D_slope, true, dP);
    add_product(B, i == l, DT_slope, true, unit);
}

static void newton_matrix(const problem *p, double m[MOST][MOST])
{
    const tableau *t = p->t;
    double end[9];
    lv_lie_group_DTm_slope(&lv_so3, p->chart, end, p->xi, p->mu);
    for (int i = 0; i < t->s; i++)
        for (int l = 0; l < t->s; l++) {
            double block[9], T[9], B[9];
            for (int k = 0; k < 9; k++)
                block[k] = -p->h * t->b[l] * end[k];
            for (int j = 0; j < t->s; j++) {
                stage_slopes(p, j, l, T, B);
                for (int k = 0; k < 9; k++)
                    block[k] += (i == j) * T[k] + p->h * abar(t, i, j) * B[k];
            }
            for (int k = 0; k < 9; k++)
                m[3 * i + k / 3][3 * l + k % 3] = block[k];
        }
}

/* Elimination without pivots: the matrices are close to definite ones. */
static void solve(double m[MOST][MOST], double r[MOST], int n)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const double f = m[i][k] / m[k][k];
            for (int j = k; j < n; j++)
                m[i][j] -= f * m[k][j];
            r[i] -= f * r[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            r[i] -= m[i][j] * r[j];
        r[i] /= m[i][i];
    }
}

/* The number of Newton passes until corrections are rounding */
static int step(problem *p, double q[4], const double pi[3])
{
    const int n = 3 * p->t->s;
    double r[MOST], m[MOST][MOST], moved[4], size = 1;
    int passes = 0;
    lv_so3.body(p->mu, q, pi);
    for (int k = 0; k < n; k++)
        p->V[k / 3][k % 3] = p->mu[k % 3] / inertia[k % 3];
    for (; size > 1e-14 && passes < 12; passes++) {
        residual(p, r);
        newton_matrix(p, m);
        solve(m, r, n);
        size = 0;
        for (int k = 0; k < n; k++) {
            p->V[k / 3][k % 3] -= r[k];
            size = fmax(size, fabs(r[k]));
        }
    }
    residual(p, r); /* the increment that belongs to the last velocities */
    lv_lie_group_move(&lv_so3, p->chart, moved, q, p->xi);
    memcpy(q, moved, sizeof moved);
    return passes;
}

/* J = diag(1, 2, 3), omega = (0.4, 1.1, 0.3), R = 1 at the start; t = 4 after `steps` steps */
static int integrate(const tableau *t, lv_chart chart, int steps, double r[9],
                     double omega[3])
{
    const double pi[3] = {0.4, 2.2, 0.9};
    problem p = {.t = t, .chart = chart, .h = 4.0 / steps};
    double q[4] = {1};
    int most = 0;
    for (int k = 0; k < steps; k++) {
        const int passes = step(&p, q, pi);
        most = passes > most ? passes : most;
    }
    lv_so3.rotation(r, q);
    lv_so3.body(omega, q, pi);
    for (int k = 0; k < 3; k++)
        omega[k] /= inertia[k];
    return most;
}

typedef struct end_state {
    const char *name;
    const tableau *t;
    lv_chart chart;
    double r[9], omega[3];
} end_state;

static const end_state ends[] = {
    {"gauss 1, cay",
     &gauss1,
     LV_CHART_CAY,
     {-0.132877833725, 0.716430519869, -0.684887429805, -0.632146170259, 0.470959563109,
      0.615295302553, 0.763370618201, 0.514708072714, 0.390308722874},
     {-0.756839151679, 0.892960256115, 0.476990848093}},
    {"gauss 1, exp",
     &gauss1,
     LV_CHART_EXP,
     {-0.131768388780, 0.717198403345, -0.684297845939, -0.632553991812, 0.470666492910,
      0.615100398223, 0.763225090757, 0.513906122449, 0.391647747534},
     {-0.757423555818, 0.892430577972, 0.477328236832}},
    {"lobatto 2, cay",
     &lobatto2,
     LV_CHART_CAY,
     {-0.129352662277, 0.718616045361, -0.683270713635, -0.633286999171, 0.470359335028,
      0.614580891855, 0.763030448569, 0.512204134405, 0.394247966710},
     {-0.758245059374, 0.891610338085, 0.477864282222}},
    {"lobatto 2, exp",
     &lobatto2,
     LV_CHART_EXP,
     {-0.131580780571, 0.717068845450, -0.684469699161, -0.632467398209, 0.470954726191,
      0.614968809031, 0.763329213634, 0.513822845700, 0.391554076532},
     {-0.757064296016, 0.892684248465, 0.477180723028}},
    {"lobatto 3, cay",
     &lobatto3,
     LV_CHART_CAY,
     {-0.131518779938, 0.717027358405, -0.684525074648, -0.632439073059, 0.471048555837,
      0.614926074347, 0.763363366551, 0.513794730746, 0.391524386553},
     {-0.756946442809, 0.892766511937, 0.477133093868}},
    {"lobatto 3, exp",
     &lobatto3,
     LV_CHART_EXP,
     {-0.131519053357, 0.717027219052, -0.684525168086, -0.632439004795, 0.471048561650,
      0.614926140103, 0.763363376000, 0.513794919892, 0.391524119914},
     {-0.756946393491, 0.892766575576, 0.477133049638}},
};

enum { ENDS = sizeof ends / sizeof *ends };

static double difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void end_states_agree_to_twelve_digits(void **state)
{
    (void)state;
    for (int k = 0; k < ENDS; k++) {
        double r[9], omega[3];
        const int passes = integrate(ends[k].t, ends[k].chart, 80, r, omega);
        const double error =
            fmax(difference(r, ends[k].r, 9), difference(omega, ends[k].omega, 3));
        print_message("%s: difference %.2g, at most %d passes\n", ends[k].name, error,
                      passes);
        assert_at_most(error, 2e-12);
        assert_true(passes <= 4); /* quadratic: a wrong entry of the matrix needs more */
    }
}

static void orders_are_two_and_four(void **state)
{
    (void)state;
    const double exact[9] = {-0.131519046148760, 0.717027213151894, -0.684525175650793,
                             -0.632439001659255, 0.471048573418222, 0.614926134312815,
                             0.763363379839749,  0.513794917335979, 0.391524115782603};
    for (int k = 0; k < ENDS; k++) {
        double r[9], omega[3];
        integrate(ends[k].t, ends[k].chart, 20, r, omega);
        const double coarse = difference(r, exact, 9);
        integrate(ends[k].t, ends[k].chart, 40, r, omega);
        const double order = log2(coarse / difference(r, exact, 9));
        assert_at_most(fabs(order - (ends[k].t == &lobatto3 ? 4 : 2)), 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(end_states_agree_to_twelve_digits),
        RUN(orders_are_two_and_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
