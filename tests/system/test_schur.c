/* Z = G M^-1 G^T and its relatives against dense sums: points in space, in the plane, scalars;
 * regular chains and scattered rows; masses diagonal, equal within points, and in blocks. */
#include "check.h"
#include "random_formula.h"

#include "num/sparse.h"
#include "system/schur.h"

#include <string.h>

enum { LARGEST = 280 };

/* Everything as dense matrices beside the sparse ones. */
typedef struct fixture {
    lv_arena arena;
    int n, m;
    lv_pattern g, mass_pattern;
    double dense[LARGEST][LARGEST];    /* G */
    double weighted[LARGEST][LARGEST]; /* G M^-1 */
    double g_values[LARGEST * LARGEST], mass_values[LARGEST * LARGEST];
    lv_mass *mass;
    lv_schur *schur;
} fixture;

static fixture f;

/* Rows touch two points of `width` coordinates: those that are `apart` in a chain, or any
 * two if `apart` is 0. */
static void make_g(uint64_t *seed, int points, int rows, int width, int apart)
{
    lv_entry_list list = {0};
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < 2; k++) {
            int point = apart > 0 ? r - k * apart : lv_random_below(seed, points);
            for (int j = 0; point >= 0 && j < width; j++)
                assert_true(LV_PUSH(list, ((lv_entry_place){r, point * width + j})));
        }
    assert_int_equal(lv_pattern_build(&f.g, NULL, &f.arena, list.data, list.count, rows,
                                      points * width, NULL),
                     LV_OK);
    LV_ARRAY_FREE(list);
    for (int r = 0; r < rows; r++)
        for (int e = f.g.start[r]; e < f.g.start[r + 1]; e++)
            f.dense[r][f.g.column[e]] = f.g_values[e] = lv_random_between(seed, -1, 1);
}

/* Masses equal within points, or not, or 2 x 2 blocks [2 1; 1 2]. */
typedef enum masses { EQUAL, DIFFERENT, BLOCKS } masses;

static double mass_entry(masses kind, int i, int j, int width)
{
    if (kind == BLOCKS)
        return i == j ? 2 : i / 2 == j / 2 ? 1 : 0;
    return i == j ? 1 + 0.1 * (kind == EQUAL ? i / width : i) : 0;
}

static double inverse_entry(masses kind, int i, int j, int width)
{
    if (kind == BLOCKS)
        return i == j ? 2 / 3.0 : i / 2 == j / 2 ? -1 / 3.0 : 0;
    return i == j ? 1 / mass_entry(kind, i, i, width) : 0;
}

static void make_mass(masses kind, int width)
{
    lv_entry_list list = {0};
    for (int i = 0; i < f.n; i++)
        for (int j = 0; j < f.n; j++)
            if (mass_entry(kind, i, j, width) != 0)
                assert_true(LV_PUSH(list, ((lv_entry_place){i, j})));
    assert_int_equal(lv_pattern_build(&f.mass_pattern, NULL, &f.arena, list.data,
                                      list.count, f.n, f.n, NULL),
                     LV_OK);
    for (int e = 0; e < list.count; e++)
        f.mass_values[e] = mass_entry(kind, list.data[e].row, list.data[e].column, width);
    LV_ARRAY_FREE(list);
    assert_int_equal(lv_mass_create(&f.mass, &f.mass_pattern, NULL, NULL), LV_OK);
    assert_true(lv_mass_factor(f.mass, f.mass_values));
    for (int r = 0; r < f.m; r++)
        for (int j = 0; j < f.n; j++)
            for (int i = 0; i < f.n; i++)
                f.weighted[r][j] += f.dense[r][i] * inverse_entry(kind, i, j, width);
}

