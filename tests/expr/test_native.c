#include "check.h"
#include "deny.h"
#include "expr/native.h"

#include <string.h>

static const lv_layout layout = {{3, 3, 1, 90, 9, 1, 3}};

static lv_program *compiled(const lv_graph *g, const lv_node *outputs, int count,
                            const lv_layout *inputs)
{
    lv_program *p = NULL;
    lv_error err;
    lv_error_clear(&err);
    if (lv_program_compile(&p, g, outputs, count, inputs, &err) != LV_OK)
        fail_msg("%s", err.text);
    return p;
}

static lv_signature sign(const lv_program *p)
{
    lv_signature s = {0};
    assert_int_equal(lv_native_sign(&s, p, NULL), LV_OK);
    return s;
}

static bool same(const lv_signature *a, const lv_signature *b)
{
    return a->count == b->count &&
           memcmp(a->data, b->data, (size_t)a->count * sizeof *a->data) == 0;
}

/* 0.5*(1 + k*x)^2*(c + d + x), x the coordinate q, k, c, d the given inputs */
static lv_node formula(lv_graph *g, int q, lv_node k, lv_node c, lv_node d, double half)
{
    lv_node x = lv_graph_input(g, LV_INPUT_Q, q), one = lv_graph_const(g, 1);
    lv_node product = lv_graph_mul(g, k, x), sum = lv_graph_add(g, product, one);
    lv_node square = lv_graph_square(g, sum), rest = lv_graph_add(g, c, d);
    rest = lv_graph_add(g, rest, x);
    lv_node factor = lv_graph_const(g, half), all = lv_graph_mul(g, square, rest);
    return lv_graph_mul(g, factor, all);
}

/* The signature of the formula in a graph that holds `others` unrelated things before it, with
 * parameters and numbers of the instance from `first` on. */
static lv_signature signature_of(int first, int others, int q, double half)
{
    lv_graph *g = lv_graph_create(0);
    for (int k = 0; k < others; k++) {
        lv_node i = lv_graph_input(g, LV_INPUT_I, k), c = lv_graph_const(g, k);
        lv_graph_add(g, i, c);
    }
    lv_node k = lv_graph_input(g, LV_INPUT_P, first);
    lv_node c = lv_graph_input(g, LV_INPUT_I, first % 5);
    lv_node d = lv_graph_input(g, LV_INPUT_I, first % 5 + 1);
    lv_node f = formula(g, q, k, c, d, half);
    lv_program *p = compiled(g, &f, 1, &layout);
    lv_signature s = sign(p);
    assert_true(s.count > 10);
    lv_program_free(p);
    lv_graph_free(g);
    return s;
}

static void expect(bool equal, lv_signature a, lv_signature b)
{
    assert_int_equal(same(&a, &b), equal);
    assert_int_equal(lv_native_hash(&a) == lv_native_hash(&b), equal);
    LV_ARRAY_FREE(a);
    LV_ARRAY_FREE(b);
}

static void signature_tells_formulas_not_numbers_of_inputs(void **state)
{
    (void)state;
    expect(true, signature_of(0, 0, 0, 0.5), signature_of(0, 0, 0, 0.5));
    expect(true, signature_of(0, 0, 0, 0.5), signature_of(77, 0, 0, 0.5));
    expect(true, signature_of(0, 0, 0, 0.5), signature_of(12, 9, 0, 0.5));
    expect(false, signature_of(0, 0, 0, 0.5), signature_of(0, 0, 1, 0.5));
    expect(false, signature_of(0, 0, 0, 0.5), signature_of(0, 0, 0, nextafter(0.5, 1)));
}

static void nothing_to_run_has_no_signature(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node k = lv_graph_input(g, LV_INPUT_I, 0), square = lv_graph_square(g, k);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0);
    const lv_node outputs[] = {square, x};
    lv_program *p = compiled(g, outputs, 2, &layout);
    lv_signature s = sign(p);
    assert_int_equal(s.count, 0);
    LV_ARRAY_FREE(s);
    lv_program_free(p);
    lv_graph_free(g);
}

static void large_slots_have_no_signature(void **state)
{
    (void)state;
    const lv_layout large = {{70000, 0, 0, 0, 0, 0, 0}};
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), square = lv_graph_square(g, x);
    lv_program *p = compiled(g, &square, 1, &large);
    lv_signature s = sign(p);
    assert_int_equal(s.count, 0);
    assert_int_equal(lv_native_attach(p, NULL), LV_OK);
    assert_null(p->native);
    LV_ARRAY_FREE(s);
    lv_program_free(p);
    lv_graph_free(g);
}

/* Entries whose hash is that of the signature sought, but which differ from it. */
static void equal_hashes_are_not_taken_for_equal_programs(void **state)
{
    (void)state;
    static uint16_t data[] = {5, 1, 2, 3, 4}, less[] = {5, 1, 2, 3, 3},
                    shorter[] = {5, 1, 2, 3}, more[] = {5, 1, 2, 4, 4};
    const lv_signature sought = {.data = data, .count = 5};
    uint64_t hash = lv_native_hash(&sought);
    const lv_native table[] = {{.hash = hash, .length = 4, .signature = shorter},
                               {.hash = hash, .length = 5, .signature = less},
                               {.hash = hash, .length = 5, .signature = data},
                               {.hash = hash, .length = 5, .signature = more}};
    assert_ptr_equal(lv_native_find(table, 4, &sought), &table[2]);
    assert_ptr_equal(lv_native_find(table + 2, 1, &sought), &table[2]);
    assert_null(lv_native_find(table, 2, &sought));
    assert_null(lv_native_find(table + 3, 1, &sought));
    assert_null(lv_native_find(table, 0, &sought));
}

static lv_signature copy_of(const lv_native *entry)
{
    lv_signature s = {0};
    for (int k = 0; k < entry->length; k++)
        assert_true(LV_PUSH(s, entry->signature[k]));
    return s;
}

static void kernels_are_found_and_neighbours_are_not(void **state)
{
    (void)state;
    if (lv_native_count == 0)
        skip(); /* built without kernels */
    for (int k = 0; k < lv_native_count; k++) {
        const lv_native *entry = &lv_native_table[k];
        lv_signature s = copy_of(entry);
        assert_true(lv_native_hash(&s) == entry->hash);
        assert_ptr_equal(lv_native_find(lv_native_table, lv_native_count, &s), entry);
        if (k > 0)
            assert_true(lv_native_compare(entry - 1, entry->hash, &s) < 0);
        for (int j = 0; j < s.count; j++) {
            s.data[j] ^= 1;
            assert_ptr_not_equal(lv_native_find(lv_native_table, lv_native_count, &s),
                                 entry);
            s.data[j] ^= 1;
        }
        s.count--;
        assert_ptr_not_equal(lv_native_find(lv_native_table, lv_native_count, &s), entry);
        LV_ARRAY_FREE(s);
    }
}

static lv_status attach(void *user, lv_error *err)
{
    lv_program *p = user;
    return lv_native_attach(p, err);
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), square = lv_graph_square(g, x);
    lv_program *p = compiled(g, &square, 1, &layout);
    lv_deny_sweep(attach, p);
    lv_program_free(p);
    lv_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(signature_tells_formulas_not_numbers_of_inputs),
        RUN(nothing_to_run_has_no_signature),
        RUN(large_slots_have_no_signature),
        RUN(equal_hashes_are_not_taken_for_equal_programs),
        RUN(kernels_are_found_and_neighbours_are_not),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
