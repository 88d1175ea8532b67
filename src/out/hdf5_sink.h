/* The inner structure of the sink that writes HDF5, and the layout of its files:
 *
 *     superblock     points to the root of the side in use; writing it commits everything
 *     record         where everything is, with a checksum; never changes
 *     constant part  names, texts, attributes; never changes, its checksum is in the record
 *     sides 0, 1     state (what appending needs), object headers, with a checksum; alternate
 *     slots 0, 1     checkpoints; alternate, their checksum is in the side
 *     chunks, nodes  allocated as rows arrive; each node is followed by a checksum, and the
 *                    last channel holds a checksum of every row
 *
 * A commit writes new rows after the old ones (readers see only rows below the extent in
 * the headers), the side that is not in use, the nodes of the trees that belong to it,
 * and then the superblock: 96 bytes in one page of the file, of which a killed process
 * has written all or nothing. */
#ifndef LV_OUT_HDF5_SINK_H
#define LV_OUT_HDF5_SINK_H

#include "out/hdf5_tree.h"
#include "out/lock.h"
#include "out/sink.h"

/* A continuation block of an object header, with messages that do not change. */
typedef struct lv_h5_block {
    uint64_t at, size;
    int messages;
} lv_h5_block;

typedef struct lv_h5_channel {
    const lv_channel *source;
    lv_tree tree;
    lv_h5_block attributes;
    uint64_t names;        /* address of the labels, label_length bytes each */
    uint64_t label_length; /* length of the longest label, at least 1 */
    double *buffer;        /* storage for tree.rows rows */
    long long start;       /* number of the row at buffer[0] */
    long long written;     /* number of rows in the file */
    uint64_t chunk;        /* address of row `start` in the file, 0: not known */
    uint64_t root;         /* address of the tree's root in the current commit */
} lv_h5_channel;

typedef struct lv_h5_sink {
    lv_sink sink;
    lv_h5_file file;
    char *path;
    int channel_count;
    lv_h5_channel *channels;
    lv_channel sums;     /* the last channel: checksums of rows */
    double row_checksum; /* its only column */
    /* rows taken so far; rows of the last commit, which readers see */
    long long rows, committed;
    bool sync;
    bool changed; /* since the last commit */

    lv_h5_block run_links; /* links from /run to the texts */
    /* attributes of the root group and its link to /parameters */
    lv_h5_block root_attributes;
    uint64_t names_group; /* address of the header of /names, 0: none */
    uint64_t constant_at, constant_size, constant_checksum;

    int side; /* side of the last commit, -1: none yet */
    uint64_t side_at[2], side_size;
    lv_bytes image;    /* bytes of a side */
    uint64_t root;     /* address of the header of the root group in the image */
    uint64_t *headers; /* addresses of the headers of the channels in the image */
    uint64_t size;     /* current size of the file */

    int checkpoint_size;
    uint64_t slot_at[2];
    int slot; /* slot of the last checkpoint */
    /* rows that the last checkpoint covers; -1: there is none */
    long long checkpoint_rows;
    uint64_t checkpoint_checksum;
} lv_h5_sink;

/* The record: bytes that never change, with a checksum, directly behind the superblock.
 * Its head (LV_H5_RECORD_HEAD bytes) tells how long it is. */
enum { LV_H5_RECORD_AT = LV_H5_SUPERBLOCK, LV_H5_RECORD_HEAD = 24, LV_H5_NAME = 64 };
int lv_h5_record_size(int channel_count);
void lv_h5_record_put(const lv_h5_sink *s, lv_bytes *bytes);

/* From the head: whether this is a record, and of how many channels (-1: the number is
 * impossible). */
typedef enum lv_h5_kind { LV_H5_OURS, LV_H5_OTHER_VERSION, LV_H5_FOREIGN } lv_h5_kind;
lv_h5_kind lv_h5_record_kind(const unsigned char *record);
int lv_h5_record_channels(const unsigned char *record);
bool lv_h5_record_check(const unsigned char *record, int channel_count);

/* Sets all members of the sink that the record of a file with so many channels
 * determines, for the channels that the sink has. false: the record makes no sense in a
 * file that ends at `end`. */
bool lv_h5_record_get(lv_h5_sink *s, const unsigned char *record, int channel_count,
                      uint64_t end);
const char *lv_h5_record_name(const unsigned char *record, int channel, uint64_t *width);

/* Upper bound on the count of numbers in a chunk. */
enum { LV_H5_CHUNK_MOST = 16384 };

/* Bytes at the beginning of a side that do not depend on the channels. */
enum { LV_H5_STATE = 8 * 7 };

/* What is read of a file of an earlier run when it is opened. */
typedef struct lv_h5_old {
    uint64_t root, end; /* from the superblock */
    int channel_count;
    unsigned char *record;
    unsigned char *constants;
} lv_h5_old;

/* Opens a file, O_RDWR with the lock of a writer or O_RDONLY, and reads its record. */
lv_status lv_h5_open(lv_h5_sink *s, lv_h5_old *old, int mode, lv_error *err);

/* Call these after lv_h5_record_get. */
lv_status lv_h5_read_constants(const lv_h5_sink *s, lv_h5_old *old, lv_error *err);
lv_status lv_h5_read_side(lv_h5_sink *s, const lv_h5_old *old, lv_error *err);

void lv_h5_old_done(lv_h5_old *old);

lv_status lv_h5_damaged(const lv_h5_sink *s, const char *what, lv_error *err);

/* The checksum of a row has 53 bits, a whole number that a double holds. `sum` begins
 * with lv_h5_row_begin and continues over all channels in their order with
 * lv_h5_checksum_numbers. */
uint64_t lv_h5_row_begin(long long row);
double lv_h5_row_end(uint64_t sum);

/* Reads rows [first, first + count) of a channel. */
lv_status lv_h5_read_rows(const lv_h5_sink *s, const lv_h5_channel *c, double *values,
                          long long first, long long count, lv_error *err);

/* Reads the first `rows` rows of all channels and compares them with their checksums. The
 * channels' buffers are overwritten. */
lv_status lv_h5_check_rows(const lv_h5_sink *s, long long rows, lv_error *err);

/* A sink without buffers of the channels, or NULL if memory is short; lv_h5_sink_free
 * accepts it in any state. It has one channel more than the caller, for checksums; with
 * channels NULL it has none. */
lv_h5_sink *lv_h5_sink_new(const char *path, const lv_channels *channels);
void lv_h5_sink_free(lv_h5_sink *s);
lv_status lv_h5_make_buffers(lv_h5_sink *s, lv_error *err);

/* Builds the bytes of a side in s->image. */
lv_status lv_h5_build_side(lv_h5_sink *s, int side, lv_error *err);

/* Restores the state of the sink from s->image, which holds the bytes of a side of the
 * file. */
lv_status lv_h5_restore_side(lv_h5_sink *s, int side, uint64_t end, lv_error *err);

lv_status lv_h5_commit(lv_h5_sink *s, const lv_checkpoint *checkpoint, lv_error *err);

#endif
