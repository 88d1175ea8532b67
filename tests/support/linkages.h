/* N + 1 pins on cranks of length 1, one beside the other, joined by N rods: N four-bar linkages with one degree of
 * freedom; and constraints that hold anyway. Tests and benchmarks share the texts. */
#ifndef LV_TESTS_LINKAGES_H
#define LV_TESTS_LINKAGES_H

#define LINKAGES                                                                         \
    "[parameters]\nN = 10\n"                                                             \
    "[coordinates]\nq = { count = \"N+1\", value = [\"i-1\", 1], velocity = [1, 0] }\n"  \
    "[energy.pins]\nfor = \"i = 1..N+1\"\nkinetic = \"norm2(q_i')/2\"\n"                 \
    "potential = \"9.81*q_i[2]\"\n"                                                      \
    "[constraints.crank]\nfor = \"i = 1..N+1\"\n"                                        \
    "holonomic = \"(norm2(q_i - [i-1, 0]) - 1)/2\"\n"                                    \
    "[constraints.rod]\nfor = \"i = 1..N\"\n"                                            \
    "holonomic = \"(norm2(q_{i+1} - q_i) - 1)/2\"\n"

/* One rod from the first to the last pin, which depends on all others. */
#define LINKAGES_WHOLE                                                                   \
    "[constraints.whole]\nholonomic = \"(norm2(q_{N+1} - q_1) - N^2)/2\"\n"

/* Every rod a second time. */
#define LINKAGES_AGAIN                                                                   \
    "[constraints.again]\nfor = \"i = 1..N\"\n"                                          \
    "holonomic = \"(norm2(q_{i+1} - q_i) - 1)/2\"\n"

#endif
