/* A hundred thousand steps: energies and momenta that are claimed to be exact stay what they were. What an
 * iteration leaves behind depends on the step, so that shorter runs with several steps stand beside.
 *
 * The systems are those of the other claims with their step for long runs, and shipped models: a mass matrix
 * that varies and has a symmetry, a fast top. */
#include "pairs.h"
#include "run/sim.h"

enum { MOST = 16, STEPS = SLOW ? 10000 : 100000, SOME = SLOW ? 2000 : 20000 };

/* What a run strayed by, at most. */
typedef struct strayed {
    double energy;  /* relative to that of the start */
    double momenta; /* relative to the size of the products that make them */
    int maps;
} strayed;

/* Velocities of free systems are reduced: Henon and Heiles' particle would escape. */
static void slow_down(lv_sim *sim)
{
    double v[MOST];
    for (int k = 0; k < sim->system->n; k++)
        v[k] = (sim->system->m > 0 ? 1 : 0.6) * lv_sim_velocity(sim)[k];
    move_to(sim, 0, lv_sim_position(sim), v);
}

static strayed run_long(lv_sim *sim, int steps)
{
    double first[MOST], now[MOST], size = 0;
    lv_system *system = sim->system;
    const lv_state *s = &sim->state;
    const int n = system->n;
    const double energy = lv_sim_energies(sim).total;
    strayed result = {0, 0, lv_system_map_count(system)};
    lv_system_momentum_maps(system, first, s->t, s->q, s->p);
    for (int k = 0; k < steps; k++) {
        step_once(sim);
        lv_system_momentum_maps(system, now, s->t, s->q, s->p);
        result.energy =
            worst_of(result.energy, fabs(lv_sim_energies(sim).total - energy));
        result.momenta = worst_of(result.momenta, distance(now, first, result.maps));
        size = worst_of(size, n * largest(s->q, n) * largest(s->p, n));
    }
    result.energy /= fabs(energy);
    result.momenta /= size;
    return result;
}

static bool is_exact(const char *scheme)
{
    return claims_of(&(method){scheme, 0, 0}).energy == LV_KEPT_EXACT;
}

/* symmetries: the number of momentum maps that there must be at least. */
static bool check_run(const lv_model *model, const char *name, const char *scheme,
                      double step, int steps, int symmetries)
{
    const double each = 1e-15; /* energy that a step may add */
    lv_sim *sim = start(model, &(method){scheme, 0, 0}, step);
    assert_in_range(lv_system_map_count(sim->system), symmetries, MOST);
    slow_down(sim);
    const strayed x = run_long(sim, steps);
    bool good = isfinite(x.energy) && (!is_exact(scheme) || x.energy <= each * steps) &&
                (x.maps == 0 || x.momenta <= 1e-12);
    print_message("    %-6s %-25s step %-7g E %.1e, %d momenta %.1e%s\n", scheme, name,
                  step, x.energy, x.maps, x.momenta, good ? "" : " !");
    lv_sim_free(sim);
    return good;
}

/* In livens G v is carried from step to step with the factor -1, and where the mass matrix varies as well its
 * errors grow: after some 1e3 units of time the motion of this pair is lost, whatever the step. */
static double step_of(const test_system *s, const char *scheme)
{
    bool grows = strcmp(scheme, "livens") == 0 && strcmp(s->name, "turning-pair") == 0;
    return grows ? s->long_step / 5 : s->long_step;
}

/* Must the scheme be measured on the system? With bounded energies there must be momenta. */
static bool must_run(const char *scheme, const test_system *s)
{
    return says_it_takes(&(method){scheme, 0, 0}, s) && s->conservative &&
           (s->traits & LV_TRAIT_NONHOLONOMIC) == 0 &&
           (is_exact(scheme) || s->symmetries > 0);
}

/* On how many of the systems that it takes the scheme breaks a claim, with a part of their step. */
static int check_scheme(const char *scheme, double part, int steps)
{
    const method m = {scheme, 0, 0};
    int broken = 0, count = 0;
    for (int k = 0; k < TEST_SYSTEMS; k++) {
        const test_system *s = &test_systems[k];
        lv_model *model = read_text(s->text);
        broken += !keeps_its_word(&m, s, model);
        if (must_run(scheme, s)) {
            broken += !check_run(model, s->name, scheme, part * step_of(s, scheme), steps,
                                 s->symmetries);
            count++;
        }
        lv_model_free(model);
    }
    assert_in_range(count, 4, TEST_SYSTEMS);
    print_message("    %-6s %d systems, %d broken\n", scheme, count, broken);
    return broken;
}

static int check_shipped(const char *name, const char *scheme, double step)
{
    lv_model *model = read_shipped(name, NULL, NULL);
    bool good = check_run(model, name, scheme, step, STEPS, 1);
    lv_model_free(model);
    return !good;
}

static void energy_momentum_schemes_keep_energy_and_momenta(void **state)
{
    (void)state;
    int broken = 0, count = 0;
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        if (is_exact(info.name)) {
            broken += check_scheme(info.name, 1, STEPS);
            count++;
        }
    assert_in_range(count, 3, MOST_SCHEMES); /* em, em-g, livens and those to come */
    broken += check_shipped("spring-pendulum-spherical", "em", 0.01);
    broken += check_shipped("spring-pendulum-spherical", "livens", 0.01);
    broken += check_shipped("steady-top", "em", 0.002);
    assert_int_equal(broken, 0);
}

static void energy_and_momenta_are_kept_whatever_the_step(void **state)
{
    const double parts[] = {0.4, 0.15, 0.1, 0.06};
    const char *const schemes[] = {"em", "livens"};
    int broken = 0;
    (void)state;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
            broken += check_scheme(schemes[i], parts[k], SOME);
    assert_int_equal(broken, 0);
}

static void symplectic_schemes_keep_momenta(void **state)
{
    (void)state;
    assert_int_equal(check_scheme("vi-b2", 1, STEPS) + check_scheme("rattle", 1, STEPS),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(energy_momentum_schemes_keep_energy_and_momenta),
        RUN(energy_and_momenta_are_kept_whatever_the_step),
        RUN(symplectic_schemes_keep_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
