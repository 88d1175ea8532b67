#include "cli/state.h"

#include <stddef.h>
#include <string.h>

enum { NAME_SIZE = 400 };

static void put_group(cli_json *json, const lv_group_info *group, const double *values)
{
    int length = group->length > 0 ? group->length : 1;
    cli_json_key(json, group->name);
    if (!group->is_family) {
        cli_json_numbers(json, values, group->length);
        return;
    }
    cli_json_open(json, '[');
    for (int k = 0; k < group->count; k++, values += length)
        cli_json_numbers(json, values, group->length);
    cli_json_close(json, ']');
}

void cli_state_put(cli_json *json, const char *key, const lv_model *model,
                   const double *values, bool with_inner)
{
    lv_group_info group;
    cli_json_key(json, key);
    cli_json_open(json, '{');
    int first = 0;
    for (int k = 0; lv_group_describe(model, k, &group); k++) {
        const int width = group.count * (group.length > 0 ? group.length : 1);
        if (with_inner || width == 0 || !lv_model_coordinate_is_inner(model, first))
            put_group(json, &group, values);
        first += width;
        values += (ptrdiff_t)group.count * (group.length > 0 ? group.length : 1);
    }
    cli_json_close(json, '}');
}

/* Cuts "pin[2]" to "pin"; returns whether there was an index. */
static bool cut_index(char *name)
{
    char *bracket = strchr(name, '[');
    if (bracket)
        *bracket = '\0';
    return bracket != NULL;
}

void cli_multipliers_put(cli_json *json, const char *key, const lv_model *model,
                         const double *values, int count)
{
    char name[NAME_SIZE], next[NAME_SIZE];
    cli_json_key(json, key);
    cli_json_open(json, '{');
    for (int k = 0, length; k < count; k += length) {
        lv_model_constraint_name(model, k, name, sizeof name);
        bool vector = cut_index(name);
        for (length = 1; vector && k + length < count; length++) {
            lv_model_constraint_name(model, k + length, next, sizeof next);
            if (!cut_index(next) || strcmp(next, name) != 0)
                break;
        }
        if (lv_model_constraint_is_inner(model, k))
            continue;
        cli_json_key(json, name);
        cli_json_numbers(json, values + k, vector ? length : 0);
    }
    cli_json_close(json, '}');
}
