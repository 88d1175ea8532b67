/* Ten four-bar linkages side by side, whose constraints become dependent twice in every swing: 10 s in 1000 steps of RATTLE,
 * through the public interface and in a program written by hand (bound_linkages.c).
 *
 *     bench_linkages [--short] [--json FILE]
 *
 * Both must end where the pendulum does that the mechanism is, up to the error of the scheme; they take turns, and the best
 * of several turns counts. */
#include "bound.h"
#include "clock.h"
#include "contest.h"
#include "results.h"

#include <math.h>
#include <stdio.h>

enum { LINKAGES = 10, STEPS = 1000, TURNS = 10, FINE = 100000 };

static const double until = 10, one = 1;
static const double error_most = 5e-3; /* of order 2 with this step */

/* The top of the first post: theta'' = -k cos(theta) by the classical scheme of Runge and Kutta, in steps that leave nothing. */
static void find_exact(double *top)
{
    const double k =
        9.81 * ((LINKAGES + 1) / 2.0 + LINKAGES) / ((LINKAGES + 1) / 3.0 + LINKAGES);
    const double h = until / FINE;
    double x = acos(0.0), v = -1;
    for (int n = 0; n < FINE; n++) {
        const double a1 = -k * cos(x), v2 = v + 0.5 * h * a1;
        const double a2 = -k * cos(x + 0.5 * h * v), v3 = v + 0.5 * h * a2;
        const double a3 = -k * cos(x + 0.5 * h * v2), v4 = v + h * a3;
        const double a4 = -k * cos(x + h * v3);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    top[0] = cos(x);
    top[1] = sin(x);
}

static double run_ours(bench_sim *s, const double *exact, double *error)
{
    bench_sim_restart(s);
    const double start = bench_nanoseconds();
    const bool ok = bench_sim_try(s, STEPS);
    const double spent = bench_nanoseconds() - start;
    const double *q = lv_sim_position(s->sim); /* the middle of the first post */
    const double top[] = {2 * q[0], 2 * q[1]};
    *error = ok ? bench_distance(top, exact, 2) : HUGE_VAL;
    return spent;
}

static double run_bound(const double *exact, double *error)
{
    double top[2];
    void *state = bound_linkages.create(LINKAGES);
    const double start = bench_nanoseconds();
    bound_linkages.run(state, until / STEPS, &one, 1, STEPS);
    const double spent = bench_nanoseconds() - start;
    bound_linkages.position(state, top);
    *error = bench_distance(top, exact, 2);
    bound_linkages.free(state);
    return spent;
}

int main(int argc, char **argv)
{
    const bench_request request = bench_request_read(argc, argv);
    double exact[2], ours = HUGE_VAL, theirs = HUGE_VAL, our_error = 0, their_error = 0;
    bench_sim s = bench_sim_create("n-four-bar", "rattle", LINKAGES, until / STEPS, 0);
    find_exact(exact);
    for (int turn = 0; turn < (request.brief ? 1 : TURNS); turn++) {
        ours = bench_smaller(ours, run_ours(&s, exact, &our_error));
        theirs = bench_smaller(theirs, run_bound(exact, &their_error));
    }
    bench_check(our_error < error_most, "the motion is wrong", "linkages", our_error);
    bench_check(their_error < error_most, "the motion is wrong", "bound", their_error);
    bench_sim_free(&s);
    printf("10 four-bar linkages, 10 s in 1000 steps: %.2f ms, bound %.2f, ratio %.2f; "
           "errors %.1e and %.1e\n",
           ours * 1e-6, theirs * 1e-6, ours / theirs, our_error, their_error);
    bench_results r = bench_results_open(&request, "\"bench\": \"linkages\"");
    bench_results_case(&r,
                       "\"name\": \"linkages 10\", \"steps\": %d, \"ns\": %.6g, "
                       "\"bound_ns\": %.6g, \"error\": %.3g, \"bound_error\": %.3g",
                       STEPS, ours, theirs, our_error, their_error);
    return bench_results_close(&r);
}
