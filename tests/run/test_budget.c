/* Small models of large systems are refused before they take the machine's memory, wherever the size comes from. */
#include "check.h"

#include <livens/livens.h>
#include <string.h>

static const size_t budget = (size_t)100 << 20;

typedef struct bomb {
    const char *text;
    int line; /* of what makes it large */
} bomb;

#define MOVES "[energy.k]\nfor = 'i = 1..N'\nkinetic = \"x_i'^2/2\"\n"

/* Refused while they are read: nothing is made before it is known to fit. */
static const bomb when_read[] = {
    {"[coordinates]\nx = { count = 40000000, value = 0 }\n"
     "[energy.a]\nfor = 'i = 1..40000000'\nkinetic = \"x_i'^2/2\"\n",
     2},
    {"[coordinates]\nx = { count = 10000000, value = [1, 2, 'i'] }\n"
     "[energy.a]\nfor = 'i = 1..10000000'\nkinetic = \"norm2(x_i')\"\n",
     2},
    {"[coordinates]\nx = 0\n[energy.a]\nfor = 'i = 1..7000, j = 1..7000'\nkinetic = "
     "\"x'^2\"\n",
     4},
    {"[coordinates]\nx = 0\n[energy.a]\nfor = 'i = 1..9999, j = 1..i'\nkinetic = "
     "\"x'^2\"\n",
     4},
    {"[coordinates]\nx = 0\n[energy.a]\nfor = 'i=1..9, j=1..9, k=1..9, l=1..9, m=1..9, "
     "n=1..9, o=1..9'\n"
     "kinetic = \"x'^2\"\n",
     4},
    {"[particles.p]\ncount = 2000000\nmass = 1\nposition = ['i', 0, 0]\n", 2},
    {"[bodies.b]\ncount = 12000\nmass = 1\ninertia = [1, 1, 1]\nposition = ['i', 0, 0]\n",
     2},
    {"[parameters]\nN = 700\n[coordinates]\nx = { count = 'N', value = 1 }\n" MOVES
     "[constraints.c]\nfor = 'i = 1..N, j = 1..N'\nholonomic = 'x_i - x_j'\n",
     9},
    {"[parameters]\nN = 400\n[coordinates]\nx = { count = 'N', value = 1 }\ny = { count "
     "= "
     "'N', value = 1 }\n" MOVES "[energy.l]\nfor = 'i = 1..N'\nkinetic = \"y_i'^2/2\"\n"
     "[constraints.c]\nfor = 'i = 1..N, j = 1..N'\nnonholonomic = \"x_i' - y_j'*x_j\"\n",
     13},
};

/* Constraints whose factors fill up: known when their matrices are made. A lattice of rods. */
static const bomb when_inspected[] = {
    {"[parameters]\nS = 18\n"
     "[particles.p]\ncount = 'S^3'\nmass = 1\nposition = ['i', 'sin(i)', 'cos(2*i)']\n"
     "[rods.a]\nfor = 'i = 1..S-1, j = 1..S, k = 1..S'\n"
     "between = ['p_{i+S*(j-1)+S^2*(k-1)}', 'p_{i+1+S*(j-1)+S^2*(k-1)}']\n"
     "[rods.b]\nfor = 'i = 1..S, j = 1..S-1, k = 1..S'\n"
     "between = ['p_{i+S*(j-1)+S^2*(k-1)}', 'p_{i+S*j+S^2*(k-1)}']\n"
     "[rods.c]\nfor = 'i = 1..S, j = 1..S, k = 1..S-1'\n"
     "between = ['p_{i+S*(j-1)+S^2*(k-1)}', 'p_{i+S*(j-1)+S^2*k}']\n",
     4},
};

static void assert_refused(lv_status status, const lv_error *err, int line)
{
    char text[4096];
    lv_error_write(err, text, sizeof text);
    if (status != LV_ERR_LIMIT || err->code != LV_ERR_LIMIT ||
        err->why != LV_WHY_BUDGET || err->line != line || !strstr(err->text, "iB") ||
        !strstr(err->hint, "--memory"))
        fail_msg("expected a failure of the budget at line %d:\n%s", line, text);
}

static void models_that_cannot_fit_are_refused_where_they_say_so(void **state)
{
    (void)state;
    lv_memory_set_budget(budget);
    const size_t before = lv_memory_used();
    for (size_t k = 0; k < sizeof when_read / sizeof *when_read; k++) {
        lv_error err;
        lv_model *model = NULL;
        lv_status status = lv_model_parse(&model, "bomb", when_read[k].text,
                                          strlen(when_read[k].text), NULL, 0, &err);
        assert_refused(status, &err, when_read[k].line);
        assert_null(model);
        assert_true(lv_memory_used() < before + (1 << 16));
    }
    lv_memory_set_budget(0);
}

/* Everything that `livens check` asks. */
static lv_status check(const lv_model *model, lv_error *err)
{
    lv_inspection *facts = NULL;
    bool fits[64] = {false}, kept[64 * 8] = {false};
    lv_status status = lv_model_inspect(&facts, model, err);
    if (status == LV_OK) {
        assert_true(facts->momentum_count <= 8);
        status = lv_inspection_survey_schemes(facts, fits, 64, kept, err);
    }
    lv_inspection_free(facts);
    return status;
}

