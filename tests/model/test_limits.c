/* Hostile and very large models: refused with a message or handled, in seconds, with bounded
 * memory and without deep recursion. */
#include "reading.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

static const char point[] = "[coordinates]\nx = { value = 0.5, velocity = 0.5 }\n";
static const char energy[] = "[energy]\nkinetic = \"x'^2/2\"\n";

/* Reads and inspects; LV_OK or what went wrong. The text is freed. */
static lv_status outcome(lv_text *text, lv_error *err)
{
    lv_model *model = NULL;
    lv_inspection *inspection = NULL;
    assert_false(text->failed);
    lv_status status =
        lv_model_parse(&model, "test", text->data, (size_t)text->count, NULL, 0, err);
    if (status == LV_OK)
        status = lv_model_inspect(&inspection, model, err);
    lv_inspection_free(inspection);
    lv_model_free(model);
    lv_text_done(text);
    return status;
}

static void accept(lv_text *text)
{
    lv_error err;
    if (outcome(text, &err) != LV_OK)
        fail_with(&err);
}

static void refuse_as(lv_text *text, lv_status expected, const char *message)
{
    lv_error err;
    lv_status status = outcome(text, &err);
    if (status != expected || !strstr(err.text, message))
        fail_msg("status %s: %s", lv_status_name(status), err.text);
}

static void repeat(lv_text *text, const char *part, int count)
{
    for (int k = 0; k < count; k++)
        lv_text_append(text, "%s", part);
}

/* ---- chains of names -------------------------------------------------------------------- */

/* Sanitizers look at memory, for which fewer are enough; reading all of them takes minutes there. */
#if defined(__SANITIZE_ADDRESS__)
enum { MANY = 20000 };
#else
enum { MANY = 100000 };
#endif

/* d0 = "x", d1 = "d0 + 1", ...: forwards each is known when the next one needs it */
static void name_chain(lv_text *text, const char *section, const char *first,
                       bool backwards)
{
    lv_text_append(text, "[%s]\n", section);
    for (int k = 0; k < MANY; k++) {
        int number = backwards ? MANY - 1 - k : k;
        if (number == 0)
            lv_text_append(text, "d0 = \"%s\"\n", first);
        else
            lv_text_append(text, "d%d = \"d%d + 1\"\n", number, number - 1);
    }
}

static void a_chain_of_parameters_in_order_is_handled(void **state)
{
    lv_text text = {0};
    (void)state;
    name_chain(&text, "parameters", "1", false);
    lv_text_append(&text, "%s%s", point, energy);
    accept(&text);
}

static void a_chain_of_parameters_backwards_is_too_deep(void **state)
{
    lv_text text = {0};
    (void)state;
    name_chain(&text, "parameters", "1", true);
    lv_text_append(&text, "%s%s", point, energy);
    refuse_as(&text, LV_ERR_LIMIT, "nested more than");
}

static void a_chain_of_unused_definitions_in_order_is_handled(void **state)
{
    lv_text text = {0};
    (void)state;
    name_chain(&text, "definitions", "x", false);
    lv_text_append(&text, "%s%s", point, energy);
    accept(&text);
}

static void a_chain_of_definitions_in_use_is_too_deep(void **state)
{
    lv_text text = {0};
    (void)state;
    name_chain(&text, "definitions", "x", false);
    lv_text_append(&text, "%s%spotential = \"d%d\"\n", point, energy, MANY - 1);
    refuse_as(&text, LV_ERR_LIMIT, "nested more than");
}

static void a_chain_of_definitions_backwards_is_too_deep(void **state)
{
    lv_text text = {0};
    (void)state;
    name_chain(&text, "definitions", "x", true);
    lv_text_append(&text, "%s%s", point, energy);
    refuse_as(&text, LV_ERR_LIMIT, "nested more than");
}

/* ---- many of everything ------------------------------------------------------------------ */

static void many_coordinates_definitions_and_terms_are_handled(void **state)
{
    lv_text text = {0};
    (void)state;
    lv_text_append(&text, "[coordinates]\n");
    for (int k = 0; k < MANY; k++)
        lv_text_append(&text, "x%d = 1\n", k);
    lv_text_append(&text, "[definitions]\n");
    for (int k = 0; k < MANY; k++)
        lv_text_append(&text, "d%d = \"2*x%d\"\n", k, k);
    for (int k = 0; k < MANY; k++)
        lv_text_append(&text, "[energy.e%d]\nlagrangian = \"d%d'^2 - d%d^2\"\n", k, k, k);
    accept(&text);
}

