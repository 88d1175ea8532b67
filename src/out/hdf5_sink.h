/* Inside the sink that writes HDF5.
 *
 *     superblock     points to the root of the side in use; the one write that commits
 *     record         where everything is, with a checksum; never changes
 *     constant part  names, texts, attributes; never changes, the record has its checksum
 *     sides 0, 1     state (what is needed to append), object headers, with a checksum: in turn
 *     slots 0, 1     checkpoints: in turn; the side has the checksum
 *     chunks, nodes  as rows come; a checksum behind every node, one of every row in a channel of
 *                    its own, which is the last one
 *
 * A commit writes new rows behind the old ones (readers see only rows below the extent in the
 * headers), the side that is not in use, the nodes of the trees that belong to it, and then
 * the superblock: 96 bytes in one page of the file, of which a killed process has written
 * all or nothing. */
#ifndef LV_OUT_HDF5_SINK_H
#define LV_OUT_HDF5_SINK_H

#include "out/hdf5_tree.h"
#include "out/lock.h"
#include "out/sink.h"

/* Messages that do not change, in a block that object headers continue in. */
typedef struct lv_h5_block {
    uint64_t at, size;
    int messages;
} lv_h5_block;

typedef struct lv_h5_channel {
    const lv_channel *source;
    lv_tree tree;
    lv_h5_block attributes;
    uint64_t names;        /* where the labels are, label_length bytes each */
    uint64_t label_length; /* the longest, at least 1 */
    double *buffer;        /* tree.rows rows */
    long long start;       /* the row that buffer[0] is */
    long long written;     /* rows in the file */
    uint64_t chunk;        /* where row `start` is in the file, 0: not known */
    uint64_t root;         /* of the tree, at the commit under way */
} lv_h5_channel;

typedef struct lv_h5_sink {
    lv_sink sink;
    lv_h5_file file;
    char *path;
    int channel_count;
    lv_h5_channel *channels;
    lv_channel sums;           /* the last channel: checksums of rows, */
    double row_checksum;       /* its only column */
    long long rows, committed; /* taken; readers see those of the last commit */
    bool sync;
    bool changed; /* since the last commit */

    lv_h5_block run_links;       /* to the texts, from /run */
    lv_h5_block root_attributes; /* and the link to /parameters */
    uint64_t names_group;        /* header of /names, 0: none */
    uint64_t constant_at, constant_size, constant_checksum;

    int side; /* of the last commit, -1: none yet */
    uint64_t side_at[2], side_size;
    lv_bytes image;    /* of a side */
    uint64_t root;     /* of the image: the header of the root group, */
    uint64_t *headers; /* those of the channels */
    uint64_t size;     /* of the file */

    int checkpoint_size;
    uint64_t slot_at[2];
    int slot;                  /* of the last checkpoint */
    long long checkpoint_rows; /* -1: there is none */
    uint64_t checkpoint_checksum;
} lv_h5_sink;

/* The record: bytes that never change, with a checksum, right behind the superblock. Its
 * head is enough to know how long it is. */
enum { LV_H5_RECORD_AT = LV_H5_SUPERBLOCK, LV_H5_RECORD_HEAD = 24, LV_H5_NAME = 64 };
int lv_h5_record_size(int channel_count);
void lv_h5_record_put(const lv_h5_sink *s, lv_bytes *bytes);

/* From the head: is this a record, and for how many channels (-1: it cannot be)? */
typedef enum lv_h5_kind { LV_H5_OURS, LV_H5_OTHER_VERSION, LV_H5_FOREIGN } lv_h5_kind;
lv_h5_kind lv_h5_record_kind(const unsigned char *record);
int lv_h5_record_channels(const unsigned char *record);
bool lv_h5_record_check(const unsigned char *record, int channel_count);

/* Fills everything that the record of a file with so many channels knows, for the channels
 * that the sink has; false if it makes no sense in a file that ends there. */
bool lv_h5_record_get(lv_h5_sink *s, const unsigned char *record, int channel_count,
                      uint64_t end);
const char *lv_h5_record_name(const unsigned char *record, int channel, uint64_t *width);

/* Numbers in a chunk, which has at least one row and one column. */
enum { LV_H5_CHUNK_MOST = 16384 };

/* Bytes at the beginning of a side that are there with any channels. */
enum { LV_H5_STATE = 8 * 7 };

/* A file of an earlier run, as it is found. */
typedef struct lv_h5_old {
    uint64_t root, end; /* from the superblock */
    int channel_count;
    unsigned char *record;
    unsigned char *constants;
} lv_h5_old;

/* Opens a file, O_RDWR with the lock of a writer or O_RDONLY, and reads its record. */
lv_status lv_h5_open(lv_h5_sink *s, lv_h5_old *old, int mode, lv_error *err);

/* After lv_h5_record_get. */
lv_status lv_h5_read_constants(const lv_h5_sink *s, lv_h5_old *old, lv_error *err);
lv_status lv_h5_read_side(lv_h5_sink *s, const lv_h5_old *old, lv_error *err);

void lv_h5_old_done(lv_h5_old *old);

lv_status lv_h5_damaged(const lv_h5_sink *s, const char *what, lv_error *err);

/* Of the numbers of a row: 53 bits, a whole number that a double holds. `sum` begins with
 * lv_h5_row_begin and goes over all channels in their order with lv_h5_checksum_numbers. */
uint64_t lv_h5_row_begin(long long row);
double lv_h5_row_end(uint64_t sum);

/* Rows [first, first + count) of a channel. */
lv_status lv_h5_read_rows(const lv_h5_sink *s, const lv_h5_channel *c, double *values,
                          long long first, long long count, lv_error *err);

/* Reads so many rows from the first on, all channels, and compares them with their checksums. The
 * channels' buffers are overwritten. */
lv_status lv_h5_check_rows(const lv_h5_sink *s, long long rows, lv_error *err);

/* A sink without channels' buffers, or NULL; lv_h5_sink_free takes it in any condition. It has one
 * channel more than the caller, for checksums; with channels NULL it has none. */
lv_h5_sink *lv_h5_sink_new(const char *path, const lv_channels *channels);
void lv_h5_sink_free(lv_h5_sink *s);
lv_status lv_h5_make_buffers(lv_h5_sink *s, lv_error *err);

/* The image of a side, into s->image. */
lv_status lv_h5_build_side(lv_h5_sink *s, int side, lv_error *err);

/* From s->image, which has the bytes of a side as they are in the file. */
lv_status lv_h5_restore_side(lv_h5_sink *s, int side, uint64_t end, lv_error *err);

lv_status lv_h5_commit(lv_h5_sink *s, const lv_checkpoint *checkpoint, lv_error *err);

#endif
