/* Which momentum maps the schemes with discrete gradients keep (theory 5.8).
 *
 * They keep p . xi(q), xi(q) = A q + b, to rounding if their discrete gradients have the
 * symmetry at the midpoint z of the step,
 *
 *   D1 T . xi(z) + D2 T . A vm = 0,   D V . xi(z) = 0,   D g . xi(z) = 0
 *
 * and em also needs c . xi(z) = pm . A a, where a and -c are the terms that gamma adds to
 * q1 - q0 and h (p1 - p0). Whether this holds depends on how a formula is written; it is
 * tested at a few pairs of random points near the start. */
#ifndef LV_SCHEME_EQUIVARIANCE_H
#define LV_SCHEME_EQUIVARIANCE_H

#include "system/system.h"

/* Sets kept[k] for the momentum maps of the system, in the order of lv_system_map_name.
 * hidden: include the condition on the discrete hidden constraint of em. */
lv_status lv_equivariance_test(lv_system *system, bool hidden, bool *kept, lv_error *err);

#endif
