/* Looks that one program makes see what close looks see, bit for bit. */
#include "../claims/moving.h"
#include "run/monitor.h"

#include <math.h>

typedef struct watched {
    const char *model, *scheme;
    double step;
    int steps, fewest; /* looks of the program, at least */
} watched;

/* What is thrown grows beyond all bounds. */
static const char thrown[] =
    "[coordinates]\nx = { value = [1, 0], velocity = [0.1, 1] }\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"-50*norm2(x)\"\n";

static const watched list[] = {
    {"pendulum3d", "rattle", 0.01, 300, 250},
    {"pendulum3d", "em", 0.01, 300, 250},
    {"pendulum3d", "livens", 0.05, 100, 0},
    {"four-particles", "rattle", 0.005, 200, 150},
    {"knife-edge", "rattle", 0.01, 100, 0},
    {"rheonomic-pendulum", "rattle", 0.01, 100, 0},
    {thrown, "verlet", 0.05, 200, 100},
    {"rod-chain", "rattle", 1e-3, 40, 0},
};

typedef struct watching {
    lv_sim *sim;
    lv_monitor monitor;
    lv_arena arena;
} watching;

static watching begin(const lv_model *model, const watched *x)
{
    lv_error err;
    watching w = {.sim = start(model, &(method){.scheme = x->scheme}, x->step)};
    if (lv_monitor_init(&w.monitor, w.sim, &w.arena, &err) != LV_OK)
        fail_with(&err);
    return w;
}

static void end(watching *w)
{
    lv_arena_done(&w->arena);
    lv_sim_free(w->sim);
}

static void step(watching *w)
{
    step_once(w->sim);
    lv_monitor_look(&w->monitor, false);
}

static void assert_same(watching *a, watching *b)
{
    const lv_monitor *x = &a->monitor, *y = &b->monitor;
    lv_monitor_settle(&a->monitor);
    lv_monitor_settle(&b->monitor);
    assert_memory_equal(x->numbers, y->numbers,
                        (size_t)(x->count + x->maps) * sizeof *x->numbers);
    assert_true(x->now.kinetic == y->now.kinetic && x->now.energy == y->now.energy &&
                x->now.potential == y->now.potential && x->now.size == y->now.size &&
                x->now.position == y->now.position &&
                x->now.velocity == y->now.velocity && x->now.lever == y->now.lever);
    assert_memory_equal(x->now.constraints, y->now.constraints,
                        (size_t)a->sim->system->m * sizeof(double));
    assert_memory_equal(x->now.rates, y->now.rates,
                        (size_t)a->sim->system->constraint_count * sizeof(double));
}

static void programs_see_what_close_looks_see(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const watched *x = &list[k];
        lv_error err;
        lv_model *model = strchr(x->model, '\n') ? read_text(x->model)
                                                 : read_shipped(x->model, NULL, NULL);
        watching quick = begin(model, x), close = begin(model, x);
        int ahead = 0;
        if (lv_monitor_hasten(&quick.monitor, &err) != LV_OK)
            fail_with(&err);
        lv_monitor_look(&quick.monitor, true);
        lv_monitor_look(&close.monitor, true);
        for (int i = 0; i < x->steps; i++) {
            step(&quick);
            step(&close);
            ahead += quick.monitor.ahead;
            if (i % 7 == 0 || i + 1 == x->steps)
                assert_same(&quick, &close);
        }
        print_message("    %.18s, %s: %d looks by a program\n",
                      strchr(x->model, '\n') ? "thrown" : x->model, x->scheme, ahead);
        assert_in_range(ahead, x->fewest, x->steps);
        end(&quick);
        end(&close);
        lv_model_free(model);
    }
}

/* A state that has left its constraints is seen when it has. */
static void what_is_unusual_is_seen_at_once(void **state)
{
    (void)state;
    lv_error err;
    lv_model *model = read_shipped("pendulum3d", NULL, NULL);
    const watched x = {"pendulum3d", "rattle", 0.01, 0, 0};
    watching quick = begin(model, &x), close = begin(model, &x);
    if (lv_monitor_hasten(&quick.monitor, &err) != LV_OK)
        fail_with(&err);
    lv_monitor_look(&quick.monitor, true);
    lv_monitor_look(&close.monitor, true);
    for (int i = 0; i < 11; i++) {
        step(&quick);
        step(&close);
    }
    assert_true(quick.monitor.ahead);
    quick.sim->state.q[0] += 0.1;
    close.sim->state.q[0] += 0.1;
    lv_monitor_look(&quick.monitor, false);
    lv_monitor_look(&close.monitor, false);
    assert_false(quick.monitor.ahead);
    assert_same(&quick, &close);
    quick.sim->state.v[1] = close.sim->state.v[1] = (double)NAN;
    lv_monitor_look(&quick.monitor, false);
    assert_false(quick.monitor.ahead);
    assert_true(isnan(quick.monitor.now.energy));
    end(&quick);
    end(&close);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(programs_see_what_close_looks_see),
        RUN(what_is_unusual_is_seen_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
