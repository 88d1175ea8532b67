/* Columns of numbers as text in a page. */
#ifndef LV_REPORT_PACK_H
#define LV_REPORT_PACK_H

#include "base/text.h"

/* Appends, in base64, the deflated columns one after the other. Of each column the bit patterns of its numbers, as
 * 32-bit floats, are replaced by their second differences (mod 2^32, sign in the lowest bit); all first bytes come
 * first, then all second bytes and so on. What moves smoothly has second differences with many zero bytes. */
void lv_pack_floats(lv_text *out, const float *const *columns, int count, int rows);

/* The same for numbers of 64 bits. */
void lv_pack_doubles(lv_text *out, const double *const *columns, int count, int rows);

/* Appends bytes as base64. */
void lv_base64(lv_text *out, const unsigned char *data, size_t size);

#endif
