/* Mechanisms: the bodies of a model and what joins them, how freely they move, and which
 * joints are redundant. This is a part of the inspection (inspect.h). */
#ifndef LIVENS_MECHANISM_H
#define LIVENS_MECHANISM_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body, joint, motor or rolling contact as declared; it may be a family. */
typedef struct lv_element_info {
    const char *kind; /* "body", "joint", "motor", "contact" */
    const char *name;
    /* type of a joint: "revolute", ...; of a body: "space" or "plane"; else NULL */
    const char *type;
    /* joints: the two things they join, as written in the model; else NULL */
    const char *between[2];
    bool is_family;
    int count; /* number of members */
    /* bodies: degrees of freedom of one member without any constraint; 6 or 3, with a
     * pivot 3 or 1 */
    int freedom;
    int rows; /* all others: constraint rows of one member */
} lv_element_info;

/* A participant in a linear dependence of constraints: a member of a joint, motor,
 * contact or rod, or a constraint. */
typedef struct lv_dependent_info {
    const char *name; /* "hinge", "link_3", "r (i = 2, j = 3)" */
    const char *kind; /* "joint", "constraint", ... */
    int set;          /* number of its set; members of one set depend on each other */
    /* number of its multipliers, or combinations of these, that are not determined */
    int open;
    int forces; /* joints: how many of these are components of the force */
    /* Direction of the undetermined force if it is one component, normal of its plane if
     * it is two; zeros if it is three or none. */
    double axis[3];
    int torques; /* joints: how many are components of the torque */
} lv_dependent_info;

/* The weight of a constraint row in a linear combination of gradients that is zero. */
typedef struct lv_weight_info {
    const char *row; /* name of the row: "hinge[2]" */
    int combination;
    int set; /* number of the set that the row belongs to */
    double weight;
} lv_weight_info;

/* Linear dependences between constraints at a state. The constraints that keep bodies
 * rigid are left out. */
typedef struct lv_dependence_info {
    /* number of independent combinations that are zero; -1: the system is too large to
     * test */
    int combinations;
    int sets;
    int count;
    const lv_dependent_info *list;
    int weight_count;
    const lv_weight_info *weights;
} lv_dependence_info;

typedef struct lv_mechanism_info {
    int element_count;
    const lv_element_info *elements; /* bodies first, then joints, motors, contacts */
    /* numbers of members, each member of a family counted */
    int bodies, joints, motors, contacts;
    /* coordinates that the formulation of bodies adds */
    int inner_coordinates;
    int inner_rows; /* constraint rows that keep bodies rigid */
    /* degrees of freedom by counting: those of bodies and other coordinates minus the
     * rows of joints, motors, contacts and other constraints */
    int mobility;
    lv_dependence_info dependence; /* at the start */
    /* number of bodies that no joint, contact, spring or constraint acts on */
    int loose_count;
    int loose_named; /* how many of these `loose` lists by name */
    const char *const *loose;
} lv_mechanism_info;

/* The fastest time scales of a model at its start, and whether constraints become
 * dependent in a short motion. */
typedef struct lv_probe_info {
    /* Largest rate of the linearised equations at the start, 1/s, of oscillation, growth
     * or decay; 0: there is none; -1: not known. */
    double frequency;
    double rotation;   /* fastest rotation of a body at the start, 1/s */
    char rotates[160]; /* name of that body */
    /* suggested step: a fortieth of the period of the faster of both, rounded down; 0: no
     * suggestion */
    double step;

    const char *scheme; /* scheme of the short motion; NULL: there was no motion */
    /* why there was no motion or why it ended early; "": it did not, or there are no
     * constraints */
    char stopped[400];
    double size; /* step size of the motion */
    int steps;   /* number of steps taken */
    double time; /* time that was reached */
    /* number of states that were examined, including the start */
    int looks;
    /* smallest and largest number of degrees of freedom, by rank, during the motion */
    int freedom_least, freedom_most;
    double freedom_changed; /* time of the first change; 0: none */
    /* The smallest singular value of the constraint gradients, each scaled to length 1 in
     * the norm of the masses: constraints are nearly dependent if it is small, and
     * dependent if it is 0. Its minimum during the motion and the time of that, its value
     * at the start, and the constraints that take part. */
    double nearest, nearest_time, nearest_at_start;
    char nearest_names[300]; /* "'a', 'b' and 2 others" */
    /* The largest relative decrease of G M^-1 G^T in a step of the motion, and the limit
     * from which on steps of the scheme may have no solution. Both are 0 if the scheme
     * has no such limit. */
    double shrinking, shrinking_most;
    size_t reserved[2]; /* for later versions */
} lv_probe_info;

#ifdef __cplusplus
}
#endif
#endif
