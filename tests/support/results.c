/* The HDF5 library's own messages are kept off the terminal; the most specific one becomes
 * part of ours. */
#include "results.h"

#include "base/arena.h"
#include "base/memory.h"
#include "out/hdf5_file.h"

#include <errno.h>
#include <hdf5.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct results {
    hid_t file;
    const char *path;
    lv_arena arena;
    int count;
    results_channel *datasets;
};

/* ---- the library's errors ------------------------------------------------------------- */

typedef struct quiet {
    H5E_auto2_t print;
    void *data;
} quiet;

static quiet quiet_begin(void)
{
    quiet old = {0};
    H5Eget_auto2(H5E_DEFAULT, &old.print, &old.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return old;
}

static void quiet_end(quiet old)
{
    H5Eset_auto2(H5E_DEFAULT, old.print, old.data);
}

typedef struct reason {
    char text[200];
} reason;

static herr_t first_reason(unsigned n, const H5E_error2_t *error, void *user)
{
    reason *r = user;
    if (n == 0 && error->desc)
        strncpy(r->text, error->desc, sizeof r->text - 1);
    return 0;
}

/* Of the call that has just failed. */
static lv_status fail(const results *r, const char *what, lv_error *err)
{
    reason why = {""};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first_reason, &why);
    return lv_fail(err, LV_ERR_IO, "cannot read %s in '%s': %s", what, r->path,
                   why.text[0] ? why.text : "not as livens writes it");
}

/* ---- strings -------------------------------------------------------------------------- */

/* The number of strings in a dataset or attribute with this type and space, and their length or, if
 * they are of any length, that of a pointer; -1 if it has something else. */
static long long strings_in(hid_t type, hid_t space, size_t *length)
{
    if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING)
        return -1;
    *length = H5Tget_size(type);
    return H5Sget_simple_extent_npoints(space);
}

typedef struct strings {
    long long count;
    size_t length;
    char *data; /* count * length bytes, in the arena */
} strings;

/* Strings of any length, as pointers that the library has allocated: side by side in the arena. */
static lv_status copy_texts(results *r, strings *s, hid_t type, hid_t space,
                            lv_error *err)
{
    char **texts = (char **)(void *)s->data;
    s->length = 1;
    for (long long k = 0; k < s->count; k++)
        if (texts[k] && strlen(texts[k]) > s->length)
            s->length = strlen(texts[k]);
    s->data = lv_arena_alloc(&r->arena, (size_t)s->count + 1, s->length);
    for (long long k = 0; s->data && k < s->count; k++)
        if (texts[k])
            memcpy(s->data + (size_t)k * s->length, texts[k], strlen(texts[k]));
    (void)H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
    return s->data ? LV_OK : lv_fail_memory(err);
}

/* `id` is a dataset or an attribute, `what` names it in messages. */
static lv_status read_strings(results *r, strings *s, hid_t id, const char *what,
                              lv_error *err)
{
    const bool dataset = H5Iget_type(id) == H5I_DATASET;
    hid_t type = dataset ? H5Dget_type(id) : H5Aget_type(id);
    hid_t space = dataset ? H5Dget_space(id) : H5Aget_space(id);
    lv_status status = LV_OK;
    s->count = strings_in(type, space, &s->length);
    bool done = s->count >= 0;
    if (done) {
        s->data = lv_arena_alloc(&r->arena, (size_t)s->count + 1, s->length);
        if (!s->data)
            status = lv_fail_memory(err);
    }
    if (s->data && s->count > 0)
        done = (dataset ? H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, s->data)
                        : H5Aread(id, type, s->data)) >= 0;
    if (!done)
        status = fail(r, what, err);
    else if (s->data && s->count > 0 && H5Tis_variable_str(type) > 0)
        status = copy_texts(r, s, type, space, err);
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return status;
}

static size_t length_of(const strings *s, long long k)
{
    const char *text = s->data + (size_t)k * s->length;
    size_t n = 0;
    while (n < s->length && text[n])
        n++;
    return n;
}

