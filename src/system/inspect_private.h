/* An inspection under construction, shared by inspect.c and inspect_kernels.c. */
#ifndef LV_SYSTEM_INSPECT_PRIVATE_H
#define LV_SYSTEM_INSPECT_PRIVATE_H

#include "system/blocks.h"
#include "system/elements.h"
#include "system/inspect.h"

/* The inspection being filled in; the caller's view is its first member. */
typedef struct lv_inspecting {
    lv_inspection view;
    lv_arena arena;
    const lv_model *model;
    double *momentum;   /* p = dL/dv at the start */
    lv_blocks mass;     /* entries of d2L/dv2 */
    lv_blocks jacobian; /* entries of dg/dq and dPhi/dv */
    bool mass_varies;
    lv_term_info *terms;
    lv_momentum_info *momenta;
    lv_elements elements; /* the elements that constraint rows belong to */
    lv_system *system;    /* NULL: not needed so far, or its creation failed */
    lv_status unprepared; /* status of the failed creation */
    lv_error reason;
} lv_inspecting;

/* Computes terms, energies, residuals, momenta of declared symmetries and the entries of
 * both matrices (inspect_kernels.c). */
lv_status lv_inspect_kernels(lv_inspecting *i, lv_error *err);

#endif
