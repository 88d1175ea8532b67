/* From one simulation to another, as a checkpoint does it. */
#ifndef LV_TESTS_CLAIMS_HAND_OVER_H
#define LV_TESTS_CLAIMS_HAND_OVER_H

#include "check.h"
#include "run/sim.h"

#include <string.h>

/* The state, and what the scheme carries. */
static inline void hand_over(lv_sim *to, const lv_sim *from)
{
    size_t bytes = (size_t)from->system->n * sizeof(double);
    lv_memory_view source = from->scheme->memory(from->work);
    to->scheme->forget(to->work);
    lv_memory_view target = to->scheme->memory(to->work);
    assert_int_equal(source.count, target.count);
    memcpy(target.numbers, source.numbers, (size_t)source.count * sizeof(double));
    memcpy(to->state.q, from->state.q, bytes);
    memcpy(to->state.v, from->state.v, bytes);
    memcpy(to->state.p, from->state.p, bytes);
    to->state.t = from->state.t;
    to->start_time = from->start_time;
    to->steps = from->steps;
}

#endif