static void many_parameters_and_terms_are_handled(void **state)
{
    lv_text text = {0};
    (void)state;
    lv_text_append(&text, "[parameters]\n");
    for (int k = 0; k < 2000; k++)
        lv_text_append(&text, "m%d = 1\n", k);
    lv_text_append(&text, "[coordinates]\n");
    for (int k = 0; k < 2000; k++)
        lv_text_append(&text, "x%d = 1\n", k);
    for (int k = 0; k < 2000; k++)
        lv_text_append(&text, "[energy.e%d]\nkinetic = \"m%d*x%d'^2\"\n", k, k, k);
    accept(&text);
}

static void a_coordinate_that_nothing_uses_is_found_among_many(void **state)
{
    lv_text text = {0};
    (void)state;
    lv_text_append(&text, "[coordinates]\n");
    for (int k = 0; k < MANY; k++)
        lv_text_append(&text, "x%d = 1\n", k);
    lv_text_append(&text, "[energy]\nkinetic = \"x0'^2\"\n");
    refuse_as(&text, LV_ERR_MODEL, "'x1' occurs in no energy, constraint or force");
}

/* ---- long formulas ------------------------------------------------------------------------ */

static void long_sums_are_wide_not_deep(void **state)
{
    static const char *const parts[] = {"1+", "x+", "x'^2+", "(x*x)'+", "sin(x)*2+"};
    (void)state;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        lv_text text = {0};
        lv_text_append(&text, "%s[energy]\nlagrangian = \"x'^2+", point);
        repeat(&text, parts[k], (k < 2 ? 1000000 : 300000) / (int)strlen(parts[k]));
        lv_text_append(&text, "1\"\n");
        accept(&text);
    }
}

static void a_formula_beyond_a_megabyte_is_refused(void **state)
{
    lv_text text = {0};
    (void)state;
    lv_text_append(&text, "%s%spotential = \"", point, energy);
    repeat(&text, "1+", 600000);
    lv_text_append(&text, "1\"\n");
    refuse_as(&text, LV_ERR_LIMIT, "longer than");
}

static void many_different_terms_in_one_formula_are_handled(void **state)
{
    lv_text text = {0};
    (void)state;
    lv_text_append(&text, "%s%spotential = \"0", point, energy);
    for (int k = 0; k < 50000; k++)
        lv_text_append(&text, "+sin(%d*x)", k);
    lv_text_append(&text, "\"\n");
    accept(&text);
}

static void deep_nesting_is_refused(void **state)
{
    static const char *const parts[] = {"(",    "-",    "+",          "x^",
                                        "[",    "sin(", "x'^-",       "2*(",
                                        "x/-(", "q_{",  "if(x > 0, ", "1-("};
    (void)state;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        lv_text text = {0};
        lv_text_append(&text, "%s%spotential = \"", point, energy);
        repeat(&text, parts[k], 50000);
        lv_text_append(&text, "x\"\n");
        refuse_as(&text, LV_ERR_LIMIT, "nested more than 200 levels deep");
    }
}

static void many_primes_and_indices_are_refused(void **state)
{
    static const char *const parts[] = {"'", "[1]"};
    (void)state;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        lv_text text = {0};
        lv_text_append(&text, "%s%spotential = \"x", point, energy);
        repeat(&text, parts[k], 100000);
        lv_text_append(&text, "\"\n");
        refuse_as(&text, LV_ERR_LIMIT, "nested more than 200 levels deep");
    }
}

/* ---- formulas that would grow ------------------------------------------------------------- */

/* d(k) from d(k - 1) by a formula in which # stands for the latter, 60 times. */
static void sixty_levels(const char *head, const char *first, const char *step,
                         const char *last)
{
    lv_text text = {0};
    lv_text_append(&text, "%s[definitions]\nd0 = \"%s\"\n", head, first);
    for (int k = 1; k <= 60; k++) {
        lv_text_append(&text, "d%d = \"", k);
        for (const char *c = step; *c; c++) {
            if (*c == '#')
                lv_text_append(&text, "d%d", k - 1);
            else
                lv_text_bytes(&text, c, 1);
        }
        lv_text_append(&text, "\"\n");
    }
    lv_text_append(&text, "[energy]\nkinetic = \"%s\"\n", last);
    accept(&text);
}

