/* Peers that follow a motion from the same start, found when the benchmarks are configured. */
#ifndef LV_BENCH_PEER_MOTION_H
#define LV_BENCH_PEER_MOTION_H

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/* `setting` is a tolerance, or a number of steps; q receives what is compared; false: it failed. */
typedef struct peer_motion {
    const char *name;
    bool fixed_steps;
    bool (*run)(double setting, double until, int links, double *q);
} peer_motion;

/* The heavy top with a fixed tip: its axes. The chain, with hinges and with balls: positions of the centres of its links. All
 * end with a name that is NULL. */
extern const peer_motion peer_tops[], peer_hinges[], peer_balls[];

/* CPU time, as bench_nanoseconds has it, when a peer was done with its preparations, which are not counted; 0: it does not
 * tell. */
extern double peer_began;

/* Those that make up the lists; the first ones are no peers, but what can be done by hand. */
bool bound_top(double steps, double until, int links, double *axes);
bool bound_links(double steps, double until, int links, double *q);
bool bound_links_composed(double steps, double until, int links, double *q);
bool peer_sundials_top_erk(double tolerance, double until, int links, double *axes);
bool peer_sundials_top_ida(double tolerance, double until, int links, double *axes);
bool peer_mujoco_hinges(double steps, double until, int links, double *q);
bool peer_mujoco_balls(double steps, double until, int links, double *q);
bool peer_simbody_hinges(double tolerance, double until, int links, double *q);
bool peer_simbody_balls(double tolerance, double until, int links, double *q);

#ifdef __cplusplus
}
#endif

#endif
