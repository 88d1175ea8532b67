/* Damaged files: whatever happened to the bytes, a file is refused with a message, or what is
 * read from it and added to it is right to the last bit. */
#include "rows.h"

#include "out/hdf5_sink.h"

#include <fcntl.h>

/* ---- random numbers (G. Marsaglia 2003) ---------------------------------------------------- */

static uint64_t seed = 88172645463325252u;

static uint64_t random_number(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static size_t below(size_t n)
{
    return (size_t)(random_number() % n);
}

/* ---- files as bytes ------------------------------------------------------------------------- */

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static bytes read_bytes(const char *name)
{
    struct stat info;
    int fd = open(name, O_RDONLY);
    assert_true(fd >= 0 && fstat(fd, &info) == 0);
    bytes b = {malloc((size_t)info.st_size + 1), (size_t)info.st_size};
    assert_non_null(b.data);
    assert_int_equal(read(fd, b.data, b.size), (ssize_t)b.size);
    close(fd);
    return b;
}

static void write_bytes(const char *name, const bytes *b)
{
    (void)unlink(name);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, b->data, b->size), (ssize_t)b->size);
    close(fd);
}

static bytes copy_bytes(const bytes *from)
{
    bytes b = {malloc(from->size + 1), from->size};
    assert_non_null(b.data);
    memcpy(b.data, from->data, from->size);
    return b;
}

/* ---- the sound file ------------------------------------------------------------------------- */

enum { EXTRA = 7 };

static rows r;
static const lv_channels channels = {2, r.list}; /* t and q */
static const char *path;
static bytes sound;     /* a run that stopped after its last checkpoint */
static bytes continued; /* with EXTRA rows more, from the checkpoint on */
static long long covered;

static void add_rows(lv_sink *sink, long long from, long long to)
{
    for (long long row = from; row < to; row++) {
        rows_fill(&r, row);
        assert_int_equal(sink->row(sink, NULL), LV_OK);
    }
}

static lv_status go_on(lv_error *err)
{
    lv_sink *sink = NULL;
    LV_TRY(lv_hdf5_append(&sink, path, &channels, ROWS_CHECKPOINT, err));
    add_rows(sink, covered, covered + EXTRA);
    lv_status status = rows_flush(sink, covered + EXTRA, err);
    lv_status closed = sink->close(sink, status == LV_OK ? err : NULL);
    return status == LV_OK ? closed : status;
}

static void make_sound(long long count)
{
    lv_sink *sink = NULL;
    lv_header header = rows_header();
    header.rows = 1; /* small chunks */
    covered = count - 3;
    rows_init(&r, 1);
    path = rows_path("a.h5");
    assert_int_equal(lv_hdf5_create(&sink, path, &channels, &header, NULL), LV_OK);
    add_rows(sink, 0, covered);
    assert_int_equal(rows_flush(sink, covered, NULL), LV_OK);
    add_rows(sink, covered, count);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    sound = read_bytes(path);
    assert_int_equal(go_on(NULL), LV_OK);
    continued = read_bytes(path);
}

static void forget_sound(void)
{
    free(sound.data);
    free(continued.data);
}

/* ---- damage --------------------------------------------------------------------------------- */

/* Where something is: everywhere, or often in the first part, which has more structure. */
static size_t place(const bytes *b, size_t room)
{
    const size_t end = below(2) && b->size > 12000 ? 12000 : b->size;
    return room < end ? below(end - room) : 0;
}

static void flip_bits(bytes *b)
{
    for (size_t k = below(4) + 1; k > 0; k--)
        b->data[place(b, 0)] ^= (unsigned char)(1u << below(8));
}

static void scribble(bytes *b)
{
    const size_t count = below(64) + 1, at = place(b, count);
    for (size_t k = 0; k < count && at + k < b->size; k++)
        b->data[at + k] = (unsigned char)random_number();
}

static void put_number(bytes *b)
{
    static const uint64_t numbers[] = {0,          1,           7,
                                       UINT64_MAX, INT64_MAX,   (uint64_t)1 << 63,
                                       INT32_MAX,  UINT32_MAX,  (uint64_t)1 << 40,
                                       0x8000,     0xffffff00u, 96};
    const size_t count = sizeof numbers / sizeof numbers[0];
    lv_h5_store(b->data + place(b, 8) / 8 * 8, numbers[below(count)], 8);
}

