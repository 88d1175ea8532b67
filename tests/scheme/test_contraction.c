/* Eigenvalues of a ah, the matrix that fixed-point and simplified Newton iterations for constant masses meet:
 * numbers of the specifications "Galerkin in time", 4.1, and "partitioned Runge-Kutta", 3. */
#include "check.h"
#include "printed.h"
#include "scheme/tableau.h"

#include <string.h>

enum { MOST = 6 };

typedef struct row {
    const char *name;
    lv_ansatz ansatz;
    const char *radius;
    int count; /* eigenvalues that are given; the others vanish. 0: not given */
    struct {
        double re, im; /* im > 0: and its conjugate */
    } eigenvalue[3];
} row;

#define LR(m)                                                                            \
    {                                                                                    \
        LV_RULE_GAUSS, (m) + 1, LV_CLOSURE_LR, m                                         \
    }
#define LOBATTO(s)                                                                       \
    {                                                                                    \
        LV_RULE_LOBATTO, s, LV_CLOSURE_C, (s)-1                                          \
    }
#define GAUSS(s)                                                                         \
    {                                                                                    \
        LV_RULE_GAUSS, s, LV_CLOSURE_C, s                                                \
    }
#define EXACT(k)                                                                         \
    {                                                                                    \
        LV_RULE_GAUSS, (k) + 1, LV_CLOSURE_C, k                                          \
    }

/* Fractions as printed: 1/18 = .05556, 1/24 = .04167. Printed to five or seven decimals. */
static const row rows[] = {
    {"LR1", LR(1), ".05556", 1, {{1.0 / 18, 0}}},
    {"LR2", LR(2), ".02887", 1, {{0.02, 0.0208167}}},
    {"LR3", LR(3), ".01938", 2, {{0.0193796, 0}, {0.0056163, 0.0161548}}},
    {"LR4", LR(4), ".01323", 2, {{0.0116897, 0.0062036}, {0.0006560, 0.0111557}}},
    {"C L3", LOBATTO(3), ".04167", 1, {{1.0 / 24, 0}}},
    {"C L4", LOBATTO(4), ".02357", 1, {{1.0 / 60, 1.0 / 60}}},
    {"C L5", LOBATTO(5), ".01659", 2, {{0.0165932, 0}, {0.0050963, 0.0136951}}},
    {"C G1", GAUSS(1), ".25000", 1, {{0.25, 0}}},
    {"C G2", GAUSS(2), ".08333", 1, {{1.0 / 24, 1.7320508075688772 / 24}}},
    {"C G3", GAUSS(3), ".04636", 2, {{0.0463603, 0}, {0.0018198, 0.0386603}}},
    {"C G4", GAUSS(4), ".02735", 0, {{0}}},
    {"C1 G2", EXACT(1), ".16667", 0, {{0}}},
    {"C2 G3", EXACT(2), ".06455", 0, {{0}}},
    {"C3 G4", EXACT(3), ".03863", 0, {{0}}},
    /* partitioned Runge-Kutta, two digits */
    {"Lobatto 3", LOBATTO(3), "0.042", 0, {{0}}},
    {"Lobatto 4", LOBATTO(4), "0.024", 0, {{0}}},
    {"Lobatto 5", LOBATTO(5), "0.017", 0, {{0}}},
    {"Gauss 2", GAUSS(2), "0.083", 0, {{0}}},
    {"Gauss 3", GAUSS(3), "0.046", 0, {{0}}},
    {"Gauss 4", GAUSS(4), "0.027", 0, {{0}}},
};

static void multiply(double *c, const double *a, const double *b, int n)
{
    double result[MOST * MOST] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                result[i * n + j] += a[i * n + k] * b[k * n + j];
    memcpy(c, result, (size_t)(n * n) * sizeof *c);
}

/* |A^N|^(1/N) for N = 2^24; the powers are scaled to 1 as they come. */
static double spectral_radius(const double *a, int n)
{
    double power[MOST * MOST], logarithm = 0, exponent = 1;
    memcpy(power, a, (size_t)(n * n) * sizeof *a);
    for (int k = 0; k < 24; k++) {
        double size = 0;
        for (int i = 0; i < n * n; i++)
            size = fmax(size, fabs(power[i]));
        for (int i = 0; i < n * n; i++)
            power[i] /= size;
        logarithm += log(size) / exponent;
        exponent *= 2;
        multiply(power, power, power, n);
    }
    return exp(logarithm);
}

/* The traces of A, A^2, .. are the sums of powers of the eigenvalues, and determine them. Returns the largest
 * difference, relative to what an error of 1 in all eigenvalues would make. */
static double eigenvalue_error(const row *r, const double *a, int n)
{
    double power[MOST * MOST], worst = 0;
    memcpy(power, a, (size_t)(n * n) * sizeof *a);
    for (int k = 1; k <= n; k++) {
        double trace = 0, effect = 0, sum = 0;
        for (int i = 0; i < n; i++)
            trace += power[i * n + i];
        for (int i = 0; i < r->count; i++) {
            double re = r->eigenvalue[i].re, im = r->eigenvalue[i].im;
            double size = hypot(re, im), twice = im > 0 ? 2 : 1;
            sum += twice * pow(size, k) * cos(k * atan2(im, re));
            effect += twice * k * pow(size, k - 1);
        }
        worst = fmax(worst, fabs(trace - sum) / effect);
        multiply(power, power, a, n);
    }
    return worst;
}

static void eigenvalues_are_as_printed(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const row *r = &rows[k];
        lv_tableau *t = NULL;
        lv_error err;
        assert_int_equal(lv_tableau_ansatz(&t, &r->ansatz, &err), LV_OK);
        assert_in_range(t->stages, 1, MOST);
        double radius = spectral_radius(t->aah, t->stages);
        double error = r->count > 0 ? eigenvalue_error(r, t->aah, t->stages) : 0;
        bool good = as_printed(r->radius, radius) && error <= 5.1e-8;
        print_message("    %-9s radius %.7f, eigenvalues %.1e%s\n", r->name, radius,
                      error, good ? "" : " !");
        wrong += !good;
        lv_tableau_free(t);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(eigenvalues_are_as_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
