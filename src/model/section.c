#include "model/section.h"
#include "model/option.h"

#include <stddef.h>
#include <string.h>

#define END                                                                              \
    {                                                                                    \
        NULL, LV_KEY_TEXT, false, false, 0, 0, NULL, NULL, NULL                          \
    }
#define FORMULA(name, doc)                                                               \
    {                                                                                    \
        name, LV_KEY_FORMULA, false, false, 0, 0, NULL, NULL, doc                        \
    }
#define VALUE(name, doc)                                                                 \
    {                                                                                    \
        name, LV_KEY_VALUE, false, false, 0, 0, NULL, NULL, doc                          \
    }
#define FOR                                                                              \
    {                                                                                    \
        "for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,                            \
            "makes a family: one instance for every value of the index, e.g. \"i = "     \
            "1..N\"; "                                                                   \
            "several indices are separated by commas"                                    \
    }

static const lv_key model_keys[] = {
    {"name", LV_KEY_TEXT, false, false, 0, 0, NULL, "the file's name",
     "title of the model"},
    {"description", LV_KEY_TEXT, false, false, 0, 0, NULL, NULL,
     "what the model is and where it comes from"},
    END,
};

static const lv_key value_keys[] = {
    {"value", LV_KEY_VALUE, true, false, 0, 0, NULL, NULL, "number, formula or vector"},
    END,
};

static const lv_key definition_keys[] = {
    {"value", LV_KEY_VALUE, true, false, 0, 0, NULL, NULL, "number, formula or vector"},
    {"for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,
     "makes a family c_1, c_2, ... with one index, e.g. \"i = 1..N\"; the value may use "
     "it"},
    END,
};

static const lv_key coordinate_keys[] = {
    {"value", LV_KEY_VALUE, true, false, 0, 0, NULL, NULL,
     "value at the start; a vector makes a vector coordinate"},
    {"velocity", LV_KEY_VALUE, false, false, 0, 0, NULL, "0", "velocity at the start"},
    {"momentum", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "momentum at the start, instead of the velocity; needs a Hamiltonian"},
    {"count", LV_KEY_FORMULA, false, true, 0, 100000000, NULL, NULL,
     "makes a family x_1, x_2, ...; the other keys may use the index i"},
    END,
};

static const lv_key momentum_keys[] = {
    {"value", LV_KEY_NAMES, true, false, 0, 0, NULL, NULL,
     "the coordinate it belongs to"},
    END,
};

static const lv_key energy_keys[] = {
    FOR,
    FORMULA("kinetic", "kinetic energy T, a formula of coordinates and velocities"),
    FORMULA("potential", "potential energy V, a formula of coordinates and time"),
    FORMULA("lagrangian", "a term of the Lagrangian, where T - V does not say it"),
    FORMULA("hamiltonian",
            "a term of the Hamiltonian H(q, p, t), at most quadratic in the "
            "momenta; p_x is the momentum of x"),
    END,
};

static const lv_key constraint_keys[] = {
    FOR,
    VALUE("holonomic", "g(q, t), kept at zero; a vector means one constraint each"),
    VALUE("nonholonomic",
          "Phi(q, q', t), kept at zero; a vector means one constraint each; with a "
          "Hamiltonian it may contain momenta"),
    END,
};

static const lv_key force_keys[] = {
    FOR,
    {"on", LV_KEY_ALONG, false, false, 0, 0, NULL, NULL,
     "what the force acts on: coordinates; a formula of coordinates, such as a point or "
     "an "
     "angle, along whose variation it acts; or a rate, a formula linear in velocities"},
    {"force", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "force on each component of 'on', a formula of coordinates, velocities and time; "
     "with a Hamiltonian also of momenta; its power is 'force' times the rate of 'on'"},
    FORMULA("dissipation",
            "instead of 'on' and 'force': Rayleigh's function R(q, q', t), "
            "such as c/2*x'^2; the force on every coordinate is -dR/dx'"),
    END,
};

static const lv_key symmetry_keys[] = {
    FOR,
    {"on", LV_KEY_NAMES, true, false, 0, 0, NULL, NULL, "the coordinates that move"},
    {"generator", LV_KEY_VALUE, true, false, 0, 0, NULL, NULL,
     "how they move, xi(q); the momentum map is the sum of p * xi"},
    END,
};

