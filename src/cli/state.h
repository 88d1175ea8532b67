/* States and multipliers in JSON, by the names of the model file. */
#ifndef CLI_STATE_H
#define CLI_STATE_H

#include "cli/json.h"

#include <livens/livens.h>

/* Writes one number per coordinate, by the names under which they are declared: a number
 * for a scalar ("x": 3), an array for a vector ("a": [1, 2]), an array of its members for
 * a family. with_inner: also those that results do not show
 * (lv_model_coordinate_is_inner). */
void cli_state_put(cli_json *json, const char *key, const lv_model *model,
                   const double *values, bool with_inner);

/* Writes one number per holonomic constraint row: a number or, for a vector, an array per
 * constraint. Constraints of a family have their index in the name ("link_7"), as in
 * CSV. */
void cli_multipliers_put(cli_json *json, const char *key, const lv_model *model,
                         const double *values, int count);

#endif
