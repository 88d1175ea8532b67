#include "report/huffman.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct leaf {
    uint32_t weight;
    int symbol;
} leaf;

static int compare(const void *a, const void *b)
{
    const leaf *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->symbol - y->symbol;
}

/* Collects the used symbols, sorted by weight. */
static int collect_leaves(leaf *leaves, const uint32_t *frequency, int count)
{
    int used = 0;
    for (int k = 0; k < count; k++)
        if (frequency[k] > 0)
            leaves[used++] = (leaf){frequency[k], k};
    qsort(leaves, (size_t)used, sizeof *leaves, compare);
    return used;
}

/* Joins the two lightest trees until one is left. Leaves come from a sorted list and
 * joined trees are made in the order of their weights, so that the lightest tree is at
 * the head of one of two queues. depth[k] becomes the depth of leaf k; returns the
 * largest depth. */
static int measure_depths(const leaf *leaves, int used, int *depth)
{
    uint64_t weight[2 * LV_HUFFMAN_MOST];
    int parent[2 * LV_HUFFMAN_MOST];
    int next_leaf = 0, next_tree = used, made = used, deepest = 0;
    for (int k = 0; k < used; k++)
        weight[k] = leaves[k].weight;
    for (; made < 2 * used - 1; made++) {
        weight[made] = 0;
        for (int side = 0; side < 2; side++) {
            const bool take_leaf =
                next_leaf < used &&
                (next_tree >= made || weight[next_leaf] <= weight[next_tree]);
            const int child = take_leaf ? next_leaf++ : next_tree++;
            parent[child] = made;
            weight[made] += weight[child];
        }
    }
    int level[2 * LV_HUFFMAN_MOST];
    level[made - 1] = 0;
    for (int k = made - 2; k >= 0; k--)
        level[k] = level[parent[k]] + 1;
    for (int k = 0; k < used; k++) {
        depth[k] = level[k];
        deepest = depth[k] > deepest ? depth[k] : deepest;
    }
    return deepest;
}

/* Makes weights more equal, which gives a flatter tree. */
static void flatten(leaf *leaves, int used)
{
    for (int k = 0; k < used; k++)
        leaves[k].weight = leaves[k].weight / 2 + 1;
}

static uint16_t reversed(unsigned word, int length)
{
    unsigned result = 0;
    for (int k = 0; k < length; k++)
        result |= ((word >> k) & 1u) << (length - 1 - k);
    return (uint16_t)result;
}

void lv_huffman_words(lv_huffman *code)
{
    enum { LONGEST = 16 };
    unsigned counts[LONGEST] = {0}, next[LONGEST] = {0};
    for (int k = 0; k < code->count; k++)
        counts[code->length[k]]++;
    counts[0] = 0;
    for (int bits = 1; bits < LONGEST; bits++)
        next[bits] = (next[bits - 1] + counts[bits - 1]) << 1;
    for (int k = 0; k < code->count; k++)
        code->word[k] =
            code->length[k] > 0 ? reversed(next[code->length[k]]++, code->length[k]) : 0;
}

void lv_huffman_make(lv_huffman *code, const uint32_t *frequency, int count, int limit)
{
    leaf leaves[LV_HUFFMAN_MOST];
    int depth[LV_HUFFMAN_MOST];
    const int used = collect_leaves(leaves, frequency, count);
    memset(code, 0, sizeof *code);
    code->count = count;
    if (used > 1) {
        while (measure_depths(leaves, used, depth) > limit)
            flatten(leaves, used);
        for (int k = 0; k < used; k++)
            code->length[leaves[k].symbol] = (uint8_t)depth[k];
    } else { /* inflaters need two code words, or a single one of one bit */
        code->length[used == 1 ? leaves[0].symbol : 0] = 1;
    }
    lv_huffman_words(code);
}