static const lv_key event_keys[] = {
    {"when", LV_KEY_FORMULA, true, false, 0, 0, NULL, NULL,
     "the event happens when this formula of coordinates, velocities and t passes "
     "through zero"},
    {"direction", LV_KEY_TEXT, false, false, 0, 0, NULL, "both",
     "only when it is \"rising\" or \"falling\"; \"both\""},
    FORMULA("restitution",
            "an impact: an impulse along the gradient of 'when' turns its rate into so "
            "much of the opposite, 1 loses no energy, 0 stays in touch"),
    {"on", LV_KEY_NAMES, false, false, 0, 0, NULL, NULL,
     "coordinates whose velocities are set"},
    {"velocity", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "what these velocities become, a formula of the state before; velocities are then "
     "moved onto the constraints"},
    {"input", LV_KEY_TEXT, false, false, 0, 0, NULL, NULL,
     "an input that is set, by name"},
    {"value", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "what this input becomes, a formula of the state before"},
    {"record", LV_KEY_FLAG, false, false, 0, 0, NULL, "false",
     "true writes a row of results right after the event"},
    {"stop", LV_KEY_FLAG, false, false, 0, 0, NULL, "false",
     "true ends the simulation there"},
    {"after", LV_KEY_FORMULA, false, true, 1, 1000000000, NULL, "1",
     "with stop: at which time of happening"},
    END,
};

/* ---- pictures ---- */

#define PICTURE_FOR                                                                      \
    {                                                                                    \
        "for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,                            \
            "makes a family: one for every value of the index, e.g. \"i = 1..N\""        \
    }
#define COLOUR                                                                           \
    {                                                                                    \
        "colour", LV_KEY_FORMULA, false, true, 1, 12, NULL, NULL,                        \
            "number of a colour in the palette"                                          \
    }
#define CELLS                                                                            \
    {                                                                                    \
        "cells", LV_KEY_FORMULA, false, true, 1, 500, NULL, NULL,                        \
            "into how many pieces the range of each variable is cut; 64 for curves, 24 " \
            "for surfaces if it is not given"                                            \
    }

static const lv_key view_keys[] = {
    {"up", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "which way is up, a vector of parameters; without it against [gravity], or along y "
     "in the plane and z in space"},
    {"parts", LV_KEY_FLAG, false, false, 0, 0, NULL, "true",
     "false leaves the pictures of parts out"},
    END,
};

static const lv_key view_point_keys[] = {
    {"at", LV_KEY_VALUE, true, false, 0, 0, "m", NULL,
     "where it is: two components in the plane, three in space"},
    {"radius", LV_KEY_FORMULA, false, false, 1e-300, 1e300, "m", NULL,
     "of the ball that is drawn, a formula of parameters and indices"},
    {"trail", LV_KEY_FLAG, false, false, 0, 0, NULL, "true", "shows where it has been"},
    COLOUR,
    PICTURE_FOR,
    END,
};

static const lv_key view_line_keys[] = {
    {"through", LV_KEY_POINTS, false, false, 0, 0, "m", NULL,
     "the points that it joins, at least two"},
    {"at", LV_KEY_VALUE, false, false, 0, 0, "m", NULL,
     "instead of through: a point of a curve, a formula of the variable in over"},
    {"over", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,
     "the variable of a curve and its range, \"s = 0..2*pi\""},
    CELLS,
    {"style", LV_KEY_TEXT, false, false, 0, 0, NULL, "line",
     "\"line\", \"rod\", \"spring\" or \"arrow\""},
    {"radius", LV_KEY_FORMULA, false, false, 1e-300, 1e300, "m", NULL,
     "of a rod or spring, a formula of parameters and indices"},
    COLOUR,
    PICTURE_FOR,
    END,
};

static const lv_key view_frame_keys[] = {
    {"at", LV_KEY_VALUE, true, false, 0, 0, "m", NULL,
     "its origin: two components in the plane, three in space"},
    {"e1", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "direction of its first axis, of any length; axes that are not given follow from "
     "the others"},
    {"e2", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL, "and of its second axis"},
    {"e3", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL, "and of its third axis"},
    {"angle", LV_KEY_FORMULA, false, false, 0, 0, "rad", NULL,
     "instead of axes: turned by so much about the z axis"},
    {"shape", LV_KEY_VARIANT, false, false, 0, 0, "m", "{ axes = ... }",
     "what is drawn there: { sphere = r }, { ellipsoid = [a, b, c] }, { box = [a, b, c] "
     "}, { cylinder = [r, l] }, { capsule = [r, l] }, { cone = [r, l] } with its axis "
     "along e3, or { axes = l }"},
    {"trail", LV_KEY_FLAG, false, false, 0, 0, NULL, "false", "shows where it has been"},
    COLOUR,
    PICTURE_FOR,
    END,
};

