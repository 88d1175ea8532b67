/* Nodes, and the search for members: linear in small tables, by hashing in large ones. */
#include "toml/reader.h"

#include <string.h>

enum { SMALL = 16 };

const char *lv_toml_kind_name(lv_toml_kind kind)
{
    switch (kind) {
#define LV_X(id, name)                                                                   \
    case id:                                                                             \
        return name;
        LV_TOML_KIND_LIST(LV_X)
#undef LV_X
    }
    return "unknown";
}

/* FNV-1a, with the high bits mixed into the low ones that choose the slot. */
static unsigned hash_key(const char *key, int length)
{
    unsigned long long h = 14695981039346656037ULL;
    for (int i = 0; i < length; i++)
        h = (h ^ (unsigned char)key[i]) * 1099511628211ULL;
    return (unsigned)((h ^ h >> 32) & 0xFFFFFFFFU);
}

static bool has_key(const lv_toml *node, unsigned hash, const char *key, int length)
{
    return node->hash == hash && node->key.length == length &&
           memcmp(node->key.text, key, (size_t)length) == 0;
}

static lv_toml *find_hashed(const lv_toml *table, unsigned hash, const char *key,
                            int length)
{
    const unsigned mask = (unsigned)table->slot_count - 1;
    for (unsigned i = hash & mask; table->slots[i]; i = (i + 1) & mask)
        if (has_key(table->slots[i], hash, key, length))
            return table->slots[i];
    return NULL;
}

lv_toml *lv_toml_find(const lv_toml *table, const char *key, int length)
{
    unsigned hash = hash_key(key, length);
    if (table->slots)
        return find_hashed(table, hash, key, length);
    for (lv_toml *member = table->first; member; member = member->next)
        if (has_key(member, hash, key, length))
            return member;
    return NULL;
}

const lv_toml *lv_toml_get(const lv_toml *table, const char *key)
{
    size_t length = strlen(key);
    if (!table || table->kind != LV_TOML_TABLE || length > LV_TOML_MOST_BYTES)
        return NULL;
    return lv_toml_find(table, key, (int)length);
}

static void put_in_slot(lv_toml *table, lv_toml *member)
{
    const unsigned mask = (unsigned)table->slot_count - 1;
    unsigned i = member->hash & mask;
    while (table->slots[i])
        i = (i + 1) & mask;
    table->slots[i] = member;
}

/* Makes slots for four times the number of members. The old slots stay in the arena; all
 * that were ever made take less than twice the space of the last ones. */
static bool grow_slots(lv_arena *arena, lv_toml *table)
{
    int slot_count = 4 * SMALL;
    while (slot_count < 4 * table->count)
        slot_count *= 2;
    lv_toml **slots = lv_arena_alloc(arena, (size_t)slot_count, sizeof(lv_toml *));
    if (!slots)
        return false;
    table->slots = slots;
    table->slot_count = slot_count;
    for (lv_toml *member = table->first; member; member = member->next)
        put_in_slot(table, member);
    return true;
}

/* Adds the newest member to the index; at least half of the slots stay empty. */
static bool index_member(lv_arena *arena, lv_toml *table, lv_toml *member)
{
    if (table->count <= SMALL)
        return true;
    if (2 * table->count > table->slot_count)
        return grow_slots(arena, table);
    put_in_slot(table, member);
    return true;
}

static lv_status check_limits(const lv_toml_reader *r, const lv_toml *parent,
                              lv_toml_place place)
{
    if (r->values >= r->limits.values)
        return lv_fail_at(r->err, LV_ERR_LIMIT, r->source, place.offset, place.length,
                          "the file holds more than %d values", r->limits.values);
    if (parent->depth >= r->limits.depth)
        return lv_fail_at(r->err, LV_ERR_LIMIT, r->source, place.offset, place.length,
                          "arrays and tables are nested more than %d levels deep",
                          r->limits.depth);
    return LV_OK;
}

static void link_child(lv_toml *parent, lv_toml *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

lv_status lv_toml_add(lv_toml_reader *r, lv_toml **node, lv_toml *parent,
                      const lv_toml_key *key, lv_toml_kind kind)
{
    lv_toml_place place = key ? key->place : (lv_toml_place){r->at, 1};
    LV_TRY(check_limits(r, parent, place));
    lv_toml *child = lv_arena_alloc(r->arena, 1, sizeof *child);
    if (!child)
        return lv_fail_memory(r->err);
    child->kind = kind;
    child->depth = parent->depth + 1;
    child->place = place;
    if (key) {
        child->key = *key;
        child->key.text = lv_arena_text(r->arena, key->text, (size_t)key->length);
        if (!child->key.text)
            return lv_fail_memory(r->err);
        child->hash = hash_key(key->text, key->length);
    }
    link_child(parent, child);
    r->values++;
    if (key && !index_member(r->arena, parent, child))
        return lv_fail_memory(r->err);
    *node = child;
    return LV_OK;
}
