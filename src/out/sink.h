/* Where recorded rows go. A recorder fills the channels' values, then asks every sink to write
 * one row. Sinks know channels, not mechanics.
 *
 * Sinks of different files may be used by different threads at the same time. */
#ifndef LV_OUT_SINK_H
#define LV_OUT_SINK_H

#include "base/status.h"

#include <stdbool.h>

/* A group of numbers recorded together: positions, multipliers, ... */
typedef struct lv_channel {
    const char *name; /* "q", "v", "lambda", ...: the dataset in HDF5; below 64 bytes */
    const char *doc;
    int width;
    const double
        *values; /* width numbers, filled before each row; the place never changes */
    /* The name of number k as a column: "a[2]", "lambda.upper". Writes at most size bytes. */
    const char *(*label)(const void *user, int k, char *buffer, size_t size);
    const void *user;
    /* A text instead of numbers (width 1, values NULL), below LV_CHANNEL_TEXT bytes and filled
     * before each row: for CSV only. */
    const char *text;
    bool flat; /* of width 1, and a dataset of one dimension in HDF5 */
} lv_channel;

enum { LV_CHANNEL_TEXT = 1000 };

/* Channels live as long as the sinks that use them. */
typedef struct lv_channels {
    int count;
    const lv_channel *list;
} lv_channels;

/* What is needed to go on later: numbers, and texts that say how the run was set up. */
typedef struct lv_checkpoint {
    const double
        *numbers; /* state, scheme memory, monitors: the recorder knows the order */
    int count;
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

typedef struct lv_header {
    int count;
    const lv_text_entry *entries; /* datasets of /run */
    int attribute_count;
    const lv_text_entry *attributes; /* of the file as a whole */
    int number_count;
    const lv_number_entry *numbers; /* datasets of /parameters */
    int checkpoint_size;
    long long
        rows;  /* that the run will probably write, 0 if nobody knows: sizes chunks */
    bool sync; /* flush waits for the disk: results also survive a loss of power */
} lv_header;

/* What is in the file for certain, also after a failure. */
typedef struct lv_kept_rows {
    long long count;
    double last; /* the first number of the last row */
} lv_kept_rows;

typedef struct lv_sink lv_sink;

struct lv_sink {
    /* Writes the channels' current values as one row. After a failure the row was not
     * taken; all before it are still there, and the call may be repeated. */
    lv_status (*row)(lv_sink *sink, lv_error *err);
    /* Makes everything so far safe in the file, with a checkpoint that belongs to the last
     * row written (NULL: none). Called at intervals and at the end. NULL: there is nothing to be made safe. */
    lv_status (*flush)(lv_sink *sink, const lv_checkpoint *checkpoint, lv_error *err);
    /* Closes and frees; a failure to write what was still buffered is reported. */
    lv_status (*close)(lv_sink *sink, lv_error *err);
    /* Brought up to date by flush and close; the caller's, NULL: nobody wants to know. */
    lv_kept_rows *kept;
};

/* CSV: a header line, then one line per row, 17 significant digits, '.' in every locale, nan
 * and inf; the path "-" is standard output (not through stdio). A file that
 * there was not is created at once, and removed again if no row came; one that there was is replaced
 * with the first row. It ends in a complete line, also on a full disk. A file that another sink, here
 * or in another process, is writing or will write is refused. */
lv_status lv_csv_create(lv_sink **sink, const char *path, const lv_channels *channels,
                        lv_error *err);

/* Opens the CSV file of an earlier run to append to it: rows after the first `rows` are dropped. `last`
 * has the numbers of the last row that stays, in the order of the columns. A file that does not begin
 * with the header and so many rows, the last of them with these numbers, is refused and left as it is. */
lv_status lv_csv_append(lv_sink **sink, const char *path, const lv_channels *channels,
                        long long rows, const double *last, lv_error *err);

/* HDF5: one 2-D dataset of doubles per channel, a row per row (flat ones have one dimension); texts, as scalar strings, and
 * the checkpoint, with the attribute `rows`, under /run, where also is a checksum of every row. The attribute `names` of a dataset
 * has its columns' names; where they need more than 60000 bytes, the dataset /names/CHANNEL
 * has them instead. The attribute `doc` explains.
 *
 * An existing file is replaced only when the new one has been created. From then on the file
 * is at every moment, also after kill -9, a complete HDF5 file with exactly the rows of the
 * last flush and the checkpoint given with it or before. While a sink has it open, other
 * programs may read it; a second sink, here or in another process, is refused. */
lv_status lv_hdf5_create(lv_sink **sink, const char *path, const lv_channels *channels,
                         const lv_header *header, lv_error *err);

/* Opens a file of an earlier run to append to it: rows after the checkpoint are dropped. The
 * channels must be those of the file. All rows up to the checkpoint are read once before anything is
 * written; a file in which one of them is not as it was written is refused. */
lv_status lv_hdf5_append(lv_sink **sink, const char *path, const lv_channels *channels,
                         int checkpoint_size, lv_error *err);

/* The last row of a file that was opened so, all channels one after the other; it has one. */
lv_status lv_hdf5_last_row(lv_sink *sink, double *values, lv_error *err);

/* Reads back what was stored beside the rows; texts and numbers are allocated for the caller. A file
 * without a checkpoint has checkpoint == NULL. Only files as livens left them are read; any damage
 * is noticed. */
typedef struct lv_hdf5_run {
    int text_count;
    char **names, **texts;
    int checkpoint_count;
    double *checkpoint;
    long long rows; /* that the checkpoint covers */
} lv_hdf5_run;

lv_status lv_hdf5_read_run(lv_hdf5_run *run, const char *path, lv_error *err);
void lv_hdf5_run_done(lv_hdf5_run *run);

/* A text by its name; "" if there is none. */
const char *lv_hdf5_run_text(const lv_hdf5_run *run, const char *name);

/* Rows of such a file. lv_hdf5_open reads all of them once, and refuses a file in which a number is not
 * as it was written. */
typedef struct lv_hdf5_reader lv_hdf5_reader;

typedef struct lv_hdf5_dataset {
    const char *name;
    int width;
    long long rows;
} lv_hdf5_dataset;

lv_status lv_hdf5_open(lv_hdf5_reader **reader, const char *path, lv_error *err);
void lv_hdf5_close(lv_hdf5_reader *reader);

/* A channel by its name, NULL if there is none. */
const lv_hdf5_dataset *lv_hdf5_find(const lv_hdf5_reader *reader, const char *name);

/* The k-th channel, NULL beyond the last; the name of one of its columns, at most size bytes with the final NUL. */
const lv_hdf5_dataset *lv_hdf5_dataset_at(const lv_hdf5_reader *reader, int k);
const char *lv_hdf5_label(const lv_hdf5_reader *reader, const lv_hdf5_dataset *dataset,
                          int column, char *buffer, size_t size);

/* Reads rows [first, first + count) of a channel, all columns, row by row. */
lv_status lv_hdf5_read(const lv_hdf5_reader *reader, double *values,
                       const lv_hdf5_dataset *dataset, long long first, long long count,
                       lv_error *err);

#endif
