/* Errors at the end of a run, as the same run with half the step tells them (Richardson's extrapolation). */
#ifndef CLI_ESTIMATE_H
#define CLI_ESTIMATE_H

#include "cli/json.h"
#include "cli/summary.h"

/* The error of the k-th final coordinate, or of its velocity. */
double cli_estimate_coordinate(const cli_summary *summary, int k, bool velocity);

/* Errors of what a body shows: of positions and velocities one for each component, of the orientation an angle, which
 * quaternions (and angles in the plane) have. Returns how many, 0: of this quantity there are none. `errors` has room
 * for three. */
int cli_estimate_body(const cli_summary *summary, const lv_part_result *part, int value,
                      double *errors);

/* Its name: "orientation" for a quaternion or an angle. */
const char *cli_estimate_name(const lv_output *value);

/* Is this part a body? */
bool cli_estimate_is_body(const lv_part_result *part);

/* "estimate" of the JSON object: step, q, v, bodies. Nothing where it was not asked for. */
void cli_estimate_put(cli_json *json, const cli_summary *summary);

/* The largest errors, and whose they are, in words. */
void cli_estimate_write(FILE *out, const cli_summary *summary);

#endif
