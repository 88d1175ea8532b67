/* Writes a result with known contents for with_h5py.py: sample PATH ROWS, not closed if a third
 * argument is given. */
#include "rows.h"

int main(int count, char **arguments)
{
    static rows r;
    lv_error err;
    lv_sink *sink = NULL;
    const lv_header header = rows_header();
    if (count < 3)
        return 2;
    const long long total = atoll(arguments[2]);
    rows_init(&r, 1);
    lv_status status = lv_hdf5_create(&sink, arguments[1], &r.channels, &header, &err);
    for (long long row = 0; row < total && status == LV_OK; row++) {
        rows_fill(&r, row);
        status = sink->row(sink, &err);
        if (status == LV_OK && row % 10 == 0)
            status = rows_flush(sink, row + 1, &err);
    }
    if (count > 3)
        _exit(status != LV_OK);
    if (status == LV_OK)
        status = sink->close(sink, &err);
    if (status != LV_OK)
        fprintf(stderr, "%s\n", err.text);
    return status != LV_OK;
}
