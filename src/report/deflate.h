/* Raw deflate (RFC 1951), which browsers can inflate. The compressed bits depend only on
 * the data. */
#ifndef LV_REPORT_DEFLATE_H
#define LV_REPORT_DEFLATE_H

#include "base/text.h"

/* Appends the compressed data. A failed allocation sets out->failed. */
void lv_deflate(lv_text *out, const unsigned char *data, size_t size);

#endif
