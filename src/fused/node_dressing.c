#include "fused/node_dressing.h"

#include "course/turning.h"

/* A line of a matrix: its first entry, and the distance of its entries. */
typedef struct line {
    lv_node *first;
    int stride;
} line;

/* x = m x for the lines of a body, or m^T x; missing entries are 0. */
static void dress_body(lv_graph *g, const lv_pose *p, line x, const lv_node *m,
                       bool transposed)
{
    const int n = p->group->tangent;
    lv_node old[LV_LIE_TANGENT];
    bool any = false;
    for (int i = 0; i < n; i++) {
        old[i] = x.first[(ptrdiff_t)p->tangent[i] * x.stride];
        any = any || old[i] != LV_NODE_NONE;
    }
    for (int i = 0; any && i < n; i++) {
        lv_node sum = lv_graph_const(g, 0);
        for (int k = 0; k < n; k++) {
            if (old[k] == LV_NODE_NONE)
                continue;
            const lv_node term =
                lv_graph_mul(g, m[transposed ? n * k + i : n * i + k], old[k]);
            sum = lv_graph_add(g, sum, term);
        }
        x.first[(ptrdiff_t)p->tangent[i] * x.stride] =
            lv_graph_is_const(g, sum, 0) ? LV_NODE_NONE : sum;
    }
}

static void dress(lv_graph *g, const lv_motion *m, line x, lv_node_side side,
                  bool transposed)
{
    for (int i = 0; i < m->tangents && !side.plain; i++)
        if (m->pose_of[i] < 0)
            x.first[(ptrdiff_t)i * x.stride] = LV_NODE_NONE;
    for (int k = 0; k < m->pose_count; k++)
        dress_body(g, &m->poses[k], x, side.blocks + (ptrdiff_t)LV_POSE_BLOCK * k,
                   transposed);
}

void lv_nodes_dress_left(lv_graph *g, const lv_motion *m, lv_node *a, int columns,
                         lv_node_side left)
{
    for (int j = 0; j < columns; j++)
        dress(g, m, (line){a + j, columns}, left, false);
}

void lv_nodes_dress_right(lv_graph *g, const lv_motion *m, lv_node *a, int rows,
                          lv_node_side right)
{
    for (int i = 0; i < rows; i++)
        dress(g, m, (line){a + (ptrdiff_t)i * m->tangents, 1}, right, true);
}
