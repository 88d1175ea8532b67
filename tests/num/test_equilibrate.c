/* Matrices in other units: what is decided of them, and solutions, stay. */
#include "linear_cases.h"
#include "num/equilibrate.h"
#include "saddle.h"
#include "ways.h"

enum { POINTS = 9, TWINNED = 4, N = 4 * POINTS + 1, MOST_ENTRIES = 2000 };

/* A chain with a multiplier for each link, and one more for a link that is there twice or, instead, one of its own. */
static saddle make_chain(bool twins)
{
    saddle_list list = saddle_begin(POINTS, POINTS + 1);
    for (int i = 0; i <= POINTS; i++) {
        const int link = i < POINTS ? i : TWINNED;
        const double turn = i < POINTS || twins ? 0 : 0.8;
        const double d[3] = {cos(0.3 * link + turn), sin(0.7 * link), 0.7};
        saddle_link(&list, link, link - 1, d, 3 * POINTS + i);
    }
    return saddle_compress(&list, N, 3 * POINTS);
}

/* Units of equations and of unknowns, up to 10^(+-decades). */
typedef struct units {
    double row[N], column[N];
} units;

static units random_units(uint64_t *seed, double decades, bool symmetric)
{
    units u;
    for (int i = 0; i < N; i++) {
        u.row[i] = pow(10, lv_random_between(seed, -decades, decades));
        u.column[i] =
            symmetric ? u.row[i] : pow(10, lv_random_between(seed, -decades, decades));
    }
    return u;
}

static void convert(const saddle *s, const units *u, double *value)
{
    assert_true(s->start[N] <= MOST_ENTRIES);
    for (int i = 0; i < N; i++)
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            value[e] = u->row[i] * s->value[e] * u->column[s->column[e]];
}

/* The largest and the smallest entry of every row and column that results, in powers of two. */
static void equilibrate(const saddle *s, const double *value, bool symmetric,
                        double *scaled)
{
    static int slot[MOST_ENTRIES];
    static short exponent[MOST_ENTRIES];
    double sum[N], row[N], column[N];
    int count[N];
    lv_equilibration room = {sum, count, exponent};
    for (int e = 0; e < s->start[N]; e++)
        slot[e] = e;
    assert_true(lv_equilibrate(&s->pattern, value, slot, symmetric, &room, row, column));
    for (int i = 0; i < N; i++)
        for (int e = s->start[i]; e < s->start[i + 1]; e++) {
            const int j = s->column[e];
            int power;
            assert_true(frexp(row[i], &power) == 0.5 && frexp(column[j], &power) == 0.5);
            assert_true(!symmetric || row[i] == column[i]);
            scaled[e] = row[i] * value[e] * column[j];
        }
}

/* Powers of two leave a factor of 2 for each of rows and columns, twice; the iteration as much. */
static void units_do_not_matter(void **state)
{
    (void)state;
    uint64_t seed = 5;
    saddle s = make_chain(false);
    double plain[MOST_ENTRIES], value[MOST_ENTRIES], other[MOST_ENTRIES];
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        equilibrate(&s, s.value, symmetric, plain);
        for (int round = 0; round < 20; round++) {
            const units u = random_units(&seed, 2 * round, symmetric);
            convert(&s, &u, value);
            equilibrate(&s, value, symmetric, other);
            for (int e = 0; e < s.start[N]; e++)
                if (plain[e] != 0)
                    assert_below(fabs(log2(other[e] / plain[e])), 6);
        }
    }
    saddle_free(&s);
}

/* [e 1; 1 0] in two dimensions: masses far below the gradients of the constraint. */
static void masses_and_gradients_are_brought_together(void **state)
{
    (void)state;
    int start[] = {0, 2, 4, 6}, column[] = {0, 2, 1, 2, 0, 1},
        slot[] = {0, 1, 2, 3, 4, 5};
    const lv_pattern pattern = {3, 3, start, column};
    for (int k = -30; k <= 30; k += 5) {
        const double mass = pow(10, k), value[] = {mass, 0.6, mass, 0.8, 0.6, 0.8};
        double sum[3], r[3], c[3];
        int count[3];
        short exponent[6];
        lv_equilibration room = {sum, count, exponent};
        assert_true(lv_equilibrate(&pattern, value, slot, true, &room, r, c));
        for (int i = 0; i < 3; i++)
            for (int e = start[i]; e < start[i + 1]; e++) {
                const double size = r[i] * value[e] * c[column[e]];
                assert_true(size > 0.1 && size < 10);
            }
    }
}

