/* Finds columns of channels by their names, and selects some of them. */
#ifndef LV_OUT_CHANNELS_H
#define LV_OUT_CHANNELS_H

#include "base/arena.h"
#include "out/sink.h"

/* The channel with this name, or NULL. */
const lv_channel *lv_channel_find(const lv_channels *channels, const char *name);

/* The index of the column with this label, or -1. */
int lv_channel_column(const lv_channel *channel, const char *label);

/* Whether `name` is the label of the column, or the name of the vector whose component it
 * is. */
bool lv_channel_is_called(const lv_channel *channel, int column, const char *name);

/* Fails with the message that no column has this name, and suggests one. */
lv_status lv_channels_unknown(const lv_channels *channels, const char *name,
                              lv_error *err);

/* A selection of columns of a list of channels. */
typedef struct lv_selection {
    /* channels with at least one selected column, in the original order */
    lv_channels channels;
    struct lv_picked *list; /* the selected columns of each of them */
} lv_selection;

/* Selects columns by their labels; the name of a vector selects all of its components,
 * "a" for "a[1]", "a[2]". The first column, time, is always selected. count 0 selects all
 * columns. The selection lives in the arena and refers to the channels. */
lv_status lv_selection_init(lv_selection *selection, const lv_channels *channels,
                            const char *const *names, int count, lv_arena *arena,
                            lv_error *err);

/* Copies the current values of the selected columns to the selection's own channels. */
void lv_selection_update(const lv_selection *selection);

#endif
