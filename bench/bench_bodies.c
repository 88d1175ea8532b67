/* What a step costs for each body of a chain, and how much memory a body takes: both have to stay the same
 * however long the chain is.
 *
 *     bench_bodies [--short] [--json FILE]
 *
 * Rods of length 1 that hang between joints, 10 to 100000 of them, let go in a horizontal line: with spherical joints
 * and with revolute ones, with RATTLE in directors and on the group of rotations and with `em`. The best of several turns of each counts. Memory is what the
 * model and the simulation have reserved when the first steps are done. Every chain is held to what
 * is known of it: energy is kept, joints hold, and all move alike. */
#include "clock.h"
#include "contest.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_STEPS = 20, TURNS = 5 };
static const double step = 1e-4, turn_ns = 2e8;

#define CHAIN                                                                            \
    "[parameters]\nN = 10\n"                                                             \
    "[gravity]\nacceleration = [0, 0, -9.81]\n"                                          \
    "[bodies.rod]\ncount = \"N\"\nmass = 1\ninertia = [0.09, 0.09, 0.01]\n"              \
    "position = [\"i - 0.5\", 0, 0]\nrotation = [0, \"pi/2\", 0]\n"                      \
    "[joints.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod_1\"]\n"             \
    "at = [0, 0, 0]\naxis = [0, 1, 0]\n"                                                 \
    "[joints.link]\nfor = \"i = 2..N\"\nbetween = [\"rod_{i-1}\", \"rod_i\"]\n"          \
    "at = [\"i - 1\", 0, 0]\n"

enum { JOINTS = 2, SCHEMES = 3, GROUP = 1 };
static const struct {
    const char *name, *text;
} joints[JOINTS] = {
    {"spherical", CHAIN "type = \"spherical\"\n"},
    {"revolute", CHAIN "type = \"revolute\"\naxis = [0, 1, 0]\n"},
};
static const char *const schemes[SCHEMES] = {"rattle", "rattle", "em"},
                         *const names[SCHEMES] = {"rattle", "exp", "em"};

static const int sizes[] = {10, 100, 1000, 10000, 100000};
enum { SIZES = sizeof sizes / sizeof *sizes, BRIEF_SIZES = 2 };

typedef struct course {
    bench_sim sim;
    double *position; /* after the first steps; NULL: there is not enough memory */
    double bytes;     /* per body */
    double ns;        /* least per step so far */
} course;

/* false: the memory budget does not allow it. */
static bool create(course *c, int joint, int scheme, int size)
{
    char number[16];
    lv_error err;
    bench_sim *s = &c->sim;
    (void)snprintf(number, sizeof number, "%d", size);
    const lv_setting setting = {"N", number};
    const char *text = joints[joint].text;
    err.why = LV_WHY_OTHER;
    if (lv_model_parse(&s->model, joints[joint].name, text, strlen(text), &setting, 1,
                       &err) != LV_OK) {
        bench_check(err.why == LV_WHY_BUDGET, err.text, joints[joint].name, size);
        return false;
    }
    lv_sim_options options = lv_sim_options_default(s->model);
    options.scheme = schemes[scheme];
    options.step = step;
    lv_scheme_option_set(&options.options, LV_OPTION_ROTATIONS, scheme == GROUP);
    if (lv_sim_create(&s->sim, s->model, &options, &err) == LV_OK)
        return true;
    bench_check(err.why == LV_WHY_BUDGET, err.text, joints[joint].name, size);
    return false;
}

/* After the first steps: energy is kept and joints hold. */
static void check_motion(course *c, int scheme, double start)
{
    const lv_energies now = lv_sim_energies(c->sim.sim);
    const double tolerance = scheme <= GROUP ? 1e-2 : 1e-8;
    const double drift = fabs(now.total - start) / now.kinetic;
    double gap = 0;
    bench_check(drift < tolerance, "energy is not kept", schemes[scheme], drift);
    lv_sim_residuals(c->sim.sim, &gap, NULL);
    bench_check(gap < 1e-9, "joints are apart", schemes[scheme], gap);
}

static void take_turns(course *c, int turns)
{
    long steps = 1;
    for (int turn = 0; turn < turns; turn++) {
        const double start = bench_nanoseconds();
        (void)bench_sim_run(&c->sim, steps);
        c->ns = bench_smaller(c->ns, (bench_nanoseconds() - start) / (double)steps);
        steps = 1 + (long)(turn_ns / c->ns);
    }
}

static course run(int joint, int scheme, int size, bool brief)
{
    course c = {.ns = HUGE_VAL};
    const double before = (double)lv_memory_used();
    if (!create(&c, joint, scheme, size)) {
        bench_sim_free(&c.sim);
        return c;
    }
    const double start = lv_sim_energies(c.sim.sim).total;
    (void)bench_sim_run(&c.sim, FIRST_STEPS);
    c.bytes = ((double)lv_memory_used() - before) / size;
    check_motion(&c, scheme, start);
    const int n = lv_model_coordinate_count(c.sim.model);
    c.position = bench_memory(n, sizeof *c.position);
    memcpy(c.position, lv_sim_position(c.sim.sim), (size_t)n * sizeof *c.position);
    take_turns(&c, brief ? 1 : TURNS);
    bench_sim_free(&c.sim);
    return c;
}

/* The chain stays in its plane, where joints of both kinds are hinges: all move alike, schemes up to their errors of
 * order 2. */
static void compare(const course *c, int size)
{
    for (int k = 1; k < JOINTS * SCHEMES; k++) {
        if (!c[0].position || !c[k].position)
            continue;
        const double apart = bench_distance(c[0].position, c[k].position, 12 * size);
        bench_check(apart < (k % SCHEMES == 0 ? 1e-10 : 1e-7), "chains move differently",
                    joints[k / SCHEMES].name, apart);
    }
}

static void print_result(const course *c, int k, int size, bench_results *results)
{
    const char *joint = joints[k / SCHEMES].name, *scheme = names[k % SCHEMES];
    const double us = 1e-3 * c->ns / size;
    if (!c->position) {
        printf("%-10s %-7s %7d  beyond the memory budget\n", joint, scheme, size);
        return;
    }
    printf("%-10s %-7s %7d %10.2f %10.1f\n", joint, scheme, size, us, 1e-3 * c->bytes);
    bench_results_case(results,
                       "\"joints\": \"%s\", \"scheme\": \"%s\", \"size\": %d, "
                       "\"us_per_body\": %.6g, \"bytes_per_body\": %.6g",
                       joint, scheme, size, us, c->bytes);
}

static void measure(int size, bool brief, bench_results *results)
{
    course c[JOINTS * SCHEMES];
    for (int k = 0; k < JOINTS * SCHEMES; k++) {
        c[k] = run(k / SCHEMES, k % SCHEMES, size, brief);
        print_result(&c[k], k, size, results);
    }
    compare(c, size);
    for (int k = 0; k < JOINTS * SCHEMES; k++)
        free(c[k].position);
}

int main(int argc, char **argv)
{
    const bench_request request = bench_request_read(argc, argv);
    bench_results results = bench_results_open(&request, "\"bench\": \"bodies\"");
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* long chains take minutes */
    printf("joints     scheme   bodies    us/body    kB/body\n");
    for (int k = 0; k < (request.brief ? BRIEF_SIZES : SIZES); k++)
        measure(sizes[k], request.brief, &results);
    return bench_results_close(&results);
}
