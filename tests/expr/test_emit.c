#include "base/memory.h"
#include "base/text.h"
#include "check.h"
#include "deny.h"
#include "emit_cases.h"
#include "expr/emit.h"

/* Written by emit_cases when the tests are built. */
extern void (*const emitted[])(const double *const in[], double *out);

static lv_program *compiled(const lv_graph *g, const lv_node *outputs, int count)
{
    lv_program *p = NULL;
    assert_int_equal(lv_program_compile(&p, g, outputs, count, &random_layout, NULL),
                     LV_OK);
    return p;
}

static void emitted_functions_give_the_bits_of_the_interpreter(void **state)
{
    (void)state;
    for (int number = 0; number < EMIT_CASES; number++) {
        lv_node outputs[RANDOM_OUTPUTS];
        double expected[RANDOM_OUTPUTS], got[RANDOM_OUTPUTS];
        int count = 0;
        random_source r = {(uint64_t)number};
        random_point point;
        lv_graph *g = emit_case(number, outputs, &count);
        lv_program *p = compiled(g, outputs, count);
        for (int k = 0; k < 200; k++) {
            random_point_fill(&point, &r);
            assert_int_equal(lv_program_evaluate(p, expected, point.in, NULL), LV_OK);
            emitted[number](point.in, got);
            for (int i = 0; i < count; i++)
                if (!same_bits(got[i], expected[i]))
                    fail_msg("case %d, output %d: %.17g, not %.17g", number, i, got[i],
                             expected[i]);
        }
        lv_program_free(p);
        lv_graph_free(g);
    }
}

static void emitted_text_is_readable(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), t = lv_graph_input(g, LV_INPUT_T, 0);
    lv_node two = lv_graph_const(g, 2), f = lv_graph_mul(g, two, x);
    f = lv_graph_op(g, LV_OP_MAX, f, t, 0);
    lv_node h = lv_graph_op(g, LV_OP_ABS, t, 0, 0);
    const lv_node outputs[] = {f, h};
    lv_program *p = NULL;
    const lv_layout layout = {{1, 0, 1, 0, 0, 0, 0}};
    assert_int_equal(lv_program_compile(&p, g, outputs, 2, &layout, NULL), LV_OK);
    lv_text text = {0};
    lv_emit_function(&text, p, "f");
    assert_false(text.failed);
    assert_string_equal(text.data, "void f(const double *const in[], double *out)\n"
                                   "{\n"
                                   "    const double s0 = in[0][0];\n"
                                   "    const double s1 = in[2][0];\n"
                                   "    const double s2 = 2.0;\n"
                                   "    double s5 = s2 *s0;\n"
                                   "    double s4 = fabs(s1);\n"
                                   "    double s3 = s5 < s1 ? s1 : s5;\n"
                                   "    out[0] = s3;\n"
                                   "    out[1] = s4;\n"
                                   "}\n");
    lv_text_done(&text);
    lv_program_free(p);
    lv_graph_free(g);
}

static lv_status emit_it(void *user, lv_error *err)
{
    lv_text text = {0};
    lv_emit_function(&text, user, "f");
    lv_status status = text.failed ? lv_fail_memory(err) : LV_OK;
    lv_text_done(&text);
    return status;
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    lv_node outputs[RANDOM_OUTPUTS];
    int count = 0;
    lv_graph *g = emit_case(5, outputs, &count);
    lv_program *p = compiled(g, outputs, count);
    lv_deny_sweep(emit_it, p);
    lv_program_free(p);
    lv_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(emitted_functions_give_the_bits_of_the_interpreter),
        RUN(emitted_text_is_readable),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
