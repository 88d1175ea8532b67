/* Models with other values of parameters, without reading their text, have the numbers of models that were read. */
#include "base/text.h"
#include "deny.h"
#include "expr/function.h"
#include "model/alike.h"
#include "model/revalue.h"
#include "model/shipped.h"
#include "num/random.h"
#include "reading.h"

#include <stdlib.h>

/* ---- comparison ------------------------------------------------------------------------------------------ */

static void assert_same(const double *a, const double *b, int count, const char *what)
{
    if (count > 0 && memcmp(a, b, (size_t)count * sizeof *a) != 0)
        fail_msg("%s differ", what);
}

static void assert_same_data(const lv_kernel *a, const lv_kernel *b)
{
    const int rows = a->data_stride > 0 ? a->instance_count : 1;
    if (a->data)
        assert_same(a->data, b->data, rows * a->data_count, "data");
}

static void assert_same_run(const lv_run_options *a, const lv_run_options *b)
{
    assert_true(a->step == b->step && a->until == b->until && a->sample == b->sample);
    assert_true(a->every == b->every && a->project == b->project && a->ends == b->ends);
    assert_memory_equal(&a->options, &b->options, sizeof a->options);
}

static void assert_same_models(const lv_model *a, const lv_model *b)
{
    if (!lv_model_is_alike(a, b))
        fail_msg("%s: other kernels", a->source.name);
    assert_same(a->parameter_values.data, b->parameter_values.data,
                a->parameter_values.count, "parameters");
    assert_same(a->input_values, b->input_values, a->input_count, "inputs");
    assert_same(a->start_q, b->start_q, a->coordinate_count, "positions");
    assert_same(a->start_v, b->start_v, a->coordinate_count, "velocities");
    assert_same(a->references, b->references, LV_TURN_NUMBERS * a->turn_count,
                "references");
    for (int k = 0; k < a->kernels.count; k++)
        assert_same_data(&a->kernels.data[k], &b->kernels.data[k]);
    assert_same_run(&a->run, &b->run);
}

/* ---- models of livens ------------------------------------------------------------------------------------ */

enum { SETTINGS_MOST = 60, WHICH = 4, ROUNDS = SLOW ? 3 : 6 };

/* Settings of half of the parameters that are numbers and no sizes, near those of the model; in every third round
 * wherever numbers can be. */
static int draw_settings(lv_setting *settings, char (*texts)[LV_NUMBER_SIZE],
                         const lv_model *m, int which, int round)
{
    int count = 0;
    for (int k = 0; k < m->parameters.count && count < SETTINGS_MOST; k++) {
        const lv_parameter *p = &m->parameters.data[k];
        const lv_draw draw = {7, p->item->name, (uint32_t)round, 0};
        const double old = m->parameter_values.data[p->first],
                     wild = 4 * lv_random_normal(&draw);
        if (p->structural || p->length > 0 || (k + which) % WHICH > 1)
            continue;
        const double value =
            round % 3 == 2 ? wild : old * (0.99 + 0.02 * lv_random_uniform(&draw));
        settings[count] =
            (lv_setting){p->item->name, lv_number_format(value, texts[count])};
        count++;
    }
    return count;
}

typedef struct tally {
    int models, revalued, read, refused;
} tally;

/* The parameters of a model, without all else. */
static lv_model *read_parameters(const lv_model *first, const lv_setting *settings,
                                 int count)
{
    static const char rest[] = "[coordinates]\nfree_ = 1\n[energy]\nkinetic = "
                               "\"free_'^2\"\n";
    char text[8000];
    lv_model *m = NULL;
    const char *begin = strstr(first->source.text, "\n[parameters]") + 1;
    const char *next = strstr(begin, "\n[");
    (void)snprintf(text, sizeof text, "%.*s%s", next ? (int)(next + 1 - begin) : 7000,
                   begin, rest);
    return lv_model_parse(&m, "test", text, strlen(text), settings, count, NULL) == LV_OK
               ? m
               : NULL;
}

/* What reading refuses is not taken; false: the parameters themselves have no values. */
static bool is_refused(lv_model *m, const lv_model *first, const lv_setting *settings,
                       int count)
{
    lv_model *values = read_parameters(first, settings, count);
    if (!values)
        return false;
    assert_int_equal(values->parameters.count, m->parameters.count);
    if (lv_model_revalue(m, values, values->parameter_values.data))
        fail_msg("%s: reading refuses these values", first->source.name);
    lv_model_free(values);
    return true;
}

