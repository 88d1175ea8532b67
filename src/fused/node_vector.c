#include "fused/node_vector.h"

#include <stdbool.h>

lv_node lv_nodes_dot(lv_graph *g, const lv_node *a, const lv_node *b, int n)
{
    lv_node sum = lv_graph_mul(g, a[0], b[0]);
    for (int i = 1; i < n; i++) {
        const lv_node term = lv_graph_mul(g, a[i], b[i]);
        sum = lv_graph_add(g, sum, term);
    }
    return sum;
}

/* a b - c d */
static lv_node difference(lv_graph *g, lv_node a, lv_node b, lv_node c, lv_node d)
{
    const lv_node first = lv_graph_mul(g, a, b);
    const lv_node second = lv_graph_mul(g, c, d);
    return lv_graph_sub(g, first, second);
}

void lv_nodes_cross(lv_graph *g, lv_node y[3], const lv_node a[3], const lv_node b[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        y[i] = difference(g, a[j], b[k], a[k], b[j]);
    }
}

lv_node lv_nodes_cross_flat(lv_graph *g, const lv_node a[2], const lv_node b[2])
{
    return difference(g, a[0], b[1], a[1], b[0]);
}

void lv_nodes_apply(lv_graph *g, lv_node *y, const lv_node *m, const lv_node *a, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = lv_nodes_dot(g, m + (ptrdiff_t)n * i, a, n);
}

void lv_nodes_apply_transposed(lv_graph *g, lv_node *y, const lv_node *m,
                               const lv_node *a, int n)
{
    for (int j = 0; j < n; j++) {
        y[j] = lv_graph_mul(g, m[j], a[0]);
        for (int i = 1; i < n; i++) {
            const lv_node term = lv_graph_mul(g, m[n * i + j], a[i]);
            y[j] = lv_graph_add(g, y[j], term);
        }
    }
}

void lv_nodes_product(lv_graph *g, lv_node *m, const lv_node *a, const lv_node *b, int n)
{
    for (int i = 0; i < n; i++)
        lv_nodes_apply_transposed(g, m + (ptrdiff_t)n * i, b, a + (ptrdiff_t)n * i, n);
}

void lv_nodes_hat(lv_graph *g, lv_node m[9], const lv_node a[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m[3 * i + i] = lv_graph_const(g, 0);
        m[3 * k + j] = a[i];
        m[3 * j + k] = lv_graph_neg(g, a[i]);
    }
}

/* Number i of a product is the sum over j of a[j] b[i xor j] with this sign. */
static lv_node product_number(lv_graph *g, int i, const lv_node a[4], const lv_node b[4])
{
    static const signed char sign[4][4] = {
        {1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}};
    lv_node sum = lv_graph_mul(g, a[0], b[i]);
    for (int j = 1; j < 4; j++) {
        const lv_node term = lv_graph_mul(g, a[j], b[i ^ j]);
        sum = sign[i][j] > 0 ? lv_graph_add(g, sum, term) : lv_graph_sub(g, sum, term);
    }
    return sum;
}

void lv_nodes_quaternion_multiply(lv_graph *g, lv_node q[4], const lv_node a[4],
                                  const lv_node b[4])
{
    for (int i = 0; i < 4; i++)
        q[i] = product_number(g, i, a, b);
}

void lv_nodes_quaternion_product(lv_graph *g, lv_node q[4], const lv_node a[4],
                                 const lv_node b[4])
{
    lv_nodes_quaternion_multiply(g, q, a, b);
    const lv_node square = lv_nodes_dot(g, q, q, 4);
    const lv_node three = lv_graph_const(g, 3), half = lv_graph_const(g, 0.5);
    const lv_node rest = lv_graph_sub(g, three, square);
    const lv_node factor = lv_graph_mul(g, half, rest);
    for (int i = 0; i < 4; i++)
        q[i] = lv_graph_mul(g, factor, q[i]);
}

/* Twice a b + c d, or twice a b - c d */
static lv_node twice(lv_graph *g, lv_node ab, lv_node cd, bool add)
{
    const lv_node two = lv_graph_const(g, 2);
    const lv_node sum = add ? lv_graph_add(g, ab, cd) : lv_graph_sub(g, ab, cd);
    return lv_graph_mul(g, two, sum);
}

void lv_nodes_quaternion_matrix(lv_graph *g, lv_node r[9], const lv_node q[4])
{
    const lv_node one = lv_graph_const(g, 1);
    lv_node square[3];
    for (int i = 0; i < 3; i++)
        square[i] = lv_graph_square(g, q[1 + i]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const lv_node others = twice(g, square[j], square[k], true);
        const lv_node turned = lv_graph_mul(g, q[0], q[1 + i]);
        const lv_node mixed = lv_graph_mul(g, q[1 + j], q[1 + k]);
        r[3 * i + i] = lv_graph_sub(g, one, others);
        r[3 * j + k] = twice(g, mixed, turned, false);
        r[3 * k + j] = twice(g, mixed, turned, true);
    }
}
