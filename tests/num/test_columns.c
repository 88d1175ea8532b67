/* Products with transposed matrices by columns against products by rows, and which columns are found to repeat
 * others: rows of families, with any period, between rows that follow no rule. */
#include "check.h"
#include "random_formula.h"

#include "num/columns.h"
#include "num/sparse.h"

enum { LARGEST = 400, ENTRIES = 4000 };

/* Body b has `rows` rows; row k touches the points b, b - 1, ... b - k of `width` numbers. `loose`: after all
 * bodies rows follow that touch any two points. */
typedef struct shape {
    int bodies, rows, width;
    bool loose;
} shape;

static void make(lv_pattern *p, lv_arena *arena, const shape *x)
{
    lv_entry_list list = {0};
    uint64_t seed = 7;
    int row = 0;
    for (int b = 0; b < x->bodies; b++)
        for (int k = 0; k < x->rows; k++, row++)
            for (int i = 0; i <= k && i <= b; i++)
                for (int j = 0; j < x->width; j++)
                    assert_true(
                        LV_PUSH(list, ((lv_entry_place){row, (b - i) * x->width + j})));
    for (int k = 0; x->loose && k < 5; k++, row++)
        for (int i = 0; i < 2; i++) {
            const int point = lv_random_below(&seed, x->bodies);
            for (int j = 0; j < x->width; j++)
                assert_true(LV_PUSH(list, ((lv_entry_place){row, point * x->width + j})));
        }
    /* nothing touches the last point */
    assert_int_equal(lv_pattern_build(p, NULL, arena, list.data, list.count, row,
                                      (x->bodies + 1) * x->width, NULL),
                     LV_OK);
    LV_ARRAY_FREE(list);
}

static void fill(double *x, int count, int first)
{
    for (int i = 0; i < count; i++)
        x[i] = sin(first + 3 * i);
}

static void compare(const lv_pattern *p, const lv_columns *c, const double *factor)
{
    static double values[ENTRIES], x[LARGEST], expected[LARGEST], set[LARGEST],
        added[LARGEST];
    assert_true(lv_pattern_entries(p) <= ENTRIES && p->columns <= LARGEST &&
                p->rows <= LARGEST);
    fill(values, lv_pattern_entries(p), 1);
    fill(x, p->rows, 2);
    fill(added, p->columns, 3);
    fill(set, p->columns, 4);
    memset(expected, 0, sizeof expected);
    lv_sparse_multiply_transposed(p, values, 1, x, expected);
    const lv_column_target to[] = {{set, 2, false}, {added, -1, true}};
    lv_columns_spread(c, to, 2, values, x, factor);
    for (int i = 0; i < p->columns; i++) {
        const double sum = expected[i] * (factor ? factor[i / c->width] : 1);
        assert_close(set[i], 2 * sum, 1e-13);
        assert_close(added[i], sin(3 + 3 * i) - sum, 1e-13);
    }
}

static void products_by_columns_agree_with_products_by_rows(void **state)
{
    (void)state;
    static double factor[LARGEST];
    fill(factor, LARGEST, 5);
    for (int width = 1; width <= 3; width++)
        for (int rows = 1; rows <= 4; rows++)
            for (int bodies = 1; bodies < 80; bodies += 13)
                for (int loose = 0; loose < 2; loose++) {
                    const shape x = {bodies, rows, width, loose};
                    lv_arena arena = {0};
                    lv_pattern p;
                    lv_columns c;
                    make(&p, &arena, &x);
                    assert_int_equal(lv_columns_width(&p) % width, 0);
                    assert_int_equal(lv_columns_find(&c, &arena, &p, width, NULL), LV_OK);
                    compare(&p, &c, NULL);
                    compare(&p, &c, factor);
                    lv_arena_done(&arena);
                }
}

/* The lines of all stretches are all lines, each once. */
static int count_repeated(const lv_repeats *r, int lines)
{
    int line = 0, repeated = 0;
    for (int k = 0; k < r->count; k++) {
        const lv_stretch *s = &r->stretch[k];
        assert_int_equal(s->line, line);
        line += s->period * s->repeats;
        repeated += s->repeats > 1 ? s->period * s->repeats : 0;
    }
    assert_int_equal(line, lines);
    return repeated;
}

static void columns_of_families_repeat(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 4; rows++) {
        const shape x = {60, rows, 3, false};
        lv_arena arena = {0};
        lv_pattern p;
        lv_columns c;
        make(&p, &arena, &x);
        assert_int_equal(lv_columns_find(&c, &arena, &p, 3, NULL), LV_OK);
        assert_true(count_repeated(&c.repeats, c.groups) >= 60 - 2 * rows);
        lv_arena_done(&arena);
    }
}

/* Lines of one cell whose indices grow by turns of `period`: all but irregular ones are found. */
static void periods_are_found(void **state)
{
    (void)state;
    enum { LINES = 100 };
    for (int period = 1; period <= 12; period++) {
        lv_cell cell[LINES];
        int start[LINES + 1];
        lv_arena arena = {0};
        lv_repeats r;
        for (int k = 0; k < LINES; k++) {
            cell[k] = (lv_cell){.at = {k * k % period * 7 + k / period, 3 * k, 0},
                                .kind = k % period};
            start[k] = k;
        }
        start[LINES] = LINES;
        cell[LINES - 1].at[1]++;
        assert_int_equal(lv_repeats_find(&r, &arena, LINES, start, cell, NULL), LV_OK);
        assert_true(count_repeated(&r, LINES) >=
                    (LINES - 1) / period * period - period + 1);
        assert_int_equal(r.stretch[0].period, period);
        for (int k = 0; k < r.stretch[0].repeats * period; k++)
            for (int i = 0; i < LV_CELL_INDICES; i++) {
                const lv_cell *x = &r.stretch[0].cell[k % period];
                assert_int_equal(x->at[i] + k / period * x->step[i], cell[k].at[i]);
            }
        lv_arena_done(&arena);
    }
}

/* Lines of different kinds do not repeat each other, whatever their indices are. */
static void kinds_separate_stretches(void **state)
{
    (void)state;
    enum { HALF = 20 };
    lv_cell cell[2 * HALF];
    int start[2 * HALF + 1];
    lv_arena arena = {0};
    lv_repeats r;
    for (int k = 0; k <= 2 * HALF; k++)
        start[k] = k;
    for (int k = 0; k < 2 * HALF; k++)
        cell[k] = (lv_cell){.at = {k, 2 * k, 3}, .kind = k < HALF ? 1 : -1};
    assert_int_equal(lv_repeats_find(&r, &arena, 2 * HALF, start, cell, NULL), LV_OK);
    assert_int_equal(r.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(r.stretch[k].repeats, HALF);
        assert_int_equal(r.stretch[k].cell[0].kind, k == 0 ? 1 : -1);
    }
    lv_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(products_by_columns_agree_with_products_by_rows),
        RUN(columns_of_families_repeat),
        RUN(periods_are_found),
        RUN(kinds_separate_stretches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