static void doubling_definitions_stay_small(void **state)
{
    (void)state;
    sixty_levels(point, "x'", "#*#/2 + 0.1", "d60");
    sixty_levels(point, "x", "#*#/2 + 0.1", "d60*x'^2");
    sixty_levels(point, "x", "#*#/2 + 0.1", "d60'^2");
    sixty_levels(point, "x'", "sin(#)*cos(#) + # - #^2", "d60 + x'^2");
}

static void doubling_vectors_stay_small(void **state)
{
    static const char vector[] =
        "[coordinates]\n"
        "a = { value = [0.1, 0.2, 0.3], velocity = [1, 2, 3] }\n";
    (void)state;
    sixty_levels(vector, "a'", "(cross(#, [0.1, 0.2, #[1]]) + #*norm2(#))/(1 + norm2(#))",
                 "norm2(d60) + norm2(a')");
    sixty_levels(vector, "a", "(# + cross(#, a) + #*dot(#, #))/(2 + norm2(#))",
                 "norm2(d60')");
}

/* Every sum is a summand of the next two: written out they would have 1e12 terms. F_k sin(0.5) + F_(k+1) cos(0.5)
 * is what comes out, with the Fibonacci numbers F_60 and F_61. */
static void sums_of_sums_stay_small(void **state)
{
    enum { LEVELS = 61 };
    lv_text text = {0};
    lv_error err;
    lv_model *model = NULL;
    lv_inspection *facts = NULL;
    (void)state;
    lv_text_append(&text, "%s[definitions]\nd0 = \"sin(x)\"\nd1 = \"cos(x)\"\n", point);
    for (int k = 2; k <= LEVELS; k++)
        lv_text_append(&text, "d%d = \"d%d + d%d\"\n", k, k - 1, k - 2);
    lv_text_append(&text, "%spotential = \"d%d\"\n", energy, LEVELS);
    if (lv_model_parse(&model, "test", text.data, (size_t)text.count, NULL, 0, &err) !=
            LV_OK ||
        lv_model_inspect(&facts, model, &err) != LV_OK)
        fail_with(&err);
    assert_close(facts->energy,
                 0.125 + 1548008755920.0 * sin(0.5) + 2504730781961.0 * cos(0.5), 1e-3);
    assert_int_equal(facts->momentum_count, 0);
    lv_inspection_free(facts);
    lv_model_free(model);
    lv_text_done(&text);
}

/* The same sum in itself and in a function of it, or times a coordinate. */
static void sums_that_are_used_twice_stay_small(void **state)
{
    static const char *const more[][2] = {
        {"sin(", ")"}, {"x*", "/9"}, {"", "^2/9"}, {"max(x, ", ")"}};
    enum { LEVELS = 150 };
    (void)state;
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        lv_text text = {0};
        lv_text_append(&text, "%s[definitions]\nd0 = \"x/1e9\"\n", point);
        for (int level = 1; level <= LEVELS; level++)
            lv_text_append(&text, "d%d = \"(d%d + %sd%d%s)/2\"\n", level, level - 1,
                           more[k][0], level - 1, more[k][1]);
        lv_text_append(&text, "%spotential = \"d%d\"\n", energy, LEVELS);
        accept(&text);
    }
}

static void nested_conditionals_stay_small(void **state)
{
    (void)state;
    sixty_levels(point, "x'", "if(x > 0.1, sin(#), cos(#) + #^2)", "d60 + x'^2");
    sixty_levels(point, "x'", "if(x > 0.1, #*x, #^2/2) + if(x > 0.1, sin(#), #)",
                 "d60 + x'^2");
    sixty_levels(point, "x'", "if(# > 0.1, #*x, min(#, x))", "d60 + x'^2");
    sixty_levels(point, "x", "max(#, #*x, abs(#))", "d60'^2 + x'^2");
}

/* A square of a sum of squares has a full Hessian: 2000 coordinates are too many. */
static void dense_hessians_are_limited(void **state)
{
    lv_text text = {0};
    (void)state;
    lv_text_append(&text, "[coordinates]\na = { value = [0");
    repeat(&text, ", 0", 1999);
    lv_text_append(&text, "], velocity = [1");
    repeat(&text, ", 1", 1999);
    lv_text_append(&text, "] }\n[energy]\nkinetic = \"norm2(a')^2\"\n");
    refuse_as(&text, LV_ERR_LIMIT, "need more than");
}

