/* Members of ensembles per second, with one thread and with all: the ratio is what a second core
 * is worth.
 *
 *     bench_sweep [--short] [--json FILE]
 *
 * Wall times, for threads share nothing but them; both take turns. That all numbers of threads give the
 * same bits is tested in every turn. */
#include "results.h"

#include <livens/livens.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 5, CASES = 3 };

typedef struct course {
    const char *model;
    double until; /* of every member */
    lv_model *read;
    int members;
    double reading;    /* seconds to read a member and to begin its run */
    double seconds[2]; /* the best turn with one thread, and with all */
    uint64_t digest;   /* of the results of all members to `until`; 0: not yet known */
} course;

static void give_up(const lv_error *err)
{
    char text[4096];
    lv_error_write(err, text, sizeof text);
    (void)fputs(text, stderr);
    exit(EXIT_FAILURE);
}

/* Adds the results of a member to a digest (FNV-1a). */
static bool digest_member(void *user, const lv_member *member)
{
    uint64_t *digest = user;
    for (int k = 0; k < member->column_count; k++) {
        unsigned char bytes[sizeof(double)];
        memcpy(bytes, &member->values[k], sizeof bytes);
        for (size_t i = 0; i < sizeof bytes; i++)
            *digest = (*digest ^ bytes[i]) * 1099511628211u;
    }
    return true;
}

/* Seconds of a sweep to a time, best of all turns. */
static void run_once(course *c, double until, int threads, double *best)
{
    lv_error err;
    uint64_t digest = 14695981039346656037u;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.threads = threads;
    request.changes.until = until;
    request.member = digest_member;
    request.user = &digest;
    if (lv_sweep_run(&summary, c->read, &request, &err) != LV_OK)
        give_up(&err);
    if (summary->failed > 0) {
        (void)fprintf(stderr, "%s: %s\n", c->model, summary->failures[0].text);
        exit(EXIT_FAILURE);
    }
    if (until == c->until) {
        bench_check(c->digest == 0 || c->digest == digest,
                    "results differ from those of another sweep", c->model, threads);
        c->digest = digest;
    }
    c->members = summary->members;
    *best = fmin(*best, summary->seconds);
    lv_sweep_summary_free(summary);
}

static void print_results(const course *courses, int threads)
{
    printf("members per second       1 thread  %2d threads   ratio   reading a member\n",
           threads);
    for (int k = 0; k < CASES; k++) {
        const course *c = &courses[k];
        printf("%-22s %10.0f  %10.0f  %6.2f   %8.3f ms, %2.0f %%\n", c->model,
               c->members / c->seconds[0], c->members / c->seconds[1],
               c->seconds[0] / c->seconds[1], 1e3 * c->reading / c->members,
               100 * c->reading / c->seconds[0]);
    }
}

static int write_results(const bench_request *request, const course *courses, int threads)
{
    bench_results r =
        bench_results_open(request, "\"bench\": \"sweep\", \"threads\": %d", threads);
    for (int k = 0; k < CASES; k++)
        bench_results_case(&r,
                           "\"name\": \"%s\", \"members\": %d, \"seconds\": %.6g, "
                           "\"seconds_all\": %.6g, \"reading\": %.6g",
                           courses[k].model, courses[k].members, courses[k].seconds[0],
                           courses[k].seconds[1], courses[k].reading);
    return bench_results_close(&r);
}

int main(int argc, char **argv)
{
    static course courses[CASES] = {{.model = "henon-heiles-ensemble", .until = 1},
                                    {.model = "henon-heiles-ensemble", .until = 100},
                                    {.model = "chaotic-nonholonomic", .until = 100}};
    const int threads = lv_sweep_threads() > 1 ? lv_sweep_threads() : 2;
    const bench_request request = bench_request_read(argc, argv);
    for (int k = 0; k < CASES; k++) {
        lv_error err;
        if (request.brief)
            courses[k].until = 1;
        courses[k].reading = courses[k].seconds[0] = courses[k].seconds[1] = INFINITY;
        if (lv_model_read(&courses[k].read, courses[k].model, NULL, 0, &err) != LV_OK)
            give_up(&err);
    }
    for (int turn = 0; turn < (request.brief ? 1 : TURNS); turn++)
        for (int k = 0; k < CASES; k++) {
            course *c = &courses[k];
            run_once(c, c->until, 1, &c->seconds[0]);
            run_once(c, c->until, threads, &c->seconds[1]);
            run_once(c, 1e-9, 1, &c->reading); /* a single, tiny step */
        }
    print_results(courses, threads);
    const int status = write_results(&request, courses, threads);
    for (int k = 0; k < CASES; k++)
        lv_model_free(courses[k].read);
    return status;
}
