/* Tests whether the kinetic energy can be negative. A Lagrangian may have such a kinetic
 * energy, but usually it means a wrong sign. */
#ifndef LV_SYSTEM_MASS_DEFINITE_H
#define LV_SYSTEM_MASS_DEFINITE_H

#include "plan/plan.h"

/* Sets *coordinate to a coordinate whose velocity can make the kinetic energy negative at
 * the start, or to -1 if there is none. Where the mass matrix couples more than
 * LV_MASS_DEFINITE_LARGEST coordinates, only its diagonal is tested. */
enum { LV_MASS_DEFINITE_LARGEST = 64 };
lv_status lv_mass_definite_test(const lv_model *model, int *coordinate, lv_error *err);

/* The same with a plan of this model that has the mass matrix. */
lv_status lv_mass_definite_test_with(lv_plan *plan, const lv_model *model,
                                     int *coordinate, lv_error *err);

/* Adds a note that names a body whose axes have a singular mass matrix at the start (a
 * flat or thin body). Returns false if no such body is found. */
bool lv_massless_note(const lv_model *model, lv_error *err);

#endif
