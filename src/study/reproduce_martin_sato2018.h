/* The parts of one paper. */
#ifndef LV_STUDY_REPRODUCE_MARTIN_SATO2018_H
#define LV_STUDY_REPRODUCE_MARTIN_SATO2018_H

#include "study/reproduce_motion.h"

extern const lv_chapter lv_martin_sato2018_trapezoid; /* 4, appendices A and B */
extern const lv_chapter lv_martin_sato2018_particle;  /* 7.1 */
extern const lv_chapter lv_martin_sato2018_cvt;       /* 7.2 */
extern const lv_chapter lv_martin_sato2018_chaos;     /* 7.3 */

#endif
