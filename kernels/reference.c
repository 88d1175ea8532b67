#include "reference.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Dampers decide between forms of stage equations, rods between schemes. */
enum { DIMENSIONS = 3, DAMPED = 1, RIGID = 2, VARIANTS = 4 };

int reference_count(void)
{
    return DIMENSIONS * VARIANTS;
}

/* <x; y; z> in a text is a point of as many dimensions: "x", or ["x", "y"] and so on. */
static const char *write_point(lv_text *text, const char *from, int dimension)
{
    const char *end = strchr(from, '>');
    lv_text_append(text, dimension == 1 ? "" : "[");
    for (int k = 0; k < dimension; k++) {
        int length = (int)strcspn(from, ";>");
        lv_text_append(text, "%s\"%.*s\"", k ? ", " : "", length, from);
        from += length + 1;
    }
    lv_text_append(text, dimension == 1 ? "" : "]");
    return end + 1;
}

static void write(lv_text *text, const char *from, int dimension)
{
    while (*from) {
        int length = (int)strcspn(from, "<");
        lv_text_bytes(text, from, length);
        from += length;
        if (*from == '<')
            from = write_point(text, from + 1, dimension);
    }
}

/* Four families and four single particles. */
static const char particles[] = "name = 'reference'\n"
                                "[parameters]\n"
                                "m = 1.5\nk = 3\nl = 0.7\n"
                                "[gravity]\n"
                                "acceleration = <-0.81; 0.1; 0.2>\n"
                                "[particles.a]\n"
                                "count = 11\nmass = '1 + i/10'\n"
                                "position = <i; 0.1*i; 0.2>\n"
                                "velocity = <0.1; 0.02*i; 0>\n"
                                "[particles.b]\n"
                                "count = 11\nmass = 'm'\n"
                                "position = <i + 0.4; 0.1*i + 0.3; 0>\n"
                                "[particles.c]\n"
                                "count = 11\nmass = 2\n"
                                "position = <i + 20; 1; 2>\n"
                                "velocity = <0; 0.1; -0.1*i>\n"
                                "[particles.d]\n"
                                "count = 11\nmass = 'm*i'\n"
                                "position = <i + 40; 2; 1>\n"
                                "[particles.e]\n"
                                "mass = 1\nposition = <0.4; 0.3; 0>\n"
                                "[particles.f]\n"
                                "mass = 'm'\nposition = <-0.5; 0; 0.1>\n"
                                "velocity = <0; 0.3; -0.2>\n"
                                "[particles.w]\n"
                                "mass = '2*m'\nposition = <-2; 0.4; 0.2>\n"
                                "[particles.h]\n"
                                "mass = 3\nposition = <-4; 0.5; 0.3>\n";

/* What is joined: two that move, or the first or the second end is fixed; in families and one
 * by one. */
static const char *const joints[] = {
    "for = 'i = 1..11'\nbetween = ['a_i', 'b_i']\n",
    "for = 'i = 1..11'\nbetween = [<i + 21; 2; 0>, 'c_i']\n",
    "for = 'i = 1..11'\nbetween = ['d_i', <39.3 + i; 0.5; m>]\n",
    "between = ['e', 'f']\n",
    "between = [<-2.5; 0; 0.1*m>, 'w']\n",
    "between = ['h', <-5; 0; 0>]\n",
};

enum { JOINTS = sizeof joints / sizeof *joints };

static const char *const springs[] = {
    "stiffness = 'k'\n",
    "stiffness = 3\nlength = 'l'\n",
    "stiffness = 0.3\nform = 'quadratic'\n",
    "stiffness = 'k/10'\nform = 'quadratic'\nlength = 1.1\n",
};

enum { SPRINGS = sizeof springs / sizeof *springs };

static void write_joints(lv_text *text, const char *section, int number, const char *keys,
                         int dimension)
{
    for (int k = 0; k < JOINTS; k++) {
        lv_text_append(text, "[%s.%.1s%d%d]\n%s", section, section, number, k, keys);
        write(text, joints[k], dimension);
    }
}

lv_status reference_model(lv_model **model, int number, char name[40], lv_error *err)
{
    lv_text text = {0};
    int dimension = number / VARIANTS + 1, variant = number % VARIANTS;
    (void)snprintf(name, 40, "dimension %d%s%s", dimension,
                   variant & DAMPED ? ", dampers" : "", variant & RIGID ? ", rods" : "");
    write(&text, particles, dimension);
    for (int k = 0; k < SPRINGS; k++)
        write_joints(&text, "springs", k, springs[k], dimension);
    if (variant & DAMPED)
        write_joints(&text, "springs", SPRINGS, "stiffness = 1\ndamping = 'l'\n",
                     dimension);
    if (variant & RIGID)
        write_joints(&text, "rods", 0, "", dimension);
    *model = NULL;
    lv_status status = text.failed ? lv_fail_memory(err)
                                   : lv_model_parse(model, name, text.data,
                                                    (size_t)text.count, NULL, 0, err);
    lv_text_done(&text);
    return status;
}
