/* Dissipations that feed energy. */
#include "../model/reading.h"
#include "deny.h"

#include "system/dissipation.h"

#define PLANE "[coordinates]\nx = 0.5\ny = 1\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"

static void expect(const char *text, const char *expected)
{
    lv_error err;
    char found[160];
    lv_model *model = read_text(text);
    if (lv_dissipation_test(model, found, sizeof found, &err) != LV_OK)
        fail_with(&err);
    if (expected[0] ? !strstr(found, expected) : found[0] != '\0')
        fail_msg("%s: found '%s', expected '%s'", text, found, expected);
    lv_model_free(model);
}

static void damping_is_let_pass(void **state)
{
    (void)state;
    expect(PLANE "[forces.f]\ndissipation = \"0.1*x'^2\"\n", "");
    expect(PLANE "[forces.f]\ndissipation = \"(x' - y')^2 + x^2*y'^4\"\n", "");
    expect(PLANE "[forces.f]\non = \"x\"\nforce = \"x'\"\n", ""); /* none */
    expect("[particles.a]\nmass = 1\nposition = [1, 0]\n[springs.s]\n"
           "between = [[0, 0], \"a\"]\nstiffness = 1\ndamping = 0.5\n",
           "");
}

/* Also where the velocities of the start do not show it. */
static void negative_ones_are_named(void **state)
{
    (void)state;
    expect(PLANE "[forces.f]\ndissipation = \"-0.1*x'^2\"\n", "'f' (");
    expect(PLANE "[forces.f]\ndissipation = \"-0.1*x'^2\"\n", ":7:15)");
    expect(PLANE "[forces.f]\ndissipation = \"x'^2 + 3*x'*y' + y'^2\"\n", "'f' (");
    expect(PLANE "[forces.vdp]\ndissipation = \"(x^2 - 1)*x'^2/2\"\n", "'vdp' (");
}

static lv_status test_without_memory(void *user, lv_error *err)
{
    char found[160];
    return lv_dissipation_test(user, found, sizeof found, err);
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    lv_model *m = read_text(PLANE "[forces.f]\ndissipation = \"-x'^2\"\n");
    lv_deny_sweep(test_without_memory, m);
    lv_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(damping_is_let_pass),
        RUN(negative_ones_are_named),
        RUN(no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
