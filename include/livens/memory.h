/* How much memory the library may hold: a budget for all models, simulations and results of the
 * process together.
 *
 * A model of a hundred bytes can describe a system that no machine holds. What a model will need is
 * estimated before it is made, and no allocation goes beyond the budget: the call then fails with
 * LV_ERR_LIMIT and the reason LV_WHY_BUDGET, the error says how much was in use and what takes the
 * most, and everything else remains usable. */
#ifndef LIVENS_MEMORY_H
#define LIVENS_MEMORY_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that may be in use. Unless set, it is half of what is free when it is first asked for or
 * needed: of the memory of the machine, of the control group and of the limits of the process,
 * whichever is least, with what the library uses already. */
LV_API size_t lv_memory_budget(void);

/* Sets the budget for all threads; 0: the default, found anew. What is in use already stays, even if
 * it is more. */
LV_API void lv_memory_set_budget(size_t bytes);

/* Bytes in use now. Threads add what they use in pieces, so that the number may be off by 64 kB for
 * each of them. */
LV_API size_t lv_memory_used(void);

#ifdef __cplusplus
}
#endif
#endif
