/* Reads rows of a file chunk by chunk and verifies their checksums. */
#include "out/hdf5_sink.h"

#include <stdio.h>

/* Reads `count` rows of one chunk or, if rows are wide, of several chunks side by
 * side. */
static lv_status read_chunk(const lv_h5_sink *s, const lv_h5_channel *c, double *values,
                            uint64_t first, uint64_t count, lv_error *err)
{
    const lv_tree *tree = &c->tree;
    const uint64_t width = (uint64_t)c->source->width;
    const uint64_t above = first % tree->rows * tree->columns;
    const bool whole = width == tree->columns;
    for (uint64_t k = 0; k * tree->columns < width; k++) {
        const uint64_t left = width - k * tree->columns;
        const uint64_t columns = left < tree->columns ? left : tree->columns;
        uint64_t chunk = 0;
        LV_TRY(lv_tree_find(tree, &s->file, first / tree->rows * tree->across + k, &chunk,
                            err));
        const uint64_t from = chunk + above * sizeof *values;
        for (uint64_t row = 0; row < (whole ? 1 : count); row++)
            LV_TRY(lv_h5_read(&s->file, from + row * tree->columns * sizeof *values,
                              values + row * width + k * tree->columns,
                              (size_t)(whole ? count * width : columns) * sizeof *values,
                              err));
    }
    return LV_OK;
}

lv_status lv_h5_read_rows(const lv_h5_sink *s, const lv_h5_channel *c, double *values,
                          long long first, long long count, lv_error *err)
{
    const long long chunk = (long long)c->tree.rows, end = first + count;
    if (c->source->width == 0)
        return LV_OK; /* a channel without columns may have no buffer */
    for (long long row = first, next = 0; row < end; row = next) {
        next = row - row % chunk + chunk < end ? row - row % chunk + chunk : end;
        LV_TRY(read_chunk(s, c, values + (size_t)(row - first) * (size_t)c->source->width,
                          (uint64_t)row, (uint64_t)(next - row), err));
    }
    return LV_OK;
}

/* Row `row` of a channel. The buffer is filled with the rows of the next chunk when the
 * row is the first of a chunk. */
static lv_status next_row(const lv_h5_sink *s, const lv_h5_channel *c,
                          const double **values, long long row, long long rows,
                          lv_error *err)
{
    const long long chunk = (long long)c->tree.rows, inside = row % chunk;
    if (inside == 0)
        LV_TRY(lv_h5_read_rows(s, c, c->buffer, row,
                               rows - row < chunk ? rows - row : chunk, err));
    *values = c->source->width > 0 ? c->buffer + (size_t)inside * (size_t)c->source->width
                                   : NULL;
    return LV_OK;
}

/* Compares all channels of a row with its checksum. */
static lv_status check_row(const lv_h5_sink *s, long long row, long long rows,
                           lv_error *err)
{
    const int last = s->channel_count - 1;
    uint64_t sum = lv_h5_row_begin(row);
    const double *values = NULL;
    for (int k = 0; k < last; k++) {
        const lv_h5_channel *c = &s->channels[k];
        LV_TRY(next_row(s, c, &values, row, rows, err));
        sum = lv_h5_checksum_numbers(sum, values, (size_t)c->source->width);
    }
    LV_TRY(next_row(s, &s->channels[last], &values, row, rows, err));
    if (values[0] == lv_h5_row_end(sum))
        return LV_OK;
    char what[60];
    snprintf(what, sizeof what, "the numbers of row %lld", row + 1);
    return lv_h5_damaged(s, what, err);
}

lv_status lv_h5_check_rows(const lv_h5_sink *s, long long rows, lv_error *err)
{
    if (s->channels[s->channel_count - 1].source->width != 1)
        return lv_h5_damaged(s, "its record", err);
    for (long long row = 0; row < rows; row++)
        LV_TRY(check_row(s, row, rows, err));
    return LV_OK;
}
