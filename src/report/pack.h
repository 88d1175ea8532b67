/* Columns of numbers as text in a page. */
#ifndef LV_REPORT_PACK_H
#define LV_REPORT_PACK_H

#include "base/text.h"

/* Appends columns, deflated, in base64. The bit patterns of numbers, as 32-bit floats rounded to what is left without their
 * lowest `shift` bits, are replaced by their differences of the order, from 1 to 5, that makes them smallest (mod 2^32,
 * sign in the lowest bit, as if zeros had come before). Orders of all columns come first, a byte each, then the lowest
 * bytes of all columns, then their second bytes and so on: of what moves smoothly most of these are zeros. */
typedef struct lv_packed_column {
    const float *values;
    int shift;
} lv_packed_column;

void lv_pack_floats(lv_text *out, const lv_packed_column *columns, int count, int rows);

/* The same for one column of 64-bit numbers with all their bits. */
void lv_pack_doubles(lv_text *out, const double *values, int rows);

/* Appends bytes, deflated, in base64. */
void lv_pack_bytes(lv_text *out, const void *bytes, size_t size);

/* Appends bytes as base64. */
void lv_base64(lv_text *out, const unsigned char *data, size_t size);

#endif
