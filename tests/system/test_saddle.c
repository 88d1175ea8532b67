/* M x - G^T y = a, G x = b for masses with small blocks and for masses that are one large block:
 * the residual of the equations tells. */
#include "check.h"
#include "random_formula.h"

#include "num/sparse.h"
#include "system/saddle.h"

#include <string.h>

enum { N = 72, M = 9, ENTRIES = N * N };

/* Coordinates i and j share kinetic energy if they differ by at most `reach` and lie in the same
 * block of `block` coordinates. */
typedef struct fixture {
    lv_arena arena;
    lv_pattern mass_pattern, g_pattern;
    double mass[N][N], g[M][N];
    double mass_values[ENTRIES], g_values[M * N];
    lv_mass *factors;
    lv_saddle *saddle;
    lv_dependence *dependence;
} fixture;

static fixture f;

static void take_values(const lv_pattern *p, double *values, const double *dense)
{
    for (int r = 0; r < p->rows; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            values[e] = dense[r * p->columns + p->column[e]];
}

static void take_pattern(lv_pattern *p, const double *dense, int rows, int columns)
{
    lv_entry_list list = {0};
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            if (dense[r * columns + c] != 0)
                assert_true(LV_PUSH(list, ((lv_entry_place){r, c})));
    assert_int_equal(
        lv_pattern_build(p, NULL, &f.arena, list.data, list.count, rows, columns, NULL),
        LV_OK);
    LV_ARRAY_FREE(list);
}

static void setup(uint64_t *seed, int block, int reach)
{
    memset(&f, 0, sizeof f);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            if (i / block == j / block && i - j <= reach)
                f.mass[i][j] = f.mass[j][i] =
                    lv_random_between(seed, 0.1, 1) + (i == j ? reach : 0);
    for (int r = 0; r < M; r++)
        for (int i = 0; i < N; i++)
            f.g[r][i] = (i + r) % 3 ? 0 : lv_random_between(seed, -1, 1);
    take_pattern(&f.mass_pattern, &f.mass[0][0], N, N);
    take_pattern(&f.g_pattern, &f.g[0][0], M, N);
    assert_int_equal(lv_mass_create(&f.factors, &f.mass_pattern, NULL, NULL), LV_OK);
    assert_int_equal(lv_dependence_create(&f.dependence, &f.g_pattern, NULL), LV_OK);
    assert_int_equal(lv_saddle_create(&f.saddle, &f.mass_pattern, &f.g_pattern, f.factors,
                                      f.dependence, NULL),
                     LV_OK);
}

static bool factor(void)
{
    take_values(&f.mass_pattern, f.mass_values, &f.mass[0][0]);
    take_values(&f.g_pattern, f.g_values, &f.g[0][0]);
    if (lv_mass_block_count(f.factors) > 0)
        assert_true(lv_mass_factor(f.factors, f.mass_values));
    return lv_saddle_factor(f.saddle, f.mass_values, f.g_values);
}

static void teardown(void)
{
    lv_saddle_free(f.saddle);
    lv_dependence_free(f.dependence);
    lv_mass_free(f.factors);
    lv_arena_done(&f.arena);
}

/* Solves for a random right-hand side in the range, and looks at what is left. */
static void check_equations(uint64_t *seed, double *y)
{
    double x[N], a[N], b[M] = {0};
    for (int i = 0; i < N; i++) {
        x[i] = a[i] = lv_random_between(seed, -1, 1);
        for (int r = 0; r < M; r++)
            b[r] += f.g[r][i] * cos(i);
    }
    memcpy(y, b, sizeof b);
    lv_saddle_solve(f.saddle, x, y);
    for (int i = 0; i < N; i++) {
        double rest = -a[i];
        for (int j = 0; j < N; j++)
            rest += f.mass[i][j] * x[j];
        for (int r = 0; r < M; r++)
            rest -= f.g[r][i] * y[r];
        assert_close(rest, 0, 1e-11);
    }
    for (int r = 0; r < M; r++) {
        double rest = -b[r];
        for (int i = 0; i < N; i++)
            rest += f.g[r][i] * x[i];
        assert_close(rest, 0, 1e-11);
    }
}

/* Points, blocks of which LU and L D L^T each factor some, one block: narrow and full. */
static const struct {
    int block, reach;
} masses[] = {{1, 0}, {3, 3}, {12, 12}, {36, 36}, {N, 1}, {N, N}};
enum { MASSES = sizeof masses / sizeof *masses };

static void equations_hold(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < MASSES; k++) {
        double y[M];
        setup(&seed, masses[k].block, masses[k].reach);
        assert_int_equal(lv_mass_block_count(f.factors) > 0, masses[k].block < N);
        assert_true(factor());
        assert_int_equal(lv_saddle_redundant(f.saddle), 0);
        check_equations(&seed, y);
        teardown();
    }
}

static void redundant_constraints_share(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < MASSES; k++) {
        double y[M];
        setup(&seed, masses[k].block, masses[k].reach);
        memcpy(f.g[3], f.g[0], sizeof f.g[0]); /* of the same pattern */
        assert_true(factor());
        assert_int_equal(lv_saddle_redundant(f.saddle), 1);
        check_equations(&seed, y);
        assert_close(y[0], y[3], 1e-11);
        teardown();
    }
}

/* A coordinate without mass and without constraint is nobody's redundancy. */
static void missing_mass_is_not_redundancy(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < MASSES; k++) {
        int row;
        setup(&seed, masses[k].block, masses[k].reach);
        if (masses[k].block == N) {
            for (int i = 0; i < N; i++)
                f.mass[5][i] = f.mass[i][5] = 0;
            for (int r = 0; r < M; r++)
                f.g[r][5] = 0;
            assert_false(factor());
            assert_true(lv_saddle_worst(f.saddle, &row) < LV_LINEAR_SINGULAR);
            assert_int_equal(row, -1);
        }
        teardown();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(equations_hold),
        RUN(redundant_constraints_share),
        RUN(missing_mass_is_not_redundancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
