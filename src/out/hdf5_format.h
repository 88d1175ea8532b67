/* Bytes of HDF5 files: the few structures of the format that a result needs, in the
 * version that every release of the HDF5 library reads (superblock 0, object headers 1,
 * B-trees 1). Source: "HDF5 File Format Specification Version 3.0", The HDF Group;
 * section numbers in the comments refer to it.
 *
 * The HDF5 library is not used for writing, because it changes metadata in place in an
 * order of its own, so that a process killed inside a flush may leave a file that does
 * not open. Here nothing that a reader can reach is changed, except by one small
 * write. */
#ifndef LV_OUT_HDF5_FORMAT_H
#define LV_OUT_HDF5_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The undefined address. */
#define LV_H5_NOWHERE UINT64_MAX

/* A growing piece of a file that begins at the address `base`. As in lv_text, `failed`
 * stays set after a failed append; check it once at the end. */
typedef struct lv_bytes {
    unsigned char *data;
    int count;
    int capacity;
    bool failed;
    uint64_t base;
} lv_bytes;

void lv_bytes_done(lv_bytes *bytes);

/* All numbers are stored in `size` bytes, lowest byte first. */
void lv_bytes_number(lv_bytes *bytes, uint64_t value, int size);
void lv_bytes_raw(lv_bytes *bytes, const void *data, size_t size);
void lv_bytes_zeros(lv_bytes *bytes, size_t count);
void lv_bytes_align(lv_bytes *bytes);
void lv_bytes_set(lv_bytes *bytes, int at, uint64_t value, int size);
uint64_t lv_bytes_address(const lv_bytes *bytes);

void lv_h5_store(unsigned char *to, uint64_t value, int size);
uint64_t lv_h5_load(const unsigned char *from, int size);

/* A checksum for livens' own structures in a file. */
uint64_t lv_h5_checksum(const unsigned char *data, size_t size);

/* Continues a checksum over numbers, one word at a time, which is fast enough for all
 * rows. */
uint64_t lv_h5_checksum_numbers(uint64_t sum, const double *numbers, size_t count);

enum { LV_H5_SUPERBLOCK = 96 };

/* II.A: the address of the root group and the end of the file. */
void lv_h5_superblock(unsigned char to[LV_H5_SUPERBLOCK], uint64_t root, uint64_t end);
bool lv_h5_superblock_read(const unsigned char from[LV_H5_SUPERBLOCK], uint64_t *root,
                           uint64_t *end);

/* IV.A.1: an object header consists of the messages between begin and end. `elsewhere`:
 * number of messages in its continuation blocks. */
int lv_h5_header_begin(lv_bytes *bytes);
void lv_h5_header_end(lv_bytes *bytes, int begin, int elsewhere);

/* A piece of a file, at the address `base`, from which the structures above are read. */
typedef struct lv_h5_piece {
    const unsigned char *data;
    size_t size;
    uint64_t base;
} lv_h5_piece;

/* The `size` bytes at an address of the file; NULL: they are not all in the piece. */
const unsigned char *lv_h5_at(const lv_h5_piece *piece, uint64_t address, uint64_t size);

/* Reads the link at *address: its name, `length` bytes, and the address of the header
 * that it leads to. *address moves on to the next message. */
bool lv_h5_link_read(const lv_h5_piece *piece, uint64_t *address, const char **name,
                     size_t *length, uint64_t *header);

/* Finds the contents of a contiguous dataset from the address of its header. */
bool lv_h5_contiguous_read(const lv_h5_piece *piece, uint64_t header, uint64_t *address,
                           uint64_t *size);

/* IV.A.2: messages of an object header. */
void lv_h5_group(lv_bytes *bytes);
void lv_h5_link(lv_bytes *bytes, const char *name, uint64_t header);
void lv_h5_space(lv_bytes *bytes, int rank, const uint64_t *size, const uint64_t *most);
void lv_h5_doubles(lv_bytes *bytes);
void lv_h5_strings(lv_bytes *bytes, uint64_t length);
void lv_h5_fill(lv_bytes *bytes);
void lv_h5_contiguous(lv_bytes *bytes, uint64_t address, uint64_t size);
void lv_h5_chunked(lv_bytes *bytes, uint64_t tree, int rank, const uint64_t *size);
void lv_h5_continuation(lv_bytes *bytes, uint64_t address, uint64_t size);

/* III.E: a global heap, which holds the texts of attributes. Programs show texts in a
 * heap as texts, but those of a fixed length as bytes. Attributes are written twice: the
 * first time their texts are collected, then the heap is placed at the address `at`, and
 * the second time the attributes refer to it. */
typedef struct lv_h5_heap {
    lv_bytes bytes;
    uint64_t at; /* 0: texts are being collected */
    int count;   /* number of texts so far */
} lv_h5_heap;

/* Appends the collected heap to `bytes` and restarts the count of texts. */
void lv_h5_heap_place(lv_h5_heap *heap, lv_bytes *bytes);
void lv_h5_heap_done(lv_h5_heap *heap);

/* Attributes: one text, one integer, or a list of `count` texts, which the caller adds
 * with lv_h5_heap_text before lv_h5_attribute_end. */
void lv_h5_attribute_text(lv_bytes *bytes, lv_h5_heap *heap, const char *name,
                          const char *text);
void lv_h5_attribute_integer(lv_bytes *bytes, const char *name, long long value);
int lv_h5_attribute_texts(lv_bytes *bytes, const char *name, uint64_t count);
void lv_h5_heap_text(lv_bytes *bytes, lv_h5_heap *heap, const char *text);
void lv_h5_attribute_end(lv_bytes *bytes, int begin);

/* Bytes of a reference to a text in the heap. */
enum { LV_H5_REFERENCE = 16 };

/* Largest number of messages in an object header, which counts them with 16 bits; links
 * and attributes are messages. */
enum { LV_H5_MESSAGES = 60000 };

/* Upper bound on the bytes of a message, and so of an attribute. */
enum { LV_H5_MESSAGE_MOST = 60000 };

#endif
