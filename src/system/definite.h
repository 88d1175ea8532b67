/* Kinetic energies that can be negative. Lagrangians may have them, but as a rule a sign
 * is wrong. */
#ifndef LV_SYSTEM_DEFINITE_H
#define LV_SYSTEM_DEFINITE_H

#include "model/model.h"

/* A coordinate whose velocity can make the kinetic energy negative at the start, -1 if
 * there is none. Of coordinates that are coupled by the mass matrix more than
 * LV_DEFINITE_LARGEST at a time only the diagonal is looked at. */
enum { LV_DEFINITE_LARGEST = 64 };
lv_status lv_definite_test(const lv_model *model, int *coordinate, lv_error *err);

/* Adds a note that names a body whose axes have a singular mass matrix at the start: flat
 * and thin ones. false: there is none, or it is not seen. */
bool lv_massless_note(const lv_model *model, lv_error *err);

#endif
