/* Packs columns of numbers as text for a page. */
#ifndef LV_REPORT_PACK_H
#define LV_REPORT_PACK_H

#include "base/text.h"

/* Appends columns, deflated and in base64. Numbers are 32-bit floats, rounded so that
 * their lowest `shift` bits can be dropped. Their bit patterns are replaced by
 * differences of the order, from 1 to 5, that makes them smallest (mod 2^32, sign in the
 * lowest bit, with zeros before the first number). The orders of all columns come first,
 * one byte each, then the lowest bytes of all columns, then their second bytes and so on:
 * for smooth motions most of these are zeros. */
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
