/* Two HDF5 files with the same channels and, bit for bit, the same rows? Exit code 0; or 1, and
 * the first difference is named. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *read_all(const results *reader, const results_channel *d)
{
    lv_error err;
    double *values = calloc((size_t)(d->rows * d->width) + 1, sizeof *values);
    if (!values)
        exit(2);
    if (results_read(reader, values, d, 0, d->rows, &err) != LV_OK) {
        printf("%s: %s\n", d->name, err.text);
        exit(2);
    }
    return values;
}

static int compare(const results *const readers[2], const results_channel *a,
                   const results_channel *b)
{
    if (strcmp(a->name, b->name) != 0 || a->width != b->width || a->rows != b->rows) {
        printf("%s: %lld rows of %d; %s: %lld rows of %d\n", a->name, a->rows, a->width,
               b->name, b->rows, b->width);
        return 1;
    }
    double *x = read_all(readers[0], a), *y = read_all(readers[1], b);
    long long row = 0;
    const size_t width = (size_t)a->width * sizeof *x;
    while (row < a->rows && memcmp(x + row * a->width, y + row * a->width, width) == 0)
        row++;
    free(x);
    free(y);
    if (row < a->rows)
        printf("%s: rows %lld differ\n", a->name, row);
    return row < a->rows;
}

int main(int argc, char **argv)
{
    results *readers[2] = {NULL, NULL};
    lv_error err;
    int different = 0;
    for (int k = 0; k < 2; k++)
        if (argc != 3 || results_open(&readers[k], argv[1 + k], &err) != LV_OK) {
            printf("%s\n", argc != 3 ? "usage: same_rows A.h5 B.h5" : err.text);
            return 2;
        }
    const int count = results_count(readers[0]);
    if (count != results_count(readers[1])) {
        printf("%d and %d channels\n", count, results_count(readers[1]));
        different = 1;
    }
    for (int k = 0; k < count && !different; k++)
        different = compare((const results *const *)readers, results_get(readers[0], k),
                            results_get(readers[1], k));
    results_close(readers[0]);
    results_close(readers[1]);
    return different;
}
