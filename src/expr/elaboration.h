/* The state of turning a formula into graph nodes, for all who take part: names, functions, sums. Vectors become lists
 * of nodes; names are the caller's. */
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

/* What a name means. `name` is a LV_SYNTAX_NAME, perhaps with a subscript; the function fails
 * at it when nothing has that name. It may elaborate other formulas through `e`. */
typedef lv_status (*lv_resolve)(void *user, lv_elaboration *e, lv_value *value,
                                const lv_syntax *name, lv_error *err);

/* How many axes the body of this name has, 2 or 3; 0: it is no body. */
typedef int (*lv_axes)(void *user, const lv_syntax *name);

/* A component of a vector whose index is no number. */
typedef lv_status (*lv_pick_component)(void *user, lv_elaboration *e, lv_value *value,
                                       const lv_value *vector, lv_node index,
                                       const lv_syntax *which, lv_error *err);

/* The number of an end of a sum, which is no constant. */
typedef lv_status (*lv_bound)(void *user, lv_elaboration *e, double *number, lv_node node,
                              const lv_syntax *part, lv_error *err);

/* What a name is, "parameter"; NULL: nothing, so that an index may have it. */
typedef const char *(*lv_taken)(void *user, const char *name);

/* An index of a sum, and its number in the term that is elaborated. */
typedef struct lv_summed {
    const char *name;
    lv_node node;
    const struct lv_summed *outer;
} lv_summed;

/* What the value of a template's hole becomes; it may be replaced. */
typedef lv_status (*lv_settle)(void *user, lv_elaboration *e, lv_value *value,
                               lv_error *err);

struct lv_elaboration {
    lv_graph *graph;
    lv_arena *arena; /* for values; may be dropped when the nodes are known */
    lv_resolve resolve;
    lv_axes axes;           /* NULL: there are no bodies */
    lv_pick_component pick; /* NULL: indices are numbers */
    lv_bound bound;         /* NULL: ends of sums are numbers */
    lv_taken taken;
    lv_settle settle; /* NULL: values of holes stay what they are */
    void *user;
    const lv_snippet *snippet; /* of the formula being elaborated */
    int depth;
    int terms;               /* of all sums so far */
    const lv_summed *summed; /* indices of the sums around */
    const char *timeless;    /* not NULL: t is refused in what this names */
    bool at_start;           /* t is 0, and coordinates are where they start */
    bool in_hole;            /* below a hole: holes there are part of its formula */
    lv_node_list *turns; /* cosine and sine of every angle that counts turns; NULL: angles
                           * are those at the start */
    bool accelerations;  /* ' may follow what contains velocities */
};

enum { LV_ELABORATION_DEPTH = 1000, LV_ELABORATION_TERMS = 100000 };

/* The index of a sum around that has this name; NULL: there is none. */
const lv_summed *lv_summed_find(const lv_elaboration *e, const char *name);

/* The value of a part of the formula being elaborated: a subscript (elaborate.c). */
lv_status lv_elaborate_part(lv_elaboration *e, lv_value *value, const lv_syntax *part,
                            lv_error *err);

/* A value with room for its items, to be filled in by the caller; NULL without memory. */
lv_node *lv_value_room(lv_elaboration *e, lv_value *value, int length, lv_error *err);

/* An error at a part of the formula being elaborated. */
lv_status lv_elaborate_fail(lv_elaboration *e, const lv_syntax *part, lv_error *err,
                            const char *format, ...) LV_PRINTF(4, 5);

#endif
