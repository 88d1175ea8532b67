/* The index of a dataset's chunks: a B-tree (version 1, III.A.1) that only grows at its end.
 *
 * Chunks are numbered row by row; chunk i covers rows i / across * rows ... and columns
 * i % across * columns ... . A node that has become full is written once, to a place of its
 * own, and never changes. The last node of each level, the edge, is rewritten at every commit,
 * alternately to one of two places, so that the tree of the commit before remains intact:
 *
 *     level 2        edge             edge.child: full nodes of the level below,
 *                  /      \           then the edge of the level below
 *     level 1   full      edge
 *              / ... \   /    \
 *     level 0  full nodes    edge     edge.child: chunks
 *
 * Each node is followed by a checksum, because rows must not be written to where a damaged
 * node points.
 */
#ifndef LV_OUT_HDF5_TREE_H
#define LV_OUT_HDF5_TREE_H

#include "out/hdf5_file.h"
#include "out/hdf5_format.h"

enum { LV_TREE_FAN = 64, LV_TREE_LEVELS = 5 };

typedef struct lv_tree_edge {
    int count;
    uint64_t child[LV_TREE_FAN];
    uint64_t left; /* address of the full node before it on its level, or LV_H5_NOWHERE */
    uint64_t place[2]; /* addresses for sides 0 and 1; 0: not allocated yet */
} lv_tree_edge;

typedef struct lv_tree {
    int rank;                       /* of the dataset: 2, or 1 for a single column */
    uint64_t rows, columns, across; /* rows and columns of a chunk, chunks side by side */
    uint64_t chunks;
    lv_tree_edge level[LV_TREE_LEVELS];
} lv_tree;

void lv_tree_init(lv_tree *tree, int rank, uint64_t rows, uint64_t columns,
                  uint64_t across);

/* Allocates the nodes that the first chunk needs. */
void lv_tree_reserve(lv_tree *tree, lv_h5_file *file);

/* Adds the next chunk, at this address. After a failure it may be added again. */
lv_status lv_tree_add(lv_tree *tree, lv_h5_file *file, uint64_t chunk, lv_error *err);

lv_status lv_tree_find(const lv_tree *tree, const lv_h5_file *file, uint64_t index,
                       uint64_t *chunk, lv_error *err);

/* Writes the edges to their places of this side (0 or 1); *root becomes the address of
 * the tree. */
lv_status lv_tree_write(const lv_tree *tree, const lv_h5_file *file, int side,
                        uint64_t *root, lv_error *err);

/* Links neighbouring nodes at the end of a run. Readers do not need these links, but
 * programs that change the file do. */
lv_status lv_tree_chain(const lv_tree *tree, const lv_h5_file *file, int side,
                        lv_error *err);

/* The state that a file stores beside the nodes, LV_TREE_STATE bytes. */
enum { LV_TREE_STATE = 8 * (1 + 4 * LV_TREE_LEVELS) };
void lv_tree_save(const lv_tree *tree, lv_bytes *bytes);

/* Restores a tree after lv_tree_init, from LV_TREE_STATE bytes and the nodes of a
 * side. */
lv_status lv_tree_restore(lv_tree *tree, const unsigned char *state,
                          const lv_h5_file *file, int side, lv_error *err);

#endif
