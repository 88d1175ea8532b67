#include "report/pack.h"

#include "base/memory.h"
#include "report/deflate.h"

#include <stdint.h>
#include <string.h>

void lv_base64(lv_text *out, const unsigned char *data, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        const size_t left = size - k;
        const uint32_t three = (uint32_t)data[k] << 16 |
                               (left > 1 ? (uint32_t)data[k + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)data[k + 2] : 0);
        const char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                              left > 1 ? digits[three >> 6 & 63] : '=',
                              left > 2 ? digits[three & 63] : '='};
        lv_text_bytes(out, four, sizeof four);
    }
}

/* The numbers of a column as bit patterns of `size` bytes. */
typedef struct patterns {
    const void *column;
    size_t size; /* bytes per number */
    int shift;
} patterns;

static uint64_t pattern(const patterns *p, int k)
{
    const unsigned char *at = (const unsigned char *)p->column + (size_t)k * p->size;
    uint32_t narrow = 0;
    uint64_t wide = 0;
    if (p->size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    const uint32_t half = p->shift > 0 ? UINT32_C(1) << (p->shift - 1) : 0;
    /* rounds to nearest; infinities and NaNs stay what they are */
    return (narrow + half) >> p->shift;
}

/* Moves the sign to the lowest bit, so that numbers of small magnitude get small
 * patterns. */
static uint64_t fold(uint64_t x, size_t size)
{
    const int bits = 8 * (int)size;
    const uint64_t mask = size == sizeof x ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    const bool negative = (x >> (bits - 1)) & 1;
    return ((x << 1) ^ (negative ? UINT64_MAX : 0)) & mask;
}

enum { ORDERS = 5 };

/* Updates the differences of orders 0 to ORDERS with the next number; zeros come before
 * the first. */
static void difference(uint64_t now[ORDERS + 1], uint64_t x)
{
    for (int k = 0; k <= ORDERS; k++) {
        const uint64_t next = x - now[k];
        now[k] = x;
        x = next;
    }
}

static int bit_length(uint64_t x)
{
    int bits = 0;
    for (; x > 0; x >>= 1)
        bits++;
    return bits;
}

/* The order, from 1, whose differences have the fewest bits. */
static int best_order(const patterns *p, int rows)
{
    uint64_t now[ORDERS + 1] = {0};
    long long bits[ORDERS + 1] = {0};
    int best = 1;
    for (int k = 0; k < rows; k++) {
        difference(now, pattern(p, k));
        for (int order = 1; order <= ORDERS; order++)
            bits[order] += bit_length(fold(now[order], p->size));
    }
    for (int order = 2; order <= ORDERS; order++)
        if (bits[order] < bits[best])
            best = order;
    return best;
}

/* Writes the differences, so that bytes of equal significance are together; `plane`:
 * distance between bytes of one number. Returns the order. */
static int shuffle(unsigned char *to, size_t plane, const patterns *p, int rows)
{
    uint64_t now[ORDERS + 1] = {0};
    const int order = best_order(p, rows);
    for (int k = 0; k < rows; k++) {
        difference(now, pattern(p, k));
        const uint64_t y = fold(now[order], p->size);
        for (size_t byte = 0; byte < p->size; byte++)
            to[byte * plane + (size_t)k] = (unsigned char)(y >> (8 * byte));
    }
    return order;
}

void lv_pack_bytes(lv_text *out, const void *bytes, size_t size)
{
    lv_text deflated = {0};
    lv_deflate(&deflated, bytes, size);
    out->failed = out->failed || deflated.failed;
    if (!out->failed)
        lv_base64(out, (const unsigned char *)deflated.data, (size_t)deflated.count);
    lv_text_done(&deflated);
}

/* Packs columns of numbers with `size` bytes each. */
static void pack(lv_text *out, const patterns *columns, int count, int rows, size_t size)
{
    const size_t plane = (size_t)count * (size_t)rows;
    unsigned char *bytes = lv_memory_zeroed(plane + 1, size + (size_t)1);
    unsigned char *numbers = bytes ? bytes + count : NULL;
    if (!bytes) {
        out->failed = true;
        return;
    }
    for (int k = 0; k < count; k++)
        bytes[k] = (unsigned char)shuffle(numbers + (size_t)k * (size_t)rows, plane,
                                          &columns[k], rows);
    lv_pack_bytes(out, bytes, (size_t)count + plane * size);
    lv_memory_free(bytes);
}

void lv_pack_floats(lv_text *out, const lv_packed_column *columns, int count, int rows)
{
    patterns *list = lv_memory_zeroed((size_t)count + 1, sizeof *list);
    if (!list) {
        out->failed = true;
        return;
    }
    for (int k = 0; k < count; k++)
        list[k] = (patterns){columns[k].values, sizeof(float), columns[k].shift};
    pack(out, list, count, rows, sizeof(float));
    lv_memory_free(list);
}

void lv_pack_doubles(lv_text *out, const double *values, int rows)
{
    const patterns p = {values, sizeof *values, 0};
    pack(out, &p, 1, rows, sizeof *values);
}