/* Zeros that rounding has spoilt. */
static void noise_is_left_out(void **state)
{
    (void)state;
    int start[] = {0, 2, 4, 6, 9}, column[] = {0, 3, 1, 3, 2, 3, 0, 1, 2};
    int slot[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const lv_pattern pattern = {4, 4, start, column};
    for (int k = -300; k <= -14; k += 13) {
        const double noise = pow(10, k);
        const double value[] = {1, noise, 1, 1, 1, 0.5, noise, 1, 0.5};
        double sum[4], r[4], c[4];
        int count[4];
        short exponent[9];
        lv_equilibration room = {sum, count, exponent};
        assert_true(lv_equilibrate(&pattern, value, slot, true, &room, r, c));
        for (int i = 0; i < 4; i++)
            if (!(r[i] >= 0.25 && r[i] <= 4 && c[i] == r[i]))
                fail_msg("1e%d: factor %d is %g", k, i, r[i]);
    }
}

static void what_is_not_finite_is_refused(void **state)
{
    (void)state;
    int start[] = {0, 1}, column[] = {0}, slot[] = {0};
    const lv_pattern pattern = {1, 1, start, column};
    const double values[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        double sum, r, c;
        int count;
        short exponent;
        lv_equilibration room = {&sum, &count, &exponent};
        assert_false(lv_equilibrate(&pattern, &values[k], slot, false, &room, &r, &c));
    }
}

/* ---- linear systems --------------------------------------------------------------------------------- */

/* Solves for x = (1, -2, 3, ...) times the units of the unknowns; the largest relative error. */
static double solve_in(const saddle *s, way how, const units *u, bool tolerant,
                       int redundant)
{
    double value[MOST_ENTRIES], x[N], worst = 0;
    lv_linear *linear;
    lv_error err;
    convert(s, u, value);
    if ((how.symmetric ? lv_linear_create_symmetric : lv_linear_create)(
            &linear, &s->pattern, how.back_end, NULL, &err) != LV_OK)
        fail_msg("%s", err.text);
    if (tolerant)
        assert_int_equal(lv_linear_allow_redundancy(linear, &err), LV_OK);
    for (int i = 0; i < N; i++) {
        x[i] = 0;
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            x[i] += value[e] * (1 + s->column[e] % 7) / u->column[s->column[e]];
    }
    put_values(linear, &s->pattern, value);
    if (!lv_linear_factor(linear))
        fail_msg("singular: pivot %.1e", lv_linear_worst_pivot(linear, NULL));
    assert_int_equal(lv_linear_redundant(linear), redundant);
    for (int e = 0; e < s->start[N]; e++) /* what is stored remains */
        assert_true(lv_linear_storage(linear)[lv_linear_slots(linear)[e]] == value[e]);
    lv_linear_solve(linear, x);
    for (int i = 0; i < N; i++)
        if (redundant == 0 || (i != 3 * POINTS + TWINNED && i != N - 1))
            worst = fmax(worst, fabs(x[i] * u->column[i] / (1 + i % 7) - 1));
    lv_linear_free(linear);
    return worst;
}

static void systems_are_solved_in_all_units(void **state)
{
    (void)state;
    uint64_t seed = 6;
    saddle s = make_chain(false);
    for (int w = 0; w < WAYS; w++)
        for (int round = 0; round < 40; round++) {
            const units u = random_units(&seed, 0.8 * round, ways[w].symmetric);
            const double error = solve_in(&s, ways[w], &u, round % 2, 0);
            if (!(error < 1e-4)) /* what pivots that are just large enough cost */
                fail_msg("way %d, %g decades: %.1e", w, 0.8 * round, error);
        }
    saddle_free(&s);
}

static void dependent_equations_depend_in_all_units(void **state)
{
    (void)state;
    uint64_t seed = 7;
    saddle s = make_chain(true);
    for (int w = 0; w < WAYS; w++)
        for (int round = 0; round < 40; round++) {
            const units u = random_units(&seed, 0.8 * round, ways[w].symmetric);
            const double error = solve_in(&s, ways[w], &u, true, 1);
            if (!(error < 1e-9))
                fail_msg("way %d, %g decades: %.1e", w, 0.8 * round, error);
        }
    saddle_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(units_do_not_matter),
        RUN(masses_and_gradients_are_brought_together),
        RUN(noise_is_left_out),
        RUN(what_is_not_finite_is_refused),
        RUN(systems_are_solved_in_all_units),
        RUN(dependent_equations_depend_in_all_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