static const lv_key view_surface_keys[] = {
    {"at", LV_KEY_VALUE, true, false, 0, 0, "m", NULL,
     "a point of it, a formula of the two variables in over"},
    {"over", LV_KEY_RANGES, true, false, 0, 0, NULL, NULL,
     "the two variables and their ranges, \"u = 0..2*pi, v = -1..1\""},
    CELLS,
    COLOUR,
    PICTURE_FOR,
    END,
};

/* Options of schemes as keys. */
#define OPTION_WHOLE(name, least, most, argument, doc)                                   \
    {                                                                                    \
        name, LV_KEY_FORMULA, false, true, least, most, NULL, NULL, doc                  \
    }
#define OPTION_NUMBER(name, least, most, argument, doc)                                  \
    {                                                                                    \
        name, LV_KEY_FORMULA, false, false, least, most, NULL, NULL, doc                 \
    }
#define OPTION_FLAG(name, least, most, argument, doc)                                    \
    {                                                                                    \
        name, LV_KEY_FLAG, false, false, 0, 0, NULL, NULL, doc                           \
    }
#define OPTION_CHOICE(name, least, most, argument, doc)                                  \
    {                                                                                    \
        name, LV_KEY_TEXT, false, false, 0, 0, NULL, NULL, doc ": " argument             \
    }

static const lv_key run_keys[] = {
    {"scheme", LV_KEY_TEXT, false, false, 0, 0, NULL, NULL, "name of the integrator"},
#define LV_X(id, name, on_line, kind, least, most, argument, doc)                        \
    OPTION_##kind(name, least, most, argument, doc),
    LV_OPTION_LIST(LV_X)
#undef LV_X
        {"initial", LV_KEY_TEXT, false, false, 0, 0, NULL, "check",
         "\"check\" refuses a start that violates the constraints, by more than 1e-8 of "
         "the coordinates or of the length they describe, \"project\" moves it onto "
         "them"},
    {"step", LV_KEY_FORMULA, false, false, 1e-300, 1e300, "s", NULL, "step size"},
    {"until", LV_KEY_FORMULA, false, false, 0, 1e300, "s", NULL,
     "time of the end; 0: the start alone, no step"},
    {"every", LV_KEY_FORMULA, false, true, 1, 2000000000, "steps", "1",
     "record every so many steps"},
    {"sample", LV_KEY_FORMULA, false, false, 1e-300, 1e300, "s", NULL,
     "record at multiples of this time instead, between steps where need be"},
    END,
};

static const lv_key sweep_keys[] = {
    {"members", LV_KEY_FORMULA, false, true, 1, 100000000, NULL, NULL,
     "number of members, if no grid says it"},
    {"index", LV_KEY_TEXT, false, false, 0, 0, NULL, "j",
     "what the formulas of [sweep.set] call the member's number, 0 for the first; a "
     "parameter of that name is set to it"},
    {"seed", LV_KEY_FORMULA, false, true, 0, 9007199254740992, NULL, "1",
     "of the random numbers: another seed, other numbers"},
    END,
};

static const lv_key sweep_set_keys[] = {
    VALUE("value", "number, formula or vector; may use the member's number"),
    FORMULA("from", "of a grid: its first value"),
    FORMULA("to", "of a grid: its last value"),
    {"count", LV_KEY_FORMULA, false, true, 1, 100000000, NULL, NULL,
     "of a grid: how many values, evenly spaced"},
    VALUE("values", "a grid of any values: an array of them"),
    VALUE("uniform", "random, evenly distributed between two numbers: [least, most]"),
    VALUE("normal", "random, normally distributed: [mean, standard deviation]"),
    END,
};

