/* A sweep in parts, for machines that do not know of each other: part k of n computes
 * every n-th member, beginning with member k - 1, and stores this in its file. The files
 * of all parts together give the same result as the sweep in one go. */
#ifndef LV_STUDY_PARTS_H
#define LV_STUDY_PARTS_H

#include <livens/sweep.h>

#include "base/arena.h"
#include "out/sink.h"

struct lv_sweep_parts {
    lv_arena arena;
    int count;
    const char **paths; /* in the order of the parts, like the files */
    lv_hdf5_run *files;
    lv_model *model;
    lv_run_changes changes;
    lv_initial initial;
};

/* Additional texts of /run in the file of a part: "2/4", the command and, when all
 * members are done, their messages. */
#define LV_PART_KIND "part"
#define LV_PART_SHARE "part"
#define LV_PART_COMMAND "command"
#define LV_PART_MESSAGES "messages"

/* The number of members of part `part` (from 1) of `parts`, and the number of its k-th
 * member. parts 0: the whole sweep. */
int lv_part_size(int part, int parts, int members);
int lv_part_member(int part, int parts, int k);

/* Refuses a model that is not the one of the parts, or was read with other settings. */
lv_status lv_parts_check_model(const lv_sweep_parts *parts, const lv_model *model,
                               lv_error *err);

#endif
