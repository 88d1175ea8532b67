/* Random numbers without a state: each is a function of seed, name and two counters.
 *
 * The generator is Philox4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3", 2011): ten rounds of a keyed bijection
 * of 128 bits. Whoever asks, in whatever order and from whatever thread, gets the same
 * number. */
#ifndef LV_NUM_RANDOM_H
#define LV_NUM_RANDOM_H

#include <stdint.h>

/* The bijection: 128 bits under a key of 64. */
void lv_philox(uint32_t block[4], const uint32_t counter[4], const uint32_t key[2]);

/* Identifies one random number: a seed, a name, a member of an ensemble, a component. */
typedef struct lv_draw {
    uint64_t seed;
    const char *name;
    uint32_t member, component;
} lv_draw;

/* Uniform in the open interval (0, 1), a multiple of 2^-53. */
double lv_random_uniform(const lv_draw *draw);

/* Normal with mean 0 and variance 1 (G. E. P. Box, M. E. Muller 1958). */
double lv_random_normal(const lv_draw *draw);

#endif