const lv_section lv_section_table[LV_SECTIONS] = {
    [LV_SECTION_MODEL] = {"", "model", LV_SHAPE_KEYS, model_keys, "The top of the file.",
                          "name = \"planar pendulum\""},
    [LV_SECTION_PARAMETERS] = {"parameters", "parameter", LV_SHAPE_VALUES, value_keys,
                               "Named constants: numbers, vectors, or formulas of other "
                               "parameters. --set NAME=VALUE "
                               "replaces one.",
                               "m = 1.0\nk = \"4*pi^2*m\"\nup = [0, 0, 1]"},
    [LV_SECTION_INPUTS] =
        {"inputs", "input", LV_SHAPE_VALUES, value_keys,
         "Numbers and vectors that may change between steps, such as what a controller "
         "commands, and the values that they have until they are set: formulas of "
         "parameters. Any other formula may use them; start values may not. "
         "--input NAME=FILE.csv and lv_sim_set_input set them.",
         "force = 0\nwind = [0, 0, 0]\nspeed = \"w0\""},
    [LV_SECTION_DEFINITIONS] =
        {"definitions", "definition", LV_SHAPE_VALUES_TABLES, definition_keys,
         "Names for formulas, scalar or vector. x' is the time derivative of a "
         "definition, too.",
         "r = \"[l*sin(phi), -l*cos(phi)]\"\nv2 = \"norm2(r')\"\ngap = { for = \"i = "
         "2..N\", value = \"q_i - q_{i-1}\" }"},
    [LV_SECTION_COORDINATES] =
        {"coordinates", "coordinate", LV_SHAPE_VALUES_TABLES, coordinate_keys,
         "The unknowns and where they start; formulas here may use parameters.",
         "phi = 0.5\na = { value = [1, 0, 0], velocity = [0, \"w\", 0] }\nq = { count = "
         "\"N\", "
         "value = [\"i/N\", 0, 0] }"},
    [LV_SECTION_MOMENTA] =
        {"momenta", "momentum", LV_SHAPE_VALUES, momentum_keys,
         "Other names for momenta: NAME = \"x\" calls the momentum of x NAME instead of "
         "p_x. Models with a Hamiltonian only.",
         "p = \"q\""},
    [LV_SECTION_ENERGY] = {"energy", "energy", LV_SHAPE_KEYS_TABLES, energy_keys,
                           "Kinetic and potential energy, or a Lagrangian, or else a "
                           "Hamiltonian; all terms are added. Several terms "
                           "have names: [energy.springs].",
                           "kinetic = \"m/2*dot(a',a')\"\npotential = \"m*g*a[3]\""},
    [LV_SECTION_CONSTRAINTS] =
        {"constraints", "constraint", LV_SHAPE_TABLES, constraint_keys,
         "What is kept at zero. Each constraint has a name and is either holonomic or "
         "nonholonomic.",
         "[constraints.link]\nfor = \"i = 2..N\"\nholonomic = \"norm2(q_i - q_{i-1}) - "
         "1\""},
    [LV_SECTION_FORCES] =
        {"forces", "force", LV_SHAPE_TABLES, force_keys, "Forces that have no potential.",
         "[forces.drag]\non = [\"x\", \"y\"]\nforce = [\"-c*x'\", \"-c*y'\"]\n\n"
         "[forces.wind]\non = \"[l*sin(phi), -l*cos(phi)]\"\nforce = [\"w*cos(t)\", 0]"},
    [LV_SECTION_SYMMETRIES] =
        {"symmetries", "symmetry", LV_SHAPE_TABLES, symmetry_keys,
         "Motions that leave the system unchanged; each has a momentum that is watched. "
         "Terms that a motion does change are told.",
         "[symmetries.spin]\non = [\"x\", \"y\"]\ngenerator = [\"-y\", \"x\"]"},
    [LV_SECTION_OUTPUTS] =
        {"outputs", "output", LV_SHAPE_VALUES, value_keys,
         "Further quantities to record. Their formulas may also use accelerations a'', "
         "multipliers lambda.NAME of constraints, momenta p.NAME of coordinates, and "
         "the energies E, T and V.",
         "height = \"a[3]\"\ntension = \"-lambda.rod*l\""},
    [LV_SECTION_EVENTS] =
        {"events", "event", LV_SHAPE_TABLES, event_keys,
         "What happens when a formula passes through zero, located within the step to "
         "the order of the scheme. Events are counted; they may change velocities and "
         "inputs, write a row, end the simulation.",
         "[events.bounce]\nwhen = \"y - r\"\ndirection = \"falling\"\nrestitution = "
         "\"e\""},
    [LV_SECTION_VIEW] =
        {"view", "view", LV_SHAPE_KEYS, view_keys,
         "What is drawn: points, lines, frames and surfaces, formulas of parameters, "
         "coordinates, velocities and t. Parts bring their own pictures. Without them "
         "and without [view], vectors are drawn as points, and distances that "
         "constraints and energies contain as lines. Nothing here changes the motion.",
         "up = [0, 0, 1]"},
    [LV_SECTION_VIEW_POINTS] =
        {"view.points", "point", LV_SHAPE_VALUES_TABLES, view_point_keys,
         "Points that leave a trail. Other formulas of [view] may use their names, "
         "unless the model has given these another meaning.",
         "bob = \"[l*sin(phi), -l*cos(phi)]\"\n[view.points.bead]\nfor = \"i = "
         "1..N\"\nat = \"[i*h, u_i, 0]\"\nradius = 0.02"},
    [LV_SECTION_VIEW_LINES] =
        {"view.lines", "line", LV_SHAPE_VALUES_TABLES, view_line_keys,
         "Lines through points, and curves.",
         "rod = [\"[0, 0]\", \"bob\"]\nrail = { at = \"[s, s^2]\", over = \"s = "
         "-1..1\" }\n[view.lines.coil]\nthrough = [[0, 0], \"bob\"]\nstyle = "
         "\"spring\""},
    [LV_SECTION_VIEW_FRAMES] =
        {"view.frames", "frame", LV_SHAPE_VALUES_TABLES, view_frame_keys,
         "Bodies: an origin, axes and a shape.",
         "[view.frames.wheel]\nat = \"[x, y, r]\"\ne1 = \"[cos(a), sin(a), 0]\"\ne2 "
         "= [0, 0, 1]\nshape = { cylinder = [\"r\", 0.05] }"},
    [LV_SECTION_VIEW_SURFACES] =
        {"view.surfaces", "surface", LV_SHAPE_VALUES_TABLES, view_surface_keys,
         "Surfaces, drawn as grids.",
         "[view.surfaces.bowl]\nat = \"[r*cos(w), r*sin(w), r^2/2]\"\nover = \"r = "
         "0..1, w = 0..2*pi\""},
    [LV_SECTION_RUN] = {"run", "run", LV_SHAPE_KEYS, run_keys,
                        "How to integrate, unless the command line says otherwise.",
                        "scheme = \"rattle\"\nstep = 0.01\nuntil = 10"},
    [LV_SECTION_SWEEP] =
        {"sweep", "sweep", LV_SHAPE_KEYS, sweep_keys,
         "An ensemble for livens sweep: many members, each the model with "
         "other values of some parameters. Other commands ignore it.",
         "members = 41\nindex = \"j\""},
    [LV_SECTION_SWEEP_SET] =
        {"sweep.set", "setting", LV_SHAPE_VALUES_TABLES, sweep_set_keys,
         "The parameters that differ from member to member: a formula of the member's "
         "number and of other parameters, a grid, or random numbers. Several grids make "
         "all combinations, the last one changing fastest. A random number depends on "
         "seed, parameter and member only; of a vector every component gets one.",
         "phi = \"j*pi/80\"\nmass = { from = 0.5, to = 2, count = 16 }\nk = { values = "
         "[1, 10, "
         "100] }\nx0 = { uniform = [-1, 1] }\nv0 = { normal = [0, \"0.1*c\"] }"},
};

