/* Pictures: what of a model is drawn, and where it is. The model says it in [view], its parts bring pictures of their
 * own; where there is neither, livens guesses. A picture is a list of items, which never changes, and numbers that say
 * where the items are: a frame. */
#ifndef LIVENS_VIEW_H
#define LIVENS_VIEW_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of an item of each kind:
 *
 *     point     x y z
 *     line      x y z of every point
 *     frame     x y z of the origin, then the unit quaternion w x y z that turns the axes of space into its own
 *     joint     x y z, then the unit vector of its axis; zeros: it has none
 *     surface   x y z of every point of the grid, row by row
 *
 * What has two components lies in the plane z = 0. */
typedef enum lv_view_kind {
    LV_VIEW_POINT,
    LV_VIEW_LINE,
    LV_VIEW_FRAME,
    LV_VIEW_JOINT,
    LV_VIEW_SURFACE
} lv_view_kind;

LV_API const char *lv_view_kind_name(lv_view_kind kind); /* "point", "line", ... */

typedef struct lv_view_item {
    lv_view_kind kind;
    const char *name; /* "bob", "link_7" */
    /* Where it stems from: "points", "lines", "frames", "surfaces" of [view]; the section of a part, "bodies",
     * "particles", "rods", ...; "coordinates" of what is guessed. */
    const char *section;
    /* How it looks, and the sizes that say how large, in units of the model:
     *
     *     point     "ball" radius
     *     line      "line"; "rod" radius; "spring" radius; "arrow"
     *     frame     "axes" length; "sphere" radius; "ellipsoid" three half axes; "box" three sides; "cylinder",
     *               "capsule", "cone" radius and length along the third axis, of a capsule without its half spheres;
     *               all centred at the origin, a cone at its centre of mass, its tip backwards; "centre", a mark
     *     joint     its type, "revolute", ...
     *     surface   "grid"
     *
     * No sizes: whoever draws chooses them. */
    const char *shape;
    const double *sizes;
    int size_count;
    double weight; /* cube root of the mass, for sizes of points and marks; 0: unknown */
    bool trail;    /* shows where it has been */
    int colour;    /* number in a palette, from 1; 0: any */
    int rows,
        columns; /* of the grid of a surface; of others 1 and the number of points */
    int count;   /* of its numbers */
    int first;   /* in the numbers of a frame; -1: it never moves, and its numbers are */
    const double *still; /* these; NULL: it moves */
} lv_view_item;

typedef struct lv_view {
    int item_count;
    const lv_view_item *items;
    int number_count;  /* of a frame */
    bool guessed;      /* neither [view] nor parts: livens guessed */
    bool planar;       /* everything lies in the plane z = 0 */
    double up[3];      /* a unit vector */
    double gravity[3]; /* the acceleration at the start; zeros: no part says it */
    bool ground;       /* the plane z = 0 is a floor */
    int left_out;      /* items of parts that were too many to list */
} lv_view;

/* What is drawn of a model. It lives as long as the model. NULL without a model. */
LV_API const lv_view *lv_model_view(const lv_model *model);

/* Writes a view as JSON, without numbers of frames: at most size bytes with the final NUL. Returns the number of bytes
 * of the whole text, without the NUL. */
LV_API size_t lv_view_json(const lv_view *view, char *buffer, size_t size);

/* Evaluates frames of a model at any state. It belongs to one thread. The model must outlive it. Free with
 * lv_viewer_free. */
typedef struct lv_viewer lv_viewer;

LV_API LV_NODISCARD lv_status lv_viewer_create(lv_viewer **viewer, const lv_model *model,
                                               lv_error *err);
LV_API void lv_viewer_free(lv_viewer *viewer);

/* A frame, number_count numbers, at time t; q and v have lv_model_coordinate_count numbers. v may be NULL: velocities
 * are 0 then. Numbers of formulas without a value there are not finite. Allocates nothing. */
LV_API LV_NODISCARD lv_status lv_viewer_frame(lv_viewer *viewer, double *numbers,
                                              double t, const double *q, const double *v,
                                              lv_error *err);

/* Values of all inputs for the frames that follow, in the order of lv_model_input_describe; those of the model before.
 * LV_ERR_USAGE if they are not lv_model_input_count numbers. */
LV_API LV_NODISCARD lv_status lv_viewer_set_inputs(lv_viewer *viewer,
                                                   const double *values, int count,
                                                   lv_error *err);

/* The frame at the current state of a simulation, with its inputs. The first call takes memory, later ones do not. */
LV_API LV_NODISCARD lv_status lv_sim_view(lv_sim *sim, double *numbers, lv_error *err);

/* The state that a row of results belongs to, as far as rows tell it: q and v have lv_model_coordinate_count numbers. row_q
 * and row_v are the columns of coordinates that results show (not lv_model_coordinate_is_inner), bodies those of bodies:
 * in space position (3), quaternion (4), velocity (3), angular velocity (3); in the plane position (2), angle, velocity
 * (2), angular velocity. v and row_v may be NULL; so may be the others where the model has no such columns. */
LV_API LV_NODISCARD lv_status lv_model_row_state(const lv_model *model, double *q,
                                                 double *v, const double *row_q,
                                                 const double *row_v,
                                                 const double *bodies, lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
