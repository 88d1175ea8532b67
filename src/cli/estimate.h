/* Errors at the end of a run, estimated from the same run with half the step
 * (Richardson's extrapolation). */
#ifndef CLI_ESTIMATE_H
#define CLI_ESTIMATE_H

#include "cli/json.h"
#include "cli/summary.h"

/* The estimated error of the k-th final coordinate, or of its velocity. */
double cli_estimate_coordinate(const cli_summary *summary, int k, bool velocity);

/* Estimated errors of a quantity of a body: one for each component of positions and
 * velocities, and an angle for quaternions and angles in the plane. Returns their number,
 * 0: this quantity has none. `errors` has space for three. */
int cli_estimate_body(const cli_summary *summary, const lv_part_result *part, int value,
                      double *errors);

/* The name of a quantity: "orientation" for a quaternion or an angle. */
const char *cli_estimate_name(const lv_output *value);

/* Whether this part is a body. */
bool cli_estimate_is_body(const lv_part_result *part);

/* Adds "estimate" to the JSON object: step, q, v, bodies. Nothing if it was not asked
 * for. */
void cli_estimate_put(cli_json *json, const cli_summary *summary);

/* Writes the largest errors, and the coordinates or bodies that have them. */
void cli_estimate_write(FILE *out, const cli_summary *summary);

#endif
