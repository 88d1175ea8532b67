/* The index of chunks: grown over several levels, written, restored, searched. */
#include "check.h"
#include "out/hdf5_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY = 32, FIRST_CHILD = 24 + KEY, STEP = KEY + 8 };

static lv_h5_file file;

static int open_file(void **state)
{
    (void)state;
    FILE *stream = tmpfile();
    if (!stream)
        return 1;
    file = (lv_h5_file){.fd = dup(fileno(stream)), .end = 96, .path = "tree"};
    return fclose(stream) != 0 || file.fd < 0;
}

static int close_file(void **state)
{
    (void)state;
    return close(file.fd);
}

static uint64_t address_of(uint64_t index)
{
    return 8 * index + ((uint64_t)1 << 40);
}

/* Adds chunks until there are `count`. */
static void grow(lv_tree *tree, uint64_t count)
{
    while (tree->chunks < count)
        assert_int_equal(lv_tree_add(tree, &file, address_of(tree->chunks), NULL), LV_OK);
}

/* Walks over a written tree as a reader does; returns the chunks seen. */
static uint64_t walk(const lv_tree *tree, uint64_t node, int level, uint64_t index)
{
    unsigned char head[24], item[STEP], end[KEY];
    uint64_t seen = 0;
    assert_int_equal(lv_h5_read(&file, node, head, sizeof head, NULL), LV_OK);
    assert_memory_equal(head, "TREE", 4);
    assert_int_equal(head[4], 1);
    if (level >= 0)
        assert_int_equal(head[5], level);
    level = head[5];
    const int count = (int)lv_h5_load(head + 6, 2);
    assert_in_range(count, 1, LV_TREE_FAN);
    for (int k = 0; k < count; k++) {
        const uint64_t at = index + seen;
        assert_int_equal(
            lv_h5_read(&file, node + 24 + (uint64_t)k * STEP, item, sizeof item, NULL),
            LV_OK);
        assert_int_equal(lv_h5_load(item, 4), tree->rows * tree->columns * 8);
        assert_int_equal(lv_h5_load(item + 8, 8), at / tree->across * tree->rows);
        assert_int_equal(lv_h5_load(item + 16, 8), at % tree->across * tree->columns);
        const uint64_t child = lv_h5_load(item + KEY, 8);
        if (level == 0) {
            assert_int_equal(child, address_of(at));
            seen++;
        } else {
            seen += walk(tree, child, level - 1, at);
        }
    }
    /* The last key is the first one that is not below this node. */
    assert_int_equal(
        lv_h5_read(&file, node + 24 + (uint64_t)count * STEP, end, sizeof end, NULL),
        LV_OK);
    assert_int_equal(lv_h5_load(end + 8, 8), (index + seen) / tree->across * tree->rows);
    assert_int_equal(lv_h5_load(end + 16, 8),
                     (index + seen) % tree->across * tree->columns);
    return seen;
}

/* Writes to both sides; then both are complete trees. */
static void assert_written(lv_tree *tree)
{
    uint64_t root[2];
    for (int side = 0; side < 2; side++)
        assert_int_equal(lv_tree_write(tree, &file, side, &root[side], NULL), LV_OK);
    for (int side = 0; side < 2; side++)
        assert_int_equal(walk(tree, root[side], -1, 0), tree->chunks);
}

static void trees_of_every_size_hold_their_chunks(void **state)
{
    (void)state;
    static lv_tree tree;
    uint64_t root = 0;
    lv_tree_init(&tree, 2, 7, 5, 3);
    assert_int_equal(lv_tree_write(&tree, &file, 0, &root, NULL), LV_OK);
    assert_true(root == LV_H5_NOWHERE);
    for (uint64_t count = 1; count < 300; count++) {
        grow(&tree, count);
        assert_written(&tree);
    }
    static const uint64_t counts[] = {4095,   4096,   4097,   4160,   4161,   8192,  8193,
                                      262143, 262144, 262145, 262208, 262209, 266241};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        grow(&tree, counts[k]);
        assert_written(&tree);
    }
}

