/* Matches are found by chains of equal hashes of three bytes and taken greedily. Every
 * block has codes of its own. This suffices for shuffled columns, whose high bytes repeat
 * and whose low bytes do not. */
#include "report/deflate.h"

#include "base/memory.h"
#include "report/huffman.h"

#include <string.h>

enum {
    WINDOW = 1 << 15,
    HASHES = 1 << 15,
    LEAST = 3,
    MOST = 258,
    TRIES = 24,
    TOKENS = 1 << 13, /* in a block */
    LITERALS = 286,
    DISTANCES = 30,
    BLOCK_END = 256,
    LENGTH_CODES = 19
};

/* A literal byte (distance 0), or a match. */
typedef struct token {
    uint16_t value; /* the byte, or the length */
    uint16_t distance;
} token;

typedef struct deflater {
    lv_text *out;
    uint64_t bits; /* not written yet, lowest bit first */
    int bit_count;
    int32_t head[HASHES]; /* last position of each hash, -1: none */
    int32_t previous[WINDOW];
    token tokens[TOKENS];
    int token_count;
} deflater;

/* ---- bits ------------------------------------------------------------------------------------- */

static void put_bits(deflater *d, unsigned value, int count)
{
    d->bits |= (uint64_t)value << d->bit_count;
    d->bit_count += count;
    while (d->bit_count >= 8) {
        const char byte = (char)(d->bits & 0xff);
        lv_text_bytes(d->out, &byte, 1);
        d->bits >>= 8;
        d->bit_count -= 8;
    }
}

static void put_symbol(deflater *d, const lv_huffman *code, int symbol)
{
    put_bits(d, code->word[symbol], code->length[symbol]);
}

/* ---- lengths and distances ---------------------------------------------------------------------- */

/* RFC 1951, 3.2.5: a size is sent as a class and extra bits that select the size within
 * the class. */
typedef struct class_of {
    int symbol, extra_bits;
    unsigned extra;
} class_of;

/* Finds the class of a size. Groups of 2^steps classes have the same number of extra
 * bits, each group one more than the group before; the first two have none. */
static class_of classify(unsigned size, unsigned least, int steps)
{
    unsigned rest = size - least;
    const unsigned group = 1u << steps;
    if (rest < 2 * group)
        return (class_of){(int)rest, 0, 0};
    int bits = 0;
    while (rest >> bits >= 2 * group)
        bits++;
    return (class_of){(int)(((unsigned)bits << steps) + (rest >> bits)), bits,
                      rest & ((1u << bits) - 1)};
}

static class_of length_class(unsigned length)
{
    class_of c = classify(length, LEAST, 2);
    if (length == MOST)
        c = (class_of){28, 0, 0};
    c.symbol += BLOCK_END + 1;
    return c;
}

static class_of distance_class(unsigned distance)
{
    return classify(distance, 1, 1);
}

/* ---- codes of a block --------------------------------------------------------------------------- */

typedef struct block {
    lv_huffman literals, distances, lengths;
    /* code lengths, with runs replaced by repeat symbols */
    uint8_t symbols[LITERALS + DISTANCES];
    uint8_t extra[LITERALS + DISTANCES];
    int symbol_count;
    int literal_count, distance_count;
} block;

static void count_tokens(const deflater *d, uint32_t *literals, uint32_t *distances)
{
    for (int k = 0; k < d->token_count; k++) {
        const token *t = &d->tokens[k];
        if (t->distance == 0) {
            literals[t->value]++;
        } else {
            literals[length_class(t->value).symbol]++;
            distances[distance_class(t->distance).symbol]++;
        }
    }
    literals[BLOCK_END]++;
}

static int used_count(const lv_huffman *code, int least)
{
    int count = code->count;
    while (count > least && code->length[count - 1] == 0)
        count--;
    return count;
}

static void add_symbol(block *b, int symbol, int extra)
{
    b->symbols[b->symbol_count] = (uint8_t)symbol;
    b->extra[b->symbol_count++] = (uint8_t)extra;
}

/* Adds a run of equal lengths: 16 repeats the last length 3 to 6 times, 17 and 18 are
 * runs of zeros. */
static void add_run(block *b, int length, int run)
{
    while (length == 0 && run >= 3) {
        const int part = run < 138 ? run : 138;
        add_symbol(b, part <= 10 ? 17 : 18, part <= 10 ? part - 3 : part - 11);
        run -= part;
    }
    if (run > 0 && length > 0) {
        add_symbol(b, length, 0);
        run--;
    }
    while (length > 0 && run >= 3) {
        const int part = run < 6 ? run : 6;
        add_symbol(b, 16, part - 3);
        run -= part;
    }
    while (run-- > 0)
        add_symbol(b, length, 0);
}

static void shorten_lengths(block *b)
{
    uint8_t all[LITERALS + DISTANCES];
    const int count = b->literal_count + b->distance_count;
    memcpy(all, b->literals.length, (size_t)b->literal_count);
    memcpy(all + b->literal_count, b->distances.length, (size_t)b->distance_count);
    for (int k = 0, run = 0; k < count; k += run) {
        run = 1;
        while (k + run < count && all[k + run] == all[k])
            run++;
        add_run(b, all[k], run);
    }
}

