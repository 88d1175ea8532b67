/* Trees of bodies by MuJoCo in joint coordinates: its Runge-Kutta scheme of order 4, no contacts. */
#ifndef LV_BENCH_MUJOCO_MOTION_H
#define LV_BENCH_MUJOCO_MOTION_H

#include <stdbool.h>

typedef struct mujoco_motion {
    const char *bodies; /* elements of the world, as text */
    const char *more;   /* a file that they include as more.xml; NULL: none */
    double gravity;     /* along -z */
    double until;
    long steps;
    double first_velocity; /* of the first joint; all others begin at rest */
    int count;             /* of bodies */
    double *began; /* gets the CPU time when the first step begins; NULL: nobody asks */
} mujoco_motion;

/* The centres of mass of the bodies in the end: 3 count numbers. False where MuJoCo does not take the bodies. */
bool mujoco_follow(const mujoco_motion *motion, double *centres);

#endif
