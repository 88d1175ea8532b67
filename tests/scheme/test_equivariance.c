/* Masses that turn with the system, and which momentum maps schemes of discrete gradients keep: what they
 * say about a system, and what they do. */
#include "watching.h"

#include "../claims/momenta.h"
#include "../claims/systems.h"
#include "deny.h"
#include "scheme/equivariance.h"
#include "scheme/transverse.h"

/* A rotation that is no axis of coordinates: gravity acts along (1, 2, 2) / 3. */
#define OBLIQUE                                                                          \
    "[coordinates]\nq = { value = [0.8, 0.1, 0.4], velocity = [0.2, 0.9, 0.3] }\n"       \
    "[energy]\nkinetic = \"norm2(q')/2 + 0.7*dot(q, q')^2\"\n"                           \
    "potential = \"dot(q, [1, 2, 2])/3 + norm2(q)^2\"\n"                                 \
    "[symmetries.axis]\non = [\"q\"]\ngenerator = [\"cross([1, 2, 2], q)\"]\n"
#define OBLIQUE_SHELL                                                                    \
    OBLIQUE "[constraints.shell]\nholonomic = \"norm2(q)/2 - 0.5 + dot(q, [1, 2, "       \
            "2])/10\"\n[run]\ninitial = \"project\"\n"

/* |a x b|^2 is invariant, its terms are not. */
#define CROSSED                                                                          \
    "[coordinates]\n"                                                                    \
    "a = { value = [0.8, 0.1, 0.4], velocity = [0.2, 0.9, 0.3] }\n"                      \
    "b = { value = [-0.8, 0.3, 0.2], velocity = [0.1, -0.3, 0.5] }\n"                    \
    "[energy]\nkinetic = \"norm2(a')/2 + norm2(b')\"\n"                                  \
    "potential = \"norm2(cross(a, b)) + norm2(a) + norm2(b - a)\"\n"
/* The same, written with invariants. */
#define UNCROSSED                                                                        \
    "[coordinates]\n"                                                                    \
    "a = { value = [0.8, 0.1, 0.4], velocity = [0.2, 0.9, 0.3] }\n"                      \
    "b = { value = [-0.8, 0.3, 0.2], velocity = [0.1, -0.3, 0.5] }\n"                    \
    "[energy]\nkinetic = \"norm2(a')/2 + norm2(b')\"\n"                                  \
    "potential = \"norm2(a)*norm2(b) - dot(a, b)^2 + norm2(a) + norm2(b - a)\"\n"

typedef struct subject {
    const char *name, *text, *scheme;
    double step;
} subject;