static void long_vectors_are_handled(void **state)
{
    lv_text text = {0};
    (void)state;
    lv_text_append(&text, "[parameters]\nb = [1");
    repeat(&text, ", 1", 100000);
    lv_text_append(&text, "]\n%s%spotential = \"norm2(b)*x + norm2(b + b)\"\n", point,
                   energy);
    accept(&text);
}

/* ---- large families ------------------------------------------------------------------------ */

static lv_status family(const char *count, const char *range, lv_error *err)
{
    lv_text text = {0};
    lv_text_append(&text,
                   "[coordinates]\nx = 1\nq = { count = %s, value = 0 }\n"
                   "[energy]\nkinetic = \"x'^2\"\n"
                   "[energy.q]\nfor = \"%s\"\nkinetic = \"q_1'^2 + x'^2*i\"\n",
                   count, range);
    return outcome(&text, err);
}

static void large_families_are_handled_or_refused(void **state)
{
    lv_error err;
    (void)state;
    assert_int_equal(family("1", "i = 1..1000000", &err), LV_OK);
    assert_int_equal(family("1", "i = 1..10000000000", &err), LV_ERR_MODEL);
    assert_int_equal(family("1", "i = 1..1000000000", &err), LV_ERR_LIMIT);
    assert_int_equal(family("1", "i = 1..100000, j = 1..100000", &err), LV_ERR_LIMIT);
    assert_int_equal(family("1", "i = 1..1000000000, j = i+1..i", &err), LV_ERR_LIMIT);
    assert_int_equal(family("1", "i = 1..1000000000, j = i..i", &err), LV_ERR_LIMIT);
    assert_int_equal(family("1", "i = 1..1000000000, j = 1..0", &err), LV_ERR_MODEL);
    assert_string_equal(err.text, "'q_1' occurs in no energy, constraint or force");
    assert_int_equal(family("1", "i = -1000000000..1000000000", &err), LV_ERR_LIMIT);
    assert_int_equal(family("1e9", "i = 1..1", &err), LV_ERR_MODEL);
    assert_int_equal(family("2", "i = 1..1", &err), LV_ERR_MODEL);
    assert_string_equal(err.text, "'q_2' occurs in no energy, constraint or force");
}

/* Twelve slots in twenty million instances are more than the model may have. */
static void slots_of_all_instances_are_limited(void **state)
{
    lv_text text = {0};
    (void)state;
    lv_text_append(&text, "[coordinates]\nq = { count = 12, value = 0 }\n"
                          "[energy.q]\nfor = \"i = 1..20000000\"\nkinetic = \"(q_1");
    for (int k = 2; k <= 12; k++)
        lv_text_append(&text, " + q_%d", k);
    lv_text_append(&text, ")'^2\"\n");
    refuse_as(&text, LV_ERR_LIMIT, "counted in every instance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_chain_of_parameters_in_order_is_handled),
        RUN(a_chain_of_parameters_backwards_is_too_deep),
        RUN(a_chain_of_unused_definitions_in_order_is_handled),
        RUN(a_chain_of_definitions_in_use_is_too_deep),
        RUN(a_chain_of_definitions_backwards_is_too_deep),
        RUN(many_coordinates_definitions_and_terms_are_handled),
        RUN(many_parameters_and_terms_are_handled),
        RUN(a_coordinate_that_nothing_uses_is_found_among_many),
        RUN(long_sums_are_wide_not_deep),
        RUN(a_formula_beyond_a_megabyte_is_refused),
        RUN(many_different_terms_in_one_formula_are_handled),
        RUN(deep_nesting_is_refused),
        RUN(many_primes_and_indices_are_refused),
        RUN(doubling_definitions_stay_small),
        RUN(doubling_vectors_stay_small),
        RUN(sums_of_sums_stay_small),
        RUN(sums_that_are_used_twice_stay_small),
        RUN(nested_conditionals_stay_small),
        RUN(dense_hessians_are_limited),
        RUN(long_vectors_are_handled),
        RUN(large_families_are_handled_or_refused),
        RUN(slots_of_all_instances_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
