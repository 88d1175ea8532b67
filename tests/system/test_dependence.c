/* Which gradients depend on others, with which weights, against matrices made to order. */
#include "check.h"
#include "random_formula.h"

#include "num/sparse.h"
#include "system/dependence.h"

#include <string.h>

enum { ROWS = 7, COLUMNS = 9 };

typedef struct fixture {
    double g[ROWS][COLUMNS];
    int start[ROWS + 1], column[ROWS * COLUMNS];
    lv_pattern pattern;
    lv_dependence *dependence;
} fixture;

/* Random rows; row 4 is 3 times row 1 minus row 5 divided by 2. */
static void setup(fixture *f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            f->g[r][c] = lv_random_between(&seed, -1, 1);
    for (int c = 0; c < COLUMNS; c++)
        f->g[4][c] = 3 * f->g[1][c] - 0.5 * f->g[5][c];
    for (int e = 0; e < ROWS * COLUMNS; e++)
        f->column[e] = e % COLUMNS;
    for (int r = 0; r <= ROWS; r++)
        f->start[r] = r * COLUMNS;
    f->pattern = (lv_pattern){
        .rows = ROWS, .columns = COLUMNS, .start = f->start, .column = f->column};
    assert_int_equal(lv_dependence_create(&f->dependence, &f->pattern, NULL), LV_OK);
}

static int look(fixture *f)
{
    return lv_dependence_look(f->dependence, &f->pattern, &f->g[0][0], LV_DEPENDENT);
}

static void a_combination_is_found_with_its_weights(void **state)
{
    (void)state;
    static const double made[ROWS] = {0, -3, 0, 0, 1, 0.5, 0};
    for (uint64_t seed = 1; seed < 20; seed++) {
        fixture f;
        setup(&f, seed);
        assert_int_equal(look(&f), 1);
        const int row = lv_dependence_row(f.dependence, 0);
        const double *weights = lv_dependence_weights(f.dependence, 0);
        assert_true(weights[row] == 1);
        for (int r = 0; r < ROWS; r++)
            assert_close(weights[r], made[r] / made[row], 1e-11);
        lv_dependence_free(f.dependence);
    }
}

/* Units do not matter; rounding does not hide a dependence, nor does 1e-6 make one. */
static void scales_do_not_matter(void **state)
{
    (void)state;
    fixture f;
    setup(&f, 3);
    for (int c = 0; c < COLUMNS; c++) {
        f.g[4][c] = f.g[4][c] * 1e9 + 1e-4 * sin(c);
        f.g[5][c] *= 1e-7;
    }
    assert_int_equal(look(&f), 1);
    f.g[4][2] += 1e3;
    assert_int_equal(look(&f), 0);
    lv_dependence_free(f.dependence);
}

static void zero_rows_depend_on_nothing(void **state)
{
    (void)state;
    fixture f;
    setup(&f, 5);
    memset(f.g[4], 0, sizeof f.g[4]);
    assert_int_equal(look(&f), 1);
    assert_int_equal(lv_dependence_row(f.dependence, 0), 4);
    const double *weights = lv_dependence_weights(f.dependence, 0);
    for (int r = 0; r < ROWS; r++)
        assert_true(weights[r] == (r == 4));
    lv_dependence_free(f.dependence);
}

/* The same sum, and nothing along the combination that is zero. */
static void least_norms_have_the_same_sum(void **state)
{
    (void)state;
    fixture f;
    uint64_t seed = 11;
    double y[ROWS], before[COLUMNS] = {0}, after[COLUMNS] = {0};
    setup(&f, 7);
    for (int r = 0; r < ROWS; r++)
        y[r] = lv_random_between(&seed, -1, 1);
    lv_sparse_multiply_transposed(&f.pattern, &f.g[0][0], 1, y, before);
    assert_int_equal(look(&f), 1);
    lv_dependence_least_norm(f.dependence, &f.pattern, &f.g[0][0], y);
    lv_sparse_multiply_transposed(&f.pattern, &f.g[0][0], 1, y, after);
    for (int c = 0; c < COLUMNS; c++)
        assert_close(after[c], before[c], 1e-13);
    assert_close(-3 * y[1] + y[4] + 0.5 * y[5], 0, 1e-13);
    lv_dependence_free(f.dependence);
}

static void what_is_not_finite_tells_nothing(void **state)
{
    (void)state;
    fixture f;
    setup(&f, 1);
    f.g[2][3] = (double)NAN;
    assert_int_equal(look(&f), -1);
    assert_int_equal(lv_dependence_count(f.dependence), 0);
    lv_dependence_free(f.dependence);
}

/* ---- many rows ------------------------------------------------------------------------------------ */

enum { LINKS = 900, TWINS = 3, MANY = LINKS + TWINS + 2, ENTRIES = 3 * MANY };

