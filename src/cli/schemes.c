#include "cli/schemes.h"

#include "cli/options.h"
#include "cli/terminal.h"

#include <string.h>

const char cli_claims_legend[] =
    "exact: kept to rounding; bounded: the error oscillates within bounds that shrink "
    "with the step; -: no statement; g exact: g = 0 but not dg/dt = 0; refused: not for "
    "systems with constraints; Phi: takes nonholonomic ones, too, and keeps them; the "
    "map is then not symplectic. Energy means without forces, explicit time and affine "
    "constraints, momentum the momentum maps of linear symmetries (with em, em-g and "
    "livens of those that the formulas show: livens check tells), constraints g = 0 and "
    "dg/dt = 0 at the ends of the steps.";

bool cli_scheme_find(const char *name, lv_scheme_info *info)
{
    for (int k = 0; lv_scheme_describe(k, info); k++)
        if (strcmp(info->name, name) == 0)
            return true;
    return false;
}

static int option_of_dial(const lv_scheme_info *info)
{
    if (info->least_stages < info->most_stages)
        return LV_OPTION_STAGES;
    return info->options >> LV_OPTION_DEGREE & 1 ? LV_OPTION_DEGREE : LV_OPTIONS;
}

lv_claims cli_scheme_claims(const lv_scheme_info *info, int value)
{
    lv_claims claims = {0};
    lv_scheme_options options = {0};
    int option = option_of_dial(info);
    if (value > 0 && option < LV_OPTIONS)
        lv_scheme_option_set(&options, (lv_option)option, value);
    if (lv_scheme_claims(&claims, info->name, &options, NULL) != LV_OK)
        claims = (lv_claims){0};
    return claims;
}

cli_dial cli_scheme_dial(const lv_scheme_info *info)
{
    cli_dial dial = {option_of_dial(info), info->least_stages, info->most_stages};
    lv_option_info option;
    if (dial.option != LV_OPTION_DEGREE || !lv_option_describe(dial.option, &option))
        return dial;
    dial.least = 1;
    dial.most = (int)option.most;
    while (dial.most > 1 && cli_scheme_claims(info, dial.most).order == 0)
        dial.most--; /* there is no rule with so many points */
    return dial;
}

static const char *kept_word(lv_kept kept)
{
    switch (kept) {
    case LV_KEPT_NOT:
        return "-";
    case LV_KEPT_BOUNDED:
        return "bounded";
    case LV_KEPT_EXACT:
        return "exact";
    }
    return "-";
}

/* How well the weaker of g and dg/dt is kept. */
static const char *constraints_word(const lv_scheme_info *info, const lv_claims *claims)
{
    if (!info->holonomic)
        return "refused";
    if (claims->position == LV_KEPT_EXACT && claims->velocity != LV_KEPT_EXACT)
        return "g exact";
    return kept_word(claims->position);
}

void cli_claims_header(cli_grid *grid)
{
    cli_grid_add(grid, "symplectic");
    cli_grid_add(grid, "symmetric");
    cli_grid_add(grid, "energy");
    cli_grid_add(grid, "momentum");
    cli_grid_add(grid, "constraints");
}

void cli_claims_cells(cli_grid *grid, const lv_scheme_info *info, const lv_claims *claims)
{
    cli_grid_add(grid, claims->symplectic ? "yes" : "-");
    cli_grid_add(grid, claims->symmetric ? "yes" : "-");
    cli_grid_add(grid, "%s", kept_word(claims->energy));
    cli_grid_add(grid, "%s", kept_word(claims->momentum));
    cli_grid_add(grid, "%s%s", constraints_word(info, claims),
                 info->nonholonomic ? ", Phi" : "");
}

/* "2", or "2-22" if the stages or the degree can be chosen */
static void add_orders(cli_grid *grid, const lv_scheme_info *info)
{
    cli_dial dial = cli_scheme_dial(info);
    int least = cli_scheme_claims(info, dial.least).order;
    int most = cli_scheme_claims(info, dial.most).order;
    if (least == most)
        cli_grid_add(grid, "%d", least);
    else
        cli_grid_add(grid, "%d-%d", least, most);
}

const char *cli_scheme_mass(const lv_scheme_info *info)
{
    switch (info->mass) {
    case LV_MASS_CONSTANT:
        return "constant";
    case LV_MASS_VARYING:
        return "may vary";
    case LV_MASS_SINGULAR:
        return "may be singular";
    }
    return "";
}

const char *cli_scheme_lagrangian(const lv_scheme_info *info)
{
    return info->any_lagrangian
               ? "any, terms linear in the velocities too"
               : "quadratic in the velocities; terms linear in them are refused";
}