static void check_matrix(const double *weighted)
{
    static double z[LARGEST * LARGEST], twice[LARGEST * LARGEST];
    static int slot[LARGEST * LARGEST];
    const lv_pattern *p = lv_schur_pattern(f.schur);
    const int count = lv_pattern_entries(p);
    for (int e = 0; e < count; e++)
        slot[e] = count - 1 - e;
    lv_schur_store(f.schur, z, slot, 0.5, f.g_values, weighted);
    memcpy(twice, z, sizeof z);
    lv_schur_add(f.schur, twice, slot, 0.5, f.g_values, weighted);
    for (int r = 0; r < f.m; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            double sum = 0;
            for (int i = 0; i < f.n; i++)
                sum += f.dense[r][i] * f.weighted[p->column[e]][i];
            assert_close(z[slot[e]], 0.5 * sum, 1e-13);
            assert_close(twice[slot[e]], sum, 1e-13);
        }
}

static void check_vectors(uint64_t *seed, const double *weighted)
{
    double x[LARGEST], y[LARGEST], applied[LARGEST], spread[LARGEST] = {0};
    for (int k = 0; k < LARGEST; k++) {
        x[k] = lv_random_between(seed, -1, 1);
        y[k] = lv_random_between(seed, -1, 1);
    }
    lv_schur_apply(f.schur, applied, weighted, x);
    double set[LARGEST] = {0}, added[LARGEST] = {0};
    const lv_column_target to[] = {{spread, 2, true}, {set, 1, false}, {added, -1, true}};
    for (int k = 0; k < LARGEST; k++)
        set[k] = added[k] = x[k];
    lv_schur_spread(f.schur, to, 1, weighted, y);
    lv_schur_spread(f.schur, to + 1, 2, weighted, y);
    for (int r = 0; r < f.m; r++) {
        double a = 0;
        for (int i = 0; i < f.n; i++)
            a += f.weighted[r][i] * x[i];
        assert_close(applied[r], a, 1e-13);
    }
    for (int i = 0; i < f.n; i++) {
        double sum = 0;
        for (int r = 0; r < f.m; r++)
            sum += f.weighted[r][i] * y[r];
        assert_close(spread[i], 2 * sum, 1e-13);
        assert_close(set[i], sum, 1e-13);
        assert_close(added[i], x[i] - sum, 1e-13);
    }
}

static void check_case(int points, int rows, int width, int apart, masses kind)
{
    static double own[LARGEST * LARGEST];
    uint64_t seed = (uint64_t)(points * 100 + rows * 10 + width);
    memset(&f, 0, sizeof f);
    f.n = points * width;
    f.m = rows;
    make_g(&seed, points, rows, width, apart);
    make_mass(kind, width);
    assert_int_equal(lv_schur_create(&f.schur, &f.g, f.mass, NULL), LV_OK);
    lv_schur_weigh(f.schur, own, f.mass, f.g_values);
    check_matrix(own);
    check_vectors(&seed, own);

    bool points_alone = lv_schur_fix_mass(f.schur, f.mass);
    assert_int_equal(points_alone, kind == EQUAL || (kind == DIFFERENT && width == 1));
    const double *weighted = points_alone ? f.g_values : own;
    check_matrix(weighted);
    check_vectors(&seed, weighted);
    lv_schur_free(f.schur);
    lv_mass_free(f.mass);
    lv_arena_done(&f.arena);
}

static void chains_and_scattered_rows_agree_with_dense_sums(void **state)
{
    (void)state;
    for (int width = 1; width <= 4; width++)
        for (int apart = 0; apart < 3; apart++)
            for (int kind = EQUAL; kind <= BLOCKS; kind++) {
                if (width == 4 && kind == EQUAL)
                    continue; /* four numbers fall into two groups of two */
                check_case(24, 24, width, apart, (masses)kind);
                check_case(30, 22, width, apart, (masses)kind);
                check_case(70, 70, width, apart, (masses)kind);
                check_case(2, 2, width, apart, (masses)kind);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(chains_and_scattered_rows_agree_with_dense_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
