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

/* Whether there are coordinates that do not belong to a body, or no bodies at all. */
static bool has_plain(const lv_model *model)
{
    lv_group_info group;
    bool any = false;
    for (int k = 0; lv_group_describe(model, k, &group); k++) {
        if (!group.is_inner)
            return true;
        any = true;
    }
    return !any;
}

void cli_start_add(cli_line *line, const lv_model *model, const lv_start_change *start)
{
    const int shown = start->moved < LV_BODY_CHANGES ? start->moved : LV_BODY_CHANGES;
    const bool plain = has_plain(model);
    cli_line_add(line, "moved onto the constraints: ");
    for (int k = 0; k < shown; k++) {
        char text[NAME_SIZE];
        cli_line_add(line, "%s%s", k > 0 ? "; " : "",
                     lv_body_change_text(&start->bodies[k], text, sizeof text));
    }
    if (start->moved > shown)
        cli_line_add(line, "; %d other bod%s less", start->moved - shown,
                     start->moved - shown == 1 ? "y" : "ies");
    if (!plain) {
        cli_line_add(line, "%s", start->moved == 0 ? "no body" : "");
        return;
    }
    cli_line_add(line, "%s", start->moved > 0 ? "; " : "");
    add_moved(line, model, "positions", start->position, start->position_coordinate);
    cli_line_add(line, ", ");
    add_moved(line, model, "velocities", start->velocity, start->velocity_coordinate);
}

static void put_bodies(cli_json *j, const lv_start_change *start)
{
    const int shown = start->moved < LV_BODY_CHANGES ? start->moved : LV_BODY_CHANGES;
    cli_json_put_whole(j, "bodies_moved", start->moved);
    cli_json_key(j, "bodies");
    cli_json_open(j, '[');
    for (int k = 0; k < shown; k++) {
        const lv_body_change *b = &start->bodies[k];
        cli_json_open(j, '{');
        cli_json_put_text(j, "name", b->name);
        cli_json_put_number(j, "position", b->position);
        cli_json_put_number(j, "angle", b->angle);
        cli_json_put_number(j, "velocity", b->velocity);
        cli_json_put_number(j, "angular_velocity", b->angular_velocity);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
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
    if (start->moved > 0)
        put_bodies(j, start);
}
