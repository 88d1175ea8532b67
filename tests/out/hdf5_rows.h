/* Writing files of known rows, for the tests of the HDF5 sink. */
#ifndef LV_TESTS_OUT_HDF5_ROWS_H
#define LV_TESTS_OUT_HDF5_ROWS_H

#include "rows.h"

#include <hdf5.h>

static rows r;

static inline int begin(void **state)
{
    (void)state;
    rows_init(&r, 1);
    return rows_files(true) != 0;
}

/* No test may leave a handle of the library open. */
static inline int end(void **state)
{
    rows_clean(state);
    return H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0;
}

static inline lv_sink *create(const char *path)
{
    lv_error err;
    lv_sink *sink = NULL;
    const lv_header header = rows_header();
    if (lv_hdf5_create(&sink, path, &r.channels, &header, &err) != LV_OK)
        fail_msg("%s", err.text);
    return sink;
}

static inline lv_sink *append(const char *path)
{
    lv_error err;
    lv_sink *sink = NULL;
    if (lv_hdf5_append(&sink, path, &r.channels, ROWS_CHECKPOINT, &err) != LV_OK)
        fail_msg("%s", err.text);
    return sink;
}

static inline void add_rows(lv_sink *sink, long long from, long long to)
{
    for (long long row = from; row < to; row++) {
        rows_fill(&r, row);
        assert_int_equal(sink->row(sink, NULL), LV_OK);
    }
}

static inline void write_file(const char *path, long long count)
{
    lv_sink *sink = create(path);
    add_rows(sink, 0, count);
    assert_int_equal(rows_flush(sink, count, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

#endif