/* A chain of numbers x_i, x_{i+1}, of which three links are there twice, once in other units; two constraints fix
 * both ends of link 500, each together with the start of link 100. */
typedef struct chain {
    int start[MANY + 1], column[ENTRIES];
    double value[ENTRIES];
    lv_pattern pattern;
} chain;

static void add_row(chain *c, int row, int first, double x, double y)
{
    const int at = c->start[row];
    c->column[at] = first;
    c->column[at + 1] = first + 1;
    c->value[at] = x;
    c->value[at + 1] = y;
    c->start[row + 1] = at + 2;
}

static const int doubled[TWINS] = {7, 500, 899};

static void make_chain(chain *c)
{
    memset(c, 0, sizeof *c);
    for (int r = 0; r < LINKS; r++)
        add_row(c, r, r, 1 + 0.3 * sin(r), -1 + 0.2 * cos(2 * r));
    for (int k = 0; k < TWINS; k++) {
        const int r = doubled[k];
        add_row(c, LINKS + k, r, 1e5 * c->value[2 * r], 1e5 * c->value[2 * r + 1]);
    }
    for (int k = 0; k < 2; k++) {
        const int row = LINKS + TWINS + k, at = c->start[row];
        c->column[at] = 100;
        c->value[at] = 1;
        c->column[at + 1] = 200 + k;
        c->value[at + 1] = 1;
        c->start[row + 1] = at + 2;
    }
    c->pattern = (lv_pattern){MANY, LINKS + 1, c->start, c->column};
}

/* Two more than the chain has room for: 903 + 2 rows of rank 901. */
static void dependent_rows_of_many_are_found_with_their_weights(void **state)
{
    (void)state;
    static chain c;
    lv_dependence *d;
    make_chain(&c);
    assert_int_equal(lv_dependence_create(&d, &c.pattern, NULL), LV_OK);
    assert_int_equal(lv_dependence_look(d, &c.pattern, c.value, LV_DEPENDENT), TWINS + 1);
    for (int k = 0; k <= TWINS; k++) {
        static double sum[LINKS + 1];
        const double *weights = lv_dependence_weights(d, k);
        memset(sum, 0, sizeof sum);
        assert_true(weights[lv_dependence_row(d, k)] == 1);
        lv_sparse_multiply_transposed(&c.pattern, c.value, 1, weights, sum);
        const double size = lv_dependence_row(d, k) < LINKS ? 1 : 1e5;
        for (int i = 0; i <= LINKS; i++)
            assert_close(sum[i] / size, 0, 1e-10);
    }
    lv_dependence_free(d);
}

static void least_norms_of_many_have_the_same_sum(void **state)
{
    (void)state;
    static chain c;
    static double y[MANY], before[LINKS + 1], after[LINKS + 1];
    lv_dependence *d;
    uint64_t seed = 3;
    make_chain(&c);
    for (int r = 0; r < MANY; r++)
        y[r] = lv_random_between(&seed, -1, 1) *
               (r >= LINKS && r < LINKS + TWINS ? 1e-5 : 1);
    assert_int_equal(lv_dependence_create(&d, &c.pattern, NULL), LV_OK);
    lv_sparse_multiply_transposed(&c.pattern, c.value, 1, y, before);
    assert_int_equal(lv_dependence_look(d, &c.pattern, c.value, LV_DEPENDENT), TWINS + 1);
    lv_dependence_least_norm(d, &c.pattern, c.value, y);
    lv_sparse_multiply_transposed(&c.pattern, c.value, 1, y, after);
    for (int i = 0; i <= LINKS; i++)
        assert_close(after[i], before[i], 1e-9);
    for (int k = 0; k <= TWINS; k++) { /* nothing along combinations that are zero */
        const double *weights = lv_dependence_weights(d, k);
        double along = 0, size = 0;
        for (int r = 0; r < MANY; r++) {
            along += weights[r] * y[r];
            size += fabs(weights[r] * y[r]);
        }
        assert_close(along, 0, 1e-9 * (1 + size));
    }
    lv_dependence_free(d);
}