const char *cli_scheme_composes(const lv_scheme_info *info)
{
    if (!info->composable)
        return "no";
    return info->composes_only ? info->composes_only : "yes";
}

void cli_schemes_table(cli_grid *grid, bool all)
{
    lv_scheme_info info;
    grid->align = all ? "lllllllll" : "lllllll";
    cli_grid_row(grid);
    cli_grid_add(grid, "scheme");
    cli_grid_add(grid, "order");
    cli_claims_header(grid);
    cli_grid_add(grid, "mass matrix");
    cli_grid_add(grid, "composed to order 4, 6, 8");
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        lv_claims claims = cli_scheme_claims(&info, 0);
        cli_grid_row(grid);
        cli_grid_add(grid, "%s", info.name);
        add_orders(grid, &info);
        cli_claims_cells(grid, &info, &claims);
        cli_grid_add(grid, "%s%s%s%s", cli_scheme_mass(&info), info.only ? " (" : "",
                     info.only ? info.only : "", info.only ? " only)" : "");
        cli_grid_add(grid, "%s", cli_scheme_composes(&info));
    }
}

void cli_schemes_write_text(void)
{
    cli_grid grid = {.align = ""};
    cli_schemes_table(&grid, false);
    cli_grid_put(stdout, &grid);
    fputs("\n  ", stdout);
    cli_put_wrapped(stdout, cli_claims_legend, 2, 2);
    fputs("\n  ", stdout);
    cli_put_wrapped(stdout, "'livens explain NAME' tells more about a scheme.", 2, 2);
}

static void put_kept(cli_json *json, const char *key, lv_kept kept)
{
    cli_json_put_text(json, key, kept == LV_KEPT_NOT ? NULL : kept_word(kept));
}

static void put_options(cli_json *json, const lv_scheme_info *info)
{
    lv_option_info option;
    cli_json_key(json, "options");
    cli_json_open(json, '[');
    for (int k = 0; lv_option_describe(k, &option); k++)
        if (info->options >> k & 1)
            cli_json_text(json, option.name);
    cli_json_close(json, ']');
}

static void put_scheme(cli_json *json, const lv_scheme_info *info)
{
    lv_claims claims = cli_scheme_claims(info, 0);
    cli_json_open(json, '{');
    cli_json_put_text(json, "name", info->name);
    cli_json_put_text(json, "summary", info->summary);
    cli_json_put_text(json, "source", info->source);
    cli_json_key(json, "stages");
    cli_json_open(json, '{');
    cli_json_put_whole(json, "least", info->least_stages);
    cli_json_put_whole(json, "most", info->most_stages);
    cli_json_put_whole(json, "default", info->default_stages);
    cli_json_close(json, '}');
    cli_json_put_whole(json, "order", claims.order);
    cli_json_put_bool(json, "symplectic", claims.symplectic);
    cli_json_put_bool(json, "symmetric", claims.symmetric);
    put_kept(json, "energy", claims.energy);
    put_kept(json, "momentum", claims.momentum);
    put_kept(json, "position", claims.position);
    put_kept(json, "velocity", claims.velocity);
    cli_json_put_bool(json, "holonomic", info->holonomic);
    cli_json_put_bool(json, "nonholonomic", info->nonholonomic);
    cli_json_put_text(json, "mass", lv_mass_kind_name(info->mass));
    cli_json_put_bool(json, "any_lagrangian", info->any_lagrangian);
    cli_json_put_bool(json, "velocity_forces", !info->no_velocity_forces);
    cli_json_put_text(json, "only", info->only);
    cli_json_put_bool(json, "composable", info->composable);
    cli_json_put_text(json, "composes_only", info->composes_only);
    put_options(json, info);
    cli_json_close(json, '}');
}

void cli_schemes_write_json(cli_json *json)
{
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        put_scheme(json, &info);
}

void cli_scheme_put(FILE *out, const char *name, const lv_scheme_options *options,
                    int order)
{
    cli_line l = {.length = 0};
    lv_scheme_info info;
    const int stages = (int)lv_scheme_option(options, LV_OPTION_STAGES, 0);
    const bool composed = lv_scheme_option(options, LV_OPTION_COMPOSE, 0) > 0;
    cli_line_add(&l, "%s", name);
    if (cli_scheme_find(name, &info) && info.least_stages < info.most_stages)
        cli_line_add(&l, ", %d stage%s", stages, stages == 1 ? "" : "s");
    cli_options_add(&l, options);
    cli_line_add(&l, composed ? ", composed to order %d" : ", order %d", order);
    cli_put_fact(out, "scheme", l.text);
}