static void swap_blocks(bytes *b)
{
    const size_t size = (size_t)8 << below(7);
    const size_t one = place(b, size), two = place(b, size);
    for (size_t k = 0; k < size && one + k < b->size && two + k < b->size; k++) {
        const unsigned char kept = b->data[one + k];
        b->data[one + k] = b->data[two + k];
        b->data[two + k] = kept;
    }
}

static void clear_block(bytes *b)
{
    const size_t size = (size_t)64 << below(7), at = place(b, size);
    memset(b->data + at, below(2) ? 0 : 255, at + size < b->size ? size : b->size - at);
}

static void cut_end(bytes *b)
{
    b->size = below(2) ? below(b->size) : b->size - below(100);
}

static bytes damage(const bytes *from)
{
    static void (*const kinds[])(bytes *) = {flip_bits,   scribble,    put_number,
                                             swap_blocks, clear_block, cut_end};
    bytes b = copy_bytes(from);
    for (size_t k = below(3) == 0 ? 2 : 1; k > 0 && b.size > 0; k--)
        kinds[below(sizeof kinds / sizeof kinds[0])](&b);
    return b;
}

/* ---- what must hold ------------------------------------------------------------------------- */

static void assert_explained(const lv_error *err)
{
    if (err->code != LV_ERR_IO || !strstr(err->text, path))
        fail_msg("'%s' does not explain", err->text);
}

/* Is what a resumed run reads that of the sound file? */
static bool reads_right(void)
{
    lv_error err;
    lv_hdf5_run run;
    const lv_header header = rows_header();
    double numbers[ROWS_CHECKPOINT];
    if (lv_hdf5_read_run(&run, path, &err) != LV_OK) {
        assert_explained(&err);
        return false;
    }
    rows_checkpoint(numbers, covered);
    assert_int_equal(run.rows, covered);
    assert_int_equal(run.checkpoint_count, ROWS_CHECKPOINT);
    assert_memory_equal(run.checkpoint, numbers, sizeof numbers);
    assert_int_equal(run.text_count, header.count);
    for (int k = 0; k < header.count; k++) {
        assert_string_equal(run.names[k], header.entries[k].name);
        assert_string_equal(run.texts[k], header.entries[k].text);
    }
    lv_hdf5_run_done(&run);
    return true;
}

/* Reads all rows of a channel; all numbers are right, unless a checksum was forged. */
static lv_status read_channel(lv_hdf5_reader *reader, int channel, bool forged,
                              lv_error *err)
{
    double values[ROWS_Q];
    const lv_hdf5_dataset *d = lv_hdf5_find(reader, r.list[channel].name);
    assert_true(forged || (d && d->width == r.list[channel].width));
    for (long long row = 0; d && d->width <= ROWS_Q && row < d->rows; row++) {
        LV_TRY(lv_hdf5_read(reader, values, d, row, 1, err));
        for (int k = 0; k < d->width && !forged; k++)
            if (values[k] != rows_value(channel, row, k))
                fail_msg("row %lld has %.17g", row, values[k]);
    }
    return LV_OK;
}

/* Rows are read, or it is said why not. */
static bool read_rows(bool forged)
{
    lv_error err = {.code = LV_OK};
    lv_hdf5_reader *reader = NULL;
    lv_status status = lv_hdf5_open(&reader, path, &err);
    for (int c = 0; c < channels.count && status == LV_OK; c++)
        status = read_channel(reader, c, forged, &err);
    if (status != LV_OK)
        assert_explained(&err);
    lv_hdf5_close(reader);
    return status == LV_OK;
}

/* All rows are right, those that were kept and those that were added; elsewhere the damage may remain. A
 * file that is refused stays as it is. */
