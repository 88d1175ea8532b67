/* Ensembles against programs written by hand: pendulums in space, RATTLE, one thread.
 *
 *     bench_lanes [--short] [--json FILE]
 *
 * CPU time of a step of a member, monitors included: of the scalar bound, of the bound for many members, which the
 * compiler turns into instructions for vectors, and of lv_sweep_run with machine code and with the interpreter. What it
 * takes to begin and to end with a member is measured with members of two steps, taken off, and shown by itself. All take
 * turns. Final positions are held to those of the bound, and both sweeps to each other, bit for bit. */
#include "bound.h"
#include "clock.h"
#include "contest.h"
#include "results.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 5, MEMBERS = 64, STEPS = 20000, STEPS_SHORT = 200 };

static const double step = 1e-3;

static const char pendulums[] =
    "name = \"pendulums in space\"\n"
    "[parameters]\nu = 0\ng = 9.81\n"
    "[coordinates]\nq = { value = [1, 0, 0], velocity = [0, \"1 + 1e-3*u\", 0] }\n"
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"g*q[3]\"\n"
    "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"
    "[symmetries.vertical]\non = [\"q\"]\ngenerator = [\"cross([0, 0, 1], q)\"]\n"
    "[run]\nscheme = \"rattle\"\nstep = 1e-3\n"
    "[sweep]\nmembers = 64\n[sweep.set]\nu = \"j\"\n";

typedef struct seen {
    uint64_t digest;
    double first[3]; /* position of member 0 */
} seen;

static bool see(void *user, const lv_member *member)
{
    seen *s = user;
    for (int k = 0; k < member->column_count; k++) {
        unsigned char bytes[sizeof(double)];
        memcpy(bytes, &member->values[k], sizeof bytes);
        for (size_t i = 0; i < sizeof bytes; i++)
            s->digest = (s->digest ^ bytes[i]) * 1099511628211u;
        for (int i = 0; member->number == 0 && i < 3; i++) {
            char name[8];
            (void)snprintf(name, sizeof name, "q[%d]", i + 1);
            if (strcmp(member->columns[k], name) == 0)
                s->first[i] = member->values[k];
        }
    }
    return true;
}

static double sweep(const lv_model *model, long steps, bool native, seen *found)
{
    lv_error err;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    *found = (seen){.digest = 14695981039346656037u};
    request.threads = 1;
    request.changes.until = step * (double)steps;
    request.member = see;
    request.user = found;
    lv_native_enable(native);
    const double before = bench_nanoseconds();
    const lv_status status = lv_sweep_run(&summary, model, &request, &err);
    const double after = bench_nanoseconds();
    lv_native_enable(true);
    bench_check(status == LV_OK && summary->failed == 0, "members fail", "sweep", 0);
    lv_sweep_summary_free(summary);
    return after - before;
}

/* Of so many members at a time. */
static double run_bound(const bound *b, int size, long steps, double *q)
{
    const double one = 1;
    void *state = b->create(size);
    const double before = bench_nanoseconds();
    b->run(state, step, &one, 1, steps);
    const double after = bench_nanoseconds();
    b->position(state, q);
    b->free(state);
    return after - before;
}

typedef struct times {
    double scalar, vectors, native, interpreted, member;
} times;

static void measure(times *t, const lv_model *model, long steps)
{
    const double each = 1.0 / ((double)MEMBERS * (double)steps);
    double q[3];
    seen native, interpreted, few;
    t->scalar = bench_smaller(t->scalar,
                              run_bound(&bound_pendulum, 1, steps * MEMBERS, q) * each);
    t->vectors =
        bench_smaller(t->vectors, run_bound(&bound_ensemble, MEMBERS, steps, q) * each);
    t->member = bench_smaller(t->member, sweep(model, 2, true, &few) / MEMBERS);
    const double begin = t->member * MEMBERS;
    t->native =
        bench_smaller(t->native, (sweep(model, steps, true, &native) - begin) * each);
    t->interpreted = bench_smaller(
        t->interpreted, (sweep(model, steps, false, &interpreted) - begin) * each);
    bench_check(native.digest == interpreted.digest, "results differ", "interpreter", 1);
    const double apart = bench_distance(native.first, q, 3);
    bench_check(apart <= 1e-8, "a position differs from that of the bound", "sweep",
                apart);
}

int main(int argc, char **argv)
{
    lv_error err;
    lv_model *model = NULL;
    const bench_request request = bench_request_read(argc, argv);
    const long steps = request.brief ? STEPS_SHORT : STEPS;
    times t = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    if (lv_model_parse(&model, "bench", pendulums, sizeof pendulums - 1, NULL, 0, &err) !=
        LV_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return EXIT_FAILURE;
    }
    for (int turn = 0; turn < (request.brief ? 1 : TURNS); turn++)
        measure(&t, model, steps);
    lv_model_free(model);
    printf("ns per member and step     bound  vectors  machine code   interpreter   a "
           "member\n%-24s %7.1f  %7.2f %7.1f (%4.1f) %7.1f (%4.1f) %7.0f us\n",
           "pendulums, monitored", t.scalar, t.vectors, t.native, t.native / t.vectors,
           t.interpreted, t.interpreted / t.vectors, 1e-3 * t.member);
    bench_results r = bench_results_open(&request, "\"bench\": \"lanes\"");
    bench_results_case(&r,
                       "\"name\": \"pendulums\", \"bound\": %.6g, \"vectors\": %.6g, "
                       "\"native\": %.6g, \"interpreted\": %.6g, \"member\": %.6g",
                       t.scalar, t.vectors, t.native, t.interpreted, t.member);
    return bench_results_close(&r);
}
