#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bench_request bench_request_read(int argc, char **argv)
{
    bench_request r = {false, NULL, NULL};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--short") == 0) {
            r.brief = true;
        } else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
            r.json = argv[++i];
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            r.only = argv[++i];
        } else {
            (void)fprintf(stderr, "usage: %s [--short] [--only TEXT] [--json FILE]\n",
                          argv[0]);
            exit(2);
        }
    return r;
}

void bench_check(bool ok, const char *what, const char *where, double apart)
{
    if (ok)
        return;
    (void)fprintf(stderr, "bench: %s: %s, by %g\n", where, what, apart);
    exit(EXIT_FAILURE);
}
