#include "results.h"

#include <stdarg.h>
#include <stdlib.h>

bench_results bench_results_open(const bench_request *request, const char *head, ...)
{
    bench_results r = {.path = request->json};
    va_list values;
    if (!r.path)
        return r;
    r.file = fopen(r.path, "w");
    if (!r.file) {
        perror(r.path);
        exit(EXIT_FAILURE);
    }
    va_start(values, head);
    (void)fputs("{", r.file);
    (void)vfprintf(r.file, head, values);
    (void)fputs(", \"cases\": [", r.file);
    va_end(values);
    return r;
}

void bench_results_case(bench_results *r, const char *members, ...)
{
    va_list values;
    if (!r->file)
        return;
    va_start(values, members);
    (void)fputs(r->cases++ > 0 ? "},\n  {" : "\n  {", r->file);
    (void)vfprintf(r->file, members, values);
    va_end(values);
}

void bench_results_more(bench_results *r, const char *members, ...)
{
    va_list values;
    if (!r->file)
        return;
    va_start(values, members);
    (void)fputs(", ", r->file);
    (void)vfprintf(r->file, members, values);
    va_end(values);
}

int bench_results_close(bench_results *r)
{
    if (!r->file)
        return EXIT_SUCCESS;
    (void)fputs(r->cases > 0 ? "}\n]}\n" : "]}\n", r->file);
    const bool bad = ferror(r->file) != 0;
    if (fclose(r->file) == 0 && !bad)
        return EXIT_SUCCESS;
    perror(r->path);
    return EXIT_FAILURE;
}
