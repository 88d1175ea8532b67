/* Reference models: every part in all its forms, in one, two and three dimensions. Kernels are
 * compiled for what occurs in them, and tests run them with kernels and without. */
#ifndef LV_KERNELS_REFERENCE_H
#define LV_KERNELS_REFERENCE_H

#include <livens/sim.h>

int reference_count(void);

/* The model, to be freed with lv_model_free; name receives a short description. */
lv_status reference_model(lv_model **model, int number, char name[40], lv_error *err);

#endif
