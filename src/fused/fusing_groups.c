/* Operators of groups in the graph of a step, and blocks with their derivatives. */
#include "fused/fusing_private.h"
#include "fused/node_dressing.h"
#include "fused/node_vector.h"

static void turn_arguments(lv_fusing *f, const lv_atom *atom, lv_turn_nodes x)
{
    for (int a = 0; a < LV_ARGUMENTS; a++)
        x[a] = value_of(f, atom->arg[a]);
}

void lv_fusing_turn(lv_fusing *f, const lv_atom *atom, lv_node *out)
{
    lv_turn_nodes x;
    turn_arguments(f, atom, x);
    if (!is_broken(f))
        lv_node_turning_apply(&f->turning, atom->op->turn, out, x);
}

/* The blocks of a derivative, one for each body; made once per phase. NULL: memory is
 * short. */
static const lv_node *factor_blocks(lv_fusing *f, int number)
{
    const lv_factor *factor = &f->c->factors.data[number];
    const lv_atom *atom = &f->c->form.atoms.data[factor->atom];
    const size_t count = LV_POSE_BLOCK * (size_t)f->c->turning.motion->pose_count;
    if (f->factors[number])
        return f->factors[number];
    lv_node *blocks = lv_arena_alloc(&f->arena, count, sizeof *blocks);
    lv_turn_nodes x;
    turn_arguments(f, atom, x);
    f->failed = f->failed || !blocks;
    if (!is_broken(f))
        lv_node_turning_slope(&f->turning, atom->op->turn, factor->by, blocks, x);
    return f->factors[number] = blocks;
}

/* The product of all factors on one side of a block. */
static lv_node_side side_of(lv_fusing *f, const lv_factors *factors)
{
    const lv_motion *m = f->c->turning.motion;
    const size_t count = LV_POSE_BLOCK * (size_t)m->pose_count;
    lv_node_side side = {factor_blocks(f, factors->list[0]),
                         f->c->factors.data[factors->list[0]].plain};
    for (int k = 1; k < factors->count; k++) {
        const lv_node *by = factor_blocks(f, factors->list[k]);
        lv_node *product = lv_arena_alloc(&f->arena, count, sizeof *product);
        f->failed = f->failed || !product;
        for (int b = 0; b < m->pose_count && !is_broken(f); b++) {
            const ptrdiff_t at = (ptrdiff_t)LV_POSE_BLOCK * b;
            lv_nodes_product(f->graph, product + at, side.blocks + at, by + at,
                             m->poses[b].group->tangent);
        }
        side.blocks = product;
        side.plain = side.plain && f->c->factors.data[factors->list[k]].plain;
    }
    return side;
}

void lv_fusing_dress(lv_fusing *f, const lv_block *b, lv_node *a, int rows, int columns)
{
    const lv_motion *motion = f->c->turning.motion;
    if (b->right.count > 0) {
        const lv_node_side right = side_of(f, &b->right);
        if (!is_broken(f))
            lv_nodes_dress_right(f->graph, motion, a, rows, right);
    }
    if (b->left.count > 0) {
        const lv_node_side left = side_of(f, &b->left);
        if (!is_broken(f))
            lv_nodes_dress_left(f->graph, motion, a, columns, left);
    }
}
