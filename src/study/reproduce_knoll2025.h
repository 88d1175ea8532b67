/* The parts of one paper. */
#ifndef LV_STUDY_REPRODUCE_KNOLL2025_H
#define LV_STUDY_REPRODUCE_KNOLL2025_H

#include "study/reproduce_motion.h"

extern const lv_chapter lv_knoll2025_vector_space; /* 3, 4.2 */
extern const lv_chapter lv_knoll2025_top;          /* 4.3 */

#endif
