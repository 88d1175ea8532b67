#include "out/hdf5_format.h"

#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

void lv_bytes_done(lv_bytes *bytes)
{
    LV_ARRAY_FREE(*bytes);
    bytes->failed = false;
}

static unsigned char *grown(lv_bytes *bytes, size_t size)
{
    if (bytes->failed || size > INT_MAX - (size_t)bytes->count ||
        !LV_RESERVE(*bytes, (int)size)) {
        bytes->failed = true;
        return NULL;
    }
    unsigned char *at = bytes->data + bytes->count;
    bytes->count += (int)size;
    return at;
}

void lv_h5_store(unsigned char *to, uint64_t value, int size)
{
    assert(size >= 1 && size <= 8);
    for (int k = 0; k < size; k++)
        to[k] = (unsigned char)(value >> (8 * k));
}

uint64_t lv_h5_load(const unsigned char *from, int size)
{
    assert(size >= 1 && size <= 8);
    uint64_t value = 0;
    for (int k = size - 1; k >= 0; k--)
        value = value << 8 | from[k];
    return value;
}

void lv_bytes_number(lv_bytes *bytes, uint64_t value, int size)
{
    unsigned char *to = grown(bytes, (size_t)size);
    if (to)
        lv_h5_store(to, value, size);
}

void lv_bytes_raw(lv_bytes *bytes, const void *data, size_t size)
{
    unsigned char *to = size > 0 ? grown(bytes, size) : NULL;
    if (to)
        memcpy(to, data, size);
}

void lv_bytes_zeros(lv_bytes *bytes, size_t count)
{
    unsigned char *to = count > 0 ? grown(bytes, count) : NULL;
    if (to)
        memset(to, 0, count);
}

void lv_bytes_align(lv_bytes *bytes)
{
    lv_bytes_zeros(bytes, (size_t)(-bytes->count & 7));
}

void lv_bytes_set(lv_bytes *bytes, int at, uint64_t value, int size)
{
    if (!bytes->failed)
        lv_h5_store(bytes->data + at, value, size);
}

uint64_t lv_bytes_address(const lv_bytes *bytes)
{
    return bytes->base + (uint64_t)bytes->count;
}

/* In builds for fuzzers all checksums are equal, because otherwise fuzzers would not get
 * past them. */
#if defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
enum { FUZZING = true };
#else
enum { FUZZING = false };
#endif

/* FNV-1a (Fowler, Noll, Vo 1991). */
uint64_t lv_h5_checksum(const unsigned char *data, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    if (FUZZING)
        return hash;
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ data[k]) * 1099511628211u;
    return hash;
}

/* Every step is one-to-one in `sum`, so that a change of any single number is noticed.
 * The shift moves high bits, signs among them, to where the next multiplication spreads
 * them. */