static void every_chunk_is_found(void **state)
{
    (void)state;
    static lv_tree tree;
    lv_tree_init(&tree, 2, 1, 1, 1);
    grow(&tree, 64 * 64 * 2 + 100);
    for (uint64_t k = 0; k < tree.chunks; k++) {
        uint64_t chunk = 0;
        assert_int_equal(lv_tree_find(&tree, &file, k, &chunk, NULL), LV_OK);
        assert_true(chunk == address_of(k));
    }
}

static void a_restored_tree_grows_on(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 5000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        static lv_tree tree, again;
        lv_bytes bytes = {0};
        uint64_t root = 0;
        lv_tree_init(&tree, 2, 2, 3, 2);
        grow(&tree, counts[k]);
        assert_int_equal(lv_tree_write(&tree, &file, 1, &root, NULL), LV_OK);
        lv_tree_save(&tree, &bytes);
        assert_int_equal(bytes.count, LV_TREE_STATE);
        lv_tree_init(&again, 2, 2, 3, 2);
        assert_int_equal(lv_tree_restore(&again, bytes.data, &file, 1, NULL), LV_OK);
        lv_bytes_done(&bytes);
        assert_true(again.chunks == counts[k]);
        grow(&again, counts[k] + 200);
        assert_written(&again);
    }
}

static uint64_t right_of(uint64_t node)
{
    unsigned char bytes[8];
    assert_int_equal(lv_h5_read(&file, node + 16, bytes, 8, NULL), LV_OK);
    return lv_h5_load(bytes, 8);
}

static void a_closed_tree_has_a_chain_of_neighbours(void **state)
{
    (void)state;
    static lv_tree tree;
    uint64_t root = 0;
    lv_tree_init(&tree, 2, 1, 1, 1);
    grow(&tree, 64 * 64 + 130);
    assert_int_equal(lv_tree_write(&tree, &file, 0, &root, NULL), LV_OK);
    assert_int_equal(lv_tree_chain(&tree, &file, 0, NULL), LV_OK);

    /* Down the left side, then along the leaves. */
    unsigned char bytes[8];
    uint64_t node = root, leaves = 1;
    for (int level = 2; level > 0; level--) {
        assert_int_equal(lv_h5_read(&file, node + FIRST_CHILD, bytes, 8, NULL), LV_OK);
        node = lv_h5_load(bytes, 8);
    }
    for (; right_of(node) != LV_H5_NOWHERE; leaves++) {
        const uint64_t right = right_of(node);
        assert_int_equal(lv_h5_read(&file, right + 8, bytes, 8, NULL), LV_OK);
        assert_true(lv_h5_load(bytes, 8) == node);
        node = right;
    }
    assert_int_equal(leaves, 64 + 3);
    assert_true(node == tree.level[0].place[0]);
}

static void damaged_state_is_refused(void **state)
{
    (void)state;
    static lv_tree tree, again;
    lv_bytes bytes = {0};
    lv_error err;
    uint64_t root = 0;
    lv_tree_init(&tree, 2, 1, 1, 1);
    grow(&tree, 100);
    assert_int_equal(lv_tree_write(&tree, &file, 0, &root, NULL), LV_OK);
    lv_tree_save(&tree, &bytes);
    lv_tree_init(&again, 2, 1, 1, 1);
    bytes.data[0]++; /* one chunk more than there are */
    assert_int_equal(lv_tree_restore(&again, bytes.data, &file, 0, &err), LV_ERR_IO);
    bytes.data[0]--;
    bytes.data[8] = 65; /* more children than fit */
    assert_int_equal(lv_tree_restore(&again, bytes.data, &file, 0, &err), LV_ERR_IO);
    bytes.data[8] = 36;
    assert_int_equal(lv_tree_restore(&again, bytes.data, &file, 0, &err), LV_OK);
    assert_int_equal(lv_tree_restore(&again, bytes.data, &file, 1, &err), LV_ERR_IO);
    lv_bytes_done(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(trees_of_every_size_hold_their_chunks, open_file,
                                        close_file),
        cmocka_unit_test_setup_teardown(every_chunk_is_found, open_file, close_file),
        cmocka_unit_test_setup_teardown(a_restored_tree_grows_on, open_file, close_file),
        cmocka_unit_test_setup_teardown(a_closed_tree_has_a_chain_of_neighbours,
                                        open_file, close_file),
        cmocka_unit_test_setup_teardown(damaged_state_is_refused, open_file, close_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