/* The names of the columns: the attribute, or the dataset /names/CHANNEL. */
static hid_t open_names(const results *r, hid_t dataset, const char *channel)
{
    if (H5Aexists(dataset, "names") > 0)
        return H5Aopen(dataset, "names", H5P_DEFAULT);
    if (H5Lexists(r->file, "names", H5P_DEFAULT) <= 0)
        return -1;
    hid_t group = H5Gopen2(r->file, "names", H5P_DEFAULT);
    if (group < 0)
        return -1;
    hid_t names = H5Lexists(group, channel, H5P_DEFAULT) > 0
                      ? H5Dopen2(group, channel, H5P_DEFAULT)
                      : -1;
    H5Gclose(group);
    return names;
}

static lv_status read_labels(results *r, results_channel *d, hid_t names, lv_error *err)
{
    strings all = {0};
    LV_TRY(read_strings(r, &all, names, "the names of columns", err));
    if (all.count != d->width)
        return fail(r, "the names of columns", err);
    d->labels = lv_arena_alloc(&r->arena, (size_t)d->width + 1, sizeof *d->labels);
    if (!d->labels)
        return lv_fail_memory(err);
    for (int k = 0; k < d->width; k++) {
        d->labels[k] = lv_arena_text(&r->arena, all.data + (size_t)k * all.length,
                                     length_of(&all, k));
        if (!d->labels[k])
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status read_doc(results *r, results_channel *d, hid_t dataset, lv_error *err)
{
    strings text = {0};
    if (H5Aexists(dataset, "doc") > 0) {
        hid_t attribute = H5Aopen(dataset, "doc", H5P_DEFAULT);
        if (attribute < 0)
            return fail(r, "the attribute 'doc'", err);
        lv_status status = read_strings(r, &text, attribute, "the attribute 'doc'", err);
        H5Aclose(attribute);
        LV_TRY(status);
    }
    d->doc = lv_arena_text(&r->arena, text.count > 0 ? text.data : "",
                           text.count > 0 ? length_of(&text, 0) : 0);
    return d->doc ? LV_OK : lv_fail_memory(err);
}

/* ---- channels ------------------------------------------------------------------------- */

/* Rows and columns of a dataset of numbers, one column if it has one dimension; false if it is
 * something else. */
static bool read_shape(results_channel *d, hid_t dataset)
{
    hsize_t size[2] = {0, 1};
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool done =
        type >= 0 && H5Tget_class(type) == H5T_FLOAT && (rank == 2 || rank == 1) &&
        H5Sget_simple_extent_dims(space, size, NULL) == rank && size[1] <= INT_MAX;
    d->is_flat = rank == 1;
    d->rows = (long long)size[0];
    d->width = (int)size[1];
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return done;
}

/* Adds a dataset that is a channel; others are left alone. */
static lv_status add_channel(results *r, const char *name, hid_t dataset, lv_error *err)
{
    results_channel d = {0};
    hid_t names = open_names(r, dataset, name);
    if (names < 0)
        return LV_OK;
    const bool channel = read_shape(&d, dataset);
    lv_status status = channel ? read_labels(r, &d, names, err) : LV_OK;
    if (H5Iget_type(names) == H5I_ATTR)
        H5Aclose(names);
    else
        H5Dclose(names);
    LV_TRY(status);
    if (!channel)
        return LV_OK;
    LV_TRY(read_doc(r, &d, dataset, err));
    d.name = lv_arena_text(&r->arena, name, strlen(name));
    if (!d.name)
        return lv_fail_memory(err);
    r->datasets[r->count++] = d;
    return LV_OK;
}

/* Calls `each` for every dataset of a group. */
typedef lv_status (*dataset_job)(results *r, const char *name, hid_t dataset, void *user,
                                 lv_error *err);

static lv_status each_dataset(results *r, hid_t group, dataset_job job, void *user,
                              lv_error *err)
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0)
        return fail(r, "the list of results", err);
    for (hsize_t k = 0; k < info.nlinks; k++) {
        char name[1024];
        if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name,
                               sizeof name, H5P_DEFAULT) < 0)
            return fail(r, "the list of results", err);
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        if (object < 0)
            return fail(r, name, err);
        lv_status status = LV_OK;
        if (H5Iget_type(object) == H5I_DATASET)
            status = job(r, name, object, user, err);
        H5Oclose(object);
        LV_TRY(status);
    }
    return LV_OK;
}