static void try_settings(tally *t, lv_model *m, const lv_model *first, int which,
                         int round)
{
    lv_setting settings[SETTINGS_MOST];
    char texts[SETTINGS_MOST][LV_NUMBER_SIZE];
    lv_model *read = NULL;
    const int count = draw_settings(settings, texts, first, which, round);
    if (lv_model_read(&read, first->source.name, settings, count, NULL) != LV_OK) {
        t->refused += is_refused(m, first, settings, count);
        return;
    }
    t->read++;
    if (lv_model_revalue(m, read, read->parameter_values.data)) {
        t->revalued++;
        assert_same_models(read, m);
    }
    lv_model_free(read);
}

/* Each of them with settings of the same parameters. */
static void try_parameters(tally *t, const lv_model *first, int which)
{
    lv_setting settings[SETTINGS_MOST];
    char texts[SETTINGS_MOST][LV_NUMBER_SIZE];
    lv_model *m = NULL;
    const int count = draw_settings(settings, texts, first, which, 0);
    if (count == 0 ||
        lv_model_read_revaluable(&m, first, settings, count, NULL) != LV_OK || !m)
        return;
    for (int round = 0; round < ROUNDS; round++)
        try_settings(t, m, first, which, round);
    lv_model_free(m);
}

static void try_model(tally *t, const char *name)
{
    lv_model *first = NULL;
    lv_error err;
    if (lv_model_read(&first, name, NULL, 0, &err) != LV_OK)
        fail_with(&err);
    t->models += first->parameters.count > 0;
    for (int which = 0; first->parameters.count > 0 && which < WHICH; which++)
        try_parameters(t, first, which);
    lv_model_free(first);
}

static void numbers_of_shipped_models_are_those_of_reading(void **state)
{
    tally t = {0};
    (void)state;
    for (const lv_shipped_entry *e = lv_shipped_table; e->name; e++)
        if (strcmp(e->name, "cloth") != 0) /* it takes seconds */
            try_model(&t, e->name);
    printf("%d models, read %d times, %d of these without reading; %d refused\n",
           t.models, t.read, t.revalued, t.refused);
    assert_true(t.models > 20);
    assert_above((double)t.revalued, 0.9 * t.read);
    assert_true(SLOW || t.refused > 10);
}

/* ---- what reading refuses, or makes otherwise ------------------------------------------------------------- */

typedef struct case_of {
    const char *text, *setting, *value;
    bool expected;
} case_of;

#define POINT                                                                            \
    "[coordinates]\nx = { value = \"a\", velocity = 1 }\n[energy]\nkinetic = "           \
    "\"x'^2/2\"\npotential = \"x^2\"\n"
#define BALL "[particles.ball]\nmass = \"a\"\nposition = [1, 2, 3]\n"
#define PAIR                                                                             \
    "[coordinates]\nx = { count = 2, value = 1 }\n[energy.all]\nfor = \"i = "            \
    "1..2\"\nkinetic = \"x_i'^2/2\"\n"

static const case_of cases[] = {
    {"[parameters]\na = 1\n" POINT, "a", "-3.5", true},
    {"[parameters]\na = 1\nb = \"a^2\"\n" POINT
     "[run]\nstep = \"b/8\"\nuntil = \"9*b\"\n",
     "a", "3", true},
    {"[parameters]\na = 1\n" POINT "[run]\nstep = \"a\"\n", "a", "-1", false},
    {"[parameters]\na = 1\n" POINT "[run]\nevery = \"a\"\n", "a", "2", false},
    {"[parameters]\na = 1\nb = \"sqrt(a)\"\n" POINT, "a", "4", true},
    {"[parameters]\na = 1\n[coordinates]\nx = { value = \"log(a)\" }\n[energy]\nkinetic "
     "= "
     "\"x'^2\"\n",
     "a", "-1", false},
    {"[parameters]\na = 1\n" BALL, "a", "2", true},
    {"[parameters]\na = 1\n" BALL, "a", "-2", false},
    {"[parameters]\nn = 2\n[coordinates]\nx = { count = \"n\", value = 1 "
     "}\n[energy.all]\nfor = \"i = 1..n\"\nkinetic = \"x_i'^2/2\"\n",
     "n", "3", false},
    {"[parameters]\na = 1\nl = [1, 2]\n[particles.p]\ncount = 2\nmass = "
     "\"l[i]*a\"\nposition = [\"i\", 0, 0]\n",
     "a", "3", true},
    {"[parameters]\na = 1\n[particles.p]\ncount = 2\nmass = \"1 + "
     "(i-1)*a\"\nposition = [\"i\", 0, 0]\n",
     "a", "0", false}, /* all have one mass then */
    {"[parameters]\na = 1\nl = [1, 2]\n" PAIR "[energy.spring]\npotential = "
     "\"l[a]*x_1^2\"\n",
     "a", "2", true}, /* the component is a number of the kernel, */
    {"[parameters]\na = 1\nl = [1, 2]\n" PAIR "[energy.spring]\npotential = "
     "\"l[a]*x_1^2\"\n",
     "a", "3", false}, /* and has to be there */
    {"[parameters]\na = 1\n" PAIR "[energy.spring]\npotential = \"x_{a}^2\"\n", "a", "2",
     false},
};

