/* States and multipliers in JSON, by the names of the model file. */
#ifndef CLI_STATE_H
#define CLI_STATE_H

#include "cli/json.h"

#include <livens/livens.h>

/* One number per coordinate, by the names under which they are declared: a number for a scalar
 * ("x": 3), an array for a vector ("a": [1, 2]), an array of its members for a family. Those that results do not
 * show (lv_model_coordinate_is_inner) are there if they are asked for. */
void cli_state_put(cli_json *json, const char *key, const lv_model *model,
                   const double *values, bool with_inner);

/* One number per row of the holonomic constraints: a number or, for a vector, an array per
 * constraint. Those of a family have their index in the name ("link_7"), as in CSV. */
void cli_multipliers_put(cli_json *json, const char *key, const lv_model *model,
                         const double *values, int count);

#endif
