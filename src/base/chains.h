/* A hash index of items that are numbered in the order in which they are added. Items
 * with the same hash slot form a chain. Initialise with zeros. */
#ifndef LV_BASE_CHAINS_H
#define LV_BASE_CHAINS_H

#include "base/memory.h"

enum { LV_CHAINS = 1024 };

/* Item numbers are stored plus 1, so that 0 means none. */
typedef struct lv_chains {
    int last[LV_CHAINS];
    LV_ARRAY(int) before;
} lv_chains;

static inline unsigned lv_chains_mix(unsigned key, int number)
{
    return (key ^ (unsigned)number) * 2654435761u + (key >> 15);
}

static inline unsigned lv_chains_text(unsigned key, const char *text)
{
    for (; *text; text++)
        key = (key ^ (unsigned char)*text) * 16777619u;
    return key;
}

static inline int *lv_chains_slot(lv_chains *chains, unsigned key)
{
    return &chains->last[(key ^ key >> 16) % LV_CHAINS];
}

/* The last item in the chain of this key, and the item before a given one in its chain;
 * -1: none. Callers compare the items themselves, since different keys may share a
 * chain. */
static inline int lv_chains_last(const lv_chains *chains, unsigned key)
{
    return chains->last[(key ^ key >> 16) % LV_CHAINS] - 1;
}

static inline int lv_chains_before(const lv_chains *chains, int item)
{
    return chains->before.data[item] - 1;
}

/* Adds the next item with this key. Returns false if there is no memory. */
static inline bool lv_chains_add(lv_chains *chains, unsigned key)
{
    int *last = lv_chains_slot(chains, key);
    if (!LV_PUSH(chains->before, *last))
        return false;
    *last = chains->before.count;
    return true;
}

static inline void lv_chains_clear(lv_chains *chains)
{
    for (int k = 0; k < LV_CHAINS; k++)
        chains->last[k] = 0;
    chains->before.count = 0;
}

#endif
