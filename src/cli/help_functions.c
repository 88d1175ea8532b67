/* The formula language. */
#include "cli/help.h"

#include <stddef.h>

enum { FUNCTIONS_MAX = 200 };

static const cli_row notation[] = {
    {"+ - * / ^",
     "arithmetic; vectors are added and multiplied by scalars; -x^2 is -(x^2)"},
    {"x'", "time derivative of a coordinate or of a definition"},
    {"a[2]", "component of a vector; the first is a[1]"},
    {"a'[2]", "component of its time derivative"},
    {"[x, y, z]", "a vector"},
    {"q_3, q_i, q_{i-1}",
     "member of a family of coordinates or definitions; i is the index of a term's "
     "for"},
    {"l[i]", "component of a vector of parameters, by the index of a family"},
    {"sum(i = 1..N, l[i])",
     "sum over an index, of scalars or vectors; its ends may use parameters"},
    {"top.e1, rod_i.e1", "member of a body or joint: an axis, an angle"},
    {"< <= > >= == !=", "comparison, only as the first argument of if"},
    {"2.5e-3", "a number"},
    {"t", "time"},
    {"pi", "3.14159..."},
};

/* What formulas in [outputs] may use in addition. */
static const cli_row results[] = {
    {"x''",
     "acceleration of a coordinate or second derivative of a formula; the ' of what "
     "contains velocities"},
    {"lambda.link, lambda.link_3",
     "multipliers of a constraint, a scalar or a vector of its rows: the force of the "
     "constraint is the gradient of its formula times these"},
    {"p.a, p.q_3", "momentum of a coordinate, which has the shape of the coordinate"},
    {"hinge.force, hinge.torque", "what a joint acts with on its second body, in space "
                                  "axes at its point; of motors and rolling contacts "
                                  "the one that they have"},
    {"E, T, V", "total, kinetic and potential energy of the model"},
};

void cli_help_functions(const cli_page *page)
{
    cli_page_title(page, "The formula language");
    cli_page_text(
        page,
        "Formulas stand in quotes in a model file. Values are scalars and vectors of "
        "real numbers; units are the model's own, angles are in radians. All "
        "formulas are differentiated exactly.");
    cli_page_heading(page, 2, "notation");
    cli_page_rows(page, "form", "meaning", notation,
                  (int)(sizeof notation / sizeof notation[0]));

    cli_row rows[FUNCTIONS_MAX];
    lv_function_info info;
    int n = 0;
    for (; n < FUNCTIONS_MAX && lv_function_describe(n, &info); n++)
        rows[n] = (cli_row){info.signature, info.doc};
    cli_page_heading(page, 2, "in [outputs] only");
    cli_page_rows(page, "form", "meaning", results,
                  (int)(sizeof results / sizeof results[0]));
    cli_page_heading(page, 2, "functions");
    cli_page_rows(page, "function", "value", rows, n);
    cli_page_heading(page, 2, "angles that count turns");
    cli_page_text(
        page,
        "atan2(y, x) jumps by 2 pi when the point crosses the negative x axis, and what "
        "is "
        "derived from it with it: a spring on this angle would unwind in an instant. "
        "winding(x, y) goes on: 7 after one turn and a bit, in energies, forces and "
        "outputs alike, and energy is kept as with any other formula. It begins as "
        "atan2(y, x) where the run begins, also where start values are projected, and "
        "goes on in runs that are resumed. The angle may turn by less than 3/4 pi in a "
        "step; it has no value where x and y are both zero. The angle from the vector u "
        "to the vector v in the plane is winding(dot(u, v), u[1]*v[2] - u[2]*v[1]).");
}
