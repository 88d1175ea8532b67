/* Two numbers as one, from which compilers make vectors whatever they think of loops. Operations are those of the numbers
 * one by one. */
#ifndef LV_NUM_PAIR_H
#define LV_NUM_PAIR_H

typedef double lv_pair
    __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

#endif
