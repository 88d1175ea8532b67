/* Sinks receive recorded rows. A recorder fills the channels' values, then asks every
 * sink to write one row. Sinks know channels, but nothing of mechanics. Sinks of
 * different files may be used by different threads at the same time. */
#ifndef LV_OUT_SINK_H
#define LV_OUT_SINK_H

#include "base/status.h"

#include <stdbool.h>

/* A group of numbers recorded together: positions, multipliers, ... */
typedef struct lv_channel {
    /* "q", "v", "lambda", ...: the name of the dataset in HDF5, below 64 bytes */
    const char *name;
    const char *doc;
    int width;
    const double
        *values; /* `width` numbers, filled before each row; the address never changes */
    /* The label of column k, such as "a[2]" or "lambda.upper". Writes at most `size`
     * bytes to `buffer`. */
    const char *(*label)(const void *user, int k, char *buffer, size_t size);
    const void *user;
    /* A text instead of numbers, for CSV only (width 1, values NULL): below
     * LV_CHANNEL_TEXT bytes, filled before each row. */
    const char *text;
    bool flat; /* width 1, and a dataset of one dimension in HDF5 */
} lv_channel;

enum { LV_CHANNEL_TEXT = 1000 };

/* Channels must outlive the sinks that use them. */
typedef struct lv_channels {
    int count;
    const lv_channel *list;
} lv_channels;

/* What a later run needs to continue. */
typedef struct lv_checkpoint {
    /* state, memory of the scheme, monitors, in an order that the recorder knows */
    const double *numbers;
    int count;
    /* number of the last rows that the later run will record again */
    long long again;
} lv_checkpoint;

/* Texts stored with a result: the model's text, options, version. */
typedef struct lv_text_entry {
    const char *name;
    const char *text;
} lv_text_entry;

/* A number, or a vector of them, stored with a result. */
typedef struct lv_number_entry {
    const char *name;
    int length; /* 0: a scalar */
    const double *values;
} lv_number_entry;

typedef struct lv_sink lv_sink;

typedef struct lv_header {
    int count;
    const lv_text_entry *entries; /* datasets of /run */
    int attribute_count;
    const lv_text_entry *attributes; /* attributes of the file as a whole */
    int number_count;
    const lv_number_entry *numbers; /* datasets of /parameters */
    int checkpoint_size;
    long long rows; /* expected number of rows, for the size of chunks; 0: unknown */
    /* flush waits for the disk, so that results also survive a loss of power */
    bool sync;
    /* Writes the first rows of the file. The file does not replace an earlier one before
     * it has these rows. NULL: it begins without rows. */
    lv_status (*fill)(lv_sink *sink, const void *user, lv_error *err);
    const void *user;
} lv_header;

/* Rows that are certainly in the file, also after a failure. */
typedef struct lv_kept_rows {
    long long count;
    double last; /* the first number of the last row */
} lv_kept_rows;

struct lv_sink {
    /* Writes the channels' current values as one row. After a failure the row was not
     * taken; all earlier rows are still there, and the call may be repeated. */
    lv_status (*row)(lv_sink *sink, lv_error *err);
    /* Makes all rows so far safe in the file, with a checkpoint that belongs to the last
     * row (NULL: none). It is called at intervals and at the end. NULL: the sink has
     * nothing to make safe. */
    lv_status (*flush)(lv_sink *sink, const lv_checkpoint *checkpoint, lv_error *err);
    /* Closes and frees; a failure to write what was still buffered is reported. */
    lv_status (*close)(lv_sink *sink, lv_error *err);
    /* Owned by the caller, updated by flush and close. NULL: not wanted. */
    lv_kept_rows *kept;
};

/* CSV: a header line, then one line per row with 17 significant digits, '.' in every
 * locale, nan and inf. The path "-" is standard output (not through stdio). A new file is
 * created at once, and removed again if no row arrives; an existing file is replaced when
 * the first row arrives. It always ends in a complete line, also on a full disk. A file
 * that another sink, in this process or another one, is writing is refused. */
