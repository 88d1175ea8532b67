/* What a step costs where constraints depend on each other, against the same mechanism without them.
 *
 *     bench_redundant [--short] [--json FILE]
 *
 * N four-bar linkages beside each other, to which come constraints that hold anyway (tests/support/linkages.h). RATTLE, step 1e-3; all take turns, and the best of many turns of each counts. */
#include "clock.h"
#include "contest.h"
#include "results.h"

#include "../tests/support/linkages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 30, LEAST_STEPS = 3 };
static const double turn_ns = 3e6, step = 1e-3;

enum { KINDS = 3 };
static const struct {
    const char *name, *more;
} kinds[KINDS] = {{"independent", ""},
                  {"one rod more", LINKAGES_WHOLE},
                  {"each rod twice", LINKAGES_AGAIN}};

static const int sizes[] = {10, 40, 100, 1000};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct course {
    bench_sim sim;
    long steps; /* in a turn */
    double ns;  /* least per step so far */
} course;

static bench_sim create(int kind, int size)
{
    char text[2048], number[16];
    bench_sim s = {0};
    lv_error err;
    (void)snprintf(text, sizeof text, "%s%s", LINKAGES, kinds[kind].more);
    (void)snprintf(number, sizeof number, "%d", size);
    const lv_setting setting = {"N", number};
    bench_check(lv_model_parse(&s.model, kinds[kind].name, text, strlen(text), &setting,
                               1, &err) == LV_OK,
                err.text, kinds[kind].name, 0);
    lv_sim_options options = lv_sim_options_default(s.model);
    options.scheme = "rattle";
    options.step = step;
    bench_check(lv_sim_create(&s.sim, s.model, &options, &err) == LV_OK, err.text,
                kinds[kind].name, 0);
    return s;
}

static void take_turn(course *c)
{
    const double start = bench_nanoseconds();
    (void)bench_sim_run(&c->sim, c->steps);
    c->ns = bench_smaller(c->ns, (bench_nanoseconds() - start) / (double)c->steps);
}

static course begin(int kind, int size)
{
    course c = {.sim = create(kind, size), .steps = 10, .ns = HUGE_VAL};
    take_turn(&c);
    return c;
}

/* Constraints that hold anyway change nothing. */
static void compare(const course *c, int kind)
{
    const double apart =
        bench_distance(lv_sim_position(c[0].sim.sim), lv_sim_position(c[kind].sim.sim),
                       lv_model_coordinate_count(c[0].sim.model));
    bench_check(apart < 1e-10, "the motion differs from that without", kinds[kind].name,
                apart);
}

static void print_result(const course *c, int size, bench_results *results)
{
    printf("%6d %10.0f", size, c[0].ns);
    for (int kind = 1; kind < KINDS; kind++) {
        const double ratio = c[kind].ns / c[0].ns;
        printf("   %-15s %6.2f %s", kinds[kind].name, ratio,
               ratio <= 3 ? "" : "(3 MISSED)");
        bench_results_case(results,
                           "\"kind\": \"%s\", \"size\": %d, \"ns\": %.6g, "
                           "\"independent_ns\": %.6g",
                           kinds[kind].name, size, c[kind].ns, c[0].ns);
    }
    printf("\n");
}

static void race(int size, bool brief, bench_results *results)
{
    course c[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        c[kind] = begin(kind, size);
        if (kind > 0)
            compare(c, kind);
    }
    for (int kind = 0; kind < KINDS && !brief; kind++)
        c[kind].steps = LEAST_STEPS + (long)(turn_ns / c[kind].ns);
    for (int turn = 0; turn < (brief ? 1 : TURNS); turn++)
        for (int kind = 0; kind < KINDS; kind++)
            take_turn(&c[kind]);
    print_result(c, size, results);
    for (int kind = 0; kind < KINDS; kind++)
        bench_sim_free(&c[kind].sim);
}

int main(int argc, char **argv)
{
    const bench_request request = bench_request_read(argc, argv);
    bench_results results = bench_results_open(&request, "\"bench\": \"redundant\"");
    printf("     N    ns/step   to this, with dependent constraints (goal at most 3)\n");
    for (int k = 0; k < SIZES; k++)
        race(sizes[k], request.brief, &results);
    return bench_results_close(&results);
}
