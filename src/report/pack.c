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

/* Bit pattern of number k of a column, of `size` bytes. */
static uint64_t pattern(const void *column, int k, size_t size)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    const unsigned char *at = (const unsigned char *)column + (size_t)k * size;
    if (size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

/* Numbers with a small size get small patterns, whatever their sign. */
static uint64_t fold(uint64_t x, size_t size)
{
    const int bits = 8 * (int)size;
    const uint64_t mask = size == sizeof x ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    const bool negative = (x >> (bits - 1)) & 1;
    return ((x << 1) ^ (negative ? UINT64_MAX : 0)) & mask;
}

static void shuffle(unsigned char *to, const void *column, int rows, size_t size)
{
    uint64_t before[2] = {0, 0};
    for (int k = 0; k < rows; k++) {
        const uint64_t x = pattern(column, k, size);
        const uint64_t y = fold(x - 2 * before[0] + before[1], size);
        before[1] = k > 0 ? before[0] : x;
        before[0] = x;
        for (size_t byte = 0; byte < size; byte++)
            to[byte * (size_t)rows + (size_t)k] = (unsigned char)(y >> (8 * byte));
    }
}

static void pack(lv_text *out, const void *const *columns, int count, int rows,
                 size_t size)
{
    const size_t one = (size_t)rows * size;
    unsigned char *bytes = lv_memory_zeroed((size_t)count + 1, one + 1);
    lv_text deflated = {0};
    if (!bytes) {
        out->failed = true;
        return;
    }
    for (int k = 0; k < count; k++)
        shuffle(bytes + (size_t)k * one, columns[k], rows, size);
    lv_deflate(&deflated, bytes, (size_t)count * one);
    lv_memory_free(bytes);
    out->failed = out->failed || deflated.failed;
    if (!out->failed)
        lv_base64(out, (const unsigned char *)deflated.data, (size_t)deflated.count);
    lv_text_done(&deflated);
}

void lv_pack_floats(lv_text *out, const float *const *columns, int count, int rows)
{
    pack(out, (const void *const *)columns, count, rows, sizeof **columns);
}

void lv_pack_doubles(lv_text *out, const double *const *columns, int count, int rows)
{
    pack(out, (const void *const *)columns, count, rows, sizeof **columns);
}