static const subject subjects[] = {
    {"turning", TURNING, "livens", 0.05},
    {"turning", TURNING, "em", 0.05},
    {"pair", TURNING_PAIR, "livens", 0.03},
    {"pair", TURNING_PAIR, "em", 0.03},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static void masses_that_turn_keep_energy_and_angular_momenta(void **state)
{
    const long steps = SLOW ? 2000 : 20000;
    (void)state;
    for (int k = 0; k < SUBJECTS; k++) {
        const subject *s = &subjects[k];
        lv_model *model = read_text(s->text);
        lv_sim *sim = start(model, &(method){s->scheme, 1, 0}, s->step);
        const extremes x = watch(sim, steps);
        const double hidden = watch_momenta(sim).velocity;
        print_message("    %-8s %-6s E %.1e, L %.1e, g %.1e, G M^-1 p %.1e\n", s->name,
                      s->scheme, x.most - x.least, x.angular, x.position, hidden);
        assert_at_most(x.most - x.least, 2e-12);
        assert_at_most(x.angular, 2e-12);
        assert_at_most(x.position, 1e-14);
        assert_true(strcmp(s->scheme, "em") != 0 || hidden <= 1e-12);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* Energy would not notice a wrong gradient. The reference is another scheme, of order 6. */
static void masses_that_turn_are_integrated_with_order_two(void **state)
{
    (void)state;
    for (int k = 0; k < SUBJECTS; k++) {
        const subject *s = &subjects[k];
        lv_model *model = read_text(s->text);
        const size_t n = (size_t)lv_model_coordinate_count(model);
        double exact[12], coarse[12], fine[12];
        lv_sim *sim = start(model, &(method){"lobatto", 4, 0}, 0.005);
        step_times(sim, 200);
        memcpy(exact, lv_sim_position(sim), n * sizeof *exact);
        memcpy(exact + n, lv_sim_momentum(sim), n * sizeof *exact);
        end_state(coarse, model, s->scheme, 1, 100);
        end_state(fine, model, s->scheme, 1, 200);
        const int both = 2 * (int)n;
        double order = log2(distance(coarse, exact, both) / distance(fine, exact, both));
        print_message("    %-8s %-6s %.1e, order %.3f\n", s->name, s->scheme,
                      distance(fine, exact, both), order);
        assert_at_most(fabs(order - 2), 0.05);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* A relative equilibrium: a step is a rotation, and has no transverse part. */
static void rotation_of_the_whole_is_no_obstacle(void **state)
{
    const char text[] =
        "[coordinates]\n"
        "a = { value = [1, 0, 0], velocity = [0, \"sqrt(2)\", 0] }\n"
        "b = { value = [-1, 0, 0], velocity = [0, \"-sqrt(2)\", 0] }\n"
        "[energy]\nkinetic = \"norm2(a')/2 + norm2(b')/2 + dot(a - b, a' - b')^2\"\n"
        "potential = \"norm2(a) + norm2(b)\"\n"
        "[constraints.rod]\nholonomic = \"(norm2(a - b) - 4)/2\"\n";
    (void)state;
    lv_model *model = read_text(text);
    lv_sim *sim = start(model, &(method){"em", 1, 0}, 0.05);
    const extremes x = watch(sim, 2000);
    print_message("    E %.1e, L %.1e, P %.1e, g %.1e\n", x.most - x.least, x.angular,
                  x.linear, x.position);
    assert_at_most(x.most - x.least, 1e-11); /* every step rounds alike */
    assert_true(x.angular <= 1e-11 && x.linear <= 1e-11);
    assert_at_most(x.position, 1e-14);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- what schemes say -------------------------------------------------------------------------- */

static int kept_count(const lv_model *model, const char *scheme, int count)
{
    bool kept[8] = {false};
    lv_error err;
    int sum = 0;
    if (lv_model_kept_momenta(model, scheme, NULL, kept, count, &err) != LV_OK)
        fail_with(&err);
    for (int k = 0; k < count; k++)
        sum += kept[k];
    return sum;
}

/* The largest drift of all momentum maps. */
static double drift_of(const lv_model *model, const char *scheme, int *maps)
{
    double first[8], now[8], worst = 0;
    lv_sim *sim = start(model, &(method){scheme, 1, 0}, 0.05);
    *maps = lv_system_map_count(sim->system);
    assert_in_range(*maps, 1, 8);
    lv_system_momentum_maps(sim->system, first, 0, sim->state.q, sim->state.p);
    for (int k = 0; k < 400; k++) {
        step_once(sim);
        lv_system_momentum_maps(sim->system, now, 0, sim->state.q, sim->state.p);
        worst = fmax(worst, distance(now, first, *maps));
    }
    lv_sim_free(sim);
    return worst;
}

static void what_is_said_of_momenta_is_what_happens(void **state)
{
    static const struct {
        const char *name, *text, *scheme;
        bool kept;
    } cases[] = {
        {"turning", TURNING, "livens", true},
        {"pair", TURNING_PAIR, "em", true},
        {"torus", TORUS, "em", true},
        {"crossed", CROSSED, "livens", false},
        {"crossed", CROSSED, "em-g", false},
        {"crossed", CROSSED, "em", false},
        {"crossed", CROSSED, "vi-b2", true},
        {"uncrossed", UNCROSSED, "livens", true},
        {"uncrossed", UNCROSSED, "em", true},
        {"oblique", OBLIQUE, "livens", true},
        {"oblique", OBLIQUE, "em", true},
        {"oblique shell", OBLIQUE_SHELL, "livens", true},
        {"oblique shell", OBLIQUE_SHELL, "em", false},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int maps = 0;
        lv_model *model = read_text(cases[k].text);
        double drift = drift_of(model, cases[k].scheme, &maps);
        int kept = kept_count(model, cases[k].scheme, maps);
        print_message("    %-13s %-6s %d of %d, drift %.1e\n", cases[k].name,
                      cases[k].scheme, kept, maps, drift);
        assert_int_equal(kept, cases[k].kept ? maps : 0);
        assert_true(cases[k].kept ? drift <= 1e-12 : drift >= 1e-9);
        lv_model_free(model);
    }
}

static void energy_is_kept_where_momenta_are_not(void **state)
{
    static const char *const texts[] = {CROSSED, OBLIQUE_SHELL};
    (void)state;
    for (int k = 0; k < 2; k++) {
        lv_model *model = read_text(texts[k]);
        lv_sim *sim = start(model, &(method){"em", 1, 0}, 0.05);
        double drift = energy_drift(sim, 1000);
        print_message("    E %.1e\n", drift);
        assert_at_most(drift, 1e-12);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* All schemes at once: the same answers as one after the other. */
static void a_survey_of_all_schemes_says_what_each_says(void **state)
{
    static const char *const texts[] = {TURNING, CHARGE};
    enum { SCHEMES = 64, MAPS = 8 };
    (void)state;
    for (int i = 0; i < 2; i++) {
        bool fits[SCHEMES] = {false}, kept[SCHEMES * MAPS] = {false}, alone[MAPS];
        bool fits_inspected[SCHEMES] = {false}, kept_inspected[SCHEMES * MAPS] = {false};
        lv_error err;
        lv_scheme_info info;
        lv_inspection *facts = NULL;
        lv_model *model = read_text(texts[i]);
        assert_int_equal(lv_model_inspect(&facts, model, &err), LV_OK);
        const int maps = facts->momentum_count;
        assert_in_range(maps, 1, MAPS);
        assert_int_equal(lv_model_survey_schemes(model, fits, SCHEMES, kept, maps, &err),
                         LV_OK);
        assert_int_equal(lv_inspection_survey_schemes(facts, fits_inspected, SCHEMES,
                                                      kept_inspected, &err),
                         LV_OK);
        assert_memory_equal(fits_inspected, fits, sizeof fits);
        assert_memory_equal(kept_inspected, kept, sizeof kept);
        int fitting = 0;
        for (int k = 0; lv_scheme_describe(k, &info); k++) {
            lv_status status =
                lv_model_kept_momenta(model, info.name, NULL, alone, maps, &err);
            if (info.name && strcmp(info.name, "livens") == 0)
                assert_int_equal(fits[k], status == LV_OK);
            fitting += fits[k];
            for (int m = 0; m < maps && fits[k]; m++)
                assert_int_equal(kept[k * maps + m], alone[m]);
        }
        assert_true(fitting > 2);
        lv_inspection_free(facts);
        lv_model_free(model);
    }
}

static void a_scheme_that_does_not_fit_says_so(void **state)
{
    bool kept[8];
    lv_error err;
    (void)state;
    lv_model *model = read_text(CHARGE);
    assert_int_equal(lv_model_kept_momenta(model, "em", NULL, kept, 8, &err),
                     LV_ERR_MODEL);
    assert_int_equal(lv_model_kept_momenta(model, "nothing", NULL, kept, 8, &err),
                     LV_ERR_MODEL);
    lv_model_free(model);
}

/* ---- the direction ---------------------------------------------------------------------------------- */

/* Gradients of q . q, q . p and p . p span all that rotations leave alone; the direction is made of them. */
static void the_direction_is_transverse_to_all_orbits(void **state)
{
    const double q[3] = {0.3, -0.7, 0.4}, p[3] = {0.9, 0.2, -0.5};
    const double dq[3] = {0.1, 0.05, -0.2}, dp[3] = {-0.03, 0.2, 0.1};
    const double mass[3] = {2, 2, 2};
    (void)state;
    lv_error err;
    lv_arena arena = {0};
    lv_transverse x;
    lv_model *model = read_text(TURNING);
    assert_int_equal(lv_transverse_init(&x, &arena, model, &err), LV_OK);
    assert_int_equal(x.symmetries.count, 3);
    double along = lv_transverse_direction(&x, q, p, dq, dp, mass), sum = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double turned =
            x.u[j] * q[i] - x.u[i] * q[j] + x.u[3 + j] * p[i] - x.u[3 + i] * p[j];
        assert_at_most(fabs(turned), 1e-15);
        sum += x.u[k] * dq[k] + x.u[3 + k] * dp[k];
        size += 2 * dq[k] * dq[k] + dp[k] * dp[k] / 2;
    }
    assert_at_most(fabs(sum - along), 1e-15);
    assert_true(along > 0 && along < size);

    /* A rotation leaves nothing over. */
    const double turn_q[3] = {-q[1], q[0], 0}, turn_p[3] = {-p[1], p[0], 0};
    assert_at_most(lv_transverse_direction(&x, q, p, turn_q, turn_p, mass), 1e-30);
    lv_arena_done(&arena);
    lv_model_free(model);
}

static lv_status ask(void *user, lv_error *err)
{
    bool kept[8];
    return lv_model_kept_momenta(user, "em", NULL, kept, 8, err);
}

static lv_status run_em(void *user, lv_error *err)
{
    lv_sim *sim = NULL;
    lv_status status = try_start(&sim, user, &(method){"em", 1, 0}, 0.01, err);
    lv_sim_free(sim);
    return status;
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    lv_model *model = read_text(TURNING_PAIR);
    lv_deny_sample(ask, model, 200);
    lv_deny_sample(run_em, model, 200);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(masses_that_turn_keep_energy_and_angular_momenta),
        RUN(masses_that_turn_are_integrated_with_order_two),
        RUN(rotation_of_the_whole_is_no_obstacle),
        RUN(what_is_said_of_momenta_is_what_happens),
        RUN(energy_is_kept_where_momenta_are_not),
        RUN(a_survey_of_all_schemes_says_what_each_says),
        RUN(a_scheme_that_does_not_fit_says_so),
        RUN(the_direction_is_transverse_to_all_orbits),
        RUN(no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
