/* An ensemble of pendulums in one thread, reading of the members and monitors included, against loops over arrays written by
 * hand, which keep nothing but the motion (bound_pendulum.c).
 *
 *     bench_ensemble [--short] [--json FILE]
 *
 * RATTLE, 10000 members, 1000 steps. The first member must end where the bound does. Both take turns, and the best of several turns
 * counts; times are CPU times. */
#include "bound.h"
#include "clock.h"
#include "contest.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 10000, STEPS = 1000, BRIEF_MEMBERS = 100, BRIEF_STEPS = 100, TURNS = 5 };

static const double step = 0.01, one = 1;

static const char text[] =
    "[parameters]\nw = 1\n"
    "[coordinates]\nq = { value = [1, 0, 0], velocity = [0, \"w\", 0] }\n"
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[3]\"\n"
    "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"
    "[symmetries.vertical]\non = [\"q\"]\ngenerator = [\"cross([0, 0, 1], q)\"]\n"
    "[run]\nscheme = \"rattle\"\nstep = 0.01\nuntil = %d.%02d\n"
    "[sweep]\nmembers = %d\n[sweep.set]\nw = \"1 + 1e-3*j\"\n";

static bool keep_first(void *user, const lv_member *m)
{
    double *q = user;
    for (int k = 0; m->number == 0 && k < m->column_count; k++)
        if (strncmp(m->columns[k], "q[", 2) == 0)
            q[m->columns[k][2] - '1'] = m->values[k];
    return true;
}

static lv_model *read_model(int members, int steps)
{
    char model[1000];
    lv_model *m = NULL;
    lv_error err;
    const int length =
        snprintf(model, sizeof model, text, steps / 100, steps % 100, members);
    if (lv_model_parse(&m, "pendulums", model, (size_t)length, NULL, 0, &err) != LV_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(EXIT_FAILURE);
    }
    return m;
}

static double run_ours(const lv_model *m, double *q)
{
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = 1;
    request.member = keep_first;
    request.user = q;
    const double start = bench_nanoseconds();
    const lv_status status = lv_sweep_run(&summary, m, &request, NULL);
    const double spent = bench_nanoseconds() - start;
    bench_check(status == LV_OK && summary->failed == 0, "members failed", "ensemble", 0);
    lv_sweep_summary_free(summary);
    return spent;
}

static double run_bound(int members, int steps, double *q)
{
    void *state = bound_ensemble.create(members);
    const double start = bench_nanoseconds();
    bound_ensemble.run(state, step, &one, 1, steps);
    const double spent = bench_nanoseconds() - start;
    bound_ensemble.position(state, q);
    bound_ensemble.free(state);
    return spent;
}

int main(int argc, char **argv)
{
    const bench_request request = bench_request_read(argc, argv);
    const int members = request.brief ? BRIEF_MEMBERS : MEMBERS;
    const int steps = request.brief ? BRIEF_STEPS : STEPS;
    const double all = (double)members * steps;
    double ours = HUGE_VAL, theirs = HUGE_VAL, q[3] = {0}, p[3] = {0};
    lv_model *m = read_model(members, steps);
    for (int turn = 0; turn < (request.brief ? 1 : TURNS); turn++) {
        ours = bench_smaller(ours, run_ours(m, q));
        theirs = bench_smaller(theirs, run_bound(members, steps, p));
    }
    lv_model_free(m);
    bench_check(bench_distance(q, p, 3) < 1e-9, "the first member ends elsewhere",
                "ensemble", bench_distance(q, p, 3));
    printf("%d pendulums, %d steps: %.3f s, %.1f ns per member and step; bound %.2f ns, "
           "ratio %.1f\n",
           members, steps, ours * 1e-9, ours / all, theirs / all, ours / theirs);
    bench_results r = bench_results_open(&request, "\"bench\": \"ensemble\"");
    bench_results_case(&r,
                       "\"name\": \"pendulums\", \"members\": %d, \"steps\": %d, \"ns\": "
                       "%.6g, \"bound_ns\": %.6g",
                       members, steps, ours, theirs);
    return bench_results_close(&r);
}
