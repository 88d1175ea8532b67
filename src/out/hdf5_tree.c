#include "out/hdf5_tree.h"

#include <assert.h>
#include <string.h>

enum {
    KEY = 32, /* bytes of the chunk, filter mask, row, column (if the rank is 2), byte */
    NODE = 24 + LV_TREE_FAN * (KEY + 8) + KEY, /* size of a node with keys of rank 2 */
    RIGHT_AT = 16,
    SEALED = NODE + 8 /* the node and its checksum, which other programs do not see */
};

static const unsigned char signature[4] = {'T', 'R', 'E', 'E'};

static size_t key_size(const lv_tree *tree)
{
    return KEY - 8 * (size_t)(2 - tree->rank);
}

/* Offset of key k in a node, and of child k. */
static size_t key_at(const lv_tree *tree, int k)
{
    return 24 + (size_t)k * (key_size(tree) + 8);
}

static size_t child_at(const lv_tree *tree, int k)
{
    return key_at(tree, k) + key_size(tree);
}

void lv_tree_init(lv_tree *tree, int rank, uint64_t rows, uint64_t columns,
                  uint64_t across)
{
    *tree = (lv_tree){.rank = rank, .rows = rows, .columns = columns, .across = across};
    for (int l = 0; l < LV_TREE_LEVELS; l++)
        tree->level[l].left = LV_H5_NOWHERE;
}

/* Number of chunks below one child of a node. */
static uint64_t span(int level)
{
    return (uint64_t)1 << (6 * level);
}

/* Index of the first chunk below the edge of a level. */
static uint64_t first_of(const lv_tree *tree, int level)
{
    uint64_t first = tree->chunks;
    for (int l = 0; l <= level; l++)
        first -= (uint64_t)tree->level[l].count * span(l);
    return first;
}

/* Whether there is anything below the edge of a level. */
static bool occupied(const lv_tree *tree, int level)
{
    for (int l = 0; l <= level; l++)
        if (tree->level[l].count > 0)
            return true;
    return false;
}

/* The checksum of a node without its right neighbour, which becomes known later. */
static uint64_t checksum(const unsigned char node[NODE])
{
    const size_t rest = RIGHT_AT + 8;
    return lv_h5_checksum(node, RIGHT_AT) ^ lv_h5_checksum(node + rest, NODE - rest);
}

static void put_key(unsigned char *to, const lv_tree *tree, uint64_t index, bool last)
{
    const uint64_t bytes = last ? 0 : tree->rows * tree->columns * sizeof(double);
    lv_h5_store(to, bytes, 4);
    lv_h5_store(to + 4, 0, 4);
    lv_h5_store(to + 8, index / tree->across * tree->rows, 8);
    if (tree->rank == 2)
        lv_h5_store(to + 16, index % tree->across * tree->columns, 8);
    lv_h5_store(to + key_size(tree) - 8, 0, 8);
}

/* Writes the edge of a level, with the edge below as its last child unless that is
 * empty. */
static void put_edge(unsigned char to[SEALED], const lv_tree *tree, int level, int side)
{
    assert(level >= 0 && level < LV_TREE_LEVELS);
    assert(tree->level[level].count <= LV_TREE_FAN);
    const lv_tree_edge *edge = &tree->level[level];
    const uint64_t first = first_of(tree, level);
    uint64_t child[LV_TREE_FAN];
    int count = edge->count;
    memcpy(child, edge->child, sizeof child);
    if (level > 0 && occupied(tree, level - 1))
        child[count++] = tree->level[level - 1].place[side];

    memset(to, 0, NODE);
    memcpy(to, signature, sizeof signature);
    to[4] = 1; /* type: chunks */
    to[5] = (unsigned char)level;
    lv_h5_store(to + 6, (uint64_t)count, 2);
    lv_h5_store(to + 8, edge->left, 8);
    lv_h5_store(to + RIGHT_AT, LV_H5_NOWHERE, 8);
    for (int k = 0; k < count; k++) {
        put_key(to + key_at(tree, k), tree, first + (uint64_t)k * span(level), false);
        lv_h5_store(to + child_at(tree, k), child[k], 8);
    }
    put_key(to + key_at(tree, count), tree, tree->chunks, true);
    lv_h5_store(to + NODE, checksum(to), 8);
}

/* Sets the right neighbour of a node that has its final place. */
static lv_status set_right(const lv_h5_file *file, uint64_t node, uint64_t right,
                           lv_error *err)
{
    unsigned char bytes[8];
    if (node == LV_H5_NOWHERE)
        return LV_OK;
    lv_h5_store(bytes, right, 8);
    return lv_h5_write(file, node + RIGHT_AT, bytes, sizeof bytes, err);
}

/* Places are allocated when they are first needed, not at a commit, so that the layout of
 * a file does not depend on when it was flushed. */
static void reserve_edge(lv_tree_edge *edge, lv_h5_file *file)
{
    for (int side = 0; side < 2 && edge->place[1] == 0; side++)
        edge->place[side] = lv_h5_take(file, SEALED);
}

/* Turns a full edge with nothing below it into a permanent node, a child of the level
 * above. */
static lv_status make_permanent(lv_tree *tree, lv_h5_file *file, int level, lv_error *err)
{
    if (level + 1 == LV_TREE_LEVELS)
        return lv_fail(err, LV_ERR_LIMIT, "'%s' has more chunks than fit its index",
                       file->path);
    unsigned char node[SEALED];
    lv_tree_edge *edge = &tree->level[level], *above = edge + 1;
    const uint64_t place = lv_h5_take(file, SEALED);
    put_edge(node, tree, level, 0);
    LV_TRY(lv_h5_write(file, place, node, sizeof node, err));
    LV_TRY(set_right(file, edge->left, place, err));
    edge->left = place;
    edge->count = 0;
    above->child[above->count++] = place;
    reserve_edge(above, file);
    return LV_OK;
}