static void matrices_that_cannot_fit_are_refused_and_leave_nothing(void **state)
{
    (void)state;
    lv_memory_set_budget(budget);
    for (size_t k = 0; k < sizeof when_inspected / sizeof *when_inspected; k++) {
        lv_error err;
        lv_model *model = NULL;
        const size_t before = lv_memory_used();
        assert_int_equal(lv_model_parse(&model, "bomb", when_inspected[k].text,
                                        strlen(when_inspected[k].text), NULL, 0, &err),
                         LV_OK);
        assert_refused(check(model, &err), &err, when_inspected[k].line);
        lv_model_free(model);
        assert_true(lv_memory_used() < before + (1 << 16));
    }
    lv_memory_set_budget(0);
}

static void simulations_that_cannot_fit_are_refused(void **state)
{
    (void)state;
    static const char text[] =
        "[parameters]\nN = 20000\n[coordinates]\nx = { count = 'N', value = 'i' }\n" MOVES
        "[energy.b]\nfor = 'i = 2..N'\npotential = '(x_i - x_{i-1})^4'\n";
    lv_error err;
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    assert_int_equal(lv_model_parse(&model, "wide", text, strlen(text), NULL, 0, &err),
                     LV_OK);
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "gauss";
    lv_scheme_option_set(&options.options, LV_OPTION_STAGES, 20);
    options.step = 0.1;
    lv_memory_set_budget(budget);
    assert_refused(lv_sim_create(&sim, model, &options, &err), &err, 4);
    assert_null(sim);
    lv_memory_set_budget(0);
    lv_model_free(model);
}

/* What implicit schemes add to terms of pairs, or to constraints, is known before it is made. */
static void matrices_of_steps_are_foreseen(void **state)
{
    static const char pairs[] =
        "[parameters]\nN = 300\n[coordinates]\n"
        "x = { count = 'N', value = ['i', 0, 0] }\n"
        "[energy.k]\nfor = 'i = 1..N'\nkinetic = \"norm2(x_i')/2\"\n[energy.pair]\n"
        "for = 'i = 1..N, j = 1..N'\npotential = 'norm2(x_i - x_j)^2'\n";
    static const char rows[] =
        "[parameters]\nN = 20000\n[coordinates]\nx = { count = 'N', value = 1 }\n" MOVES
        "[constraints.c]\nfor = 'i = 2..N'\nholonomic = '(x_i - x_{i-1})*x_i'\n";
    static const struct {
        const char *text, *scheme;
        size_t room; /* MiB */
    } list[] = {{pairs, "em", 75}, {pairs, "gauss", 75}, {rows, "em", 150}};
    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        lv_error err;
        lv_model *model = NULL;
        lv_sim *sim = NULL;
        assert_int_equal(lv_model_parse(&model, "wide", list[k].text,
                                        strlen(list[k].text), NULL, 0, &err),
                         LV_OK);
        lv_sim_options options = lv_sim_options_default(model);
        options.scheme = list[k].scheme;
        options.step = 0.1;
        lv_memory_set_budget(lv_memory_used() + (list[k].room << 20));
        assert_refused(lv_sim_create(&sim, model, &options, &err), &err, 9);
        if (!strstr(err.text, "the matrices of steps") ||
            !strstr(err.text, "need at least"))
            fail_msg("%s: %s", list[k].scheme, err.text);
        options.scheme = "rattle"; /* needs no second derivatives */
        if (list[k].text == pairs)
            assert_int_equal(lv_sim_create(&sim, model, &options, &err), LV_OK);
        lv_sim_free(sim);
        lv_memory_set_budget(0);
        lv_model_free(model);
    }
}

/* A budget that is large enough changes nothing. */
static void a_model_that_fits_is_read(void **state)
{
    (void)state;
    lv_error err;
    lv_model *model = NULL;
    const lv_setting setting = {"N", "3000"};
    lv_memory_set_budget(budget);
    assert_int_equal(lv_model_read(&model, "chain", &setting, 1, &err), LV_OK);
    assert_int_equal(check(model, &err), LV_OK);
    lv_model_free(model);
    lv_memory_set_budget(0);
}

/* Constraints that share one coordinate need no full matrix. */
static void many_constraints_on_one_coordinate_fit(void **state)
{
    static const char text[] =
        "[parameters]\nN = 20000\n[coordinates]\nx = { count = 'N', value = 1 }\n" MOVES
        "[constraints.c]\nfor = 'i = 2..N'\nholonomic = 'x_i - x_1'\n";
    (void)state;
    lv_error err;
    lv_model *model = NULL;
    lv_memory_set_budget(budget);
    assert_int_equal(lv_model_parse(&model, "hub", text, strlen(text), NULL, 0, &err),
                     LV_OK);
    assert_int_equal(check(model, &err), LV_OK);
    lv_model_free(model);
    lv_memory_set_budget(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(models_that_cannot_fit_are_refused_where_they_say_so),
        RUN(matrices_that_cannot_fit_are_refused_and_leave_nothing),
        RUN(simulations_that_cannot_fit_are_refused),
        RUN(matrices_of_steps_are_foreseen),
        RUN(a_model_that_fits_is_read),
        RUN(many_constraints_on_one_coordinate_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
