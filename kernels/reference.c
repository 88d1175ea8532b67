#include "reference.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Dampers decide between forms of stage equations, rods between schemes. */
enum { DIMENSIONS = 3, DAMPED = 1, RIGID = 2, VARIANTS = 4 };

/* Bodies in the plane and in space, with joints between them and to the ground. */
enum { PARTICLES = DIMENSIONS * VARIANTS, BODIES = 2 };

int reference_count(void)
{
    return PARTICLES + BODIES;
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

/* ---- bodies --------------------------------------------------------------------------------- */

/* Families a (on the ground) and b (on a) for each type of joint, and the same one by one. A body in
 * space is turned, and turns. */
static const char in_plane[] = "name = 'reference'\n"
                               "[parameters]\n"
                               "m = 1.5\nj = 0.4\n"
                               "[gravity]\n"
                               "acceleration = [0.1, -0.81]\n";

static const char in_space[] = "name = 'reference'\n"
                               "[parameters]\n"
                               "m = 1.5\nj = [0.4, 0.5, 0.6]\n"
                               "[gravity]\n"
                               "acceleration = [0.1, 0.2, -0.81]\n"
                               "[bodies.free]\n"
                               "mass = 'm'\n"
                               "inertia = [0.4, 0.5, 0.6, 0.05, -0.02, 0.03]\n"
                               "position = [0, -9, 0]\n"
                               "angular_velocity = [0.1, 0.2, 0.3]\n"
                               "[bodies.top]\n"
                               "mass = 'm'\ninertia = 'j'\n"
                               "position = [0, -5, 0]\npivot = [0, 0, -1]\n"
                               "angular_velocity = [0.1, 0.2, 0.3]\n";

typedef struct pair {
    const char *type, *axis; /* of the joints */
} pair;

static const pair plane_pairs[] = {{"revolute", ""}};
static const pair space_pairs[] = {{"spherical", ""},
                                   {"revolute", "axis = [0.1, 1, 0.2]\n"}};

enum {
    PLANE_PAIRS = sizeof plane_pairs / sizeof *plane_pairs,
    SPACE_PAIRS = sizeof space_pairs / sizeof *space_pairs
};

static void write_body(lv_text *text, char letter, const char *name, bool is_family,
                       bool is_planar)
{
    const char *i = is_family ? "i" : "20";
    const double x = letter == 'a' ? 0.5 : 1.5;
    lv_text_append(text, "[bodies.%s]\n%smass = 'm'\ninertia = 'j'\n", name,
                   is_family ? "count = 11\n" : "");
    if (is_planar)
        lv_text_append(text, "position = ['3*%s + %g', 0.1]\nangle = 0.3\n", i, x);
    else
        lv_text_append(text,
                       "position = ['3*%s + %g', 0.1, 0.2]\nrotation = [0.1, 0.2, 0.3]\n",
                       i, x);
}

static void write_joint(lv_text *text, const char *name, const char *between,
                        const pair *p, bool is_family, const char *at)
{
    lv_text_append(text, "[joints.%s]\n%stype = '%s'\nbetween = [%s]\nat = %s\n%s", name,
                   is_family ? "for = 'i = 1..11'\n" : "", p->type, between, at, p->axis);
}

/* ground -- a -- b, as families or single bodies. */
static void write_pair(lv_text *text, const pair *p, int number, bool is_family,
                       bool is_planar)
{
    char a[8], b[8], joint[8], between[40], at[40];
    const char *i = is_family ? "i" : "20", *rest = is_planar ? "0" : "0, 0.1";
    const char kind = is_family ? 'f' : 's', *member = is_family ? "_i" : "";
    (void)snprintf(a, sizeof a, "a%c%d", kind, number);
    (void)snprintf(b, sizeof b, "b%c%d", kind, number);
    write_body(text, 'a', a, is_family, is_planar);
    write_body(text, 'b', b, is_family, is_planar);

    (void)snprintf(joint, sizeof joint, "g%c%d", kind, number);
    (void)snprintf(between, sizeof between, "'ground', '%s%s'", a, member);
    (void)snprintf(at, sizeof at, "['3*%s', %s]", i, rest);
    write_joint(text, joint, between, p, is_family, at);

    (void)snprintf(joint, sizeof joint, "j%c%d", kind, number);
    (void)snprintf(between, sizeof between, "'%s%s', '%s%s'", a, member, b, member);
    (void)snprintf(at, sizeof at, "['3*%s + 1', %s]", i, rest);
    write_joint(text, joint, between, p, is_family, at);
}

static void write_bodies(lv_text *text, bool is_planar)
{
    const pair *pairs = is_planar ? plane_pairs : space_pairs;
    const int count = is_planar ? PLANE_PAIRS : SPACE_PAIRS;
    lv_text_append(text, "%s", is_planar ? in_plane : in_space);
    for (int k = 0; k < count; k++) {
        write_pair(text, &pairs[k], k, true, is_planar);
        write_pair(text, &pairs[k], k, false, is_planar);
    }
}

/* ---- models --------------------------------------------------------------------------------- */

static void write_particles(lv_text *text, int number, char name[40])
{
    int dimension = number / VARIANTS + 1, variant = number % VARIANTS;
    (void)snprintf(name, 40, "dimension %d%s%s", dimension,
                   variant & DAMPED ? ", dampers" : "", variant & RIGID ? ", rods" : "");
    write(text, particles, dimension);
    for (int k = 0; k < SPRINGS; k++)
        write_joints(text, "springs", k, springs[k], dimension);
    if (variant & DAMPED)
        write_joints(text, "springs", SPRINGS, "stiffness = 1\ndamping = 'l'\n",
                     dimension);
    if (variant & RIGID)
        write_joints(text, "rods", 0, "", dimension);
}

lv_status reference_model(lv_model **model, int number, char name[40], lv_error *err)
{
    lv_text text = {0};
    if (number < PARTICLES) {
        write_particles(&text, number, name);
    } else {
        const bool is_planar = number == PARTICLES;
        (void)snprintf(name, 40, "bodies in %s", is_planar ? "the plane" : "space");
        write_bodies(&text, is_planar);
    }
    *model = NULL;
    lv_status status = text.failed ? lv_fail_memory(err)
                                   : lv_model_parse(model, name, text.data,
                                                    (size_t)text.count, NULL, 0, err);
    lv_text_done(&text);
    return status;
}
