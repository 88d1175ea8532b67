/* How far a start was moved onto the constraints, as a sentence and as keys of a JSON
 * object. */
#ifndef CLI_START_H
#define CLI_START_H

#include "cli/json.h"
#include "cli/report.h"

#include <livens/livens.h>

void cli_start_add(cli_line *line, const lv_model *model, const lv_start_change *start);

void cli_start_put(cli_json *json, const lv_model *model, const lv_start_change *start);

#endif