static void make_codes(const deflater *d, block *b)
{
    uint32_t literals[LITERALS] = {0}, distances[DISTANCES] = {0};
    uint32_t lengths[LENGTH_CODES] = {0};
    count_tokens(d, literals, distances);
    lv_huffman_make(&b->literals, literals, LITERALS, 15);
    lv_huffman_make(&b->distances, distances, DISTANCES, 15);
    b->literal_count = used_count(&b->literals, BLOCK_END + 1);
    b->distance_count = used_count(&b->distances, 1);
    b->symbol_count = 0;
    shorten_lengths(b);
    for (int k = 0; k < b->symbol_count; k++)
        lengths[b->symbols[k]]++;
    lv_huffman_make(&b->lengths, lengths, LENGTH_CODES, 7);
}

static void put_codes(deflater *d, const block *b)
{
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    int count = LENGTH_CODES;
    while (count > 4 && b->lengths.length[order[count - 1]] == 0)
        count--;
    put_bits(d, (unsigned)(b->literal_count - 257), 5);
    put_bits(d, (unsigned)(b->distance_count - 1), 5);
    put_bits(d, (unsigned)(count - 4), 4);
    for (int k = 0; k < count; k++)
        put_bits(d, b->lengths.length[order[k]], 3);
    for (int k = 0; k < b->symbol_count; k++) {
        const int symbol = b->symbols[k];
        put_symbol(d, &b->lengths, symbol);
        if (symbol >= 16)
            put_bits(d, b->extra[k], symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
    }
}

static void put_block(deflater *d, bool last)
{
    block b;
    make_codes(d, &b);
    put_bits(d, last, 1);
    put_bits(d, 2, 2); /* dynamic codes */
    put_codes(d, &b);
    for (int k = 0; k < d->token_count; k++) {
        const token *t = &d->tokens[k];
        if (t->distance == 0) {
            put_symbol(d, &b.literals, t->value);
            continue;
        }
        const class_of length = length_class(t->value);
        const class_of distance = distance_class(t->distance);
        put_symbol(d, &b.literals, length.symbol);
        put_bits(d, length.extra, length.extra_bits);
        put_symbol(d, &b.distances, distance.symbol);
        put_bits(d, distance.extra, distance.extra_bits);
    }
    put_symbol(d, &b.literals, BLOCK_END);
    d->token_count = 0;
}

/* ---- matches ------------------------------------------------------------------------------------ */

static unsigned hash_of(const unsigned char *at)
{
    const uint32_t three = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    return (three * UINT32_C(0x9e3779b1)) >> 17;
}

static void remember(deflater *d, const unsigned char *data, size_t at, size_t size)
{
    if (at + LEAST > size)
        return;
    const unsigned hash = hash_of(data + at);
    d->previous[at % WINDOW] = d->head[hash];
    d->head[hash] = (int32_t)at;
}

static int match_length(const unsigned char *a, const unsigned char *b, size_t most)
{
    size_t n = 0;
    while (n < most && a[n] == b[n])
        n++;
    return (int)n;
}

/* Short matches far back take more bits than the bytes themselves. */
static bool is_worth_it(int length, size_t distance)
{
    return length > 5 || distance < (size_t)1 << (4 * (length - 1));
}

static token longest_match(const deflater *d, const unsigned char *data, size_t at,
                           size_t size)
{
    token best = {data[at], 0};
    int length = LEAST - 1;
    const size_t most = size - at < MOST ? size - at : MOST;
    int32_t place = size - at >= LEAST ? d->head[hash_of(data + at)] : -1;
    for (int k = 0; k < TRIES && place >= 0 && at - (size_t)place < WINDOW; k++) {
        const int n = match_length(data + place, data + at, most);
        if (n > length && is_worth_it(n, at - (size_t)place)) {
            length = n;
            best = (token){(uint16_t)n, (uint16_t)(at - (size_t)place)};
        }
        place = d->previous[(size_t)place % WINDOW];
    }
    return best;
}

void lv_deflate(lv_text *out, const unsigned char *data, size_t size)
{
    deflater *d = lv_memory_zeroed(1, sizeof *d);
    if (!d || size > INT32_MAX) {
        out->failed = true;
        lv_memory_free(d);
        return;
    }
    d->out = out;
    memset(d->head, -1, sizeof d->head);
    for (size_t at = 0; at < size;) {
        const token t = longest_match(d, data, at, size);
        const size_t length = t.distance > 0 ? t.value : 1;
        d->tokens[d->token_count++] = t;
        for (size_t k = 0; k < length; k++)
            remember(d, data, at + k, size);
        at += length;
        if (d->token_count == TOKENS)
            put_block(d, false);
    }
    put_block(d, true);
    put_bits(d, 0, d->bit_count > 0 ? 8 - d->bit_count : 0);
    lv_memory_free(d);
}
