/* Functions that change a simulation between steps, called wrongly. */
#ifndef LV_TESTS_MISUSE_LIVE_H
#define LV_TESTS_MISUSE_LIVE_H

#include "misuse.h"

static void wrong_inputs(void)
{
    const double one = 1;
    REFUSED(lv_sim_set_input, "sim", NULL, "u", &one, 1, e);
    REFUSED(lv_sim_set_input, "name", sim, NULL, &one, 1, e);
    REFUSED(lv_sim_set_input, "values", sim, "u", NULL, 1, e);
    REFUSED(lv_sim_set_input, "count", sim, "u", &one, -1, e);
    REFUSED(lv_sim_set_inputs, "sim", NULL, &one, 1, e);
    REFUSED(lv_sim_set_inputs, "values", sim, NULL, 0, e);
    REFUSED(lv_sim_set_inputs, "count", sim, &one, -1, e);
    REFUSED(lv_sim_set_inputs, "count", sim, &one, 1, e); /* it has none */
    assert_null(lv_sim_input(NULL, "u"));
    assert_null(lv_sim_input(sim, NULL));
    assert_null(lv_sim_input(sim, "u"));
    assert_null(lv_sim_inputs(NULL));
}

#endif
