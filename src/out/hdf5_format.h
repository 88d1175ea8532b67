/* Bytes of HDF5 files: the few structures of the format that a result needs, in the version
 * that every release of the HDF5 library reads (superblock 0, object headers 1, B-trees 1).
 * Source: "HDF5 File Format Specification Version 3.0", The HDF Group; section numbers in
 * the comments are its.
 *
 * Why the library itself does not write: it changes metadata in place, in an order of its
 * own, so that a process killed inside a flush may leave a file that does not open. Here
 * everything that a reader can reach is left alone and replaced by one small write. */
#ifndef LV_OUT_HDF5_FORMAT_H
#define LV_OUT_HDF5_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An address that leads nowhere. */
#define LV_H5_NOWHERE UINT64_MAX

/* A growing piece of a file that will stand at the address `base`. As in lv_text, a failed
 * append sticks; check once at the end. */
typedef struct lv_bytes {
    unsigned char *data;
    int count;
    int capacity;
    bool failed;
    uint64_t base;
} lv_bytes;

void lv_bytes_done(lv_bytes *bytes);

/* All numbers are stored with the lowest byte first, in `size` bytes. */
void lv_bytes_number(lv_bytes *bytes, uint64_t value, int size);
void lv_bytes_raw(lv_bytes *bytes, const void *data, size_t size);
void lv_bytes_zeros(lv_bytes *bytes, size_t count);
void lv_bytes_align(lv_bytes *bytes);
void lv_bytes_set(lv_bytes *bytes, int at, uint64_t value, int size);
uint64_t lv_bytes_address(const lv_bytes *bytes);

void lv_h5_store(unsigned char *to, uint64_t value, int size);
uint64_t lv_h5_load(const unsigned char *from, int size);

/* What is ours in a file has checksums. */
uint64_t lv_h5_checksum(const unsigned char *data, size_t size);

/* Goes on with a checksum over numbers, a word at a time: rows are many. */
uint64_t lv_h5_checksum_numbers(uint64_t sum, const double *numbers, size_t count);

enum { LV_H5_SUPERBLOCK = 96 };

/* II.A: where the root group is and where the file ends. */
void lv_h5_superblock(unsigned char to[LV_H5_SUPERBLOCK], uint64_t root, uint64_t end);
bool lv_h5_superblock_read(const unsigned char from[LV_H5_SUPERBLOCK], uint64_t *root,
                           uint64_t *end);

/* IV.A.1: an object header is its messages between begin and end; `elsewhere` counts the
 * messages in blocks that it continues in. */
int lv_h5_header_begin(lv_bytes *bytes);
void lv_h5_header_end(lv_bytes *bytes, int begin, int elsewhere);

/* Reading what these functions have written: a piece of a file, at the address `base`. */
typedef struct lv_h5_piece {
    const unsigned char *data;
    size_t size;
    uint64_t base;
} lv_h5_piece;

/* What is at an address of the file, NULL: not in the piece as a whole. */
const unsigned char *lv_h5_at(const lv_h5_piece *piece, uint64_t address, uint64_t size);

/* The link that begins at *address, which moves on to what follows: its name, `length` bytes,
 * and the header it leads to. */
bool lv_h5_link_read(const lv_h5_piece *piece, uint64_t *address, const char **name,
                     size_t *length, uint64_t *header);

/* Where the contents of a contiguous dataset with this header are. */
bool lv_h5_contiguous_read(const lv_h5_piece *piece, uint64_t header, uint64_t *address,
                           uint64_t *size);

/* IV.A.2: messages. */
void lv_h5_group(lv_bytes *bytes);
void lv_h5_link(lv_bytes *bytes, const char *name, uint64_t header);
void lv_h5_space(lv_bytes *bytes, int rank, const uint64_t *size, const uint64_t *most);
void lv_h5_doubles(lv_bytes *bytes);
void lv_h5_strings(lv_bytes *bytes, uint64_t length);
void lv_h5_fill(lv_bytes *bytes);
void lv_h5_contiguous(lv_bytes *bytes, uint64_t address, uint64_t size);
void lv_h5_chunked(lv_bytes *bytes, uint64_t tree, int rank, const uint64_t *size);
void lv_h5_continuation(lv_bytes *bytes, uint64_t address, uint64_t size);

/* III.E: a global heap, which holds the texts of attributes. Programs show such texts as texts, and
 * those of a fixed length as bytes. Attributes are written twice: first their texts are collected,
 * then the heap gets its place, at the address `at`, and the attributes refer to what is in it. */
typedef struct lv_h5_heap {
    lv_bytes bytes;
    uint64_t at; /* 0: texts are being collected */
    int count;   /* texts so far */
} lv_h5_heap;

/* Puts the collection that was made at the end of `bytes`; texts are counted anew. */
void lv_h5_heap_place(lv_h5_heap *heap, lv_bytes *bytes);
void lv_h5_heap_done(lv_h5_heap *heap);

/* Attributes: one text, one integer, or a list of `count` texts, which the caller adds with
 * lv_h5_heap_text before the end. */
void lv_h5_attribute_text(lv_bytes *bytes, lv_h5_heap *heap, const char *name,
                          const char *text);
void lv_h5_attribute_integer(lv_bytes *bytes, const char *name, long long value);
int lv_h5_attribute_texts(lv_bytes *bytes, const char *name, uint64_t count);
void lv_h5_heap_text(lv_bytes *bytes, lv_h5_heap *heap, const char *text);
void lv_h5_attribute_end(lv_bytes *bytes, int begin);

/* Bytes of a text of such a list. */
enum { LV_H5_REFERENCE = 16 };

/* Messages of an object header are counted with 16 bits; links and attributes are messages. */
enum { LV_H5_MESSAGES = 60000 };

/* A message, and so an attribute, has less than this. */
enum { LV_H5_MESSAGE_MOST = 60000 };

#endif
