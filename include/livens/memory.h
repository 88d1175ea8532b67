/* How much memory the library may use: a budget for all models, simulations and results
 * of the process together.
 *
 * A model of a hundred bytes can describe a system that is too large for any machine. The
 * library estimates what a model will need before it is built, and no allocation exceeds
 * the budget. A call that would exceed it fails with LV_ERR_LIMIT and the reason
 * LV_WHY_BUDGET. The error says how much was in use and what takes the most, and
 * everything else remains usable. */
#ifndef LIVENS_MEMORY_H
#define LIVENS_MEMORY_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The budget in bytes. The default is half of the memory that is free when the budget is
 * first queried or needed, plus what the library uses already. Free memory is the least
 * of what the machine, the control group and the limits of the process leave. */
LV_API size_t lv_memory_budget(void);

/* Sets the budget for all threads; 0: the default, determined anew. Memory that is in use
 * stays valid, even if it exceeds the new budget. */
LV_API void lv_memory_set_budget(size_t bytes);

/* Bytes in use now. Threads report what they use in portions, so the number may be off by
 * 64 kB for each of them. */
LV_API size_t lv_memory_used(void);

#ifdef __cplusplus
}
#endif
#endif
