/* Huffman codes of limited length (RFC 1951, 3.2.2). */
#ifndef LV_REPORT_HUFFMAN_H
#define LV_REPORT_HUFFMAN_H

#include <stdint.h>

enum { LV_HUFFMAN_MOST = 288 };

/* A code for `count` symbols with these frequencies: lengths (0: never used) and code
 * words, whose bits are in the order in which deflate sends them. No code word has more
 * than `limit` bits. With fewer than two used symbols, the code word has one bit. */
typedef struct lv_huffman {
    int count;
    uint8_t length[LV_HUFFMAN_MOST];
    uint16_t word[LV_HUFFMAN_MOST];
} lv_huffman;

void lv_huffman_make(lv_huffman *code, const uint32_t *frequency, int count, int limit);

/* Computes the code words from the lengths. */
void lv_huffman_words(lv_huffman *code);

#endif
