#include "cli/start.h"

enum { NAME_SIZE = 200 };

/* "positions by at most 0.3 (x[1])" */
static void add_moved(cli_line *line, const lv_model *model, const char *what,
                      double size, int coordinate)
{
    char name[NAME_SIZE];
    if (coordinate < 0)
        cli_line_add(line, "no %s", what);
    else
        cli_line_add(line, "%s by at most %.3g (%s)", what, size,
                     lv_model_coordinate_name(model, coordinate, name, sizeof name));
}

void cli_start_add(cli_line *line, const lv_model *model, const lv_start_change *start)
{
    cli_line_add(line, "moved onto the constraints: ");
    add_moved(line, model, "positions", start->position, start->position_coordinate);
    cli_line_add(line, ", ");
    add_moved(line, model, "velocities", start->velocity, start->velocity_coordinate);
}

static void put_moved(cli_json *j, const char *key, const lv_model *model, bool projected,
                      double size, int coordinate)
{
    char name[NAME_SIZE];
    const char *whose =
        coordinate < 0 ? NULL
                       : lv_model_coordinate_name(model, coordinate, name, sizeof name);
    cli_json_key(j, key);
    if (!projected) {
        cli_json_null(j);
        return;
    }
    cli_json_open(j, '{');
    cli_json_put_number(j, "max", size);
    cli_json_put_text(j, "coordinate", whose);
    cli_json_close(j, '}');
}

void cli_start_put(cli_json *j, const lv_model *model, const lv_start_change *start)
{
    cli_json_put_bool(j, "projected", start->projected);
    put_moved(j, "position", model, start->projected, start->position,
              start->position_coordinate);
    put_moved(j, "velocity", model, start->projected, start->velocity,
              start->velocity_coordinate);
}
