/* The results of a benchmark as JSON,
 *
 *     {"bench": "steps", "cases": [
 *       {"name": "pendulum", "ns": 61.3},
 *       ...
 *     ]}
 *
 * Nothing is written if no file was asked for. */
#ifndef LV_BENCH_RESULTS_H
#define LV_BENCH_RESULTS_H

#include "request.h"

#include <stdio.h>

typedef struct bench_results {
    const char *path;
    FILE *file; /* NULL: none was asked for */
    int cases;
} bench_results;

#if defined(__GNUC__)
#define BENCH_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define BENCH_FORMAT
#endif

/* Opens the file; `head` are the members of the object before its cases. Ends the program if it cannot. */
bench_results bench_results_open(const bench_request *request, const char *head,
                                 ...) BENCH_FORMAT;

/* Begins a case with these members, or adds members to it. */
void bench_results_case(bench_results *results, const char *members, ...) BENCH_FORMAT;
void bench_results_more(bench_results *results, const char *members, ...) BENCH_FORMAT;

/* Closes the file. Returns what main should: EXIT_FAILURE, after a message, if anything could not be written. */
int bench_results_close(bench_results *results);

#endif