const lv_section *lv_section_at(int number)
{
    if (number < 0)
        return NULL;
    if (number < LV_SECTIONS)
        return &lv_section_table[number];
    return lv_part_section(number - LV_SECTIONS);
}

int lv_section_find(const char *outer, const char *name)
{
    const lv_section *section = NULL;
    for (int s = 1; (section = lv_section_at(s)); s++) {
        const char *dot = strchr(section->name, '.');
        size_t before = dot ? (size_t)(dot - section->name) : 0;
        const char *own = dot ? dot + 1 : section->name;
        if (strcmp(own, name) == 0 && strlen(outer) == before &&
            strncmp(section->name, outer, before) == 0)
            return s;
    }
    return -1;
}

int lv_section_key(const lv_section *section, const char *name)
{
    for (int k = 0; section->keys[k].name; k++)
        if (strcmp(section->keys[k].name, name) == 0)
            return k;
    return -1;
}

int lv_section_key_count(const lv_section *section)
{
    int count = 0;
    while (section->keys[count].name)
        count++;
    return count;
}

const char *lv_key_type_text(lv_key_type type)
{
    switch (type) {
    case LV_KEY_TEXT:
        return "a string";
    case LV_KEY_FORMULA:
        return "a number or a formula in quotes";
    case LV_KEY_VALUE:
        return "a number, a formula in quotes, or an array of these";
    case LV_KEY_NAMES:
        return "a name in quotes, or an array of names";
    case LV_KEY_ALONG:
        return "a formula in quotes, or an array of these";
    case LV_KEY_ENDS:
        return "an array of two ends, each a name or formula in quotes, or an array of "
               "numbers and formulas";
    case LV_KEY_POINTS:
        return "an array of points, each a formula in quotes, or an array of numbers and "
               "formulas";
    case LV_KEY_RANGES:
        return "an index range in quotes, such as \"i = 1..N\"";
    case LV_KEY_FLAG:
        return "true or false";
    case LV_KEY_VECTORS:
        return "an array of numbers and formulas, or an array of such arrays";
    case LV_KEY_VARIANT:
        return "a table of one key, such as { sphere = 0.5 }";
    }
    return "a value";
}