static bool continues_right(const bytes *damaged)
{
    lv_error err;
    const bool refused = go_on(&err) != LV_OK;
    bytes now = read_bytes(path);
    if (refused) {
        assert_explained(&err);
        assert_int_equal(now.size, damaged->size);
        assert_memory_equal(now.data, damaged->data, now.size);
        free(now.data);
        return false;
    }
    assert_true(read_rows(false));
    assert_int_equal(now.size, continued.size);
    for (size_t k = 0; k < now.size; k++)
        if (now.data[k] != continued.data[k] &&
            (k >= sound.size || damaged->data[k] == sound.data[k] ||
             now.data[k] != damaged->data[k]))
            fail_msg("byte %zu: %d instead of %d", k, now.data[k], continued.data[k]);
    free(now.data);
    return true;
}

static void assert_refused_or_right(int trials)
{
    int right = 0, refused = 0;
    for (int k = 0; k < trials; k++) {
        bytes damaged = damage(&sound);
        write_bytes(path, &damaged);
        const bool read = reads_right();
        if (k % 8 == 0)
            (void)read_rows(false);
        const bool added = damaged.size >= sound.size && continues_right(&damaged);
        right += read && added;
        refused += !read && !added;
        free(damaged.data);
    }
    /* Both happen, and often. */
    assert_in_range(right, trials / 20, trials);
    assert_in_range(refused, trials / 20, trials);
}

static void damaged_files_are_refused_or_right(void **state)
{
    (void)state;
    make_sound(400);
    assert_refused_or_right(6000);
    forget_sound();
}

/* Indices of several levels. */
static void long_damaged_files_are_refused_or_right(void **state)
{
    (void)state;
    make_sound(40000);
    assert_refused_or_right(300);
    forget_sound();
}

/* Every byte that is ours, one after the other: nothing passes unnoticed that matters. */
static void every_byte_of_a_small_file_may_be_wrong(void **state)
{
    (void)state;
    make_sound(4);
    for (size_t at = 0; at < sound.size; at++) {
        bytes damaged = copy_bytes(&sound);
        damaged.data[at] ^= (unsigned char)(1u << below(8));
        write_bytes(path, &damaged);
        (void)reads_right();
        (void)read_rows(false);
        (void)continues_right(&damaged);
        free(damaged.data);
    }
    forget_sound();
}

/* Where a number stands in the file, the only one of its value. */
static size_t find_number(double value)
{
    size_t found = 0;
    for (size_t at = 0; at + sizeof value <= sound.size; at += sizeof value)
        if (memcmp(sound.data + at, &value, sizeof value) == 0) {
            assert_int_equal(found, 0);
            found = at;
        }
    assert_int_not_equal(found, 0);
    return found;
}

static void assert_named(const lv_error *err, const char *row)
{
    assert_explained(err);
    if (!strstr(err->text, row))
        fail_msg("'%s' does not name %s", err->text, row);
}

/* To read, and to go on. */
static void assert_row_refused(const bytes *damaged, const char *row)
{
    lv_error err;
    lv_hdf5_reader *reader = NULL;
    write_bytes(path, damaged);
    assert_int_equal(lv_hdf5_open(&reader, path, &err), LV_ERR_IO);
    assert_null(reader);
    assert_named(&err, row);
    assert_int_equal(go_on(&err), LV_ERR_IO);
    assert_named(&err, row);
    assert_non_null(strstr(err.hint, "left as it is"));
    bytes now = read_bytes(path);
    assert_int_equal(now.size, damaged->size);
    assert_memory_equal(now.data, damaged->data, now.size);
    free(now.data);
}

