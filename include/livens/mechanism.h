/* Mechanisms: the bodies of a model and what joins them, how freely they move, and which joints say
 * the same. A part of the inspection (inspect.h). */
#ifndef LIVENS_MECHANISM_H
#define LIVENS_MECHANISM_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body, joint, motor or rolling contact as declared, perhaps a family of them. */
typedef struct lv_element_info {
    const char *kind; /* "body", "joint", "motor", "contact" */
    const char *name;
    const char
        *type; /* of joints "revolute", ...; of bodies "space" or "plane"; else NULL */
    const char *between[2]; /* joints: what they join, as written; else NULL */
    bool is_family;
    int count;   /* members */
    int freedom; /* bodies: degrees of freedom of a member that nothing holds; 6 or 3, with a pivot 3 or 1 */
    int rows;    /* the others: constraints of a member */
} lv_element_info;

/* What takes part in a dependence: a member of a joint, motor, contact or rod, or a constraint. */
typedef struct lv_dependent_info {
    const char *name; /* "hinge", "link_3", "r (i = 2, j = 3)" */
    const char *kind; /* "joint", "constraint", ... */
    int set;          /* members of one set depend on each other */
    int open; /* how many of its multipliers, or combinations of these, nothing determines */
    int forces; /* joints: of these, components of the force, */
    double axis
        [3]; /* and along which direction where there is one of them, normal to which where there are
                     * two; [0, 0, 0]: there are three or none */
    int torques; /* components of the torque */
} lv_dependent_info;

/* A constraint row in a combination of gradients that is zero. */
typedef struct lv_weight_info {
    const char *row; /* "hinge[2]" */
    int combination;
    int set; /* of its members */
    double weight;
} lv_weight_info;

/* Which constraints depend on each other at a state. Those that keep bodies rigid are left out. */
typedef struct lv_dependence_info {
    int combinations; /* that are zero; -1: too many to tell */
    int sets;
    int count;
    const lv_dependent_info *list;
    int weight_count;
    const lv_weight_info *weights;
} lv_dependence_info;

typedef struct lv_mechanism_info {
    int element_count;
    const lv_element_info *elements; /* bodies first, then joints, motors, contacts */
    int bodies, joints, motors, contacts; /* members of families counted one by one */
    int inner_coordinates;                /* of bodies, */
    int inner_rows;                       /* and the constraints that keep them rigid */
    int mobility; /* degrees of freedom by counting: those of bodies and other coordinates minus the rows of
                   * joints, motors, contacts and other constraints */
    lv_dependence_info dependence; /* at the start */
    int loose_count; /* bodies that nothing holds: no joint, contact, spring or constraint has them; */
    int loose_named; /* the first of these by name */
    const char *const *loose;
} lv_mechanism_info;

/* How a model moves at first: what is fastest, and whether constraints come to depend on each other in a short
 * motion. */
typedef struct lv_probe_info {
    double
        frequency; /* largest rate of the linearised equations at the start, 1/s: oscillation, growth or decay; 0:
                        * none; -1: not known */
    double rotation;   /* fastest rotation of a body there, 1/s, */
    char rotates[160]; /* and whose it is */
    double
        step; /* forty in the period of the faster of both, rounded down; 0: nothing asks for one */

    const char *scheme; /* of the motion; NULL: there was none, */
    char stopped
        [400]; /* why, or why it ended early; "": it did not, or there are no constraints */
    double size;                     /* of its steps, */
    int steps;                       /* and how many were taken, */
    double time;                     /* until then */
    int looks;                       /* states looked at, with the start */
    int freedom_least, freedom_most; /* degrees of freedom by rank on the way */
    double freedom_changed;          /* time of the first change; 0: none */
    /* The smallest singular value of the gradients, each of length 1 in units of the masses: constraints are nearly
     * dependent where it is small, 0: dependent. On the way, and when that was; at the start; and what takes part. */
    double nearest, nearest_time, nearest_at_start;
    char nearest_names[300]; /* "'a', 'b' and 2 others" */
    /* The largest part of itself by which G M^-1 G^T shrinks in a step of the motion, and from where on steps of its scheme
     * may have no solution; both 0 if it has no such limit. */
    double shrinking, shrinking_most;
    size_t reserved[2]; /* for later versions */
} lv_probe_info;

#ifdef __cplusplus
}
#endif
#endif
