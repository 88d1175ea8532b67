/* The parts of one paper. */
#ifndef LV_STUDY_REPRODUCE_KINON2023_H
#define LV_STUDY_REPRODUCE_KINON2023_H

#include "study/reproduce_motion.h"

extern const lv_chapter lv_kinon2023_pendulum;  /* 6.1 */
extern const lv_chapter lv_kinon2023_top;       /* 6.2 */
extern const lv_chapter lv_kinon2023_particles; /* 6.3, what is kept and convergence */
extern const lv_chapter lv_kinon2023_stability; /* 6.3, effort and stability */

#endif