/* Bits, signs of two numbers at once, numbers that have changed places. */
static void wrong_numbers_are_noticed(void **state)
{
    (void)state;
    make_sound(10);
    write_bytes(path, &sound);
    assert_true(read_rows(false));
    const size_t one = find_number(rows_value(1, 4, 0)),
                 two = find_number(rows_value(1, 4, 2)),
                 other = find_number(rows_value(1, 7, 0));
    for (size_t bit = 0; bit < 64; bit++) {
        bytes damaged = copy_bytes(&sound);
        damaged.data[two + bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_row_refused(&damaged, "row 5");
        damaged.data[one + bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_row_refused(&damaged, "row 5");
        free(damaged.data);
    }
    bytes damaged = copy_bytes(&sound);
    memcpy(damaged.data + one, sound.data + other, 3 * sizeof(double));
    memcpy(damaged.data + other, sound.data + one, 3 * sizeof(double));
    assert_row_refused(&damaged, "row 5");
    free(damaged.data);
    forget_sound();
}

/* As a disk leaves it that has lost a block. */
static void rows_that_are_missing_are_noticed(void **state)
{
    (void)state;
    make_sound(10);
    bytes damaged = copy_bytes(&sound);
    memset(damaged.data + find_number(rows_value(1, 6, 0)), 0,
           ROWS_Q * sizeof(double)); /* the last one that is kept */
    assert_row_refused(&damaged, "row 7");
    free(damaged.data);
    forget_sound();
}

/* Rows after the checkpoint are written again. */
static void rows_that_are_dropped_may_be_wrong(void **state)
{
    (void)state;
    make_sound(10);
    bytes damaged = copy_bytes(&sound);
    damaged.data[find_number(rows_value(1, covered, 0))] ^= 1;
    write_bytes(path, &damaged);
    assert_int_equal(go_on(NULL), LV_OK);
    bytes now = read_bytes(path);
    assert_int_equal(now.size, continued.size);
    assert_memory_equal(now.data, continued.data, now.size);
    free(now.data);
    free(damaged.data);
    forget_sound();
}

/* ---- files made to deceive ------------------------------------------------------------------ */

/* Makes the checksums of the record and of both sides right again. */
static void reseal(bytes *b)
{
    enum { SIDES = LV_H5_RECORD_AT + LV_H5_RECORD_HEAD };
    const size_t record = (size_t)lv_h5_record_size(channels.count + 1);
    if (b->size < LV_H5_RECORD_AT + record)
        return;
    unsigned char *at = b->data + LV_H5_RECORD_AT;
    const uint64_t from = LV_H5_RECORD_AT + record, size = lv_h5_load(at + 88, 8);
    if (size < b->size - from)
        lv_h5_store(at + 96, lv_h5_checksum(b->data + from, (size_t)size), 8);
    lv_h5_store(at + 8, lv_h5_checksum(at + 16, record - 16), 8);
    for (int k = 0; k < 2; k++) {
        const uint64_t side = lv_h5_load(b->data + SIDES + (size_t)k * 8, 8);
        if (b->size < 16 || side > b->size - 16)
            continue;
        const uint64_t length = lv_h5_load(b->data + side + 8, 8);
        if (length > 8 && length <= b->size - side)
            lv_h5_store(b->data + side,
                        lv_h5_checksum(b->data + side + 8, (size_t)length - 8), 8);
    }
}

/* Right checksums do not make numbers sensible: nothing may be promised, but no crash. */
static void files_with_right_checksums_do_no_harm(void **state)
{
    (void)state;
    lv_hdf5_run run;
    int opened = 0;
    make_sound(400);
    for (int k = 0; k < 4000; k++) {
        bytes damaged = damage(&sound);
        reseal(&damaged);
        write_bytes(path, &damaged);
        lv_status status = lv_hdf5_read_run(&run, path, NULL);
        opened += status == LV_OK;
        lv_hdf5_run_done(&run);
        if (k % 8 == 0)
            (void)read_rows(true);
        status = go_on(NULL);
        free(damaged.data);
    }
    assert_in_range(opened, 400, 3999);
    forget_sound();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(damaged_files_are_refused_or_right, rows_clean),
        cmocka_unit_test_teardown(long_damaged_files_are_refused_or_right, rows_clean),
        cmocka_unit_test_teardown(every_byte_of_a_small_file_may_be_wrong, rows_clean),
        cmocka_unit_test_teardown(wrong_numbers_are_noticed, rows_clean),
        cmocka_unit_test_teardown(rows_that_are_missing_are_noticed, rows_clean),
        cmocka_unit_test_teardown(rows_that_are_dropped_may_be_wrong, rows_clean),
        cmocka_unit_test_teardown(files_with_right_checksums_do_no_harm, rows_clean),
    };
    return cmocka_run_group_tests(tests, NULL, rows_finish);
}
