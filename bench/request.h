/* What every benchmark understands on its command line: bench_NAME [--short] [--only TEXT] [--json FILE].
 *
 * With --short a benchmark takes the smallest sizes and the fewest turns, and is there for its checks:
 * results are held to references or to each other as always, and times mean nothing. */
#ifndef LV_BENCH_REQUEST_H
#define LV_BENCH_REQUEST_H

#include <stdbool.h>

typedef struct bench_request {
    bool brief; /* --short */
    const char *
        only; /* systems whose names have this text, of benchmarks that name them; NULL: all */
    const char *json; /* file for the results; NULL: none */
} bench_request;

/* Ends the program with a message if there is anything else. */
bench_request bench_request_read(int argc, char **argv);

/* Prints what differs and ends the program with a failure unless ok. */
void bench_check(bool ok, const char *what, const char *where, double apart);

#endif
