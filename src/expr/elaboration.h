/* The state of an elaboration, which turns a formula into graph nodes; names, functions
 * and sums share it. Vectors become lists of nodes; the caller resolves names. */
#ifndef LV_EXPR_ELABORATION_H
#define LV_EXPR_ELABORATION_H

#include "expr/analyse.h"
#include "expr/syntax.h"

/* A scalar (length 0, one item) or a vector (length items). */
typedef struct lv_value {
    int length;
    const lv_node *items;
} lv_value;

int lv_value_count(const lv_value *value);

/* "a scalar", "a vector of length 3": for messages. */
const char *lv_value_describe(const lv_value *value, char buffer[48]);

typedef struct lv_elaboration lv_elaboration;

/* Finds the value of a name. `name` is a LV_SYNTAX_NAME, perhaps with a subscript. The
 * function fails at the name if it is unknown. It may elaborate other formulas through
 * `e`. */
typedef lv_status (*lv_resolve)(void *user, lv_elaboration *e, lv_value *value,
                                const lv_syntax *name, lv_error *err);

/* Returns the number of axes of the body with this name, 2 or 3; 0: it is no body. */
typedef int (*lv_axes)(void *user, const lv_syntax *name);

/* Computes a component of a vector whose index is not a constant. */
typedef lv_status (*lv_pick_component)(void *user, lv_elaboration *e, lv_value *value,
                                       const lv_value *vector, lv_node index,
                                       const lv_syntax *which, lv_error *err);

/* Computes the value of an end of a sum that is not a constant. */
typedef lv_status (*lv_bound)(void *user, lv_elaboration *e, double *number, lv_node node,
                              const lv_syntax *part, lv_error *err);

/* Returns what a name means already, such as "parameter"; NULL: nothing, so an index may
 * use it. */
typedef const char *(*lv_taken)(void *user, const char *name);

/* An index of a sum, and its value in the term that is being elaborated. */
typedef struct lv_summed {
    const char *name;
    lv_node node;
    const struct lv_summed *outer;
} lv_summed;

/* Called with the value of a hole of a template, which it may replace. */
typedef lv_status (*lv_settle)(void *user, lv_elaboration *e, lv_value *value,
                               lv_error *err);

struct lv_elaboration {
    lv_graph *graph;
    lv_arena *arena; /* for values; may be freed when the nodes are known */
    lv_resolve resolve;
    lv_axes axes;           /* NULL: there are no bodies */
    lv_pick_component pick; /* NULL: indices must be constants */
    lv_bound bound;         /* NULL: ends of sums must be constants */
    lv_taken taken;
    lv_settle settle; /* NULL: values of holes stay as they are */
    void *user;
    const lv_snippet *snippet; /* text of the formula that is being elaborated */
    int depth;
    int terms; /* number of terms of all sums so far */
    /* indices of the enclosing sums, innermost first; NULL: none */
    const lv_summed *summed;
    /* not NULL: t is an error, and this names the quantity in the message */
    const char *timeless;
    bool at_start; /* t is 0, and coordinates have their start values */
    bool in_hole;  /* inside a hole: holes in it are part of its formula */
    /* Cosine and sine of every angle that counts turns; NULL: angles do not count
     * turns. */
    lv_node_list *turns;
    bool accelerations; /* ' may be applied to formulas with velocities */
};

enum { LV_ELABORATION_DEPTH = 1000, LV_ELABORATION_TERMS = 100000 };

/* The index of an enclosing sum that has this name; NULL: there is none. */
const lv_summed *lv_summed_find(const lv_elaboration *e, const char *name);

/* Elaborates a part of the current formula, such as a subscript (elaborate.c). */
lv_status lv_elaborate_part(lv_elaboration *e, lv_value *value, const lv_syntax *part,
                            lv_error *err);

/* Allocates the items of a value for the caller to fill in; NULL if there is no
 * memory. */
lv_node *lv_value_room(lv_elaboration *e, lv_value *value, int length, lv_error *err);

/* Fails at a part of the formula that is being elaborated. */
lv_status lv_elaborate_fail(lv_elaboration *e, const lv_syntax *part, lv_error *err,
                            const char *format, ...) LV_PRINTF(4, 5);

#endif