lv_status lv_csv_create(lv_sink **sink, const char *path, const lv_channels *channels,
                        lv_error *err);

/* Opens the CSV file of an earlier run to append to it; rows after the first `rows` are
 * dropped. `last` has the numbers of the last row that stays, in the order of the
 * columns. A file is refused and left unchanged unless it begins with the header and
 * `rows` rows, the last of which has these numbers. */
lv_status lv_csv_append(lv_sink **sink, const char *path, const lv_channels *channels,
                        long long rows, const double *last, lv_error *err);

/* HDF5: one 2-D dataset of doubles per channel, with one row per recorded row (flat
 * channels have one dimension). The group /run has texts, as scalar strings, the
 * checkpoint, with the attribute `rows`, and a checksum of every row. The attribute
 * `names` of a dataset has the names of its columns; if they need more than 60000 bytes,
 * the dataset /names/CHANNEL has them instead. The attribute `doc` is an explanation.
 *
 * An existing file is replaced only when the new one has been created and has the rows
 * that header->fill writes. From then on the file is at every moment, also after kill -9,
 * a complete HDF5 file with exactly the rows of the last flush and the last checkpoint
 * given with it or before. While a sink has the file open, other programs may read it; a
 * second sink, in this process or another one, is refused. */
lv_status lv_hdf5_create(lv_sink **sink, const char *path, const lv_channels *channels,
                         const lv_header *header, lv_error *err);

/* Opens a file of an earlier run to append to it; rows after the checkpoint are dropped.
 * The channels must be those of the file. All rows up to the checkpoint are read once
 * before anything is written, and a file with a damaged row is refused. */
lv_status lv_hdf5_append(lv_sink **sink, const char *path, const lv_channels *channels,
                         int checkpoint_size, lv_error *err);

/* The last row of a file opened by lv_hdf5_append, all channels one after the other. The
 * file must have a row. */
lv_status lv_hdf5_last_row(lv_sink *sink, double *values, lv_error *err);

/* Texts and checkpoint of a file, allocated for the caller; checkpoint is NULL if there
 * is none. Only files as livens left them are read, and any damage is noticed. */
typedef struct lv_hdf5_run {
    int text_count;
    char **names, **texts;
    int checkpoint_count;
    double *checkpoint;
    long long rows; /* rows that the checkpoint covers */
} lv_hdf5_run;

lv_status lv_hdf5_read_run(lv_hdf5_run *run, const char *path, lv_error *err);
void lv_hdf5_run_done(lv_hdf5_run *run);

/* The text with this name; "" if there is none. */
const char *lv_hdf5_run_text(const lv_hdf5_run *run, const char *name);

/* Reads rows of such a file. lv_hdf5_open reads all of them once, and refuses a file with
 * a damaged row. */
typedef struct lv_hdf5_reader lv_hdf5_reader;

typedef struct lv_hdf5_dataset {
    const char *name;
    int width;
    long long rows;
} lv_hdf5_dataset;

lv_status lv_hdf5_open(lv_hdf5_reader **reader, const char *path, lv_error *err);
void lv_hdf5_close(lv_hdf5_reader *reader);

/* The channel with this name, NULL if there is none. */
const lv_hdf5_dataset *lv_hdf5_find(const lv_hdf5_reader *reader, const char *name);

/* The k-th channel, NULL beyond the last; the label of one of its columns, at most `size`
 * bytes with the final NUL. */
const lv_hdf5_dataset *lv_hdf5_dataset_at(const lv_hdf5_reader *reader, int k);
const char *lv_hdf5_label(const lv_hdf5_reader *reader, const lv_hdf5_dataset *dataset,
                          int column, char *buffer, size_t size);

/* Reads rows [first, first + count) of a channel, all columns, row by row. */
lv_status lv_hdf5_read(const lv_hdf5_reader *reader, double *values,
                       const lv_hdf5_dataset *dataset, long long first, long long count,
                       lv_error *err);

#endif