static void what_reading_would_make_otherwise_is_left_to_reading(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const case_of *c = &cases[k];
        const lv_setting setting = {c->setting, c->value};
        const lv_setting before = {c->setting, c->setting[0] == 'n' ? "2" : "1"};
        lv_model *first = NULL, *m = NULL, *read = NULL;
        double values[10] = {0};
        first = read_with(c->text, &before, 1);
        assert_int_equal(lv_model_read_revaluable(&m, first, &before, 1, NULL), LV_OK);
        const bool good = lv_model_parse(&read, "test", c->text, strlen(c->text),
                                         &setting, 1, NULL) == LV_OK;
        for (int j = 0; j < first->parameter_values.count; j++)
            values[j] =
                good ? read->parameter_values.data[j] : first->parameter_values.data[j];
        if (!good)
            values[0] = strtod(c->value, NULL);
        if (lv_model_revalue(m, good ? read : first, values) != c->expected)
            fail_msg("case %d: %s expected", (int)k,
                     c->expected ? "numbers were" : "a refusal was");
        if (c->expected)
            assert_same_models(read, m);
        /* A refusal leaves nothing behind. */
        assert_true(lv_model_revalue(m, first, first->parameter_values.data));
        assert_same_models(first, m);
        lv_model_free(read);
        lv_model_free(m);
        lv_model_free(first);
    }
}

static void models_that_change_otherwise_are_not_taken(void **state)
{
    static const char *const texts[] = {
        "[parameters]\na = 1\n[coordinates]\nx = 1\n[energy]\nhamiltonian = \"p_x^2/2 + "
        "a*x^2\"\n",
        "[parameters]\na = 1\n" POINT "[events.end]\nwhen = \"x - a - 1\"\nstop = "
        "true\n",
    };
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        lv_model *first = read_text(texts[k]), *m = NULL;
        assert_int_equal(lv_model_read_revaluable(&m, first, NULL, 0, NULL), LV_OK);
        assert_null(m);
        lv_model_free(first);
    }
}

/* ---- numbers of kernels ----------------------------------------------------------------------------------- */

/* What is computed from numbers of kernels is computed again exactly if one of these has changed. */
static void editions_count_changes_of_numbers_that_kernels_use(void **state)
{
    static const char text[] =
        "[parameters]\nk = 1\nw = 1\n[coordinates]\nx = { value = 0, velocity = \"w\" }\n"
        "[energy]\nkinetic = \"x'^2/2\"\npotential = \"k*x^2/2\"\n";
    const lv_setting start = {"w", "2"}, energy = {"k", "3"};
    lv_model *m = read_text(text), *starts = read_with(text, &start, 1),
             *energies = read_with(text, &energy, 1);
    (void)state;
    lv_model_take_numbers(m, starts);
    assert_int_equal(m->edition, 0);
    assert_same_models(m, starts);
    lv_model_take_numbers(m, energies);
    assert_int_equal(m->edition, 1);
    assert_same_models(m, energies);
    lv_model_take_numbers(m, energies);
    assert_int_equal(m->edition, 1);
    lv_model_free(m);
    lv_model_free(starts);
    lv_model_free(energies);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static lv_status read_and_revalue(void *user, lv_error *err)
{
    const double values[] = {2};
    lv_model *m = NULL;
    LV_TRY(lv_model_read_revaluable(&m, user, NULL, 0, err));
    assert_true(lv_model_revalue(m, user, values));
    lv_model_free(m);
    return LV_OK;
}

static void nothing_leaks_without_memory(void **state)
{
    lv_model *first = read_text("[parameters]\na = 1\n" BALL);
    (void)state;
    lv_deny_sweep(read_and_revalue, first);
    lv_model_free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(numbers_of_shipped_models_are_those_of_reading),
        RUN(what_reading_would_make_otherwise_is_left_to_reading),
        RUN(models_that_change_otherwise_are_not_taken),
        RUN(editions_count_changes_of_numbers_that_kernels_use),
        RUN(nothing_leaks_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