lv_status lv_tree_add(lv_tree *tree, lv_h5_file *file, uint64_t chunk, lv_error *err)
{
    /* Only a full lowest edge can make edges above it full. */
    for (int l = LV_TREE_LEVELS - 1; l >= 0; l--)
        if (tree->level[l].count == LV_TREE_FAN) {
            LV_TRY(make_permanent(tree, file, l, err));
            l = LV_TREE_LEVELS;
        }
    lv_tree_edge *edge = &tree->level[0];
    reserve_edge(edge, file);
    edge->child[edge->count++] = chunk;
    tree->chunks++;
    return LV_OK;
}

static lv_status damaged(const lv_h5_file *file, lv_error *err)
{
    return lv_fail(err, LV_ERR_IO, "'%s' is damaged: the index of its rows", file->path);
}

static lv_status read_node(unsigned char node[SEALED], const lv_h5_file *file,
                           uint64_t place, int level, lv_error *err)
{
    LV_TRY(lv_h5_read(file, place, node, SEALED, err));
    const bool sound = memcmp(node, signature, sizeof signature) == 0 &&
                       node[5] == level && checksum(node) == lv_h5_load(node + NODE, 8);
    return sound ? LV_OK : damaged(file, err);
}

lv_status lv_tree_find(const lv_tree *tree, const lv_h5_file *file, uint64_t index,
                       uint64_t *chunk, lv_error *err)
{
    int level = 0;
    while (index < first_of(tree, level))
        level++;
    uint64_t node =
        tree->level[level].child[(index - first_of(tree, level)) / span(level)];
    for (level--; level >= 0; level--) {
        unsigned char bytes[SEALED];
        const int k = (int)(index / span(level) % LV_TREE_FAN);
        LV_TRY(read_node(bytes, file, node, level, err));
        node = lv_h5_load(bytes + child_at(tree, k), 8);
    }
    *chunk = node;
    return LV_OK;
}

void lv_tree_reserve(lv_tree *tree, lv_h5_file *file)
{
    reserve_edge(&tree->level[0], file);
}

lv_status lv_tree_write(const lv_tree *tree, const lv_h5_file *file, int side,
                        uint64_t *root, lv_error *err)
{
    assert(side == 0 || side == 1);
    *root = LV_H5_NOWHERE;
    int top = LV_TREE_LEVELS - 1;
    while (top >= 0 && tree->level[top].count == 0)
        top--;
    for (int l = 0; l <= top; l++) {
        const lv_tree_edge *edge = &tree->level[l];
        unsigned char node[SEALED];
        if (!occupied(tree, l))
            continue;
        put_edge(node, tree, l, side);
        LV_TRY(lv_h5_write(file, edge->place[side], node, sizeof node, err));
        *root = edge->place[side];
    }
    return LV_OK;
}

lv_status lv_tree_chain(const lv_tree *tree, const lv_h5_file *file, int side,
                        lv_error *err)
{
    for (int l = 0; l < LV_TREE_LEVELS; l++)
        if (occupied(tree, l))
            LV_TRY(set_right(file, tree->level[l].left, tree->level[l].place[side], err));
    return LV_OK;
}

void lv_tree_save(const lv_tree *tree, lv_bytes *bytes)
{
    lv_bytes_number(bytes, tree->chunks, 8);
    for (int l = 0; l < LV_TREE_LEVELS; l++) {
        const lv_tree_edge *edge = &tree->level[l];
        lv_bytes_number(bytes, (uint64_t)edge->count, 8);
        lv_bytes_number(bytes, edge->left, 8);
        lv_bytes_number(bytes, edge->place[0], 8);
        lv_bytes_number(bytes, edge->place[1], 8);
    }
}

static lv_status restore_edge(lv_tree *tree, int level, const lv_h5_file *file, int side,
                              lv_error *err)
{
    unsigned char node[SEALED];
    lv_tree_edge *edge = &tree->level[level];
    LV_TRY(read_node(node, file, edge->place[side], level, err));
    if (lv_h5_load(node + 6, 2) < (uint64_t)edge->count)
        return damaged(file, err);
    for (int k = 0; k < edge->count; k++)
        edge->child[k] = lv_h5_load(node + child_at(tree, k), 8);
    return LV_OK;
}

lv_status lv_tree_restore(lv_tree *tree, const unsigned char *state,
                          const lv_h5_file *file, int side, lv_error *err)
{
    assert(side == 0 || side == 1);
    uint64_t below = 0;
    tree->chunks = lv_h5_load(state, 8);
    for (int l = 0; l < LV_TREE_LEVELS; l++) {
        const unsigned char *from = state + 8 + (size_t)32 * (size_t)l;
        lv_tree_edge *edge = &tree->level[l];
        const uint64_t count = lv_h5_load(from, 8);
        if (count > LV_TREE_FAN)
            return damaged(file, err);
        edge->count = (int)count;
        edge->left = lv_h5_load(from + 8, 8);
        edge->place[0] = lv_h5_load(from + 16, 8);
        edge->place[1] = lv_h5_load(from + 24, 8);
        below += count * span(l);
        if (count > 0)
            LV_TRY(restore_edge(tree, l, file, side, err));
    }
    return below == tree->chunks ? LV_OK : damaged(file, err);
}
