/* Where recorded rows go. A recorder fills the channels' values, then asks every sink to write
 * one row. Sinks know channels, not mechanics. */
#ifndef LV_OUT_SINK_H
#define LV_OUT_SINK_H

#include "base/status.h"

/* A group of numbers recorded together: positions, multipliers, ... */
typedef struct lv_channel {
    const char *name; /* "q", "v", "lambda", ...: the dataset in HDF5 */
    const char *doc;
    int width;
    const double *values; /* width numbers, filled before each row; the place never changes */
    /* The name of number k as a column: "a[2]", "lambda.upper". Writes at most size bytes. */
    const char *(*label)(const void *user, int k, char *buffer, size_t size);
    const void *user;
} lv_channel;

typedef struct lv_channels {
    int count;
    const lv_channel *list;
} lv_channels;

/* What is needed to go on later: numbers, and texts that say how the run was set up. */
typedef struct lv_checkpoint {
    const double *numbers; /* state, scheme memory, monitors: the recorder knows the order */
    int count;
} lv_checkpoint;

/* Texts stored with a result: the model's text, options, version. */
typedef struct lv_text_entry {
    const char *name;
    const char *text;
} lv_text_entry;

typedef struct lv_header {
    int count;
    const lv_text_entry *entries;
    int checkpoint_size;
} lv_header;

typedef struct lv_sink lv_sink;

struct lv_sink {
    /* Writes the channels' current values as one row. */
    lv_status (*row)(lv_sink *sink, lv_error *err);
    /* Makes everything so far safe on disk, with a checkpoint that belongs to the last row
     * written (NULL: none). Called at intervals and at the end. */
    lv_status (*flush)(lv_sink *sink, const lv_checkpoint *checkpoint, lv_error *err);
    /* Closes and frees; a failure to write what was still buffered is reported. */
    lv_status (*close)(lv_sink *sink, lv_error *err);
};

/* CSV: a header line, then one line per row, 17 significant digits; the path "-" is standard
 * output. The file appears when the first row is written, never half a line. */
lv_status lv_csv_create(lv_sink **sink, const char *path, const lv_channels *channels,
                        lv_error *err);

/* HDF5: one 2-D dataset per channel with the attribute `names`, texts and the checkpoint under
 * /run. An existing file is replaced only when the new one has been created. */
lv_status lv_hdf5_create(lv_sink **sink, const char *path, const lv_channels *channels,
                         const lv_header *header, lv_error *err);

/* Opens a file of an earlier run to append to it: rows after the checkpoint are dropped. The
 * channels must be those of the file. */
lv_status lv_hdf5_append(lv_sink **sink, const char *path, const lv_channels *channels,
                         int checkpoint_size, lv_error *err);

/* Reads back what a resumed run needs; texts and numbers are allocated for the caller. */
typedef struct lv_hdf5_run {
    int text_count;
    char **names, **texts;
    int checkpoint_count;
    double *checkpoint;
    long long rows; /* that the checkpoint covers */
} lv_hdf5_run;

lv_status lv_hdf5_read_run(lv_hdf5_run *run, const char *path, lv_error *err);
void lv_hdf5_run_done(lv_hdf5_run *run);

#endif
