/* Parts as machine code: the same bits as from the interpreter, whatever the user wrote. */
#include "../model/reading.h"
#include "expr/native.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMES = 64, STEPS = 50 };

static lv_sim *start(const lv_model *model, const char *scheme, bool compiled)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.initial = LV_INITIAL_PROJECT;
    options.step = 0.01;
    lv_native_enable(compiled);
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_msg("%s: %s", scheme, err.text);
    lv_native_enable(true);
    return sim;
}

static void expect_same(const char *name, const char *scheme, const double *a,
                        const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (memcmp(&a[k], &b[k], sizeof *a) != 0)
            fail_msg("%s, %s: coordinate %d is %.17g, interpreted %.17g", name, scheme, k,
                     a[k], b[k]);
}

static void run_both(const lv_model *model, const char *name, const char *scheme)
{
    lv_error err;
    int n = lv_model_coordinate_count(model);
    lv_sim *compiled = start(model, scheme, true), *plain = start(model, scheme, false);
    for (int k = 0; k < STEPS; k++) {
        lv_status status = lv_sim_step(compiled, &err);
        if (status != LV_OK)
            fail_msg("%s, %s: %s", name, scheme, err.text);
        assert_int_equal(lv_sim_step(plain, &err), LV_OK);
    }
    expect_same(name, scheme, lv_sim_position(compiled), lv_sim_position(plain), n);
    expect_same(name, scheme, lv_sim_velocity(compiled), lv_sim_velocity(plain), n);
    expect_same(name, scheme, lv_sim_momentum(compiled), lv_sim_momentum(plain), n);
    assert_true(lv_sim_energies(compiled).total == lv_sim_energies(plain).total);
    lv_sim_free(compiled);
    lv_sim_free(plain);
}

typedef void (*visit_scheme)(const lv_model *model, const char *name, const char *scheme);

/* Calls with every scheme that takes the model; returns how many. */
static int each_scheme(const lv_model *model, const char *name, visit_scheme visit)
{
    bool fits[SCHEMES] = {false};
    lv_error err;
    lv_scheme_info info;
    int count = 0;
    assert_int_equal(lv_model_fitting_schemes(model, fits, SCHEMES, &err), LV_OK);
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        if (fits[k]) {
            visit(model, name, info.name);
            count++;
        }
    return count;
}

static void kernels_give_the_bits_of_the_interpreter(void **state)
{
    (void)state;
    int runs = 0;
    for (int k = 0; k < reference_count(); k++) {
        lv_model *model = NULL;
        lv_error err;
        char name[40];
        if (reference_model(&model, k, name, &err) != LV_OK)
            fail_msg("%s: %s", name, err.text);
        runs += each_scheme(model, name, run_both);
        lv_model_free(model);
    }
    assert_true(runs >= 6 * reference_count());
}

/* ---- one kernel after the other ------------------------------------------------------------- */

static uint64_t random_state = 1;

/* Between -2 and 2. */
static double random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return (double)(random_state >> 11) * 0x1p-51 - 2;
}

/* MAIN of a program and its kernel on the same random numbers. */
static void compare_lanes(const lv_program *p, const lv_native *kernel, int lanes)
{
    size_t size = (size_t)p->slots * (size_t)lanes;
    double *w = calloc(2 * size, sizeof *w), *other = w + size;
    assert_non_null(w);
    for (size_t k = 0; k < size; k++)
        w[k] = random_number();
    lv_program_load(p, w, lanes);
    memcpy(other, w, size * sizeof *w);
    lv_program_run(p, LV_SEGMENT_MAIN, w, lanes);
    (lanes == 1 ? kernel->point : kernel->block)(other, other);
    for (int k = 0; k < p->output_count; k++)
        for (int l = 0; l < lanes; l++) {
            int at = p->output[k] * lanes + l;
            if (memcmp(&w[at], &other[at], sizeof *w) != 0 &&
                !(isnan(w[at]) && isnan(other[at])))
                fail_msg("output %d of lane %d is %.17g, interpreted %.17g", k, l,
                         other[at], w[at]);
        }
    free(w);
}

static bool seen[4096];

static void compare_program(void *user, const lv_program *p)
{
    (void)user;
    lv_signature s = {0};
    assert_int_equal(lv_native_sign(&s, p, NULL), LV_OK);
    const lv_native *kernel = lv_native_find(lv_native_table, lv_native_count, &s);
    LV_ARRAY_FREE(s);
    if (p->operations == 0)
        return;
    assert_non_null(kernel);
    assert_null(p->native);
    if (seen[kernel - lv_native_table])
        return;
    seen[kernel - lv_native_table] = true;
    compare_lanes(p, kernel, 1);
    compare_lanes(p, kernel, LV_LANES);
}

