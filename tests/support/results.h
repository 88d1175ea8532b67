/* Results in the hands of the HDF5 library: what other programs see in our files, and in those
 * that they have rewritten (h5repack). */
#ifndef LV_TESTS_RESULTS_H
#define LV_TESTS_RESULTS_H

#include "base/status.h"

#include <stdbool.h>

/* A result to read from, also one that other programs have rewritten (h5repack). */
typedef struct results results;

typedef struct results_channel {
    char *name;
    char *doc;
    int width;
    bool is_flat;  /* of one dimension; width is 1 */
    char **labels; /* width column names */
    long long rows;
} results_channel;

lv_status results_open(results **reader, const char *path, lv_error *err);
void results_close(results *reader);

/* The channels in the file, in the order of their names. */
int results_count(const results *reader);
const results_channel *results_get(const results *reader, int k);

/* NULL if there is none of that name. */
const results_channel *results_find(const results *reader, const char *name);

/* Reads rows [first, first + count) of a channel, all columns, row by row. */
lv_status results_read(const results *reader, double *values,
                       const results_channel *dataset, long long first, long long count,
                       lv_error *err);

#endif