/* Rows with angles of 0.05 to the span of the others, off which two of them are parallel. */
static void rows_that_depend_on_rows_nearly_dependent_are_found(void **state)
{
    (void)state;
    static chain c;
    lv_dependence *d;
    make_chain(&c);
    for (int r = 0; r < LINKS;
         r++) /* independent of each other, off the last coordinates */
        c.value[2 * r + 1] = 0;
    for (int k = 0; k < TWINS; k++) {
        c.column[c.start[LINKS + k]] = doubled[k] - 2;
        c.column[c.start[LINKS + k] + 1] = LINKS;
        c.value[c.start[LINKS + k]] = 1;
        c.value[c.start[LINKS + k] + 1] = 0.05;
    }
    assert_int_equal(lv_dependence_create(&d, &c.pattern, NULL), LV_OK);
    /* All TWINS have one coordinate to themselves together, the last two rows none. */
    assert_int_equal(lv_dependence_look(d, &c.pattern, c.value, LV_DEPENDENT),
                     TWINS - 1 + 2);
    for (int k = 0; k < TWINS + 1; k++) {
        static double sum[LINKS + 1];
        memset(sum, 0, sizeof sum);
        lv_sparse_multiply_transposed(&c.pattern, c.value, 1, lv_dependence_weights(d, k),
                                      sum);
        for (int i = 0; i <= LINKS; i++)
            assert_close(sum[i], 0, 1e-12);
    }
    lv_dependence_free(d);
}

/* One constraint more than coordinates, in a loop through all of them; the three others are zero. */
static void a_long_loop_is_found_with_its_weights(void **state)
{
    (void)state;
    static chain c;
    static double sum[LINKS + 1], y[MANY], before[LINKS + 1];
    uint64_t seed = 5;
    lv_dependence *d;
    make_chain(&c);
    for (int e = c.start[LINKS]; e < c.start[LINKS + TWINS]; e++)
        c.value[e] = 0;
    for (int k = 0; k < 2; k++) {
        c.column[c.start[LINKS + TWINS + k]] = 0;
        c.column[c.start[LINKS + TWINS + k] + 1] = 890 + k;
    }
    for (int r = 0; r < MANY; r++)
        y[r] = lv_random_between(&seed, -1, 1);
    assert_int_equal(lv_dependence_create(&d, &c.pattern, NULL), LV_OK);
    assert_int_equal(lv_dependence_look(d, &c.pattern, c.value, LV_DEPENDENT), TWINS + 1);
    assert_false(lv_dependence_too_many(d));
    lv_sparse_multiply_transposed(&c.pattern, c.value, 1, y, before);
    lv_dependence_least_norm(d, &c.pattern, c.value, y);
    lv_sparse_multiply_transposed(&c.pattern, c.value, -1, y, before);
    for (int i = 0; i <= LINKS; i++)
        assert_close(before[i], 0, 1e-10);
    for (int k = 0; k <= TWINS; k++) {
        const double *weights = lv_dependence_weights(d, k);
        double along = 0, size = 0;
        memset(sum, 0, sizeof sum);
        lv_sparse_multiply_transposed(&c.pattern, c.value, 1, weights, sum);
        for (int i = 0; i <= LINKS; i++)
            assert_close(sum[i], 0, 1e-10);
        for (int r = 0; r < MANY; r++) {
            along += weights[r] * y[r];
            size += fabs(weights[r] * y[r]);
        }
        assert_close(along, 0, 1e-8 * (1 + size)); /* there are weights of 1e6 */
    }
    lv_dependence_free(d);
}

/* Pairs of rows that are nearly the same: of a few it is found out that they are not, of many that would take a time
 * that grows as their square. */
static void many_nearly_dependent_rows_are_not_looked_at(void **state)
{
    enum { PAIRS = 10000 };
    static int start[2 * PAIRS + 1], column[3 * PAIRS];
    static double value[3 * PAIRS];
    (void)state;
    for (int pairs = 100; pairs <= PAIRS; pairs *= 100) {
        lv_dependence *d;
        for (int k = 0; k < pairs; k++) {
            const int c[3] = {2 * k, 2 * k, 2 * k + 1};
            const double v[3] = {1, 1, 0.005};
            memcpy(column + 3 * k, c, sizeof c);
            memcpy(value + 3 * k, v, sizeof v);
            start[2 * k + 1] = 3 * k + 1;
            start[2 * k + 2] = 3 * k + 3;
        }
        const lv_pattern p = {
            .rows = 2 * pairs, .columns = 2 * pairs, .start = start, .column = column};
        assert_int_equal(lv_dependence_create(&d, &p, NULL), LV_OK);
        assert_int_equal(lv_dependence_look(d, &p, value, 1e-3), pairs == PAIRS ? -1 : 0);
        assert_int_equal(lv_dependence_too_many(d), pairs == PAIRS);
        lv_dependence_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_combination_is_found_with_its_weights),
        RUN(scales_do_not_matter),
        RUN(zero_rows_depend_on_nothing),
        RUN(least_norms_have_the_same_sum),
        RUN(what_is_not_finite_tells_nothing),
        RUN(dependent_rows_of_many_are_found_with_their_weights),
        RUN(least_norms_of_many_have_the_same_sum),
        RUN(rows_that_depend_on_rows_nearly_dependent_are_found),
        RUN(a_long_loop_is_found_with_its_weights),
        RUN(many_nearly_dependent_rows_are_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
