/* Which momentum maps the schemes of discrete gradients keep (theory 5.8).
 *
 * They keep p . xi(q), xi(q) = A q + b, to rounding if their discrete gradients have the symmetry at the
 * middle of the step,
 *
 *   D1 T . xi(z) + D2 T . A vm = 0,   D V . xi(z) = 0,   D g . xi(z) = 0
 *
 * and em also c . xi(z) = pm . A a, where a and -c are what gamma adds to q1 - q0 and h (p1 - p0). That
 * depends on how a formula is written, and is tried at a few pairs of random points near the start. */
#ifndef LV_SCHEME_EQUIVARIANCE_H
#define LV_SCHEME_EQUIVARIANCE_H

#include "system/system.h"

/* kept[k] for the momentum maps of the system, as lv_system_map_name counts them. hidden: with the
 * discrete hidden constraint of em. */
lv_status lv_equivariance_test(lv_system *system, bool hidden, bool *kept, lv_error *err);

#endif