static void compare_programs(const lv_model *model, const char *name, const char *scheme)
{
    (void)name;
    lv_native_observe(compare_program, NULL);
    lv_sim *sim = start(model, scheme, false);
    lv_native_observe(NULL, NULL);
    lv_sim_free(sim);
}

static void every_kernel_computes_what_its_program_does(void **state)
{
    (void)state;
    if (lv_native_count == 0)
        skip(); /* built without kernels */
    assert_true(lv_native_count < (int)(sizeof seen / sizeof *seen));
    for (int k = 0; k < reference_count(); k++) {
        lv_model *model = NULL;
        lv_error err;
        char name[40];
        assert_int_equal(reference_model(&model, k, name, &err), LV_OK);
        each_scheme(model, name, compare_programs);
        lv_model_free(model);
    }
    for (int k = 0; k < lv_native_count; k++)
        assert_true(seen[k]);
}

/* ---- what finds a kernel ------------------------------------------------------------------- */

typedef struct tally {
    int found, missed;
} tally;

static tally counted;

static void count(void *user, const lv_program *program)
{
    tally *t = user;
    lv_signature s = {0};
    assert_int_equal(lv_native_sign(&s, program, NULL), LV_OK);
    if (s.count > 0 && lv_native_find(lv_native_table, lv_native_count, &s))
        t->found++;
    else if (s.count > 0)
        t->missed++;
    LV_ARRAY_FREE(s);
}

static void count_programs(const lv_model *model, const char *name, const char *scheme)
{
    (void)name;
    lv_native_observe(count, &counted);
    lv_sim *sim = start(model, scheme, true);
    lv_native_observe(NULL, NULL);
    assert_true(lv_sim_time(sim) == 0);
    lv_sim_free(sim);
}

static tally tally_of(const char *text)
{
    counted = (tally){0, 0};
    lv_model *model = read_text(text);
    each_scheme(model, "", count_programs);
    lv_model_free(model);
    return counted;
}

/* Formulas, definitions, families of two indices, no length, no gravity, fixed ends. */
static void whatever_is_written_into_parts_finds_a_kernel(void **state)
{
    (void)state;
    if (lv_native_count == 0)
        skip(); /* built without kernels */
    tally t = tally_of(
        "[parameters]\nm = 2\nl = [1, 2]\nn = 4\n"
        "[definitions]\nk = 'm*5'\nend = 'x_n'\ncorner = '[l[1], -l[2], 3]'\n"
        "[particles.x]\ncount = 'n'\nmass = 'sqrt(m*i) + k'\n"
        "position = ['i', 'sin(i)', 1]\n"
        "[particles.y]\nmass = 'if(m > 1, 3, k)'\nposition = [0, 0, '-l[2]']\n"
        "[springs.a]\nfor = 'i = 1..n, j = 1..i-1'\nbetween = ['x_j', 'x_i']\n"
        "stiffness = 'k/(i + j)'\nlength = 0.5\n"
        "[springs.b]\nbetween = ['corner', 'end']\nstiffness = 'k'\ndamping = 'm'\n"
        "length = 'l[1]'\n"
        "[springs.c]\nbetween = ['y', [0, 0, 0]]\nstiffness = 1e-3\n"
        "form = 'quadratic'\nlength = 'm'\n"
        "[rods.d]\nbetween = ['end', 'y']\n");
    assert_true(t.found > 50);
    assert_int_equal(t.missed, 0);
}

static void formulas_that_say_the_same_find_a_kernel(void **state)
{
    (void)state;
    if (lv_native_count == 0)
        skip(); /* built without kernels */
    tally t = tally_of("[parameters]\nm = 2\nk = 9\nl = 0.7\n"
                       "[coordinates]\nx = [1, 2]\ny = [3, 3]\n"
                       "[energy.x]\nkinetic = \"m/2*norm2(x')\"\n"
                       "[energy.y]\nkinetic = \"m/2*norm2(y')\"\n"
                       "[energy.s]\npotential = 'k/2*(norm(y - x) - l)^2'\n");
    assert_true(t.found > 20);
    assert_int_equal(t.missed, 0);
}

static void what_moves_the_ends_is_interpreted(void **state)
{
    (void)state;
    if (lv_native_count == 0)
        skip(); /* built without kernels */
    tally t = tally_of("[particles.x]\nmass = 2\nposition = [1, 0]\n"
                       "[springs.s]\nbetween = [[0, 'sin(t)'], 'x']\n"
                       "stiffness = 3\nlength = 2\n");
    assert_true(t.found > 0 && t.missed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(kernels_give_the_bits_of_the_interpreter),
        RUN(every_kernel_computes_what_its_program_does),
        RUN(whatever_is_written_into_parts_finds_a_kernel),
        RUN(formulas_that_say_the_same_find_a_kernel),
        RUN(what_moves_the_ends_is_interpreted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