static lv_status visit_channel(results *r, const char *name, hid_t dataset, void *user,
                               lv_error *err)
{
    (void)user;
    return add_channel(r, name, dataset, err);
}

static lv_status read_channels(results *r, lv_error *err)
{
    H5G_info_t info;
    hid_t root = H5Gopen2(r->file, "/", H5P_DEFAULT);
    if (root < 0 || H5Gget_info(root, &info) < 0) {
        lv_status status = fail(r, "the list of results", err);
        if (root >= 0)
            H5Gclose(root);
        return status;
    }
    lv_status status = LV_OK;
    r->datasets = lv_arena_alloc(&r->arena, (size_t)info.nlinks + 1, sizeof *r->datasets);
    if (!r->datasets)
        status = lv_fail_memory(err);
    else
        status = each_dataset(r, root, visit_channel, NULL, err);
    H5Gclose(root);
    return status;
}

/* ---- files ---------------------------------------------------------------------------- */

static lv_status open_file(results *r, const char *path, lv_error *err)
{
    r->path = lv_arena_text(&r->arena, path, strlen(path));
    if (!r->path)
        return lv_fail_memory(err);
    if (access(path, R_OK) != 0)
        return lv_io_fail(err, "read", path, errno);
    r->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (r->file < 0 && H5Fis_hdf5(path) == 0)
        return lv_fail(err, LV_ERR_IO, "'%s' is not an HDF5 file", path);
    if (r->file < 0) { /* once more for the reason, which the test has cleared */
        r->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        return r->file < 0 ? fail(r, "the file", err) : LV_OK;
    }
    return LV_OK;
}

lv_status results_open(results **reader, const char *path, lv_error *err)
{
    *reader = NULL;
    results *r = lv_memory_zeroed(1, sizeof *r);
    if (!r)
        return lv_fail_memory(err);
    r->file = -1;
    quiet old = quiet_begin();
    lv_status status = open_file(r, path, err);
    if (status == LV_OK)
        status = read_channels(r, err);
    quiet_end(old);
    if (status != LV_OK) {
        results_close(r);
        return status;
    }
    *reader = r;
    return LV_OK;
}

void results_close(results *reader)
{
    if (!reader)
        return;
    if (reader->file >= 0)
        H5Fclose(reader->file);
    lv_arena_done(&reader->arena);
    lv_memory_free(reader);
}

int results_count(const results *reader)
{
    return reader->count;
}

const results_channel *results_get(const results *reader, int k)
{
    return &reader->datasets[k];
}

const results_channel *results_find(const results *reader, const char *name)
{
    for (int k = 0; k < reader->count; k++)
        if (strcmp(reader->datasets[k].name, name) == 0)
            return &reader->datasets[k];
    return NULL;
}

static bool read_block(hid_t dataset, double *values, const hsize_t start[2],
                       const hsize_t count[2])
{
    hid_t all = H5Dget_space(dataset);
    hid_t part = H5Screate_simple(H5Sget_simple_extent_ndims(all), count, NULL);
    bool done = all >= 0 && part >= 0 &&
                H5Sselect_hyperslab(all, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(dataset, H5T_NATIVE_DOUBLE, part, all, H5P_DEFAULT, values) >= 0;
    if (all >= 0)
        H5Sclose(all);
    if (part >= 0)
        H5Sclose(part);
    return done;
}

lv_status results_read(const results *reader, double *values,
                       const results_channel *dataset, long long first, long long count,
                       lv_error *err)
{
    if (first < 0 || count < 0 || first > dataset->rows - count)
        return lv_fail(
            err, LV_ERR_USAGE, "'%s' in '%s' has %lld rows, asked for %lld to %lld",
            dataset->name, reader->path, dataset->rows, first, first + count - 1);
    if (count == 0 || dataset->width == 0)
        return LV_OK;
    const hsize_t start[2] = {(hsize_t)first, 0};
    const hsize_t size[2] = {(hsize_t)count, (hsize_t)dataset->width};
    quiet old = quiet_begin();
    hid_t id = H5Dopen2(reader->file, dataset->name, H5P_DEFAULT);
    lv_status status = LV_OK;
    if (id < 0 || !read_block(id, values, start, size))
        status = fail(reader, dataset->name, err);
    if (id >= 0)
        H5Dclose(id);
    quiet_end(old);
    return status;
}