uint64_t lv_h5_checksum_numbers(uint64_t sum, const double *numbers, size_t count)
{
    if (FUZZING)
        return sum;
    for (size_t k = 0; k < count; k++) {
        uint64_t word = 0;
        memcpy(&word, &numbers[k], sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
    }
    return sum;
}

/* ---- superblock ----------------------------------------------------------------------- */

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* Half the fan-out of nodes. These are the defaults, which version 0 also uses for
 * chunks. */
enum { GROUP_LEAF = 4, GROUP_NODE = 16 };

enum { END_AT = 40, ROOT_AT = 64 };

void lv_h5_superblock(unsigned char to[LV_H5_SUPERBLOCK], uint64_t root, uint64_t end)
{
    memset(to, 0, LV_H5_SUPERBLOCK);
    memcpy(to, signature, sizeof signature);
    to[13] = to[14] = 8; /* bytes in addresses and lengths */
    to[16] = GROUP_LEAF;
    to[18] = GROUP_NODE;
    lv_h5_store(to + 32, LV_H5_NOWHERE, 8); /* no list of free space */
    lv_h5_store(to + END_AT, end, 8);
    lv_h5_store(to + 48, LV_H5_NOWHERE, 8); /* no driver information */
    lv_h5_store(to + ROOT_AT, root, 8);
}

bool lv_h5_superblock_read(const unsigned char from[LV_H5_SUPERBLOCK], uint64_t *root,
                           uint64_t *end)
{
    *end = lv_h5_load(from + END_AT, 8);
    *root = lv_h5_load(from + ROOT_AT, 8);
    return memcmp(from, signature, sizeof signature) == 0;
}

/* ---- object headers ------------------------------------------------------------------- */

enum { HEADER_PREFIX = 16, MESSAGE_PREFIX = 8 };

enum {
    SPACE = 0x01,
    LINK_INFO = 0x02,
    TYPE = 0x03,
    FILL = 0x05,
    LINK = 0x06,
    LAYOUT = 0x08,
    GROUP_INFO = 0x0a,
    ATTRIBUTE = 0x0c,
    CONTINUATION = 0x10
};

int lv_h5_header_begin(lv_bytes *bytes)
{
    lv_bytes_align(bytes);
    const int begin = bytes->count;
    lv_bytes_number(bytes, 1, 4); /* version */
    lv_bytes_number(bytes, 1, 4); /* number of links to this object */
    lv_bytes_zeros(bytes, 8);
    return begin;
}

/* Counts the messages by walking over them. */
void lv_h5_header_end(lv_bytes *bytes, int begin, int elsewhere)
{
    if (bytes->failed)
        return;
    int messages = elsewhere;
    for (int at = begin + HEADER_PREFIX; at < bytes->count; messages++)
        at += MESSAGE_PREFIX + (int)lv_h5_load(bytes->data + at + 2, 2);
    lv_bytes_set(bytes, begin + 2, (uint64_t)messages, 2);
    lv_bytes_set(bytes, begin + 8, (uint64_t)(bytes->count - begin - HEADER_PREFIX), 4);
}

static int message_begin(lv_bytes *bytes, int type)
{
    const int begin = bytes->count;
    lv_bytes_number(bytes, (uint64_t)type, 2);
    lv_bytes_zeros(bytes, 6);
    return begin;
}

static void message_end(lv_bytes *bytes, int begin)
{
    lv_bytes_zeros(bytes, (size_t)(-(bytes->count - begin) & 7));
    lv_bytes_set(bytes, begin + 2, (uint64_t)(bytes->count - begin - MESSAGE_PREFIX), 2);
}

void lv_h5_group(lv_bytes *bytes)
{
    int begin = message_begin(bytes, LINK_INFO);
    lv_bytes_zeros(bytes, 2);
    lv_bytes_number(bytes, LV_H5_NOWHERE, 8); /* all links are messages: no heap, */
    lv_bytes_number(bytes, LV_H5_NOWHERE, 8); /* no index */
    message_end(bytes, begin);
    begin = message_begin(bytes, GROUP_INFO);
    lv_bytes_zeros(bytes, 2);
    message_end(bytes, begin);
}

void lv_h5_link(lv_bytes *bytes, const char *name, uint64_t header)
{
    const size_t length = strlen(name);
    const int begin = message_begin(bytes, LINK);
    lv_bytes_number(bytes, 1, 1); /* version */
    lv_bytes_number(bytes, 0x11,
                    1);           /* a hard link; a character set, a length of 2 bytes */
    lv_bytes_number(bytes, 1, 1); /* UTF-8 */
    lv_bytes_number(bytes, length, 2);
    lv_bytes_raw(bytes, name, length);
    lv_bytes_number(bytes, header, 8);
    message_end(bytes, begin);
}

/* ---- dataspaces, types ---------------------------------------------------------------- */

static void put_space(lv_bytes *bytes, int rank, const uint64_t *size,
                      const uint64_t *most)
{
    lv_bytes_number(bytes, 1, 1); /* version */
    lv_bytes_number(bytes, (uint64_t)rank, 1);
    lv_bytes_number(bytes, most ? 1 : 0, 1);
    lv_bytes_zeros(bytes, 5);
    for (int k = 0; k < rank; k++)
        lv_bytes_number(bytes, size[k], 8);
    for (int k = 0; k < rank && most; k++)
        lv_bytes_number(bytes, most[k], 8);
}

void lv_h5_space(lv_bytes *bytes, int rank, const uint64_t *size, const uint64_t *most)
{
    const int begin = message_begin(bytes, SPACE);
    put_space(bytes, rank, size, most);
    message_end(bytes, begin);
}

/* Numbers are stored in the byte order of the machine, which the type describes. */
static int highest_byte_first(void)
{
    const uint16_t one = 1;
    unsigned char first = 0;
    memcpy(&first, &one, 1);
    return first == 0;
}

void lv_h5_doubles(lv_bytes *bytes)
{
    const int begin = message_begin(bytes, TYPE);
    lv_bytes_number(bytes, 0x11, 1); /* version 1, floating point */
    lv_bytes_number(bytes, 0x20 | (uint64_t)highest_byte_first(),
                    1);            /* implied leading 1 */
    lv_bytes_number(bytes, 63, 2); /* bit of the sign */
    lv_bytes_number(bytes, sizeof(double), 4);
    lv_bytes_number(bytes, 0, 2); /* offset and number of bits */
    lv_bytes_number(bytes, 64, 2);
    lv_bytes_number(bytes, 52, 1); /* exponent: first bit, number of bits */
    lv_bytes_number(bytes, 11, 1);
    lv_bytes_number(bytes, 0, 1); /* mantissa: first bit, number of bits */
    lv_bytes_number(bytes, 52, 1);
    lv_bytes_number(bytes, 1023, 4);
    message_end(bytes, begin);
}

/* A string type: UTF-8, padded with zeros. */
static void put_string_type(lv_bytes *bytes, uint64_t length)
{
    lv_bytes_number(bytes, 0x13, 1);
    lv_bytes_number(bytes, 0x11, 3);
    lv_bytes_number(bytes, length, 4);
}

void lv_h5_strings(lv_bytes *bytes, uint64_t length)
{
    const int begin = message_begin(bytes, TYPE);
    put_string_type(bytes, length);
    message_end(bytes, begin);
}

/* ---- storage -------------------------------------------------------------------------- */

void lv_h5_fill(lv_bytes *bytes)
{
    const int begin = message_begin(bytes, FILL);
    lv_bytes_number(bytes, 2, 1); /* version */
    lv_bytes_number(bytes, 3, 1); /* space is allocated as rows are written, */
    lv_bytes_number(bytes, 2, 1); /* and filled only if a fill value was set, */
    lv_bytes_number(bytes, 1, 1); /* which is defined */
    lv_bytes_zeros(bytes, 4);     /* and has size 0: the default */
    message_end(bytes, begin);
}

void lv_h5_contiguous(lv_bytes *bytes, uint64_t address, uint64_t size)
{
    const int begin = message_begin(bytes, LAYOUT);
    lv_bytes_number(bytes, 3, 1); /* version */
    lv_bytes_number(bytes, 1, 1);
    lv_bytes_number(bytes, address, 8);
    lv_bytes_number(bytes, size, 8);
    message_end(bytes, begin);
}

void lv_h5_chunked(lv_bytes *bytes, uint64_t tree, int rank, const uint64_t *size)
{
    const int begin = message_begin(bytes, LAYOUT);
    lv_bytes_number(bytes, 3, 1); /* version */
    lv_bytes_number(bytes, 2, 1);
    lv_bytes_number(bytes, (uint64_t)rank + 1, 1); /* rows, columns, bytes */
    lv_bytes_number(bytes, tree, 8);
    for (int k = 0; k < rank; k++)
        lv_bytes_number(bytes, size[k], 4);
    lv_bytes_number(bytes, sizeof(double), 4);
    message_end(bytes, begin);
}

void lv_h5_continuation(lv_bytes *bytes, uint64_t address, uint64_t size)
{
    const int begin = message_begin(bytes, CONTINUATION);
    lv_bytes_number(bytes, address, 8);
    lv_bytes_number(bytes, size, 8);
    message_end(bytes, begin);
}

/* ---- attributes ----------------------------------------------------------------------- */

/* Name, type and space are each padded to a multiple of 8 bytes. The sizes do not include
 * the padding, which only the name and the integer's type need here. */
static int attribute_begin(lv_bytes *bytes, const char *name, int type_size,
                           int space_size)
{
    const size_t length = strlen(name) + 1;
    const int begin = message_begin(bytes, ATTRIBUTE);
    lv_bytes_number(bytes, 1, 2); /* version */
    lv_bytes_number(bytes, length, 2);
    lv_bytes_number(bytes, (uint64_t)type_size, 2);
    lv_bytes_number(bytes, (uint64_t)space_size, 2);
    lv_bytes_raw(bytes, name, length);
    lv_bytes_zeros(bytes, -length & 7);
    return begin;
}

enum { TEXT_TYPE = 20 };

/* A string type of variable length in UTF-8: a sequence of unsigned bytes in a heap. */
static void put_text_type(lv_bytes *bytes)
{
    lv_bytes_number(bytes, 0x19, 1);
    lv_bytes_number(bytes, 0x0101, 3);
    lv_bytes_number(bytes, LV_H5_REFERENCE, 4);
    lv_bytes_number(bytes, 0x10, 4); /* version 1, fixed point, no sign */
    lv_bytes_number(bytes, 1, 4);
    lv_bytes_number(bytes, 0, 2); /* offset and number of bits */
    lv_bytes_number(bytes, 8, 2);
    lv_bytes_zeros(bytes, 4); /* padding */
}

int lv_h5_attribute_texts(lv_bytes *bytes, const char *name, uint64_t count)
{
    const int begin = attribute_begin(bytes, name, TEXT_TYPE, 16);
    put_text_type(bytes);
    put_space(bytes, 1, &count, NULL);
    return begin;
}

void lv_h5_attribute_end(lv_bytes *bytes, int begin)
{
    message_end(bytes, begin);
}

void lv_h5_attribute_text(lv_bytes *bytes, lv_h5_heap *heap, const char *name,
                          const char *text)
{
    const int begin = attribute_begin(bytes, name, TEXT_TYPE, 8);
    put_text_type(bytes);
    put_space(bytes, 0, NULL, NULL);
    lv_h5_heap_text(bytes, heap, text);
    message_end(bytes, begin);
}

void lv_h5_attribute_integer(lv_bytes *bytes, const char *name, long long value)
{
    const int begin = attribute_begin(bytes, name, 12, 8);
    lv_bytes_number(bytes, 0x10, 1); /* version 1, fixed point */
    lv_bytes_number(bytes, 0x08, 3); /* signed */
    lv_bytes_number(bytes, 8, 4);
    lv_bytes_number(bytes, 0, 2); /* offset and number of bits */
    lv_bytes_number(bytes, 64, 2);
    lv_bytes_zeros(bytes, 4); /* padding */
    put_space(bytes, 0, NULL, NULL);
    lv_bytes_number(bytes, (uint64_t)value, 8);
    message_end(bytes, begin);
}

/* ---- texts of attributes -------------------------------------------------------------- */

enum { HEAP_HEAD = 16, HEAP_LEAST = 4096, HEAP_MOST = 65535, OBJECT_HEAD = 16 };

static void collect(lv_h5_heap *heap, const char *text, size_t length)
{
    lv_bytes *b = &heap->bytes;
    lv_bytes_number(b, (uint64_t)heap->count, 2);
    lv_bytes_zeros(b, 6); /* references are not counted */
    lv_bytes_number(b, length, 8);
    lv_bytes_raw(b, text, length);
    lv_bytes_align(b);
    b->failed = b->failed || heap->count > HEAP_MOST;
}

void lv_h5_heap_text(lv_bytes *bytes, lv_h5_heap *heap, const char *text)
{
    const size_t length = strlen(text);
    if (length == 0) { /* an empty text has no address */
        lv_bytes_zeros(bytes, LV_H5_REFERENCE);
        return;
    }
    heap->count++;
    if (heap->at == 0)
        collect(heap, text, length);
    lv_bytes_number(bytes, length, 4);
    lv_bytes_number(bytes, heap->at, 8);
    lv_bytes_number(bytes, (uint64_t)heap->count, 4);
}

void lv_h5_heap_place(lv_h5_heap *heap, lv_bytes *bytes)
{
    const size_t used = HEAP_HEAD + (size_t)heap->bytes.count;
    const size_t least = used + OBJECT_HEAD;
    const size_t size = least > HEAP_LEAST ? least : HEAP_LEAST;
    lv_bytes_align(bytes);
    heap->at = lv_bytes_address(bytes);
    heap->count = 0;
    lv_bytes_raw(bytes, "GCOL\1\0\0", 8); /* version 1 */
    lv_bytes_number(bytes, size, 8);
    lv_bytes_raw(bytes, heap->bytes.data, (size_t)heap->bytes.count);
    lv_bytes_zeros(bytes, 8); /* object 0 is the free space */
    lv_bytes_number(bytes, size - used, 8);
    lv_bytes_zeros(bytes, size - used - OBJECT_HEAD);
    bytes->failed = bytes->failed || heap->bytes.failed;
}

void lv_h5_heap_done(lv_h5_heap *heap)
{
    lv_bytes_done(&heap->bytes);
}

/* ---- reading -------------------------------------------------------------------------- */

const unsigned char *lv_h5_at(const lv_h5_piece *piece, uint64_t address, uint64_t size)
{
    const uint64_t offset = address - piece->base;
    return address >= piece->base && offset <= piece->size && size <= piece->size - offset
               ? piece->data + offset
               : NULL;
}

/* The contents of the message at *address, which moves on to the next one. NULL: there is
 * no message of this type with at least `least` bytes. */
static const unsigned char *message_at(const lv_h5_piece *piece, uint64_t *address,
                                       int type, size_t least, size_t *size)
{
    const unsigned char *prefix = lv_h5_at(piece, *address, MESSAGE_PREFIX);
    *size = prefix ? (size_t)lv_h5_load(prefix + 2, 2) : 0;
    if (!prefix || lv_h5_load(prefix, 2) != (uint64_t)type || *size < least)
        return NULL;
    const unsigned char *body = lv_h5_at(piece, *address + MESSAGE_PREFIX, *size);
    *address += MESSAGE_PREFIX + *size;
    return body;
}

bool lv_h5_link_read(const lv_h5_piece *piece, uint64_t *address, const char **name,
                     size_t *length, uint64_t *header)
{
    enum { NAME_AT = 5 };
    size_t size = 0;
    const unsigned char *body = message_at(piece, address, LINK, NAME_AT + 8, &size);
    if (!body)
        return false;
    *length = (size_t)lv_h5_load(body + 3, 2);
    if (*length > size - NAME_AT - 8)
        return false;
    *name = (const char *)(body + NAME_AT);
    *header = lv_h5_load(body + NAME_AT + *length, 8);
    return true;
}

bool lv_h5_contiguous_read(const lv_h5_piece *piece, uint64_t header, uint64_t *address,
                           uint64_t *size)
{
    static const int before[] = {SPACE, TYPE, FILL};
    uint64_t at = header + HEADER_PREFIX;
    size_t length = 0;
    for (size_t k = 0; k < sizeof before / sizeof before[0]; k++)
        if (!message_at(piece, &at, before[k], 0, &length))
            return false;
    const unsigned char *layout = message_at(piece, &at, LAYOUT, 18, &length);
    if (!layout)
        return false;
    *address = lv_h5_load(layout + 2, 8);
    *size = lv_h5_load(layout + 10, 8);
    return true;
}
