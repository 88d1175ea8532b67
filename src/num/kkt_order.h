/* Elimination order for saddle matrices
 *   [ M  G^T ]
 *   [ G   0  ]
 * whose unknowns are coordinates and multipliers. A multiplier has no pivot of its own
 * until a coordinate of its row has been eliminated. So each multiplier is matched to
 * coordinates of its row, the graph of these groups is ordered by approximate minimum
 * degree, and each group is eliminated as its coordinates, then its multipliers. Then all
 * pivots are on the diagonal, and the fill is that of the graph of bodies. Orders that
 * ignore the zeros in the corner force pivots off the diagonal, and the fill becomes many
 * times larger. */
#ifndef LV_NUM_KKT_ORDER_H
#define LV_NUM_KKT_ORDER_H

#include "base/status.h"
#include "num/pattern.h"

#include <stdbool.h>

/* order[0] is eliminated first; `order` has pattern->rows elements. multiplier[i]:
 * unknown i is a multiplier. */
lv_status lv_kkt_order(int *order, const lv_pattern *pattern, const bool *multiplier,
                       lv_error *err);

#endif
